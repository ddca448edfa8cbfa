//! Import and export tables of IOP modules. Source: IOP facts 2.

use super::relocate::word;
use anyhow::{Result, bail, ensure};
use std::ops::Range;

/// First word of an import table.
pub const IMPORT_MAGIC: u32 = 0x41E0_0000;
/// First word of an export table.
pub const EXPORT_MAGIC: u32 = 0x41C0_0000;
/// Bytes before a table's entries: magic, zero, version and mode, eight letters of name.
pub const HEADER_BYTES: u32 = 20;
/// `jr $ra`, a stub's first word until it is linked.
const RETURN: u32 = 0x03E0_0008;
/// Opcode of `j`, a linked stub's first word.
const JUMP_OPCODE: u32 = 0x02;
/// Upper half of `addiu $zero, $zero, number`, a stub's second word.
const STUB_NUMBER: u32 = 0x2400;

/// A library that a module calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// Where the table begins in the image.
    pub offset: u32,
    /// The library's name, at most eight letters.
    pub library: String,
    /// Major version in the high byte, minor in the low one.
    pub version: u16,
    /// Function numbers in the order of their stubs.
    pub functions: Vec<u16>,
}

/// A library that a module offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Where the table begins in the image.
    pub offset: u32,
    /// The library's name, at most eight letters.
    pub library: String,
    /// Major version in the high byte, minor in the low one.
    pub version: u16,
    /// Addresses of the functions by number, as linked at 0.
    pub functions: Vec<u32>,
}

/// The tables of a module's code.
pub type Tables = (Vec<Import>, Vec<Export>);

/// Finds all tables in the first `text_size` bytes of an image.
///
/// # Errors
/// A table that the loader would refuse or misread.
pub fn find(image: &[u8], text_size: u32) -> Result<Tables> {
    let text = image.get(..text_size as usize).unwrap_or(image);
    let (mut imports, mut exports) = (Vec::new(), Vec::new());
    for offset in (0..text.len() as u32).step_by(4) {
        match (word(text, offset), word(text, offset.wrapping_add(4))) {
            (Some(IMPORT_MAGIC), Some(0)) => imports.push(import(text, offset)?),
            (Some(EXPORT_MAGIC), Some(0)) => exports.push(export(text, offset)?),
            _ => {}
        }
    }
    Ok((imports, exports))
}

/// Where an image holds tables that are outside its code, and would be overlooked.
pub fn first_import_in(image: &[u8], range: Range<u32>) -> Option<u32> {
    range.step_by(4).find(|&at| word(image, at) == Some(IMPORT_MAGIC) && word(image, at + 4) == Some(0))
}

fn header(text: &[u8], offset: u32) -> Result<(String, u16)> {
    let version = word(text, offset + 8).map(|word| word as u16);
    let name = text.get(offset as usize + 12..).and_then(<[u8]>::first_chunk::<8>);
    let (Some(version), Some(name)) = (version, name) else { bail!("the table at {offset:#x} ends within its header") };
    let length = name.iter().position(|&letter| letter == 0).unwrap_or(name.len());
    let (letters, padding) = name.split_at(length);
    ensure!(
        !letters.is_empty() && letters.iter().all(u8::is_ascii_graphic) && padding.iter().all(|&byte| byte == 0),
        "the table at {offset:#x} has no proper library name"
    );
    Ok((letters.iter().copied().map(char::from).collect(), version))
}

fn import(text: &[u8], offset: u32) -> Result<Import> {
    let (library, version) = header(text, offset)?;
    let mut functions = Vec::new();
    let mut stub = offset + HEADER_BYTES;
    loop {
        let (Some(jump), Some(number)) = (word(text, stub), word(text, stub + 4)) else {
            bail!("the import table of {library} at {offset:#x} is not ended by two zero words within the code");
        };
        if (jump, number) == (0, 0) {
            break;
        }
        let is_stub = (jump == RETURN || jump >> 26 == JUMP_OPCODE) && number >> 16 == STUB_NUMBER;
        ensure!(is_stub, "the import table of {library} has something else than a stub at {stub:#x}");
        functions.push(number as u16);
        stub += 8;
    }
    ensure!(!functions.is_empty(), "the import table of {library} at {offset:#x} has no stub");
    Ok(Import { offset, library, version, functions })
}

fn export(text: &[u8], offset: u32) -> Result<Export> {
    let (library, version) = header(text, offset)?;
    let mut functions = Vec::new();
    loop {
        let at = offset + HEADER_BYTES + 4 * functions.len() as u32;
        match word(text, at) {
            Some(0) => return Ok(Export { offset, library, version, functions }),
            Some(function) => functions.push(function),
            None => bail!("the export table of {library} at {offset:#x} is not ended by a zero within the code"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STDIO: [u32; 2] = [u32::from_le_bytes(*b"stdi"), u32::from_le_bytes(*b"o\0\0\0")];

    fn tables(words: &[u32]) -> Result<Tables> {
        let image: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        find(&image, image.len() as u32)
    }

    fn import_with(stubs: &[u32]) -> Result<Tables> {
        let mut words = vec![0, IMPORT_MAGIC, 0, 0x0102, STDIO[0], STDIO[1]];
        words.extend(stubs);
        tables(&words)
    }

    #[test]
    fn an_import_table_gives_library_version_and_numbers() {
        let (imports, exports) = import_with(&[RETURN, 0x2400_0004, 0x0800_1234, 0x2400_000E, 0, 0]).unwrap();
        let expected = Import { offset: 4, library: "stdio".into(), version: 0x0102, functions: vec![4, 14] };
        assert_eq!((imports, exports), (vec![expected], vec![]));
    }

    #[test]
    fn import_tables_that_the_loader_refuses_are_refused() {
        for stubs in [
            [0, 0].as_slice(),                 // no stub
            &[RETURN, 0x2400_0004],            // no end
            &[RETURN, 0x2400_0004, 0],         // half an end
            &[RETURN, 0x2401_0004, 0, 0],      // not addiu $zero, $zero
            &[0x0000_0000, 0x2400_0004, 0, 0], // not a jump
        ] {
            assert!(import_with(stubs).is_err(), "{stubs:x?}");
        }
        assert!(tables(&[IMPORT_MAGIC, 0, 0x0102, 0, 0, RETURN, 0x2400_0004, 0, 0]).is_err(), "no name");
    }

    #[test]
    fn an_export_table_gives_its_functions() {
        let (_, exports) = tables(&[EXPORT_MAGIC, 0, 0x0201, STDIO[0], STDIO[1], 0x40, 0x48, 0, 7]).unwrap();
        let expected = Export { offset: 0, library: "stdio".into(), version: 0x0201, functions: vec![0x40, 0x48] };
        assert_eq!(exports, [expected]);
    }

    #[test]
    fn an_export_table_without_end_is_refused() {
        assert!(tables(&[EXPORT_MAGIC, 0, 0x0201, STDIO[0], STDIO[1], 0x40]).is_err());
    }
}
