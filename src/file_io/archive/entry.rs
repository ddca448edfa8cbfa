//! A record of the index.

use super::ENTRY_BYTES;
use crate::file_io::NameHash;

/// Where a file lies in the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// First byte in the archive, a multiple of a sector.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// The hash of its prefixed name.
    pub name: NameHash,
}

impl Entry {
    /// The record's bytes.
    pub fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        for (field, value) in bytes.chunks_exact_mut(4).zip([self.offset, self.size, self.name.0]) {
            field.copy_from_slice(&value.to_le_bytes());
        }
        bytes
    }

    /// A record from its bytes.
    pub const fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> Self {
        let [o0, o1, o2, o3, s0, s1, s2, s3, n0, n1, n2, n3] = bytes;
        Self {
            offset: u32::from_le_bytes([o0, o1, o2, o3]),
            size: u32::from_le_bytes([s0, s1, s2, s3]),
            name: NameHash(u32::from_le_bytes([n0, n1, n2, n3])),
        }
    }

    /// The first byte behind the file.
    pub const fn end(self) -> u64 {
        self.offset as u64 + self.size as u64
    }
}
