//! Records of one pool in a list for each owner: goals and actions of brains.

use super::super::pool::Pool;
use alloc::boxed::Box;
use alloc::vec;

/// A record and the one below it.
#[derive(Clone, Debug, Default)]
struct Link<T> {
    value: T,
    below: Option<u16>,
}

/// A pool whose live records hang in one list for each owner, the newest on top. Asking the full pool is refused and
/// counted.
///
/// Source: seed 000, Task classes and pools (goals and actions are pools of all brains, by human).
#[derive(Debug)]
pub struct Lists<T> {
    pool: Pool<Link<T>>,
    tops: Box<[Option<u16>]>,
}

impl<T: Copy + Default> Lists<T> {
    /// A pool of `capacity` records for a number of owners, all without any. Memory is taken here only.
    pub fn new(capacity: usize, owners: usize) -> Self {
        Self { pool: Pool::new(capacity as u16), tops: vec![None; owners].into_boxed_slice() }
    }

    /// Puts a record on top of an owner's list. Says whether there was room; there is none for an owner that is not.
    pub fn push(&mut self, owner: usize, value: T) -> bool {
        let Some(top) = self.tops.get_mut(owner) else { return false };
        let Some(slot) = self.pool.take() else { return false };
        if let Some(link) = self.pool.get_mut(slot) {
            *link = Link { value, below: top.replace(slot) };
        }
        true
    }

    /// Takes the top record of an owner's list off and gives its place back.
    pub fn pop(&mut self, owner: usize) -> Option<T> {
        let top = self.tops.get_mut(owner)?;
        let slot = (*top)?;
        let Link { value, below } = self.pool.get(slot)?.clone();
        *top = below;
        self.pool.give(slot);
        Some(value)
    }

    /// Gives all of an owner's records back; answers how many.
    pub fn clear(&mut self, owner: usize) -> usize {
        core::iter::from_fn(|| self.pop(owner)).count()
    }

    /// The top record of an owner's list.
    pub fn top(&self, owner: usize) -> Option<T> {
        self.iter(owner).next()
    }

    /// The bottom record of an owner's list, its oldest.
    pub fn bottom(&self, owner: usize) -> Option<T> {
        self.iter(owner).last()
    }

    /// Makes an owner's list at most `depth` records deep, by taking the newest.
    pub fn truncate(&mut self, owner: usize, depth: usize) {
        for _ in depth..self.iter(owner).count() {
            self.pop(owner);
        }
    }

    /// An owner's records, the newest first.
    pub fn iter(&self, owner: usize) -> impl Iterator<Item = T> + '_ {
        let mut next = self.tops.get(owner).copied().flatten();
        core::iter::from_fn(move || {
            let link = self.pool.get(next?)?;
            next = link.below;
            Some(link.value)
        })
    }

    /// Live records of all owners.
    pub fn count(&self) -> usize {
        self.pool.count()
    }

    /// Records in all.
    pub fn capacity(&self) -> usize {
        self.pool.capacity()
    }

    /// How often the full pool has been asked.
    pub fn refusals(&self) -> u32 {
        self.pool.refusals()
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.pool.bytes() + size_of_val(&*self.tops)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn each_owner_has_its_own_list_with_the_newest_on_top() {
        let mut lists: Lists<u32> = Lists::new(8, 3);
        for (owner, value) in [(0, 1), (2, 10), (0, 2), (0, 3)] {
            assert!(lists.push(owner, value));
        }
        assert_eq!(lists.iter(0).collect::<Vec<_>>(), [3, 2, 1]);
        assert_eq!((lists.top(0), lists.bottom(0), lists.top(1), lists.top(2)), (Some(3), Some(1), None, Some(10)));
        assert_eq!((lists.pop(0), lists.pop(1), lists.count()), (Some(3), None, 3));
        lists.truncate(0, 1);
        assert_eq!((lists.iter(0).collect::<Vec<_>>(), lists.clear(0), lists.count()), (std::vec![1], 1, 1));
        assert!(!lists.push(3, 0), "there are three owners");
    }

    #[test]
    fn a_full_pool_refuses_and_counts_whoever_asks() {
        let mut lists: Lists<u32> = Lists::new(2, 2);
        assert!(lists.push(0, 1) && lists.push(1, 2));
        assert!(!lists.push(0, 3));
        assert_eq!((lists.refusals(), lists.top(0), lists.capacity()), (1, Some(1), 2));
        lists.pop(1);
        assert!(lists.push(0, 3), "what one gives back another may take");
    }
}
