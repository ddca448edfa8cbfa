//! Shapes against the level mesh.
//!
//! Each test walks the triangles of the cells that the shape's swept box reaches, filters them by its own rules, and
//! inserts what it meets into the caller's list by fraction.
//!
//! Source: seed 002, Mesh tests and Sweeping a body; the kinds of shapes that have a mesh test are those of its tables.

mod boxes;
mod capsule;
mod landing;
mod push_out;
mod spheres;
mod walls;

pub use boxes::sweep_box;
pub use capsule::{Walker, sweep_capsule};
pub use landing::landing_contact;
pub use push_out::push_out_of_walls;
pub use spheres::{SphereFilter, overlap_sphere, sweep_sphere};
pub use walls::{is_low_or_thin, is_wall};

use super::aabb::Aabb;
use crate::collision::{CollisionMesh, Face, TriangleCursor, TriangleFlags, TriangleId};
use crate::maths::Vec3;

/// The enabled triangles that a box may touch, each once, with their flags and working copies.
struct Near {
    cursor: TriangleCursor,
    bounds: Aabb,
}

impl Near {
    /// Starts a query over the cells of `cells`, keeping triangles whose own box meets `bounds`.
    fn begin(mesh: &mut CollisionMesh, cells: &Aabb, bounds: Aabb) -> Self {
        Self { cursor: mesh.begin_query(cells.min, cells.max), bounds }
    }

    #[inline]
    fn next(&mut self, mesh: &mut CollisionMesh) -> Option<(TriangleId, TriangleFlags, [Vec3; 3])> {
        while let Some(id) = self.cursor.next(mesh) {
            let flags = mesh.flags(id);
            if !flags.has(TriangleFlags::ENABLED) {
                continue;
            }
            let corners = mesh.corners(id);
            let [a, b, c] = corners;
            if self.bounds.overlaps(&Aabb { min: a.min(b).min(c), max: a.max(b).max(c) }) {
                return Some((id, flags, corners));
            }
        }
        None
    }
}

/// The working copy of a triangle turned to face a point, or nothing when the point is behind a one-sided one.
///
/// The second answer tells whether it was turned.
#[inline]
fn facing(corners: [Vec3; 3], flags: TriangleFlags, point: Vec3, behind: f32) -> Option<(Face, bool)> {
    let face = Face::new(corners);
    let side = face.distance(point);
    if side >= behind {
        Some((face, false))
    } else if flags.has(TriangleFlags::TWO_SIDED) {
        Some((face.turned(), true))
    } else {
        None
    }
}
