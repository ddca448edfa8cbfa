//! Staying with a thing: the grip that an arrived move-to and some actions keep on their target.

use super::position::EPSILON;
use super::{FULL_TURN, Position, TargetInfo, TargetStatus, Time, heading_between, wrap_degrees};
use crate::maths::Vec3;

/// Distance kept between the two cylinders, in metres.
pub const STICKY_RADIUS: f32 = 0.3;
/// A grip ends by itself after this long, in seconds.
pub const STICKY_TIMEOUT: f32 = 1.0;
/// Target movement that is worth a report, in metres.
pub(super) const TARGET_RADIUS: f32 = 0.5;
/// How far ahead of the target its reports look, in seconds.
pub(super) const TARGET_QUANTUM: f32 = 0.5;
/// How much faster than its top speed a stuck body catches up.
const CATCH_UP_FACTOR: f32 = 5.0;
/// Catch-up speed of a body without a top speed, in metres a second.
const FALLBACK_SPEED: f32 = 15.0;

/// The grip on a thing.
///
/// Source: motion notes, MoveToManager (Sticky).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StickyManager {
    target_id: u32,
    target_radius: f32,
    target: Position,
    initialized: bool,
    expires: Time,
}

/// A step of a stuck body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StickyStep {
    /// Movement in metres, world space, z 0.
    pub offset: Vec3,
    /// Change of heading in degrees, within a half turn to either side.
    pub turn: f32,
}

impl StickyManager {
    /// The thing gripped, if any.
    pub fn target_id(&self) -> Option<u32> {
        (self.target_id != 0).then_some(self.target_id)
    }

    /// Lets go; whether there was a grip.
    pub(super) fn release(&mut self) -> bool {
        let held = self.target_id != 0;
        *self = Self::default();
        held
    }

    pub(super) fn stick_to(&mut self, object_id: u32, radius: f32, now: Time) {
        *self =
            Self { target_id: object_id, target_radius: radius, expires: now.after(STICKY_TIMEOUT), ..Self::default() };
    }

    /// Takes a report of the target in; `true` when the target is lost and the grip with it.
    pub(super) fn update_target(&mut self, info: &TargetInfo) -> bool {
        if self.target_id == 0 || info.object_id != self.target_id {
            return false;
        }
        if info.status == TargetStatus::Ok {
            self.initialized = true;
            self.target = info.target_position;
            return false;
        }
        self.release()
    }

    /// Whether the grip has outlived its time.
    pub fn has_expired(&self, now: Time) -> bool {
        self.target_id != 0 && now > self.expires
    }

    /// How a stuck body moves in `dt` seconds: straight to or from the target until the cylinders are
    /// [`STICKY_RADIUS`] apart, turning to face it. `None` while there is no target to go to.
    pub fn step(&self, own: Position, radius: f32, max_speed: f32, dt: f32) -> Option<StickyStep> {
        if self.target_id == 0 || !self.initialized {
            return None;
        }
        let level = Vec3::new(self.target.point.x, self.target.point.y, own.point.z);
        let distance = (level - own.point).length() - (radius + self.target_radius) - STICKY_RADIUS;
        let direction = (level - own.point).normalize_or_zero();
        let speed = if max_speed * CATCH_UP_FACTOR < EPSILON { FALLBACK_SPEED } else { max_speed * CATCH_UP_FACTOR };
        let travel = (speed * dt).min(distance.abs());
        let signed = if distance < 0.0 { -travel } else { travel };
        let turn = wrap_degrees(heading_between(own.point, level) - own.heading);
        let turn = if turn > FULL_TURN / 2.0 { turn - FULL_TURN } else { turn };
        Some(StickyStep { offset: direction * signed, turn })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stuck(at: Vec3) -> StickyManager {
        let mut sticky = StickyManager::default();
        sticky.stick_to(7, 0.5, Time(0));
        let place = Position { point: at, heading: 0.0 };
        sticky.update_target(&TargetInfo {
            object_id: 7,
            status: TargetStatus::Ok,
            target_position: place,
            interpolated_position: place,
        });
        sticky
    }

    #[test]
    fn a_stuck_body_closes_in_and_stops_at_the_sticky_distance() {
        let sticky = stuck(Vec3::new(4.0, 0.0, 0.0));
        let mut own = Position::default();
        for _ in 0..30 {
            let step = sticky.step(own, 0.5, 4.0, 1.0 / 30.0).unwrap();
            own.point += step.offset;
            own.heading = wrap_degrees(own.heading + step.turn);
        }
        assert!((own.point.x - 2.7).abs() < 1e-3, "stopped at {}", own.point.x);
        assert!((own.heading - 90.0).abs() < 1e-3);
    }

    #[test]
    fn a_body_too_close_backs_off() {
        let step = stuck(Vec3::new(0.0, 1.1, 0.0)).step(Position::default(), 0.5, 4.0, 1.0).unwrap();
        assert!((step.offset.y + 0.2).abs() < 1e-4, "{step:?}");
    }

    #[test]
    fn a_lost_target_ends_the_grip() {
        let mut sticky = stuck(Vec3::Y);
        let gone = TargetInfo { object_id: 7, status: TargetStatus::ExitWorld, ..Default::default() };
        assert!(sticky.update_target(&gone));
        assert_eq!(sticky.target_id(), None);
        assert!(!sticky.release());
    }

    #[test]
    fn a_grip_expires() {
        let sticky = stuck(Vec3::Y);
        assert!(!sticky.has_expired(Time(0).after(0.9)));
        assert!(sticky.has_expired(Time(0).after(1.1)));
    }
}
