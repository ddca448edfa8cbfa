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
use super::shapes::Sphere;
use crate::collision::{CollisionMesh, Face, Probe, TriangleCursor, TriangleFlags, TriangleId};
use crate::maths::Vec3;

/// The enabled triangles that something moving may touch, each once, with their flags and working copies.
struct Near {
    cursor: TriangleCursor,
    probe: Probe,
}

impl Near {
    /// Starts a query over the cells of `cells` for what fits into `ball`, moves by `d` and stays within `bounds`.
    fn begin(mesh: &mut CollisionMesh, cells: &Aabb, ball: &Sphere, d: Vec3, bounds: &Aabb) -> Self {
        let probe = mesh.probe(ball.centre, d, ball.radius, bounds.min, bounds.max);
        Self { cursor: mesh.begin_query(cells.min, cells.max), probe }
    }

    /// The same for a sphere itself, over the cells that its sweep reaches.
    fn of_sphere(mesh: &mut CollisionMesh, sphere: &Sphere, d: Vec3) -> Self {
        let bounds = Aabb::from_sphere(sphere).extended_by(d);
        Self::begin(mesh, &bounds, sphere, d, &bounds)
    }

    #[inline]
    fn next(&mut self, mesh: &mut CollisionMesh) -> Option<(TriangleId, TriangleFlags, Face)> {
        while let Some(id) = self.cursor.next(mesh) {
            let flags = mesh.flags(id);
            if flags.has(TriangleFlags::ENABLED) && mesh.may_touch(id, &self.probe) {
                return Some((id, flags, mesh.face(id)));
            }
        }
        None
    }
}

/// A triangle turned to face a point, or nothing when the point is behind a one-sided one.
///
/// The second answer tells whether it was turned.
#[inline]
fn facing(face: Face, flags: TriangleFlags, point: Vec3, behind: f32) -> Option<(Face, bool)> {
    if face.distance(point) >= behind {
        Some((face, false))
    } else if flags.has(TriangleFlags::TWO_SIDED) {
        Some((face.turned(), true))
    } else {
        None
    }
}
