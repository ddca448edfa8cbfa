//! The cards as device "mc" of the file manager: the unit is the slot. It comes with the cards' driver.
//!
//! Source: IOP kernel, IOMAN and MCSERV; public SDK (the card driver's device)

use super::cards;
use super::critical::Shared;
use super::ioman::{Device, File, Operations, add_device, errno, text_of};
use super::mcman::{Wire, detect};
use bootrom_iop::card::{Card, CardError, OpenFile};
use bootrom_iop::errors::Error;
use bootrom_iop::file_status::{RECORD_BYTES, STATUS_BYTES, card_record_of, card_root_status, card_status_of};

/// Open flags.
mod open_flag {
    pub const WRITE: u32 = 2;
    pub const CREATE: u32 = 0x200;
    pub const TRUNCATE: u32 = 0x400;
}

/// Directories that can be open at a time, and bytes of their paths.
const LISTINGS: usize = 2;
const PATH_BYTES: usize = 256;

/// An open directory: its path with what fits every name behind it, and where it goes on.
#[derive(Clone, Copy)]
struct Listing {
    pattern: [u8; PATH_BYTES],
    length: usize,
    next: u32,
}

static OPEN_LISTINGS: Shared<[Option<Listing>; LISTINGS]> = Shared::new([None; LISTINGS]);
/// Set once the device is there.
static ADDED: Shared<bool> = Shared::new(false);

static OPERATIONS: Operations = Operations {
    format: Some(format),
    open: Some(open),
    close: Some(close),
    read: Some(read),
    write: Some(write),
    lseek: Some(lseek),
    remove: Some(remove),
    mkdir: Some(mkdir),
    rmdir: Some(remove),
    dopen: Some(dopen),
    dclose: Some(dclose),
    dread: Some(dread),
    getstat: Some(getstat),
    ..Operations::NONE
};

/// The record, which the file manager keeps a pointer to.
struct Record(Device);
// SAFETY: a constant record of constants.
unsafe impl Sync for Record {}
static DEVICE: Record = Record(Device {
    name: c"mc".as_ptr().cast(),
    kind: 0x10,
    version: 1,
    description: c"Memory Card".as_ptr().cast(),
    operations: &raw const OPERATIONS,
});

/// Adds the device, whichever driver of cards is started first.
///
/// # Errors
/// No record left.
pub fn start() -> Result<(), Error> {
    cards::start()?;
    if !ADDED.with(|added| core::mem::replace(added, true)) {
        add_device((&raw const DEVICE.0).cast_mut());
    }
    Ok(())
}

/// The number that callers of file functions see for a card's error.
fn errno_of(error: CardError) -> i32 {
    match error {
        CardError::ManyFiles => errno::MANY_FILES,
        CardError::Denied | CardError::NotEmpty => errno::ACCESS,
        CardError::NoEntry => errno::NO_ENTRY,
        CardError::Full => errno::NO_SPACE,
        CardError::NoCard | CardError::Unformatted | CardError::Changed => errno::IO,
    }
}

/// Runs `body` on the card of a unit; another card than last time is welcome.
fn on_card<R>(
    unit: u32,
    body: impl FnOnce(&mut Card<Wire>, usize, &mut cards::FileTable) -> Result<R, CardError>,
) -> Result<R, i32> {
    let port = unit as usize;
    cards::with(|ports, files| {
        let card = ports.get_mut(port).ok_or(errno::NO_UNIT)?;
        match detect(card) {
            Ok(()) | Err(CardError::Changed) => {}
            Err(error) => return Err(errno_of(error)),
        }
        body(card, port, files).map_err(errno_of)
    })
    .unwrap_or_else(|error| Err(error.code()))
}

/// Results and errors share one number.
fn either(result: Result<i32, i32>) -> i32 {
    result.unwrap_or_else(|error| error)
}

/// The unit of a file, and the path behind the device.
fn parts<'a>(file: *mut File, path: *const u8) -> (u32, &'a [u8]) {
    // SAFETY: the file manager passes a place of its table and a string.
    unsafe { ((*file).unit, text_of(path)) }
}

extern "C" fn format(file: *mut File) -> i32 {
    // SAFETY: the file manager passes a place of its table.
    let port = unsafe { (*file).unit } as usize;
    cards::with(|ports, _| {
        let Some(card) = ports.get_mut(port) else { return errno::NO_UNIT };
        match detect(card) {
            Err(CardError::NoCard) => errno::IO,
            _ => card.format(cards::time()).map_or_else(errno_of, |()| 0),
        }
    })
    .unwrap_or_else(Error::code)
}

extern "C" fn open(file: *mut File, path: *const u8, mode: i32) -> i32 {
    let (unit, path) = parts(file, path);
    let mode = mode as u32;
    let creates = mode & open_flag::CREATE != 0;
    let writes = creates || mode & open_flag::WRITE != 0;
    let opened = on_card(unit, |card, port, files| {
        if writes && mode & open_flag::TRUNCATE != 0 {
            if card.is_directory(path)? {
                return Err(CardError::Denied);
            }
            match card.remove(path) {
                Ok(()) | Err(CardError::NoEntry) => {}
                Err(error) => return Err(error),
            }
        }
        cards::open(card, port, files, path, (writes, creates || mode & open_flag::TRUNCATE != 0))
    });
    either(opened.map(|place| {
        // SAFETY: as above.
        unsafe { (*file).private = place };
        0
    }))
}

/// Runs `body` on an open file and its card.
fn on_file(file: *mut File, body: impl FnOnce(&mut Card<Wire>, &mut OpenFile) -> Result<i32, CardError>) -> i32 {
    // SAFETY: the file manager passes a place of its table.
    let place = unsafe { (*file).private } as i32;
    cards::with(|ports, files| {
        let (port, opened) = cards::file_of(files, place).map_err(|_| errno::BAD_FILE)?;
        body(&mut ports[*port], opened).map_err(errno_of)
    })
    .map_or_else(Error::code, either)
}

extern "C" fn close(file: *mut File) -> i32 {
    let result = on_file(file, |card, opened| card.flush_file(opened, cards::time()).map(|()| 0));
    // SAFETY: as above.
    let place = unsafe { (*file).private } as usize;
    // A handler's was refused above.
    let _ = cards::with(|_, files| {
        if let Some(slot) = files.get_mut(place) {
            *slot = None;
        }
    });
    result
}

extern "C" fn read(file: *mut File, buffer: *mut u8, size: i32) -> i32 {
    // SAFETY: the caller's buffer has `size` bytes; the file manager has checked that it is no negative number.
    let target = unsafe { core::slice::from_raw_parts_mut(buffer, size as usize) };
    on_file(file, |card, opened| card.read(opened, target).map(|count| count as i32))
}

extern "C" fn write(file: *mut File, buffer: *const u8, size: i32) -> i32 {
    // SAFETY: as in `read`.
    let source = unsafe { core::slice::from_raw_parts(buffer, size as usize) };
    on_file(file, |card, opened| card.write(opened, source).map(|count| count as i32))
}

extern "C" fn lseek(file: *mut File, offset: i32, whence: i32) -> i32 {
    on_file(file, |_, opened| Ok(cards::seek(opened, offset, whence as u32) as i32))
}

/// Removes a file or an empty directory.
extern "C" fn remove(file: *mut File, path: *const u8) -> i32 {
    let (unit, path) = parts(file, path);
    either(on_card(unit, |card, _, _| card.remove(path).map(|()| 0)))
}

extern "C" fn mkdir(file: *mut File, path: *const u8) -> i32 {
    let (unit, path) = parts(file, path);
    either(on_card(unit, |card, _, _| {
        card.make_directory(path, cards::time())?;
        card.flush().map(|()| 0)
    }))
}

extern "C" fn dopen(file: *mut File, path: *const u8) -> i32 {
    const EVERY_NAME: &[u8] = b"/*";
    let (unit, path) = parts(file, path);
    let length = path.len() + EVERY_NAME.len();
    if length > PATH_BYTES {
        return errno::INVALID;
    }
    match on_card(unit, |card, _, _| card.is_directory(path)) {
        Ok(true) => {}
        Ok(false) => return errno::NO_ENTRY,
        Err(error) => return error,
    }
    let mut pattern = [0; PATH_BYTES];
    pattern[..path.len()].copy_from_slice(path);
    pattern[path.len()..length].copy_from_slice(EVERY_NAME);
    let place = OPEN_LISTINGS.with(|listings| {
        let place = listings.iter().position(Option::is_none)?;
        listings[place] = Some(Listing { pattern, length, next: 0 });
        Some(place)
    });
    match place {
        Some(place) => {
            // SAFETY: the file manager passes a place of its table.
            unsafe { (*file).private = place as u32 };
            0
        }
        None => errno::MANY_FILES,
    }
}

fn on_listing<R>(file: *mut File, body: impl FnOnce(&mut Option<Listing>) -> R) -> Option<R> {
    // SAFETY: the file manager passes a place of its table.
    let place = unsafe { (*file).private };
    OPEN_LISTINGS.with(|listings| listings.get_mut(place as usize).map(body))
}

extern "C" fn dclose(file: *mut File) -> i32 {
    on_listing(file, |listing| *listing = None);
    0
}

/// Reads the next record of a directory: 1, or 0 at its end.
extern "C" fn dread(file: *mut File, record: *mut u8) -> i32 {
    let Some(Some(Listing { pattern, length, next })) = on_listing(file, |listing| *listing) else {
        return errno::BAD_FILE;
    };
    // SAFETY: the file manager passes a place of its table.
    let unit = unsafe { (*file).unit };
    match on_card(unit, |card, _, _| card.list(&pattern[..length], next)) {
        Ok(Some((next, entry))) => {
            // SAFETY: the caller's record has that size.
            unsafe { record.cast::<[u8; RECORD_BYTES]>().write_unaligned(card_record_of(&entry)) };
            on_listing(file, |listing| {
                if let Some(listing) = listing {
                    listing.next = next;
                }
            });
            1
        }
        Ok(None) => 0,
        Err(error) => error,
    }
}

extern "C" fn getstat(file: *mut File, path: *const u8, status: *mut u8) -> i32 {
    let (unit, path) = parts(file, path);
    let path = path.strip_suffix(b"/").unwrap_or(path);
    let told = on_card(unit, |card, _, _| match path {
        b"" => Ok(card_root_status()),
        _ => card.list(path, 0)?.map(|(_, entry)| card_status_of(&entry)).ok_or(CardError::NoEntry),
    });
    either(told.map(|bytes| {
        // SAFETY: the caller's record has that size.
        unsafe { status.cast::<[u8; STATUS_BYTES]>().write_unaligned(bytes) };
        0
    }))
}
