//! A moving shape against another one.

use super::overlaps::{capsule_segment, segment_capsule, segment_segment};
use super::{PairRules, Sweep, TYPES, index, mirrored};
use crate::maths::Vec3;
use crate::physics::kernels::Touch;
use crate::physics::kernels::scalar::{
    sweep_box_box, sweep_capsule_box, sweep_capsule_capsule, sweep_sphere_box, sweep_sphere_capsule, sweep_sphere_edge,
    sweep_sphere_sphere,
};
use crate::physics::shapes::Geometry::{self, Box, Capsule, Segment, Sphere};

/// The sweep table, by the mover's type and the other's.
pub const SWEEPS: [[Option<Sweep>; TYPES]; TYPES] = [
    [None; TYPES],
    [None, Some(box_box), Some(box_sphere), Some(box_capsule), Some(box_segment)],
    [None, Some(sphere_box), Some(sphere_sphere), Some(sphere_capsule), Some(sphere_segment)],
    [None, Some(capsule_box), Some(capsule_sphere), Some(capsule_capsule), Some(capsule_segment_at_rest)],
    [None, Some(segment_box), Some(segment_sphere), Some(segment_capsule_at_rest), Some(segment_segment_at_rest)],
];

/// Where `a`, moving by `d` metres, first touches `b`; the normal points at `a`.
pub fn sweep(a: &Geometry, d: Vec3, b: &Geometry, rules: PairRules) -> Option<Touch> {
    SWEEPS[index(a.kind())][index(b.kind())]?(a, d, b, rules)
}

/// Two boxes: only whether they meet; the fraction is 0.
// Covers: seed 002, PhysicsSweep_BoxBox (0x003451e8) test=two_boxes_meet_with_fraction_0
fn box_box(a: &Geometry, d: Vec3, b: &Geometry, _: PairRules) -> Option<Touch> {
    let (Box(a), Box(b)) = (a, b) else { return None };
    sweep_box_box(a, d, b).map(|touch| Touch { fraction: 0.0, ..touch })
}

// Covers: seed 002, PhysicsSweep_SphereBox (0x003453f8) test=every_moving_pair_meets_at_the_sum_of_its_halves
fn sphere_box(a: &Geometry, d: Vec3, b: &Geometry, _: PairRules) -> Option<Touch> {
    let (Sphere(a), Box(b)) = (a, b) else { return None };
    sweep_sphere_box(a, d, b)
}

// Covers: seed 002, PhysicsSweep_BoxSphere (0x003454c0) test=every_moving_pair_meets_at_the_sum_of_its_halves
fn box_sphere(a: &Geometry, d: Vec3, b: &Geometry, rules: PairRules) -> Option<Touch> {
    sphere_box(b, -d, a, rules).map(|touch| mirrored(touch, d))
}

// Covers: seed 002, PhysicsSweep_CapsuleBox (0x00344618) test=every_moving_pair_meets_at_the_sum_of_its_halves
fn capsule_box(a: &Geometry, d: Vec3, b: &Geometry, _: PairRules) -> Option<Touch> {
    let (Capsule(a), Box(b)) = (a, b) else { return None };
    sweep_capsule_box(a, d, b)
}

// Covers: seed 002, PhysicsSweep_BoxCapsule (0x00345108) test=every_moving_pair_meets_at_the_sum_of_its_halves
fn box_capsule(a: &Geometry, d: Vec3, b: &Geometry, rules: PairRules) -> Option<Touch> {
    capsule_box(b, -d, a, rules).map(|touch| mirrored(touch, d))
}

/// Never: a box does not meet a segment.
fn box_segment(_: &Geometry, _: Vec3, _: &Geometry, _: PairRules) -> Option<Touch> {
    None
}

/// Never: a segment does not meet a box.
fn segment_box(_: &Geometry, _: Vec3, _: &Geometry, _: PairRules) -> Option<Touch> {
    None
}

// Covers: seed 002, PhysicsSweep_SphereSphere (0x003440d0) test=every_moving_pair_meets_at_the_sum_of_its_halves
fn sphere_sphere(a: &Geometry, d: Vec3, b: &Geometry, _: PairRules) -> Option<Touch> {
    let (Sphere(a), Sphere(b)) = (a, b) else { return None };
    sweep_sphere_sphere(a, d, b)
}

// Covers: seed 002, PhysicsSweep_SphereCapsule (0x00345670) test=every_moving_pair_meets_at_the_sum_of_its_halves
fn sphere_capsule(a: &Geometry, d: Vec3, b: &Geometry, _: PairRules) -> Option<Touch> {
    let (Sphere(a), Capsule(b)) = (a, b) else { return None };
    sweep_sphere_capsule(a.centre, a.radius, d, b)
}

// Covers: seed 002, PhysicsSweep_CapsuleSphere (0x00345910) test=every_moving_pair_meets_at_the_sum_of_its_halves
fn capsule_sphere(a: &Geometry, d: Vec3, b: &Geometry, rules: PairRules) -> Option<Touch> {
    sphere_capsule(b, -d, a, rules).map(|touch| mirrored(touch, d))
}

// Covers: seed 002, PhysicsSweep_SphereSegment (0x00344320) test=every_moving_pair_meets_at_the_sum_of_its_halves
fn sphere_segment(a: &Geometry, d: Vec3, b: &Geometry, _: PairRules) -> Option<Touch> {
    let (Sphere(a), Segment(b)) = (a, b) else { return None };
    let reach = a.radius + b.radius;
    let touch = sweep_sphere_edge(a.centre, reach, d, b.start, b.end, Vec3::Z)?;
    Some(Touch { point: touch.point + touch.normal * b.radius, ..touch })
}

// Covers: seed 002, PhysicsSweep_SegmentSphere (0x00344538) test=every_moving_pair_meets_at_the_sum_of_its_halves
fn segment_sphere(a: &Geometry, d: Vec3, b: &Geometry, rules: PairRules) -> Option<Touch> {
    sphere_segment(b, -d, a, rules).map(|touch| mirrored(touch, d))
}

// Covers: seed 002, PhysicsSweep_CapsuleCapsule (0x00343cd8) test=every_moving_pair_meets_at_the_sum_of_its_halves
fn capsule_capsule(a: &Geometry, d: Vec3, b: &Geometry, rules: PairRules) -> Option<Touch> {
    let (Capsule(a), Capsule(b)) = (a, b) else { return None };
    sweep_capsule_capsule(a, d, b, rules.any_height)
}

/// Segments move with their bone and are tested where they are: the overlap, the move unread.
///
/// Our choice: fraction 0. The original leaves the field unwritten, so that such contacts are sorted by chance.
///
/// Source: seed 002, The shape-pair tables.
// Covers: seed 002, PhysicsSweep_CapsuleSegment (0x00345d18) test=a_segment_against_a_capsule_or_segment_reads_no_move
fn capsule_segment_at_rest(a: &Geometry, _: Vec3, b: &Geometry, _: PairRules) -> Option<Touch> {
    capsule_segment(a, b)
}

// Covers: seed 002, PhysicsSweep_SegmentCapsule (0x00345d38) test=a_segment_against_a_capsule_or_segment_reads_no_move
fn segment_capsule_at_rest(a: &Geometry, _: Vec3, b: &Geometry, _: PairRules) -> Option<Touch> {
    segment_capsule(a, b)
}

// Covers: seed 002, PhysicsSweep_SegmentSegment (0x00344300) test=a_segment_against_a_capsule_or_segment_reads_no_move
fn segment_segment_at_rest(a: &Geometry, _: Vec3, b: &Geometry, _: PairRules) -> Option<Touch> {
    segment_segment(a, b)
}

// Excused: seed 002, PhysicsSweep_BoxSegment (0x00345590) reason=empty stub
// Excused: seed 002, PhysicsSweep_SegmentBox (0x00345588) reason=empty stub

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Quat;
    use crate::physics::shapes;

    const X: Vec3 = Vec3::X;

    fn sphere(x: f32) -> Geometry {
        Sphere(shapes::Sphere { centre: X * x, radius: 0.5 })
    }

    fn capsule(x: f32) -> Geometry {
        Capsule(shapes::Capsule { base: X * x - Vec3::Z, radius: 0.5, height: 2.0 })
    }

    fn segment(x: f32) -> Geometry {
        Segment(shapes::Segment { start: X * x - Vec3::Z, end: X * x + Vec3::Z, radius: 0.5 })
    }

    fn cube(x: f32) -> Geometry {
        Box(shapes::OrientedBox::new(Vec3::splat(0.5), Quat::IDENTITY, X * x))
    }

    fn fraction(a: Geometry, b: Geometry) -> Option<f32> {
        sweep(&a, X * -10.0, &b, PairRules::default()).map(|touch| touch.fraction)
    }

    #[test]
    fn every_moving_pair_meets_at_the_sum_of_its_halves() {
        for (a, b) in [
            (sphere(5.0), sphere(0.0)),
            (sphere(5.0), capsule(0.0)),
            (sphere(5.0), segment(0.0)),
            (sphere(5.0), cube(0.0)),
            (capsule(5.0), sphere(0.0)),
            (capsule(5.0), capsule(0.0)),
            (capsule(5.0), cube(0.0)),
            (segment(5.0), sphere(0.0)),
            (cube(5.0), sphere(0.0)),
            (cube(5.0), capsule(0.0)),
        ] {
            let touch = sweep(&a, X * -10.0, &b, PairRules::default()).expect("a hit");
            assert!((touch.fraction - 0.4).abs() < 1e-5, "{a:?} {b:?}: {touch:?}");
            assert!((touch.normal - X).length() < 1e-5, "{a:?} {b:?}: {touch:?}");
            assert!((touch.point.x - 0.5).abs() < 1e-5, "{a:?} {b:?}: {touch:?}");
        }
    }

    #[test]
    fn two_boxes_meet_with_fraction_0() {
        assert_eq!(fraction(cube(5.0), cube(0.0)), Some(0.0));
        assert_eq!(fraction(cube(50.0), cube(0.0)), None);
    }

    #[test]
    fn segments_never_meet_boxes() {
        assert_eq!(fraction(segment(5.0), cube(0.0)), None);
        assert_eq!(fraction(cube(5.0), segment(0.0)), None);
        assert_eq!(fraction(segment(0.0), cube(0.0)), None);
    }

    #[test]
    fn a_segment_against_a_capsule_or_segment_reads_no_move() {
        for (a, b) in [(segment(5.0), capsule(0.0)), (capsule(5.0), segment(0.0)), (segment(5.0), segment(0.0))] {
            assert_eq!(fraction(a, b), None, "{a:?} {b:?}");
        }
        for (a, b) in [(segment(0.8), capsule(0.0)), (capsule(0.8), segment(0.0)), (segment(0.8), segment(0.0))] {
            assert_eq!(fraction(a, b), Some(0.0), "{a:?} {b:?}");
        }
    }

    #[test]
    fn the_type_mask_rule_lets_capsules_meet_at_any_height() {
        let above = Capsule(shapes::Capsule { base: X * 5.0 + Vec3::Z * 40.0, radius: 0.5, height: 2.0 });
        assert_eq!(sweep(&above, X * -10.0, &capsule(0.0), PairRules::default()), None);
        assert!(sweep(&above, X * -10.0, &capsule(0.0), PairRules { any_height: true }).is_some());
    }
}
