//! Lays an IRX file out: headers, the module's record, the image, relocations, section names and headers.

use super::ModuleInfo;
use super::format::{
    ALIGNMENT, GP_OFFSET, HEADER_BYTES, NO_ID, PROGRAM_HEADER_BYTES, PROGRAM_HEADERS, RECORD_TYPE, RELOCATION_BYTES,
    SECTION_HEADER_BYTES, TYPE,
};
use super::linked::Linked;
use super::relocate::Relocation;
use object::elf::{EM_MIPS, PT_LOAD, SHT_PROGBITS, SHT_REL, SHT_STRTAB};

/// Names of the sections. The first byte is the empty name.
const NAMES: &[u8] = b"\0.iopmod\0.text\0.rel.text\0.shstrtab\0";
const NAME_RECORD: u32 = 1;
const NAME_IMAGE: u32 = 9;
const NAME_RELOCATIONS: u32 = 15;
const NAME_NAMES: u32 = 25;
const SECTIONS: usize = 5;
/// `e_flags`: the code is in its final order.
const NOREORDER: u32 = 1;
const READ: u32 = 4;
const READ_WRITE_EXECUTE: u32 = 7;
const ALLOCATED_WRITABLE_CODE: u32 = 7;

/// Where a part of the file lies.
#[derive(Clone, Copy)]
struct Part {
    offset: u32,
    size: u32,
}

/// A file that grows.
#[derive(Default)]
struct File(Vec<u8>);

impl File {
    fn words(&mut self, words: &[u32]) {
        self.0.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    fn halves(&mut self, halves: &[u16]) {
        self.0.extend(halves.iter().flat_map(|half| half.to_le_bytes()));
    }

    /// Adds a part on a multiple of `align`.
    fn part(&mut self, bytes: &[u8], align: usize) -> Part {
        self.0.resize(self.0.len().next_multiple_of(align), 0);
        let offset = self.0.len() as u32;
        self.0.extend_from_slice(bytes);
        Part { offset, size: bytes.len() as u32 }
    }
}

/// Writes a module.
pub(super) fn write(program: &Linked, info: &ModuleInfo, relocations: &[Relocation]) -> Vec<u8> {
    let headers = HEADER_BYTES + usize::from(PROGRAM_HEADERS) * PROGRAM_HEADER_BYTES;
    let mut file = File(vec![0; headers]);
    let record = file.part(&record(program, info), 4);
    let image = file.part(&program.image, ALIGNMENT as usize);
    let relocations = file.part(&relocation_bytes(relocations), 4);
    let names = file.part(NAMES, 1);
    let section_headers = file.part(&section_headers(record, image, relocations, names), 4);
    // The loader looks at one section header more than there are.
    file.part(&[0; SECTION_HEADER_BYTES], 1);

    let mut head = File::default();
    head.0.extend(*b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0");
    head.halves(&[TYPE, EM_MIPS.0]);
    head.words(&[1, program.entry, HEADER_BYTES as u32, section_headers.offset, NOREORDER]);
    head.halves(&[HEADER_BYTES as u16, PROGRAM_HEADER_BYTES as u16, PROGRAM_HEADERS]);
    head.halves(&[SECTION_HEADER_BYTES as u16, SECTIONS as u16, SECTIONS as u16 - 1]);
    head.words(&[RECORD_TYPE, record.offset, 0, 0, record.size, 0, READ, 4]);
    let memory = image.size + program.bss_size;
    head.words(&[PT_LOAD.0, image.offset, 0, 0, image.size, memory, READ_WRITE_EXECUTE, ALIGNMENT]);
    file.0[..headers].copy_from_slice(&head.0);
    file.0
}

fn record(program: &Linked, info: &ModuleInfo) -> Vec<u8> {
    let size = program.image.len() as u32;
    let mut record = File::default();
    record.words(&[program.id.unwrap_or(NO_ID), program.entry]);
    // Our choice: modules of ours do not use the global pointer; it gets the place that others' have.
    record.words(&[size + GP_OFFSET, program.text_size, size - program.text_size, program.bss_size]);
    record.halves(&[info.version]);
    record.0.extend_from_slice(info.name.as_bytes());
    record.0.push(0);
    record.0
}

fn relocation_bytes(relocations: &[Relocation]) -> Vec<u8> {
    let mut table = File::default();
    for relocation in relocations {
        table.words(&[relocation.offset, relocation.kind.to_elf()]);
    }
    table.0
}

fn section_headers(record: Part, image: Part, relocations: Part, names: Part) -> Vec<u8> {
    const IMAGE_INDEX: u32 = 2;
    let mut table = File(vec![0; SECTION_HEADER_BYTES]);
    table.words(&[NAME_RECORD, RECORD_TYPE, 0, 0, record.offset, record.size, 0, 0, 4, 0]);
    let image_words = [image.offset, image.size, 0, 0, ALIGNMENT, 0];
    table.words(&[NAME_IMAGE, SHT_PROGBITS.0, ALLOCATED_WRITABLE_CODE, 0]);
    table.words(&image_words);
    table.words(&[NAME_RELOCATIONS, SHT_REL.0, 0, 0, relocations.offset, relocations.size]);
    table.words(&[0, IMAGE_INDEX, 4, RELOCATION_BYTES as u32]);
    table.words(&[NAME_NAMES, SHT_STRTAB.0, 0, 0, names.offset, names.size, 0, 0, 1, 0]);
    table.0
}
