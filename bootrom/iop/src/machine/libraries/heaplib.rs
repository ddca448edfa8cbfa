//! `heaplib` 1.1: heaps that may grow.
//!
//! A heap is a chain of chunks from the free memory; each begins with a record, and the first one's address is the heap's id.

use super::loadcore::Ram;
use super::{Exports, exports};
use crate::machine::critical::critical;
use crate::machine::memory::{self, MEMORY};
use bootrom_iop::heap::Heap;
use bootrom_iop::memory::Place;

/// Library functions by number.
pub static TABLE: Exports<16> = exports(
    b"heaplib",
    0x0101,
    [
        // Covers: iop, heaplib 4 CreateHeap test=a heap grows
        (4, create as *const ()),
        // Covers: iop, heaplib 5 DeleteHeap test=all its memory goes back
        (5, delete as *const ()),
        // Covers: iop, heaplib 6 AllocHeapMemory test=a heap grows
        (6, allocate as *const ()),
        // Covers: iop, heaplib 7 FreeHeapMemory test=freeing behind damage
        (7, free as *const ()),
        // Covers: iop, heaplib 8 HeapTotalFreeSize test=a heap that is gone
        (8, total_free as *const ()),
        // Covers: iop, heaplib 11 HeapPrepare test=a heap in memory of one's own
        (11, prepare as *const ()),
        // Covers: iop, heaplib 15 HeapChunkSize test=what is no chunk has no size
        (15, chunk_size as *const ()),
    ],
);

/// Flags of a heap: it may grow; it comes from the top of memory.
const MAY_GROW: u32 = 1;
const FROM_TOP: u32 = 2;
/// Bytes of a chunk beside its cells, when it is made for one allocation.
///
/// Source: IOP kernel, HEAPLIB
const GROW_BYTES: u32 = 40;
const RECORD_BYTES: u32 = 24;
const MARK: u32 = 0x4850_4C42;
/// Results of freeing.
const NOT_INSIDE: i32 = -1;
const DAMAGED: i32 = -2;
const NOT_ALLOCATED: i32 = -3;
const NO_HEAP: i32 = -4;

/// What a chunk begins with.
#[repr(C)]
struct Record {
    mark: u32,
    next: *mut Record,
    flags: u32,
    /// Bytes of the heap's first chunk, which others have at least.
    chunk_bytes: u32,
    heap: Heap,
}

/// A new chunk in the free memory, null when there is no room.
fn chunk(flags: u32, chunk_bytes: u32, bytes: u32) -> *mut Record {
    let place = if flags & FROM_TOP != 0 { Place::Highest } else { Place::Lowest };
    let Some(address) = MEMORY.with(|memory| memory.allocate(place, bytes)) else { return core::ptr::null_mut() };
    let record = make(address, flags, chunk_bytes, bytes);
    if record.is_null() {
        MEMORY.with(|memory| memory.free(address));
    }
    record
}

/// Makes a chunk of the memory at `address`, null when that is too small or crooked.
fn make(address: u32, flags: u32, chunk_bytes: u32, bytes: u32) -> *mut Record {
    let Some(heap) = Heap::new(&mut Ram, address + RECORD_BYTES, bytes.saturating_sub(RECORD_BYTES)) else {
        return core::ptr::null_mut();
    };
    let record = address as *mut Record;
    // SAFETY: the memory is the caller's or was just allocated, and it is larger than the record.
    unsafe { record.write(Record { mark: MARK, next: core::ptr::null_mut(), flags, chunk_bytes, heap }) };
    record
}

/// Makes a heap of a caller's own memory, which it passes as the heap then. It does not grow.
extern "C" fn prepare(address: u32, bytes: u32) {
    if memory::may_write(address, bytes) {
        critical(|| make(address, 0, bytes, bytes));
    }
}

/// Bytes that a chunk has for allocations and their heads.
extern "C" fn chunk_size(chunk: *mut Record) -> i32 {
    // SAFETY: a chunk's record is valid while it is a heap's.
    critical(|| if is_heap(chunk) { unsafe { (*chunk).heap.bytes as i32 } } else { NO_HEAP })
}

/// True when `heap` is a heap's id.
fn is_heap(heap: *mut Record) -> bool {
    // SAFETY: the whole record lies in memory.
    memory::is_memory(heap as u32, RECORD_BYTES) && (heap as usize).is_multiple_of(4) && unsafe { (*heap).mark } == MARK
}

extern "C" fn create(bytes: u32, flags: u32) -> *mut Record {
    critical(|| chunk(flags, bytes, bytes))
}

extern "C" fn delete(heap: *mut Record) {
    critical(|| {
        let mut next = if is_heap(heap) { heap } else { core::ptr::null_mut() };
        while !next.is_null() {
            let record = next;
            // SAFETY: the chain's records stay valid until they are freed here.
            unsafe {
                next = (*record).next;
                (*record).mark = 0;
            }
            MEMORY.with(|memory| memory.free(record as u32));
        }
    });
}

extern "C" fn allocate(heap: *mut Record, bytes: u32) -> u32 {
    critical(|| {
        if !is_heap(heap) {
            return 0;
        }
        let mut record = heap;
        loop {
            // SAFETY: the chain's records stay valid; interrupts are held.
            unsafe {
                if let Some(address) = (*record).heap.allocate(&mut Ram, bytes) {
                    return address;
                }
                if !(*record).next.is_null() {
                    record = (*record).next;
                    continue;
                }
                let (flags, chunk_bytes) = ((*heap).flags, (*heap).chunk_bytes);
                if flags & MAY_GROW == 0 {
                    return 0;
                }
                let new = chunk(flags, chunk_bytes, chunk_bytes.max(bytes.saturating_add(GROW_BYTES)));
                if new.is_null() {
                    return 0;
                }
                (*record).next = new;
            }
        }
    })
}

extern "C" fn free(heap: *mut Record, address: u32) -> i32 {
    critical(|| {
        if !is_heap(heap) {
            return NO_HEAP;
        }
        let (mut before, mut record) = (core::ptr::null_mut::<Record>(), heap);
        while !record.is_null() {
            // SAFETY: the chain's records stay valid; interrupts are held.
            unsafe {
                if (*record).heap.contains(address) {
                    if (*record).heap.free(&mut Ram, address).is_err() {
                        return if (*record).heap.is_sound(&Ram) { NOT_ALLOCATED } else { DAMAGED };
                    }
                    // A chunk that the heap has grown by goes back when it is empty.
                    if !before.is_null() && (*record).heap.is_empty(&Ram) {
                        (*before).next = (*record).next;
                        MEMORY.with(|memory| memory.free(record as u32));
                    }
                    return 0;
                }
                before = record;
                record = (*record).next;
            }
        }
        NOT_INSIDE
    })
}

extern "C" fn total_free(heap: *mut Record) -> i32 {
    critical(|| {
        if !is_heap(heap) {
            return NO_HEAP;
        }
        let (mut total, mut record) = (0, heap);
        while !record.is_null() {
            // SAFETY: the chain's records stay valid; interrupts are held.
            unsafe {
                total += (*record).heap.free_bytes(&Ram);
                record = (*record).next;
            }
        }
        total as i32
    })
}
