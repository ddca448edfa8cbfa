//! Resolving contacts: the mover's owner answers, the body advances, the velocities change.

use super::PhysicsWorld;
use super::constants::{AIRBORNE_CONTACT_SCALE, BACK_OFF, BODY_CONTACT_SCALE, MESH_CONTACT_SCALE, PUSH_SHARE};
use super::contact::{Contact, ContactList};
use super::flags::{Answer, BodyFlags, ContactFlags};
use super::ids::{BodyId, OwnerId};
use super::owner::{Attribute, Owners, PushedBy};
use crate::collision::{CollisionMesh, TriangleFlags};
use crate::maths::Vec3;

/// How far a body advances to 0.01 m short of a touch, along the normal only: the part of the move along the surface is
/// not applied. A touch less than 0.01 m away moves it not at all.
///
/// `d` is the move in metres, `fraction` the touch's share of it.
///
/// Source: seed 002, Contacts (PhysicsVec_BackOffPlane 0x0033d7b8).
// Covers: seed 002, PhysicsVec_BackOffPlane (0x0033d7b8) test=a_body_advances_to_a_hundredth_short_of_the_touch
pub fn back_off(normal: Vec3, d: Vec3, fraction: f32) -> Vec3 {
    let along = fraction * (-normal.dot(d)).max(0.0);
    if along > BACK_OFF { normal * -(along - BACK_OFF) } else { Vec3::ZERO }
}

/// A velocity without its part into a surface.
///
/// Source: seed 002, Contacts (Vec_RemoveNormalPart 0x0033d870).
// Covers: seed 002, Vec_RemoveNormalPart (0x0033d870) test=only_the_part_into_the_surface_is_removed
pub fn remove_normal_part(v: Vec3, normal: Vec3) -> Vec3 {
    let k = v.dot(normal);
    if k < 0.0 { v - normal * k } else { v }
}

/// A velocity bounced off a surface: into it, it comes back with the restitution; out of it, it is cut by as much.
///
/// Source: seed 002, Attributes (PhysicsVec_Bounce 0x0033d8f0).
// Covers: seed 002, PhysicsVec_Bounce (0x0033d8f0) test=a_bounce_comes_back_with_its_restitution_and_cuts_what_goes_out
pub fn bounce(v: Vec3, normal: Vec3, restitution: f32) -> Vec3 {
    let k = v.dot(normal);
    let change = if k < 0.0 { 1.0 + restitution } else { restitution };
    v - normal * (k * change)
}

/// The velocities of a sweep and what its contacts asked for.
#[derive(Clone, Copy, Debug)]
pub struct Velocities {
    /// The move's velocity in m/s, with the pending push and the slides.
    pub of_move: Vec3,
    /// The real velocity in m/s, which may be written back to the owner.
    pub real: Vec3,
    /// The largest contact scale asked for.
    pub scale: Option<f32>,
    /// A stopping contact asked for the write-back.
    pub write: bool,
    /// A corner slide has been stored as a push in this move.
    pub slide_stored: bool,
}

impl Velocities {
    /// The same velocity for the move and the owner.
    pub fn new(velocity: Vec3) -> Self {
        Self { of_move: velocity, real: velocity, scale: None, write: false, slide_stored: false }
    }

    fn map(&mut self, change: impl Fn(Vec3) -> Vec3) {
        self.of_move = change(self.of_move);
        self.real = change(self.real);
    }
}

/// How a walk over contacts ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// Nothing stopped the move: it goes on.
    GoesOn,
    /// A contact stopped it: the sweep makes another pass.
    Stopped,
    /// The move is over.
    Aborted,
}

impl PhysicsWorld {
    /// Walks over contacts by fraction and lets the mover's owner decide each. One is skipped when its triangle has been
    /// switched off since it was found, or when the other owner has lost its body.
    ///
    /// `d` is this pass's move in metres.
    ///
    /// Source: seed 002, Contacts (PhysicsBody_ResolveContacts 0x0033d9d8).
    // Covers: seed 002, PhysicsBody_ResolveContacts (0x0033d9d8) test=physics::sweep::tests::each_code_does_what_it_says_to_a_falling_box default=Walk::GoesOn
    #[expect(clippy::too_many_arguments, reason = "the parts of one walk")]
    pub(super) fn resolve(
        &mut self,
        list: &ContactList,
        id: BodyId,
        owner: OwnerId,
        d: Vec3,
        velocity: &mut Velocities,
        mut mesh: Option<&mut CollisionMesh>,
        owners: &mut dyn Owners,
    ) -> Walk {
        for contact in list.as_slice() {
            let lost = |other: OwnerId| contact.other.body.is_none_or(|body| self.body(body).owner != Some(other));
            let off = match (contact.triangle, mesh.as_deref()) {
                (Some(triangle), Some(mesh)) => !mesh.flags(triangle).has(TriangleFlags::ENABLED),
                _ => false,
            };
            if off || contact.other.owner.is_some_and(lost) {
                continue;
            }
            let answer = owners.on_contact(self, mesh.as_deref_mut(), owner, contact);
            self.apply(answer, contact, id, owner, d, velocity, mesh.as_deref_mut(), owners);
            if answer.has(Answer::ABORT) {
                return Walk::Aborted;
            }
            if answer.has(Answer::GO_ON) {
                return Walk::GoesOn;
            }
            if answer.code() != 0 {
                return Walk::Stopped;
            }
        }
        Walk::GoesOn
    }

    /// What an answer does to the body and its velocities.
    #[expect(clippy::too_many_arguments, reason = "the parts of one contact's resolution")]
    fn apply(
        &mut self,
        answer: Answer,
        contact: &Contact,
        id: BodyId,
        owner: OwnerId,
        d: Vec3,
        velocity: &mut Velocities,
        mesh: Option<&mut CollisionMesh>,
        owners: &mut dyn Owners,
    ) {
        let n = contact.normal;
        let code = Answer(answer.code());
        if code == Answer::PUSH {
            self.push_other(contact, owner, d, owners);
        }
        if matches!(code, Answer::SLIDE | Answer::BOUNCE | Answer::STOP | Answer::PUSH) {
            let advance = self.advance(contact, id, owner, d, mesh, owners);
            if advance != Vec3::ZERO {
                let position = owners.pose(owner).position;
                owners.set_position(owner, position + advance);
                self.mark_dirty(id);
            }
        }
        match code {
            Answer::SLIDE | Answer::PUSH => velocity.map(|v| remove_normal_part(v, n)),
            Answer::BOUNCE => {
                let restitution = owners.attribute(owner, Attribute::Restitution);
                velocity.map(|v| bounce(v, n, restitution));
            }
            Answer::STOP => velocity.map(|_| Vec3::ZERO),
            _ => {}
        }
        if code != Answer::PASS {
            velocity.write |= self.writes_back(contact, id, owners);
            if answer.has(Answer::SCALED) {
                let scale = self.contact_scale(id, contact, owners);
                velocity.scale = Some(velocity.scale.map_or(scale, |largest| largest.max(scale)));
            }
            self.add_corner_slide(contact, id, d, velocity);
        }
    }

    /// Moves the other body away by half of the move into it on its own next sweep, and tells its owner.
    ///
    /// Source: seed 002, Contacts (code 4).
    // Covers: seed 002, PhysicsHumanBody_OnStruck (0x00342130) test=physics::sweep::tests::walking_into_a_human_slides_along_it_and_pushes_it_by_half
    fn push_other(&mut self, contact: &Contact, owner: OwnerId, d: Vec3, owners: &mut dyn Owners) {
        let (Some(other), Some(body)) = (contact.other.owner, contact.other.body) else { return };
        let n = contact.normal;
        if !self.body(body).flags.has(BodyFlags::NOT_PUSHABLE) {
            let divisor = owners.attribute(other, Attribute::Weight) * owners.attribute(other, Attribute::PushWeight);
            if divisor > 0.0 {
                let share = PUSH_SHARE * d.dot(n) * owners.attribute(owner, Attribute::Weight) / divisor;
                self.body_mut(body).push += n * share;
            }
        }
        owners.on_pushed(other, &PushedBy { mover: owner, direction: d.normalize_or_zero(), normal: n });
    }

    /// The corner slide of a contact, without its part along the move. On the ground a walker's contacts have flag 0x1; nothing
    /// here sets 0x2, as nothing in the seed does.
    ///
    /// Source: seed 002, Contacts (contact flags 0x1 and 0x2).
    fn add_corner_slide(&mut self, contact: &Contact, id: BodyId, d: Vec3, velocity: &mut Velocities) {
        if self.body(id).flags.has(BodyFlags::NO_SLIDE) {
            return;
        }
        let direction = d.normalize_or_zero();
        let slide = contact.slide - direction * contact.slide.dot(direction);
        if contact.flags.has(ContactFlags::CORNER_SLIDE) {
            velocity.of_move += slide;
        }
        if contact.flags.has(ContactFlags::SLIDE_AS_PUSH) && !velocity.slide_stored {
            self.body_mut(id).push = slide;
            velocity.slide_stored = true;
        }
    }

    /// Whether a stopping contact asks for the velocity to be written back: not for a triangle that keeps velocities, nor
    /// between two humans in the air.
    ///
    /// Source: seed 002, Sweeping a body (0x0033e738).
    fn writes_back(&self, contact: &Contact, id: BodyId, owners: &dyn Owners) -> bool {
        let airborne =
            |owner: Option<OwnerId>| owner.and_then(|owner| owners.human(owner)).is_some_and(|human| human.airborne);
        let both_airborne = airborne(self.body(id).owner) && airborne(contact.other.owner);
        let keeps = contact.is_level() && contact.flags.has(ContactFlags::KEEPS_VELOCITY);
        !keeps && !both_airborne
    }

    /// By what a body's velocity is scaled after a contact: against bodies not at all, against the mesh by 0.98; a human's
    /// by a quarter in the air and else not.
    ///
    /// Source: seed 002, Bodies (GetContactScale 0x00341e18) and The human body (0x00342288).
    // Covers: seed 002, PhysicsBody_GetContactScale (0x00341e18) test=tasks::owners::tests::a_brick_dropped_through_the_ticks_has_the_traced_velocities
    // Covers: seed 002, PhysicsHumanBody_GetContactScale (0x00342288) test=physics::sweep::tests::an_airborne_human_keeps_a_quarter_and_two_of_them_write_nothing
    pub fn contact_scale(&self, id: BodyId, contact: &Contact, owners: &dyn Owners) -> f32 {
        match self.body(id).owner.and_then(|owner| owners.human(owner)) {
            Some(human) if human.airborne => AIRBORNE_CONTACT_SCALE,
            Some(_) => BODY_CONTACT_SCALE,
            None if contact.is_level() => MESH_CONTACT_SCALE,
            None => BODY_CONTACT_SCALE,
        }
    }
}

/// Marks a contact whose triangle keeps velocities.
pub(super) fn read_triangle_flags(flags: TriangleFlags, contact: &mut Contact) {
    if flags.has(TriangleFlags::KEEPS_VELOCITY) {
        contact.flags |= ContactFlags::KEEPS_VELOCITY;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::bench::{Things, human};

    fn near(a: Vec3, b: [f32; 3]) {
        assert!((a - Vec3::from_array(b)).length() < 1e-5, "{a:?}, expected {b:?}");
    }

    #[test]
    fn a_body_advances_to_a_hundredth_short_of_the_touch() {
        near(back_off(Vec3::Z, Vec3::Z * -0.1, 0.5), [0.0, 0.0, -0.04]);
        near(back_off(Vec3::Z, Vec3::Z * -0.1, 0.05), [0.0; 3]);
        near(back_off(Vec3::Z, Vec3::Z * 0.1, 0.5), [0.0; 3]);
        near(back_off(-Vec3::X, Vec3::new(0.2, 0.7, 0.0), 0.5), [0.09, 0.0, 0.0]);
    }

    #[test]
    fn only_the_part_into_the_surface_is_removed() {
        near(remove_normal_part(Vec3::new(1.0, 2.0, -3.0), Vec3::Z), [1.0, 2.0, 0.0]);
        near(remove_normal_part(Vec3::new(1.0, 2.0, 3.0), Vec3::Z), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_bounce_comes_back_with_its_restitution_and_cuts_what_goes_out() {
        near(bounce(Vec3::Z * -5.0, Vec3::Z, 0.1), [0.0, 0.0, 0.5]);
        near(bounce(Vec3::Z * -2.0, Vec3::Z, 0.1), [0.0, 0.0, 0.2]);
        near(bounce(Vec3::Z * 2.0, Vec3::Z, 0.1), [0.0, 0.0, 1.8]);
        near(bounce(Vec3::new(6.0, 1.0, 0.0), -Vec3::X, 0.1), [-0.6, 1.0, 0.0]);
    }

    #[test]
    fn a_slide_that_is_a_push_is_stored_once_a_move_without_its_part_along_it() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let owner = things.add(human(Vec3::ZERO));
        let id = world.create_human_body(owner, &things).unwrap();
        let d = Vec3::Y * 0.1;
        let mut velocity = Velocities::new(d * 30.0);
        for (slide, stored) in [([0.5, 0.2, 0.0], [0.5, 0.0, 0.0]), ([-0.7, 0.0, 0.0], [0.5, 0.0, 0.0])] {
            let contact = Contact {
                normal: -Vec3::Y,
                slide: Vec3::from_array(slide),
                flags: ContactFlags::SLIDE_AS_PUSH,
                ..Contact::default()
            };
            let mut list = ContactList::new();
            list.insert(contact);
            assert_eq!(world.resolve(&list, id, owner, d, &mut velocity, None, &mut things), Walk::Stopped);
            near(world.body(id).push, stored);
        }
        near(velocity.of_move, [0.0; 3]);
        // The next move stores anew.
        let mut velocity = Velocities::new(d * 30.0);
        let mut list = ContactList::new();
        let flags = ContactFlags::SLIDE_AS_PUSH;
        list.insert(Contact { normal: -Vec3::Y, slide: Vec3::X, flags, ..Contact::default() });
        world.resolve(&list, id, owner, d, &mut velocity, None, &mut things);
        near(world.body(id).push, [1.0, 0.0, 0.0]);
    }
}
