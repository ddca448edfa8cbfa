//! Leaving triangles out early: a small record of each, read before its corners are.
//!
//! A query over a few cells meets many triangles that it cannot touch. Each has a record of 32 bytes, one or two to a
//! cache line, with its plane, its box in 16-bit steps of the mesh's box, and its flags. Box and plane are widened by what
//! rounding may lose, so that culling changes no answer.
//!
//! Our choice: the original reads the corners and computes the normal of every triangle of the cells.

use super::{Face, TriangleFlags};
use crate::maths::Vec3;

/// A triangle's record.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Outline {
    normal: [f32; 3],
    /// The normal's product with a corner.
    offset: f32,
    min: [u16; 3],
    max: [u16; 3],
    pub flags: TriangleFlags,
}

/// The steps in which boxes are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    origin: Vec3,
    end: Vec3,
    per_metre: Vec3,
    /// The largest coordinate of the mesh, for the rounding of its planes.
    largest: f32,
}

/// A moving ball that encloses whatever a query moves, for culling.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    start: Vec3,
    end: Vec3,
    radius: f32,
    min: [u16; 3],
    max: [u16; 3],
}

/// Rounding of a plane's distance, as a share of the largest number in it.
const ROUNDING: f32 = 2e-6;
/// Steps along an axis.
const MOST: f32 = 65_535.0;

impl Steps {
    pub(super) fn over(min: Vec3, max: Vec3) -> Self {
        let per = |axis: usize| {
            let extent = max[axis] - min[axis];
            if extent > 1e-4 { MOST / extent } else { 0.0 }
        };
        let most = min.abs().max(max.abs());
        Self {
            origin: min,
            end: max,
            per_metre: Vec3::new(per(0), per(1), per(2)),
            largest: most.x.max(most.y).max(most.z),
        }
    }

    /// The steps of a box, one further out than they must be.
    fn of(&self, min: Vec3, max: Vec3) -> ([u16; 3], [u16; 3]) {
        let (low, high) = ((min - self.origin).scale(self.per_metre), (max - self.origin).scale(self.per_metre));
        // The casts truncate and saturate; a number that is none becomes 0.
        let down = |x: f32| (x - 2.0) as u16;
        let up = |x: f32| (x + 2.0) as u16;
        ([down(low.x), down(low.y), down(low.z)], [up(high.x), up(high.y), up(high.z)])
    }

    /// A probe for something that fits into a ball of `radius` around `start` and moves by `d`, within the box.
    pub(super) fn probe(&self, start: Vec3, d: Vec3, radius: f32, min: Vec3, max: Vec3) -> Probe {
        let end = start + d;
        let spread = start.abs().max(end.abs());
        let largest = (spread.x + spread.y + spread.z).max(self.largest);
        let (low, high) = self.of(min, max);
        Probe { start, end, radius: radius + ROUNDING * largest, min: low, max: high }
    }

    /// The part of the way from `start` to `end` that is in the mesh's box, as shares of it, or nothing. Widened against
    /// rounding.
    pub(super) fn clip(&self, start: Vec3, end: Vec3) -> Option<(f32, f32)> {
        let spread = start.abs().max(end.abs());
        let slack = 1e-3 + ROUNDING * (spread.x + spread.y + spread.z).max(self.largest);
        let d = end - start;
        let (mut enter, mut exit) = (0.0_f32, 1.0_f32);
        for axis in 0..3 {
            let (low, high) = (self.origin[axis] - slack - start[axis], self.end[axis] + slack - start[axis]);
            if d[axis] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let (a, b) = (low / d[axis], high / d[axis]);
            enter = enter.max(a.min(b));
            exit = exit.min(a.max(b));
        }
        (enter <= exit).then_some((enter, exit))
    }

    /// A probe for a ray, or, given the ends of a part of it, for that part.
    pub(super) fn ray(&self, (start, end): (Vec3, Vec3), (a, b): (Vec3, Vec3)) -> Probe {
        let slack = Vec3::splat(1e-2);
        self.probe(start, end - start, 0.0, a.min(b) - slack, a.max(b) + slack)
    }
}

impl Outline {
    pub(super) fn new(face: &Face, flags: TriangleFlags, steps: &Steps) -> Self {
        let [a, b, c] = face.corners;
        let (min, max) = steps.of(a.min(b).min(c), a.max(b).max(c));
        Self { normal: face.normal.to_array(), offset: face.normal.dot(a), min, max, flags }
    }

    /// The unit normal.
    #[inline]
    pub(super) fn normal(&self) -> Vec3 {
        Vec3::from_array(self.normal)
    }

    /// Whether the probe may touch the triangle: the boxes meet and the plane is within reach, from the front when the
    /// triangle has one side only.
    #[inline]
    pub(super) fn may_touch(&self, probe: &Probe) -> bool {
        let apart = (self.min[0] > probe.max[0])
            | (self.max[0] < probe.min[0])
            | (self.min[1] > probe.max[1])
            | (self.max[1] < probe.min[1])
            | (self.min[2] > probe.max[2])
            | (self.max[2] < probe.min[2]);
        if apart {
            return false;
        }
        let normal = self.normal();
        let (from, to) = (normal.dot(probe.start) - self.offset, normal.dot(probe.end) - self.offset);
        let r = probe.radius;
        let before = from > r && to > r;
        let behind = from < -r && (to < -r || !self.flags.has(TriangleFlags::TWO_SIDED));
        !(before || behind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::Random;

    fn face() -> Face {
        Face::new([Vec3::new(1.0, 1.0, 1.0), Vec3::new(2.0, 1.0, 1.0), Vec3::new(1.0, 2.0, 1.0)])
    }

    fn steps() -> Steps {
        Steps::over(Vec3::ZERO, Vec3::splat(10.0))
    }

    fn touches(flags: TriangleFlags, start: [f32; 3], d: [f32; 3], radius: f32) -> bool {
        let (start, d) = (Vec3::from_array(start), Vec3::from_array(d));
        let (low, high) = (start.min(start + d) - Vec3::splat(radius), start.max(start + d) + Vec3::splat(radius));
        Outline::new(&face(), flags, &steps()).may_touch(&steps().probe(start, d, radius, low, high))
    }

    #[test]
    fn a_record_is_half_a_cache_line() {
        assert_eq!(size_of::<Outline>(), 32);
    }

    #[test]
    fn boxes_apart_and_planes_out_of_reach_are_left_out() {
        let one = TriangleFlags::ENABLED;
        assert!(touches(one, [1.2, 1.2, 1.4], [0.0, 0.0, -0.2], 0.25));
        assert!(!touches(one, [1.2, 1.2, 1.6], [0.0, 0.0, -0.2], 0.25), "the plane is too far");
        assert!(!touches(one, [5.0, 1.2, 1.1], [0.0, 0.0, -0.2], 0.25), "the boxes are apart");
    }

    #[test]
    fn a_start_behind_is_left_out_unless_the_triangle_has_two_sides() {
        let (from, d) = ([1.2, 1.2, 0.6], [0.0, 0.0, 0.5]);
        assert!(!touches(TriangleFlags::ENABLED, from, d, 0.25));
        assert!(touches(TriangleFlags::TWO_SIDED, from, d, 0.25));
    }

    #[test]
    fn nothing_that_touches_is_left_out_far_from_the_origin() {
        let mut random = Random::new(21);
        let far = Vec3::new(9000.0, -7000.0, 300.0);
        let steps = Steps::over(far - Vec3::splat(50.0), far + Vec3::splat(50.0));
        for _ in 0..20_000 {
            let at = far + random.vec3(40.0);
            let face = Face::new([at, at + random.vec3(3.0), at + random.vec3(3.0)]);
            let outline = Outline::new(&face, TriangleFlags::TWO_SIDED, &steps);
            let (u, v) = (random.unit() * 0.5, random.unit() * 0.5);
            let on = at + (face.corners[1] - at) * u + (face.corners[2] - at) * v;
            let radius = random.range(0.01, 1.0);
            let start = on + random.direction() * (radius * 0.999);
            let d = random.vec3(2.0);
            let (low, high) = (start.min(start + d) - Vec3::splat(radius), start.max(start + d) + Vec3::splat(radius));
            assert!(outline.may_touch(&steps.probe(start, d, radius, low, high)));
        }
    }
}
