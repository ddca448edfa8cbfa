//! Cars: 18 of them, each of 26 parts that take damage, fly off and lie about for six seconds.
//!
//! [`zones`] says where round a car a person stands and what a blow hits, [`parts`] is what becomes of a part, and
//! [`life`] is the car's update, its trunk, radio, sound and explosion. A car's model comes from its name; what a model
//! is made of is a [`CarType`] that the level's data fills in.

pub mod life;
pub mod parts;
pub mod zones;

use super::clock::Ticks;
use super::engine::{CreateError, Creation, TaskEngine};
use super::handle::Handle;
use super::ids::{TaskClass, TaskId};
use super::names::name_hash;
use super::pool::Pool;
use super::world::{InstanceId, SoundId, World};
use crate::maths::Vec3;
use crate::physics::create::CarBox;
use crate::physics::ids::BodyId;
use alloc::boxed::Box;
use parts::{CarPart, PARTS};
use zones::SPOTS;

/// Names of the models, in the order of their types. Source: seed 000, Task classes and pools (0x00512ba8).
pub const MODELS: [&str; 6] = ["car_osedan", "car_coupe", "car_wagon", "car_copcar", "car_van", "car_sullycar"];

/// The model that has a particle system of its own. Source: seed 000, Task classes and pools.
const COP_CAR: u8 = 3;

/// Particle type of the shared damage effect. Source: seed 002, Cars.
pub const SHARED_DAMAGE: u32 = name_hash("sub_car_damage");
/// Particle type of the roof lights of [`COP_CAR`]. Our choice of name.
pub const ROOF_LIGHTS: u32 = name_hash("sub_cop_lights");

/// Words of the manager's handler block. Source: seed 000, Cars (0x68 bytes).
pub const HANDLERS: usize = 26;

/// One part of a type. Source: seed 002, Cars (part records of 0x30 bytes).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartType {
    /// Half extents, metres.
    pub half: Vec3,
    /// From the car's origin, metres.
    pub offset: Vec3,
    /// Restitution of its bounces, 0 to 1.
    pub restitution: f32,
    /// Damage that it stands.
    pub strength: i32,
    /// A part that goes with it.
    pub linked: Option<u8>,
    /// Swings on a hinge before it falls.
    pub hinged: bool,
    /// Sound of its impacts, 0 for none.
    pub sound: u32,
}

/// What a model is made of. Source: seed 002, Cars (type records of 0x5f0 bytes).
#[derive(Clone, Debug, PartialEq)]
pub struct CarType {
    /// The lower and the upper box.
    pub boxes: [CarBox; 2],
    /// The parts; those with no extents do not exist.
    pub parts: [PartType; PARTS],
    /// Spots round the car, x and y from the car's origin.
    pub spots: [[f32; 2]; SPOTS],
    /// Model of the whole.
    pub model: u32,
}

impl Default for CarType {
    fn default() -> Self {
        Self {
            boxes: [
                CarBox { half: Vec3::new(0.95, 2.4, 0.45), offset: Vec3::new(0.0, 0.0, 0.1) },
                CarBox { half: Vec3::new(0.8, 1.1, 0.3), offset: Vec3::new(0.0, -0.2, 0.8) },
            ],
            parts: [PartType::default(); PARTS],
            spots: zones::DEFAULT_SPOTS,
            model: 0,
        }
    }
}

/// How a car rocks after a hit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rock {
    /// Horizontal unit direction away from the hit.
    pub direction: Vec3,
    /// When the hit came.
    pub began: crate::tasks::clock::Ticks,
    /// Seconds since the hit.
    pub time: f32,
    /// Radians at the start; 0 when it stands still.
    pub amplitude: f32,
}

/// A car task's own part.
#[derive(Clone, Debug, Default)]
pub struct CarTask {
    /// Index into the types.
    pub kind: u8,
    /// Its model instance, while one is resident.
    pub instance: Option<InstanceId>,
    /// Its body of two boxes.
    pub body: Option<BodyId>,
    /// Its playing sound.
    pub sound: Option<SoundId>,
    /// Who holds each spot; nil for free.
    pub spots: [Handle; SPOTS],
    /// The parts.
    pub parts: [CarPart; PARTS],
    /// Parts that are open, by bit.
    pub open: u32,
    /// Parts that are gone, by bit.
    pub removed: u32,
    /// Parts that fly or lie about, by bit.
    pub flying: u32,
    /// Parts that take damage, by bit.
    pub damage_filter: u32,
    /// What lies in the trunk.
    pub trunk: Handle,
    /// Which kind of thing lies in the trunk when opened.
    pub trunk_kind: u8,
    /// The stereo.
    pub radio: Handle,
    /// Particle system of its own, for the cop car.
    pub lights: Handle,
    /// When it explodes; 0 for never.
    pub explodes_at: Ticks,
    /// Has exploded.
    pub exploded: bool,
    /// Met the level since its last update.
    pub landed: bool,
    /// How it rocks.
    pub rock: Rock,
    /// Metres from the camera, for streaming.
    pub distance: f32,
}

/// The cars and their types.
#[derive(Debug)]
pub struct CarTaskManager {
    /// The records.
    pub pool: Pool<CarTask>,
    types: Box<[CarType; MODELS.len()]>,
    /// The damage effect that all cars share.
    pub shared_damage: Handle,
    handlers: [u32; HANDLERS],
}

impl CarTaskManager {
    /// Builds the pool of 18.
    // Covers: seed 000, CarTaskManager_Init (0x0038e168) test=tasks::engine::tests::a_new_engine_has_every_pool_at_its_size default=Self{pool:Pool::new(0),types:Box::default(),shared_damage:Handle::NIL,handlers:[0;HANDLERS]}
    pub(super) fn new() -> Self {
        Self {
            pool: Pool::new(TaskClass::Car.capacity()),
            types: Box::default(),
            shared_damage: Handle::NIL,
            handlers: [0; HANDLERS],
        }
    }

    /// The type of a model's name.
    pub fn model_of(&self, name: u32) -> Option<u8> {
        MODELS.iter().position(|model| name_hash(model) == name).map(|index| index as u8)
    }

    /// Sets what a model is made of; says whether there is such a model.
    pub fn set_type(&mut self, kind: u8, record: CarType) -> bool {
        let Some(place) = self.types.get_mut(usize::from(kind)) else { return false };
        *place = record;
        true
    }

    /// What a car of a kind is made of.
    // Covers: seed 000, Car_GetTypeRecord (0x0038d000) test=tasks::cars::tests::a_type_record_is_found_by_kind default=&self.types[0]
    pub fn type_record(&self, kind: u8) -> &CarType {
        &self.types[usize::from(kind).min(MODELS.len() - 1)]
    }

    /// Bytes that the types take.
    pub fn type_bytes(&self) -> usize {
        size_of_val(&*self.types)
    }

    /// Sets a word of the manager's message handlers.
    // Covers: seed 000, CarManager_SetMsgHandler (0x0038e538) test=tasks::cars::tests::handlers_are_set_and_cleared
    pub fn set_handler(&mut self, index: usize, function: u32) {
        if let Some(place) = self.handlers.get_mut(index) {
            *place = function;
        }
    }

    /// A message handler, 0 for none.
    pub fn handler(&self, index: usize) -> u32 {
        self.handlers.get(index).copied().unwrap_or(0)
    }

    /// Clears the handler block.
    // Covers: seed 000, CarTaskManager_ClearHandlers (0x0038ebd0) test=tasks::cars::tests::handlers_are_set_and_cleared
    pub fn clear_handlers(&mut self) {
        self.handlers = [0; HANDLERS];
    }

    fn ids(&self) -> impl Iterator<Item = TaskId> {
        self.pool.live_slots().map(|slot| TaskId::new(TaskClass::Car, slot))
    }
}

// Excused: seed 000, CarTask_Destructor (0x003875b8) reason=destructor or static initialiser
// Excused: seed 000, CarTaskManager_Destroy (0x0038e2b0) reason=destructor or static initialiser

impl TaskEngine {
    /// A live car.
    pub fn car(&self, id: TaskId) -> Option<&CarTask> {
        self.cars.pool.get(id.index_in(TaskClass::Car)? as u16)
    }

    /// A live car.
    pub fn car_mut(&mut self, id: TaskId) -> Option<&mut CarTask> {
        self.cars.pool.get_mut(id.index_in(TaskClass::Car)? as u16)
    }

    /// The task when it is a car.
    pub fn as_car(&self, handle: Handle) -> Option<TaskId> {
        self.task(handle).filter(|id| id.index_in(TaskClass::Car).is_some())
    }

    /// The type of a live car.
    pub fn car_type(&self, id: TaskId) -> Option<&CarType> {
        self.car(id).map(|car| self.cars.type_record(car.kind))
    }

    /// Takes a free car of a named model and schedules it; the first car makes the shared damage effect.
    // Covers: seed 000, CarTaskManager_Create (0x0038e430) test=tasks::cars::tests::the_first_car_makes_the_shared_effect default=Err(CreateError::NoHandle)
    pub fn create_car(&mut self, world: &mut dyn World, name: u32, creation: &Creation) -> Result<TaskId, CreateError> {
        let id = self.create(world, TaskClass::Car, name, creation)?;
        if self.task(self.cars.shared_damage).is_none() {
            let effect = self.create(world, TaskClass::Particle, SHARED_DAMAGE, &Creation::at(Vec3::ZERO));
            self.cars.shared_damage = self.handle_of(effect);
        }
        Ok(id)
    }

    /// Spawns a car and answers its handle, nil when there is none to take.
    // Covers: seed 000, Car_Spawn (0x0038dde8) test=tasks::cars::tests::the_first_car_makes_the_shared_effect
    pub fn spawn_car(&mut self, world: &mut dyn World, model: &str, creation: &Creation) -> Handle {
        let made = self.create_car(world, name_hash(model), creation);
        self.handle_of(made)
    }

    /// Destroys a car; says whether there was one.
    // Covers: seed 000, Car_Destroy (0x0038dea8) test=tasks::cars::tests::a_destroyed_car_gives_everything_back
    pub fn destroy_car(&mut self, world: &mut dyn World, handle: Handle) -> bool {
        let Some(id) = self.as_car(handle) else { return false };
        self.release(world, id);
        true
    }

    /// Releases every car in the pool.
    // Covers: seed 000, CarTaskManager_Reset (0x0038e6c0) test=tasks::cars::tests::a_reset_releases_every_car
    pub fn reset_cars(&mut self, world: &mut dyn World) {
        while let Some(id) = self.first_live(TaskClass::Car) {
            self.release(world, id);
        }
        self.cars.shared_damage = Handle::NIL;
    }

    /// The live car nearest to a point.
    // Covers: seed 000, CarTaskManager_FindNearest (0x0038e5f8) test=tasks::cars::tests::cars_are_found_by_distance
    pub fn nearest_car(&self, point: Vec3) -> Option<TaskId> {
        self.nearest(point, self.cars.ids())
    }

    /// Lists the live cars within a range; answers how many fit into `out`.
    // Covers: seed 000, CarTaskManager_ListInRange (0x0038e738) test=tasks::cars::tests::cars_are_found_by_distance
    pub fn cars_in_range(&self, point: Vec3, range: f32, out: &mut [TaskId]) -> usize {
        let near = self.cars.ids().filter(|id| self.within(*id, point, range));
        out.iter_mut().zip(near).map(|(place, id)| *place = id).count()
    }

    pub(super) fn init_car(&mut self, id: TaskId, name: u32) {
        let kind = self.cars.model_of(name).unwrap_or_default();
        if let Some(car) = self.car_mut(id) {
            car.kind = kind;
            car.damage_filter = u32::MAX;
            car.spots = [Handle::NIL; SPOTS];
        }
        if let Some(head) = self.manager.head_mut(id) {
            head.set_update_interval(life::IDLE_INTERVAL);
        }
    }

    pub(super) fn car_created(&mut self, world: &mut dyn World, id: TaskId) {
        self.make_car_body(world, id);
        let position = self.manager.head(id).map_or(Vec3::ZERO, |head| head.position);
        if self.car(id).is_some_and(|car| car.kind == COP_CAR) {
            let parent = self.manager.head(id).map_or(Handle::NIL, |head| head.handle);
            let creation = Creation { parent, ..Creation::at(position) };
            let lights = self.create(world, TaskClass::Particle, ROOF_LIGHTS, &creation);
            let lights = self.handle_of(lights);
            if let Some(car) = self.car_mut(id) {
                car.lights = lights;
            }
        }
        self.cache_part_transforms(world, id);
    }
}

#[cfg(test)]
pub mod tests;
