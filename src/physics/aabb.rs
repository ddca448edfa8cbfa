//! Upright boxes around things.

use super::shapes::{Capsule, Geometry, OrientedBox, Segment, Sphere};
use crate::maths::Vec3;

/// An axis-aligned box, ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aabb {
    /// Lowest corner in metres.
    pub min: Vec3,
    /// Highest corner in metres.
    pub max: Vec3,
}

impl Aabb {
    /// The box of nothing: it overlaps nothing, and joined with another it is the other.
    pub const EMPTY: Self = Self { min: Vec3::splat(f32::MAX), max: Vec3::splat(-f32::MAX) };

    /// Around a point, reaching out by `half` on each axis.
    #[inline]
    pub fn around(centre: Vec3, half: Vec3) -> Self {
        Self { min: centre - half, max: centre + half }
    }

    /// Around a sphere.
    ///
    /// Source: seed 002, Original structure (AABB_FromSphere 0x00341660).
    // Covers: seed 002, AABB_FromSphere (0x00341660) test=a_sphere_reaches_out_on_every_axis
    #[inline]
    pub fn from_sphere(sphere: &Sphere) -> Self {
        Self::around(sphere.centre, Vec3::splat(sphere.radius))
    }

    /// Around an upright cylinder: a capsule's box does not reach past the ends of its core.
    ///
    /// Source: seed 002, Original structure (AABB_FromUprightCylinder 0x00341708).
    // Covers: seed 002, AABB_FromUprightCylinder (0x00341708) test=a_capsules_box_ends_with_its_core
    #[inline]
    pub fn from_capsule(capsule: &Capsule) -> Self {
        let out = Vec3::new(capsule.radius, capsule.radius, 0.0);
        Self { min: capsule.base - out, max: capsule.top() + out }
    }

    /// Around an oriented box.
    #[inline]
    pub fn from_box(b: &OrientedBox) -> Self {
        let reach = b.axes[0].abs() * b.half.x + b.axes[1].abs() * b.half.y + b.axes[2].abs() * b.half.z;
        Self::around(b.centre, reach)
    }

    /// Around a segment.
    ///
    /// Our choice: the right bound. The original's is wrong on an axis along which the segment points down, by how much is
    /// not known.
    #[inline]
    pub fn from_segment(segment: &Segment) -> Self {
        let out = Vec3::splat(segment.radius);
        Self { min: segment.start.min(segment.end) - out, max: segment.start.max(segment.end) + out }
    }

    /// Around any shape.
    ///
    /// Source: seed 002, Shapes (PhysicsShape_GetBounds 0x00341190).
    // Covers: seed 002, PhysicsShape_GetBounds (0x00341190) test=a_sphere_reaches_out_on_every_axis
    pub fn of(geometry: &Geometry) -> Self {
        match geometry {
            Geometry::Box(b) => Self::from_box(b),
            Geometry::Sphere(s) => Self::from_sphere(s),
            Geometry::Capsule(c) => Self::from_capsule(c),
            Geometry::Segment(s) => Self::from_segment(s),
        }
    }

    /// Around both.
    // Covers: seed 002, PhysicsBody_AddShapeBounds (0x003417c0) test=the_empty_box_overlaps_nothing_and_joins_as_nothing
    #[inline]
    pub fn union(self, o: Self) -> Self {
        Self { min: self.min.min(o.min), max: self.max.max(o.max) }
    }

    /// Grown to cover a move: the lowest corner by its negative parts, the highest by its positive ones.
    ///
    /// Source: seed 002, Original structure (AABB_ExtendByMove 0x00341840).
    // Covers: seed 002, AABB_ExtendByMove (0x00341840) test=a_move_grows_the_side_it_goes_to
    #[inline]
    pub fn extended_by(self, d: Vec3) -> Self {
        Self { min: self.min + d.min(Vec3::ZERO), max: self.max + d.max(Vec3::ZERO) }
    }

    /// Scaled about its centre, per axis. The body sweep computes it and uses it for nothing.
    ///
    /// Source: seed 002, Sweeping a body (AABB_ScaleAboutCentre 0x003414c0).
    // Covers: seed 002, AABB_ScaleAboutCentre (0x003414c0) test=scaling_keeps_the_centre
    #[inline]
    pub fn scaled_about_centre(self, scale: Vec3) -> Self {
        let centre = (self.min + self.max) * 0.5;
        Self::around(centre, ((self.max - self.min) * 0.5).scale(scale))
    }

    /// Whether the boxes share a point.
    #[inline]
    pub fn overlaps(&self, o: &Self) -> bool {
        self.min.x <= o.max.x && self.reaches(o)
    }

    /// Whether the box reaches another that begins no earlier along x: they share a point once that is known.
    #[inline]
    pub fn reaches(&self, o: &Self) -> bool {
        self.max.x >= o.min.x && self.overlaps_in_yz(o)
    }

    /// Whether the boxes share a point once x is left aside.
    #[inline]
    pub fn overlaps_in_yz(&self, o: &Self) -> bool {
        self.min.y <= o.max.y && self.max.y >= o.min.y && self.min.z <= o.max.z && self.max.z >= o.min.z
    }

    /// Size along x in metres.
    #[inline]
    pub fn width(&self) -> f32 {
        self.max.x - self.min.x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Quat;

    #[test]
    fn a_capsules_box_ends_with_its_core() {
        let b = Aabb::from_capsule(&Capsule { base: Vec3::Z, radius: 0.5, height: 2.0 });
        assert_eq!((b.min, b.max), (Vec3::new(-0.5, -0.5, 1.0), Vec3::new(0.5, 0.5, 3.0)));
    }

    #[test]
    fn a_turned_boxs_bound_touches_its_corners() {
        let b = OrientedBox::new(Vec3::new(1.0, 2.0, 3.0), Quat::from_axis_angle(Vec3::Z, 0.4), Vec3::X);
        let corners = b.corners();
        let low = corners.iter().fold(Vec3::splat(f32::MAX), |low, &c| low.min(c));
        assert!((Aabb::from_box(&b).min - low).length() < 1e-5);
    }

    #[test]
    fn a_segment_that_points_down_has_its_right_bound() {
        let b = Aabb::from_segment(&Segment { start: Vec3::Z * 2.0, end: Vec3::ZERO, radius: 0.25 });
        assert_eq!((b.min.z, b.max.z), (-0.25, 2.25));
    }

    #[test]
    fn a_sphere_reaches_out_on_every_axis() {
        let b = Aabb::of(&Geometry::Sphere(Sphere { centre: Vec3::X, radius: 2.0 }));
        assert_eq!((b.min, b.max), (Vec3::new(-1.0, -2.0, -2.0), Vec3::new(3.0, 2.0, 2.0)));
    }

    #[test]
    fn a_move_grows_the_side_it_goes_to() {
        let b = Aabb::around(Vec3::ZERO, Vec3::splat(1.0)).extended_by(Vec3::new(2.0, -3.0, 0.0));
        assert_eq!((b.min, b.max), (Vec3::new(-1.0, -4.0, -1.0), Vec3::new(3.0, 1.0, 1.0)));
    }

    #[test]
    fn scaling_keeps_the_centre() {
        let b = Aabb { min: Vec3::ZERO, max: Vec3::splat(2.0) }.scaled_about_centre(Vec3::new(2.0, 1.0, 0.5));
        assert_eq!((b.min, b.max), (Vec3::new(-1.0, 0.0, 0.5), Vec3::new(3.0, 2.0, 1.5)));
    }

    #[test]
    fn the_empty_box_overlaps_nothing_and_joins_as_nothing() {
        let b = Aabb::around(Vec3::X, Vec3::splat(1.0));
        assert!(!Aabb::EMPTY.overlaps(&b) && b.overlaps(&b));
        assert_eq!(Aabb::EMPTY.union(b), b);
    }
}
