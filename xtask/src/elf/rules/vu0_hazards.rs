//! Two results of VU0 that macro mode does not wait for.
//!
//! - The quotient of `vdiv`, `vsqrt`, `vrsqrt`: `vwaitq` stands between it and every use of Q.
//! - The clip flags: at least five VU0 operations stand between `vclip` and the `cfc2` that reads them.
//!
//! Both must hold within a basic block. A block begins with Q possibly on its way and the flags just written, because
//! what ran before is not followed. Source: rules for a console, 5.

use super::at_word;
use crate::elf::decode::{Class, Cpu, Flow, Registers, decode};
use crate::elf::flow::instruction_at;
use crate::elf::image::Image;
use crate::elf::report::Rule;
use std::collections::BTreeSet;

/// Operations between `vclip` and the reading of its flags.
const CLIP_DISTANCE: u32 = 5;

/// What is known of VU0 at a place in a block.
struct State {
    /// `vwaitq` has run and nothing has started a quotient since.
    quotient_settled: bool,
    /// VU0 operations since the last `vclip` or since the block's begin.
    since_clip: u32,
}

impl State {
    const UNKNOWN: Self = Self { quotient_settled: false, since_clip: 0 };
}

/// Checks every use of Q and of the clip flags.
pub fn check(image: &Image) -> Rule {
    let mut rule = Rule { name: "VU0 hazards", unit: "uses", ..Rule::default() };
    let targets = block_starts(image);
    let mut state = State::UNKNOWN;
    for (address, word) in image.code() {
        if targets.contains(&address) || image.symbols.begins_at(address) || is_behind_a_block(image, address) {
            state = State::UNKNOWN;
        }
        let Ok(found) = decode(Cpu::R5900, word) else { continue };
        if found.reads.intersects(Registers::VU_Q) {
            rule.examined += 1;
            if !state.quotient_settled {
                let why = format!("{} uses Q without vwaitq before it in this block", found.name);
                rule.violations.push(at_word(image, address, word, why));
            }
        }
        if found.reads.intersects(Registers::VU_CLIP) {
            rule.examined += 1;
            if state.since_clip < CLIP_DISTANCE {
                let why = format!("{} VU0 operations before the clip flags are read, not 5", state.since_clip);
                rule.violations.push(at_word(image, address, word, why));
            }
        }
        if found.name == "vwaitq" {
            state.quotient_settled = true;
        } else if found.writes.intersects(Registers::VU_Q) && found.class == Class::Vu {
            state.quotient_settled = false;
        }
        if found.class == Class::Vu {
            let writes_flags = found.writes.intersects(Registers::VU_CLIP);
            state.since_clip = if writes_flags { 0 } else { state.since_clip.saturating_add(1) };
        }
    }
    rule
}

fn block_starts(image: &Image) -> BTreeSet<u32> {
    image.code().filter_map(|(address, word)| decode(Cpu::R5900, word).ok()?.flow.target(address)).collect()
}

/// Whether the words before an address end a block: a branch with its delay slot, `eret`, `break`, a system call, or
/// no code at all.
fn is_behind_a_block(image: &Image, address: u32) -> bool {
    let at = |distance: u32| instruction_at(image, Cpu::R5900, address.wrapping_sub(distance));
    let Some(before) = at(4) else { return true };
    before.class == Class::SystemCall
        || before.flow == Flow::Leave
        || at(8).is_some_and(|found| found.flow.has_delay_slot())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOP: u32 = 0;
    const VDIV: u32 = 0x4A62_0BBC;
    const VSQRT: u32 = 0x4A02_03BD;
    const VRSQRT: u32 = 0x4A62_0BBE;
    const VWAITQ: u32 = 0x4A00_03BF;
    const VNOP: u32 = 0x4A00_02FF;
    const VMULQ: u32 = 0x4BE0_10DC;
    const VMULAQ: u32 = 0x4BE0_11FC;
    const CFC2_Q: u32 = 0x4842_B000;
    const VCLIP: u32 = 0x4BC2_19FF;
    const CFC2_CLIP: u32 = 0x4842_9000;
    const VADD: u32 = 0x4BE3_10E8;
    const BNE_BACK: u32 = 0x1485_FFFE;
    const SYSCALL: u32 = 0x0000_000C;

    fn outcome(words: &[u32]) -> (usize, usize) {
        let rule = check(&Image::of_words(0x0010_0000, words));
        (rule.examined, rule.violations.len())
    }

    #[test]
    fn a_quotient_used_without_waiting_is_caught() {
        for start in [VDIV, VSQRT, VRSQRT] {
            for usage in [VMULQ, VMULAQ, CFC2_Q] {
                assert_eq!(outcome(&[start, VADD, usage]), (1, 1));
            }
        }
    }

    #[test]
    fn a_quotient_used_after_waiting_passes() {
        assert_eq!(outcome(&[VDIV, VADD, VWAITQ, VMULQ, VMULAQ, CFC2_Q]), (3, 0));
    }

    #[test]
    fn a_second_division_needs_its_own_wait() {
        assert_eq!(outcome(&[VDIV, VWAITQ, VMULQ, VDIV, VMULQ]), (2, 1));
    }

    #[test]
    fn a_wait_in_another_block_does_not_count() {
        assert_eq!(outcome(&[VDIV, VWAITQ, BNE_BACK, NOP, VMULQ]), (1, 1));
        assert_eq!(outcome(&[VDIV, VWAITQ, SYSCALL, VMULQ]), (1, 1));
        // The branch enters the block between the wait and the use.
        assert_eq!(outcome(&[VWAITQ, VMULQ, BNE_BACK, NOP]), (1, 1));
    }

    #[test]
    fn clip_flags_read_too_early_are_caught() {
        assert_eq!(outcome(&[VCLIP, CFC2_CLIP]), (1, 1));
        assert_eq!(outcome(&[VCLIP, VNOP, VNOP, VNOP, VNOP, CFC2_CLIP]), (1, 1));
        assert_eq!(outcome(&[VCLIP, NOP, NOP, NOP, NOP, NOP, CFC2_CLIP]), (1, 1));
    }

    #[test]
    fn five_operations_between_clip_and_its_flags_pass() {
        assert_eq!(outcome(&[VCLIP, VNOP, VNOP, VADD, VNOP, VADD, CFC2_CLIP]), (1, 0));
    }

    #[test]
    fn clip_flags_at_the_begin_of_a_block_are_unknown() {
        assert_eq!(outcome(&[CFC2_CLIP]), (1, 1));
        assert_eq!(outcome(&[VNOP, VNOP, VNOP, VNOP, VNOP, CFC2_CLIP]), (1, 0));
    }
}
