//! What particles do: motes that live for a moment, and the sources that give them.
//!
//! Source: seed 000, Particles (a particle's behaviour is its script type's). Our choice: one behaviour for all kinds, told
//! apart by the level's records, in place of a script for each.

use super::super::machine::Machine;
use super::super::world::GameWorld;
use crate::combat::attacks::Strength;
use crate::graphics::wave::sine;
use crate::human::Notice;
use crate::maths::{Pose, Quat, Vec3};
use crate::tasks::cars::life::RADIO;
use crate::tasks::clock::{Phase, Ticks};
use crate::tasks::engine::{Creation, TaskEngine, number};
use crate::tasks::handle::Handle;
use crate::tasks::head::flag;
use crate::tasks::ids::TaskId;
use crate::tasks::world::{PLAYERS, World};
use crate::world::kinds::{ParticleKind, particle_flag};

/// States of a source. Source: seed 000, Particles (Tag_SetState, 4 and 6).
const GIVES: u8 = 4;
const RESTS: u8 = 6;
/// Motes of a source in one update at most; what it owes beyond is forgotten.
const MOST_AT_ONCE: f32 = 6.0;
/// How many times as long a mote that nobody sees waits for its next update, and ticks that it waits at most.
const UNSEEN: u16 = 4;
const LONGEST: u16 = 32;
/// 60 Hz ticks in a second.
const TICKS: f32 = 60.0;
/// The wind, metres a second, and how often it swells in a second.
const WIND: Vec3 = Vec3::new(1.1, 0.5, 0.0);
const SWELL: f32 = 0.13;
/// From how far over what has landed the ground is looked for, and how far over the ground it lies, metres.
const LOOKS_DOWN: f32 = 0.25;
const LIES: f32 = 0.012;
/// The motes that a damaged car smokes.
const CAR_SMOKE: u32 = crate::tasks::names::name_hash("car_smoke");

/// What a blow raises, and of how many blows of a frame it is shown.
const IMPACT: u32 = crate::tasks::names::name_hash("impact");
const DUST: u32 = crate::tasks::names::name_hash("dust");
const BLOWS: usize = 8;

/// What is kept of a particle beside its task.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mote {
    kind: u8,
    born: Ticks,
    /// Ticks; 0 for a life that does not end by itself.
    life: Ticks,
    /// Share of its life that passes in a tick.
    pace: f32,
    /// What the lamps around it make of its colour, 128 for no change.
    shade: [u8; 3],
    /// Motes that a source owes.
    owed: f32,
    /// What it does not fall below, metres.
    floor: f32,
    /// It has come to lie.
    lies: bool,
}

/// The flags that a particle's head starts with: those that come to lie look ahead for where they land.
///
/// Source: seed 000, The base task object (flag 0x10000000, Task_ProbeLandingAhead).
pub fn head_flags(kind: &ParticleKind) -> u32 {
    if kind.flags & particle_flag::LANDS != 0 { flag::PROBES_LANDING } else { 0 }
}

/// A message to a particle.
pub fn message<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, id: TaskId, number: u32) -> i32 {
    match number {
        number::CREATED => begin(world, tasks, id),
        number::PROCESS => step(world, tasks, id),
        number::START => change(world, tasks, id, GIVES),
        number::STOP => change(world, tasks, id, RESTS),
        number::SET_STATE => {
            let state = tasks.messages.frame().and_then(|frame| frame.pop_int()).unwrap_or_default();
            set_state(tasks, id, state as u8);
        }
        number::END => tasks.release(world, id),
        number::CAR_DAMAGE => smoke(world, tasks),
        _ => return 0,
    }
    1
}

/// A source begins to give or rests; the stereo of a car also tells who listens to it.
fn change<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, id: TaskId, state: u8) {
    set_state(tasks, id, state);
    if tasks.particle(id).is_some_and(|record| record.name == RADIO) {
        let radio = tasks.manager.head(id).map_or(Handle::NIL, |head| head.handle);
        tasks.radio_message(world, radio, i32::from(state == GIVES));
    }
}

fn set_state(tasks: &mut TaskEngine, id: TaskId, state: u8) {
    if let Some(record) = tasks.particle_mut(id) {
        record.state = state;
    }
}

/// A particle has come into being.
fn begin<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, id: TaskId) {
    let now = tasks.manager.clock.now();
    let things = &mut *world.things;
    let Some(index) = tasks.particle(id).and_then(|record| things.kind_index(record.name)) else { return };
    let Some(kind) = things.kinds.get(index).copied() else { return };
    let Some(position) = tasks.manager.head(id).map(|head| head.position) else { return };
    let mut share = || things.random.share();
    let life = (mix(kind.life, share()) * TICKS) as Ticks;
    let way = Vec3::new(share() * 2.0 - 1.0, share() * 2.0 - 1.0, 0.0) * kind.spread
        + Vec3::Z * (1.0 - kind.spread * share() * 1.4);
    let velocity = way.normalize_or_zero() * mix(kind.speed, share());
    let leaf = kind.flags & particle_flag::LEAF != 0;
    let spin = Vec3::new(share() - 0.5, share() - 0.5, share() - 0.5) * (2.0 * kind.spin);
    let turn = share() * core::f32::consts::TAU;
    let (mirrored, upright) = (share() < 0.5, share() < 0.5);
    let lit = kind.flags & particle_flag::LIT != 0;
    let light = if lit { things.lighting.around(position) } else { Vec3::splat(1.0) };
    let shade = light.to_array().map(|channel| (channel * 128.0).min(200.0) as u8);
    if let Some(mote) = things.mote_mut(id) {
        let pace = if life == 0 { 0.0 } else { 1.0 / life as f32 };
        *mote = Mote { kind: index as u8, born: now, life, pace, shade, owed: 0.0, floor: position.z, lies: false };
    }
    if let Some(head) = tasks.manager.head_mut(id) {
        head.set_velocity(velocity);
        if leaf {
            head.rotation = Quat::from_axis_angle(Vec3::X, turn);
            head.set_angular_velocity(spin);
        }
    }
    if let Some(record) = tasks.particle_mut(id) {
        let pair = |swapped: bool| if swapped { (1.0, 0.0) } else { (0.0, 1.0) };
        let ((left, right), (top, bottom)) = (pair(mirrored), pair(upright && !leaf));
        record.rect = [left, top, right, bottom];
        record.simple = !leaf;
        record.state = GIVES;
        record.cycle = kind.cycle;
        (record.colour, record.size) = (colour(&kind, shade, 0.0), kind.size[0]);
    }
}

/// An update of a particle.
fn step<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, id: TaskId) {
    let now = tasks.manager.clock.now();
    let things = &*world.things;
    let Some(mote) = things.mote(id) else { return };
    let Some(kind) = things.kinds.get(usize::from(mote.kind)) else { return };
    let age = now.saturating_sub(mote.born);
    if mote.life != 0 && age >= mote.life {
        tasks.release(world, id);
        return;
    }
    if kind.emits != 0 {
        let kind = *kind;
        give(world, tasks, id, &kind, age);
        return;
    }
    if tasks.manager.head(id).is_some_and(|head| head.has(flag::LANDING_AHEAD)) {
        land(world, tasks, id);
    }
    let things = &*world.things;
    let Some(mote) = things.mote(id) else { return };
    let Some(kind) = things.kinds.get(usize::from(mote.kind)) else { return };
    let share = age as f32 * mote.pace;
    let size = mix(kind.size, share);
    let mut seen = true;
    if let Some(head) = tasks.manager.head_mut(id).filter(|_| !mote.lies) {
        let dt = head.interval_seconds;
        let mut velocity = head.velocity();
        if kind.wind > 0.0 {
            velocity += things.wind(now) * (kind.wind * dt);
        }
        velocity = velocity * (1.0 - (kind.drag * dt).min(1.0)) - Vec3::Z * (kind.weight * dt);
        if kind.flags & particle_flag::FLOATS != 0 && head.position.z < mote.floor && velocity.z < 0.0 {
            velocity.z = -velocity.z * 0.4;
        }
        head.set_velocity(velocity);
        // Our choice: what nobody sees is updated less often; its steps are as much longer.
        seen = things.shows_sprite(head.position, size);
        head.set_update_interval(if seen {
            kind.interval
        } else {
            kind.interval.saturating_mul(UNSEEN).min(LONGEST).max(kind.interval)
        });
    }
    if let Some(record) = tasks.particle_mut(id) {
        record.size = size;
        if seen {
            record.colour = colour(kind, mote.shade, share);
        }
    }
}

/// The update that the landing probe has timed: what has reached the ground comes to lie on it, and what has met a wall falls
/// down along it.
fn land<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, id: TaskId) {
    let Some(at) = tasks.manager.head(id).map(|head| head.position) else { return };
    let ground = world.ray(at + Vec3::Z * LOOKS_DOWN, -Vec3::Z, 2.0 * LOOKS_DOWN);
    let Some(head) = tasks.manager.head_mut(id) else { return };
    head.flags &= !flag::LANDING_AHEAD;
    let Some(hit) = ground else {
        let fall = head.velocity().z.min(0.0);
        head.set_velocity(Vec3::Z * fall);
        return;
    };
    head.flags &= !flag::PROBES_LANDING;
    head.reset_motion();
    // It lies flat: its own axes x and y are the sprite's.
    let pose =
        Pose::new(Quat::from_heading(at.x + at.y), Vec3::new(at.x, at.y, at.z + LOOKS_DOWN - hit.distance + LIES));
    tasks.manager.set_pose(id, pose);
    if let Some(mote) = world.things.mote_mut(id) {
        mote.lies = true;
    }
}

/// A source gives what is due.
fn give<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine, id: TaskId, kind: &ParticleKind, age: Ticks) {
    let Some(record) = tasks.particle(id) else { return };
    let ([on, off], half) = (record.cycle, record.contact);
    let gives = record.state != RESTS && (off <= 0.0 || age as f32 / TICKS % (on + off) < on);
    let Some(head) = tasks.manager.head(id) else { return };
    let (middle, rotation) = (head.position, head.rotation);
    let reach = kind.range + half.length();
    let eyes: Eyes = (0..PLAYERS).filter_map(|player| world.view(player)).map(|view| view.position).collect();
    // Our choice: sources give all around the players, so that who turns sees no empty street, but leave what effects need.
    let scarce = tasks.manager.clock.phase() == Phase::Play && !tasks.particles[0].has_room();
    if !gives || scarce || !near(&eyes, middle, reach) {
        return;
    }
    let dt = f32::from(kind.interval) / TICKS;
    let Some(mote) = world.things.mote_mut(id) else { return };
    mote.owed = (mote.owed + kind.rate * dt).min(MOST_AT_ONCE);
    let due = mote.owed as u32;
    mote.owed -= due as f32;
    for _ in 0..due {
        let random = &mut world.things.random;
        let mut side = || random.share() * 2.0 - 1.0;
        let at = middle + rotation.rotate(half.scale(Vec3::new(side(), side(), side())));
        if near(&eyes, at, kind.range) {
            let class = tasks.particle_class();
            // A full pool gives nothing; it counts that itself.
            let _made = tasks.create(world, class, kind.emits, &Creation::at(at));
        }
    }
}

/// What a blow raises where it lands: a flash, and dust with it where it was hard.
///
/// Our choice, both kinds and the strength from which there is dust; nothing that looks like blood.
pub fn raise<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine) {
    let Some(people) = world.people.as_deref() else { return };
    let blow = |notice: &Notice| match *notice {
        Notice::Hit { by: Some(_), at, strength, blocked, .. } => {
            Some((at, !blocked && strength >= Strength::Heavy as u8))
        }
        _ => None,
    };
    let blows: heapless::Vec<(Vec3, bool), BLOWS> = people.humans.notices.iter().filter_map(blow).take(BLOWS).collect();
    for (at, hard) in blows {
        let effects: &[u32] = if hard { &[IMPACT, DUST] } else { &[IMPACT] };
        for effect in effects {
            tasks.spawn_effect(world, *effect, at);
        }
    }
}

/// Where the players look from.
type Eyes = heapless::Vec<Vec3, { PLAYERS as usize }>;

/// Whether one of the eyes is within a reach of a point.
fn near(eyes: &Eyes, point: Vec3, reach: f32) -> bool {
    eyes.iter().any(|eye| (point - *eye).length_squared() <= reach * reach)
}

/// A damaged car smokes from a point of its own frame, where that is seen from near.
fn smoke<M: Machine>(world: &mut GameWorld<'_, M>, tasks: &mut TaskEngine) {
    let Ok(frame) = tasks.messages.frame() else { return };
    let (Ok(_kind), Ok(point), Ok(car)) = (frame.pop_int(), frame.pop_vec3(), frame.pop_handle()) else { return };
    let Some(id) = tasks.task(car) else { return };
    let at = tasks.pose_now(world, id).point(point);
    tasks.spawn_effect(world, CAR_SMOKE, at);
}

/// The wind at a time.
pub(super) fn wind(now: Ticks) -> Vec3 {
    let seconds = now as f32 / TICKS;
    WIND * (0.65 + 0.35 * sine(seconds * SWELL))
}

/// A mote's colour after a share of its life.
fn colour(kind: &ParticleKind, shade: [u8; 3], share: f32) -> u32 {
    let appears = if kind.appears > 0.0 { (share / kind.appears).min(1.0) } else { 1.0 };
    let [from, to] = kind.colours.map(u32::to_le_bytes);
    let channel = |at: usize| f32::from(from[at]) + (f32::from(to[at]) - f32::from(from[at])) * share;
    let lit = |at: usize| (channel(at) * f32::from(shade[at]) * (1.0 / 128.0)).min(255.0) as u32;
    lit(0) | lit(1) << 8 | lit(2) << 16 | ((channel(3) * appears) as u32) << 24
}

fn mix([from, to]: [f32; 2], share: f32) -> f32 {
    from + (to - from) * share
}
