//! Queues of threads: doubly linked through the thread records, each thread in at most one.

use super::{Slot, Thread};

/// No thread.
pub(super) const NONE: u8 = 0xFF;

/// A thread's neighbours in the queue that holds it.
#[derive(Clone, Copy)]
pub(super) struct Links {
    next: u8,
    previous: u8,
}

impl Links {
    pub(super) const NONE: Links = Links { next: NONE, previous: NONE };
}

/// A queue's two ends.
#[derive(Clone, Copy)]
pub(super) struct Queue {
    head: u8,
    tail: u8,
}

/// The record of thread `index`; queues hold only threads that exist.
fn links(threads: &mut [Slot<Thread>], index: u8) -> Option<&mut Links> {
    threads.get_mut(usize::from(index))?.object.as_mut().map(|thread| &mut thread.links)
}

impl Queue {
    pub(super) const EMPTY: Queue = Queue { head: NONE, tail: NONE };

    pub(super) fn first(&self) -> Option<u8> {
        (self.head != NONE).then_some(self.head)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.head == NONE
    }

    pub(super) fn next_of(threads: &mut [Slot<Thread>], index: u8) -> Option<u8> {
        links(threads, index).map(|links| links.next).filter(|next| *next != NONE)
    }

    /// Inserts `index` in front of `before`, or at the end.
    fn insert(&mut self, threads: &mut [Slot<Thread>], index: u8, before: u8) {
        let previous = match links(threads, before) {
            Some(links) => core::mem::replace(&mut links.previous, index),
            None => core::mem::replace(&mut self.tail, index),
        };
        match links(threads, previous) {
            Some(links) => links.next = index,
            None => self.head = index,
        }
        if let Some(links) = links(threads, index) {
            *links = Links { next: before, previous };
        }
    }

    pub(super) fn push_back(&mut self, threads: &mut [Slot<Thread>], index: u8) {
        self.insert(threads, index, NONE);
    }

    pub(super) fn push_front(&mut self, threads: &mut [Slot<Thread>], index: u8) {
        self.insert(threads, index, self.head);
    }

    /// Inserts behind every thread of the same or a more urgent priority.
    pub(super) fn push_by_priority(&mut self, threads: &mut [Slot<Thread>], index: u8) {
        let priority_of = |threads: &[Slot<Thread>], index: u8| {
            threads.get(usize::from(index)).and_then(|slot| slot.object.as_ref()).map_or(0, |thread| thread.priority)
        };
        let own = priority_of(threads, index);
        let mut before = self.head;
        while before != NONE && priority_of(threads, before) <= own {
            before = Self::next_of(threads, before).unwrap_or(NONE);
        }
        self.insert(threads, index, before);
    }

    pub(super) fn remove(&mut self, threads: &mut [Slot<Thread>], index: u8) {
        let Some(removed) = links(threads, index).map(|links| core::mem::replace(links, Links::NONE)) else {
            return;
        };
        match links(threads, removed.previous) {
            Some(links) => links.next = removed.next,
            None => self.head = removed.next,
        }
        match links(threads, removed.next) {
            Some(links) => links.previous = removed.previous,
            None => self.tail = removed.previous,
        }
    }

    pub(super) fn pop_front(&mut self, threads: &mut [Slot<Thread>]) -> Option<u8> {
        let first = self.first()?;
        self.remove(threads, first);
        Some(first)
    }
}

impl Queue {
    /// How many threads it holds.
    pub(super) fn len(&self, threads: &mut [Slot<Thread>]) -> u32 {
        let mut count = 0;
        let mut next = self.first();
        while let Some(index) = next {
            count += 1;
            next = Self::next_of(threads, index);
        }
        count
    }
}
