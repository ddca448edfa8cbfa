//! What `cargo xtask level` prints and paints.

use super::preview::{self, Eye};
use super::scene::ThingKind;
use super::{bake, cells, collide, container, coplanar, loader, read};
use anyhow::{Context as _, Result, ensure};
use std::fmt::Write as _;
use std::path::Path;

/// Compiles the level `name` out of `iso` and says what it holds; paints its views when asked.
///
/// # Errors
/// A mistake in the level or a texture, a view that does not exist, a picture that cannot be written.
pub fn run(iso: &Path, name: &str, picture: Option<&Path>, view: Option<&str>) -> Result<String> {
    let load = loader(iso);
    let scene = read(name, &load)?;
    let fights: Vec<String> =
        coplanar::fights(&scene.patches, &scene.materials).iter().map(ToString::to_string).collect();
    ensure!(fights.is_empty(), "surfaces in one plane:\n{}", fights.join("\n"));
    let pictures = container::pictures(&scene, &load)?;
    let start = std::time::Instant::now();
    let patches = bake::bake(&scene);
    let mut out = String::new();
    let (triangles, vertices) =
        patches.iter().fold((0, 0), |(t, v), patch| (t + patch.triangles().count(), v + patch.vertices.len()));
    writeln!(
        out,
        "{name}: {} patches, {triangles} triangles, {vertices} vertices, {} solid triangles, {} lamps, {} halos, {} things, {} textures, baked in {:.1} s",
        scene.patches.len(),
        scene.solids.len(),
        scene.lamps.len(),
        scene.glows.len(),
        scene.things.len(),
        pictures.len(),
        start.elapsed().as_secs_f32(),
    )?;
    let cells = cells::cut_baked(&scene, &patches)?;
    let mesh = collide::build(&scene)?;
    let bytes: usize = cells.iter().map(|cell| cell.mesh.len() * 16).sum();
    let textures: usize = pictures
        .values()
        .map(|picture| picture.texels.len() * if picture.palette.len() > 16 { 2 } else { 1 } / 2)
        .sum();
    let grid = mesh.grid().cells;
    writeln!(
        out,
        "{} cells of {bytes} bytes, textures of {textures} bytes, collision grid {} x {} x {}",
        cells.len(),
        grid[0],
        grid[1],
        grid[2]
    )?;
    let Some(path) = picture else { return Ok(out) };
    let mut painted = 0;
    for eye in scene.things_of(ThingKind::View).filter(|eye| view.is_none_or(|name| eye.name == name)) {
        let (image, counts) = preview::paint(&scene, &patches, &pictures, &Eye::of(eye));
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("level");
        let file = path.with_file_name(format!("{stem}-{}.png", eye.name));
        image.save(&file).with_context(|| format!("cannot write {}", file.display()))?;
        writeln!(out, "{}: {} triangles of {}", file.display(), counts.drawn, counts.seen)?;
        painted += 1;
    }
    ensure!(painted > 0, "{name} has no such view");
    Ok(out)
}
