//! Rotations as unit quaternions.

use super::{Vec3, scalar};
use core::ops::Mul;

/// A rotation quaternion `(x, y, z, w)`, 16 bytes and 16-aligned as VU0 wants it.
///
/// Source: support systems, Maths.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(16))]
pub struct Quat {
    /// Vector part, x.
    pub x: f32,
    /// Vector part, y.
    pub y: f32,
    /// Vector part, z.
    pub z: f32,
    /// Scalar part.
    pub w: f32,
}

impl Default for Quat {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Quat {
    /// No rotation.
    pub const IDENTITY: Self = Self::new(0.0, 0.0, 0.0, 1.0);

    /// Slerp falls back to a straight blend within this of parallel.
    const NEARLY_PARALLEL: f32 = 1e-6;

    /// A quaternion from its components.
    #[inline]
    pub const fn new(x: f32, y: f32, z: f32, w: f32) -> Self {
        Self { x, y, z, w }
    }

    /// The rotation by `angle` radians around the unit vector `axis`.
    pub fn from_axis_angle(axis: Vec3, angle: f32) -> Self {
        let (s, c) = (scalar::sin(angle * 0.5), scalar::cos(angle * 0.5));
        Self::new(axis.x * s, axis.y * s, axis.z * s, c)
    }

    /// The rotation that turns +y to the heading, which runs clockwise from +y in radians.
    pub fn from_heading(heading: f32) -> Self {
        Self::from_axis_angle(Vec3::Z, -heading)
    }

    /// The rotated x axis.
    #[inline]
    pub fn axis_x(self) -> Vec3 {
        let Self { x, y, z, w } = self;
        Vec3::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w))
    }

    /// The rotated y axis.
    #[inline]
    pub fn axis_y(self) -> Vec3 {
        let Self { x, y, z, w } = self;
        Vec3::new(2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w))
    }

    /// The rotated z axis.
    #[inline]
    pub fn axis_z(self) -> Vec3 {
        let Self { x, y, z, w } = self;
        Vec3::new(2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y))
    }

    /// The opposite rotation of a unit quaternion.
    #[inline]
    pub const fn conjugate(self) -> Self {
        Self::new(-self.x, -self.y, -self.z, self.w)
    }

    /// Four-component dot product.
    #[inline]
    pub fn dot(self, o: Self) -> f32 {
        self.x * o.x + self.y * o.y + self.z * o.z + self.w * o.w
    }

    /// The unit quaternion of the same direction, or the identity when the length has collapsed.
    #[inline]
    pub fn normalize(self) -> Self {
        let length = scalar::sqrt(self.dot(self));
        if length > 1e-12 { self.scaled(1.0 / length) } else { Self::IDENTITY }
    }

    /// The vector turned by this rotation.
    #[inline]
    pub fn rotate(self, v: Vec3) -> Vec3 {
        self.axis_x() * v.x + self.axis_y() * v.y + self.axis_z() * v.z
    }

    /// One step of an angular velocity `w` in radians a second over `dt` seconds: `q += dt/2 (w q)`, then normalised.
    // Covers: seed 002, Quat_IntegrateAngular (0x00335b08) test=integrating_a_constant_spin_turns_by_its_angle
    #[inline]
    pub fn integrate(self, w: Vec3, dt: f32) -> Self {
        let spin = Self::new(w.x, w.y, w.z, 0.0) * self;
        self.plus(spin.scaled(0.5 * dt)).normalize()
    }

    /// Spherical blend over the shorter arc; `t` is clamped to `[0, 1]`.
    // Covers: seed 002, Quat_Slerp (0x00336a00) test=slerp_takes_the_shorter_arc_and_clamps
    pub fn slerp(self, o: Self, t: f32) -> Self {
        let t = t.clamp(0.0, 1.0);
        let mut cos = self.dot(o);
        let mut end = o;
        if cos < 0.0 {
            cos = -cos;
            end = o.scaled(-1.0);
        }
        if cos > 1.0 - Self::NEARLY_PARALLEL {
            return self.scaled(1.0 - t).plus(end.scaled(t)).normalize();
        }
        let angle = scalar::acos(cos);
        let inverse = 1.0 / scalar::sin(angle);
        let (a, b) = (scalar::sin((1.0 - t) * angle) * inverse, scalar::sin(t * angle) * inverse);
        self.scaled(a).plus(end.scaled(b))
    }

    /// Straight blend, normalised: flips on a negative dot product, returns `self` when the two are equal.
    pub fn nlerp(self, o: Self, t: f32) -> Self {
        let dot = self.dot(o);
        if dot == 1.0 {
            return self;
        }
        let end = if dot < 0.0 { o.scaled(-1.0) } else { o };
        self.scaled(1.0 - t).plus(end.scaled(t)).normalize()
    }

    #[inline]
    fn scaled(self, s: f32) -> Self {
        Self::new(self.x * s, self.y * s, self.z * s, self.w * s)
    }

    #[inline]
    fn plus(self, o: Self) -> Self {
        Self::new(self.x + o.x, self.y + o.y, self.z + o.z, self.w + o.w)
    }
}

/// The rotation `b` followed by `a`.
impl Mul for Quat {
    type Output = Self;
    #[inline]
    fn mul(self, b: Self) -> Self {
        let a = self;
        Self::new(
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::{FRAC_PI_2, PI};

    fn close(a: Vec3, b: Vec3) -> bool {
        (a - b).length() < 1e-5
    }

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let q = Quat::from_axis_angle(Vec3::Z, FRAC_PI_2);
        assert!(close(q.rotate(Vec3::X), Vec3::Y));
        assert!(close(q.axis_x(), Vec3::Y));
    }

    #[test]
    fn a_heading_of_ninety_degrees_faces_plus_x() {
        assert!(close(Quat::from_heading(FRAC_PI_2).axis_y(), Vec3::X));
    }

    #[test]
    fn a_product_turns_by_the_right_factor_first() {
        let a = Quat::from_axis_angle(Vec3::Z, FRAC_PI_2);
        let b = Quat::from_axis_angle(Vec3::X, FRAC_PI_2);
        let v = Vec3::new(0.3, -2.0, 1.5);
        assert!(close((a * b).rotate(v), a.rotate(b.rotate(v))));
    }

    #[test]
    fn integrating_a_constant_spin_turns_by_its_angle() {
        let mut q = Quat::IDENTITY;
        for _ in 0..600 {
            q = q.integrate(Vec3::new(0.0, 0.0, PI), 1.0 / 600.0);
        }
        assert!(close(q.axis_x(), -Vec3::X), "{:?}", q.axis_x());
    }

    #[test]
    fn slerp_takes_the_shorter_arc_and_clamps() {
        let a = Quat::IDENTITY;
        let b = Quat::from_axis_angle(Vec3::Z, 1.0);
        let flipped = Quat::new(-b.x, -b.y, -b.z, -b.w);
        let half = a.slerp(flipped, 0.5);
        assert!(close(half.axis_x(), Quat::from_axis_angle(Vec3::Z, 0.5).axis_x()));
        assert!(close(a.slerp(b, 7.0).axis_x(), b.axis_x()));
    }
}
