//! The physics world: what moving things collide through.
//!
//! It is no rigid-body simulator: nothing here integrates velocities or applies impulses. Movers integrate themselves and
//! ask the world to sweep their body; a contact changes only the mover's velocity, as its owner decides.
//!
//! Data flows upwards through the files: [`shapes`] are posed geometry, [`kernels`] pure tests of them, [`pairs`] the
//! tables that choose a test by the two types, [`mesh`] the tests against the level. They fill [`contact`] lists.
//!
//! Source: seed 002, Purpose.

pub mod aabb;
pub mod constants;
pub mod contact;
pub mod flags;
pub mod ids;
pub mod kernels;
pub mod mesh;
pub mod pairs;
pub mod shapes;
