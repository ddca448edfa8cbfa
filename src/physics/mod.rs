//! The physics world: what moving things collide through.
//!
//! It is no rigid-body simulator: nothing here integrates velocities or applies impulses. Movers integrate themselves and
//! ask the world to sweep their body; a contact changes only the mover's velocity, as its owner decides.
//!
//! Data flows upwards through the files. [`shapes`] are posed geometry, [`kernels`] pure tests of them, [`pairs`] the
//! tables that choose a test by the two types, [`mesh`] the tests against the level; they fill [`contact`] lists. The
//! [`PhysicsWorld`] owns bodies and shapes in fixed [`pools`]; `create`, `list`, `update` and `human_body` keep them,
//! [`query`] gathers candidates and [`collide`] answers questions. [`sweep`] moves a body in three passes and [`resolve`]
//! asks its owner, an [`owner::Owners`], about each contact. [`step`] runs once a tick; [`settle`] turns
//! what has landed, [`objects`] is what throws need, [`strikes`] and [`humans`] are what humans do to each other, [`car_parts`] what
//! flies off cars. For tests, for the [`scenarios`] that print facts and the [`crowds`] that cost time, [`mod@bench`] is a store
//! of things that answer as they are told, and [`street`] a level with the game's own objects on it.
//!
//! Source: seed 002, Purpose.

pub mod aabb;
pub mod bench;
pub mod body;
pub mod car_parts;
pub mod collide;
pub mod constants;
pub mod contact;
pub mod create;
pub mod crowds;
pub mod flags;
pub mod human_body;
pub mod humans;
pub mod ids;
mod ignore;
pub mod kernels;
mod list;
pub mod mesh;
pub mod objects;
pub mod owner;
pub mod pairs;
pub mod pools;
pub mod query;
pub mod recent;
pub mod resolve;
pub mod scenarios;
pub mod settle;
pub mod shape;
pub mod shapes;
pub mod step;
pub mod street;
pub mod strikes;
pub mod sweep;
mod update;
mod world;

pub use world::{Counters, PhysicsWorld};

#[cfg(test)]
mod properties;
