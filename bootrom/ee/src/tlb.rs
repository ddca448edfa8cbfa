//! The TLB map that programs run under, and the rules of the calls that change it.
//!
//! Source: EE kernel semantics, section 11. The user segment is mapped by entries 13 to 47 with the cache attribute of
//! each mirror, which is also what the emulator's model of the data cache needs.

use crate::Refused;

/// Number of TLB entries.
pub const ENTRIES: u32 = 48;
/// Entries below this are never replaced at random: everything up to the uncached mirror.
pub const WIRED: u32 = 31;

/// One entry as COP0 takes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct TlbEntry {
    /// PageMask.
    pub mask: u32,
    /// EntryHi: virtual page pair and ASID.
    pub high: u32,
    /// EntryLo0: even page.
    pub low0: u32,
    /// EntryLo1: odd page.
    pub low1: u32,
}

/// EntryLo attributes (V, D, G and the cache field) of the three mirrors of RAM.
mod attribute {
    pub const CACHED: u32 = 0x1F;
    pub const UNCACHED: u32 = 0x17;
    pub const ACCELERATED: u32 = 0x3F;
}

const fn entry(mask: u32, high: u32, low0: u32, low1: u32) -> TlbEntry {
    TlbEntry { mask, high, low0, low1 }
}

/// Scratchpad, kernel window, registers, VU memories, GS, ROM.
const FIXED: [TlbEntry; 13] = [
    entry(0x0000_0000, 0x7000_0000, 0x8000_0007, 0x0000_0007),
    entry(0x0000_6000, 0xFFFF_8000, 0x0000_1E1F, 0x0000_1F1F),
    entry(0x0000_0000, 0x1000_0000, 0x0040_0017, 0x0040_0053),
    entry(0x0000_0000, 0x1000_2000, 0x0040_0097, 0x0040_00D7),
    entry(0x0000_0000, 0x1000_4000, 0x0040_0117, 0x0040_0157),
    entry(0x0000_0000, 0x1000_6000, 0x0040_0197, 0x0040_01D7),
    entry(0x0000_0000, 0x1000_8000, 0x0040_0217, 0x0040_0257),
    entry(0x0000_0000, 0x1000_A000, 0x0040_0297, 0x0040_02D7),
    entry(0x0000_0000, 0x1000_C000, 0x0040_0313, 0x0040_0357),
    entry(0x0000_0000, 0x1000_E000, 0x0040_0397, 0x0040_03D7),
    entry(0x0001_E000, 0x1100_0000, 0x0044_0017, 0x0044_0415),
    entry(0x0001_E000, 0x1200_0000, 0x0048_0017, 0x0048_0415),
    entry(0x01FF_E000, 0x1E00_0000, 0x0078_0017, 0x007C_0017),
];

/// RAM in pairs of pages: PageMask and physical address of the even page. The first 512 KiB have no user mapping.
const RAM: [(u32, u32); 9] = [
    (0x0007_E000, 0x0008_0000),
    (0x0007_E000, 0x0010_0000),
    (0x0007_E000, 0x0018_0000),
    (0x001F_E000, 0x0020_0000),
    (0x001F_E000, 0x0040_0000),
    (0x001F_E000, 0x0060_0000),
    (0x007F_E000, 0x0080_0000),
    (0x007F_E000, 0x0100_0000),
    (0x007F_E000, 0x0180_0000),
];

const fn ram(index: usize, mirror: u32, attribute: u32) -> TlbEntry {
    let (mask, address) = RAM[index];
    // A pair covers twice the page; the page is (mask + 0x2000) / 2.
    let page = (mask + 0x2000) / 2;
    entry(mask, mirror | address, (address >> 6) | attribute, ((address + page) >> 6) | attribute)
}

const fn unused(index: u32) -> TlbEntry {
    entry(0, 0xE000_0000 | (index << 13), 0, 0)
}

/// The whole map.
pub const MAP: [TlbEntry; ENTRIES as usize] = {
    let mut map = [unused(0); ENTRIES as usize];
    let mut index = 0;
    while index < map.len() {
        map[index] = match index {
            0..13 => FIXED[index],
            13..22 => ram(index - 13, 0, attribute::CACHED),
            22..31 => ram(index - 22, 0x2000_0000, attribute::UNCACHED),
            // The accelerated mirror starts at 1 MiB.
            31..39 => ram(index - 30, 0x3000_0000, attribute::ACCELERATED),
            _ => unused(index as u32),
        };
        index += 1;
    }
    map
};

/// Entry that ExpandScratchPad uses: the first that the map leaves free.
pub const SCRATCHPAD_EXPANSION: u32 = 39;
/// Where the expansion appears.
const EXPANSION_ADDRESS: u32 = 0x7000_4000;

/// PutTLBEntry takes only addresses of these 16 MiB segments.
pub fn may_put(high: u32) -> Result<(), Refused> {
    if matches!(high >> 24, 0x00 | 0x20 | 0x30 | 0x40) { Ok(()) } else { Err(Refused) }
}

/// SetTLBEntry takes an index of the TLB and an address that goes through it.
///
/// Our choice: the original does not look at the address; emulators would map over the kernel's own windows.
pub fn may_set(index: u32, high: u32) -> Result<(), Refused> {
    if index < ENTRIES && !(0x8000_0000..0xC000_0000).contains(&high) { Ok(()) } else { Err(Refused) }
}

/// The entry for ExpandScratchPad: two cached pages of RAM behind the scratchpad, or (page 0) none.
pub fn expansion(page: u32) -> Result<TlbEntry, Refused> {
    match page {
        0 => Ok(unused(SCRATCHPAD_EXPANSION)),
        _ if !page.is_multiple_of(0x1000) || page < 0x10_0000 => Err(Refused),
        _ => {
            let low = |address: u32| (address >> 6) | attribute::CACHED;
            Ok(entry(0, EXPANSION_ADDRESS, low(page), low(page + 0x1000)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_holds_the_known_entries() {
        assert_eq!(MAP[13], entry(0x0007_E000, 0x0008_0000, 0x0000_201F, 0x0000_301F));
        assert_eq!(MAP[16], entry(0x001F_E000, 0x0020_0000, 0x0000_801F, 0x0000_C01F));
        assert_eq!(MAP[18], entry(0x001F_E000, 0x0060_0000, 0x0001_801F, 0x0001_C01F));
        assert_eq!(MAP[21], entry(0x007F_E000, 0x0180_0000, 0x0006_001F, 0x0007_001F));
        assert_eq!(MAP[22], entry(0x0007_E000, 0x2008_0000, 0x0000_2017, 0x0000_3017));
        assert_eq!(MAP[31], entry(0x0007_E000, 0x3010_0000, 0x0000_403F, 0x0000_503F));
        assert_eq!(MAP[38], entry(0x007F_E000, 0x3180_0000, 0x0006_003F, 0x0007_003F));
        assert_eq!(MAP[47], entry(0, 0xE005_E000, 0, 0));
    }

    #[test]
    fn only_aligned_user_pages_expand_the_scratchpad() {
        assert_eq!(expansion(0x8_0000), Err(Refused));
        assert_eq!(expansion(0x10_0800), Err(Refused));
        assert_eq!(expansion(0x10_0000), Ok(entry(0, 0x7000_4000, 0x401F, 0x405F)));
        assert!(expansion(0).is_ok());
    }

    #[test]
    fn entries_of_kernel_segments_are_refused() {
        assert!(may_put(0x0010_0000).is_ok());
        assert!(may_put(0x3000_0000).is_ok());
        assert_eq!(may_put(0x7000_0000), Err(Refused));
        assert_eq!(may_put(0x8000_0000), Err(Refused));
        assert!(may_set(47, 0x4000_0000).is_ok() && may_set(39, 0xFFFF_8000).is_ok());
        assert_eq!((may_set(48, 0), may_set(0, 0x8000_0000)), (Err(Refused), Err(Refused)));
    }
}
