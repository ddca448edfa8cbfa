//! The facts, by library.

mod memory;
pub mod modules;

use crate::tally::Tally;

/// Tries all of them; `path` is the module's own file, as a string.
pub fn run(tally: &mut Tally, path: *const u8) {
    memory::run(tally);
    modules::run(tally, path);
}
