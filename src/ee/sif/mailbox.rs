//! Packets of programs' own commands, on their way from the interrupt handler to the program.
//!
//! One writer, the handler, and one reader, the program: neither waits for the other. When the program does not look for
//! too long the newest packets are lost and counted.

use super::packet::MAX_WORDS;
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, Ordering};

/// Packets that may wait.
pub const PLACES: usize = 8;

/// A packet with all its words; those behind its size are 0.
pub type Words = [u32; MAX_WORDS];

/// The waiting packets.
pub struct Mailbox {
    packets: UnsafeCell<[Words; PLACES]>,
    written: AtomicU32,
    read: AtomicU32,
    lost: AtomicU32,
}

// SAFETY: the writer uses only places from `written` on that are free, the reader only places from `read` on that are
// written; each counter has one side that changes it.
unsafe impl Sync for Mailbox {}

impl Mailbox {
    /// Nothing waits.
    pub const fn new() -> Self {
        Self {
            packets: UnsafeCell::new([[0; MAX_WORDS]; PLACES]),
            written: AtomicU32::new(0),
            read: AtomicU32::new(0),
            lost: AtomicU32::new(0),
        }
    }

    /// Adds a packet; for the handler alone.
    ///
    /// # Safety
    /// No other call of this function is under way.
    pub unsafe fn put(&self, words: &Words) {
        let written = self.written.load(Ordering::Relaxed);
        if written.wrapping_sub(self.read.load(Ordering::Acquire)) as usize >= PLACES {
            self.lost.store(self.lost.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
            return;
        }
        // SAFETY: the place is free, so the reader does not touch it, and there is one writer.
        unsafe { (*self.packets.get())[written as usize % PLACES] = *words };
        self.written.store(written.wrapping_add(1), Ordering::Release);
    }

    /// Takes the oldest packet; for the program alone.
    ///
    /// # Safety
    /// No other call of this function is under way.
    pub unsafe fn take(&self) -> Option<Words> {
        let read = self.read.load(Ordering::Relaxed);
        if read == self.written.load(Ordering::Acquire) {
            return None;
        }
        // SAFETY: the place is written, so the writer does not touch it, and there is one reader.
        let words = unsafe { (*self.packets.get())[read as usize % PLACES] };
        self.read.store(read.wrapping_add(1), Ordering::Release);
        Some(words)
    }

    /// Packets that found no place.
    pub fn lost(&self) -> u32 {
        self.lost.load(Ordering::Relaxed)
    }
}

impl Default for Mailbox {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(number: u32) -> Words {
        [number; MAX_WORDS]
    }

    #[test]
    fn packets_come_out_in_order_and_the_newest_are_lost_when_it_is_full() {
        let mailbox = Mailbox::new();
        // SAFETY: one thread.
        unsafe {
            assert!(mailbox.take().is_none());
            for number in 0..10 {
                mailbox.put(&packet(number));
            }
            assert_eq!(mailbox.lost(), 2);
            for number in 0..8 {
                assert_eq!(mailbox.take(), Some(packet(number)));
            }
            assert!(mailbox.take().is_none());
            for number in 20..26 {
                mailbox.put(&packet(number));
                assert_eq!(mailbox.take(), Some(packet(number)));
            }
        }
    }
}
