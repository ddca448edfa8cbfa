//! Boxes against boxes and triangles, axis by axis, at rest and moving.

use crate::collision::Face;
use crate::maths::Vec3;
use crate::physics::kernels::Touch;
use crate::physics::shapes::OrientedBox;

/// Squared length under which the cross product of two edges is no axis.
const NO_AXIS: f32 = 1e-8;

/// A search over separating axes for the time at which a moving convex shape meets a resting one.
struct Axes {
    /// Latest time at which an axis begins to overlap.
    enter: f32,
    /// Earliest time at which one ceases to.
    exit: f32,
    /// The axis of `enter`, pointing at the mover.
    normal: Vec3,
}

impl Axes {
    /// `normal` stands when no axis is ever entered, because the shapes overlap all along.
    fn new(normal: Vec3) -> Self {
        Self { enter: f32::MIN, exit: f32::MAX, normal }
    }

    /// Adds an axis: the mover's interval is `centre` with `reach` to both sides, the other's `(low, high)`, and the mover
    /// moves at `speed` along it. False when the shapes never overlap on it.
    fn axis(&mut self, axis: Vec3, centre: f32, reach: f32, (low, high): (f32, f32), speed: f32) -> bool {
        let (below, above) = (low - (centre + reach), high - (centre - reach));
        if speed == 0.0 {
            return below <= 0.0 && above >= 0.0;
        }
        let (a, b) = (below / speed, above / speed);
        let (enter, exit) = if speed > 0.0 { (a, b) } else { (b, a) };
        if enter > self.enter {
            self.enter = enter;
            self.normal = if centre < 0.5 * (low + high) { -axis } else { axis };
        }
        self.exit = self.exit.min(exit);
        self.enter <= self.exit
    }

    /// The fraction of the move, when the shapes meet within it.
    fn fraction(&self) -> Option<f32> {
        (self.enter <= self.exit && self.enter <= 1.0 && self.exit >= 0.0).then(|| self.enter.max(0.0))
    }
}

/// Half the length of a box's shadow on an axis.
///
/// Source: seed 002, Geometry kernels (BoxTri_ProjectBox).
// Covers: seed 002, BoxTri_ProjectBox (0x0034aa60) test=a_flat_brick_meets_the_floor_with_its_lower_face
#[inline]
fn reach(b: &OrientedBox, axis: Vec3) -> f32 {
    (0..3).map(|i| axis.dot(b.axes[i]).abs() * b.half[i]).sum()
}

/// A triangle's shadow on an axis, from `origin`.
///
/// Source: seed 002, Geometry kernels (BoxTri_ProjectTriangle).
// Covers: seed 002, BoxTri_ProjectTriangle (0x0034ab28) test=a_tilted_brick_meets_the_floor_with_its_lowest_corner
#[inline]
fn shadow(face: &Face, axis: Vec3, origin: Vec3) -> (f32, f32) {
    let [a, b, c] = face.corners.map(|v| axis.dot(v - origin));
    (a.min(b).min(c), a.max(b).max(c))
}

/// A box moving by `d` against a triangle: the triangle's normal, the box's axes and their cross products with the edges.
///
/// The normal is that of the axis entered last; the point is the box's corner that is furthest against it when they meet.
/// The triangle's side is the caller's to choose.
///
/// Our choice: the correct test. The original resets something when an axis speed is zero and gives some fractions that no
/// correct test gives; how is not known.
///
/// Source: seed 002, Geometry kernels (Sweep_BoxTriangle).
// Covers: seed 002, Sweep_BoxTriangle (0x0034d5d0) test=a_flat_brick_meets_the_floor_with_its_lower_face
pub fn sweep_box_triangle(b: &OrientedBox, d: Vec3, face: &Face) -> Option<Touch> {
    let mut axes = Axes::new(face.normal);
    let mut add = |axis: Vec3| axes.axis(axis, 0.0, reach(b, axis), shadow(face, axis, b.centre), axis.dot(d));
    if !add(face.normal) || !b.axes.iter().all(|&axis| add(axis)) {
        return None;
    }
    for i in 0..3 {
        let edge = face.edge(i).1.normalize_or_zero();
        for side in b.axes {
            let axis = side.cross(edge);
            if axis.length_squared() > NO_AXIS && !add(axis.normalize_or_zero()) {
                return None;
            }
        }
    }
    let fraction = axes.fraction()?;
    Some(Touch { fraction, point: b.support(-axes.normal) + d * fraction, normal: axes.normal })
}

/// A box moving by `d` against a box: whether they meet during the move, and the true touch.
///
/// The pair function of the tables keeps only that they meet and writes fraction 0.
///
/// Source: seed 002, Geometry kernels (Sweep_BoxBox).
// Covers: seed 002, Sweep_BoxBox (0x0034c430) test=boxes_meet_face_to_face_and_miss_when_turned_away
pub fn sweep_box_box(a: &OrientedBox, d: Vec3, b: &OrientedBox) -> Option<Touch> {
    let apart = a.centre - b.centre;
    let mut axes = Axes::new(apart.normalize_or_zero());
    let mut add = |axis: Vec3| {
        let (centre, other) = (axis.dot(apart), reach(b, axis));
        axes.axis(axis, centre, reach(a, axis), (-other, other), axis.dot(d))
    };
    if !a.axes.iter().chain(&b.axes).all(|&axis| add(axis)) {
        return None;
    }
    for u in a.axes {
        for v in b.axes {
            let axis = u.cross(v);
            if axis.length_squared() > NO_AXIS && !add(axis.normalize_or_zero()) {
                return None;
            }
        }
    }
    let fraction = axes.fraction()?;
    Some(Touch { fraction, point: a.support(-axes.normal) + d * fraction, normal: axes.normal })
}

/// Whether two boxes overlap at rest.
///
/// Our choice: the correct fifteen axes. The original builds its matrix the wrong way round and misses boxes that are
/// turned or far from the origin; nothing pairs two boxes.
///
/// Source: seed 002, Open questions (PhysicsOverlap_BoxBox).
pub fn box_box_overlap(a: &OrientedBox, b: &OrientedBox) -> Option<Touch> {
    sweep_box_box(a, Vec3::ZERO, b).map(|touch| Touch { fraction: 0.0, ..touch })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::{Random, floor};
    use crate::maths::Quat;

    fn brick(z: f32) -> OrientedBox {
        OrientedBox::new(Vec3::new(0.035, 0.105, 0.05), Quat::IDENTITY, Vec3::new(4.0, 3.0, z))
    }

    #[test]
    fn a_flat_brick_meets_the_floor_with_its_lower_face() {
        let face = Face::new(floor(10.0, 0.0)[0]);
        let touch = sweep_box_triangle(&brick(1.0), Vec3::Z * -2.0, &face).unwrap();
        assert!((touch.fraction - 0.475).abs() < 1e-6, "{}", touch.fraction);
        assert_eq!(touch.normal, Vec3::Z);
        assert!(touch.point.z.abs() < 1e-6);
    }

    #[test]
    fn a_brick_that_moves_along_the_floor_above_it_does_not_meet_it() {
        let face = Face::new(floor(10.0, 0.0)[0]);
        assert_eq!(sweep_box_triangle(&brick(0.06), Vec3::X, &face), None);
    }

    #[test]
    fn a_tilted_brick_meets_the_floor_with_its_lowest_corner() {
        let rotation = Quat::from_axis_angle(Vec3::X, 15.0_f32.to_radians());
        let b = OrientedBox::new(Vec3::new(0.035, 0.105, 0.05), rotation, Vec3::new(4.0, 3.0, 1.0));
        let lowest = b.corners().iter().map(|c| c.z).fold(f32::MAX, f32::min);
        let touch = sweep_box_triangle(&b, Vec3::Z * -2.0, &Face::new(floor(10.0, 0.0)[0])).unwrap();
        assert!((touch.fraction - lowest / 2.0).abs() < 1e-5, "{} {lowest}", touch.fraction);
    }

    #[test]
    fn boxes_meet_face_to_face_and_miss_when_turned_away() {
        let half = Vec3::splat(0.5);
        let a = OrientedBox::new(half, Quat::IDENTITY, Vec3::X * 5.0);
        let b = OrientedBox::new(half, Quat::IDENTITY, Vec3::ZERO);
        let touch = sweep_box_box(&a, Vec3::X * -8.0, &b).unwrap();
        assert!((touch.fraction - 0.5).abs() < 1e-6);
        assert_eq!(touch.normal, Vec3::X);
        assert_eq!(sweep_box_box(&a, Vec3::X * -3.9, &b), None);
        let turned = Quat::from_axis_angle(Vec3::Z, core::f32::consts::FRAC_PI_4);
        assert!(box_box_overlap(&OrientedBox::new(half, turned, Vec3::X * 1.15), &b).is_some());
        assert!(box_box_overlap(&OrientedBox::new(half, Quat::IDENTITY, Vec3::X * 1.15), &b).is_none());
    }

    #[test]
    fn a_small_box_against_a_triangle_agrees_with_a_sphere_of_its_inner_and_outer_radius() {
        let mut random = Random::new(9);
        let mut hits = 0;
        for _ in 0..5000 {
            let mut face = Face::new([random.vec3(3.0), random.vec3(3.0), random.vec3(3.0)]);
            let rotation = Quat::from_axis_angle(random.direction(), random.range(0.0, 6.0));
            let b = OrientedBox::new(Vec3::splat(0.3), rotation, random.vec3(5.0));
            let d = random.vec3(8.0);
            if face.distance(b.centre) < 0.0 {
                face = face.turned();
            }
            let sphere = |r| super::super::sweep_sphere_triangle(b.centre, r, d, &face).map(|touch| touch.fraction);
            let (outer, inner) = (sphere(0.3 * 3.0_f32.sqrt() + 1e-4), sphere(0.3 - 1e-4));
            match sweep_box_triangle(&b, d, &face) {
                Some(touch) => {
                    hits += 1;
                    assert!(outer.is_some_and(|outer| outer <= touch.fraction + 1e-4), "{outer:?} {touch:?}");
                }
                None => assert_eq!(inner, None),
            }
        }
        assert!(hits > 200, "only {hits} hits");
    }

    #[test]
    fn numbers_that_are_none_are_misses() {
        let face = Face::new(floor(10.0, 0.0)[0]);
        let mut b = brick(1.0);
        b.centre.x = f32::NAN;
        assert_eq!(sweep_box_triangle(&b, -Vec3::Z, &face), None);
        assert_eq!(sweep_box_box(&b, -Vec3::Z, &brick(0.0)), None);
    }
}
