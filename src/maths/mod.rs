//! The engine's maths: single floats, row vectors, radians, metres.
//!
//! [`Vec3`] fills a whole quadword so that VU0 loads any of them with one instruction. [`scalar`] is the one door to the
//! functions that `core` does not have, the same on the console and the host, so that both compute alike.
//!
//! Source: support systems, Maths.

mod pose;
mod quat;
pub mod scalar;
mod vec3;

pub use pose::Pose;
pub use quat::Quat;
pub use vec3::Vec3;

/// The heading of a horizontal direction: clockwise from +y, in `[0, 2 pi)` radians.
///
/// Source: support systems, Maths (`atan2(x, y)`); settled questions 14.
pub fn heading_of(direction: Vec3) -> f32 {
    wrap_heading(scalar::atan2(direction.x, direction.y))
}

/// The horizontal unit vector of a heading in radians: `(sin h, cos h, 0)`.
///
/// Source: support systems, Maths.
pub fn from_heading(heading: f32) -> Vec3 {
    Vec3::new(scalar::sin(heading), scalar::cos(heading), 0.0)
}

/// Folds an angle in radians into `[0, 2 pi)`.
pub fn wrap_heading(angle: f32) -> f32 {
    const TURN: f32 = core::f32::consts::TAU;
    let folded = angle - TURN * scalar::floor(angle / TURN);
    if folded >= TURN { 0.0 } else { folded }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::{FRAC_PI_2, PI, TAU};

    #[test]
    fn heading_runs_clockwise_from_plus_y() {
        assert_eq!(heading_of(Vec3::new(0.0, 1.0, 0.0)), 0.0);
        assert!((heading_of(Vec3::new(1.0, 0.0, 0.0)) - FRAC_PI_2).abs() < 1e-6);
        assert!((heading_of(Vec3::new(0.0, -1.0, 0.0)) - PI).abs() < 1e-6);
        assert!((heading_of(Vec3::new(-1.0, 0.0, 0.0)) - 1.5 * PI).abs() < 1e-6);
    }

    #[test]
    fn heading_and_direction_undo_each_other() {
        for step in 0..64 {
            let heading = step as f32 * TAU / 64.0;
            let back = heading_of(from_heading(heading));
            assert!((back - heading).abs() < 1e-5, "{heading} came back as {back}");
        }
    }

    #[test]
    fn wrapping_keeps_the_half_open_range() {
        for angle in [-TAU, -1e-9, 0.0, TAU, 7.0 * TAU + 0.25, -100.0] {
            let folded = wrap_heading(angle);
            assert!((0.0..TAU).contains(&folded), "{angle} folds to {folded}");
        }
    }
}
