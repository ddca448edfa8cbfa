//! ROMDRV: the files of the ROM as device "rom".

use super::critical::Shared;
use super::ioman::{Device, File, OPEN_READ, Operations, errno, text_of};
use bootrom_iop::romdir::{RomFile, find, find_directory};

/// Files that can be open at a time.
///
/// Source: IOP kernel, ROMDRV
const FILES: usize = 8;
const ROM: usize = 0xBFC0_0000;
const ROM_BYTES: usize = 0x40_0000;

/// An open file.
#[derive(Clone, Copy)]
struct Opened {
    file: RomFile,
    position: usize,
}

static OPENED: Shared<[Option<Opened>; FILES]> = Shared::new([None; FILES]);
/// Place of the directory, once it was found.
static DIRECTORY: Shared<Option<usize>> = Shared::new(None);

static OPERATIONS: Operations =
    Operations { open: Some(open), close: Some(close), read: Some(read), lseek: Some(lseek), ..Operations::NONE };

/// The driver's record.
pub const DEVICE: Device = Device {
    name: c"rom".as_ptr().cast(),
    kind: 0x10,
    version: 1,
    description: c"ROM".as_ptr().cast(),
    operations: &raw const OPERATIONS,
};

fn image() -> &'static [u8] {
    // SAFETY: the ROM's window is always there and nobody can write to it.
    unsafe { core::slice::from_raw_parts(ROM as *const u8, ROM_BYTES) }
}

extern "C" fn open(file: *mut File, path: *const u8, mode: i32) -> i32 {
    // SAFETY: the file manager passes a string and a place of its table.
    let (name, file) = unsafe { (text_of(path), &mut *file) };
    if mode as u32 != OPEN_READ {
        return errno::ACCESS;
    }
    if file.unit != 0 {
        return errno::NO_UNIT;
    }
    let directory = DIRECTORY.with(|directory| {
        if directory.is_none() {
            *directory = find_directory(image());
        }
        *directory
    });
    let Some(found) = directory.and_then(|directory| find(image(), directory, name)) else { return errno::NO_ENTRY };
    let place = OPENED.with(|opened| {
        let place = opened.iter().position(Option::is_none)?;
        opened[place] = Some(Opened { file: found, position: 0 });
        Some(place)
    });
    match place {
        Some(place) => {
            file.private = place as u32;
            0
        }
        None => errno::NO_MEMORY,
    }
}

fn with_opened<R>(file: *mut File, body: impl FnOnce(&mut Option<Opened>) -> R) -> Option<R> {
    // SAFETY: the file manager passes a place of its table.
    let place = unsafe { (*file).private };
    OPENED.with(|opened| opened.get_mut(place as usize).map(body))
}

extern "C" fn close(file: *mut File) -> i32 {
    with_opened(file, |slot| *slot = None);
    0
}

extern "C" fn read(file: *mut File, buffer: *mut u8, size: i32) -> i32 {
    let Some(Some(Opened { file: rom, position })) = with_opened(file, |slot| *slot) else { return errno::BAD_FILE };
    let count = (size as usize).min(rom.size - position);
    let source = &image()[rom.offset + position..][..count];
    // SAFETY: the caller's buffer has `size` bytes, and `count` is not more.
    unsafe { core::ptr::copy_nonoverlapping(source.as_ptr(), buffer, count) };
    with_opened(file, |slot| {
        if let Some(opened) = slot {
            opened.position += count;
        }
    });
    count as i32
}

extern "C" fn lseek(file: *mut File, offset: i32, whence: i32) -> i32 {
    with_opened(file, |slot| {
        let opened = slot.as_mut()?;
        let base = match whence {
            0 => 0,
            1 => opened.position as i64,
            _ => opened.file.size as i64,
        };
        opened.position = (base + i64::from(offset)).clamp(0, opened.file.size as i64) as usize;
        Some(opened.position as i32)
    })
    .flatten()
    .unwrap_or(errno::BAD_FILE)
}
