//! How tasks come and go: allocator, initialiser, creation handler, wheel; and back.

use super::engine::{TaskEngine, number};
use super::handle::{Handle, Kind, Target};
use super::head::flag;
use super::ids::{TaskClass, TaskId};
use super::message::MessageError;
use super::world::World;
use crate::maths::{Pose, Quat, Vec3};

/// The arguments of creation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Creation {
    /// Metres.
    pub position: Vec3,
    /// Orientation.
    pub rotation: Quat,
    /// What it belongs to.
    pub parent: Handle,
}

impl Creation {
    /// At a point, unrotated, without a parent.
    pub fn at(position: Vec3) -> Self {
        Self { position, rotation: Quat::IDENTITY, parent: Handle::NIL }
    }
}

/// Why a task could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateError {
    /// The class's pool is full.
    PoolFull(TaskClass),
    /// The name is no type of the class.
    UnknownType(u32),
    /// No handle is free for the class.
    NoHandle,
    /// The arguments could not be passed.
    Message(MessageError),
}

impl From<MessageError> for CreateError {
    fn from(error: MessageError) -> Self {
        Self::Message(error)
    }
}

impl TaskEngine {
    /// Gives a new human a place, a head, an empty record and a handle; answers the place and the handle. The character
    /// itself belongs to the characters' module.
    ///
    /// When no entry below 60 is left, `cull` is asked once to remove a corpse; it answers whose place that frees.
    ///
    /// Our choice: a human's place among the 60 is its handle's entry, so that places and entries run out together.
    ///
    /// Errors: there was no entry, with nobody to cull; it is counted. Source: seed 000, Handles (0x0038fe88).
    pub fn create_human(&mut self, cull: impl FnOnce() -> Option<u16>) -> Result<(u16, Handle), CreateError> {
        let manager = &self.manager;
        let human = |place| Target::Task(TaskId::new(TaskClass::Human, place));
        let handle = self.handles.assign_with(Kind::Human, human, |table| {
            if let Some(corpse) = cull().and_then(|n| manager.head(TaskId::new(TaskClass::Human, n))) {
                table.free(corpse.handle);
            }
        });
        let Some(handle) = handle else {
            self.human_refusals = self.human_refusals.saturating_add(1);
            return Err(CreateError::NoHandle);
        };
        let place = handle.index();
        let id = TaskId::new(TaskClass::Human, place);
        self.manager.init_task(id);
        if let Some(head) = self.manager.head_mut(id) {
            head.handle = handle;
            head.flags = flag::HUMAN;
        }
        self.forget_record(place);
        Ok((place, handle))
    }

    /// Frees a human's handle, head and record: from now on nothing refers to the character. Says whether there was one.
    pub fn release_human(&mut self, place: u16) -> bool {
        let handle = self.human_handle(place);
        self.manager.init_task(TaskId::new(TaskClass::Human, place));
        self.forget_record(place);
        self.handles.free(handle)
    }

    /// The handle of the human at a place; nil when nobody is there.
    pub fn human_handle(&self, place: u16) -> Handle {
        self.manager.head(TaskId::new(TaskClass::Human, place)).map_or(Handle::NIL, |head| head.handle)
    }

    /// The place of the human that a handle names.
    pub fn human_of(&self, handle: Handle) -> Option<u16> {
        self.task(handle)?.index_in(TaskClass::Human).map(|place| place as u16)
    }

    /// Tells a human's head and transform where the character is now.
    ///
    /// Source: seed 000, The base task object (the table at 0x00714b00), and The wheel (a human's rotation is eased).
    pub fn move_human(&mut self, place: u16, pose: Pose, velocity: Vec3) {
        let id = TaskId::new(TaskClass::Human, place);
        self.manager.set_pose(id, pose);
        if let Some(head) = self.manager.head_mut(id) {
            head.velocity = velocity;
            head.angular = pose.rotation;
        }
    }

    fn forget_record(&mut self, place: u16) {
        if let Some(record) = self.humans.records.get_mut(usize::from(place)) {
            *record = Default::default();
        }
    }

    /// Makes a task of a named type: allocator, initialiser, creation handler with the arguments in the top message
    /// frame (position, rotation, parent), then the wheel.
    // Covers: seed 000, TaskPool_Create (0x0039c698) test=tasks::engine::tests::a_created_task_has_its_arguments_handle_and_wheel default=Err(CreateError::NoHandle)
    pub fn create_from_frame(
        &mut self,
        world: &mut dyn World,
        class: TaskClass,
        name: u32,
    ) -> Result<TaskId, CreateError> {
        let frame = self.messages.frame()?;
        let (parent, rotation, position) = (frame.pop_handle()?, frame.pop_quat()?, frame.pop_vec3()?);
        let id = self.allocate(world, class, name)?;
        self.manager.init_task(id);
        self.initialise(world, id, name);
        if let Some(kind) = Kind::of(class) {
            let Some(handle) = self.handles.assign(kind, Target::Task(id), |_| {}) else {
                self.give(id);
                return Err(CreateError::NoHandle);
            };
            if let Some(head) = self.manager.head_mut(id) {
                head.handle = handle;
            }
        }
        let now = self.manager.clock.now();
        if let Some(head) = self.manager.head_mut(id) {
            head.set_parent(parent);
            head.last_update = now;
        }
        self.manager.set_pose(id, Pose::new(rotation, position));
        self.created(world, id);
        if self.is_live(id) {
            self.manager.schedule(id);
            if let Some(head) = self.manager.head_mut(id) {
                head.flags |= flag::INTEGRATED;
            }
        }
        Ok(id)
    }

    /// Makes a task of a named type with the given arguments.
    pub fn create(
        &mut self,
        world: &mut dyn World,
        class: TaskClass,
        name: u32,
        creation: &Creation,
    ) -> Result<TaskId, CreateError> {
        self.messages.begin()?;
        let made = self.push_creation(creation).map_err(CreateError::from);
        let made = made.and_then(|()| self.create_from_frame(world, class, name));
        self.messages.end();
        made
    }

    fn push_creation(&mut self, creation: &Creation) -> Result<(), MessageError> {
        let (p, r) = (creation.position, creation.rotation);
        self.messages.push_vec4([p.x, p.y, p.z, 1.0])?;
        self.messages.push_vec4([r.x, r.y, r.z, r.w])?;
        self.messages.push_handle(creation.parent)
    }

    /// The handle of a made task, nil when it was not made.
    pub fn handle_of(&self, made: Result<TaskId, CreateError>) -> Handle {
        made.ok().and_then(|id| self.manager.head(id)).map_or(Handle::NIL, |head| head.handle)
    }

    /// Makes a glass pane of a named type.
    // Covers: seed 000, Task_CreateGlassByName (0x003a2e20) test=tasks::engine::tests::each_maker_makes_its_class default=Err(CreateError::NoHandle)
    pub fn create_glass_by_name(
        &mut self,
        world: &mut dyn World,
        name: u32,
        creation: &Creation,
    ) -> Result<TaskId, CreateError> {
        self.create(world, TaskClass::Pane, name, creation)
    }

    /// Makes a world object of a named type.
    // Covers: seed 000, Task_CreateObjectByName (0x003a2e60) test=tasks::engine::tests::each_maker_makes_its_class default=Err(CreateError::NoHandle)
    pub fn create_object_by_name(
        &mut self,
        world: &mut dyn World,
        name: u32,
        creation: &Creation,
    ) -> Result<TaskId, CreateError> {
        self.create(world, TaskClass::Object, name, creation)
    }

    /// Makes a light task of a named type.
    // Covers: seed 000, Task_CreateLightByName (0x003a2e80) test=tasks::engine::tests::each_maker_makes_its_class default=Err(CreateError::NoHandle)
    pub fn create_light_by_name(
        &mut self,
        world: &mut dyn World,
        name: u32,
        creation: &Creation,
    ) -> Result<TaskId, CreateError> {
        self.create(world, TaskClass::Light, name, creation)
    }

    /// Makes a glass pane and answers its handle, nil when there is no room.
    // Covers: seed 000, Task_CreateGlass (0x003a41a8) test=tasks::engine::tests::a_maker_answers_a_handle_or_nil
    pub fn create_glass(&mut self, world: &mut dyn World, name: u32, creation: &Creation) -> Handle {
        let made = self.create_glass_by_name(world, name, creation);
        self.handle_of(made)
    }

    /// Makes a world object and answers its handle, nil when there is no room.
    // Covers: seed 000, Task_CreateObject (0x003a41f0) test=tasks::engine::tests::a_maker_answers_a_handle_or_nil
    pub fn create_object(&mut self, world: &mut dyn World, name: u32, creation: &Creation) -> Handle {
        let made = self.create_object_by_name(world, name, creation);
        self.handle_of(made)
    }

    /// Makes a light task. Light tasks have no handle, so the answer is nil.
    // Covers: seed 000, Task_CreateLight (0x003a4240) test=tasks::engine::tests::a_maker_answers_a_handle_or_nil
    pub fn create_light(&mut self, world: &mut dyn World, name: u32, creation: &Creation) -> Handle {
        let made = self.create_light_by_name(world, name, creation);
        self.handle_of(made)
    }

    fn allocate(&mut self, world: &mut dyn World, class: TaskClass, name: u32) -> Result<TaskId, CreateError> {
        if !self.knows_type(world, class, name) {
            return Err(CreateError::UnknownType(name));
        }
        let slot = match class {
            TaskClass::Human => None,
            TaskClass::Object => {
                if self.objects.pool.room() == 0 {
                    self.free_object_slot(world);
                }
                self.objects.pool.take()
            }
            TaskClass::Particle => self.particles[0].pool.take(),
            TaskClass::PauseParticle => self.particles[1].pool.take(),
            TaskClass::Scene => self.scenes.pool.take(),
            TaskClass::Car => self.cars.pool.take(),
            TaskClass::Pane => self.panes.pool.take(),
            TaskClass::Light => self.lights.pool.take(),
        };
        slot.map(|slot| TaskId::new(class, slot)).ok_or(CreateError::PoolFull(class))
    }

    fn knows_type(&self, world: &dyn World, class: TaskClass, name: u32) -> bool {
        match class {
            TaskClass::Object => self.objects.types.find_by_hash(name).is_some(),
            TaskClass::Car => self.cars.model_of(name).is_some(),
            TaskClass::Pane => self.panes.type_of(name).is_some(),
            TaskClass::Particle | TaskClass::PauseParticle => world.particle_type(name).is_some(),
            _ => true,
        }
    }

    fn initialise(&mut self, world: &mut dyn World, id: TaskId, name: u32) {
        match id.class() {
            Some(TaskClass::Object) => self.init_object(id, name),
            Some(TaskClass::Particle | TaskClass::PauseParticle) => self.init_particle(world, id, name),
            Some(TaskClass::Scene) => self.init_scene(id, name),
            Some(TaskClass::Car) => self.init_car(id, name),
            Some(TaskClass::Pane) => self.init_pane(id, name),
            Some(TaskClass::Light) => self.init_light(id),
            _ => {}
        }
    }

    fn created(&mut self, world: &mut dyn World, id: TaskId) {
        match id.class() {
            Some(TaskClass::Object) => self.object_created(world, id),
            Some(TaskClass::Particle | TaskClass::PauseParticle) => {
                world.type_message(self, id, number::CREATED);
            }
            Some(TaskClass::Car) => self.car_created(world, id),
            Some(TaskClass::Pane) => self.pane_created(world, id),
            _ => {}
        }
    }

    fn give(&mut self, id: TaskId) {
        let Some(class) = id.class() else { return };
        let Some(slot) = id.index_in(class) else { return };
        let slot = slot as u16;
        match class {
            TaskClass::Human => false,
            TaskClass::Object => self.objects.pool.give(slot),
            TaskClass::Particle => self.particles[0].pool.give(slot),
            TaskClass::PauseParticle => self.particles[1].pool.give(slot),
            TaskClass::Scene => self.scenes.pool.give(slot),
            TaskClass::Car => self.cars.pool.give(slot),
            TaskClass::Pane => self.panes.pool.give(slot),
            TaskClass::Light => self.lights.pool.give(slot),
        };
    }

    /// Ends a task: what it holds is given back, it leaves its wheel, its handle goes stale, its slot is free.
    pub fn release(&mut self, world: &mut dyn World, id: TaskId) {
        if !self.is_live(id) {
            return;
        }
        match id.class() {
            Some(TaskClass::Object) => self.release_object(world, id),
            Some(TaskClass::Particle | TaskClass::PauseParticle) => self.release_particle(world, id),
            Some(TaskClass::Scene) => self.release_scene(world, id),
            Some(TaskClass::Car) => self.release_car(world, id),
            Some(TaskClass::Pane) => self.release_pane(world, id),
            Some(TaskClass::Light) => self.release_light(world, id),
            _ => {}
        }
        self.manager.unschedule(id);
        let handle = self.manager.head(id).map_or(Handle::NIL, |head| head.handle);
        self.handles.free(handle);
        self.manager.init_task(id);
        self.give(id);
    }
}
