//! Single instructions of the float unit, on bit patterns.
//!
//! Source: EE facts, section 2

use crate::selftest::arithmetic::{Case, Operation};
use core::arch::asm;

/// A single-float operation on `$f0` and `$f1` into `$f2`: `ft` names the second operand's register.
const fn single(ft: u32, fs: u32, function: u32) -> u32 {
    0x11 << 26 | 0x10 << 21 | ft << 16 | fs << 11 | 2 << 6 | function
}

const ADD: u32 = single(1, 0, 0x00);
const MULTIPLY: u32 = single(1, 0, 0x02);
const DIVIDE: u32 = single(1, 0, 0x03);
/// The EE's root takes its operand from the second register.
const ROOT: u32 = single(1, 0, 0x04);
const INVERSE_ROOT: u32 = single(1, 0, 0x16);
const LARGER: u32 = single(1, 0, 0x28);
const SMALLER: u32 = single(1, 0, 0x29);
const TO_WHOLE: u32 = single(0, 0, 0x24);
const TO_FLOAT: u32 = 0x11 << 26 | 0x14 << 21 | 2 << 6 | 0x20;

macro_rules! instruction {
    ($word:expr, $a:expr, $b:expr) => {{
        let result: u32;
        // SAFETY: an instruction of the float unit on registers that are declared.
        unsafe {
            asm!(
                ".set push", ".set noreorder",
                "mtc1 {a}, $f0", "mtc1 {b}, $f1", "nop", ".word {word}", "nop", "mfc1 {result}, $f2", "nop",
                ".set pop",
                a = in(reg) $a, b = in(reg) $b, result = lateout(reg) result, word = const $word,
                out("$f0") _, out("$f1") _, out("$f2") _, options(nostack)
            );
        }
        result
    }};
}

/// The bits that the unit gives for a case.
pub fn compute(case: &Case) -> u32 {
    let (a, b) = case.operands;
    match case.operation {
        Operation::Add => instruction!(ADD, a, b),
        Operation::Multiply => instruction!(MULTIPLY, a, b),
        Operation::Divide => instruction!(DIVIDE, a, b),
        Operation::Root => instruction!(ROOT, a, b),
        Operation::InverseRoot => instruction!(INVERSE_ROOT, a, b),
        Operation::Larger => instruction!(LARGER, a, b),
        Operation::Smaller => instruction!(SMALLER, a, b),
        Operation::ToWhole => instruction!(TO_WHOLE, a, b),
        Operation::ToFloat => instruction!(TO_FLOAT, a, b),
    }
}
