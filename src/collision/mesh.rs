//! The mesh itself: triangles, their cells, and the bits that keep a query from meeting one twice.

use super::build::bounds;
use super::cull::{Outline, Plane, Probe, Steps};
use super::grid::{CellBox, Grid};
#[cfg(not(target_arch = "mips"))]
use super::tree::Tree;
use super::{Face, Triangle, TriangleFlags, TriangleId};
use crate::maths::Vec3;
use alloc::boxed::Box;

/// Bits per word of the checked table.
const WORD_BITS: usize = u32::BITS as usize;

/// A level's collision mesh.
///
/// Its parts agree with one another: every cell's list lies inside `lists`, every listed triangle and every corner exists.
/// [`super::format`] and [`super::build`] are the only makers and check that.
///
/// Source: support systems, Collision mesh.
#[derive(Clone, Debug)]
pub struct CollisionMesh {
    pub(super) grid: Grid,
    /// Per cell: where its list starts in `lists`; 0 is an empty cell.
    pub(super) cells: Box<[u32]>,
    /// Lists: a count, then that many triangle numbers.
    pub(super) lists: Box<[u16]>,
    pub(super) triangles: Box<[Triangle]>,
    pub(super) vertices: Box<[Vec3]>,
    /// Per triangle: what is read before its corners are; its flags here are the ones that count.
    outlines: Box<[Outline]>,
    steps: Steps,
    #[cfg(not(target_arch = "mips"))]
    pub(super) tree: Option<Box<Tree>>,
    /// One bit per triangle: met by the running query.
    checked: Box<[u32]>,
    /// The words of `checked` that the running query has touched.
    dirty: (usize, usize),
    lowest: f32,
}

/// A walk over the triangles of a box of cells, each triangle once.
#[derive(Clone, Copy, Debug, Default)]
pub struct TriangleCursor {
    cells: CellBox,
    at: [u16; 3],
    next: usize,
    end: usize,
}

impl CollisionMesh {
    pub(super) fn from_parts(
        grid: Grid,
        cells: Box<[u32]>,
        lists: Box<[u16]>,
        triangles: Box<[Triangle]>,
        vertices: Box<[Vec3]>,
    ) -> Self {
        let words = checked_bytes(triangles.len()) / size_of::<u32>();
        let lowest = vertices.iter().map(|v| v.z).fold(f32::MAX, f32::min);
        let checked = alloc::vec![0; words].into_boxed_slice();
        let (min, max) = bounds(&vertices);
        let steps = Steps::over(min, max);
        let outline = |t: &Triangle| {
            let face = Face::new(t.corners.map(|corner| vertices[corner as usize]));
            Outline::new(&face, t.flags, &steps)
        };
        let outlines = triangles.iter().map(outline).collect();
        Self {
            grid,
            cells,
            lists,
            triangles,
            vertices,
            outlines,
            steps,
            #[cfg(not(target_arch = "mips"))]
            tree: None,
            checked,
            dirty: (usize::MAX, 0),
            lowest,
        }
    }

    /// Number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// The grid over the mesh.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// z of the lowest vertex in metres: what has fallen below it is out of the world.
    pub fn lowest_z(&self) -> f32 {
        self.lowest
    }

    /// A triangle's record.
    #[inline]
    pub fn triangle(&self, id: TriangleId) -> Triangle {
        Triangle { flags: self.flags(id), ..self.triangles[id.0 as usize] }
    }

    /// A triangle's flags.
    #[inline]
    pub fn flags(&self, id: TriangleId) -> TriangleFlags {
        self.outlines[id.0 as usize].flags
    }

    /// Replaces a triangle's flags, as a door does with its own.
    pub fn set_flags(&mut self, id: TriangleId, flags: TriangleFlags) {
        self.outlines[id.0 as usize].flags = flags;
    }

    /// Replaces a triangle's material, as scripts do.
    pub fn set_material(&mut self, id: TriangleId, material: u8) {
        self.triangles[id.0 as usize].material = material;
    }

    /// A triangle's corners in metres.
    #[inline]
    pub fn corners(&self, id: TriangleId) -> [Vec3; 3] {
        self.triangles[id.0 as usize].corners.map(|corner| self.vertices[corner as usize])
    }

    /// The working copy of a triangle.
    #[inline]
    pub fn face(&self, id: TriangleId) -> Face {
        Face { corners: self.corners(id), normal: self.outlines[id.0 as usize].normal() }
    }

    /// A probe for something that fits into a ball of `radius` around `start` and moves by `d`, within the given box.
    #[inline]
    pub fn probe(&self, start: Vec3, d: Vec3, radius: f32, min: Vec3, max: Vec3) -> Probe {
        self.steps.probe(start, d, radius, min, max)
    }

    /// A probe for a part of a ray.
    #[inline]
    pub(super) fn ray_probe(&self, ray: (Vec3, Vec3), part: (Vec3, Vec3)) -> Probe {
        self.steps.ray(ray, part)
    }

    /// The part of the way between two points that is in the mesh's box, as shares of it.
    #[inline]
    pub(super) fn clip(&self, start: Vec3, end: Vec3) -> Option<(f32, f32)> {
        self.steps.clip(start, end)
    }

    /// A triangle's plane.
    #[inline]
    pub fn plane(&self, id: TriangleId) -> &Plane {
        &self.outlines[id.0 as usize].plane
    }

    /// Whether a probe's box meets a triangle's.
    #[inline]
    pub fn is_near(&self, id: TriangleId, probe: &Probe) -> bool {
        self.outlines[id.0 as usize].is_near(probe)
    }

    /// Whether a probe may touch a triangle; when it may not, no test of the triangle can hit.
    #[inline]
    pub fn may_touch(&self, id: TriangleId, probe: &Probe) -> bool {
        self.outlines[id.0 as usize].may_touch(probe)
    }

    /// Switches every triangle whose three corners are inside the box (ends included).
    ///
    /// Source: support systems, Collision mesh (SetEnabledInBox).
    pub fn set_enabled_in_box(&mut self, min: Vec3, max: Vec3, enabled: bool) {
        let vertices = &self.vertices;
        let inside = |v: Vec3| (0..3).all(|axis| v[axis] >= min[axis] && v[axis] <= max[axis]);
        for (triangle, outline) in self.triangles.iter().zip(&mut self.outlines) {
            if triangle.corners.iter().all(|&corner| inside(vertices[corner as usize])) {
                outline.flags = if enabled {
                    outline.flags.with(TriangleFlags::ENABLED)
                } else {
                    outline.flags.without(TriangleFlags::ENABLED)
                };
            }
        }
    }

    /// Starts a query over the cells that a world box reaches: forgets what the last one met.
    ///
    /// Source: seed 002, Mesh tests (0x00347170).
    // Covers: seed 002, CollisionMesh_BeginShapeQuery (0x00347170) test=a_query_meets_a_triangle_of_many_cells_once
    #[inline]
    pub fn begin_query(&mut self, min: Vec3, max: Vec3) -> TriangleCursor {
        self.clear_checked();
        self.cursor(self.grid.cells_of(min, max))
    }

    /// Forgets which triangles the last query met.
    #[inline]
    pub(super) fn clear_checked(&mut self) {
        let (low, high) = self.dirty;
        if let Some(words) = self.checked.get_mut(low..high) {
            words.fill(0);
        }
        self.dirty = (usize::MAX, 0);
    }

    /// A walk over a box of cells that goes on with the running query's checked bits.
    #[inline]
    pub(super) fn cursor(&self, cells: CellBox) -> TriangleCursor {
        let mut cursor = TriangleCursor { cells, at: cells.min, next: 0, end: 0 };
        cursor.open_list(self);
        cursor
    }

    /// Marks a triangle as met; true when it was not yet.
    #[inline]
    pub(super) fn check(&mut self, TriangleId(triangle): TriangleId) -> bool {
        let (word, bit) = (triangle as usize / WORD_BITS, 1 << (triangle as usize % WORD_BITS));
        let fresh = self.checked[word] & bit == 0;
        self.checked[word] |= bit;
        self.dirty = (self.dirty.0.min(word), self.dirty.1.max(word + 1));
        fresh
    }
}

impl TriangleCursor {
    /// The next triangle that the running query has not met.
    #[inline]
    pub fn next(&mut self, mesh: &mut CollisionMesh) -> Option<TriangleId> {
        loop {
            let id = self.next_listed(mesh)?;
            if mesh.check(id) {
                return Some(id);
            }
        }
    }

    /// The next triangle of the cells' lists, met before or not.
    #[inline]
    pub(super) fn next_listed(&mut self, mesh: &CollisionMesh) -> Option<TriangleId> {
        loop {
            if self.next < self.end {
                let triangle = mesh.lists[self.next];
                self.next += 1;
                return Some(TriangleId(triangle));
            }
            if !self.next_cell() {
                return None;
            }
            self.open_list(mesh);
        }
    }

    #[inline]
    fn open_list(&mut self, mesh: &CollisionMesh) {
        let start = mesh.cells[mesh.grid.index(self.at)] as usize;
        (self.next, self.end) = match start {
            0 => (0, 0),
            _ => (start + 1, start + 1 + mesh.lists[start] as usize),
        };
    }

    /// Steps x first, then y, then z; false past the last cell.
    #[inline]
    fn next_cell(&mut self) -> bool {
        for axis in 0..3 {
            if self.at[axis] < self.cells.max[axis] {
                self.at[axis] += 1;
                return true;
            }
            self.at[axis] = self.cells.min[axis];
        }
        // Past the end: park on the last cell so that asking again ends at once.
        self.at = self.cells.max;
        (self.next, self.end) = (0, 0);
        false
    }
}

/// Size in bytes of the table of checked bits for a number of triangles: whole quadwords.
///
/// Source: support systems, Collision mesh.
pub fn checked_bytes(triangles: usize) -> usize {
    (triangles.div_ceil(8) + 15) & 0x7ff0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::{Scene, floor, quad};

    #[test]
    fn the_checked_table_is_whole_quadwords() {
        assert_eq!(checked_bytes(0), 0);
        assert_eq!(checked_bytes(1), 16);
        assert_eq!(checked_bytes(129), 32);
        assert_eq!(checked_bytes(65_535), 8192);
    }

    #[test]
    fn a_query_meets_a_triangle_of_many_cells_once() {
        let mut mesh = Scene::new().with(floor(80.0, 2.0)).mesh([8, 8, 1]);
        let mut cursor = mesh.begin_query(Vec3::ZERO, Vec3::new(80.0, 80.0, 5.0));
        let mut met = alloc::vec::Vec::new();
        while let Some(id) = cursor.next(&mut mesh) {
            met.push(id.0);
        }
        met.sort_unstable();
        assert_eq!(met, [0, 1]);
        assert_eq!(cursor.next(&mut mesh), None);
    }

    #[test]
    fn a_box_switches_only_triangles_that_lie_in_it_wholly() {
        let inside = quad([30.0, 30.0, 5.0], [40.0, 30.0, 5.0], [40.0, 40.0, 5.0], [30.0, 40.0, 5.0]);
        let mut mesh = Scene::new().with(floor(80.0, 5.0)).with(inside).mesh([8, 8, 1]);
        mesh.set_enabled_in_box(Vec3::new(25.0, 25.0, 4.0), Vec3::new(55.0, 55.0, 6.0), false);
        let enabled = |i| mesh.flags(TriangleId(i)).has(TriangleFlags::ENABLED);
        assert_eq!([0, 1, 2, 3].map(enabled), [true, true, false, false]);
    }
}
