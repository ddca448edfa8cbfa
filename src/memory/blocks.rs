//! What a heap knows about each of its blocks, without touching the memory it has handed out.
//!
//! A block is free, the head or the rest of a run of whole blocks, or cut into equal fragments of a power of two. Blocks
//! with free fragments of one size form a list, so that a small request looks at one record.
//!
//! Source: support systems, Memory, Heap (12-byte records in a table).

use super::error::Error;

/// Bytes in a block.
pub const BLOCK: usize = 1024;
/// Bytes in the smallest fragment.
///
/// Our choice: the free fragments of a block then fit one word of its record.
pub const SMALLEST_FRAGMENT: usize = 32;
/// Bytes in the largest fragment; larger requests take whole blocks.
pub const LARGEST_FRAGMENT: usize = 512;
/// Fragment sizes: 32, 64, 128, 256 and 512 bytes.
pub const CLASSES: usize = (LARGEST_FRAGMENT / SMALLEST_FRAGMENT).ilog2() as usize + 1;
/// Most blocks of a heap; the number after the last one ends a list.
pub const MOST_BLOCKS: usize = END as usize;
const END: u16 = u16::MAX;

/// A fragment size: 0 is [`SMALLEST_FRAGMENT`], each next one twice as large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class(u8);

impl Class {
    /// The class whose fragments hold `size` bytes, if any does.
    pub fn holding(size: usize) -> Option<Self> {
        if size > LARGEST_FRAGMENT {
            return None;
        }
        let fragment = size.max(SMALLEST_FRAGMENT).next_power_of_two();
        Some(Self((fragment / SMALLEST_FRAGMENT).ilog2() as u8))
    }

    /// Every class, largest first.
    pub fn largest_first() -> impl Iterator<Item = Self> {
        (0..CLASSES as u8).rev().map(Self)
    }

    /// Bytes in a fragment.
    pub const fn bytes(self) -> usize {
        SMALLEST_FRAGMENT << self.0
    }

    /// One bit for each fragment of a block.
    const fn all(self) -> u32 {
        u32::MAX >> (u32::BITS - (BLOCK / self.bytes()) as u32)
    }

    const fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Free, or not the first block of a run.
    Plain,
    /// The first block of a run.
    Run,
    /// Cut into fragments.
    Cut(Class),
}

/// The record of one block: 12 bytes.
#[derive(Clone, Copy, Debug)]
pub struct BlockRecord {
    /// Free fragments as bits, or the blocks of a run.
    count: u32,
    /// The neighbours in the list of blocks with free fragments of the same class.
    next: u16,
    previous: u16,
    usage: Use,
}

const _: () = assert!(size_of::<BlockRecord>() == 12);

impl BlockRecord {
    /// A block that nobody uses.
    pub const PLAIN: Self = Self { count: 0, next: END, previous: END, usage: Use::Plain };
}

/// The first block of each list.
#[derive(Clone, Copy, Debug)]
pub struct Lists([u16; CLASSES]);

impl Lists {
    /// No block has a free fragment.
    pub const EMPTY: Self = Self([END; CLASSES]);

    /// True when some block has a free fragment of the class.
    pub const fn has(&self, class: Class) -> bool {
        self.0[class.index()] != END
    }
}

/// What giving back an address frees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freed {
    /// A fragment; its block stays cut.
    Fragment(Class),
    /// The last fragment of a block, and with it the block.
    LastFragment(Class),
    /// A run of this many blocks.
    Run(usize),
}

/// The records of a heap's blocks and the lists through them.
#[derive(Debug)]
pub struct Blocks<'a> {
    /// One record for each block.
    pub records: &'a mut [BlockRecord],
    /// The lists.
    pub lists: &'a mut Lists,
}

impl Blocks<'_> {
    /// Takes a free fragment of a class and answers its offset, or `None` when a block must be cut first.
    pub fn take_fragment(&mut self, class: Class) -> Option<usize> {
        let block = self.lists.0[class.index()];
        let record = self.records.get_mut(usize::from(block))?;
        let fragment = record.count.trailing_zeros();
        record.count &= record.count - 1;
        if record.count == 0 {
            self.unlink(block, class);
        }
        Some(usize::from(block) * BLOCK + fragment as usize * class.bytes())
    }

    /// Cuts a free block into fragments, all free.
    pub fn cut(&mut self, block: usize, class: Class) {
        self.records[block] = BlockRecord { count: class.all(), usage: Use::Cut(class), ..BlockRecord::PLAIN };
        self.link(block as u16, class);
    }

    /// Marks `blocks` free blocks from `first` on as a run.
    pub fn mark_run(&mut self, first: usize, blocks: usize) {
        self.records[first] = BlockRecord { count: blocks as u32, usage: Use::Run, ..BlockRecord::PLAIN };
    }

    /// Bytes that the live allocation at an offset holds, or `None` when there is none.
    pub fn held(&self, offset: usize) -> Option<usize> {
        let record = self.records.get(offset / BLOCK)?;
        let within = offset % BLOCK;
        match record.usage {
            Use::Run if within == 0 => Some(record.count as usize * BLOCK),
            Use::Cut(class) if within.is_multiple_of(class.bytes()) => {
                (record.count & 1 << (within / class.bytes()) == 0).then_some(class.bytes())
            }
            _ => None,
        }
    }

    /// Forgets the live allocation at an offset and says what became free.
    pub fn release(&mut self, offset: usize) -> Result<Freed, Error> {
        self.held(offset).ok_or(Error::NotAllocated)?;
        let block = offset / BLOCK;
        let record = &mut self.records[block];
        let Use::Cut(class) = record.usage else {
            let blocks = record.count as usize;
            *record = BlockRecord::PLAIN;
            return Ok(Freed::Run(blocks));
        };
        let was_full = record.count == 0;
        record.count |= 1 << (offset % BLOCK / class.bytes());
        if record.count == class.all() {
            self.unlink(block as u16, class);
            self.records[block] = BlockRecord::PLAIN;
            return Ok(Freed::LastFragment(class));
        }
        if was_full {
            self.link(block as u16, class);
        }
        Ok(Freed::Fragment(class))
    }

    fn link(&mut self, block: u16, class: Class) {
        let head = core::mem::replace(&mut self.lists.0[class.index()], block);
        if let Some(old) = self.records.get_mut(usize::from(head)) {
            old.previous = block;
        }
        let record = &mut self.records[usize::from(block)];
        (record.next, record.previous) = (head, END);
    }

    fn unlink(&mut self, block: u16, class: Class) {
        let BlockRecord { next, previous, .. } = self.records[usize::from(block)];
        match self.records.get_mut(usize::from(previous)) {
            Some(before) => before.next = next,
            None => self.lists.0[class.index()] = next,
        }
        if let Some(after) = self.records.get_mut(usize::from(next)) {
            after.previous = previous;
        }
        let record = &mut self.records[usize::from(block)];
        (record.next, record.previous) = (END, END);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_takes_the_next_power_of_two() {
        let bytes = |size| Class::holding(size).map(Class::bytes);
        assert_eq!([0, 1, 32].map(bytes), [Some(32); 3]);
        assert_eq!([33, 64, 65].map(bytes), [Some(64), Some(64), Some(128)]);
        assert_eq!([257, 512, 513].map(bytes), [Some(512), Some(512), None]);
    }

    #[test]
    fn a_block_holds_as_many_fragments_as_fit() {
        for class in Class::largest_first() {
            assert_eq!(class.all().count_ones() as usize * class.bytes(), BLOCK);
        }
    }

    #[test]
    fn a_full_block_leaves_its_list_and_returns_with_the_first_free() {
        let mut records = [BlockRecord::PLAIN; 4];
        let mut lists = Lists::EMPTY;
        let mut blocks = Blocks { records: &mut records, lists: &mut lists };
        let class = Class::holding(512).unwrap();
        blocks.cut(2, class);
        blocks.cut(1, class);
        let taken = [(); 4].map(|()| blocks.take_fragment(class));
        assert_eq!(taken, [Some(1024), Some(1536), Some(2048), Some(2560)]);
        assert_eq!(blocks.take_fragment(class), None);
        assert_eq!(blocks.release(2560), Ok(Freed::Fragment(class)));
        assert_eq!(blocks.release(2560), Err(Error::NotAllocated), "twice");
        assert_eq!(blocks.release(2049), Err(Error::NotAllocated), "inside a fragment");
        assert_eq!(blocks.take_fragment(class), Some(2560));
    }
}
