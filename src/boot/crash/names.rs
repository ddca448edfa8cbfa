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

/// Starts the IOP anew; none when it does not come back.
pub(super) fn start_iop() -> Option<Link> {
    // The link's calls wait for interrupts.
    critical::enable_interrupts();
    Link::start().ok()?.restart_iop(b"").ok()
}

/// Reads the file; none when the disc has none.
pub(super) fn read(link: &mut Link) -> Option<&'static [u8]> {
    let files = Files::bind(link).ok()?;
    let mut path = String::<32>::new();
    let _ = write!(path, "cdrom0:\\{};1", symbols::PATH);
    let file = files.open(link, path.as_bytes()).ok()?;
    let buffer = exceptions::memory_behind(MOST_BYTES)?;
    let count = files.read(link, &file, buffer).ok()?;
    buffer.get(..count)
}
