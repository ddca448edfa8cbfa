//! What the physics world asks of the things that own bodies.
//!
//! The world holds no pointer to them. Whoever steps the game passes its store of things as an [`Owners`], and the world
//! names each by its [`OwnerId`].

use super::PhysicsWorld;
use super::contact::Contact;
use super::flags::{Answer, TypeMask};
use super::ids::OwnerId;
use crate::collision::CollisionMesh;
use crate::maths::{Pose, Quat, Vec3};

/// A numbered property of an owner.
///
/// Source: seed 002, Attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Attribute {
    /// 1: weight; 82 for every human.
    Weight = 1,
    /// 2: the one that a human says it has; nobody is known to ask.
    Second = 2,
    /// 7: push weight, 1 or 1e9.
    PushWeight = 7,
    /// 8: restitution of a bounce.
    Restitution = 8,
}

/// What a human's bearing does to its capsule's lower end.
///
/// Source: seed 002, The human body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Posture {
    /// The capsule stands on the feet.
    #[default]
    Upright,
    /// One mode lifts the lower end by 0.61 m times the scale.
    Lifted,
    /// Some states lift it by 0.7 m times the scale, at most 0.7 m above the ground; a long fall does not.
    Raised,
    /// The capsule is 0.35 m times the scale tall.
    Cuffed,
}

/// What the physics world reads of a human.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HumanState {
    /// Class scale, 0.97 for the player.
    pub scale: f32,
    /// Height of bone 6 in the world, in metres.
    pub head_height: f32,
    /// Height of the ground under it, in metres.
    pub ground_height: f32,
    /// Its bearing.
    pub posture: Posture,
    /// In a long fall.
    pub long_fall: bool,
    /// In the air.
    pub airborne: bool,
    /// Holding something (held flag 0x800).
    pub holding: bool,
    /// Above gait 3.
    pub running: bool,
    /// Its player's number.
    pub player: Option<u8>,
    /// May slide round corners: not while paired or blocking.
    pub slides: bool,
    /// The other human of a grab.
    pub grab_partner: Option<OwnerId>,
    /// The human that a grab or tackle is aimed at.
    pub target: Option<OwnerId>,
    /// Reach of the current attack in metres, 0 without one.
    pub attack_reach: f32,
    /// Height of the landing segment's start above the feet, in metres (0.88 for the player).
    pub landing_rise: f32,
}

impl Default for HumanState {
    fn default() -> Self {
        Self {
            scale: 1.0,
            head_height: 0.0,
            ground_height: 0.0,
            posture: Posture::Upright,
            long_fall: false,
            airborne: false,
            holding: false,
            running: false,
            player: None,
            slides: true,
            grab_partner: None,
            target: None,
            attack_reach: 0.0,
            landing_rise: 0.88,
        }
    }
}

/// A human that was pushed, told to its owner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushedBy {
    /// Who walked into it.
    pub mover: OwnerId,
    /// The move's unit direction.
    pub direction: Vec3,
    /// The contact's unit normal, at the mover.
    pub normal: Vec3,
}

/// The store of things that own bodies.
pub trait Owners {
    /// What kind of thing it is.
    fn type_mask(&self, owner: OwnerId) -> TypeMask;
    /// Where it is now.
    fn pose(&self, owner: OwnerId) -> Pose;
    /// Where one of its bones is.
    fn bone(&self, owner: OwnerId, bone: u8) -> Pose;
    /// Where the thing in its hand is.
    fn held_pose(&self, owner: OwnerId) -> Option<Pose>;
    /// The human it is, if it is one.
    fn human(&self, owner: OwnerId) -> Option<HumanState>;
    /// A numbered property, 0 for those it does not have.
    fn attribute(&self, owner: OwnerId, attribute: Attribute) -> f32;
    /// Sets a numbered property.
    fn set_attribute(&mut self, owner: OwnerId, attribute: Attribute, value: f32);
    /// Whether it has a numbered property at all; a human says so of [`Attribute::Second`] only.
    fn has_attribute(&self, owner: OwnerId, attribute: Attribute) -> bool;
    /// State bits that a filtered query may exclude.
    fn state_flags(&self, owner: OwnerId) -> u32;
    /// Whether it lets another touch it. Humans always do.
    fn accepts(&self, owner: OwnerId, other: OwnerId) -> bool;
    /// Moves it.
    fn set_position(&mut self, owner: OwnerId, position: Vec3);
    /// Turns it; nothing happens while it is held.
    fn set_rotation(&mut self, owner: OwnerId, rotation: Quat);
    /// Changes its velocity in m/s.
    fn set_velocity(&mut self, owner: OwnerId, velocity: Vec3);
    /// What becomes of a contact of its moving body. The mesh is the one that the body is swept against; a handler that
    /// switches a triangle off takes it out of the walk that is under way.
    fn on_contact(
        &mut self,
        world: &mut PhysicsWorld,
        mesh: Option<&mut CollisionMesh>,
        owner: OwnerId,
        contact: &Contact,
    ) -> Answer;
    /// Its body was pushed by a walker.
    fn on_pushed(&mut self, owner: OwnerId, by: &PushedBy);
    /// Its settle has ended: it loses the settling flag and gains the settled one.
    fn on_settled(&mut self, owner: OwnerId);
}
