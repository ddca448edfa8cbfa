//! The facts, by library.

mod memory;

use crate::tally::Tally;

/// Tries all of them.
pub fn run(tally: &mut Tally) {
    memory::run(tally);
}
