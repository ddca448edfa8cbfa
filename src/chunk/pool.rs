//! Memory that chunks are copied into.

/// Alignment of a chunk's data.
///
/// Source: support systems, Chunk system
pub const ALIGNMENT: u32 = 16;

/// A piece of a pool, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Block {
    /// Distance from the pool's start, in bytes.
    pub offset: u32,
    /// Bytes.
    pub bytes: u32,
}

/// Memory for one load.
pub trait ChunkPool {
    /// Takes bytes at a 16-aligned place; `None` when they do not fit.
    fn allocate(&mut self, bytes: u32) -> Option<Block>;

    /// A block's bytes; empty for a block of another pool that does not lie within this one.
    fn bytes(&self, block: Block) -> &[u8];

    /// A block's bytes, for writing.
    fn bytes_mut(&mut self, block: Block) -> &mut [u8];
}

/// A pool over a slice that only grows, as the clumps of the levels do. The slice's own alignment is the caller's.
#[derive(Debug)]
pub struct SlicePool<'a> {
    memory: &'a mut [u8],
    used: u32,
}

impl<'a> SlicePool<'a> {
    /// An empty pool.
    pub const fn new(memory: &'a mut [u8]) -> Self {
        Self { memory, used: 0 }
    }

    /// Bytes taken, gaps included.
    pub const fn used(&self) -> u32 {
        self.used
    }
}

impl ChunkPool for SlicePool<'_> {
    fn allocate(&mut self, bytes: u32) -> Option<Block> {
        let offset = self.used.checked_next_multiple_of(ALIGNMENT)?;
        let end = offset.checked_add(bytes)?;
        if end as usize > self.memory.len() {
            return None;
        }
        self.used = end;
        Some(Block { offset, bytes })
    }

    fn bytes(&self, block: Block) -> &[u8] {
        self.memory.get(block.offset as usize..).and_then(|rest| rest.get(..block.bytes as usize)).unwrap_or_default()
    }

    fn bytes_mut(&mut self, block: Block) -> &mut [u8] {
        self.memory
            .get_mut(block.offset as usize..)
            .and_then(|rest| rest.get_mut(..block.bytes as usize))
            .unwrap_or_default()
    }
}
