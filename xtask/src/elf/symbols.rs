//! Addresses to names of functions, for reports and crash screens.

use super::image::ElfFile;
use object::elf::SHF_EXECINSTR;
use object::read::elf::SectionHeader as _;
use object::{LittleEndian, Object as _, ObjectSymbol as _, SymbolKind, SymbolSection};
use std::collections::BTreeMap;

/// A function or a label of hand-written code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Name as a person reads it: demangled, without the compiler's hash.
    pub name: String,
    /// First word.
    pub address: u32,
    /// Bytes; 0 where the program does not say, as for labels.
    pub size: u32,
}

impl Function {
    /// The address behind the last word, where the size is known.
    pub fn end(&self) -> Option<u32> {
        (self.size > 0).then(|| self.address.saturating_add(self.size))
    }
}

/// The functions of a program by address.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    functions: BTreeMap<u32, Function>,
}

impl Symbols {
    /// Takes the functions and the labels in executable sections from a program's symbol table. The compiler's local
    /// labels (`$…` and `.L…`) are left out.
    pub fn read(file: &ElfFile<'_>) -> Self {
        let executable = |section: SymbolSection| match section {
            SymbolSection::Section(index) => file
                .section_by_index(index)
                .is_ok_and(|section| section.elf_section_header().sh_flags(LittleEndian).contains(SHF_EXECINSTR)),
            _ => false,
        };
        let named = file.symbols().filter_map(|symbol| {
            let kind = matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Unknown | SymbolKind::Label);
            let name = symbol.name().ok().filter(|name| !name.is_empty() && !name.starts_with(['$', '.']))?;
            let address = u32::try_from(symbol.address()).ok().filter(|_| kind && executable(symbol.section()))?;
            Some(Function { name: demangled(name), address, size: u32::try_from(symbol.size()).ok()? })
        });
        Self::from_functions(named)
    }

    /// Makes the table from a list. Of several names of one address, the one with the greatest size stays.
    pub fn from_functions(functions: impl IntoIterator<Item = Function>) -> Self {
        let mut table = BTreeMap::<u32, Function>::new();
        for function in functions {
            let place = table.entry(function.address).or_insert_with(|| function.clone());
            if function.size > place.size {
                *place = function;
            }
        }
        Self { functions: table }
    }

    /// The function that holds an address. A label without a size reaches to the next name.
    pub fn find(&self, address: u32) -> Option<&Function> {
        let (_, function) = self.functions.range(..=address).next_back()?;
        function.end().is_none_or(|end| address < end).then_some(function)
    }

    /// The function that ends at an address.
    pub fn ending_at(&self, address: u32) -> Option<&Function> {
        let (_, function) = self.functions.range(..address).next_back()?;
        (function.end() == Some(address)).then_some(function)
    }

    /// Whether a function or label begins at an address.
    pub fn begins_at(&self, address: u32) -> bool {
        self.functions.contains_key(&address)
    }

    /// `name+0x10` for an address, or the address alone when no function holds it.
    pub fn describe(&self, address: u32) -> String {
        match self.find(address) {
            Some(function) if function.address == address => function.name.clone(),
            Some(function) => format!("{}+{:#x}", function.name, address - function.address),
            None => format!("{address:#010x}"),
        }
    }

    /// All functions by address.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.functions.values()
    }
}

/// A symbol's name as it stands in the source, without the compiler's hash. Names of other languages stay as they are.
pub fn demangled(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str, address: u32, size: u32) -> Function {
        Function { name: name.into(), address, size }
    }

    #[test]
    fn an_address_inside_a_function_is_named_with_its_offset() {
        let symbols = Symbols::from_functions([function("step", 0x100, 0x20), function("draw", 0x140, 0x10)]);
        assert_eq!(symbols.describe(0x100), "step");
        assert_eq!(symbols.describe(0x11C), "step+0x1c");
        assert_eq!(symbols.describe(0x14C), "draw+0xc");
    }

    #[test]
    fn an_address_behind_a_sized_function_has_no_name() {
        let symbols = Symbols::from_functions([function("step", 0x100, 0x20)]);
        assert_eq!(symbols.describe(0x120), "0x00000120");
        assert_eq!(symbols.describe(0xFC), "0x000000fc");
    }

    #[test]
    fn a_label_without_size_reaches_to_the_next_name() {
        let symbols = Symbols::from_functions([function("_start", 0x100, 0), function("step", 0x140, 8)]);
        assert_eq!(symbols.describe(0x13C), "_start+0x3c");
        assert_eq!(symbols.ending_at(0x140), None);
    }

    #[test]
    fn the_sized_name_of_an_address_wins() {
        let symbols = Symbols::from_functions([function("_ftext", 0x100, 0), function("step", 0x100, 8)]);
        assert_eq!(symbols.describe(0x104), "step+0x4");
        assert_eq!(symbols.ending_at(0x108).map(|found| found.name.as_str()), Some("step"));
    }

    #[test]
    fn both_manglings_are_read_and_other_names_left_alone() {
        assert_eq!(demangled("_ZN4core9panicking5panic17h0123456789abcdefE"), "core::panicking::panic");
        assert_eq!(demangled("_RNvNtCs1234_7mycrate3foo3bar"), "mycrate::foo::bar");
        assert_eq!(demangled("memcpy"), "memcpy");
    }
}
