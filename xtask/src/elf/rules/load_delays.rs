//! The R3000A gives a loaded value to the second instruction behind the load, not to the first.
//!
//! The instruction that runs directly after a load must not read the register. When the load stands in a delay slot,
//! that instruction is the one at the branch's target, or also the one behind the slot when the branch may fall
//! through. `lwl` and `lwr` of one register may follow each other: the hardware merges them. `mfc0` is as late as a
//! load. Source: toolchain notes 4.
//! Our choice: a load in the delay slot of a jump through a register is a violation, because nobody can tell what
//! runs next.

use super::at_word;
use crate::elf::decode::{Class, Cpu, Instruction, decode};
use crate::elf::flow::{Next, instruction_at, step_at, successors};
use crate::elf::image::Image;
use crate::elf::report::Rule;

/// Checks every load.
pub fn check(image: &Image) -> Rule {
    let mut rule = Rule { name: "load delays", unit: "loads", ..Rule::default() };
    for (address, word) in image.code() {
        let Ok(load) = decode(Cpu::R3000A, word) else { continue };
        if !matches!(load.class, Class::Load | Class::MergingLoad) || load.writes.first_gpr().is_none() {
            continue;
        }
        rule.examined += 1;
        for next in successors(image, Cpu::R3000A, step_at(image, Cpu::R3000A, address)) {
            if let Some(why) = fault(image, &load, next) {
                rule.violations.push(at_word(image, address, word, why));
            }
        }
    }
    rule
}

fn fault(image: &Image, load: &Instruction, next: Next) -> Option<String> {
    let Next::Step(step) = next else {
        return Some(format!("{} in the delay slot of a jump to an unknown place", load.name));
    };
    // A word that is no instruction is the opcode rule's business.
    let user = instruction_at(image, Cpu::R3000A, step.address)?;
    let merges = load.class == Class::MergingLoad && user.class == Class::MergingLoad && load.writes == user.writes;
    let register = load.writes.first_gpr()?;
    // A merging pair may still not use the register as the second load's base.
    let merges = merges && (user.word >> 21 & 31) != register;
    let hazard = user.reads.intersects(load.writes) && !merges;
    hazard.then(|| format!("${register} is used at {:08x} by {} directly after {}", step.address, user.name, load.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOP: u32 = 0;
    const JR_RA: u32 = 0x03E0_0008;
    /// `lw $2, 0($4)`.
    const LW: u32 = 0x8C82_0000;
    /// `addu $3, $2, $2`, a use of `$2`.
    const USE: u32 = 0x0042_1821;
    /// `addu $3, $5, $5`, no use of `$2`.
    const OTHER: u32 = 0x00A5_1821;
    /// `sw $2, 0($5)`.
    const SW: u32 = 0xACA2_0000;
    /// `mfc0 $2, Status`.
    const MFC0: u32 = 0x4002_6000;
    /// `lwl $2, 3($4)` and `lwr $2, 0($4)`.
    const LWL: u32 = 0x8882_0003;
    const LWR: u32 = 0x9882_0000;
    /// `beqz $5`, to the fourth word from the branch.
    const BEQZ: u32 = 0x10A0_0003;
    /// `b`, to the fourth word from the branch.
    const B: u32 = 0x1000_0003;

    fn faults(words: &[u32]) -> usize {
        check(&Image::of_words(0x1000, words)).violations.len()
    }

    #[test]
    fn a_value_used_directly_after_its_load_is_caught() {
        assert_eq!(faults(&[LW, USE, NOP]), 1);
        assert_eq!(faults(&[LW, SW, NOP]), 1);
        assert_eq!(faults(&[MFC0, USE, NOP]), 1);
        assert_eq!(faults(&[LW, 0x1040_0001, NOP, NOP]), 1);
    }

    #[test]
    fn one_instruction_between_load_and_use_is_enough() {
        assert_eq!(faults(&[LW, NOP, USE, NOP]), 0);
        assert_eq!(faults(&[LW, OTHER, USE, NOP]), 0);
        assert_eq!(faults(&[LW, JR_RA, USE, NOP]), 0);
    }

    #[test]
    fn a_load_in_a_delay_slot_is_checked_against_the_target() {
        assert_eq!(faults(&[BEQZ, LW, OTHER, NOP, USE, NOP]), 1);
        assert_eq!(faults(&[B, LW, OTHER, NOP, USE, NOP]), 1);
    }

    #[test]
    fn a_load_in_a_delay_slot_is_checked_against_the_fall_through() {
        assert_eq!(faults(&[BEQZ, LW, USE, NOP, OTHER, NOP]), 1);
        assert_eq!(faults(&[BEQZ, LW, USE, NOP, USE, NOP]), 2);
        assert_eq!(faults(&[B, LW, USE, NOP, OTHER, NOP]), 0);
    }

    #[test]
    fn a_load_before_a_return_is_caught_because_the_caller_is_unknown() {
        assert_eq!(faults(&[JR_RA, LW, OTHER]), 1);
    }

    #[test]
    fn halves_of_an_unaligned_load_may_follow_each_other() {
        assert_eq!(faults(&[LWL, LWR, NOP, USE, NOP]), 0);
        assert_eq!(faults(&[LWL, LWR, USE, NOP]), 1);
        // lw is not one of the two.
        assert_eq!(faults(&[LW, LWR, NOP]), 1);
        // lwr $2, 0($2) needs the value as an address.
        assert_eq!(faults(&[LWL, 0x9842_0000, NOP]), 1);
    }

    #[test]
    fn a_load_into_the_zero_register_delays_nothing() {
        assert_eq!(faults(&[0x8C80_0000, 0x0000_1821, NOP]), 0);
    }
}
