//! Rays against shapes: boxes and capsules only.

use super::{RayTest, TYPES, index};
use crate::maths::Vec3;
use crate::physics::kernels::Kernels;
use crate::physics::kernels::scalar::ray_upright_capsule;
use crate::physics::shapes::Geometry;

/// The ray test of each type.
pub const RAYS: [Option<RayTest>; TYPES] = [None, Some(box_test), None, Some(capsule_test), None];

/// The fraction of `d` at which a ray from `o` enters a shape; spheres and segments are never hit.
pub fn ray(kernels: Kernels, o: Vec3, d: Vec3, shape: &Geometry) -> Option<f32> {
    RAYS[index(shape.kind())]?(kernels, o, d, shape)
}

// Covers: seed 002, PhysicsRay_Box (0x00345b90) test=boxes_and_capsules_are_hit_and_spheres_and_segments_are_not
fn box_test(kernels: Kernels, o: Vec3, d: Vec3, shape: &Geometry) -> Option<f32> {
    let Geometry::Box(b) = shape else { return None };
    kernels.ray_box(o, d, b)
}

/// The capsule's own radius, with round ends.
// Covers: seed 002, PhysicsRay_Capsule (0x003459f0) test=a_rays_capsule_has_round_ends
fn capsule_test(_: Kernels, o: Vec3, d: Vec3, shape: &Geometry) -> Option<f32> {
    let Geometry::Capsule(c) = shape else { return None };
    ray_upright_capsule(o, d, c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Quat;
    use crate::physics::shapes::{Capsule, OrientedBox, Segment, Sphere};

    #[test]
    fn boxes_and_capsules_are_hit_and_spheres_and_segments_are_not() {
        let (o, d) = (Vec3::X * 5.0, Vec3::X * -10.0);
        let cube = Geometry::Box(OrientedBox::new(Vec3::splat(0.5), Quat::IDENTITY, Vec3::ZERO));
        let capsule = Geometry::Capsule(Capsule { base: -Vec3::Z, radius: 0.5, height: 2.0 });
        for shape in [cube, capsule] {
            assert!((ray(Kernels::Scalar, o, d, &shape).unwrap() - 0.45).abs() < 1e-6);
        }
        let sphere = Geometry::Sphere(Sphere { centre: Vec3::ZERO, radius: 0.5 });
        let segment = Geometry::Segment(Segment { start: -Vec3::Z, end: Vec3::Z, radius: 0.5 });
        assert_eq!((ray(Kernels::Scalar, o, d, &sphere), ray(Kernels::Scalar, o, d, &segment)), (None, None));
    }

    #[test]
    fn a_rays_capsule_has_round_ends() {
        let capsule = Geometry::Capsule(Capsule { base: Vec3::ZERO, radius: 0.5, height: 2.0 });
        let at = |z: f32| ray(Kernels::Scalar, Vec3::new(5.0, 0.0, z), Vec3::X * -10.0, &capsule);
        assert!(at(2.3).is_some() && at(2.6).is_none());
    }
}
