//! The global allocator over the kernel's heap.
//!
//! Stand-in: a first-fit list, until the memory pools of the engine take the heap over. Interrupts are held during a call,
//! so an interrupt handler must not allocate.
//!
//! Source: seed 003, Memory.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::RefCell;
use core::ptr::NonNull;
use critical_section::Mutex;
use linked_list_allocator::Heap;

struct Global(Mutex<RefCell<Heap>>);

#[global_allocator]
static GLOBAL: Global = Global(Mutex::new(RefCell::new(Heap::empty())));

// SAFETY: the list hands out disjoint blocks of the requested layout, and the critical section excludes re-entry.
unsafe impl GlobalAlloc for Global {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        critical_section::with(|section| {
            let block = self.0.borrow(section).borrow_mut().allocate_first_fit(layout);
            block.map_or(core::ptr::null_mut(), NonNull::as_ptr)
        })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        critical_section::with(|section| {
            if let Some(block) = NonNull::new(block) {
                // SAFETY: the caller gives back what `alloc` gave for this layout.
                unsafe { self.0.borrow(section).borrow_mut().deallocate(block, layout) };
            }
        });
    }
}

/// Gives the allocator its memory.
///
/// # Safety
/// Once, before any allocation; the range must be unused memory.
pub(super) unsafe fn start(bottom: *mut u8, end: *mut u8) {
    let bytes = (end as usize).saturating_sub(bottom as usize);
    critical_section::with(|section| {
        // SAFETY: the caller vouches for the range.
        unsafe { GLOBAL.0.borrow(section).borrow_mut().init(bottom, bytes) };
    });
}

/// Bytes that are free, in however many pieces.
pub fn free() -> usize {
    critical_section::with(|section| GLOBAL.0.borrow(section).borrow().free())
}
