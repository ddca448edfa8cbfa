//! What is drawn, cut into cells: the meshes that the console culls and draws one by one.
//!
//! The ground is cut into squares of [`SIDE`] metres. A square has a mesh of what is drawn as far as the haze lets it be seen, one
//! of things that are left out from afar, and one of small things that are drawn from near by only; far scenery and moving
//! water have meshes of their own.

use super::bake::{BakedPatch, BakedVertex, bake};
use super::materials::{Blend, Material};
use super::scene::Scene;
use anyhow::{Result, anyhow};
use boardwalk::ee::gif::Quad;
use boardwalk::graphics::mesh::{Builder, Corner, Flags, Material as Drawn};
use boardwalk::maths::{Vec3, scalar};
use boardwalk::tasks::names::name_hash;
use boardwalk::world::chunks::cell;
use std::collections::BTreeMap;

/// Metres of a cell's side.
pub const SIDE: f32 = 16.0;

/// A cell's mesh with its id.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Number and bits of [`cell`].
    pub id: u32,
    /// The mesh, ready for its chunk.
    pub mesh: Vec<Quad>,
    /// Triangles in it.
    pub triangles: u32,
}

/// Bakes and cuts a scene.
///
/// # Errors
/// A coordinate that is no number.
pub fn cut(scene: &Scene) -> Result<Vec<Cell>> {
    cut_baked(scene, &bake(scene))
}

/// Cuts what was baked already.
///
/// # Errors
/// A coordinate that is no number.
pub fn cut_baked(scene: &Scene, patches: &[BakedPatch]) -> Result<Vec<Cell>> {
    let mut builders: BTreeMap<(u32, i32, i32), Builder> = BTreeMap::new();
    for patch in patches {
        let material = scene.materials.get(patch.material);
        let drawn = drawn(material, patch.backdrop);
        for triangle in patch.triangles() {
            let corners = triangle.map(|index| patch.vertices[index]);
            let middle = corners.iter().fold(Vec3::ZERO, |sum, corner| sum + corner.position) * (1.0 / 3.0);
            let builder = builders.entry(place(patch, material, middle)).or_default();
            builder.triangle(drawn, corners.map(|vertex| corner(&vertex, material)));
        }
    }
    let mut cells = Vec::new();
    for (number, ((bits, _, _), builder)) in builders.iter().enumerate() {
        let mesh = builder.build().map_err(|error| anyhow!("{}: {error:?}", scene.name))?;
        // Which of the two layers a water cell is, is the lowest bit of its number.
        let id = if bits & cell::WATER != 0 { *bits } else { number as u32 | bits };
        cells.push(Cell { id, mesh, triangles: builder.triangles() });
    }
    Ok(cells)
}

/// The cell of a triangle: its bits and its square.
fn place(patch: &BakedPatch, material: &Material, middle: Vec3) -> (u32, i32, i32) {
    let square = |v: f32, side: f32| scalar::floor(v / side) as i32;
    if let Some(layer) = patch.water {
        // Squares of water are large: it is flat and cheap.
        const LAKE: f32 = 96.0;
        return (cell::WATER | u32::from(layer), square(middle.x, LAKE), square(middle.y, LAKE));
    }
    if patch.backdrop {
        return (cell::BACKDROP, square(middle.x, 128.0), square(middle.y, 128.0));
    }
    let bits = match (patch.near, patch.middle) {
        (true, _) => cell::DETAIL,
        (false, true) => cell::MIDDLE,
        (false, false) if material.wet => cell::WET,
        (false, false) => 0,
    };
    (bits, square(middle.x, SIDE), square(middle.y, SIDE))
}

/// How the console draws a material.
pub(super) fn drawn(material: &Material, backdrop: bool) -> Drawn {
    let mut flags = match material.blend {
        Blend::Opaque => Flags::NONE,
        Blend::Cut => Flags::CUTOUT,
        Blend::Over => Flags::BLEND,
        Blend::Add => Flags::ADD,
    };
    if material.two_sided {
        flags = flags.with(Flags::TWO_SIDED);
    }
    if backdrop {
        flags = flags.with(Flags::NO_FOG);
    }
    Drawn { texture: material.texture.as_deref().map_or(0, name_hash), flags }
}

/// How the console has a vertex.
pub(super) fn corner(vertex: &BakedVertex, material: &Material) -> Corner {
    // 128 leaves a texture as it is; without one 255 is the brightest.
    let full = if material.texture.is_some() { 128.0 } else { 255.0 };
    let byte = |channel: f32| (channel * full + 0.5).clamp(0.0, 255.0) as u8;
    let colour = vertex.colour;
    let alpha = (material.alpha * 128.0 + 0.5).clamp(0.0, 128.0) as u8;
    Corner {
        position: vertex.position,
        colour: [byte(colour.x), byte(colour.y), byte(colour.z), alpha],
        texture: vertex.uv,
        normal: vertex.normal,
        ..Corner::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::scene_of;
    use super::*;
    use boardwalk::graphics::mesh::Mesh;

    #[test]
    fn a_long_floor_is_cut_into_squares_and_small_things_apart() {
        let scene = scene_of(
            "floor material=stone from=0,0 to=16,48\nbox material=stone at=8,8,0 size=1,1,1 near=yes\n\
             wheel material=stone at=0,300,0",
        );
        let cells = cut(&scene).unwrap();
        let count = |bits: u32| cells.iter().filter(|cell| cell.id & !cell::NUMBER == bits).count();
        assert_eq!((count(0), count(cell::DETAIL)), (3, 1));
        assert!(count(cell::BACKDROP) >= 1);
        let all: u32 = cells.iter().map(|cell| cell.triangles).sum();
        let read: u32 = cells
            .iter()
            .map(|cell| {
                let mesh = Mesh::read(&cell.mesh).unwrap();
                assert_eq!(mesh.check(), Ok(()));
                mesh.batches().map(|batch| batch.triangles).sum::<u32>()
            })
            .sum();
        assert!(read <= all && read > all * 9 / 10, "{read} of {all}");
    }

    #[test]
    fn wet_ground_has_cells_of_its_own() {
        let scene = scene_of(
            "material wet texture=stone wet=yes\nfloor material=wet from=0,0 to=16,16\nfloor material=stone from=16,0 to=32,16",
        );
        let bits: Vec<u32> = cut(&scene).unwrap().iter().map(|cell| cell.id & !cell::NUMBER).collect();
        assert_eq!(bits, [0, cell::WET]);
    }

    #[test]
    fn a_lamp_brightens_the_vertices_near_it_and_a_wall_keeps_its_light_away() {
        let scene = scene_of(
            "air ambient=10,10,10 moon=0,0,0 noise=0\nfloor material=stone from=-12,-4 to=12,4\n\
             light at=4,0,2 colour=255,255,255 bright=2 reach=3\nwall material=stone from=0,-6 to=0,6 height=5 thick=0.2",
        );
        let patches = bake(&scene);
        let at = |x: f32| {
            let near = |v: &&BakedVertex| (v.position - Vec3::new(x, 0.0, 0.0)).length() < 1.0 && v.normal.z > 0.9;
            patches[0].vertices.iter().find(near).map(|vertex| vertex.colour.x).unwrap()
        };
        assert!(at(4.0) > 1.0 && at(4.0) > 2.0 * at(10.0), "{} {}", at(4.0), at(10.0));
        assert!(at(-4.0) < 0.1, "{}", at(-4.0));
    }
}
