//! Settling: the turn with which a landed object comes to rest on its nearest face.
//!
//! Source: seed 002, Settle slot and Settling a landed object.

use super::PhysicsWorld;
use super::constants::SETTLE_ACCELERATION;
use super::ids::{BodyId, OwnerId};
use super::owner::Owners;
use crate::maths::{Quat, Vec3, scalar};
use core::f32::consts::{FRAC_PI_2, PI};

/// The local axes on which a type may come to rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RestAxes(pub u8);

impl RestAxes {
    /// Never settles.
    pub const NONE: Self = Self(0);
    /// The local x axis.
    pub const X: Self = Self(1);
    /// The local y axis.
    pub const Y: Self = Self(2);
    /// The local z axis.
    pub const Z: Self = Self(4);
    /// x and z: bricks and bottles.
    pub const XZ: Self = Self(5);
    /// Any axis.
    pub const XYZ: Self = Self(7);
    /// x and z of something round: the further bit picks an axis that nothing reads.
    pub const XZ_ROUND: Self = Self(13);
    /// y and z of something round.
    pub const YZ_ROUND: Self = Self(14);

    const fn allows(self, axis: usize) -> bool {
        self.0 & 1 << axis != 0
    }
}

/// A settle under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct SettleSlot {
    /// The object; free without one.
    pub object: Option<OwnerId>,
    pub body: Option<BodyId>,
    /// Progress, 0 to 1.
    pub t: f32,
    /// Progress a tick squared.
    pub acceleration: f32,
    /// Progress a tick.
    pub speed: f32,
    pub end: Quat,
    pub start: Quat,
}

impl SettleSlot {
    /// A free slot.
    pub(super) const FREE: Self = Self {
        object: None,
        body: None,
        t: 0.0,
        acceleration: SETTLE_ACCELERATION,
        speed: 0.0,
        end: Quat::IDENTITY,
        start: Quat::IDENTITY,
    };
}

/// A turn eased like something tipping over: slow at first, fastest at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ease {
    /// Progress, 0 to 1.
    pub t: f32,
    /// Progress a tick.
    pub speed: f32,
    /// Progress a tick squared.
    pub acceleration: f32,
}

impl Ease {
    /// At rest.
    pub const fn new(acceleration: f32) -> Self {
        Self { t: 0.0, speed: 0.0, acceleration }
    }

    /// One tick; true when the turn is complete.
    pub fn tick(&mut self) -> bool {
        self.t = (self.t + self.speed).min(1.0);
        self.speed += self.acceleration;
        // From rest the sum 0.01 n (n - 1) reaches 1 exactly; single floats stop a little short of it.
        const COMPLETE: f32 = 1.0 - 1e-5;
        if self.t >= COMPLETE {
            self.t = 1.0;
        }
        self.t >= 1.0
    }
}

/// The allowed local axis whose **positive** direction in the world is nearest the normal; not the nearest of both
/// directions, so that an axis pointing straight down can lose to one lying flat.
///
/// Source: seed 002, Settling a landed object (Settle_NearestAxis 0x00340b38).
// Covers: seed 002, Settle_NearestAxis (0x00340b38) test=an_axis_that_points_down_loses_to_one_that_lies_flat
pub fn nearest_axis(rotation: Quat, normal: Vec3, axes: RestAxes) -> Option<Vec3> {
    let directions = [rotation.axis_x(), rotation.axis_y(), rotation.axis_z()];
    let allowed = directions.into_iter().enumerate().filter(|(axis, _)| axes.allows(*axis)).map(|(_, d)| d);
    allowed.reduce(|best, d| if d.dot(normal) > best.dot(normal) { d } else { best })
}

/// The rotation that brings the nearest allowed axis in line with the normal by the smallest turn, at most 90 degrees
/// either way: the axis's negative end may come to lie on the floor's side.
///
/// Source: seed 002, Settling a landed object (Settle_ComputeTarget 0x00340d08).
// Covers: seed 002, Settle_ComputeTarget (0x00340d08) test=an_object_turns_its_nearest_allowed_axis_to_the_normal
pub fn settle_target(rotation: Quat, normal: Vec3, axes: RestAxes) -> Quat {
    let Some(axis) = nearest_axis(rotation, normal, axes) else { return rotation };
    let angle = scalar::acos(axis.dot(normal));
    let turn = if angle > FRAC_PI_2 { angle - PI } else { angle };
    match axis.cross(normal).try_normalize() {
        Some(around) => (Quat::from_axis_angle(around, turn) * rotation).normalize(),
        None => rotation,
    }
}

impl PhysicsWorld {
    /// Starts an object's turn to rest from the rotation it has now, in its own slot or the first free one; false, and
    /// nothing happens beyond a count, when every slot is busy.
    ///
    /// Source: seed 002, Settling a landed object (IPhysics_StartSettle 0x00340fe0).
    // Covers: seed 002, IPhysics_StartSettle (0x00340fe0) test=sixty_five_landings_get_sixty_four_settles
    pub fn start_settle(
        &mut self,
        object: OwnerId,
        body: Option<BodyId>,
        rotation: Quat,
        normal: Vec3,
        axes: RestAxes,
    ) -> bool {
        let own = self.settles.iter().position(|slot| slot.object == Some(object));
        let Some(slot) = own.or_else(|| self.settles.iter().position(|slot| slot.object.is_none())) else {
            self.counters.settles_refused += 1;
            return false;
        };
        let end = settle_target(rotation, normal, axes);
        self.settles[slot] = SettleSlot { object: Some(object), body, start: rotation, end, ..SettleSlot::FREE };
        true
    }

    /// Ends an object's turn where it is, as its removal does.
    ///
    /// Source: seed 002, Original structure (_CancelSettle 0x003410f0).
    // Covers: seed 002, IPhysics_CancelSettle (0x003410f0) test=an_object_keeps_its_own_slot_and_loses_it_when_cancelled
    pub fn cancel_settle(&mut self, object: OwnerId) {
        for slot in self.settles.iter_mut().filter(|slot| slot.object == Some(object)) {
            slot.object = None;
        }
    }

    /// Settles under way.
    pub fn settling(&self) -> usize {
        self.settles.iter().filter(|slot| slot.object.is_some()).count()
    }

    /// One tick of every settle: turns the object, updates its body at once, and at the end tells its owner.
    ///
    /// Source: seed 002, The step (settle turns).
    pub(super) fn step_settles(&mut self, owners: &mut dyn Owners) {
        for i in 0..self.settles.len() {
            let slot = &mut self.settles[i];
            let Some(object) = slot.object else { continue };
            let mut ease = Ease { t: slot.t, speed: slot.speed, acceleration: slot.acceleration };
            let complete = ease.tick();
            (slot.t, slot.speed) = (ease.t, ease.speed);
            let (rotation, body) = (slot.start.slerp(slot.end, ease.t), slot.body);
            if complete {
                slot.object = None;
            }
            owners.set_rotation(object, rotation);
            if let Some(body) = body.filter(|&body| self.body(body).owner == Some(object)) {
                self.mark_dirty(body);
                self.update_body(body, owners);
            }
            if complete {
                owners.on_settled(object);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Pose;
    use crate::physics::bench::{Things, object};
    use crate::physics::pools::SETTLE_SLOTS;

    #[test]
    fn a_turn_from_rest_takes_eleven_ticks() {
        let mut ease = Ease::new(SETTLE_ACCELERATION);
        let expected = [0.0, 0.02, 0.06, 0.12, 0.2, 0.3, 0.42, 0.56, 0.72, 0.9, 1.0];
        for (n, &t) in expected.iter().enumerate() {
            let complete = ease.tick();
            assert!((ease.t - t).abs() < 1e-5, "tick {}: {}", n + 1, ease.t);
            assert_eq!(complete, n == 10, "tick {}", n + 1);
        }
    }

    fn rotated(axis: Vec3, angle: f32, axes: RestAxes) -> Quat {
        settle_target(Quat::from_axis_angle(axis, angle), Vec3::Z, axes)
    }

    #[test]
    fn an_object_turns_its_nearest_allowed_axis_to_the_normal() {
        assert!((rotated(Vec3::X, 0.5, RestAxes::Z).axis_z() - Vec3::Z).length() < 1e-5);
        assert!((rotated(Vec3::X, 2.8, RestAxes::Z).axis_z() + Vec3::Z).length() < 1e-5);
        let tipped = rotated(Vec3::Y, PI + 0.2, RestAxes::XZ);
        assert!((tipped.axis_x() - Vec3::Z).length() < 1e-5, "{:?}", tipped.axis_x());
    }

    #[test]
    fn an_axis_that_points_down_loses_to_one_that_lies_flat() {
        let turned = Quat::from_axis_angle(Vec3::Y, PI + 0.001);
        let axis = nearest_axis(turned, Vec3::Z, RestAxes::XZ).unwrap();
        assert!((axis - turned.axis_x()).length() < 1e-6);
    }

    #[test]
    fn a_round_type_settles_like_its_plain_one_and_no_axis_turns_nothing() {
        let rotation = Quat::from_axis_angle(Vec3::new(0.6, 0.8, 0.0), 1.0);
        let target = |axes| settle_target(rotation, Vec3::Z, axes);
        assert_eq!(target(RestAxes::XZ_ROUND), target(RestAxes::XZ));
        assert_eq!(target(RestAxes::YZ_ROUND), target(RestAxes(6)));
        assert_eq!(target(RestAxes::NONE), rotation);
    }

    #[test]
    fn sixty_five_landings_get_sixty_four_settles() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let mut started = 0;
        for _ in 0..SETTLE_SLOTS + 1 {
            let owner = things.add(object(Pose::IDENTITY));
            started += world.start_settle(owner, None, Quat::IDENTITY, Vec3::Z, RestAxes::Z) as usize;
        }
        assert_eq!((started, world.settling()), (64, 64));
        assert_eq!(world.counters().settles_refused, 1);
    }

    #[test]
    fn an_object_keeps_its_own_slot_and_loses_it_when_cancelled() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let owner = things.add(object(Pose::IDENTITY));
        for _ in 0..3 {
            assert!(world.start_settle(owner, None, Quat::IDENTITY, Vec3::Z, RestAxes::Z));
        }
        assert_eq!(world.settling(), 1);
        world.cancel_settle(owner);
        assert_eq!(world.settling(), 0);
    }

    #[test]
    fn a_settle_turns_its_object_and_tells_it_when_it_is_done() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let owner = things.add(object(Pose::IDENTITY));
        let start = Quat::from_axis_angle(Vec3::X, 0.5);
        world.start_settle(owner, None, start, Vec3::Z, RestAxes::Z);
        for tick in 1..=11 {
            assert!(!things.get(owner).settled, "tick {tick}");
            world.step(&mut things);
        }
        assert!(things.get(owner).settled);
        assert!((things.get(owner).pose.rotation.axis_z() - Vec3::Z).length() < 1e-5);
    }
}
