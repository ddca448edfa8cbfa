//! A mesh on the disc: a header and five parts, each a chunk of the level file.
//!
//! The header's numbers stand where the original's do; its pointers and the checked table are empty on the disc.
//!
//! | part | chunk | holds |
//! | --- | --- | --- |
//! | header | 0x03 | 160 bytes: the grid's matrix, clamps, counts |
//! | cells | 0x06 | one `u32` a cell: where its list starts, in 16-bit units |
//! | lists | 0x05 | `u16` words: a count, then triangle numbers |
//! | triangles | 0x04 | ten bytes each |
//! | vertices | 0x07 | four floats each, the last 1 |
//! | checked | 0x52 | zeros, whole quadwords |
//!
//! Our choice: which chunk holds which part, from the order in which the loader takes them and the header names them.
//!
//! Source: support systems, Collision mesh and Chunk system.

use super::build::{FURTHEST, MOST_CELLS};
use super::cull::Outline;
use super::grid::Grid;
use super::mesh::checked_bytes;
use super::{CollisionMesh, Triangle, TriangleFlags, TriangleId};
use crate::maths::Vec3;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// Bytes of a mesh header.
pub const HEADER_BYTES: usize = 160;
/// Bytes of a triangle record.
pub const TRIANGLE_BYTES: usize = 10;
/// Bytes of a vertex.
pub const VERTEX_BYTES: usize = 16;

/// Places of the header's fields.
mod field {
    pub const MATRIX: usize = 0x10;
    pub const CLAMP_MIN: usize = 0x50;
    pub const CLAMP_MAX: usize = 0x60;
    pub const CELLS: usize = 0x70;
    pub const LIST_WORDS: usize = 0x7c;
    pub const TRIANGLES: usize = 0x84;
    pub const VERTICES: usize = 0x90;
    pub const LOWEST: usize = 0x98;
}

/// The parts of a mesh as they lie on the disc.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parts<'a> {
    /// Chunk 0x03.
    pub header: &'a [u8],
    /// Chunk 0x06.
    pub cells: &'a [u8],
    /// Chunk 0x05.
    pub lists: &'a [u8],
    /// Chunk 0x04.
    pub triangles: &'a [u8],
    /// Chunk 0x07.
    pub vertices: &'a [u8],
}

/// The parts of a mesh, written.
#[derive(Clone, Debug, Default)]
pub struct WrittenParts {
    /// Chunk 0x03.
    pub header: Vec<u8>,
    /// Chunk 0x06.
    pub cells: Vec<u8>,
    /// Chunk 0x05.
    pub lists: Vec<u8>,
    /// Chunk 0x04.
    pub triangles: Vec<u8>,
    /// Chunk 0x07.
    pub vertices: Vec<u8>,
    /// Chunk 0x52.
    pub checked: Vec<u8>,
}

impl WrittenParts {
    /// The parts for reading.
    pub fn parts(&self) -> Parts<'_> {
        Parts {
            header: &self.header,
            cells: &self.cells,
            lists: &self.lists,
            triangles: &self.triangles,
            vertices: &self.vertices,
        }
    }
}

/// Why a mesh could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// The named part is shorter than the header says.
    Truncated(&'static str),
    /// The named part holds a number that fits nothing: a bad index, a float that is none.
    Invalid(&'static str),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated(part) => write!(f, "collision mesh: {part} end too early"),
            Self::Invalid(part) => write!(f, "collision mesh: a bad number in the {part}"),
        }
    }
}

fn word16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn word32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// A float from its bits, unless its exponent is all ones (huge on the EE, infinite or no number elsewhere) or it is out
/// of the world.
fn float(bytes: &[u8], at: usize, limit: f32) -> Option<f32> {
    const EXPONENT: u32 = 0x7f80_0000;
    let bits = word32(bytes, at);
    let value = f32::from_bits(bits);
    (bits & EXPONENT != EXPONENT && value.abs() <= limit).then_some(value)
}

fn need<'a>(part: &'a [u8], bytes: usize, name: &'static str) -> Result<&'a [u8], FormatError> {
    part.get(..bytes).ok_or(FormatError::Truncated(name))
}

impl CollisionMesh {
    /// The most bytes that [`read`](Self::read) takes from the pool that pays, for these parts.
    pub fn most_bytes(parts: &Parts<'_>) -> usize {
        /// A list of unknown length grows to twice what it holds, beside what it held before.
        const GROWTH: usize = 3;
        let triangles = parts.triangles.len() / TRIANGLE_BYTES;
        let each = size_of::<Triangle>() + size_of::<Outline>();
        let lists = parts.cells.len() + parts.lists.len() + parts.vertices.len() * GROWTH;
        lists + triangles * each + checked_bytes(triangles)
    }

    /// Reads a mesh and checks every index in it. All triangles are switched on.
    ///
    /// # Errors
    /// [`FormatError`] names the part at fault.
    pub fn read(parts: &Parts<'_>) -> Result<Self, FormatError> {
        let header = need(parts.header, HEADER_BYTES, "header")?;
        let grid = read_grid(header)?;
        if grid.len() > MOST_CELLS {
            return Err(FormatError::Invalid("header"));
        }
        let list_words = word32(header, field::LIST_WORDS) as usize;
        let triangle_count = word16(header, field::TRIANGLES) as usize;
        let vertex_count = word32(header, field::VERTICES) as usize;
        let bytes = |count: usize, each: usize| count.checked_mul(each).ok_or(FormatError::Invalid("header"));

        let vertices = need(parts.vertices, bytes(vertex_count, VERTEX_BYTES)?, "vertices")?;
        let vertices = vertices.chunks_exact(VERTEX_BYTES).map(read_vertex).collect::<Option<Vec<_>>>();
        let vertices = vertices.ok_or(FormatError::Invalid("vertices"))?;

        let triangles = need(parts.triangles, bytes(triangle_count, TRIANGLE_BYTES)?, "triangles")?;
        let triangles: Vec<Triangle> = triangles.chunks_exact(TRIANGLE_BYTES).map(read_triangle).collect();
        let corner_exists = |t: &Triangle| t.corners.iter().all(|&corner| (corner as usize) < vertex_count);
        if !triangles.iter().all(corner_exists) {
            return Err(FormatError::Invalid("triangles"));
        }

        let lists = need(parts.lists, bytes(list_words, 2)?, "lists")?;
        let lists: Vec<u16> = lists.chunks_exact(2).map(|word| word16(word, 0)).collect();
        let cells = need(parts.cells, bytes(grid.len(), 4)?, "cells")?;
        let cells: Vec<u32> = cells.chunks_exact(4).map(|word| word32(word, 0)).collect();
        for &start in &cells {
            check_list(&lists, start as usize, triangle_count)?;
        }
        Ok(Self::from_parts(grid, cells.into(), lists.into(), triangles.into(), vertices.into()))
    }

    /// Writes the mesh's parts; all of them are whole quadwords long.
    pub fn write(&self) -> WrittenParts {
        let mut out = WrittenParts { header: self.write_header(), ..WrittenParts::default() };
        for start in &self.cells {
            out.cells.extend(start.to_le_bytes());
        }
        for word in &self.lists {
            out.lists.extend(word.to_le_bytes());
        }
        for number in 0..self.triangles.len() {
            let triangle = self.triangle(TriangleId(number as u16));
            for word in triangle.corners.into_iter().chain([triangle.flags.0]) {
                out.triangles.extend(word.to_le_bytes());
            }
            out.triangles.extend([triangle.material, triangle.area]);
        }
        for vertex in &self.vertices {
            for value in vertex.to_array().into_iter().chain([1.0]) {
                out.vertices.extend(value.to_le_bytes());
            }
        }
        out.checked = vec![0; checked_bytes(self.triangles.len())];
        for part in [&mut out.cells, &mut out.lists, &mut out.triangles] {
            part.resize(part.len().next_multiple_of(16), 0);
        }
        out
    }

    fn write_header(&self) -> Vec<u8> {
        let mut header = vec![0; HEADER_BYTES];
        let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
        for axis in 0..3 {
            put(field::MATRIX + 20 * axis, &self.grid.scale[axis].to_le_bytes());
            put(field::MATRIX + 48 + 4 * axis, &self.grid.translation[axis].to_le_bytes());
            put(field::CLAMP_MIN + 4 * axis, &0.5_f32.to_le_bytes());
            put(field::CLAMP_MAX + 4 * axis, &(self.grid.cells[axis] as f32 - 0.5).to_le_bytes());
            put(field::CELLS + 2 * axis, &self.grid.cells[axis].to_le_bytes());
        }
        for fourth in [field::MATRIX + 60, field::CLAMP_MIN + 12, field::CLAMP_MAX + 12] {
            put(fourth, &1.0_f32.to_le_bytes());
        }
        put(field::LIST_WORDS, &(self.lists.len() as u32).to_le_bytes());
        put(field::TRIANGLES, &(self.triangles.len() as u16).to_le_bytes());
        put(field::VERTICES, &(self.vertices.len() as u32).to_le_bytes());
        put(field::LOWEST, &self.lowest_z().to_le_bytes());
        header
    }
}

fn read_grid(header: &[u8]) -> Result<Grid, FormatError> {
    let mut grid = Grid { scale: Vec3::ZERO, translation: Vec3::ZERO, cells: [0; 3] };
    for axis in 0..3 {
        // A grid may have at most one cell a tenth of a millimetre and 65,535 of them.
        let scale = float(header, field::MATRIX + 20 * axis, 1e9);
        let translation = float(header, field::MATRIX + 48 + 4 * axis, 1e15);
        let (Some(scale), Some(translation)) = (scale, translation) else {
            return Err(FormatError::Invalid("header"));
        };
        grid.scale[axis] = scale;
        grid.translation[axis] = translation;
        grid.cells[axis] = word16(header, field::CELLS + 2 * axis);
        if grid.cells[axis] == 0 {
            return Err(FormatError::Invalid("header"));
        }
    }
    Ok(grid)
}

fn read_vertex(bytes: &[u8]) -> Option<Vec3> {
    Some(Vec3::new(float(bytes, 0, FURTHEST)?, float(bytes, 4, FURTHEST)?, float(bytes, 8, FURTHEST)?))
}

fn read_triangle(bytes: &[u8]) -> Triangle {
    Triangle {
        corners: [word16(bytes, 0), word16(bytes, 2), word16(bytes, 4)],
        flags: TriangleFlags(word16(bytes, 6)).with(TriangleFlags::ENABLED),
        material: bytes[8],
        area: bytes[9],
    }
}

fn check_list(lists: &[u16], start: usize, triangles: usize) -> Result<(), FormatError> {
    if start == 0 {
        return Ok(());
    }
    let count = *lists.get(start).ok_or(FormatError::Invalid("cells"))? as usize;
    let list = lists.get(start + 1..start + 1 + count).ok_or(FormatError::Truncated("lists"))?;
    let known = list.iter().all(|&triangle| (triangle as usize) < triangles);
    if known { Ok(()) } else { Err(FormatError::Invalid("lists")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::{Random, Scene, floor};
    use crate::collision::{Ray, RayFilter};

    fn written() -> WrittenParts {
        Scene::new().with(floor(80.0, 2.0)).mesh([8, 8, 1]).write()
    }

    #[test]
    fn a_written_mesh_reads_back_the_same() {
        let parts = written();
        let mut mesh = CollisionMesh::read(&parts.parts()).unwrap();
        assert_eq!(mesh.triangle_count(), 2);
        assert_eq!(mesh.lowest_z(), 2.0);
        let ray = Ray { origin: Vec3::new(40.0, 40.0, 20.0), direction: -Vec3::Z, length: 100.0 };
        assert_eq!(mesh.cast(&ray, &RayFilter::default()).hit.unwrap().distance, 18.0);
        assert_eq!(mesh.write().header, parts.header);
    }

    #[test]
    fn the_header_has_the_originals_places() {
        let header = written().header;
        assert_eq!(header.len(), HEADER_BYTES);
        assert_eq!([0x70, 0x72, 0x74].map(|at| word16(&header, at)), [8, 8, 1]);
        assert_eq!(word16(&header, 0x84), 2);
        assert_eq!(f32::from_bits(word32(&header, 0x60)), 7.5);
    }

    #[test]
    fn a_bad_corner_is_invalid_and_short_vertices_are_truncated() {
        let mut parts = written();
        parts.triangles[0] = 200;
        assert_eq!(CollisionMesh::read(&parts.parts()).unwrap_err(), FormatError::Invalid("triangles"));
        let mut parts = written();
        parts.vertices.truncate(parts.vertices.len() - 1);
        assert_eq!(CollisionMesh::read(&parts.parts()).unwrap_err(), FormatError::Truncated("vertices"));
    }

    #[test]
    fn a_vertex_with_the_bits_of_no_number_is_invalid() {
        let mut parts = written();
        parts.vertices[0..4].copy_from_slice(&0x7fc0_0001_u32.to_le_bytes());
        assert_eq!(CollisionMesh::read(&parts.parts()).unwrap_err(), FormatError::Invalid("vertices"));
    }

    #[test]
    fn garbage_in_any_part_is_an_error_or_a_usable_mesh() {
        let mut random = Random::new(11);
        let mut refused = 0;
        for _ in 0..2000 {
            let mut parts = written();
            for _ in 0..1 + (random.unit() * 4.0) as usize {
                let which = (random.unit() * 5.0) as usize;
                let part = match which {
                    0 => &mut parts.header,
                    1 => &mut parts.cells,
                    2 => &mut parts.lists,
                    3 => &mut parts.triangles,
                    _ => &mut parts.vertices,
                };
                let at = (random.unit() * part.len() as f32) as usize;
                part[at] = (random.unit() * 256.0) as u8;
            }
            match CollisionMesh::read(&parts.parts()) {
                Ok(mut mesh) => {
                    let ray = Ray { origin: random.vec3(100.0), direction: random.direction(), length: 300.0 };
                    let _ = mesh.cast(&ray, &RayFilter { mask: 1, see_through: &[] });
                    let _ = mesh.sphere_push(random.vec3(100.0), 50.0);
                }
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 100, "only {refused} were refused");
    }
}
