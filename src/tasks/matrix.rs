//! Rigid transforms as rows, for what is posed in parts.

use crate::maths::{Pose, Vec3};

/// The three axes of a rotation, as rows: a row vector times this is the rotated vector.
pub type Rotation = [Vec3; 3];

/// A rotation and a translation. Source: support systems, Maths (rows are axes, row vectors).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rigid {
    /// Axes.
    pub rows: Rotation,
    /// Origin, metres.
    pub origin: Vec3,
}

impl Default for Rigid {
    fn default() -> Self {
        Self { rows: [Vec3::X, Vec3::Y, Vec3::Z], origin: Vec3::ZERO }
    }
}

/// `first` followed by `second`.
// Covers: seed 000, Mat3_Multiply (0x00386fa0) test=a_product_applies_the_left_rotation_first
pub fn multiply(first: &Rotation, second: &Rotation) -> Rotation {
    first.map(|row| second[0] * row.x + second[1] * row.y + second[2] * row.z)
}

impl Rigid {
    /// The transform of a pose.
    pub fn from_pose(pose: &Pose) -> Self {
        let q = pose.rotation;
        Self { rows: [q.axis_x(), q.axis_y(), q.axis_z()], origin: pose.position }
    }

    /// A point in the outer space.
    // Covers: seed 000, Mat_TransformPoint (0x003871d0) test=a_point_survives_transform_and_inverse
    pub fn point(&self, p: Vec3) -> Vec3 {
        self.rows[0] * p.x + self.rows[1] * p.y + self.rows[2] * p.z + self.origin
    }

    /// The transform back: transposed rows, turned origin.
    // Covers: seed 000, Mat_InvertRigid (0x003872a0) test=a_point_survives_transform_and_inverse
    pub fn inverse(&self) -> Self {
        let [x, y, z] = self.rows;
        let rows = [Vec3::new(x.x, y.x, z.x), Vec3::new(x.y, y.y, z.y), Vec3::new(x.z, y.z, z.z)];
        let o = self.origin;
        Self { rows, origin: -Vec3::new(x.dot(o), y.dot(o), z.dot(o)) }
    }

    /// `self` within `outer`.
    pub fn within(&self, outer: &Self) -> Self {
        Self { rows: multiply(&self.rows, &outer.rows), origin: outer.point(self.origin) }
    }
}

/// Sets a vector from three floats.
// Covers: seed 000, Vec3_Set (0x00391818) test=a_vector_takes_its_components
pub fn set(vector: &mut Vec3, x: f32, y: f32, z: f32) {
    *vector = Vec3::new(x, y, z);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Quat;

    #[test]
    fn a_product_applies_the_left_rotation_first() {
        let (a, b) = (Quat::from_axis_angle(Vec3::X, 0.7), Quat::from_axis_angle(Vec3::Z, 1.1));
        let rows = |q| Rigid::from_pose(&Pose::new(q, Vec3::ZERO)).rows;
        let v = Vec3::new(0.3, -2.0, 1.0);
        let both = Rigid { rows: multiply(&rows(a), &rows(b)), origin: Vec3::ZERO };
        assert!((both.point(v) - b.rotate(a.rotate(v))).length() < 1e-5);
    }

    #[test]
    fn a_point_survives_transform_and_inverse() {
        let rigid = Rigid::from_pose(&Pose::new(Quat::from_axis_angle(Vec3::Y, 0.4), Vec3::new(3.0, -4.0, 5.0)));
        let p = Vec3::new(1.0, 2.0, 3.0);
        assert!((rigid.point(p) - p).length() > 1.0);
        assert!((rigid.inverse().point(rigid.point(p)) - p).length() < 1e-5);
        let inner = Rigid::from_pose(&Pose::new(Quat::from_heading(1.0), Vec3::X));
        assert!((inner.within(&rigid).point(p) - rigid.point(inner.point(p))).length() < 1e-5);
    }

    #[test]
    fn a_vector_takes_its_components() {
        let mut v = Vec3::ZERO;
        set(&mut v, 1.0, 2.0, 3.0);
        assert_eq!(v, Vec3::new(1.0, 2.0, 3.0));
    }
}
