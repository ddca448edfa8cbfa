//! Models: what moves, built of the same pieces as a level, in its own axes and without baked light.

use super::super::cells;
use super::super::materials::Materials;
use super::super::scene::{Patch, Scene};
use super::super::{coplanar, pieces, source};
use anyhow::{Context as _, Result, anyhow};
use boardwalk::ee::gif::Quad;
use boardwalk::graphics::mesh::{Builder, Flags};
use boardwalk::maths::Vec3;
use boardwalk::tasks::names::name_hash;

/// Light of its own from which on a surface shines by itself.
const SHINES: f32 = 0.3;

/// A model's mesh under its name's hash.
#[derive(Clone, Debug)]
pub struct Model {
    /// CRC-32 of its name.
    pub name: u32,
    /// The mesh, ready for its chunk.
    pub mesh: Vec<Quad>,
    /// Names of its textures.
    pub textures: Vec<String>,
}

/// Draws the statements of `text`, the lines of `file`, into a model. Materials come from the text of `materials`.
///
/// # Errors
/// A mistake in the statements, with its line.
pub fn draw(name: &str, file: &str, text: &str, materials: &str) -> Result<Model> {
    let placed = source::read(file, &|asked| Ok(if asked == file { text.to_owned() } else { materials.to_owned() }))?;
    let mut scene = Scene::default();
    pieces::draw(&placed, &mut scene)?;
    of(name, &scene.patches, &scene.materials)
}

/// The same statements with plain boxes, as they are seen from afar; `None` when no box has broken edges.
pub fn without_bevels(text: &str) -> Option<String> {
    const BEVEL: &str = "bevel=";
    let plain = |line: &str| -> String {
        let words = line.split(' ').map(|word| if word.starts_with(BEVEL) { "bevel=0" } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    text.contains(BEVEL).then(|| text.lines().map(plain).collect::<Vec<_>>().join("\n"))
}

/// The model of patches in its own axes.
///
/// # Errors
/// A coordinate that is no number, or surfaces that fight.
pub fn of(name: &str, patches: &[Patch], materials: &Materials) -> Result<Model> {
    coplanar::check(patches, materials).with_context(|| format!("the model {name}"))?;
    let mut builder = Builder::new();
    let mut textures = Vec::new();
    for patch in patches {
        let material = materials.get(patch.material);
        let mut drawn = cells::drawn(material, false);
        let surface = material.tint.scale(patch.tint);
        let colour = if patch.glow > SHINES {
            drawn.flags = drawn.flags.with(Flags::UNLIT);
            surface * patch.glow
        } else {
            surface
        };
        textures.extend(material.texture.clone());
        let corner = |at: usize| {
            let (position, normal, uv) = (patch.corners[at], patch.normals[at], patch.uv[at]);
            cells::corner(&super::super::bake::BakedVertex { position, normal, uv, colour }, material)
        };
        builder.triangle(drawn, [corner(0), corner(1), corner(2)]);
        if patch.corners[2] != patch.corners[3] {
            builder.triangle(drawn, [corner(0), corner(2), corner(3)]);
        }
    }
    let mesh = builder.build().map_err(|error| anyhow!("the model {name}: {error:?}"))?;
    Ok(Model { name: name_hash(name), mesh, textures })
}

/// The middle of patches and half their extents.
pub fn extent<'a>(patches: impl Iterator<Item = &'a Patch>) -> (Vec3, Vec3) {
    let none = (Vec3::splat(f32::MAX), Vec3::splat(f32::MIN));
    let corners = patches.flat_map(|patch| patch.corners);
    let (low, high) = corners.fold(none, |(low, high), corner| (low.min(corner), high.max(corner)));
    ((low + high) * 0.5, (high - low) * 0.5)
}
