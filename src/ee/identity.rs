//! Which console this is: its ROM's version and the revisions of its two large chips.
//!
//! Source: EE facts, sections 1, 9 and 12.

use super::rom;
use core::fmt::{self, Write as _};

/// Letters of a ROM's version at most.
const VERSION: usize = 16;

/// A chip's number and revision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chip {
    /// Which chip it is.
    pub number: u8,
    /// Its revision.
    pub revision: u8,
}

impl Chip {
    /// From PRId: the implementation in bits 8 to 15, the revision below.
    pub const fn of_processor(id: u32) -> Self {
        Self { number: (id >> 8) as u8, revision: id as u8 }
    }

    /// From the GS's status: the revision in bits 16 to 23, the number above.
    pub const fn of_status(csr: u64) -> Self {
        Self { number: (csr >> 24) as u8, revision: (csr >> 16) as u8 }
    }
}

impl fmt::Display for Chip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02X} REVISION {:02X}", self.number, self.revision)
    }
}

/// A console's identity.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Identity {
    /// Version, region and date of the ROM; empty without them.
    pub rom: heapless::String<VERSION>,
    /// The EE.
    pub processor: Chip,
    /// The GS.
    pub synthesizer: Chip,
}

impl Identity {
    /// Puts together what the ROM and the two registers say.
    pub fn new(contents: &[u8], processor: u32, csr: u64) -> Self {
        let mut version = heapless::String::new();
        let letters = rom::file(contents, "ROMVER").unwrap_or_default();
        for letter in letters.iter().take(VERSION).take_while(|letter| letter.is_ascii_alphanumeric()) {
            // There is room for all that are taken.
            let _room = version.write_char(char::from(*letter));
        }
        Self { rom: version, processor: Chip::of_processor(processor), synthesizer: Chip::of_status(csr) }
    }

    /// This console's.
    #[cfg(target_arch = "mips")]
    pub fn of_this_console() -> Self {
        Self::new(rom::contents(), super::cop0::processor(), super::gs::privileged::read_csr())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    #[test]
    fn registers_tell_chips_and_revisions() {
        let identity = Identity::new(&[], 0x2E31, 0x551B_0000);
        assert_eq!(format!("{} {}", identity.processor, identity.synthesizer), "2E REVISION 31 55 REVISION 1B");
        assert!(identity.rom.is_empty());
    }

    #[test]
    fn a_roms_version_ends_with_its_line() {
        let mut contents = std::vec![0xAA; 64];
        for (name, bytes) in [("RESET", 60_u32), ("ROMDIR", 64), ("ROMVER", 16), ("", 0)] {
            let mut entry = name.as_bytes().to_vec();
            entry.resize(12, 0);
            entry.extend(bytes.to_le_bytes());
            contents.extend(entry);
        }
        contents.extend(b"0160AC20010704\n\0");
        assert_eq!(Identity::new(&contents, 0, 0).rom, "0160AC20010704");
    }
}
