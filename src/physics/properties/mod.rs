//! Properties of the whole: rooms that hold, orders that do not matter, crowds that end.

use super::PhysicsWorld;
use super::bench::{Things, human, world_object};
use super::constants::STEP;
use super::create::ObjectShape;
use super::flags::{Answer, BodyFlags};
use super::ids::{BodyId, OwnerId};
use super::objects::{WorldObject, update_object};
use crate::collision::scenes::{Random, Scene, floor};
use crate::maths::{Pose, Quat, Vec3};
use alloc::vec::Vec;
use rooms::{Room, Walker};

mod orders;
mod rooms;

#[test]
fn sixty_humans_in_one_spot_end_their_steps_and_stay_finite() {
    let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
    let mut mesh = Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]);
    let crowd: Vec<(OwnerId, BodyId)> = (0..60)
        .map(|_| {
            let mut man = human(Vec3::new(40.0, 40.0, 0.0));
            man.answer = Answer::PUSH;
            let owner = things.add(man);
            (owner, world.create_human_body(owner, &things).unwrap())
        })
        .collect();
    let mut random = Random::new(5);
    for _ in 0..60 {
        for &(_, body) in &crowd {
            world.update_body(body, &mut things);
            let v = random.vec3(6.0).horizontal();
            world.sweep_body(body, v, STEP, Some(&mut mesh), &mut things);
        }
        world.step(&mut things);
    }
    assert!(crowd.iter().all(|&(owner, _)| things.get(owner).pose.position.is_finite()));
    assert!(world.counters().contacts_dropped > 0, "a list of 50 cannot hold 59 humans, and says so");
}

#[test]
fn as_many_objects_as_there_are_in_one_cell_end_their_updates() {
    let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
    let mut mesh = Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]);
    let mut random = Random::new(6);
    let objects: Vec<OwnerId> = (0..384)
        .map(|_| {
            let at = Vec3::new(44.0, 44.0, 1.0) + random.vec3(0.9);
            let owner = things.add(world_object(WorldObject::new(Pose::new(Quat::IDENTITY, at))));
            let shape = ObjectShape::Sphere { size: Vec3::splat(0.2), centre: Vec3::ZERO };
            let body = world.create_object_body(owner, shape, 1, BodyFlags::NONE, &things).unwrap();
            let object = things.get_mut(owner).object.as_mut().unwrap();
            object.body = Some(body);
            object.drop_at(0);
            owner
        })
        .collect();
    for now in (0..60).step_by(2) {
        things.now = now;
        for &owner in &objects {
            update_object(&mut world, &mut mesh, &mut things, owner, now);
        }
        world.step(&mut things);
    }
    for &owner in &objects {
        let position = things.get(owner).object.unwrap().pose.position;
        assert!(position.is_finite() && position.z > -0.5, "{position:?}");
    }
}

#[test]
fn wild_numbers_end_and_leave_positions_that_are_numbers() {
    let mut mesh = Room::new(&[(0.0, 3.0), (2.0, 3.0), (4.0, 3.0)], 2.0).mesh;
    let mut random = Random::new(9);
    for _ in 0..500 {
        let mut walker = Walker::new(Vec3::ZERO);
        let wild = |random: &mut Random| f32::from_bits((random.unit() * 4.0e9) as u32);
        let v = Vec3::new(wild(&mut random), wild(&mut random), wild(&mut random));
        walker.world.body_mut(walker.body).push = Vec3::ZERO;
        let at = walker.walk(&mut mesh, v);
        assert!(!at.x.is_nan() && !at.y.is_nan(), "{v:?} led to {at:?}");
    }
}
