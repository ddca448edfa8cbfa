//! `thfpool` 1.1 and `thvpool` 1.1: memory pools to wait at.

use super::loadcore::Ram;
use super::{Exports, asked_by_thread, blocking_value, exports, fetch, for_threads, from_interrupt, from_thread, tell};
use crate::machine::memory::MEMORY;
use crate::machine::threads::{THREADS, call};
use bootrom_iop::errors::Error;
use bootrom_iop::heap::Heap;
use bootrom_iop::memory::Place;
use bootrom_iop::threads::{NewFixedPool, PoolInfo};

/// Library functions by number, for equal blocks.
pub static FIXED: Exports<13> = exports(
    b"thfpool",
    0x0101,
    [
        // Covers: iop, thfpool 4 CreateFpl test=a pool of nothing
        (4, create_fixed as *const ()),
        // Covers: iop, thfpool 5 DeleteFpl test=a pool of equal blocks is deleted
        (5, delete_fixed as *const ()),
        // Covers: iop, thfpool 6 AllocateFpl test=threads::tests::a_fixed_pool_hands_a_freed_block_to_its_first_waiter
        (6, allocate_fixed as *const ()),
        // Covers: iop, thfpool 7 pAllocateFpl test=a polled block lies behind it
        (7, poll_fixed as *const ()),
        // Covers: iop, thfpool 8 ipAllocateFpl test=a handler's block lies behind that
        (8, interrupt_poll_fixed as *const ()),
        // Covers: iop, thfpool 9 FreeFpl test=threads::tests::a_fixed_pool_hands_a_freed_block_to_its_first_waiter
        (9, free_fixed as *const ()),
        // Covers: iop, thfpool 11 ReferFplStatus test=a pool of equal blocks tells of itself
        (11, refer_fixed as *const ()),
        // Covers: iop, thfpool 12 iReferFplStatus test=a handler is told the same of it
        (12, interrupt_refer_fixed as *const ()),
    ],
);

/// Library functions by number, for blocks of any size.
pub static VARIABLE: Exports<13> = exports(
    b"thvpool",
    0x0101,
    [
        // Covers: iop, thvpool 4 CreateVpl test=a pool of any blocks
        (4, create_variable as *const ()),
        // Covers: iop, thvpool 5 DeleteVpl test=a pool of any blocks is deleted
        (5, delete_variable as *const ()),
        // Covers: iop, thvpool 6 AllocateVpl test=a block of any size, when there is room
        (6, allocate_variable as *const ()),
        // Covers: iop, thvpool 7 pAllocateVpl test=a polled one lies elsewhere
        (7, poll_variable as *const ()),
        // Covers: iop, thvpool 8 ipAllocateVpl test=and so does a handler's
        (8, interrupt_poll_variable as *const ()),
        // Covers: iop, thvpool 9 FreeVpl test=and who waits gets its room
        (9, free_variable as *const ()),
        // Covers: iop, thvpool 11 ReferVplStatus test=a pool of any blocks tells of itself
        (11, refer_variable as *const ()),
        // Covers: iop, thvpool 12 iReferVplStatus test=a handler is told the same of that
        (12, interrupt_refer_variable as *const ()),
    ],
);

/// Attribute: the memory comes from the top.
const FROM_TOP: u32 = 0x200;

fn place_of(attributes: u32) -> Place {
    if attributes & FROM_TOP != 0 { Place::Highest } else { Place::Lowest }
}

/// Allocates a pool's memory and makes the pool in it; the memory goes back when that fails.
fn in_memory(place: Place, bytes: u32, make: impl FnOnce(u32) -> Result<i32, Error>) -> Result<i32, Error> {
    let base = MEMORY.with(|memory| memory.allocate(place, bytes)).ok_or(Error::NoMemory)?;
    let result = make(base);
    if result.is_err() {
        MEMORY.with(|memory| memory.free(base));
    }
    result
}

/// A fixed pool to be made: attributes, option, bytes of a block, blocks.
extern "C" fn create_fixed(parameters: *const [u32; 4]) -> i32 {
    for_threads(|| {
        let [attributes, option, block_bytes, blocks] = fetch(parameters)?;
        let new = NewFixedPool { attributes, option, block_bytes, blocks };
        in_memory(place_of(attributes), new.check()?, |base| {
            THREADS.with(|threads| threads.create_fixed_pool(&new, base, &mut Ram))
        })
    })
}

extern "C" fn delete_fixed(id: i32) -> i32 {
    for_threads(|| {
        let base = call(|threads| threads.delete_fixed_pool(id))?;
        MEMORY.with(|memory| memory.free(base));
        Ok(0)
    })
}

extern "C" fn allocate_fixed(id: i32) -> i32 {
    blocking_value(|threads| threads.allocate_fixed(id, &Ram))
}

extern "C" fn poll_fixed(id: i32) -> i32 {
    asked_by_thread(|threads| threads.poll_fixed_pool(id, &Ram).map(|block| block as i32))
}

extern "C" fn interrupt_poll_fixed(id: i32) -> i32 {
    from_interrupt(|threads| threads.poll_fixed_pool(id, &Ram).map(|block| block as i32))
}

extern "C" fn free_fixed(id: i32, block: u32) -> i32 {
    from_thread(|threads| threads.free_fixed(id, block, &mut Ram).map(|()| 0))
}

/// What is told about a pool, in words: attributes, option, size, blocks, free, waiting.
fn told(info: PoolInfo, status: *mut [u32; 6]) -> Result<i32, Error> {
    tell(status, [info.attributes, info.option, info.size, info.blocks, info.free, info.waiting])
}

extern "C" fn refer_fixed(id: i32, status: *mut [u32; 6]) -> i32 {
    asked_by_thread(|threads| told(threads.fixed_pool_info(id)?, status))
}

extern "C" fn interrupt_refer_fixed(id: i32, status: *mut [u32; 6]) -> i32 {
    from_interrupt(|threads| told(threads.fixed_pool_info(id)?, status))
}

/// A variable pool to be made: attributes, option, bytes.
extern "C" fn create_variable(parameters: *const [u32; 3]) -> i32 {
    for_threads(|| {
        let [attributes, option, bytes] = fetch(parameters)?;
        in_memory(place_of(attributes), bytes, |base| {
            let heap = Heap::new(&mut Ram, base, bytes).ok_or(Error::IllegalSize)?;
            THREADS.with(|threads| threads.create_variable_pool(attributes, option, heap))
        })
    })
}

extern "C" fn delete_variable(id: i32) -> i32 {
    for_threads(|| {
        let base = call(|threads| threads.delete_variable_pool(id))?;
        MEMORY.with(|memory| memory.free(base));
        Ok(0)
    })
}

extern "C" fn allocate_variable(id: i32, bytes: u32) -> i32 {
    blocking_value(|threads| threads.allocate_variable(id, bytes, &mut Ram))
}

extern "C" fn poll_variable(id: i32, bytes: u32) -> i32 {
    asked_by_thread(|threads| threads.poll_variable_pool(id, bytes, &mut Ram).map(|address| address as i32))
}

extern "C" fn interrupt_poll_variable(id: i32, bytes: u32) -> i32 {
    from_interrupt(|threads| threads.poll_variable_pool(id, bytes, &mut Ram).map(|address| address as i32))
}

extern "C" fn free_variable(id: i32, address: u32) -> i32 {
    from_thread(|threads| threads.free_variable(id, address, &mut Ram).map(|()| 0))
}

extern "C" fn refer_variable(id: i32, status: *mut [u32; 6]) -> i32 {
    asked_by_thread(|threads| told(threads.variable_pool_info(id, &Ram)?, status))
}

extern "C" fn interrupt_refer_variable(id: i32, status: *mut [u32; 6]) -> i32 {
    from_interrupt(|threads| told(threads.variable_pool_info(id, &Ram)?, status))
}
