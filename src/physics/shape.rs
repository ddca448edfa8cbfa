//! A body's shape: where it sits on its owner, and posing it.

use super::flags::ShapeFlags;
use super::ids::{OwnerId, ShapeId};
use super::kernels::Kernels;
use super::owner::{HumanState, Owners, Posture};
use super::shapes::{Capsule, Geometry, OrientedBox, Segment, Sphere};
use crate::maths::{Pose, Vec3};

/// How far a human's capsule reaches above bone 6, in metres at scale 1; also its least height.
const ABOVE_HEAD: f32 = 0.2;
/// How far [`Posture::Lifted`] lifts the lower end, in metres at scale 1.
const LIFTED: f32 = 0.61;
/// How far [`Posture::Raised`] lifts it, in metres at scale 1, and at most above the ground.
const RAISED: f32 = 0.7;
/// Height of a cuffed human's capsule in metres at scale 1.
const CUFFED_HEIGHT: f32 = 0.35;

/// A shape record.
///
/// Source: seed 002, Shapes.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Next shape of the body.
    pub next: Option<ShapeId>,
    /// Offset in the bone's or the owner's frame, in metres.
    pub offset: Vec3,
    /// World position before the last pose, for sweeps.
    pub previous: Vec3,
    /// The bone it sits on; none is the owner's own frame.
    pub bone: Option<u8>,
    /// What it takes part in.
    pub flags: ShapeFlags,
    /// Length of a segment along its bone's x axis, in metres.
    pub length: f32,
    /// The posed shape.
    pub geometry: Geometry,
}

impl Shape {
    /// A disabled shape at the origin.
    // Covers: seed 002, PhysicsShape_Construct (0x00342a30) test=a_new_shape_is_switched_off_at_the_origin default=Self { next: None, offset: Vec3::X, previous: Vec3::X, bone: None, flags: ShapeFlags::NONE, length: 0.0, geometry: Self::segment(0.0) }
    pub const fn new(geometry: Geometry) -> Self {
        Self {
            next: None,
            offset: Vec3::ZERO,
            previous: Vec3::ZERO,
            bone: None,
            flags: ShapeFlags::NONE,
            length: 0.0,
            geometry,
        }
    }

    /// A box by its sizes, which are halved.
    ///
    /// Source: seed 002, Shapes (PhysicsBox_SetSize 0x00342dc0).
    // Covers: seed 002, PhysicsBox_Construct (0x00342d18) test=a_box_takes_half_of_its_sizes_and_its_owners_axes default=Self::sphere(0.0)
    // Covers: seed 002, PhysicsBox_SetSize (0x00342dc0) test=a_box_takes_half_of_its_sizes_and_its_owners_axes default=Self::sphere(0.0)
    pub const fn sized_box(sizes: Vec3) -> Geometry {
        let half = Vec3::new(sizes.x * 0.5, sizes.y * 0.5, sizes.z * 0.5);
        Geometry::Box(OrientedBox { half, axes: [Vec3::X, Vec3::Y, Vec3::Z], centre: Vec3::ZERO })
    }

    /// A sphere.
    // Covers: seed 002, PhysicsSphere_Construct (0x00342aa0) test=a_sphere_sits_on_its_bone_or_on_its_owner default=Self::segment(0.0)
    pub const fn sphere(radius: f32) -> Geometry {
        Geometry::Sphere(Sphere { centre: Vec3::ZERO, radius })
    }

    /// An upright capsule.
    // Covers: seed 002, PhysicsCapsule_Construct (0x003434a8) test=a_capsule_knows_no_reset default=Self::sphere(0.0)
    // Covers: seed 002, PhysicsCapsule_SetSize (0x00343508) test=a_capsule_knows_no_reset default=Self::sphere(0.0)
    pub const fn capsule(radius: f32, height: f32) -> Geometry {
        Geometry::Capsule(Capsule { base: Vec3::ZERO, radius, height })
    }

    /// A segment.
    // Covers: seed 002, PhysicsSegment_Construct (0x003437b0) test=a_segment_runs_along_its_bones_x_axis_and_forgets_its_offset_without_a_bone default=Self::sphere(0.0)
    pub const fn segment(radius: f32) -> Geometry {
        Geometry::Segment(Segment { start: Vec3::ZERO, end: Vec3::ZERO, radius })
    }

    /// Whether it takes part in tests.
    #[inline]
    pub fn is_enabled(&self) -> bool {
        self.flags.has(ShapeFlags::ENABLED)
    }

    /// Switches it. Switching on also makes the next pose reset the previous position.
    ///
    /// Source: seed 002, Shapes (the enable sets 0x11).
    pub fn set_enabled(&mut self, enabled: bool) {
        self.flags =
            if enabled { self.flags.with(ShapeFlags::ENABLE) } else { self.flags.without(ShapeFlags::ENABLED) };
    }

    /// Multiplies offset, radius, length and height.
    ///
    /// Source: seed 002, The human body (PhysicsBody_ApplyHumanScale 0x00341f28).
    pub fn scale_by(&mut self, scale: f32) {
        self.offset *= scale;
        self.length *= scale;
        match &mut self.geometry {
            Geometry::Box(b) => b.half *= scale,
            Geometry::Sphere(s) => s.radius *= scale,
            Geometry::Capsule(c) => (c.radius, c.height) = (c.radius * scale, c.height * scale),
            Geometry::Segment(s) => s.radius *= scale,
        }
    }

    /// The shape as its owner's pose has it now.
    ///
    /// Source: seed 002, Shapes (the pose of each type).
    pub fn posed(&self, owner: OwnerId, owners: &dyn Owners, kernels: Kernels) -> Geometry {
        match self.geometry {
            Geometry::Box(b) => Geometry::Box(self.posed_box(b.half, &owners.pose(owner), kernels)),
            Geometry::Sphere(s) => Geometry::Sphere(self.posed_sphere(s.radius, &self.frame(owner, owners), kernels)),
            Geometry::Capsule(c) => Geometry::Capsule(match owners.human(owner) {
                Some(human) => human_capsule(owners.pose(owner).position, c.radius, &human),
                None => Capsule { base: owners.pose(owner).position + self.offset, ..c },
            }),
            Geometry::Segment(s) => {
                Geometry::Segment(self.posed_segment(s.radius, &self.frame(owner, owners), kernels))
            }
        }
    }

    /// The bone's pose, or the owner's without a bone.
    fn frame(&self, owner: OwnerId, owners: &dyn Owners) -> Pose {
        self.bone.map_or_else(|| owners.pose(owner), |bone| owners.bone(owner, bone))
    }

    // Covers: seed 002, PhysicsBox_Pose (0x00342df8) test=a_box_takes_half_of_its_sizes_and_its_owners_axes default=OrientedBox { half: Vec3::ZERO, axes: [Vec3::ZERO; 3], centre: Vec3::ZERO }
    fn posed_box(&self, half: Vec3, frame: &Pose, kernels: Kernels) -> OrientedBox {
        kernels.place_box(half, frame, self.offset)
    }

    // Covers: seed 002, PhysicsSphere_Pose (0x00342b08) test=a_sphere_sits_on_its_bone_or_on_its_owner default=Sphere { centre: Vec3::ZERO, radius: 0.0 }
    fn posed_sphere(&self, radius: f32, frame: &Pose, kernels: Kernels) -> Sphere {
        Sphere { centre: kernels.point(frame, self.offset), radius }
    }

    /// Without a bone the offset is ignored.
    // Covers: seed 002, PhysicsSegment_Pose (0x00343810) test=a_segment_runs_along_its_bones_x_axis_and_forgets_its_offset_without_a_bone default=Segment { start: Vec3::ZERO, end: Vec3::ZERO, radius: 0.0 }
    fn posed_segment(&self, radius: f32, frame: &Pose, kernels: Kernels) -> Segment {
        let start = if self.bone.is_some() { kernels.point(frame, self.offset) } else { frame.position };
        Segment { start, end: start + frame.rotation.axis_x() * self.length, radius }
    }

    /// Takes a new pose and keeps the old position as the previous one, or the new one when a reset was asked for. A
    /// capsule knows no reset.
    ///
    /// Source: seed 002, Shapes (flag 0x10).
    pub fn pose(&mut self, geometry: Geometry) {
        let resets = self.flags.has(ShapeFlags::RESET_PREVIOUS) && !matches!(geometry, Geometry::Capsule(_));
        self.previous = if resets { geometry.position() } else { self.geometry.position() };
        if resets {
            self.flags = self.flags.without(ShapeFlags::RESET_PREVIOUS);
        }
        self.geometry = geometry;
    }

    /// "Set from a matrix": a sphere's centre or a capsule's base jumps to the pose's position, a box takes position and
    /// axes, a segment nothing; the previous position is left alone.
    ///
    /// Source: seed 002, Shapes and The human body (Moved).
    // Covers: seed 002, PhysicsBox_SetMatrix (0x00343040) test=setting_from_a_matrix_moves_spheres_and_not_segments
    pub fn set_from(&mut self, pose: &Pose) {
        match &mut self.geometry {
            Geometry::Box(b) => *b = OrientedBox::new(b.half, pose.rotation, pose.position),
            Geometry::Sphere(s) => s.centre = pose.position,
            Geometry::Capsule(c) => c.base = pose.position,
            Geometry::Segment(_) => {}
        }
    }
}

/// The capsule of a human: from its feet, or higher by its posture, to 0.2 m above bone 6.
///
/// Source: seed 002, The human body (0x00343518).
// Covers: seed 002, PhysicsCapsule_Pose (0x00343518) test=a_humans_capsule_ends_above_its_head_and_starts_by_its_posture default=Capsule { base: Vec3::ZERO, radius: 0.0, height: 0.0 }
pub fn human_capsule(feet: Vec3, radius: f32, human: &HumanState) -> Capsule {
    let scale = human.scale;
    let top = human.head_height + ABOVE_HEAD * scale;
    let mut base = feet;
    match human.posture {
        Posture::Upright | Posture::Cuffed => {}
        Posture::Lifted => base.z += LIFTED * scale,
        Posture::Raised if human.long_fall => {}
        Posture::Raised => base.z = (base.z + RAISED * scale).min(human.ground_height + RAISED),
    }
    let height = if human.posture == Posture::Cuffed { CUFFED_HEIGHT * scale } else { top - base.z };
    Capsule { base, radius, height: height.max(ABOVE_HEAD * scale) }
}

// Excused: seed 002, PhysicsShape_Destroy (0x00342a70) reason=destructor or static initialiser
// Excused: seed 002, PhysicsSphere_Destroy (0x00342ae0) reason=destructor or static initialiser
// Excused: seed 002, PhysicsBox_Destroy (0x00342d98) reason=destructor or static initialiser
// Excused: seed 002, PhysicsCapsule_Destroy (0x003434e0) reason=destructor or static initialiser
// Excused: seed 002, PhysicsSegment_Destroy (0x003437e8) reason=destructor or static initialiser

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Quat;
    use crate::physics::bench::{Things, human, object};

    fn turned_left() -> Quat {
        Quat::from_axis_angle(Vec3::Z, core::f32::consts::FRAC_PI_2)
    }

    #[test]
    fn a_box_takes_half_of_its_sizes_and_its_owners_axes() {
        let mut things = Things::new();
        let owner = things.add(object(Pose::new(turned_left(), Vec3::new(1.0, 2.0, 3.0))));
        let mut shape = Shape::new(Shape::sized_box(Vec3::new(0.84, 0.74, 0.97)));
        shape.offset = Vec3::new(0.5, 0.0, 0.485);
        let Geometry::Box(b) = shape.posed(owner, &things, Kernels::Scalar) else { panic!("a box stays a box") };
        assert_eq!(b.half, Vec3::new(0.42, 0.37, 0.485));
        assert!((b.centre - Vec3::new(1.0, 2.5, 3.485)).length() < 1e-5, "{:?}", b.centre);
        assert!((b.axes[0] - Vec3::Y).length() < 1e-6);
    }

    #[test]
    fn a_sphere_sits_on_its_bone_or_on_its_owner() {
        let mut things = Things::new();
        let mut thing = human(Vec3::X);
        thing.bones[19] = Pose::new(turned_left(), Vec3::new(0.0, 0.0, 1.5));
        let owner = things.add(thing);
        let mut shape = Shape::new(Shape::sphere(0.09));
        shape.offset = Vec3::new(0.08, 0.0, 0.0);
        assert_eq!(shape.posed(owner, &things, Kernels::Scalar).position(), Vec3::new(1.08, 0.0, 0.0));
        shape.bone = Some(19);
        let centre = shape.posed(owner, &things, Kernels::Scalar).position();
        assert!((centre - Vec3::new(0.0, 0.08, 1.5)).length() < 1e-6, "{centre:?}");
    }

    #[test]
    fn a_segment_runs_along_its_bones_x_axis_and_forgets_its_offset_without_a_bone() {
        let mut things = Things::new();
        let mut thing = human(Vec3::X);
        thing.bones[3] = Pose::new(turned_left(), Vec3::new(0.0, 0.0, 1.0));
        let owner = things.add(thing);
        let mut shape = Shape::new(Shape::segment(0.18));
        (shape.offset, shape.length, shape.bone) = (Vec3::new(-0.07, 0.0, 0.05), 0.38, Some(3));
        let Geometry::Segment(s) = shape.posed(owner, &things, Kernels::Scalar) else { panic!("a segment stays one") };
        assert!((s.start - Vec3::new(0.0, -0.07, 1.05)).length() < 1e-6, "{s:?}");
        assert!((s.end - s.start - Vec3::Y * 0.38).length() < 1e-6, "{s:?}");
        shape.bone = None;
        assert_eq!(shape.posed(owner, &things, Kernels::Scalar).position(), Vec3::X);
    }

    #[test]
    fn a_new_shape_is_switched_off_at_the_origin() {
        let shape = Shape::new(Shape::sphere(0.5));
        assert_eq!((shape.offset, shape.previous, shape.bone), (Vec3::ZERO, Vec3::ZERO, None));
        assert!(!shape.is_enabled() && shape.geometry == Shape::sphere(0.5));
    }

    #[test]
    fn a_pose_keeps_the_previous_position_unless_a_reset_was_asked_for() {
        let mut shape = Shape::new(Shape::sphere(1.0));
        shape.pose(shape.geometry.moved(Vec3::X));
        assert_eq!(shape.previous, Vec3::ZERO);
        shape.set_enabled(true);
        shape.pose(shape.geometry.moved(Vec3::X));
        assert_eq!(shape.previous, Vec3::X * 2.0);
        assert!(!shape.flags.has(ShapeFlags::RESET_PREVIOUS) && shape.is_enabled());
    }

    #[test]
    fn a_capsule_knows_no_reset() {
        let mut shape = Shape::new(Shape::capsule(0.35, 2.0));
        shape.set_enabled(true);
        shape.pose(shape.geometry.moved(Vec3::X));
        assert_eq!(shape.previous, Vec3::ZERO);
        assert!(shape.flags.has(ShapeFlags::RESET_PREVIOUS));
    }

    #[test]
    fn setting_from_a_matrix_moves_spheres_and_not_segments() {
        let pose = Pose::new(Quat::IDENTITY, Vec3::new(1.0, 2.0, 3.0));
        for (geometry, expected) in [
            (Shape::sphere(1.0), pose.position),
            (Shape::capsule(1.0, 1.0), pose.position),
            (Shape::sized_box(Vec3::X), pose.position),
            (Shape::segment(1.0), Vec3::ZERO),
        ] {
            let mut shape = Shape::new(geometry);
            shape.offset = Vec3::splat(9.0);
            shape.set_from(&pose);
            assert_eq!((shape.geometry.position(), shape.previous), (expected, Vec3::ZERO));
        }
    }

    fn capsule_of(state: HumanState) -> (f32, f32) {
        let c = human_capsule(Vec3::Z, 0.35, &HumanState { head_height: 2.6, ground_height: 1.0, ..state });
        (c.base.z, c.height)
    }

    #[test]
    fn a_humans_capsule_ends_above_its_head_and_starts_by_its_posture() {
        let near = |(base, height): (f32, f32), b: f32, h: f32| {
            assert!((base - b).abs() < 1e-5 && (height - h).abs() < 1e-5, "{base} {height}");
        };
        let state = HumanState::default();
        near(capsule_of(state), 1.0, 1.8);
        near(capsule_of(HumanState { posture: Posture::Lifted, ..state }), 1.61, 1.19);
        near(capsule_of(HumanState { posture: Posture::Raised, ..state }), 1.7, 1.1);
        near(capsule_of(HumanState { posture: Posture::Raised, long_fall: true, ..state }), 1.0, 1.8);
        near(capsule_of(HumanState { posture: Posture::Cuffed, ..state }), 1.0, 0.35);
        // On a raised foot the lower end stays 0.7 m above the ground; a low head leaves the least height.
        let high = HumanState { posture: Posture::Raised, head_height: 0.0, ground_height: 0.5, ..state };
        let c = human_capsule(Vec3::Z, 0.35, &high);
        assert!((c.base.z - 1.2).abs() < 1e-6 && (c.height - 0.2).abs() < 1e-6, "{c:?}");
    }
}
