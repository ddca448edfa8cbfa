//! The two stacks: chunks that have been read, and objects that were made of them.

use super::{Block, ChunkError, ChunkType};
use heapless::Vec;

/// Chunks that may wait at a time.
///
/// Source: support systems, Chunk system
pub const CHUNK_STACK: usize = 2048;
/// Objects that may wait at a time.
///
/// Source: support systems, Chunk system (inferred there)
pub const OBJECT_STACK: usize = 1024;

/// What a handler made of chunks, by a number that its maker understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object(pub u32);

/// Last in, first out; every entry has a type.
#[derive(Debug)]
pub struct TypedStack<T, const N: usize> {
    entries: Vec<(T, ChunkType), N>,
}

impl<T, const N: usize> Default for TypedStack<T, N> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<T, const N: usize> TypedStack<T, N> {
    /// Puts an entry on top.
    ///
    /// # Errors
    /// The stack is full.
    pub fn push(&mut self, entry: T, kind: ChunkType) -> Result<(), ChunkError> {
        self.entries.push((entry, kind)).map_err(|_| ChunkError::StackFull)
    }

    /// Takes the top entry, which must have this type.
    ///
    /// # Errors
    /// The stack is empty, or has another type on top; then it stays as it is.
    pub fn pop(&mut self, wanted: ChunkType) -> Result<T, ChunkError> {
        match self.peek() {
            ChunkType::NONE => Err(ChunkError::Missing(wanted)),
            found if found == wanted => self.entries.pop().map(|(entry, _)| entry).ok_or(ChunkError::Missing(wanted)),
            found => Err(ChunkError::Expected { wanted, found }),
        }
    }

    /// The top entry's type; [`ChunkType::NONE`] on an empty stack.
    pub fn peek(&self) -> ChunkType {
        self.entries.last().map_or(ChunkType::NONE, |(_, kind)| *kind)
    }

    /// Entries on the stack.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True when nothing is on it.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.entries.clear();
    }
}

/// Chunks, as blocks of the load's pool.
pub type ChunkStack = TypedStack<Block, CHUNK_STACK>;
/// Objects.
pub type ObjectStack = TypedStack<Object, OBJECT_STACK>;

/// The stacks of a load. They are large: whoever loads keeps one pair and clears it.
#[derive(Debug, Default)]
pub struct Stacks {
    /// What has been read.
    pub chunks: ChunkStack,
    /// What was made of it.
    pub objects: ObjectStack,
}

impl Stacks {
    /// Empties both for the next load.
    pub fn clear(&mut self) {
        self.chunks.clear();
        self.objects.clear();
    }
}
