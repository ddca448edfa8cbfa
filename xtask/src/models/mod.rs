//! People's models: short texts in `iso/models/people/`, made into skinned meshes for the game.
//!
//! [`person`] reads what somebody looks like; [`body`] and [`head`] make the body of it, of the [`tube`]s along the bones with two
//! bones at each joint, in one of three [`Detail`]s; [`picture`] draws people in poses of the game's own clips, to be looked at.

pub mod body;
pub mod head;
pub mod person;
pub mod picture;
#[cfg(test)]
mod tests;
pub mod tube;

pub use body::mesh;
pub use person::Person;
pub use tube::Detail;

use anyhow::{Context as _, Result, anyhow};

/// The bytes of a person's mesh, as the disc holds them.
///
/// # Errors
/// A line that means nothing, or a body that is no mesh.
pub fn make(text: &str, detail: Detail) -> Result<Vec<u8>> {
    let person = Person::read(text)?;
    let quads = mesh(&person, detail).build().map_err(|error| anyhow!("{error:?}")).context("a body")?;
    Ok(quads.iter().flat_map(|quad| quad.0).flat_map(u32::to_le_bytes).collect())
}
