//! The linked program that becomes a module: its image at address 0 and its relocations.

use super::ModuleInfo;
use super::format::{ALIGNMENT, MEMORY_BYTES};
use super::relocate::{Kind, word};
use anyhow::{Context as _, Result, bail, ensure};
use object::LittleEndian as LE;
use object::elf::{
    EM_MIPS, FileHeader32, SHF_ALLOC, SHF_EXECINSTR, SHN_ABS, SHN_UNDEF, SHT_NOBITS, SHT_PROGBITS, SHT_SYMTAB,
    SectionHeader32,
};
use object::read::SectionIndex;
use object::read::elf::{FileHeader as _, Rel as _, SectionHeader as _, SectionTable, Sym as _, SymbolTable};

type Header = FileHeader32<LE>;
type Section = SectionHeader32<LE>;

/// A relocation as the linker kept it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkedRelocation {
    /// Address of the word.
    pub offset: u32,
    /// What depends on the load address.
    pub kind: Kind,
    /// Index of the symbol that it points to.
    pub symbol: u32,
    /// Index of the relocation section; halves of an address pair only within one.
    pub section: usize,
}

/// A program linked at 0.
#[derive(Clone, Debug)]
pub struct Linked {
    /// Code and data.
    pub image: Vec<u8>,
    /// Bytes of code at the begin of the image.
    pub text_size: u32,
    /// Zeroed bytes behind the image.
    pub bss_size: u32,
    /// Address of the first instruction.
    pub entry: u32,
    /// Address of `_irx_id`.
    pub id: Option<u32>,
    /// Relocations in file order.
    pub relocations: Vec<LinkedRelocation>,
}

impl Linked {
    /// Checks that the id in the image says what the module is called.
    ///
    /// # Errors
    /// Another name or version, or a name pointer that does not move with the image.
    pub fn check_id(&self, info: &ModuleInfo) -> Result<()> {
        let Some(id) = self.id else { return Ok(()) };
        let (Some(name), Some(version)) = (word(&self.image, id), word(&self.image, id.saturating_add(4))) else {
            bail!("_irx_id at {id:#x} lies outside code and data");
        };
        let moves = self.relocations.iter().any(|entry| entry.offset == id && entry.kind == Kind::Word);
        ensure!(moves, "the name pointer of _irx_id at {id:#x} has no relocation");
        let text = self.image.get(name as usize..).unwrap_or_default();
        let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
        ensure!(
            text == info.name.as_bytes() && version as u16 == info.version,
            "_irx_id says {} {:#06x}, the build says {} {:#06x}",
            String::from_utf8_lossy(text),
            version as u16,
            info.name,
            info.version
        );
        Ok(())
    }
}

/// Reads a linked program.
///
/// # Errors
/// A program that is not linked as a module must be; see the module's documentation.
pub fn read(elf: &[u8]) -> Result<Linked> {
    let header = Header::parse(elf).context("not a 32-bit ELF file")?;
    ensure!(header.is_little_endian() && header.e_machine(LE) == EM_MIPS, "not a little-endian program for MIPS");
    let sections = header.sections(LE, elf).context("unreadable section headers")?;
    let symbols = sections.symbols(LE, elf, SHT_SYMTAB).context("unreadable symbol table")?;
    let (image, text_size, bss_size) = layout(elf, &sections)?;
    let entry = header.e_entry(LE);
    ensure!(entry < text_size && entry.is_multiple_of(4), "the entry {entry:#x} is not in the code");
    let relocations = relocations(elf, &sections, &symbols, &image)?;
    Ok(Linked { id: id_symbol(&symbols), image, text_size, bss_size, entry, relocations })
}

fn is_allocated(section: &Section) -> bool {
    section.sh_flags(LE).contains(SHF_ALLOC) && section.sh_size(LE) > 0
}

/// The image, the size of its code and the size of the zeroed data behind it.
fn layout(elf: &[u8], sections: &SectionTable<'_, Header>) -> Result<(Vec<u8>, u32, u32)> {
    /// Parts of a module, in their order.
    #[derive(PartialEq, PartialOrd)]
    enum Part {
        Code,
        Data,
        Zeroed,
    }
    let mut allocated: Vec<_> = sections.iter().filter(|section| is_allocated(section)).collect();
    allocated.sort_by_key(|section| section.sh_addr(LE));
    let (mut image, mut text_size, mut end, mut part) = (Vec::new(), 0, 0, Part::Code);
    for section in allocated {
        let name = String::from_utf8_lossy(sections.section_name(LE, section).unwrap_or_default());
        let (address, size, align) = (section.sh_addr(LE), section.sh_size(LE), section.sh_addralign(LE));
        ensure!(end > 0 || address == 0, "the first section, {name}, is at {address:#x}: link the module at 0");
        ensure!(address >= end, "section {name} at {address:#x} overlaps the one before it");
        ensure!(
            align <= ALIGNMENT,
            "section {name} wants {align} bytes of alignment: the loader keeps {ALIGNMENT} only"
        );
        let this = match section.sh_type(LE) {
            SHT_NOBITS => Part::Zeroed,
            SHT_PROGBITS if section.sh_flags(LE).contains(SHF_EXECINSTR) => Part::Code,
            SHT_PROGBITS => Part::Data,
            other => bail!("section {name} of type {:#x} cannot be a part of a module", other.0),
        };
        ensure!(this >= part, "section {name} is out of order: code, then data, then zeroed data");
        end = address.checked_add(size).filter(|&end| end <= MEMORY_BYTES).with_context(|| {
            format!("section {name} of {size:#x} bytes at {address:#x} does not fit the IOP's memory")
        })?;
        if this != Part::Zeroed {
            let bytes = section.data(LE, elf).with_context(|| format!("section {name} lies outside the file"))?;
            image.resize(address as usize, 0);
            image.extend_from_slice(bytes);
        }
        if this == Part::Code {
            text_size = end;
        }
        part = this;
    }
    ensure!(text_size > 0, "the program has no code");
    ensure!(text_size.is_multiple_of(4), "the code ends within a word: align its end in the linker script");
    let bss_size = end - image.len() as u32;
    Ok((image, text_size, bss_size))
}

fn id_symbol(symbols: &SymbolTable<'_, Header>) -> Option<u32> {
    let named = |symbol: &&object::elf::Sym32<LE>| symbol.name(LE, symbols.strings()) == Ok(b"_irx_id".as_slice());
    symbols.iter().find(named).map(|symbol| symbol.st_value(LE))
}

fn relocations(
    elf: &[u8],
    sections: &SectionTable<'_, Header>,
    symbols: &SymbolTable<'_, Header>,
    image: &[u8],
) -> Result<Vec<LinkedRelocation>> {
    let mut all = Vec::new();
    let mut seen = false;
    for (index, section) in sections.iter().enumerate() {
        let target = sections.section(SectionIndex(section.sh_info(LE) as usize));
        if !target.is_ok_and(is_allocated) {
            continue;
        }
        let Some((entries, _)) = section.rel(LE, elf).context("unreadable relocations")? else { continue };
        seen = true;
        for entry in entries {
            all.extend(relocation(symbols, image, index, entry)?);
        }
    }
    ensure!(seen, "the program has no relocations: link it with --emit-relocs");
    Ok(all)
}

fn relocation(
    symbols: &SymbolTable<'_, Header>,
    image: &[u8],
    section: usize,
    entry: &object::elf::Rel32<LE>,
) -> Result<Option<LinkedRelocation>> {
    let (offset, number, symbol) = (entry.r_offset(LE), entry.r_type(LE), entry.r_sym(LE));
    let found = symbols.symbol(object::SymbolIndex(symbol as usize)).context("a relocation names no symbol")?;
    let name = String::from_utf8_lossy(found.name(LE, symbols.strings()).unwrap_or_default()).into_owned();
    let kind = match Kind::from_elf(number.0) {
        Some(Kind::Nothing) => return Ok(None),
        Some(kind) => kind,
        None => bail!("the IOP's loader does not know the relocation of type {} at {offset:#x} for {name}", number.0),
    };
    ensure!(found.st_shndx(LE) != SHN_UNDEF, "{name} is not defined, but used at {offset:#x}");
    ensure!(
        found.st_shndx(LE) != SHN_ABS,
        "{name}, used at {offset:#x}, would move with the module although it is absolute: define it inside an output \
         section"
    );
    ensure!(
        offset.is_multiple_of(4) && word(image, offset).is_some(),
        "the relocation at {offset:#x} for {name} is at no word of code or data"
    );
    Ok(Some(LinkedRelocation { offset, kind, symbol, section }))
}
