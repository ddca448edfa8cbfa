//! Builds meshes: the other side of the reader, for the host's tools, for tests and for what a program computes itself.

use super::strip::strips;
use super::{
    BATCH_INDICES, BATCH_QUADS, BATCH_VERTICES, BONES, HEADER_QUADS, MAGIC, Material, REVERSED, Run, SKIP, Sphere,
    VERSION, VERTEX_QUADS, Vertex,
};
use crate::ee::gif::Quad;
use crate::maths::Vec3;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// A corner of a triangle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Corner {
    /// Where it is, in metres.
    pub position: Vec3,
    /// Red, green, blue and alpha; 0x80 leaves a texture as it is, and is alpha 1.0. Without a texture 0xFF is the brightest.
    pub colour: [u8; 4],
    /// Texture coordinates: 0 to 1 is the texture once, t downwards. Keep them within some ten repetitions of 0.
    pub texture: [f32; 2],
    /// Unit vector away from the surface; only lit objects need it.
    pub normal: Vec3,
    /// First and other bone and the first one's weight in 255ths; `[0, 0, 255]` where nothing is skinned.
    pub bones: [u8; 3],
}

impl Default for Corner {
    fn default() -> Self {
        Self { position: Vec3::ZERO, colour: [0x80; 4], texture: [0.0; 2], normal: Vec3::Z, bones: [0, 0, u8::MAX] }
    }
}

/// Why a mesh cannot be built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildError {
    /// The triangle of this number, counted over the whole mesh, has a coordinate that is no number.
    NotFinite(u32),
    /// The triangle of this number names a bone that the skeleton does not have.
    NoSuchBone(u32),
}

/// What makes two corners one vertex.
type Key = [u32; 9];

/// Collects triangles by material and makes batches of them.
#[derive(Default)]
pub struct Builder {
    parts: BTreeMap<Material, Vec<(u32, [Corner; 3])>>,
    count: u32,
    skinned: bool,
}

/// Vertices and strips on their way into a batch.
#[derive(Default)]
struct Open {
    /// The part's vertices in the batch and their numbers there.
    numbers: BTreeMap<u32, u16>,
    indices: Vec<u16>,
    triangles: u32,
}

impl Builder {
    /// An empty mesh that moves as one.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty mesh whose corners move with their bones.
    pub fn skinned() -> Self {
        Self { skinned: true, ..Self::default() }
    }

    /// Adds a triangle; seen from its front its corners run anticlockwise.
    pub fn triangle(&mut self, material: Material, corners: [Corner; 3]) {
        self.parts.entry(material).or_default().push((self.count, corners));
        self.count += 1;
    }

    /// Adds a flat quadrilateral whose corners run anticlockwise.
    pub fn quad(&mut self, material: Material, [a, b, c, d]: [Corner; 4]) {
        self.triangle(material, [a, b, c]);
        self.triangle(material, [a, c, d]);
    }

    /// Triangles so far.
    pub fn triangles(&self) -> u32 {
        self.count
    }

    /// The mesh as it lies in a file. Solid batches come first, light last; triangles without an area are left out.
    ///
    /// # Errors
    /// The first triangle that cannot be part of a mesh.
    pub fn build(&self) -> Result<Vec<Quad>, BuildError> {
        let mut materials: Vec<Material> = self.parts.keys().copied().collect();
        materials.sort_by_key(|material| (material.flags.is_blended(), *material));
        let mut out = Written::default();
        for (number, material) in materials.iter().enumerate() {
            let Some(triangles) = self.parts.get(material) else { continue };
            self.part(number as u32, triangles, &mut out)?;
        }
        Ok(out.finish(&materials))
    }

    /// Writes the batches of one material.
    fn part(&self, material: u32, triangles: &[(u32, [Corner; 3])], out: &mut Written) -> Result<(), BuildError> {
        let mut corners: Vec<Corner> = Vec::new();
        let mut known: BTreeMap<Key, u32> = BTreeMap::new();
        let mut indexed = Vec::new();
        for (number, triangle) in triangles {
            check(*number, triangle)?;
            let [a, b, c] = triangle.map(|corner| {
                *known.entry(key(&corner)).or_insert_with(|| {
                    corners.push(corner);
                    corners.len() as u32 - 1
                })
            });
            if a != b && b != c && c != a {
                indexed.push([a, b, c]);
            }
        }
        let mut open = Open::default();
        for strip in strips(&indexed) {
            let new = strip.iter().filter(|index| !open.numbers.contains_key(index)).count();
            if open.numbers.len() + new > BATCH_VERTICES || open.indices.len() + strip.len() > BATCH_INDICES {
                out.batch(material, &core::mem::take(&mut open), &corners, self.skinned);
            }
            for (place, index) in strip.iter().enumerate() {
                let next = open.numbers.len() as u16;
                let number = *open.numbers.entry(*index).or_insert(next);
                let flags = match place {
                    0 | 1 => SKIP,
                    _ if place % 2 == 1 => REVERSED,
                    _ => 0,
                };
                open.indices.push(number | flags);
            }
            open.triangles += strip.len() as u32 - 2;
        }
        if !open.indices.is_empty() {
            out.batch(material, &open, &corners, self.skinned);
        }
        Ok(())
    }
}

fn check(number: u32, triangle: &[Corner; 3]) -> Result<(), BuildError> {
    let finite = |corner: &Corner| corner.position.is_finite() && corner.texture.iter().all(|value| value.is_finite());
    if !triangle.iter().all(finite) {
        return Err(BuildError::NotFinite(number));
    }
    let boned = |corner: &Corner| corner.bones[..2].iter().all(|&bone| usize::from(bone) < BONES);
    if triangle.iter().all(boned) { Ok(()) } else { Err(BuildError::NoSuchBone(number)) }
}

/// The packed normal: a signed byte for each axis, 127 for 1.
fn packed_normal(normal: Vec3) -> u32 {
    let axis = |value: f32| {
        let scaled = value.clamp(-1.0, 1.0) * 127.0;
        (if scaled < 0.0 { scaled - 0.5 } else { scaled + 0.5 }) as i8 as u8
    };
    u32::from_le_bytes([axis(normal.x), axis(normal.y), axis(normal.z), 0])
}

fn key(corner: &Corner) -> Key {
    let [x, y, z] = corner.position.to_array().map(f32::to_bits);
    let [s, t] = corner.texture.map(f32::to_bits);
    let [bone, other, weight] = corner.bones;
    let bones = u32::from_le_bytes([bone, other, weight, 0]);
    [x, y, z, s, t, u32::from_le_bytes(corner.colour), packed_normal(corner.normal), bones, 0]
}

fn to_vertex(corner: &Corner) -> Vertex {
    Vertex {
        position: corner.position.to_array(),
        colour: u32::from_le_bytes(corner.colour),
        texture: corner.texture,
        normal: packed_normal(corner.normal),
        spare: 0,
    }
}

/// A ball around points: around the middle of their box.
fn ball(points: impl Iterator<Item = Vec3> + Clone) -> Sphere {
    let none = (Vec3::splat(f32::MAX), Vec3::splat(f32::MIN));
    let (low, high) = points.clone().fold(none, |(low, high), point| (low.min(point), high.max(point)));
    let centre = (low + high) * 0.5;
    let radius = points.map(|point| (point - centre).length()).fold(0.0, f32::max);
    Sphere { centre, radius }
}

fn sphere_quad(sphere: Sphere) -> Quad {
    Quad::floats([sphere.centre.x, sphere.centre.y, sphere.centre.z, sphere.radius])
}

/// A batch's record before its places are known.
struct Record {
    sphere: Sphere,
    vertices: (usize, u32),
    indices: (usize, u32),
    runs: (usize, u32),
    triangles: u32,
}

/// What has been written: data behind the tables, whose sizes are known at the end only.
#[derive(Default)]
struct Written {
    data: Vec<Quad>,
    records: Vec<Record>,
}

impl Written {
    fn batch(&mut self, material: u32, open: &Open, corners: &[Corner], skinned: bool) {
        let mut order: Vec<(u16, &Corner)> =
            open.numbers.iter().map(|(index, number)| (*number, &corners[*index as usize])).collect();
        order.sort_by_key(|(number, corner)| (if skinned { corner.bones } else { [0; 3] }, *number));
        let mut moved = vec![0; order.len()];
        for (place, (number, _)) in order.iter().enumerate() {
            moved[usize::from(*number)] = place as u16;
        }
        let indices: Vec<u16> =
            open.indices.iter().map(|index| index & !0xFF | moved[usize::from(index & 0xFF)]).collect();
        let vertices: Vec<Quad> = order.iter().flat_map(|(_, corner)| to_vertex(corner).to_quads()).collect();
        let sphere = ball(order.iter().map(|(_, corner)| corner.position));
        let runs = if skinned { runs(order.iter().map(|(_, corner)| corner.bones)) } else { Vec::new() };
        let record = Record {
            sphere,
            vertices: (self.data.len(), order.len() as u32 | material << 16),
            indices: (self.data.len() + vertices.len(), indices.len() as u32),
            runs: (self.data.len() + vertices.len() + indices.len().div_ceil(8), runs.len() as u32),
            triangles: open.triangles,
        };
        self.data.extend(vertices);
        for group in indices.chunks(8) {
            let at = |index: usize| u32::from(group.get(index).copied().unwrap_or(SKIP));
            self.data.push(Quad([0, 2, 4, 6].map(|index| at(index) | at(index + 1) << 16)));
        }
        for group in runs.chunks(4) {
            self.data.push(Quad([0, 1, 2, 3].map(|index| group.get(index).map_or(0, |run| run.to_word()))));
        }
        self.records.push(record);
    }

    fn finish(self, materials: &[Material]) -> Vec<Quad> {
        let first_batch = HEADER_QUADS + materials.len();
        let first_data = first_batch + self.records.len() * BATCH_QUADS;
        let total = first_data + self.data.len();
        let whole = self.records.iter().fold(None, |whole: Option<Sphere>, record| {
            Some(whole.map_or(record.sphere, |whole| around(whole, record.sphere)))
        });
        let mut quads = vec![
            Quad([MAGIC, VERSION, total as u32, 0]),
            Quad([materials.len() as u32, HEADER_QUADS as u32, self.records.len() as u32, first_batch as u32]),
            sphere_quad(whole.unwrap_or_default()),
            Quad::default(),
        ];
        quads.extend(materials.iter().map(|material| Quad([material.texture, material.flags.0, 0, 0])));
        let place = |at: usize| (first_data + at) as u32;
        for record in &self.records {
            quads.push(sphere_quad(record.sphere));
            let (vertices, indices) = (record.vertices, record.indices);
            quads.push(Quad([place(vertices.0), vertices.1, place(indices.0), indices.1]));
            quads.push(Quad([place(record.runs.0), record.runs.1, record.triangles, 0]));
        }
        quads.extend(self.data);
        quads
    }
}

/// The smallest ball around two.
fn around(a: Sphere, b: Sphere) -> Sphere {
    let apart = b.centre - a.centre;
    let distance = apart.length();
    if distance + b.radius <= a.radius {
        return a;
    }
    if distance + a.radius <= b.radius {
        return b;
    }
    let radius = (distance + a.radius + b.radius) * 0.5;
    Sphere { centre: a.centre + apart * ((radius - a.radius) / distance), radius }
}

/// Vertices with equal bones in a row, as runs.
fn runs(bones: impl Iterator<Item = [u8; 3]>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for [bone, other, weight] in bones {
        match runs.last_mut() {
            Some(run) if run.bones == [bone, other] && run.weight == weight && run.count < u8::MAX => run.count += 1,
            _ => runs.push(Run { count: 1, bones: [bone, other], weight }),
        }
    }
    runs
}

const _: () = assert!(VERTEX_QUADS * size_of::<Quad>() == size_of::<Vertex>(), "a vertex is two quadwords");

#[cfg(test)]
mod tests {
    use super::super::{BATCH_VERTICES, Flags, Mesh, MeshError, VERTEX};
    use super::*;

    fn corner(x: f32, y: f32, z: f32) -> Corner {
        Corner { position: Vec3::new(x, y, z), ..Corner::default() }
    }

    /// A floor of `n` by `n` squares of a metre.
    fn floor(n: u32) -> Builder {
        let mut builder = Builder::new();
        for (x, y) in (0..n * n).map(|i| ((i % n) as f32, (i / n) as f32)) {
            let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(dx, dy)| corner(x + dx, y + dy, 0.0));
            builder.quad(Material::default(), corners);
        }
        builder
    }

    /// The triangles that a mesh draws, as its vertices' positions.
    fn drawn(mesh: &Mesh) -> Vec<[[f32; 3]; 3]> {
        let mut all = Vec::new();
        for batch in mesh.batches() {
            for corners in batch.indices.windows(3) {
                let [a, b, c] = [0, 1, 2].map(|i| batch.vertices[usize::from(corners[i] & VERTEX)].position);
                if corners[2] & SKIP == 0 {
                    all.push(if corners[2] & REVERSED == 0 { [a, b, c] } else { [b, a, c] });
                }
            }
        }
        all
    }

    #[test]
    fn what_is_built_is_read_again_and_checks() {
        let quads = floor(5).build().expect("a floor");
        let mesh = Mesh::read(&quads).expect("a mesh");
        assert_eq!(mesh.check(), Ok(()));
        assert_eq!(drawn(&mesh).len(), 50);
        assert!((mesh.sphere().centre - Vec3::new(2.5, 2.5, 0.0)).length() < 1e-5);
        for [a, b, c] in drawn(&mesh) {
            let [a, b, c] = [a, b, c].map(Vec3::from_array);
            assert!((b - a).cross(c - a).z > 0.0, "a floor is seen from above");
        }
    }

    #[test]
    fn a_large_mesh_is_split_into_batches_that_keep_the_limits() {
        let quads = floor(40).build().expect("a floor");
        let mesh = Mesh::read(&quads).expect("a mesh");
        assert_eq!(mesh.check(), Ok(()));
        assert_eq!(drawn(&mesh).len(), 3200);
        let sizes: Vec<usize> = mesh.batches().map(|batch| batch.vertices.len()).collect();
        assert!(sizes.iter().all(|size| *size <= BATCH_VERTICES), "{sizes:?}");
        let indices: usize = mesh.batches().map(|batch| batch.indices.len()).sum();
        assert!(indices < 3200 * 2, "{indices} indices for 3200 triangles in {} batches", sizes.len());
    }

    #[test]
    fn blended_batches_come_behind_solid_ones() {
        let mut builder = Builder::new();
        for flags in [Flags::BLEND, Flags::NONE] {
            let material = Material { texture: 1, flags };
            builder.triangle(material, [corner(0.0, 0.0, 0.0), corner(1.0, 0.0, 0.0), corner(0.0, 1.0, 0.0)]);
        }
        let quads = builder.build().expect("two triangles");
        let flags: Vec<Flags> =
            Mesh::read(&quads).expect("a mesh").batches().map(|batch| batch.material.flags).collect();
        assert_eq!(flags, [Flags::NONE, Flags::BLEND]);
    }

    #[test]
    fn skinned_vertices_lie_in_runs_by_their_bones() {
        let mut builder = Builder::skinned();
        let boned = |x: f32, bones: [u8; 3]| Corner { bones, ..corner(x, x * x, 0.0) };
        for (first, bones) in [(0.0, [1, 1, 255]), (3.0, [2, 1, 128]), (6.0, [1, 1, 255])] {
            builder.triangle(Material::default(), [0.0, 1.0, 2.0].map(|x| boned(first + x, bones)));
        }
        let quads = builder.build().expect("three triangles");
        let mesh = Mesh::read(&quads).expect("a mesh");
        assert_eq!(mesh.check(), Ok(()));
        let runs: Vec<Run> = mesh.batch(0).expect("one batch").runs().collect();
        let run = |count, bones, weight| Run { count, bones, weight };
        assert_eq!(runs, [run(6, [1, 1], 255), run(3, [2, 1], 128)]);
        assert_eq!(drawn(&mesh).len(), 3);
    }

    #[test]
    fn damaged_data_are_refused_or_left_out_but_never_read_outside() {
        let good = floor(12).build().expect("a floor");
        assert_eq!(Mesh::read(&good[..3]).map(|_| ()), Err(MeshError::NoMesh));
        assert_eq!(Mesh::read(&good[..good.len() - 1]).map(|_| ()), Err(MeshError::Truncated(0)));
        let mut random = 1_u32;
        let mut refused = 0;
        for _ in 0..4000 {
            let mut bad = good.clone();
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (random >> 8) as usize % 16;
            let place = if random >> 31 == 0 { at } else { (random >> 4) as usize % bad.len() };
            bad[place].0[(random >> 2) as usize % 4] = random;
            let Ok(mesh) = Mesh::read(&bad) else {
                refused += 1;
                continue;
            };
            refused += usize::from(mesh.check().is_err());
            for batch in mesh.batches() {
                assert!(batch.vertices.len() <= BATCH_VERTICES && batch.indices.len() <= BATCH_INDICES);
            }
        }
        assert!(refused > 400, "{refused} of 4000");
    }

    #[test]
    fn corners_that_are_no_numbers_are_named() {
        let mut builder = floor(1);
        builder
            .triangle(Material::default(), [corner(f32::NAN, 0.0, 0.0), corner(1.0, 0.0, 0.0), corner(0.0, 1.0, 0.0)]);
        assert_eq!(builder.build(), Err(BuildError::NotFinite(2)));
        let mut builder = floor(1);
        builder.triangle(
            Material::default(),
            [0.0, 1.0, 2.0].map(|x| Corner { bones: [34, 0, 255], ..corner(x, 0.0, 0.0) }),
        );
        assert_eq!(builder.build(), Err(BuildError::NoSuchBone(2)));
    }
}
