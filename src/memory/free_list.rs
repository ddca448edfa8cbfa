//! Free lists: equal records in one block and the order in which free ones are taken.

use super::error::Error;
use super::region::Region;
use core::ptr::NonNull;

/// A block of equal records and a stack of the free ones.
///
/// The stack of slot numbers stands behind the records in the same block.
///
/// Source: support systems, Memory, Free lists.
#[derive(Debug)]
pub struct FreeList {
    block: Region,
    record_bytes: usize,
    capacity: u16,
    free: u16,
    refusals: u32,
}

impl FreeList {
    /// Bytes that a list of `capacity` records of `record_bytes` needs.
    pub const fn bytes(capacity: u16, record_bytes: usize) -> usize {
        let records = (capacity as usize * record_bytes).next_multiple_of(align_of::<u16>());
        records + capacity as usize * size_of::<u16>()
    }

    /// A list with every record free; slot 0 is taken first. The block must hold [`bytes`](Self::bytes).
    pub fn new(block: Region, capacity: u16, record_bytes: usize) -> Result<Self, Error> {
        let aligned = block.first().is_multiple_of(align_of::<u16>());
        if !aligned || block.bytes() < Self::bytes(capacity, record_bytes) {
            return Err(Error::BlockSize(block.bytes()));
        }
        let list = Self { block, record_bytes, capacity, free: capacity, refusals: 0 };
        for (index, slot) in (0..capacity).rev().enumerate() {
            // SAFETY: the block is aligned and holds one number for each record behind the records.
            unsafe { list.first_slot().add(index).write(slot) };
        }
        Ok(list)
    }

    fn first_slot(&self) -> NonNull<u16> {
        let slots = usize::from(self.capacity) * size_of::<u16>();
        self.block.at(Self::bytes(self.capacity, self.record_bytes) - slots).cast()
    }

    fn slots(&mut self) -> &mut [u16] {
        // SAFETY: `new` has checked the block and written every slot, and the slots are borrowed as the list is.
        unsafe { core::slice::from_raw_parts_mut(self.first_slot().as_ptr(), usize::from(self.capacity)) }
    }

    /// Takes a free record; a full list counts a refusal.
    pub fn take(&mut self) -> Option<u16> {
        let Some(left) = self.free.checked_sub(1) else {
            self.refusals = self.refusals.saturating_add(1);
            return None;
        };
        self.free = left;
        Some(self.slots()[usize::from(left)])
    }

    /// Gives a record back; it is the next one taken. Says whether it was taken.
    pub fn give(&mut self, slot: u16) -> bool {
        let free = usize::from(self.free);
        if slot >= self.capacity || self.slots()[..free].contains(&slot) {
            return false;
        }
        self.slots()[free] = slot;
        self.free += 1;
        true
    }

    /// Where a record stands, or `None` past the last one.
    pub fn address(&self, slot: u16) -> Option<NonNull<u8>> {
        (slot < self.capacity).then(|| self.block.at(usize::from(slot) * self.record_bytes))
    }

    /// Records in all.
    pub const fn capacity(&self) -> u16 {
        self.capacity
    }

    /// Free records.
    pub const fn room(&self) -> u16 {
        self.free
    }

    /// How often no record was free.
    pub const fn refusals(&self) -> u32 {
        self.refusals
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Arena;
    use super::*;

    #[test]
    fn records_are_taken_in_order_and_the_last_one_given_back_comes_first() {
        let mut arena = Arena::new(FreeList::bytes(3, 300), 16);
        let mut list = FreeList::new(arena.region(), 3, 300).unwrap();
        assert_eq!([(); 4].map(|()| list.take()), [Some(0), Some(1), Some(2), None]);
        assert_eq!((list.room(), list.refusals()), (0, 1));
        assert!(list.give(1));
        assert!(!list.give(1), "twice");
        assert!(!list.give(3), "past the end");
        assert_eq!(list.take(), Some(1));
    }

    #[test]
    fn records_do_not_overlap_each_other_or_the_slots() {
        let mut arena = Arena::new(FreeList::bytes(5, 7), 16);
        let mut list = FreeList::new(arena.region(), 5, 7).unwrap();
        for slot in 0..5 {
            // SAFETY: each record has seven bytes.
            unsafe { list.address(slot).unwrap().write_bytes(0xff, 7) };
        }
        assert_eq!(list.address(5), None);
        assert_eq!([(); 5].map(|()| list.take().unwrap()), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_block_that_is_too_small_is_refused() {
        let mut arena = Arena::new(FreeList::bytes(4, 8) - 1, 16);
        assert!(FreeList::new(arena.region(), 4, 8).is_err());
    }
}
