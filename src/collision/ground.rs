//! Dropping things to the ground and marching along a ray.

use super::{CollisionMesh, Ray, RayFilter, RayHit};
use crate::maths::Vec3;

/// Height above the ground, in metres, at which a dropped point is left.
const DROP_CLEARANCE: f32 = 0.1;
/// Height above marked ground, in metres, at which a point is left.
const MARKED_CLEARANCE: f32 = 0.25;
/// Metres past an unmarked triangle at which the search for marked ground goes on.
const NEXT_LAYER: f32 = 0.01;
/// Our choice: layers of unmarked ground that are searched; a mesh with more at one spot is a broken one.
const MOST_LAYERS: usize = 64;
/// Our choice: segments that a march may take, so that a step of nothing ends.
const MOST_SEGMENTS: usize = 4096;

const DOWN: Vec3 = Vec3::new(0.0, 0.0, -1.0);

impl CollisionMesh {
    /// Drops a point to the ground at most `length` metres below it, and leaves it 0.1 m above; answers the hit.
    ///
    /// Source: support systems, Collision mesh (DropToGround).
    pub fn drop_to_ground(&mut self, position: &mut Vec3, length: f32, filter: &RayFilter<'_>) -> Option<RayHit> {
        let hit = self.cast(&Ray { origin: *position, direction: DOWN, length }, filter).hit?;
        position.z -= hit.distance - DROP_CLEARANCE;
        Some(hit)
    }

    /// Drops a point through unmarked triangles (area 0) to the first marked one, and leaves it 0.25 m above.
    ///
    /// Source: support systems, Collision mesh (DropToMarkedGround).
    pub fn drop_to_marked_ground(
        &mut self,
        position: &mut Vec3,
        length: f32,
        filter: &RayFilter<'_>,
    ) -> Option<RayHit> {
        let mut passed = 0.0;
        for _ in 0..MOST_LAYERS {
            let origin = *position + DOWN * passed;
            let hit = self.cast(&Ray { origin, direction: DOWN, length: length - passed }, filter).hit?;
            if hit.area != 0 {
                let distance = passed + hit.distance;
                position.z -= distance - MARKED_CLEARANCE;
                return Some(RayHit { distance, ..hit });
            }
            passed += hit.distance + NEXT_LAYER;
            if passed > length {
                return None;
            }
        }
        None
    }

    /// Casts consecutive segments of `step` metres up to `max`; answers the first hit, its distance from the start.
    ///
    /// Source: support systems, Collision mesh (MarchRay).
    pub fn march(
        &mut self,
        origin: Vec3,
        direction: Vec3,
        step: f32,
        max: f32,
        filter: &RayFilter<'_>,
    ) -> Option<RayHit> {
        let mut walked = 0.0;
        for _ in 0..MOST_SEGMENTS {
            if !(walked < max && step > 0.0) {
                return None;
            }
            let length = step.min(max - walked);
            let segment = Ray { origin: origin + direction * walked, direction, length };
            if let Some(hit) = self.cast(&segment, filter).hit {
                return Some(RayHit { distance: walked + hit.distance, ..hit });
            }
            walked += length;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::TriangleFlags;
    use crate::collision::scenes::{Scene, floor, quad, wall};

    #[test]
    fn a_dropped_point_is_left_a_tenth_above_the_floor() {
        let mut mesh = Scene::new().with(floor(80.0, 2.0)).mesh([8, 8, 1]);
        let mut at = Vec3::new(40.0, 40.0, 20.0);
        let hit = mesh.drop_to_ground(&mut at, 100.0, &RayFilter::default()).unwrap();
        assert_eq!(hit.distance, 18.0);
        assert!((at.z - 2.1).abs() < 1e-5, "{}", at.z);
    }

    #[test]
    fn a_drop_that_finds_nothing_leaves_the_point_alone() {
        let mut mesh = Scene::new().with(floor(80.0, 2.0)).mesh([8, 8, 1]);
        let mut at = Vec3::new(40.0, 40.0, 20.0);
        assert!(mesh.drop_to_ground(&mut at, 10.0, &RayFilter::default()).is_none());
        assert_eq!(at.z, 20.0);
    }

    #[test]
    fn marked_ground_is_found_under_unmarked_ground() {
        let roof = quad([30.0, 30.0, 5.0], [50.0, 30.0, 5.0], [50.0, 50.0, 5.0], [30.0, 50.0, 5.0]);
        let mut mesh =
            Scene::new().with_flags(floor(80.0, 0.0), TriangleFlags::default(), 5, 3).with(roof).mesh([8, 8, 1]);
        let mut at = Vec3::new(40.0, 40.0, 20.0);
        let hit = mesh.drop_to_marked_ground(&mut at, 100.0, &RayFilter::default()).unwrap();
        assert_eq!(hit.area, 3);
        assert!((at.z - 0.25).abs() < 1e-4, "{}", at.z);
    }

    #[test]
    fn a_march_reports_the_distance_from_its_start() {
        let face = wall([70.0, 80.0], [70.0, 0.0], [-5.0, 5.0]);
        let mut mesh = Scene::new().with(face).mesh([8, 8, 1]);
        let start = Vec3::new(10.0, 40.0, 0.0);
        let hit = mesh.march(start, Vec3::X, 7.0, 100.0, &RayFilter::default()).unwrap();
        assert!((hit.distance - 60.0).abs() < 1e-4, "{}", hit.distance);
        assert!(mesh.march(start, Vec3::X, 7.0, 40.0, &RayFilter::default()).is_none());
        assert!(mesh.march(start, Vec3::X, 0.0, 40.0, &RayFilter::default()).is_none());
    }
}
