//! Two upright capsules: circles across the ground, ranges up and down.

use super::roots::circle_roots;
use crate::maths::Vec3;
use crate::physics::kernels::Touch;
use crate::physics::shapes::Capsule;

/// Whether two upright capsules overlap: circles, and ranges `[z, z + height]` each with its own height.
///
/// Source: seed 002, Shapes (0x00346388; the overlap does not swap the heights).
pub fn overlap_capsule_capsule(a: &Capsule, b: &Capsule) -> Option<Touch> {
    let apart = (a.base - b.base).horizontal();
    let reach = a.radius + b.radius;
    let tall = a.base.z <= b.base.z + b.height && b.base.z <= a.base.z + a.height;
    (apart.length_squared() < reach * reach && tall).then(|| touch(a.base, b, 0.0))
}

/// Capsule `a` moving by `d` against capsule `b`.
///
/// The fraction is that of the circles. Circles that already overlap touch at 0 only when the move goes further in. The
/// ranges must overlap at some time between the circles' first and last touch; in this test each capsule has the **other
/// one's height**, as in the original. `any_height` leaves the ranges out (an owner of type mask 0x200).
///
/// Source: seed 002, Shapes (0x00343e1c-0x00343e28) and Geometry kernels (Sweep_CircleCircle2D).
// Covers: seed 002, Sweep_CircleCircle2D (0x003498c0) test=humans_meet_at_the_sum_of_their_radii
pub fn sweep_capsule_capsule(a: &Capsule, d: Vec3, b: &Capsule, any_height: bool) -> Option<Touch> {
    let reach = a.radius + b.radius;
    let m = (a.base - b.base).horizontal();
    let inside = m.length_squared() <= reach * reach;
    if inside && d.horizontal().dot(m) >= 0.0 {
        return None;
    }
    let (first, last) = circle_roots(a.base, d, b.base, reach)?;
    let fraction = if inside { 0.0 } else { first };
    if !(0.0..=1.0).contains(&fraction) {
        return None;
    }
    let mover = (a.base.z, a.base.z + b.height);
    let other = (b.base.z, b.base.z + a.height);
    if !any_height {
        interval_overlap_time(mover, d.z, other, (fraction, last.min(1.0)))?;
    }
    Some(touch(a.base + d * fraction, b, fraction))
}

/// The first time within `times` at which a range moving with `speed` overlaps a resting one.
///
/// Source: seed 002, Geometry kernels (Sweep_IntervalOverlap).
// Covers: seed 002, Sweep_IntervalOverlap (0x0034a8d0) test=ranges_overlap_in_time
pub fn interval_overlap_time(mover: (f32, f32), speed: f32, other: (f32, f32), times: (f32, f32)) -> Option<f32> {
    let (mut first, mut last) = times;
    // The mover's lower end must be at or below the other's upper end, and its upper end at or above the lower one.
    for (gap, speed) in [(mover.0 - other.1, speed), (other.0 - mover.1, -speed)] {
        if speed == 0.0 {
            if gap > 0.0 {
                return None;
            }
        } else if speed > 0.0 {
            last = last.min(-gap / speed);
        } else {
            first = first.max(gap / -speed);
        }
    }
    (first <= last).then_some(first)
}

/// The touch of a capsule at `base` with `b`: a horizontal normal and a point on `b` at the mover's height.
fn touch(base: Vec3, b: &Capsule, fraction: f32) -> Touch {
    let normal = (base - b.base).horizontal().normalize_or_zero();
    let mut point = b.base + normal * b.radius;
    point.z = base.z.clamp(b.base.z.min(b.base.z + b.height), b.base.z.max(b.base.z + b.height));
    Touch { fraction, point, normal }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn human(base: Vec3, scale: f32) -> Capsule {
        Capsule { base, radius: 0.35 * scale, height: 2.0 * scale }
    }

    #[test]
    fn humans_meet_at_the_sum_of_their_radii() {
        let mover = human(Vec3::ZERO, 1.0);
        let touch = sweep_capsule_capsule(&mover, Vec3::X, &human(Vec3::X, 0.97), false).unwrap();
        assert!((touch.fraction - 0.3105).abs() < 1e-5, "{}", touch.fraction);
        assert!((touch.normal + Vec3::X).length() < 1e-6, "{:?}", touch.normal);
        let aside = human(Vec3::new(1.0, 0.4, 0.0), 0.97);
        let touch = sweep_capsule_capsule(&mover, Vec3::X, &aside, false).unwrap();
        assert!((touch.fraction - 0.438_386).abs() < 1e-5, "{}", touch.fraction);
    }

    #[test]
    fn overlapping_circles_touch_only_when_the_move_goes_further_in() {
        let (mover, other) = (human(Vec3::ZERO, 1.0), human(Vec3::X * 0.5, 1.0));
        assert_eq!(sweep_capsule_capsule(&mover, Vec3::X * 0.1, &other, false).unwrap().fraction, 0.0);
        assert_eq!(sweep_capsule_capsule(&mover, Vec3::X * -0.1, &other, false), None);
    }

    #[test]
    fn the_sweep_swaps_the_heights_and_the_overlap_does_not() {
        let tall = Capsule { base: Vec3::ZERO, radius: 0.5, height: 3.0 };
        let low = Capsule { base: Vec3::new(2.0, 0.0, 2.0), radius: 0.5, height: 0.5 };
        // With its own height the mover's range would be [0, 3] and reach [2, 2.5]; with the other's it is [0, 0.5].
        assert_eq!(sweep_capsule_capsule(&tall, Vec3::X * 2.0, &low, false), None);
        assert!(sweep_capsule_capsule(&tall, Vec3::X * 2.0, &low, true).is_some());
        let near = Capsule { base: Vec3::new(0.5, 0.0, 2.0), ..low };
        assert!(overlap_capsule_capsule(&tall, &near).is_some());
    }

    #[test]
    fn a_falling_capsule_meets_one_it_comes_level_with_in_time() {
        let mover = human(Vec3::Z * 3.0, 1.0);
        let other = human(Vec3::X, 1.0);
        assert!(sweep_capsule_capsule(&mover, Vec3::new(1.0, 0.0, -2.0), &other, false).is_some());
        assert!(sweep_capsule_capsule(&mover, Vec3::new(1.0, 0.0, 2.0), &other, false).is_none());
    }

    #[test]
    fn ranges_overlap_in_time() {
        assert_eq!(interval_overlap_time((2.0, 3.0), -1.0, (0.0, 1.0), (0.0, 5.0)), Some(1.0));
        assert_eq!(interval_overlap_time((2.0, 3.0), -1.0, (0.0, 1.0), (0.0, 0.5)), None);
        assert_eq!(interval_overlap_time((2.0, 3.0), -1.0, (0.0, 1.0), (3.5, 5.0)), None);
        assert_eq!(interval_overlap_time((0.5, 3.0), 0.0, (0.0, 1.0), (0.25, 1.0)), Some(0.25));
    }
}
