//! The root of the TaskEngine: one value owns every task, pool, handle and message.

use super::boxes::{Boxes, DatabaseSizes};
use super::cars::CarTaskManager;
use super::clock::Phase;
use super::effects::Effects;
use super::glass::GlassTaskManager;
use super::handle::{Handle, HandleTable, Kind, Target};
use super::head::flag;
use super::humans::messages as human_messages;
use super::humans::step::HumanStep;
use super::ids::{TaskClass, TaskId};
use super::lights::LightTaskManager;
use super::manager::{Stay, TaskManager};
use super::message::{Argument, MessageError, MessageStack};
use super::objects::ObjectTaskManager;
use super::particles::ParticleTaskManager;
use super::scenes::SceneTaskManager;
use super::ticks::TickState;
use super::world::World;
use crate::maths::{Pose, Quat, Vec3};

/// Numbers of the messages that the engine itself sends or reads. Source: seed 000, Code index, unless named otherwise.
pub mod number {
    /// To an object in a car's trunk.
    pub const TRUNK_OPEN: u32 = 0x12;
    /// To an object in a car's trunk.
    pub const TRUNK_CLOSE: u32 = 0x13;
    /// Ends a thing that hangs on another.
    pub const END: u32 = 0x15;
    /// A tag's new state, with a number.
    pub const SET_STATE: u32 = 0x19;
    /// A drop: the last update is a tick ago. Source: seed 002, Settling (message 28).
    pub const DROPPED: u32 = 0x1c;
    /// A door's new state, with a number.
    pub const DOOR_STATE: u32 = 0x22;
    /// Makes the object's body.
    pub const CREATE_BODY: u32 = 0x30;
    /// The trunk's pose, to what lies in it.
    pub const TRUNK_POSE: u32 = 0x35;
    /// A tag starts.
    pub const START: u32 = 0x39;
    /// A tag stops.
    pub const STOP: u32 = 0x3a;
    /// Damage that shows on a car, with a kind.
    pub const CAR_DAMAGE: u32 = 0x3f;
    /// The trunk has moved, to what lies in it.
    pub const TRUNK_MOVED: u32 = 0x40;
    /// An object broke. Our choice of number: the original's is not in the seed.
    pub const BROKEN: u32 = 0x41;
    /// A glass pane broke. Our choice of number.
    pub const PANE_BROKEN: u32 = 0x42;
    /// The update of a script type.
    pub const PROCESS: u32 = 0x01;
    /// The creation of a script type.
    pub const CREATED: u32 = 0x00;
}

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

/// The TaskEngine.
#[derive(Debug)]
pub struct TaskEngine {
    /// Heads, wheels, clocks.
    pub manager: TaskManager,
    /// What handles point to.
    pub handles: HandleTable,
    /// Messages under way.
    pub messages: MessageStack,
    /// Flags and boxes of the level.
    pub boxes: Boxes,
    /// The characters' step.
    pub humans: HumanStep,
    /// World objects.
    pub objects: ObjectTaskManager,
    /// Cars.
    pub cars: CarTaskManager,
    /// Glass panes.
    pub panes: GlassTaskManager,
    /// Light tasks.
    pub lights: LightTaskManager,
    /// Particle systems of play and of pause.
    pub particles: [ParticleTaskManager; 2],
    /// Scenes.
    pub scenes: SceneTaskManager,
    /// Effects that belong to no task.
    pub effects: Effects,
    /// Where the tick pairs stand.
    pub ticks: TickState,
    /// Updates run by the wheels since the last reset, by class.
    pub updates: [u32; TaskClass::ALL.len()],
}

impl TaskEngine {
    /// Builds every pool for a level.
    // Covers: seed 000, TaskManager_Construct (0x003a2728) test=a_new_engine_has_every_pool_at_its_size default=panic!()
    pub fn new(sizes: &DatabaseSizes) -> Self {
        Self {
            manager: TaskManager::new(),
            handles: HandleTable::new(),
            messages: MessageStack::default(),
            boxes: Boxes::new(sizes),
            humans: HumanStep::default(),
            objects: ObjectTaskManager::new(sizes.objects),
            cars: CarTaskManager::new(),
            panes: GlassTaskManager::new(),
            lights: LightTaskManager::new(),
            particles: [
                ParticleTaskManager::new(TaskClass::Particle),
                ParticleTaskManager::new(TaskClass::PauseParticle),
            ],
            scenes: SceneTaskManager::new(),
            effects: Effects::default(),
            ticks: TickState::default(),
            updates: [0; TaskClass::ALL.len()],
        }
    }

    /// Releases what the seven managers made, empties wheels and lists, and sets clocks and counters to their start.
    // Covers: seed 000, TaskManager_Reset (0x003a2b48) test=a_reset_releases_the_seven_managers_tasks
    pub fn reset(&mut self, world: &mut dyn World) {
        for class in TaskClass::MANAGED {
            while let Some(id) = self.first_live(class) {
                self.release(world, id);
            }
        }
        self.manager.init_wheels();
        self.manager.set_phase(Phase::Play);
        self.humans.reset();
        self.ticks = TickState::default();
        self.updates = [0; TaskClass::ALL.len()];
    }

    /// The first live task of a managed class.
    pub fn first_live(&self, class: TaskClass) -> Option<TaskId> {
        self.next_live(class, 0)
    }

    /// The first live task of a managed class at or after a slot.
    pub fn next_live(&self, class: TaskClass, from: u16) -> Option<TaskId> {
        let slot = match class {
            TaskClass::Human => None,
            TaskClass::Object => self.objects.pool.next_live(from),
            TaskClass::Particle => self.particles[0].pool.next_live(from),
            TaskClass::PauseParticle => self.particles[1].pool.next_live(from),
            TaskClass::Scene => self.scenes.pool.next_live(from),
            TaskClass::Car => self.cars.pool.next_live(from),
            TaskClass::Pane => self.panes.pool.next_live(from),
            TaskClass::Light => self.lights.pool.next_live(from),
        }?;
        Some(TaskId::new(class, slot))
    }

    /// Whether a task is alive. Humans live elsewhere: theirs is whether the handle table has them.
    pub fn is_live(&self, id: TaskId) -> bool {
        let Some(class) = id.class() else { return false };
        if class == TaskClass::Human {
            let handle = self.manager.head(id).map_or(Handle::NIL, |head| head.handle);
            return self.handles.resolve(handle) == Some(Target::Task(id));
        }
        id.index_in(class).is_some_and(|slot| self.next_live(class, slot as u16) == Some(id))
    }

    /// Makes a human's task head and handle. The character itself belongs to the characters' module.
    ///
    /// A full table culls one corpse and is asked again.
    pub fn create_human(&mut self, world: &mut dyn World, human: u16) -> Result<Handle, CreateError> {
        let id = TaskId::new(TaskClass::Human, human);
        if id.is_none() {
            return Err(CreateError::PoolFull(TaskClass::Human));
        }
        self.manager.init_task(id);
        let manager = &self.manager;
        let handle = self.handles.assign(Kind::Human, Target::Task(id), |table| {
            let corpse = world.cull_corpse().and_then(|n| manager.head(TaskId::new(TaskClass::Human, n)));
            if let Some(corpse) = corpse {
                table.free(corpse.handle);
            }
        });
        let handle = handle.ok_or(CreateError::NoHandle)?;
        if let Some(head) = self.manager.head_mut(id) {
            head.handle = handle;
        }
        Ok(handle)
    }

    /// Makes a task of a named type: allocator, initialiser, creation handler with the arguments in the top message
    /// frame (position, rotation, parent), then the wheel.
    // Covers: seed 000, TaskPool_Create (0x0039c698) test=a_created_task_has_its_arguments_handle_and_wheel default=Err(CreateError::NoHandle)
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
    // Covers: seed 000, Task_CreateGlassByName (0x003a2e20) test=each_maker_makes_its_class default=Err(CreateError::NoHandle)
    pub fn create_glass_by_name(
        &mut self,
        world: &mut dyn World,
        name: u32,
        creation: &Creation,
    ) -> Result<TaskId, CreateError> {
        self.create(world, TaskClass::Pane, name, creation)
    }

    /// Makes a world object of a named type.
    // Covers: seed 000, Task_CreateObjectByName (0x003a2e60) test=each_maker_makes_its_class default=Err(CreateError::NoHandle)
    pub fn create_object_by_name(
        &mut self,
        world: &mut dyn World,
        name: u32,
        creation: &Creation,
    ) -> Result<TaskId, CreateError> {
        self.create(world, TaskClass::Object, name, creation)
    }

    /// Makes a light task of a named type.
    // Covers: seed 000, Task_CreateLightByName (0x003a2e80) test=each_maker_makes_its_class default=Err(CreateError::NoHandle)
    pub fn create_light_by_name(
        &mut self,
        world: &mut dyn World,
        name: u32,
        creation: &Creation,
    ) -> Result<TaskId, CreateError> {
        self.create(world, TaskClass::Light, name, creation)
    }

    /// Makes a glass pane and answers its handle, nil when there is no room.
    // Covers: seed 000, Task_CreateGlass (0x003a41a8) test=a_maker_answers_a_handle_or_nil
    pub fn create_glass(&mut self, world: &mut dyn World, name: u32, creation: &Creation) -> Handle {
        let made = self.create_glass_by_name(world, name, creation);
        self.handle_of(made)
    }

    /// Makes a world object and answers its handle, nil when there is no room.
    // Covers: seed 000, Task_CreateObject (0x003a41f0) test=a_maker_answers_a_handle_or_nil
    pub fn create_object(&mut self, world: &mut dyn World, name: u32, creation: &Creation) -> Handle {
        let made = self.create_object_by_name(world, name, creation);
        self.handle_of(made)
    }

    /// Makes a light task. Light tasks have no handle, so the answer is nil.
    // Covers: seed 000, Task_CreateLight (0x003a4240) test=a_maker_answers_a_handle_or_nil
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

    /// Sends a message to what a handle names and answers what it says; a handle that names no task answers 0.
    ///
    /// Errors: six messages are under way, or the arguments do not fit.
    // Covers: seed 000, Task_SendMessage (0x003a2e00) test=a_message_is_handled_before_the_senders_next_line
    pub fn send_message(
        &mut self,
        world: &mut dyn World,
        target: Handle,
        number: u32,
        arguments: &[Argument],
    ) -> Result<i32, MessageError> {
        self.messages.begin()?;
        self.messages.frame()?.set(arguments);
        let answer = match self.resolve(world, target) {
            Some(Target::Task(id)) => self.deliver_message(world, id, number),
            _ => 0,
        };
        self.messages.end();
        Ok(answer)
    }

    /// Hands the message in the top frame to a task's class.
    // Covers: seed 000, Task_DeliverMessage (0x003a4288) test=a_message_is_handled_before_the_senders_next_line
    pub fn deliver_message(&mut self, world: &mut dyn World, id: TaskId, number: u32) -> i32 {
        match id.class() {
            Some(TaskClass::Human) => {
                let Ok(frame) = self.messages.frame() else { return 0 };
                let message = human_messages::decode(number, frame).unwrap_or_default();
                id.index_in(TaskClass::Human)
                    .map_or(0, |human| world.human_message(self, human as u16, &message, number))
            }
            Some(TaskClass::Object) => self.object_message(world, id, number),
            Some(TaskClass::Particle | TaskClass::PauseParticle) => self.particle_message(world, id, number),
            Some(TaskClass::Car) => self.car_message(world, id, number),
            Some(TaskClass::Pane) => self.pane_message(world, id, number),
            Some(_) => world.type_message(self, id, number),
            None => 0,
        }
    }

    /// What a handle names. A spawn record's object is spawned first when it is not live.
    // Covers: seed 000, Handle_Resolve (0x00390180) test=a_spawn_records_handle_spawns_its_object
    pub fn resolve(&mut self, world: &mut dyn World, handle: Handle) -> Option<Target> {
        match handle.as_spawn_record() {
            Some(record) => {
                let live = self.resolve_spawn_record(world, record);
                self.handles.resolve(live)
            }
            None => self.handles.resolve(handle),
        }
    }

    /// The task that a handle names, without spawning anything.
    pub fn task(&self, handle: Handle) -> Option<TaskId> {
        match self.handles.resolve(handle) {
            Some(Target::Task(id)) => Some(id),
            _ => None,
        }
    }

    /// The world object that a handle names, spawned when it has to be.
    // Covers: seed 000, Handle_ResolveWorldObject (0x00390068) test=only_world_objects_resolve_as_such
    pub fn resolve_world_object(&mut self, world: &mut dyn World, handle: Handle) -> Option<TaskId> {
        match self.resolve(world, handle) {
            Some(Target::Task(id)) if id.class() == Some(TaskClass::Object) => Some(id),
            _ => None,
        }
    }

    /// The task when it has the type bit that all tasks have.
    // Covers: seed 000, Object_AsTypeBit2 (0x003a25b8) test=only_world_objects_resolve_as_such
    pub fn as_task(&self, handle: Handle) -> Option<TaskId> {
        self.task(handle).filter(|id| id.class().is_some_and(|c| c.type_bits() & super::ids::type_bits::TASK != 0))
    }

    /// A task's pose now. What is attached follows its parent: its own pose is relative to the parent's part.
    pub fn pose_now(&self, world: &dyn World, id: TaskId) -> Pose {
        const DEEPEST: usize = 4;
        let now = self.manager.clock.now();
        let mut pose = Pose::new(Quat::IDENTITY, Vec3::ZERO);
        let mut next = Some(id);
        for _ in 0..DEEPEST {
            let Some((id, head)) = next.and_then(|id| Some((id, self.manager.head(id)?))) else { break };
            if id.class() == Some(TaskClass::Human) {
                return self.manager.transform(head.handle.index()).map_or(pose, |own| own * pose);
            }
            pose = head.pose_at(now) * pose;
            if !head.is_attached() {
                break;
            }
            let parent = self.task(head.parent());
            if let Some(human) = parent.and_then(|parent| parent.index_in(TaskClass::Human)) {
                let (part, point) = head.attach_point();
                return world.attach_pose(human as u16, part, point).map_or(pose, |hand| hand * pose);
            }
            next = parent;
        }
        pose
    }

    /// Runs one task's update.
    fn update(&mut self, world: &mut dyn World, id: TaskId) -> Stay {
        let Some(class) = id.class() else { return Stay::Leave };
        self.updates[class as usize] = self.updates[class as usize].wrapping_add(1);
        match class {
            TaskClass::Human => Stay::Leave,
            TaskClass::Object => self.update_object(world, id),
            TaskClass::Particle | TaskClass::PauseParticle => self.update_particle(world, id),
            TaskClass::Scene => self.update_scene(world, id),
            TaskClass::Car => self.update_car(world, id),
            TaskClass::Pane => self.update_pane(world, id),
            TaskClass::Light => self.update_light(world, id),
        }
    }

    /// Runs the current bucket of the current phase's wheel and goes on to the next bucket.
    ///
    /// Each task is taken off, updated, and put back after its interval when its update says so, when it did not put
    /// itself back, and when it does not run once only. A task that probes for its landing may come back sooner.
    // Covers: seed 000, TaskWheel_RunBucket (0x003a3588) test=a_task_runs_after_each_of_its_intervals
    pub fn run_bucket(&mut self, world: &mut dyn World) {
        let phase = self.manager.clock.phase();
        self.manager.wheel_mut(phase).begin();
        loop {
            let id = self.manager.wheel(phase).running();
            if id.is_none() {
                break;
            }
            self.manager.unschedule(id);
            let stay = self.update(world, id);
            let Some(head) = self.manager.head(id) else { continue };
            let (again, interval) = (!head.has(flag::ON_WHEEL) && stay == Stay::Stay, head.interval);
            if let Some(delay) = TaskManager::next_delay(interval).filter(|_| again) {
                self.manager.insert(id, delay);
            }
            self.probe_landing(world, id);
        }
        self.manager.wheel_mut(phase).advance();
    }

    /// The landing probe of a task that has both the wheel's and the probe's bit.
    fn probe_landing(&mut self, world: &dyn World, id: TaskId) {
        const BOTH: u32 = flag::ON_WHEEL | flag::PROBES_LANDING;
        let Some(head) = self.manager.head(id).filter(|head| head.flags & BOTH == BOTH) else { return };
        let interval = head.interval;
        let cast = |from, direction, length| world.ray(from, direction, length).map(|hit| hit.distance);
        if let Some(delay) = self.manager.probe_landing_ahead(id, interval, cast) {
            self.manager.unschedule(id);
            self.manager.insert(id, delay);
        }
    }

    /// The particle manager of a phase.
    // Covers: seed 000, TaskManager_GetParticleManager (0x003a2cd8) test=each_phase_has_its_particle_manager default=&self.particles[0]
    pub fn particle_manager(&self, phase: Phase) -> &ParticleTaskManager {
        &self.particles[phase as usize]
    }

    /// The class that a particle made now belongs to.
    pub fn particle_class(&self) -> TaskClass {
        match self.manager.clock.phase() {
            Phase::Play => TaskClass::Particle,
            Phase::Pause => TaskClass::PauseParticle,
        }
    }

    /// Takes a script's task off the wheel.
    // Covers: seed 000, ScriptObj_Unschedule (0x003a45a8) test=scripts_put_tasks_on_the_wheel_and_off
    pub fn script_unschedule(&mut self, handle: Handle) {
        if let Some(id) = self.task(handle) {
            self.manager.unschedule(id);
        }
    }

    /// Puts a script's task on the wheel.
    // Covers: seed 000, ScriptObj_Schedule (0x003a45d8) test=scripts_put_tasks_on_the_wheel_and_off
    pub fn script_schedule(&mut self, handle: Handle) {
        if let Some(id) = self.task(handle) {
            self.manager.schedule(id);
        }
    }
}

// Ownership gives everything back when the engine goes.
// Excused: seed 000, TaskManager_Destruct (0x003a2a30) reason=destructor or static initialiser
// The original's debug stream swallows what these write.
// Excused: seed 000, Task_DebugPrint (0x0039caf0) reason=empty stub
// Excused: seed 000, Task_DebugPrint2 (0x0039cb70) reason=empty stub
// Excused: seed 000, Task_EmptyStub0 (0x00386f58) reason=empty stub
// Excused: seed 000, Task_EmptyStub1 (0x00386f68) reason=empty stub
// Excused: seed 000, Task_EmptyStub2 (0x00386f78) reason=empty stub
// Excused: seed 000, Task_EmptyStub3 (0x00386f88) reason=empty stub
// Excused: seed 000, Task_EmptyStub4 (0x00386f98) reason=empty stub
// Excused: seed 000, Task_Unknown2508 (0x003a2508) reason=purpose not traced

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
