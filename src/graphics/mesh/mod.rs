//! Meshes in a file: their layout, a reader that trusts nothing, and what builds them.
//!
//! A mesh is *batches* of one material each. A batch has at most [`BATCH_VERTICES`] vertices, so that the transformed ones fit
//! the scratch memory, and one stream of indices that describes triangle strips: an index draws the triangle that it forms
//! with the two before it, unless [`SKIP`] is set; a list of triangles is the same with two skips for each. [`REVERSED`] marks
//! triangles that are wound the other way round, as every second one of a strip is. Seen from its front, a triangle's corners
//! run anticlockwise: its normal is `(v1 - v0) x (v2 - v0)`, as in the collision mesh.
//!
//! Everything is in quadwords, little-endian, each part at a multiple of sixteen bytes:
//!
//! | part | quadwords | words |
//! | --- | --- | --- |
//! | header | 4 | `BMSH`, version, quadwords in all, 0 / materials: count, first quadword; batches: count, first quadword / sphere x y z r / 0 |
//! | material | 1 | texture (CRC-32 of its name, 0 none), flags, 0, 0 |
//! | batch | 3 | sphere x y z r / vertices: first quadword, count and material (upper half), indices: first quadword, count / runs: first quadword, count, triangles, 0 |
//! | vertex | 2 | x, y, z, colour / s, t, normal, 0 |
//! | indices | 1 for eight | half words, the last quadword filled up with [`SKIP`] |
//! | runs | 1 for four | count, bone, other bone, weight of the first: a byte each |
//!
//! Data flows from a level's or a model's source through [`build`] into a chunk, and from there through [`read`] into the
//! renderer, which copies nothing but the vertices that it transforms.
//!
//! Our choice: the layout; the seeds leave drawing to the reader.

pub mod build;
pub mod read;
mod strip;

pub use crate::ee::vu0::transform::Vertex;
pub use build::{BuildError, Builder, Corner};
pub use read::{Batch, Mesh, MeshError};

/// Vertices of a batch at most: what the scratch memory holds, less a reserve.
pub const BATCH_VERTICES: usize = 240;
/// Indices of a batch at most: its vertices, each used by several strips.
pub const BATCH_INDICES: usize = 1536;
/// Bones of a skinned mesh. Source: humans and combat, skeleton.
pub const BONES: usize = 34;

/// Index bit: no triangle ends at this vertex.
pub const SKIP: u16 = 1 << 15;
/// Index bit: the triangle that ends here is wound the other way round.
pub const REVERSED: u16 = 1 << 14;
/// Index bits that name the vertex.
pub const VERTEX: u16 = 0xFF;

/// The first word of a mesh: `BMSH`.
pub const MAGIC: u32 = u32::from_le_bytes(*b"BMSH");
/// The layout's version.
pub const VERSION: u32 = 1;

/// Quadwords of the header.
pub const HEADER_QUADS: usize = 4;
/// Quadwords of a batch's record.
pub const BATCH_QUADS: usize = 3;
/// Quadwords of a vertex.
pub const VERTEX_QUADS: usize = 2;

/// How a batch is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, PartialOrd, Ord, Hash)]
pub struct Material {
    /// CRC-32 of the texture's name in small letters; 0 for none.
    pub texture: u32,
    /// What else there is to say.
    pub flags: Flags,
}

/// A material's flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, PartialOrd, Ord, Hash)]
pub struct Flags(pub u32);

impl Flags {
    /// Opaque, seen from its front, lit, fogged, its texture smooth and repeating.
    pub const NONE: Self = Self(0);
    /// Blended over what is there, by the alpha of texture and vertex; drawn after everything solid, writes no depth.
    pub const BLEND: Self = Self(1);
    /// Added to what is there: light. Drawn last, writes no depth.
    pub const ADD: Self = Self(1 << 1);
    /// Pixels of an alpha under half are left out: leaves, nets, railings.
    pub const CUTOUT: Self = Self(1 << 2);
    /// Seen from both sides.
    pub const TWO_SIDED: Self = Self(1 << 3);
    /// The texture's edge goes on to the left and right.
    pub const CLAMP_S: Self = Self(1 << 4);
    /// The texture's edge goes on above and below.
    pub const CLAMP_T: Self = Self(1 << 5);
    /// No fog: what shines through it, and the sky.
    pub const NO_FOG: Self = Self(1 << 6);
    /// The nearest texel alone.
    pub const NEAREST: Self = Self(1 << 7);
    /// Shines by itself: an object's lights do not change the vertex colours.
    pub const UNLIT: Self = Self(1 << 8);
    /// Neither tests nor writes depth: the sky.
    pub const NO_DEPTH: Self = Self(1 << 9);

    /// Every flag of `other` is set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The flags of both.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Drawn after everything solid.
    pub const fn is_blended(self) -> bool {
        self.0 & (Self::BLEND.0 | Self::ADD.0) != 0
    }
}

/// A ball that holds a mesh or a batch.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sphere {
    /// Its middle.
    pub centre: crate::maths::Vec3,
    /// Its radius in metres.
    pub radius: f32,
}

/// Vertices in a row that move with the same bones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Number of vertices.
    pub count: u8,
    /// The first bone and the other one.
    pub bones: [u8; 2],
    /// Weight of the first bone, 255 for all of it.
    pub weight: u8,
}

impl Run {
    /// The run that a word holds.
    pub const fn of_word(word: u32) -> Self {
        let [count, bone, other, weight] = word.to_le_bytes();
        Self { count, bones: [bone, other], weight }
    }

    /// The word that holds it.
    pub const fn to_word(self) -> u32 {
        u32::from_le_bytes([self.count, self.bones[0], self.bones[1], self.weight])
    }
}
