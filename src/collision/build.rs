//! Making a mesh from loose triangles, with its lists and corner-slide edges.
//!
//! For the disc builder, tests and host programs: it allocates and takes its time.

use super::grid::{Cell, Grid};
use super::{CollisionMesh, Face, Triangle, TriangleFlags};
use crate::maths::Vec3;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// A triangle of a level's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceTriangle {
    /// Indices of the corners, counter-clockwise seen from the front.
    pub corners: [u32; 3],
    /// Flags; the build sets bit 0 and works out the corner edge, bits 14-15, unless both are set: no corner edge is asked for.
    pub flags: TriangleFlags,
    /// Material number.
    pub material: u8,
    /// Area number.
    pub area: u8,
}

/// Why a mesh could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// More triangles than the records can number.
    TooManyTriangles(usize),
    /// More vertices than the records can number.
    TooManyVertices(usize),
    /// The triangle names a vertex that does not exist.
    BadCorner {
        /// Number of the triangle.
        triangle: usize,
        /// Number of the vertex.
        vertex: u32,
    },
    /// The vertex is not finite or lies further out than [`FURTHEST`].
    BadVertex(usize),
    /// More cells than [`MOST_CELLS`].
    TooManyCells(usize),
    /// More triangles in one cell than a list can count.
    FullCell(usize),
    /// The lists together are longer than [`MOST_LIST_WORDS`].
    TooManyEntries(usize),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooManyTriangles(n) => write!(f, "{n} triangles, at most {} fit", u16::MAX),
            Self::TooManyVertices(n) => write!(f, "{n} vertices, at most {} fit", MOST_VERTICES),
            Self::BadCorner { triangle, vertex } => {
                write!(f, "triangle {triangle} names vertex {vertex}, which does not exist")
            }
            Self::BadVertex(n) => write!(f, "vertex {n} is not finite or more than {FURTHEST} m out"),
            Self::TooManyCells(n) => write!(f, "{n} cells, at most {MOST_CELLS} fit"),
            Self::FullCell(n) => write!(f, "{n} triangles in one cell, at most {} fit", u16::MAX),
            Self::TooManyEntries(n) => write!(f, "{n} list words, at most {MOST_LIST_WORDS} fit"),
        }
    }
}

/// Vertices that a triangle's 16-bit corners can name.
pub const MOST_VERTICES: usize = u16::MAX as usize + 1;
/// Our choice: cells of a grid, a megabyte's worth of list starts.
pub const MOST_CELLS: usize = 1 << 18;
/// Our choice: words of all lists together, 8 MB.
pub const MOST_LIST_WORDS: usize = 1 << 22;
/// Our choice: a vertex further out than this many metres is a broken file, not a place.
pub const FURTHEST: f32 = 1e6;

/// Grid units by which a cell's reach is widened when triangles are listed, against rounding in the lookups.
const LIST_MARGIN: f32 = 1e-3;

/// Builds a mesh with a grid of the given number of cells.
///
/// A triangle is listed in every cell whose lookup region it touches, so that a query finds it whatever the offset of the
/// grid's numbering.
///
/// # Errors
/// [`BuildError`] names the triangle, vertex or limit.
pub fn build(vertices: &[Vec3], source: &[SourceTriangle], cells: Cell) -> Result<CollisionMesh, BuildError> {
    if source.len() > u16::MAX as usize {
        return Err(BuildError::TooManyTriangles(source.len()));
    }
    if vertices.len() > MOST_VERTICES {
        return Err(BuildError::TooManyVertices(vertices.len()));
    }
    let far = |v: &Vec3| !(v.is_finite() && v.abs().x.max(v.abs().y).max(v.abs().z) <= FURTHEST);
    if let Some(bad) = vertices.iter().position(far) {
        return Err(BuildError::BadVertex(bad));
    }
    for (triangle, record) in source.iter().enumerate() {
        if let Some(&vertex) = record.corners.iter().find(|&&corner| corner as usize >= vertices.len()) {
            return Err(BuildError::BadCorner { triangle, vertex });
        }
    }
    let edges = corner_edges(vertices, source);
    let triangles: Vec<Triangle> = source.iter().zip(edges).map(|(record, edge)| finished(record, edge)).collect();

    let (min, max) = bounds(vertices);
    let grid = Grid::over(min, max, cells);
    if grid.len() > MOST_CELLS {
        return Err(BuildError::TooManyCells(grid.len()));
    }
    let (starts, lists) = list_triangles(&grid, vertices, &triangles)?;
    Ok(CollisionMesh::from_parts(
        grid,
        starts.into_boxed_slice(),
        lists.into_boxed_slice(),
        triangles.into_boxed_slice(),
        vertices.into(),
    ))
}

/// Builds a mesh with a grid that suits it: cells about as large as a typical triangle, fewer when the lists would not fit.
///
/// # Errors
/// [`BuildError`] names the triangle, vertex or limit.
pub fn build_fitting(vertices: &[Vec3], source: &[SourceTriangle]) -> Result<CollisionMesh, BuildError> {
    let mut cells = suggested_cells(vertices, source);
    loop {
        match build(vertices, source, cells) {
            Err(BuildError::TooManyEntries(_) | BuildError::FullCell(_)) if cells != [1; 3] => {
                cells = cells.map(|n| n.div_ceil(2));
            }
            result => return result,
        }
    }
}

/// Cells of the size of a typical triangle, within the limits.
///
/// Our choice: at most 255 along an axis and two cells a triangle.
fn suggested_cells(vertices: &[Vec3], source: &[SourceTriangle]) -> Cell {
    const LONGEST: f32 = 255.0;
    let (min, max) = bounds(vertices);
    let size = max - min;
    let corner = |n: u32| vertices.get(n as usize).copied().unwrap_or_default();
    let extent = |t: &SourceTriangle| {
        let (low, high) = bounds(&t.corners.map(corner));
        let size = high - low;
        size.x.max(size.y).max(size.z)
    };
    let mean = source.iter().map(extent).sum::<f32>() / source.len().max(1) as f32;
    let most = (2 * source.len()).clamp(1, MOST_CELLS) as f32;
    let mut side = mean.max(1e-3);
    loop {
        let cells = [size.x, size.y, size.z].map(|along| (along / side + 1.0).clamp(1.0, LONGEST));
        if cells.iter().product::<f32>() <= most || cells == [1.0; 3] {
            return cells.map(|n| n as u16);
        }
        side *= 1.25;
        if !side.is_finite() {
            return [1; 3];
        }
    }
}

/// Lowest and highest corner of the box around the vertices; a point at the origin when there are none.
pub fn bounds(vertices: &[Vec3]) -> (Vec3, Vec3) {
    match vertices.split_first() {
        Some((&first, rest)) => rest.iter().fold((first, first), |(min, max), &v| (min.min(v), max.max(v))),
        None => (Vec3::ZERO, Vec3::ZERO),
    }
}

fn finished(source: &SourceTriangle, edge: Option<usize>) -> Triangle {
    let edge = source.flags.corner_edge().and(edge);
    Triangle {
        corners: source.corners.map(|corner| corner as u16),
        flags: source.flags.with(TriangleFlags::ENABLED).with_corner_edge(edge),
        material: source.material,
        area: source.area,
    }
}

/// Start of each cell's list and the lists.
fn list_triangles(grid: &Grid, vertices: &[Vec3], triangles: &[Triangle]) -> Result<(Vec<u32>, Vec<u16>), BuildError> {
    let mut members: Vec<Vec<u16>> = vec![Vec::new(); grid.len()];
    let mut entries = 0;
    for (number, triangle) in triangles.iter().enumerate() {
        let corners = triangle.corners.map(|corner| grid.to_grid(vertices[corner as usize]));
        let (min, max) = bounds(&corners);
        let low = [0, 1, 2].map(|axis| cell_number(grid, axis, min[axis] - LIST_MARGIN));
        let high = [0, 1, 2].map(|axis| cell_number(grid, axis, max[axis] + LIST_MARGIN));
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                for x in low[0]..=high[0] {
                    if touches_cell(&corners, [x, y, z]) {
                        members[grid.index([x, y, z])].push(number as u16);
                        entries += 1;
                    }
                }
            }
        }
        if entries > MOST_LIST_WORDS {
            return Err(BuildError::TooManyEntries(entries));
        }
    }
    // Word 0 is never the start of a list: a start of 0 means an empty cell.
    let mut lists = vec![0_u16];
    let mut starts = Vec::with_capacity(members.len());
    for list in &members {
        let count = u16::try_from(list.len()).map_err(|_| BuildError::FullCell(list.len()))?;
        starts.push(if count == 0 { 0 } else { lists.len() as u32 });
        if count > 0 {
            lists.push(count);
            lists.extend_from_slice(list);
        }
    }
    Ok((starts, lists))
}

fn cell_number(grid: &Grid, axis: usize, g: f32) -> u16 {
    g.max(0.0).min((grid.cells[axis] - 1) as f32) as u16
}

/// Whether a triangle in grid units can touch a cell: its plane against the widened cell, after the boxes have met.
///
/// The plane alone lists a few cells too many beside a triangle's slanted edges, which costs a test and loses nothing.
fn touches_cell(corners: &[Vec3; 3], cell: Cell) -> bool {
    let half = 0.5 + LIST_MARGIN;
    let centre = Vec3::new(cell[0] as f32, cell[1] as f32, cell[2] as f32) + Vec3::splat(0.5);
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let reach = (normal.abs().x + normal.abs().y + normal.abs().z) * half;
    let rounding = 1e-4 * reach;
    normal.dot(centre - corners[0]).abs() <= reach + rounding
}

/// Steepness of a face above which it is no wall: the sweeps' threshold.
const WALL: f32 = 0.65;
/// Upright part of an edge's direction above which it counts as a corner's edge.
const UPRIGHT: f32 = 0.8;
/// Sine of the smallest outer angle between two walls that makes a corner, about 15 degrees.
const CORNER_SINE: f32 = 0.26;

/// The corner-slide edge of each triangle: the longest upright edge at which its wall ends, freely or at an outer corner.
///
/// Our choice: the original's builder is unknown. An edge ends a wall when no other wall continues across it or the
/// neighbour turns away behind its plane; at an inner corner the neighbour is itself in the way and no slide is wanted.
fn corner_edges(vertices: &[Vec3], source: &[SourceTriangle]) -> Vec<Option<usize>> {
    let corners = |t: usize| source[t].corners.map(|corner| vertices[corner as usize]);
    let faces: Vec<Face> = (0..source.len()).map(|t| Face::new(corners(t))).collect();
    let is_wall = |t: usize| {
        let upright = faces[t].normal.z.abs();
        faces[t].normal != Vec3::ZERO && upright <= WALL
    };
    let mut by_edge: BTreeMap<[[u32; 3]; 2], Vec<usize>> = BTreeMap::new();
    for t in (0..source.len()).filter(|&t| is_wall(t)) {
        for i in 0..3 {
            by_edge.entry(edge_key(&faces[t], i)).or_default().push(t);
        }
    }
    let ends_wall = |t: usize, i: usize| {
        by_edge[&edge_key(&faces[t], i)].iter().filter(|&&other| other != t).all(|&other| {
            let (start, _) = faces[t].edge(i);
            let (n, across) = (faces[t].normal, far_corner(&faces[other], &faces[t], i) - start);
            n.cross(faces[other].normal).length() > CORNER_SINE && n.dot(across) < 0.0
        })
    };
    let edge_of = |t: usize| {
        let mut best = None;
        let mut longest = 0.0;
        for i in 0..3 {
            let along = faces[t].edge(i).1;
            let length = along.length();
            if length > longest && along.z.abs() >= UPRIGHT * length && ends_wall(t, i) {
                (best, longest) = (Some(i), length);
            }
        }
        best
    };
    (0..source.len()).map(|t| if is_wall(t) { edge_of(t) } else { None }).collect()
}

/// Both ends of an edge by their bits, in either order the same, so that welded and unwelded sources agree.
fn edge_key(face: &Face, i: usize) -> [[u32; 3]; 2] {
    // Adding 0.0 folds the two zeros into one.
    let bits = |v: Vec3| v.to_array().map(|c| (c + 0.0).to_bits());
    let (a, b) = (bits(face.corners[i]), bits(face.corners[(i + 1) % 3]));
    if a <= b { [a, b] } else { [b, a] }
}

/// The corner of `other` that is not on edge `i` of `face`.
fn far_corner(other: &Face, face: &Face, i: usize) -> Vec3 {
    let on_edge = |v: Vec3| v == face.corners[i] || v == face.corners[(i + 1) % 3];
    other.corners.iter().copied().find(|&v| !on_edge(v)).unwrap_or(other.corners[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::TriangleId;
    use crate::collision::scenes::{Scene, quad};

    #[test]
    fn a_bad_corner_is_named_with_its_triangle() {
        let vertices = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let triangle = |corners| SourceTriangle { corners, flags: TriangleFlags::default(), material: 0, area: 0 };
        let result = build(&vertices, &[triangle([0, 1, 2]), triangle([0, 1, 7])], [2, 2, 2]);
        assert_eq!(result.unwrap_err(), BuildError::BadCorner { triangle: 1, vertex: 7 });
    }

    #[test]
    fn a_vertex_that_is_not_a_number_is_named() {
        let vertices = [Vec3::ZERO, Vec3::X, Vec3::new(0.0, f32::NAN, 0.0)];
        assert_eq!(build(&vertices, &[], [1, 1, 1]).unwrap_err(), BuildError::BadVertex(2));
    }

    #[test]
    fn limits_are_errors_that_name_themselves() {
        let vertices = [Vec3::ZERO, Vec3::splat(10.0)];
        let error = build(&vertices, &[], [1000, 1000, 1000]).unwrap_err();
        assert_eq!(error, BuildError::TooManyCells(1_000_000_000));
        assert_eq!(alloc::format!("{error}"), "1000000000 cells, at most 262144 fit");
    }

    #[test]
    fn every_triangle_is_found_from_the_cell_of_each_of_its_points() {
        let mut random = crate::collision::scenes::Random::new(7);
        let mut scene = Scene::new();
        for _ in 0..200 {
            let at = random.vec3(20.0);
            scene = scene.triangle([at, at + random.vec3(3.0), at + random.vec3(3.0)]);
        }
        let mut mesh = scene.mesh([9, 7, 5]);
        for t in 0..200 {
            let [a, b, c] = mesh.corners(TriangleId(t));
            for _ in 0..20 {
                let (u, v) = (random.unit(), random.unit());
                let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                let p = a + (b - a) * u + (c - a) * v;
                let mut cursor = mesh.begin_query(p, p);
                let mut found = false;
                while let Some(id) = cursor.next(&mut mesh) {
                    found |= id.0 == t;
                }
                assert!(found, "triangle {t} is not listed at {p:?}");
            }
        }
    }

    #[test]
    fn a_wall_names_the_edge_at_an_outer_corner_and_not_at_an_inner_one() {
        // A building's -y face, x 30..40 at y 40, with its +x face going back from x 40.
        let south = quad([30.0, 40.0, 0.0], [40.0, 40.0, 0.0], [40.0, 40.0, 3.0], [30.0, 40.0, 3.0]);
        let east = quad([40.0, 40.0, 0.0], [40.0, 50.0, 0.0], [40.0, 50.0, 3.0], [40.0, 40.0, 3.0]);
        let outer = Scene::new().with(south).with(east).mesh([4, 4, 1]);
        let named = |mesh: &CollisionMesh, t: u16| {
            mesh.flags(TriangleId(t)).corner_edge().map(|edge| mesh.face(TriangleId(t)).edge(edge).0.x)
        };
        assert_eq!([named(&outer, 0), named(&outer, 1)], [Some(40.0), Some(30.0)]);

        // A face that asks for no edge gets none.
        let none = TriangleFlags::default().with_corner_edge(None);
        let asked = Scene::new().with_flags(south, none, 0, 0).with(east).mesh([4, 4, 1]);
        assert_eq!([named(&asked, 0), named(&asked, 1), named(&asked, 2)], [None, None, named(&outer, 2)]);
        assert!(named(&outer, 2).or(named(&outer, 3)).is_some());

        // The same south face meeting a wall that comes towards the viewer.
        let west = quad([40.0, 30.0, 0.0], [40.0, 40.0, 0.0], [40.0, 40.0, 3.0], [40.0, 30.0, 3.0]);
        let facing_west = west.map(|[a, b, c]| [a, c, b]);
        let inner = Scene::new().with(south).with(facing_west).mesh([4, 4, 1]);
        assert_eq!(named(&inner, 0), None);
    }

    #[test]
    fn a_fitting_grid_stays_inside_the_limits_and_a_hostile_mesh_gets_a_coarse_one() {
        let mut random = crate::collision::scenes::Random::new(12);
        let triangle = |n: u32| SourceTriangle {
            corners: [3 * n, 3 * n + 1, 3 * n + 2],
            flags: TriangleFlags::default(),
            material: 0,
            area: 0,
        };
        for (half, extent, count) in [(50.0, 1.0, 2000), (1e5, 1e-3, 500), (10.0, 1e5, 3000), (0.0, 0.0, 10)] {
            let mut vertices = Vec::new();
            for _ in 0..count {
                let at = random.vec3(half);
                vertices.extend([at, at + random.vec3(extent), at + random.vec3(extent)]);
            }
            let source: Vec<_> = (0..count).map(triangle).collect();
            let mesh = build_fitting(&vertices, &source).expect("a mesh of any extent fits");
            assert!(mesh.grid().len() <= MOST_CELLS, "{:?}", mesh.grid().cells);
        }
    }
}
