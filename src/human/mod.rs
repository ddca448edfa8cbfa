//! The characters: sixty places for humans, and what each part of their step does.
//!
//! [`Humans`] owns everybody ([`person`]), the clips and the animation's pool. The characters' step calls one function per
//! part and human: [`animate`] advances clips and fires their events, [`stick`] turns a pad into velocity, [`asked`] does
//! the same for what a brain asks, [`mover`] and [`driven`] for commands of the motion system, [`surroundings`] tells who is far
//! from every eye, [`ground`] moves the body through the physics and finds the ground, [`climb`] takes it over what stands ahead, and
//! [`choose`] picks what to play. [`owners`] is how the physics sees a human. [`stage`] is all of it on a level without the rest
//! of the game. What fights do is in `combat`, who decides in `ai`.
//!
//! Source: humans and combat; seed 000, Humans_Update.

pub mod animate;
pub mod asked;
pub mod cast;
pub mod choose;
pub mod climb;
pub mod driven;
pub mod ground;
pub mod mover;
pub mod numbers;
pub mod owners;
pub mod person;
pub mod speeds;
pub mod stage;
pub mod stick;
pub mod store;
pub mod surroundings;
pub mod takes;

pub use cast::{Cast, MissingClip};
pub use person::{Human, Spawn};
pub use store::{Blow, Humans, Notice};
