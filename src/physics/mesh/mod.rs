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
#[cfg(not(target_arch = "mips"))]
pub use spheres::first_of_sphere;
pub use spheres::{SphereFilter, overlap_sphere, sweep_sphere};
pub use walls::{is_low_or_thin, is_wall};

use super::aabb::Aabb;
use super::kernels::Kernels;
use super::shapes::Sphere;
use crate::collision::{Approach, CollisionMesh, Face, Probe, TriangleCursor, TriangleFlags, TriangleId};
use crate::maths::Vec3;

/// Triangles whose planes are asked about at once.
const BATCH: usize = 8;

/// A triangle that something moving may touch.
struct NearTriangle {
    id: TriangleId,
    flags: TriangleFlags,
    /// The working copy.
    face: Face,
    /// The move along the face's normal in metres.
    along: f32,
}

/// The enabled triangles that something moving may touch, each once.
struct Near {
    kernels: Kernels,
    cursor: TriangleCursor,
    probe: Probe,
    batch: heapless::Vec<TriangleId, BATCH>,
    approaches: [Approach; BATCH],
    next: usize,
}

impl Near {
    /// Starts a query over the cells of `cells` for what fits into `ball`, moves by `d` and stays within `bounds`.
    fn begin(kernels: Kernels, mesh: &mut CollisionMesh, cells: &Aabb, ball: &Sphere, d: Vec3, bounds: &Aabb) -> Self {
        let probe = mesh.probe(ball.centre, d, ball.radius, bounds.min, bounds.max);
        Self {
            kernels,
            cursor: mesh.begin_query(cells.min, cells.max),
            probe,
            batch: heapless::Vec::new(),
            approaches: [Approach::default(); BATCH],
            next: 0,
        }
    }

    /// The same for a sphere itself, over the cells that its sweep reaches.
    fn of_sphere(kernels: Kernels, mesh: &mut CollisionMesh, sphere: &Sphere, d: Vec3) -> Self {
        let bounds = Aabb::from_sphere(sphere).extended_by(d);
        Self::begin(kernels, mesh, &bounds, sphere, d, &bounds)
    }

    #[inline]
    fn next(&mut self, mesh: &mut CollisionMesh) -> Option<NearTriangle> {
        loop {
            while let Some(&id) = self.batch.get(self.next) {
                let approach = &self.approaches[self.next];
                self.next += 1;
                let flags = mesh.flags(id);
                if self.probe.reaches(approach, flags) {
                    return Some(NearTriangle { id, flags, face: mesh.face(id), along: approach.along });
                }
            }
            if !self.gather(mesh) {
                return None;
            }
        }
    }

    /// Gathers the next triangles whose boxes are met and asks about their planes; false when there are no more.
    fn gather(&mut self, mesh: &mut CollisionMesh) -> bool {
        self.batch.clear();
        self.next = 0;
        while let Some(id) = self.cursor.next(mesh) {
            if mesh.flags(id).has(TriangleFlags::ENABLED) && mesh.is_near(id, &self.probe) {
                // A full batch ends the loop: there is room for this one.
                let _ = self.batch.push(id);
                if self.batch.is_full() {
                    break;
                }
            }
        }
        let planes: heapless::Vec<_, BATCH> = self.batch.iter().map(|&id| mesh.plane(id)).collect();
        self.kernels.approaches(self.probe.rows(), &planes, &mut self.approaches);
        !self.batch.is_empty()
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
