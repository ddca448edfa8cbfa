//! An upright capsule against a box: a circle against a rectangle in the box's own x, y plane.
//!
//! No height is read, neither here nor in the original: only the gathering of candidates separates the two vertically.

use super::roots::ray_circle_root;
use crate::maths::Vec3;
use crate::physics::kernels::Touch;
use crate::physics::shapes::{Capsule, OrientedBox};

/// Whether the circle meets the rectangle.
///
/// Source: seed 002, Geometry kernels (CapsuleBox_CornerCircle, CapsuleBox_SideInterval).
// Covers: seed 002, CapsuleBox_CornerCircle (0x0034a2d0) test=no_height_is_read
// Covers: seed 002, CapsuleBox_SideInterval (0x0034a6a0) test=no_height_is_read
pub fn overlap_capsule_box(capsule: &Capsule, b: &OrientedBox) -> Option<Touch> {
    let p = b.local(capsule.base).horizontal();
    let q = clamp(p, b);
    let near = (p - q).length_squared() < capsule.radius * capsule.radius;
    near.then(|| touch(0.0, capsule, b, q, outward(p, q, b)))
}

/// The circle moving by `d` against the rectangle: four sides, four corners. A circle that already overlaps touches at
/// fraction 0 only when the move goes further in.
///
/// Source: seed 002, Geometry kernels (CapsuleBox_SweepCorner, CapsuleBox_SweepSide).
pub fn sweep_capsule_box(capsule: &Capsule, d: Vec3, b: &OrientedBox) -> Option<Touch> {
    let r = capsule.radius;
    let (p, m) = (b.local(capsule.base).horizontal(), b.local_direction(d).horizontal());
    let q = clamp(p, b);
    if (p - q).length_squared() <= r * r {
        let normal = outward(p, q, b);
        return (m.dot(normal) < 0.0).then(|| touch(0.0, capsule, b, q, normal));
    }
    let mut first: Option<(f32, Vec3)> = None;
    let mut offer = |t: f32, on_box: Vec3| {
        if (0.0..=1.0).contains(&t) && first.is_none_or(|(best, _)| t < best) {
            first = Some((t, on_box));
        }
    };
    for axis in 0..2 {
        if let Some(t) = side(p, m, r, b, axis) {
            offer(t, clamp(p + m * t, b));
        }
    }
    for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        let at = Vec3::new(x * b.half.x, y * b.half.y, 0.0);
        if let Some(t) = corner(p, m, r, at) {
            offer(t, at);
        }
    }
    first.map(|(t, on_box)| touch(t, capsule, b, on_box, (p + m * t - on_box).normalize_or_zero()))
}

/// When the circle's centre crosses the plane `r` outside the side of `axis` that it comes from, within the side's length.
// Covers: seed 002, CapsuleBox_SweepSide (0x0034a6d0) test=a_circle_meets_a_side
fn side(p: Vec3, m: Vec3, r: f32, b: &OrientedBox, axis: usize) -> Option<f32> {
    let along = 1 - axis;
    if p[axis] * m[axis] >= 0.0 {
        return None;
    }
    let gap = p[axis].abs() - (b.half[axis] + r);
    let t = gap / m[axis].abs();
    let at = p[along] + m[along] * t;
    (gap >= 0.0 && at.abs() <= b.half[along]).then_some(t)
}

/// When the circle first touches a corner of the rectangle.
// Covers: seed 002, CapsuleBox_SweepCorner (0x0034a318) test=a_corner_is_round
fn corner(p: Vec3, m: Vec3, r: f32, at: Vec3) -> Option<f32> {
    ray_circle_root(p, m, at, r)
}

#[inline]
fn clamp(p: Vec3, b: &OrientedBox) -> Vec3 {
    Vec3::new(p.x.max(-b.half.x).min(b.half.x), p.y.max(-b.half.y).min(b.half.y), 0.0)
}

/// The 2-D direction from the rectangle to a circle that overlaps it; for a centre inside, out of the nearest side.
fn outward(p: Vec3, q: Vec3, b: &OrientedBox) -> Vec3 {
    if let Some(apart) = (p - q).try_normalize() {
        return apart;
    }
    let (x, y) = (b.half.x - p.x.abs(), b.half.y - p.y.abs());
    if x < y { Vec3::X * sign(p.x) } else { Vec3::Y * sign(p.y) }
}

#[inline]
fn sign(x: f32) -> f32 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

fn touch(fraction: f32, capsule: &Capsule, b: &OrientedBox, on_box: Vec3, normal: Vec3) -> Touch {
    let height = b.local(capsule.base).z.max(-b.half.z).min(b.half.z);
    let point = b.world(Vec3::new(on_box.x, on_box.y, height));
    Touch { fraction, point, normal: b.world_direction(normal) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::Random;
    use crate::maths::Quat;

    fn flat_box(half: f32) -> OrientedBox {
        OrientedBox::new(Vec3::new(half, half, 0.2), Quat::IDENTITY, Vec3::ZERO)
    }

    fn capsule(x: f32, y: f32, z: f32) -> Capsule {
        Capsule { base: Vec3::new(x, y, z), radius: 0.35, height: 2.0 }
    }

    #[test]
    fn a_circle_meets_a_side() {
        let touch = sweep_capsule_box(&capsule(2.0, 0.0, 0.0), Vec3::X * -2.0, &flat_box(0.5)).unwrap();
        assert!((touch.fraction - 0.575).abs() < 1e-6, "{}", touch.fraction);
        assert_eq!(touch.normal, Vec3::X);
    }

    #[test]
    fn no_height_is_read() {
        let high = capsule(2.0, 0.0, 50.0);
        assert!(sweep_capsule_box(&high, Vec3::X * -2.0, &flat_box(0.5)).is_some());
        assert!(overlap_capsule_box(&capsule(0.6, 0.0, 50.0), &flat_box(0.5)).is_some());
    }

    #[test]
    fn an_overlap_touches_only_when_the_move_goes_further_in() {
        let near = capsule(0.7, 0.0, 0.0);
        assert_eq!(sweep_capsule_box(&near, Vec3::X * -0.1, &flat_box(0.5)).unwrap().fraction, 0.0);
        assert_eq!(sweep_capsule_box(&near, Vec3::X * 0.1, &flat_box(0.5)), None);
        let inside = capsule(0.3, 0.0, 0.0);
        assert_eq!(sweep_capsule_box(&inside, Vec3::X * -0.1, &flat_box(0.5)).unwrap().normal, Vec3::X);
    }

    #[test]
    fn a_corner_is_round() {
        let from = capsule(0.7, 2.0, 0.0);
        let touch = sweep_capsule_box(&from, Vec3::Y * -2.0, &flat_box(0.5)).unwrap();
        let expected = (1.5 - (0.35_f32 * 0.35 - 0.04).sqrt()) / 2.0;
        assert!((touch.fraction - expected).abs() < 1e-5, "{} {expected}", touch.fraction);
        assert_eq!(sweep_capsule_box(&capsule(0.9, 2.0, 0.0), Vec3::Y * -2.0, &flat_box(0.5)), None);
    }

    #[test]
    fn the_first_touch_is_at_the_radius_and_nothing_is_nearer_before_it() {
        let mut random = Random::new(6);
        for _ in 0..5000 {
            let b = OrientedBox::new(
                random.vec3(1.0).abs() + Vec3::splat(0.1),
                Quat::from_axis_angle(Vec3::Z, random.range(0.0, 6.0)),
                random.vec3(1.0),
            );
            let at = random.vec3(4.0);
            let (capsule, d) = (capsule(at.x, at.y, at.z), random.vec3(6.0));
            let gap = |t: f32| {
                let p = b.local(capsule.base + d * t).horizontal();
                (p - clamp(p, &b)).length() - capsule.radius
            };
            if gap(0.0) <= 0.0 {
                continue;
            }
            let end = match sweep_capsule_box(&capsule, d, &b) {
                Some(touch) => {
                    assert!(gap(touch.fraction).abs() < 1e-4, "{}", gap(touch.fraction));
                    touch.fraction
                }
                None => 1.0,
            };
            for i in 0..40 {
                assert!(gap(end * i as f32 / 40.0) > -1e-4);
            }
        }
    }
}
