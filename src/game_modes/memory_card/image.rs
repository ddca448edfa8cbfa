//! A save as bytes.
//!
//! Little-endian: magic, version, length of the contents, generation, checksum, contents. The checksum is over everything
//! else, so that a write that stopped halfway, or bytes of another file, are no save.

use crate::file_io::name::crc32;
use core::fmt;

/// The first four bytes.
pub const MAGIC: [u8; 4] = *b"BWSV";
/// Version of the contents' layout; a save of another version is not read.
pub const VERSION: u32 = 1;
/// Bytes before the contents.
pub const HEADER_BYTES: usize = 20;

const VERSION_AT: usize = 4;
const LENGTH_AT: usize = 8;
const GENERATION_AT: usize = 12;
const CHECKSUM_AT: usize = 16;

/// Why bytes are no save, or contents cannot be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageError {
    /// Too few bytes for the header or for what it announces.
    Short,
    /// Another file.
    Magic,
    /// Another version.
    Version(u32),
    /// Damaged.
    Checksum,
    /// The contents do not fit the buffer.
    Large(usize),
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short => f.write_str("the save is cut short"),
            Self::Magic => f.write_str("not a save of this game"),
            Self::Version(version) => write!(f, "a save of version {version}"),
            Self::Checksum => f.write_str("the save is damaged"),
            Self::Large(bytes) => write!(f, "a save of {bytes} bytes does not fit"),
        }
    }
}

/// A save that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image<'a> {
    /// One more than the save before.
    pub generation: u32,
    /// The game's own bytes.
    pub contents: &'a [u8],
}

/// Writes a save into a buffer and answers its length in bytes.
pub fn encode(generation: u32, contents: &[u8], buffer: &mut [u8]) -> Result<usize, ImageError> {
    let place = buffer.get_mut(HEADER_BYTES..).and_then(|rest| rest.get_mut(..contents.len()));
    place.ok_or(ImageError::Large(contents.len()))?.copy_from_slice(contents);
    seal(generation, contents.len(), buffer)
}

/// Makes a save of contents that stand in the buffer already, `length` bytes behind the header; answers its length in bytes.
pub fn seal(generation: u32, length: usize, buffer: &mut [u8]) -> Result<usize, ImageError> {
    let large = ImageError::Large(length);
    let bytes = HEADER_BYTES.checked_add(length).ok_or(large)?;
    let image = buffer.get_mut(..bytes).ok_or(large)?;
    image[..VERSION_AT].copy_from_slice(&MAGIC);
    put(image, VERSION_AT, VERSION);
    put(image, LENGTH_AT, u32::try_from(length).map_err(|_| large)?);
    put(image, GENERATION_AT, generation);
    let checksum = checksum(image);
    put(image, CHECKSUM_AT, checksum);
    Ok(bytes)
}

/// Reads a save. What stands behind its end is ignored, since a card's files grow by whole clusters.
pub fn decode(bytes: &[u8]) -> Result<Image<'_>, ImageError> {
    if bytes.len() < HEADER_BYTES {
        return Err(ImageError::Short);
    }
    if bytes[..VERSION_AT] != MAGIC {
        return Err(ImageError::Magic);
    }
    let version = get(bytes, VERSION_AT);
    if version != VERSION {
        return Err(ImageError::Version(version));
    }
    let end = HEADER_BYTES.checked_add(get(bytes, LENGTH_AT) as usize).ok_or(ImageError::Short)?;
    let image = bytes.get(..end).ok_or(ImageError::Short)?;
    if checksum(image) != get(image, CHECKSUM_AT) {
        return Err(ImageError::Checksum);
    }
    Ok(Image { generation: get(image, GENERATION_AT), contents: &image[HEADER_BYTES..] })
}

/// Over everything but its own place.
fn checksum(image: &[u8]) -> u32 {
    // Two checksums instead of one over a copy: a save is larger than the stack should hold.
    crc32(&image[..CHECKSUM_AT]) ^ crc32(&image[HEADER_BYTES..]).rotate_left(1)
}

fn put(image: &mut [u8], at: usize, value: u32) {
    image[at..at + size_of::<u32>()].copy_from_slice(&value.to_le_bytes());
}

fn get(image: &[u8], at: usize) -> u32 {
    let mut bytes = [0; size_of::<u32>()];
    bytes.copy_from_slice(&image[at..at + size_of::<u32>()]);
    u32::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn a_save_comes_back_with_its_generation() {
        let mut buffer = vec![0; 64];
        let bytes = encode(7, b"progress", &mut buffer).unwrap();
        assert_eq!(bytes, HEADER_BYTES + 8);
        assert_eq!(decode(&buffer), Ok(Image { generation: 7, contents: b"progress" }));
    }

    #[test]
    fn every_changed_bit_is_noticed() {
        let mut buffer = vec![0; HEADER_BYTES + 8];
        encode(7, b"progress", &mut buffer).unwrap();
        for bit in 0..buffer.len() * 8 {
            let mut damaged = buffer.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(&damaged).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn every_cut_is_noticed() {
        let mut buffer = vec![0; HEADER_BYTES + 8];
        encode(7, b"progress", &mut buffer).unwrap();
        for bytes in 0..buffer.len() {
            assert!(decode(&buffer[..bytes]).is_err(), "{bytes} bytes");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(encode(0, &[0; 8], &mut [0; HEADER_BYTES + 7]), Err(ImageError::Large(8)));
        let mut huge = [0; HEADER_BYTES];
        encode(0, &[], &mut huge).unwrap();
        put(&mut huge, LENGTH_AT, u32::MAX);
        assert_eq!(decode(&huge), Err(ImageError::Short));
    }
}
