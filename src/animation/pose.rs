//! Poses: a rotation per bone, the root's place, and which bones nobody animates.

use super::skeleton::{BONES, Skeleton, bone};
use crate::maths::{Quat, Vec3};

/// A pose in the human's own space.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalPose {
    /// Rotation of each bone in its parent's space; the root's is in the human's.
    pub rotations: [Quat; BONES],
    /// Place of the root in the human's space, metres at scale 1.
    pub root: Vec3,
    /// Bones that come from the reference pose, a bit each. Source: humans and combat, Animation tasks (tagged).
    pub tagged: u64,
}

/// Every bone.
const ALL: u64 = (1 << BONES) - 1;

impl LocalPose {
    /// The standing pose, all of it tagged.
    pub fn reference(skeleton: &Skeleton) -> Self {
        let mut rotations = skeleton.reference;
        rotations[bone::ROOT] = super::skeleton::rest_rotation(bone::ROOT);
        Self { rotations, root: Vec3::new(0.0, 0.0, skeleton.root_height), tagged: ALL }
    }

    fn is_tagged(&self, bone: usize) -> bool {
        self.tagged >> bone & 1 == 1
    }

    /// Blends towards another pose: 0 keeps this one, 1 takes the other.
    ///
    /// Of two tagged bones the lower pose's stays, and the motion channels ignore a tagged side.
    ///
    /// Source: humans and combat, Animation tasks.
    pub fn blend(&mut self, other: &Self, share: f32) {
        for n in 0..BONES {
            match (self.is_tagged(n), other.is_tagged(n)) {
                (true, true) => {}
                (false, true) if n <= bone::ROOT => {}
                (true, false) if n <= bone::ROOT => self.take(other, n),
                _ => {
                    self.rotations[n] = self.rotations[n].nlerp(other.rotations[n], share);
                    if n == bone::ROOT {
                        self.root = self.root.lerp(other.root, share);
                    }
                }
            }
        }
        self.tagged &= other.tagged;
    }

    /// Lays another pose over this one where it is animated and the mask has its bit.
    pub fn overlay(&mut self, other: &Self, mask: u64, share: f32) {
        for n in (0..BONES).filter(|n| mask >> n & 1 == 1 && !other.is_tagged(*n)) {
            self.rotations[n] = self.rotations[n].nlerp(other.rotations[n], share);
        }
        self.tagged &= other.tagged | !mask;
    }

    fn take(&mut self, other: &Self, n: usize) {
        self.rotations[n] = other.rotations[n];
        if n == bone::ROOT {
            self.root = other.root;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(angle: f32, tagged: u64) -> LocalPose {
        let mut pose = LocalPose::reference(&Skeleton::new());
        pose.rotations[bone::HEAD] = Quat::from_axis_angle(Vec3::X, angle);
        pose.rotations[bone::ROOT] = Quat::from_axis_angle(Vec3::X, angle);
        pose.root.z = angle;
        pose.tagged = tagged;
        pose
    }

    #[test]
    fn a_half_blend_turns_half_way() {
        let mut pose = turned(0.0, 0);
        pose.blend(&turned(1.0, 0), 0.5);
        assert!(pose.rotations[bone::HEAD].dot(Quat::from_axis_angle(Vec3::X, 0.5)) > 0.99999);
        assert_eq!(pose.root.z, 0.5);
    }

    #[test]
    fn of_two_tagged_bones_the_lower_stays_and_motion_ignores_a_tagged_side() {
        let mut pose = turned(0.0, ALL);
        pose.blend(&turned(1.0, ALL), 0.5);
        assert_eq!(pose.root.z, 0.0);
        assert_eq!(pose.tagged, ALL);
        pose.blend(&turned(1.0, 0), 0.25);
        assert_eq!(pose.root.z, 1.0, "the tagged side counts for nothing");
        assert_eq!(pose.tagged, 0);
        let mut pose = turned(0.0, 0);
        pose.blend(&turned(1.0, ALL), 0.5);
        assert_eq!(pose.root.z, 0.0);
        assert!(pose.rotations[bone::HEAD].dot(Quat::from_axis_angle(Vec3::X, 0.5)) > 0.99999);
    }

    #[test]
    fn a_layer_lies_over_its_bones_only() {
        let mut pose = turned(0.0, 0);
        pose.overlay(&turned(1.0, 0), 1 << bone::HEAD, 1.0);
        assert!(pose.rotations[bone::HEAD].dot(Quat::from_axis_angle(Vec3::X, 1.0)) > 0.99999);
        assert_eq!(pose.rotations[bone::ROOT], Quat::from_axis_angle(Vec3::X, 0.0));
    }
}
