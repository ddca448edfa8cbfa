//! The physics world: what moving things collide through.
//!
//! It is no rigid-body simulator: nothing here integrates velocities or applies impulses. Movers integrate themselves and
//! ask the world to sweep their body; a contact changes only the mover's velocity, as its owner decides.
//!
//! Data flows upwards through the files: [`shapes`] are posed geometry, [`kernels`] are pure tests of them.
//!
//! Source: seed 002, Purpose.

pub mod kernels;
pub mod shapes;
