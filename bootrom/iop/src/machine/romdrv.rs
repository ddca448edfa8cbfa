//! ROMDRV: the files of ROMs as device "rom": the unit is the number of an image, 0 that of the boot ROM.
//!
//! Modules make further images known by `romdrv`, for which see the library's own file.

use super::critical::Shared;
use super::ioman::{Device, File, OPEN_READ, Operations, errno, text_of};
use super::memory::MEMORY_BYTES;
use bootrom_iop::errors::Error;
use bootrom_iop::romdir::{RomFile, find, find_directory};

/// Files that can be open at a time.
///
/// Source: IOP kernel, ROMDRV
const FILES: usize = 8;
/// Images that can be known at a time.
///
/// Source: IOP kernel, ROMDRV
const IMAGES: usize = 4;
/// Where the boot ROM lies, and the most bytes of an image.
const ROM: u32 = 0xBFC0_0000;
const ROM_BYTES: u32 = 0x40_0000;
/// Bytes of an image in which its directory must begin.
///
/// Our choice: those within which the real driver looks.
const DIRECTORY_BYTES: usize = 0x4_0000;
/// Bits of an address without the segment.
const PHYSICAL: u32 = 0x1FFF_FFFF;

/// An image and the place of its directory.
#[derive(Clone, Copy)]
struct Image {
    bytes: &'static [u8],
    directory: usize,
}

impl Image {
    /// The image at an address; none where no directory is found.
    fn at(address: u32) -> Option<Image> {
        let place = address & PHYSICAL;
        let most = if place < MEMORY_BYTES { MEMORY_BYTES - place } else { ROM_BYTES };
        // SAFETY: memory or the window of a ROM, both always there; whoever makes an image known keeps it as it is.
        let bytes = unsafe { core::slice::from_raw_parts(address as *const u8, most.min(ROM_BYTES) as usize) };
        let directory = find_directory(&bytes[..bytes.len().min(DIRECTORY_BYTES)])?;
        Some(Image { bytes, directory })
    }
}

/// An open file.
#[derive(Clone, Copy)]
struct Opened {
    image: &'static [u8],
    file: RomFile,
    position: usize,
}

static OPENED: Shared<[Option<Opened>; FILES]> = Shared::new([None; FILES]);
static KNOWN: Shared<[Option<Image>; IMAGES]> = Shared::new([None; IMAGES]);

/// Why an image is not made known or forgotten.
///
/// Source: public headers (ROMDRV_ADD_FAILED, ROMDRV_DEL_FAILED, ROMDRV_ADD_BAD_IMAGE)
mod refusal {
    pub const ADD: i32 = -160;
    pub const REMOVE: i32 = -161;
    pub const NO_IMAGE: i32 = -162;
}

/// Makes the image at `address` known as `unit`; 0 or why not.
pub extern "C" fn add(unit: i32, address: u32) -> i32 {
    let free = KNOWN.with(|known| usize::try_from(unit).ok().and_then(|unit| known.get(unit).map(Option::is_none)));
    if free != Some(true) {
        return refusal::ADD;
    }
    let Some(image) = Image::at(address) else { return refusal::NO_IMAGE };
    KNOWN.with(|known| known[unit as usize] = Some(image));
    0
}

/// Makes the ROM of the player of films known as unit 1, where a console has one. Where it has none, the unit stays unknown.
///
/// # Errors
/// None.
pub fn add_player() -> Result<(), Error> {
    const PLAYER: u32 = 0xBE00_0000;
    const UNIT: i32 = 1;
    let _ = add(UNIT, PLAYER);
    Ok(())
}

/// Forgets the image of `unit`, unless a file of it is open; 0 or that it cannot be.
pub extern "C" fn remove(unit: i32) -> i32 {
    let place = usize::try_from(unit).unwrap_or(IMAGES);
    let Some(image) = KNOWN.with(|known| known.get(place).copied().flatten()) else { return refusal::REMOVE };
    let used = OPENED.with(|opened| opened.iter().flatten().any(|file| file.image.as_ptr() == image.bytes.as_ptr()));
    if used {
        return refusal::REMOVE;
    }
    KNOWN.with(|known| known[place] = None);
    0
}

/// The image of a unit; the boot ROM's is made known when it is first wanted.
fn image_of(unit: u32) -> Option<Image> {
    let known = KNOWN.with(|known| known.get(unit as usize).copied().flatten());
    if known.is_none() && unit == 0 && add(0, ROM) == 0 {
        return KNOWN.with(|known| known[0]);
    }
    known
}

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

extern "C" fn open(file: *mut File, path: *const u8, mode: i32) -> i32 {
    // SAFETY: the file manager passes a string and a place of its table.
    let (name, file) = unsafe { (text_of(path), &mut *file) };
    if mode as u32 != OPEN_READ {
        return errno::ACCESS;
    }
    let Some(Image { bytes: image, directory }) = image_of(file.unit) else { return errno::NO_UNIT };
    let Some(found) = find(image, directory, name) else { return errno::NO_ENTRY };
    let place = OPENED.with(|opened| {
        let place = opened.iter().position(Option::is_none)?;
        opened[place] = Some(Opened { image, file: found, position: 0 });
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
    let Some(Some(Opened { image, file: rom, position })) = with_opened(file, |slot| *slot) else {
        return errno::BAD_FILE;
    };
    let count = (size as usize).min(rom.size - position);
    let source = &image[rom.offset + position..][..count];
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
