//! The rules that a program must keep on the console and that nothing else would show.
//!
//! Each rule takes an [`Image`] and returns a [`Rule`](super::report::Rule) with what it looked at
//! and every place that breaks it. Where a rule cannot know (a jump through a register, a block that starts with VU0
//! in an unknown state), it takes the worse case.

pub mod dma_statics;
pub mod hi_lo;
pub mod load_delays;
pub mod opcodes;
pub mod short_loops;
pub mod vu0_hazards;

use super::image::Image;
use super::report::Violation;

/// A violation at a word of code.
fn at_word(image: &Image, address: u32, word: u32, why: impl Into<String>) -> Violation {
    Violation { place: image.symbols.describe(address), address, word: Some(word), why: why.into() }
}
