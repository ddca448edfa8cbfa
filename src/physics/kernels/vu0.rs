//! The kernels' twins for VU0.
//!
//! On the host, which has none, they are the scalar ones.

#[cfg(target_arch = "mips")]
pub use on_vu0::{approaches, integrate, place_box, point, ray_box, reaches, sweep_sphere_triangle};

#[cfg(not(target_arch = "mips"))]
pub use on_the_host::{approaches, integrate, place_box, point, ray_box, reaches, sweep_sphere_triangle};

#[cfg(target_arch = "mips")]
mod on_vu0 {
    use super::super::scalar::slab::clip_box;
    use super::super::scalar::sphere_triangle::edges;
    use super::super::{Touch, scalar};
    use crate::collision::Face;
    use crate::ee::vu0::{bounds, faces, poses, slabs};
    use crate::maths::{Pose, Quat, Vec3};
    use crate::physics::aabb::Aabb;
    use crate::physics::shapes::OrientedBox;

    pub use crate::ee::vu0::planes::approaches;
    pub use crate::ee::vu0::poses::point;

    /// The twin of [`scalar::sweep_sphere_triangle`]: the touch of the plane and the sides of the edges come from VU0.
    ///
    /// Source: seed 002, Geometry kernels (Sweep_SphereTriangle).
    pub fn sweep_sphere_triangle(c: Vec3, r: f32, d: Vec3, face: &Face) -> Option<Touch> {
        if face.normal == Vec3::ZERO {
            return scalar::sweep_sphere_triangle(c, r, d, face);
        }
        let found = faces::touch_down(face, &c, r, &d);
        if found.side < 0.0 {
            return None;
        }
        let apart = found.side > r;
        if apart && (found.depth <= 0.0 || found.side - r > found.depth) {
            return None;
        }
        let fraction = if apart { found.fraction } else { 0.0 };
        if !(0.0..=1.0).contains(&fraction) {
            return None;
        }
        if found.outside > 0.0 {
            edges(c, r, d, face, fraction)
        } else {
            Some(Touch { fraction, point: Vec3::from_array(found.point), normal: face.normal })
        }
    }

    /// The twin of [`scalar::ray_box`]. A way without a part along an axis has no quotient there and is clipped by the
    /// definition.
    pub fn ray_box(o: Vec3, d: Vec3, b: &OrientedBox) -> Option<f32> {
        let clipped = slabs::clip(o, d, b);
        let way = clipped.way;
        if way.x == 0.0 || way.y == 0.0 || way.z == 0.0 {
            return clip_box(clipped.origin, way, b.half);
        }
        (clipped.enter <= clipped.exit).then_some(clipped.enter)
    }

    /// The twin of [`Aabb::reaches`]. In a list that is sorted by x most boxes lie before the other one, which is told sooner
    /// than VU0 is asked.
    #[inline]
    pub fn reaches(own: &Aabb, other: &Aabb) -> bool {
        own.max.x >= other.min.x && bounds::gap_before(own, other) <= 0.0
    }

    /// The twin of [`OrientedBox::new`] at a pose's local point.
    pub fn place_box(half: Vec3, pose: &Pose, local: Vec3) -> OrientedBox {
        OrientedBox { half, axes: poses::axes(pose), centre: poses::point(pose, local) }
    }

    /// The twin of [`Quat::integrate`].
    pub fn integrate(rotation: Quat, spin: Vec3, dt: f32) -> Quat {
        /// Square of the length below which a rotation has collapsed.
        const COLLAPSED: f32 = 1e-24;
        let turned = poses::integrate(rotation, spin, dt * 0.5);
        if turned.squared > COLLAPSED { turned.rotation } else { Quat::IDENTITY }
    }
}

#[cfg(not(target_arch = "mips"))]
mod on_the_host {
    use crate::maths::{Pose, Quat, Vec3};
    use crate::physics::aabb::Aabb;
    use crate::physics::shapes::OrientedBox;

    pub use super::super::scalar::{approaches, ray_box, sweep_sphere_triangle};

    /// [`Aabb::reaches`].
    pub fn reaches(own: &Aabb, other: &Aabb) -> bool {
        own.reaches(other)
    }

    /// [`Pose::point`].
    pub fn point(pose: &Pose, local: Vec3) -> Vec3 {
        pose.point(local)
    }

    /// [`OrientedBox::new`] at a pose's local point.
    pub fn place_box(half: Vec3, pose: &Pose, local: Vec3) -> OrientedBox {
        OrientedBox::new(half, pose.rotation, pose.point(local))
    }

    /// [`Quat::integrate`].
    pub fn integrate(rotation: Quat, spin: Vec3, dt: f32) -> Quat {
        rotation.integrate(spin, dt)
    }
}
