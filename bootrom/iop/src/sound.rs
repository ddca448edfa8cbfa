//! The sound unit's registers behind the numbers that callers of the sound library use.
//!
//! Source: IOP facts, SPU2 and libsd; hardware notes, SPU2

/// Voices of a core.
pub const VOICES: u16 = 24;
/// Bytes from one core's registers to the other's.
const CORE_STRIDE: u32 = 0x400;
/// The same for the volumes of the whole core.
const VOLUME_STRIDE: u32 = 0x28;
/// Bytes from one voice's parameters to the next one's.
const VOICE_STRIDE: u32 = 0x10;
/// The same for its addresses.
const ADDRESS_STRIDE: u32 = 0xC;
/// Number bits: the core, the voice, a core-wide volume, the kind.
const CORE_BIT: u16 = 1;
const VOICE_SHIFT: u16 = 1;
const VOICE_MASK: u16 = 0x1F;
const VOLUME_BIT: u16 = 0x80;
const KIND_SHIFT: u16 = 8;

/// Register offsets by kind: eight parameters of a voice, mixer, core volumes, switches, addresses.
const OFFSETS: [u16; 0x23] = [
    0x000, 0x002, 0x004, 0x006, 0x008, 0x00A, 0x00C, 0x00E, // voice
    0x198, // mixer
    0x760, 0x762, 0x764, 0x766, 0x768, 0x76A, 0x76C, 0x76E, 0x770, 0x772, // core volumes
    0x180, 0x184, 0x1A0, 0x1A4, 0x340, 0x188, 0x18C, 0x190, 0x194, // switches
    0x2E0, 0x33C, 0x1A8, 0x19C, // core addresses
    0x1C0, 0x1C4, 0x1C8, // voice addresses
];
/// First kind of each group.
const KIND_MIXER: usize = 0x08;
const KIND_VOLUMES: usize = 0x09;
const KIND_SWITCHES: usize = 0x13;
const KIND_ADDRESSES: usize = 0x1C;
/// The address of which only the upper half can be set.
const KIND_EFFECT_END: usize = 0x1D;
const KIND_VOICE_ADDRESSES: usize = 0x20;

/// What a number means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A register of 16 bits at this offset.
    Parameter(u32),
    /// A bit for each voice: two registers, the lower half first.
    Switch(u32),
    /// An address in half-words: two registers, the upper half first.
    Address {
        /// Offset of the upper half.
        offset: u32,
        /// True when only that half exists.
        upper_only: bool,
    },
}

/// What `number` means; None for a number without a register.
#[must_use]
pub fn entry_of(number: u16) -> Option<Entry> {
    let kind = usize::from(number >> KIND_SHIFT);
    let offset = u32::from(*OFFSETS.get(kind)?);
    let core = u32::from(number & CORE_BIT);
    let voice = u32::from(number >> VOICE_SHIFT & VOICE_MASK);
    if voice >= u32::from(VOICES) {
        return None;
    }
    Some(match kind {
        0..KIND_MIXER => Entry::Parameter(offset + core * CORE_STRIDE + voice * VOICE_STRIDE),
        KIND_VOLUMES..KIND_SWITCHES if number & VOLUME_BIT != 0 => Entry::Parameter(offset + core * VOLUME_STRIDE),
        KIND_MIXER => Entry::Parameter(offset + core * CORE_STRIDE),
        KIND_VOLUMES..KIND_SWITCHES => return None,
        KIND_SWITCHES..KIND_ADDRESSES => Entry::Switch(offset + core * CORE_STRIDE),
        KIND_VOICE_ADDRESSES.. => {
            Entry::Address { offset: offset + core * CORE_STRIDE + voice * ADDRESS_STRIDE, upper_only: false }
        }
        _ => Entry::Address { offset: offset + core * CORE_STRIDE, upper_only: kind == KIND_EFFECT_END },
    })
}

/// A byte address as its two registers hold it: upper and lower half of its half-word number.
#[must_use]
pub const fn halves_of(address: u32) -> (u16, u16) {
    ((address >> 17) as u16, (address >> 1) as u16)
}

/// A byte address out of its two registers.
#[must_use]
pub const fn address_of(upper: u16, lower: u16) -> u32 {
    (upper as u32) << 17 | (lower as u32) << 1
}

/// Bytes of a DMA block.
pub const BLOCK_BYTES: u32 = 64;
const BLOCK_WORDS: u32 = BLOCK_BYTES / 4;

/// Value of the DMA's block register for `bytes`, rounded up to whole blocks.
#[must_use]
pub const fn block_register(bytes: u32) -> u32 {
    bytes.div_ceil(BLOCK_BYTES) << 16 | BLOCK_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_voices_and_cores_have_their_registers() {
        for (number, offset) in [
            (0x0000, 0x000),              // left volume of voice 0, core 0
            (0x0200 | 5 << 1 | 1, 0x454), // pitch of voice 5, core 1
            (0x0500 | 23 << 1, 0x17A),    // envelope of voice 23, core 0
            (0x0800 | 1, 0x598),          // mixer of core 1
            (0x0980, 0x760),              // master volume of core 0
            (0x0F80 | 1, 0x794),          // input volume of core 1
        ] {
            assert_eq!(entry_of(number), Some(Entry::Parameter(offset)), "{number:#x}");
        }
    }

    #[test]
    fn switches_and_addresses_have_two_registers() {
        assert_eq!(entry_of(0x1500 | 1), Some(Entry::Switch(0x5A0)));
        assert_eq!(entry_of(0x1700), Some(Entry::Switch(0x340)));
        let address = |offset, upper_only| Some(Entry::Address { offset, upper_only });
        assert_eq!(entry_of(0x2000 | 2 << 1 | 1), address(0x5D8, false));
        assert_eq!(entry_of(0x1E00), address(0x1A8, false));
        assert_eq!(entry_of(0x1D00), address(0x33C, true));
    }

    #[test]
    fn numbers_without_a_register_have_none() {
        assert_eq!(entry_of(0x2300), None);
        assert_eq!(entry_of(0x0900), None);
        assert_eq!(entry_of(24 << 1), None);
    }

    #[test]
    fn addresses_go_through_their_halves_and_back() {
        assert_eq!(halves_of(0x1F_FFF0), (0xF, 0xFFF8));
        assert_eq!(address_of(0xF, 0xFFF8), 0x1F_FFF0);
        assert_eq!(block_register(65), 2 << 16 | 16);
    }
}
