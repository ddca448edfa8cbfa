//! The game's own pools: names, order and sizes.
//!
//! Source: seed 003, Device initialisation, step 4, and Game_InitializeSubsystems, steps 3, 4, 21 and 26; support systems,
//! Memory.

use super::error::Error;
use super::free_list::FreeList;
use super::manager::{MemoryManager, PoolKind};
use super::region::Region;
use super::registry::PoolId;

/// Bytes of the original's arena. Ours is what the console leaves behind the program, which is more.
pub const ARENA_BYTES: usize = 0x018d_7c94;
/// Bytes of the drawing system's scratch pool.
pub const FILTER_BYTES: usize = 0x29000;
/// Bytes of the debug heap, which leave it no usable memory, as on the original's retail console.
pub const DEBUG_BYTES: usize = 1024;
/// Bytes of the heap for a level's dynamic things and its scripts.
pub const LEVEL_DYNAMIC_BYTES: usize = 0x001e_f000;
/// Bytes of the file manager's stream buffer.
pub const FILE_STREAM_BYTES: usize = 384 * 1024;
/// Alignment of the file manager's stream buffer, in bytes.
pub const FILE_STREAM_ALIGN: usize = 128;
/// Bytes that the sector pools leave free behind them.
pub const SECTOR_MARGIN: usize = 128 * 1024;
/// Least bytes of the second sector pool.
pub const SECTOR_2_LEAST: usize = 4 * 1024;
/// Least bytes of the pool for a level's data.
pub const WORLD_LEVEL_LEAST: usize = 256 * 1024;

const GLOBAL_DATA_PERCENT: usize = 101;
const WORLD_LEVEL_PERCENT: usize = 103;

/// Records and record size of the animation instances' free list.
pub const ANIMATION_INSTANCES: (u16, usize) = (260, 300);
/// Records and record size of the animation tasks' free list.
pub const ANIMATION_TASKS: (u16, usize) = (360, 0x48);
/// Records and record size of the sound tasks' free list.
///
/// Our choice: the sources name this list without its numbers; two sounds for each of the SPU's voices is more than play.
pub const SOUND_TASKS: (u16, usize) = (96, 0x40);

/// The pools that the device's start-up makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DevicePools {
    /// `Filter Pool`.
    pub filter: PoolId,
    /// `Debug Heap`.
    pub debug: PoolId,
}

/// Device start-up, step 4: the arena's clump and global heap, the filter pool, the debug heap.
pub fn create_device_pools(memory: &mut MemoryManager) -> Result<DevicePools, Error> {
    let global = memory.global().ok_or(Error::Arena)?;
    let filter = memory.create(global, PoolKind::Heap, "Filter Pool", FILTER_BYTES)?;
    let debug = memory.create(global, PoolKind::Heap, "Debug Heap", DEBUG_BYTES)?;
    for id in [global, filter, debug] {
        memory.list(id);
    }
    Ok(DevicePools { filter, debug })
}

/// What step 3 of the game's initialisation makes.
///
/// Our choice: the three lists are made as in the original, of its records and in its place, and nothing takes a record of them.
/// Here what an animation plays lies in its human and what a sound does in its voice, both in pools of a fixed size.
#[derive(Debug)]
pub struct GamePools {
    /// Cursors of the animation instances.
    pub animation_instances: FreeList,
    /// Animation tasks.
    pub animation_tasks: FreeList,
    /// Sound tasks.
    pub sound_tasks: FreeList,
    /// `Level Dynamic & LUA Pool`.
    pub level_dynamic: PoolId,
}

/// Step 3: three free lists and the heap for a level's dynamic things, all in the global heap.
// Covers: seed 003, WarriorsMemory_Init (0x0033afe0) test=the_pools_have_the_seeds_sizes
// Covers: seed 003, step 3 game pools test=the_pools_have_the_seeds_sizes default=Err(Error::Arena)
pub fn create_game_pools(memory: &mut MemoryManager) -> Result<GamePools, Error> {
    let global = memory.global().ok_or(Error::Arena)?;
    let mut list = |(records, bytes): (u16, usize)| -> Result<FreeList, Error> {
        let size = FreeList::bytes(records, bytes);
        let base = memory.alloc_in(global, size, LIST_ALIGN)?;
        // SAFETY: allocated just now for this list alone, and never given back.
        FreeList::new(unsafe { Region::new(base, size) }, records, bytes)
    };
    let animation_instances = list(ANIMATION_INSTANCES)?;
    let animation_tasks = list(ANIMATION_TASKS)?;
    let sound_tasks = list(SOUND_TASKS)?;
    let level_dynamic = memory.create(global, PoolKind::Heap, "Level Dynamic & LUA Pool", LEVEL_DYNAMIC_BYTES)?;
    memory.list(level_dynamic);
    Ok(GamePools { animation_instances, animation_tasks, sound_tasks, level_dynamic })
}

/// Alignment of a free list's block. Source: support systems, Memory (16 is used most).
const LIST_ALIGN: usize = 16;

/// The pools for the levels' data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectorPools {
    /// `Sector Pool`: every level's data.
    pub sector: PoolId,
    /// `Sector Pool 2`, which nothing uses.
    pub sector_2: PoolId,
}

/// Step 21: the largest free block without a margin, then what is left without it.
// Covers: seed 003, step 21 sector heaps (0x0040d688) test=the_pools_have_the_seeds_sizes default=Err(Error::Arena)
pub fn create_sector_pools(memory: &mut MemoryManager) -> Result<SectorPools, Error> {
    let global = memory.global().ok_or(Error::Arena)?;
    let largest = memory.largest_free_block(global)?;
    let sector = memory.create(global, PoolKind::Heap, "Sector Pool", largest.saturating_sub(SECTOR_MARGIN))?;
    let left = memory.largest_free_block(global)?.saturating_sub(SECTOR_MARGIN).max(SECTOR_2_LEAST);
    let sector_2 = memory.create(global, PoolKind::Heap, "Sector Pool 2", left)?;
    for id in [sector, sector_2] {
        memory.list(id);
    }
    Ok(SectorPools { sector, sector_2 })
}

/// Step 26: the pool for the data of all levels, from that data's size in bytes.
///
/// Our choice: a heap, where the original's is a clump, as what reads the data takes and gives back.
pub fn create_global_data(memory: &mut MemoryManager, sector: PoolId, file_bytes: usize) -> Result<PoolId, Error> {
    memory.create(sector, PoolKind::Heap, "Global Data Pool", percent(file_bytes, GLOBAL_DATA_PERCENT))
}

/// The pool for one level's data, from that file's size in bytes.
pub fn create_world_level(memory: &mut MemoryManager, sector: PoolId, file_bytes: usize) -> Result<PoolId, Error> {
    let bytes = percent(file_bytes, WORLD_LEVEL_PERCENT).max(WORLD_LEVEL_LEAST);
    memory.create(sector, PoolKind::Clump, "World Level Pool", bytes)
}

fn percent(bytes: usize, percent: usize) -> usize {
    bytes.saturating_mul(percent) / 100
}

#[cfg(test)]
mod tests {
    use super::super::testing::Arena;
    use super::*;
    use std::boxed::Box;
    use std::format;
    use std::vec::Vec;

    /// An arena that stands where the original's stood within a kilobyte.
    fn original() -> (Arena, Box<MemoryManager>) {
        let mut arena = Arena::skewed(ARENA_BYTES, 1024, 0x370);
        let mut memory = Box::new(MemoryManager::new());
        memory.init(arena.region()).unwrap();
        (arena, memory)
    }

    #[test]
    fn the_global_heap_has_the_originals_size() {
        let (_arena, memory) = original();
        let global = memory.global().unwrap();
        assert_eq!(memory.record(global).unwrap().range().len(), 26_049_668);
        assert_eq!(memory.usable(global), Ok(26_048_516));
        assert_eq!(memory.top(), Some(global));
    }

    #[test]
    fn the_tree_has_the_seeds_names_and_order() {
        let (_arena, mut memory) = original();
        create_device_pools(&mut memory).unwrap();
        create_game_pools(&mut memory).unwrap();
        memory.alloc(FILE_STREAM_BYTES, FILE_STREAM_ALIGN).unwrap();
        let sectors = create_sector_pools(&mut memory).unwrap();
        create_global_data(&mut memory, sectors.sector, 300_000).unwrap();
        create_world_level(&mut memory, sectors.sector, 1000).unwrap();
        let tree: Vec<_> = memory
            .registry()
            .walk()
            .map(|(depth, id)| format!("{depth} {}", memory.record(id).unwrap().name().as_str()))
            .collect();
        let expected = [
            "0 All-System",
            "1 Global-Memory",
            "2 Filter-Pool",
            "2 Debug-Heap",
            "2 Level-Dynamic-&",
            "2 Sector-Pool",
            "3 Global-Data-Poo",
            "3 World-Level-Poo",
            "2 Sector-Pool-2",
        ];
        assert_eq!(tree, expected);
        assert_eq!(memory.shortages().count(), 0);
    }

    #[test]
    fn the_pools_have_the_seeds_sizes() {
        let (_arena, mut memory) = original();
        let device = create_device_pools(&mut memory).unwrap();
        let game = create_game_pools(&mut memory).unwrap();
        let largest = memory.largest_free_block(memory.global().unwrap()).unwrap();
        let sectors = create_sector_pools(&mut memory).unwrap();
        let bytes = |memory: &MemoryManager, id| memory.record(id).unwrap().range().len();
        assert_eq!(bytes(&memory, device.filter), 167_936);
        assert_eq!((bytes(&memory, device.debug), memory.usable(device.debug)), (1024, Ok(0)));
        assert_eq!((bytes(&memory, game.level_dynamic), memory.usable(game.level_dynamic)), (2_027_520, Ok(2_026_496)));
        assert_eq!((bytes(&memory, sectors.sector), bytes(&memory, sectors.sector_2)), (largest - 131_072, 4096));
        assert_eq!(game.animation_instances.capacity(), 260);
        let small = create_world_level(&mut memory, sectors.sector, 1000).unwrap();
        let large = create_world_level(&mut memory, sectors.sector, 1_000_000).unwrap();
        let global = create_global_data(&mut memory, sectors.sector, 200_000).unwrap();
        assert_eq!([small, large, global].map(|id| bytes(&memory, id)), [262_144, 1_030_000, 202_000]);
    }
}
