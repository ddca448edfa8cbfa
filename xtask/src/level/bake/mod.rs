//! Baking: patches become vertices with their light.
//!
//! Each patch is divided into the parts that it asked for; `light` gathers at each vertex what the sky, the moon and the
//! lamps send, and `shadow` answers what stands in between. The sum is the vertex's colour: 1.0 leaves the texture as it
//! is, and lamps may go up to twice that, which is as far as the console's vertex colours reach.

mod light;
mod shadow;

use super::materials::MaterialId;
use super::scene::{Patch, Scene};
use boardwalk::maths::Vec3;
use light::Sources;
use shadow::Occluders;

/// A vertex that is ready to be drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BakedVertex {
    /// Metres.
    pub position: Vec3,
    /// Unit normal.
    pub normal: Vec3,
    /// Texture coordinates, 1 a whole picture.
    pub uv: [f32; 2],
    /// Light times colour; 1.0 leaves the texture as it is, 2.0 is the most.
    pub colour: Vec3,
}

/// A grid of vertices, rows of `columns + 1`.
#[derive(Clone, Debug)]
pub struct BakedPatch {
    /// The vertices, row by row.
    pub vertices: Vec<BakedVertex>,
    /// Parts of its first side.
    pub columns: u16,
    /// Parts of its second side.
    pub rows: u16,
    /// A single triangle: the first three vertices of the only part.
    pub triangle: bool,
    /// What it is made of.
    pub material: MaterialId,
    /// Drawn only from near by.
    pub near: bool,
    /// Drawn from near by and from the middle distance.
    pub middle: bool,
    /// Far scenery.
    pub backdrop: bool,
    /// One of the two layers of moving water.
    pub water: Option<u8>,
}

impl BakedPatch {
    /// The triangles, as indices of its vertices, counter-clockwise seen from the front.
    pub fn triangles(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let stride = usize::from(self.columns) + 1;
        let parts = (0..usize::from(self.rows)).flat_map(move |y| (0..usize::from(self.columns)).map(move |x| (x, y)));
        parts.flat_map(move |(x, y)| {
            let (a, b) = (y * stride + x, y * stride + x + 1);
            let (c, d) = (b + stride, a + stride);
            let second = (!self.triangle).then_some([a, c, d]);
            [Some([a, b, c]), second].into_iter().flatten()
        })
    }
}

/// The most that a vertex colour can hold.
pub const BRIGHTEST: f32 = 255.0 / 128.0;

/// Bakes a scene, on all processors; the same scene always gives the same bits.
pub fn bake(scene: &Scene) -> Vec<BakedPatch> {
    let occluders = Occluders::new(scene);
    let sources = Sources::new(scene);
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(8));
    let share = scene.patches.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let (occluders, sources) = (&occluders, &sources);
        let parts: Vec<_> = scene
            .patches
            .chunks(share)
            .map(|patches| {
                scope.spawn(move || patches.iter().map(|patch| bake_patch(scene, patch, sources, occluders)).collect())
            })
            .collect();
        parts.into_iter().flat_map(|part| part.join().unwrap_or_else(|_: _| Vec::new())).collect()
    })
}

fn bake_patch(scene: &Scene, patch: &Patch, sources: &Sources<'_>, occluders: &Occluders) -> BakedPatch {
    let material = scene.materials.get(patch.material);
    let [columns, rows] = patch.parts;
    let triangle = patch.corners[2] == patch.corners[3];
    let middle = patch.corners.iter().fold(Vec3::ZERO, |sum, corner| sum + *corner) * 0.25;
    let mut vertices = Vec::with_capacity((usize::from(columns) + 1) * (usize::from(rows) + 1));
    for row in 0..=rows {
        for column in 0..=columns {
            let (s, t) = (f32::from(column) / f32::from(columns), f32::from(row) / f32::from(rows));
            let position = across(&patch.corners, s, t);
            let normal = across(&patch.normals, s, t).normalize_or_zero();
            let mix = |axis: usize| {
                let [a, b, c, d] = patch.uv.map(|uv| uv[axis]);
                let (low, high) = (a + (b - a) * s, d + (c - d) * s);
                low + (high - low) * t
            };
            let light = if patch.backdrop || patch.water.is_some() {
                Vec3::splat(1.0)
            } else {
                // A little inwards, out of the walls that the patch ends at.
                let from = position.lerp(middle, 0.02) + normal * 0.03;
                sources.at(from, normal, occluders, if patch.near { 6 } else { 16 })
            };
            let surface = material.tint.scale(patch.tint);
            let colour = (surface.scale(light) + surface * patch.glow).max(Vec3::ZERO).min(Vec3::splat(BRIGHTEST));
            vertices.push(BakedVertex { position, normal, uv: [mix(0), mix(1)], colour });
        }
    }
    BakedPatch {
        vertices,
        columns,
        rows,
        triangle,
        material: patch.material,
        near: patch.near,
        middle: patch.middle,
        backdrop: patch.backdrop,
        water: patch.water,
    }
}

fn across(corners: &[Vec3; 4], s: f32, t: f32) -> Vec3 {
    corners[0].lerp(corners[1], s).lerp(corners[3].lerp(corners[2], s), t)
}
