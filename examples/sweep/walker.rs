//! The human whose whole sweep is asked for.

use boardwalk::collision::CollisionMesh;
use boardwalk::maths::{Pose, Quat, Vec3};
use boardwalk::physics::PhysicsWorld;
use boardwalk::physics::contact::Contact;
use boardwalk::physics::flags::{Answer, TypeMask};
use boardwalk::physics::human_body::{human_attribute, human_has_attribute};
use boardwalk::physics::humans::{MoverState, human_answer};
use boardwalk::physics::ids::OwnerId;
use boardwalk::physics::owner::{Attribute, HumanState, Owners, PushedBy};

/// Its number: it is the only owner there is.
pub const WALKER: OwnerId = OwnerId(1);

/// A human of scale 1 whose sphere has the capsule's radius.
pub struct WalkingHuman {
    /// Where its feet are.
    pub position: Vec3,
    /// How tall its capsule is.
    pub height: f32,
}

impl Owners for WalkingHuman {
    fn type_mask(&self, _: OwnerId) -> TypeMask {
        TypeMask::HUMAN
    }
    fn pose(&self, _: OwnerId) -> Pose {
        Pose::new(Quat::IDENTITY, self.position)
    }
    fn bone(&self, owner: OwnerId, _: u8) -> Pose {
        self.pose(owner)
    }
    fn held_pose(&self, _: OwnerId) -> Option<Pose> {
        None
    }
    fn human(&self, _: OwnerId) -> Option<HumanState> {
        // The capsule reaches 0.2 m above the head.
        let head_height = self.position.z + self.height - 0.2;
        Some(HumanState { head_height, ground_height: self.position.z, ..HumanState::default() })
    }
    fn attribute(&self, _: OwnerId, attribute: Attribute) -> f32 {
        human_attribute(attribute, 1.0)
    }
    fn set_attribute(&mut self, _: OwnerId, _: Attribute, _: f32) {}
    fn has_attribute(&self, _: OwnerId, attribute: Attribute) -> bool {
        human_has_attribute(attribute)
    }
    fn state_flags(&self, _: OwnerId) -> u32 {
        0
    }
    fn accepts(&self, _: OwnerId, _: OwnerId) -> bool {
        true
    }
    fn set_position(&mut self, _: OwnerId, position: Vec3) {
        self.position = position;
    }
    fn set_rotation(&mut self, _: OwnerId, _: Quat) {}
    fn set_velocity(&mut self, _: OwnerId, _: Vec3) {}
    fn on_contact(
        &mut self,
        _: &mut PhysicsWorld,
        _: Option<&mut CollisionMesh>,
        _: OwnerId,
        contact: &Contact,
    ) -> Answer {
        human_answer(contact, None, MoverState::default()).answer
    }
    fn on_pushed(&mut self, _: OwnerId, _: &PushedBy) {}
    fn on_settled(&mut self, _: OwnerId) {}
}
