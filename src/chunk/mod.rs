//! The chunk system: typed pieces of data in a file, and what becomes of each type.
//!
//! A file is a container: a [`header`], then chunks one behind the other. [`load()`] goes through them: a chunk is copied into
//! memory of the load's pool and pushed on the chunk stack, or its type's handler reads it itself; then the type's loaded
//! handler may pop the chunks that belong together and push an object. A container with the pack marker holds groups
//! instead, one per resource, of which [`load_package`] loads those that are wanted and fit.
//!
//! Data flows stream -> pool -> chunk stack -> handlers -> object stack. Everything in a file may be wrong: types are checked
//! when they are popped, no read leaves its chunk, sums are checked before memory is taken, and what fails is an
//! [`ChunkError`].
//!
//! Our choice: the hardening, and stacks that belong to a load instead of two global ones.
//!
//! Source: support systems, Chunk system.

mod error;
mod group;
pub mod header;
mod inside;
mod kind;
mod load;
mod pool;
mod source;
mod stack;
mod table;
pub mod write;

pub use error::ChunkError;
pub use group::{GroupOutcome, Groups, PATIENCE_MS, Plan, ROOM_BYTES, load_package};
pub use header::{Chunk, ContainerHeader, GroupHeader, PACKAGE};
pub use inside::inside;
pub use kind::ChunkType;
pub use load::load;
pub use pool::{Block, ChunkPool, SlicePool};
pub use source::{Bounded, ByteSource, SliceSource};
pub use stack::{CHUNK_STACK, ChunkStack, OBJECT_STACK, Object, ObjectStack, Stacks, TypedStack};
pub use table::{ChunkTable, OnLoaded, ReadFromStream, Record};

#[cfg(test)]
mod tests;
