use super::*;
use crate::collision::TriangleFlags;
use crate::collision::scenes::{Scene, floor};
use crate::maths::{Pose, Quat};
use crate::physics::bench::{Things, human, object};
use crate::physics::create::ObjectShape;
use crate::physics::pools::{OBJECT_BODIES, PANE_BODIES};
use crate::physics::shapes::Sphere;

const LAYERS: u16 = 0x7f;

fn crate_at(world: &mut PhysicsWorld, things: &mut Things, x: f32) -> (OwnerId, BodyId) {
    let owner = things.add(object(Pose::new(Quat::IDENTITY, Vec3::X * x)));
    let shape = ObjectShape::Box { size: Vec3::splat(1.0), centre: Vec3::ZERO };
    let body = world.create_object_body(owner, shape, LAYERS, BodyFlags::NONE, things).unwrap();
    world.update_body(body, things);
    (owner, body)
}

fn ball(x: f32) -> ShapeQuery {
    let sphere = Sphere { centre: Vec3::X * x, radius: 0.5 };
    let query = ShapeQuery::of_shape(Geometry::Sphere(sphere));
    ShapeQuery { options: query.options | QueryOptions::BODIES, ..query }
}

#[test]
fn a_swept_shape_meets_bodies_by_fraction_and_keeps_the_first_ones() {
    let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
    let near = crate_at(&mut world, &mut things, 3.0).0;
    let far = crate_at(&mut world, &mut things, 6.0).0;
    let mut out = ContactList::new();
    world.collide_shape(&ball(0.0), Vec3::X * 10.0, None, &things, 50, &mut out);
    let met: alloc::vec::Vec<_> = out.as_slice().iter().map(|contact| contact.other.owner).collect();
    assert_eq!(met, [Some(near), Some(far)]);
    assert!((out.as_slice()[0].fraction - 0.2).abs() < 1e-6);
    out.clear();
    world.collide_shape(&ball(0.0), Vec3::X * 10.0, None, &things, 1, &mut out);
    assert_eq!(out.len(), 1);
}

#[test]
fn candidates_past_the_room_for_them_are_counted_and_not_tested() {
    let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
    for _ in 0..OBJECT_BODIES {
        crate_at(&mut world, &mut things, 3.0);
    }
    for _ in 0..PANE_BODIES {
        let owner = things.add(object(Pose::new(Quat::IDENTITY, Vec3::X * 3.0)));
        let pane = world.create_pane_body(owner, Vec3::splat(1.0), &things).unwrap();
        world.update_body(pane, &mut things);
    }
    let mut out = ContactList::new();
    world.collide_shape(&ball(0.0), Vec3::X * 10.0, None, &things, 50, &mut out);
    let counters = world.counters();
    assert_eq!(counters.candidates_dropped as usize, OBJECT_BODIES + PANE_BODIES - CANDIDATES);
    assert_eq!(out.len() + counters.contacts_dropped as usize, CANDIDATES);

    let mut found = Candidates::new();
    let bounds = Aabb::of(&ball(3.0).geometry);
    let query =
        BodyQuery { bounds, start: None, ignored_owner: None, type_mask: TypeMask::ALL, flag_mask: BodyFlags::NONE };
    world.query_box(&query, &mut found);
    assert_eq!(
        (found.as_slice().len(), found.dropped() as usize),
        (CANDIDATES, OBJECT_BODIES + PANE_BODIES - CANDIDATES)
    );
}

#[test]
fn a_query_of_option_0x8000_passes_the_triangles_of_flag_8_and_no_other() {
    let (mut world, things) = (PhysicsWorld::new(), Things::new());
    let high = Sphere { centre: Vec3::new(40.0, 41.0, 2.0), radius: 0.5 };
    let query = ShapeQuery::of_shape(Geometry::Sphere(high));
    let options = QueryOptions::GIVEN_SHAPE | QueryOptions::MESH;
    let met = [TriangleFlags::NONE, TriangleFlags::SPHERES_PASS].map(|flags| {
        let mut mesh = Scene::new().with_flags(floor(80.0, 0.0), flags, 5, 0).mesh([8, 8, 1]);
        [QueryOptions(0), QueryOptions(0x8000)].map(|option| {
            let mut out = ContactList::new();
            let query = ShapeQuery { options: options | option, ..query };
            world.collide_shape(&query, Vec3::Z * -3.0, Some(&mut mesh), &things, 50, &mut out);
            !out.is_empty()
        })
    });
    assert_eq!(met, [[true, true], [true, false]]);
}

#[test]
fn the_options_choose_mesh_bodies_kinds_groups_owners_and_disabled_shapes() {
    let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
    let (owner, body) = crate_at(&mut world, &mut things, 3.0);
    let (mine, me) = crate_at(&mut world, &mut things, -50.0);
    let mut mesh = Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]);
    let mut count = |world: &mut PhysicsWorld, things: &Things, query: ShapeQuery, d: Vec3| {
        let mut out = ContactList::new();
        world.collide_shape(&query, d, Some(&mut mesh), things, 50, &mut out);
        out.len()
    };
    let query = ShapeQuery { body: Some(me), ..ball(0.0) };
    let x = Vec3::X * 10.0;
    assert_eq!(count(&mut world, &things, query, x), 1);
    let only_given = ShapeQuery { options: QueryOptions::GIVEN_SHAPE, ..query };
    assert_eq!(count(&mut world, &things, only_given, x), 0);

    let high = Sphere { centre: Vec3::new(40.0, 41.0, 2.0), radius: 0.5 };
    let on_mesh = ShapeQuery {
        geometry: Geometry::Sphere(high),
        options: QueryOptions::GIVEN_SHAPE | QueryOptions::MESH,
        ..query
    };
    assert!(count(&mut world, &things, on_mesh, Vec3::Z * -3.0) > 0);

    let humans = ShapeQuery { options: query.options | QueryOptions::TYPE_MASK, type_mask: TypeMask::HUMAN, ..query };
    assert_eq!(count(&mut world, &things, humans, x), 0);

    world.body_mut(body).group = 5;
    world.body_mut(me).group = 5;
    assert_eq!(count(&mut world, &things, query, x), 0, "no option is needed to pass the own group");
    world.body_mut(me).group = 6;
    assert_eq!(count(&mut world, &things, query, x), 1);

    things.get_mut(owner).refuses = Some(mine);
    assert_eq!(count(&mut world, &things, query, x), 0, "nor to ask the owner");
    things.get_mut(owner).refuses = None;

    let shape = world.body(body).first_shape.unwrap();
    world.shape_mut(shape).set_enabled(false);
    let enabled = ShapeQuery { options: query.options | QueryOptions::ENABLED_SHAPES, ..query };
    assert_eq!(count(&mut world, &things, query, x), 1);
    assert_eq!(count(&mut world, &things, enabled, x), 0);
}

#[test]
fn a_shape_at_rest_meets_what_it_overlaps() {
    let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
    crate_at(&mut world, &mut things, 3.0);
    let mut out = ContactList::new();
    world.overlap_shape(&ball(2.1), None, &things, &mut out);
    assert_eq!((out.len(), out.as_slice()[0].normal), (1, -Vec3::X));
    out.clear();
    world.overlap_shape(&ball(1.9), None, &things, &mut out);
    assert!(out.is_empty());
}

#[test]
fn a_shape_at_rest_meets_its_own_group_and_who_refuses_unless_options_say_otherwise() {
    let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
    let (owner, body) = crate_at(&mut world, &mut things, 3.0);
    let (mine, me) = crate_at(&mut world, &mut things, -50.0);
    let found = |world: &mut PhysicsWorld, things: &Things, option: QueryOptions| {
        let query = ball(2.1);
        let mut out = ContactList::new();
        let query = ShapeQuery { body: Some(me), options: query.options | option, ..query };
        world.overlap_shape(&query, None, things, &mut out);
        out.len()
    };
    world.body_mut(body).group = 5;
    world.body_mut(me).group = 5;
    assert_eq!(found(&mut world, &things, QueryOptions::NONE), 1);
    assert_eq!(found(&mut world, &things, QueryOptions::SKIP_GROUP), 0);
    world.body_mut(me).group = 0;
    things.get_mut(owner).refuses = Some(mine);
    assert_eq!(found(&mut world, &things, QueryOptions::NONE), 1);
    assert_eq!(found(&mut world, &things, QueryOptions::ASK_OWNER), 0);
}

#[test]
fn a_list_that_is_used_again_counts_what_it_drops_once() {
    let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
    for _ in 0..60 {
        crate_at(&mut world, &mut things, 3.0);
    }
    let mut out = ContactList::new();
    for round in 1..=2 {
        world.overlap_shape(&ball(3.0), None, &things, &mut out);
        assert_eq!(world.counters().contacts_dropped, out.dropped(), "round {round}");
    }
    assert_eq!(out.dropped(), 10 + 60);
}

#[test]
fn a_sphere_at_rest_meets_the_mesh_and_a_capsule_does_not() {
    let (mut world, things) = (PhysicsWorld::new(), Things::new());
    let mut mesh = Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]);
    let centre = Vec3::new(40.0, 41.0, 0.1);
    for (geometry, expected) in [
        (Geometry::Sphere(Sphere { centre, radius: 0.5 }), 1),
        (Geometry::Capsule(super::super::shapes::Capsule { base: centre, radius: 0.5, height: 2.0 }), 0),
    ] {
        let query = ShapeQuery { options: QueryOptions::MESH, ..ShapeQuery::of_shape(geometry) };
        let query = ShapeQuery { options: query.options | QueryOptions::GIVEN_SHAPE, ..query };
        let mut out = ContactList::new();
        world.overlap_shape(&query, Some(&mut mesh), &things, &mut out);
        assert_eq!(out.len(), expected);
    }
}

#[test]
fn a_ray_finds_the_nearest_raycast_target() {
    let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
    let man = things.add(human(Vec3::X * 6.0));
    let body = world.create_human_body(man, &things).unwrap();
    things.get_mut(man).state.as_mut().unwrap().head_height = 1.7;
    world.update_body(body, &mut things);
    let (near, _) = crate_at(&mut world, &mut things, 3.0);
    let ray = Ray { origin: Vec3::Z * 0.25, direction: Vec3::X, length: 10.0 };
    let hit = world.ray_cast_bodies(&ray, TypeMask::ALL, None).unwrap();
    assert_eq!(hit.owner, near);
    assert!((hit.fraction - 0.25).abs() < 1e-6);
    let hit = world.ray_cast_bodies(&ray, TypeMask::HUMAN, None).unwrap();
    assert!((hit.fraction - 0.565).abs() < 1e-5, "{}", hit.fraction);
    assert_eq!(world.ray_cast_bodies(&ray, TypeMask::HUMAN, Some(man)), None);
    world.body_mut(body).flags = world.body(body).flags.without(BodyFlags::RAYCAST_TARGET);
    assert_eq!(world.ray_cast_bodies(&ray, TypeMask::HUMAN, None), None);
}
