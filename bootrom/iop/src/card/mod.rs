//! Memory cards: the file system on them.
//!
//! [`blocks`] keeps erase blocks of the flash in memory and writes them back whole; [`volume`] finds its way by the superblock and
//! the cluster table and formats; [`entry`] is a directory entry as bytes; [`files`] are the operations that clients ask for, `raw`
//! those that go past the file system. A [`Card`] owns
//! its [`Flash`], which is the real card behind the serial interface or an image in a test.
//! Source: hardware notes, Memory cards (geometry, file system)

pub mod blocks;
pub mod ecc;
pub mod entry;
pub mod files;
pub mod protocol;
mod raw;
#[cfg(test)]
mod tests;
pub mod volume;

pub use entry::Entry;
pub use files::OpenFile;
pub use volume::Card;

/// Bytes of a page's data.
pub const PAGE_BYTES: usize = 512;
/// Bytes beside a page: check bytes and spare ones.
pub const SPARE_BYTES: usize = 16;
/// Pages that are erased together.
pub const BLOCK_PAGES: u32 = 16;
/// Pages of a cluster.
pub const CLUSTER_PAGES: u32 = 2;
/// Bytes of a cluster.
pub const CLUSTER_BYTES: u32 = CLUSTER_PAGES * PAGE_BYTES as u32;

/// A card's memory.
pub trait Flash {
    /// Reads a page's data; false when the card does not answer.
    fn read_page(&mut self, page: u32, data: &mut [u8; PAGE_BYTES]) -> bool;
    /// Writes a page, which must be erased, with what lies beside it; false when the card does not answer.
    fn write_page(&mut self, page: u32, data: &[u8; PAGE_BYTES], spare: &[u8; SPARE_BYTES]) -> bool;
    /// Erases the block that begins at `page`; false when the card does not answer.
    fn erase_block(&mut self, page: u32) -> bool;
}

/// What clients are told, as negative numbers.
///
/// Source: IOP kernel, MCSERV
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum CardError {
    /// Another card than last time.
    Changed = -1,
    /// Not formatted.
    Unformatted = -2,
    /// No room.
    Full = -3,
    /// No such file.
    NoEntry = -4,
    /// Not allowed.
    Denied = -5,
    /// The directory is not empty.
    NotEmpty = -6,
    /// Too many open files.
    ManyFiles = -7,
    /// No card, or it does not answer.
    NoCard = -10,
}

/// What a question about a card returns: what was `found` of it, or why its free memory could not be `counted`.
///
/// # Errors
/// As either is; the second wins.
///
/// Source: IOP kernel, MCSERV (info)
pub fn result_of(found: Result<(), CardError>, counted: Result<u32, CardError>) -> Result<(), CardError> {
    counted.and(found)
}
