//! COP1, the R5900's single-precision FPU. Where it differs from MIPS: `sqrt.s` takes its operand from the ft field,
//! only four of the sixteen comparisons exist, and there is one conversion to integers, `cvt.w.s`, which truncates.
//! Source: EE facts 2.

use super::integer::branch_on_flag;
use super::{Form, Instruction, Registers, funct, rd, rs, rt, sa};

const SINGLE: u32 = 0x10;
const DOUBLE: u32 = 0x11;
const INTEGER: u32 = 0x14;

/// Decodes a word with primary opcode 0x11.
pub(super) fn decode(word: u32) -> Result<Instruction, &'static str> {
    match rs(word) {
        0x00 | 0x02 if word & 0x7FF == 0 => {
            let mut instruction = Form::Load.instruction(word, if rs(word) == 0 { "mfc1" } else { "cfc1" })?;
            instruction.reads = Registers::NONE;
            Ok(instruction)
        }
        0x04 | 0x06 if word & 0x7FF == 0 => {
            let mut instruction = Form::None.instruction(word, if rs(word) == 4 { "mtc1" } else { "ctc1" })?;
            instruction.reads = Registers::gpr(rt(word));
            Ok(instruction)
        }
        0x08 => {
            let mut instruction = branch_on_flag(word, ["bc1f", "bc1t", "bc1fl", "bc1tl"])?;
            instruction.reads = Registers::FPU_CONDITION;
            Ok(instruction)
        }
        SINGLE => single(word),
        INTEGER if funct(word) == 0x20 && rt(word) == 0 => Form::None.instruction(word, "cvt.s.w"),
        0x01 | 0x05 => Err("the R5900 has no dmfc1, dmtc1"),
        DOUBLE => Err("the R5900 has no double-precision floating point"),
        _ => Err("reserved COP1 encoding"),
    }
}

/// Format S.
fn single(word: u32) -> Result<Instruction, &'static str> {
    let (ft, fs, fd) = (rt(word), rd(word), sa(word));
    let name = match funct(word) {
        0x00 => "add.s",
        0x01 => "sub.s",
        0x02 => "mul.s",
        0x03 => "div.s",
        0x04 if fs == 0 => "sqrt.s",
        0x04 => return Err("sqrt.s in the MIPS form: the R5900 takes the operand from the ft field"),
        0x05 if ft == 0 => "abs.s",
        0x06 if ft == 0 => "mov.s",
        0x07 if ft == 0 => "neg.s",
        0x16 => "rsqrt.s",
        0x18 if fd == 0 => "adda.s",
        0x19 if fd == 0 => "suba.s",
        0x1A if fd == 0 => "mula.s",
        0x1C => "madd.s",
        0x1D => "msub.s",
        0x1E if fd == 0 => "madda.s",
        0x1F if fd == 0 => "msuba.s",
        0x24 if ft == 0 => "cvt.w.s",
        0x28 => "max.s",
        0x29 => "min.s",
        0x30 if fd == 0 => return comparison(word, "c.f.s"),
        0x32 if fd == 0 => return comparison(word, "c.eq.s"),
        0x34 if fd == 0 => return comparison(word, "c.lt.s"),
        0x36 if fd == 0 => return comparison(word, "c.le.s"),
        0x30 | 0x32 | 0x34 | 0x36 => {
            return Err("the R5900 has one FPU condition bit: a comparison cannot name another");
        }
        0x31 | 0x33 | 0x35 | 0x37..=0x3F => {
            return Err("unordered or signalling comparison: the R5900 has f, eq, lt, le");
        }
        0x08..=0x0F => return Err("the R5900 has no round, trunc, ceil or floor: cvt.w.s truncates"),
        _ => return Err("reserved COP1.S encoding"),
    };
    Form::None.instruction(word, name)
}

fn comparison(word: u32, name: &'static str) -> Result<Instruction, &'static str> {
    let mut instruction = Form::None.instruction(word, name)?;
    instruction.writes = Registers::FPU_CONDITION;
    Ok(instruction)
}
