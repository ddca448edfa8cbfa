//! The collision mesh of a scene: corners welded, limits checked, mistakes named by their statement.

use super::scene::Scene;
use anyhow::{Result, bail};
use boardwalk::collision::CollisionMesh;
use boardwalk::collision::build::{BuildError, SourceTriangle, build_fitting};
use boardwalk::maths::Vec3;
use std::collections::BTreeMap;

/// Twice the area below which a triangle has no face, square metres.
const LEAST_AREA: f32 = 1e-6;

/// Builds the mesh.
///
/// # Errors
/// Names the triangle and the statement that it comes from, or the limit.
pub fn build(scene: &Scene) -> Result<CollisionMesh> {
    let mut vertices: Vec<Vec3> = Vec::new();
    let mut known: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let mut triangles = Vec::with_capacity(scene.solids.len());
    for (number, face) in scene.solids.iter().enumerate() {
        let [a, b, c] = face.corners;
        if !(a.is_finite() && b.is_finite() && c.is_finite()) {
            bail!("{}: triangle {number} has a corner that is no number", face.place);
        }
        if (b - a).cross(c - a).length() < LEAST_AREA {
            bail!("{}: triangle {number} has no area, at {:?}", face.place, a.to_array());
        }
        let corners = face.corners.map(|corner| {
            // Adding 0.0 folds the two zeros into one.
            *known.entry(corner.to_array().map(|v| (v + 0.0).to_bits())).or_insert_with(|| {
                vertices.push(corner);
                vertices.len() as u32 - 1
            })
        });
        triangles.push(SourceTriangle { corners, flags: face.flags, material: face.surface, area: face.area });
    }
    match build_fitting(&vertices, &triangles) {
        Ok(mesh) => Ok(mesh),
        Err(BuildError::BadVertex(number)) => {
            let at = vertices[number];
            let face = scene.solids.iter().find(|face| face.corners.contains(&at));
            let place = face.map(|face| format!("{}: ", face.place)).unwrap_or_default();
            bail!("{place}a corner at {:?} is out of the world", at.to_array())
        }
        Err(error) => bail!("{}: {error}", scene.name),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::scene_of;
    use super::*;
    use boardwalk::collision::{Ray, RayFilter, TriangleFlags, TriangleId};

    fn ground_at(mesh: &mut CollisionMesh, x: f32, y: f32) -> Option<f32> {
        let ray = Ray { origin: Vec3::new(x, y, 30.0), direction: -Vec3::Z, length: 60.0 };
        mesh.cast(&ray, &RayFilter::default()).hit.map(|hit| 30.0 - hit.distance)
    }

    #[test]
    fn steps_and_slopes_are_as_high_as_they_say() {
        let scene = scene_of(
            "floor material=stone from=-10,-10 to=10,10\nsteps material=stone at=0,0,0 width=2 rise=0.2 run=0.4 count=4\n\
             slope material=stone at=5,0,0 width=2 length=4 rise=1",
        );
        let mut mesh = build(&scene).unwrap();
        for (y, height) in [(-0.2, 0.0), (0.2, 0.2), (0.6, 0.4), (1.5, 0.8)] {
            let found = ground_at(&mut mesh, 0.3, y).unwrap();
            assert!((found - height).abs() < 1e-4, "at {y}: {found}");
        }
        let half_way = ground_at(&mut mesh, 5.2, 2.0).unwrap();
        assert!((half_way - 0.5).abs() < 1e-4, "{half_way}");
    }

    #[test]
    fn a_parked_car_is_met_by_walkers_and_climbed_by_the_player() {
        let scene = scene_of("floor material=stone from=-10,-10 to=10,10\ncar at=2,1,0 turn=90");
        let mut mesh = build(&scene).unwrap();
        let shell = (0..mesh.triangle_count())
            .map(|id| mesh.flags(TriangleId(id as u16)))
            .filter(|&flags| flags == TriangleFlags::CAR_SHELL)
            .count();
        assert_eq!(shell, 20, "a hull of five sides and a cabin of five");
        assert!(ground_at(&mut mesh, 2.0, 1.0).is_some_and(|height| height > 1.3));
        let push = mesh.sphere_push(Vec3::new(2.0, 0.05, 0.5), 0.3);
        assert!(push.is_some_and(|push| push.normal.y < -0.9), "{push:?}");
    }

    #[test]
    fn a_wall_with_an_opening_lets_a_ray_through_there_only() {
        let scene = scene_of("wall material=stone from=-5,0 to=5,0 height=3 gap=4,2,0.5,2");
        let mut mesh = build(&scene).unwrap();
        let mut hits = |x: f32, z: f32| {
            let ray = Ray { origin: Vec3::new(x, -3.0, z), direction: Vec3::Y, length: 6.0 };
            mesh.cast(&ray, &RayFilter::default()).hit.map(|hit| hit.distance)
        };
        assert_eq!(hits(0.0, 1.0), None);
        assert_eq!([hits(0.0, 0.3), hits(0.0, 2.5), hits(-3.0, 1.0)], [Some(3.0); 3]);
    }

    #[test]
    fn a_corner_of_a_box_has_its_slide_edge() {
        let mesh = build(&scene_of("box material=stone at=0,0,0 size=1,1,1")).unwrap();
        let edges = (0..mesh.triangle_count()).filter(|&id| mesh.flags(TriangleId(id as u16)).corner_edge().is_some());
        assert_eq!(edges.count(), 8, "both triangles of each of the four sides");
    }

    #[test]
    fn a_triangle_without_a_face_is_named_with_its_line() {
        let error = build(&scene_of("\nbox material=stone size=1,1,0")).unwrap_err().to_string();
        assert!(error.contains("a.level:") && error.contains(":11: triangle "), "{error}");
    }
}
