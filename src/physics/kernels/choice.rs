//! The choice between the twins of the hot kernels.

use super::{Touch, scalar, vu0};
use crate::collision::{Approach, Face, MoveRows, Plane};
use crate::maths::{Pose, Quat, Vec3};
use crate::physics::aabb::Aabb;
use crate::physics::shapes::OrientedBox;

/// Which twin of each hot kernel runs. The world has one and hands it to whatever it asks.
///
/// Our choice: VU0's are the default; the overlay switches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kernels {
    /// The definitions.
    Scalar,
    /// Their twins on VU0; on the host, which has none, the definitions again.
    #[default]
    Vu0,
}

impl Kernels {
    /// A sphere at `c` of radius `r` moving by `d` against the front of a triangle.
    #[inline]
    pub fn sweep_sphere_triangle(self, c: Vec3, r: f32, d: Vec3, face: &Face) -> Option<Touch> {
        match self {
            Self::Scalar => scalar::sweep_sphere_triangle(c, r, d, face),
            Self::Vu0 => vu0::sweep_sphere_triangle(c, r, d, face),
        }
    }

    /// The gather of a mesh sweep: a move's approach to each plane; the shorter slice decides how many.
    #[inline]
    pub fn approaches(self, rows: &MoveRows, planes: &[&Plane], out: &mut [Approach]) {
        match self {
            Self::Scalar => scalar::approaches(rows, planes, out),
            Self::Vu0 => vu0::approaches(rows, planes, out),
        }
    }

    /// The fraction at which `o + t d` enters a box, 0 when it starts inside.
    #[inline]
    pub fn ray_box(self, o: Vec3, d: Vec3, b: &OrientedBox) -> Option<f32> {
        match self {
            Self::Scalar => scalar::ray_box(o, d, b),
            Self::Vu0 => vu0::ray_box(o, d, b),
        }
    }

    /// Whether a box reaches another that begins no earlier along x: whether they share a point once that is known.
    #[inline]
    pub fn reaches(self, own: &Aabb, other: &Aabb) -> bool {
        match self {
            Self::Scalar => own.reaches(other),
            Self::Vu0 => vu0::reaches(own, other),
        }
    }

    /// A pose's local point in the outer space.
    #[inline]
    pub fn point(self, pose: &Pose, local: Vec3) -> Vec3 {
        match self {
            Self::Scalar => pose.point(local),
            Self::Vu0 => vu0::point(pose, local),
        }
    }

    /// A box of the given half extents at a pose's local point, turned as the pose is.
    #[inline]
    pub fn place_box(self, half: Vec3, pose: &Pose, local: Vec3) -> OrientedBox {
        match self {
            Self::Scalar => OrientedBox::new(half, pose.rotation, pose.point(local)),
            Self::Vu0 => vu0::place_box(half, pose, local),
        }
    }

    /// One step of an angular velocity in rad/s over `dt` seconds.
    #[inline]
    pub fn integrate(self, rotation: Quat, spin: Vec3, dt: f32) -> Quat {
        match self {
            Self::Scalar => rotation.integrate(spin, dt),
            Self::Vu0 => vu0::integrate(rotation, spin, dt),
        }
    }
}
