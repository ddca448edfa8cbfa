//! A bounded first-in first-out list that counts what it could not take.

use heapless::Vec;

/// At most `N` entries, oldest first, with a count of the entries that found it full.
///
/// Our choice: a packed list instead of a ring, because the queues here hold a handful of small entries and the redundant
/// link search wants them as one slice.
#[derive(Clone, Debug, PartialEq)]
pub struct Queue<T, const N: usize> {
    entries: Vec<T, N>,
    lost: u32,
}

impl<T, const N: usize> Default for Queue<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const N: usize> Queue<T, N> {
    /// An empty queue.
    pub const fn new() -> Self {
        Self { entries: Vec::new(), lost: 0 }
    }

    /// Appends an entry; `false` when the queue was full and the entry was dropped and counted.
    pub fn push(&mut self, entry: T) -> bool {
        let kept = self.entries.push(entry).is_ok();
        if !kept {
            self.lost = self.lost.saturating_add(1);
        }
        kept
    }

    /// Takes the oldest entry.
    pub fn pop(&mut self) -> Option<T> {
        if self.entries.is_empty() { None } else { Some(self.entries.remove(0)) }
    }

    /// The oldest entry.
    pub fn front(&self) -> Option<&T> {
        self.entries.first()
    }

    /// Drops every entry; the count of lost ones stays.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// How many entries found the queue full since it was made.
    pub const fn lost(&self) -> u32 {
        self.lost
    }

    /// The entries, oldest first.
    pub fn as_slice(&self) -> &[T] {
        &self.entries
    }

    /// The entries, oldest first, to change in place.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.entries
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries, oldest first.
    pub fn iter(&self) -> core::slice::Iter<'_, T> {
        self.entries.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_keeps_the_oldest_and_counts_the_rest() {
        let mut queue: Queue<u8, 2> = Queue::new();
        assert!(queue.push(1) && queue.push(2));
        assert!(!queue.push(3));
        assert_eq!((queue.as_slice(), queue.lost()), (&[1, 2][..], 1));
        assert_eq!(queue.pop(), Some(1));
        assert!(queue.push(4));
        assert_eq!(queue.as_slice(), &[2, 4]);
    }
}
