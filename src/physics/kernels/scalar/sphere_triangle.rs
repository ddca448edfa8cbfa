//! A moving sphere against a triangle.

use super::roots::ray_capsule_entry;
use super::segments::closest_point;
use crate::collision::Face;
use crate::maths::Vec3;
use crate::physics::kernels::Touch;

/// A sphere at `c` moving by `d` against the front of a triangle: the face first, then its edges.
///
/// A sphere that already reaches the plane touches it at fraction 0, whichever way it moves. A sphere behind the plane
/// misses; the caller turns a two-sided triangle first. A triangle without area is its edges.
///
/// Our choice: all three edges are tested once the plane is met outside the face, and the earliest counts. The original
/// tests one edge, or one of a corner's two, and can meet a corner late.
///
/// Source: seed 002, Geometry kernels (Sweep_SphereTriangle).
// Covers: seed 002, Sweep_SphereTriangle (0x0034ee60) test=a_falling_sphere_meets_the_face_an_edge_and_a_corner
// Covers: seed 002, Sweep_SphereTriangleThunk (0x0034ee40) test=a_falling_sphere_meets_the_face_an_edge_and_a_corner
pub fn sweep_sphere_triangle(c: Vec3, r: f32, d: Vec3, face: &Face) -> Option<Touch> {
    let (n, side) = (face.normal, face.distance(c));
    if n == Vec3::ZERO {
        return edges(c, r, d, face, 0.0);
    }
    if side.is_nan() || side < 0.0 {
        return None;
    }
    let (t, point) = if side > r {
        let approach = -n.dot(d);
        if approach.is_nan() || approach <= 0.0 || side - r > approach {
            return None;
        }
        let t = (side - r) / approach;
        // A quotient of numbers that left the range is no share of the move.
        if !(0.0..=1.0).contains(&t) {
            return None;
        }
        (t, c + d * t - n * r)
    } else {
        (0.0, c - n * side)
    };
    if (0..3).any(|i| face.outside_edge(i, point)) {
        edges(c, r, d, face, t)
    } else {
        Some(Touch { fraction: t, point, normal: n })
    }
}

/// The earliest touch with the three edges, not before `earliest`.
// Covers: seed 002, SphereSweep_VertexRegion (0x0034e5d0) test=a_falling_sphere_meets_the_face_an_edge_and_a_corner
pub(in crate::physics::kernels) fn edges(c: Vec3, r: f32, d: Vec3, face: &Face, earliest: f32) -> Option<Touch> {
    let mut first: Option<(f32, usize)> = None;
    for i in 0..3 {
        let (a, b) = edge(face, i);
        if line_passes_line(c, d, a, b, r) {
            continue;
        }
        if let Some(fraction) = ray_capsule_entry(c, d, a, b, r)
            && first.is_none_or(|(best, _)| fraction < best)
        {
            first = Some((fraction, i));
        }
    }
    let (fraction, i) = first?;
    let (a, b) = edge(face, i);
    Some(Touch { fraction: fraction.max(earliest), ..touch_of_edge(c, d, a, b, fraction, face.normal) })
}

#[inline]
fn edge(face: &Face, i: usize) -> (Vec3, Vec3) {
    (face.corners[i], face.corners[(i + 1) % 3])
}

/// Whether the move's whole line passes the edge's whole line further away than the radius, and so cannot touch the edge.
#[inline]
fn line_passes_line(c: Vec3, d: Vec3, a: Vec3, b: Vec3, r: f32) -> bool {
    /// What is added to the squared radius, and the square of what rounding may take of the volume, so that only lines
    /// that are certainly further apart are left out.
    const SLACK: (f32, f32) = (1.01, 4e-10);
    let (edge, m) = (b - a, c - a);
    let across = d.cross(edge);
    let volume = across.dot(m);
    let rounding = SLACK.1 * d.length_squared() * edge.length_squared() * m.length_squared();
    volume * volume > SLACK.0 * r * r * across.length_squared() + rounding
}

/// A sphere against an edge: fraction 0 when it already reaches it, else the edge as a capsule.
///
/// `fallback` is the normal of a sphere whose centre is on the edge.
///
/// Source: seed 002, Geometry kernels (SphereSweep_Edge).
pub fn sweep_sphere_edge(c: Vec3, r: f32, d: Vec3, a: Vec3, b: Vec3, fallback: Vec3) -> Option<Touch> {
    let fraction = ray_capsule_entry(c, d, a, b, r)?;
    Some(touch_of_edge(c, d, a, b, fraction, fallback))
}

/// The touch of a sphere that reaches an edge after a share of its move.
fn touch_of_edge(c: Vec3, d: Vec3, a: Vec3, b: Vec3, fraction: f32, fallback: Vec3) -> Touch {
    let centre = c + d * fraction;
    let point = closest_point(centre, a, b);
    Touch { fraction, point, normal: (centre - point).try_normalize().unwrap_or(fallback) }
}

/// The point of a triangle closest to `p`: a corner, a point of an edge or one of the face.
///
/// Source: seed 002, Geometry kernels (PointTriangle_DistanceSq).
// Covers: seed 002, PointTriangle_DistanceSq (0x0034e840) test=the_penetration_is_the_radius_less_the_distance
pub fn closest_point_of_triangle(p: Vec3, face: &Face) -> Vec3 {
    if face.normal != Vec3::ZERO && (0..3).all(|i| !face.outside_edge(i, p)) {
        return p - face.normal * face.distance(p);
    }
    let candidates = [0, 1, 2].map(|i| closest_point(p, face.corners[i], face.corners[(i + 1) % 3]));
    let distance = |q: Vec3| (p - q).length_squared();
    candidates.into_iter().reduce(|best, q| if distance(q) < distance(best) { q } else { best }).unwrap_or(p)
}

/// How deep a sphere reaches into a triangle in metres, with the closest point and the normal at the sphere.
///
/// Source: seed 002, Geometry kernels (SphereTriangle_Penetration).
// Covers: seed 002, SphereTriangle_Penetration (0x0034edd0) test=the_penetration_is_the_radius_less_the_distance
pub fn sphere_triangle_penetration(c: Vec3, r: f32, face: &Face) -> Option<(f32, Touch)> {
    let point = closest_point_of_triangle(c, face);
    let apart = c - point;
    let depth = r - apart.length();
    let normal = apart.try_normalize().unwrap_or(face.normal);
    (depth > 0.0).then_some((depth, Touch { fraction: 0.0, point, normal }))
}

#[cfg(test)]
mod tests {
    use super::super::reference;
    use super::*;
    use crate::collision::scenes::Random;

    fn unit_triangle() -> Face {
        Face::new([Vec3::ZERO, Vec3::X, Vec3::Y])
    }

    fn dropped(x: f32, y: f32) -> Option<Touch> {
        sweep_sphere_triangle(Vec3::new(x, y, 2.0), 0.5, Vec3::Z * -2.0, &unit_triangle())
    }

    fn fraction(touch: Option<Touch>, expected: f32) {
        let found = touch.expect("a hit").fraction;
        assert!((found - expected).abs() < 1e-5, "{found}, expected {expected}");
    }

    #[test]
    fn a_falling_sphere_meets_the_face_an_edge_and_a_corner() {
        fraction(dropped(0.25, 0.25), 0.75);
        fraction(dropped(0.5, -0.3), 0.8);
        fraction(dropped(-0.3, -0.3), 0.867_712_4);
        assert_eq!(dropped(0.5, -0.6), None);
    }

    #[test]
    fn a_sphere_that_overlaps_the_face_touches_at_once() {
        let touch = sweep_sphere_triangle(Vec3::new(0.25, 0.25, 0.3), 0.5, -Vec3::Z, &unit_triangle());
        fraction(touch, 0.0);
        assert_eq!(touch.unwrap().normal, Vec3::Z);
    }

    #[test]
    fn a_sphere_from_behind_passes() {
        let below = Vec3::new(0.25, 0.25, -2.0);
        assert_eq!(sweep_sphere_triangle(below, 0.5, Vec3::Z * 2.0, &unit_triangle()), None);
    }

    #[test]
    fn a_triangle_without_area_is_met_as_a_line() {
        let line = Face::new([Vec3::ZERO, Vec3::X, Vec3::X * 2.0]);
        fraction(sweep_sphere_triangle(Vec3::new(1.0, 0.0, 2.0), 0.5, Vec3::Z * -2.0, &line), 0.75);
        let dot = Face::new([Vec3::ZERO; 3]);
        fraction(sweep_sphere_triangle(Vec3::Z * 2.0, 0.5, Vec3::Z * -2.0, &dot), 0.75);
    }

    #[test]
    fn numbers_that_are_none_are_misses_or_finite() {
        let bad = Vec3::splat(f32::NAN);
        assert_eq!(sweep_sphere_triangle(bad, 0.5, -Vec3::Z, &unit_triangle()), None);
        assert_eq!(sweep_sphere_triangle(Vec3::Z * 2.0, 0.5, bad, &unit_triangle()), None);
        let touch = sweep_sphere_triangle(Vec3::Z * 2.0, 0.5, Vec3::Z * -1e30, &unit_triangle());
        assert!(touch.is_none_or(|touch| touch.fraction.is_finite()));
    }

    #[test]
    fn random_sweeps_agree_with_the_reference() {
        let mut random = Random::new(1);
        let (mut hits, mut worst) = (0, 0.0_f64);
        for _ in 0..20_000 {
            let mut face = Face::new([random.vec3(3.0), random.vec3(3.0), random.vec3(3.0)]);
            let (c, r, d) = (random.vec3(4.0), random.range(0.05, 1.0), random.vec3(8.0));
            if face.distance(c) < 0.0 {
                face = face.turned();
            }
            let found = sweep_sphere_triangle(c, r, d, &face).map(|touch| touch.fraction);
            let distance = |p: [f64; 3]| reference::point_triangle(p, face.corners);
            worst = worst.max(reference::compare(found, c, d, r, distance));
            hits += found.is_some() as u32;
        }
        assert!(hits > 1000, "only {hits} hits");
        assert!(worst < 1e-4, "worst difference {worst}");
    }

    #[test]
    fn the_penetration_is_the_radius_less_the_distance() {
        let (depth, touch) = sphere_triangle_penetration(Vec3::new(0.25, 0.25, 0.3), 0.5, &unit_triangle()).unwrap();
        assert!((depth - 0.2).abs() < 1e-6);
        assert_eq!(touch.normal, Vec3::Z);
        assert!(sphere_triangle_penetration(Vec3::new(-0.4, -0.4, 0.0), 0.5, &unit_triangle()).is_none());
    }
}
