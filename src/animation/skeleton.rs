//! The 34 bones of a human: who hangs on whom, how long, and how a pose of joint rotations becomes places in the world.

use super::pose::LocalPose;
use crate::maths::{Pose, Quat, Vec3};

/// Bones of a skeleton. Source: humans and combat, Animation tasks.
pub const BONES: usize = 34;

/// The parent of each bone; bone 0 has none. Source: humans and combat, Animation tasks.
pub const PARENTS: [i8; BONES] = [
    -1, 0, 1, 1, 3, 4, 5, 6, 6, 8, 6, 10, 6, 12, 6, 6, 5, 16, 17, 18, 19, 19, 5, 22, 23, 24, 25, 25, 2, 28, 29, 2, 31,
    32,
];

/// Bones by what they are.
///
/// Our choice: 16 to 21 and 28 to 30 are on the left, and the bones that hang on the head are face and hair points.
pub mod bone {
    /// The motion of the whole human over the ground.
    pub const MOTION: usize = 0;
    /// The body's root, at the hips; its channels are absolute in the human's space.
    pub const ROOT: usize = 1;
    /// Pelvis, on which the legs hang.
    pub const PELVIS: usize = 2;
    /// Lower spine.
    pub const SPINE: usize = 3;
    /// Middle spine.
    pub const MIDDLE: usize = 4;
    /// Chest, on which the arms and the head hang.
    pub const CHEST: usize = 5;
    /// Head.
    pub const HEAD: usize = 6;
    /// Left collar bone.
    pub const LEFT_COLLAR: usize = 16;
    /// Left upper arm.
    pub const LEFT_ARM: usize = 17;
    /// Left forearm.
    pub const LEFT_FOREARM: usize = 18;
    /// Left hand.
    pub const LEFT_HAND: usize = 19;
    /// Right collar bone.
    pub const RIGHT_COLLAR: usize = 22;
    /// Right upper arm.
    pub const RIGHT_ARM: usize = 23;
    /// Right forearm.
    pub const RIGHT_FOREARM: usize = 24;
    /// Right hand.
    pub const RIGHT_HAND: usize = 25;
    /// Left thigh.
    pub const LEFT_THIGH: usize = 28;
    /// Left shin.
    pub const LEFT_SHIN: usize = 29;
    /// Left foot.
    pub const LEFT_FOOT: usize = 30;
    /// Right thigh.
    pub const RIGHT_THIGH: usize = 31;
    /// Right shin.
    pub const RIGHT_SHIN: usize = 32;
    /// Right foot.
    pub const RIGHT_FOOT: usize = 33;
}

/// Joints of a standing human of scale 1 with hanging arms, metres: x to its right, y ahead, z up.
///
/// Our choice: 1.80 m tall, of the proportions that people have.
pub const JOINTS: [[f32; 3]; BONES] = [
    [0.0, 0.0, 0.0],
    [0.0, 0.0, 0.96],
    [0.0, 0.0, 0.96],
    [0.0, -0.01, 1.03],
    [0.0, -0.01, 1.17],
    [0.0, -0.01, 1.31],
    [0.0, 0.01, 1.58],
    [0.0, 0.02, 1.80],
    [-0.03, 0.11, 1.66],
    [-0.03, 0.12, 1.66],
    [0.03, 0.11, 1.66],
    [0.03, 0.12, 1.66],
    [0.0, 0.04, 1.57],
    [0.0, 0.10, 1.55],
    [-0.07, 0.02, 1.65],
    [0.07, 0.02, 1.65],
    [-0.03, 0.0, 1.46],
    [-0.18, -0.01, 1.46],
    [-0.18, -0.01, 1.18],
    [-0.18, -0.01, 0.93],
    [-0.18, -0.01, 0.84],
    [-0.17, 0.03, 0.89],
    [0.03, 0.0, 1.46],
    [0.18, -0.01, 1.46],
    [0.18, -0.01, 1.18],
    [0.18, -0.01, 0.93],
    [0.18, -0.01, 0.84],
    [0.17, 0.03, 0.89],
    [-0.095, 0.0, 0.92],
    [-0.095, 0.0, 0.50],
    [-0.095, 0.0, 0.085],
    [0.095, 0.0, 0.92],
    [0.095, 0.0, 0.50],
    [0.095, 0.0, 0.085],
];

/// The bone's x axis points up, z ahead.
const UP: Quat = Quat::new(-0.5, -0.5, -0.5, 0.5);
/// The bone's x axis points down, z ahead.
const DOWN: Quat = Quat::new(-0.5, 0.5, 0.5, 0.5);
/// The bone's x axis points ahead, z up.
const AHEAD: Quat = Quat::new(0.0, 0.0, core::f32::consts::FRAC_1_SQRT_2, core::f32::consts::FRAC_1_SQRT_2);
/// The pelvis in the root's space. Source: humans and combat, Animation tasks (reference pose).
const PELVIS: Quat = Quat::new(-0.5, 0.5, -0.5, 0.5);

/// How a bone lies in the standing pose, in the human's space: its x axis runs along it, as its strike shape wants.
pub fn rest_rotation(bone: usize) -> Quat {
    match bone {
        bone::MOTION => Quat::IDENTITY,
        bone::PELVIS => UP * PELVIS,
        bone::LEFT_FOOT | bone::RIGHT_FOOT => AHEAD,
        bone::LEFT_ARM..=21 | bone::RIGHT_ARM..=27 | 28 | 29 | 31 | 32 => DOWN,
        _ => UP,
    }
}

/// What turns joint rotations into places: computed once, then only read.
#[derive(Clone, Debug)]
pub struct Skeleton {
    /// Each bone's joint in its parent's space, metres at scale 1.
    pub offsets: [Vec3; BONES],
    /// The standing pose. Missing channels are filled from it.
    pub reference: [Quat; BONES],
    /// Height of the root in the standing pose, metres.
    pub root_height: f32,
}

impl Default for Skeleton {
    fn default() -> Self {
        Self::new()
    }
}

impl Skeleton {
    /// The skeleton of every human; classes differ by their scale.
    pub fn new() -> Self {
        let (mut offsets, mut reference) = ([Vec3::ZERO; BONES], [Quat::IDENTITY; BONES]);
        for n in 1..BONES {
            let parent = PARENTS[n] as usize;
            let outer = rest_rotation(parent).conjugate();
            let between = Vec3::from_array(JOINTS[n]) - Vec3::from_array(JOINTS[parent]);
            offsets[n] = outer.rotate(between);
            reference[n] = outer * rest_rotation(n);
        }
        Self { offsets, reference, root_height: JOINTS[bone::ROOT][2] }
    }

    /// Where every bone is when a human of this scale stands at `place` in a pose.
    pub fn place(&self, pose: &LocalPose, place: &Pose, scale: f32, out: &mut [Pose; BONES]) {
        out[bone::MOTION] = *place;
        out[bone::ROOT] = *place * Pose::new(pose.rotations[bone::ROOT], pose.root * scale);
        for n in bone::ROOT + 1..BONES {
            let parent = &out[PARENTS[n] as usize];
            let position = parent.position + parent.rotation.rotate(self.offsets[n] * scale);
            out[n] = Pose::new(parent.rotation * pose.rotations[n], position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_pose_stands_as_the_joints_say() {
        let skeleton = Skeleton::new();
        let mut bones = [Pose::IDENTITY; BONES];
        skeleton.place(&LocalPose::reference(&skeleton), &Pose::IDENTITY, 1.0, &mut bones);
        for n in 1..BONES {
            let off = (bones[n].position - Vec3::from_array(JOINTS[n])).length();
            assert!(off < 1e-5, "bone {n} is {off} m off");
        }
    }

    #[test]
    fn limbs_lie_along_their_x_axis() {
        let skeleton = Skeleton::new();
        let mut bones = [Pose::IDENTITY; BONES];
        skeleton.place(&LocalPose::reference(&skeleton), &Pose::IDENTITY, 1.0, &mut bones);
        for (from, to) in [(17, 18), (18, 19), (23, 24), (28, 29), (29, 30), (32, 33), (6, 7)] {
            let along =
                bones[from].rotation.axis_x().dot((bones[to].position - bones[from].position).normalize_or_zero());
            assert!(along > 0.99, "bone {from}: {along}");
        }
    }

    #[test]
    fn scale_and_place_move_the_whole_body() {
        let skeleton = Skeleton::new();
        let mut bones = [Pose::IDENTITY; BONES];
        let place = Pose::new(Quat::from_heading(core::f32::consts::FRAC_PI_2), Vec3::new(4.0, 0.0, 1.0));
        skeleton.place(&LocalPose::reference(&skeleton), &place, 0.97, &mut bones);
        let hand = bones[bone::RIGHT_HAND].position;
        assert!((hand - Vec3::new(4.0 - 0.0097, -0.18 * 0.97, 1.0 + 0.93 * 0.97)).length() < 1e-4, "{hand:?}");
    }
}
