//! Which instructions can run after which: over branches, through delay slots.

use super::decode::{Cpu, Flow, Instruction, decode};
use super::image::Image;

/// One instruction on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where the instruction is.
    pub address: u32,
    /// The branch or jump that takes effect behind it, when it stands in a delay slot.
    pub branch: Option<u32>,
}

/// What can run next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This instruction.
    Step(Step),
    /// Something that the image does not show: a jump through a register, or out of the image.
    Unknown,
}

/// The step at an address, taken for a delay slot when the word before is a branch or a jump.
pub fn step_at(image: &Image, cpu: Cpu, address: u32) -> Step {
    let before = address.wrapping_sub(4);
    let delay_slot = instruction_at(image, cpu, before).is_some_and(|found| found.flow.has_delay_slot());
    Step { address, branch: delay_slot.then_some(before) }
}

/// The instruction at an address, if a valid word of the image is there.
pub fn instruction_at(image: &Image, cpu: Cpu, address: u32) -> Option<Instruction> {
    decode(cpu, image.word(address)?).ok()
}

/// Everything that can run directly after a step. A conditional branch gives both ways; an instruction that leaves
/// (`eret`, `break`) gives none.
pub fn successors(image: &Image, cpu: Cpu, step: Step) -> Vec<Next> {
    let behind = step.address.wrapping_add(4);
    let goes_on = |address| match image.word(address) {
        Some(_) => Next::Step(Step { address, branch: None }),
        None => Next::Unknown,
    };
    if let Some(branch) = step.branch {
        let Some(found) = instruction_at(image, cpu, branch) else { return vec![Next::Unknown] };
        let target = found.flow.target(branch).map_or(Next::Unknown, goes_on);
        let falls_through = matches!(found.flow, Flow::Branch { always: false, likely: false, .. });
        return if falls_through { vec![target, goes_on(behind)] } else { vec![target] };
    }
    let Some(found) = instruction_at(image, cpu, step.address) else { return vec![Next::Unknown] };
    let delay_slot = Next::Step(Step { address: behind, branch: Some(step.address) });
    match found.flow {
        Flow::Next => vec![goes_on(behind)],
        Flow::Leave => Vec::new(),
        Flow::Branch { likely: true, always: false, .. } => vec![delay_slot, goes_on(behind.wrapping_add(4))],
        Flow::Branch { .. } | Flow::Jump { .. } | Flow::JumpRegister { .. } => vec![delay_slot],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOP: u32 = 0;
    const JR_RA: u32 = 0x03E0_0008;
    /// `beq $4, $5, +2 words behind the delay slot`.
    const BEQ: u32 = 0x1085_0002;
    /// `b`, two words back from the delay slot.
    const B_BACK: u32 = 0x1000_FFFE;

    fn plain(address: u32) -> Next {
        Next::Step(Step { address, branch: None })
    }

    #[test]
    fn a_conditional_branch_goes_both_ways_after_its_delay_slot() {
        let image = Image::of_words(0x100, &[BEQ, NOP, NOP, NOP, NOP]);
        let branch = step_at(&image, Cpu::R3000A, 0x100);
        let delay_slot = Step { address: 0x104, branch: Some(0x100) };
        assert_eq!(successors(&image, Cpu::R3000A, branch), [Next::Step(delay_slot)]);
        assert_eq!(step_at(&image, Cpu::R3000A, 0x104), delay_slot);
        assert_eq!(successors(&image, Cpu::R3000A, delay_slot), [plain(0x10C), plain(0x108)]);
    }

    #[test]
    fn an_unconditional_branch_goes_to_its_target_only() {
        let image = Image::of_words(0x100, &[NOP, B_BACK, NOP, NOP]);
        let delay_slot = step_at(&image, Cpu::R3000A, 0x108);
        assert_eq!(successors(&image, Cpu::R3000A, delay_slot), [plain(0x100)]);
    }

    #[test]
    fn a_jump_through_a_register_and_the_end_of_the_image_are_unknown() {
        let image = Image::of_words(0x100, &[JR_RA, NOP, NOP]);
        let delay_slot = step_at(&image, Cpu::R3000A, 0x104);
        assert_eq!(successors(&image, Cpu::R3000A, delay_slot), [Next::Unknown]);
        assert_eq!(successors(&image, Cpu::R3000A, step_at(&image, Cpu::R3000A, 0x108)), [Next::Unknown]);
    }

    #[test]
    fn a_likely_branch_skips_its_delay_slot_when_not_taken() {
        let beql = BEQ | 0x4000_0000;
        let image = Image::of_words(0x100, &[beql, NOP, NOP, NOP, NOP]);
        let next = successors(&image, Cpu::R5900, step_at(&image, Cpu::R5900, 0x100));
        assert_eq!(next, [Next::Step(Step { address: 0x104, branch: Some(0x100) }), plain(0x108)]);
        let taken = successors(&image, Cpu::R5900, step_at(&image, Cpu::R5900, 0x104));
        assert_eq!(taken, [plain(0x10C)]);
    }
}
