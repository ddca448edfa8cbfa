//! Words that threads and handlers share.

use core::cell::UnsafeCell;

/// A word that one thread or handler writes and another reads.
pub struct Word(UnsafeCell<i32>);

// SAFETY: whole words, through volatile accesses.
unsafe impl Sync for Word {}

impl Word {
    /// A word.
    pub const fn new(value: i32) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// What it holds.
    pub fn get(&self) -> i32 {
        // SAFETY: the word is always there.
        unsafe { self.0.get().read_volatile() }
    }

    /// Replaces it.
    pub fn set(&self, value: i32) {
        // SAFETY: as above.
        unsafe { self.0.get().write_volatile(value) };
    }

    /// Adds to it; for words that one thread or handler alone changes.
    pub fn add(&self, value: i32) {
        self.set(self.get().wrapping_add(value));
    }
}
