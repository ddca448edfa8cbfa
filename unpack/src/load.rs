//! The list of a packed program's parts.

/// First word of a load.
pub const MAGIC: [u8; 4] = *b"BWPK";
/// Bytes of the header: magic, bytes of the whole load, entry, number of parts.
pub const HEADER_BYTES: usize = 16;
/// Bytes of a part's record: address, bytes in memory, bytes unpacked, bytes packed.
pub const PART_BYTES: usize = 16;

/// A packed program.
#[derive(Clone, Copy, Debug)]
pub struct Load<'b> {
    /// Where it begins.
    pub entry: u32,
    records: &'b [u8],
    packed: &'b [u8],
}

/// A part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'b> {
    /// Where it goes.
    pub address: u32,
    /// Bytes that it takes there; what lies beyond its own is cleared.
    pub memory: u32,
    /// Bytes that it has of its own.
    pub bytes: u32,
    /// Them, packed.
    pub packed: &'b [u8],
}

fn word(bytes: &[u8], index: usize) -> Option<u32> {
    bytes.get(4 * index..)?.first_chunk::<4>().copied().map(u32::from_le_bytes)
}

impl<'b> Load<'b> {
    /// Reads a load that begins `bytes`. `None` when that is none, or cut.
    pub fn read(bytes: &'b [u8]) -> Option<Self> {
        let all = bytes.get(..Self::bytes_of(bytes)?)?;
        let (entry, count) = (word(all, 2)?, word(all, 3)? as usize);
        let (records, packed) = all.get(HEADER_BYTES..)?.split_at_checked(count.checked_mul(PART_BYTES)?)?;
        Some(Self { entry, records, packed })
    }

    /// Bytes of the whole load that begins `bytes`, of which a header must be there. `None` when it is none.
    pub fn bytes_of(bytes: &[u8]) -> Option<usize> {
        bytes.starts_with(&MAGIC).then(|| word(bytes, 1).map(|bytes| bytes as usize)).flatten()
    }

    /// The parts in order. A record that is cut or makes no sense ends them with `None`.
    pub fn parts(&self) -> impl Iterator<Item = Option<Part<'b>>> + use<'b> {
        let mut packed = self.packed;
        self.records.chunks(PART_BYTES).map(move |record| {
            let (address, memory, bytes) = (word(record, 0)?, word(record, 1)?, word(record, 2)?);
            let (own, rest) = packed.split_at_checked(word(record, 3)? as usize)?;
            packed = rest;
            let makes_sense = bytes <= memory && address.checked_add(memory).is_some();
            makes_sense.then_some(Part { address, memory, bytes, packed: own })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    fn load(records: &[[u32; 4]], packed: &[u8]) -> Vec<u8> {
        let total = HEADER_BYTES + records.len() * PART_BYTES + packed.len();
        let words = [u32::from_le_bytes(MAGIC), total as u32, 0x10_0000, records.len() as u32];
        let words = words.iter().chain(records.iter().flatten());
        words.flat_map(|word| word.to_le_bytes()).chain(packed.iter().copied()).collect()
    }

    #[test]
    fn parts_are_read_with_their_own_bytes() {
        let bytes = load(&[[0x10_0000, 64, 48, 3], [0x20_0000, 8, 8, 2]], b"abcde");
        let read = Load::read(&bytes).unwrap();
        let parts: Vec<_> = read.parts().map(|part| part.map(|part| (part.address, part.packed))).collect();
        assert_eq!(read.entry, 0x10_0000);
        assert_eq!(parts, [Some((0x10_0000, &b"abc"[..])), Some((0x20_0000, &b"de"[..]))]);
    }

    #[test]
    fn what_is_cut_or_makes_no_sense_is_no_part() {
        let good = [0x10_0000, 64, 48, 3];
        assert!(Load::read(&load(&[good], b"abc")[..30]).is_none(), "cut");
        assert!(Load::read(b"BWPX").is_none(), "no magic");
        for bad in [[0x10_0000, 64, 48, 4], [0x10_0000, 47, 48, 3], [u32::MAX, 64, 48, 3]] {
            let bytes = load(&[bad], b"abc");
            assert_eq!(Load::read(&bytes).unwrap().parts().next(), Some(None), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(mut bytes in prop::collection::vec(any::<u8>(), 4..200)) {
            bytes[..4].copy_from_slice(&MAGIC);
            if let Some(load) = Load::read(&bytes) {
                for part in load.parts().take(100).flatten() {
                    prop_assert!(part.bytes <= part.memory);
                }
            }
        }
    }
}
