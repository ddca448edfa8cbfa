//! Properties of the whole: rooms that hold, orders that do not matter, crowds that end.

use super::PhysicsWorld;
use super::bench::{Things, human};
use super::constants::{PASSES, STEP};
use super::contact::CONTACTS;
use super::create::ObjectShape;
use super::flags::Answer;
use super::ids::{BodyId, OwnerId};
use super::pools::CANDIDATES;
use super::recent::Recent;
use super::settle::RestAxes;
use super::street::Street;
use crate::collision::scenes::{Random, Scene, floor};
use crate::maths::{Pose, Quat, Vec3};
use crate::tasks::ids::TaskId;
use alloc::vec::Vec;
use rooms::{Room, Walker};

mod orders;
mod rooms;

/// Whatever is in the way, an update of each of `movers` looks at no more than it has room for in three passes.
fn assert_bounded(before: &Recent, after: &Recent, movers: usize) {
    let since = |before: u32, after: u32| after.wrapping_sub(before) as usize;
    let passes = since(before.passes, after.passes);
    assert!(passes <= PASSES * movers, "{passes} passes of {movers}");
    let (contacts, candidates) = (since(before.contacts, after.contacts), since(before.candidates, after.candidates));
    assert!(contacts <= CONTACTS * passes, "{contacts} contacts in {passes} passes");
    assert!(candidates <= CANDIDATES * passes, "{candidates} candidates in {passes} passes");
}

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
        let before = world.recent().clone();
        for &(_, body) in &crowd {
            world.update_body(body, &mut things);
            let v = random.vec3(6.0).horizontal();
            world.sweep_body(body, v, STEP, Some(&mut mesh), &mut things);
        }
        world.step(&mut things);
        assert_bounded(&before, world.recent(), crowd.len());
    }
    assert!(crowd.iter().all(|&(owner, _)| things.get(owner).pose.position.is_finite()));
    assert!(world.counters().contacts_dropped > 0, "a list of 50 cannot hold 59 humans, and says so");
}

#[test]
fn as_many_objects_as_there_are_in_one_cell_end_their_updates() {
    let mut street = Street::new(Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]));
    let shape = ObjectShape::Sphere { size: Vec3::splat(0.2), centre: Vec3::ZERO };
    let kind = street.kind(shape, RestAxes::NONE).unwrap();
    let mut random = Random::new(6);
    let objects: Vec<TaskId> = (0..crate::physics::crowds::OBJECTS)
        .map(|_| {
            let at = Vec3::new(44.0, 44.0, 1.0) + random.vec3(0.9);
            street.drop_thing(kind, Pose::new(Quat::IDENTITY, at)).unwrap()
        })
        .collect();
    for _ in 0..60 {
        let before = street.physics().unwrap().recent().clone();
        street.tick();
        assert_bounded(&before, street.physics().unwrap().recent(), objects.len());
    }
    for &id in &objects {
        let position = street.head(id).unwrap().position;
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
        let before = walker.world.recent().clone();
        let at = walker.walk(&mut mesh, v);
        assert_bounded(&before, walker.world.recent(), 1);
        assert!(at.is_finite(), "{v:?} led to {at:?}");
    }
}
