//! Leaving triangles out early: a small record of each, read before its corners are.
//!
//! A query over a few cells meets many triangles that it cannot touch. Each has a record of 32 bytes, one or two to a
//! cache line, with its plane, its box in 16-bit steps of the mesh's box, and its flags. Box and plane are widened by what
//! rounding may lose, so that culling changes no answer.
//!
//! Our choice: the original reads the corners and computes the normal of every triangle of the cells.

use super::{Face, TriangleFlags};
use crate::maths::Vec3;

/// A triangle's plane, a quadword for VU0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(16))]
pub struct Plane {
    /// Unit normal, zero for a triangle without area.
    pub normal: [f32; 3],
    /// The normal's product with a corner.
    pub offset: f32,
}

/// A move as the columns of a table, so that a plane times its rows is an [`Approach`]: a quadword for each part of the
/// plane.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct MoveRows {
    /// x of the start, of the end and of the move; the fourth number is 0.
    pub x: [f32; 4],
    /// The same for y.
    pub y: [f32; 4],
    /// The same for z.
    pub z: [f32; 4],
    /// What the plane's offset is taken by: -1 at both ends.
    pub offset: [f32; 4],
}

/// How a move comes to a plane, in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Approach {
    /// Signed distance of the start.
    pub from: f32,
    /// Signed distance of the end.
    pub to: f32,
    /// The move along the normal: below 0 it goes in.
    pub along: f32,
    unused: f32,
}

impl MoveRows {
    /// Of a move from `start` by `d`.
    pub fn new(start: Vec3, d: Vec3) -> Self {
        let end = start + d;
        let row = |start, end, d| [start, end, d, 0.0];
        Self {
            x: row(start.x, end.x, d.x),
            y: row(start.y, end.y, d.y),
            z: row(start.z, end.z, d.z),
            offset: row(-1.0, -1.0, 0.0),
        }
    }

    /// The move's approach to a plane.
    #[inline]
    pub fn approach(&self, plane: &Plane) -> Approach {
        let [x, y, z] = plane.normal;
        let along = |i: usize| self.x[i] * x + self.y[i] * y + self.z[i] * z;
        let [from, to, along] = [along(0) - plane.offset, along(1) - plane.offset, along(2)];
        Approach { from, to, along, unused: 0.0 }
    }
}

/// A triangle's record.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Outline {
    pub(super) plane: Plane,
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
    rows: MoveRows,
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
        Probe { rows: MoveRows::new(start, d), radius: radius + ROUNDING * largest, min: low, max: high }
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

impl Probe {
    /// Radius of the ball, widened by what rounding may lose.
    #[inline]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The move as a table.
    #[inline]
    pub fn rows(&self) -> &MoveRows {
        &self.rows
    }

    /// Whether a triangle with these flags is within reach of its plane, from the front when it has one side only.
    #[inline]
    pub fn reaches(&self, approach: &Approach, flags: TriangleFlags) -> bool {
        let (Approach { from, to, .. }, r) = (*approach, self.radius);
        let before = from > r && to > r;
        let behind = from < -r && (to < -r || !flags.has(TriangleFlags::TWO_SIDED));
        !(before || behind)
    }
}

impl Outline {
    pub(super) fn new(face: &Face, flags: TriangleFlags, steps: &Steps) -> Self {
        let [a, b, c] = face.corners;
        let (min, max) = steps.of(a.min(b).min(c), a.max(b).max(c));
        let plane = Plane { normal: face.normal.to_array(), offset: face.normal.dot(a) };
        Self { plane, min, max, flags }
    }

    /// The unit normal.
    #[inline]
    pub(super) fn normal(&self) -> Vec3 {
        Vec3::from_array(self.plane.normal)
    }

    /// Whether the probe's box meets the triangle's.
    #[inline]
    pub(super) fn is_near(&self, probe: &Probe) -> bool {
        let apart = (self.min[0] > probe.max[0])
            | (self.max[0] < probe.min[0])
            | (self.min[1] > probe.max[1])
            | (self.max[1] < probe.min[1])
            | (self.min[2] > probe.max[2])
            | (self.max[2] < probe.min[2]);
        !apart
    }

    /// Whether the probe may touch the triangle: the boxes meet and the plane is within reach.
    #[inline]
    pub(super) fn may_touch(&self, probe: &Probe) -> bool {
        self.is_near(probe) && probe.reaches(&probe.rows.approach(&self.plane), self.flags)
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
