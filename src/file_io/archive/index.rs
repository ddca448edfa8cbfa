//! The index in memory.

use super::{ENTRY_BYTES, Entry, HEADER_BYTES, index_bytes};
use crate::file_io::{NameHash, SECTOR_BYTES};
use core::fmt;

/// Why an index was refused. The numbers are places of records, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexError {
    /// It ends within its header.
    NoHeader,
    /// It has fewer bytes than its count of files needs.
    Truncated {
        /// Files that it announces.
        files: u32,
    },
    /// A byte of the header that must be zero is not.
    Header,
    /// A file does not begin on a sector.
    Unaligned(usize),
    /// A file begins before the end of the one before it.
    Disordered(usize),
    /// A file reaches past the end of the archive.
    PastEnd(usize),
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeader => f.write_str("the archive's index ends within its header"),
            Self::Truncated { files } => write!(f, "the archive's index is too short for {files} files"),
            Self::Header => f.write_str("the archive's index has no proper header"),
            Self::Unaligned(file) => write!(f, "file {file} of the archive does not begin on a sector"),
            Self::Disordered(file) => write!(f, "file {file} of the archive begins before the end of the one before"),
            Self::PastEnd(file) => write!(f, "file {file} reaches past the end of the archive"),
        }
    }
}

/// A checked index.
#[derive(Clone, Copy, Debug)]
pub struct Index<'a> {
    records: &'a [[u8; ENTRY_BYTES]],
}

impl<'a> Index<'a> {
    /// Checks an index against the size of its archive. Bytes behind its last record are left alone: a read from the disc
    /// brings whole sectors.
    ///
    /// # Errors
    /// Anything that would make a file lie outside the archive, or over another one.
    pub fn read(bytes: &'a [u8], archive_bytes: u32) -> Result<Self, IndexError> {
        let (header, records) = bytes.split_first_chunk::<HEADER_BYTES>().ok_or(IndexError::NoHeader)?;
        let (count, reserved) = header.split_first_chunk::<4>().ok_or(IndexError::NoHeader)?;
        if reserved.iter().any(|&byte| byte != 0) {
            return Err(IndexError::Header);
        }
        let files = u32::from_le_bytes(*count);
        let records = records.as_chunks::<ENTRY_BYTES>().0.get(..files as usize);
        let index = Self { records: records.ok_or(IndexError::Truncated { files })? };
        index.check(archive_bytes)?;
        Ok(index)
    }

    fn check(self, archive_bytes: u32) -> Result<(), IndexError> {
        let mut end = 0;
        for (place, entry) in self.iter().enumerate() {
            if entry.offset % SECTOR_BYTES != 0 {
                return Err(IndexError::Unaligned(place));
            }
            if u64::from(entry.offset) < end {
                return Err(IndexError::Disordered(place));
            }
            end = entry.end();
            if end > u64::from(archive_bytes) {
                return Err(IndexError::PastEnd(place));
            }
        }
        Ok(())
    }

    /// The number of files.
    pub const fn len(self) -> usize {
        self.records.len()
    }

    /// True for an archive without files.
    pub const fn is_empty(self) -> bool {
        self.records.is_empty()
    }

    /// All records in the order of their place on the disc.
    pub fn iter(self) -> impl Iterator<Item = Entry> + 'a {
        self.records.iter().map(|&record| Entry::from_bytes(record))
    }

    /// The first file with this name, looked for from the first record on.
    pub fn find(self, name: NameHash) -> Option<Entry> {
        self.iter().find(|entry| entry.name == name)
    }

    /// Bytes that the index itself takes.
    pub const fn bytes(self) -> usize {
        index_bytes(self.records.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_io::archive::header;
    use proptest::prelude::*;
    use std::vec::Vec;

    const SECTOR: u32 = SECTOR_BYTES;

    fn index(entries: &[(u32, u32)]) -> Vec<u8> {
        let mut bytes = header(entries.len() as u32).to_vec();
        for (place, &(offset, size)) in entries.iter().enumerate() {
            bytes.extend(Entry { offset, size, name: NameHash(place as u32 + 100) }.to_bytes());
        }
        bytes
    }

    #[test]
    fn the_original_s_number_of_files_gives_its_number_of_bytes() {
        assert_eq!(index_bytes(10_701), 128_428);
    }

    #[test]
    fn a_file_is_found_by_its_name_and_a_missing_one_is_not() {
        let bytes = index(&[(0, 10), (SECTOR, 3000), (3 * SECTOR, 0), (3 * SECTOR, 1)]);
        let index = Index::read(&bytes, 3 * SECTOR + 1).unwrap();
        assert_eq!(index.len(), 4);
        assert_eq!(index.bytes(), bytes.len());
        assert_eq!(index.find(NameHash(101)), Some(Entry { offset: SECTOR, size: 3000, name: NameHash(101) }));
        assert_eq!(index.find(NameHash(104)), None);
    }

    #[test]
    fn the_first_of_two_equal_names_wins() {
        let mut bytes = header(2).to_vec();
        for offset in [0, SECTOR] {
            bytes.extend(Entry { offset, size: 1, name: NameHash(7) }.to_bytes());
        }
        assert_eq!(Index::read(&bytes, 2 * SECTOR).unwrap().find(NameHash(7)).map(|entry| entry.offset), Some(0));
    }

    #[test]
    fn indices_that_do_not_fit_are_refused_with_the_reason() {
        let read = |entries: &[(u32, u32)], archive| Index::read(&index(entries), archive).err();
        assert_eq!(read(&[(0, 1), (SECTOR + 4, 1)], 9 * SECTOR), Some(IndexError::Unaligned(1)));
        assert_eq!(read(&[(SECTOR, SECTOR + 1), (2 * SECTOR, 1)], 9 * SECTOR), Some(IndexError::Disordered(1)));
        assert_eq!(read(&[(SECTOR, 1), (0, 1)], 9 * SECTOR), Some(IndexError::Disordered(1)));
        assert_eq!(read(&[(0, 1), (SECTOR, SECTOR)], 2 * SECTOR - 1), Some(IndexError::PastEnd(1)));
        assert_eq!(read(&[(0xFFFF_F800, 0xFFFF_FFFF)], u32::MAX), Some(IndexError::PastEnd(0)));
    }

    #[test]
    fn a_cut_index_is_refused_at_every_length() {
        let whole = index(&[(0, 5), (SECTOR, 5)]);
        for length in 0..whole.len() {
            let error = Index::read(&whole[..length], 9 * SECTOR).err();
            let expected =
                if length < HEADER_BYTES { IndexError::NoHeader } else { IndexError::Truncated { files: 2 } };
            assert_eq!(error, Some(expected), "{length} bytes");
        }
        let mut header = whole.clone();
        header[9] = 1;
        assert_eq!(Index::read(&header, 9 * SECTOR).err(), Some(IndexError::Header));
    }

    #[test]
    fn sectors_behind_the_last_record_do_not_matter() {
        let mut bytes = index(&[(0, 5)]);
        bytes.resize(SECTOR as usize, 0xEE);
        assert_eq!(Index::read(&bytes, SECTOR).unwrap().len(), 1);
    }

    proptest! {
        #[test]
        fn hostile_bytes_never_give_a_file_outside_the_archive(
            bytes in proptest::collection::vec(any::<u8>(), 0..200), files in 0u32..20, archive in any::<u32>()
        ) {
            let mut bytes = bytes;
            if let Some(first) = bytes.first_chunk_mut::<16>() {
                *first = header(files);
            }
            if let Ok(index) = Index::read(&bytes, archive) {
                prop_assert!(index.iter().all(|entry| entry.end() <= u64::from(archive)));
            }
        }
    }
}
