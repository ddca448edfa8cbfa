//! Heaps: memory that is given back piece by piece.

use super::blocks::{BLOCK, BlockRecord, Blocks, Class, Freed, LARGEST_FRAGMENT, Lists, MOST_BLOCKS};
use super::error::Error;
use super::region::{Region, round_up};
use core::alloc::Layout;
use core::ptr::NonNull;

/// Bytes kept for the descriptor at the start of a heap's block. Source: support systems, Memory, Heap (0xf8).
const DESCRIPTOR_BYTES: usize = 0xf8;
/// Strictest alignment that a heap gives: that of a block.
const LARGEST_ALIGN: usize = BLOCK;

/// What stands at the start of a heap's own block.
struct Descriptor {
    /// The free runs of whole blocks.
    runs: linked_list_allocator::Heap,
    /// Where block 0 begins.
    bottom: NonNull<u8>,
    blocks: usize,
    /// Blocks at the bottom that hold the records.
    table_blocks: usize,
    usable: usize,
    in_use: usize,
    live: u32,
    lists: Lists,
}

const _: () = assert!(size_of::<Descriptor>() <= DESCRIPTOR_BYTES);

/// A pool of whole blocks and fragments of blocks.
///
/// Requests up to 512 bytes share blocks that are cut into equal fragments; larger ones take runs of whole blocks. A size
/// is first rounded up to a multiple of its alignment, which is all that alignment takes: fragments are aligned to their
/// size and blocks to a kilobyte.
///
/// Source: support systems, Memory, Heap.
#[derive(Debug)]
pub struct Heap {
    descriptor: NonNull<Descriptor>,
    block: Region,
}

// SAFETY: the descriptor lies in the heap's own block, which moves with the heap.
unsafe impl Send for Heap {}

impl Heap {
    /// An empty heap in a block. Its usable memory begins at the next kilobyte behind the descriptor; a block that leaves
    /// none makes a heap that refuses everything, as the seed's debug heap of 1 KB does.
    pub fn new(block: Region) -> Result<Self, Error> {
        let bad = Error::BlockSize(block.bytes());
        let place = round_up(block.first(), align_of::<Descriptor>()).ok_or(bad)?;
        if place - block.first() + DESCRIPTOR_BYTES > block.bytes() {
            return Err(bad);
        }
        let start = round_up(block.first() + DESCRIPTOR_BYTES, BLOCK).ok_or(bad)?.min(block.end());
        let usable = block.end() - start;
        let mut blocks = usable / BLOCK;
        if blocks > MOST_BLOCKS {
            return Err(bad);
        }
        let mut table_blocks = (blocks * size_of::<BlockRecord>()).div_ceil(BLOCK);
        if table_blocks == blocks {
            (blocks, table_blocks) = (0, 0);
        }
        let bottom = block.at(start - block.first());
        let mut runs = linked_list_allocator::Heap::empty();
        if blocks > 0 {
            // SAFETY: the table's blocks and the rest lie inside the region, which this heap alone uses from here on; the
            // records are written before anybody reads them.
            unsafe {
                let table = bottom.cast::<BlockRecord>();
                (0..blocks).for_each(|index| table.add(index).write(BlockRecord::PLAIN));
                let first = bottom.add(table_blocks * BLOCK);
                runs.init(first.as_ptr(), (blocks - table_blocks) * BLOCK);
            }
        }
        let descriptor = block.at(place - block.first()).cast();
        let in_use = table_blocks * BLOCK;
        let value = Descriptor { runs, bottom, blocks, table_blocks, usable, in_use, live: 0, lists: Lists::EMPTY };
        // SAFETY: the place is aligned, inside the region and in front of the usable memory.
        unsafe { descriptor.write(value) };
        Ok(Self { descriptor, block })
    }

    fn descriptor(&self) -> &Descriptor {
        // SAFETY: written by `new` into memory that the heap owns, and borrowed as the heap is.
        unsafe { self.descriptor.as_ref() }
    }

    /// The descriptor and the records, which are different memory.
    fn split(&mut self) -> (&mut Descriptor, &mut [BlockRecord]) {
        // SAFETY: `new` wrote both into memory that the heap owns; they do not overlap and are borrowed as the heap is.
        unsafe {
            let descriptor = self.descriptor.as_mut();
            let table = descriptor.bottom.cast::<BlockRecord>().as_ptr();
            let records = core::slice::from_raw_parts_mut(table, descriptor.blocks);
            (descriptor, records)
        }
    }

    /// Takes `size` bytes at a multiple of `align`, a power of two of at most 1,024.
    pub fn alloc(&mut self, size: usize, align: usize) -> Result<NonNull<u8>, Error> {
        if !align.is_power_of_two() || align > LARGEST_ALIGN {
            return Err(Error::Alignment(align));
        }
        let exhausted = Error::Exhausted { wanted: size };
        let rounded = round_up(size.max(1), align).ok_or(exhausted)?;
        let (descriptor, records) = self.split();
        let bottom = descriptor.bottom;
        let mut blocks = Blocks { records, lists: &mut descriptor.lists };
        let (offset, taken) = if let Some(class) = Class::holding(rounded) {
            if !blocks.lists.has(class) {
                let block = take_run(&mut descriptor.runs, 1).ok_or(exhausted)?;
                blocks.cut(offset_of(bottom, block) / BLOCK, class);
            }
            (blocks.take_fragment(class).ok_or(exhausted)?, class.bytes())
        } else {
            let count = rounded.div_ceil(BLOCK);
            let run = take_run(&mut descriptor.runs, count).ok_or(exhausted)?;
            let offset = offset_of(bottom, run);
            blocks.mark_run(offset / BLOCK, count);
            (offset, count * BLOCK)
        };
        descriptor.in_use += taken;
        descriptor.live += 1;
        // SAFETY: the offset is that of a block of this heap.
        Ok(unsafe { bottom.add(offset) })
    }

    /// Gives back what [`alloc`](Self::alloc) gave. An address that is no live allocation changes nothing.
    pub fn free(&mut self, address: NonNull<u8>) -> Result<(), Error> {
        let (descriptor, records) = self.split();
        let offset = (address.as_ptr() as usize).checked_sub(descriptor.bottom.as_ptr() as usize);
        let offset = offset.ok_or(Error::NotAllocated)?;
        let freed = Blocks { records, lists: &mut descriptor.lists }.release(offset)?;
        let (bytes, blocks) = match freed {
            Freed::Fragment(class) => (class.bytes(), 0),
            Freed::LastFragment(class) => (class.bytes(), 1),
            Freed::Run(blocks) => (blocks * BLOCK, blocks),
        };
        descriptor.in_use -= bytes;
        descriptor.live -= 1;
        if blocks > 0 {
            // SAFETY: the records say that a run of this many blocks was taken at the start of this block.
            unsafe {
                let run = descriptor.bottom.add(offset / BLOCK * BLOCK);
                descriptor.runs.deallocate(run, run_layout(blocks));
            }
        }
        Ok(())
    }

    /// Bytes that the live allocation at `address` holds, at least as many as were asked for; `None` when there is none.
    pub fn held(&mut self, address: NonNull<u8>) -> Option<usize> {
        let (descriptor, records) = self.split();
        let offset = (address.as_ptr() as usize).checked_sub(descriptor.bottom.as_ptr() as usize)?;
        Blocks { records, lists: &mut descriptor.lists }.held(offset)
    }

    /// The most bytes that one request can get now.
    ///
    /// The search is the seed's: try half of what is free, go up on success and down on failure until the guess stays.
    /// Our choice: guesses are whole blocks, so that the answer is exact; without a free block, it is the largest fragment.
    ///
    /// Source: support systems, Memory, LargestFreeBlock.
    pub fn largest_free_block(&mut self) -> usize {
        let descriptor = self.split().0;
        let (mut fits, mut fails) = (0, descriptor.runs.free() / BLOCK + 1);
        while fails - fits > 1 {
            let guess = fits + (fails - fits) / 2;
            match take_run(&mut descriptor.runs, guess) {
                Some(run) => {
                    // SAFETY: taken just now with this layout.
                    unsafe { descriptor.runs.deallocate(run, run_layout(guess)) };
                    fits = guess;
                }
                None => fails = guess,
            }
        }
        if fits > 0 {
            return fits * BLOCK;
        }
        Class::largest_first().find(|class| descriptor.lists.has(*class)).map_or(0, Class::bytes)
    }

    /// The heap's own block.
    pub const fn block(&self) -> &Region {
        &self.block
    }

    /// Bytes from the first kilobyte behind the descriptor to the block's end.
    pub fn usable(&self) -> usize {
        self.descriptor().usable
    }

    /// Bytes handed out, rounded to fragments and blocks, and the records' own.
    pub fn in_use(&self) -> usize {
        self.descriptor().in_use
    }

    /// Bytes handed out, rounded to fragments and blocks, without the records'.
    pub fn handed_out(&self) -> usize {
        let descriptor = self.descriptor();
        descriptor.in_use - descriptor.table_blocks * BLOCK
    }

    /// Usable bytes that are not in use, in however many pieces.
    pub fn free_bytes(&self) -> usize {
        self.usable() - self.in_use()
    }

    /// Live allocations.
    pub fn live(&self) -> u32 {
        self.descriptor().live
    }

    /// True when everything has been given back. Source: support systems, Memory (CheckEmpty).
    pub fn is_empty(&self) -> bool {
        let descriptor = self.descriptor();
        descriptor.in_use == descriptor.table_blocks * BLOCK
    }

    /// The whole block back; what is still allocated from it is gone.
    pub fn into_block(self) -> Region {
        self.block
    }
}

fn run_layout(blocks: usize) -> Layout {
    // SAFETY: the alignment is a power of two, and no run is longer than the heap's 64 MB.
    unsafe { Layout::from_size_align_unchecked(blocks * BLOCK, BLOCK) }
}

fn take_run(runs: &mut linked_list_allocator::Heap, blocks: usize) -> Option<NonNull<u8>> {
    if blocks > MOST_BLOCKS {
        return None;
    }
    runs.allocate_first_fit(run_layout(blocks)).ok()
}

fn offset_of(bottom: NonNull<u8>, address: NonNull<u8>) -> usize {
    address.as_ptr() as usize - bottom.as_ptr() as usize
}

const _: () = assert!(LARGEST_FRAGMENT < BLOCK);

#[cfg(test)]
mod tests {
    use super::super::testing::Arena;
    use super::*;

    fn heap(arena: &mut Arena) -> Heap {
        Heap::new(arena.region()).unwrap()
    }

    #[test]
    fn usable_memory_begins_at_the_kilobyte_behind_the_descriptor() {
        let mut arena = Arena::new(64 * BLOCK, BLOCK);
        assert_eq!(heap(&mut arena).usable(), 63 * BLOCK);
        // Where the seed's global heap stands: 896 bytes into a kilobyte.
        let mut arena = Arena::skewed(64 * BLOCK + 4, BLOCK, 896);
        let heap = heap(&mut arena);
        assert_eq!(heap.block().bytes() - heap.usable(), 1152);
    }

    #[test]
    fn a_heap_of_one_kilobyte_refuses_everything() {
        let mut arena = Arena::new(BLOCK, BLOCK);
        let mut heap = heap(&mut arena);
        assert_eq!((heap.usable(), heap.largest_free_block()), (0, 0));
        assert_eq!(heap.alloc(1, 1), Err(Error::Exhausted { wanted: 1 }));
        assert_eq!(heap.free(heap.block().base()), Err(Error::NotAllocated));
        let mut small = Arena::new(128, 16);
        assert_eq!(Heap::new(small.region()).unwrap_err(), Error::BlockSize(128));
    }

    #[test]
    fn small_requests_share_a_block_and_large_ones_take_whole_blocks() {
        let mut arena = Arena::new(64 * BLOCK, BLOCK);
        let mut heap = heap(&mut arena);
        let empty = heap.in_use();
        let a = heap.alloc(100, 4).unwrap().as_ptr() as usize;
        let b = heap.alloc(128, 4).unwrap().as_ptr() as usize;
        assert_eq!((b - a, heap.in_use() - empty), (128, 256));
        let large = heap.alloc(513, 4).unwrap();
        assert_eq!((large.as_ptr() as usize % BLOCK, heap.held(large)), (0, Some(BLOCK)));
        assert_eq!(heap.in_use() - empty, 256 + BLOCK);
    }

    #[test]
    fn the_size_is_rounded_up_to_the_alignment() {
        let mut arena = Arena::new(64 * BLOCK, BLOCK);
        let mut heap = heap(&mut arena);
        for align in [1, 8, 64, 128, 512, 1024] {
            let place = heap.alloc(1, align).unwrap();
            assert_eq!(place.as_ptr() as usize % align, 0);
            assert!(heap.held(place).unwrap() >= align);
        }
        assert_eq!(heap.alloc(1, 2048), Err(Error::Alignment(2048)));
        assert_eq!(heap.alloc(1, 24), Err(Error::Alignment(24)));
        assert_eq!(heap.alloc(usize::MAX, 16), Err(Error::Exhausted { wanted: usize::MAX }));
    }

    #[test]
    fn the_largest_free_block_can_be_taken_and_not_a_byte_more() {
        let mut arena = Arena::new(200 * BLOCK, BLOCK);
        let mut heap = heap(&mut arena);
        assert_eq!(heap.largest_free_block(), heap.free_bytes());
        let run: std::vec::Vec<_> = (0..10).map(|_| heap.alloc(15 * BLOCK, 16).unwrap()).collect();
        for place in run.iter().step_by(3) {
            heap.free(*place).unwrap();
        }
        heap.free(run[1]).unwrap();
        let largest = heap.largest_free_block();
        assert!(largest >= 30 * BLOCK, "{largest}");
        assert!(heap.alloc(largest + 1, 16).is_err());
        assert!(heap.alloc(largest, 16).is_ok());
    }

    #[test]
    fn without_a_free_block_the_largest_fragment_counts() {
        let mut arena = Arena::new(4 * BLOCK, BLOCK);
        let mut heap = heap(&mut arena);
        heap.alloc(64, 16).unwrap();
        heap.alloc(BLOCK, 16).unwrap();
        assert_eq!(heap.largest_free_block(), 64);
        assert!(heap.alloc(65, 16).is_err());
    }

    #[test]
    fn a_second_free_is_an_error_and_changes_nothing() {
        let mut arena = Arena::new(32 * BLOCK, BLOCK);
        let mut heap = heap(&mut arena);
        let (small, large) = (heap.alloc(40, 8).unwrap(), heap.alloc(4000, 8).unwrap());
        for place in [small, large] {
            assert_eq!(heap.free(place), Ok(()));
            let before = heap.in_use();
            assert_eq!(heap.free(place), Err(Error::NotAllocated));
            assert_eq!(heap.in_use(), before);
        }
        assert_eq!((heap.live(), heap.is_empty()), (0, true));
    }

    #[test]
    fn the_heap_never_writes_into_what_it_has_handed_out() {
        let mut arena = Arena::new(64 * BLOCK, BLOCK);
        let mut heap = heap(&mut arena);
        let kept: std::vec::Vec<_> = (0..20).map(|_| heap.alloc(96, 16).unwrap()).collect();
        for (index, place) in kept.iter().enumerate() {
            // SAFETY: 96 bytes were handed out at each place.
            unsafe { place.write_bytes(index as u8, 96) };
        }
        for round in 1..40 {
            let place = heap.alloc(round * 50, 16).unwrap();
            heap.largest_free_block();
            heap.free(place).unwrap();
        }
        for (index, place) in kept.iter().enumerate() {
            // SAFETY: written above.
            let bytes = unsafe { core::slice::from_raw_parts(place.as_ptr(), 96) };
            assert!(bytes.iter().all(|byte| *byte == index as u8), "allocation {index}");
        }
    }
}
