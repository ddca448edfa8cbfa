//! HEAPLIB's memory: cells of any size inside of one block.
//!
//! Every cell begins with a word that holds its size and whether it is used; neighbouring free cells are joined when memory is
//! looked for. The words lie in the block itself, behind [`Words`].

use crate::errors::Error;
use crate::loadcore::Words;

/// Bytes of a cell's head, and the unit of sizes.
///
/// Source: IOP kernel, HEAPLIB (granules)
pub const UNIT: u32 = 8;
/// Bit of a used cell, in its head's first word.
const USED: u32 = 1;
/// Second word of a head: tells a cell from anything else.
const MARK: u32 = 0x4845_4150;

/// A block that is used as a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heap {
    /// Address of the first cell, a multiple of [`UNIT`].
    pub start: u32,
    /// Bytes of the block, a multiple of [`UNIT`].
    pub bytes: u32,
}

impl Heap {
    /// A heap in `bytes` at `start`, with one free cell. None when there is no room for one.
    pub fn new(memory: &mut impl Words, start: u32, bytes: u32) -> Option<Self> {
        let heap = Heap { start, bytes: bytes & !(UNIT - 1) };
        if !start.is_multiple_of(UNIT) || heap.bytes < 2 * UNIT {
            return None;
        }
        write_head(memory, start, heap.bytes, false);
        Some(heap)
    }

    /// Every cell: its address, its bytes (head included), and whether it is used. Ends early at a damaged head.
    fn cells<'a, M: Words>(&self, memory: &'a M) -> impl Iterator<Item = (u32, u32, bool)> + use<'a, M> {
        let end = self.start + self.bytes;
        let mut next = self.start;
        core::iter::from_fn(move || {
            let at = next;
            let head = (at < end).then(|| memory.read(at))?;
            let bytes = head & !(UNIT - 1);
            if memory.read(at + 4) != MARK || bytes < UNIT || bytes > end - at {
                return None;
            }
            next = at + bytes;
            Some((at, bytes, head & USED != 0))
        })
    }

    /// Joins neighbouring free cells.
    fn join(&self, memory: &mut impl Words) {
        let mut run: Option<(u32, u32)> = None;
        let mut next = Some(self.start);
        while let Some(at) = next {
            let Some((_, bytes, used)) = (Heap { start: at, bytes: self.start + self.bytes - at }).cells(memory).next()
            else {
                return;
            };
            run = match (run, used) {
                (_, true) => None,
                (None, false) => Some((at, bytes)),
                (Some((first, length)), false) => {
                    write_head(memory, first, length + bytes, false);
                    memory.write(at + 4, 0);
                    Some((first, length + bytes))
                }
            };
            next = Some(at + bytes).filter(|next| *next < self.start + self.bytes);
        }
    }

    /// Allocates `bytes` from the first cell that has room; the result is the address behind its head.
    pub fn allocate(&self, memory: &mut impl Words, bytes: u32) -> Option<u32> {
        let wanted = bytes.max(1).checked_add(UNIT)?.checked_next_multiple_of(UNIT)?;
        self.join(memory);
        let (at, size, _) = self.cells(memory).find(|(_, size, used)| !used && *size >= wanted)?;
        if size - wanted >= 2 * UNIT {
            write_head(memory, at + wanted, size - wanted, false);
            write_head(memory, at, wanted, true);
        } else {
            write_head(memory, at, size, true);
        }
        Some(at + UNIT)
    }

    /// True when `address` lies inside of the block.
    #[must_use]
    pub fn contains(&self, address: u32) -> bool {
        address.wrapping_sub(self.start) < self.bytes
    }

    /// True when the cells follow each other up to the end.
    pub fn is_sound(&self, memory: &impl Words) -> bool {
        self.cells(memory).map(|(_, bytes, _)| bytes).sum::<u32>() == self.bytes
    }

    /// Gives memory back.
    ///
    /// # Errors
    /// [`Error::IllegalBlock`]: not the address of an allocation.
    pub fn free(&self, memory: &mut impl Words, address: u32) -> Result<(), Error> {
        let cell = self.cells(memory).find(|(at, _, used)| *used && at + UNIT == address);
        let (at, bytes, _) = cell.ok_or(Error::IllegalBlock)?;
        write_head(memory, at, bytes, false);
        Ok(())
    }

    /// Bytes that are free, heads included.
    pub fn free_bytes(&self, memory: &impl Words) -> u32 {
        self.cells(memory).filter(|(_, _, used)| !used).map(|(_, bytes, _)| bytes).sum()
    }

    /// True when nothing is allocated.
    pub fn is_empty(&self, memory: &impl Words) -> bool {
        self.cells(memory).all(|(_, _, used)| !used)
    }
}

fn write_head(memory: &mut impl Words, at: u32, bytes: u32, used: bool) {
    memory.write(at, bytes | if used { USED } else { 0 });
    memory.write(at + 4, MARK);
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;
    use std::vec;
    use std::vec::Vec;

    pub struct Ram(pub Vec<u32>);

    impl Words for Ram {
        fn read(&self, address: u32) -> u32 {
            self.0[address as usize / 4]
        }
        fn write(&mut self, address: u32, value: u32) {
            self.0[address as usize / 4] = value;
        }
    }

    fn heap(bytes: u32) -> (Ram, Heap) {
        let mut ram = Ram(vec![0xEEEE_EEEE; 0x400]);
        let heap = Heap::new(&mut ram, 0x100, bytes).expect("room for a cell");
        (ram, heap)
    }

    #[test]
    fn memory_comes_in_order_and_is_whole_again_when_all_is_free() {
        let (mut ram, heap) = heap(0x200);
        let first = heap.allocate(&mut ram, 1);
        let second = heap.allocate(&mut ram, 8);
        assert_eq!((first, second), (Some(0x108), Some(0x118)));
        assert_eq!(heap.free_bytes(&ram), 0x200 - 0x20);
        for address in [0x108, 0x118] {
            assert_eq!(heap.free(&mut ram, address), Ok(()));
            assert_eq!(heap.free(&mut ram, address), Err(Error::IllegalBlock));
        }
        assert!(heap.is_empty(&ram));
        assert_eq!(heap.allocate(&mut ram, 0x200 - UNIT), Some(0x108));
        assert_eq!(heap.allocate(&mut ram, 1), None);
    }

    #[test]
    fn too_much_and_too_little_are_refused() {
        let (mut ram, heap) = heap(0x200);
        assert_eq!(heap.allocate(&mut ram, u32::MAX), None);
        assert_eq!(heap.allocate(&mut ram, 0x200), None);
        assert_eq!(heap.free(&mut ram, 0x110), Err(Error::IllegalBlock));
        assert_eq!(Heap::new(&mut ram, 0x100, 8), None);
        assert_eq!(Heap::new(&mut ram, 0x104, 0x100), None);
    }

    #[test]
    fn a_damaged_head_is_noticed() {
        let (mut ram, heap) = heap(0x200);
        let first = heap.allocate(&mut ram, 16).expect("room");
        assert!(heap.is_sound(&ram));
        ram.write(first + 16, 0x1234_5678);
        assert!(!heap.is_sound(&ram));
        assert_eq!(heap.free(&mut ram, first), Ok(()));
    }

    proptest! {
        #[test]
        fn allocations_never_overlap_and_all_comes_back(sizes in prop::collection::vec((1_u32..100, any::<bool>()), 1..60)) {
            let (mut ram, heap) = heap(0x800);
            let mut live: Vec<(u32, u32)> = Vec::new();
            for (size, frees) in sizes {
                if let Some(address) = heap.allocate(&mut ram, size) {
                    for (other, length) in &live {
                        prop_assert!(address + size <= *other || other + length <= address);
                    }
                    prop_assert!(heap.contains(address) && heap.contains(address + size - 1));
                    live.push((address, size));
                }
                if frees && !live.is_empty() {
                    let (address, _) = live.swap_remove(size as usize % live.len());
                    prop_assert_eq!(heap.free(&mut ram, address), Ok(()));
                }
            }
            for (address, _) in live {
                prop_assert_eq!(heap.free(&mut ram, address), Ok(()));
            }
            prop_assert_eq!(heap.free_bytes(&ram), 0x800);
        }
    }
}
