//! Music on the disc.
//!
//! A header of one sector, then groups: for each channel [`CHANNEL_BYTES`] of blocks, which are half of what the channel's
//! ring in the sound memory holds. The module plays one half while it fills the other, so groups are all it needs to know.
//! The channels are layers of the same music, left and right of each: all of them play together, and what is heard of each
//! is a matter of volumes.

use crate::adpcm::{BLOCK_BYTES, BLOCK_SAMPLES};

/// First word of the header.
pub const MAGIC: [u8; 4] = *b"BWMU";
/// Bytes of the header: a sector.
pub const HEADER_BYTES: usize = 2048;
/// Bytes of a group for one channel: whole sectors, 0.3 s at 48 kHz, 0.45 s at 32 kHz.
///
/// Our choice: long enough to outlast a full seek of the drive twice, small enough that a ring of them is no burden.
pub const CHANNEL_BYTES: usize = 8192;
/// Layers: calm and fight.
pub const LAYERS: usize = 2;
/// Sides of a layer: left and right.
pub const SIDES: usize = 2;
/// Channels: left and right of the first layer, then of the second.
pub const CHANNELS: usize = LAYERS * SIDES;
/// Bytes of a group.
pub const GROUP_BYTES: usize = CHANNEL_BYTES * CHANNELS;
/// Blocks of a group's channel.
pub const CHANNEL_BLOCKS: usize = CHANNEL_BYTES / BLOCK_BYTES;
/// Samples of a group's channel.
pub const CHANNEL_SAMPLES: usize = CHANNEL_BLOCKS * BLOCK_SAMPLES;
/// "Ends instead of starting over."
pub const NO_LOOP: u32 = u32::MAX;

/// What the header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Pitch of all voices.
    pub pitch: u16,
    /// Number of groups.
    pub groups: u32,
    /// The group that follows the last one, or [`NO_LOOP`].
    pub loop_group: u32,
    /// Beats from the first group to the last.
    pub beats: u32,
}

impl Header {
    /// The header's first bytes; the rest of its sector is zero.
    pub fn to_bytes(self) -> [u8; 20] {
        let mut bytes = [0; 20];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..8].copy_from_slice(&u32::from(self.pitch).to_le_bytes());
        bytes[8..12].copy_from_slice(&self.groups.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.loop_group.to_le_bytes());
        bytes[16..].copy_from_slice(&self.beats.to_le_bytes());
        bytes
    }

    /// Reads a header of a file with this many bytes. `None` for anything else than music.
    pub fn from_bytes(bytes: &[u8], file_bytes: u32) -> Option<Self> {
        let (magic, words) = bytes.split_first_chunk::<4>()?;
        let word = |index: usize| words.get(index * 4..)?.first_chunk::<4>().copied().map(u32::from_le_bytes);
        let (pitch, groups, loop_group, beats) = (u16::try_from(word(0)?).ok()?, word(1)?, word(2)?, word(3)?);
        // By a shift: a group's bytes are a power of two, and the processor's own division is to be avoided.
        let room = file_bytes.checked_sub(HEADER_BYTES as u32)? >> GROUP_BYTES.trailing_zeros();
        let plays = *magic == MAGIC && pitch > 0 && (1..=room).contains(&groups);
        (plays && (loop_group == NO_LOOP || loop_group < groups)).then_some(Self { pitch, groups, loop_group, beats })
    }

    /// The group that comes after one, `None` at the end.
    pub const fn next(self, group: u32) -> Option<u32> {
        match group + 1 {
            next if next < self.groups => Some(next),
            _ if self.loop_group == NO_LOOP => None,
            _ => Some(self.loop_group),
        }
    }

    /// Where a group begins in the file.
    pub const fn group_offset(group: u32) -> u32 {
        HEADER_BYTES as u32 + (group << GROUP_BYTES.trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIZE: u32 = (HEADER_BYTES + 3 * GROUP_BYTES) as u32;
    const HEADER: Header = Header { pitch: 0x1000, groups: 3, loop_group: 1, beats: 12 };

    #[test]
    fn a_header_is_read_back() {
        assert_eq!(Header::from_bytes(&HEADER.to_bytes(), SIZE), Some(HEADER));
    }

    #[test]
    fn what_does_not_fit_its_file_is_no_music() {
        let bytes = HEADER.to_bytes();
        assert_eq!(Header::from_bytes(&bytes, SIZE - 1), None, "three groups in less than three");
        assert_eq!(Header::from_bytes(&bytes[..19], SIZE), None, "cut");
        for bad in [
            Header { pitch: 0, ..HEADER },
            Header { groups: 0, loop_group: NO_LOOP, ..HEADER },
            Header { loop_group: 3, ..HEADER },
        ] {
            assert_eq!(Header::from_bytes(&bad.to_bytes(), SIZE), None, "{bad:?}");
        }
        assert_eq!(Header::from_bytes(&[0; 20], SIZE), None, "no magic");
        assert_eq!(Header::from_bytes(&bytes, 5), None, "smaller than its header");
    }

    proptest! {
        #[test]
        fn whatever_a_header_says_every_group_lies_in_the_file(
            words in proptest::array::uniform4(prop_oneof![0u32..2000, any::<u32>()]),
            size in prop_oneof![0u32..1 << 24, any::<u32>()],
            cut in 0usize..=20,
        ) {
            let mut bytes = MAGIC.to_vec();
            bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
            if let Some(header) = Header::from_bytes(&bytes[..cut], size) {
                let mut group = Some(0);
                for _ in 0..3 {
                    let Some(at) = group else { break };
                    let end = u64::from(Header::group_offset(at)) + GROUP_BYTES as u64;
                    prop_assert!(at < header.groups && end <= u64::from(size), "{header:?} of {size} bytes");
                    group = header.next(at);
                }
                let last = u64::from(Header::group_offset(header.groups - 1)) + GROUP_BYTES as u64;
                prop_assert!(last <= u64::from(size), "{header:?} of {size} bytes");
            }
        }
    }

    #[test]
    fn groups_follow_each_other_and_loop_where_the_header_says() {
        assert_eq!([0, 1, 2].map(|group| HEADER.next(group)), [Some(1), Some(2), Some(1)]);
        assert_eq!(Header { loop_group: NO_LOOP, ..HEADER }.next(2), None);
        assert_eq!(Header::group_offset(2), SIZE - GROUP_BYTES as u32);
    }

    #[test]
    fn a_group_outlasts_two_full_seeks() {
        let milliseconds = CHANNEL_SAMPLES * 1000 / crate::adpcm::OUTPUT_RATE as usize;
        assert!(milliseconds > 2 * 145, "{milliseconds} ms");
    }
}
