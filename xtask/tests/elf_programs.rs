//! The patcher and the checkers on whole files: small programs written with `object`.

use object::write::{Object, SectionId, StandardSection, Symbol, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, File, Object as _, ObjectSection as _, SectionKind, SymbolFlags,
    SymbolKind, SymbolScope,
};
use proptest::prelude::*;
use std::path::PathBuf;
use tempfile::TempDir;
use xtask::elf::check::{check_ee, check_iop};
use xtask::elf::image::Image;
use xtask::elf::patch::{patch_bytes, patch_file};

const NOP: u32 = 0;
const JR_RA: u32 = 0x03E0_0008;
const C_ULT: u32 = 0x4604_1035;
const C_LT: u32 = 0x4604_1034;
const TRUNC: u32 = 0x4600_100D;
const CVT: u32 = 0x4600_1024;
const SQRT_MIPS: u32 = 0x4600_6004;
const SQRT_EE: u32 = 0x460C_0004;
const LL: u32 = 0xC082_0000;
const LW: u32 = 0x8C82_0000;
const USE_OF_LOADED: u32 = 0x0042_1821;

/// A program that is being written.
struct Program(Object<'static>);

impl Program {
    fn new() -> Self {
        Self(Object::new(BinaryFormat::Elf, Architecture::Mips, Endianness::Little))
    }

    fn add(&mut self, section: &str, kind: SectionKind, words: &[u32]) -> (SectionId, u64) {
        let id = if section == ".text" {
            self.0.section_id(StandardSection::Text)
        } else {
            self.0.add_section(Vec::new(), section.into(), kind)
        };
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        (id, self.0.append_section_data(id, &bytes, 4))
    }

    fn symbol(&mut self, name: &str, kind: SymbolKind, (section, value): (SectionId, u64), words: &[u32]) {
        self.0.add_symbol(Symbol {
            name: name.into(),
            value,
            size: 4 * words.len() as u64,
            kind,
            scope: SymbolScope::Compilation,
            weak: false,
            section: SymbolSection::Section(section),
            flags: SymbolFlags::None,
        });
    }

    fn function(mut self, name: &str, words: &[u32]) -> Self {
        let place = self.add(".text", SectionKind::Text, words);
        self.symbol(name, SymbolKind::Text, place, words);
        self
    }

    fn constant(mut self, name: &str, section: &str, kind: SectionKind, words: &[u32]) -> Self {
        let place = self.add(section, kind, words);
        self.symbol(name, SymbolKind::Data, place, words);
        self
    }

    fn bytes(self) -> Vec<u8> {
        self.0.write().unwrap()
    }

    fn saved(self) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program.elf");
        std::fs::write(&path, self.bytes()).unwrap();
        (folder, path)
    }
}

fn words_of(bytes: &[u8], section: &str) -> Vec<u32> {
    let file = File::parse(bytes).unwrap();
    let data = file.section_by_name(section).unwrap().data().unwrap();
    data.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

fn float_program() -> Program {
    Program::new()
        .function("floats", &[C_ULT, TRUNC, SQRT_MIPS, JR_RA, NOP])
        .constant("table_in_text", ".text", SectionKind::Text, &[C_ULT])
        .constant("table", ".rodata", SectionKind::ReadOnlyData, &[C_ULT, TRUNC, SQRT_MIPS])
}

#[test]
fn patching_rewrites_code_and_leaves_data_alone() {
    let (_folder, path) = float_program().saved();
    let report = patch_file(&path).unwrap();
    assert_eq!(report.to_string(), "5 words: 1 compares, 1 truncations, 1 square roots rewritten");
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(words_of(&bytes, ".text"), [C_LT, CVT, SQRT_EE, JR_RA, NOP, C_ULT]);
    assert_eq!(words_of(&bytes, ".rodata"), [C_ULT, TRUNC, SQRT_MIPS]);
}

#[test]
fn patching_a_file_twice_changes_nothing() {
    let (_folder, path) = float_program().saved();
    patch_file(&path).unwrap();
    let once = std::fs::read(&path).unwrap();
    assert_eq!(patch_file(&path).unwrap().counts.total(), 0);
    assert_eq!(std::fs::read(&path).unwrap(), once);
}

#[test]
fn a_program_passes_the_ee_check_only_when_it_is_patched() {
    let (_folder, path) = float_program().saved();
    let report = check_ee(&path).unwrap();
    assert_eq!(report.rules[0].violations.len(), 3);
    assert!(!report.passed());
    patch_file(&path).unwrap();
    let report = check_ee(&path).unwrap();
    assert!(report.passed(), "{report}");
}

#[test]
fn a_violation_is_named_after_its_function() {
    let (_folder, path) = Program::new()
        .function("_ZN9boardwalk5tasks4step17h0123456789abcdefE", &[NOP, JR_RA, NOP])
        .function("_ZN9boardwalk5tasks4lock17h0123456789abcdefE", &[NOP, LL, JR_RA, NOP])
        .saved();
    let report = check_ee(&path).unwrap();
    assert_eq!(report.functions, 2);
    let [violation] = report.rules[0].violations.as_slice() else { panic!("{report}") };
    assert_eq!((violation.place.as_str(), violation.address), ("boardwalk::tasks::lock+0x4", 0x10));
}

#[test]
fn a_load_delay_is_caught_on_the_iop_and_fine_on_the_ee() {
    let (_folder, path) = Program::new().function("uses_early", &[LW, USE_OF_LOADED, JR_RA, NOP]).saved();
    assert!(check_ee(&path).unwrap().passed());
    let report = check_iop(&path).unwrap();
    assert!(!report.passed());
    let expected = "$2 is used at 00000004 by addu directly after lw  in uses_early";
    assert!(report.to_string().contains(expected), "{report}");
}

#[test]
fn a_dma_static_is_found_through_the_symbol_table() {
    let with_words = |words| Program::new().constant("DMA_PACKETS", ".data", SectionKind::Data, words).saved();
    let (_folder, path) = with_words(&[0; 16]);
    let report = check_ee(&path).unwrap();
    assert!(report.passed() && report.to_string().contains("1 statics"), "{report}");
    let (_folder, path) = with_words(&[0; 15]);
    let report = check_ee(&path).unwrap();
    assert!(report.to_string().contains("its 60 bytes are no multiple of 64  in DMA_PACKETS"), "{report}");
}

#[test]
fn a_program_for_another_machine_is_refused() {
    let bytes = Object::new(BinaryFormat::Elf, Architecture::Arm, Endianness::Little).write().unwrap();
    let error = Image::parse(&bytes).unwrap_err().to_string();
    assert!(error.contains("not a program for MIPS"), "{error}");
}

#[test]
fn code_that_ends_within_a_word_is_refused() {
    let mut program = Program::new();
    let (id, _) = program.add(".text", SectionKind::Text, &[NOP]);
    program.0.append_section_data(id, &[0], 1);
    let error = Image::parse(&program.bytes()).unwrap_err().to_string();
    assert!(error.contains(".text is no whole number of words"), "{error}");
}

proptest! {
    #[test]
    fn damaged_files_give_errors_and_never_panics(
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = float_program().bytes();
        for (at, value) in damage {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let mut cut_off = bytes[..cut.index(bytes.len())].to_vec();
        let _ = patch_bytes(&mut bytes);
        let _ = patch_bytes(&mut cut_off);
    }
}
