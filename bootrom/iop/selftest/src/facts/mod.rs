//! The facts, by library.

mod drive;
mod hostile;
mod kernel;
mod memory;
pub mod modules;
mod tables;
mod threads;

use crate::tally::Tally;

/// Tries all of them; `path` is the module's own file, as a string.
pub fn run(tally: &mut Tally, path: *const u8) {
    memory::run(tally);
    kernel::run(tally);
    threads::run(tally);
    modules::run(tally, path);
    drive::run(tally);
    hostile::run(tally, path);
    tables::run(tally);
}
