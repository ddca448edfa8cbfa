//! Memory for tests.

use super::region::Region;
use core::ptr::NonNull;
use std::alloc::{Layout, alloc_zeroed, dealloc};

/// Memory of the host that lives as long as the value.
pub struct Arena {
    base: NonNull<u8>,
    layout: Layout,
    skip: usize,
}

impl Arena {
    /// `bytes` bytes at a multiple of `align`.
    pub fn new(bytes: usize, align: usize) -> Self {
        Self::skewed(bytes, align, 0)
    }

    /// `bytes` bytes, `skip` bytes behind a multiple of `align`.
    pub fn skewed(bytes: usize, align: usize, skip: usize) -> Self {
        let layout = Layout::from_size_align(bytes + skip, align).unwrap();
        // SAFETY: the layout has a size.
        let base = NonNull::new(unsafe { alloc_zeroed(layout) }).unwrap();
        Self { base, layout, skip }
    }

    /// The whole arena. Only one of its regions may be in use at a time.
    pub fn region(&mut self) -> Region {
        // SAFETY: the memory lives as long as the arena, which the test keeps beside what it builds.
        unsafe { Region::new(self.base.add(self.skip), self.layout.size() - self.skip) }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: taken with this layout, given back once.
        unsafe { dealloc(self.base.as_ptr(), self.layout) };
    }
}
