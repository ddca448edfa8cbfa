//! Fixed pools: one block of records and a stack of free slots.

use alloc::boxed::Box;
use alloc::vec;

/// A pool of at most 65,535 records that never grows.
///
/// A slot that is given back is the next one taken. Asking a full pool is refused and counted. Source: seed 000, Task
/// classes and pools (FreeList: a block of records and a slot array).
#[derive(Debug)]
pub struct Pool<T> {
    records: Box<[T]>,
    live: Box<[u32]>,
    free: Box<[u16]>,
    free_count: usize,
    refusals: u32,
}

impl<T: Clone + Default> Pool<T> {
    /// A pool of `capacity` records, all free; slot 0 is taken first.
    pub fn new(capacity: u16) -> Self {
        let n = usize::from(capacity);
        Self {
            records: vec![T::default(); n].into_boxed_slice(),
            live: vec![0; n.div_ceil(32)].into_boxed_slice(),
            free: (0..capacity).rev().collect(),
            free_count: n,
            refusals: 0,
        }
    }

    /// Takes a free slot and resets its record; a full pool counts a refusal.
    pub fn take(&mut self) -> Option<u16> {
        let Some(left) = self.free_count.checked_sub(1) else {
            self.refusals = self.refusals.saturating_add(1);
            return None;
        };
        self.free_count = left;
        let slot = self.free[left];
        self.records[usize::from(slot)] = T::default();
        self.live[usize::from(slot) / 32] |= 1 << (slot % 32);
        Some(slot)
    }

    /// Gives a slot back. Says whether it was live.
    pub fn give(&mut self, slot: u16) -> bool {
        if !self.is_live(slot) {
            return false;
        }
        self.live[usize::from(slot) / 32] &= !(1 << (slot % 32));
        self.free[self.free_count] = slot;
        self.free_count += 1;
        true
    }

    /// Frees everything; slot 0 is taken first again.
    pub fn clear(&mut self) {
        let capacity = self.records.len();
        for (n, slot) in self.free.iter_mut().enumerate() {
            *slot = (capacity - 1 - n) as u16;
        }
        self.live.fill(0);
        self.free_count = capacity;
    }
}

impl<T> Pool<T> {
    /// Number of records.
    pub fn capacity(&self) -> usize {
        self.records.len()
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        let slots = self.records.len();
        slots * (size_of::<T>() + size_of::<u16>()) + self.live.len() * size_of::<u32>()
    }

    /// Live records.
    pub fn count(&self) -> usize {
        self.records.len() - self.free_count
    }

    /// Free records.
    pub fn room(&self) -> usize {
        self.free_count
    }

    /// How often the full pool has been asked.
    pub fn refusals(&self) -> u32 {
        self.refusals
    }

    /// Whether a slot is in use.
    pub fn is_live(&self, slot: u16) -> bool {
        self.live.get(usize::from(slot) / 32).is_some_and(|word| word >> (slot % 32) & 1 == 1)
    }

    /// A live record.
    pub fn get(&self, slot: u16) -> Option<&T> {
        self.is_live(slot).then(|| &self.records[usize::from(slot)])
    }

    /// A live record.
    pub fn get_mut(&mut self, slot: u16) -> Option<&mut T> {
        self.is_live(slot).then(|| &mut self.records[usize::from(slot)])
    }

    /// The first live slot at or after `from`, so that a walk may change the pool between steps.
    pub fn next_live(&self, from: u16) -> Option<u16> {
        let from = usize::from(from);
        let mut word = from / 32;
        let mut bits = self.live.get(word)? & (u32::MAX << (from % 32));
        loop {
            if bits != 0 {
                return Some((word * 32) as u16 + bits.trailing_zeros() as u16);
            }
            word += 1;
            bits = *self.live.get(word)?;
        }
    }

    /// The live slots, ascending.
    pub fn live_slots(&self) -> impl Iterator<Item = u16> + '_ {
        let mut from = Some(0);
        core::iter::from_fn(move || {
            let slot = self.next_live(from?)?;
            from = slot.checked_add(1);
            Some(slot)
        })
    }

    /// The live records, ascending by slot.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &T)> {
        self.live_slots().map(|slot| (slot, &self.records[usize::from(slot)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::vec::Vec;

    #[test]
    fn a_full_pool_refuses_and_counts() {
        let mut pool: Pool<u32> = Pool::new(3);
        assert_eq!([pool.take(), pool.take(), pool.take()], [Some(0), Some(1), Some(2)]);
        assert_eq!(pool.take(), None);
        assert_eq!((pool.count(), pool.room(), pool.refusals()), (3, 0, 1));
        assert!(pool.give(1));
        assert!(!pool.give(1), "a slot is given back once");
        assert_eq!(pool.take(), Some(1));
    }

    #[test]
    fn a_taken_record_is_fresh() {
        let mut pool: Pool<u32> = Pool::new(1);
        let slot = pool.take().unwrap();
        *pool.get_mut(slot).unwrap() = 7;
        pool.give(slot);
        assert!(pool.get(slot).is_none());
        pool.take();
        assert_eq!(pool.get(slot), Some(&0));
    }

    proptest::proptest! {
        #[test]
        fn live_slots_are_those_taken_and_not_given(steps in proptest::collection::vec(0u16..140, 0..400)) {
            let mut pool: Pool<u8> = Pool::new(100);
            let mut model = BTreeSet::new();
            for step in steps {
                if step < 70 {
                    match pool.take() {
                        Some(slot) => assert!(model.insert(slot)),
                        None => assert_eq!(model.len(), 100),
                    }
                } else {
                    assert_eq!(pool.give(step - 40), model.remove(&(step - 40)));
                }
            }
            assert_eq!(pool.live_slots().collect::<Vec<_>>(), model.into_iter().collect::<Vec<_>>());
        }
    }
}
