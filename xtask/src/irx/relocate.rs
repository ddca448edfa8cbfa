//! Relocations of an IRX file, applied as the IOP's loader applies them. Source: IOP facts 1.

/// What a relocation changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing; its offset still shows a word to a [`Kind::High`] in front of it.
    Nothing,
    /// A whole word.
    Word,
    /// The 26-bit target of `j` and `jal`.
    Jump,
    /// The upper half of an address, with the carry from the lower half that the *next entry's* word holds.
    High,
    /// The lower half of an address.
    Low,
}

impl Kind {
    /// The kind of an ELF relocation type, if the loader knows it and modules of ours may hold it.
    pub fn from_elf(number: u32) -> Option<Self> {
        Some(match number {
            0 => Kind::Nothing,
            2 => Kind::Word,
            4 => Kind::Jump,
            5 => Kind::High,
            6 => Kind::Low,
            _ => return None,
        })
    }

    /// The ELF relocation type.
    pub fn to_elf(self) -> u32 {
        match self {
            Kind::Nothing => 0,
            Kind::Word => 2,
            Kind::Jump => 4,
            Kind::High => 5,
            Kind::Low => 6,
        }
    }
}

/// One entry of the relocation table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// The word's place in the image, a multiple of 4.
    pub offset: u32,
    /// What happens to it.
    pub kind: Kind,
}

/// Bits of a jump's target.
pub(super) const JUMP_TARGET: u32 = 0x03FF_FFFF;
/// Bits of half an address.
pub(super) const HALF: u32 = 0xFFFF;

/// The little-endian word at an offset.
pub(super) fn word(image: &[u8], offset: u32) -> Option<u32> {
    let bytes = image.get(offset as usize..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

/// The address that an upper and a lower half make: the lower one counts as signed.
pub(super) fn joined(high: u32, low: u32) -> u32 {
    ((high & HALF) << 16).wrapping_add_signed(i32::from(low as u16 as i16))
}

/// Applies a table to an image that is to run at `base`. Entries outside the image do nothing.
pub fn apply(image: &mut [u8], relocations: &[Relocation], base: u32) {
    for (index, &Relocation { offset, kind }) in relocations.iter().enumerate() {
        let Some(old) = word(image, offset) else { continue };
        let new = match kind {
            Kind::Nothing => continue,
            Kind::Word => old.wrapping_add(base),
            Kind::Jump => old & !JUMP_TARGET | old.wrapping_add(base >> 2) & JUMP_TARGET,
            Kind::High => {
                let Some(low) = relocations.get(index + 1).and_then(|next| word(image, next.offset)) else { continue };
                old & !HALF | upper_half(joined(old, low).wrapping_add(base))
            }
            Kind::Low => old & !HALF | old.wrapping_add(base) & HALF,
        };
        image[offset as usize..][..4].copy_from_slice(&new.to_le_bytes());
    }
}

/// The upper half that makes an address together with a signed lower half.
pub(super) fn upper_half(address: u32) -> u32 {
    ((address >> 15) + 1) >> 1 & HALF
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(words: &[u32], relocations: &[(u32, Kind)], base: u32) -> Vec<u32> {
        let mut image: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let table: Vec<_> = relocations.iter().map(|&(offset, kind)| Relocation { offset, kind }).collect();
        apply(&mut image, &table, base);
        (0..words.len() as u32).map(|index| word(&image, 4 * index).unwrap()).collect()
    }

    #[test]
    fn a_word_moves_by_the_base() {
        assert_eq!(applied(&[0x0000_1234, 7], &[(0, Kind::Word)], 0x0001_0030), [0x0001_1264, 7]);
    }

    #[test]
    fn a_jump_moves_by_the_base_in_words() {
        assert_eq!(applied(&[0x0C00_0010], &[(0, Kind::Jump)], 0x0001_0030), [0x0C00_401C]);
    }

    #[test]
    fn an_address_in_halves_carries_into_the_upper_one() {
        // lui $2, 0; addiu $2, $2, 0x7ff0, moved by 0x30: 0x8020 is 0x10000 - 0x7fe0.
        let halves = [0x3C02_0000, 0x2442_7FF0];
        assert_eq!(applied(&halves, &[(0, Kind::High), (4, Kind::Low)], 0x30), [0x3C02_0001, 0x2442_8020]);
        // lui $2, 1; addiu $2, $2, -0x10 is 0xfff0, moved by 0x10.
        let halves = [0x3C02_0001, 0x2442_FFF0];
        assert_eq!(applied(&halves, &[(0, Kind::High), (4, Kind::Low)], 0x10), [0x3C02_0001, 0x2442_0000]);
    }

    #[test]
    fn an_upper_half_takes_its_carry_from_the_next_entry_whatever_its_kind() {
        let words = [0x3C02_0000, 0x3C03_0000, 0x2442_7FF0];
        let table = [(0, Kind::High), (8, Kind::Nothing), (4, Kind::High), (8, Kind::Low)];
        assert_eq!(applied(&words, &table, 0x30), [0x3C02_0001, 0x3C03_0001, 0x2442_8020]);
    }

    #[test]
    fn entries_outside_the_image_do_nothing() {
        assert_eq!(applied(&[1], &[(4, Kind::Word), (2, Kind::Word), (u32::MAX, Kind::Low), (0, Kind::High)], 4), [1]);
    }
}
