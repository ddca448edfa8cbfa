//! The IOP module from the EE's side: loading it, and calls to it that nobody waits for.
//!
//! [`SifChannel`] is what a [`ModuleDevice`](crate::file_io::device::ModuleDevice) speaks through; [`load`] puts a module on
//! the IOP. What a region of a read holds is looked at only between reads, through the cache, after its lines were dropped.
//!
//! Source: seed 003, Device initialisation; console rules 6 and 8.

mod channel;
mod host;

pub use channel::SifChannel;
pub use host::ServerHost;

use super::sif::Error;
use super::sif::link::Link;
use super::sif::loader::Loader;
use crate::file_io::Region;
use crate::file_io::device::start::ModuleFile;
use crate::memory;
use alloc::alloc::{Layout, alloc};
use core::ptr::NonNull;

/// Alignment of a region: a transfer burst and two cache lines.
///
/// Source: support systems, Memory (File Stream Buffer)
const ALIGNMENT: usize = 128;

/// What a module's start answers when it does not stay in memory, of the bits that say so.
///
/// Source: IOP kernel, LOADCORE
const NOT_RESIDENT: i32 = 1;
/// Those bits.
const RESIDENCE: i32 = 3;

/// Loads and starts a module.
///
/// # Errors
/// The loader's number, no answer, or a module that does not stay in memory.
pub fn load(loader: &Loader, link: &mut Link, module: ModuleFile) -> Result<(), Error> {
    let loaded = loader.load_module(link, module.path.as_bytes(), &[])?;
    if loaded.result & RESIDENCE == NOT_RESIDENT { Err(Error::NotResident) } else { Ok(()) }
}

/// Memory for pools of a check's own, kept as long as the program lives. `None` when there is none.
pub fn arena(bytes: u32) -> Option<memory::Region> {
    let region = allocate(bytes)?;
    let base = NonNull::new(region.address() as *mut u8)?;
    // SAFETY: allocated just now, for the caller alone, and never given back.
    Some(unsafe { memory::Region::new(base, region.bytes() as usize) })
}

/// Memory for reads, kept as long as the program lives. `None` when there is none, or for a size of part lines.
pub fn allocate(bytes: u32) -> Option<Region> {
    let layout = Layout::from_size_align(bytes as usize, ALIGNMENT).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: a layout of some bytes.
    let start = unsafe { alloc(layout) };
    Region::new(start as u32, bytes).filter(|_| !start.is_null())
}
