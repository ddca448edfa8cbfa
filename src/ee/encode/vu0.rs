//! VU0 macro-mode instructions: vector operations as coprocessor 2 instructions of the EE.
//!
//! Argument order is the assembler's: destination first. Names follow the assembler too, with the broadcast field as an
//! argument ([`Field`]) and the written fields as [`Dest`]. A result in Q needs [`VWAITQ`] before its use, and the clip
//! flags need five independent VU0 instructions between `vclip` and `cfc2`; nothing else needs spacing.
//!
//! Source: EE facts, section 3; console rule 5.

use super::register;

/// The fields that an operation writes; combine with `|` in constants through [`Dest::or`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dest(u32);

impl Dest {
    /// Field x alone.
    pub const X: Self = Self(8);
    /// Field y alone.
    pub const Y: Self = Self(4);
    /// Field z alone.
    pub const Z: Self = Self(2);
    /// Field w alone.
    pub const W: Self = Self(1);
    /// Fields x and y.
    pub const XY: Self = Self(12);
    /// Fields x, y and z.
    pub const XYZ: Self = Self(14);
    /// All four fields.
    pub const XYZW: Self = Self(15);

    /// The fields of both.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// One field of a vector register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Field {
    /// The first word.
    X = 0,
    /// The second word.
    Y = 1,
    /// The third word.
    Z = 2,
    /// The fourth word.
    W = 3,
}

/// VU0 control register: the clip flags, for [`cfc2`] and [`ctc2`].
pub const CLIP_FLAGS: u32 = 18;
/// VU0 control register: the random seed.
pub const R: u32 = 20;
/// VU0 control register: I.
pub const I: u32 = 21;
/// VU0 control register: Q.
pub const Q: u32 = 22;

/// Waits until the divider's result is in Q.
pub const VWAITQ: u32 = 0x4A00_03BF;
/// A vector operation that does nothing.
pub const VNOP: u32 = 0x4A00_02FF;

const COP2: u32 = 0x12;
const QMFC2: u32 = 1;
const CFC2: u32 = 2;
const QMTC2: u32 = 5;
const CTC2: u32 = 6;
const CO: u32 = 1 << 25;
const SPECIAL2: u32 = 0x3C;

const fn transfer(kind: u32, rt: u32, rd: u32) -> u32 {
    COP2 << 26 | kind << 21 | register(rt, 16) | register(rd, 11)
}

/// `qmfc2 rt, vf`: a vector register to a 128-bit general register.
pub const fn qmfc2(rt: u32, vf: u32) -> u32 {
    transfer(QMFC2, rt, vf)
}

/// `qmtc2 rt, vf`: a 128-bit general register to a vector register.
pub const fn qmtc2(rt: u32, vf: u32) -> u32 {
    transfer(QMTC2, rt, vf)
}

/// `cfc2 rt, vi`: a control or integer register to a general register.
pub const fn cfc2(rt: u32, vi: u32) -> u32 {
    transfer(CFC2, rt, vi)
}

/// `ctc2 rt, vi`: a general register to a control or integer register.
pub const fn ctc2(rt: u32, vi: u32) -> u32 {
    transfer(CTC2, rt, vi)
}

const fn vector(dest: u32, ft: u32, fs: u32, fd: u32, function: u32) -> u32 {
    COP2 << 26 | CO | dest << 21 | register(ft, 16) | register(fs, 11) | register(fd, 6) | function
}

/// An operation of the second table: `row` and `column` number it.
const fn special(dest: u32, ft: u32, fs: u32, row: u32, column: u32) -> u32 {
    vector(dest, ft, fs, row, SPECIAL2 | column)
}

/// Operations `fd = fs op ft` and their forms that broadcast one field of `ft`.
macro_rules! three_registers {
    ($($(#[$doc:meta])* $name:ident, $broadcast:ident: $function:expr, $first:expr;)*) => {$(
        $(#[$doc])*
        pub const fn $name(dest: Dest, fd: u32, fs: u32, ft: u32) -> u32 {
            vector(dest.0, ft, fs, fd, $function)
        }

        $(#[$doc])*
        ///
        /// This form takes `field` of `ft` for every field.
        pub const fn $broadcast(dest: Dest, fd: u32, fs: u32, ft: u32, field: Field) -> u32 {
            vector(dest.0, ft, fs, fd, $first | field as u32)
        }
    )*};
}

three_registers! {
    /// `fd = fs + ft`.
    vadd, vadd_bc: 0x28, 0x00;
    /// `fd = fs - ft`.
    vsub, vsub_bc: 0x2C, 0x04;
    /// `fd = ACC + fs * ft`.
    vmadd, vmadd_bc: 0x29, 0x08;
    /// `fd = ACC - fs * ft`.
    vmsub, vmsub_bc: 0x2D, 0x0C;
    /// `fd = max(fs, ft)`.
    vmax, vmax_bc: 0x2B, 0x10;
    /// `fd = min(fs, ft)`.
    vmini, vmini_bc: 0x2F, 0x14;
    /// `fd = fs * ft`.
    vmul, vmul_bc: 0x2A, 0x18;
}

/// Operations `fd = fs op Q`.
macro_rules! with_q {
    ($($(#[$doc:meta])* $name:ident: $function:expr;)*) => {$(
        $(#[$doc])*
        pub const fn $name(dest: Dest, fd: u32, fs: u32) -> u32 {
            vector(dest.0, 0, fs, fd, $function)
        }
    )*};
}

with_q! {
    /// `fd = fs + Q`.
    vadd_q: 0x20;
    /// `fd = ACC + fs * Q`.
    vmadd_q: 0x21;
    /// `fd = fs - Q`.
    vsub_q: 0x24;
    /// `fd = ACC - fs * Q`.
    vmsub_q: 0x25;
    /// `fd = fs * Q`.
    vmul_q: 0x1C;
    /// `fd = fs * I`.
    vmul_i: 0x1E;
}

/// Operations that write the accumulator, and their broadcast forms.
macro_rules! accumulator {
    ($($(#[$doc:meta])* $name:ident, $broadcast:ident: ($row:expr, $column:expr), $broadcast_row:expr;)*) => {$(
        $(#[$doc])*
        pub const fn $name(dest: Dest, fs: u32, ft: u32) -> u32 {
            special(dest.0, ft, fs, $row, $column)
        }

        $(#[$doc])*
        ///
        /// This form takes `field` of `ft` for every field.
        pub const fn $broadcast(dest: Dest, fs: u32, ft: u32, field: Field) -> u32 {
            special(dest.0, ft, fs, $broadcast_row, field as u32)
        }
    )*};
}

accumulator! {
    /// `ACC = fs + ft`.
    vadda, vadda_bc: (0x0A, 0), 0x00;
    /// `ACC = fs - ft`.
    vsuba, vsuba_bc: (0x0B, 0), 0x01;
    /// `ACC = ACC + fs * ft`.
    vmadda, vmadda_bc: (0x0A, 1), 0x02;
    /// `ACC = ACC - fs * ft`.
    vmsuba, vmsuba_bc: (0x0B, 1), 0x03;
    /// `ACC = fs * ft`.
    vmula, vmula_bc: (0x0A, 2), 0x06;
}

/// `ACC.xyz` = first half of the cross product `fs x ft`; [`vopmsub`] with the operands swapped completes it.
pub const fn vopmula(fs: u32, ft: u32) -> u32 {
    special(Dest::XYZ.0, ft, fs, 0x0B, 2)
}

/// `fd.xyz = ACC - ` the mirrored product of `fs` and `ft`.
pub const fn vopmsub(fd: u32, fs: u32, ft: u32) -> u32 {
    vector(Dest::XYZ.0, ft, fs, fd, 0x2E)
}

/// Operations `ft = op(fs)`.
macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident: ($row:expr, $column:expr);)*) => {$(
        $(#[$doc])*
        pub const fn $name(dest: Dest, ft: u32, fs: u32) -> u32 {
            special(dest.0, ft, fs, $row, $column)
        }
    )*};
}

unary! {
    /// `ft = fs`.
    vmove: (0x0C, 0);
    /// `ft = fs` with its fields turned: `y z w x`.
    vmr32: (0x0C, 1);
    /// `ft = |fs|`.
    vabs: (0x07, 1);
    /// Whole numbers to floats.
    vitof0: (0x04, 0);
    /// Numbers with four fraction bits to floats.
    vitof4: (0x04, 1);
    /// Numbers with twelve fraction bits to floats.
    vitof12: (0x04, 2);
    /// Numbers with fifteen fraction bits to floats.
    vitof15: (0x04, 3);
    /// Floats to whole numbers, truncated.
    vftoi0: (0x05, 0);
    /// Floats to numbers with four fraction bits, truncated.
    vftoi4: (0x05, 1);
    /// Floats to numbers with twelve fraction bits, truncated.
    vftoi12: (0x05, 2);
    /// Floats to numbers with fifteen fraction bits, truncated.
    vftoi15: (0x05, 3);
}

/// Shifts six flags into the clip register: `fs.xyz` against plus and minus `|ft.w|`.
pub const fn vclip(fs: u32, ft: u32) -> u32 {
    special(Dest::XYZ.0, ft, fs, 0x07, 3)
}

/// The divider's field selectors in the bits of the destination.
const fn selectors(ftf: Field, fsf: Field) -> u32 {
    (ftf as u32) << 2 | fsf as u32
}

/// `Q = fs.fsf / ft.ftf`.
pub const fn vdiv(fs: u32, fsf: Field, ft: u32, ftf: Field) -> u32 {
    special(selectors(ftf, fsf), ft, fs, 0x0E, 0)
}

/// `Q = sqrt(|ft.ftf|)`.
pub const fn vsqrt(ft: u32, ftf: Field) -> u32 {
    special(selectors(ftf, Field::X), ft, 0, 0x0E, 1)
}

/// `Q = fs.fsf / sqrt(|ft.ftf|)`.
pub const fn vrsqrt(fs: u32, fsf: Field, ft: u32, ftf: Field) -> u32 {
    special(selectors(ftf, fsf), ft, fs, 0x0E, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfers_match_known_words() {
        assert_eq!(qmfc2(8, 3), 0x4828_1800);
        assert_eq!(qmtc2(9, 4), 0x48A9_2000);
        assert_eq!(cfc2(2, CLIP_FLAGS), 0x4842_9000);
        assert_eq!(ctc2(3, I), 0x48C3_A800);
    }

    #[test]
    fn vector_operations_match_known_words() {
        assert_eq!(vadd(Dest::XYZW, 3, 1, 2), 0x4BE2_08E8);
        assert_eq!(vsub(Dest::XYZ, 3, 1, 2), 0x4BC2_08EC);
        assert_eq!(vmul_bc(Dest::XYZ, 3, 1, 2, Field::X), 0x4BC2_08D8);
        assert_eq!(vmadd_bc(Dest::XYZW, 3, 1, 2, Field::W), 0x4BE2_08CB);
        assert_eq!(vmul_q(Dest::XYZ, 3, 1), 0x4BC0_08DC);
        assert_eq!(vmini_bc(Dest::XYZ, 3, 1, 2, Field::W), 0x4BC2_08D7);
    }

    #[test]
    fn accumulator_and_unary_operations_match_known_words() {
        assert_eq!(vmula_bc(Dest::XYZW, 1, 2, Field::X), 0x4BE2_09BC);
        assert_eq!(vmadda_bc(Dest::XYZW, 1, 2, Field::Y), 0x4BE2_08BD);
        assert_eq!(vopmula(1, 2), 0x4BC2_0AFE);
        assert_eq!(vopmsub(3, 2, 1), 0x4BC1_10EE);
        assert_eq!(vmove(Dest::XYZW, 4, 3), 0x4BE4_1B3C);
        assert_eq!(vftoi4(Dest::XYZW, 4, 3), 0x4BE4_197D);
        assert_eq!(vclip(3, 3), 0x4BC3_19FF);
    }

    #[test]
    fn the_dividers_selectors_sit_in_the_destination_bits() {
        assert_eq!(vdiv(0, Field::W, 3, Field::W), 0x4BE3_03BC);
        assert_eq!(vsqrt(3, Field::X), 0x4A03_03BD);
        assert_eq!(vrsqrt(0, Field::W, 3, Field::X), 0x4A63_03BE);
        assert_eq!(special(0, 0, 0, 0x0E, 3), VWAITQ);
        assert_eq!(special(0, 0, 0, 0x0B, 3), VNOP);
    }
}
