//! The DMA controller's way to the scratchpad and back.
//!
//! Source: EE facts, section 6 (channels 8 and 9)

use crate::ee::cop0;
use crate::ee::gif::Line;
use crate::ee::registers::dma_controller;
use crate::ee::{cache, dmac};
use alloc::vec;

/// CHCR: start, from memory or from the scratchpad as the channel has it.
const START: u32 = 1 << 8;
const PHYSICAL: u32 = 0x1FFF_FFFF;
/// Cycles that a transfer of kilobytes never takes.
const PATIENCE: u32 = 2_949_120;
/// Lines of the transfer: 8 KB.
const LINES: usize = 128;

/// What came of a transfer to the scratchpad and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundTrip {
    /// Words that are not what was sent.
    pub wrong: u32,
    /// Cycles of the way there, for each kilobyte.
    pub cycles: u32,
    /// Both channels ended in time.
    pub ended: bool,
}

/// Sends a pattern there and back. The scratchpad must be nobody's.
pub fn round_trip() -> RoundTrip {
    dmac::enable();
    let mut sent = vec![Line::default(); LINES];
    let mut back = vec![Line::default(); LINES];
    let pattern = |at: usize| (at as u32).wrapping_mul(0x9E37_79B9) ^ 0x5A5A_5A5A;
    for (index, word) in sent.iter_mut().flat_map(|line| &mut line.0).flat_map(|quad| &mut quad.0).enumerate() {
        *word = pattern(index);
    }
    cache::write_back_slice(&sent);
    cache::write_back_slice(&back);
    let controller = dma_controller();
    let quads = LINES as u32 * 4;
    let begin = cop0::count();
    // SAFETY: channels that nothing of the program uses, over memory that is written back, alive and untouched until they
    // have ended.
    unsafe {
        controller.d9_madr().write(|w| w.bits(sent.as_ptr() as u32 & PHYSICAL));
        controller.d9_qwc().write(|w| w.bits(quads));
        controller.d9_sadr().write(|w| w.bits(0));
        controller.d9_chcr().write(|w| w.bits(START));
    }
    let there = within(begin, || controller.d9_chcr().read().bits() & START == 0);
    let cycles = cop0::count().wrapping_sub(begin) / (LINES as u32 / 16);
    let begin = cop0::count();
    // SAFETY: as above.
    unsafe {
        controller.d8_madr().write(|w| w.bits(back.as_mut_ptr() as u32 & PHYSICAL));
        controller.d8_qwc().write(|w| w.bits(quads));
        controller.d8_sadr().write(|w| w.bits(0));
        controller.d8_chcr().write(|w| w.bits(START));
    }
    let here = within(begin, || controller.d8_chcr().read().bits() & START == 0);
    // SAFETY: whole lines, written back before and not touched since.
    unsafe { cache::invalidate(back.as_mut_ptr().cast(), size_of_val(&back[..])) };
    let words = back.iter().flat_map(|line| line.0).flat_map(|quad| quad.0);
    let wrong = words.enumerate().filter(|(index, word)| *word != pattern(*index)).count() as u32;
    RoundTrip { wrong, cycles, ended: there && here }
}

fn within(begin: u32, reached: impl Fn() -> bool) -> bool {
    while !reached() {
        if cop0::count().wrapping_sub(begin) > PATIENCE {
            return false;
        }
    }
    true
}
