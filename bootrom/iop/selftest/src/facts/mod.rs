//! The facts, by library.

mod drive;
mod kernel;
mod memory;
pub mod modules;
mod tables;

use crate::tally::Tally;

/// Tries all of them; `path` is the module's own file, as a string.
pub fn run(tally: &mut Tally, path: *const u8) {
    memory::run(tally);
    kernel::run(tally);
    modules::run(tally, path);
    drive::run(tally);
    tables::run(tally);
}
