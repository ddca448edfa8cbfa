//! The global allocator: the game's memory pools over the kernel's heap.
//!
//! Source: seed 003, Device initialisation, step 4.

use crate::memory::{MemoryManager, PoolAllocator, Region};
use core::ptr::NonNull;

#[global_allocator]
static GLOBAL: PoolAllocator = PoolAllocator::new();

/// Gives the pools their arena.
///
/// # Safety
/// Once, before any allocation; the range must be unused memory.
pub(super) unsafe fn start(bottom: *mut u8, end: *mut u8) {
    let bytes = (end as usize).saturating_sub(bottom as usize);
    if let Some(base) = NonNull::new(bottom) {
        // SAFETY: the caller vouches for the range.
        let arena = unsafe { Region::new(base, bytes) };
        // Without an arena every allocation is refused, and the first one that matters says so on the screen.
        let _refused = with(|memory| memory.init(arena));
    }
}

/// Lends the memory manager. Interrupts are held, and `work` must not use `Vec`, `Box` or the like.
pub fn with<T>(work: impl FnOnce(&mut MemoryManager) -> T) -> T {
    GLOBAL.with(work)
}

/// Free bytes of the global heap, in however many pieces.
pub fn free() -> usize {
    with(|memory| memory.global().and_then(|global| memory.free_bytes(global).ok()).unwrap_or(0))
}
