//! Spheres against the mesh, moving and at rest.

use super::{Near, NearTriangle, facing};
use crate::collision::{CollisionMesh, Face, TriangleFlags, TriangleId};
use crate::maths::Vec3;
use crate::physics::contact::{Contact, ContactList, Half};
use crate::physics::kernels::scalar::sphere_triangle_penetration;
use crate::physics::kernels::{Kernels, Touch};
use crate::physics::shapes::Sphere;

/// Which triangles a sphere meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereFilter {
    /// Triangles with any of these flags are passed: 0x8 for a body of flag 0x100 or a query of option 0x8000.
    pub passes: TriangleFlags,
    /// The interval of the normal's z that is met: a query's two thresholds.
    pub upright: (f32, f32),
}

impl SphereFilter {
    /// Meets every triangle.
    pub const ALL: Self = Self { passes: TriangleFlags(0), upright: (-1.0, 1.0) };
    /// Rounding of a unit normal's z.
    const UNIT: f32 = 1e-5;

    /// Meets all but the triangles that some spheres pass.
    pub const PASSING: Self = Self { passes: TriangleFlags::SPHERES_PASS, ..Self::ALL };

    #[inline]
    fn admits(&self, normal: Vec3) -> bool {
        normal.z >= self.upright.0 - Self::UNIT && normal.z <= self.upright.1 + Self::UNIT
    }
}

/// Sweeps a sphere along `d` metres and inserts the triangles it meets.
///
/// Source: seed 002, Mesh tests (0x00348a50).
// Covers: seed 002, PhysicsMesh_SweepSphere (0x00348a50) test=a_falling_sphere_meets_the_floor
pub fn sweep_sphere(
    kernels: Kernels,
    mesh: &mut CollisionMesh,
    sphere: &Sphere,
    d: Vec3,
    filter: &SphereFilter,
    mover: Half,
    out: &mut ContactList,
) {
    let mut near = Near::of_sphere(kernels, mesh, sphere, d);
    while let Some(NearTriangle { id, flags, face, .. }) = near.next(mesh) {
        if let Some(touch) = touch(kernels, sphere, d, filter, flags, face) {
            out.insert(contact(touch, mover, id));
        }
    }
}

/// The first contact of the same sweep. It is found sooner where the mesh has a tree, which the console's have not.
#[cfg(not(target_arch = "mips"))]
pub fn first_of_sphere(
    kernels: Kernels,
    mesh: &mut CollisionMesh,
    sphere: &Sphere,
    d: Vec3,
    filter: &SphereFilter,
    mover: Half,
) -> Option<Contact> {
    if !mesh.has_tree() {
        let mut list = ContactList::new();
        sweep_sphere(kernels, mesh, sphere, d, filter, mover, &mut list);
        return list.as_slice().first().copied();
    }
    let mut first: Option<(Touch, TriangleId)> = None;
    mesh.visit_way(sphere.centre, d, sphere.radius, |id, flags, face, open| {
        let Some(touch) = touch(kernels, sphere, d, filter, flags, face) else { return open };
        if first.is_none_or(|(best, _)| touch.fraction < best.fraction) {
            first = Some((touch, id));
        }
        open.min(touch.fraction)
    });
    first.map(|(touch, id)| contact(touch, mover, id))
}

/// Where a sphere touches a triangle that it does not pass.
#[inline]
fn touch(
    kernels: Kernels,
    sphere: &Sphere,
    d: Vec3,
    filter: &SphereFilter,
    flags: TriangleFlags,
    face: Face,
) -> Option<Touch> {
    if flags.has(filter.passes) {
        return None;
    }
    let (face, _) = facing(face, flags, sphere.centre, 0.0)?;
    filter.admits(face.normal).then(|| kernels.sweep_sphere_triangle(sphere.centre, sphere.radius, d, &face)).flatten()
}

/// Inserts the triangles that a resting sphere reaches into, fraction 0.
///
/// Source: seed 002, Mesh tests (0x003473c8).
// Covers: seed 002, PhysicsMesh_OverlapSphere (0x003473c8) test=a_resting_sphere_reports_what_it_reaches_into
pub fn overlap_sphere(
    kernels: Kernels,
    mesh: &mut CollisionMesh,
    sphere: &Sphere,
    filter: &SphereFilter,
    mover: Half,
    out: &mut ContactList,
) {
    let mut near = Near::of_sphere(kernels, mesh, sphere, Vec3::ZERO);
    while let Some(NearTriangle { id, flags, face, .. }) = near.next(mesh) {
        if flags.has(filter.passes) {
            continue;
        }
        let Some((face, _)) = facing(face, flags, sphere.centre, 0.0) else { continue };
        if !filter.admits(face.normal) {
            continue;
        }
        if let Some((_, touch)) = sphere_triangle_penetration(sphere.centre, sphere.radius, &face) {
            out.insert(contact(touch, mover, id));
        }
    }
}

#[inline]
fn contact(touch: Touch, mover: Half, id: TriangleId) -> Contact {
    Contact {
        normal: touch.normal,
        point: touch.point,
        fraction: touch.fraction,
        mover,
        triangle: Some(id),
        ..Contact::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::{Random, Scene, floor, wall};
    use crate::physics::kernels::scalar::sweep_sphere_triangle;

    fn first(mesh: &mut CollisionMesh, sphere: &Sphere, d: Vec3, filter: &SphereFilter) -> Option<Contact> {
        let mut list = ContactList::new();
        sweep_sphere(Kernels::Scalar, mesh, sphere, d, filter, Half::default(), &mut list);
        list.as_slice().first().copied()
    }

    fn ball(z: f32) -> Sphere {
        Sphere { centre: Vec3::new(40.0, 40.0, z), radius: 0.5 }
    }

    #[test]
    fn a_falling_sphere_meets_the_floor() {
        let mut mesh = Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]);
        let contact = first(&mut mesh, &ball(2.0), Vec3::Z * -2.0, &SphereFilter::ALL).unwrap();
        assert_eq!((contact.fraction, contact.normal), (0.75, Vec3::Z));
    }

    #[test]
    fn triangles_of_flag_8_are_passed_only_by_those_who_say_so() {
        let mut mesh = Scene::new().with_flags(floor(80.0, 0.0), TriangleFlags::SPHERES_PASS, 5, 0).mesh([8, 8, 1]);
        let d = Vec3::Z * -2.0;
        assert!(first(&mut mesh, &ball(2.0), d, &SphereFilter::ALL).is_some());
        assert!(first(&mut mesh, &ball(2.0), d, &SphereFilter::PASSING).is_none());
    }

    #[test]
    fn the_thresholds_bound_the_normals_z() {
        let mut mesh = Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]);
        let walls = SphereFilter { upright: (-0.65, 0.65), ..SphereFilter::ALL };
        assert!(first(&mut mesh, &ball(2.0), Vec3::Z * -2.0, &walls).is_none());
        let mut mesh = Scene::new().with(wall([0.0, 41.0], [80.0, 41.0], [0.0, 3.0])).mesh([8, 8, 1]);
        assert!(first(&mut mesh, &ball(2.0), Vec3::Y * 2.0, &walls).is_some());
    }

    #[test]
    fn a_resting_sphere_reports_what_it_reaches_into() {
        let mut mesh = Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]);
        let mut list = ContactList::new();
        overlap_sphere(Kernels::Scalar, &mut mesh, &ball(0.3), &SphereFilter::ALL, Half::default(), &mut list);
        assert_eq!(list.len(), 2, "the centre is over the floor's diagonal");
        list.clear();
        overlap_sphere(Kernels::Scalar, &mut mesh, &ball(0.6), &SphereFilter::ALL, Half::default(), &mut list);
        assert!(list.is_empty());
    }

    #[test]
    fn grid_and_tree_change_no_answer() {
        let mut random = Random::new(8);
        let mut scene = Scene::new();
        for _ in 0..300 {
            let at = random.vec3(10.0);
            let corners = [at, at + random.vec3(3.0), at + random.vec3(3.0)];
            scene = scene.with_flags([corners], TriangleFlags::TWO_SIDED, 0, 0);
        }
        let mut mesh = scene.mesh([13, 9, 7]);
        let mut planted = mesh.clone();
        planted.plant_tree();
        let mut hits = 0;
        for _ in 0..1000 {
            let sphere = Sphere { centre: random.vec3(12.0), radius: random.range(0.05, 0.6) };
            let d = random.vec3(6.0);
            let found = first(&mut mesh, &sphere, d, &SphereFilter::ALL).map(|contact| contact.fraction);
            let each = (0..300).filter_map(|t| {
                let face = mesh.face(TriangleId(t));
                let face = if face.distance(sphere.centre) < 0.0 { face.turned() } else { face };
                sweep_sphere_triangle(sphere.centre, sphere.radius, d, &face).map(|touch| touch.fraction)
            });
            let each = each.reduce(f32::min);
            assert_eq!(found, each);
            let first = first_of_sphere(Kernels::Scalar, &mut planted, &sphere, d, &SphereFilter::ALL, Half::default());
            assert_eq!(first.map(|contact| contact.fraction), each, "with a tree");
            hits += found.is_some() as u32;
        }
        assert!(hits > 300, "only {hits} hits");
    }

    #[test]
    fn a_triangle_without_area_is_met_as_a_line() {
        let corners = [Vec3::new(0.0, 40.0, 0.0), Vec3::new(80.0, 40.0, 0.0), Vec3::new(30.0, 40.0, 0.0)];
        assert_eq!(Face::new(corners).normal, Vec3::ZERO);
        let mut mesh = Scene::new().triangle(corners).mesh([8, 8, 1]);
        assert!(first(&mut mesh, &ball(2.0), Vec3::Z * -2.0, &SphereFilter::ALL).is_some());
    }
}
