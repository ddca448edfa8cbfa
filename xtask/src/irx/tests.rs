//! Conversion as a whole: a small program written byte by byte, and hostile input.

use super::*;
use crate::irx::relocate::word;
use proptest::prelude::*;

const TEXT: u32 = 1;
const RODATA: u32 = 2;
const DATA: u32 = 3;
const ABSOLUTE: u32 = 4;
const UNDEFINED: u32 = 5;

const R_WORD: u32 = 2;
const R_JUMP: u32 = 4;
const R_HIGH: u32 = 5;
const R_LOW: u32 = 6;
const R_GPREL: u32 = 7;

const TEXT_WORDS: usize = 20;
const RODATA_AT: u32 = 4 * TEXT_WORDS as u32;
const DATA_AT: u32 = RODATA_AT + 16;
const BSS_AT: u32 = DATA_AT + 16;
const BSS_BYTES: u32 = 0x40;
const ENTRY: u32 = 0x28;

/// A section to be written.
#[derive(Clone)]
struct Section {
    kind: u32,
    flags: u32,
    address: u32,
    align: u32,
    bytes: Vec<u8>,
    /// Size in memory where that is not the size in the file.
    zeroed: u32,
    info: u32,
}

/// A program to be written: sections from index 1 on and relocations of the code and the data.
#[derive(Clone)]
struct Program {
    entry: u32,
    sections: Vec<Section>,
    text_relocations: Vec<[u32; 3]>,
    data_relocations: Vec<[u32; 3]>,
    with_id: bool,
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// An import of stdio, then code that calls it with two addresses; a name; an id, a pointer; zeroed data.
fn program() -> Program {
    let hi = |address: u32| (address + 0x8000) >> 16;
    let text = [
        0x41E0_0000,
        0,
        0x0102,
        u32::from_le_bytes(*b"stdi"),
        u32::from_le_bytes(*b"o\0\0\0"),
        0x03E0_0008,
        0x2400_0004,
        0,
        0,
        0,
        // 0x28: the entry.
        0x3C04_0000 | hi(RODATA_AT),
        0x2484_0000 | RODATA_AT,
        0x3C05_0000 | hi(BSS_AT),
        0x8CA5_0000 | BSS_AT,
        0x0C00_0005,
        0,
        0xACA5_0000 | (BSS_AT + 4),
        0x03E0_0008,
        0,
        0,
    ];
    let data = [RODATA_AT, 0x0000_0101, ENTRY, 7];
    let section = |flags, address, bytes| Section { kind: 1, flags, address, align: 16, bytes, zeroed: 0, info: 0 };
    let bss = Section { kind: 8, zeroed: BSS_BYTES, ..section(3, BSS_AT, Vec::new()) };
    Program {
        entry: ENTRY,
        sections: vec![
            section(6, 0, bytes_of(&text)),
            section(2, RODATA_AT, b"stream\0\0\0\0\0\0\0\0\0\0".to_vec()),
            section(3, DATA_AT, bytes_of(&data)),
            bss,
        ],
        text_relocations: vec![
            [0x28, R_HIGH, RODATA],
            [0x2C, R_LOW, RODATA],
            [0x30, R_HIGH, DATA],
            [0x34, R_LOW, DATA],
            [0x40, R_LOW, DATA],
            [0x38, R_JUMP, TEXT],
        ],
        data_relocations: vec![[DATA_AT, R_WORD, RODATA], [DATA_AT + 8, R_WORD, TEXT]],
        with_id: true,
    }
}

impl Program {
    fn elf(&self) -> Vec<u8> {
        let mut sections = self.sections.clone();
        let meta = |kind, bytes, info| Section { kind, flags: 0, address: 0, align: 4, bytes, zeroed: 0, info };
        let relocations = |list: &[[u32; 3]]| {
            bytes_of(&list.iter().flat_map(|&[offset, kind, symbol]| [offset, symbol << 8 | kind]).collect::<Vec<_>>())
        };
        sections.push(meta(9, relocations(&self.text_relocations), 1));
        sections.push(meta(9, relocations(&self.data_relocations), 3));
        let names = b"\0text\0rodata\0data\0absolute\0missing\0_irx_id\0".to_vec();
        let symbol = |name: u32, value: u32, section: u32| [name, value, 0, section << 16];
        let mut symbols = vec![symbol(0, 0, 0), symbol(1, 0, 1), symbol(6, RODATA_AT, 2), symbol(13, DATA_AT, 3)];
        symbols.extend([symbol(18, 0x1234, 0xFFF1), symbol(27, 0, 0)]);
        symbols.extend(self.with_id.then(|| symbol(35, DATA_AT, 3)));
        let strings = sections.len() as u32 + 2;
        sections.push(meta(2, bytes_of(&symbols.concat()), 1));
        sections.push(meta(3, names, 0));

        let (mut file, mut headers) = (vec![0; 52], vec![0_u32; 10]);
        for section in &sections {
            let link = if section.kind == 2 { strings } else { strings - 1 };
            let entry_size = match section.kind {
                2 => 16,
                9 => 8,
                _ => 0,
            };
            let size = section.bytes.len() as u32 + section.zeroed;
            headers.extend([0, section.kind, section.flags, section.address, file.len() as u32, size]);
            headers.extend([link, section.info, section.align, entry_size]);
            file.extend_from_slice(&section.bytes);
            file.resize(file.len().next_multiple_of(4), 0);
        }
        let table = file.len() as u32;
        file.extend(bytes_of(&headers));
        file[..16].copy_from_slice(b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0");
        let head = [0x0008_0002, 1, self.entry, 0, table, 0x1001, 52, 40 << 16, strings << 16 | (strings + 1)];
        file[16..52].copy_from_slice(&bytes_of(&head));
        file
    }
}

fn info() -> ModuleInfo {
    ModuleInfo { name: "stream".into(), version: 0x0101 }
}

fn module() -> Irx {
    read(&convert(&program().elf(), &info()).unwrap()).unwrap()
}

fn refusal(program: &Program) -> String {
    format!("{:#}", convert(&program.elf(), &info()).unwrap_err())
}

#[test]
fn a_module_keeps_what_the_program_says() {
    let module = module();
    assert_eq!((module.info, module.entry, module.id), (info(), ENTRY, Some(DATA_AT)));
    assert_eq!((module.text_size, module.data_size, module.bss_size), (RODATA_AT, 32, BSS_BYTES));
    assert_eq!(module.imports.len(), 1);
    assert_eq!((module.imports[0].library.as_str(), module.imports[0].functions.as_slice()), ("stdio", &[4][..]));
    assert_eq!(module.relocations.len(), 8);
}

#[test]
fn addresses_in_a_relocated_module_point_where_they_should() {
    const BASE: u32 = 0x0001_7FB0;
    let memory = module().relocated(BASE);
    assert_eq!(memory.len(), (BSS_AT + BSS_BYTES) as usize);
    let at = |offset| word(&memory, offset).unwrap();
    let address = |high, low| {
        let (high, low) = (at(high), at(low));
        (high << 16).wrapping_add_signed(i32::from(low as u16 as i16))
    };
    assert_eq!(address(0x28, 0x2C), BASE + RODATA_AT);
    assert_eq!(address(0x30, 0x34), BASE + BSS_AT);
    assert_eq!(address(0x30, 0x40), BASE + BSS_AT + 4);
    assert_eq!((at(0x38) & 0x03FF_FFFF) << 2, BASE + 0x14);
    assert_eq!((at(DATA_AT), at(DATA_AT + 8)), (BASE + RODATA_AT, BASE + ENTRY));
    assert_eq!((at(DATA_AT + 4), at(DATA_AT + 12), at(BSS_AT)), (0x0101, 7, 0));
}

#[test]
fn the_file_is_laid_out_as_the_loader_wants_it() {
    let file = convert(&program().elf(), &info()).unwrap();
    let at = |offset| word(&file, offset).unwrap();
    assert_eq!(at(0x10), 0x0008_FF80);
    assert_eq!(at(0x2C) & 0xFFFF, 2);
    let (record, image) = (52, 52 + 32);
    assert_eq!([at(record), at(record + 24), at(record + 28)], [0x7000_0080, 4, 4]);
    assert_eq!([at(image), at(image + 8), at(image + 24), at(image + 28)], [1, 0, 7, 16]);
    assert_eq!([at(image + 16), at(image + 20)], [BSS_AT, BSS_AT + BSS_BYTES]);
    let record_at = at(record + 4);
    let expected = [DATA_AT, ENTRY, BSS_AT + 0x7FF0, RODATA_AT, 32, BSS_BYTES];
    assert_eq!(std::array::from_fn(|index| at(record_at + 4 * index as u32)), expected);
    assert_eq!(&file[record_at as usize + 24..][..9], b"\x01\x01stream\0");
    // One zeroed header behind the last one.
    let (headers, count) = (at(0x20), at(0x30) & 0xFFFF);
    assert_eq!(file.len() as u32, headers + 40 * (count + 1));
    assert!(file[(headers + 40 * count) as usize..].iter().all(|&byte| byte == 0));
}

#[test]
fn a_module_without_an_id_is_named_by_its_record_alone() {
    let program = Program { with_id: false, ..program() };
    let module = read(&convert(&program.elf(), &info()).unwrap()).unwrap();
    assert_eq!((module.id, module.info), (None, info()));
}

#[test]
fn an_id_that_says_something_else_is_refused() {
    let other = ModuleInfo { version: 0x0102, ..info() };
    let error = convert(&program().elf(), &other).unwrap_err().to_string();
    assert_eq!(error, "_irx_id says stream 0x0101, the build says stream 0x0102");
    let mut program = program();
    program.data_relocations.remove(0);
    assert_eq!(refusal(&program), "the name pointer of _irx_id at 0x60 has no relocation");
}

#[test]
fn halves_in_another_order_are_put_right() {
    let mut program = program();
    // The upper halves of data and rodata, the lower half of rodata, then the lower halves of data.
    program.text_relocations[..4].rotate_left(2);
    program.text_relocations[1..4].rotate_left(1);
    assert_eq!(
        program.text_relocations[..4].iter().map(|entry| entry[0]).collect::<Vec<_>>(),
        [0x30, 0x28, 0x2C, 0x34]
    );
    let (mixed, straight) = (convert(&program.elf(), &info()).unwrap(), module());
    assert_eq!(read(&mixed).unwrap().relocated(0x0001_7FB0), straight.relocated(0x0001_7FB0));
}

#[test]
fn programs_that_cannot_become_modules_are_refused_with_the_reason() {
    type Spoil = fn(&mut Program);
    let cases: [(Spoil, &str); 13] = [
        (|p| p.entry = RODATA_AT, "the entry 0x50 is not in the code"),
        (|p| p.text_relocations[0][1] = R_GPREL, "does not know the relocation of type 7 at 0x28 for rodata"),
        (|p| p.text_relocations[5][2] = ABSOLUTE, "absolute, used at 0x38, would move with the module"),
        (|p| p.text_relocations[5][2] = UNDEFINED, "missing is not defined, but used at 0x38"),
        (|p| p.text_relocations[5][0] = 0x3A, "the relocation at 0x3a for text is at no word"),
        (|p| p.text_relocations[5][0] = BSS_AT, "the relocation at 0x70 for text is at no word"),
        (|p| _ = p.text_relocations.remove(1), "the upper half of an address at 0x28 has no lower half"),
        (|p| p.sections[1].align = 64, "wants 64 bytes of alignment: the loader keeps 16 only"),
        (|p| p.sections[0].address = 0x10, "is at 0x10: link the module at 0"),
        (|p| p.sections[2].flags = 6, "out of order: code, then data, then zeroed data"),
        (|p| p.sections[2].address = RODATA_AT, "overlaps the one before it"),
        (|p| p.sections[3].zeroed = 0x20_0000, "does not fit the IOP's memory"),
        (|p| p.sections[0].bytes[0x14] = 0, "the import table of stdio has something else than a stub at 0x14"),
    ];
    for (spoil, expected) in cases {
        let mut program = program();
        spoil(&mut program);
        assert!(refusal(&program).contains(expected), "{} lacks {expected}", refusal(&program));
    }
}

#[test]
fn an_import_table_among_the_constants_is_refused() {
    let mut program = Program { with_id: false, ..program() };
    program.sections[1].bytes[..8].copy_from_slice(&bytes_of(&[0x41E0_0000, 0]));
    assert!(refusal(&program).contains("the import table at 0x50 is not in the code"));
}

#[test]
fn a_program_without_relocations_is_refused() {
    let mut file = program().elf();
    let table = word(&file, 0x20).unwrap() as usize;
    for index in [5, 6] {
        file[table + 40 * index + 4] = 1;
    }
    let error = convert(&file, &info()).unwrap_err().to_string();
    assert_eq!(error, "the program has no relocations: link it with --emit-relocs");
}

#[test]
fn a_damaged_module_does_not_pass_the_proof() {
    let program = linked::read(&program().elf()).unwrap();
    let mut module = module();
    verify::verify(&program, &module).unwrap();
    module.relocations.swap(1, 2);
    assert!(verify::verify(&program, &module).is_err());
    module.relocations.swap(1, 2);
    module.image[0x44] ^= 1;
    let error = verify::verify(&program, &module).unwrap_err().to_string();
    assert_eq!(error, "loaded at 0x0, the word at 0x44 becomes 03e00009 instead of 03e00008");
}

/// Damage to a file: places and bytes, and where to cut it off.
fn damage() -> impl Strategy<Value = (Vec<(prop::sample::Index, u8)>, Option<prop::sample::Index>)> {
    (prop::collection::vec(any::<(prop::sample::Index, u8)>(), 0..16), any::<Option<prop::sample::Index>>())
}

fn damaged(mut file: Vec<u8>, (bytes, cut): (Vec<(prop::sample::Index, u8)>, Option<prop::sample::Index>)) -> Vec<u8> {
    for (at, value) in bytes {
        let at = at.index(file.len());
        file[at] = value;
    }
    file.truncate(cut.map_or(file.len(), |cut| cut.index(file.len())));
    file
}

proptest! {
    #[test]
    fn a_damaged_program_never_upsets_the_converter(damage in damage()) {
        let _ = convert(&damaged(program().elf(), damage), &info());
    }

    #[test]
    fn a_damaged_module_never_upsets_the_reader(damage in damage(), base: u32) {
        let file = convert(&program().elf(), &info()).unwrap();
        if let Ok(module) = read(&damaged(file, damage)) {
            module.relocated(base);
        }
    }

    #[test]
    fn any_bytes_are_refused_in_peace(bytes in prop::collection::vec(any::<u8>(), 0..256)) {
        prop_assert!(convert(&bytes, &info()).is_err());
        prop_assert!(read(&bytes).is_err());
    }

    #[test]
    fn whatever_the_base_every_address_moves_by_it(base in (0_u32..0x1F_0000).prop_map(|base| base & !15)) {
        let memory = module().relocated(base);
        let at = |offset| word(&memory, offset).unwrap();
        let low = at(0x34) as u16 as i16;
        prop_assert_eq!((at(0x30) << 16).wrapping_add_signed(i32::from(low)), base + BSS_AT);
    }
}
