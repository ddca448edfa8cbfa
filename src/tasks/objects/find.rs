//! Looking objects up, and reading a level's placed objects.

use super::super::engine::TaskEngine;
use super::super::ids::{TaskClass, TaskId};
use super::spawn::SpawnRecord;
use super::types::NAMED_KIND;
use crate::maths::Vec3;

/// Chunk types of a level's placed objects. Source: seed 000, The level's placed objects.
pub mod chunk {
    /// Names of the types, as hashes of four bytes.
    pub const NAMES: u8 = 0x24;
    /// Placements of [`super::PLACEMENT`] bytes.
    pub const PLACEMENTS: u8 = 0x23;
    /// Zones that are on, one byte each.
    pub const ZONES: u8 = 0x22;
}

/// Bytes of a placement: x, y, z and heading as floats, name index u16, zone u8, flags u8, respawn seconds u16, padding.
///
/// Our choice: the seed names the chunks, not their layout.
pub const PLACEMENT: usize = 24;

/// A placement's flag bit: owned.
const PLACEMENT_OWNED: u8 = 1;

/// Why placed objects could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacementError {
    /// A chunk's length is no whole number of records.
    Length(u8),
    /// A chunk of another type.
    Chunk(u8),
    /// A placement names a type that the list does not have.
    Name(u16),
    /// No spawn record is free.
    TableFull,
}

fn word<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut out = [0; N];
    out.iter_mut().zip(bytes.iter().skip(at)).for_each(|(to, from)| *to = *from);
    out
}

/// How many objects a level's chunks place.
pub fn placed_count(chunks: &[(u8, &[u8])]) -> usize {
    chunks.iter().filter(|(kind, _)| *kind == chunk::PLACEMENTS).map(|(_, bytes)| bytes.len() / PLACEMENT).sum()
}

impl TaskEngine {
    /// Reads a level's object chunks, names before placements; answers how many objects are placed.
    // Covers: seed 000, ObjectManager_LoadChunks (0x0039ae48) test=placed_objects_become_spawn_records
    pub fn load_object_chunks(&mut self, chunks: &[(u8, &[u8])]) -> Result<usize, PlacementError> {
        let mut placed = 0;
        let mut names: &[u8] = &[];
        for (kind, bytes) in chunks {
            match *kind {
                chunk::NAMES if bytes.len().is_multiple_of(4) => names = bytes,
                chunk::PLACEMENTS if bytes.len().is_multiple_of(PLACEMENT) => {
                    for record in bytes.chunks_exact(PLACEMENT) {
                        self.place_object(names, record)?;
                        placed += 1;
                    }
                }
                chunk::ZONES => bytes.iter().for_each(|zone| self.objects.zones.enable(*zone)),
                chunk::NAMES | chunk::PLACEMENTS => return Err(PlacementError::Length(*kind)),
                _ => return Err(PlacementError::Chunk(*kind)),
            }
        }
        Ok(placed)
    }

    fn place_object(&mut self, names: &[u8], bytes: &[u8]) -> Result<(), PlacementError> {
        let float = |at| f32::from_le_bytes(word(bytes, at));
        let name = u16::from_le_bytes(word(bytes, 16));
        let at = usize::from(name) * 4;
        let hash = (at + 4 <= names.len()).then(|| u32::from_le_bytes(word(names, at)));
        let kind = hash.and_then(|hash| self.objects.types.find_by_hash(hash)).ok_or(PlacementError::Name(name))?;
        let owned = bytes[19] & PLACEMENT_OWNED != 0;
        let record = SpawnRecord {
            position: Vec3::new(float(0), float(4), float(8)),
            heading: float(12),
            kind,
            zone: bytes[18],
            flags: if owned { super::spawn::record_flag::OWNED } else { 0 },
            respawn: u32::from(u16::from_le_bytes(word(bytes, 20))) * 60,
            ..SpawnRecord::default()
        };
        self.objects.spawns.add(record).map(|_| ()).ok_or(PlacementError::TableFull)
    }

    /// The nearest live object of a named type.
    // Covers: seed 000, ObjectManager_FindNearestNamed (0x0039a6b0) test=the_nearest_of_a_name_is_found
    pub fn nearest_object_named(&self, point: Vec3, name: &str) -> Option<TaskId> {
        let kind = self.objects.types.find_index(name)?;
        let named = self.objects.ids().filter(|(_, object)| object.kind == kind).map(|(id, _)| id);
        self.nearest(point, named)
    }

    /// Lists the live objects within a range; answers how many fit into `out`.
    // Covers: seed 000, ObjectList_FindInRange (0x0039ab20) test=objects_in_range_are_listed
    pub fn objects_in_range(&self, point: Vec3, range: f32, out: &mut [TaskId]) -> usize {
        let near = self.objects.ids().map(|(id, _)| id).filter(|id| self.within(*id, point, range));
        out.iter_mut().zip(near).map(|(place, id)| *place = id).count()
    }

    /// The live object of kind 24 with a name.
    // Covers: seed 000, ObjectManager_FindKind24ByName (0x0039acb8) test=kind_24_is_found_by_name
    pub fn find_named_kind(&self, name: &str) -> Option<TaskId> {
        let kind = self.objects.types.find_index(name)?;
        self.objects.types.get(kind).filter(|kind| kind.kind == NAMED_KIND)?;
        self.objects.ids().find(|(_, object)| object.kind == kind).map(|(id, _)| id)
    }

    /// Whether a live object is of a named type.
    // Covers: seed 000, Obj_IsType (0x00397838) test=an_object_knows_its_names
    // Covers: seed 000, ScriptObj_IsNamed (0x003a5998) test=an_object_knows_its_names
    pub fn object_is_type(&self, id: TaskId, name: &str) -> bool {
        self.objects.types.find_index(name).is_some_and(|kind| self.object(id).is_some_and(|o| o.kind == kind))
    }

    /// The second name of an object's type.
    // Covers: seed 000, WorldObject_GetSecondName (0x00391d20) test=an_object_knows_its_names
    pub fn object_second_name(&self, id: TaskId) -> &str {
        self.object_type(id).map_or("", |kind| kind.second_name())
    }

    /// Whether a handle names a live object, or one that its record may spawn.
    // Covers: seed 000, Obj_Exists (0x00397598) test=an_object_exists_while_its_record_may_spawn_it
    pub fn object_exists(&self, handle: super::super::handle::Handle) -> bool {
        match handle.as_spawn_record() {
            Some(index) => {
                self.objects.spawns.get(index).is_some_and(|record| record.flags & super::spawn::record_flag::GONE == 0)
            }
            None => self.task(handle).is_some_and(|id| id.class() == Some(TaskClass::Object)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fake::{BRICK, CHAIR, FakeWorld, SIGN, engine};
    use super::super::super::handle::Handle;
    use super::super::super::names::name_hash;
    use super::super::life::tests::object;
    use super::super::spawn::record_flag;
    use super::*;
    use std::vec::Vec;

    fn placement(name: u16, zone: u8, flags: u8, respawn: u16) -> Vec<u8> {
        let mut bytes: Vec<u8> = [1.0f32, 2.0, 3.0, 0.5].iter().flat_map(|f| f.to_le_bytes()).collect();
        bytes.extend(name.to_le_bytes());
        bytes.extend([zone, flags]);
        bytes.extend(respawn.to_le_bytes());
        bytes.extend([0; 2]);
        bytes
    }

    #[test]
    fn placed_objects_become_spawn_records() {
        let mut tasks = engine();
        let names: Vec<u8> = ["chair", "brick"].iter().flat_map(|n| name_hash(n).to_le_bytes()).collect();
        let records = [placement(1, 0, 0, 0), placement(0, 7, 1, 30)].concat();
        let chunks: [(u8, &[u8]); 3] = [(0x24, &names), (0x23, &records), (0x22, &[7])];
        assert_eq!(tasks.load_object_chunks(&chunks), Ok(2));
        let placed: Vec<_> = tasks.objects.spawns.used().map(|(_, r)| *r).collect();
        assert_eq!((placed[0].kind, placed[1].kind, placed[1].zone), (BRICK, CHAIR, 7));
        assert_eq!((placed[0].position, placed[0].heading, placed[1].respawn), (Vec3::new(1.0, 2.0, 3.0), 0.5, 1800));
        assert!(placed[1].flags & record_flag::OWNED != 0 && tasks.objects.zones.is_enabled(7));
    }

    #[test]
    fn broken_chunks_are_refused_with_a_reason() {
        let mut tasks = engine();
        assert_eq!(tasks.load_object_chunks(&[(0x24, &[1, 2, 3])]), Err(PlacementError::Length(0x24)));
        assert_eq!(tasks.load_object_chunks(&[(0x23, &[0; 25])]), Err(PlacementError::Length(0x23)));
        assert_eq!(tasks.load_object_chunks(&[(0x23, &placement(0, 0, 0, 0))]), Err(PlacementError::Name(0)));
        assert_eq!(tasks.load_object_chunks(&[(0x11, &[])]), Err(PlacementError::Chunk(0x11)));
    }

    #[test]
    fn the_nearest_of_a_name_is_found() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        object(&mut tasks, &mut world, CHAIR, 0.0);
        let ids = [7.0, 3.0].map(|x| object(&mut tasks, &mut world, BRICK, x));
        assert_eq!(tasks.nearest_object_named(Vec3::ZERO, "brick"), Some(ids[1]));
        assert_eq!(tasks.nearest_object_named(Vec3::ZERO, "bat"), None);
    }

    #[test]
    fn objects_in_range_are_listed() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let ids = [1.0, 2.0, 9.0].map(|x| object(&mut tasks, &mut world, BRICK, x));
        let mut out = [TaskId::NONE; 4];
        assert_eq!(tasks.objects_in_range(Vec3::ZERO, 2.0, &mut out), 2);
        assert_eq!(out[..2], ids[..2]);
    }

    #[test]
    fn kind_24_is_found_by_name() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let ids = [SIGN, BRICK].map(|kind| object(&mut tasks, &mut world, kind, 0.0));
        assert_eq!(tasks.find_named_kind("score_sign"), Some(ids[0]));
        assert_eq!(tasks.find_named_kind("brick"), None, "a brick is of another kind");
    }

    #[test]
    fn an_object_knows_its_names() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = object(&mut tasks, &mut world, BRICK, 0.0);
        assert!(tasks.object_is_type(id, "Brick") && !tasks.object_is_type(id, "chair"));
        assert_eq!((tasks.object_second_name(id), tasks.object_second_name(TaskId::NONE)), ("rubble", ""));
    }

    #[test]
    fn an_object_exists_while_its_record_may_spawn_it() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = object(&mut tasks, &mut world, BRICK, 0.0);
        let live = tasks.manager.head(id).unwrap().handle;
        let handles = [0, record_flag::GONE]
            .map(|flags| tasks.spawn_object("brick", SpawnRecord { flags, ..SpawnRecord::default() }));
        assert_eq!(
            [live, handles[0], handles[1], Handle::NIL].map(|h| tasks.object_exists(h)),
            [true, true, false, false]
        );
        tasks.destroy_object(&mut world, id);
        assert!(!tasks.object_exists(live));
    }
}
