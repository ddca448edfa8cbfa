//! Who owns a level and the pool that it lives in.

use super::level::{Level, LevelError, LevelTable};
use super::objects::StreamedObjects;
use super::parts::{SECTION, part_name};
use super::tear_down::{Part, TEAR_DOWN};
use crate::chunk::{ByteSource, ChunkError, Stacks};
use crate::ee::gif::Quad;
use crate::file_io::Region;
use crate::memory::pools::create_world_level;
use crate::memory::{Error as MemoryError, MemoryManager, PoolId};
use crate::streaming::{Part as StreamedPart, Streamer};
use alloc::boxed::Box;
use core::fmt;

/// Why a level is not there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WorldError {
    /// A level is loaded already.
    Occupied,
    /// The sector pool has no room, or the heap stack is full.
    Memory(MemoryError),
    /// The file.
    Level(LevelError),
    /// Nobody reads a level's chunks yet: [`WorldManager::know_levels`] comes first.
    NoHandlers,
}

impl From<MemoryError> for WorldError {
    fn from(error: MemoryError) -> Self {
        Self::Memory(error)
    }
}

impl From<LevelError> for WorldError {
    fn from(error: LevelError) -> Self {
        Self::Level(error)
    }
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Occupied => f.write_str("a level is loaded already"),
            Self::Memory(error) => write!(f, "no memory for the level: {error:?}"),
            Self::Level(error) => error.fmt(f),
            Self::NoHandlers => f.write_str("nobody reads a level's chunks yet"),
        }
    }
}

/// The world manager: one level at a time, in a pool of its own inside the sector pool.
///
/// Memory is taken from whichever pool is on top of the heap stack, so loading goes in steps: [`begin`](Self::begin) makes the
/// level's pool and pushes it, [`reserve`](Self::reserve) takes the file's memory from it, [`end`](Self::end) pops it, and
/// [`read`](Self::read) reads the file. [`unload`](Self::unload) takes everything down in the order of [`TEAR_DOWN`] and gives
/// the pool back.
///
/// Our choice: the pool has room for the file and little more, as the seed's; the collision mesh, which the original uses where
/// it lies in the file, is a copy of ours and comes from the pool below.
///
/// Source: seed 002, Reimplementing Physics, RayCast and World (Unit 18); seed 003, Game_InitializeSubsystems (level 1's
/// header: 103 % of the file, at least 256 KB).
#[derive(Debug, Default)]
pub struct WorldManager {
    table: Option<Box<LevelTable>>,
    level: Option<Box<Level>>,
    pool: Option<PoolId>,
    memory: Option<Box<[Quad]>>,
    parts: Option<Box<Streamer>>,
    /// What is streamed in beside the level.
    pub objects: StreamedObjects,
}

impl WorldManager {
    /// No level.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers who reads a level's chunks, the level header's handler first; levels can be read from now on.
    ///
    /// # Errors
    /// Two handlers claim one chunk.
    // Covers: seed 003, step 9 level header handler (0x0040cf18) test=levels_are_read_once_their_handlers_are_registered
    pub fn know_levels(&mut self) -> Result<(), ChunkError> {
        self.table = Some(Box::new(LevelTable::new()?));
        Ok(())
    }

    /// Makes the level's pool inside `sector` for a file of `bytes` bytes and pushes it on the heap stack.
    ///
    /// # Errors
    /// [`WorldError::Occupied`] and [`WorldError::Memory`]; then nothing has been taken.
    pub fn begin(&mut self, memory: &mut MemoryManager, sector: PoolId, bytes: u32) -> Result<(), WorldError> {
        if self.level.is_some() || self.pool.is_some() {
            return Err(WorldError::Occupied);
        }
        let pool = create_world_level(memory, sector, bytes as usize)?;
        if let Err(error) = memory.push(pool) {
            memory.destroy(pool)?;
            return Err(error.into());
        }
        self.pool = Some(pool);
        Ok(())
    }

    /// Takes memory for a file of `bytes` bytes from the level's pool, which [`begin`](Self::begin) has pushed.
    pub fn reserve(&mut self, bytes: u32) {
        self.memory = Some(Level::memory_for(bytes));
    }

    /// The file's memory has been taken: pops the level's pool.
    ///
    /// # Errors
    /// The heap stack is empty.
    pub fn end(&mut self, memory: &mut MemoryManager) -> Result<(), WorldError> {
        memory.pop()?;
        Ok(())
    }

    /// Reads the level's file into its memory.
    ///
    /// # Errors
    /// [`WorldError::Level`] and [`WorldError::NoHandlers`]; [`unload`](Self::unload) is still to be called.
    pub fn read(&mut self, source: &mut dyn ByteSource, stacks: &mut Stacks) -> Result<(), WorldError> {
        let memory = self.memory.take().unwrap_or_default();
        let table = self.table.as_deref().ok_or(WorldError::NoHandlers)?;
        self.level = Some(Box::new(Level::load_into(memory, source, stacks, table)?));
        Ok(())
    }

    /// Begins to stream the parts that the level lists, each into a pool of its own inside `sector`. `name` is the level's.
    ///
    /// # Errors
    /// [`WorldError::Level`]: the level has no such name, or too many parts.
    pub fn list_parts(&mut self, sector: PoolId, name: &str) -> Result<(), WorldError> {
        let Some(level) = &self.level else { return Ok(()) };
        let mut streamer = Box::new(Streamer::new(sector));
        for (number, part) in level.manifest().enumerate() {
            let name = part_name(name, SECTION, number as u16).ok_or(LevelError::NoName)?;
            let part = StreamedPart { name, centre: part.centre, radius: part.radius, bytes: part.bytes };
            streamer.add(part).ok_or(LevelError::TooMany)?;
        }
        self.parts = Some(streamer);
        Ok(())
    }

    /// The level and its parts, while they stream.
    pub fn streaming(&mut self) -> Option<(&mut Level, &mut Streamer)> {
        Some((self.level.as_deref_mut()?, self.parts.as_deref_mut()?))
    }

    /// The level's parts.
    pub fn parts(&self) -> Option<&Streamer> {
        self.parts.as_deref()
    }

    /// Gives the parts' memory back, but what a device still has. None of them may be on its way.
    pub fn end_parts(&mut self, memory: &mut MemoryManager, lent: Option<Region>) {
        if let Some(streamer) = &mut self.parts {
            streamer.clear(memory, lent);
        }
    }

    /// The level.
    pub fn level(&self) -> Option<&Level> {
        self.level.as_deref()
    }

    /// The level, for queries of its mesh.
    pub fn level_mut(&mut self) -> Option<&mut Level> {
        self.level.as_deref_mut()
    }

    /// Takes the level down in the order of [`TEAR_DOWN`], telling `leave` before each part goes, and gives the pool's budget
    /// back to the sector pool. The parts have been [ended](Self::end_parts) before.
    ///
    /// # Errors
    /// The pool is not the memory manager's; the level is gone all the same.
    pub fn unload(
        &mut self,
        mut leave: impl FnMut(Part, &Level),
        give_back: impl FnOnce(PoolId) -> Result<(), MemoryError>,
    ) -> Result<(), WorldError> {
        if let Some(level) = self.level.take() {
            take_down(&level, &mut self.objects, |part, level, _| leave(part, level));
        }
        self.memory = None;
        self.parts = None;
        // Objects can be there without a level, when its file could not be read.
        self.objects.clear(|_| {});
        match self.pool.take() {
            Some(pool) => Ok(give_back(pool)?),
            None => Ok(()),
        }
    }
}

/// Tells `leave` of each part before it goes; the streamed objects go first, as nothing of the level's refers to them.
fn take_down(level: &Level, objects: &mut StreamedObjects, mut leave: impl FnMut(Part, &Level, &StreamedObjects)) {
    for part in TEAR_DOWN {
        leave(part, level, objects);
        if part == Part::Objects {
            objects.clear(|_| {});
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::level::tests::file;
    use super::*;
    use crate::chunk::SliceSource;
    use crate::memory::PoolKind;
    use crate::memory::testing::Arena;

    fn loaded(
        world: &mut WorldManager,
        memory: &mut MemoryManager,
        sector: PoolId,
        file: &[u8],
    ) -> Result<(), WorldError> {
        let bytes = file.len() as u32;
        world.begin(memory, sector, bytes)?;
        world.reserve(bytes);
        world.end(memory)?;
        world.read(&mut SliceSource(file), &mut Stacks::default())
    }

    /// An arena's memory with a pool for levels.
    fn pools(arena: &mut Arena) -> (MemoryManager, PoolId) {
        let mut memory = MemoryManager::new();
        let global = memory.init(arena.region()).unwrap();
        let sector = memory.create(global, PoolKind::Heap, "Sector Pool", 1 << 20).unwrap();
        (memory, sector)
    }

    #[test]
    fn unloading_gives_the_whole_budget_back_however_often() {
        let mut arena = Arena::new(2 << 20, 128);
        let (mut memory, sector) = pools(&mut arena);
        let mut world = WorldManager::new();
        world.know_levels().unwrap();
        let (free, depth) = (memory.free_bytes(sector).unwrap(), memory.depth());
        for _ in 0..20 {
            loaded(&mut world, &mut memory, sector, &file()).unwrap();
            assert!(memory.free_bytes(sector).unwrap() + crate::memory::pools::WORLD_LEVEL_LEAST <= free);
            assert_eq!(world.begin(&mut memory, sector, 10), Err(WorldError::Occupied));
            assert!(world.level().is_some_and(|level| level.mesh.triangle_count() == 2));
            world.unload(|_, _| {}, |pool| memory.destroy(pool)).unwrap();
            assert_eq!(memory.free_bytes(sector), Ok(free));
            assert_eq!(memory.depth(), depth);
        }
    }

    #[test]
    fn levels_are_read_once_their_handlers_are_registered() {
        let mut arena = Arena::new(2 << 20, 128);
        let (mut memory, sector) = pools(&mut arena);
        let mut world = WorldManager::new();
        assert_eq!(loaded(&mut world, &mut memory, sector, &file()), Err(WorldError::NoHandlers));
        world.unload(|_, _| {}, |pool| memory.destroy(pool)).unwrap();
        world.know_levels().unwrap();
        assert_eq!(loaded(&mut world, &mut memory, sector, &file()), Ok(()));
        assert!(world.level().is_some());
    }

    #[test]
    fn a_level_that_cannot_be_read_leaves_nothing_behind() {
        let mut arena = Arena::new(2 << 20, 128);
        let (mut memory, sector) = pools(&mut arena);
        let free = memory.free_bytes(sector).unwrap();
        let mut world = WorldManager::new();
        world.know_levels().unwrap();
        let error = loaded(&mut world, &mut memory, sector, &file()[..200]).unwrap_err();
        assert!(matches!(error, WorldError::Level(_)), "{error}");
        world.unload(|_, _| panic!("there is no level"), |pool| memory.destroy(pool)).unwrap();
        assert_eq!(memory.free_bytes(sector), Ok(free));
        let error = world.begin(&mut memory, sector, 4 << 20).unwrap_err();
        assert!(matches!(error, WorldError::Memory(_)), "{error}");
    }

    #[test]
    fn parts_go_in_the_order_in_which_nothing_refers_to_what_is_gone() {
        let mut arena = Arena::new(2 << 20, 128);
        let (mut memory, sector) = pools(&mut arena);
        let mut world = WorldManager::new();
        world.know_levels().unwrap();
        loaded(&mut world, &mut memory, sector, &file()).unwrap();
        let mut order = alloc::vec::Vec::new();
        world.unload(|part, level| order.push((part, level.cells(&[]).count())), |pool| memory.destroy(pool)).unwrap();
        assert_eq!(order.iter().map(|(part, _)| *part).collect::<alloc::vec::Vec<_>>(), TEAR_DOWN);
        assert!(order.iter().all(|(_, cells)| *cells == 2), "the level is whole while its holders leave");
    }

    #[test]
    fn streamed_objects_are_gone_before_the_tasks_leave() {
        let mut arena = Arena::new(2 << 20, 128);
        let (mut memory, sector) = pools(&mut arena);
        let mut world = WorldManager::new();
        world.know_levels().unwrap();
        loaded(&mut world, &mut memory, sector, &file()).unwrap();
        world.objects.add(7).unwrap();
        let mut left = alloc::vec::Vec::new();
        let level = world.level.take().unwrap();
        take_down(&level, &mut world.objects, |part, _, objects| left.push((part, objects.len())));
        assert_eq!(left[..2], [(Part::Objects, 1), (Part::Tasks, 0)]);
        world.unload(|_, _| {}, |pool| memory.destroy(pool)).unwrap();
    }
}
