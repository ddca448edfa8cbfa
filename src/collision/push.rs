//! Pushing a sphere out of walls.

use super::{CollisionMesh, TriangleFlags};
use crate::maths::Vec3;

/// A face whose normal is within this of upright is no wall: cos 15 degrees.
const WALL: f32 = 0.965_925_8;
/// Depths and distances below this many metres are none.
const EPSILON: f32 = 1e-5;

/// What pushed a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpherePush {
    /// The mean of the walls' pushes, in metres.
    pub push: Vec3,
    /// Unit normal of the first wall met.
    pub normal: Vec3,
    /// Number of walls that pushed.
    pub walls: u32,
}

impl CollisionMesh {
    /// How the enabled walls around a sphere push it; nothing when none reaches it.
    ///
    /// Only a wall whose inside the centre projects to pushes, so a sphere at an edge stays where it is.
    ///
    /// Source: support systems, Collision mesh (SpherePush).
    pub fn sphere_push(&mut self, centre: Vec3, radius: f32) -> Option<SpherePush> {
        let reach = Vec3::splat(radius);
        let mut cursor = self.begin_query(centre - reach, centre + reach);
        let mut sum = Vec3::ZERO;
        let mut first = None;
        let mut walls = 0_u32;
        while let Some(id) = cursor.next(self) {
            let flags = self.flags(id);
            if !flags.has(TriangleFlags::ENABLED) {
                continue;
            }
            let mut face = self.face(id);
            if face.normal == Vec3::ZERO || face.normal.z.abs() > WALL {
                continue;
            }
            let mut distance = face.distance(centre);
            if distance < -EPSILON {
                if !flags.has(TriangleFlags::TWO_SIDED) {
                    continue;
                }
                face = face.turned();
                distance = -distance;
            }
            let depth = radius - distance;
            if depth > EPSILON && (0..3).all(|i| !face.outside_edge(i, centre)) {
                sum += face.normal * depth;
                first.get_or_insert(face.normal);
                walls += 1;
            }
        }
        first.map(|normal| SpherePush { push: sum * (1.0 / walls as f32), normal, walls })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::scenes::{Corners, Scene, wall};

    /// A wall at x = 40 that faces -x.
    fn west_wall() -> [Corners; 2] {
        wall([40.0, 80.0], [40.0, 0.0], [-5.0, 5.0])
    }

    fn pushed(mesh: &mut CollisionMesh, centre: Vec3) -> Option<Vec3> {
        mesh.sphere_push(centre, 1.0).map(|push| centre + push.push)
    }

    #[test]
    fn a_sphere_is_pushed_out_of_the_wall_it_overlaps() {
        let mut mesh = Scene::new().with(west_wall()).mesh([8, 8, 1]);
        let out = pushed(&mut mesh, Vec3::new(39.5, 40.0, 0.5)).unwrap();
        assert!((out - Vec3::new(39.0, 40.0, 0.5)).length() < 1e-5, "{out:?}");
    }

    #[test]
    fn an_edge_and_a_back_do_not_push() {
        let mut mesh = Scene::new().with(west_wall()).mesh([8, 8, 1]);
        assert_eq!(pushed(&mut mesh, Vec3::new(39.5, 80.5, 0.5)), None);
        assert_eq!(pushed(&mut mesh, Vec3::new(40.5, 40.0, 0.5)), None);
    }

    #[test]
    fn a_doubled_wall_pushes_by_the_mean() {
        let mut mesh = Scene::new().with(west_wall()).with(west_wall()).mesh([8, 8, 1]);
        let out = pushed(&mut mesh, Vec3::new(39.5, 40.0, 0.5)).unwrap();
        assert!((out.x - 39.0).abs() < 1e-5, "{}", out.x);
    }

    #[test]
    fn a_two_sided_wall_pushes_to_the_side_the_centre_is_on() {
        let mut mesh = Scene::new().with_flags(west_wall(), TriangleFlags::TWO_SIDED, 5, 0).mesh([8, 8, 1]);
        let out = pushed(&mut mesh, Vec3::new(40.5, 40.0, 0.5)).unwrap();
        assert!((out.x - 41.0).abs() < 1e-5, "{}", out.x);
    }

    #[test]
    fn a_floor_within_fifteen_degrees_of_level_does_not_push() {
        let mut mesh = Scene::new().with(crate::collision::scenes::floor(80.0, 0.0)).mesh([8, 8, 1]);
        assert_eq!(pushed(&mut mesh, Vec3::new(40.0, 40.0, 0.5)), None);
    }
}
