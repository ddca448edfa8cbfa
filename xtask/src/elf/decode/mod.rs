//! One instruction word to what the rules need to know about it.
//!
//! [`decode`] picks the processor's table and gives an [`Instruction`] or the reason why there is none. The tables are
//! complete for the R5900 (main set, COP0, COP1 in [`integer`] and [`fpu`], MMI in [`mmi`], COP2 in [`vu0`]) and for
//! the R3000A as the IOP has it ([`r3000a`]), reserved bits included: a word that is in no table cannot run. The
//! [`form`] of an instruction says which of its fields are registers and in which direction.
//! Source: EE facts 1 to 3, IOP facts 3.

mod form;
mod fpu;
mod integer;
mod mmi;
mod r3000a;
mod registers;
mod vu0;

pub use registers::Registers;

use form::Form;

/// The two processors that programs are checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cpu {
    /// The EE: MIPS III with parts of MIPS IV, MMI, a single-precision FPU and VU0 in macro mode.
    R5900,
    /// The IOP: MIPS I without FPU and TLB.
    R3000A,
}

/// How execution goes on after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// With the next word.
    Next,
    /// After the delay slot at `offset` bytes from the delay slot, or behind it.
    Branch {
        /// Signed distance in bytes from the delay slot to the target.
        offset: i32,
        /// The condition always holds (`b`, `bal`).
        always: bool,
        /// The delay slot is skipped when the branch is not taken.
        likely: bool,
        /// Writes the return address.
        link: bool,
    },
    /// After the delay slot at a fixed word of the delay slot's 256 MiB segment.
    Jump {
        /// Target within the segment, in bytes.
        target: u32,
        /// Writes the return address.
        link: bool,
    },
    /// After the delay slot where a register points.
    JumpRegister {
        /// Writes the return address.
        link: bool,
    },
    /// Elsewhere at once, without a delay slot (`eret`, `break`).
    Leave,
}

impl Flow {
    /// Whether the next word is a delay slot.
    pub fn has_delay_slot(self) -> bool {
        matches!(self, Flow::Branch { .. } | Flow::Jump { .. } | Flow::JumpRegister { .. })
    }

    /// Whether this is a call: execution comes back behind the delay slot, unless the callee never returns.
    pub fn is_call(self) -> bool {
        matches!(
            self,
            Flow::Branch { link: true, .. } | Flow::Jump { link: true, .. } | Flow::JumpRegister { link: true }
        )
    }

    /// Where a branch or a direct jump at `address` goes to.
    pub fn target(self, address: u32) -> Option<u32> {
        let delay_slot = address.wrapping_add(4);
        match self {
            Flow::Branch { offset, .. } => Some(delay_slot.wrapping_add_signed(offset)),
            Flow::Jump { target, .. } => Some(delay_slot & 0xF000_0000 | target),
            Flow::Next | Flow::JumpRegister { .. } | Flow::Leave => None,
        }
    }
}

/// Instructions that a rule treats in a way of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Nothing special.
    Plain,
    /// Its result reaches a general register one instruction late on the R3000A (loads, `mfc0`).
    Load,
    /// Half of an unaligned load: merges into the register's value, also into one still on its way.
    MergingLoad,
    /// An operation that VU0 carries out.
    Vu,
    /// `syscall`.
    SystemCall,
}

/// A decoded word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The word itself.
    pub word: u32,
    /// The mnemonic, without operands.
    pub name: &'static str,
    /// What follows it.
    pub flow: Flow,
    /// Which special treatment it needs.
    pub class: Class,
    /// Registers it takes values from.
    pub reads: Registers,
    /// Registers it changes.
    pub writes: Registers,
}

/// The no-operation, `sll $0, $0, 0`.
pub const NOP: u32 = 0;

/// Decodes a word for a processor. The error says in a few words what the processor lacks.
pub fn decode(cpu: Cpu, word: u32) -> Result<Instruction, &'static str> {
    match cpu {
        Cpu::R5900 => integer::decode(word),
        Cpu::R3000A => r3000a::decode(word),
    }
}

/// Bits of the register field that begins at `shift`.
const fn field(word: u32, shift: u32) -> u32 {
    word >> shift & 31
}

/// Bits 25..21.
const fn rs(word: u32) -> u32 {
    field(word, 21)
}

/// Bits 20..16.
const fn rt(word: u32) -> u32 {
    field(word, 16)
}

/// Bits 15..11.
const fn rd(word: u32) -> u32 {
    field(word, 11)
}

/// Bits 10..6.
const fn sa(word: u32) -> u32 {
    field(word, 6)
}

/// Bits 5..0.
const fn funct(word: u32) -> u32 {
    word & 63
}

#[cfg(test)]
mod tests;
