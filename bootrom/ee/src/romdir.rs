//! The directory of a ROM image (or of an image that replaces parts of it).
//!
//! A directory is found by its first entry, RESET, whose rounded size is its own place in the image. An entry has 16
//! bytes: name (10), size of its extra information (2), size (4); each file begins where the one before it ended,
//! rounded up to 16. Source: EE facts, section 13; IOP kernel semantics, section 10.

/// Bytes of an entry.
const ENTRY: usize = 16;
/// Most bytes of a name.
const NAME: usize = 10;

/// A ROM's directory.
#[derive(Clone, Copy, Debug)]
pub struct RomDirectory<'a> {
    image: &'a [u8],
    start: usize,
}

impl<'a> RomDirectory<'a> {
    /// Looks for the directory of an image.
    pub fn find(image: &'a [u8]) -> Option<Self> {
        let is_directory = |start: usize| {
            let entry = Entry::read(image, start)?;
            (entry.name == b"RESET" && rounded(entry.size)? == start).then_some(start)
        };
        (0..image.len() / ENTRY).map(|index| index * ENTRY).find_map(is_directory).map(|start| Self { image, start })
    }

    /// A file's bytes by name.
    pub fn file(&self, name: &str) -> Option<&'a [u8]> {
        let mut offset = 0usize;
        let mut place = self.start;
        loop {
            let entry = Entry::read(self.image, place)?;
            if entry.name.is_empty() {
                return None;
            }
            if entry.name == name.as_bytes() {
                return self.image.get(offset..offset.checked_add(entry.size)?);
            }
            offset = offset.checked_add(rounded(entry.size)?)?;
            place += ENTRY;
        }
    }
}

struct Entry<'a> {
    name: &'a [u8],
    size: usize,
}

impl<'a> Entry<'a> {
    fn read(image: &'a [u8], place: usize) -> Option<Self> {
        let bytes = image.get(place..place.checked_add(ENTRY)?)?;
        let name = bytes[..NAME].split(|byte| *byte == 0).next()?;
        let size = u32::from_le_bytes(bytes[12..16].try_into().ok()?) as usize;
        Some(Self { name, size })
    }
}

fn rounded(size: usize) -> Option<usize> {
    Some(size.checked_add(ENTRY - 1)? & !(ENTRY - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn entry(name: &str, size: u32) -> Vec<u8> {
        let mut bytes = name.as_bytes().to_vec();
        bytes.resize(12, 0);
        bytes.extend(size.to_le_bytes());
        bytes
    }

    fn image() -> Vec<u8> {
        let mut image = std::vec![0xAA; 32];
        for (name, size) in [("RESET", 20), ("ROMDIR", 80), ("ROMVER", 5), ("EMPTY", 0), ("KERNEL", 3)] {
            image.extend(entry(name, size));
        }
        image.extend(b"0160P\0\0\0\0\0\0\0\0\0\0\0");
        image.extend(b"abc\0");
        image
    }

    #[test]
    fn files_are_found_by_name() {
        let mut image = image();
        // The directory ends with an empty name: put one behind the last entry by growing ROMDIR.
        let end = 32 + 5 * 16;
        image.splice(end..end, [0; 16]);
        image[32 + 16 + 12] = 96;
        let directory = RomDirectory::find(&image).unwrap();
        assert_eq!(directory.file("ROMVER"), Some(&b"0160P"[..]));
        assert_eq!(directory.file("KERNEL"), Some(&b"abc"[..]));
        assert_eq!(directory.file("EMPTY"), Some(&b""[..]));
        assert_eq!(directory.file("NOTHERE"), None);
    }

    #[test]
    fn a_damaged_image_gives_nothing() {
        assert!(RomDirectory::find(&[]).is_none());
        assert!(RomDirectory::find(&[0; 256]).is_none());
        let mut image = image();
        image[32 + 16 + 12..32 + 16 + 16].fill(0xFF);
        let directory = RomDirectory::find(&image).unwrap();
        assert_eq!(directory.file("KERNEL"), None);
    }
}
