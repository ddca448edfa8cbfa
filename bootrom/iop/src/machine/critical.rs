//! Critical sections: state that threads and interrupt handlers share.

use super::registers::interrupt::GATE;
use core::cell::{Cell, UnsafeCell};

/// Closes the interrupt gate; the result says whether it was open.
///
/// Reading the gate register closes it, so nothing can come in between.
/// Source: hardware notes, Interrupt controller
pub fn suspend() -> u32 {
    GATE.read()
}

/// Puts the gate back to what [`suspend`] returned.
pub fn resume(gate: u32) {
    GATE.write(gate);
}

/// Runs `body` with the interrupt gate closed.
pub fn critical<R>(body: impl FnOnce() -> R) -> R {
    let gate = suspend();
    let result = body();
    resume(gate);
    result
}

/// A value that is only touched with the interrupt gate closed. It lies at the wrapper's own address, for other software's sake.
#[repr(C)]
pub struct Shared<T> {
    value: UnsafeCell<T>,
    borrowed: Cell<bool>,
}

// SAFETY: there is one processor, and `with` lets nothing in between: the gate is closed and a second borrow refused.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// Wraps a value.
    pub const fn new(value: T) -> Self {
        Shared { borrowed: Cell::new(false), value: UnsafeCell::new(value) }
    }

    /// Where the value lies, for records that tell other software of it.
    pub fn address(&self) -> u32 {
        self.value.get() as u32
    }

    /// Runs `body` on the value, interrupts held.
    ///
    /// # Panics
    /// When `body` comes back here for the same value, which would be a bug in this kernel.
    pub fn with<R>(&self, body: impl FnOnce(&mut T) -> R) -> R {
        critical(|| {
            assert!(!self.borrowed.replace(true), "a shared value is borrowed twice");
            // SAFETY: interrupts are held and `borrowed` was false: this is the only reference.
            let result = body(unsafe { &mut *self.value.get() });
            self.borrowed.set(false);
            result
        })
    }
}
