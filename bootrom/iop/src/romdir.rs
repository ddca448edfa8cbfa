//! The directory of the ROM, as the ROM device reads it.
//!
//! An entry has 16 bytes: name (10), bytes of extra information (2), size (4). Files lie behind each other, each on 16 bytes. The
//! directory is found by its first entry, RESET, whose rounded size is the directory's own place.
//! Source: IOP kernel, ROMDRV

const ENTRY_BYTES: usize = 16;
const NAME_BYTES: usize = 10;
const FIRST: &[u8] = b"RESET";

/// A file of the ROM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RomFile {
    /// Place in the image.
    pub offset: usize,
    /// Bytes.
    pub size: usize,
}

struct Entry<'a> {
    name: &'a [u8],
    /// Bytes of extra information.
    extra: usize,
    size: usize,
}

fn entry_at(image: &[u8], at: usize) -> Option<Entry<'_>> {
    let bytes = image.get(at..at.checked_add(ENTRY_BYTES)?)?;
    let name = bytes[..NAME_BYTES].split(|byte| *byte == 0).next()?;
    let extra = u16::from_le_bytes(*bytes[NAME_BYTES..].first_chunk()?).into();
    Some(Entry { name, extra, size: u32::from_le_bytes(*bytes[12..].first_chunk()?) as usize })
}

/// Place of the directory in the image.
#[must_use]
pub fn find_directory(image: &[u8]) -> Option<usize> {
    (0..image.len()).step_by(ENTRY_BYTES).find(|at| {
        entry_at(image, *at).is_some_and(|entry| entry.name == FIRST && entry.size.next_multiple_of(ENTRY_BYTES) == *at)
    })
}

/// A file, its name, and the place of its extra information among all of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed<'a> {
    /// Name.
    pub name: &'a [u8],
    /// Place and size.
    pub file: RomFile,
    /// Begin and end of its extra information in the file of that.
    extra: (usize, usize),
}

/// Every file of the directory at `directory` that lies inside of the image.
pub fn files(image: &[u8], directory: usize) -> impl Iterator<Item = Listed<'_>> {
    let (mut at, mut offset, mut extra) = (directory, 0_usize, 0_usize);
    core::iter::from_fn(move || {
        let entry = entry_at(image, at).filter(|entry| !entry.name.is_empty())?;
        image.get(offset..offset.checked_add(entry.size)?)?;
        let listed = Listed {
            name: entry.name,
            file: RomFile { offset, size: entry.size },
            extra: (extra, extra.checked_add(entry.extra)?),
        };
        at += ENTRY_BYTES;
        offset = offset.checked_add(entry.size.checked_next_multiple_of(ENTRY_BYTES)?)?;
        extra = listed.extra.1;
        Some(listed)
    })
}

/// The file called `name` by the directory at `directory`.
#[must_use]
pub fn find(image: &[u8], directory: usize, name: &[u8]) -> Option<RomFile> {
    files(image, directory).find(|listed| listed.name == name).map(|listed| listed.file)
}

/// The file of extra information.
const EXTRA: &[u8] = b"EXTINFO";
/// Kind of a field: a version, in the field itself.
const FIELD_VERSION: u8 = 2;
const FIELD_BYTES: usize = 4;

/// The version that the extra information tells of a file; 0 for none.
#[must_use]
pub fn version(image: &[u8], directory: usize, listed: &Listed<'_>) -> u16 {
    let read = || {
        let file = find(image, directory, EXTRA)?;
        let all = image.get(file.offset..file.offset + file.size)?;
        let mut fields = all.get(listed.extra.0..listed.extra.1)?;
        // A field: 16 bits of data, the bytes that follow, its kind.
        while let Some([low, high, bytes, kind]) = fields.first_chunk::<FIELD_BYTES>().copied() {
            if kind == FIELD_VERSION {
                return Some(u16::from_le_bytes([low, high]));
            }
            fields = fields.get(FIELD_BYTES + usize::from(bytes & 0xFC)..)?;
        }
        None
    };
    read().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    fn image() -> Vec<u8> {
        let mut image = std::vec![0; 32];
        for (name, size) in [(&b"RESET"[..], 20_u32), (b"ROMDIR", 64), (b"ROMVER", 14)] {
            let mut entry = [0; ENTRY_BYTES];
            entry[..name.len()].copy_from_slice(name);
            entry[12..].copy_from_slice(&size.to_le_bytes());
            image.extend(entry);
        }
        image.extend([0; ENTRY_BYTES]);
        image.extend(b"0200PC20260101\0\0");
        image
    }

    #[test]
    fn files_follow_each_other_on_16_bytes() {
        let image = image();
        let directory = find_directory(&image).expect("a directory");
        assert_eq!(directory, 32);
        let file = find(&image, directory, b"ROMVER").expect("a file");
        assert_eq!(&image[file.offset..file.offset + file.size], b"0200PC20260101");
        assert_eq!(find(&image, directory, b"NONE"), None);
    }

    #[test]
    fn damaged_directories_are_no_trouble() {
        let mut image = image();
        image[32 + 12..48].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(find_directory(&image), None);
        assert_eq!(find(&image, 32, b"ROMVER"), None);
        assert_eq!(find(&image[..40], 32, b"ROMVER"), None);
        assert_eq!(find_directory(&[]), None);
    }
}
