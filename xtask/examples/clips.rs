//! Draws a contact sheet of the clips of one text: `cargo run -p xtask --example clips -- locomotion out.png [ID…]`.

use anyhow::{Context as _, Result};
use std::path::Path;
use xtask::clips::{compile, sheet};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (out, ids) = (arguments.next().context("a picture's path")?, arguments.collect::<Vec<_>>());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../iso/clips");
    let source = compile::read_folder(&folder)?;
    let wanted = |id: u16| {
        ids.is_empty()
            || ids.iter().any(|text| match text.split_once('-') {
                Some((a, b)) => a.parse().is_ok_and(|a: u16| a <= id) && b.parse().is_ok_and(|b: u16| id <= b),
                None => text.parse() == Ok(id),
            })
    };
    let mut baked = Vec::new();
    for clip in source.clips.iter().filter(|clip| wanted(clip.id)) {
        println!("{:2} {} {} ({} frames)", baked.len(), clip.id, clip.name, clip.frames);
        match compile::bake(clip) {
            Ok(clip) => baked.push(clip),
            Err(error) => println!("   {error:#}"),
        }
    }
    // From its right side and half from behind.
    sheet::draw(&baked, &[-1.2, 2.6]).save(out)?;
    Ok(())
}
