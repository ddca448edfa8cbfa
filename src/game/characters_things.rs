//! What people do to things: strikes land, hands take, throw and let fall.
//!
//! The people's [`Deed`]s are carried out here, after the turn of each human and before the next one's: humans know things
//! only by their bodies, and the TaskEngine knows hands only by their poses.
//!
//! Source: seed 000, World objects, Cars and Glass; seed 002, How things actually move (throws).

use super::machine::Machine;
use super::world::GameWorld;
use crate::animation::skeleton::bone;
use crate::combat::deeds::{Deed, Wielded};
use crate::human::Human;
use crate::maths::{Pose, Quat, Vec3, from_heading};
use crate::physics::create::ObjectShape;
use crate::physics::objects::Release;
use crate::tasks::blows::ThingBlow;
use crate::tasks::engine::TaskEngine;
use crate::tasks::handle::Handle;
use crate::tasks::head::{GRAVITY, flag};
use crate::tasks::ids::{TaskClass, TaskId};
use crate::tasks::owners::task_of;
use core::f32::consts::FRAC_PI_2;

/// How far before the feet a hand reaches for a thing, and how far up and down, metres. Our choice: a step and an arm.
const REACH: f32 = 1.3;
const REACH_HEIGHT: f32 = 1.1;
/// The cosine of the half angle in which it reaches.
const REACH_AHEAD: f32 = 0.1;
/// What the clip may have carried the hand away from what it reaches for, metres.
const REACH_SLACK: f32 = 0.5;

/// A thing whose longest side is at least this share longer than the next is held by its end. Our choice.
const LONG: f32 = 1.8;
/// Where on its length the fist closes, as a share of the half from the middle to its end.
const GRIPPED_AT: f32 = 0.72;
/// From the wrist to the middle of the fist, metres along the hand.
const FIST: f32 = 0.07;
/// How far a long thing leans out of the square on the forearm, radians.
const LEAN: f32 = 0.35;
/// A thing with a side longer than this takes more than a fist, metres.
const FISTFUL: f32 = 0.4;
/// Where the strike spheres of a long thing are, as shares of its half length, and their least radius in metres.
const STRIKES_AT: [f32; 2] = [0.3, 0.85];
const STRIKE_RADIUS: f32 = 0.12;

/// Where a throw is released: to the right, ahead and up from the feet of a human of scale 1, metres. Our choice, by the clip.
const RELEASED_AT: Vec3 = Vec3::new(0.28, 0.5, 1.62);
/// A throw's speed over the ground, metres a second, and the climb of one without a target. Our choice.
const THROW_SPEED: f32 = 12.0;
const THROW_CLIMB: f32 = 2.6;
/// How far a throw is aimed at somebody, metres, and at which height over the feet.
const AIM_RANGE: f32 = 14.0;
const AIM_HEIGHT: f32 = 1.15;
/// How a thrown thing spins about the upright axis, radians a second.
///
/// Our choice: it flies level. A box meets an upright capsule in the box's own plane (seed 002, Geometry kernels), so that one
/// that tumbled would pass through people.
const SPIN: f32 = 9.0;

/// The velocity with which a thing flies from one point through another.
///
/// Our choice: its speed over the ground is always the same, so that what is nearer is reached sooner.
fn aimed(from: Vec3, at: Vec3) -> Vec3 {
    let off = at - from;
    let distance = off.horizontal().length();
    let time = (distance / THROW_SPEED).max(0.05);
    let climb = off.z / time + 0.5 * GRAVITY * time;
    off.horizontal() * (1.0 / time) + Vec3::Z * climb
}

/// How a thing of these sizes lies in the hand, and where on it the strike spheres are, with their radius.
fn grip(size: Vec3) -> (Pose, [Option<Vec3>; STRIKES_AT.len()], f32) {
    let half = size * 0.5;
    if half.y >= LONG * half.x.max(half.z) {
        // The hand's bone points out of the fist, and its z axis where the thumb does.
        let rotation = Quat::from_axis_angle(Vec3::Y, LEAN) * Quat::from_axis_angle(Vec3::X, FRAC_PI_2);
        let position = Vec3::X * FIST + rotation.axis_y() * (half.y * GRIPPED_AT);
        let radius = half.x.max(half.z).max(STRIKE_RADIUS);
        return (Pose::new(rotation, position), STRIKES_AT.map(|share| Some(Vec3::Y * (half.y * share))), radius);
    }
    let most = half.x.max(half.y).max(half.z);
    let position = Vec3::X * (FIST + half.z * 0.5) + Vec3::Z * half.y;
    (Pose::new(Quat::IDENTITY, position), [Some(Vec3::ZERO), None], most.max(STRIKE_RADIUS))
}

impl<M: Machine> GameWorld<'_, M> {
    /// A command asks for the hand: what it would reach for is found.
    pub(super) fn reach(&mut self, tasks: &TaskEngine, human: usize) {
        let found = self.thing_before(tasks, human, 0.0);
        if let Some(human) = self.someone_mut(human) {
            human.fight.reaches = found;
        }
    }

    /// The nearest thing before a human that the human may pick up.
    fn thing_before(&self, tasks: &TaskEngine, n: usize, slack: f32) -> Option<Handle> {
        let human = self.someone(n)?;
        let ahead = from_heading(human.heading);
        let mut best: Option<(f32, Handle)> = None;
        let mut next = tasks.first_live(TaskClass::Object);
        while let Some(id) = next {
            next = id.index_in(TaskClass::Object).and_then(|slot| tasks.next_live(TaskClass::Object, slot as u16 + 1));
            let Some(head) = tasks.manager.head(id).filter(|head| !head.has(flag::AIRBORNE)) else { continue };
            let off = head.position - human.position;
            let distance = off.horizontal().length();
            let before = off.dot(ahead) >= REACH_AHEAD * distance;
            let within = distance <= REACH + slack && off.z.abs() <= REACH_HEIGHT + slack && before;
            if within && best.is_none_or(|(least, _)| distance < least) && tasks.can_be_picked_by(self, id, n as u16) {
                best = Some((distance, head.handle));
            }
        }
        best.map(|(_, handle)| handle)
    }

    fn someone(&self, n: usize) -> Option<&Human> {
        self.people.as_deref()?.humans.people.get(n).filter(|human| human.present)
    }

    fn someone_mut(&mut self, n: usize) -> Option<&mut Human> {
        self.people.as_deref_mut()?.humans.people.get_mut(n).filter(|human| human.present)
    }

    /// Carries out what was done to things since the last time.
    pub(super) fn carry_out_deeds(&mut self, tasks: &mut TaskEngine) {
        // Most turns come to nothing, and the list is long.
        let Some(people) = self.people.as_deref_mut().filter(|people| !people.humans.deeds.is_empty()) else { return };
        for deed in core::mem::take(&mut people.humans.deeds) {
            match deed {
                Deed::Struck { by, target, at, damage, wielded } => {
                    let from = self.someone(by.into()).map_or(at, |human| human.position);
                    tasks.take_blow(self, task_of(target), &ThingBlow { at, from, damage: damage.into() });
                    if wielded {
                        self.wear_weapon(tasks, by.into());
                    }
                }
                Deed::Wore { by } => self.wear_weapon(tasks, by.into()),
                Deed::CameDown { by, victim } => {
                    if let Some(id) = self.weapon(tasks, by.into()) {
                        tasks.overhead_contact_damage(self, id, victim.into());
                    }
                }
                Deed::Took { by } => self.take_thing(tasks, by.into()),
                Deed::Threw { by } => self.throw_thing(tasks, by.into()),
                Deed::Dropped { by } => {
                    if let Some(id) = self.weapon(tasks, by.into()) {
                        tasks.let_fall(self, id);
                    }
                    self.empty_hand(by.into());
                }
            }
        }
    }

    /// The thing in a human's hand, as long as there is one: what broke or went is no longer held.
    pub(super) fn weapon(&mut self, tasks: &TaskEngine, n: usize) -> Option<TaskId> {
        let thing = self.someone(n)?.fight.weapon?.thing;
        let held = tasks.as_object(thing).filter(|id| tasks.object_holder(*id) == Some(n as u16));
        if held.is_none() {
            self.empty_hand(n);
        }
        held
    }

    /// The hand is empty, and nothing strikes for it.
    fn empty_hand(&mut self, n: usize) {
        let Some(human) = self.someone_mut(n) else { return };
        human.fight.weapon = None;
        if let (Some(body), Some(physics)) = (human.body, self.physics.as_deref_mut()) {
            physics.set_weapon_strikes(body, false);
            physics.clear_strike_spheres(body);
        }
    }

    fn wear_weapon(&mut self, tasks: &mut TaskEngine, n: usize) {
        let Some(id) = self.weapon(tasks, n) else { return };
        let broken = tasks.object_mut(id).is_some_and(crate::tasks::objects::WorldObject::wear_once);
        if broken && tasks.break_object(self, id, Handle::NIL) {
            self.empty_hand(n);
        }
    }

    /// The hand has reached what it went for, if that is still there.
    fn take_thing(&mut self, tasks: &mut TaskEngine, n: usize) {
        let wanted = self.someone_mut(n).and_then(|human| human.fight.reaches.take());
        let Some(thing) = wanted.filter(|wanted| self.thing_before(tasks, n, REACH_SLACK) == Some(*wanted)) else {
            return;
        };
        let Some(id) = tasks.as_object(thing) else { return };
        let Some(kind) = tasks.object_type(id) else { return };
        let size = match kind.shape {
            ObjectShape::Box { size, .. } => size,
            ObjectShape::Sphere { size, .. } => Vec3::splat(size.x),
            ObjectShape::None | ObjectShape::Special => Vec3::ZERO,
        };
        let (grip, spheres, radius) = grip(size);
        let damage = kind.contact_damage.clamp(0, i16::MAX.into()) as i16;
        let overhead = spheres[1].is_none() && size.x.max(size.y).max(size.z) > FISTFUL;
        let holder = tasks.human_handle(n as u16);
        if !tasks.take_in_hand(self, id, (n as u16, holder), bone::RIGHT_HAND as u8, grip) {
            return;
        }
        let Some(human) = self.someone_mut(n) else { return };
        human.fight.weapon = Some(Wielded { thing, grip, damage, overhead });
        if let (Some(body), Some(physics)) = (human.body, self.physics.as_deref_mut()) {
            for offset in spheres.into_iter().flatten() {
                // Without a free sphere the thing strikes nothing; it can still be thrown.
                let _free = physics.add_strike_sphere(body, offset, radius);
            }
            physics.set_weapon_strikes(body, false);
        }
        let player = self.someone(n).and_then(|human| human.spawn.player);
        if let (Some(player), Some(kind)) = (player, tasks.object_type(id)) {
            self.machine.print(format_args!("HAND {player} takes {}", kind.name()));
        }
    }

    /// The hand lets go at the height of a throw: the thing flies to who is aimed at, else straight ahead.
    ///
    /// Source: seed 002, How things actually move (Human_TraceThrowAim 0x0018fee0).
    fn throw_thing(&mut self, tasks: &mut TaskEngine, n: usize) {
        let Some(id) = self.weapon(tasks, n) else { return };
        let Some(human) = self.someone(n) else { return };
        let (turned, player) = (Quat::from_heading(human.heading), human.spawn.player);
        let position = human.position + turned.rotate(RELEASED_AT * human.spawn.scale);
        let target = self.people.as_deref().and_then(|people| people.humans.find_target(n, AIM_RANGE));
        let target = target.and_then(|target| self.someone(target.into()));
        let velocity = target.map_or_else(
            || turned.axis_y() * THROW_SPEED + Vec3::Z * THROW_CLIMB,
            |target| aimed(position, target.position + Vec3::Z * (AIM_HEIGHT * target.spawn.scale)),
        );
        let turn = (turned, Vec3::Z * SPIN);
        if tasks.throw_object(self, id, n as u16, Release { position, velocity }, turn)
            && let Some(player) = player
        {
            let (strength, seconds) = super::rules::THROW_SHAKE;
            self.rumble.shake(usize::from(player), strength, seconds);
            self.rules.count_throw();
            self.state.statistics.thrown = self.state.statistics.thrown.saturating_add(1);
            let name = tasks.object_type(id).map_or("", |kind| kind.name());
            self.machine.print(format_args!("HAND {player} throws {name}"));
        }
        self.empty_hand(n);
    }

    /// Somebody is hurt by what a human threw or swung: who it was is known, and one's own gang is spared.
    pub(super) fn hurt_by_human(
        &mut self,
        tasks: &mut TaskEngine,
        (victim, culprit): (u16, u16),
        damage: i32,
        from: Vec3,
    ) {
        let (n, by) = (usize::from(victim), usize::from(culprit));
        let (Some(them), Some(who)) = (self.someone(n), self.someone(by)) else { return };
        if n == by || them.spawn.gang == who.spawn.gang || them.is_out() {
            return;
        }
        self.hurt_person(victim, damage, from);
        if let Some(people) = self.people.as_deref_mut() {
            people.humans.people[n].fight.struck_by = Some(culprit as u8);
            people.humans.strikes(culprit as u8, victim as u8);
        }
        self.spread_blows(tasks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aimed_throw_goes_through_its_mark() {
        for (at, up) in [(3.0, -0.5), (8.0, 0.0), (13.0, 1.5)] {
            let (from, mark) = (Vec3::new(1.0, 2.0, 1.6), Vec3::new(1.0, 2.0 + at, 1.6 + up));
            let velocity = aimed(from, mark);
            assert!((velocity.horizontal().length() - THROW_SPEED).abs() < 1e-3);
            let time = at / THROW_SPEED;
            let there = from + velocity * time - Vec3::Z * (0.5 * GRAVITY * time * time);
            assert!((there - mark).length() < 1e-3, "{there:?}");
        }
    }

    #[test]
    fn a_bat_is_held_by_its_end_and_a_brick_by_its_middle() {
        let (bat, spheres, radius) = grip(Vec3::new(0.07, 0.84, 0.07));
        let end = bat.point(Vec3::Y * -0.42);
        assert!(end.length() < 0.25 && bat.point(Vec3::Y * 0.42).length() > 0.6, "{end:?}");
        assert!(spheres.iter().all(Option::is_some) && (radius - STRIKE_RADIUS).abs() < 1e-6);
        let (chair, spheres, radius) = grip(Vec3::new(0.44, 0.44, 0.94));
        assert!(chair.position.length() < 0.5 && spheres == [Some(Vec3::ZERO), None] && radius == 0.47);
    }
}
