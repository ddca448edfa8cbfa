//! Clumps: memory that is handed out from front to back and given back all at once.

use super::error::Error;
use super::region::{Region, round_up};
use core::ptr::NonNull;

/// A pool that only counts what it hands out.
///
/// Source: support systems, Memory (the 0x18-byte clump).
#[derive(Debug)]
pub struct Clump {
    block: Region,
    used: usize,
    live: u32,
    counts_frees: bool,
}

impl Clump {
    /// Alignment at which a clump's own block is taken from its parent, in bytes.
    pub const BLOCK_ALIGN: usize = 128;

    /// An empty clump over a block.
    pub const fn new(block: Region) -> Self {
        Self { block, used: 0, live: 0, counts_frees: false }
    }

    /// Makes frees count, so that the clump is empty again when everything is given back. Off by default.
    ///
    /// Source: support systems, Memory (`SetOption(0, 1)`).
    pub const fn count_frees(&mut self, on: bool) {
        self.counts_frees = on;
    }

    /// Hands out the next `size` bytes at an address that is a multiple of `align`, a power of two.
    ///
    /// Our choice: the end of the block is checked, where the original hands out what lies behind it; and the address is
    /// aligned rather than the offset, which is the same for every block that is aligned as strictly as its contents.
    pub fn alloc(&mut self, size: usize, align: usize) -> Result<NonNull<u8>, Error> {
        if !align.is_power_of_two() {
            return Err(Error::Alignment(align));
        }
        let exhausted = Error::Exhausted { wanted: size };
        let place = self.block.first() + self.used;
        let start = round_up(place, align).ok_or(exhausted)? - self.block.first();
        let end = start.checked_add(size).filter(|end| *end <= self.block.bytes()).ok_or(exhausted)?;
        self.used = end;
        self.live += 1;
        Ok(self.block.at(start))
    }

    /// Gives an allocation back: nothing happens unless frees count, and then only the last one empties the clump.
    pub const fn free(&mut self) {
        if self.counts_frees && self.live > 0 {
            self.live -= 1;
            if self.live == 0 {
                self.used = 0;
            }
        }
    }

    /// The block.
    pub const fn block(&self) -> &Region {
        &self.block
    }

    /// Bytes handed out, alignment included.
    pub const fn used(&self) -> usize {
        self.used
    }

    /// Allocations that count as live.
    pub const fn live(&self) -> u32 {
        self.live
    }

    /// Bytes left at the end.
    pub const fn free_bytes(&self) -> usize {
        self.block.bytes() - self.used
    }

    /// Always 0. Source: support systems, Memory.
    pub const fn largest_free_block(&self) -> usize {
        0
    }

    /// The whole block back.
    pub fn into_block(self) -> Region {
        self.block
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Arena;
    use super::*;

    #[test]
    fn allocations_follow_each_other_aligned() {
        let mut arena = Arena::new(1024, 128);
        let mut clump = Clump::new(arena.region());
        let base = clump.block().first();
        let offset = |clump: &mut Clump, size, align| clump.alloc(size, align).unwrap().as_ptr() as usize - base;
        assert_eq!(offset(&mut clump, 5, 8), 0);
        assert_eq!(offset(&mut clump, 16, 16), 16);
        assert_eq!(offset(&mut clump, 1, 128), 128);
        assert_eq!((clump.used(), clump.live(), clump.free_bytes()), (129, 3, 1024 - 129));
        assert_eq!(clump.largest_free_block(), 0);
    }

    #[test]
    fn an_allocation_past_the_end_is_refused_and_changes_nothing() {
        let mut arena = Arena::new(256, 128);
        let mut clump = Clump::new(arena.region());
        clump.alloc(250, 1).unwrap();
        assert_eq!(clump.alloc(7, 1), Err(Error::Exhausted { wanted: 7 }));
        assert_eq!(clump.alloc(usize::MAX, 16), Err(Error::Exhausted { wanted: usize::MAX }));
        assert_eq!(clump.alloc(1, 3), Err(Error::Alignment(3)));
        assert_eq!((clump.used(), clump.live()), (250, 1));
        assert!(clump.alloc(6, 1).is_ok());
    }

    #[test]
    fn a_free_does_nothing_unless_frees_count() {
        let mut arena = Arena::new(256, 128);
        let mut clump = Clump::new(arena.region());
        clump.alloc(8, 8).unwrap();
        clump.free();
        assert_eq!((clump.used(), clump.live()), (8, 1));
        clump.count_frees(true);
        clump.alloc(8, 8).unwrap();
        clump.free();
        assert_eq!((clump.used(), clump.live()), (16, 1));
        clump.free();
        assert_eq!((clump.used(), clump.live()), (0, 0));
        clump.free();
        assert_eq!((clump.used(), clump.live()), (0, 0), "one free too many is harmless");
    }
}
