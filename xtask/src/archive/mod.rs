//! The disc's archive: gathers its files and writes archive and index.
//!
//! [`sources`] reads the list of files in `iso/archive.list` and makes each from its source; [`writer`] lays them out one
//! after the other in the list's order, which is the order of their places on the disc and so of the seeks; [`report`]
//! prints what went where. The formats themselves belong to the engine, which reads them.

pub mod report;
pub mod sources;
pub mod writer;

pub use writer::{Archive, Placed, pack};

/// A file for the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveFile {
    /// Its name on the console, without the archive's prefix.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}
