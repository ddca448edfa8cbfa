//! Levels: from text in `iso/levels/` to what the console loads.
//!
//! [`source`] reads the files and writes blocks and prefabs out, [`pieces`] draws every statement with a [`sketch`] into a
//! [`scene`]: patches to be seen, faces to be met, lamps, and things with a place. [`bake`] lights the patches, [`cells`] cuts
//! them into meshes, [`collide`] builds the collision mesh, and [`container`] puts all of it into the file that the engine's
//! `world` reads. [`catalogue`] reads what kinds of things there are, which every level carries. [`preview`] paints a level on the host.

pub mod bake;
pub mod catalogue;
pub mod cells;
pub mod collide;
pub mod container;
pub mod coplanar;
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

/// Reads the level `name`: its files lie in `levels/NAME/`, the first is `NAME.level`. `load` gives the text of a file below
/// `iso/`.
///
/// # Errors
/// A missing file or a mistake in one; the message names file and line.
pub fn read(name: &str, load: &dyn Fn(&str) -> Result<String>) -> Result<Scene> {
    let placed = source::read(&format!("{name}.level"), &|file| load(&format!("{FOLDER}/{name}/{file}")))?;
    let mut scene = Scene::default();
    pieces::draw(&placed, &mut scene)?;
    scene.catalogue = catalogue::read(load)?;
    scene.catalogue.check(&scene)?;
    Ok(scene)
}

/// Gives the texts of files below a folder.
pub fn loader(folder: &Path) -> impl Fn(&str) -> Result<String> + '_ {
    move |file| {
        let path = folder.join(file);
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A scene of a few lines, with a material `stone` and those that pieces take by themselves.
    pub(super) fn scene_of(text: &str) -> Scene {
        let materials = ["stone", "iron", "globe", "carpaint", "carglass", "chrome", "lens", "tyre", "silhouette"];
        let materials: String = materials.iter().map(|name| format!("material {name}\n")).collect();
        let text = format!("{}{text}", materials.replace('\n', ";"));
        let text = text.replace(';', "\n");
        let placed = source::read("a.level", &|_| Ok(text.clone())).unwrap();
        let mut scene = Scene::default();
        pieces::draw(&placed, &mut scene).unwrap();
        scene
    }

    #[test]
    fn a_piece_that_does_not_exist_and_a_material_that_does_not_are_named() {
        for (text, words) in [
            ("tower at=0,0,0", "a.level:1: there is no piece tower"),
            ("box material=gold", "a.level:1: no material gold"),
            ("material m\nbox material=m siz=1,1,1", "a.level:2: box has no setting siz="),
            ("material m\nwall material=m from=0,0 to=1,0 gap=0,2,0,1", "a.level:2: the gap"),
        ] {
            let placed = source::read("a.level", &|_| Ok(text.to_owned())).unwrap();
            let error = pieces::draw(&placed, &mut Scene::default()).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
