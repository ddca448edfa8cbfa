//! Reads an IRX file and checks what the loader relies on.

use super::format::{
    MEMORY_BYTES, NO_ID, PROGRAM_HEADER_BYTES, PROGRAM_HEADERS, RECORD_BYTES, RECORD_TYPE, RELOCATION_BYTES,
    SECTION_HEADER_BYTES, TYPE,
};
use super::relocate::{Kind, Relocation, word};
use super::{Irx, ModuleInfo, tables};
use anyhow::{Context as _, Result, bail, ensure};
use object::elf::{EM_MIPS, PT_LOAD, SHT_REL};
use std::ops::Range;

/// A program or section header, as far as it counts here.
struct Header {
    kind: u32,
    file: Range<usize>,
}

/// Little-endian fields of a file.
#[derive(Clone, Copy)]
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn word(self, offset: usize) -> Result<u32> {
        let offset = u32::try_from(offset)?;
        word(self.0, offset).with_context(|| format!("the file ends before {offset:#x}"))
    }

    fn half(self, offset: usize) -> Result<u16> {
        let bytes = self.0.get(offset..).and_then(<[u8]>::first_chunk::<2>);
        Ok(u16::from_le_bytes(*bytes.with_context(|| format!("the file ends before {offset:#x}"))?))
    }

    fn range(self, offset: u32, size: u32) -> Result<Range<usize>> {
        let range = offset as usize..offset as usize + size as usize;
        ensure!(range.end <= self.0.len(), "{size:#x} bytes at {offset:#x} lie outside the file");
        Ok(range)
    }

    fn program_header(self, at: usize) -> Result<Header> {
        let file = self.range(self.word(at + 4)?, self.word(at + 16)?)?;
        Ok(Header { kind: self.word(at)?, file })
    }
}

/// Reads a module.
///
/// # Errors
/// Anything that the loader would refuse, misread or fall over.
pub fn read(bytes: &[u8]) -> Result<Irx> {
    let file = Fields(bytes);
    ensure!(bytes.starts_with(b"\x7fELF\x01\x01"), "not a 32-bit little-endian ELF file");
    ensure!(file.half(0x10)? == TYPE && file.half(0x12)? == EM_MIPS.0, "not an IOP module");
    let (program_headers, entry) = (file.word(0x1C)? as usize, file.word(0x18)?);
    let expected = (PROGRAM_HEADER_BYTES as u16, PROGRAM_HEADERS);
    ensure!((file.half(0x2A)?, file.half(0x2C)?) == expected, "a module has two program headers of 32 bytes");
    let record = file.program_header(program_headers)?;
    let load = file.program_header(program_headers + PROGRAM_HEADER_BYTES)?;
    ensure!(record.kind == RECORD_TYPE && load.kind == PT_LOAD.0, "the program headers are not record and image");
    let second = program_headers + PROGRAM_HEADER_BYTES;
    let (address, memory) = (file.word(second + 8)?, file.word(second + 20)?);
    ensure!(address == 0, "the image is linked at {address:#x}, not at 0");
    ensure!(memory <= MEMORY_BYTES, "the module's {memory:#x} bytes do not fit the IOP's memory");

    let image = bytes[load.file].to_vec();
    let record = Fields(&bytes[record.file]);
    let [text_size, data_size, bss_size] = [record.word(12)?, record.word(16)?, record.word(20)?];
    let (text, data, bss) = (u64::from(text_size), u64::from(data_size), u64::from(bss_size));
    ensure!(
        text + data == image.len() as u64 && text + data + bss == u64::from(memory),
        "the record's sizes are not those of the image"
    );
    ensure!(record.word(4)? == entry && entry < text_size && entry.is_multiple_of(4), "the entry is not in the code");
    let id = Some(record.word(0)?).filter(|&id| id != NO_ID);
    ensure!(id.is_none_or(|id| word(&image, id).is_some()), "the id lies outside the image");
    let (imports, exports) = tables::find(&image, text_size)?;
    if let Some(at) = tables::first_import_in(&image, text_size.next_multiple_of(4)..image.len() as u32) {
        bail!("the import table at {at:#x} is not in the code, where the loader looks for it");
    }
    Ok(Irx {
        info: ModuleInfo { name: name(record)?, version: record.half(24)? },
        id,
        entry,
        gp: record.word(8)?,
        text_size,
        data_size,
        bss_size,
        relocations: relocations(file, &image)?,
        image,
        imports,
        exports,
    })
}

fn name(record: Fields<'_>) -> Result<String> {
    let letters = record.0.get(RECORD_BYTES..).unwrap_or_default();
    let end = letters.iter().position(|&letter| letter == 0).context("the record's name has no end")?;
    Ok(String::from_utf8_lossy(&letters[..end]).into_owned())
}

fn relocations(file: Fields<'_>, image: &[u8]) -> Result<Vec<Relocation>> {
    let (table, count) = (file.word(0x20)?, file.half(0x30)?);
    ensure!(usize::from(file.half(0x2E)?) == SECTION_HEADER_BYTES, "section headers have 40 bytes");
    // The loader looks at one header more than there are.
    let headers = file.range(table, (u32::from(count) + 1) * SECTION_HEADER_BYTES as u32)?;
    let mut all = Vec::new();
    for header in headers.step_by(SECTION_HEADER_BYTES).skip(1) {
        if file.word(header + 4)? != SHT_REL.0 {
            continue;
        }
        let entries = file.range(file.word(header + 16)?, file.word(header + 20)?)?;
        ensure!(entries.len().is_multiple_of(RELOCATION_BYTES), "a relocation is cut off");
        let first = all.len();
        for entry in entries.step_by(RELOCATION_BYTES) {
            all.push(relocation(file, image, entry)?);
        }
        check_pairs(&all[first..])?;
    }
    Ok(all)
}

fn relocation(file: Fields<'_>, image: &[u8], entry: usize) -> Result<Relocation> {
    let (offset, number) = (file.word(entry)?, file.word(entry + 4)? & 0xFF);
    let kind = Kind::from_elf(number).with_context(|| format!("unknown relocation type {number} at {offset:#x}"))?;
    let in_image = offset.is_multiple_of(4) && word(image, offset).is_some();
    ensure!(in_image, "the relocation at {offset:#x} is at no word of the image");
    Ok(Relocation { offset, kind })
}

/// Upper halves are followed by the word that holds their lower half, before that one is changed.
fn check_pairs(table: &[Relocation]) -> Result<()> {
    for (index, relocation) in table.iter().enumerate().filter(|(_, entry)| entry.kind == Kind::High) {
        let next = table.get(index + 1).map(|next| next.kind);
        let paired = matches!(next, Some(Kind::Low | Kind::Nothing));
        ensure!(paired, "the upper half at {:#x} is not followed by its lower half", relocation.offset);
    }
    Ok(())
}
