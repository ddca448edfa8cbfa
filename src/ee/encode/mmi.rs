//! Multimedia instructions on 128-bit general registers.
//!
//! Only those that move and interleave words, which build and split quadwords, and the second multiplier, which no compiler
//! uses.
//!
//! Source: EE facts, section 1 (SPECIAL2 table).

use super::register;

const SPECIAL2: u32 = 0x1C;
const MMI0: u32 = 0x08;
const MMI1: u32 = 0x28;
const MMI2: u32 = 0x09;
const MMI3: u32 = 0x29;

/// One three-register operation: `rd = rs op rt`, its row in the `sa` field.
const fn operation(group: u32, row: u32, rd: u32, rs: u32, rt: u32) -> u32 {
    SPECIAL2 << 26 | register(rs, 21) | register(rt, 16) | register(rd, 11) | row << 6 | group
}

/// `mult1 rs, rt`: the product of two words to the multiplier's second half.
pub const fn mult1(rs: u32, rt: u32) -> u32 {
    SPECIAL2 << 26 | register(rs, 21) | register(rt, 16) | 0x18
}

/// `madd1 rs, rt`: adds the product of two words to the 64 bits of the multiplier's second half.
pub const fn madd1(rs: u32, rt: u32) -> u32 {
    SPECIAL2 << 26 | register(rs, 21) | register(rt, 16) | 0x20
}

/// `mfhi1 rd`: the upper word of the multiplier's second half.
pub const fn mfhi1(rd: u32) -> u32 {
    SPECIAL2 << 26 | register(rd, 11) | 0x10
}

/// `pextlb rd, rs, rt`: the eight lower bytes `rt0 rs0 rt1 rs1 ...`, lowest first.
pub const fn pextlb(rd: u32, rs: u32, rt: u32) -> u32 {
    operation(MMI0, 0x1A, rd, rs, rt)
}

/// `pextlh rd, rs, rt`: the four lower half words `rt0 rs0 rt1 rs1 ...`, lowest first.
pub const fn pextlh(rd: u32, rs: u32, rt: u32) -> u32 {
    operation(MMI0, 0x16, rd, rs, rt)
}

/// `pextlw rd, rs, rt`: words `rt0 rs0 rt1 rs1`, lowest first.
pub const fn pextlw(rd: u32, rs: u32, rt: u32) -> u32 {
    operation(MMI0, 0x12, rd, rs, rt)
}

/// `pextuw rd, rs, rt`: words `rt2 rs2 rt3 rs3`, lowest first.
pub const fn pextuw(rd: u32, rs: u32, rt: u32) -> u32 {
    operation(MMI1, 0x12, rd, rs, rt)
}

/// `ppacw rd, rs, rt`: words `rt0 rt2 rs0 rs2`, lowest first.
pub const fn ppacw(rd: u32, rs: u32, rt: u32) -> u32 {
    operation(MMI0, 0x13, rd, rs, rt)
}

/// `pcpyld rd, rs, rt`: low half from `rt`, high half from `rs`'s low half.
pub const fn pcpyld(rd: u32, rs: u32, rt: u32) -> u32 {
    operation(MMI2, 0x0E, rd, rs, rt)
}

/// `pcpyud rd, rs, rt`: low half from `rs`'s high half, high half from `rt`'s high half.
pub const fn pcpyud(rd: u32, rs: u32, rt: u32) -> u32 {
    operation(MMI3, 0x0E, rd, rs, rt)
}

/// `psubw rd, rs, rt`: four words less four words.
pub const fn psubw(rd: u32, rs: u32, rt: u32) -> u32 {
    operation(MMI0, 0x01, rd, rs, rt)
}

/// `por rd, rs, rt`: bitwise or of 128 bits.
pub const fn por(rd: u32, rs: u32, rt: u32) -> u32 {
    operation(MMI3, 0x12, rd, rs, rt)
}

/// `pand rd, rs, rt`: bitwise and of 128 bits.
pub const fn pand(rd: u32, rs: u32, rt: u32) -> u32 {
    operation(MMI2, 0x12, rd, rs, rt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_match_the_table() {
        assert_eq!(pcpyld(8, 9, 10), 0x712A_4389);
        assert_eq!(pcpyud(8, 9, 10), 0x712A_43A9);
        assert_eq!(psubw(6, 25, 2), 0x7322_3048);
        assert_eq!(mult1(15, 24), 0x71F8_0018);
        assert_eq!(madd1(15, 24), 0x71F8_0020);
        assert_eq!(mfhi1(15), 0x7000_7810);
        assert_eq!(pextlb(8, 0, 8), 0x7008_4688);
        assert_eq!(pextlh(8, 0, 8), 0x7008_4588);
        assert_eq!(pextlw(8, 9, 10), 0x712A_4488);
        assert_eq!(pextuw(8, 9, 10), 0x712A_44A8);
        assert_eq!(ppacw(8, 9, 10), 0x712A_44C8);
        assert_eq!(por(8, 9, 10), 0x712A_44A9);
        assert_eq!(pand(8, 9, 10), 0x712A_4489);
    }
}
