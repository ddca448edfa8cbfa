//! The forms of instructions: which fields are registers, in which direction, and which must be zero.

use super::{Class, Flow, Instruction, Registers, rd, rs, rt};

const RS: u32 = 31 << 21;
const RT: u32 = 31 << 16;
const RD: u32 = 31 << 11;
const SA: u32 = 31 << 6;

/// The layout of an instruction's operands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// rd from rt, shifted by a constant.
    Shift,
    /// rd from rs and rt.
    Alu,
    /// rd from rs alone.
    FromRs,
    /// rd from rt alone.
    FromRt,
    /// rd from rs and rt, or left as it is.
    MoveIf,
    /// rt from rs and a constant.
    Immediate,
    /// rt from a constant.
    Constant,
    /// rt from memory at rs.
    Load,
    /// Part of rt from memory at rs.
    MergingLoad,
    /// rt to memory at rs.
    Store,
    /// A coprocessor register from or to memory at rs; also `cache` and `pref`.
    Address,
    /// Compares rs and rt.
    BranchTwo,
    /// Compares rs with zero; rt is a part of the opcode or zero.
    BranchOne,
    /// Compares rs with zero and links.
    BranchLink,
    /// Looks at a coprocessor's condition.
    BranchFlag,
    /// A jump to a constant.
    Jump,
    /// A call of a constant.
    Call,
    /// A jump to rs.
    JumpRegister,
    /// A call of rs that links in rd.
    CallRegister,
    /// A trap that compares rs and rt; bits 15..6 are free.
    TrapTwo,
    /// A trap that compares rs and a constant.
    TrapOne,
    /// `syscall`; bits 25..6 are free.
    SystemCall,
    /// `break`; bits 25..6 are free.
    Break,
    /// rd from special registers.
    MoveFrom(Registers),
    /// rs to special registers.
    MoveTo(Registers),
    /// Product of rs and rt to special registers and, on the R5900, to rd.
    Multiply(Registers),
    /// The same, with the special registers as a third operand.
    MultiplyAdd(Registers),
    /// Quotient of rs and rt to special registers.
    Divide(Registers),
    /// No general register and no reserved bits beyond those that the table has looked at.
    None,
}

impl Form {
    /// Bits that must be zero.
    const fn reserved(self) -> u32 {
        match self {
            Form::Shift | Form::Constant => RS,
            Form::Alu | Form::MoveIf | Form::Multiply(_) | Form::MultiplyAdd(_) => SA,
            Form::FromRs => RT | SA,
            Form::FromRt => RS | SA,
            Form::JumpRegister => RT | RD | SA,
            Form::CallRegister => RT | SA,
            Form::MoveFrom(_) => RS | RT | SA,
            Form::MoveTo(_) => RT | RD | SA,
            Form::Divide(_) => RD | SA,
            _ => 0,
        }
    }

    const fn class(self) -> Class {
        match self {
            Form::Load => Class::Load,
            Form::MergingLoad => Class::MergingLoad,
            Form::SystemCall => Class::SystemCall,
            _ => Class::Plain,
        }
    }

    fn reads(self, word: u32) -> Registers {
        let (s, t, d) = (Registers::gpr(rs(word)), Registers::gpr(rt(word)), Registers::gpr(rd(word)));
        match self {
            Form::Shift | Form::FromRt => t,
            Form::Alu
            | Form::MergingLoad
            | Form::Store
            | Form::BranchTwo
            | Form::TrapTwo
            | Form::Multiply(_)
            | Form::Divide(_) => s | t,
            Form::MultiplyAdd(special) => s | t | special,
            Form::MoveIf => s | t | d,
            Form::FromRs
            | Form::Immediate
            | Form::Load
            | Form::Address
            | Form::BranchOne
            | Form::BranchLink
            | Form::JumpRegister
            | Form::CallRegister
            | Form::TrapOne
            | Form::MoveTo(_) => s,
            Form::MoveFrom(special) => special,
            Form::Constant
            | Form::BranchFlag
            | Form::Jump
            | Form::Call
            | Form::SystemCall
            | Form::Break
            | Form::None => Registers::NONE,
        }
    }

    fn writes(self, word: u32) -> Registers {
        let (t, d) = (Registers::gpr(rt(word)), Registers::gpr(rd(word)));
        match self {
            Form::Shift
            | Form::Alu
            | Form::FromRs
            | Form::FromRt
            | Form::MoveIf
            | Form::CallRegister
            | Form::MoveFrom(_) => d,
            Form::Immediate | Form::Constant | Form::Load | Form::MergingLoad => t,
            Form::BranchLink | Form::Call => Registers::RA,
            Form::MoveTo(special) | Form::Divide(special) => special,
            Form::Multiply(special) | Form::MultiplyAdd(special) => d | special,
            _ => Registers::NONE,
        }
    }

    fn flow(self, word: u32) -> Flow {
        let offset = i32::from(word as u16 as i16) << 2;
        let target = (word & 0x03FF_FFFF) << 2;
        let branch = |always, likely, link| Flow::Branch { offset, always, likely, link };
        match self {
            Form::BranchTwo => branch(is_beq(word) && rs(word) == rt(word), is_likely(word), false),
            Form::BranchOne => branch(is_true_of_zero(word) && rs(word) == 0, is_likely(word), false),
            Form::BranchLink => branch(is_true_of_zero(word) && rs(word) == 0, is_likely(word), true),
            Form::BranchFlag => branch(false, rt(word) & 2 != 0, false),
            Form::Jump => Flow::Jump { target, link: false },
            Form::Call => Flow::Jump { target, link: true },
            Form::JumpRegister => Flow::JumpRegister { link: false },
            Form::CallRegister => Flow::JumpRegister { link: true },
            Form::Break => Flow::Leave,
            _ => Flow::Next,
        }
    }

    /// Makes the instruction, or says that reserved bits are set.
    pub(super) fn instruction(self, word: u32, name: &'static str) -> Result<Instruction, &'static str> {
        self.with_opcode_in_sa(word, name, word)
    }

    /// The same for instructions of which the sa field is a part of the opcode: `fields` is the word with that part
    /// blanked.
    pub(super) fn with_opcode_in_sa(
        self,
        word: u32,
        name: &'static str,
        fields: u32,
    ) -> Result<Instruction, &'static str> {
        if fields & self.reserved() != 0 {
            return Err("reserved bits are set");
        }
        let (reads, writes) = (self.reads(word), self.writes(word));
        Ok(Instruction { word, name, flow: self.flow(word), class: self.class(), reads, writes })
    }
}

/// Blanks the sa field.
pub(super) const fn without_sa(word: u32) -> u32 {
    word & !SA
}

const fn is_beq(word: u32) -> bool {
    matches!(word >> 26, 0x04 | 0x14)
}

/// Whether a branch on rs against zero is taken when rs is zero: `bgez` and its variants, `blez`.
const fn is_true_of_zero(word: u32) -> bool {
    match word >> 26 {
        0x01 => rt(word) & 1 == 1,
        opcode => matches!(opcode, 0x06 | 0x16),
    }
}

const fn is_likely(word: u32) -> bool {
    match word >> 26 {
        0x01 => rt(word) & 2 != 0,
        opcode => opcode >= 0x14,
    }
}
