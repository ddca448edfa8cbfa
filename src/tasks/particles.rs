//! Particle systems and tags: short-lived tasks whose behaviour is their script type's.

use super::clock::Phase;
use super::engine::{TaskEngine, number};
use super::handle::{Handle, Target};
use super::ids::{TaskClass, TaskId};
use super::manager::Stay;
use super::pool::Pool;
use super::world::{Sprite, World};
use crate::maths::{Pose, Quat, Vec3};
use crate::physics::ids::BodyId;

/// Sprites and bursts are made only while more than this many particles are free.
///
/// Source: seed 000, Particles (ParticlePool_HasRoom).
pub const ROOM: usize = 512;

/// How a tag is told its state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TagSwitch {
    /// Messages 0x39 and 0x3a.
    #[default]
    StartStop,
    /// Message 0x19 with 4 or 6.
    Numbered,
}

/// A particle system's or tag's own part.
#[derive(Clone, Debug, PartialEq)]
pub struct ParticleTask {
    /// Hash of its type's name.
    pub name: u32,
    /// What its type's handler keeps.
    pub state: u8,
    /// Left, top, right, bottom in the type's texture.
    pub rect: [f32; 4],
    /// 0xAABBGGRR.
    pub colour: u32,
    /// Half its side, metres.
    pub size: f32,
    /// A byte of its type's (+0xda).
    pub byte_da: u8,
    /// Where it last touched something (+0xa0).
    pub contact: Vec3,
    /// Its body, for types that have one.
    pub body: Option<BodyId>,
    /// How it is switched when it is a tag.
    pub switch: TagSwitch,
    /// Drawn towards the camera in place of along its own axes.
    pub simple: bool,
    /// Seconds on and off, for steam.
    pub cycle: [f32; 2],
}

impl Default for ParticleTask {
    fn default() -> Self {
        Self {
            name: 0,
            state: 0,
            rect: [0.0, 0.0, 1.0, 1.0],
            colour: u32::MAX,
            size: 0.5,
            byte_da: 0,
            contact: Vec3::ZERO,
            body: None,
            switch: TagSwitch::default(),
            simple: false,
            cycle: [0.0; 2],
        }
    }
}

/// The pool of one phase. Source: seed 000, The TaskManager (1,400 and 100 particles).
#[derive(Debug)]
pub struct ParticleTaskManager {
    /// The records.
    pub pool: Pool<ParticleTask>,
    /// Which of the two.
    pub class: TaskClass,
}

impl ParticleTaskManager {
    /// Builds a phase's pool.
    // Covers: seed 000, ParticleTaskManager_Init (0x0039c3f0) test=tasks::engine::tests::a_new_engine_has_every_pool_at_its_size default=Self{pool:Pool::new(0),class}
    pub fn new(class: TaskClass) -> Self {
        Self { pool: Pool::new(class.capacity()), class }
    }

    /// Live particle tasks.
    // Covers: seed 000, ParticleTaskManager_Count (0x0039ca10) test=live_tasks_are_counted
    pub fn count(&self) -> usize {
        self.pool.count()
    }

    /// Whether more than 512 particles are free.
    // Covers: seed 000, ParticlePool_HasRoom (0x003a5a50) test=room_means_more_than_512_free
    pub fn has_room(&self) -> bool {
        self.pool.room() > ROOM
    }

    fn ids(&self) -> impl Iterator<Item = (TaskId, &ParticleTask)> {
        self.pool.iter().map(|(slot, record)| (TaskId::new(self.class, slot), record))
    }
}

fn sprite(record: &ParticleTask, pose: Pose, oriented: bool) -> Sprite {
    let (kind, rect, colour, size) = (record.name, record.rect, record.colour, record.size);
    Sprite { kind, pose, rect, colour, size, oriented }
}

// Excused: seed 000, ParticleTaskManager_Destroy (0x0039c518) reason=destructor or static initialiser
// Excused: seed 000, ParticleManager_Query5938 (0x003a5938) reason=purpose not traced

impl TaskEngine {
    /// A live particle task's own part.
    pub fn particle(&self, id: TaskId) -> Option<&ParticleTask> {
        let [play, pause] = &self.particles;
        match id.index_in(TaskClass::Particle) {
            Some(slot) => play.pool.get(slot as u16),
            None => pause.pool.get(id.index_in(TaskClass::PauseParticle)? as u16),
        }
    }

    /// A live particle task's own part.
    pub fn particle_mut(&mut self, id: TaskId) -> Option<&mut ParticleTask> {
        let [play, pause] = &mut self.particles;
        match id.index_in(TaskClass::Particle) {
            Some(slot) => play.pool.get_mut(slot as u16),
            None => pause.pool.get_mut(id.index_in(TaskClass::PauseParticle)? as u16),
        }
    }

    pub(super) fn particle_of(&self, handle: Handle) -> Option<TaskId> {
        match self.handles.resolve(handle) {
            Some(Target::Task(id)) => self.particle(id).map(|_| id),
            _ => None,
        }
    }

    pub(super) fn init_particle(&mut self, world: &dyn World, id: TaskId, name: u32) {
        let kind = world.particle_type(name).unwrap_or_default();
        if let Some(record) = self.particle_mut(id) {
            record.name = name;
        }
        if let Some(head) = self.manager.head_mut(id) {
            head.set_update_interval(kind.interval);
            head.flags |= kind.flags;
        }
    }

    /// Ends a particle task: its body goes.
    // Covers: seed 000, ParticleTask_Release (0x0039bb38) test=a_released_particle_gives_its_body_back
    pub(super) fn release_particle(&mut self, world: &mut dyn World, id: TaskId) {
        if let Some(body) = self.particle_mut(id).and_then(|record| record.body.take()) {
            world.free_body(body);
        }
    }

    pub(super) fn update_particle(&mut self, world: &mut dyn World, id: TaskId) -> Stay {
        if self.process_particle(world, id) { Stay::Stay } else { Stay::Leave }
    }

    /// A particle's tick: the default integrator, then its type's update. Says whether it lives on.
    // Covers: seed 000, ParticleTask_Process (0x0039ba68) test=a_particle_integrates_and_runs_its_type
    pub fn process_particle(&mut self, world: &mut dyn World, id: TaskId) -> bool {
        let (now, kernels) = (self.manager.clock.now(), self.manager.kernels);
        let Some(head) = self.manager.head_mut(id) else { return false };
        let moves = head.needs_integration();
        head.integrate(now, kernels);
        if moves {
            let pose = Pose::new(head.rotation, head.position);
            self.manager.set_pose(id, pose);
        }
        world.type_message(self, id, number::PROCESS);
        self.is_live(id)
    }

    /// Passes a message to the particle type's handler.
    // Covers: seed 000, ParticleTask_OnMessage (0x0039ba30) test=a_particles_messages_go_to_its_type
    pub(super) fn particle_message(&mut self, world: &mut dyn World, id: TaskId, number: u32) -> i32 {
        world.type_message(self, id, number)
    }

    /// Sets the rectangle of its texture that a particle shows.
    // Covers: seed 000, ParticleTask_SetRect (0x0039bb18) test=a_particles_sprite_shows_its_rectangle
    pub fn set_particle_rect(&mut self, id: TaskId, rect: [f32; 4]) {
        if let Some(record) = self.particle_mut(id) {
            record.rect = rect;
        }
    }

    /// A particle task's body.
    // Covers: seed 000, ParticleTask_QueryBody (0x0039bbf0) test=a_released_particle_gives_its_body_back
    pub fn particle_body(&self, id: TaskId) -> Option<BodyId> {
        self.particle(id)?.body
    }

    /// Sets a byte of its type's.
    // Covers: seed 000, ParticleSystem_SetFieldDA (0x003a2cf0) test=a_types_byte_is_kept
    pub fn set_particle_byte(&mut self, handle: Handle, value: u8) {
        if let Some(record) = self.particle_of(handle).and_then(|id| self.particle_mut(id)) {
            record.byte_da = value;
        }
    }

    /// The sprite of a particle that faces along its own axes.
    // Covers: seed 000, ParticleTask_Draw (0x0039b020) test=a_particles_sprite_shows_its_rectangle
    pub fn particle_sprite(&self, id: TaskId, record: &ParticleTask) -> Sprite {
        let now = self.manager.clock.now();
        let pose = self.manager.head(id).map_or_else(Pose::default, |head| head.pose_at(now, self.manager.kernels));
        sprite(record, pose, true)
    }

    /// The sprite of a particle that faces the camera: its rotation plays no part.
    // Covers: seed 000, ParticleTask_DrawSimple (0x0039b6b8) test=a_simple_sprite_has_no_rotation
    pub fn particle_sprite_simple(&self, id: TaskId, record: &ParticleTask) -> Sprite {
        let pose = Pose::new(Quat::IDENTITY, self.particle_position(id));
        sprite(record, pose, false)
    }

    /// Where a particle is now.
    fn particle_position(&self, id: TaskId) -> Vec3 {
        let now = self.manager.clock.now();
        self.manager.head(id).map_or(Vec3::ZERO, |head| head.position_at(now))
    }

    /// Draws a phase's live particle tasks.
    ///
    /// Our choice: those that no eye sees are left out before they are posed; the renderer would find the same, later.
    // Covers: seed 000, ParticleTaskManager_Draw (0x0039c770) test=every_live_particle_is_drawn_once
    pub fn draw_particles(&mut self, world: &mut dyn World, phase: Phase) {
        let manager = self.particle_manager(phase);
        for (id, record) in manager.ids() {
            if !world.shows_sprite(self.particle_position(id), record.size) {
                continue;
            }
            let sprite =
                if record.simple { self.particle_sprite_simple(id, record) } else { self.particle_sprite(id, record) };
            world.draw_sprite(&sprite);
        }
    }

    /// The live particle task of play nearest to a point, of one type or of any.
    // Covers: seed 000, ParticleTaskManager_FindNearest (0x0039c7d8) test=the_nearest_particle_of_a_type_is_found
    pub fn nearest_particle(&self, point: Vec3, name: Option<u32>) -> Option<TaskId> {
        let live = self.particles[0].ids().filter(|(_, record)| name.is_none_or(|name| record.name == name));
        self.nearest(point, live.map(|(id, _)| id))
    }

    /// The task of `live` nearest to a point; the first of equals.
    pub(super) fn nearest(&self, point: Vec3, live: impl Iterator<Item = TaskId>) -> Option<TaskId> {
        let mut best: Option<(f32, TaskId)> = None;
        for id in live {
            let Some(head) = self.manager.head(id) else { continue };
            let distance = (head.position - point).length_squared();
            if best.is_none_or(|(nearest, _)| distance < nearest) {
                best = Some((distance, id));
            }
        }
        best.map(|(_, id)| id)
    }

    /// Whether a task is within a range of a point.
    pub(super) fn within(&self, id: TaskId, point: Vec3, range: f32) -> bool {
        self.manager.head(id).is_some_and(|head| (head.position - point).length_squared() <= range * range)
    }

    /// Ends the particle tasks of play within a range.
    // Covers: seed 000, ParticleTaskManager_KillInRange (0x0039c8f8) test=particles_within_the_range_end
    pub fn kill_particles_in_range(&mut self, world: &mut dyn World, point: Vec3, range: f32) -> u32 {
        let (mut from, mut killed) = (0, 0);
        while let Some(id) = self.next_live(TaskClass::Particle, from) {
            from = id.index_in(TaskClass::Particle).map_or(u16::MAX, |slot| slot as u16 + 1);
            if self.within(id, point, range) {
                self.release(world, id);
                killed += 1;
            }
        }
        killed
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeWorld, engine};
    use super::*;

    fn setup() -> (TaskEngine, FakeWorld) {
        (engine(), FakeWorld::default())
    }

    fn handle(tasks: &TaskEngine, id: TaskId) -> Handle {
        tasks.manager.head(id).unwrap().handle
    }

    #[test]
    fn live_tasks_are_counted() {
        let (mut tasks, mut world) = setup();
        for x in 0..3 {
            tasks.spawn_test_particle(&mut world, x);
        }
        assert_eq!((tasks.particles[0].count(), tasks.particles[1].count()), (3, 0));
    }

    #[test]
    fn room_means_more_than_512_free() {
        let (mut tasks, mut world) = setup();
        for _ in 0..1400 - 513 {
            tasks.spawn_test_particle(&mut world, 0);
        }
        assert!(tasks.particles[0].has_room());
        tasks.spawn_test_particle(&mut world, 0);
        assert_eq!(tasks.particles[0].pool.room(), 512);
        assert!(!tasks.particles[0].has_room());
        assert!(!tasks.particles[1].has_room(), "the pause's pool has 100");
    }

    #[test]
    fn a_released_particle_gives_its_body_back() {
        let (mut tasks, mut world) = setup();
        let id = tasks.spawn_test_particle(&mut world, 0);
        tasks.particle_mut(id).unwrap().body = Some(BodyId(7));
        assert_eq!(tasks.particle_body(id), Some(BodyId(7)));
        tasks.release(&mut world, id);
        assert!(world.log.contains(&"free_body 7".into()));
        assert_eq!(tasks.particle_body(id), None);
    }

    #[test]
    fn a_particle_integrates_and_runs_its_type() {
        let (mut tasks, mut world) = setup();
        let id = tasks.spawn_test_particle(&mut world, 0);
        tasks.manager.head_mut(id).unwrap().set_velocity(Vec3::new(0.0, 6.0, 0.0));
        tasks.manager.clock.set_time(10);
        world.log.clear();
        assert!(tasks.process_particle(&mut world, id));
        assert!((tasks.manager.head(id).unwrap().position.y - 1.0).abs() < 1e-5);
        assert_eq!(world.log, ["type particle0 1"]);
        world.ends_itself = true;
        assert!(!tasks.process_particle(&mut world, id), "a type may end its own task");
    }

    #[test]
    fn a_particles_messages_go_to_its_type() {
        let (mut tasks, mut world) = setup();
        let id = tasks.spawn_test_particle(&mut world, 0);
        let target = handle(&tasks, id);
        world.answer = 12;
        assert_eq!(tasks.send_message(&mut world, target, 0x77, &[]), Ok(12));
        assert!(world.log.contains(&"type particle0 119".into()));
    }

    #[test]
    fn a_particles_sprite_shows_its_rectangle() {
        let (mut tasks, mut world) = setup();
        let id = tasks.spawn_test_particle(&mut world, 4);
        tasks.set_particle_rect(id, [0.25, 0.0, 0.5, 1.0]);
        let sprite = tasks.particle_sprite(id, tasks.particle(id).unwrap());
        assert_eq!((sprite.rect, sprite.pose.position.x), ([0.25, 0.0, 0.5, 1.0], 4.0));
    }

    #[test]
    fn a_simple_sprite_has_no_rotation() {
        let (mut tasks, mut world) = setup();
        let id = tasks.spawn_test_particle(&mut world, 4);
        tasks.manager.head_mut(id).unwrap().rotation = Quat::from_heading(1.0);
        let record = tasks.particle(id).unwrap().clone();
        assert_eq!(tasks.particle_sprite(id, &record).pose.rotation, Quat::from_heading(1.0));
        let simple = tasks.particle_sprite_simple(id, &record).pose;
        assert_eq!((simple.rotation, simple.position.x), (Quat::IDENTITY, 4.0));
    }

    #[test]
    fn every_live_particle_is_drawn_once() {
        let (mut tasks, mut world) = setup();
        let ids = [0, 1, 2].map(|x| tasks.spawn_test_particle(&mut world, x));
        tasks.particle_mut(ids[1]).unwrap().simple = true;
        tasks.release(&mut world, ids[0]);
        world.sprites.clear();
        tasks.draw_particles(&mut world, Phase::Play);
        assert_eq!(world.sprites.iter().map(|s| s.pose.position.x).collect::<std::vec::Vec<_>>(), [1.0, 2.0]);
        tasks.draw_particles(&mut world, Phase::Pause);
        assert_eq!(world.sprites.len(), 2);
    }

    #[test]
    fn the_nearest_particle_of_a_type_is_found() {
        let (mut tasks, mut world) = setup();
        let ids = [5, 1, 9].map(|x| tasks.spawn_test_particle(&mut world, x));
        tasks.particle_mut(ids[1]).unwrap().name = 99;
        assert_eq!(tasks.nearest_particle(Vec3::ZERO, None), Some(ids[1]));
        let name = tasks.particle(ids[0]).unwrap().name;
        assert_eq!(tasks.nearest_particle(Vec3::ZERO, Some(name)), Some(ids[0]));
        assert_eq!(tasks.nearest_particle(Vec3::ZERO, Some(1234)), None);
    }

    #[test]
    fn particles_within_the_range_end() {
        let (mut tasks, mut world) = setup();
        let ids = [0, 3, 6].map(|x| tasks.spawn_test_particle(&mut world, x));
        assert_eq!(tasks.kill_particles_in_range(&mut world, Vec3::ZERO, 3.0), 2);
        assert_eq!(ids.map(|id| tasks.is_live(id)), [false, false, true]);
    }

    #[test]
    fn a_types_byte_is_kept() {
        let (mut tasks, mut world) = setup();
        let id = tasks.spawn_test_particle(&mut world, 0);
        let target = handle(&tasks, id);
        tasks.set_particle_byte(target, 9);
        assert_eq!(tasks.particle(id).unwrap().byte_da, 9);
    }
}
