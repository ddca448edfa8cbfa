//! The functions' names, from the disc of a program that has ended.
//!
//! The IOP may be in any state, so it is started anew first. The names go to the memory behind the program, which nobody needs any more.

use crate::crash::symbols;
use crate::ee::sif::files::Files;
use crate::ee::sif::link::Link;
use crate::ee::{critical, exceptions};
use core::fmt::Write;
use heapless::String;

/// Bytes of the file that are read at most.
const MOST_BYTES: usize = 256 * 1024;

/// Reads the file; none when the IOP does not come back or the disc has none.
pub(super) fn read() -> Option<&'static [u8]> {
    // The link's calls wait for interrupts.
    critical::enable_interrupts();
    let mut link = Link::start().ok()?.restart_iop(b"").ok()?;
    let files = Files::bind(&mut link).ok()?;
    let mut path = String::<32>::new();
    let _ = write!(path, "cdrom0:\\{};1", symbols::PATH);
    let file = files.open(&mut link, path.as_bytes()).ok()?;
    let buffer = exceptions::memory_behind(MOST_BYTES)?;
    let count = files.read(&mut link, &file, buffer).ok()?;
    buffer.get(..count)
}
