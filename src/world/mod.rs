//! The world: a level from the disc, what is seen and met of it, and who pays for its memory.
//!
//! [`chunks`] says what lies in a level's file and writes it, [`kinds`] and [`props`] what its things are made of; [`Level`] reads it through the chunk system, each record
//! bounded and checked, and hands out what the others need: the collision mesh to the physics, cells, lights and halos to
//! the renderer ([`draw`]), placed objects to the TaskEngine, flags, boxes and ways to whoever asks. [`parts`] are what comes in files of its own. [`WorldManager`] owns
//! the pool that a level lives in and gives its budget back; [`objects`] keeps which streamed objects are seen in which
//! world. Rays through glass are the collision mesh's own.
//!
//! Source: seed 002, Reimplementing Physics, RayCast and World (Units 16 to 19); support systems, Chunk system and Level
//! loading order.

pub mod chunks;
pub mod draw;
pub mod kinds;
mod level;
mod manager;
pub mod objects;
pub mod parts;
pub mod props;
mod tear_down;

#[cfg(test)]
pub(crate) use level::tests::{file as small_level, file_with as small_level_with};
pub use level::{LISTS_BYTES, Level, LevelError, LevelTable};
pub use manager::{WorldError, WorldManager};
pub use parts::{PartBytes, SECTION, part_name};
pub use tear_down::{Part, TEAR_DOWN};
