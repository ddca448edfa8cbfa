//! Levels: from text in `iso/levels/` to what the console loads.
//!
//! [`source`] reads the files and writes blocks and prefabs out, [`pieces`] draws every statement with a [`sketch`] into a
//! [`scene`]: patches to be seen, faces to be met, lamps, and things with a place. [`bake`] lights the patches;
//! [`preview`] paints them as the console would.

pub mod bake;
pub mod materials;
pub mod pieces;
pub mod place;
pub mod preview;
pub mod report;
pub mod scene;
pub mod sketch;
pub mod source;

use anyhow::{Context as _, Result};
use scene::Scene;
use std::path::Path;

/// The folder of the levels below `iso/`.
pub const FOLDER: &str = "levels";

/// Reads the level `name` of a folder: its files lie in the folder of that name, the first is `NAME.level`.
///
/// # Errors
/// A missing file or a mistake in one; the message names file and line.
pub fn read(levels: &Path, name: &str) -> Result<Scene> {
    let folder = levels.join(name);
    let placed = source::read(&format!("{name}.level"), &|file| {
        let path = folder.join(file);
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    })?;
    let mut scene = Scene::default();
    pieces::draw(&placed, &mut scene)?;
    Ok(scene)
}
