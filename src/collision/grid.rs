//! The grid over a mesh: which cells a point, a box or a ray reaches.

use crate::maths::Vec3;

/// A cell by its three indices.
pub type Cell = [u16; 3];

/// A box of cells, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellBox {
    /// Lowest cell.
    pub min: Cell,
    /// Highest cell.
    pub max: Cell,
}

/// The map from the world to cells.
///
/// A point is scaled and moved into grid units, clamped to `[0.5, n - 0.5]` and truncated. The bounds of the vertices map
/// to 0 and `n - 1`.
///
/// Source: support systems, Collision mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Grid units per metre, per axis: the diagonal of the mesh's matrix.
    pub scale: Vec3,
    /// Grid units at the world's origin: the matrix's last row.
    pub translation: Vec3,
    /// Number of cells along each axis, at least 1.
    pub cells: Cell,
}

/// Half a cell: the clamp's distance from the grid's ends.
const CLAMP: f32 = 0.5;
/// Extents below this many metres get one layer of cells.
const FLAT: f32 = 1e-4;

impl Grid {
    /// The grid whose first and last cells are at the bounds of the vertices. Counts of 0 are taken as 1.
    pub fn over(min: Vec3, max: Vec3, cells: Cell) -> Self {
        let cells = cells.map(|n| n.max(1));
        let (mut scale, mut translation) = (Vec3::ZERO, Vec3::ZERO);
        for axis in 0..3 {
            let extent = max[axis] - min[axis];
            if extent > FLAT {
                scale[axis] = (cells[axis] - 1) as f32 / extent;
                translation[axis] = -min[axis] * scale[axis];
            }
        }
        Self { scale, translation, cells }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.iter().map(|&n| n as usize).product()
    }

    /// Never true: a grid has a cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A world point in grid units, not clamped.
    #[inline]
    pub fn to_grid(&self, point: Vec3) -> Vec3 {
        point.scale(self.scale) + self.translation
    }

    /// The cell of a point in grid units along one axis. A point that is not a number is in the first cell.
    #[inline]
    fn truncate(&self, axis: usize, g: f32) -> u16 {
        g.max(CLAMP).min(self.cells[axis] as f32 - CLAMP) as u16
    }

    /// The cell of a world point; points outside are in the nearest cell.
    #[inline]
    pub fn cell(&self, point: Vec3) -> Cell {
        let g = self.to_grid(point);
        [self.truncate(0, g.x), self.truncate(1, g.y), self.truncate(2, g.z)]
    }

    /// The cells that a world box reaches.
    #[inline]
    pub fn cells_of(&self, min: Vec3, max: Vec3) -> CellBox {
        CellBox { min: self.cell(min), max: self.cell(max) }
    }

    /// The place of a cell in the table of lists.
    #[inline]
    pub fn index(&self, [x, y, z]: Cell) -> usize {
        (z as usize * self.cells[1] as usize + y as usize) * self.cells[0] as usize + x as usize
    }
}

/// A ray's line across the columns of a grid, for a ray over several of them.
#[derive(Clone, Copy, Debug)]
pub struct ColumnLine {
    /// Rows a column.
    slope: f32,
    /// Row at column 0.
    offset: f32,
    from: f32,
    /// Share of the way a column.
    share: f32,
}

impl ColumnLine {
    /// The line between two grid points, neither of them clamped.
    pub fn new(from: Vec3, to: Vec3) -> Self {
        let slope = (to.y - from.y) / (to.x - from.x);
        Self { slope, offset: from.y - slope * from.x, from: from.x, share: 1.0 / (to.x - from.x) }
    }

    /// The rows of column `x` that the ray crosses, within `rows`.
    ///
    /// The line is evaluated at the column's number and the next one. Lists that are centred on whole numbers would want
    /// half a cell less: the offset is the original's and is kept, and [`super::build`] lists triangles to suit.
    ///
    /// Source: support systems, Collision mesh.
    #[inline]
    pub fn rows(&self, x: u16, rows: (u16, u16)) -> (u16, u16) {
        let row = |x: f32| (self.slope * x + self.offset).max(0.0) as u16;
        let (a, b) = (row(x as f32), row(x as f32 + 1.0));
        let clamp = |row: u16| row.clamp(rows.0, rows.1);
        (clamp(a.min(b)), clamp(a.max(b)))
    }

    /// The share of the ray's way at the lower border of column `x`.
    #[inline]
    pub fn share_at(&self, x: f32) -> f32 {
        (x - self.from) * self.share
    }
}

impl CellBox {
    /// True when the box is one column or one row of cells wide.
    #[inline]
    pub fn is_strip(&self) -> bool {
        self.min[0] == self.max[0] || self.min[1] == self.max[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eight_by_eight() -> Grid {
        Grid::over(Vec3::ZERO, Vec3::new(80.0, 80.0, 5.0), [8, 8, 1])
    }

    #[test]
    fn the_bounds_map_to_the_first_and_last_cell_numbers() {
        let grid = eight_by_eight();
        assert_eq!(grid.to_grid(Vec3::ZERO), Vec3::ZERO);
        assert!((grid.to_grid(Vec3::new(80.0, 80.0, 5.0)).x - 7.0).abs() < 1e-5);
        assert_eq!(grid.cell(Vec3::new(80.0, 80.0, 5.0)), [7, 7, 0]);
    }

    #[test]
    fn points_far_outside_and_not_numbers_have_a_cell() {
        let grid = eight_by_eight();
        assert_eq!(grid.cell(Vec3::new(-1e9, 1e9, f32::NAN)), [0, 7, 0]);
        assert_eq!(grid.cell(Vec3::splat(f32::INFINITY)), [7, 7, 0]);
    }

    #[test]
    fn cells_are_numbered_x_first_then_y_then_z() {
        let grid = Grid::over(Vec3::ZERO, Vec3::splat(10.0), [3, 4, 5]);
        assert_eq!(grid.index([1, 0, 0]), 1);
        assert_eq!(grid.index([0, 1, 0]), 3);
        assert_eq!(grid.index([0, 0, 1]), 12);
        assert_eq!(grid.len(), 60);
    }

    #[test]
    fn a_flat_axis_has_one_layer() {
        let grid = Grid::over(Vec3::new(0.0, 0.0, 2.0), Vec3::new(80.0, 80.0, 2.0), [8, 8, 4]);
        assert_eq!(grid.cell(Vec3::new(1.0, 1.0, 100.0))[2], 0);
    }

    #[test]
    fn the_column_walk_truncates_where_a_centred_walk_would_round() {
        let grid = Grid::over(Vec3::ZERO, Vec3::new(7.0, 7.0, 1.0), [8, 8, 1]);
        let line = ColumnLine::new(Vec3::new(0.0, 0.6, 0.0), Vec3::new(3.0, 0.9, 0.0));
        assert_eq!(line.rows(1, (0, 7)), (0, 0));
        assert_eq!(grid.cell(Vec3::new(1.0, 0.7, 0.0)), [1, 0, 0]);
    }
}
