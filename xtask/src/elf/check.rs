//! Runs all rules of a processor over a linked program.

use super::decode::Cpu;
use super::image::Image;
use super::report::Report;
use super::rules::{dma_statics, hi_lo, load_delays, opcodes, short_loops, vu0_hazards};
use crate::irx::tables::{EXPORT_MAGIC, HEADER_BYTES, IMPORT_MAGIC};
use anyhow::{Context as _, Result};
use std::ops::Range;
use std::path::Path;

/// Words before a library table's entries.
const TABLE_HEADER_WORDS: usize = HEADER_BYTES as usize / 4;

/// Checks a program for the EE. It must have been patched before.
///
/// # Errors
/// The file cannot be read or is no ELF program for MIPS.
pub fn check_ee(path: &Path) -> Result<Report> {
    let image = open(path)?;
    Ok(Report { subject: subject(path), functions: image.symbols.functions().count(), rules: ee_rules(&image) })
}

/// Checks a program for the IOP. Headers of import tables and all of export tables count as data.
///
/// # Errors
/// The file cannot be read or is no ELF program for MIPS.
pub fn check_iop(path: &Path) -> Result<Report> {
    let mut image = open(path)?;
    let tables = library_tables(&image);
    image.mark_data(tables);
    Ok(Report { subject: subject(path), functions: image.symbols.functions().count(), rules: iop_rules(&image) })
}

fn ee_rules(image: &Image) -> Vec<super::report::Rule> {
    vec![
        opcodes::check(image, Cpu::R5900),
        short_loops::check(image),
        dma_statics::check(image),
        vu0_hazards::check(image),
    ]
}

fn iop_rules(image: &Image) -> Vec<super::report::Rule> {
    vec![opcodes::check(image, Cpu::R3000A), load_delays::check(image), hi_lo::check(image)]
}

fn open(path: &Path) -> Result<Image> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Image::parse(&bytes).with_context(|| format!("cannot check {}", path.display()))
}

fn subject(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Where an IOP module's library tables hold data: the header of an import table (its stubs are code), all of an
/// export table up to its zero.
fn library_tables(image: &Image) -> Vec<Range<u32>> {
    let mut tables = Vec::new();
    for section in &image.sections {
        for (index, pair) in section.words.windows(2).enumerate() {
            let words = match pair {
                [IMPORT_MAGIC, 0] => TABLE_HEADER_WORDS,
                [EXPORT_MAGIC, 0] => export_words(&section.words[index..]),
                _ => continue,
            };
            let start = section.address + 4 * index as u32;
            tables.push(start..start + 4 * words as u32);
        }
    }
    tables
}

fn export_words(table: &[u32]) -> usize {
    let entries = table.get(TABLE_HEADER_WORDS..).unwrap_or_default();
    TABLE_HEADER_WORDS + entries.iter().position(|&word| word == 0).unwrap_or(entries.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: [u32; 2] = [0x6964_7473, 0x0000_006F];
    const JR_RA: u32 = 0x03E0_0008;

    #[test]
    fn an_import_table_is_data_up_to_its_stubs() {
        let words = [0, IMPORT_MAGIC, 0, 0x0102, NAME[0], NAME[1], JR_RA, 0x2400_0004, 0, 0];
        let image = Image::of_words(0x100, &words);
        assert_eq!(library_tables(&image), vec![Range { start: 0x104, end: 0x118 }]);
    }

    #[test]
    fn an_export_table_is_data_up_to_its_zero() {
        let words = [EXPORT_MAGIC, 0, 0x0101, NAME[0], NAME[1], 0x1234, 0x5678, 0, JR_RA, 0];
        let image = Image::of_words(0x100, &words);
        assert_eq!(library_tables(&image), vec![Range { start: 0x100, end: 0x11C }]);
    }

    #[test]
    fn library_tables_are_not_taken_for_code() {
        let words = [IMPORT_MAGIC, 0, 0x0102, NAME[0], NAME[1], JR_RA, 0x2400_0004, 0, 0];
        let mut image = Image::of_words(0x100, &words);
        assert!(!iop_rules(&image)[0].violations.is_empty());
        image.mark_data(library_tables(&image));
        assert!(iop_rules(&image).iter().all(|rule| rule.violations.is_empty()));
    }
}
