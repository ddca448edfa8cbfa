//! What threads share: a value behind held interrupts.

use super::imports::{CpuResumeIntr, CpuSuspendIntr};
use core::cell::UnsafeCell;

/// A value that one thread at a time may touch.
pub struct Shared<T>(UnsafeCell<T>);

// SAFETY: `with` holds interrupts, and there is one processor: nobody else runs meanwhile.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// Wraps a value.
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Runs `body` on the value with interrupts held. It must be short, and not come back here for the same value.
    pub fn with<R>(&self, body: impl FnOnce(&mut T) -> R) -> R {
        let gate = suspend();
        // SAFETY: interrupts are held, so this is the only reference; bodies are leaf functions of this module.
        let result = body(unsafe { &mut *self.0.get() });
        resume(gate);
        result
    }
}

/// Holds interrupts; give the result to [`resume`].
pub fn suspend() -> u32 {
    let mut gate = 0;
    // SAFETY: writes one word.
    unsafe { CpuSuspendIntr(&raw mut gate) };
    gate
}

/// Lets interrupts in as they were before [`suspend`].
pub fn resume(gate: u32) {
    // SAFETY: a word of `suspend`.
    unsafe { CpuResumeIntr(gate) };
}
