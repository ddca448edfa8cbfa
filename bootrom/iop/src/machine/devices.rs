//! The kernel's own devices: the disc's files and the text console.

use super::cdvdman::{self, Disc};
use super::console::Console;
use super::critical::Shared;
use super::ioman::{Device, File, OPEN_READ, OPEN_WRITE, Operations, add_device, errno, ioman_open, text_of};
use super::romdrv;
use super::threads::{THREADS, call, call_blocking};
use bootrom_iop::cdvd::{DriveError, ReadMode};
use bootrom_iop::errors::Error;
use bootrom_iop::file_status::{RECORD_BYTES, STATUS_BYTES, record_of, status_of};
use bootrom_iop::iso9660::{Entry, NAME_BYTES, SECTOR_BYTES, SearchError, find, walk};
use core::cell::UnsafeCell;

/// Kinds of devices.
///
/// Source: IOP kernel, IOMAN
const KIND_CHARACTER: u32 = 1;
const KIND_FILES: u32 = 0x10;
/// Files of the disc that can be open at a time.
const DISC_FILES: usize = 16;
const SECTOR: u32 = SECTOR_BYTES as u32;

/// An open file of the disc.
#[derive(Clone, Copy)]
struct DiscFile {
    lsn: u32,
    size: u32,
    position: u32,
}

static DISC_FILE_TABLE: Shared<[Option<DiscFile>; DISC_FILES]> = Shared::new([None; DISC_FILES]);
/// The semaphore that the sector buffer belongs to.
static SECTOR_LOCK: Shared<i32> = Shared::new(0);

#[repr(C, align(64))]
struct SectorBuffer(UnsafeCell<[u8; SECTOR_BYTES]>);
// SAFETY: used only through `with_sector`, one thread at a time.
unsafe impl Sync for SectorBuffer {}
static SECTOR_BUFFER: SectorBuffer = SectorBuffer(UnsafeCell::new([0; SECTOR_BYTES]));

/// A driver's record, written only by nobody.
#[repr(transparent)]
struct Record(Device);
// SAFETY: the record is constant; the pointers in it are to constants.
unsafe impl Sync for Record {}

static DISC_OPERATIONS: Operations = Operations {
    open: Some(disc_open),
    close: Some(disc_close),
    read: Some(disc_read),
    lseek: Some(disc_lseek),
    getstat: Some(disc_status),
    dopen: Some(disc_open_directory),
    dclose: Some(disc_close),
    dread: Some(disc_read_directory),
    ..Operations::NONE
};
static DISC_DEVICE: Record = Record(Device {
    name: c"cdrom".as_ptr().cast(),
    kind: KIND_FILES,
    version: 1,
    description: c"CD-ROM".as_ptr().cast(),
    operations: &raw const DISC_OPERATIONS,
});

static TEXT_OPERATIONS: Operations = Operations {
    open: Some(text_open),
    close: Some(text_close),
    read: Some(text_read),
    write: Some(text_write),
    ..Operations::NONE
};
static TEXT_DEVICE: Record = Record(Device {
    name: c"tty".as_ptr().cast(),
    kind: KIND_CHARACTER,
    version: 1,
    description: c"CONSOLE".as_ptr().cast(),
    operations: &raw const TEXT_OPERATIONS,
});

static ROM_DEVICE: Record = Record(romdrv::DEVICE);

/// Adds the devices and opens the console as files 0 and 1.
///
/// # Errors
/// No record left.
pub fn start() -> Result<(), Error> {
    let lock = THREADS.with(|threads| threads.create_semaphore(0, 0, 1, 1))?;
    SECTOR_LOCK.with(|stored| *stored = lock);
    for device in [&TEXT_DEVICE, &ROM_DEVICE] {
        add_device((&raw const device.0).cast_mut());
    }
    let console = c"tty00:".as_ptr().cast();
    ioman_open(console, (OPEN_READ | OPEN_WRITE) as i32);
    ioman_open(console, OPEN_WRITE as i32);
    Ok(())
}

/// Adds the disc's files, once its drive is there.
pub fn start_disc() {
    add_device((&raw const DISC_DEVICE.0).cast_mut());
}

/// Runs `body` with the sector buffer, one thread at a time.
fn with_sector<R>(body: impl FnOnce(&mut [u8; SECTOR_BYTES]) -> R) -> Result<R, i32> {
    let lock = SECTOR_LOCK.with(|lock| *lock);
    call_blocking(|threads| threads.wait_semaphore(lock)).map_err(|_| errno::IO)?;
    // SAFETY: the semaphore is held, so this is the only reference.
    let result = body(unsafe { &mut *SECTOR_BUFFER.0.get() });
    // It was taken above.
    let _ = call(|threads| threads.signal_semaphore(lock));
    Ok(result)
}

/// Keeps files of the disc from being looked at and read, or lets that go on. For threads.
pub fn hold_files(hold: bool) {
    let lock = SECTOR_LOCK.with(|lock| *lock);
    if hold {
        // An ended wait holds nothing; so be it.
        let _ = call_blocking(|threads| threads.wait_semaphore(lock));
    } else {
        // One signal too many is refused.
        let _ = call(|threads| threads.signal_semaphore(lock));
    }
}

/// The number that callers of file functions see for a drive's error.
fn errno_of(error: DriveError) -> i32 {
    match error {
        DriveError::NO_DISC | DriveError::TRAY_OPEN => errno::NO_MEDIUM,
        _ => errno::IO,
    }
}

/// Finds a file of the disc.
///
/// # Errors
/// The drive's; no volume; no such name.
pub fn search(path: &[u8]) -> Result<Entry, SearchError<DriveError>> {
    with_sector(|sector| find(&mut Disc, path, sector)).unwrap_or(Err(SearchError::Drive(DriveError::NOT_READY)))
}

extern "C" fn disc_open(file: *mut File, path: *const u8, mode: i32) -> i32 {
    // SAFETY: the file manager passes a string and a place of its table.
    let (path, file) = unsafe { (text_of(path), &mut *file) };
    if file.unit != 0 {
        return errno::NO_UNIT;
    }
    if mode as u32 & OPEN_WRITE != 0 {
        return errno::ACCESS;
    }
    let found = match search(path) {
        Ok(entry) if !entry.is_directory => entry,
        Ok(_) | Err(SearchError::NotFound) => return errno::NO_ENTRY,
        Err(SearchError::NoVolume | SearchError::Damaged) => return errno::IO,
        Err(SearchError::Drive(error)) => return errno_of(error),
    };
    keep(file, &found)
}

/// Takes a place for an opened file or directory.
fn keep(file: &mut File, found: &Entry) -> i32 {
    let place = DISC_FILE_TABLE.with(|table| {
        let place = table.iter().position(Option::is_none)?;
        table[place] = Some(DiscFile { lsn: found.lsn, size: found.size, position: 0 });
        Some(place)
    });
    match place {
        Some(place) => {
            file.private = place as u32;
            0
        }
        None => errno::MANY_FILES,
    }
}

/// Runs `body` on the disc file behind `file`.
fn with_disc_file<R>(file: *mut File, body: impl FnOnce(&mut Option<DiscFile>) -> R) -> Option<R> {
    // SAFETY: the file manager passes a place of its table.
    let place = unsafe { (*file).private };
    DISC_FILE_TABLE.with(|table| table.get_mut(place as usize).map(body))
}

extern "C" fn disc_close(file: *mut File) -> i32 {
    with_disc_file(file, |slot| *slot = None);
    0
}

extern "C" fn disc_read(file: *mut File, buffer: *mut u8, size: i32) -> i32 {
    let Some(Some(opened)) = with_disc_file(file, |slot| *slot) else { return errno::BAD_FILE };
    let wanted = (size as u32).min(opened.size.saturating_sub(opened.position));
    let mut done = 0;
    while done < wanted {
        let position = opened.position + done;
        let (lsn, skip) = (opened.lsn + position / SECTOR, position % SECTOR);
        let rest = wanted - done;
        let target = buffer as u32 + done;
        let whole = rest / SECTOR;
        // Whole sectors go straight to word-aligned memory, the rest by way of one sector's buffer.
        let read = if skip == 0 && whole > 0 && target.is_multiple_of(4) {
            cdvdman::read(lsn, whole, target, ReadMode::DATA).map(|()| whole * SECTOR).map_err(errno_of)
        } else {
            let count = rest.min(SECTOR - skip);
            with_sector(|sector| {
                cdvdman::read(lsn, 1, sector.as_mut_ptr() as u32, ReadMode::DATA).map_err(errno_of)?;
                let source = &sector[skip as usize..(skip + count) as usize];
                // SAFETY: the caller's buffer has `size` bytes, and `done + count` is not more.
                unsafe { core::ptr::copy_nonoverlapping(source.as_ptr(), target as *mut u8, source.len()) };
                Ok(count)
            })
            .and_then(|result| result)
        };
        match read {
            Ok(count) => done += count,
            Err(error) => return error,
        }
    }
    with_disc_file(file, |slot| {
        if let Some(opened) = slot {
            opened.position += done;
        }
    });
    done as i32
}

extern "C" fn disc_lseek(file: *mut File, offset: i32, whence: i32) -> i32 {
    with_disc_file(file, |slot| {
        let opened = slot.as_mut()?;
        let base = match whence {
            0 => 0,
            1 => i64::from(opened.position),
            _ => i64::from(opened.size),
        };
        let position = (base + i64::from(offset)).clamp(0, i64::from(opened.size)) as u32;
        opened.position = position;
        Some(position as i32)
    })
    .flatten()
    .unwrap_or(errno::BAD_FILE)
}

extern "C" fn disc_status(_file: *mut File, path: *const u8, status: *mut u8) -> i32 {
    // SAFETY: the file manager passes a string.
    match search(unsafe { text_of(path) }) {
        Ok(entry) => {
            // SAFETY: the caller's record has that size.
            unsafe { status.cast::<[u8; STATUS_BYTES]>().write(status_of(&entry)) };
            0
        }
        Err(SearchError::NotFound) => errno::NO_ENTRY,
        Err(SearchError::NoVolume | SearchError::Damaged) => errno::IO,
        Err(SearchError::Drive(error)) => errno_of(error),
    }
}

/// Opens a directory; its position counts the records that were read.
extern "C" fn disc_open_directory(file: *mut File, path: *const u8) -> i32 {
    // SAFETY: the file manager passes a string and a place of its table.
    let (path, file) = unsafe { (text_of(path), &mut *file) };
    match search(path) {
        Ok(entry) if entry.is_directory => keep(file, &entry),
        Ok(_) | Err(SearchError::NotFound) => errno::NO_ENTRY,
        Err(SearchError::NoVolume | SearchError::Damaged) => errno::IO,
        Err(SearchError::Drive(error)) => errno_of(error),
    }
}

/// Reads the next record of a directory: 1, or 0 at its end.
extern "C" fn disc_read_directory(file: *mut File, record: *mut u8) -> i32 {
    let Some(Some(opened)) = with_disc_file(file, |slot| *slot) else { return errno::BAD_FILE };
    let directory =
        Entry { lsn: opened.lsn, size: opened.size, name: [0; NAME_BYTES], date: [0; 7], is_directory: true };
    let mut skipped = 0;
    let found = with_sector(|sector| {
        walk(&mut Disc, &directory, sector, |_, entry| {
            skipped += 1;
            (skipped > opened.position).then_some(entry)
        })
    });
    match found {
        Ok(Ok(Some(entry))) => {
            // SAFETY: the caller's record has that size.
            unsafe { record.cast::<[u8; RECORD_BYTES]>().write(record_of(&entry)) };
            with_disc_file(file, |slot| {
                if let Some(opened) = slot {
                    opened.position = skipped;
                }
            });
            1
        }
        Ok(Ok(None)) => 0,
        Ok(Err(error)) => errno_of(error),
        Err(error) => error,
    }
}

extern "C" fn text_open(_file: *mut File, _path: *const u8, _mode: i32) -> i32 {
    0
}

extern "C" fn text_close(_file: *mut File) -> i32 {
    0
}

extern "C" fn text_read(_file: *mut File, _buffer: *mut u8, _size: i32) -> i32 {
    0
}

extern "C" fn text_write(_file: *mut File, buffer: *const u8, size: i32) -> i32 {
    // SAFETY: the file manager has checked the size; the buffer is the caller's.
    Console.write_bytes(unsafe { core::slice::from_raw_parts(buffer, size as usize) });
    size
}
