//! Gaits and speeds: what a stick asks for, which gait a speed is, how a human gains speed and turns.
//!
//! Source: humans and combat, Locomotion, AI locomotion, and Moving, ground, air.

use super::numbers::{DEAD_ZONE, GAIN, GAITS, RUN, RUN_ZONE, SPRINT, WALK};
use crate::maths::scalar;
use core::f32::consts::{PI, TAU};

/// A class's speeds in m/s, from its clips.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Speeds {
    /// In the stance.
    pub base: f32,
    /// Of each gait; 0 for standing.
    pub gaits: [f32; GAITS],
}

/// Below this many m/s nobody moves. Source: humans and combat, Locomotion (gait of speed).
const STANDS_BELOW: f32 = 0.5;
/// A human is idle below this share of the sneak's speed.
const IDLE_SHARE: f32 = 0.25;
/// The error in radians at which the turn is no longer eased. Source: humans and combat, Locomotion (E).
const EASE: f32 = 2.0;
/// What the last turn adds to the next: in its direction, and against it.
const CARRY: [f32; 2] = [0.8, -0.5];
/// Slopes: below this upright share a face slows down, and how.
const SLOPE: (f32, f32, f32) = (0.95, 0.6, 0.3);

impl Speeds {
    /// What a stick's deflection asks for.
    pub fn of_stick(&self, deflection: f32, sprints: bool) -> f32 {
        match deflection {
            d if d <= DEAD_ZONE => 0.0,
            d if d <= RUN_ZONE => self.gaits[usize::from(WALK)],
            _ if sprints => self.gaits[usize::from(SPRINT)],
            _ => self.gaits[usize::from(RUN)],
        }
    }

    /// The gait that a speed is stored as: the nearest.
    pub fn nearest_gait(&self, speed: f32) -> u8 {
        if speed < STANDS_BELOW {
            return 0;
        }
        let off = |gait: &usize| (self.gaits[*gait] - speed).abs();
        (1..GAITS).fold(1, |best, gait| if off(&gait) < off(&best) { gait } else { best }) as u8
    }

    /// The fastest gait whose speed is reached.
    pub fn reached_gait(&self, speed: f32) -> u8 {
        (1..GAITS).rev().find(|gait| speed >= self.gaits[*gait]).filter(|_| speed > 0.0).map_or(0, |gait| gait as u8)
    }

    /// Whether a human at this speed stands.
    pub fn is_idle(&self, speed: f32) -> bool {
        speed < IDLE_SHARE * self.gaits[1]
    }

    /// Where between walk, jog, run and sprint a speed lies, 0 to 3.
    pub fn blend(&self, speed: f32) -> f32 {
        let [_, _, walk, jog, run, sprint] = self.gaits;
        let value = match speed {
            v if v > run => 2.0 + (v - run) / (sprint - run),
            v if v > jog => 1.0 + (v - jog) / (run - jog),
            v if v > walk => (v - walk) / (jog - walk),
            _ => 0.0,
        };
        value.clamp(0.0, 3.0)
    }
}

/// A step towards a speed: gained slowly, lost at once.
pub fn approach(speed: f32, asked: f32) -> f32 {
    if asked > speed { (speed + GAIN).min(asked) } else { asked }
}

/// By what a slope's normal slows a human down.
pub fn slope_scale(upright: f32) -> f32 {
    let (flat, base, rise) = SLOPE;
    if upright >= flat { 1.0 } else { (base + rise * (upright - 0.5)).clamp(0.5, 1.0) }
}

/// The shortest way from one heading to another, radians in `[-pi, pi)`, clockwise positive.
pub fn turn_between(from: f32, to: f32) -> f32 {
    let off = crate::maths::wrap_heading(to - from);
    if off >= PI { off - TAU } else { off }
}

/// One step of a player's turn: how far it goes, given the error, the last step's turn and the limit, all in radians.
pub fn turn_step(error: f32, last: f32, limit: f32) -> f32 {
    let size = error.abs();
    let ease = if size < EASE { 0.5 * (1.0 - scalar::cos(PI * size / EASE)) } else { 1.0 };
    let carried = if last * error >= 0.0 { CARRY[0] * last.abs() } else { CARRY[1] * last.abs() };
    let step = (limit * ease + carried).clamp(0.0, limit);
    if size <= step { error } else { step * error.signum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The round speeds of the original's careful tests. Source: known numbers.
    const ROUND: Speeds = Speeds { base: 3.0, gaits: [0.0, 1.2, 1.5, 4.0, 7.5, 10.0] };

    #[test]
    fn the_stick_has_two_zones() {
        let of = |deflection| ROUND.of_stick(deflection, false);
        assert_eq!([of(0.12), of(0.13), of(0.95), of(0.96)], [0.0, 1.5, 1.5, 7.5]);
        assert_eq!((ROUND.of_stick(1.0, true), ROUND.of_stick(0.9, true)), (10.0, 1.5));
    }

    #[test]
    fn gaits_are_the_nearest_or_the_reached() {
        let nearest = [0.49, 0.8, 3.0, 7.0].map(|v| ROUND.nearest_gait(v));
        assert_eq!(nearest, [0, 1, 3, 4]);
        assert_eq!([ROUND.reached_gait(1.1), ROUND.reached_gait(1.4), ROUND.reached_gait(7.5)], [0, 1, 4]);
    }

    #[test]
    fn speed_is_gained_in_steps_and_lost_at_once() {
        assert_eq!((approach(0.0, 7.5), approach(7.0, 7.5), approach(7.5, 1.5)), (0.8, 7.5, 1.5));
    }

    #[test]
    fn slopes_slow_down() {
        for (upright, scale) in [(0.96, 1.0), (0.949, 0.7347), (0.87, 0.711), (0.1, 0.5)] {
            assert!((slope_scale(upright) - scale).abs() < 1e-3, "{upright}: {}", slope_scale(upright));
        }
    }

    #[test]
    fn the_blend_runs_from_walk_to_sprint() {
        assert_eq!([1.0, 2.75, 8.75, 50.0].map(|v| ROUND.blend(v)), [0.0, 0.5, 2.5, 3.0]);
    }

    fn turns(limit: f32, count: usize) -> std::vec::Vec<f32> {
        let (mut left, mut last) = (90f32.to_radians(), 0.0);
        (0..count)
            .map(|_| {
                last = turn_step(left, last, limit.to_radians());
                left -= last;
                last.to_degrees()
            })
            .collect()
    }

    #[test]
    fn a_quarter_turn_is_eased_as_measured() {
        for (limit, expected) in [(18.0, [16.0, 18.0, 18.0]), (20.0, [17.9, 20.0, 20.0]), (16.0, [14.3, 16.0, 16.0])] {
            let found = turns(limit, 3);
            for (f, e) in found.iter().zip(expected) {
                assert!((f - e).abs() < 0.1, "limit {limit}: {found:?}");
            }
        }
        assert!((turns(20.0, 12).iter().sum::<f32>() - 90.0).abs() < 1e-3, "and ends on its heading");
    }

    #[test]
    fn a_turn_takes_the_shorter_way() {
        assert!((turn_between(0.1, TAU - 0.1) + 0.2).abs() < 1e-5);
        assert!((turn_between(TAU - 0.1, 0.1) - 0.2).abs() < 1e-5);
    }
}
