//! As many as there can be, for figures: what a frame's physics costs at its worst.

use super::PhysicsWorld;
use super::bench::{Things, human};
use super::constants::STEP;
use super::create::ObjectShape;
use super::flags::Answer;
use super::ids::{BodyId, OwnerId};
use super::kernels::Kernels;
use super::settle::RestAxes;
use super::street::Street;
use crate::collision::CollisionMesh;
use crate::collision::scenes::{Random, Scene, floor, wall};
use crate::maths::{Pose, Quat, Vec3};
use crate::tasks::ids::TaskId;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Humans that walk at once.
pub const HUMANS: usize = 60;
/// Objects that fly at once.
pub const OBJECTS: usize = 384;
/// Side of the square in metres, with a wall every four metres across a part of it.
const SIDE: f32 = 32.0;
const WALLS: usize = 8;
/// Ticks of a frame.
const TICKS: usize = 2;

/// A level with a crowd in it.
pub enum Crowd {
    /// Humans who walk.
    Humans(Box<Walkers>),
    /// Objects that fly.
    Objects(Flyers),
}

/// Humans, each with a way of its own.
pub struct Walkers {
    world: PhysicsWorld,
    things: Things,
    mesh: CollisionMesh,
    walkers: Vec<(OwnerId, BodyId, Vec3)>,
}

/// The game's own objects in the air.
pub struct Flyers {
    street: Street,
    objects: Vec<TaskId>,
}

/// The square and its walls.
fn square() -> CollisionMesh {
    let mut scene = Scene::new().with(floor(SIDE, 0.0));
    for i in 0..WALLS {
        let y = 4.0 * i as f32 + 2.0;
        scene = scene.with(wall([4.0, y], [20.0, y], [0.0, 3.0]));
    }
    scene.mesh([16, 16, 1])
}

impl Crowd {
    /// Humans spread over the square, each on a way of its own.
    pub fn of_humans() -> Self {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let mut walkers = Vec::new();
        let mut random = Random::new(4);
        for _ in 0..HUMANS {
            let at = Vec3::new(random.range(1.0, SIDE - 1.0), random.range(1.0, SIDE - 1.0), 0.0);
            let mut man = human(at);
            man.answer = Answer::PUSH;
            let owner = things.add(man);
            let Some(body) = world.create_human_body(owner, &things) else { continue };
            world.update_body(body, &mut things);
            let way = random.direction().horizontal().normalize_or_zero() * random.range(0.5, 7.5);
            walkers.push((owner, body, way));
        }
        Self::Humans(Box::new(Walkers { world, things, mesh: square(), walkers }))
    }

    /// Boxes in the air over the square, falling slowly enough to stay there while they are watched.
    pub fn of_objects() -> Self {
        let (mut street, mut objects) = (Street::new(square()), Vec::new());
        let shape = ObjectShape::Box { size: Vec3::new(0.07, 0.21, 0.10), centre: Vec3::ZERO };
        let kind = street.kind(shape, RestAxes::NONE).unwrap_or_default();
        let mut random = Random::new(5);
        for _ in 0..OBJECTS {
            let at = Vec3::new(random.range(1.0, SIDE - 1.0), random.range(1.0, SIDE - 1.0), random.range(1.0, 3.0));
            let spin = random.vec3(4.0);
            let Some(id) = street.drop_thing(kind, Pose::new(Quat::IDENTITY, at)) else { continue };
            street.push(id, Vec3::Z * 5.0, spin);
            objects.push(id);
        }
        Self::Objects(Flyers { street, objects })
    }

    /// Chooses the kernels' twins.
    pub fn set_kernels(&mut self, kernels: Kernels) {
        match self {
            Self::Humans(crowd) => crowd.world.set_kernels(kernels),
            Self::Objects(crowd) => crowd.street.set_kernels(kernels),
        }
    }

    /// A frame: each human's step and the world's, or two ticks of the wheel and the world, in which each object has one
    /// update.
    pub fn frame(&mut self) {
        match self {
            Self::Humans(crowd) => {
                let Walkers { world, things, mesh, walkers } = &mut **crowd;
                for &(_, body, way) in &*walkers {
                    world.sweep_body(body, way, STEP, Some(mesh), things);
                    world.update_body(body, things);
                }
                (0..TICKS).for_each(|_| world.step(things));
            }
            Self::Objects(crowd) => (0..TICKS).for_each(|_| crowd.street.tick()),
        }
    }

    /// Where everybody or everything is.
    pub fn places(&self) -> Vec<Vec3> {
        match self {
            Self::Humans(crowd) => {
                crowd.walkers.iter().map(|&(owner, ..)| crowd.things.get(owner).pose.position).collect()
            }
            Self::Objects(crowd) => {
                crowd.objects.iter().filter_map(|&id| crowd.street.head(id)).map(|head| head.position).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_moves_everybody_and_everything() {
        for (mut crowd, count) in [(Crowd::of_humans(), HUMANS), (Crowd::of_objects(), OBJECTS)] {
            let before = crowd.places();
            crowd.frame();
            let moved = crowd.places().iter().zip(&before).filter(|(now, before)| now != before).count();
            assert_eq!(before.len(), count);
            assert!(moved * 10 > count * 9, "{moved} of {count}");
            assert!(crowd.places().iter().all(|place| place.is_finite()));
        }
    }
}
