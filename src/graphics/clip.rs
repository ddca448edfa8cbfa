//! Cuts triangles that reach behind the eye or beyond the drawing plane.
//!
//! The hardware draws whatever lies on its plane and cuts to the picture itself; only what the plane cannot hold, and what
//! is nearer than the near distance, must be cut before. Most triangles need neither and never come here.

use crate::ee::vu0::project::{Projection, WorldVertex};
use crate::maths::Vec3;
use heapless::Vec;

/// A corner before the division by its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipPoint {
    /// Plane x and y times the distance, in pixels times metres.
    pub x: f32,
    /// As `x`.
    pub y: f32,
    /// Metres in front of the eye.
    pub distance: f32,
    /// Colour without fog, channels 0-255.
    pub colour: Vec3,
}

/// Corners that a triangle has at most after five cuts.
pub const MAX_CORNERS: usize = 8;
/// The drawing plane, with a margin for what the arithmetic rounds.
const PLANE: core::ops::Range<f32> = 8.0..4088.0;

/// The corners of a triangle or of what is left of it, in ring order.
pub type Polygon = Vec<ClipPoint, MAX_CORNERS>;

impl ClipPoint {
    /// A vertex as the projection sees it.
    pub fn new(projection: &Projection, vertex: &WorldVertex) -> Self {
        let (p, [r0, r1, r2, r3]) = (vertex.position, &projection.rows);
        let along = |i: usize| p.x * r0[i] + p.y * r1[i] + p.z * r2[i] + r3[i];
        Self { x: along(0), y: along(1), distance: along(3), colour: vertex.colour }
    }

    fn between(&self, other: &Self, share: f32) -> Self {
        let mix = |a: f32, b: f32| a + (b - a) * share;
        Self {
            x: mix(self.x, other.x),
            y: mix(self.y, other.y),
            distance: mix(self.distance, other.distance),
            colour: self.colour.lerp(other.colour, share),
        }
    }

    /// How far inside each of the five planes the corner lies.
    fn inside(&self, near: f32) -> [f32; 5] {
        let d = self.distance;
        [d - near, self.x - PLANE.start * d, PLANE.end * d - self.x, self.y - PLANE.start * d, PLANE.end * d - self.y]
    }
}

/// What is left of a triangle in front of `near` metres and on the drawing plane; fewer than three corners when nothing is.
pub fn triangle(corners: [ClipPoint; 3], near: f32) -> Polygon {
    let mut polygon = Polygon::new();
    polygon.extend(corners);
    for plane in 0..5 {
        let mut kept = Polygon::new();
        for (index, corner) in polygon.iter().enumerate() {
            let next = &polygon[(index + 1) % polygon.len()];
            let (here, there) = (corner.inside(near)[plane], next.inside(near)[plane]);
            if here >= 0.0 {
                // A plane adds at most one corner, so eight always suffice.
                let _ = kept.push(*corner);
            }
            if (here >= 0.0) != (there >= 0.0) {
                let _ = kept.push(corner.between(next, here / (here - there)));
            }
        }
        polygon = kept;
    }
    polygon
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f32, y: f32, distance: f32) -> ClipPoint {
        ClipPoint { x: x * distance, y: y * distance, distance, colour: Vec3::splat(distance) }
    }

    #[test]
    fn a_triangle_on_the_plane_stays_as_it_is() {
        let corners = [point(2000.0, 2000.0, 3.0), point(2100.0, 2000.0, 4.0), point(2000.0, 2100.0, 5.0)];
        assert_eq!(triangle(corners, 0.5)[..], corners);
    }

    #[test]
    fn a_corner_behind_the_eye_is_cut_at_the_near_distance() {
        let behind = ClipPoint { x: -2048.0, y: -2048.0, distance: -1.0, colour: Vec3::ZERO };
        let cut = triangle([point(2000.0, 2000.0, 3.0), point(2100.0, 2050.0, 3.0), behind], 0.5);
        assert_eq!(cut.len(), 4);
        assert!(cut.iter().all(|corner| corner.distance >= 0.499), "{cut:?}");
        let edge = cut.iter().find(|corner| corner.distance < 0.6).expect("a corner on the near plane");
        assert!((edge.colour.x - 3.0 * 1.5 / 4.0).abs() < 1e-4, "colours are cut along: {}", edge.colour.x);
    }

    #[test]
    fn what_lies_wholly_outside_leaves_nothing() {
        let far_left = [point(-900.0, 2000.0, 2.0), point(-100.0, 2000.0, 2.0), point(-500.0, 2200.0, 3.0)];
        assert!(triangle(far_left, 0.5).len() < 3);
        let behind = [point(2000.0, 2000.0, 0.1), point(2100.0, 2000.0, 0.2), point(2000.0, 2100.0, 0.3)];
        assert!(triangle(behind, 0.5).len() < 3);
    }

    #[test]
    fn a_triangle_larger_than_the_plane_is_cut_to_it() {
        let huge = [point(-9000.0, -9000.0, 2.0), point(20_000.0, -9000.0, 2.0), point(2000.0, 20_000.0, 2.0)];
        let cut = triangle(huge, 0.5);
        assert!((3..=MAX_CORNERS).contains(&cut.len()));
        for corner in &cut {
            let (x, y) = (corner.x / corner.distance, corner.y / corner.distance);
            assert!((0.0..4096.0).contains(&x) && (0.0..4096.0).contains(&y), "({x}, {y})");
        }
    }
}
