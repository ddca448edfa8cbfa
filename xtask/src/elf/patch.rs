//! Rewrites the floating-point words that the compiler emits for a MIPS II FPU and the R5900's FPU lacks or reads
//! differently. Source: toolchain notes 3.
//!
//! | compiler's word | becomes | why that is sound |
//! | --- | --- | --- |
//! | `c.un`, `c.ueq`, `c.ult`, `c.ule`, all signalling comparisons | `c.f`, `c.eq`, `c.lt`, `c.le` | the FPU never makes a NaN, so nothing is unordered |
//! | `trunc.w.s` | `cvt.w.s` | the R5900's `cvt.w.s` always truncates, and saturates |
//! | `sqrt.s fd, fs` | `sqrt.s fd, ft` | the same operand in the field that the R5900 reads |
//!
//! Only words whose top eleven bits are COP1, format S, are touched. Words that are valid already, hand-written ones
//! included, stay as they are, so that a second run changes nothing.

use super::image::Image;
use anyhow::{Context as _, Result};
use std::fmt;
use std::path::Path;

/// The top eleven bits of a COP1 instruction of format S.
const COP1_S: u32 = 0b010_0011_0000;
/// Functions of `sqrt.s`, `trunc.w.s` and `cvt.w.s`.
const SQRT: u32 = 0x04;
const TRUNC_W: u32 = 0x0D;
const CVT_W: u32 = 0x24;
/// Comparisons occupy functions 0x30 to 0x3F.
const COMPARE: u32 = 0x30;
/// Of a comparison's function, the bits that the R5900 has: equal and less.
const EQUAL_AND_LESS: u32 = 0x06;
const FUNCT: u32 = 0x3F;
const FS_SHIFT: u32 = 11;
const FT_SHIFT: u32 = 16;
const REGISTER: u32 = 31;

/// How many words of each kind were rewritten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatchCounts {
    /// Comparisons.
    pub compares: usize,
    /// Conversions to integers.
    pub truncations: usize,
    /// Square roots.
    pub square_roots: usize,
}

impl PatchCounts {
    /// Words rewritten in all.
    pub fn total(self) -> usize {
        self.compares + self.truncations + self.square_roots
    }
}

/// What [`patch_file`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatchReport {
    /// Words of code that were looked at.
    pub words: usize,
    /// Words that were rewritten.
    pub counts: PatchCounts,
}

impl fmt::Display for PatchReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { words, counts } = self;
        write!(
            out,
            "{words} words: {} compares, {} truncations, {} square roots rewritten",
            counts.compares, counts.truncations, counts.square_roots
        )
    }
}

enum Rewrite {
    Compare,
    Truncation,
    SquareRoot,
}

fn patch_word(word: u32) -> Option<(u32, Rewrite)> {
    if word >> 21 != COP1_S {
        return None;
    }
    let base = word & !FUNCT;
    match word & FUNCT {
        funct if funct >= COMPARE => {
            let kept = COMPARE | funct & EQUAL_AND_LESS;
            (funct != kept).then_some((base | kept, Rewrite::Compare))
        }
        TRUNC_W => Some((base | CVT_W, Rewrite::Truncation)),
        SQRT => {
            let (fs, ft) = (word >> FS_SHIFT & REGISTER, word >> FT_SHIFT & REGISTER);
            let moved = word & !(REGISTER << FS_SHIFT) | fs << FT_SHIFT;
            (ft == 0 && fs != 0).then_some((moved, Rewrite::SquareRoot))
        }
        _ => None,
    }
}

/// Rewrites words of code in place.
pub fn patch_words(words: &mut [u32]) -> PatchCounts {
    let mut counts = PatchCounts::default();
    for word in words {
        let Some((new, kind)) = patch_word(*word) else { continue };
        *word = new;
        *match kind {
            Rewrite::Compare => &mut counts.compares,
            Rewrite::Truncation => &mut counts.truncations,
            Rewrite::SquareRoot => &mut counts.square_roots,
        } += 1;
    }
    counts
}

/// Rewrites the code of an ELF program in memory: its executable PROGBITS sections, without the data in them.
///
/// # Errors
/// The bytes are no ELF program for MIPS.
pub fn patch_bytes(bytes: &mut [u8]) -> Result<PatchReport> {
    let image = Image::parse(bytes)?;
    let mut report = PatchReport::default();
    for section in &image.sections {
        for (address, word) in section.code() {
            report.words += 1;
            let mut patched = [word];
            let counts = patch_words(&mut patched);
            if counts.total() == 0 {
                continue;
            }
            let at = section.file_offset + (address - section.address) as usize;
            bytes[at..at + 4].copy_from_slice(&patched[0].to_le_bytes());
            report.counts.compares += counts.compares;
            report.counts.truncations += counts.truncations;
            report.counts.square_roots += counts.square_roots;
        }
    }
    Ok(report)
}

/// Rewrites the code of an ELF program in place. A file that needs nothing is not written to.
///
/// # Errors
/// The file cannot be read or written, or is no ELF program for MIPS.
pub fn patch_file(path: &Path) -> Result<PatchReport> {
    let mut bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let report = patch_bytes(&mut bytes).with_context(|| format!("cannot patch {}", path.display()))?;
    if report.counts.total() > 0 {
        std::fs::write(path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elf::decode::{Cpu, decode};
    use proptest::prelude::*;

    fn patched(word: u32) -> u32 {
        let mut words = [word];
        patch_words(&mut words);
        words[0]
    }

    /// `c.<cond>.s $f2, $f4` with a function code.
    fn compare(funct: u32) -> u32 {
        0x4604_1000 | funct
    }

    #[test]
    fn each_comparison_becomes_the_one_that_agrees_where_nothing_is_unordered() {
        let expected = [0x30, 0x30, 0x32, 0x32, 0x34, 0x34, 0x36, 0x36];
        for (funct, kept) in (0x30..=0x3F).zip(expected.into_iter().cycle()) {
            assert_eq!(patched(compare(funct)), compare(kept), "function {funct:#x}");
        }
    }

    #[test]
    fn truncation_becomes_the_conversion_that_truncates() {
        assert_eq!(patched(0x4600_100D), 0x4600_1024);
    }

    #[test]
    fn the_square_root_operand_moves_to_the_field_that_is_read() {
        assert_eq!(patched(0x4600_6004), 0x460C_0004);
    }

    #[test]
    fn a_square_root_written_for_the_console_stays() {
        assert_eq!(patched(0x460C_0004), 0x460C_0004);
    }

    #[test]
    fn counts_say_how_many_of_each_kind_were_rewritten() {
        let mut words = [compare(0x35), compare(0x37), 0x4600_100D, 0x4600_6004, compare(0x34), 0];
        let counts = patch_words(&mut words);
        assert_eq!(counts, PatchCounts { compares: 2, truncations: 1, square_roots: 1 });
        assert_eq!(patch_words(&mut words), PatchCounts::default());
    }

    proptest! {
        #[test]
        fn words_outside_cop1_single_are_never_touched(word: u32) {
            prop_assume!(word >> 21 != COP1_S);
            prop_assert_eq!(patched(word), word);
        }

        #[test]
        fn patching_twice_changes_nothing_more(low in 0_u32..1 << 21) {
            let once = patched(COP1_S << 21 | low);
            prop_assert_eq!(patched(once), once);
            prop_assert_eq!(once >> 21, COP1_S);
        }

        #[test]
        fn a_valid_word_is_never_touched(low in 0_u32..1 << 21) {
            let word = COP1_S << 21 | low;
            if decode(Cpu::R5900, word).is_ok() {
                prop_assert_eq!(patched(word), word);
            }
        }
    }
}
