//! A walker against the mesh: one sphere of its capsule against the walls that the move goes into.

use super::walls::{is_low_or_thin, is_wall};
use super::{Near, NearTriangle, facing};
use crate::collision::{CollisionMesh, Face, TriangleFlags};
use crate::maths::Vec3;
use crate::physics::aabb::Aabb;
use crate::physics::constants::{GOES_IN, SIDE_EPSILON, WALK_CLEARANCE};
use crate::physics::contact::{Contact, ContactList, Half};
use crate::physics::flags::ContactFlags;
use crate::physics::kernels::Kernels;
use crate::physics::shapes::{Capsule, Sphere};

/// An upright capsule that walks.
#[derive(Clone, Copy, Debug)]
pub struct Walker {
    /// Its shape; the query's cells come from it.
    pub capsule: Capsule,
    /// Radius of its walking sphere in metres: the capsule's radius times the body's scale times the human's scale.
    pub radius: f32,
    /// Whether it slides round corners: on the ground, and not while paired or blocking.
    pub slides: bool,
}

impl Walker {
    /// The sphere that meets walls, its bottom 0.05 m above the feet.
    #[inline]
    pub fn sphere(&self) -> Sphere {
        let raised = Vec3::new(0.0, 0.0, self.radius + WALK_CLEARANCE);
        Sphere { centre: self.capsule.base + raised, radius: self.radius }
    }
}

/// Sweeps a walker along `d` metres and inserts the walls it meets.
///
/// A triangle is met when it is enabled, a wall, not behind the sphere's centre at the start (a two-sided one is turned),
/// entered by more than a millimetre, and neither low nor thin. The normal is the face's, whatever feature was touched.
///
/// Our choice: the query's cells cover the walking sphere too. The original takes the capsule's own box, which a player's
/// sphere reaches out of, and so can miss a wall just past a cell's border.
///
/// Source: seed 002, Sweeping a body (PhysicsMesh_SweepCapsule 0x00347c08).
// Covers: seed 002, PhysicsMesh_SweepCapsule (0x00347c08) test=a_wall_is_met_where_the_sphere_first_touches_it
pub fn sweep_capsule(
    kernels: Kernels,
    mesh: &mut CollisionMesh,
    walker: &Walker,
    d: Vec3,
    mover: Half,
    out: &mut ContactList,
) {
    let sphere = walker.sphere();
    let reach = Aabb::from_sphere(&sphere).extended_by(d);
    let cells = Aabb::from_capsule(&walker.capsule).extended_by(d).union(reach);
    let mut near = Near::begin(kernels, mesh, &cells, &sphere, d, &reach);
    let mut slide = Vec3::ZERO;
    let mut found = ContactList::new();
    while let Some(NearTriangle { id, flags, face, along }) = near.next(mesh) {
        let Some((face, turned)) = facing(face, flags, sphere.centre, SIDE_EPSILON) else { continue };
        let goes_in = if turned { -along } else { along } < GOES_IN;
        if !goes_in || !is_wall(&face) || is_low_or_thin(&face) {
            continue;
        }
        let Some(touch) = kernels.sweep_sphere_triangle(sphere.centre, sphere.radius, d, &face) else { continue };
        if walker.slides && !turned {
            slide += corner_tangent(&face, flags, sphere.centre + d * touch.fraction);
        }
        found.insert(Contact {
            normal: face.normal,
            point: touch.point,
            fraction: touch.fraction,
            mover,
            triangle: Some(id),
            ..Contact::default()
        });
    }
    let slide = slide.normalize_or_zero() * d.length().max(sphere.radius);
    for contact in found.as_mut_slice() {
        if slide != Vec3::ZERO {
            contact.slide = slide;
            contact.flags |= ContactFlags::CORNER_SLIDE;
        }
        out.insert(*contact);
    }
    out.drop_more(found.dropped());
}

/// The direction along a wall toward its corner edge, for a sphere that has come past that edge; zero otherwise.
///
/// Source: seed 002, Contacts (the corner slide of Unit 2). A turned two-sided triangle adds nothing (our reading).
fn corner_tangent(face: &Face, flags: TriangleFlags, centre: Vec3) -> Vec3 {
    let Some(edge) = flags.corner_edge() else { return Vec3::ZERO };
    if !face.outside_edge(edge, centre) {
        return Vec3::ZERO;
    }
    let tangent = face.normal.cross(Vec3::Z);
    if face.edge(edge).1.z > 0.0 { -tangent } else { tangent }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::{Scene, quad, wall};
    use crate::collision::{Face, TriangleId};

    const PLAYER_RADIUS: f32 = 0.470_459;

    fn walker(at: [f32; 3], radius: f32) -> Walker {
        let base = Vec3::from_array(at);
        Walker { capsule: Capsule { base, radius: 0.3395, height: 1.94 }, radius, slides: true }
    }

    fn swept(mesh: &mut CollisionMesh, walker: &Walker, d: [f32; 3]) -> ContactList {
        let mut list = ContactList::new();
        sweep_capsule(Kernels::Scalar, mesh, walker, Vec3::from_array(d), Half::default(), &mut list);
        list
    }

    /// A wall at y = 40 that faces -y.
    fn south_wall() -> Scene {
        Scene::new().with(wall([0.0, 40.0], [80.0, 40.0], [0.0, 3.0]))
    }

    #[test]
    fn a_wall_is_met_where_the_sphere_first_touches_it() {
        let mut mesh = south_wall().mesh([8, 8, 1]);
        let list = swept(&mut mesh, &walker([40.0, 39.0, 0.0], 0.47), [0.0, 1.0, 0.0]);
        let contact = list.as_slice()[0];
        assert!((contact.fraction - 0.53).abs() < 1e-5, "{}", contact.fraction);
        assert_eq!(contact.normal, -Vec3::Y);
        assert!(contact.is_level());
    }

    #[test]
    fn a_one_sided_wall_is_passed_from_behind_and_a_two_sided_one_is_not() {
        let behind = walker([40.0, 40.3, 0.0], 0.47);
        assert!(swept(&mut south_wall().mesh([8, 8, 1]), &behind, [0.0, -0.5, 0.0]).is_empty());
        let faces = wall([0.0, 40.0], [80.0, 40.0], [0.0, 3.0]);
        let mut mesh = Scene::new().with_flags(faces, TriangleFlags::TWO_SIDED, 5, 0).mesh([8, 8, 1]);
        let list = swept(&mut mesh, &behind, [0.0, -0.5, 0.0]);
        assert_eq!((list.as_slice()[0].fraction, list.as_slice()[0].normal), (0.0, Vec3::Y));
    }

    #[test]
    fn a_move_that_does_not_go_in_by_a_millimetre_meets_nothing() {
        let mut mesh = south_wall().mesh([8, 8, 1]);
        let touching = walker([40.0, 39.6, 0.0], 0.47);
        assert!(swept(&mut mesh, &touching, [0.3, 0.0009, 0.0]).is_empty());
        assert!(!swept(&mut mesh, &touching, [0.3, 0.0011, 0.0]).is_empty());
    }

    #[test]
    fn floors_and_low_walls_and_disabled_walls_are_not_met() {
        let floor = crate::collision::scenes::floor(80.0, 0.0);
        let kerb = wall([0.0, 40.0], [80.0, 40.0], [0.0, 0.2]);
        let mut mesh = Scene::new().with(floor).with(kerb).mesh([8, 8, 1]);
        let w = walker([40.0, 39.6, 0.0], 0.47);
        assert!(swept(&mut mesh, &w, [0.0, 0.3, -0.3]).is_empty());
        let mut mesh = south_wall().mesh([8, 8, 1]);
        mesh.set_enabled_in_box(Vec3::splat(-1.0), Vec3::splat(100.0), false);
        assert!(swept(&mut mesh, &w, [0.0, 0.3, 0.0]).is_empty());
    }

    /// A building whose -y face runs from x 30 to 40 at y 40 and whose +x face goes on from there.
    fn building() -> CollisionMesh {
        let south = wall([30.0, 40.0], [40.0, 40.0], [0.0, 3.0]);
        let east = quad([40.0, 40.0, 0.0], [40.0, 50.0, 0.0], [40.0, 50.0, 3.0], [40.0, 40.0, 3.0]);
        Scene::new().with(south).with(east).mesh([8, 8, 1])
    }

    fn slide_direction(mesh: &mut CollisionMesh, x: f32, y: f32, d: [f32; 3]) -> Vec3 {
        let base = [x, y, 0.52 - PLAYER_RADIUS - WALK_CLEARANCE];
        let list = swept(mesh, &walker(base, PLAYER_RADIUS), d);
        list.as_slice()[0].slide.normalize_or_zero()
    }

    #[test]
    fn past_a_buildings_corner_the_slide_points_along_the_wall_to_it() {
        let mut mesh = building();
        assert_eq!(slide_direction(&mut mesh, 40.15, 39.6, [0.0, 0.05, 0.0]), Vec3::X);
        assert_eq!(slide_direction(&mut mesh, 39.5, 39.6, [0.0, 0.05, 0.0]), Vec3::ZERO);
        assert_eq!(slide_direction(&mut mesh, 40.4, 39.85, [-0.05, 0.0, 0.0]), -Vec3::Y);
    }

    #[test]
    fn an_unnamed_edge_and_a_walker_that_may_not_slide_give_no_slide() {
        let mut mesh = building();
        let base = [40.15, 39.6, 0.52 - PLAYER_RADIUS - WALK_CLEARANCE];
        let still = Walker { slides: false, ..walker(base, PLAYER_RADIUS) };
        let list = swept(&mut mesh, &still, [0.0, 0.05, 0.0]);
        assert!(!list.is_empty() && !list.as_slice()[0].flags.has(ContactFlags::CORNER_SLIDE));
        for t in 0..4 {
            let id = TriangleId(t);
            mesh.set_flags(id, mesh.flags(id).with_corner_edge(None));
        }
        assert_eq!(slide_direction(&mut mesh, 40.15, 39.6, [0.0, 0.05, 0.0]), Vec3::ZERO);
    }

    #[test]
    fn the_slide_is_as_long_as_the_radius_or_the_move() {
        let mut mesh = building();
        let base = [40.15, 39.6, 0.52 - PLAYER_RADIUS - WALK_CLEARANCE];
        let list = swept(&mut mesh, &walker(base, PLAYER_RADIUS), [0.0, 0.05, 0.0]);
        assert!((list.as_slice()[0].slide.length() - PLAYER_RADIUS).abs() < 1e-5);
    }

    #[test]
    fn the_normal_is_the_faces_even_where_an_edge_is_touched() {
        let mut mesh = building();
        let base = [40.15, 39.0, 0.52 - PLAYER_RADIUS - WALK_CLEARANCE];
        let list = swept(&mut mesh, &walker(base, PLAYER_RADIUS), [0.0, 0.6, 0.0]);
        assert_eq!(list.as_slice()[0].normal, -Vec3::Y);
        assert!(list.as_slice()[0].fraction > 0.0);
    }

    #[test]
    fn the_measured_stops_at_low_faces_follow_from_the_edges_touch() {
        // Distance from the face at which the sphere's lower part touches the upper edge, less the back-off.
        for (height, stop) in [(0.255_f32, 0.398_f32), (0.26, 0.402), (0.30, 0.426), (0.50, 0.480), (3.0, 0.480)] {
            let mut mesh = Scene::new().with(wall([0.0, 40.0], [80.0, 40.0], [0.0, height])).mesh([8, 8, 1]);
            let list = swept(&mut mesh, &walker([40.0, 39.0, 0.0], PLAYER_RADIUS), [0.0, 1.0, 0.0]);
            let found = 1.0 - list.as_slice()[0].fraction + 0.01;
            assert!((found - stop).abs() < 0.003, "{height} m: {found}, measured {stop}");
        }
    }

    #[test]
    fn the_working_copy_is_not_needed_for_a_wall_without_area() {
        let line = Face::new([Vec3::ZERO, Vec3::X, Vec3::X * 2.0]);
        assert_eq!(line.normal, Vec3::ZERO);
        let scene =
            Scene::new().triangle([Vec3::new(0.0, 40.0, 0.0), Vec3::new(80.0, 40.0, 0.0), Vec3::new(40.0, 40.0, 0.0)]);
        assert!(swept(&mut scene.mesh([4, 4, 1]), &walker([40.0, 39.6, 0.0], 0.47), [0.0, 0.3, 0.0]).is_empty());
    }
}
