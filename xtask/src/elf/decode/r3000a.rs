//! The R3000A of the IOP: what is left of the R5900's tables when everything newer than MIPS I, the FPU, the TLB and
//! the second coprocessor are taken away. Source: IOP facts 3.

use super::integer::{move_from_cop0, move_to_cop0};
use super::{Form, Instruction, funct, integer, rd, rs, rt};

/// Decodes a word for the R3000A.
pub(super) fn decode(word: u32) -> Result<Instruction, &'static str> {
    match word >> 26 {
        0x00 => special(word),
        0x01 => match rt(word) {
            0x00 | 0x01 | 0x10 | 0x11 => integer::decode(word),
            0x02 | 0x03 | 0x12 | 0x13 => Err("branch-likely is newer than MIPS I"),
            0x08..=0x0E => Err("trap instructions are newer than MIPS I"),
            _ => Err("reserved encoding"),
        },
        0x02..=0x0F | 0x20..=0x26 | 0x28..=0x2B | 0x2E => integer::decode(word),
        0x10 => cop0(word),
        0x11 | 0x31 | 0x35 | 0x39 | 0x3D => Err("the IOP has no FPU"),
        0x12 | 0x32 | 0x36 | 0x3A | 0x3E => Err("the IOP has no coprocessor 2"),
        0x14..=0x17 => Err("branch-likely is newer than MIPS I"),
        0x18..=0x1B | 0x27 | 0x2C | 0x2D | 0x37 | 0x3F => Err("64-bit instructions are newer than MIPS I"),
        0x30 | 0x38 => Err("ll, sc are newer than MIPS I"),
        0x2F | 0x33 => Err("cache, pref are newer than MIPS I"),
        _ => Err("reserved encoding"),
    }
}

fn special(word: u32) -> Result<Instruction, &'static str> {
    match funct(word) {
        0x18 | 0x19 if rd(word) != 0 => Err("mult with three operands is the EE's"),
        0x00 | 0x02..=0x04 | 0x06..=0x09 | 0x0C | 0x0D | 0x10..=0x13 | 0x18..=0x1B | 0x20..=0x27 | 0x2A | 0x2B => {
            integer::decode(word)
        }
        0x0A | 0x0B => Err("movz, movn are newer than MIPS I"),
        0x0F => Err("sync is newer than MIPS I"),
        0x30..=0x36 => Err("trap instructions are newer than MIPS I"),
        0x14..=0x17 | 0x1C..=0x1F | 0x2C..=0x2F | 0x38..=0x3F => Err("64-bit instructions are newer than MIPS I"),
        _ => Err("reserved encoding"),
    }
}

fn cop0(word: u32) -> Result<Instruction, &'static str> {
    const RFE: u32 = 0x4200_0010;
    match rs(word) {
        0x00 if word & 0x7FF == 0 => move_from_cop0(word),
        0x04 if word & 0x7FF == 0 => move_to_cop0(word),
        _ if word == RFE => Form::None.instruction(word, "rfe"),
        _ => Err("the IOP's COP0 has mfc0, mtc0 and rfe only"),
    }
}
