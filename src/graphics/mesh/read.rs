//! Reads a mesh where it lies.
//!
//! [`Mesh::read`] looks at the header alone and is cheap enough for every frame; [`Mesh::check`] looks at everything and
//! belongs to loading. Whatever the data say, nothing outside them is read and no batch is larger than the layout allows:
//! a damaged mesh looks damaged, no more.

use super::{
    BATCH_INDICES, BATCH_QUADS, BATCH_VERTICES, BONES, Flags, HEADER_QUADS, MAGIC, Material, Run, SKIP, Sphere,
    VERSION, VERTEX, VERTEX_QUADS, Vertex,
};
use crate::ee::gif::Quad;
use crate::maths::Vec3;

/// Why data are no mesh.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MeshError {
    /// They do not begin at a multiple of sixteen bytes.
    Unaligned,
    /// They do not begin with a header of this version.
    NoMesh,
    /// They end before what the header or batch of this number says.
    Truncated(u32),
    /// A batch has more vertices or indices than may be, or none.
    BatchSize(u32),
    /// A batch names a vertex, material or bone that is not there.
    Reference(u32),
    /// A batch has a coordinate that is no number.
    NotFinite(u32),
}

/// A mesh in memory.
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'a> {
    quads: &'a [Quad],
    materials: &'a [Quad],
    batches: &'a [Quad],
    sphere: Sphere,
}

/// A part of a mesh with one material.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// What holds it, in the mesh's coordinates.
    pub sphere: Sphere,
    /// How it is drawn.
    pub material: Material,
    /// Its vertices, at most [`BATCH_VERTICES`].
    pub vertices: &'a [Vertex],
    /// Its strips, at most [`BATCH_INDICES`].
    pub indices: &'a [u16],
    runs: &'a [u32],
    /// Triangles that it draws.
    pub triangles: u32,
}

impl<'a> Mesh<'a> {
    /// The mesh that `quads` begin with.
    ///
    /// # Errors
    /// [`MeshError::NoMesh`] and [`MeshError::Truncated`].
    pub fn read(quads: &'a [Quad]) -> Result<Self, MeshError> {
        let [identity, parts, sphere, _] = *quads.first_chunk::<HEADER_QUADS>().ok_or(MeshError::NoMesh)?;
        let [magic, version, count, _] = identity.0;
        if magic != MAGIC || version != VERSION {
            return Err(MeshError::NoMesh);
        }
        let quads = quads.get(..count as usize).ok_or(MeshError::Truncated(0))?;
        let [materials, first_material, batches, first_batch] = parts.0.map(|word| word as usize);
        let materials = part(quads, first_material, materials, 1).ok_or(MeshError::Truncated(0))?;
        let batches = part(quads, first_batch, batches, BATCH_QUADS).ok_or(MeshError::Truncated(0))?;
        Ok(Self { quads, materials, batches, sphere: to_sphere(sphere) })
    }

    /// The mesh in a chunk's bytes.
    ///
    /// # Errors
    /// As [`read`](Self::read), and [`MeshError::Unaligned`].
    pub fn of_bytes(bytes: &'a [u8]) -> Result<Self, MeshError> {
        Self::read(Quad::of_bytes(bytes).ok_or(MeshError::Unaligned)?)
    }

    /// Looks at everything that the mesh refers to.
    ///
    /// # Errors
    /// Whatever is wrong first, with the number of its batch.
    pub fn check(&self) -> Result<(), MeshError> {
        for index in 0..self.len() {
            let number = index as u32;
            let batch = self.batch(index)?;
            let seen = batch.vertices.iter().all(|vertex| vertex.position.iter().all(|value| value.is_finite()));
            if !seen || !batch.sphere.centre.is_finite() || !batch.sphere.radius.is_finite() {
                return Err(MeshError::NotFinite(number));
            }
            let named = |&index: &u16| index == SKIP || usize::from(index & VERTEX) < batch.vertices.len();
            let boned = |run: Run| run.bones.iter().all(|&bone| usize::from(bone) < BONES);
            let moved: usize = batch.runs().map(|run| usize::from(run.count)).sum();
            if !batch.indices.iter().all(named) || !batch.runs().all(boned) || moved > batch.vertices.len() {
                return Err(MeshError::Reference(number));
            }
        }
        Ok(())
    }

    /// What holds the whole mesh, in its coordinates.
    pub fn sphere(&self) -> Sphere {
        self.sphere
    }

    /// Number of batches.
    pub fn len(&self) -> usize {
        self.batches.len() / BATCH_QUADS
    }

    /// True when there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    /// The batches; a damaged one is left out.
    pub fn batches(&self) -> impl Iterator<Item = Batch<'a>> + use<'a> {
        let mesh = *self;
        (0..self.len()).filter_map(move |index| mesh.batch(index).ok())
    }

    /// A batch.
    ///
    /// # Errors
    /// What is wrong with its sizes and places.
    pub fn batch(&self, index: usize) -> Result<Batch<'a>, MeshError> {
        let number = index as u32;
        let record = part(self.batches, index.saturating_mul(BATCH_QUADS), 1, BATCH_QUADS);
        let &[sphere, places, more] =
            record.and_then(|record| record.first_chunk()).ok_or(MeshError::Truncated(number))?;
        let [first_vertex, count_and_material, first_index, indices] = places.0;
        let [first_run, runs, triangles, _] = more.0;
        let (vertices, material) = (count_and_material & 0xFFFF, count_and_material >> 16);
        let sized = (1..=BATCH_VERTICES).contains(&(vertices as usize))
            && (1..=BATCH_INDICES).contains(&(indices as usize))
            && runs as usize <= BATCH_VERTICES;
        if !sized {
            return Err(MeshError::BatchSize(number));
        }
        let whole = |first: u32, items: u32, per_quad: u32| {
            part(self.quads, first as usize, items.div_ceil(per_quad) as usize, 1).ok_or(MeshError::Truncated(number))
        };
        let vertices = part(self.quads, first_vertex as usize, vertices as usize, VERTEX_QUADS)
            .ok_or(MeshError::Truncated(number))?;
        let indices = Quad::half_words(whole(first_index, indices, 8)?).get(..indices as usize).unwrap_or_default();
        let runs = Quad::words(whole(first_run, runs, 4)?).get(..runs as usize).unwrap_or_default();
        let material = self.materials.get(material as usize).ok_or(MeshError::Reference(number))?;
        let [texture, flags, ..] = material.0;
        Ok(Batch {
            sphere: to_sphere(sphere),
            material: Material { texture, flags: Flags(flags) },
            vertices: Vertex::of_quads(vertices),
            indices,
            runs,
            triangles,
        })
    }
}

impl Batch<'_> {
    /// The vertices' bones in order; none in a mesh that is not skinned.
    pub fn runs(&self) -> impl Iterator<Item = Run> {
        self.runs.iter().map(|&word| Run::of_word(word))
    }
}

/// `count` items of `size` quadwords from `first` on.
fn part(quads: &[Quad], first: usize, count: usize, size: usize) -> Option<&[Quad]> {
    quads.get(first..)?.get(..count.checked_mul(size)?)
}

fn to_sphere(quad: Quad) -> Sphere {
    let [x, y, z, radius] = quad.to_floats();
    Sphere { centre: Vec3::new(x, y, z), radius }
}
