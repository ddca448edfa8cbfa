//! Places and headings of the motion system: metres, and degrees clockwise from +y.

use crate::maths::{Vec3, scalar};

/// Below this a difference counts as none; every comparison with it is strict.
///
/// Source: seed 004, Verbatim constants inventory (0.000199999995).
pub const EPSILON: f32 = 0.000_2;

/// A full turn in degrees.
pub const FULL_TURN: f32 = 360.0;

/// A place and the direction faced there.
///
/// Headings are degrees here because the move-to arithmetic is; the adapters to the rest of the engine convert.
///
/// Source: motion notes, MoveToManager; settled questions 14.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Position {
    /// Metres.
    pub point: Vec3,
    /// Degrees clockwise from +y, 90 is +x.
    pub heading: f32,
}

/// The heading in degrees from one point to another, 0 when they coincide on the ground plane.
///
/// Our choice: what is straight above or below is at the heading 0, whatever its height.
///
/// Source: motion notes, MoveToManager (heading).
pub fn heading_between(from: Vec3, to: Vec3) -> f32 {
    let offset = to - from;
    if offset.x.abs() < EPSILON && offset.y.abs() < EPSILON {
        return 0.0;
    }
    wrap_degrees(scalar::atan2(offset.x, offset.y).to_degrees())
}

/// Folds degrees into `[0, 360)`; anything that is not a number folds to 0.
pub fn wrap_degrees(angle: f32) -> f32 {
    let folded = angle - FULL_TURN * scalar::floor(angle / FULL_TURN);
    if (0.0..FULL_TURN).contains(&folded) { folded } else { 0.0 }
}

/// Degrees of an engine heading in radians; both run clockwise from +y.
///
/// Source: settled questions 14.
pub fn degrees_of_heading(radians: f32) -> f32 {
    wrap_degrees(radians.to_degrees())
}

/// The engine heading in radians of degrees; both run clockwise from +y.
///
/// Source: settled questions 14.
pub fn heading_of_degrees(degrees: f32) -> f32 {
    crate::maths::wrap_heading(degrees.to_radians())
}

/// The distance between two upright cylinders in metres, negative when they overlap.
///
/// Source: motion notes, MoveToManager (cylinder).
pub fn cylinder_distance(
    (own, own_radius, own_height): (Vec3, f32, f32),
    (other, radius, height): (Vec3, f32, f32),
) -> f32 {
    let reach = (other - own).length() - (own_radius + radius);
    let gap = if own.z <= other.z { other.z - (own.z + own_height) } else { own.z - (other.z + height) };
    let hypotenuse = scalar::sqrt(reach * reach + gap * gap);
    if reach > 0.0 && gap > 0.0 {
        hypotenuse
    } else if reach < 0.0 && gap < 0.0 {
        -hypotenuse
    } else {
        reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::FRAC_PI_2;

    #[test]
    fn headings_run_clockwise_from_plus_y_in_degrees() {
        let at = |x, y| heading_between(Vec3::ZERO, Vec3::new(x, y, 5.0));
        assert_eq!(at(0.0, 1.0), 0.0);
        assert!((at(1.0, 0.0) - 90.0).abs() < 1e-4);
        assert!((at(0.0, -1.0) - 180.0).abs() < 1e-4);
        assert!((at(-1.0, 0.0) - 270.0).abs() < 1e-4);
        assert_eq!(at(0.0001, 0.0), 0.0, "a point straight above has no heading");
    }

    #[test]
    fn ninety_degrees_is_plus_x_in_both_conventions() {
        assert!((heading_of_degrees(90.0) - FRAC_PI_2).abs() < 1e-6);
        assert!((degrees_of_heading(FRAC_PI_2) - 90.0).abs() < 1e-4);
        assert!(crate::maths::from_heading(heading_of_degrees(90.0)).x > 0.999);
    }

    #[test]
    fn cylinders_measure_from_rim_to_rim() {
        let own = (Vec3::ZERO, 0.5, 2.0);
        assert!((cylinder_distance(own, (Vec3::new(3.0, 0.0, 0.0), 0.5, 2.0)) - 2.0).abs() < 1e-6);
        let apart = cylinder_distance(own, (Vec3::new(3.0, 4.0, 12.0), 1.5, 2.0));
        assert!((apart - libm::hypotf(11.0, 10.0)).abs() < 1e-4, "{apart}");
        assert!(cylinder_distance(own, (Vec3::new(0.5, 0.0, 0.0), 0.5, 2.0)) < 0.0);
    }
}
