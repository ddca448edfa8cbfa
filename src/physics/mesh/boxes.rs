//! A box against the mesh.

use super::{Near, NearTriangle, facing};
use crate::collision::CollisionMesh;
use crate::maths::Vec3;
use crate::physics::aabb::Aabb;
use crate::physics::contact::{Contact, ContactList, Half};
use crate::physics::kernels::Kernels;
use crate::physics::kernels::scalar::sweep_box_triangle;
use crate::physics::shapes::{OrientedBox, Sphere};

/// Sweeps a box along `d` metres and inserts the triangles it meets. The box's centre decides a triangle's side.
///
/// Our choice: a box that already reaches into a triangle meets it only when the move goes further in; a settling object
/// turns into the floor and must be free to bounce out of it.
///
/// Source: seed 002, Mesh tests (0x00348530).
// Covers: seed 002, PhysicsMesh_SweepBox (0x00348530) test=a_falling_box_meets_the_floor_with_its_normal
pub fn sweep_box(
    kernels: Kernels,
    mesh: &mut CollisionMesh,
    b: &OrientedBox,
    d: Vec3,
    mover: Half,
    out: &mut ContactList,
) {
    let reach = Aabb::from_box(b).extended_by(d);
    let ball = Sphere { centre: b.centre, radius: b.half.length() };
    let mut near = Near::begin(kernels, mesh, &reach, &ball, d, &reach);
    while let Some(NearTriangle { id, flags, face, .. }) = near.next(mesh) {
        let Some((face, _)) = facing(face, flags, b.centre, 0.0) else { continue };
        let Some(touch) = sweep_box_triangle(b, d, &face) else { continue };
        if touch.fraction == 0.0 && touch.normal.dot(d) >= 0.0 {
            continue;
        }
        out.insert(Contact {
            normal: touch.normal,
            point: touch.point,
            fraction: touch.fraction,
            mover,
            triangle: Some(id),
            ..Contact::default()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::{Scene, floor};
    use crate::maths::Quat;

    fn contacts(z: f32, d: Vec3) -> ContactList {
        let mut mesh = Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]);
        let b = OrientedBox::new(Vec3::new(0.035, 0.105, 0.05), Quat::IDENTITY, Vec3::new(41.0, 40.0, z));
        let mut list = ContactList::new();
        sweep_box(Kernels::Scalar, &mut mesh, &b, d, Half::default(), &mut list);
        list
    }

    #[test]
    fn a_falling_box_meets_the_floor_with_its_normal() {
        let list = contacts(1.05, Vec3::Z * -2.0);
        assert!((list.as_slice()[0].fraction - 0.5).abs() < 1e-5);
        assert_eq!(list.as_slice()[0].normal, Vec3::Z);
    }

    #[test]
    fn a_box_that_reaches_into_the_floor_may_leave_it_and_not_sink() {
        assert!(contacts(0.04, Vec3::Z * 0.1).is_empty());
        let list = contacts(0.04, Vec3::Z * -0.1);
        assert_eq!((list.as_slice()[0].fraction, list.as_slice()[0].normal), (0.0, Vec3::Z));
    }

    #[test]
    fn a_box_whose_centre_is_behind_passes() {
        assert!(contacts(-0.01, Vec3::Z * 2.0).is_empty());
        assert!(contacts(-0.01, Vec3::Z * -2.0).is_empty());
    }
}
