//! Memory pools: who may use which part of the console's RAM, and what happens when one runs out.
//!
//! One arena is cut once. A [`clump`](Clump) over all of it holds the global [`heap`](Heap); everything else is a pool
//! inside a pool, and the [`registry`](Registry) knows the tree by address range. The [`MemoryManager`] owns the registry
//! and the heap stack: an allocation goes to the pool on top of the stack, so loading code pushes the pool that is to pay
//! and pops it afterwards. [`pools`] is the list of the game's own pools with the seed's names, order and sizes, and
//! [`PoolAllocator`] gives Rust's `Vec` and `Box` the same rule. A heap hands out whole kilobyte blocks, taken from a
//! first-fit list, and cuts single blocks into equal fragments for small requests ([`blocks`](BlockRecord)).
//!
//! A request that finds no room is an [`Error`] and an entry in the [`Shortages`]: counted, kept and shown, never undefined.
//!
//! Source: seed 003, Device initialisation, step 4, and Game_InitializeSubsystems; support systems, Memory.

mod blocks;
mod clump;
mod error;
mod free_list;
mod global;
mod heap;
mod manager;
pub mod pools;
mod region;
mod registry;
mod shortages;

#[cfg(test)]
mod properties;
#[cfg(test)]
pub(crate) mod testing;

pub use blocks::BlockRecord;
pub use clump::Clump;
pub use error::Error;
pub use free_list::FreeList;
pub use global::PoolAllocator;
pub use heap::Heap;
pub use manager::{MemoryManager, PoolKind, STACK_DEPTH, TABLE_ENTRIES};
pub use region::Region;
pub use registry::{NAME_LENGTH, Name, PoolId, RECORDS, Record, Registry};
pub use shortages::{Shortage, Shortages};
