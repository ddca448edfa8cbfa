//! Music on its way: groups from the disc, waiting for their half of the sound memory.
//!
//! The sound memory holds two halves for each channel. While a voice plays one, the other is filled with the next group;
//! the blocks' flags make the voice go on from the second half to the first.

use crate::adpcm::{BLOCK_BYTES, flag};
use crate::music::{CHANNEL_BYTES, Header};

/// Groups that wait in the module's memory: seven seconds of music at 32 kHz.
///
/// Our choice: the drive's seeks cost more than its bytes, so that music is fetched seldom and much at a time. With 16 groups
/// two full seeks of 160 ms come every six seconds, 5 % of the drive's time; with 8 it would be 14 %.
pub const GROUPS: usize = 16;
/// With so few groups left, more than a second of music, the drive turns to the music again.
pub const LOW: u8 = 3;

/// Which groups are where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    header: Header,
    /// The next group to be read from the disc; `None` behind the last one.
    next: Option<u32>,
    /// Groups read and not yet taken, by their slot.
    waiting: [u32; GROUPS],
    first: u8,
    count: u8,
    /// The slots are being filled up, until all of them are.
    is_filling: bool,
}

impl Ring {
    /// Music from its begin, nothing read yet.
    pub const fn new(header: Header) -> Self {
        Self { header, next: Some(0), waiting: [0; GROUPS], first: 0, count: 0, is_filling: true }
    }

    /// What to read next: the group, and the slot it goes to. `None` while enough is there, or when the music is over.
    pub fn wanted(&self) -> Option<(u32, usize)> {
        let slot = usize::from(self.first + self.count) & (GROUPS - 1);
        self.next.filter(|_| self.is_filling).map(|group| (group, slot))
    }

    /// Notes that the wanted group has been read.
    pub fn arrived(&mut self) {
        if let Some((group, slot)) = self.wanted() {
            self.waiting[slot] = group;
            self.count += 1;
            self.next = self.header.next(group);
            self.is_filling = usize::from(self.count) < GROUPS;
        }
    }

    /// Leaves the wanted group out, which cannot be read: what is behind it is played in its place.
    pub fn skip(&mut self) {
        if let Some((group, _)) = self.wanted() {
            self.next = self.header.next(group);
        }
    }

    /// The slot and number of the oldest group that waits.
    pub fn front(&self) -> Option<(usize, u32)> {
        let slot = usize::from(self.first) & (GROUPS - 1);
        (self.count > 0).then(|| (slot, self.waiting[slot]))
    }

    /// Frees the oldest group's slot.
    pub fn release(&mut self) {
        if self.count > 0 {
            self.first = (self.first + 1) & (GROUPS as u8 - 1);
            self.count -= 1;
            self.is_filling |= self.count <= LOW;
        }
    }

    /// True when nothing waits and nothing will come.
    pub const fn is_over(&self) -> bool {
        self.count == 0 && self.next.is_none()
    }

    /// True when slots are full or all of the music is there: playing may begin.
    pub fn is_primed(&self) -> bool {
        self.wanted().is_none()
    }
}

/// The half of the sound memory that a channel's voice plays, by the address it fetches.
pub const fn playing_half(address: u32, base: u32) -> usize {
    (address.wrapping_sub(base) >= CHANNEL_BYTES as u32) as usize
}

/// Sets a channel's flags for its half: the loop begins with the first half's first block and turns back after the second
/// half's last.
pub fn mark(channel: &mut [u8], half: usize) {
    let last = channel.len().saturating_sub(BLOCK_BYTES);
    for (index, block) in channel.as_chunks_mut::<BLOCK_BYTES>().0.iter_mut().enumerate() {
        block[1] = match (half, index << BLOCK_BYTES.trailing_zeros()) {
            (0, 0) => flag::START,
            (1, at) if at == last => flag::END | flag::REPEAT,
            _ => 0,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::music::NO_LOOP;
    use std::vec;
    use std::vec::Vec;

    fn ring(groups: u32, loop_group: u32) -> Ring {
        Ring::new(Header { pitch: 0x1000, groups, loop_group, beats: 0 })
    }

    #[test]
    fn groups_come_and_go_in_their_order_and_loop() {
        let mut ring = ring(3, 1);
        let mut taken = Vec::new();
        for _ in 0..20 {
            while ring.wanted().is_some() {
                ring.arrived();
            }
            assert!(ring.is_primed() && !ring.is_over());
            taken.push(ring.front().unwrap().1);
            ring.release();
        }
        assert_eq!(taken[..9], [0, 1, 2, 1, 2, 1, 2, 1, 2]);
    }

    #[test]
    fn slots_are_never_written_while_they_wait() {
        let mut ring = ring(100, NO_LOOP);
        let mut busy = [false; GROUPS];
        for turn in 0..300 {
            if turn % 3 != 0 {
                if let Some((_, slot)) = ring.wanted() {
                    assert!(!busy[slot], "slot {slot} is taken");
                    busy[slot] = true;
                    ring.arrived();
                }
            } else if let Some((slot, _)) = ring.front() {
                busy[slot] = false;
                ring.release();
            }
        }
    }

    #[test]
    fn the_drive_turns_to_the_music_when_little_is_left_and_fills_all_slots_then() {
        let mut ring = ring(1000, NO_LOOP);
        let mut visits = Vec::new();
        for _ in 0..50 {
            let mut read = 0;
            while ring.wanted().is_some() {
                ring.arrived();
                read += 1;
            }
            visits.extend((read > 0).then_some(read));
            ring.release();
        }
        assert_eq!(visits, [GROUPS, GROUPS - usize::from(LOW), GROUPS - usize::from(LOW), GROUPS - usize::from(LOW)]);
    }

    #[test]
    fn music_without_a_loop_is_over_behind_its_last_group() {
        let mut ring = ring(2, NO_LOOP);
        ring.arrived();
        ring.arrived();
        assert_eq!(ring.wanted(), None);
        assert!(ring.is_primed());
        ring.release();
        assert!(!ring.is_over());
        ring.release();
        assert!(ring.is_over());
        assert_eq!(ring.front(), None);
    }

    #[test]
    fn a_group_that_cannot_be_read_is_left_out() {
        let mut ring = ring(4, 0);
        ring.arrived();
        ring.skip();
        ring.arrived();
        let first = ring.front();
        ring.release();
        assert_eq!((first, ring.front()), (Some((0, 0)), Some((1, 2))));
        assert_eq!(ring.wanted(), Some((3, 2)));
        ring.skip();
        assert_eq!(ring.wanted(), Some((0, 2)), "round and round");
        let mut last = self::ring(1, NO_LOOP);
        last.skip();
        assert!(last.is_over());
    }

    #[test]
    fn a_voice_goes_round_both_halves() {
        let flags = |half| {
            let mut channel = vec![0xFF; CHANNEL_BYTES];
            mark(&mut channel, half);
            let flags: Vec<u8> = channel.chunks(BLOCK_BYTES).map(|block| block[1]).collect();
            (flags[0], flags[1..flags.len() - 1].iter().any(|&flag| flag != 0), flags[flags.len() - 1])
        };
        assert_eq!(flags(0), (flag::START, false, 0));
        assert_eq!(flags(1), (0, false, flag::END | flag::REPEAT));
        assert_eq!([0x5010, 0x5010 + 8191, 0x5010 + 8192].map(|at| playing_half(at, 0x5010)), [0, 0, 1]);
    }
}
