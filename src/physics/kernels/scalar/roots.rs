//! First roots of a ray against round things.
//!
//! With `m = o - c`, `A = d.d`, `B = d.m` and `C = m.m - r2` the first root is `C / (D - B)`, `D` being the root of the
//! discriminant: the same number as `(-B - D) / A`, but exact at a tangent and when A is tiny. The discriminant is
//! computed as `A r2 - |m x d|2`, which is the same as `B2 - A C` and loses no digits when the ray starts far away.

use super::segments::closest_point;
use crate::maths::{Vec3, scalar};

/// Squared speed across an axis below which a ray runs along it.
const PARALLEL: f32 = 1e-12;

/// First root of `o + t d` against a sphere; before 0 and after 1 too, callers clip.
///
/// Source: seed 002, Geometry kernels (Ray_SphereRoot).
// Covers: seed 002, Ray_SphereRoot (0x0034af50) test=a_ray_meets_a_sphere_at_its_near_side
// Covers: seed 002, Segment_SphereIntersect (0x0034e120) test=a_tangent_is_exact_and_past_it_is_a_miss
#[inline]
pub fn ray_sphere_root(o: Vec3, d: Vec3, c: Vec3, r: f32) -> Option<f32> {
    let m = o - c;
    let across = m.cross(d);
    root(d.length_squared(), d.dot(m), m.length_squared() - r * r, r, across.length_squared())
}

/// First root of a ray against a circle, in x and y only.
///
/// Source: seed 002, Geometry kernels (Ray_CircleRoot).
// Covers: seed 002, Ray_CircleRoot (0x0034afd8) test=the_circle_reads_no_height
#[inline]
pub fn ray_circle_root(o: Vec3, d: Vec3, c: Vec3, r: f32) -> Option<f32> {
    circle_roots(o, d, c, r).map(|(first, _)| first)
}

/// Both roots of a ray against a circle, in x and y only, the first one first.
pub fn circle_roots(o: Vec3, d: Vec3, c: Vec3, r: f32) -> Option<(f32, f32)> {
    let (m, d) = ((o - c).horizontal(), d.horizontal());
    let (a, b, across) = (d.length_squared(), d.dot(m), m.x * d.y - m.y * d.x);
    let first = root(a, b, m.length_squared() - r * r, r, across * across)?;
    let discriminant = (a * r * r - across * across).max(0.0);
    Some((first, (scalar::sqrt(discriminant) - b) / a))
}

/// First root of a ray against a capsule with the core `a`-`b`: the original's "infinite cylinder".
///
/// A core without length is the sphere at its first end. A ray along the core meets the nearer end's sphere.
///
/// Source: seed 002, Open questions (Ray_InfiniteCylinder is a capsule; the zero-length guard).
// Covers: seed 002, Ray_InfiniteCylinder (0x0034d938) test=a_capsule_is_met_on_its_side_and_on_its_round_end
#[inline]
pub fn ray_capsule_root(o: Vec3, d: Vec3, a: Vec3, b: Vec3, r: f32) -> Option<f32> {
    let core = b - a;
    let length = core.length();
    if length == 0.0 {
        return ray_sphere_root(o, d, a, r);
    }
    let u = core * (1.0 / length);
    let m = o - a;
    let m_across = m - u * m.dot(u);
    let d_across = d - u * d.dot(u);
    let speed = d_across.length_squared();
    if speed < PARALLEL {
        return match (ray_sphere_root(o, d, a, r), ray_sphere_root(o, d, b, r)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    let across = m_across.cross(d_across);
    let c = m_across.length_squared() - r * r;
    let t = root(speed, d_across.dot(m_across), c, r, across.length_squared())?;
    let s = (m + d * t).dot(u);
    if s < 0.0 {
        ray_sphere_root(o, d, a, r)
    } else if s > length {
        ray_sphere_root(o, d, b, r)
    } else {
        Some(t)
    }
}

/// The share of a move, 0 to 1, after which a point is in a capsule: 0 when it is in it already.
///
/// Source: seed 002, Geometry kernels (SphereSweep_Edge).
// Covers: seed 002, SphereSweep_Edge (0x0034e3b8) test=physics::kernels::scalar::sphere_triangle::tests::a_falling_sphere_meets_the_face_an_edge_and_a_corner
// Covers: seed 002, SphereSweep_EdgeCylinder (0x0034dff8) test=physics::kernels::scalar::sphere_triangle::tests::random_sweeps_agree_with_the_reference
#[inline]
pub(super) fn ray_capsule_entry(o: Vec3, d: Vec3, a: Vec3, b: Vec3, r: f32) -> Option<f32> {
    let apart = o - closest_point(o, a, b);
    if apart.length_squared() <= r * r {
        return Some(0.0);
    }
    ray_capsule_root(o, d, a, b, r).filter(|t| (0.0..=1.0).contains(t))
}

/// The unit vector from a capsule's core to a point beside it, or `fallback` when the point is on the core.
#[inline]
pub(super) fn away_from_core(point: Vec3, a: Vec3, b: Vec3, fallback: Vec3) -> Vec3 {
    (point - closest_point(point, a, b)).try_normalize().unwrap_or(fallback)
}

#[inline]
fn root(a: f32, b: f32, c: f32, r: f32, across_squared: f32) -> Option<f32> {
    let discriminant = a * r * r - across_squared;
    // Also refuses a discriminant that is not a number.
    if discriminant.is_nan() || discriminant < 0.0 || a == 0.0 {
        return None;
    }
    let divisor = scalar::sqrt(discriminant) - b;
    (divisor != 0.0).then(|| c / divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<f32>, expected: f32) {
        let found = found.expect("a hit");
        assert!((found - expected).abs() < 1e-5, "{found}, expected {expected}");
    }

    #[test]
    fn a_ray_meets_a_sphere_at_its_near_side() {
        let (o, d, c) = (Vec3::ZERO, Vec3::X * 10.0, Vec3::X * 5.0);
        near(ray_sphere_root(o, d, c, 1.0), 0.4);
    }

    #[test]
    fn a_tangent_is_exact_and_past_it_is_a_miss() {
        let (d, c) = (Vec3::X * 10.0, Vec3::X * 5.0);
        near(ray_sphere_root(Vec3::Y, d, c, 1.0), 0.5);
        assert_eq!(ray_sphere_root(Vec3::Y * 1.5, d, c, 1.0), None);
    }

    #[test]
    fn a_ray_that_does_not_move_has_no_root() {
        assert_eq!(ray_sphere_root(Vec3::ZERO, Vec3::ZERO, Vec3::X * 5.0, 1.0), None);
        assert_eq!(ray_circle_root(Vec3::ZERO, Vec3::Z, Vec3::X * 5.0, 1.0), None);
    }

    #[test]
    fn the_circle_reads_no_height() {
        near(ray_circle_root(Vec3::Z * 70.0, Vec3::new(10.0, 0.0, -3.0), Vec3::X * 5.0, 1.0), 0.4);
    }

    #[test]
    fn a_capsule_is_met_on_its_side_and_on_its_round_end() {
        let (d, a, b) = (Vec3::X * -10.0, Vec3::ZERO, Vec3::Z * 2.0);
        near(ray_capsule_root(Vec3::new(5.0, 0.0, 1.0), d, a, b, 0.5), 0.45);
        near(ray_capsule_root(Vec3::new(5.0, 0.0, 2.3), d, a, b, 0.5), 0.46);
        assert_eq!(ray_capsule_root(Vec3::new(5.0, 0.0, 2.6), d, a, b, 0.5), None);
    }

    #[test]
    fn a_core_without_length_is_a_sphere() {
        near(ray_capsule_root(Vec3::ZERO, Vec3::X * 10.0, Vec3::X * 5.0, Vec3::X * 5.0, 1.0), 0.4);
    }

    #[test]
    fn a_ray_along_the_core_meets_the_nearer_end() {
        near(ray_capsule_root(Vec3::Z * 10.0, Vec3::Z * -10.0, Vec3::ZERO, Vec3::Z * 2.0, 0.5), 0.75);
    }

    #[test]
    fn numbers_that_are_none_are_misses() {
        let bad = Vec3::splat(f32::NAN);
        assert_eq!(ray_sphere_root(bad, Vec3::X, Vec3::ZERO, 1.0), None);
        assert_eq!(ray_sphere_root(Vec3::ZERO, bad, Vec3::ZERO, 1.0), None);
    }
}
