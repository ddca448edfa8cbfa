//! Shapes in the world: what a pose makes of a body's shape, and what the kernels read.

use crate::maths::{Quat, Vec3};

/// An oriented box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    /// Half extents along the axes in metres.
    pub half: Vec3,
    /// Unit axes.
    pub axes: [Vec3; 3],
    /// Centre in metres.
    pub centre: Vec3,
}

/// A sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Centre in metres.
    pub centre: Vec3,
    /// Radius in metres.
    pub radius: f32,
}

/// An upright capsule: most tests read it as a vertical range with a horizontal radius, some round its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// Lower end of the core in metres.
    pub base: Vec3,
    /// Radius in metres.
    pub radius: f32,
    /// Length of the core in metres.
    pub height: f32,
}

/// A segment with a radius: a limb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Where the bone starts.
    pub start: Vec3,
    /// Where it ends.
    pub end: Vec3,
    /// Radius in metres.
    pub radius: f32,
}

/// The four types of shapes, in the order of the pair tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum ShapeType {
    /// Oriented box.
    Box = 1,
    /// Sphere.
    Sphere = 2,
    /// Upright capsule.
    Capsule = 3,
    /// Segment.
    Segment = 4,
}

/// A posed shape of any type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Geometry {
    /// Oriented box.
    Box(OrientedBox),
    /// Sphere.
    Sphere(Sphere),
    /// Upright capsule.
    Capsule(Capsule),
    /// Segment.
    Segment(Segment),
}

impl OrientedBox {
    /// A box at a place with a rotation.
    pub fn new(half: Vec3, rotation: Quat, centre: Vec3) -> Self {
        Self { half, axes: [rotation.axis_x(), rotation.axis_y(), rotation.axis_z()], centre }
    }

    /// A world point in the box's frame.
    #[inline]
    pub fn local(&self, point: Vec3) -> Vec3 {
        self.local_direction(point - self.centre)
    }

    /// A world direction in the box's frame.
    #[inline]
    pub fn local_direction(&self, d: Vec3) -> Vec3 {
        Vec3::new(d.dot(self.axes[0]), d.dot(self.axes[1]), d.dot(self.axes[2]))
    }

    /// A direction of the box's frame in the world.
    #[inline]
    pub fn world_direction(&self, d: Vec3) -> Vec3 {
        self.axes[0] * d.x + self.axes[1] * d.y + self.axes[2] * d.z
    }

    /// A point of the box's frame in the world.
    #[inline]
    pub fn world(&self, local: Vec3) -> Vec3 {
        self.centre + self.world_direction(local)
    }

    /// The corner furthest along a world direction.
    pub fn support(&self, direction: Vec3) -> Vec3 {
        let d = self.local_direction(direction);
        let side = |along: f32, half: f32| if along < 0.0 { -half } else { half };
        self.world(Vec3::new(side(d.x, self.half.x), side(d.y, self.half.y), side(d.z, self.half.z)))
    }

    /// The eight corners.
    ///
    /// Source: seed 002, Original structure (_GetCorners 0x003430e8).
    // Covers: seed 002, PhysicsBox_GetCorners (0x003430e8) test=the_support_is_the_furthest_corner
    pub fn corners(&self) -> [Vec3; 8] {
        core::array::from_fn(|i| {
            let side = |bit: usize, half: f32| if i & bit == 0 { -half } else { half };
            self.world(Vec3::new(side(1, self.half.x), side(2, self.half.y), side(4, self.half.z)))
        })
    }
}

impl Capsule {
    /// Upper end of the core.
    #[inline]
    pub fn top(&self) -> Vec3 {
        self.base + Vec3::new(0.0, 0.0, self.height)
    }
}

impl Geometry {
    /// Which of the four it is.
    #[inline]
    pub fn kind(&self) -> ShapeType {
        match self {
            Self::Box(_) => ShapeType::Box,
            Self::Sphere(_) => ShapeType::Sphere,
            Self::Capsule(_) => ShapeType::Capsule,
            Self::Segment(_) => ShapeType::Segment,
        }
    }

    /// The shape's world position: box and sphere centre, capsule base, segment start.
    ///
    /// Source: seed 002, Shapes.
    #[inline]
    pub fn position(&self) -> Vec3 {
        match self {
            Self::Box(b) => b.centre,
            Self::Sphere(s) => s.centre,
            Self::Capsule(c) => c.base,
            Self::Segment(s) => s.start,
        }
    }

    /// Moves the shape to a world position.
    ///
    /// Our choice: a segment's end goes along, so that the shape keeps its form.
    pub fn set_position(&mut self, position: Vec3) {
        match self {
            Self::Box(b) => b.centre = position,
            Self::Sphere(s) => s.centre = position,
            Self::Capsule(c) => c.base = position,
            Self::Segment(s) => {
                s.end += position - s.start;
                s.start = position;
            }
        }
    }

    /// The shape moved by a vector.
    #[inline]
    pub fn moved(mut self, by: Vec3) -> Self {
        self.set_position(self.position() + by);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boxs_frame_undoes_itself() {
        let rotation = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.9);
        let b = OrientedBox::new(Vec3::new(1.0, 2.0, 3.0), rotation, Vec3::new(4.0, 5.0, 6.0));
        let p = Vec3::new(-1.0, 0.5, 2.0);
        assert!((b.world(b.local(p)) - p).length() < 1e-5);
    }

    #[test]
    fn the_support_is_the_furthest_corner() {
        let rotation = Quat::from_axis_angle(Vec3::Z, 0.3);
        let b = OrientedBox::new(Vec3::new(1.0, 2.0, 3.0), rotation, Vec3::ZERO);
        let d = Vec3::new(-0.3, 0.7, -0.2);
        let furthest = b.corners().iter().map(|c| c.dot(d)).fold(f32::MIN, f32::max);
        assert!((b.support(d).dot(d) - furthest).abs() < 1e-5);
    }

    #[test]
    fn moving_a_segment_keeps_its_form() {
        let mut g = Geometry::Segment(Segment { start: Vec3::X, end: Vec3::X * 3.0, radius: 0.1 });
        g.set_position(Vec3::Y);
        assert_eq!(g, Geometry::Segment(Segment { start: Vec3::Y, end: Vec3::new(2.0, 1.0, 0.0), radius: 0.1 }));
    }
}
