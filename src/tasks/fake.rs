//! A world that writes down what tasks ask of it.

use super::boxes::DatabaseSizes;
use super::engine::{Creation, TaskEngine};
use super::glass::GlassType;
use super::handle::Handle;
use super::humans::gates::Gate;
use super::humans::messages::HumanMessage;
use super::humans::records::PadInput;
use super::humans::step::{Characters, Condition};
use super::ids::{TaskClass, TaskId};
use super::names::name_hash;
use super::objects::types::{ObjectType, Touch};
use super::owners::{TaskOwners, owner_of};
use super::world::*;
use crate::collision::CollisionMesh;
use crate::maths::{Pose, Vec3};
use crate::physics::PhysicsWorld;
use crate::physics::car_parts::{LoosePart, PartEvents};
use crate::physics::create::ObjectShape;
use crate::physics::flags::{Answer, BodyFlags};
use crate::physics::ids::BodyId;
use crate::physics::settle::RestAxes;
use std::collections::BTreeMap;
use std::format;
use std::string::String;
use std::vec::Vec;

pub const PARTICLE: u32 = name_hash("test_particle");
pub const PANE: u32 = name_hash("test_pane");
pub const BRICK: u16 = 0;
pub const CHAIR: u16 = 1;
pub const BAT: u16 = 2;
pub const BARREL: u16 = 3;
pub const DOOR: u16 = 4;
pub const COIN: u16 = 5;
pub const HEALTH: u16 = 6;
pub const SIGN: u16 = 7;

/// An engine with a few types of everything.
pub fn engine() -> TaskEngine {
    let mut tasks = TaskEngine::new(&DatabaseSizes { objects: 20, flags: 4, volumes: 4, players: 2, turfs: 2 });
    let base = ObjectType { impact_sound: 41, break_effects: [PARTICLE; 2], ..ObjectType::default() };
    let shape = ObjectShape::Box { size: Vec3::new(0.07, 0.21, 0.1), centre: Vec3::ZERO };
    let solid = ObjectType { shape, restitution: 0.1, axes: RestAxes::XZ, ..base };
    let named = |name: &str, kind: u8, with: ObjectType| {
        let ObjectType { name, hash, kind, .. } = ObjectType::named(name, kind);
        ObjectType { name, hash, kind, ..with }
    };
    let brick = ObjectType { second_name: "rubble".try_into().unwrap(), model: 3, ..solid.clone() };
    let chair = ObjectType { axes: RestAxes::NONE, physics_flags: 2, model: 5, ..solid.clone() };
    let bat = ObjectType { pickable: true, wear: [0, 2], contact_damage: 15, model: 4, ..solid.clone() };
    let barrel = ObjectType { wear: [1, 0], model: 3, ..solid.clone() };
    let plain = ObjectType::default();
    let types = [
        named("brick", 3, brick),
        named("chair", 3, chair),
        named("bat", 5, bat),
        named("barrel", 8, barrel),
        named("door_swing", 15, plain.clone()),
        named("coin", 1, ObjectType { touch: Touch::Item, ..plain.clone() }),
        named("health", 1, ObjectType { touch: Touch::Health(25), ..plain.clone() }),
        named("score_sign", 24, plain.clone()),
        named("rubble", 2, solid),
    ];
    for kind in types {
        tasks.objects.types.add(kind).unwrap();
    }
    tasks.objects.types.resolve_names();
    let pane = GlassType { name: PANE, half: Vec3::new(1.0, 0.02, 1.0), strength: 20, ..GlassType::default() };
    tasks.panes.set_type(0, &pane);
    tasks
}

impl TaskEngine {
    /// A particle of play at a place on the x axis, updated every tick.
    pub fn spawn_test_particle(&mut self, world: &mut FakeWorld, x: i32) -> TaskId {
        let at = Creation::at(Vec3::new(x as f32, 0.0, 0.0));
        let id = self.create(world, TaskClass::Particle, PARTICLE, &at).unwrap();
        self.manager.schedule_in(id, 0);
        id
    }
}

#[derive(Default)]
pub struct FakeWorld {
    pub log: Vec<String>,
    pub people: BTreeMap<usize, Condition>,
    pub gates: BTreeMap<usize, Gate>,
    pub not_ready: Vec<usize>,
    pub brain_commands: Vec<(usize, u8)>,
    pub pads: BTreeMap<u8, PadInput>,
    pub persons: BTreeMap<u16, Person>,
    pub hurts: Vec<(u16, i32)>,
    pub views: [Option<View>; 2],
    pub hand: Option<Pose>,
    pub floor: Option<RayHit>,
    pub floor_height: Option<f32>,
    pub sprites: Vec<Sprite>,
    pub answer: i32,
    pub last_int: Option<i32>,
    pub ends_itself: bool,
    /// What a particle's update breaks into a piece that flies up.
    pub breaks: Option<TaskId>,
    pub reenters: Option<Handle>,
    pub depths: Vec<usize>,
    pub intervals: BTreeMap<u32, u16>,
    pub probes: bool,
    /// The real physics and a level, in place of the bookkeeping below.
    pub physics: Option<(std::boxed::Box<PhysicsWorld>, CollisionMesh)>,
    /// An empty world for parts to fly in.
    sky: Option<std::boxed::Box<PhysicsWorld>>,
    bodies: Vec<(u32, TaskId)>,
    sounds: u16,
    instances: u16,
    random: u32,
}

impl FakeWorld {
    fn note(&mut self, line: String) {
        self.log.push(line);
    }

    pub fn log_count(&self, prefix: &str) -> usize {
        self.log.iter().filter(|line| line.starts_with(prefix)).count()
    }
}

/// `object3` and the like.
fn label(id: TaskId) -> String {
    let Some(class) = id.class() else { return "none".into() };
    format!("{}{}", format!("{class:?}").to_lowercase(), id.index_in(class).unwrap())
}

impl World for FakeWorld {
    fn ray(&self, from: Vec3, direction: Vec3, length: f32) -> Option<RayHit> {
        if let Some(height) = self.floor_height.filter(|_| direction.z < 0.0) {
            let distance = (height - from.z) / direction.z;
            let hit = RayHit { distance, normal: Vec3::Z, surface: 1 };
            return (0.0..=length).contains(&distance).then_some(hit);
        }
        self.floor.filter(|hit| hit.distance <= length)
    }
    fn change_triangles(&mut self, group: u32, change: TriangleChange) {
        self.note(format!("triangles {group} {change:?}"));
    }
    fn set_nav_link(&mut self, link: u32, open: bool) {
        self.note(format!("nav {link} {open}"));
    }
    fn create_body(&mut self, tasks: &mut TaskEngine, owner: TaskId, spec: &BodySpec) -> Option<BodyId> {
        if let (Some((physics, _)), BodySpec::Object(shape, layers, extra)) = (&mut self.physics, spec) {
            let owners = TaskOwners::new(tasks);
            return physics.create_object_body(owner_of(owner), *shape, *layers, *extra, &owners);
        }
        let (kind, flags) = match spec {
            BodySpec::Object(ObjectShape::None, ..) => return None,
            BodySpec::Object(_, layers, extra) => {
                ("Object", (BodyFlags::NEW_OBJECT | BodyFlags::from_layers(*layers) | *extra).0)
            }
            BodySpec::Car(_) => ("Car", 0),
            BodySpec::Pane(_) => ("Pane", 0),
        };
        self.bodies.push((flags, owner));
        self.note(format!("body {} {kind}", label(owner)));
        Some(BodyId(self.bodies.len() as u16 - 1))
    }
    fn free_body(&mut self, body: BodyId) {
        self.note(format!("free_body {}", body.0));
    }
    fn place_body(&mut self, tasks: &mut TaskEngine, body: BodyId) {
        if let Some((physics, _)) = &mut self.physics {
            physics.mark_dirty(body);
            physics.update_body(body, &mut TaskOwners::new(tasks));
            return;
        }
        let owner = self.bodies[usize::from(body.0)].1;
        self.note(format!("place_body {} {}", body.0, tasks.manager.head(owner).unwrap().position.x));
    }
    fn body_flags(&self, body: BodyId) -> u32 {
        self.bodies.get(usize::from(body.0)).map_or(0, |(flags, _)| *flags)
    }
    fn change_body_flags(&mut self, body: BodyId, set: u32, clear: u32) {
        let (flags, _) = &mut self.bodies[usize::from(body.0)];
        *flags = *flags & !clear | set;
    }
    fn set_body_springs(&mut self, body: BodyId, springs: [f32; 3]) {
        self.note(format!("springs {} {springs:?}", body.0));
    }
    fn lower_car_body(&mut self, body: BodyId) {
        self.note(format!("lower_car_body {}", body.0));
    }
    /// Sweeps down to `floor_height`, where the owner's contact handler answers.
    fn sweep_body(&mut self, tasks: &mut TaskEngine, body: BodyId, velocity: Vec3, dt: f32) {
        if let Some((physics, mesh)) = &mut self.physics {
            physics.sweep_body(body, velocity, dt, Some(mesh), &mut TaskOwners::new(tasks));
            return;
        }
        let (_, owner) = self.bodies[usize::from(body.0)];
        let from = tasks.manager.head(owner).unwrap().position;
        let to = from + velocity * dt;
        let Some(floor) = self.floor_height.filter(|floor| to.z <= *floor && velocity.z < 0.0) else {
            tasks.manager.head_mut(owner).unwrap().position = to;
            return;
        };
        use super::objects::hits::ObjectContact;
        let contact = ObjectContact { normal: Vec3::Z, speed: -velocity.z, ..ObjectContact::default() };
        let outcome = tasks.object_contact(owner, &contact);
        self.note(format!("contact {} {:#x}", velocity.z, outcome.answer.0));
        if let Some(axes) = outcome.settles_on {
            self.note(format!("settle {} {}", label(owner), axes.0));
            tasks.object_settles(owner, tasks.manager.head(owner).unwrap().rotation);
        }
        let bounced = Vec3::new(velocity.x, velocity.y, velocity.z * -0.1 * 0.98);
        let velocity = if outcome.answer == Answer::REST { Vec3::ZERO } else { bounced };
        let head = tasks.manager.head_mut(owner).unwrap();
        head.velocity = velocity;
        // The next pass moves the whole bounced velocity from where the first one stopped.
        head.position = Vec3::new(to.x, to.y, floor + 0.01 + velocity.z * dt);
    }
    fn fly_part(&mut self, tasks: &mut TaskEngine, part: &mut LoosePart) -> PartEvents {
        let owners = TaskOwners::new(tasks);
        match &mut self.physics {
            Some((physics, mesh)) => part.update(physics, Some(mesh), &owners),
            None => {
                let sky = self.sky.get_or_insert_with(|| std::boxed::Box::new(PhysicsWorld::new()));
                part.update(sky, None, &owners)
            }
        }
    }
    fn cancel_settle(&mut self, owner: TaskId) {
        self.note(format!("cancel_settle {}", label(owner)));
    }
    fn physics_step(&mut self, tasks: &mut TaskEngine) {
        if let Some((physics, _)) = &mut self.physics {
            physics.step(&mut TaskOwners::new(tasks));
        }
        self.note("physics".into());
    }
    fn play_sound(&mut self, sound: u32, _: Vec3, volume: f32) -> Option<SoundId> {
        self.note(format!("sound {sound} {volume}"));
        self.sounds += 1;
        Some(SoundId(self.sounds))
    }
    fn move_sound(&mut self, sound: SoundId, at: Vec3) {
        self.note(format!("move_sound {} {}", sound.0, at.x));
    }
    fn stop_sound(&mut self, sound: SoundId) {
        self.note(format!("stop_sound {}", sound.0));
    }
    fn preload_sound(&mut self, sound: u32) {
        self.note(format!("preload {sound}"));
    }
    fn take_instance(&mut self, _: u32) -> Option<InstanceId> {
        self.instances += 1;
        Some(InstanceId(self.instances))
    }
    fn release_instance(&mut self, instance: InstanceId) {
        self.note(format!("release_instance {}", instance.0));
    }
    fn draw_instance(&mut self, instance: InstanceId, pose: Pose, tint: u32) {
        let up = pose.rotation.axis_z();
        self.note(format!("draw {} {} {:.3} {tint:#x}", instance.0, pose.position.x, up.x));
    }
    fn open_part(&mut self, instance: InstanceId, part: u8) {
        self.note(format!("open_part {} {part}", instance.0));
    }
    fn draw_sprite(&mut self, sprite: &Sprite) {
        self.note(format!("sprite {}", sprite.pose.position.x));
        self.sprites.push(*sprite);
    }
    fn set_light(&mut self, light: u16, position: Vec3, colour: [f32; 3], range: f32) {
        self.note(format!("light {light} {} {colour:?} {range}", position.x));
    }
    fn person(&self, human: u16) -> Option<Person> {
        self.persons.get(&human).copied()
    }
    fn hurt(&mut self, _: &mut TaskEngine, human: u16, damage: i32, _: Vec3) {
        self.hurts.push((human, damage));
    }
    fn group_humans(&mut self, humans: u64, together: bool) {
        self.note(format!("group {humans:#x} {together}"));
    }
    fn give(&mut self, _: &mut TaskEngine, human: u16, gift: Gift) -> bool {
        self.note(format!("give {human} {gift:?}"));
        true
    }
    fn attach_pose(&self, _: u16, _: u8, _: u8) -> Option<Pose> {
        self.hand
    }
    fn noise(&mut self, _: &mut TaskEngine, _: Vec3, source: TaskId) {
        self.note(format!("noise {}", label(source)));
    }
    fn crime(&mut self, _: &mut TaskEngine, _: Vec3, culprit: Handle) {
        self.note(format!("crime {culprit:?}"));
    }
    fn view(&self, player: u8) -> Option<View> {
        self.views.get(usize::from(player)).copied().flatten()
    }
    fn set_time_scale(&mut self, scale: f32) {
        self.note(format!("time_scale {scale}"));
    }
    fn shake(&mut self, player: u8, level: Option<f32>, time: Option<f32>) {
        self.note(format!("shake {player} {level:?} {time:?}"));
    }
    fn random(&mut self, bound: u32) -> u32 {
        self.random = self.random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.random >> 8) % bound.max(1)
    }
    fn particle_type(&self, name: u32) -> Option<ParticleType> {
        let flags = if self.probes { super::head::flag::PROBES_LANDING } else { 0 };
        Some(ParticleType { interval: self.intervals.get(&name).copied().unwrap_or(1), flags })
    }
    fn type_message(&mut self, tasks: &mut TaskEngine, id: TaskId, message: u32) -> i32 {
        self.note(format!("type {} {message}", label(id)));
        if let Ok(frame) = tasks.messages.frame()
            && let Ok(value) = frame.pop_int()
        {
            self.last_int = Some(value);
        }
        if let Some(next) = self.reenters {
            self.depths.push(tasks.messages.depth());
            if let Err(error) = tasks.send_message(self, next, message, &[]) {
                self.note(format!("{error:?}"));
            }
        }
        if message == super::engine::number::PROCESS
            && let Some(whole) = self.breaks.take()
        {
            tasks.break_object(self, whole, Handle::NIL);
            tasks.spawn_thrown_debris(self, BRICK, Vec3::Z, Vec3::Z * 3.0);
        }
        if self.ends_itself && message == super::engine::number::PROCESS {
            tasks.release(self, id);
        }
        self.answer
    }
    fn human_message(&mut self, _: &mut TaskEngine, human: u16, message: &HumanMessage, number: u32) -> i32 {
        self.note(format!("human {human} {message:?} {number}"));
        self.answer
    }
    fn call(&mut self, _: &mut TaskEngine, function: u32, object: Handle, value: i32) {
        self.note(format!("call {function} {object:?} {value}"));
    }
    fn update_game_state(&mut self, _: &mut TaskEngine) {
        self.note("game_state".into());
    }
}

impl Characters for FakeWorld {
    fn step_effects(&mut self, _: &mut TaskEngine) {
        self.note("effects".into());
    }
    fn update_pads(&mut self) {
        self.note("pads".into());
    }
    fn update_formation(&mut self, _: &mut TaskEngine, formation: usize) {
        self.note(format!("formation {formation}"));
    }
    fn pad_input(&self, pad: u8) -> Option<PadInput> {
        self.pads.get(&pad).copied()
    }
    fn update_gang(&mut self, _: &mut TaskEngine, gang: usize) {
        self.note(format!("gang {gang}"));
    }
    fn brain_enabled(&self, _: usize) -> bool {
        true
    }
    fn think(&mut self, _: &mut TaskEngine, brain: usize) {
        self.note(format!("think {brain}"));
    }
    fn update_brain(&mut self, tasks: &mut TaskEngine, brain: usize) {
        self.note(format!("brain {brain}"));
        for (human, command) in &self.brain_commands {
            if *human == brain {
                tasks.humans.records.set_command(*human, *command);
            }
        }
    }
    fn animate(&mut self, _: &mut TaskEngine, human: usize) {
        self.note(format!("animate {human}"));
    }
    fn refresh_animation(&mut self) {
        self.note("refresh".into());
    }
    fn human_effects(&mut self, _: &mut TaskEngine, human: usize) {
        self.note(format!("human_effects {human}"));
    }
    fn state_is_ready(&self, human: usize) -> bool {
        !self.not_ready.contains(&human)
    }
    fn update_state(&mut self, _: &mut TaskEngine, human: usize) {
        self.note(format!("state {human}"));
    }
    fn condition(&self, human: usize) -> Condition {
        self.people.get(&human).copied().unwrap_or_default()
    }
    fn gate(&self, human: usize) -> Gate {
        self.gates.get(&human).copied().unwrap_or_default()
    }
    fn dispatch(&mut self, _: &mut TaskEngine, human: usize, command: u8) {
        self.note(format!("dispatch {human} {command}"));
    }
    fn choose_anim_state(&mut self, _: &mut TaskEngine, human: usize) {
        self.note(format!("anim_state {human}"));
    }
    fn update_down(&mut self, _: &mut TaskEngine, human: usize) {
        self.note(format!("down {human}"));
    }
    fn update_cameras(&mut self, _: &mut TaskEngine, _: f32) {
        self.note("cameras".into());
    }
}
