//! A bank of sounds: a table and the blocks that go to the sound memory as they are.
//!
//! | part | holds |
//! | --- | --- |
//! | header | `BWSB`, number of sounds, offset of the blocks (whole sectors), their bytes |
//! | records | 16 bytes each: name hash, offset from the first block, bytes, pitch and flags |
//! | blocks | sixteen bytes each, every sound on 64 bytes |

use crate::file_io::{NameHash, SECTOR_BYTES};
use core::fmt;

/// First word of a bank.
pub const MAGIC: [u8; 4] = *b"BWSB";
/// Bytes of the header.
pub const HEADER_BYTES: usize = 16;
/// Bytes of a record.
pub const RECORD_BYTES: usize = 16;
/// Every sound begins on so many bytes: the unit of transfers to the sound memory.
pub const SOUND_ALIGNMENT: u32 = 64;
/// Flag of a sound that repeats until it is stopped.
const LOOPS: u16 = 1;

/// A sound of a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sound {
    /// Its name.
    pub name: NameHash,
    /// Its first block, counted in bytes from the bank's first.
    pub offset: u32,
    /// Bytes of its blocks.
    pub bytes: u32,
    /// The pitch at which it sounds as it was made; 0x1000 is 48 kHz.
    pub pitch: u16,
    /// It repeats until it is stopped.
    pub loops: bool,
}

impl Sound {
    /// Its record.
    pub fn to_bytes(self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..4].copy_from_slice(&self.name.0.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.bytes.to_le_bytes());
        bytes[12..14].copy_from_slice(&self.pitch.to_le_bytes());
        bytes[14..].copy_from_slice(&(u16::from(self.loops) * LOOPS).to_le_bytes());
        bytes
    }

    const fn from_bytes(bytes: [u8; RECORD_BYTES]) -> Self {
        let [n0, n1, n2, n3, o0, o1, o2, o3, b0, b1, b2, b3, p0, p1, f0, f1] = bytes;
        Self {
            name: NameHash(u32::from_le_bytes([n0, n1, n2, n3])),
            offset: u32::from_le_bytes([o0, o1, o2, o3]),
            bytes: u32::from_le_bytes([b0, b1, b2, b3]),
            pitch: u16::from_le_bytes([p0, p1]),
            loops: u16::from_le_bytes([f0, f1]) & LOOPS != 0,
        }
    }
}

/// The header of a bank.
pub fn header(sounds: u32, blocks_offset: u32, blocks_bytes: u32) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    bytes[..4].copy_from_slice(&MAGIC);
    for (field, value) in bytes[4..].chunks_exact_mut(4).zip([sounds, blocks_offset, blocks_bytes]) {
        field.copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

/// Why a bank was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BankError {
    /// Not a bank, or cut within its table.
    NoBank,
    /// The blocks are not on whole sectors or units.
    Blocks,
    /// A sound, by its place, lies outside the blocks or on no unit.
    Sound(usize),
}

impl fmt::Display for BankError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBank => f.write_str("this is no sound bank"),
            Self::Blocks => f.write_str("the sound bank's blocks are misplaced"),
            Self::Sound(place) => write!(f, "sound {place} lies outside of its bank"),
        }
    }
}

/// A checked bank: the table without the blocks.
#[derive(Clone, Copy, Debug)]
pub struct Bank<'a> {
    records: &'a [[u8; RECORD_BYTES]],
    /// Where the blocks begin in the file.
    pub blocks_offset: u32,
    /// Bytes of the blocks.
    pub blocks_bytes: u32,
}

impl<'a> Bank<'a> {
    /// Reads a bank's table out of the file's begin.
    ///
    /// # Errors
    /// Bytes that are no bank, or a sound that would be played from outside of it.
    pub fn read(bytes: &'a [u8]) -> Result<Self, BankError> {
        let (header, rest) = bytes.split_first_chunk::<HEADER_BYTES>().ok_or(BankError::NoBank)?;
        let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let (sounds, blocks_offset, blocks_bytes) = (word(4), word(8), word(12));
        let records = rest.as_chunks::<RECORD_BYTES>().0.get(..sounds as usize);
        let records = records.filter(|_| header.starts_with(&MAGIC)).ok_or(BankError::NoBank)?;
        let table = (HEADER_BYTES + core::mem::size_of_val(records)) as u32;
        let placed = blocks_offset.is_multiple_of(SECTOR_BYTES) && blocks_offset >= table;
        if !placed || !blocks_bytes.is_multiple_of(SOUND_ALIGNMENT) {
            return Err(BankError::Blocks);
        }
        let bank = Self { records, blocks_offset, blocks_bytes };
        let outside = |sound: Sound| {
            let end = u64::from(sound.offset) + u64::from(sound.bytes);
            !sound.offset.is_multiple_of(SOUND_ALIGNMENT) || sound.bytes == 0 || end > u64::from(blocks_bytes)
        };
        match bank.iter().position(outside) {
            Some(place) => Err(BankError::Sound(place)),
            None => Ok(bank),
        }
    }

    /// All sounds.
    pub fn iter(self) -> impl Iterator<Item = Sound> + 'a {
        self.records.iter().map(|&record| Sound::from_bytes(record))
    }

    /// A sound by its name.
    pub fn find(self, name: NameHash) -> Option<Sound> {
        self.iter().find(|sound| sound.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    fn sound(number: u32, offset: u32, bytes: u32) -> Sound {
        Sound { name: NameHash(number), offset, bytes, pitch: 0x800, loops: number % 2 == 1 }
    }

    fn bank(sounds: &[Sound], offset: u32, bytes: u32) -> Vec<u8> {
        let mut out = header(sounds.len() as u32, offset, bytes).to_vec();
        out.extend(sounds.iter().flat_map(|sound| sound.to_bytes()));
        out
    }

    #[test]
    fn sounds_are_found_by_name() {
        let sounds = [sound(1, 0, 100), sound(2, 128, 64)];
        let bytes = bank(&sounds, 2048, 192);
        let bank = Bank::read(&bytes).unwrap();
        assert_eq!(bank.find(NameHash(2)), Some(sounds[1]));
        assert_eq!(bank.find(NameHash(3)), None);
        assert_eq!(bank.iter().collect::<Vec<_>>(), sounds);
    }

    #[test]
    fn banks_that_do_not_fit_are_refused() {
        let error = |sounds: &[Sound], offset, bytes| Bank::read(&bank(sounds, offset, bytes)).err();
        assert_eq!(error(&[sound(1, 0, 65)], 2048, 64), Some(BankError::Sound(0)));
        assert_eq!(error(&[sound(1, 0, 64), sound(2, 16, 16)], 2048, 64), Some(BankError::Sound(1)));
        assert_eq!(error(&[sound(1, 0xFFFF_FFC0, 0x80)], 2048, 64), Some(BankError::Sound(0)));
        assert_eq!(error(&[], 100, 64), Some(BankError::Blocks));
        assert_eq!(error(&[], 2048, 63), Some(BankError::Blocks));
        let whole = bank(&[sound(1, 0, 64)], 2048, 64);
        for length in 0..whole.len() {
            assert_eq!(Bank::read(&whole[..length]).err(), Some(BankError::NoBank), "{length} bytes");
        }
    }

    proptest! {
        #[test]
        fn hostile_bytes_give_no_sound_outside_the_bank(bytes in proptest::collection::vec(any::<u8>(), 0..200), count in 0u32..10, total in 0u32..0x8000) {
            let mut bytes = bytes;
            if let Some(first) = bytes.first_chunk_mut::<16>() {
                *first = header(count, 2048, total * 64);
            }
            if let Ok(bank) = Bank::read(&bytes) {
                prop_assert!(bank.iter().all(|sound| sound.offset + sound.bytes <= bank.blocks_bytes));
            }
        }
    }
}
