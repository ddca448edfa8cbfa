//! The disc's list of its own files: where each is, how long, and the CRC-32 of its bytes.
//!
//! A magic number, the count, then for each file its bytes, its CRC and its path, padded with zeros. Little-endian.

use crate::file_io::name::crc32;

/// What the list begins with.
pub const MAGIC: [u8; 8] = *b"BWSUMS01";
/// The list's path on the disc.
pub const PATH: &str = "BOARDWLK.SUM";
/// The list's path as the drive knows it.
pub const DEVICE_PATH: &str = "\\BOARDWLK.SUM;1";
/// Bytes of a path, one zero at its end included.
pub const PATH_BYTES: usize = 56;
const HEADER_BYTES: usize = MAGIC.len() + 4;
const RECORD_BYTES: usize = 8 + PATH_BYTES;

/// A file as the list has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum<'a> {
    /// Its path as the drive knows it.
    pub path: &'a str,
    /// Its bytes.
    pub bytes: u32,
    /// Their CRC-32.
    pub crc: u32,
}

impl<'a> Sum<'a> {
    /// The sum of a file's bytes.
    pub fn of(path: &'a str, bytes: &[u8]) -> Self {
        Self { path, bytes: bytes.len() as u32, crc: crc32(bytes) }
    }

    /// Its record; none for a path that is too long.
    pub fn to_bytes(&self) -> Option<[u8; RECORD_BYTES]> {
        let mut record = [0; RECORD_BYTES];
        record[..4].copy_from_slice(&self.bytes.to_le_bytes());
        record[4..8].copy_from_slice(&self.crc.to_le_bytes());
        let path = self.path.as_bytes();
        if path.len() >= PATH_BYTES {
            return None;
        }
        record[8..8 + path.len()].copy_from_slice(path);
        Some(record)
    }

    fn from_bytes(record: &'a [u8]) -> Option<Self> {
        let (bytes, rest) = record.split_first_chunk()?;
        let (crc, path) = rest.split_first_chunk()?;
        let end = path.iter().position(|byte| *byte == 0)?;
        let path = core::str::from_utf8(path.get(..end)?).ok()?;
        Some(Self { path, bytes: u32::from_le_bytes(*bytes), crc: u32::from_le_bytes(*crc) })
    }
}

/// The header of a list of `files`.
pub fn header(files: u32) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
    bytes[MAGIC.len()..].copy_from_slice(&files.to_le_bytes());
    bytes
}

/// The files of a list; none when it is no such list or cut short.
pub fn read(list: &[u8]) -> Option<impl ExactSizeIterator<Item = Option<Sum<'_>>>> {
    let rest = list.strip_prefix(&MAGIC)?;
    let (count, rest) = rest.split_first_chunk()?;
    let records = rest.get(..(u32::from_le_bytes(*count) as usize).checked_mul(RECORD_BYTES)?)?;
    Some(records.chunks_exact(RECORD_BYTES).map(Sum::from_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    #[test]
    fn a_list_is_read_back() {
        let files = [Sum::of("\\A.BIN;1", b"hello"), Sum::of("\\STREAM\\B.WAD;1", &[])];
        let records = files.iter().flat_map(|sum| sum.to_bytes().unwrap());
        let list: Vec<u8> = header(2).into_iter().chain(records).collect();
        let back: Option<Vec<_>> = read(&list).unwrap().collect();
        assert_eq!(back.unwrap(), files);
        assert!(read(&list[..list.len() - 1]).is_none(), "cut short");
        assert_eq!(files[0].crc, crc32(b"hello"));
    }

    #[test]
    fn a_path_without_room_for_its_end_is_refused() {
        let long = "x".repeat(PATH_BYTES);
        assert!(Sum::of(&long, &[]).to_bytes().is_none());
        assert!(Sum::of(&long[1..], &[]).to_bytes().is_some());
    }

    proptest! {
        #[test]
        fn any_list_is_answered(body in proptest::collection::vec(any::<u8>(), 0..300)) {
            let list: Vec<u8> = MAGIC.into_iter().chain(body).collect();
            let _ = read(&list).map(Iterator::count);
        }
    }
}
