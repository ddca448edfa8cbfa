//! A ray against an oriented box, slab by slab.

use crate::maths::Vec3;
use crate::physics::shapes::OrientedBox;

/// Narrows `times`, a ray's entry and exit, to a slab of `half` around 0 along one axis; false when nothing is left.
///
/// Source: seed 002, Geometry kernels (Ray_ClipSlab).
// Covers: seed 002, Ray_ClipSlab (0x00349488) test=a_ray_from_inside_hits_at_once_and_one_aside_misses
#[inline]
pub fn clip_slab(o: f32, d: f32, half: f32, times: &mut (f32, f32)) -> bool {
    if d == 0.0 {
        return o.abs() <= half;
    }
    let inverse = 1.0 / d;
    let (a, b) = ((-half - o) * inverse, (half - o) * inverse);
    times.0 = times.0.max(a.min(b));
    times.1 = times.1.min(a.max(b));
    times.0 <= times.1
}

/// The fraction at which `o + t d` enters a box, 0 when it starts inside.
///
/// Source: seed 002, Geometry kernels (Ray_OrientedBox).
// Covers: seed 002, Ray_OrientedBox (0x00349560) test=a_ray_enters_at_the_near_face
#[inline]
pub fn ray_box(o: Vec3, d: Vec3, b: &OrientedBox) -> Option<f32> {
    clip_box(b.local(o), b.local_direction(d), b.half)
}

/// The same in the box's own frame.
#[inline]
pub(in crate::physics::kernels) fn clip_box(o: Vec3, d: Vec3, half: Vec3) -> Option<f32> {
    let finite = o.dot(Vec3::splat(1.0)) + d.dot(Vec3::splat(1.0));
    let mut times = (0.0, 1.0);
    let hit = clip_slab(o.x, d.x, half.x, &mut times)
        && clip_slab(o.y, d.y, half.y, &mut times)
        && clip_slab(o.z, d.z, half.z, &mut times);
    (hit && !finite.is_nan()).then_some(times.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Quat;

    fn unit_box(rotation: Quat) -> OrientedBox {
        OrientedBox::new(Vec3::splat(1.0), rotation, Vec3::ZERO)
    }

    #[test]
    fn a_ray_enters_at_the_near_face() {
        let hit = ray_box(Vec3::X * 5.0, Vec3::X * -10.0, &unit_box(Quat::IDENTITY));
        assert!((hit.unwrap() - 0.4).abs() < 1e-6);
    }

    #[test]
    fn a_ray_from_inside_hits_at_once_and_one_aside_misses() {
        let b = unit_box(Quat::IDENTITY);
        assert_eq!(ray_box(Vec3::ZERO, Vec3::X, &b), Some(0.0));
        assert_eq!(ray_box(Vec3::new(5.0, 1.1, 0.0), Vec3::X * -10.0, &b), None);
        assert_eq!(ray_box(Vec3::X * 5.0, Vec3::X * 10.0, &b), None);
        assert_eq!(ray_box(Vec3::X * 5.0, Vec3::X * -3.9, &b), None);
    }

    #[test]
    fn a_turned_box_is_met_at_its_corner() {
        let b = unit_box(Quat::from_axis_angle(Vec3::Z, core::f32::consts::FRAC_PI_4));
        let hit = ray_box(Vec3::X * 5.0, Vec3::X * -10.0, &b).unwrap();
        assert!((hit - (5.0 - core::f32::consts::SQRT_2) / 10.0).abs() < 1e-5, "{hit}");
    }

    #[test]
    fn numbers_that_are_none_are_misses() {
        let b = unit_box(Quat::IDENTITY);
        assert_eq!(ray_box(Vec3::splat(f32::NAN), Vec3::X, &b), None);
        assert_eq!(ray_box(Vec3::X * 5.0, Vec3::splat(f32::NAN), &b), None);
    }
}
