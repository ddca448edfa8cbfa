//! Small synthetic scenes and a fixed random source, for tests and for the scenes that print facts.

use super::build::{SourceTriangle, build};
use super::grid::Cell;
use super::{CollisionMesh, TriangleFlags};
use crate::maths::Vec3;
use alloc::vec::Vec;

/// A triangle by its corners.
pub type Corners = [Vec3; 3];

/// Triangles to be built into a mesh.
#[derive(Clone, Default)]
pub struct Scene {
    vertices: Vec<Vec3>,
    triangles: Vec<SourceTriangle>,
}

impl Scene {
    /// Nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one-sided triangles of material 5.
    pub fn with(self, faces: impl IntoIterator<Item = Corners>) -> Self {
        self.with_flags(faces, TriangleFlags::default(), 5, 0)
    }

    /// Adds triangles with flags, material and area.
    pub fn with_flags(
        mut self,
        faces: impl IntoIterator<Item = Corners>,
        flags: TriangleFlags,
        material: u8,
        area: u8,
    ) -> Self {
        for corners in faces {
            let first = self.vertices.len() as u32;
            self.vertices.extend(corners);
            self.triangles.push(SourceTriangle { corners: [first, first + 1, first + 2], flags, material, area });
        }
        self
    }

    /// Adds one triangle.
    pub fn triangle(self, corners: Corners) -> Self {
        self.with([corners])
    }

    /// Builds the mesh.
    ///
    /// # Panics
    /// When the scene is none: a vertex that is no number, or more of something than a mesh can hold.
    pub fn mesh(&self, cells: Cell) -> CollisionMesh {
        build(&self.vertices, &self.triangles, cells).expect("a small synthetic scene is sound")
    }
}

/// Two triangles of a quadrilateral, counter-clockwise seen from the front.
pub fn quad(a: [f32; 3], b: [f32; 3], c: [f32; 3], d: [f32; 3]) -> [Corners; 2] {
    let [a, b, c, d] = [a, b, c, d].map(Vec3::from_array);
    [[a, b, c], [a, c, d]]
}

/// A square floor from the origin, facing up.
pub fn floor(side: f32, z: f32) -> [Corners; 2] {
    quad([0.0, 0.0, z], [side, 0.0, z], [side, side, z], [0.0, side, z])
}

/// An upright wall from `a` to `b`, facing to the right of that direction.
pub fn wall(a: [f32; 2], b: [f32; 2], z: [f32; 2]) -> [Corners; 2] {
    quad([a[0], a[1], z[0]], [b[0], b[1], z[0]], [b[0], b[1], z[1]], [a[0], a[1], z[1]])
}

/// A small generator (xorshift) with a fixed sequence per seed.
pub struct Random(u64);

impl Random {
    /// A sequence.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Uniform in `[0, 1)`.
    pub fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Uniform in `[low, high)`.
    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Each component uniform in `[-half, half)`.
    pub fn vec3(&mut self, half: f32) -> Vec3 {
        Vec3::new(self.range(-half, half), self.range(-half, half), self.range(-half, half))
    }

    /// A unit vector.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vec3(1.0);
            if v.length_squared() > 0.01 {
                return v.normalize_or_zero();
            }
        }
    }
}
