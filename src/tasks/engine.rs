//! The root of the TaskEngine: one value owns every task, pool, handle and message.

use super::boxes::{Boxes, DatabaseSizes};
use super::cars::CarTaskManager;
use super::clock::Phase;
pub use super::create::{CreateError, Creation};
use super::effects::Effects;
use super::glass::GlassTaskManager;
use super::handle::{Handle, HandleTable, Target};
use super::humans::messages as human_messages;
use super::humans::step::HumanStep;
use super::ids::{TaskClass, TaskId, type_bits};
use super::lights::LightTaskManager;
use super::manager::TaskManager;
use super::message::{Argument, MessageError, MessageStack};
use super::objects::ObjectTaskManager;
use super::objects::zones::Zones;
use super::particles::ParticleTaskManager;
use super::scenes::SceneTaskManager;
use super::ticks::TickState;
use super::world::{PLAYERS, World};
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
    /// The handles of the players' cameras, nil while there is none.
    pub(super) cameras: [Handle; PLAYERS as usize],
    /// How often there was no place for a human.
    pub human_refusals: u32,
}

impl TaskEngine {
    /// Builds every pool for a level.
    // Covers: seed 000, TaskManager_Construct (0x003a2728) test=a_new_engine_has_every_pool_at_its_size default=tests::hollow()
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
            cameras: [Handle::NIL; PLAYERS as usize],
            human_refusals: 0,
        }
    }

    /// Releases what the seven managers made, empties wheels and lists, and sets clocks and counters to their start. Nothing of
    /// a level is left: no spawn record, no zone, no flag or box with its handle, no weather. The humans' heads and handles are
    /// the characters' own: they release them, one by one, before.
    // Covers: seed 000, TaskManager_Reset (0x003a2b48) test=a_reset_releases_the_seven_managers_tasks
    pub fn reset(&mut self, world: &mut dyn World) {
        for class in TaskClass::MANAGED {
            while let Some(id) = self.first_live(class) {
                self.release(world, id);
            }
        }
        self.objects.spawns.clear();
        self.objects.zones = Zones::default();
        self.boxes.remove_all(&mut self.handles);
        self.effects.reset(world);
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

    /// Live tasks of a managed class.
    pub fn count(&self, class: TaskClass) -> usize {
        match class {
            TaskClass::Human => 0,
            TaskClass::Object => self.objects.pool.count(),
            TaskClass::Particle => self.particles[0].pool.count(),
            TaskClass::PauseParticle => self.particles[1].pool.count(),
            TaskClass::Scene => self.scenes.pool.count(),
            TaskClass::Car => self.cars.pool.count(),
            TaskClass::Pane => self.panes.pool.count(),
            TaskClass::Light => self.lights.pool.count(),
        }
    }

    /// How often a class has been asked for a task that it had no room for.
    pub fn refusals(&self, class: TaskClass) -> u32 {
        match class {
            TaskClass::Human => self.human_refusals,
            TaskClass::Object => self.objects.pool.refusals(),
            TaskClass::Particle => self.particles[0].pool.refusals(),
            TaskClass::PauseParticle => self.particles[1].pool.refusals(),
            TaskClass::Scene => self.scenes.pool.refusals(),
            TaskClass::Car => self.cars.pool.refusals(),
            TaskClass::Pane => self.panes.pool.refusals(),
            TaskClass::Light => self.lights.pool.refusals(),
        }
    }

    /// Whether a task is alive. Humans live elsewhere: theirs is whether the handle table has them.
    pub fn is_live(&self, id: TaskId) -> bool {
        let Some(class) = id.class() else { return false };
        if class == TaskClass::Human {
            let handle = self.manager.head(id).map_or(Handle::NIL, |head| head.handle);
            return self.handles.resolve(handle) == Some(Target::Task(id));
        }
        let Some(slot) = id.index_in(class).map(|slot| slot as u16) else { return false };
        match class {
            TaskClass::Human => false,
            TaskClass::Object => self.objects.pool.is_live(slot),
            TaskClass::Particle => self.particles[0].pool.is_live(slot),
            TaskClass::PauseParticle => self.particles[1].pool.is_live(slot),
            TaskClass::Scene => self.scenes.pool.is_live(slot),
            TaskClass::Car => self.cars.pool.is_live(slot),
            TaskClass::Pane => self.panes.pool.is_live(slot),
            TaskClass::Light => self.lights.pool.is_live(slot),
        }
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
        if let Err(error) = self.messages.frame().and_then(|frame| frame.set(arguments)) {
            self.messages.end();
            return Err(error);
        }
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
    // Covers: seed 000, Handle_ResolveA (0x00390200) test=a_spawn_records_handle_spawns_its_object
    // Covers: seed 000, Handle_ResolveB (0x00390220) test=a_spawn_records_handle_spawns_its_object
    // Covers: seed 000, Handle_ResolveC (0x00390248) test=a_spawn_records_handle_spawns_its_object
    // Covers: seed 000, Handle_ResolveD (0x003902a8) test=a_spawn_records_handle_spawns_its_object
    pub fn resolve(&mut self, world: &mut dyn World, handle: Handle) -> Option<Target> {
        match handle.as_spawn_record() {
            Some(record) => {
                let live = self.resolve_spawn_record(world, record);
                self.handles.resolve(live)
            }
            None => self.handles.resolve(handle),
        }
    }

    /// What a handle names, without spawning anything: a spawn record names its object while that lives.
    ///
    /// Our choice: who only asks (whether a door is open, what bits a thing has) spawns nothing for it, as what is far from
    /// every player answers alike whether it is made for the question or not. Who changes something resolves it.
    pub fn target(&self, handle: Handle) -> Option<Target> {
        let own = handle.as_spawn_record().map_or(handle, |record| self.handle_of_record(record));
        self.handles.resolve(own)
    }

    /// The task that a handle names, without spawning anything.
    pub fn task(&self, handle: Handle) -> Option<TaskId> {
        match self.target(handle) {
            Some(Target::Task(id)) => Some(id),
            _ => None,
        }
    }

    /// The task that a handle names, spawned when it has to be.
    pub fn resolve_task(&mut self, world: &mut dyn World, handle: Handle) -> Option<TaskId> {
        match self.resolve(world, handle) {
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
        self.task(handle).filter(|id| id.class().is_some_and(|c| c.type_bits() & type_bits::TASK != 0))
    }

    /// The type bits of what a handle names, as scripts see them: without the bit that all tasks have, 0 for nothing.
    ///
    /// Source: seed 000, Type bits (GetRTTI).
    pub fn rtti(&self, handle: Handle) -> u32 {
        let bits = match self.target(handle) {
            Some(Target::Task(id)) => id.class().map_or(0, TaskClass::type_bits),
            Some(Target::Camera(_)) => type_bits::CAMERA,
            Some(Target::Flag(_)) => type_bits::FLAG,
            Some(Target::Box(_)) => type_bits::BOX,
            None => 0,
        };
        type_bits::rtti(bits)
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
            pose = head.pose_at(now, self.manager.kernels) * pose;
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
    pub fn script_unschedule(&mut self, world: &mut dyn World, handle: Handle) {
        if let Some(id) = self.resolve_task(world, handle) {
            self.manager.unschedule(id);
        }
    }

    /// Puts a script's task on the wheel.
    // Covers: seed 000, ScriptObj_Schedule (0x003a45d8) test=scripts_put_tasks_on_the_wheel_and_off
    pub fn script_schedule(&mut self, world: &mut dyn World, handle: Handle) {
        if let Some(id) = self.resolve_task(world, handle) {
            self.manager.schedule(id);
        }
    }
}

// Ownership gives everything back when the engine goes.
// Excused: seed 000, TaskManager_Destruct (0x003a2a30) reason=destructor or static initialiser
// Excused: seed 000, Task_EmptyStub0 (0x00386f58) reason=empty stub
// Excused: seed 000, Task_EmptyStub1 (0x00386f68) reason=empty stub
// Excused: seed 000, Task_EmptyStub2 (0x00386f78) reason=empty stub
// Excused: seed 000, Task_EmptyStub3 (0x00386f88) reason=empty stub
// Excused: seed 000, Task_EmptyStub4 (0x00386f98) reason=empty stub
// Excused: seed 000, Task_Unknown2508 (0x003a2508) reason=purpose not traced

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
