//! Statics that the kernel changes.

use core::cell::UnsafeCell;

/// A static of the kernel. Access is by pointer; each user says why nothing else holds one.
#[repr(transparent)]
pub struct Global<T>(UnsafeCell<T>);

// SAFETY: there is one processor and kernel code does not run twice at a time (see the folder's text).
unsafe impl<T> Sync for Global<T> {}

impl<T> Global<T> {
    /// A static with this value.
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Its address.
    pub const fn pointer(&self) -> *mut T {
        self.0.get()
    }
}
