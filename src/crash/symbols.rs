//! The names of the program's functions in the form that the disc carries.
//!
//! A magic number, the count, then for each function in the order of addresses its address and the offset of its name, then the
//! names, each ended by a zero byte. Little-endian. Reading is bounded whatever the file holds.

/// What the file begins with.
pub const MAGIC: [u8; 8] = *b"BWSYMS01";
/// The file's path on the disc.
pub const PATH: &str = "BOARDWLK.SYM";
/// Bytes of the magic number and the count.
pub const HEADER_BYTES: usize = 12;
/// Bytes of an entry.
pub const ENTRY_BYTES: usize = 8;

/// A file of names.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    entries: &'a [u8],
    text: &'a [u8],
}

/// A function that holds an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// Its first instruction.
    pub start: u32,
    /// Its name.
    pub name: &'a str,
}

impl<'a> Names<'a> {
    /// Takes a file; none if it is no such file.
    pub fn read(file: &'a [u8]) -> Option<Self> {
        let rest = file.strip_prefix(&MAGIC)?;
        let (count, rest) = rest.split_first_chunk()?;
        let bytes = (u32::from_le_bytes(*count) as usize).checked_mul(ENTRY_BYTES)?;
        let (entries, text) = rest.split_at_checked(bytes)?;
        Some(Self { entries, text })
    }

    fn entry(&self, index: usize) -> Option<(u32, u32)> {
        let entry = self.entries.get(index * ENTRY_BYTES..)?.first_chunk::<ENTRY_BYTES>()?;
        let [a, b, c, d, e, f, g, h] = *entry;
        Some((u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])))
    }

    /// The function that begins at or last before an address.
    pub fn find(&self, address: u32) -> Option<Found<'a>> {
        let (mut low, mut high) = (0, self.entries.len() / ENTRY_BYTES);
        while low < high {
            let middle = low.midpoint(high);
            if self.entry(middle)?.0 <= address { low = middle + 1 } else { high = middle }
        }
        let (start, offset) = self.entry(low.checked_sub(1)?)?;
        let name = self.text.get(offset as usize..)?;
        let end = name.iter().position(|byte| *byte == 0)?;
        Some(Found { start, name: core::str::from_utf8(name.get(..end)?).ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    fn file(functions: &[(u32, &str)]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((functions.len() as u32).to_le_bytes());
        let mut text = Vec::new();
        for (address, name) in functions {
            bytes.extend(address.to_le_bytes());
            bytes.extend((text.len() as u32).to_le_bytes());
            text.extend(name.bytes().chain([0]));
        }
        bytes.extend(text);
        bytes
    }

    #[test]
    fn an_address_is_named_by_the_function_that_begins_before_it() {
        let bytes = file(&[(0x100, "first"), (0x140, "second"), (0x200, "third")]);
        let names = Names::read(&bytes).unwrap();
        assert_eq!(names.find(0xFF), None);
        assert_eq!(names.find(0x100).unwrap().name, "first");
        assert_eq!(names.find(0x1FC), Some(Found { start: 0x140, name: "second" }));
        assert_eq!(names.find(u32::MAX).unwrap().name, "third");
    }

    #[test]
    fn what_is_no_file_of_names_is_refused() {
        assert!(Names::read(b"").is_none());
        assert!(Names::read(b"BWSYMS01\xFF\xFF\xFF\xFF").is_none());
        assert!(Names::read(&file(&[])).unwrap().find(0).is_none());
    }

    proptest! {
        #[test]
        fn mutated_files_are_answered(at in 0usize..60, value: u8, address: u32) {
            let mut bytes = file(&[(0x100, "first"), (0x140, "second")]);
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
            let _ = Names::read(&bytes).and_then(|names| names.find(address).map(|found| found.start));
        }
    }
}
