//! Draws the people of the disc in poses of the game's clips: `cargo run -p xtask --example people -- out.png`.

use anyhow::{Context as _, Result};
use boardwalk::animation::library::ClipLibrary;
use boardwalk::animation::pose::LocalPose;
use boardwalk::animation::skeleton::Skeleton;
use std::path::Path;
use xtask::models::picture::{Figure, draw};
use xtask::models::{Detail, Person, mesh};

/// Clips and the share of each at which people are drawn.
const POSES: [(u16, f32); 8] =
    [(388, 0.0), (408, 0.1), (410, 0.3), (358, 0.0), (16, 0.32), (11, 0.32), (606, 0.0), (296, 0.4)];

fn main() -> Result<()> {
    let out = std::env::args().nth(1).context("a picture's path")?;
    let iso = Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso");
    let bytes = xtask::clips::compile_folder(&iso.join("clips"))?;
    let library = ClipLibrary::read(bytes.into_boxed_slice()).map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let mut paths: Vec<_> =
        std::fs::read_dir(iso.join("models/people"))?.filter_map(Result::ok).map(|e| e.path()).collect();
    paths.sort();
    let mut meshes = Vec::new();
    for path in &paths {
        let person = Person::read(&std::fs::read_to_string(path)?)?;
        let build = |detail| mesh(&person, detail).build().map_err(|error| anyhow::anyhow!("{error:?}"));
        meshes.push(build(Detail::Near)?);
        if path.ends_with("rembrandt.person") {
            meshes.extend([build(Detail::Middle)?, build(Detail::Far)?]);
        }
    }
    let skeleton = Skeleton::new();
    let mut figures = Vec::new();
    for mesh in &meshes {
        for (column, (id, share)) in POSES.into_iter().enumerate() {
            let clip = library.find(id).with_context(|| format!("clip {id}"))?;
            let mut pose = LocalPose::reference(&skeleton);
            library.sample(clip, library.clip(clip).length * share, &skeleton, &mut pose);
            figures.push(Figure { mesh, pose, heading: [2.6, -1.2, 3.6, 2.4][column % 4] });
        }
    }
    draw(&figures, POSES.len() as u32).save(out)?;
    Ok(())
}
