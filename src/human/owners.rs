//! Humans as the physics sees them.
//!
//! Source: seed 002, The human body and Human contacts.

use super::numbers::{RUN, state};
use super::store::Humans;
use crate::collision::CollisionMesh;
use crate::combat::deeds::Deed;
use crate::maths::{Pose, Quat, Vec3, heading_of};
use crate::physics::PhysicsWorld;
use crate::physics::contact::Contact;
use crate::physics::flags::{Answer, BodyFlags, TypeMask};
use crate::physics::human_body::{human_attribute, human_has_attribute};
use crate::physics::humans::{Met, MoverState, human_answer};
use crate::physics::ids::OwnerId;
use crate::physics::owner::{Attribute, HumanState, Owners, Posture, PushedBy};
use crate::tasks::humans::gates::{held, state as gate_state};
use crate::tasks::ids::{TaskClass, TaskId};

/// The owner's number of a human.
pub fn owner_of_human(human: usize) -> OwnerId {
    OwnerId(u32::from(TaskClass::Human.first()) + human as u32)
}

/// The human of an owner's number.
pub fn human_of_owner(owner: OwnerId) -> Option<usize> {
    if owner.0 > u32::from(u16::MAX) {
        return None;
    }
    TaskId::from_row(owner.0 as u16).index_in(TaskClass::Human)
}

/// Height of the landing segment's start over the feet at scale 1: the player's is 0.880 m.
const LANDING_RISE: f32 = 0.907;

impl Owners for Humans {
    fn type_mask(&self, owner: OwnerId) -> TypeMask {
        if self.of_owner(owner).is_some() { TypeMask(TaskClass::Human.type_bits()) } else { TypeMask(0) }
    }

    fn pose(&self, owner: OwnerId) -> Pose {
        self.of_owner(owner).map_or(Pose::IDENTITY, super::person::Human::pose)
    }

    fn bone(&self, owner: OwnerId, bone: u8) -> Pose {
        self.of_owner(owner).and_then(|human| human.bones.get(usize::from(bone)).copied()).unwrap_or_default()
    }

    fn held_pose(&self, owner: OwnerId) -> Option<Pose> {
        let human = self.of_owner(owner)?;
        human.fight.weapon.map(|held| human.bones[crate::animation::skeleton::bone::RIGHT_HAND] * held.grip)
    }

    fn human(&self, owner: OwnerId) -> Option<HumanState> {
        let human = self.of_owner(owner)?;
        let scale = human.spawn.scale;
        Some(HumanState {
            scale,
            head_height: human.bones[crate::animation::skeleton::bone::HEAD].position.z,
            ground_height: human.ground_height,
            posture: Posture::Upright,
            long_fall: human.is(gate_state::LONG_FALL),
            airborne: human.is_airborne(),
            holding: human.held & held::DEAD != 0,
            running: human.gait >= RUN,
            player: human.spawn.player,
            slides: human.fight.partner.is_none() && !human.is(state::BLOCKING),
            grab_partner: human.fight.partner.map(|other| owner_of_human(usize::from(other))),
            target: human.fight.target.map(|other| owner_of_human(usize::from(other))),
            attack_reach: human.fight.reach,
            landing_rise: LANDING_RISE * scale,
        })
    }

    fn attribute(&self, owner: OwnerId, attribute: Attribute) -> f32 {
        self.of_owner(owner).map_or(0.0, |human| human_attribute(attribute, human.push_weight))
    }

    fn set_attribute(&mut self, owner: OwnerId, attribute: Attribute, value: f32) {
        if let (Some(human), Attribute::PushWeight) = (self.of_owner_mut(owner), attribute) {
            human.push_weight = value;
        }
    }

    fn has_attribute(&self, owner: OwnerId, attribute: Attribute) -> bool {
        self.of_owner(owner).is_some() && human_has_attribute(attribute)
    }

    fn state_flags(&self, owner: OwnerId) -> u32 {
        self.of_owner(owner).map_or(0, |human| human.state as u32)
    }

    fn accepts(&self, _: OwnerId, _: OwnerId) -> bool {
        true
    }

    fn set_position(&mut self, owner: OwnerId, position: Vec3) {
        if let Some(human) = self.of_owner_mut(owner) {
            human.position = position;
        }
    }

    fn set_rotation(&mut self, owner: OwnerId, rotation: Quat) {
        if let Some(human) = self.of_owner_mut(owner) {
            human.heading = heading_of(rotation.axis_y());
        }
    }

    fn set_velocity(&mut self, owner: OwnerId, velocity: Vec3) {
        if let Some(human) = self.of_owner_mut(owner) {
            human.velocity = velocity;
        }
    }

    fn on_contact(
        &mut self,
        world: &mut PhysicsWorld,
        _: Option<&mut CollisionMesh>,
        owner: OwnerId,
        contact: &Contact,
    ) -> Answer {
        let met = contact.other.owner;
        let Some((n, body)) = human_of_owner(owner).zip(self.of_owner(owner).map(|human| human.body)) else {
            return Answer::PASS;
        };
        let other = met.map(|met| Met {
            kinds: match human_of_owner(met) {
                Some(_) => TypeMask(TaskClass::Human.type_bits()),
                None => TypeMask(crate::tasks::owners::task_of(met).class().map_or(0, TaskClass::type_bits)),
            },
            layers: contact.other.body.map_or(BodyFlags::NONE, |body| world.body(body).flags),
            ignored: body.is_some_and(|body| world.is_ignoring(body, Some(met), &*self)),
        });
        let human = &mut self.people[n];
        let mover = MoverState {
            airborne: human.is_airborne(),
            charging: human.fight.strikes_with_body(),
            running: human.gait >= RUN,
            climbs_through: false,
        };
        let found = human_answer(contact, other, mover);
        if human.fight.is_charge() && contact.is_level() && !found.lands {
            human.fight.stopped = true;
        }
        if let (true, Some(body), Some(target)) = (found.strikes, body, met) {
            world.ignore(body, met);
            match human_of_owner(target) {
                // Whom the body strikes is hit when the move is over.
                Some(place) => human.fight.met |= 1 << place,
                None => {
                    let damage = self.body_attack(n).damage;
                    self.did(Deed::Struck { by: n as u8, target, at: contact.point, damage, wielded: false });
                }
            }
        }
        found.answer
    }

    fn on_pushed(&mut self, owner: OwnerId, by: &PushedBy) {
        if let Some(pushed) = human_of_owner(owner).filter(|pushed| self.people[*pushed].present) {
            self.was_pushed(pushed, by);
        }
    }

    fn on_settled(&mut self, _: OwnerId) {}
}
