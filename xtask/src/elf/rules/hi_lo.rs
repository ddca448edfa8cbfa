//! On the R3000A, `mfhi` and `mflo` may read what one of the next two instructions writes: none of them may be a
//! multiplication, a division, `mthi` or `mtlo`. An interrupt between them would make the read happen again, after the
//! new operation. Source: IOP facts 3, toolchain notes 4.
//!
//! LLVM 22 keeps the distance before `mult` and `div`, but not before `multu`, of which every product of 64-bit numbers
//! has one. Code for the IOP makes such products from a function that multiplies two `u32` to a `u64` and is never
//! inlined: its return keeps the distance.

use super::at_word;
use crate::elf::decode::{Cpu, Registers, decode};
use crate::elf::flow::{Next, Step, instruction_at, step_at, successors};
use crate::elf::image::Image;
use crate::elf::report::Rule;

/// Instructions behind the reading one that must leave HI and LO alone.
const WINDOW: u32 = 2;

/// Checks every `mfhi` and `mflo`.
pub fn check(image: &Image) -> Rule {
    let mut rule = Rule { name: "HI and LO", unit: "reads", ..Rule::default() };
    for (address, word) in image.code() {
        let Ok(read) = decode(Cpu::R3000A, word) else { continue };
        if !read.reads.intersects(Registers::HI_LO) {
            continue;
        }
        rule.examined += 1;
        if let Some(why) = fault(image, step_at(image, Cpu::R3000A, address), WINDOW) {
            rule.violations.push(at_word(image, address, word, format!("{}: {why}", read.name)));
        }
    }
    rule
}

/// What is wrong on one of the ways that lead `left` instructions on.
fn fault(image: &Image, step: Step, left: u32) -> Option<String> {
    if left == 0 {
        return None;
    }
    successors(image, Cpu::R3000A, step).into_iter().find_map(|next| {
        let Next::Step(next) = next else { return Some("the next instructions are unknown".to_owned()) };
        let found = instruction_at(image, Cpu::R3000A, next.address)?;
        if found.writes.intersects(Registers::HI_LO) {
            let advice = if found.name == "multu" { " (multiply in a function that is not inlined)" } else { "" };
            return Some(format!("{} follows within two instructions at {:08x}{advice}", found.name, next.address));
        }
        fault(image, next, left - 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOP: u32 = 0;
    const MFLO: u32 = 0x0000_1012;
    const MFHI: u32 = 0x0000_1010;
    const MULT: u32 = 0x0085_0018;
    const DIVU: u32 = 0x0085_001B;
    const MTHI: u32 = 0x0080_0011;
    const JR_RA: u32 = 0x03E0_0008;
    /// `beqz $5`, to the fourth word from the branch.
    const BEQZ: u32 = 0x10A0_0003;

    fn faults(words: &[u32]) -> usize {
        check(&Image::of_words(0x1000, words)).violations.len()
    }

    #[test]
    fn a_product_within_two_instructions_of_a_read_is_caught() {
        for read in [MFLO, MFHI] {
            for write in [MULT, DIVU, MTHI] {
                assert_eq!(faults(&[read, write, NOP, NOP]), 1);
                assert_eq!(faults(&[read, NOP, write, NOP]), 1);
                assert_eq!(faults(&[read, NOP, NOP, write]), 0);
            }
        }
    }

    #[test]
    fn the_window_reaches_over_a_branch_both_ways() {
        assert_eq!(faults(&[MFLO, BEQZ, MULT, NOP, NOP, NOP]), 1);
        assert_eq!(faults(&[BEQZ, MFLO, MULT, NOP, NOP, NOP]), 1);
        assert_eq!(faults(&[BEQZ, MFLO, NOP, NOP, MULT, NOP]), 1);
        assert_eq!(faults(&[BEQZ, MFLO, NOP, NOP, NOP, NOP, MULT]), 0);
    }

    #[test]
    fn a_read_before_a_return_and_its_delay_slot_passes() {
        assert_eq!(faults(&[MFLO, JR_RA, NOP]), 0);
    }

    #[test]
    fn a_read_in_the_delay_slot_of_a_return_is_caught() {
        assert_eq!(faults(&[JR_RA, MFLO, NOP]), 1);
    }

    #[test]
    fn results_may_be_read_directly_after_they_are_started() {
        assert_eq!(faults(&[MULT, MFLO, MFHI, NOP, NOP]), 0);
    }
}
