//! Following a thing: when its place is worth a report.

use super::{Position, TargetInfo, TargetStatus, Time};
use crate::maths::Vec3;

/// The followed thing is looked at no more often than this, in seconds.
pub const LOOK_INTERVAL: f32 = 0.5;
/// A thing that is not seen for this long after the start is given up, in seconds.
pub const FIRST_SIGHT_TIMEOUT: f32 = 10.0;

/// Follows one thing on behalf of move-to and of a grip; what the game's bodies answer `set_target` with.
///
/// Source: motion notes, MoveToManager (Target manager).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TargetTracker {
    object_id: u32,
    radius: f32,
    /// How far ahead of the thing the reports look, in seconds.
    quantum: f32,
    started: Option<Time>,
    last_look: Time,
    /// Where the thing was, and where it was expected, at the last report.
    last_sent: Option<(Vec3, Vec3)>,
}

impl TargetTracker {
    /// Follows a thing from now on: movements of more than `radius` metres are reported, extrapolated `quantum` seconds.
    pub fn follow(&mut self, object_id: u32, radius: f32, quantum: f32) {
        *self = Self { object_id, radius, quantum, ..Self::default() };
    }

    /// Follows nothing any more.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The thing followed, if any.
    pub fn object_id(&self) -> Option<u32> {
        (self.object_id != 0).then_some(self.object_id)
    }

    /// How far ahead the reports look, in seconds.
    pub fn quantum(&self) -> f32 {
        self.quantum
    }

    /// Changes how far ahead the reports look, in seconds.
    pub fn set_quantum(&mut self, quantum: f32) {
        self.quantum = quantum;
    }

    /// Has the next look report what it sees, whatever there was to report before.
    pub fn renew(&mut self) {
        self.last_sent = None;
    }

    /// What there is to report, given where the thing is and its velocity in metres a second, or that it is nowhere. The
    /// first sight is reported at once; a lost thing is reported once and then no longer followed.
    pub fn look(&mut self, now: Time, seen: Option<(Position, Vec3)>) -> Option<TargetInfo> {
        let object_id = self.object_id()?;
        let started = *self.started.get_or_insert(now);
        let Some((place, velocity)) = seen else {
            let status = match self.last_sent {
                Some(_) => TargetStatus::ExitWorld,
                None if now.seconds_since(started) > FIRST_SIGHT_TIMEOUT => TargetStatus::TimedOut,
                None => return None,
            };
            self.clear();
            return Some(TargetInfo { object_id, status, ..Default::default() });
        };
        if self.last_sent.is_some() && now.seconds_since(self.last_look) < LOOK_INTERVAL {
            return None;
        }
        self.last_look = now;
        let ahead = Position { point: place.point + velocity * self.quantum, heading: place.heading };
        // Our choice: the place counts as well as the expectation. Whoever walks to where it is expected makes no news by the
        // expectation alone, while move-to measures to the place that was reported.
        let near = |a: Vec3, b: Vec3| (a - b).length() <= self.radius;
        if self.last_sent.is_some_and(|(was, expected)| near(place.point, was) && near(ahead.point, expected)) {
            return None;
        }
        self.last_sent = Some((place.point, ahead.point));
        Some(TargetInfo { object_id, status: TargetStatus::Ok, target_position: place, interpolated_position: ahead })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(x: f32, speed: f32) -> Option<(Position, Vec3)> {
        Some((Position { point: Vec3::new(x, 0.0, 0.0), heading: 0.0 }, Vec3::new(speed, 0.0, 0.0)))
    }

    fn at(seconds: f32) -> Time {
        Time(0).after(seconds)
    }

    #[test]
    fn first_sight_and_movements_are_reported() {
        let mut tracker = TargetTracker::default();
        assert_eq!(tracker.look(at(0.0), seen(1.0, 0.0)), None, "nothing is followed");
        tracker.follow(7, 0.5, 0.0);
        let first = tracker.look(at(0.0), seen(1.0, 0.0)).unwrap();
        assert_eq!((first.object_id, first.status, first.target_position.point.x), (7, TargetStatus::Ok, 1.0));
        assert_eq!(tracker.look(at(0.4), seen(9.0, 0.0)), None, "looked at twice a second");
        assert_eq!(tracker.look(at(0.6), seen(1.4, 0.0)), None, "too small a movement");
        assert!(tracker.look(at(1.2), seen(1.6, 0.0)).is_some());
    }

    #[test]
    fn a_renewed_tracker_reports_what_it_sees_next() {
        let mut tracker = TargetTracker::default();
        tracker.follow(7, 0.5, 0.0);
        tracker.look(at(0.0), seen(1.0, 0.0));
        assert_eq!(tracker.look(at(0.1), seen(1.1, 0.0)), None);
        tracker.renew();
        assert_eq!(tracker.look(at(0.1), seen(1.1, 0.0)).map(|info| info.target_position.point.x), Some(1.1));
    }

    #[test]
    fn reports_look_ahead() {
        let mut tracker = TargetTracker::default();
        tracker.follow(7, 0.5, 0.0);
        tracker.set_quantum(2.0);
        let info = tracker.look(at(0.0), seen(1.0, 1.5)).unwrap();
        assert_eq!((info.target_position.point.x, info.interpolated_position.point.x), (1.0, 4.0));
        tracker.set_quantum(0.0);
        assert!(tracker.look(at(1.0), seen(4.0, 1.5)).is_some(), "where it was expected, but three metres on");
    }

    #[test]
    fn a_lost_thing_is_reported_once() {
        let mut tracker = TargetTracker::default();
        tracker.follow(7, 0.5, 0.0);
        assert_eq!(tracker.look(at(0.0), None), None);
        assert_eq!(tracker.look(at(9.0), None), None, "it may still come");
        assert_eq!(tracker.look(at(10.1), None).map(|info| info.status), Some(TargetStatus::TimedOut));
        assert_eq!(tracker.object_id(), None);
        tracker.follow(7, 0.5, 0.0);
        tracker.look(at(0.0), seen(1.0, 0.0));
        assert_eq!(tracker.look(at(0.1), None).map(|info| info.status), Some(TargetStatus::ExitWorld));
        assert_eq!(tracker.look(at(0.2), None), None);
    }
}
