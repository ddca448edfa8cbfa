//! COP2: VU0 in macro mode. Source: EE facts 3.

use super::integer::branch_on_flag;
use super::{Class, Form, Instruction, Registers, funct, rd, rs, rt, sa};

const NOT_IN_TABLE: &str = "reserved COP2 encoding";
/// Bit 25: an operation, not a transfer.
const OPERATION: u32 = 1 << 25;
/// Control register 18: the clip flags.
const CLIP_FLAGS: u32 = 18;
/// Control register 22: the quotient.
const QUOTIENT: u32 = 22;
/// The dest field of operations that work on x, y and z by definition.
const DEST_XYZ: u32 = 0xE;

/// The operations of which bits 5..0 are the whole opcode. An empty name is a reserved encoding.
#[rustfmt::skip]
const SPECIAL1: [&str; 60] = [
    "vaddx", "vaddy", "vaddz", "vaddw", "vsubx", "vsuby", "vsubz", "vsubw",
    "vmaddx", "vmaddy", "vmaddz", "vmaddw", "vmsubx", "vmsuby", "vmsubz", "vmsubw",
    "vmaxx", "vmaxy", "vmaxz", "vmaxw", "vminix", "vminiy", "vminiz", "vminiw",
    "vmulx", "vmuly", "vmulz", "vmulw", "vmulq", "vmaxi", "vmuli", "vminii",
    "vaddq", "vmaddq", "vaddi", "vmaddi", "vsubq", "vmsubq", "vsubi", "vmsubi",
    "vadd", "vmadd", "vmul", "vmax", "vsub", "vmsub", "vopmsub", "vmini",
    "viadd", "visub", "viaddi", "", "viand", "vior", "", "",
    "vcallms", "vcallmsr", "", "",
];

/// The operations of which bits 10..6 (row) and 1..0 (column) are the opcode.
#[rustfmt::skip]
const SPECIAL2: [[&str; 4]; 17] = [
    ["vaddax", "vadday", "vaddaz", "vaddaw"],
    ["vsubax", "vsubay", "vsubaz", "vsubaw"],
    ["vmaddax", "vmadday", "vmaddaz", "vmaddaw"],
    ["vmsubax", "vmsubay", "vmsubaz", "vmsubaw"],
    ["vitof0", "vitof4", "vitof12", "vitof15"],
    ["vftoi0", "vftoi4", "vftoi12", "vftoi15"],
    ["vmulax", "vmulay", "vmulaz", "vmulaw"],
    ["vmulaq", "vabs", "vmulai", "vclip"],
    ["vaddaq", "vmaddaq", "vaddai", "vmaddai"],
    ["vsubaq", "vmsubaq", "vsubai", "vmsubai"],
    ["vadda", "vmadda", "vmula", ""],
    ["vsuba", "vmsuba", "vopmula", "vnop"],
    ["vmove", "vmr32", "", ""],
    ["vlqi", "vsqi", "vlqd", "vsqd"],
    ["vdiv", "vsqrt", "vrsqrt", "vwaitq"],
    ["vmtir", "vmfir", "vilwr", "viswr"],
    ["vrnext", "vrget", "vrinit", "vrxor"],
];

/// Decodes a word with primary opcode 0x12.
pub(super) fn decode(word: u32) -> Result<Instruction, &'static str> {
    /// Bit 0 of a transfer: wait for a running micro program.
    const INTERLOCK: u32 = 1;
    if word & OPERATION != 0 {
        return operation(word);
    }
    let transfer = word & 0x7FF & !INTERLOCK == 0;
    let special = match rd(word) {
        CLIP_FLAGS => Registers::VU_CLIP,
        QUOTIENT => Registers::VU_Q,
        _ => Registers::NONE,
    };
    let (name, reads, writes) = match rs(word) {
        0x01 if transfer => ("qmfc2", Registers::NONE, Registers::gpr(rt(word))),
        0x02 if transfer => ("cfc2", special, Registers::gpr(rt(word))),
        0x05 if transfer => ("qmtc2", Registers::gpr(rt(word)), Registers::NONE),
        0x06 if transfer => ("ctc2", Registers::gpr(rt(word)), special),
        0x08 => return branch_on_flag(word, ["bc2f", "bc2t", "bc2fl", "bc2tl"]),
        _ => return Err(NOT_IN_TABLE),
    };
    let plain = Form::None.instruction(word, name)?;
    Ok(Instruction { reads, writes, ..plain })
}

fn operation(word: u32) -> Result<Instruction, &'static str> {
    let dest = rs(word) & 0xF;
    let name = match funct(word) {
        special2 @ 0x3C..=0x3F => SPECIAL2.get(sa(word) as usize).map_or("", |row| row[(special2 & 3) as usize]),
        special1 => SPECIAL1[special1 as usize],
    };
    let well_formed = match name {
        "" => false,
        "vnop" | "vwaitq" => word >> 11 & 0x3FFF == 0,
        "vclip" | "vopmula" | "vopmsub" => dest == DEST_XYZ,
        "viadd" | "visub" | "viaddi" | "viand" | "vior" | "vcallms" => dest == 0,
        "vcallmsr" => dest == 0 && rt(word) == 0 && sa(word) == 0,
        _ => true,
    };
    if !well_formed {
        return Err(NOT_IN_TABLE);
    }
    let plain = Form::None.instruction(word, name)?;
    Ok(Instruction { class: Class::Vu, reads: special_reads(name), writes: special_writes(name), ..plain })
}

fn special_reads(name: &str) -> Registers {
    match name {
        "vmulq" | "vaddq" | "vmaddq" | "vsubq" | "vmsubq" => Registers::VU_Q,
        "vmulaq" | "vaddaq" | "vmaddaq" | "vsubaq" | "vmsubaq" => Registers::VU_Q,
        _ => Registers::NONE,
    }
}

fn special_writes(name: &str) -> Registers {
    match name {
        "vdiv" | "vsqrt" | "vrsqrt" => Registers::VU_Q,
        "vclip" => Registers::VU_CLIP,
        // A micro program may do anything.
        "vcallms" | "vcallmsr" => Registers::VU_Q | Registers::VU_CLIP,
        _ => Registers::NONE,
    }
}
