//! The level's collision mesh: what walkers, rays and falling things meet of the static world.
//!
//! A [`CollisionMesh`] is made once, when a level loads, either from the disc's chunks ([`format`]) or from loose
//! triangles ([`build`], which the disc builder and the tests use). Afterwards nothing allocates: a query asks the
//! [`grid`] for a box of cells, walks their triangle lists with a [`TriangleCursor`] that meets each triangle once (the
//! mesh owns the checked bits, hence the `&mut`), leaves most out with [`Probe`]s, and reads corners, flags, material and
//! area of the rest. A mesh of a program with memory to spare may have a `tree` beside the grid. [`ray`] casts rays,
//! [`ground`] drops and marches along them, [`push`] pushes a sphere out of walls, and `physics` sweeps its shapes
//! against the same cursor. The only thing that changes in play is a triangle's flags: doors and fences switch theirs.
//!
//! Source: support systems, Collision mesh; seed 002, Mesh tests.

pub mod build;
mod cull;
pub mod format;
pub mod grid;
pub mod ground;
pub mod material;
mod mesh;
pub mod push;
pub mod ray;
pub mod scenes;
#[cfg(not(target_arch = "mips"))]
mod tree;
mod triangle;

pub use cull::{Approach, MoveRows, Plane, Probe};
pub use mesh::{CollisionMesh, TriangleCursor};
pub use ray::{Ray, RayFilter, RayHit, RayResult};
pub use triangle::{Face, Triangle, TriangleFlags, TriangleId};
