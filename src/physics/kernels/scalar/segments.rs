//! Closest points of points and segments.

use crate::maths::Vec3;

/// Denominators from here down count as parallel, as a share of the product of both squared lengths: the square of the sine
/// between the segments.
///
/// Our choice: a share, because a bare number would call every pair of short segments parallel.
const PARALLEL: f32 = 1e-8;

/// Where on `a`-`b` the point closest to `p` lies, 0 to 1; 0 for a segment without length.
///
/// Source: seed 002, Geometry kernels (Segment_ClosestParam).
// Covers: seed 002, Segment_ClosestParam (0x0034ac08) test=the_closest_point_stays_on_the_segment
#[inline]
pub fn closest_parameter(p: Vec3, a: Vec3, b: Vec3) -> f32 {
    let along = b - a;
    let squared = along.length_squared();
    if squared > 0.0 { ((p - a).dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 }
}

/// The point of `a`-`b` closest to `p`.
///
/// Source: seed 002, Geometry kernels (Segment_ClosestPoint).
// Covers: seed 002, Segment_ClosestPoint (0x0034acc8) test=the_closest_point_stays_on_the_segment
#[inline]
pub fn closest_point(p: Vec3, a: Vec3, b: Vec3) -> Vec3 {
    a + (b - a) * closest_parameter(p, a, b)
}

/// The closest points of two segments, the first one's first; nearly parallel ones start from the first one's start.
///
/// Source: seed 002, Geometry kernels (Segment_ClosestPoints).
// Covers: seed 002, Segment_ClosestPoints (0x0034ad50) test=crossed_segments_are_closest_where_they_cross
pub fn closest_points(a0: Vec3, a1: Vec3, b0: Vec3, b1: Vec3) -> (Vec3, Vec3) {
    let (u, v, w) = (a1 - a0, b1 - b0, a0 - b0);
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let (uw, vw) = (u.dot(w), v.dot(w));
    let denominator = uu * vv - uv * uv;
    let mut s =
        if denominator > PARALLEL * uu * vv { ((uv * vw - vv * uw) / denominator).clamp(0.0, 1.0) } else { 0.0 };
    let mut t = if vv > 0.0 { (uv * s + vw) / vv } else { 0.0 };
    if !(0.0..=1.0).contains(&t) {
        t = t.clamp(0.0, 1.0);
        s = if uu > 0.0 { ((uv * t - uw) / uu).clamp(0.0, 1.0) } else { 0.0 };
    }
    if vv == 0.0 {
        s = closest_parameter(b0, a0, a1);
    }
    (a0 + u * s, b0 + v * t)
}

/// Two unit vectors at right angles to `v` and to each other, right-handed with it; those of +z for a vector of no length.
///
/// Source: seed 002, Geometry kernels (Vec_MakePerpendicularBasis).
// Covers: seed 002, Vec_MakePerpendicularBasis (0x00349180) test=a_perpendicular_basis_is_square_and_right_handed
pub fn perpendicular_basis(v: Vec3) -> [Vec3; 2] {
    let unit = v.try_normalize().unwrap_or(Vec3::Z);
    let size = unit.abs();
    // The axis that lies furthest from it loses the fewest digits.
    let aside = if size.x <= size.y && size.x <= size.z {
        Vec3::X
    } else if size.y <= size.z {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let first = aside.cross(unit).normalize_or_zero();
    [first, unit.cross(first)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::Random;

    #[test]
    fn the_closest_point_stays_on_the_segment() {
        let (a, b) = (Vec3::ZERO, Vec3::X * 2.0);
        assert_eq!(closest_point(Vec3::new(1.0, 3.0, 0.0), a, b), Vec3::X);
        assert_eq!(closest_point(Vec3::new(-4.0, 3.0, 0.0), a, b), a);
        assert_eq!(closest_point(Vec3::new(9.0, 3.0, 0.0), a, b), b);
        assert_eq!(closest_parameter(Vec3::X, a, a), 0.0);
    }

    #[test]
    fn crossed_segments_are_closest_where_they_cross() {
        let (a, b) = closest_points(Vec3::X * -1.0, Vec3::X, Vec3::new(0.0, -1.0, 2.0), Vec3::new(0.0, 1.0, 2.0));
        assert!(a.length() < 1e-6 && (b - Vec3::Z * 2.0).length() < 1e-6, "{a:?} {b:?}");
    }

    #[test]
    fn no_sampled_pair_of_points_is_closer() {
        let mut random = Random::new(5);
        for _ in 0..300 {
            let [a0, a1, b0, b1] = [0; 4].map(|_| random.vec3(2.0));
            let (p, q) = closest_points(a0, a1, b0, b1);
            let found = (p - q).length();
            let off = (closest_point(p, a0, a1) - p).length() + (closest_point(q, b0, b1) - q).length();
            assert!(off < 1e-4, "the points lie {off} beside their segments");
            for i in 0..=20 {
                for k in 0..=20 {
                    let (s, t) = (i as f32 / 20.0, k as f32 / 20.0);
                    let sampled = (a0.lerp(a1, s) - b0.lerp(b1, t)).length();
                    assert!(sampled >= found - 1e-4, "{sampled} is closer than {found}");
                }
            }
        }
    }

    /// The distance of two segments that are not parallel, in double precision: the crossing of their lines where it lies on
    /// both, else the nearest of the four ends' distances from the other segment.
    fn true_distance(segments: [Vec3; 4]) -> f64 {
        type Wide = [f64; 3];
        let [a0, a1, b0, b1] = segments.map(|v| v.to_array().map(f64::from));
        let minus = |p: Wide, q: Wide| -> Wide { core::array::from_fn(|i| p[i] - q[i]) };
        let dot = |p: Wide, q: Wide| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        let on = |p: Wide, way: Wide, s: f64| -> Wide { core::array::from_fn(|i| p[i] + way[i] * s) };
        let apart = |p: Wide, q: Wide| dot(minus(p, q), minus(p, q));
        let (u, v, w) = (minus(a1, a0), minus(b1, b0), minus(a0, b0));
        let from =
            |p: Wide, a: Wide, way: Wide| apart(p, on(a, way, (dot(minus(p, a), way) / dot(way, way)).clamp(0.0, 1.0)));
        let mut least = from(a0, b0, v).min(from(a1, b0, v)).min(from(b0, a0, u)).min(from(b1, a0, u));
        let denominator = dot(u, u) * dot(v, v) - dot(u, v) * dot(u, v);
        let s = (dot(u, v) * dot(v, w) - dot(v, v) * dot(u, w)) / denominator;
        let t = (dot(u, u) * dot(v, w) - dot(u, v) * dot(u, w)) / denominator;
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            least = least.min(apart(on(a0, u, s), on(b0, v, t)));
        }
        least.sqrt()
    }

    #[test]
    fn short_segments_are_measured_as_exactly_as_long_ones() {
        let (a, b) = (Vec3::X * 0.2, Vec3::new(0.1, 2e-4, 0.0));
        let (p, q) = closest_points(Vec3::ZERO, a, Vec3::new(b.x, -b.y, 0.0), b);
        assert!((p - q).length() < 1e-6 && (p.x - 0.1).abs() < 1e-6, "{p:?} {q:?}");

        let mut random = Random::new(31);
        for lengths in [[1.0, 1.0], [1e-1, 1e-3], [1e-2, 1e-2], [1e-3, 1e-3], [1.0, 1e-4]] {
            for _ in 0..500 {
                // Near each other, so that the middle of a segment decides as often as its ends.
                let [a0, a1] = [0; 2].map(|_| random.vec3(lengths[0]));
                let middle = a0.lerp(a1, random.unit());
                let [b0, b1] = [0; 2].map(|_| middle + random.vec3(lengths[1]));
                let (p, q) = closest_points(a0, a1, b0, b1);
                let off = f64::from((p - q).length()) - true_distance([a0, a1, b0, b1]);
                assert!(off.abs() < 5e-4 * f64::from(lengths[0]), "{lengths:?}: {off} of {a0:?} {a1:?} {b0:?} {b1:?}");
            }
        }
    }

    #[test]
    fn a_point_for_a_segment_is_the_point_test() {
        let (p, q) = closest_points(Vec3::ZERO, Vec3::X * 2.0, Vec3::new(1.5, 1.0, 0.0), Vec3::new(1.5, 1.0, 0.0));
        assert_eq!((p.x, q.y), (1.5, 1.0));
    }

    #[test]
    fn a_perpendicular_basis_is_square_and_right_handed() {
        let mut random = crate::collision::scenes::Random::new(12);
        let axes = [Vec3::X, Vec3::Y * -3.0, Vec3::Z * 1e-3, Vec3::ZERO];
        for v in axes.into_iter().chain((0..1000).map(|_| random.vec3(9.0))) {
            let unit = v.try_normalize().unwrap_or(Vec3::Z);
            let [a, b] = perpendicular_basis(v);
            assert!((a.length() - 1.0).abs() < 1e-5 && (b.length() - 1.0).abs() < 1e-5, "{v:?}: {a:?} {b:?}");
            assert!(a.dot(b).abs() < 1e-5 && a.dot(unit).abs() < 1e-5, "{v:?}: {a:?} {b:?}");
            assert!((a.cross(b) - unit).length() < 1e-5, "{v:?}: {a:?} {b:?}");
        }
    }
}
