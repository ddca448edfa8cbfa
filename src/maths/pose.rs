//! A place and a rotation together.

use super::{Quat, Vec3};
use core::ops::Mul;

/// A rigid transform: rotate, then move.
///
/// Source: support systems, Maths (Compose).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Pose {
    /// Rotation.
    pub rotation: Quat,
    /// Position in metres.
    pub position: Vec3,
}

impl Pose {
    /// At the origin, unrotated.
    pub const IDENTITY: Self = Self { rotation: Quat::IDENTITY, position: Vec3::ZERO };

    /// A pose from its parts.
    #[inline]
    pub const fn new(rotation: Quat, position: Vec3) -> Self {
        Self { rotation, position }
    }

    /// A local point in the outer space.
    #[inline]
    pub fn point(&self, local: Vec3) -> Vec3 {
        self.position + self.rotation.rotate(local)
    }

    /// An outer point in this pose's own space.
    #[inline]
    pub fn local(&self, outer: Vec3) -> Vec3 {
        self.rotation.conjugate().rotate(outer - self.position)
    }
}

/// `a * b` is `b` seen from `a`'s outer space: `q = qa qb`, `p = pa + qa * pb`.
impl Mul for Pose {
    type Output = Self;
    #[inline]
    fn mul(self, b: Self) -> Self {
        Self::new(self.rotation * b.rotation, self.point(b.position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_survives_there_and_back() {
        let pose = Pose::new(Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 1.1), Vec3::new(3.0, -4.0, 5.0));
        let p = Vec3::new(0.25, 7.0, -2.0);
        assert!((pose.local(pose.point(p)) - p).length() < 1e-5);
    }

    #[test]
    fn composing_applies_the_inner_pose_first() {
        let a = Pose::new(Quat::from_axis_angle(Vec3::Z, 0.7), Vec3::new(1.0, 2.0, 3.0));
        let b = Pose::new(Quat::from_axis_angle(Vec3::X, -0.4), Vec3::new(-2.0, 0.5, 0.0));
        let p = Vec3::new(0.1, 0.2, 0.3);
        assert!(((a * b).point(p) - a.point(b.point(p))).length() < 1e-5);
    }
}
