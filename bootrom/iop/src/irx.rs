//! Modules as files: what an IRX says about itself, and its relocation to where it is loaded.
//!
//! A module comes from a disc or from anywhere else; nothing in it is used before it is checked.

use crate::errors::Error;

const MAGIC: &[u8] = b"\x7fELF\x01\x01";
/// File types of modules: the first, and one with another kind of relocation besides.
const TYPES: [u16; 2] = [0xFF80, 0xFF81];
const MACHINE_MIPS: u16 = 8;
const HEADER_BYTES: usize = 52;
const SEGMENT_BYTES: usize = 32;
const SECTION_BYTES: usize = 40;
const RELOCATION_BYTES: usize = 8;
const SEGMENT_LOAD: u32 = 1;
/// Segment that tells about the module.
const SEGMENT_INFORMATION: u32 = 0x7000_0080;
const SECTION_RELOCATIONS: u32 = 9;
/// No name and version in the image.
const NO_IDENTITY: u32 = 0xFFFF_FFFF;

/// Relocation kinds.
///
/// Source: IOP facts, IRX file
mod kind {
    pub const NOTHING: u8 = 0;
    pub const HALF: u8 = 1;
    pub const WORD: u8 = 2;
    pub const JUMP: u8 = 4;
    pub const HIGH: u8 = 5;
    pub const LOW: u8 = 6;
    pub const HIGH_CHAIN: u8 = 250;
}

/// What a module file says. Addresses are relative to where it will be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Module {
    /// Address of the name pointer and version, if there are any.
    pub identity: Option<u32>,
    /// First instruction.
    pub entry: u32,
    /// Global pointer.
    pub gp: u32,
    /// Bytes that may hold import tables.
    pub text_bytes: u32,
    /// Bytes of data behind them.
    pub data_bytes: u32,
    /// Bytes of zeroes behind those.
    pub bss_bytes: u32,
    /// Version, if there is no identity.
    pub version: u16,
    /// Place of the image in the file.
    pub image_offset: usize,
    /// Bytes of the image in the file.
    pub image_bytes: usize,
    /// Bytes of the image in memory.
    pub memory_bytes: usize,
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn size(bytes: &[u8], at: usize) -> Option<usize> {
    word(bytes, at).map(|word| word as usize)
}

/// Reads what the file says about the module.
///
/// # Errors
/// [`Error::IllegalObject`] for anything that is no module.
pub fn module_of(file: &[u8]) -> Result<Module, Error> {
    read_module(file).ok_or(Error::IllegalObject)
}

fn read_module(file: &[u8]) -> Option<Module> {
    let is_module = file.len() >= HEADER_BYTES
        && file.starts_with(MAGIC)
        && TYPES.contains(&half(file, 16)?)
        && half(file, 18)? == MACHINE_MIPS
        && usize::from(half(file, 42)?) == SEGMENT_BYTES
        && half(file, 44)? == 2;
    if !is_module {
        return None;
    }
    let segments = size(file, 28)?;
    let segments = file.get(segments..segments.checked_add(2 * SEGMENT_BYTES)?)?;
    let (information, image) = segments.split_at(SEGMENT_BYTES);
    if word(information, 0)? != SEGMENT_INFORMATION || word(image, 0)? != SEGMENT_LOAD {
        return None;
    }
    let said = file.get(size(information, 4)?..)?;
    let (image_offset, image_bytes, memory_bytes) = (size(image, 4)?, size(image, 16)?, size(image, 20)?);
    file.get(image_offset..image_offset.checked_add(image_bytes)?)?;
    let identity = word(said, 0)?;
    let module = Module {
        identity: (identity != NO_IDENTITY).then_some(identity),
        entry: word(said, 4)?,
        gp: word(said, 8)?,
        text_bytes: word(said, 12)?,
        data_bytes: word(said, 16)?,
        bss_bytes: word(said, 20)?,
        version: half(said, 24)?,
        image_offset,
        image_bytes,
        memory_bytes,
    };
    let inside = |address: u32| (address as usize) < memory_bytes;
    let fits = memory_bytes >= image_bytes
        && inside(module.entry)
        && module.entry.is_multiple_of(4)
        && module.text_bytes as usize <= memory_bytes
        && module.identity.is_none_or(|identity| inside(identity) && inside(identity.wrapping_add(7)));
    fits.then_some(module)
}

/// Copies the module's image to `memory`, which has its memory size and will be at `base`, and relocates it.
///
/// # Errors
/// [`Error::IllegalObject`] when a relocation lies outside of the image or is of a kind that modules do not have.
pub fn load(file: &[u8], module: &Module, memory: &mut [u8], base: u32) -> Result<(), Error> {
    let copy = |memory: &mut [u8]| {
        let source = file.get(module.image_offset..module.image_offset + module.image_bytes)?;
        let (image, rest) = memory.split_at_mut_checked(module.image_bytes)?;
        image.copy_from_slice(source);
        rest.fill(0);
        Some(())
    };
    copy(memory).ok_or(Error::IllegalObject)?;
    let sections = size(file, 32).unwrap_or(0);
    let count = usize::from(half(file, 48).unwrap_or(0));
    for section in (0..count).map(|index| sections + index * SECTION_BYTES) {
        let header = file.get(section..section + SECTION_BYTES).ok_or(Error::IllegalObject)?;
        if word(header, 4) != Some(SECTION_RELOCATIONS) {
            continue;
        }
        let range = size(header, 16).zip(size(header, 20)).and_then(|(at, bytes)| Some(at..at.checked_add(bytes)?));
        let entries = range.and_then(|range| file.get(range)).ok_or(Error::IllegalObject)?;
        relocate(entries, memory, base).ok_or(Error::IllegalObject)?;
    }
    Ok(())
}

/// Applies a section of relocations; none when one of them cannot be.
fn relocate(entries: &[u8], memory: &mut [u8], base: u32) -> Option<()> {
    let entries = entries.chunks_exact(RELOCATION_BYTES).map(|entry| {
        let word = |at: usize| u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]);
        (word(0) as usize, word(4) as u8)
    });
    let mut entries = entries.peekable();
    while let Some((at, kind)) = entries.next() {
        let old = word(memory, at)?;
        let new = match kind {
            kind::HALF => old & 0xFFFF_0000 | old.wrapping_add(base) & 0xFFFF,
            kind::WORD => old.wrapping_add(base),
            kind::JUMP => old & 0xFC00_0000 | old.wrapping_add(base >> 2) & 0x03FF_FFFF,
            kind::HIGH => {
                // The pair's lower half is needed before it is relocated itself. Where several upper halves share one, an
                // entry that relocates nothing names it.
                let (low_at, low_kind) = *entries.peek()?;
                if !matches!(low_kind, kind::LOW | kind::NOTHING) {
                    return None;
                }
                let low = word(memory, low_at)?;
                let address = (old << 16).wrapping_add(low as u16 as i16 as u32).wrapping_add(base);
                old & 0xFFFF_0000 | high_half(address)
            }
            kind::LOW => old & 0xFFFF_0000 | old.wrapping_add(base) & 0xFFFF,
            kind::HIGH_CHAIN => {
                let addend = entries.next()?.0 as u32;
                relocate_chain(memory, at, addend.wrapping_add(base))?;
                continue;
            }
            // All others are left as they are, as the system does.
            _ => continue,
        };
        write(memory, at, new)?;
    }
    Some(())
}

/// Upper half of an address whose lower half will be added with its sign.
fn high_half(address: u32) -> u32 {
    (address >> 16).wrapping_add(address >> 15 & 1) & 0xFFFF
}

/// Gives every instruction of a chain the upper half of `address`; each holds the distance to the next, in words, until then.
fn relocate_chain(memory: &mut [u8], mut at: usize, address: u32) -> Option<()> {
    // A chain cannot have more links than the image has words.
    for _ in 0..memory.len() / 4 {
        let old = word(memory, at)?;
        write(memory, at, old & 0xFFFF_0000 | high_half(address))?;
        let distance = usize::from(old as u16);
        if distance == 0 {
            return Some(());
        }
        at = at.checked_add(distance * 4)?;
    }
    None
}

fn write(memory: &mut [u8], at: usize, value: u32) -> Option<()> {
    memory.get_mut(at..at.checked_add(4)?)?.copy_from_slice(&value.to_le_bytes());
    Some(())
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec;
    use std::vec::Vec;

    const IMAGE_AT: usize = 0x100;
    const RELOCATIONS_AT: usize = 0x200;
    const SECTIONS_AT: usize = 0x300;

    fn put(file: &mut [u8], at: usize, words: &[u32]) {
        for (index, word) in words.iter().enumerate() {
            file[at + index * 4..at + index * 4 + 4].copy_from_slice(&word.to_le_bytes());
        }
    }

    /// A module with `image` and `relocations` (place, kind).
    fn module(image: &[u32], relocations: &[(u32, u32)]) -> Vec<u8> {
        let mut file = vec![0; 0x400];
        file[..6].copy_from_slice(MAGIC);
        put(&mut file, 16, &[0x0008_FF80, 1, 0, 52, SECTIONS_AT as u32, 1]);
        put(&mut file, 40, &[0x0020_0034, 0x0028_0002, 2]);
        let bytes = image.len() as u32 * 4;
        put(&mut file, 52, &[SEGMENT_INFORMATION, 0xC0, 0, 0, 27, 27, 4, 4]);
        put(&mut file, 84, &[SEGMENT_LOAD, IMAGE_AT as u32, 0, 0, bytes, bytes + 16, 7, 16]);
        put(&mut file, 0xC0, &[NO_IDENTITY, 4, 0x8000, bytes, 0, 16, 0x0102]);
        put(&mut file, IMAGE_AT, image);
        let flat: Vec<u32> = relocations.iter().flat_map(|(at, kind)| [*at, *kind]).collect();
        put(&mut file, RELOCATIONS_AT, &flat);
        let section = [0, SECTION_RELOCATIONS, 0, 0, RELOCATIONS_AT as u32, flat.len() as u32 * 4];
        put(&mut file, SECTIONS_AT + SECTION_BYTES, &section);
        file
    }

    fn loaded(file: &[u8], base: u32) -> Result<Vec<u32>, Error> {
        let module = module_of(file)?;
        let mut memory = vec![0xEE; module.memory_bytes];
        load(file, &module, &mut memory, base)?;
        Ok(memory.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
    }

    #[test]
    fn upper_halves_may_share_a_lower_one_that_an_empty_entry_names() {
        // Two upper halves of 0x1_8000 (a carry) and their one lower half.
        let mut memory = [0x3C01_0002_u32, 0x3C02_0002, 0x2421_8000].map(u32::to_le_bytes).concat();
        let entries = [[0, 5], [8, 0], [4, 5], [8, 6]].map(|entry: [u32; 2]| entry.map(u32::to_le_bytes).concat());
        relocate(&entries.concat(), &mut memory, 0x1_0000).unwrap();
        let words: Vec<u32> = memory.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        assert_eq!(words, [0x3C01_0003, 0x3C02_0003, 0x2421_8000]);
    }

    #[test]
    fn a_module_tells_its_entry_sizes_and_version() {
        let module = module_of(&module(&[0; 4], &[])).expect("a module");
        assert_eq!((module.entry, module.gp, module.version, module.identity), (4, 0x8000, 0x0102, None));
        assert_eq!((module.image_bytes, module.memory_bytes, module.bss_bytes), (16, 32, 16));
    }

    #[test]
    fn words_and_jumps_move_with_the_base_and_the_rest_is_zero() {
        let file = module(&[0x100, 0x0C00_0004, 7, 8], &[(0, 2), (4, 4)]);
        assert_eq!(loaded(&file, 0x8000), Ok(vec![0x8100, 0x0C00_2004, 7, 8, 0, 0, 0, 0]));
    }

    #[test]
    fn a_pair_of_halves_carries_when_the_lower_one_is_negative() {
        // lui 0 / addiu 0x7FF0 at base 0x12_8020: the sum 0x13_0010 needs no carry, 0x12_8020 + 0x10 does.
        let pair = [(0, 5), (4, 6)];
        let file = module(&[0x3C02_0000, 0x2442_7FF0], &pair);
        assert_eq!(loaded(&file, 0x12_8020).map(|image| image[..2].to_vec()), Ok(vec![0x3C02_0013, 0x2442_0010]));
        let file = module(&[0x3C02_0000, 0x2442_0010], &pair);
        assert_eq!(loaded(&file, 0x12_8020).map(|image| image[..2].to_vec()), Ok(vec![0x3C02_0013, 0x2442_8030]));
    }

    #[test]
    fn further_lower_halves_of_a_pair_are_relocated_alone() {
        let file = module(&[0x3C02_0000, 0x2442_0010, 0x8C42_0014], &[(0, 5), (4, 6), (8, 6)]);
        assert_eq!(loaded(&file, 0x8000).map(|image| image[2]), Ok(0x8C42_8014));
    }

    #[test]
    fn a_chain_of_upper_halves_gets_one_address() {
        let file = module(&[0x3C02_0002, 0, 0x3C03_0000, 0], &[(0, 250), (0x9000, 251)]);
        let image = loaded(&file, 0x1_0000).expect("a module");
        assert_eq!((image[0], image[2]), (0x3C02_0002, 0x3C03_0002));
    }

    #[test]
    fn damaged_modules_are_refused() {
        let good = module(&[0; 4], &[(0, 2)]);
        assert!(loaded(&good, 0).is_ok());
        for (at, value) in [
            (16, 0x0008_0002),                               // an executable
            (28, 0xFFFF_FFF0),                               // headers outside of the file
            (52, 1),                                         // no information
            (84 + 4, 0xFFFF_FF00),                           // image outside of the file
            (84 + 20, 4),                                    // smaller in memory than in the file
            (0xC4, 0x1000),                                  // entry outside of the image
            (0xCC, 0x1000),                                  // text longer than the image
            (RELOCATIONS_AT, 0x1000),                        // relocation outside of the image
            (SECTIONS_AT + SECTION_BYTES + 16, 0xFFFF_FFF8), // relocations outside of the file
            (RELOCATIONS_AT + 4, 5),                         // an upper half without a lower one
        ] {
            let mut file = good.clone();
            put(&mut file, at, &[value]);
            assert_eq!(loaded(&file, 0), Err(Error::IllegalObject), "word at {at:#x}");
        }
        assert_eq!(module_of(&good[..51]), Err(Error::IllegalObject));
    }
}
