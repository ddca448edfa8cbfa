//! As many as there can be, for figures: what a frame's physics costs at its worst.

use super::PhysicsWorld;
use super::bench::{Things, human, world_object};
use super::constants::STEP;
use super::create::ObjectShape;
use super::flags::{Answer, BodyFlags};
use super::ids::{BodyId, OwnerId};
use super::kernels::Kernels;
use super::objects::{ObjectStore, WorldObject, update_object};
use crate::collision::CollisionMesh;
use crate::collision::scenes::{Random, Scene, floor, wall};
use crate::maths::{Pose, Quat, Vec3};
use alloc::vec::Vec;

/// Humans that walk at once.
pub const HUMANS: usize = 60;
/// Objects that fly at once.
pub const OBJECTS: usize = 384;
/// Side of the square in metres, with a wall every four metres across a part of it.
const SIDE: f32 = 32.0;
const WALLS: usize = 8;
/// Ticks of a frame.
const TICKS: u32 = 2;

/// A world with a crowd in it.
pub struct Crowd {
    world: PhysicsWorld,
    things: Things,
    mesh: CollisionMesh,
    walkers: Vec<(OwnerId, BodyId, Vec3)>,
    objects: Vec<OwnerId>,
}

impl Crowd {
    fn new() -> Self {
        let mut scene = Scene::new().with(floor(SIDE, 0.0));
        for i in 0..WALLS {
            let y = 4.0 * i as f32 + 2.0;
            scene = scene.with(wall([4.0, y], [20.0, y], [0.0, 3.0]));
        }
        let (world, things) = (PhysicsWorld::new(), Things::new());
        Self { world, things, mesh: scene.mesh([16, 16, 1]), walkers: Vec::new(), objects: Vec::new() }
    }

    /// Humans spread over the square, each on a way of its own.
    pub fn of_humans() -> Self {
        let mut crowd = Self::new();
        let mut random = Random::new(4);
        for _ in 0..HUMANS {
            let at = Vec3::new(random.range(1.0, SIDE - 1.0), random.range(1.0, SIDE - 1.0), 0.0);
            let mut man = human(at);
            man.answer = Answer::PUSH;
            let owner = crowd.things.add(man);
            let Some(body) = crowd.world.create_human_body(owner, &crowd.things) else { continue };
            crowd.world.update_body(body, &mut crowd.things);
            let way = random.direction().horizontal().normalize_or_zero() * random.range(0.5, 7.5);
            crowd.walkers.push((owner, body, way));
        }
        crowd
    }

    /// Boxes in the air over the square, falling slowly enough to stay there while they are watched.
    pub fn of_objects() -> Self {
        let mut crowd = Self::new();
        let mut random = Random::new(5);
        for _ in 0..OBJECTS {
            let at = Vec3::new(random.range(1.0, SIDE - 1.0), random.range(1.0, SIDE - 1.0), random.range(1.0, 3.0));
            let object = WorldObject { spin: random.vec3(4.0), ..WorldObject::new(Pose::new(Quat::IDENTITY, at)) };
            let owner = crowd.things.add(world_object(object));
            let shape = ObjectShape::Box { size: Vec3::new(0.07, 0.21, 0.10), centre: Vec3::ZERO };
            let body = crowd.world.create_object_body(owner, shape, 1, BodyFlags::NONE, &crowd.things);
            if let Some(object) = crowd.things.object_mut(owner) {
                object.body = body;
                object.drop_at(0);
                object.velocity.z = 5.0;
            }
            crowd.objects.push(owner);
        }
        crowd
    }

    /// Chooses the kernels' twins.
    pub fn set_kernels(&mut self, kernels: Kernels) {
        self.world.set_kernels(kernels);
    }

    /// A frame: each human's step, each object's update, and the world's step in each tick.
    pub fn frame(&mut self) {
        for &(_, body, way) in &self.walkers {
            self.world.sweep_body(body, way, STEP, Some(&mut self.mesh), &mut self.things);
            self.world.update_body(body, &mut self.things);
        }
        self.things.now += TICKS;
        let now = self.things.now;
        for &owner in &self.objects {
            update_object(&mut self.world, &mut self.mesh, &mut self.things, owner, now);
        }
        (0..TICKS).for_each(|_| self.world.step(&mut self.things));
    }

    /// Where everybody and everything is.
    pub fn places(&self) -> impl Iterator<Item = Vec3> + '_ {
        let humans = self.walkers.iter().map(|&(owner, ..)| self.things.get(owner).pose.position);
        let objects = self.objects.iter().filter_map(|&owner| self.things.get(owner).object);
        humans.chain(objects.map(|object| object.pose.position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_moves_everybody_and_everything() {
        for (mut crowd, count) in [(Crowd::of_humans(), HUMANS), (Crowd::of_objects(), OBJECTS)] {
            let before: Vec<Vec3> = crowd.places().collect();
            crowd.frame();
            let moved = crowd.places().zip(&before).filter(|(now, before)| now != *before).count();
            assert_eq!(before.len(), count);
            assert!(moved * 10 > count * 9, "{moved} of {count}");
            assert!(crowd.places().all(|place| place.is_finite()));
        }
    }
}
