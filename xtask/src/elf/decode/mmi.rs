//! The multimedia instructions of the R5900, primary opcode 0x1C, with their four tables in the sa field.
//! Source: EE facts 1.

use super::form::without_sa;
use super::{Form, Instruction, Registers, funct, rs, rt, sa};

const NOT_IN_TABLE: &str = "reserved MMI encoding";

/// Decodes a word with primary opcode 0x1C.
pub(super) fn decode(word: u32) -> Result<Instruction, &'static str> {
    /// Layouts of `pmfhl`: lw, uw, slw, lh, sh.
    const PMFHL_LAYOUTS: u32 = 5;
    let both = Registers::HI_LO | Registers::HI_LO_1;
    let (name, form) = match funct(word) {
        0x00 => ("madd", Form::MultiplyAdd(Registers::HI_LO)),
        0x01 => ("maddu", Form::MultiplyAdd(Registers::HI_LO)),
        0x04 => ("plzcw", Form::FromRs),
        0x08 => return sub_table(word, mmi0(sa(word))),
        0x09 => return sub_table(word, mmi2(sa(word))),
        0x10 => ("mfhi1", Form::MoveFrom(Registers::HI1)),
        0x11 => ("mthi1", Form::MoveTo(Registers::HI1)),
        0x12 => ("mflo1", Form::MoveFrom(Registers::LO1)),
        0x13 => ("mtlo1", Form::MoveTo(Registers::LO1)),
        0x18 => ("mult1", Form::Multiply(Registers::HI_LO_1)),
        0x19 => ("multu1", Form::Multiply(Registers::HI_LO_1)),
        0x1A => ("div1", Form::Divide(Registers::HI_LO_1)),
        0x1B => ("divu1", Form::Divide(Registers::HI_LO_1)),
        0x20 => ("madd1", Form::MultiplyAdd(Registers::HI_LO_1)),
        0x21 => ("maddu1", Form::MultiplyAdd(Registers::HI_LO_1)),
        0x28 => return sub_table(word, mmi1(sa(word))),
        0x29 => return sub_table(word, mmi3(sa(word))),
        0x30 if sa(word) < PMFHL_LAYOUTS => return sub_table(word, Some(("pmfhl", Form::MoveFrom(both)))),
        0x31 => ("pmthl", Form::MoveTo(both)),
        0x34 => ("psllh", Form::Shift),
        0x36 => ("psrlh", Form::Shift),
        0x37 => ("psrah", Form::Shift),
        0x3C => ("psllw", Form::Shift),
        0x3E => ("psrlw", Form::Shift),
        0x3F => ("psraw", Form::Shift),
        _ => return Err(NOT_IN_TABLE),
    };
    form.instruction(word, name)
}

fn sub_table(word: u32, entry: Option<(&'static str, Form)>) -> Result<Instruction, &'static str> {
    let (name, form) = entry.ok_or(NOT_IN_TABLE)?;
    let mut instruction = form.with_opcode_in_sa(word, name, without_sa(word))?;
    if name == "qfsrv" {
        instruction.reads = Registers::gpr(rs(word)) | Registers::gpr(rt(word)) | Registers::SA;
    }
    Ok(instruction)
}

fn mmi0(sa: u32) -> Option<(&'static str, Form)> {
    Some(match sa {
        0x00 => ("paddw", Form::Alu),
        0x01 => ("psubw", Form::Alu),
        0x02 => ("pcgtw", Form::Alu),
        0x03 => ("pmaxw", Form::Alu),
        0x04 => ("paddh", Form::Alu),
        0x05 => ("psubh", Form::Alu),
        0x06 => ("pcgth", Form::Alu),
        0x07 => ("pmaxh", Form::Alu),
        0x08 => ("paddb", Form::Alu),
        0x09 => ("psubb", Form::Alu),
        0x0A => ("pcgtb", Form::Alu),
        0x10 => ("paddsw", Form::Alu),
        0x11 => ("psubsw", Form::Alu),
        0x12 => ("pextlw", Form::Alu),
        0x13 => ("ppacw", Form::Alu),
        0x14 => ("paddsh", Form::Alu),
        0x15 => ("psubsh", Form::Alu),
        0x16 => ("pextlh", Form::Alu),
        0x17 => ("ppach", Form::Alu),
        0x18 => ("paddsb", Form::Alu),
        0x19 => ("psubsb", Form::Alu),
        0x1A => ("pextlb", Form::Alu),
        0x1B => ("ppacb", Form::Alu),
        0x1E => ("pext5", Form::FromRt),
        0x1F => ("ppac5", Form::FromRt),
        _ => return None,
    })
}

fn mmi1(sa: u32) -> Option<(&'static str, Form)> {
    Some(match sa {
        0x01 => ("pabsw", Form::FromRt),
        0x02 => ("pceqw", Form::Alu),
        0x03 => ("pminw", Form::Alu),
        0x04 => ("padsbh", Form::Alu),
        0x05 => ("pabsh", Form::FromRt),
        0x06 => ("pceqh", Form::Alu),
        0x07 => ("pminh", Form::Alu),
        0x0A => ("pceqb", Form::Alu),
        0x10 => ("padduw", Form::Alu),
        0x11 => ("psubuw", Form::Alu),
        0x12 => ("pextuw", Form::Alu),
        0x14 => ("padduh", Form::Alu),
        0x15 => ("psubuh", Form::Alu),
        0x16 => ("pextuh", Form::Alu),
        0x18 => ("paddub", Form::Alu),
        0x19 => ("psubub", Form::Alu),
        0x1A => ("pextub", Form::Alu),
        0x1B => ("qfsrv", Form::Alu),
        _ => return None,
    })
}

fn mmi2(sa: u32) -> Option<(&'static str, Form)> {
    let all = Registers::HI_LO | Registers::HI_LO_1;
    Some(match sa {
        0x00 => ("pmaddw", Form::MultiplyAdd(all)),
        0x02 => ("psllvw", Form::Alu),
        0x03 => ("psrlvw", Form::Alu),
        0x04 => ("pmsubw", Form::MultiplyAdd(all)),
        0x08 => ("pmfhi", Form::MoveFrom(Registers::HI | Registers::HI1)),
        0x09 => ("pmflo", Form::MoveFrom(Registers::LO | Registers::LO1)),
        0x0A => ("pinth", Form::Alu),
        0x0C => ("pmultw", Form::Multiply(all)),
        0x0D => ("pdivw", Form::Divide(all)),
        0x0E => ("pcpyld", Form::Alu),
        0x10 => ("pmaddh", Form::MultiplyAdd(all)),
        0x11 => ("phmadh", Form::Multiply(all)),
        0x12 => ("pand", Form::Alu),
        0x13 => ("pxor", Form::Alu),
        0x14 => ("pmsubh", Form::MultiplyAdd(all)),
        0x15 => ("phmsbh", Form::Multiply(all)),
        0x1A => ("pexeh", Form::FromRt),
        0x1B => ("prevh", Form::FromRt),
        0x1C => ("pmulth", Form::Multiply(all)),
        0x1D => ("pdivbw", Form::Divide(all)),
        0x1E => ("pexew", Form::FromRt),
        0x1F => ("prot3w", Form::FromRt),
        _ => return None,
    })
}

fn mmi3(sa: u32) -> Option<(&'static str, Form)> {
    let all = Registers::HI_LO | Registers::HI_LO_1;
    Some(match sa {
        0x00 => ("pmadduw", Form::MultiplyAdd(all)),
        0x03 => ("psravw", Form::Alu),
        0x08 => ("pmthi", Form::MoveTo(Registers::HI | Registers::HI1)),
        0x09 => ("pmtlo", Form::MoveTo(Registers::LO | Registers::LO1)),
        0x0A => ("pinteh", Form::Alu),
        0x0C => ("pmultuw", Form::Multiply(all)),
        0x0D => ("pdivuw", Form::Divide(all)),
        0x0E => ("pcpyud", Form::Alu),
        0x12 => ("por", Form::Alu),
        0x13 => ("pnor", Form::Alu),
        0x1A => ("pexch", Form::FromRt),
        0x1B => ("pcpyh", Form::FromRt),
        0x1E => ("pexcw", Form::FromRt),
        _ => return None,
    })
}
