//! Integer instructions that only the EE has, each against what it must give.
//!
//! Source: EE facts, section 1

use crate::ee::encode::mmi::{self, mfhi1, mult1};
use crate::ee::encode::{lq, sq};
use core::arch::asm;

#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Quad([u32; 4]);

const A: Quad = Quad([0x0001_0203, 0x1011_1213, 0x2021_2223, 0x3031_3233]);
const B: Quad = Quad([0xF0F1_F2F3, 0xE0E1_E2E3, 0xD0D1_D2D3, 0xC0C1_C2C3]);

/// Loads both quadwords, runs one instruction with `$8` and `$9` into `$10`, and stores it.
macro_rules! multimedia {
    ($word:expr) => {{
        let (a, b, mut result) = (A, B, Quad([0; 4]));
        // SAFETY: loads and stores of aligned values of this function; the registers are declared.
        unsafe {
            asm!(
                ".word {load_a}", ".word {load_b}", ".word {word}", ".word {store}",
                load_a = const lq(8, 4, 0), load_b = const lq(9, 5, 0), word = const $word, store = const sq(10, 6, 0),
                in("$4") &raw const a, in("$5") &raw const b, in("$6") &raw mut result,
                out("$8") _, out("$9") _, out("$10") _, options(nostack)
            );
        }
        result.0
    }};
}

/// Number of cases.
pub const CASES: u32 = 11;

/// The bits of the cases that went wrong: nine multimedia instructions, the second multiplier, 64-bit arithmetic.
pub fn wrong() -> u32 {
    let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (A.0, B.0);
    let right = [
        multimedia!(mmi::pextlw(10, 8, 9)) == [b0, a0, b1, a1],
        multimedia!(mmi::pextuw(10, 8, 9)) == [b2, a2, b3, a3],
        multimedia!(mmi::ppacw(10, 8, 9)) == [b0, b2, a0, a2],
        multimedia!(mmi::pcpyld(10, 8, 9)) == [b0, b1, a0, a1],
        multimedia!(mmi::pcpyud(10, 8, 9)) == [a2, a3, b2, b3],
        multimedia!(mmi::por(10, 8, 9)) == [a0 | b0, a1 | b1, a2 | b2, a3 | b3],
        multimedia!(mmi::pand(10, 8, 9)) == [a0 & b0, a1 & b1, a2 & b2, a3 & b3],
        multimedia!(mmi::pextlh(10, 8, 9)) == [0x0203_F2F3, 0x0001_F0F1, 0x1213_E2E3, 0x1011_E0E1],
        multimedia!(mmi::pextlb(10, 8, 9)) == [0x02F2_03F3, 0x00F0_01F1, 0x12E2_13E3, 0x10E0_11E1],
        second_multiplier(0x7FFF_FFFF, 0x4000_0002) == 0x2000_0000,
        wide_sum() == 0x2_0000_0001,
    ];
    right.iter().enumerate().fold(0, |bits, (place, good)| bits | u32::from(!good) << place)
}

/// The upper word of a product of the second multiplier.
fn second_multiplier(a: u32, b: u32) -> u32 {
    let high: u32;
    // SAFETY: arithmetic on declared registers; the compiler uses the first multiplier only.
    unsafe {
        asm!(
            ".word {multiply}", "nop", "nop", ".word {fetch}",
            multiply = const mult1(8, 9), fetch = const mfhi1(10),
            in("$8") a, in("$9") b, out("$10") high, options(nostack)
        );
    }
    high
}

/// A carry from the lower into the upper half of a 64-bit register.
fn wide_sum() -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: arithmetic on declared registers, whose upper halves are sign extensions again at the end.
    unsafe {
        asm!(
            ".set push", ".set mips3", ".set noat",
            "dsll32 $8, {one}, 0", "dsrl32 $9, {ones}, 0", "dsll32 $9, {ones}, 0", "dsrl32 $9, $9, 0",
            "daddu $8, $8, $9", "daddiu $8, $8, 2",
            "sll $9, $8, 0", "dsra32 $8, $8, 0",
            ".set pop",
            one = in(reg) 1_u32, ones = in(reg) u32::MAX, out("$8") high, out("$9") low, options(nostack)
        );
    }
    u64::from(high) << 32 | u64::from(low)
}
