//! A moving sphere against an oriented box.

use super::roots::{away_from_core, ray_capsule_root};
use super::segments::closest_point;
use super::slab::clip_box;
use crate::maths::Vec3;
use crate::physics::kernels::Touch;
use crate::physics::shapes::{OrientedBox, Sphere};

/// The point of a box closest to a world point; the point itself when it is inside.
pub fn closest_point_of_box(p: Vec3, b: &OrientedBox) -> Vec3 {
    b.world(clamp(b.local(p), b.half))
}

#[inline]
fn clamp(p: Vec3, half: Vec3) -> Vec3 {
    p.max(-half).min(half)
}

/// Whether a sphere and a box overlap; the normal points at the sphere.
///
/// Source: seed 002, The shape-pair tables (box and sphere).
pub fn overlap_sphere_box(sphere: &Sphere, b: &OrientedBox) -> Option<Touch> {
    let p = b.local(sphere.centre);
    let q = clamp(p, b.half);
    ((p - q).length_squared() < sphere.radius * sphere.radius).then(|| at_start(p, q, b))
}

/// The touch of a sphere that overlaps the box before it moves.
///
/// With the centre inside, the normal is the horizontal direction from the box's centre to the sphere's; straight above or
/// below there is none.
///
/// Source: seed 002, Geometry kernels (the inside case's horizontal normal).
fn at_start(p: Vec3, q: Vec3, b: &OrientedBox) -> Touch {
    let apart = p - q;
    let normal = if apart == Vec3::ZERO {
        b.world_direction(p).horizontal().normalize_or_zero()
    } else {
        b.world_direction(apart).normalize_or_zero()
    };
    Touch { fraction: 0.0, point: b.world(q), normal }
}

/// A sphere moving by `d` against a box: the grown slabs first, then the face, or the edges as capsules.
///
/// Our choice: past a face every edge is tested and the earliest counts; a ray can leave the region in which it enters the
/// grown box and still meet an edge further on. The normals are the right ones: six of the original's point the wrong way,
/// and which six is not known.
///
/// Source: seed 002, Geometry kernels (Sweep_SphereOrientedBox).
// Covers: seed 002, Sweep_SphereOrientedBox (0x0034bbe8) test=a_sphere_meets_the_near_face
pub fn sweep_sphere_box(sphere: &Sphere, d: Vec3, b: &OrientedBox) -> Option<Touch> {
    let r = sphere.radius;
    let (p, m) = (b.local(sphere.centre), b.local_direction(d));
    let q = clamp(p, b.half);
    if (p - q).length_squared() <= r * r {
        return Some(at_start(p, q, b));
    }
    let t = clip_box(p, m, b.half + Vec3::splat(r))?;
    let x = p + m * t;
    let beyond = (0..3).filter(|&axis| x[axis].abs() > b.half[axis]).count();
    if beyond <= 1 { Some(face_region(t, x, b)) } else { edges(p, m, r, b) }
}

/// The grown box is entered over a face of the box.
// Covers: seed 002, SphereBox_SweepCorner (0x0034b040) test=a_sphere_meets_the_near_face
fn face_region(t: f32, x: Vec3, b: &OrientedBox) -> Touch {
    let on_box = clamp(x, b.half);
    to_world(t, on_box, (x - on_box).normalize_or_zero(), b)
}

/// A touch of the box's frame, told in the world.
// Covers: seed 002, SphereBox_ToBoxSpace (0x0034baf0) test=a_sphere_meets_the_near_face
fn to_world(fraction: f32, point: Vec3, normal: Vec3, b: &OrientedBox) -> Touch {
    Touch { fraction, point: b.world(point), normal: b.world_direction(normal) }
}

/// The earliest of the twelve edges.
// Covers: seed 002, SphereBox_SweepEdges (0x0034b600) test=an_edge_and_a_corner_are_round
// Covers: seed 002, SphereBox_SweepFaceEdges (0x0034b7b0) test=an_edge_and_a_corner_are_round
fn edges(p: Vec3, m: Vec3, r: f32, b: &OrientedBox) -> Option<Touch> {
    let mut first: Option<(f32, Vec3, Vec3)> = None;
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            let mut start = b.half;
            start[axis] = -b.half[axis];
            start[u] *= side.0;
            start[v] *= side.1;
            let mut end = start;
            end[axis] = b.half[axis];
            if let Some(t) = edge(p, m, r, start, end)
                && first.is_none_or(|(best, ..)| t < best)
            {
                first = Some((t, start, end));
            }
        }
    }
    first.map(|(t, start, end)| {
        let centre = p + m * t;
        to_world(t, closest_point(centre, start, end), away_from_core(centre, start, end, Vec3::ZERO), b)
    })
}

/// When the sphere meets an edge of the box, as a capsule.
// Covers: seed 002, SphereBox_SweepEdge (0x0034b3b8) test=an_edge_and_a_corner_are_round
fn edge(p: Vec3, m: Vec3, r: f32, start: Vec3, end: Vec3) -> Option<f32> {
    ray_capsule_root(p, m, start, end, r).filter(|t| (0.0..=1.0).contains(t))
}

#[cfg(test)]
mod tests {
    use super::super::reference;
    use super::*;
    use crate::collision::scenes::Random;
    use crate::maths::Quat;

    fn unit_box() -> OrientedBox {
        OrientedBox::new(Vec3::splat(1.0), Quat::IDENTITY, Vec3::ZERO)
    }

    #[test]
    fn a_sphere_meets_the_near_face() {
        let sphere = Sphere { centre: Vec3::X * 5.0, radius: 0.5 };
        let touch = sweep_sphere_box(&sphere, Vec3::X * -10.0, &unit_box()).unwrap();
        assert!((touch.fraction - 0.35).abs() < 1e-6, "{}", touch.fraction);
        assert_eq!((touch.normal, touch.point.x), (Vec3::X, 1.0));
    }

    #[test]
    fn the_normal_of_a_centre_inside_is_horizontal_or_nothing() {
        let sphere = |centre| Sphere { centre, radius: 0.25 };
        let touch = sweep_sphere_box(&sphere(Vec3::new(0.3, 0.0, 0.9)), Vec3::X, &unit_box()).unwrap();
        assert_eq!((touch.fraction, touch.normal), (0.0, Vec3::X));
        let touch = sweep_sphere_box(&sphere(Vec3::Z * 0.5), Vec3::X, &unit_box()).unwrap();
        assert_eq!((touch.fraction, touch.normal), (0.0, Vec3::ZERO));
    }

    #[test]
    fn an_edge_and_a_corner_are_round() {
        let dropped = |x, y| {
            let sphere = Sphere { centre: Vec3::new(x, y, 5.0), radius: 0.5 };
            sweep_sphere_box(&sphere, Vec3::Z * -10.0, &unit_box()).unwrap()
        };
        let edge = dropped(1.3, 0.0);
        assert!((edge.fraction - 0.36).abs() < 1e-5, "{edge:?}");
        assert!((edge.normal - Vec3::new(0.6, 0.0, 0.8)).length() < 1e-5, "{edge:?}");
        let corner = dropped(1.3, 1.0);
        assert!(
            (corner.fraction - 0.36).abs() < 1e-5 && (corner.point - Vec3::splat(1.0)).length() < 1e-5,
            "{corner:?}"
        );
    }

    #[test]
    fn a_sphere_past_a_corner_misses() {
        let sphere = Sphere { centre: Vec3::new(5.0, 1.45, 1.45), radius: 0.5 };
        assert_eq!(sweep_sphere_box(&sphere, Vec3::X * -10.0, &unit_box()), None);
    }

    #[test]
    fn random_sweeps_agree_with_the_reference() {
        let mut random = Random::new(4);
        let (mut worst, mut hits) = (0.0_f64, 0);
        for _ in 0..20_000 {
            let rotation = Quat::from_axis_angle(random.direction(), random.range(0.0, 6.0));
            let half = random.vec3(1.0).abs() + Vec3::splat(0.1);
            let b = OrientedBox::new(half, rotation, random.vec3(2.0));
            let (c, r, d) = (random.vec3(4.0), random.range(0.05, 1.0), random.vec3(8.0));
            let found = sweep_sphere_box(&Sphere { centre: c, radius: r }, d, &b).map(|touch| touch.fraction);
            let distance = |p| reference::point_box(p, b.centre, b.axes, b.half);
            worst = worst.max(reference::compare(found, c, d, r, distance));
            hits += found.is_some() as u32;
        }
        assert!(hits > 1000, "only {hits} hits");
        assert!(worst < 1e-4, "worst difference {worst}");
    }

    #[test]
    fn an_overlap_is_strict_and_turns_with_the_box() {
        let half = Vec3::new(0.42, 0.37, 0.485);
        let b = OrientedBox::new(half, Quat::IDENTITY, Vec3::ZERO);
        let at = |x: f32, radius| Sphere { centre: Vec3::X * x, radius };
        assert!(overlap_sphere_box(&at(0.6, 0.2), &b).is_some());
        let turned = OrientedBox::new(half, Quat::from_axis_angle(Vec3::Z, core::f32::consts::FRAC_PI_2), Vec3::ZERO);
        assert!(overlap_sphere_box(&at(0.6, 0.2), &turned).is_none());
    }
}
