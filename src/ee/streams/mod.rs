//! The IOP module from the EE's side: loading it, and calls to it that nobody waits for.
//!
//! [`SifChannel`] is what a [`ModuleDevice`](crate::file_io::device::ModuleDevice) speaks through; [`load`] puts a module on
//! the IOP. What a region of a read holds is looked at only between reads, through the cache, after its lines were dropped.
//!
//! Source: seed 003, Device initialisation; console rules 6 and 8.

mod channel;

pub use channel::SifChannel;

use super::sif::Error;
use super::sif::link::Link;
use super::sif::loader::Loader;
use crate::file_io::Region;
use crate::file_io::device::start::ModuleFile;
use alloc::alloc::{Layout, alloc};

/// Alignment of a region: a transfer burst and two cache lines.
///
/// Source: support systems, Memory (File Stream Buffer)
const ALIGNMENT: usize = 128;

/// Loads and starts a module.
///
/// # Errors
/// The loader's number, or no answer.
pub fn load(loader: &Loader, link: &mut Link, module: ModuleFile) -> Result<(), Error> {
    loader.load_module(link, module.path.as_bytes(), &[]).map(|_| ())
}

/// Memory for reads, kept as long as the program lives. `None` when there is none, or for a size of part lines.
pub fn allocate(bytes: u32) -> Option<Region> {
    let layout = Layout::from_size_align(bytes as usize, ALIGNMENT).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: a layout of some bytes.
    let start = unsafe { alloc(layout) };
    Region::new(start as u32, bytes).filter(|_| !start.is_null())
}
