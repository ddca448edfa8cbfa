//! Cameras: where a viewport's eye is and where it looks.
//!
//! A camera is told where its human is and how the right stick is held; it answers an eye and a point to look at. It never
//! looks through a wall: it asks the level's mesh.
//!
//! Source: support systems, Cameras; art, Direction.

pub mod follow;

pub use follow::FollowCamera;
