//! The archive: one file of all files, and the index that says where each lies.
//!
//! [`Index`] reads an index out of memory and refuses one that does not fit its archive; [`Entry`] is a record of it, and
//! what the build writes. The archive itself has no structure: files begin on sectors and zeros fill the gaps.
//!
//! | index | holds |
//! | --- | --- |
//! | 0x00 | `u32` number of files |
//! | 0x04 | twelve zero bytes |
//! | 0x10 | records of `u32` offset, size and name hash, by rising offset |
//!
//! Source: support systems, File I/O.

mod entry;
mod index;

pub use entry::Entry;
pub use index::{Index, IndexError};

/// Bytes of the index before its records.
pub const HEADER_BYTES: usize = 16;
/// Bytes of a record.
pub const ENTRY_BYTES: usize = 12;
/// The index's path on the disc.
pub const INDEX_PATH: &str = "STREAM/BWALK.DIR";
/// The archive's path on the disc.
pub const ARCHIVE_PATH: &str = "STREAM/BWALK.WAD";
/// What the drive calls the index.
pub const INDEX_DEVICE_PATH: &str = "\\STREAM\\BWALK.DIR;1";
/// What the drive calls the archive.
pub const ARCHIVE_DEVICE_PATH: &str = "\\STREAM\\BWALK.WAD;1";

/// Bytes of an index of `files` records.
pub const fn index_bytes(files: usize) -> usize {
    HEADER_BYTES + files * ENTRY_BYTES
}

/// The header of an index of `files` records.
pub const fn header(files: u32) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    let count = files.to_le_bytes();
    bytes[0] = count[0];
    bytes[1] = count[1];
    bytes[2] = count[2];
    bytes[3] = count[3];
    bytes
}
