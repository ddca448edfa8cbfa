//! The level that is played: what the physics and the drawing need of it.

use super::missions::Place;
use super::yard;
use crate::collision::CollisionMesh;
use crate::graphics::baked::Mesh;
use crate::maths::Vec3;

/// A level.
pub struct Level {
    /// Which one.
    pub place: Place,
    /// What bodies meet.
    pub mesh: CollisionMesh,
    /// What is seen.
    pub picture: Mesh,
    /// Where the player begins: feet in metres, and heading in radians.
    pub start: (Vec3, f32),
    /// Where the goal is, in metres.
    pub goal: Vec3,
    /// Where things lie at the beginning, in metres.
    pub things: &'static [Vec3],
}

impl Level {
    /// Makes a place. Memory comes from the pool on top of the heap stack.
    ///
    /// Stand-in: every place is the yard until the level's own files are read.
    pub fn new(place: Place) -> Self {
        Self {
            place,
            mesh: yard::collision(),
            picture: yard::picture(),
            start: yard::START,
            goal: yard::GOAL,
            things: &yard::BRICKS,
        }
    }
}
