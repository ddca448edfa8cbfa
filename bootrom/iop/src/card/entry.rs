//! A directory entry as the bytes of a page.

use super::PAGE_BYTES;

/// Bytes of a name.
pub const NAME_BYTES: usize = 32;
/// Bytes of a time: 0, second, minute, hour, day, month, year in two.
pub const TIME_BYTES: usize = 8;
/// No cluster: an empty file.
pub const NO_CLUSTER: u32 = 0xFFFF_FFFF;

/// Mode bits.
///
/// Source: hardware notes, File system
pub mod mode {
    /// May be read.
    pub const READ: u16 = 0x1;
    /// May be written.
    pub const WRITE: u16 = 0x2;
    /// A file.
    pub const FILE: u16 = 0x10;
    /// A directory.
    pub const DIRECTORY: u16 = 0x20;
    /// Closed as it should be.
    pub const CLOSED: u16 = 0x80;
    /// There at all.
    pub const EXISTS: u16 = 0x8000;
    /// What a new file has.
    pub const NEW_FILE: u16 = 0x8497;
    /// What a new directory has.
    pub const NEW_DIRECTORY: u16 = 0x8427;
    /// What the root's second entry has.
    pub const ROOT_PARENT: u16 = 0xA426;
}

/// A directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Mode bits.
    pub mode: u16,
    /// Bytes of a file, entries of a directory.
    pub length: u32,
    /// Time of its making.
    pub created: [u8; TIME_BYTES],
    /// First cluster.
    pub cluster: u32,
    /// In a directory's first entry: its place in the directory above.
    pub place: u32,
    /// Time of its last change.
    pub modified: [u8; TIME_BYTES],
    /// For clients.
    pub attributes: u32,
    /// Zero padded.
    pub name: [u8; NAME_BYTES],
}

/// A name, zero padded; what is too long is cut.
#[must_use]
pub fn padded(name: &[u8]) -> [u8; NAME_BYTES] {
    let mut padded = [0; NAME_BYTES];
    for (slot, byte) in padded.iter_mut().zip(name.iter().take(NAME_BYTES - 1)) {
        *slot = *byte;
    }
    padded
}

fn word(bytes: &[u8; PAGE_BYTES], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

impl Entry {
    /// An entry out of its page.
    #[must_use]
    pub fn read(bytes: &[u8; PAGE_BYTES]) -> Self {
        let time = |at: usize| core::array::from_fn(|index| bytes[at + index]);
        Entry {
            mode: word(bytes, 0) as u16,
            length: word(bytes, 4),
            created: time(8),
            cluster: word(bytes, 0x10),
            place: word(bytes, 0x14),
            modified: time(0x18),
            attributes: word(bytes, 0x20),
            name: core::array::from_fn(|index| bytes[0x40 + index]),
        }
    }

    /// The entry as its page.
    #[must_use]
    pub fn bytes(&self) -> [u8; PAGE_BYTES] {
        let mut bytes = [0; PAGE_BYTES];
        let words = [(0, self.mode.into()), (4, self.length), (0x10, self.cluster), (0x14, self.place)];
        for (at, value) in words.into_iter().chain([(0x20, self.attributes)]) {
            bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
        }
        bytes[8..0x10].copy_from_slice(&self.created);
        bytes[0x18..0x20].copy_from_slice(&self.modified);
        bytes[0x40..0x60].copy_from_slice(&self.name);
        bytes
    }

    /// True for one that is there.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.mode & mode::EXISTS != 0
    }

    /// True for a directory.
    #[must_use]
    pub fn is_directory(&self) -> bool {
        self.mode & mode::DIRECTORY != 0
    }

    /// The name without its padding.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        self.name.split(|byte| *byte == 0).next().unwrap_or_default()
    }
}
