//! Doubly linked lists through the thread records: ready queues, waiters of a semaphore, free records.

use super::Thread;

/// No thread.
pub(crate) const NONE: u16 = u16::MAX;

/// A FIFO list of threads. A thread is in one list at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct List {
    /// First thread, or [`NONE`].
    pub(crate) head: u16,
    tail: u16,
}

impl List {
    /// The list without threads.
    pub(crate) const EMPTY: Self = Self { head: NONE, tail: NONE };

    /// Adds a thread at the end.
    pub(crate) fn push_back(&mut self, threads: &mut [Thread], id: u16) {
        let thread = &mut threads[usize::from(id)];
        thread.next = NONE;
        thread.prev = self.tail;
        match self.tail {
            NONE => self.head = id,
            tail => threads[usize::from(tail)].next = id,
        }
        self.tail = id;
    }

    /// Takes the first thread out.
    pub(crate) fn pop_front(&mut self, threads: &mut [Thread]) -> Option<u16> {
        let id = self.head;
        if id == NONE {
            return None;
        }
        self.remove(threads, id);
        Some(id)
    }

    /// Takes a thread that is in this list out of it.
    pub(crate) fn remove(&mut self, threads: &mut [Thread], id: u16) {
        let Thread { next, prev, .. } = threads[usize::from(id)];
        match prev {
            NONE => self.head = next,
            prev => threads[usize::from(prev)].next = next,
        }
        match next {
            NONE => self.tail = prev,
            next => threads[usize::from(next)].prev = prev,
        }
        let thread = &mut threads[usize::from(id)];
        thread.next = NONE;
        thread.prev = NONE;
    }
}
