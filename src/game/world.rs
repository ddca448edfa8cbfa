//! The rest of the game as the TaskEngine sees it.
//!
//! [`GameWorld`] borrows from the game what tasks ask for while they run: level, bodies, pads, rules. It is made anew for each
//! frame's ticks, so nothing of it is kept by the engine.

use super::characters::People;
use super::machine::Machine;
use super::rules::Rules;
use super::rumble::Rumbler;
use super::staging::{self, Staging};
use super::state::GameState;
use super::things::{Things, motes, objects};
use super::walker::Walker;
use crate::audio::{self, Audio};
use crate::camera::follow::FollowCamera;
use crate::clock::GameTimer;
use crate::collision::{CollisionMesh, Ray, RayFilter};
use crate::maths::{Pose, Vec3};
use crate::pads::{Pads, ResetCombination};
use crate::physics::PhysicsWorld;
use crate::physics::car_parts::{LoosePart, PartEvents};
use crate::physics::flags::BodyFlags;
use crate::physics::ids::BodyId;
use crate::physics::pools::BodyKind;
use crate::tasks::engine::TaskEngine;
use crate::tasks::handle::Handle;
use crate::tasks::humans::events::{Event, kind};
use crate::tasks::humans::messages::HumanMessage;
use crate::tasks::ids::{TaskClass, TaskId};
use crate::tasks::owners::{TaskOwners, owner_of};
use crate::tasks::world::{
    BodySpec, Gift, InstanceId, ParticleType, Person, RayHit, SoundId, Sprite, TriangleChange, View, World,
};
use core::cell::RefCell;

/// Level and seconds of a shaking that is asked for without them.
const SHAKE: (f32, f32) = (0.6, 0.4);
/// Metres by which a camera shakes at level 1. Our choice.
const SHAKE_METRES: f32 = 0.12;

/// A small generator for what needs no more than variety.
///
/// Our choice: a generator instead of the original's table of 1,024 numbers, which is game data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random(u32);

impl Random {
    /// The sequence that every level begins with.
    pub const fn new() -> Self {
        Self(0x9e37_79b9)
    }

    /// A number below `bound`; 0 when that is 0.
    pub const fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        if bound == 0 { 0 } else { self.0 % bound }
    }

    /// A number of `[0, 1)`.
    pub const fn share(&mut self) -> f32 {
        const FINE: u32 = 1 << 16;
        self.below(FINE) as f32 / FINE as f32
    }
}

impl Default for Random {
    fn default() -> Self {
        Self::new()
    }
}

/// What the pads have said, and whether they ask for the title.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The records of both ports.
    pub pads: Pads,
    /// Watches each port for the reset combination.
    pub resets: [ResetCombination; crate::pads::PORTS],
    /// The reset combination was held.
    pub reset_due: bool,
    /// Replays recorded buttons instead of what the first port says.
    pub script: Option<crate::pads::Script>,
    /// The same for the second port.
    pub second: Option<crate::pads::Script>,
    /// An autopilot that holds the first controller wherever a level is played.
    pub pilot: Option<super::autopilot::Pilot>,
    /// Two players play, each with the controller of a port.
    pub shared: bool,
    /// A demo that plays in the controllers' place.
    pub demo: Option<super::attract::Demo>,
    /// A demo has ended: the button that ended it counts for nothing until every button is up.
    pub deaf: bool,
    /// The ports have been read at least once.
    pub was_read: bool,
    /// The only controller is in the second port, and counts as the first.
    pub swapped: bool,
    /// Cross and circle, and square and triangle, have changed places.
    pub turned: bool,
    /// The first pad as the overlay sees it.
    pub debug: super::debug::DebugPad,
}

impl Input {
    /// Reads both ports at real time `real`, in ticks.
    pub fn read<M: Machine>(&mut self, machine: &mut M, real: u64) {
        let due = (0..crate::pads::PORTS).any(|port| self.pads.get(port).is_some_and(|pad| pad.is_read_due(real)));
        if !due {
            return;
        }
        let mut readings = self.players_readings(machine);
        if self.turned {
            readings.iter_mut().flatten().for_each(|reading| *reading = reading.turned());
        }
        for (port, reading) in readings.iter().enumerate() {
            let was = self.pads.get(port).is_some_and(|pad| pad.is_connected());
            if was != reading.is_some() {
                machine.print(format_args!("PAD {} {}", port + 1, if was { "gone" } else { "here" }));
            }
        }
        self.debug.filter(&mut readings[0], real);
        self.pads.sample(readings, real);
        self.was_read = true;
        for (port, reset) in self.resets.iter_mut().enumerate() {
            let buttons = self.pads.get(port).map_or(0, |pad| pad.back(0));
            self.reset_due |= reset.watch(buttons, real);
        }
    }

    /// What the ports say, the only controller as the first player's.
    fn players_readings<M: Machine>(&mut self, machine: &mut M) -> [Option<crate::pads::Reading>; crate::pads::PORTS] {
        let mut readings = self.readings(machine);
        // Who plays with another keeps to the port where the game began.
        if !self.shared {
            self.swapped = readings[0].is_none() && readings[1].is_some();
        }
        if self.swapped {
            readings.swap(0, 1);
        }
        readings
    }

    /// What the ports say, or the script in the first one's place.
    fn readings<M: Machine>(&mut self, machine: &mut M) -> [Option<crate::pads::Reading>; crate::pads::PORTS] {
        let mut readings = machine.read_pads();
        if let Some(script) = &mut self.script {
            readings[0] = script.next_reading();
        }
        if let Some(held) = self.pilot.as_mut().and_then(super::autopilot::Pilot::take) {
            readings[0] = Some(held);
        }
        if let Some(script) = &mut self.second {
            readings[1] = script.next_reading();
        }
        if let Some(demo) = &mut self.demo {
            return demo.readings(&readings);
        }
        self.deaf &= readings.iter().flatten().any(|reading| reading.buttons != 0);
        if self.deaf {
            readings.iter_mut().flatten().for_each(|reading| *reading = crate::pads::Reading::default());
        }
        readings
    }

    /// True when the ports were read, and nobody has a controller, or one of two players has none.
    pub fn misses_pads(&self) -> bool {
        self.was_read && if self.shared { self.missing_port().is_some() } else { !self.pads.any_connected() }
    }

    /// The first port without a controller.
    pub fn missing_port(&self) -> Option<usize> {
        (0..crate::pads::PORTS).find(|port| self.pads.get(*port).is_none_or(|pad| !pad.is_connected()))
    }

    /// The port that the controller of a player is in.
    pub const fn port_of(&self, player: usize) -> usize {
        if self.swapped { (crate::pads::PORTS - 1).saturating_sub(player) } else { player }
    }

    /// Reads the first player's controller for the overlay alone: the game's own records stay as they are.
    pub fn read_for_overlay<M: Machine>(&mut self, machine: &mut M, real: u64) {
        if self.debug.record.is_read_due(real) {
            let mut reading = self.players_readings(machine)[0];
            self.debug.filter(&mut reading, real);
        }
    }
}

/// What tasks ask of the game.
pub struct GameWorld<'a, M> {
    /// The console, for the pads.
    pub machine: &'a mut M,
    /// The pads.
    pub input: &'a mut Input,
    /// Real time of this frame, in ticks.
    pub real: u64,
    /// The physics.
    pub physics: Option<&'a mut PhysicsWorld>,
    /// The level's collision mesh; a query marks what it has checked, hence the cell.
    pub mesh: RefCell<Option<&'a mut CollisionMesh>>,
    /// The people, once they have come from the disc.
    pub people: Option<&'a mut People>,
    /// The player's eyes where nobody lives.
    pub walker: &'a mut Walker,
    /// The game's clock.
    pub clock: &'a mut GameTimer,
    /// What is heard.
    pub audio: &'a mut Audio,
    /// What shakes in the players' hands.
    pub rumble: &'a mut Rumbler,
    /// What ends the level.
    pub rules: &'a mut Rules,
    /// The game's state.
    pub state: &'a mut GameState,
    /// The level's random numbers.
    pub random: &'a mut Random,
    /// The things as they are seen.
    pub things: &'a mut Things,
    /// The scene that plays.
    pub staging: &'a mut Staging,
}

impl<M: Machine> World for GameWorld<'_, M> {
    fn ray(&self, from: Vec3, direction: Vec3, length: f32) -> Option<RayHit> {
        let mut mesh = self.mesh.try_borrow_mut().ok()?;
        let ray = Ray { origin: from, direction, length };
        let hit = mesh.as_deref_mut()?.cast(&ray, &RayFilter::default()).hit?;
        Some(RayHit { distance: hit.distance, normal: hit.normal, surface: hit.material })
    }
    fn change_triangles(&mut self, group: u32, change: TriangleChange) {
        if let Some(mesh) = self.mesh.get_mut().as_deref_mut() {
            self.things.doors.change_triangles(mesh, group, change);
        }
    }
    // A link of the navigation is a path of the level, by the hash of its name.
    fn set_nav_link(&mut self, link: u32, open: bool) {
        if let Some(people) = self.people.as_deref_mut() {
            people.brains.paths.set_open(link, open);
        }
    }

    fn create_body(&mut self, tasks: &mut TaskEngine, owner: TaskId, spec: &BodySpec) -> Option<BodyId> {
        let physics = self.physics.as_deref_mut()?;
        let (owner, owners) = (owner_of(owner), owners(tasks, self.people.as_deref_mut()));
        match *spec {
            BodySpec::Object(shape, layers, extra) => physics.create_object_body(owner, shape, layers, extra, &owners),
            BodySpec::Car(boxes) => physics.create_car_body(owner, boxes, &owners),
            BodySpec::Pane(size) => physics.create_pane_body(owner, size, &owners),
        }
    }
    fn free_body(&mut self, body: BodyId) {
        if let Some(physics) = self.physics.as_deref_mut() {
            match BodyKind::of(body) {
                BodyKind::Human => physics.free_human_body(body),
                BodyKind::PunchBag => physics.free_punch_bag_body(body),
                BodyKind::Object => physics.free_object_body(body),
                BodyKind::Pane => physics.free_pane_body(body),
                BodyKind::Car => physics.free_car_body(body),
            }
        }
    }
    fn place_body(&mut self, tasks: &mut TaskEngine, body: BodyId) {
        if let Some(physics) = self.physics.as_deref_mut() {
            physics.mark_dirty(body);
            physics.update_body(body, &mut owners(tasks, self.people.as_deref_mut()));
        }
    }
    fn body_flags(&self, body: BodyId) -> u32 {
        self.physics.as_deref().map_or(0, |physics| physics.body(body).flags.0)
    }
    fn change_body_flags(&mut self, body: BodyId, set: u32, clear: u32) {
        if let Some(physics) = self.physics.as_deref_mut() {
            let flags = &mut physics.body_mut(body).flags;
            *flags = BodyFlags(flags.0 & !clear | set);
        }
    }
    // No part of the physics reads a body's springs.
    fn set_body_springs(&mut self, _: BodyId, _: [f32; 3]) {}
    fn lower_car_body(&mut self, body: BodyId) {
        if let Some(physics) = self.physics.as_deref_mut() {
            physics.lower_exploded_car(body);
        }
    }
    fn sweep_body(&mut self, tasks: &mut TaskEngine, body: BodyId, velocity: Vec3, dt: f32) {
        if let Some(physics) = self.physics.as_deref_mut() {
            let mut owners = owners(tasks, self.people.as_deref_mut());
            physics.sweep_body(body, velocity, dt, self.mesh.get_mut().as_deref_mut(), &mut owners);
        }
    }
    fn fly_part(&mut self, tasks: &mut TaskEngine, part: &mut LoosePart) -> PartEvents {
        let owners = owners(tasks, self.people.as_deref_mut());
        self.physics.as_deref_mut().map_or_else(PartEvents::default, |physics| {
            part.update(physics, self.mesh.get_mut().as_deref_mut(), &owners)
        })
    }
    fn cancel_settle(&mut self, owner: TaskId) {
        if let Some(physics) = self.physics.as_deref_mut() {
            physics.cancel_settle(owner_of(owner));
        }
    }
    fn physics_step(&mut self, tasks: &mut TaskEngine) {
        if let Some(physics) = self.physics.as_deref_mut() {
            physics.step(&mut owners(tasks, self.people.as_deref_mut()));
        }
    }

    fn play_sound(&mut self, sound: u32, at: Vec3, volume: f32) -> Option<SoundId> {
        let play = audio::Play { volume, source: audio::Source::At(at), ..audio::Play::default() };
        self.audio.play_named(sound, play).map(|handle| SoundId(handle.number()))
    }
    // A sound that has ended has nothing to be moved or stopped.
    fn move_sound(&mut self, sound: SoundId, at: Vec3) {
        let _plays = self.audio.voices().set_source(audio::Handle::from_number(sound.0), audio::Source::At(at));
    }
    fn stop_sound(&mut self, sound: SoundId) {
        let _played = self.audio.voices().stop(audio::Handle::from_number(sound.0));
    }
    // The bank with every sound is loaded at start-up.
    fn preload_sound(&mut self, _: u32) {}

    fn take_instance(&mut self, model: u32) -> Option<InstanceId> {
        self.things.models.take(model)
    }
    fn release_instance(&mut self, instance: InstanceId) {
        self.things.models.release(instance);
    }
    fn shows_instance(&self, instance: InstanceId, at: Vec3) -> bool {
        self.things.shows_instance(instance, at)
    }
    fn draw_instance(&mut self, instance: InstanceId, pose: Pose, _tint: u32) {
        if self.things.models.wants_ground(instance, pose) {
            let ground = objects::ground_under(self, pose.position);
            self.things.models.set_ground(instance, pose, ground);
        }
        self.things.models.draw_instance(instance, pose);
    }
    fn open_part(&mut self, instance: InstanceId, part: u8) {
        self.things.models.open_part(instance, part);
    }
    fn shows_sprite(&self, at: Vec3, size: f32) -> bool {
        self.things.shows_sprite(at, size)
    }
    fn draw_sprite(&mut self, sprite: &Sprite) {
        self.things.add_sprite(sprite);
    }
    fn set_light(&mut self, light: u16, position: Vec3, colour: [f32; 3], range: f32) {
        self.things.lighting.set(light, position, colour, range);
    }

    fn person(&self, human: u16) -> Option<Person> {
        self.person_of(human)
    }
    fn hurt(&mut self, _: &mut TaskEngine, human: u16, damage: i32, from: Vec3) {
        self.hurt_person(human, damage, from);
    }
    fn hurt_by(&mut self, tasks: &mut TaskEngine, human: u16, damage: i32, from: Vec3, culprit: Option<u16>) {
        match culprit {
            Some(culprit) => self.hurt_by_human(tasks, (human, culprit), damage, from),
            None => self.hurt_person(human, damage, from),
        }
    }
    fn give(&mut self, _: &mut TaskEngine, human: u16, gift: Gift) -> bool {
        self.give_person(human, gift) && objects::give(self, human, gift)
    }
    fn attach_pose(&self, human: u16, part: u8, _: u8) -> Option<Pose> {
        self.bone_pose(human, part)
    }
    fn group_humans(&mut self, humans: u64, together: bool) {
        let (Some(people), Some(physics)) = (self.people.as_deref_mut(), self.physics.as_deref_mut()) else { return };
        let group = if together { physics.next_group() } else { 0 };
        people.humans.stage_together(humans, group);
    }
    fn noise(&mut self, tasks: &mut TaskEngine, at: Vec3, source: TaskId) {
        let sender = tasks.manager.head(source).map_or(Handle::NIL, |head| head.handle);
        self.hand_around(tasks, at, &Event { kind: kind::NOISE, sender }, &[]);
    }
    fn crime(&mut self, tasks: &mut TaskEngine, at: Vec3, culprit: Handle) {
        self.hand_around(tasks, at, &Event { kind: kind::CRIME, sender: culprit }, &[]);
    }

    fn view(&self, player: u8) -> Option<View> {
        if let Some(eye) = self.staging.eye() {
            return (player == 0).then(|| eye.view());
        }
        let camera = self.people.as_deref().and_then(|people| people.camera(player));
        camera.map(FollowCamera::view).or_else(|| (player == 0).then(|| self.walker.view()))
    }
    fn set_time_scale(&mut self, scale: f32) {
        self.clock.set_scale(scale);
    }
    fn shake(&mut self, player: u8, level: Option<f32>, seconds: Option<f32>) {
        let (strength, length) = (level.unwrap_or(SHAKE.0), seconds.unwrap_or(SHAKE.1));
        let camera = self.people.as_deref_mut().and_then(|people| people.cameras.get_mut(usize::from(player)));
        if let Some(camera) = camera {
            camera.shake_by(strength * SHAKE_METRES, length);
        }
        // Our choice: the hands feel what the eye sees.
        self.rumble.shake(usize::from(player), strength, length);
    }
    fn random(&mut self, bound: u32) -> u32 {
        self.random.below(bound)
    }

    fn particle_type(&self, name: u32) -> Option<ParticleType> {
        self.things.kind(name).map(|kind| ParticleType { interval: kind.interval, flags: motes::head_flags(kind) })
    }
    fn type_message(&mut self, tasks: &mut TaskEngine, id: TaskId, message: u32) -> i32 {
        match id.class() {
            Some(TaskClass::Particle | TaskClass::PauseParticle) => motes::message(self, tasks, id, message),
            Some(TaskClass::Object | TaskClass::Pane) => objects::message(self, tasks, id, message),
            Some(TaskClass::Scene) => {
                staging::update(self, tasks, id);
                0
            }
            _ => 0,
        }
    }
    fn human_message(&mut self, tasks: &mut TaskEngine, human: u16, message: &HumanMessage, number: u32) -> i32 {
        self.message_human(tasks, human, message, number).into()
    }
    fn call(&mut self, tasks: &mut TaskEngine, function: u32, object: Handle, value: i32) {
        super::calls::call(self, tasks, function, object, value);
    }
    fn update_game_state(&mut self, tasks: &mut TaskEngine) {
        motes::raise(self, tasks);
        if let Some(people) = self.people.as_deref_mut() {
            people.tell(&mut self.state.statistics, self.audio, self.rumble);
        }
        objects::update(self, tasks);
        super::rules::update(self, tasks);
        super::arena::update(self, tasks);
        if let Some(report) = tasks.manager.watch.take_report() {
            self.machine.print(format_args!("WHEEL {report}"));
        }
    }
}

/// The tasks' bodies, and the humans' where there are any.
fn owners<'a>(tasks: &'a mut TaskEngine, people: Option<&'a mut People>) -> TaskOwners<'a> {
    match people {
        Some(people) => TaskOwners::with_humans(tasks, &mut people.humans),
        None => TaskOwners::new(tasks),
    }
}
