//! The manager: the registered pools, which of them pays, and what was refused.

use super::clump::Clump;
use super::error::Error;
use super::heap::Heap;
use super::region::Region;
use super::registry::{Pool, PoolId, Record, Registry};
use super::shortages::{Shortage, Shortages};
use core::ptr::NonNull;

/// Pools that can be current at once. Source: support systems, Memory (what fits before the next global).
pub const STACK_DEPTH: usize = 16;
/// Entries of the table of long-lived pools. Source: seed 003, Game_InitializeSubsystems, step 1.
pub const TABLE_ENTRIES: usize = 50;

/// Bytes that a heap's object takes from the clump of all memory. Source: support systems, Memory.
const HEAP_OBJECT_BYTES: usize = 16;
/// Alignment of a heap's block and object in its parent. Source: support systems, Memory (InitInParent).
const HEAP_BLOCK_ALIGN: usize = 16;

/// The two kinds of pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolKind {
    /// Gives and takes back piece by piece.
    Heap,
    /// Gives from front to back and takes everything back at once.
    Clump,
}

/// Every pool of the game and the heap stack.
#[derive(Debug)]
pub struct MemoryManager {
    registry: Registry,
    table: heapless::Vec<PoolId, TABLE_ENTRIES>,
    stack: heapless::Vec<PoolId, STACK_DEPTH>,
    shortages: Shortages,
    all_system: Option<PoolId>,
    global: Option<PoolId>,
}

impl MemoryManager {
    /// A manager without memory: every request is refused until [`init`](Self::init).
    pub const fn new() -> Self {
        Self {
            registry: Registry::new(),
            table: heapless::Vec::new(),
            stack: heapless::Vec::new(),
            shortages: Shortages::new(),
            all_system: None,
            global: None,
        }
    }

    /// Cuts the arena: the clump `All System` over all of it, and over its rest the heap `Global Memory`, which pays from
    /// now on.
    ///
    /// Source: seed 003, Device initialisation, step 4.
    // Covers: seed 003, memory manager (0x005127e4) test=memory::pools::tests::the_global_heap_has_the_originals_size default=Err(Error::Arena)
    pub fn init(&mut self, arena: Region) -> Result<PoolId, Error> {
        if self.all_system.is_some() {
            return Err(Error::Arena);
        }
        let bytes = arena.bytes();
        if bytes <= HEAP_OBJECT_BYTES {
            return Err(Error::BlockSize(bytes));
        }
        let all = self.registry.insert(Pool::Clump(Clump::new(arena)), "All System").map_err(|(error, _)| error)?;
        self.all_system = Some(all);
        // The object itself lies in its record; its bytes stay reserved so that the heap's size is the seed's.
        self.alloc_in(all, HEAP_OBJECT_BYTES, HEAP_BLOCK_ALIGN)?;
        let rest = self.free_bytes(all)?;
        let global = self.create(all, PoolKind::Heap, "Global Memory", rest)?;
        self.global = Some(global);
        self.push(global)?;
        Ok(global)
    }

    /// The heap that everything else lies in.
    pub const fn global(&self) -> Option<PoolId> {
        self.global
    }

    /// Makes a pool of `bytes` bytes inside a pool, and registers it.
    pub fn create(&mut self, parent: PoolId, kind: PoolKind, name: &str, bytes: usize) -> Result<PoolId, Error> {
        let align = match kind {
            PoolKind::Heap => HEAP_BLOCK_ALIGN,
            PoolKind::Clump => Clump::BLOCK_ALIGN,
        };
        let base = self.alloc_in(parent, bytes, align)?;
        // SAFETY: allocated just now for this pool alone, and given back only when the pool is gone.
        let block = unsafe { Region::new(base, bytes) };
        let made = match kind {
            PoolKind::Heap => Heap::new(block).map(Pool::Heap),
            PoolKind::Clump => Ok(Pool::Clump(Clump::new(block))),
        };
        let registered = made.and_then(|pool| self.registry.insert(pool, name).map_err(|(error, _)| error));
        if registered.is_err() {
            self.free_in(parent, base)?;
        }
        registered
    }

    /// Ends a pool and gives its whole block back to the pool it lies in. What is allocated in it is gone with it.
    ///
    /// A pool that is current, holds other pools or is the arena itself stays.
    pub fn destroy(&mut self, id: PoolId) -> Result<(), Error> {
        if self.stack.contains(&id) {
            return Err(Error::OnStack);
        }
        self.registry.get(id).ok_or(Error::NoSuchPool)?;
        let parent = self.registry.parent(id).ok_or(Error::Arena)?;
        let block = self.registry.remove(id)?.into_block();
        self.table.retain(|entry| *entry != id);
        self.free_in(parent, block.base())
    }

    /// Empties the table of long-lived pools.
    // Covers: seed 003, step 1 pool table (0x00338680) test=the_table_holds_fifty_pools_once_each
    pub fn clear_table(&mut self) {
        self.table.clear();
    }

    /// Adds a pool to the table of long-lived pools; says whether there was room.
    ///
    /// Our choice: what the original reads its table for is not known; ours is the overlay's list of pools.
    pub fn list(&mut self, id: PoolId) -> bool {
        self.table.contains(&id) || self.table.push(id).is_ok()
    }

    /// The table of long-lived pools, in the order of their listing.
    pub fn table(&self) -> &[PoolId] {
        &self.table
    }

    /// Makes a pool pay for what is allocated until the matching [`pop`](Self::pop).
    ///
    /// Our choice: the seventeenth is an error, where the original writes behind its stack.
    pub fn push(&mut self, id: PoolId) -> Result<(), Error> {
        self.registry.get(id).ok_or(Error::NoSuchPool)?;
        self.stack.push(id).map_err(|_| Error::StackFull)
    }

    /// Makes the pool below pay again and answers the one that did.
    pub fn pop(&mut self) -> Result<PoolId, Error> {
        self.stack.pop().ok_or(Error::StackEmpty)
    }

    /// The pool that pays.
    pub fn top(&self) -> Option<PoolId> {
        self.stack.last().copied()
    }

    /// Pools on the heap stack.
    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Allocates `size` bytes at a multiple of `align` from the pool that pays.
    pub fn alloc(&mut self, size: usize, align: usize) -> Result<NonNull<u8>, Error> {
        let top = self.top().ok_or(Error::StackEmpty)?;
        self.alloc_in(top, size, align)
    }

    /// Allocates from a given pool. A pool without room counts a shortage.
    pub fn alloc_in(&mut self, id: PoolId, size: usize, align: usize) -> Result<NonNull<u8>, Error> {
        let pool = self.registry.pool_mut(id)?;
        let given = match pool {
            Pool::Heap(heap) => heap.alloc(size, align),
            Pool::Clump(clump) => clump.alloc(size, align),
        };
        if let Err(Error::Exhausted { wanted }) = given {
            let largest = match pool {
                Pool::Heap(heap) => heap.largest_free_block(),
                Pool::Clump(clump) => clump.free_bytes(),
            };
            let pool = self.registry.get(id).ok_or(Error::NoSuchPool)?.name();
            self.shortages.note(Shortage { pool: *pool, wanted, largest });
        }
        given
    }

    /// Gives an allocation back to the pool that it came from.
    ///
    /// Our choice: the pool is found by the address; the original gives everything to the pool that pays at the moment,
    /// unchecked, which only works while nothing is freed under another pool than it was allocated under.
    pub fn free(&mut self, address: NonNull<u8>) -> Result<(), Error> {
        let id = self.registry.holding(address.as_ptr() as usize).ok_or(Error::NotAllocated)?;
        self.free_in(id, address)
    }

    fn free_in(&mut self, id: PoolId, address: NonNull<u8>) -> Result<(), Error> {
        match self.registry.pool_mut(id)? {
            Pool::Heap(heap) => heap.free(address),
            Pool::Clump(clump) => {
                clump.free();
                Ok(())
            }
        }
    }

    /// Bytes that the live allocation at `address` holds, at least as many as were asked for. A clump does not know.
    pub fn held(&mut self, address: NonNull<u8>) -> Option<usize> {
        let id = self.registry.holding(address.as_ptr() as usize)?;
        match self.registry.pool_mut(id) {
            Ok(Pool::Heap(heap)) => heap.held(address),
            _ => None,
        }
    }

    /// Makes a clump count its frees, so that it is empty when the last allocation is given back. Heaps always do.
    pub fn count_frees(&mut self, id: PoolId, on: bool) -> Result<(), Error> {
        if let Pool::Clump(clump) = self.registry.pool_mut(id)? {
            clump.count_frees(on);
        }
        Ok(())
    }

    /// The most bytes that one request can get from a heap; 0 for a clump.
    pub fn largest_free_block(&mut self, id: PoolId) -> Result<usize, Error> {
        Ok(match self.registry.pool_mut(id)? {
            Pool::Heap(heap) => heap.largest_free_block(),
            Pool::Clump(clump) => clump.largest_free_block(),
        })
    }

    /// Free bytes of a pool, in however many pieces.
    pub fn free_bytes(&self, id: PoolId) -> Result<usize, Error> {
        Ok(match self.pool(id)? {
            Pool::Heap(heap) => heap.free_bytes(),
            Pool::Clump(clump) => clump.free_bytes(),
        })
    }

    /// Bytes of a pool that are in use.
    pub fn in_use(&self, id: PoolId) -> Result<usize, Error> {
        Ok(match self.pool(id)? {
            Pool::Heap(heap) => heap.in_use(),
            Pool::Clump(clump) => clump.used(),
        })
    }

    /// Bytes that all pools together have handed out for anything but pools: who makes a pool keeps nothing yet, whoever takes
    /// from it does.
    pub fn kept(&self) -> usize {
        let kept = |id| {
            let handed_out = match self.pool(id)? {
                Pool::Heap(heap) => heap.handed_out(),
                Pool::Clump(clump) => clump.used(),
            };
            let inside = self.registry.inside(Some(id)).filter_map(|inside| self.registry.get(inside));
            let pools: usize = inside.map(|record| record.range().len()).sum();
            Ok::<_, Error>(handed_out.saturating_sub(pools))
        };
        // What is walked over is there.
        self.registry.walk().filter_map(|(_, id)| kept(id).ok()).sum()
    }

    /// Bytes that a pool can hand out in all, its own records included.
    pub fn usable(&self, id: PoolId) -> Result<usize, Error> {
        Ok(match self.pool(id)? {
            Pool::Heap(heap) => heap.usable(),
            Pool::Clump(clump) => clump.block().bytes(),
        })
    }

    /// True when everything that was allocated in a pool has been given back.
    pub fn is_empty(&self, id: PoolId) -> Result<bool, Error> {
        Ok(match self.pool(id)? {
            Pool::Heap(heap) => heap.is_empty(),
            Pool::Clump(clump) => clump.used() == 0,
        })
    }

    fn pool(&self, id: PoolId) -> Result<&Pool, Error> {
        self.registry.get(id).and_then(|record| record.pool.as_ref()).ok_or(Error::NoSuchPool)
    }

    /// The tree of pools.
    pub const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The record of a pool.
    pub fn record(&self, id: PoolId) -> Option<&Record> {
        self.registry.get(id)
    }

    /// What was refused.
    pub const fn shortages(&self) -> &Shortages {
        &self.shortages
    }
}

impl Default for MemoryManager {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Arena;
    use super::*;
    use std::boxed::Box;

    fn manager(arena: &mut Arena) -> Box<MemoryManager> {
        let mut manager = Box::new(MemoryManager::new());
        manager.init(arena.region()).unwrap();
        manager
    }

    #[test]
    fn without_an_arena_every_request_is_refused() {
        let mut manager = Box::new(MemoryManager::new());
        assert_eq!(manager.alloc(1, 1), Err(Error::StackEmpty));
        assert_eq!(manager.free(NonNull::<u64>::dangling().cast()), Err(Error::NotAllocated));
    }

    #[test]
    fn the_arena_is_given_once() {
        let mut arena = Arena::new(0x10000, 1024);
        let mut manager = manager(&mut arena);
        assert_eq!(manager.init(arena.region()), Err(Error::Arena));
    }

    #[test]
    fn the_pool_on_top_of_the_stack_pays() {
        let mut arena = Arena::new(0x40000, 1024);
        let mut manager = manager(&mut arena);
        let global = manager.global().unwrap();
        let pool = manager.create(global, PoolKind::Heap, "pool", 0x8000).unwrap();
        let before = manager.in_use(global).unwrap();
        manager.push(pool).unwrap();
        let inside = manager.alloc(100, 16).unwrap();
        assert_eq!(manager.registry().holding(inside.as_ptr() as usize), Some(pool));
        assert_eq!(manager.in_use(global), Ok(before));
        assert_eq!((manager.pop(), manager.top()), (Ok(pool), Some(global)));
        // Given back while another pool pays, it still reaches its own.
        manager.free(inside).unwrap();
        assert_eq!((manager.is_empty(pool), manager.in_use(global)), (Ok(true), Ok(before)));
    }

    #[test]
    fn the_stack_holds_sixteen_pools() {
        let mut arena = Arena::new(0x10000, 1024);
        let mut manager = manager(&mut arena);
        let global = manager.global().unwrap();
        for _ in 1..STACK_DEPTH {
            manager.push(global).unwrap();
        }
        assert_eq!((manager.push(global), manager.depth()), (Err(Error::StackFull), 16));
        for _ in 0..STACK_DEPTH {
            manager.pop().unwrap();
        }
        assert_eq!(manager.pop(), Err(Error::StackEmpty));
    }

    #[test]
    fn running_out_is_an_error_and_is_counted() {
        let mut arena = Arena::new(0x10000, 1024);
        let mut manager = manager(&mut arena);
        let global = manager.global().unwrap();
        let largest = manager.largest_free_block(global).unwrap();
        assert_eq!(manager.alloc(0x20000, 16), Err(Error::Exhausted { wanted: 0x20000 }));
        assert_eq!(manager.shortages().count(), 1);
        let shortage = manager.shortages().latest().next().unwrap();
        assert_eq!((shortage.pool.as_str(), shortage.wanted, shortage.largest), ("Global-Memory", 0x20000, largest));
    }

    #[test]
    fn a_destroyed_pool_gives_its_block_back() {
        let mut arena = Arena::new(0x40000, 1024);
        let mut manager = manager(&mut arena);
        let global = manager.global().unwrap();
        let before = manager.free_bytes(global);
        let outer = manager.create(global, PoolKind::Heap, "outer", 0x8000).unwrap();
        let inner = manager.create(outer, PoolKind::Clump, "inner", 0x1000).unwrap();
        assert!(manager.list(outer));
        manager.push(inner).unwrap();
        assert_eq!(manager.destroy(inner), Err(Error::OnStack));
        manager.pop().unwrap();
        assert_eq!(manager.destroy(outer), Err(Error::HasPoolsInside));
        assert_eq!(manager.destroy(inner), Ok(()));
        assert_eq!(manager.destroy(outer), Ok(()));
        assert_eq!((manager.free_bytes(global), manager.table().len()), (before, 0));
        assert_eq!(manager.destroy(outer), Err(Error::NoSuchPool));
    }

    #[test]
    fn a_pool_that_cannot_be_made_leaves_nothing_behind() {
        let mut arena = Arena::new(0x40000, 1024);
        let mut manager = manager(&mut arena);
        let global = manager.global().unwrap();
        let before = manager.free_bytes(global);
        assert_eq!(manager.create(global, PoolKind::Heap, "tiny", 64), Err(Error::BlockSize(64)));
        assert_eq!(manager.free_bytes(global), before);
    }

    #[test]
    fn the_table_holds_fifty_pools_once_each() {
        let mut arena = Arena::new(0x40000, 1024);
        let mut manager = manager(&mut arena);
        let global = manager.global().unwrap();
        for index in 0..=TABLE_ENTRIES {
            let id = manager.create(global, PoolKind::Clump, "p", 128).unwrap();
            assert_eq!(manager.list(id), index < TABLE_ENTRIES);
        }
        let first = manager.table()[0];
        assert!(manager.list(first));
        assert_eq!(manager.table().len(), TABLE_ENTRIES);
        manager.clear_table();
        assert!(manager.table().is_empty());
    }

    #[test]
    fn a_pool_is_kept_by_nobody_and_what_is_taken_from_it_by_who_takes_it() {
        let mut arena = Arena::new(1 << 20, 1024);
        let mut manager = manager(&mut arena);
        let before = manager.kept();
        let heap = manager.create(manager.global().unwrap(), PoolKind::Heap, "Heap", 256 * 1024).unwrap();
        let clump = manager.create(heap, PoolKind::Clump, "Clump", 64 * 1024).unwrap();
        assert_eq!(manager.kept(), before, "two pools, one in the other");
        let taken = manager.alloc_in(heap, 10 * 1024, 16).unwrap();
        let _kept = manager.alloc_in(clump, 3000, 16).unwrap();
        assert_eq!(manager.kept() - before, 10 * 1024 + 3000, "from both");
        manager.free(taken).unwrap();
        assert_eq!(manager.kept() - before, 3000);
        manager.destroy(clump).unwrap();
        assert_eq!(manager.kept(), before);
    }
}
