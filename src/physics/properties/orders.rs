//! Orders that do not matter: whatever order bodies came in, and triangles, the answers are the same.
//!
//! The seed lets an order decide in two places only: the box query answers in its list's order, and contacts of one
//! fraction stay in the order in which they were found. So queries are compared as sets, contacts by fraction.

use super::super::PhysicsWorld;
use super::super::aabb::Aabb;
use super::super::bench::{Things, human, object};
use super::super::collide::ShapeQuery;
use super::super::constants::STEP;
use super::super::contact::{Contact, ContactList, Half};
use super::super::create::ObjectShape;
use super::super::flags::{Answer, BodyFlags, QueryOptions, TypeMask};
use super::super::ids::{BodyId, OwnerId};
use super::super::kernels::Kernels;
use super::super::mesh::{
    SphereFilter, Walker, first_of_sphere, landing_contact, overlap_sphere, push_out_of_walls, sweep_box,
    sweep_capsule, sweep_sphere,
};
use super::super::query::{BodyFilter, BodyQuery, Candidates};
use super::super::shapes::{Capsule, Geometry, OrientedBox, Sphere};
use crate::collision::scenes::{Corners, Random, Scene};
use crate::collision::{CollisionMesh, Ray, RayFilter, TriangleFlags};
use crate::maths::{Pose, Quat, Vec3};
use alloc::vec::Vec;

/// Things of each world: boxes, spheres and humans by turns.
const THINGS: usize = 90;
/// PHYFLAG bits of the objects: they block objects and humans, are strikes' and rays' targets.
const LAYERS: u16 = 1 | 2 | 4 | 64;

/// What an order must not change of a contact: the thing, the fraction, the normal.
type Seen = (usize, f32, Vec3);

/// A world whose things came in some order.
struct Crowd {
    world: PhysicsWorld,
    things: Things,
    /// By owner's number: which thing it is.
    order: Vec<usize>,
    /// By thing: its body.
    bodies: Vec<BodyId>,
}

impl Crowd {
    /// Things at fixed places; a third leaves and comes back once all are there when `returns`.
    fn new(order: &[usize], returns: bool) -> Self {
        let mut crowd = Self {
            world: PhysicsWorld::new(),
            things: Things::new(),
            order: order.to_vec(),
            bodies: alloc::vec![BodyId(0); THINGS],
        };
        let mut random = Random::new(4);
        let places: Vec<(Vec3, Quat)> = (0..THINGS)
            .map(|_| (random.vec3(4.0), Quat::from_axis_angle(random.direction(), random.range(0.0, 3.0))))
            .collect();
        for &thing in order {
            let (at, rotation) = places[thing];
            let pose = Pose::new(rotation, at);
            let owner = crowd.things.add(if thing % 3 == 2 { human(at) } else { object(pose) });
            crowd.bodies[thing] = crowd.embody(thing, owner);
        }
        if returns {
            for owner in (0..THINGS).filter(|owner| owner % 3 == 1) {
                let thing = order[owner];
                if thing % 3 == 2 {
                    crowd.world.free_human_body(crowd.bodies[thing]);
                } else {
                    crowd.world.free_object_body(crowd.bodies[thing]);
                }
                crowd.bodies[thing] = crowd.embody(thing, OwnerId(owner as u32));
            }
        }
        crowd
    }

    fn embody(&mut self, thing: usize, owner: OwnerId) -> BodyId {
        let size = Vec3::splat(0.5 + 0.01 * thing as f32);
        let body = match thing % 3 {
            0 => {
                let shape = ObjectShape::Box { size, centre: Vec3::ZERO };
                self.world.create_object_body(owner, shape, LAYERS, BodyFlags::NONE, &self.things)
            }
            1 => {
                let shape = ObjectShape::Sphere { size, centre: Vec3::ZERO };
                self.world.create_object_body(owner, shape, LAYERS, BodyFlags::NONE, &self.things)
            }
            _ => self.world.create_human_body(owner, &self.things),
        };
        let body = body.expect("there is room for all");
        self.world.update_body(body, &mut self.things);
        body
    }

    fn thing(&self, owner: Option<OwnerId>) -> usize {
        owner.map_or(THINGS, |owner| self.order[owner.0 as usize])
    }

    fn candidates(&self, found: &Candidates) -> Vec<usize> {
        let mut things: Vec<usize> = found.as_slice().iter().map(|&id| self.thing(self.world.body(id).owner)).collect();
        things.sort_unstable();
        things
    }

    fn contacts(&self, list: &ContactList) -> Vec<Seen> {
        let seen = |contact: &Contact| (self.thing(contact.other.owner), contact.fraction, contact.normal);
        let mut seen: Vec<Seen> = list.as_slice().iter().map(seen).collect();
        assert!(seen.is_sorted_by(|a, b| a.1 <= b.1));
        seen.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        seen
    }

    /// Every question of the world, with the same numbers whenever the seed is the same.
    fn answers(&mut self, seed: u64) -> Answers {
        let mut random = Random::new(seed);
        let mut answers = Answers::default();
        for _ in 0..40 {
            let asking = self.bodies[(random.unit() * THINGS as f32) as usize];
            let bounds = Aabb::around(random.vec3(4.0), Vec3::splat(random.range(0.5, 4.0)));
            let query = BodyQuery { bounds, ..BodyQuery::ALL };
            for start in [None, Some(asking)] {
                let mut found = Candidates::new();
                self.world.query_box(&BodyQuery { start, ..query }, &mut found);
                answers.sets.push(self.candidates(&found));
            }
            let accepts =
                |_: Option<BodyId>, other: BodyId| !self.thing(self.world.body(other).owner).is_multiple_of(5);
            let filter = BodyFilter {
                excluded_flags: BodyFlags::COMBAT_PASS_THROUGH,
                excluded_state: 0,
                accepts: Some(&accepts),
            };
            let mut found = Candidates::new();
            self.world.query_box_filtered(&query, &filter, &self.things, &mut found);
            answers.sets.push(self.candidates(&found));
            self.shapes(&mut random, &mut answers);
            let (origin, direction) = (random.vec3(6.0), random.direction());
            let ray = Ray { origin, direction, length: random.range(1.0, 20.0) };
            let hit = self.world.ray_cast_bodies(&ray, TypeMask::ALL, None);
            answers
                .contacts
                .push(hit.map(|hit| (self.thing(Some(hit.owner)), hit.fraction, Vec3::ZERO)).into_iter().collect());
        }
        self.moves(&mut random, &mut answers);
        answers
    }

    /// Swept and resting shapes of every kind.
    fn shapes(&mut self, random: &mut Random, answers: &mut Answers) {
        let (at, by) = (random.vec3(4.0), random.vec3(3.0));
        let rotation = Quat::from_axis_angle(random.direction(), random.range(0.0, 3.0));
        let shapes = [
            Geometry::Sphere(Sphere { centre: at, radius: 0.6 }),
            Geometry::Box(OrientedBox::new(Vec3::new(0.4, 0.6, 0.5), rotation, at)),
            Geometry::Capsule(Capsule { base: at, radius: 0.4, height: 1.5 }),
        ];
        for geometry in shapes {
            let options = QueryOptions::GIVEN_SHAPE | QueryOptions::BODIES | QueryOptions::ENABLED_SHAPES;
            let query = ShapeQuery { options, ..ShapeQuery::of_shape(geometry) };
            let mut list = ContactList::new();
            self.world.collide_shape(&query, by, None, &self.things, usize::MAX, &mut list);
            answers.contacts.push(self.contacts(&list));
            list.clear();
            self.world.overlap_shape(&query, None, &self.things, &mut list);
            answers.contacts.push(self.contacts(&list));
        }
    }

    /// Bodies that move, whoever they push, and what strikes meet.
    fn moves(&mut self, random: &mut Random, answers: &mut Answers) {
        for thing in (0..THINGS).step_by(7) {
            let body = self.bodies[thing];
            let owner = self.world.body(body).owner.expect("everything has a body");
            self.things.get_mut(owner).answer = if thing % 2 == 0 { Answer::PUSH } else { Answer::SLIDE };
            let v = random.vec3(12.0);
            let result = self.world.sweep_body(body, v, STEP, None, &mut self.things);
            self.world.update_body(body, &mut self.things);
            answers.places.push(self.things.get(owner).pose.position);
            answers.places.push(result.velocity);
        }
        answers.places.extend(self.bodies.iter().map(|&body| self.world.body(body).push));
        answers.widest = self.world.bodies.iter().map(|body| body.bounds.max.x - body.bounds.min.x).fold(0.0, f32::max);
    }
}

/// What a world answered.
#[derive(Debug, Default, PartialEq)]
struct Answers {
    sets: Vec<Vec<usize>>,
    contacts: Vec<Vec<Seen>>,
    places: Vec<Vec3>,
    widest: f32,
}

fn shuffle<T>(list: &mut [T], random: &mut Random) {
    for i in (1..list.len()).rev() {
        list.swap(i, (random.unit() * (i + 1) as f32) as usize);
    }
}

#[test]
fn every_query_of_bodies_answers_the_same_whatever_order_they_came_in() {
    let mut random = Random::new(17);
    let mut order: Vec<usize> = (0..THINGS).collect();
    let expected = Crowd::new(&order, false).answers(3);
    let met = expected.contacts.iter().filter(|list| !list.is_empty()).count();
    let found = expected.sets.iter().filter(|set| set.len() > 3).count();
    let pushed = expected.places.iter().rev().take(THINGS).filter(|push| **push != Vec3::ZERO).count();
    assert!(met > 80 && found > 40 && pushed > 2, "{met} lists of contacts, {found} of bodies, {pushed} pushes");
    for turn in 0..6 {
        shuffle(&mut order, &mut random);
        assert_eq!(Crowd::new(&order, turn % 2 == 1).answers(3), expected, "{order:?}");
    }
}

/// A cloud of triangles of either kind around the origin, in some order.
fn cloud(order: &[usize]) -> CollisionMesh {
    let mut random = Random::new(6);
    let triangles: Vec<(Corners, TriangleFlags)> = (0..order.len())
        .map(|i| {
            let at = random.vec3(6.0);
            let flags = if i % 2 == 0 { TriangleFlags::TWO_SIDED } else { TriangleFlags::default() };
            ([at, at + random.vec3(4.0), at + random.vec3(4.0)], flags)
        })
        .collect();
    let scene = order.iter().fold(Scene::new(), |scene, &i| {
        let (corners, flags) = triangles[i];
        scene.with_flags([corners], flags, 5, (i % 3) as u8)
    });
    scene.mesh([7, 6, 5])
}

/// Every question of a mesh.
fn mesh_answers(mesh: &mut CollisionMesh) -> Vec<Vec<Seen>> {
    let mut random = Random::new(8);
    let mut answers = Vec::new();
    let scalar = Kernels::Scalar;
    let mut list = ContactList::new();
    let take = |list: &mut ContactList, answers: &mut Vec<Vec<Seen>>| {
        let mut seen: Vec<Seen> =
            list.as_slice().iter().map(|c| (c.is_level() as usize, c.fraction, c.normal)).collect();
        seen.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.x.total_cmp(&b.2.x)));
        list.clear();
        answers.push(seen);
    };
    let half = Half::default();
    for _ in 0..300 {
        let (at, by) = (random.vec3(7.0), random.vec3(5.0));
        let sphere = Sphere { centre: at, radius: random.range(0.1, 0.8) };
        sweep_sphere(scalar, mesh, &sphere, by, &SphereFilter::ALL, half, &mut list);
        take(&mut list, &mut answers);
        overlap_sphere(scalar, mesh, &sphere, &SphereFilter::ALL, half, &mut list);
        take(&mut list, &mut answers);
        let first = first_of_sphere(scalar, mesh, &sphere, by, &SphereFilter::ALL, half);
        answers.push(first.map(|contact| (0, contact.fraction, Vec3::ZERO)).into_iter().collect());
        let b = OrientedBox::new(Vec3::splat(sphere.radius), Quat::from_axis_angle(random.direction(), 1.0), at);
        sweep_box(scalar, mesh, &b, by, half, &mut list);
        take(&mut list, &mut answers);
        let capsule = Capsule { base: at, radius: sphere.radius, height: 1.8 };
        let walker = Walker { capsule, radius: sphere.radius, slides: true };
        sweep_capsule(scalar, mesh, &walker, by.horizontal(), half, &mut list);
        take(&mut list, &mut answers);
        let landing = landing_contact(mesh, at, 0.9, -Vec3::Z * random.range(0.1, 2.0), half);
        let ray = Ray { origin: at, direction: random.direction(), length: 20.0 };
        let hit = mesh.cast(&ray, &RayFilter::default()).hit;
        let filter = RayFilter::default();
        let (mut dropped, mut marked) = (at, at);
        let _ = mesh.drop_to_ground(&mut dropped, 9.0, &filter);
        let _ = mesh.drop_to_marked_ground(&mut marked, 9.0, &filter);
        let marched = mesh.march(at, ray.direction, 7.0, 60.0, &filter);
        let pushed = mesh.sphere_push(at, sphere.radius).map_or(0, |push| push.walls as usize);
        let numbers = [
            landing.map_or(-1.0, |contact| contact.fraction),
            hit.map_or(-1.0, |hit| hit.distance),
            dropped.z,
            marked.z,
            marched.map_or(-1.0, |hit| hit.distance),
        ];
        answers.push(numbers.map(|number| (pushed, number, Vec3::ZERO)).into());
    }
    answers
}

#[test]
fn every_query_of_the_mesh_answers_the_same_whatever_order_its_triangles_stand_in() {
    let mut random = Random::new(19);
    let mut order: Vec<usize> = (0..120).collect();
    let expected = mesh_answers(&mut cloud(&order));
    assert!(expected.iter().filter(|answer| !answer.is_empty()).count() > 600);
    for _ in 0..3 {
        shuffle(&mut order, &mut random);
        let found = mesh_answers(&mut cloud(&order));
        for (n, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "answer {n}");
        }
    }
}

#[test]
fn what_walls_push_together_does_not_depend_on_their_order_beyond_rounding() {
    let mut random = Random::new(23);
    let mut order: Vec<usize> = (0..120).collect();
    let places: Vec<Vec3> = (0..600).map(|_| random.vec3(6.0)).collect();
    let pushes = |order: &[usize]| -> Vec<[Vec3; 2]> {
        let mut mesh = cloud(order);
        let push = |&at: &Vec3| {
            let mean = mesh.sphere_push(at, 0.7).map_or(Vec3::ZERO, |push| push.push);
            [
                mean,
                push_out_of_walls(Kernels::Scalar, &mut mesh, &Sphere { centre: at, radius: 0.7 })
                    .unwrap_or(Vec3::ZERO),
            ]
        };
        places.iter().map(push).collect()
    };
    let expected = pushes(&order);
    assert!(expected.iter().filter(|[mean, nearest]| *mean != Vec3::ZERO && *nearest != Vec3::ZERO).count() > 30);
    for _ in 0..3 {
        shuffle(&mut order, &mut random);
        for (found, expected) in pushes(&order).iter().zip(&expected) {
            for (found, expected) in found.iter().zip(expected) {
                assert!((*found - *expected).length() < 1e-5, "{found:?}, expected {expected:?}");
            }
        }
    }
}
