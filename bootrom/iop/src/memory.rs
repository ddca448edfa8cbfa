//! SYSMEM: the whole of the IOP's memory as an ordered list of blocks of 256-byte units.

/// Bytes of a unit.
///
/// Source: IOP kernel, SYSMEM
pub const UNIT: u32 = 0x100;
/// Set in an answer about a free block.
pub const FREE_BIT: u32 = 0x8000_0000;
/// Blocks that the list can hold.
///
/// Our choice: one fixed table outside of the memory it describes, in place of tables that grow inside it.
const BLOCKS: usize = 512;

/// Where an allocation is to come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The lowest block that fits.
    Lowest,
    /// The end of the highest block that fits.
    Highest,
    /// Exactly this address.
    At(u32),
}

/// A block, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    start: u16,
    length: u16,
    used: bool,
}

impl Block {
    /// [`FREE_BIT`] for a free block.
    fn free_bit(self) -> u32 {
        if self.used { 0 } else { FREE_BIT }
    }
}

/// All of memory. Neighbouring free blocks are always one.
pub struct Memory {
    blocks: [Block; BLOCKS],
    count: usize,
    /// Units from address 0 on that are the kernel's for good.
    kept: u16,
}

impl Memory {
    /// `bytes` of memory from address 0, of which the first `reserved` are in use for good.
    #[must_use]
    pub const fn new(bytes: u32, reserved: u32) -> Self {
        let mut blocks = [Block { start: 0, length: 0, used: false }; BLOCKS];
        let taken = reserved.div_ceil(UNIT) as u16;
        blocks[0] = Block { start: 0, length: taken, used: true };
        blocks[1] = Block { start: taken, length: (bytes / UNIT) as u16 - taken, used: false };
        Memory { blocks, count: 2, kept: taken }
    }

    /// Takes the memory from the reserved part up to the address `end` for good, too; false when some of it is in use.
    pub fn keep(&mut self, end: u32) -> bool {
        let start = u32::from(self.kept) * UNIT;
        if self.allocate(Place::At(start), end.saturating_sub(start)).is_none() {
            return false;
        }
        self.kept = end.div_ceil(UNIT) as u16;
        true
    }

    fn list(&self) -> &[Block] {
        &self.blocks[..self.count]
    }

    /// Allocates `bytes`; the result is the address. None when nothing fits or `bytes` is 0.
    pub fn allocate(&mut self, place: Place, bytes: u32) -> Option<u32> {
        let length = u16::try_from(bytes.div_ceil(UNIT)).ok().filter(|length| *length > 0)?;
        let fits = |block: &Block| !block.used && block.length >= length;
        let (at, start) = match place {
            Place::Lowest => {
                let at = self.list().iter().position(fits)?;
                (at, self.blocks[at].start)
            }
            Place::Highest => {
                let at = self.list().iter().rposition(fits)?;
                (at, self.blocks[at].start + self.blocks[at].length - length)
            }
            Place::At(address) => {
                let start = u16::try_from(address / UNIT).ok().filter(|_| address.is_multiple_of(UNIT))?;
                let at = self.list().iter().position(|block| {
                    fits(block) && block.start <= start && start - block.start <= block.length - length
                })?;
                (at, start)
            }
        };
        let free = self.blocks[at];
        let before = start - free.start;
        let after = free.length - before - length;
        let pieces = [
            Block { start: free.start, length: before, used: false },
            Block { start, length, used: true },
            Block { start: start + length, length: after, used: false },
        ];
        let added = usize::from(before > 0) + usize::from(after > 0);
        if self.count + added > BLOCKS {
            return None;
        }
        self.blocks.copy_within(at + 1..self.count, at + 1 + added);
        self.count += added;
        for (slot, piece) in self.blocks[at..].iter_mut().zip(pieces.iter().filter(|piece| piece.length > 0)) {
            *slot = *piece;
        }
        Some(u32::from(start) * UNIT)
    }

    /// Gives a block back; false when `address` is not the start of one in use, or is the kernel's own.
    pub fn free(&mut self, address: u32) -> bool {
        let Some(at) = self.list().iter().position(|block| block.used && u32::from(block.start) * UNIT == address)
        else {
            return false;
        };
        if self.blocks[at].start < self.kept {
            return false;
        }
        self.blocks[at].used = false;
        self.join(at);
        self.join(at - 1);
        true
    }

    /// Bytes from `address` to the end of the allocated block around it; None when nobody may write there: the block is free, the
    /// kernel's own, or there is none.
    #[must_use]
    pub fn room(&self, address: u32) -> Option<u32> {
        let block = self.block_around(address).filter(|block| block.used && block.start >= self.kept)?;
        Some((u32::from(block.start) + u32::from(block.length)) * UNIT - address)
    }

    /// Joins block `at` with the next one if both are free.
    fn join(&mut self, at: usize) {
        if at + 1 < self.count && !self.blocks[at].used && !self.blocks[at + 1].used {
            self.blocks[at].length += self.blocks[at + 1].length;
            self.blocks.copy_within(at + 2..self.count, at + 1);
            self.count -= 1;
        }
    }

    /// Block number `index` from below in one word: units, first unit, and whether it is used.
    ///
    /// Source: public headers of the system's later versions (SYSMEM's list)
    #[must_use]
    pub fn element(&self, index: usize) -> Option<u32> {
        const LENGTH_SHIFT: u32 = 17;
        const START_SHIFT: u32 = 1;
        let block = self.list().get(index)?;
        Some(u32::from(block.length) << LENGTH_SHIFT | u32::from(block.start) << START_SHIFT | u32::from(block.used))
    }

    /// All bytes, used or not.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.list().iter().map(|block| u32::from(block.length) * UNIT).sum()
    }

    /// Bytes of the largest free block.
    #[must_use]
    pub fn largest_free(&self) -> u32 {
        self.list().iter().filter(|block| !block.used).map(|block| u32::from(block.length) * UNIT).max().unwrap_or(0)
    }

    /// Bytes of all free blocks.
    #[must_use]
    pub fn total_free(&self) -> u32 {
        self.list().iter().filter(|block| !block.used).map(|block| u32::from(block.length) * UNIT).sum()
    }

    fn block_around(&self, address: u32) -> Option<&Block> {
        let unit = address / UNIT;
        self.list().iter().find(|block| unit.wrapping_sub(u32::from(block.start)) < u32::from(block.length))
    }

    /// Start of the block around `address`, with [`FREE_BIT`] when that is free.
    #[must_use]
    pub fn block_start(&self, address: u32) -> Option<u32> {
        self.block_around(address).map(|block| (u32::from(block.start) * UNIT) | block.free_bit())
    }

    /// Bytes of the block around `address`, with [`FREE_BIT`] when that is free.
    #[must_use]
    pub fn block_size(&self, address: u32) -> Option<u32> {
        self.block_around(address).map(|block| (u32::from(block.length) * UNIT) | block.free_bit())
    }
}

/// Where `address` lies physically: without its window, and without the further images that the IOP's memory of `memory_bytes` has.
#[must_use]
pub const fn place_of(address: u32, memory_bytes: u32) -> u32 {
    const PHYSICAL: u32 = 0x1FFF_FFFF;
    const IMAGES_END: u32 = 0x80_0000;
    let place = address & PHYSICAL;
    if place < IMAGES_END { place % memory_bytes } else { place }
}

/// What a caller's memory is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It is read.
    Read,
    /// It is written.
    Write,
}

/// True when all of `bytes` at `address` are memory that code of modules reaches, through whichever window: RAM of `memory_bytes`,
/// the scratchpad and, to read, the ROMs. Registers and holes are none.
///
/// Source: IOP facts, memory map
#[must_use]
pub fn is_reachable(address: u32, bytes: u32, memory_bytes: u32, access: Access) -> bool {
    const WINDOW_SHIFT: u32 = 29;
    /// The user's window, the cached one and the uncached one.
    const WINDOWS: [u32; 3] = [0, 4, 5];
    const SCRATCHPAD: core::ops::Range<u32> = 0x1F80_0000..0x1F80_0400;
    const ROMS: [core::ops::Range<u32>; 2] = [0x1E00_0000..0x1E80_0000, 0x1FC0_0000..0x2000_0000];
    let place = place_of(address, memory_bytes);
    let within = |range: core::ops::Range<u32>| range.contains(&place) && bytes <= range.end - place;
    WINDOWS.contains(&(address >> WINDOW_SHIFT))
        && (within(0..memory_bytes) || within(SCRATCHPAD) || access == Access::Read && ROMS.into_iter().any(within))
}

/// True when `bytes` at the physical `place` begin below `end`, where the kernel lies, and are not all in one of `stacks` (starts and
/// bytes), on which code of modules runs as well.
#[must_use]
pub fn is_kernels(place: u32, bytes: u32, end: u32, stacks: &[(u32, u32)]) -> bool {
    let within = |&(bottom, size): &(u32, u32)| place >= bottom && place.saturating_add(bytes) <= bottom + size;
    place < end && !stacks.iter().any(within)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_found_through_every_window_and_its_callers_stacks_are_not_taken_for_it() {
        const END: u32 = 0x4_0000;
        const STACKS: [(u32, u32); 2] = [(0x2_0000, 0x1000), (0x3_0000, 0x800)];
        let kernels = |address, bytes| is_kernels(place_of(address, BYTES), bytes, END, &STACKS);
        for (address, bytes) in [
            (0x80, 8),
            (0x8000_1000, 4),
            (0xA003_FFFC, 4),
            (0x20_0080, 8),
            (0x8060_1000, 1),
            (0x2_0FFC, 8),
            (0x2_0000, u32::MAX),
        ] {
            assert!(kernels(address, bytes), "{address:x} {bytes:x}");
        }
        for (address, bytes) in [(0x2_0FFC, 4), (0x3_0000, 0x800), (END, 4), (0x8010_0000, u32::MAX), (0xBFC0_0000, 4)]
        {
            assert!(!kernels(address, bytes), "{address:x} {bytes:x}");
        }
    }

    #[test]
    fn memory_is_reached_through_every_window_and_to_its_end_and_registers_are_none() {
        let reaches = |address, bytes, access| is_reachable(address, bytes, BYTES, access);
        for (address, bytes) in
            [(0, 4), (0x8010_0000, 0x10_0000), (0xA01F_FFFC, 4), (0x20_0000, BYTES), (0x1F80_03FC, 4)]
        {
            assert!(reaches(address, bytes, Access::Read) && reaches(address, bytes, Access::Write), "{address:x}");
        }
        for (address, bytes) in [(0xBFC0_0000, 0x40_0000), (0x1E00_0000, 4), (0x9FFF_FFFF, 1)] {
            assert!(reaches(address, bytes, Access::Read) && !reaches(address, bytes, Access::Write), "{address:x}");
        }
        for (address, bytes) in [
            (0x1F_FFFC, 8),
            (0x8000_0000, u32::MAX),
            (0x4010_0000, 4),
            (0xC010_0000, 4),
            (0x80_0000, 4),
            (0x1F80_03FC, 8),
            (0x1F80_1070, 4),
            (0xBF80_10F0, 4),
            (0xDEAD_BEEE, 4),
            (u32::MAX, 1),
        ] {
            assert!(!reaches(address, bytes, Access::Read) && !reaches(address, bytes, Access::Write), "{address:x}");
        }
    }

    const BYTES: u32 = 0x20_0000;
    const RESERVED: u32 = 0x1_0000;

    #[test]
    fn the_lowest_and_the_highest_fit_come_from_the_ends_of_the_free_memory() {
        let mut memory = Memory::new(BYTES, RESERVED);
        assert_eq!(memory.allocate(Place::Lowest, 1), Some(RESERVED));
        assert_eq!(memory.allocate(Place::Lowest, 0x101), Some(RESERVED + 0x100));
        assert_eq!(memory.allocate(Place::Highest, 0x1000), Some(BYTES - 0x1000));
        assert_eq!(memory.total_free(), BYTES - RESERVED - 0x300 - 0x1000);
        assert_eq!(memory.block_size(RESERVED + 0x1FF), Some(0x200));
        assert_eq!(memory.block_start(RESERVED + 0x2FF), Some(RESERVED + 0x100));
    }

    #[test]
    fn a_fixed_address_must_lie_in_one_free_block() {
        let mut memory = Memory::new(BYTES, RESERVED);
        assert_eq!(memory.allocate(Place::At(0x10_0000), 0x100), Some(0x10_0000));
        assert_eq!(memory.allocate(Place::At(0x0F_FF00), 0x200), None);
        assert_eq!(memory.allocate(Place::At(0x10_0080), 0x10), None);
        assert_eq!(memory.allocate(Place::At(0), 0x10), None);
        assert_eq!(memory.allocate(Place::At(BYTES - 0x100), 0x200), None);
        assert_eq!(memory.allocate(Place::At(BYTES), 0x100), None);
    }

    #[test]
    fn freed_neighbours_become_one_block_again() {
        let mut memory = Memory::new(BYTES, RESERVED);
        let all = memory.largest_free();
        let addresses: [Option<u32>; 3] = core::array::from_fn(|_| memory.allocate(Place::Lowest, 0x400));
        for address in [addresses[0], addresses[2], addresses[1]].into_iter().flatten() {
            assert!(memory.free(address));
            assert!(!memory.free(address));
        }
        assert_eq!(memory.largest_free(), all);
        assert_eq!(memory.block_start(RESERVED), Some(RESERVED | FREE_BIT));
    }

    #[test]
    fn the_kernels_image_is_neither_given_back_nor_room_to_write_to() {
        const IMAGE_END: u32 = 0x3_0040;
        let mut memory = Memory::new(BYTES, RESERVED);
        assert!(memory.keep(IMAGE_END));
        let free = memory.total_free();
        for address in [0, RESERVED] {
            assert!(!memory.free(address), "{address:x}");
            assert_eq!(memory.room(address), None, "{address:x}");
        }
        assert_eq!(memory.total_free(), free);
        assert_eq!(memory.room(IMAGE_END), None);
        let block = memory.allocate(Place::Lowest, 0x300).expect("memory");
        assert_eq!(block, 0x3_0100);
        assert_eq!((memory.room(block), memory.room(block + 0x2FF)), (Some(0x300), Some(1)));
        assert_eq!((memory.room(block + 0x300), memory.room(BYTES), memory.room(u32::MAX)), (None, None, None));
        assert!(memory.free(block));
    }

    #[test]
    fn what_is_in_use_is_not_kept_for_the_kernel() {
        let mut memory = Memory::new(BYTES, RESERVED);
        let block = memory.allocate(Place::Lowest, 0x100).expect("memory");
        assert!(!memory.keep(RESERVED + 0x200));
        assert!(memory.free(block));
    }

    #[test]
    fn nothing_too_large_and_nothing_empty_is_given() {
        let mut memory = Memory::new(BYTES, RESERVED);
        assert_eq!(memory.allocate(Place::Lowest, 0), None);
        assert_eq!(memory.allocate(Place::Lowest, BYTES), None);
        assert_eq!(memory.allocate(Place::Highest, u32::MAX), None);
        assert!(!memory.free(0));
    }
}
