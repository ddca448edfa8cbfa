//! EELOAD allocates nothing; the engine's library is linked with `alloc`, which wants an allocator.

use core::alloc::{GlobalAlloc, Layout};

struct Refusing;

#[global_allocator]
static REFUSING: Refusing = Refusing;

// SAFETY: every allocation is refused, so that there is nothing to free.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, _layout: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _block: *mut u8, _layout: Layout) {}
}
