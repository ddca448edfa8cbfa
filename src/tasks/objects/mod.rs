//! World objects: props, weapons, pick-ups and doors, and the records they are spawned from.
//!
//! [`types`] is what there can be, [`spawn`] where things stand until a player is near, [`spawning`] what makes them live, [`zones`] which of those are on.
//! [`life`] makes, moves and ends an object, [`hits`] is what blows and impacts do to it, [`doors`] swing, [`pickups`]
//! are taken, [`find`] looks objects up, and [`script`] is what scripts ask for.

pub mod doors;
pub mod find;
pub mod hits;
pub mod life;
pub mod pickups;
pub mod script;
pub mod spawn;
pub mod spawning;
pub mod throws;
pub mod types;
pub mod zones;

use super::clock::Ticks;
use super::engine::TaskEngine;
use super::handle::Handle;
use super::ids::{TaskClass, TaskId};
use super::pool::Pool;
use super::world::{InstanceId, SoundId};
use crate::maths::Vec3;
use crate::physics::ids::BodyId;
use crate::physics::objects::{Release, Wear};
use types::{ObjectType, TypeList};

/// A world object's own part.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldObject {
    /// Index into the types.
    pub kind: u16,
    /// The spawn record it stands for.
    pub record: Option<u16>,
    /// Its body, while physics is on.
    pub body: Option<BodyId>,
    /// Its model instance, while one is resident.
    pub instance: Option<InstanceId>,
    /// Its playing sound.
    pub sound: Option<SoundId>,
    /// The slot of the hand or place that holds it (+0x110), -1 for none.
    pub slot: i16,
    /// Hits left (+0x10d, +0x10e).
    pub wear: Wear,
    /// A throw that its next update starts with (+0x10c).
    pub throw: Option<Release>,
    /// It was thrown and has met nothing yet.
    pub thrown: bool,
    /// Who threw it (+0x11c): it passes that human while it flies.
    pub thrower: Option<u16>,
    /// Whom it has hit on its way since its last update.
    pub struck: Option<u16>,
    /// The hardest contact since its last update.
    pub impact: Option<hits::ObjectContact>,
    /// How it takes hits (+0x128).
    pub hit_mode: u8,
    /// A word that scripts set (+0x124).
    pub word_124: u32,
    /// From the parent's point, metres.
    pub attach_offset: Vec3,
    /// Where it last touched something (+0xb0).
    pub contact: Vec3,
    /// 0xAABBGGRR.
    pub tint: u32,
    /// Metres from the camera, for streaming.
    pub distance: f32,
    /// A state number of its script type.
    pub state: i32,
    /// Not drawn, not struck, not picked up.
    pub hidden: bool,
    /// Has broken.
    pub broken: bool,
    /// Stays when no player is near.
    pub owned: bool,
    /// Ticks until its record spawns it again once it is gone; 0 for never.
    pub respawn: Ticks,
    /// When it is unloaded; 0 for never.
    pub unload_at: Ticks,
    /// Function of its script type that hears its callback; 0 for none.
    pub callback: u32,
    /// What makes it a door.
    pub door: doors::Door,
}

impl Default for WorldObject {
    fn default() -> Self {
        Self {
            kind: 0,
            record: None,
            body: None,
            instance: None,
            sound: None,
            slot: -1,
            wear: Wear::from_type(0, 0),
            throw: None,
            thrown: false,
            thrower: None,
            struck: None,
            impact: None,
            hit_mode: 0,
            word_124: 0,
            attach_offset: Vec3::ZERO,
            contact: Vec3::ZERO,
            tint: u32::MAX,
            distance: 0.0,
            state: 0,
            hidden: false,
            broken: false,
            owned: false,
            respawn: 0,
            unload_at: 0,
            callback: 0,
            door: doors::Door::default(),
        }
    }
}

/// The objects, their types, and the records they are spawned from.
#[derive(Debug)]
pub struct ObjectTaskManager {
    /// The records of live objects.
    pub pool: Pool<WorldObject>,
    /// Object types.
    pub types: TypeList,
    /// Spawn records.
    pub spawns: spawn::SpawnTable,
    /// Zones.
    pub zones: zones::Zones,
    /// What the last question about a door's leaves found.
    pub leaf_results: doors::LeafResults,
}

impl ObjectTaskManager {
    /// Builds pool, types, zones, and the level's spawn records.
    // Covers: seed 000, ObjectTaskManager_Construct (0x00397a48) test=tasks::engine::tests::a_new_engine_has_every_pool_at_its_size default=Self{pool:Pool::new(0),types:TypeList::new(),spawns:spawn::SpawnTable::new(0),zones:zones::Zones::default(),leaf_results:doors::LeafResults::default()}
    pub(super) fn new(placed: u16) -> Self {
        Self {
            pool: Pool::new(TaskClass::Object.capacity()),
            types: TypeList::new(),
            spawns: spawn::SpawnTable::new(placed),
            zones: zones::Zones::default(),
            leaf_results: doors::LeafResults::default(),
        }
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = (TaskId, &WorldObject)> {
        self.pool.iter().map(|(slot, record)| (TaskId::new(TaskClass::Object, slot), record))
    }
}

// Excused: seed 000, ObjectTaskManager_Destroy (0x00397c58) reason=destructor or static initialiser
// Excused: seed 000, ObjectManager_FreeArrays (0x0039aea0) reason=destructor or static initialiser
// Excused: seed 000, WorldObject_EmptyStub (0x003925b0) reason=empty stub

impl TaskEngine {
    /// A live world object.
    pub fn object(&self, id: TaskId) -> Option<&WorldObject> {
        self.objects.pool.get(id.index_in(TaskClass::Object)? as u16)
    }

    /// A live world object.
    pub fn object_mut(&mut self, id: TaskId) -> Option<&mut WorldObject> {
        self.objects.pool.get_mut(id.index_in(TaskClass::Object)? as u16)
    }

    /// The type of a live object.
    pub fn object_type(&self, id: TaskId) -> Option<&ObjectType> {
        self.objects.types.get(self.object(id)?.kind)
    }

    /// The task when it is a world object.
    // Covers: seed 000, Object_AsWorldObject (0x00395f38) test=tasks::objects::life::tests::only_objects_are_objects
    pub fn as_object(&self, handle: Handle) -> Option<TaskId> {
        self.task(handle).filter(|id| id.index_in(TaskClass::Object).is_some())
    }
}
