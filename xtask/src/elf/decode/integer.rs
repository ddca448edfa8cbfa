//! The R5900's main tables: primary opcodes, SPECIAL, REGIMM, COP0.

use super::{Form, Instruction, Registers, fpu, funct, mmi, rd, rs, rt, sa, vu0};

const NOT_IN_TABLE: &str = "reserved encoding";

/// Decodes a word for the R5900.
pub(super) fn decode(word: u32) -> Result<Instruction, &'static str> {
    let (name, form) = match word >> 26 {
        0x00 => return special(word),
        0x01 => return regimm(word),
        0x10 => return cop0(word),
        0x11 => return fpu::decode(word),
        0x12 => return vu0::decode(word),
        0x1C => return mmi::decode(word),
        0x02 => ("j", Form::Jump),
        0x03 => ("jal", Form::Call),
        0x04 => ("beq", Form::BranchTwo),
        0x05 => ("bne", Form::BranchTwo),
        0x06 if rt(word) == 0 => ("blez", Form::BranchOne),
        0x07 if rt(word) == 0 => ("bgtz", Form::BranchOne),
        0x08 => ("addi", Form::Immediate),
        0x09 => ("addiu", Form::Immediate),
        0x0A => ("slti", Form::Immediate),
        0x0B => ("sltiu", Form::Immediate),
        0x0C => ("andi", Form::Immediate),
        0x0D => ("ori", Form::Immediate),
        0x0E => ("xori", Form::Immediate),
        0x0F => ("lui", Form::Constant),
        0x14 => ("beql", Form::BranchTwo),
        0x15 => ("bnel", Form::BranchTwo),
        0x16 if rt(word) == 0 => ("blezl", Form::BranchOne),
        0x17 if rt(word) == 0 => ("bgtzl", Form::BranchOne),
        0x18 => ("daddi", Form::Immediate),
        0x19 => ("daddiu", Form::Immediate),
        0x1A => ("ldl", Form::MergingLoad),
        0x1B => ("ldr", Form::MergingLoad),
        0x1E => ("lq", Form::Load),
        0x1F => ("sq", Form::Store),
        0x20 => ("lb", Form::Load),
        0x21 => ("lh", Form::Load),
        0x22 => ("lwl", Form::MergingLoad),
        0x23 => ("lw", Form::Load),
        0x24 => ("lbu", Form::Load),
        0x25 => ("lhu", Form::Load),
        0x26 => ("lwr", Form::MergingLoad),
        0x27 => ("lwu", Form::Load),
        0x28 => ("sb", Form::Store),
        0x29 => ("sh", Form::Store),
        0x2A => ("swl", Form::Store),
        0x2B => ("sw", Form::Store),
        0x2C => ("sdl", Form::Store),
        0x2D => ("sdr", Form::Store),
        0x2E => ("swr", Form::Store),
        0x2F => ("cache", Form::Address),
        0x30 | 0x34 | 0x38 | 0x3C => return Err("the R5900 has no ll, sc, lld, scd"),
        0x31 => ("lwc1", Form::Address),
        0x33 => ("pref", Form::Address),
        0x35 | 0x3D => return Err("the R5900 has no ldc1, sdc1: its FPU is single precision"),
        0x36 => ("lqc2", Form::Address),
        0x37 => ("ld", Form::Load),
        0x39 => ("swc1", Form::Address),
        0x3E => ("sqc2", Form::Address),
        0x3F => ("sd", Form::Store),
        0x13 => return Err("the R5900 has no COP3 and none of MIPS IV's COP1X (prefx, madd with four operands)"),
        _ => return Err(NOT_IN_TABLE),
    };
    form.instruction(word, name)
}

/// SPECIAL, primary opcode 0.
fn special(word: u32) -> Result<Instruction, &'static str> {
    /// `sync` orders loads and stores, `sync.p` the pipeline.
    const SYNC_P: u32 = 0x10;
    let (name, form) = match funct(word) {
        0x00 => ("sll", Form::Shift),
        0x02 => ("srl", Form::Shift),
        0x03 => ("sra", Form::Shift),
        0x04 => ("sllv", Form::Alu),
        0x06 => ("srlv", Form::Alu),
        0x07 => ("srav", Form::Alu),
        0x08 => ("jr", Form::JumpRegister),
        0x09 => ("jalr", Form::CallRegister),
        0x0A => ("movz", Form::MoveIf),
        0x0B => ("movn", Form::MoveIf),
        0x0C => ("syscall", Form::SystemCall),
        0x0D => ("break", Form::Break),
        0x0F if word >> 11 == 0 && (sa(word) == 0 || sa(word) == SYNC_P) => ("sync", Form::None),
        0x10 => ("mfhi", Form::MoveFrom(Registers::HI)),
        0x11 => ("mthi", Form::MoveTo(Registers::HI)),
        0x12 => ("mflo", Form::MoveFrom(Registers::LO)),
        0x13 => ("mtlo", Form::MoveTo(Registers::LO)),
        0x14 => ("dsllv", Form::Alu),
        0x16 => ("dsrlv", Form::Alu),
        0x17 => ("dsrav", Form::Alu),
        0x18 => ("mult", Form::Multiply(Registers::HI_LO)),
        0x19 => ("multu", Form::Multiply(Registers::HI_LO)),
        0x1A => ("div", Form::Divide(Registers::HI_LO)),
        0x1B => ("divu", Form::Divide(Registers::HI_LO)),
        0x20 => ("add", Form::Alu),
        0x21 => ("addu", Form::Alu),
        0x22 => ("sub", Form::Alu),
        0x23 => ("subu", Form::Alu),
        0x24 => ("and", Form::Alu),
        0x25 => ("or", Form::Alu),
        0x26 => ("xor", Form::Alu),
        0x27 => ("nor", Form::Alu),
        0x28 => ("mfsa", Form::MoveFrom(Registers::SA)),
        0x29 => ("mtsa", Form::MoveTo(Registers::SA)),
        0x2A => ("slt", Form::Alu),
        0x2B => ("sltu", Form::Alu),
        0x2C => ("dadd", Form::Alu),
        0x2D => ("daddu", Form::Alu),
        0x2E => ("dsub", Form::Alu),
        0x2F => ("dsubu", Form::Alu),
        0x30 => ("tge", Form::TrapTwo),
        0x31 => ("tgeu", Form::TrapTwo),
        0x32 => ("tlt", Form::TrapTwo),
        0x33 => ("tltu", Form::TrapTwo),
        0x34 => ("teq", Form::TrapTwo),
        0x36 => ("tne", Form::TrapTwo),
        0x38 => ("dsll", Form::Shift),
        0x3A => ("dsrl", Form::Shift),
        0x3B => ("dsra", Form::Shift),
        0x3C => ("dsll32", Form::Shift),
        0x3E => ("dsrl32", Form::Shift),
        0x3F => ("dsra32", Form::Shift),
        0x01 => return Err("the R5900 has no movf, movt"),
        0x1C..=0x1F => return Err("the R5900 has no dmult, dmultu, ddiv, ddivu"),
        _ => return Err(NOT_IN_TABLE),
    };
    form.instruction(word, name)
}

/// REGIMM, primary opcode 1.
fn regimm(word: u32) -> Result<Instruction, &'static str> {
    let (name, form) = match rt(word) {
        0x00 => ("bltz", Form::BranchOne),
        0x01 => ("bgez", Form::BranchOne),
        0x02 => ("bltzl", Form::BranchOne),
        0x03 => ("bgezl", Form::BranchOne),
        0x08 => ("tgei", Form::TrapOne),
        0x09 => ("tgeiu", Form::TrapOne),
        0x0A => ("tlti", Form::TrapOne),
        0x0B => ("tltiu", Form::TrapOne),
        0x0C => ("teqi", Form::TrapOne),
        0x0E => ("tnei", Form::TrapOne),
        0x10 => ("bltzal", Form::BranchLink),
        0x11 => ("bgezal", Form::BranchLink),
        0x12 => ("bltzall", Form::BranchLink),
        0x13 => ("bgezall", Form::BranchLink),
        0x18 | 0x19 => {
            let mut instruction = Form::TrapOne.instruction(word, if rt(word) == 0x18 { "mtsab" } else { "mtsah" })?;
            instruction.writes = Registers::SA;
            return Ok(instruction);
        }
        _ => return Err(NOT_IN_TABLE),
    };
    form.instruction(word, name)
}

/// COP0, primary opcode 0x10.
fn cop0(word: u32) -> Result<Instruction, &'static str> {
    /// Breakpoint registers, selected further by the low bits.
    const BREAKPOINTS: u32 = 24;
    /// Performance counters, selected further by the low bits.
    const COUNTERS: u32 = 25;
    const CO: u32 = 0x10;
    let selector_allowed = match rd(word) {
        BREAKPOINTS => 0x07,
        COUNTERS => 0x3F,
        _ => 0,
    };
    let moves = word & 0x7FF & !selector_allowed == 0;
    let (name, form) = match rs(word) {
        0x00 if moves => return move_from_cop0(word),
        0x04 if moves => return move_to_cop0(word),
        0x08 => return branch_on_flag(word, ["bc0f", "bc0t", "bc0fl", "bc0tl"]),
        CO if word >> 6 & 0x7_FFFF == 0 => match funct(word) {
            0x01 => ("tlbr", Form::None),
            0x02 => ("tlbwi", Form::None),
            0x06 => ("tlbwr", Form::None),
            0x08 => ("tlbp", Form::None),
            0x18 => {
                let mut instruction = Form::None.instruction(word, "eret")?;
                instruction.flow = super::Flow::Leave;
                return Ok(instruction);
            }
            0x38 => ("ei", Form::None),
            0x39 => ("di", Form::None),
            _ => return Err(NOT_IN_TABLE),
        },
        0x01 | 0x05 => return Err("the R5900 has no dmfc0, dmtc0"),
        _ => return Err(NOT_IN_TABLE),
    };
    form.instruction(word, name)
}

/// `mfc0`: rt from a system register, as late as a load.
pub(super) fn move_from_cop0(word: u32) -> Result<Instruction, &'static str> {
    let mut instruction = Form::Load.instruction(word, "mfc0")?;
    instruction.reads = Registers::NONE;
    Ok(instruction)
}

/// `mtc0`: rt to a system register.
pub(super) fn move_to_cop0(word: u32) -> Result<Instruction, &'static str> {
    let mut instruction = Form::None.instruction(word, "mtc0")?;
    instruction.reads = Registers::gpr(rt(word));
    Ok(instruction)
}

/// A branch on a coprocessor's condition; the rt field picks one of four.
pub(super) fn branch_on_flag(word: u32, names: [&'static str; 4]) -> Result<Instruction, &'static str> {
    let name = names.get(rt(word) as usize).ok_or(NOT_IN_TABLE)?;
    Form::BranchFlag.instruction(word, name)
}
