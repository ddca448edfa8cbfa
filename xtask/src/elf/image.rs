//! An ELF program as the patcher and the rules see it: executable words, functions, statics.

use super::symbols::{Symbols, demangled};
use anyhow::{Context as _, Result, bail, ensure};
use object::LittleEndian;
use object::elf::{EM_MIPS, FileHeader32, SHF_EXECINSTR, SHT_PROGBITS};
use object::read::elf::{ElfFile32, FileHeader as _, SectionHeader as _};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind, SymbolSection};
use std::ops::Range;

/// The files that linkers make for both processors.
pub type ElfFile<'data> = ElfFile32<'data, LittleEndian>;

/// An executable PROGBITS section.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its name in the file.
    pub name: String,
    /// Where its first word runs.
    pub address: u32,
    /// Where its first word lies in the file, in bytes.
    pub file_offset: usize,
    /// Its words.
    pub words: Vec<u32>,
    /// Addresses of data among the code, ascending and disjoint once [`Image::mark_data`] has sorted them.
    data: Vec<Range<u32>>,
}

impl Section {
    /// Addresses of the section.
    pub fn range(&self) -> Range<u32> {
        self.address..self.address + 4 * self.words.len() as u32
    }

    /// The word at an address, code or data.
    pub fn word(&self, address: u32) -> Option<u32> {
        let offset = address.checked_sub(self.address)?;
        (offset.is_multiple_of(4)).then(|| self.words.get(offset as usize / 4).copied()).flatten()
    }

    /// Every word that is code, with its address.
    pub fn code(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let addresses = self.range().step_by(4);
        addresses.zip(self.words.iter().copied()).filter(|&(address, _)| !self.is_data(address))
    }

    fn is_data(&self, address: u32) -> bool {
        let after = self.data.partition_point(|range| range.start <= address);
        after.checked_sub(1).is_some_and(|index| self.data[index].contains(&address))
    }
}

/// A static of the program.
#[derive(Clone, Debug)]
pub struct Static {
    /// Demangled name with its path.
    pub name: String,
    /// Output section that holds it.
    pub section: String,
    /// Address in bytes.
    pub address: u32,
    /// Size in bytes.
    pub size: u32,
}

/// An ELF program, opened.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// Executable sections in file order.
    pub sections: Vec<Section>,
    /// Functions by address.
    pub symbols: Symbols,
    /// Statics in symbol table order.
    pub statics: Vec<Static>,
}

impl Image {
    /// Opens a program. Data symbols with a size inside executable sections are data, everything else there is code.
    ///
    /// # Errors
    /// The bytes are no 32-bit little-endian MIPS ELF file, or an executable section is no whole number of words.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let file = ElfFile::parse(bytes).context("not a 32-bit little-endian ELF file")?;
        let machine = FileHeader32::<LittleEndian>::e_machine(file.elf_header(), LittleEndian);
        ensure!(machine == EM_MIPS, "not a program for MIPS: its machine number is {machine}");
        let mut sections = Vec::new();
        for section in file.sections() {
            let header = section.elf_section_header();
            let executable = header.sh_flags(LittleEndian).contains(SHF_EXECINSTR);
            if header.sh_type(LittleEndian) == SHT_PROGBITS && executable {
                sections.push(read_section(&section)?);
            }
        }
        let mut image = Self { sections, symbols: Symbols::read(&file), statics: statics(&file) };
        let code_sections: Vec<_> = image.sections.iter().map(|section| section.name.clone()).collect();
        let among_code = |item: &&Static| code_sections.contains(&item.section);
        let data = image.statics.iter().filter(among_code).map(|item| item.address..item.address + item.size);
        image.mark_data(data.collect::<Vec<_>>());
        Ok(image)
    }

    /// Takes addresses out of the code. Ranges outside executable sections do nothing.
    pub fn mark_data(&mut self, ranges: impl IntoIterator<Item = Range<u32>>) {
        for range in ranges {
            let holder = self.sections.iter_mut().find(|section| section.range().contains(&range.start));
            if let Some(section) = holder {
                section.data.push(range);
            }
        }
        for section in &mut self.sections {
            section.data.sort_by_key(|range| range.start);
            section.data = merge(&section.data);
        }
    }

    /// The word at an address of an executable section, code or data.
    pub fn word(&self, address: u32) -> Option<u32> {
        self.sections.iter().find_map(|section| section.word(address))
    }

    /// Every word that is code, with its address.
    pub fn code(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.sections.iter().flat_map(Section::code)
    }

    /// An image of one section without symbols, for tests of the rules.
    #[cfg(test)]
    pub fn of_words(address: u32, words: &[u32]) -> Self {
        let section =
            Section { name: ".text".into(), address, file_offset: 0, words: words.to_vec(), data: Vec::new() };
        Self { sections: vec![section], ..Self::default() }
    }
}

fn merge(sorted: &[Range<u32>]) -> Vec<Range<u32>> {
    let mut merged: Vec<Range<u32>> = Vec::with_capacity(sorted.len());
    for range in sorted.iter().filter(|range| !range.is_empty()) {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range.clone()),
        }
    }
    merged
}

fn read_section(section: &object::read::elf::ElfSection32<'_, '_, LittleEndian>) -> Result<Section> {
    let name = section.name().context("a section has no readable name")?.to_owned();
    let Some((offset, _)) = section.file_range() else { bail!("section {name} has no bytes in the file") };
    let bytes = section.data().with_context(|| format!("section {name} lies outside the file"))?;
    let address = u32::try_from(section.address())?;
    ensure!(
        bytes.len().is_multiple_of(4) && address.is_multiple_of(4),
        "executable section {name} is no whole number of words: align its end in the linker script"
    );
    ensure!(u32::try_from(bytes.len()).is_ok_and(|size| address.checked_add(size).is_some()), "section {name} wraps");
    let words = bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    Ok(Section { name, address, file_offset: usize::try_from(offset)?, words, data: Vec::new() })
}

fn statics(file: &ElfFile<'_>) -> Vec<Static> {
    let section_name = |section: SymbolSection| match section {
        SymbolSection::Section(index) => file.section_by_index(index).ok()?.name().ok().map(str::to_owned),
        _ => None,
    };
    file.symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Data && symbol.size() > 0)
        .filter_map(|symbol| {
            let (address, size) = (u32::try_from(symbol.address()).ok()?, u32::try_from(symbol.size()).ok()?);
            address.checked_add(size)?;
            let name = demangled(symbol.name().ok()?);
            Some(Static { name, section: section_name(symbol.section())?, address, size })
        })
        .collect()
}
