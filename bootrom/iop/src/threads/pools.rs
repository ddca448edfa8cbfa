//! Memory pools to wait at: the THFPOOL and THVPOOL calls.

use super::queue::Queue;
use super::semaphore::BY_PRIORITY;
use super::{Id, Kind, Threads, Wait, Waited, find, insert};
use crate::errors::Error;
use crate::heap::Heap;
use crate::loadcore::Words;

/// Attribute without effect here, which says where the memory came from.
pub const FROM_TOP: u32 = 0x200;

/// A pool of equal blocks. Free ones are linked through their first words.
#[derive(Clone, Copy)]
pub(super) struct FixedPool {
    pub(super) waiters: Queue,
    pub(super) attributes: u32,
    option: u32,
    block_bytes: u32,
    blocks: u32,
    base: u32,
    first_free: u32,
    free: u32,
}

impl FixedPool {
    /// True when a block of this pool begins at `address`.
    fn starts_block(&self, address: u32) -> bool {
        let place = address.wrapping_sub(self.base);
        place < self.blocks * self.block_bytes && place.is_multiple_of(self.block_bytes)
    }

    /// True when `block` is in the list of free ones. The list lies in memory that programs can spoil, so that the walk ends
    /// where a link leaves the pool, and after as many steps as there are blocks.
    fn is_free(&self, block: u32, memory: &impl Words) -> bool {
        let mut free = self.first_free;
        for _ in 0..self.blocks {
            if free == block {
                return true;
            }
            if !self.starts_block(free) {
                return false;
            }
            free = memory.read(free);
        }
        false
    }
}

/// A pool of blocks of any size.
#[derive(Clone, Copy)]
pub(super) struct VariablePool {
    pub(super) waiters: Queue,
    pub(super) attributes: u32,
    option: u32,
    heap: Heap,
}

/// What is told about a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolInfo {
    /// Attribute bits.
    pub attributes: u32,
    /// The creator's word.
    pub option: u32,
    /// Bytes of a block (fixed) or of the pool (variable).
    pub size: u32,
    /// Blocks (fixed), 0 (variable).
    pub blocks: u32,
    /// Free blocks (fixed) or bytes (variable).
    pub free: u32,
    /// Threads that wait.
    pub waiting: u32,
}

/// A fixed pool to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewFixedPool {
    /// Attribute bits.
    pub attributes: u32,
    /// A word for the caller's use.
    pub option: u32,
    /// Bytes of a block.
    pub block_bytes: u32,
    /// Blocks.
    pub blocks: u32,
}

impl NewFixedPool {
    /// Checks the arguments; the result is how many bytes the pool needs.
    ///
    /// # Errors
    /// Attribute or size.
    pub fn check(&self) -> Result<u32, Error> {
        if self.attributes & !(BY_PRIORITY | FROM_TOP) != 0 {
            return Err(Error::IllegalAttribute);
        }
        let block = self.block_bytes.checked_next_multiple_of(4).filter(|bytes| *bytes > 0);
        block.and_then(|block| block.checked_mul(self.blocks)).filter(|bytes| *bytes > 0).ok_or(Error::IllegalSize)
    }
}

impl Threads {
    /// Makes a fixed pool in the memory at `base`, which has the checked size.
    ///
    /// # Errors
    /// As [`NewFixedPool::check`]; no record left.
    pub fn create_fixed_pool(&mut self, new: &NewFixedPool, base: u32, memory: &mut impl Words) -> Result<i32, Error> {
        new.check()?;
        let NewFixedPool { attributes, option, block_bytes, blocks } = *new;
        let block_bytes = block_bytes.next_multiple_of(4);
        for index in 0..blocks {
            let next = if index + 1 < blocks { base + (index + 1) * block_bytes } else { 0 };
            memory.write(base + index * block_bytes, next);
        }
        let pool = FixedPool {
            waiters: Queue::EMPTY,
            attributes,
            option,
            block_bytes,
            blocks,
            base,
            first_free: base,
            free: blocks,
        };
        insert(&mut self.fixed, Kind::FixedPool, pool).map(Id::raw)
    }

    fn fixed_pool(&mut self, id: i32) -> Result<(usize, &mut FixedPool), Error> {
        let index = find(&self.fixed, Kind::FixedPool, id).ok_or(Error::UnknownFixedPool)?;
        self.fixed[index].object.as_mut().map(|object| (index, object)).ok_or(Error::UnknownFixedPool)
    }

    /// Deletes a pool; its waiters get [`Error::WaitDeleted`]. The result is its memory, for the caller to free.
    ///
    /// # Errors
    /// Unknown.
    pub fn delete_fixed_pool(&mut self, id: i32) -> Result<u32, Error> {
        let (index, pool) = self.fixed_pool(id)?;
        let (waiters, base) = (pool.waiters, pool.base);
        self.fixed[index].object = None;
        self.release_all(waiters);
        Ok(base)
    }

    /// Takes a block if there is one.
    ///
    /// # Errors
    /// Unknown; empty.
    pub fn poll_fixed_pool(&mut self, id: i32, memory: &impl Words) -> Result<u32, Error> {
        let (_, pool) = self.fixed_pool(id)?;
        let block = pool.first_free;
        if block == 0 {
            return Err(Error::PoolEmpty);
        }
        pool.first_free = memory.read(block);
        pool.free -= 1;
        Ok(block)
    }

    /// Takes a block, or waits for one; the value is its address.
    ///
    /// # Errors
    /// Unknown.
    pub fn allocate_fixed(&mut self, id: i32, memory: &impl Words) -> Result<Waited, Error> {
        match self.poll_fixed_pool(id, memory) {
            Ok(block) => return Ok(Waited::Done(block)),
            Err(Error::PoolEmpty) => {}
            Err(error) => return Err(error),
        }
        let index = self.fixed_pool(id)?.0;
        let Some(current) = self.current else { return Err(Error::CannotWait) };
        if let Some(pool) = self.fixed[index].object.as_mut() {
            if pool.attributes & BY_PRIORITY != 0 {
                pool.waiters.push_by_priority(&mut self.threads, current);
            } else {
                pool.waiters.push_back(&mut self.threads, current);
            }
        }
        Ok(self.block(Wait::Fixed(index as u8)))
    }

    /// Gives a block back: to the first waiter, or to the pool.
    ///
    /// # Errors
    /// Unknown; not a block of this pool, or not a taken one.
    pub fn free_fixed(&mut self, id: i32, block: u32, memory: &mut impl Words) -> Result<(), Error> {
        let (index, pool) = self.fixed_pool(id)?;
        if !pool.starts_block(block) || pool.is_free(block, memory) {
            return Err(Error::IllegalBlock);
        }
        let Some(pool) = self.fixed[index].object.as_mut() else { return Err(Error::UnknownFixedPool) };
        if let Some(thread) = pool.waiters.pop_front(&mut self.threads) {
            self.make_ready(thread, Ok(block));
            return Ok(());
        }
        memory.write(block, pool.first_free);
        pool.first_free = block;
        pool.free += 1;
        Ok(())
    }

    /// What is known about a fixed pool.
    ///
    /// # Errors
    /// Unknown.
    pub fn fixed_pool_info(&mut self, id: i32) -> Result<PoolInfo, Error> {
        let FixedPool { waiters, attributes, option, block_bytes, blocks, free, .. } = *self.fixed_pool(id)?.1;
        let waiting = waiters.len(&mut self.threads);
        Ok(PoolInfo { attributes, option, size: block_bytes, blocks, free, waiting })
    }

    /// Makes a variable pool in `heap`.
    ///
    /// # Errors
    /// Unknown attribute; no record left.
    pub fn create_variable_pool(&mut self, attributes: u32, option: u32, heap: Heap) -> Result<i32, Error> {
        if attributes & !(BY_PRIORITY | FROM_TOP) != 0 {
            return Err(Error::IllegalAttribute);
        }
        let pool = VariablePool { waiters: Queue::EMPTY, attributes, option, heap };
        insert(&mut self.variable, Kind::VariablePool, pool).map(Id::raw)
    }

    fn variable_pool(&mut self, id: i32) -> Result<(usize, &mut VariablePool), Error> {
        let index = find(&self.variable, Kind::VariablePool, id).ok_or(Error::UnknownVariablePool)?;
        self.variable[index].object.as_mut().map(|object| (index, object)).ok_or(Error::UnknownVariablePool)
    }

    /// Deletes a pool; its waiters get [`Error::WaitDeleted`]. The result is its memory, for the caller to free.
    ///
    /// # Errors
    /// Unknown.
    pub fn delete_variable_pool(&mut self, id: i32) -> Result<u32, Error> {
        let (index, pool) = self.variable_pool(id)?;
        let (waiters, base) = (pool.waiters, pool.heap.start);
        self.variable[index].object = None;
        self.release_all(waiters);
        Ok(base)
    }

    /// Takes `size` bytes if there are as many.
    ///
    /// # Errors
    /// Unknown; more than the pool has at all; not now.
    pub fn poll_variable_pool(&mut self, id: i32, size: u32, memory: &mut impl Words) -> Result<u32, Error> {
        let (_, pool) = self.variable_pool(id)?;
        if size > pool.heap.bytes - crate::heap::UNIT {
            return Err(Error::IllegalSize);
        }
        pool.heap.allocate(memory, size).ok_or(Error::PoolEmpty)
    }

    /// Takes `size` bytes, or waits for them; the value is their address.
    ///
    /// # Errors
    /// Unknown; more than the pool has at all.
    pub fn allocate_variable(&mut self, id: i32, size: u32, memory: &mut impl Words) -> Result<Waited, Error> {
        match self.poll_variable_pool(id, size, memory) {
            Ok(address) => return Ok(Waited::Done(address)),
            Err(Error::PoolEmpty) => {}
            Err(error) => return Err(error),
        }
        let index = self.variable_pool(id)?.0;
        let Some(current) = self.current else { return Err(Error::CannotWait) };
        if let Some(pool) = self.variable[index].object.as_mut() {
            if pool.attributes & BY_PRIORITY != 0 {
                pool.waiters.push_by_priority(&mut self.threads, current);
            } else {
                pool.waiters.push_back(&mut self.threads, current);
            }
        }
        Ok(self.block(Wait::Variable { pool: index as u8, size }))
    }

    /// Gives memory back, then serves waiters from the first on as far as it reaches.
    ///
    /// # Errors
    /// Unknown; not an allocation of this pool.
    pub fn free_variable(&mut self, id: i32, address: u32, memory: &mut impl Words) -> Result<(), Error> {
        let (index, pool) = self.variable_pool(id)?;
        pool.heap.free(memory, address)?;
        while let Some(pool) = self.variable[index].object {
            let Some(thread) = pool.waiters.first() else { break };
            let Some(Wait::Variable { size, .. }) = self.thread(thread).map(|thread| thread.wait) else { break };
            let Some(address) = pool.heap.allocate(memory, size) else { break };
            if let Some(pool) = self.variable[index].object.as_mut() {
                pool.waiters.remove(&mut self.threads, thread);
            }
            self.make_ready(thread, Ok(address));
        }
        Ok(())
    }

    /// What is known about a variable pool.
    ///
    /// # Errors
    /// Unknown.
    pub fn variable_pool_info(&mut self, id: i32, memory: &impl Words) -> Result<PoolInfo, Error> {
        let VariablePool { waiters, attributes, option, heap } = *self.variable_pool(id)?.1;
        let (free, waiting) = (heap.free_bytes(memory), waiters.len(&mut self.threads));
        Ok(PoolInfo { attributes, option, size: heap.bytes, blocks: 0, free, waiting })
    }
}
