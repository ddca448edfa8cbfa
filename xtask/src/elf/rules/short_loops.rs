//! The R5900's short-loop erratum: a loop of six or fewer words may end after one or two rounds.
//!
//! A loop is at fault when its backward branch and delay slot make at most six words with everything from the target
//! on, no other branch or jump stands inside, and the delay slot is not a `nop`. Source: toolchain notes 1.
//! Our choice: `b` counts as well, because the processor sees a `beq` that happens to compare a register with itself;
//! so do the likely and the coprocessors' branches. `j` and `jr` do not: they predict nothing.

use super::at_word;
use crate::elf::decode::{Cpu, Flow, NOP, decode};
use crate::elf::flow::instruction_at;
use crate::elf::image::Image;
use crate::elf::report::Rule;

/// The longest loop at fault, from its first word to the delay slot, both included.
const LONGEST_WORDS: u32 = 6;

/// Checks every backward branch.
pub fn check(image: &Image) -> Rule {
    let mut rule = Rule { name: "short loops", unit: "branches", ..Rule::default() };
    for (address, word) in image.code() {
        let Ok(branch) = decode(Cpu::R5900, word) else { continue };
        let Flow::Branch { offset, .. } = branch.flow else { continue };
        if offset >= 0 {
            continue;
        }
        rule.examined += 1;
        // The delay slot lies at offset 0 and is part of the loop.
        let words = offset.unsigned_abs() / 4 + 1;
        let delay_slot = image.word(address.wrapping_add(4));
        if words <= LONGEST_WORDS && delay_slot != Some(NOP) && !has_other_branch(image, address, words) {
            let why = format!("loop of {words} words without a nop in the delay slot of {}", branch.name);
            rule.violations.push(at_word(image, address, word, why));
        }
    }
    rule
}

/// Whether a branch or jump stands before the closing branch of a loop of that many words.
fn has_other_branch(image: &Image, branch: u32, words: u32) -> bool {
    let before = (1..words - 1).map(|distance| branch.wrapping_sub(4 * distance));
    before.filter_map(|address| instruction_at(image, Cpu::R5900, address)).any(|found| found.flow != Flow::Next)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDIU: u32 = 0x2484_0001;
    const BNE: u32 = 0x1485_0000;
    const BEQ_FORWARD: u32 = 0x1085_0004;

    /// A loop of `words` words that ends in `branch` and `delay_slot`.
    fn closed_by(branch: u32, words: u16, delay_slot: u32) -> Vec<u32> {
        let offset = 1_u16.wrapping_sub(words);
        let mut code = vec![ADDIU; usize::from(words) - 2];
        code.extend([branch & 0xFFFF_0000 | u32::from(offset), delay_slot]);
        code
    }

    fn faults(words: &[u32]) -> usize {
        check(&Image::of_words(0x0010_0000, words)).violations.len()
    }

    #[test]
    fn loops_of_two_to_six_words_are_caught_and_longer_ones_pass() {
        for words in 2..=6 {
            assert_eq!(faults(&closed_by(BNE, words, ADDIU)), 1, "{words} words");
        }
        assert_eq!(faults(&closed_by(BNE, 7, ADDIU)), 0);
    }

    #[test]
    fn a_nop_in_the_delay_slot_makes_a_short_loop_safe() {
        for words in 2..=6 {
            assert_eq!(faults(&closed_by(BNE, words, NOP)), 0, "{words} words");
        }
    }

    #[test]
    fn another_branch_inside_makes_a_short_loop_safe() {
        let mut code = closed_by(BNE, 6, ADDIU);
        code[1] = BEQ_FORWARD;
        assert_eq!(faults(&code), 0);
        // The same branch in front of the loop does not.
        let mut longer = vec![BEQ_FORWARD];
        longer.extend(closed_by(BNE, 6, ADDIU));
        assert_eq!(faults(&longer), 1);
    }

    #[test]
    fn every_kind_of_branch_counts() {
        let branches = [0x1000_0000, 0x0481_0000, 0x0480_0000, 0x1C80_0000, 0x5485_0000, 0x4501_0000, 0x4503_0000];
        for branch in branches {
            assert_eq!(faults(&closed_by(branch, 4, ADDIU)), 1, "{branch:08x}");
        }
    }

    #[test]
    fn a_forward_branch_and_a_backward_jump_pass() {
        assert_eq!(faults(&[BNE | 2, ADDIU, ADDIU, ADDIU]), 0);
        let jump_to_base = 0x0804_0000;
        assert_eq!(faults(&[ADDIU, jump_to_base, ADDIU]), 0);
    }

    #[test]
    fn only_backward_branches_are_counted() {
        let mut code = closed_by(BNE, 4, ADDIU);
        code.extend([BNE | 1, NOP, NOP]);
        assert_eq!(check(&Image::of_words(0, &code)).examined, 1);
    }
}
