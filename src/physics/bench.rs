//! A small store of things that own bodies, for tests and for the scenes that print facts.
//!
//! A thing has whatever a scene needs of it and remembers what the world asked and told it.

use super::PhysicsWorld;
use super::contact::Contact;
use super::flags::{Answer, TypeMask};
use super::human_body::{human_attribute, human_has_attribute};
use super::ids::OwnerId;
use super::owner::{Attribute, HumanState, Owners, PushedBy};
use crate::collision::CollisionMesh;
use crate::maths::{Pose, Quat, Vec3};
use alloc::vec::Vec;

/// A thing with whatever a test needs of it.
pub struct Thing {
    /// What kind it is.
    pub kinds: TypeMask,
    /// Where it is.
    pub pose: Pose,
    /// Where its bones are.
    pub bones: Vec<Pose>,
    /// Where the thing in its hand is.
    pub held: Option<Pose>,
    /// The human it is.
    pub state: Option<HumanState>,
    /// Attribute 7.
    pub push_weight: f32,
    /// Attribute 8.
    pub restitution: f32,
    /// The velocity that was written to it last.
    pub velocity: Vec3,
    /// How often its velocity was written.
    pub writes: u32,
    /// Its answer to contacts.
    pub answer: Answer,
    /// Answers given before `answer`, first one first.
    pub answers: Vec<Answer>,
    /// The contacts it was asked about.
    pub contacts: Vec<Contact>,
    /// The pushes it was told of.
    pub pushed: Vec<PushedBy>,
    /// Whom it does not touch.
    pub refuses: Option<OwnerId>,
    /// Its state bits.
    pub state_flags: u32,
    /// Its settle has ended.
    pub settled: bool,
    /// Its contacts switch every triangle off.
    pub switches_off: bool,
}

/// A standing human of scale 1.
pub fn human(position: Vec3) -> Thing {
    let state = HumanState { head_height: position.z + 1.7, ..HumanState::default() };
    Thing { kinds: TypeMask::HUMAN, state: Some(state), ..object(Pose::new(Quat::IDENTITY, position)) }
}

/// Something else, of weight 10.
pub fn object(pose: Pose) -> Thing {
    Thing {
        kinds: TypeMask(0x8),
        pose,
        bones: alloc::vec![Pose::IDENTITY; 40],
        held: None,
        state: None,
        push_weight: 1.0,
        restitution: 0.1,
        velocity: Vec3::ZERO,
        writes: 0,
        answer: Answer::SLIDE,
        answers: Vec::new(),
        contacts: Vec::new(),
        pushed: Vec::new(),
        refuses: None,
        state_flags: 0,
        settled: false,
        switches_off: false,
    }
}

/// The store; a thing's number is its owner's.
#[derive(Default)]
pub struct Things {
    things: Vec<Thing>,
}

impl Things {
    /// Nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a thing and answers its number.
    pub fn add(&mut self, thing: Thing) -> OwnerId {
        self.things.push(thing);
        OwnerId(self.things.len() as u32 - 1)
    }

    /// A thing.
    pub fn get(&self, owner: OwnerId) -> &Thing {
        &self.things[owner.0 as usize]
    }

    /// A thing, to be changed.
    pub fn get_mut(&mut self, owner: OwnerId) -> &mut Thing {
        &mut self.things[owner.0 as usize]
    }
}

impl Owners for Things {
    fn type_mask(&self, owner: OwnerId) -> TypeMask {
        self.get(owner).kinds
    }

    fn pose(&self, owner: OwnerId) -> Pose {
        self.get(owner).pose
    }

    fn bone(&self, owner: OwnerId, bone: u8) -> Pose {
        self.get(owner).bones[bone as usize]
    }

    fn held_pose(&self, owner: OwnerId) -> Option<Pose> {
        self.get(owner).held
    }

    fn human(&self, owner: OwnerId) -> Option<HumanState> {
        self.things.get(owner.0 as usize).and_then(|thing| thing.state)
    }

    fn attribute(&self, owner: OwnerId, attribute: Attribute) -> f32 {
        let thing = self.get(owner);
        match attribute {
            Attribute::Restitution if thing.state.is_none() => thing.restitution,
            _ if thing.state.is_some() => human_attribute(attribute, thing.push_weight),
            Attribute::Weight => 10.0,
            Attribute::PushWeight => thing.push_weight,
            _ => 0.0,
        }
    }

    fn set_attribute(&mut self, owner: OwnerId, attribute: Attribute, value: f32) {
        if attribute == Attribute::PushWeight {
            self.get_mut(owner).push_weight = value;
        }
    }

    fn has_attribute(&self, owner: OwnerId, attribute: Attribute) -> bool {
        self.get(owner).state.is_some() && human_has_attribute(attribute)
    }

    fn state_flags(&self, owner: OwnerId) -> u32 {
        self.get(owner).state_flags
    }

    fn accepts(&self, owner: OwnerId, other: OwnerId) -> bool {
        self.get(owner).refuses != Some(other)
    }

    fn set_position(&mut self, owner: OwnerId, position: Vec3) {
        self.get_mut(owner).pose.position = position;
    }

    fn set_rotation(&mut self, owner: OwnerId, rotation: Quat) {
        self.get_mut(owner).pose.rotation = rotation;
    }

    fn set_velocity(&mut self, owner: OwnerId, velocity: Vec3) {
        let thing = self.get_mut(owner);
        thing.velocity = velocity;
        thing.writes += 1;
    }

    fn on_contact(
        &mut self,
        _: &mut PhysicsWorld,
        mesh: Option<&mut CollisionMesh>,
        owner: OwnerId,
        contact: &Contact,
    ) -> Answer {
        let thing = self.get_mut(owner);
        thing.contacts.push(*contact);
        if let (true, Some(mesh)) = (thing.switches_off, mesh) {
            mesh.set_enabled_in_box(Vec3::splat(-1e5), Vec3::splat(1e5), false);
        }
        if thing.answers.is_empty() { thing.answer } else { thing.answers.remove(0) }
    }

    fn on_pushed(&mut self, owner: OwnerId, by: &PushedBy) {
        self.get_mut(owner).pushed.push(*by);
    }

    fn on_settled(&mut self, owner: OwnerId) {
        self.get_mut(owner).settled = true;
    }
}
