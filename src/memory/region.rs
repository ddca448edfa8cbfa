//! A piece of raw memory that has one owner.

use core::ptr::NonNull;

/// A range of memory and the right to use it.
///
/// Not `Clone`: two owners of one range would be two pools that overlap.
#[derive(Debug, PartialEq, Eq)]
pub struct Region {
    base: NonNull<u8>,
    bytes: usize,
}

// SAFETY: a region is the only right to its memory, so it may move to another thread with its owner.
unsafe impl Send for Region {}

impl Region {
    /// The region of `bytes` bytes from `base` on.
    ///
    /// # Safety
    /// The memory must be valid for reads and writes, used by nobody else for as long as the region or anything built on it
    /// lives, and must not wrap around the address space.
    pub const unsafe fn new(base: NonNull<u8>, bytes: usize) -> Self {
        Self { base, bytes }
    }

    /// Where it begins.
    pub const fn base(&self) -> NonNull<u8> {
        self.base
    }

    /// Its length in bytes.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Address of its first byte.
    pub fn first(&self) -> usize {
        self.base.as_ptr() as usize
    }

    /// Address after its last byte.
    pub fn end(&self) -> usize {
        self.first() + self.bytes
    }

    /// True when the address lies in it.
    pub fn contains(&self, address: usize) -> bool {
        (self.first()..self.end()).contains(&address)
    }

    /// The address `offset` bytes in; `offset` may be at most the region's length.
    pub(super) fn at(&self, offset: usize) -> NonNull<u8> {
        debug_assert!(offset <= self.bytes);
        // SAFETY: the offset stays within the region, whose memory is valid and does not wrap.
        unsafe { self.base.add(offset) }
    }
}

/// Rounds `value` up to a multiple of `align`, a power of two; `None` when that does not fit.
pub(super) const fn round_up(value: usize, align: usize) -> Option<usize> {
    match value.checked_add(align - 1) {
        Some(sum) => Some(sum & !(align - 1)),
        None => None,
    }
}
