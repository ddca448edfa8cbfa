//! Pushing an airborne human's sphere out of the nearest wall.

use super::walls::is_wall;
use super::{Near, NearTriangle, facing};
use crate::collision::CollisionMesh;
use crate::maths::Vec3;
use crate::physics::kernels::Kernels;
use crate::physics::kernels::scalar::sphere_triangle_penetration;
use crate::physics::shapes::Sphere;

/// The push that takes a sphere out of the nearest wall in metres, or nothing when it reaches into none.
///
/// The caller adds it to the body's pending push and marks it as divided.
///
/// Source: seed 002, Sweeping a body (PhysicsBody_PushOutOfWalls 0x003477c0).
// Covers: seed 002, PhysicsBody_PushOutOfWalls (0x003477c0) test=the_nearest_wall_pushes_by_its_depth
pub fn push_out_of_walls(kernels: Kernels, mesh: &mut CollisionMesh, sphere: &Sphere) -> Option<Vec3> {
    let mut near = Near::of_sphere(kernels, mesh, sphere, Vec3::ZERO);
    let mut deepest: Option<(f32, Vec3)> = None;
    while let Some(NearTriangle { flags, face, .. }) = near.next(mesh) {
        let Some((face, _)) = facing(face, flags, sphere.centre, 0.0) else { continue };
        if !is_wall(&face) || face.normal == Vec3::ZERO {
            continue;
        }
        let Some((depth, _)) = sphere_triangle_penetration(sphere.centre, sphere.radius, &face) else { continue };
        if deepest.is_none_or(|(best, _)| depth > best) {
            deepest = Some((depth, face.normal));
        }
    }
    deepest.map(|(depth, normal)| normal * depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::{Scene, floor, wall};

    #[test]
    fn the_nearest_wall_pushes_by_its_depth() {
        let far = wall([0.0, 40.4], [80.0, 40.4], [0.0, 3.0]);
        let near = wall([40.1, 80.0], [40.1, 0.0], [0.0, 3.0]);
        let mut mesh = Scene::new().with(far).with(near).mesh([8, 8, 1]);
        let push =
            push_out_of_walls(Kernels::Scalar, &mut mesh, &Sphere { centre: Vec3::new(40.0, 40.0, 1.0), radius: 0.5 })
                .unwrap();
        assert!((push - Vec3::X * -0.4).length() < 1e-5, "{push:?}");
    }

    #[test]
    fn floors_do_not_push() {
        let mut mesh = Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]);
        let sphere = Sphere { centre: Vec3::new(40.0, 40.0, 0.2), radius: 0.5 };
        assert_eq!(push_out_of_walls(Kernels::Scalar, &mut mesh, &sphere), None);
    }
}
