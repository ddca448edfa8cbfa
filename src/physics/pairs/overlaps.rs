//! Shapes at rest.

use super::{Overlap, TYPES, index, mirrored};
use crate::maths::Vec3;
use crate::physics::kernels::Touch;
use crate::physics::kernels::scalar::{
    box_box_overlap, closest_point, closest_points, overlap_capsule_box, overlap_capsule_capsule, overlap_sphere_box,
};
use crate::physics::shapes::Geometry::{self, Box, Capsule, Segment, Sphere};

/// The overlap table, by the asking shape's type and the other's.
pub const OVERLAPS: [[Option<Overlap>; TYPES]; TYPES] = [
    [None; TYPES],
    [None, Some(box_box), Some(box_sphere), Some(box_capsule), None],
    [None, Some(sphere_box), Some(sphere_sphere), Some(sphere_capsule), Some(sphere_segment)],
    [None, Some(capsule_box), Some(capsule_sphere), Some(capsule_capsule), Some(capsule_segment)],
    [None, None, Some(segment_sphere), Some(segment_capsule), Some(segment_segment)],
];

/// Whether two shapes overlap; the normal points at `a`, the fraction is 0.
pub fn overlap(a: &Geometry, b: &Geometry) -> Option<Touch> {
    OVERLAPS[index(a.kind())][index(b.kind())]?(a, b)
}

/// The touch of two points that stand for rounded shapes: the normal from `q` to `p`, the point on `b`'s surface.
fn rounded(p: Vec3, q: Vec3, reach: f32, radius_b: f32) -> Option<Touch> {
    let apart = p - q;
    // Our choice: shapes whose cores cross part upwards.
    let normal = apart.try_normalize().unwrap_or(Vec3::Z);
    (apart.length_squared() < reach * reach).then(|| Touch { fraction: 0.0, point: q + normal * radius_b, normal })
}

// Covers: seed 002, PhysicsOverlap_BoxBox (0x00345dd8) test=spheres_boxes_and_segments_at_rest
fn box_box(a: &Geometry, b: &Geometry) -> Option<Touch> {
    let (Box(a), Box(b)) = (a, b) else { return None };
    box_box_overlap(a, b)
}

// Covers: seed 002, PhysicsOverlap_SphereBox (0x00346db8) test=spheres_boxes_and_segments_at_rest
fn sphere_box(a: &Geometry, b: &Geometry) -> Option<Touch> {
    let (Sphere(a), Box(b)) = (a, b) else { return None };
    overlap_sphere_box(a, b)
}

// Covers: seed 002, PhysicsOverlap_BoxSphere (0x00346680) test=spheres_boxes_and_segments_at_rest
fn box_sphere(a: &Geometry, b: &Geometry) -> Option<Touch> {
    sphere_box(b, a).map(|touch| mirrored(touch, Vec3::ZERO))
}

// Covers: seed 002, PhysicsOverlap_CapsuleBox (0x00346808) test=a_capsule_meets_a_box_at_any_height
fn capsule_box(a: &Geometry, b: &Geometry) -> Option<Touch> {
    let (Capsule(a), Box(b)) = (a, b) else { return None };
    overlap_capsule_box(a, b)
}

/// Our choice: the capsule's normal turned; the original leaves the field unwritten.
// Covers: seed 002, PhysicsOverlap_BoxCapsule (0x00346d18) test=a_capsule_meets_a_box_at_any_height
fn box_capsule(a: &Geometry, b: &Geometry) -> Option<Touch> {
    capsule_box(b, a).map(|touch| mirrored(touch, Vec3::ZERO))
}

// Covers: seed 002, PhysicsOverlap_SphereSphere (0x00345d58) test=spheres_boxes_and_segments_at_rest
fn sphere_sphere(a: &Geometry, b: &Geometry) -> Option<Touch> {
    let (Sphere(a), Sphere(b)) = (a, b) else { return None };
    rounded(a.centre, b.centre, a.radius + b.radius, b.radius)
}

/// A true capsule: its ends are round and reach a radius past its core.
// Covers: seed 002, PhysicsOverlap_SphereCapsule (0x00346f90) test=a_sphere_meets_a_capsules_round_end_and_a_capsule_does_not
fn sphere_capsule(a: &Geometry, b: &Geometry) -> Option<Touch> {
    let (Sphere(a), Capsule(b)) = (a, b) else { return None };
    let nearest = closest_point(a.centre, b.base, b.top());
    rounded(a.centre, nearest, a.radius + b.radius, b.radius)
}

// Covers: seed 002, PhysicsOverlap_CapsuleSphere (0x00346ed8) test=a_sphere_meets_a_capsules_round_end_and_a_capsule_does_not
fn capsule_sphere(a: &Geometry, b: &Geometry) -> Option<Touch> {
    sphere_capsule(b, a).map(|touch| mirrored(touch, Vec3::ZERO))
}

// Covers: seed 002, PhysicsOverlap_SphereSegment (0x00346eb0) test=a_fist_hits_a_spine_within_the_sum_of_the_radii
fn sphere_segment(a: &Geometry, b: &Geometry) -> Option<Touch> {
    let (Sphere(a), Segment(b)) = (a, b) else { return None };
    rounded(a.centre, closest_point(a.centre, b.start, b.end), a.radius + b.radius, b.radius)
}

// Covers: seed 002, PhysicsOverlap_SegmentSphere (0x00346de0) test=a_fist_hits_a_spine_within_the_sum_of_the_radii
fn segment_sphere(a: &Geometry, b: &Geometry) -> Option<Touch> {
    sphere_segment(b, a).map(|touch| mirrored(touch, Vec3::ZERO))
}

// Covers: seed 002, PhysicsOverlap_CapsuleCapsule (0x00346388) test=upright_capsules_overlap_side_by_side
fn capsule_capsule(a: &Geometry, b: &Geometry) -> Option<Touch> {
    let (Capsule(a), Capsule(b)) = (a, b) else { return None };
    overlap_capsule_capsule(a, b)
}

/// A true capsule here as well.
// Covers: seed 002, PhysicsOverlap_CapsuleSegment (0x00347148) test=a_segment_meets_a_capsules_round_end
pub(super) fn capsule_segment(a: &Geometry, b: &Geometry) -> Option<Touch> {
    let (Capsule(a), Segment(b)) = (a, b) else { return None };
    let (p, q) = closest_points(a.base, a.top(), b.start, b.end);
    rounded(p, q, a.radius + b.radius, b.radius)
}

// Covers: seed 002, PhysicsOverlap_SegmentCapsule (0x00346fb8) test=a_segment_meets_a_capsules_round_end
pub(super) fn segment_capsule(a: &Geometry, b: &Geometry) -> Option<Touch> {
    capsule_segment(b, a).map(|touch| mirrored(touch, Vec3::ZERO))
}

// Covers: seed 002, PhysicsOverlap_SegmentSegment (0x00346500) test=spheres_boxes_and_segments_at_rest
pub(super) fn segment_segment(a: &Geometry, b: &Geometry) -> Option<Touch> {
    let (Segment(a), Segment(b)) = (a, b) else { return None };
    let (p, q) = closest_points(a.start, a.end, b.start, b.end);
    rounded(p, q, a.radius + b.radius, b.radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Quat;
    use crate::physics::shapes;

    fn sphere(centre: [f32; 3], radius: f32) -> Geometry {
        Sphere(shapes::Sphere { centre: Vec3::from_array(centre), radius })
    }

    fn segment(start: [f32; 3], end: [f32; 3], radius: f32) -> Geometry {
        Segment(shapes::Segment { start: Vec3::from_array(start), end: Vec3::from_array(end), radius })
    }

    fn capsule(base: [f32; 3]) -> Geometry {
        Capsule(shapes::Capsule { base: Vec3::from_array(base), radius: 0.35, height: 2.0 })
    }

    fn cube() -> Geometry {
        Box(shapes::OrientedBox::new(Vec3::splat(0.5), Quat::IDENTITY, Vec3::ZERO))
    }

    #[test]
    fn a_fist_hits_a_spine_within_the_sum_of_the_radii() {
        let spine = |x| segment([x, -0.2, 1.0], [x, 0.2, 1.0], 0.18);
        let fist = sphere([0.0, 0.0, 1.0], 0.09);
        let touch = overlap(&fist, &spine(0.25)).unwrap();
        assert_eq!((touch.normal, touch.fraction), (-Vec3::X, 0.0));
        assert_eq!(overlap(&spine(0.25), &fist).unwrap().normal, Vec3::X);
        assert_eq!(overlap(&fist, &spine(0.3)), None);
    }

    #[test]
    fn a_segment_and_a_box_never_touch() {
        let through = segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.3);
        assert_eq!(overlap(&through, &cube()), None);
        assert_eq!(overlap(&cube(), &through), None);
    }

    #[test]
    fn a_sphere_meets_a_capsules_round_end_and_a_capsule_does_not() {
        let above = sphere([0.0, 0.0, 2.5], 0.2);
        assert!(overlap(&above, &capsule([0.0; 3])).is_some());
        assert!(overlap(&capsule([0.0; 3]), &above).is_some());
        assert_eq!(overlap(&capsule([0.0, 0.0, 2.1]), &capsule([0.0; 3])), None);
    }

    #[test]
    fn upright_capsules_overlap_side_by_side() {
        let touch = overlap(&capsule([0.6, 0.0, 1.9]), &capsule([0.0; 3])).unwrap();
        assert_eq!((touch.normal, touch.fraction), (Vec3::X, 0.0));
        assert_eq!(overlap(&capsule([0.8, 0.0, 0.0]), &capsule([0.0; 3])), None);
    }

    #[test]
    fn a_segment_meets_a_capsules_round_end() {
        let over = segment([-1.0, 0.0, 2.3], [1.0, 0.0, 2.3], 0.05);
        let touch = overlap(&capsule([0.0; 3]), &over).unwrap();
        assert_eq!(touch.normal, -Vec3::Z);
        assert_eq!(overlap(&over, &capsule([0.0; 3])).unwrap().normal, Vec3::Z);
    }

    #[test]
    fn a_capsule_meets_a_box_at_any_height() {
        assert!(overlap(&capsule([0.8, 0.0, 90.0]), &cube()).is_some());
        assert_eq!(overlap(&cube(), &capsule([0.8, 0.0, 90.0])).unwrap().normal, -Vec3::X);
    }

    #[test]
    fn spheres_boxes_and_segments_at_rest() {
        assert!(overlap(&sphere([0.9, 0.0, 0.0], 0.5), &cube()).is_some());
        assert_eq!(overlap(&cube(), &sphere([0.9, 0.0, 0.0], 0.5)).unwrap().normal, -Vec3::X);
        assert_eq!(overlap(&sphere([1.1, 0.0, 0.0], 0.5), &cube()), None);
        assert!(overlap(&sphere([0.0; 3], 0.5), &sphere([0.9, 0.0, 0.0], 0.5)).is_some());
        assert_eq!(overlap(&sphere([0.0; 3], 0.5), &sphere([1.0, 0.0, 0.0], 0.5)), None);
        let (a, b) = (segment([0.0; 3], [1.0, 0.0, 0.0], 0.1), segment([0.5, -1.0, 0.15], [0.5, 1.0, 0.15], 0.1));
        assert!(overlap(&a, &b).is_some());
        assert!(overlap(&cube(), &cube()).is_some());
    }
}
