//! Rust's own allocations through the pools.

use super::manager::MemoryManager;
use core::alloc::{GlobalAlloc, Layout};
use core::cell::RefCell;
use core::ptr::NonNull;
use critical_section::Mutex;

/// The memory manager as a global allocator: whatever `Vec` and `Box` need comes from the pool on top of the heap stack,
/// and goes back to the pool that it came from.
///
/// Interrupts are held during a call, so an interrupt handler must not allocate.
pub struct PoolAllocator(Mutex<RefCell<MemoryManager>>);

impl PoolAllocator {
    /// Without memory until the manager has its arena.
    pub const fn new() -> Self {
        Self(Mutex::new(RefCell::new(MemoryManager::new())))
    }

    /// Lends the manager. Interrupts are held, and `work` must not allocate by other ways than the manager.
    pub fn with<T>(&self, work: impl FnOnce(&mut MemoryManager) -> T) -> T {
        critical_section::with(|section| work(&mut self.0.borrow(section).borrow_mut()))
    }
}

impl Default for PoolAllocator {
    fn default() -> Self {
        Self::new()
    }
}

// SAFETY: the pools hand out disjoint, aligned pieces of at least the asked size, and the critical section excludes re-entry.
unsafe impl GlobalAlloc for PoolAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let given = self.with(|memory| memory.alloc(layout.size(), layout.align()));
        given.map_or(core::ptr::null_mut(), NonNull::as_ptr)
    }

    unsafe fn realloc(&self, address: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // What was rounded up to a fragment or a block has room to grow where it is.
        let held = NonNull::new(address).and_then(|address| self.with(|memory| memory.held(address)));
        if held.is_some_and(|held| new_size <= held && held / 2 < new_size) {
            return address;
        }
        // SAFETY: the alignment is one that the caller has used before, and the caller vouches that the size fits with it.
        let new_layout = unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) };
        // SAFETY: a new piece does not overlap the old one, both have at least the copied bytes, and the caller gives the
        // old one up.
        unsafe {
            let moved = self.alloc(new_layout);
            if !moved.is_null() {
                core::ptr::copy_nonoverlapping(address, moved, layout.size().min(new_size));
                self.dealloc(address, layout);
            }
            moved
        }
    }

    unsafe fn dealloc(&self, address: *mut u8, _layout: Layout) {
        if let Some(address) = NonNull::new(address) {
            let freed = self.with(|memory| memory.free(address));
            debug_assert!(freed.is_ok(), "{freed:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Arena;
    use super::super::{Error, PoolKind};
    use super::*;

    #[test]
    fn an_allocation_comes_from_the_top_pool_and_returns_to_it() {
        let mut arena = Arena::new(0x40000, 1024);
        let allocator = std::boxed::Box::new(PoolAllocator::new());
        let layout = Layout::from_size_align(200, 8).unwrap();
        // SAFETY: a layout with a size; a null answer is not used.
        assert!(unsafe { allocator.alloc(layout) }.is_null(), "no arena yet");
        let pool = allocator.with(|memory| {
            let global = memory.init(arena.region())?;
            let pool = memory.create(global, PoolKind::Heap, "pool", 0x8000)?;
            memory.push(pool)?;
            Ok::<_, Error>(pool)
        });
        let pool = pool.unwrap();
        // SAFETY: a layout with a size.
        let place = unsafe { allocator.alloc(layout) };
        allocator.with(|memory| assert_eq!(memory.registry().holding(place as usize), Some(pool)));
        // SAFETY: given for this layout and of at least the new size; the result is given back with its own layout.
        unsafe {
            place.write_bytes(7, 200);
            assert_eq!(allocator.realloc(place, layout, 256), place, "a fragment of 256 bytes has the room");
            let layout = Layout::from_size_align(256, 8).unwrap();
            let larger = allocator.realloc(place, layout, 3000);
            assert!((0..200).all(|at| *larger.add(at) == 7));
            allocator.dealloc(larger, Layout::from_size_align(3000, 8).unwrap());
        }
        allocator.with(|memory| assert_eq!(memory.is_empty(pool), Ok(true)));
    }
}
