//! In a hand, out of it, and on the way: what is carried, thrown, and what it does to whom it meets.
//!
//! Source: seed 002, How things actually move and Settling (wear); seed 000, World objects.

use super::super::engine::TaskEngine;
use super::super::handle::Handle;
use super::super::ids::TaskId;
use super::super::world::World;
use super::hits::ObjectContact;
use crate::maths::{Pose, Quat, Vec3};
use crate::physics::flags::BodyFlags;
use crate::physics::objects::Release;

/// The slot of the hand that holds a thing. Our choice: a human holds one thing, in the right hand.
const HAND_SLOT: i16 = 0;
/// Speed at which a thrown thing hurts as much as a blow with it, metres a second. Our choice: that of a throw.
const FULL_SPEED: f32 = 11.0;
/// The share of its velocity that a thing keeps when it has hit somebody. Our choice: it drops before the feet.
const KEPT: f32 = 0.2;

impl TaskEngine {
    /// A human takes a thing into a hand: it hangs from `part` in the part's own space, and has no body meanwhile, so that
    /// nothing meets it where it lay. Says whether the human may take it.
    pub fn take_in_hand(
        &mut self,
        world: &mut dyn World,
        id: TaskId,
        (human, holder): (u16, Handle),
        part: u8,
        grip: Pose,
    ) -> bool {
        if !self.pick_up(world, id, human, holder, HAND_SLOT) {
            return false;
        }
        self.free_object_body(world, id);
        self.set_attach_offset(id, grip.position);
        if let Some(head) = self.manager.head_mut(id) {
            head.set_attach_point(part, 0);
            (head.position, head.rotation) = (grip.position, grip.rotation);
        }
        true
    }

    /// What a human holds is let fall where it is. Says whether it was held.
    pub fn let_fall(&mut self, world: &mut dyn World, id: TaskId) -> bool {
        if self.object_holder(id).is_none() {
            return false;
        }
        self.detach_object(world, id);
        self.give_body_back(world, id);
        self.tell_zone(world, id, super::super::engine::number::DROPPED);
        true
    }

    /// What a human holds is thrown: its next update starts with the release, turned and spinning as it is told to, and its
    /// first contact wears it. Says whether that human held it.
    ///
    /// Source: seed 002, How things actually move (+0x10c, the holder at +0x11c) and Bodies (flag 0x1).
    pub fn throw_object(
        &mut self,
        world: &mut dyn World,
        id: TaskId,
        thrower: u16,
        release: Release,
        (rotation, spin): (Quat, Vec3),
    ) -> bool {
        if self.object_holder(id) != Some(thrower) {
            return false;
        }
        self.set_object_slot(world, id, -1);
        self.manager.set_pose(id, Pose::new(rotation, release.position));
        self.drop_object(id);
        self.give_body_back(world, id);
        if let Some(head) = self.manager.head_mut(id) {
            head.set_angular_velocity(spin);
        }
        let Some(object) = self.object_mut(id) else { return false };
        (object.throw, object.thrown, object.thrower) = (Some(release), true, Some(thrower));
        if let Some(body) = object.body {
            world.change_body_flags(body, BodyFlags::SWEEPS_IN_UPDATE.0, 0);
        }
        true
    }

    fn give_body_back(&mut self, world: &mut dyn World, id: TaskId) {
        self.create_object_body(world, id);
        if let Some(body) = self.object(id).and_then(|object| object.body) {
            world.place_body(self, body);
        }
    }

    /// A thrown thing has hit somebody: the human is hurt by whoever threw it, and the thing wears.
    ///
    /// Source: seed 002, How things actually move (ThrownObject_HitHuman 0x00392b88). Our choice of the damage: the type's own,
    /// by the speed.
    pub fn thrown_hits_human(
        &mut self,
        world: &mut dyn World,
        id: TaskId,
        human: u16,
        contact: &ObjectContact,
    ) -> bool {
        let Some((damage, sound)) = self.object_type(id).map(|kind| (kind.contact_damage, kind.impact_sound)) else {
            return false;
        };
        let Some(thrower) = self.object(id).map(|object| object.thrower) else { return false };
        let share = (contact.speed / FULL_SPEED).min(1.0);
        let points = (damage as f32 * share) as i32;
        let from = self.manager.head(id).map_or(contact.point, |head| head.position - head.velocity);
        if points > 0 {
            world.hurt_by(self, human, points, from, thrower);
        }
        if sound != 0 {
            world.play_sound(sound, contact.point, share);
        }
        if let Some(head) = self.manager.head_mut(id) {
            head.velocity *= KEPT;
        }
        self.object_mut(id).is_some_and(super::WorldObject::wear_once) && self.break_object(world, id, Handle::NIL)
    }

    /// What has lost the human that held it, as one who left the level took it along, is gone. Says whether it is.
    pub fn forget_orphan(&mut self, world: &mut dyn World, id: TaskId) -> bool {
        let orphan = self.manager.head(id).is_some_and(|head| head.is_attached() && self.task(head.parent()).is_none());
        orphan && self.destroy_object(world, id)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fake::{BAT, BRICK, FakeWorld, engine};
    use super::super::super::world::Person;
    use super::super::life::tests::object;
    use super::*;
    use crate::physics::flags::Answer;
    use crate::tasks::head::flag;
    use crate::tasks::ids::TaskClass;

    const HAND: u8 = 25;
    const RELEASE: Release = Release { position: Vec3::new(1.0, 2.0, 1.6), velocity: Vec3::new(0.0, 11.0, 3.0) };

    /// A bat in the hand of the human 0, who stands at the origin.
    fn held() -> (TaskEngine, FakeWorld, TaskId) {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        for n in 0..2 {
            world.persons.insert(n, Person::default());
        }
        let human = tasks.create_human(|| None).unwrap().0;
        let holder = tasks.human_handle(human);
        let id = object(&mut tasks, &mut world, BAT, 0.5);
        tasks.create_object_body(&mut world, id);
        let grip = Pose::new(Quat::IDENTITY, Vec3::new(0.1, 0.0, 0.0));
        assert!(tasks.take_in_hand(&mut world, id, (human, holder), HAND, grip));
        (tasks, world, id)
    }

    #[test]
    fn a_thing_in_a_hand_hangs_from_it_and_nothing_meets_it() {
        let (mut tasks, mut world, id) = held();
        assert_eq!((tasks.object_holder(id), tasks.object(id).unwrap().body), (Some(0), None));
        assert_eq!(tasks.manager.head(id).unwrap().attach_point(), (HAND, 0));
        let holder = tasks.human_handle(0);
        assert!(!tasks.take_in_hand(&mut world, id, (1, holder), HAND, Pose::IDENTITY), "held already");
        assert!(tasks.let_fall(&mut world, id));
        let head = tasks.manager.head(id).unwrap();
        assert!(head.has(flag::AIRBORNE) && !head.is_attached() && tasks.object(id).unwrap().body.is_some());
        assert!(!tasks.let_fall(&mut world, id), "once");
    }

    #[test]
    fn a_throw_starts_at_its_release_and_wears_once() {
        let (mut tasks, mut world, id) = held();
        assert!(!tasks.throw_object(&mut world, id, 1, RELEASE, (Quat::IDENTITY, Vec3::X)), "only who holds it");
        assert!(tasks.throw_object(&mut world, id, 0, RELEASE, (Quat::IDENTITY, Vec3::X)));
        let object = tasks.object(id).unwrap();
        assert_eq!((object.throw, object.thrown, object.thrower), (Some(RELEASE), true, Some(0)));
        assert_eq!(world.body_flags(object.body.unwrap()) & 1, 1);
        let floor = ObjectContact { normal: Vec3::Z, wears_once: true, ..ObjectContact::default() };
        let outcome = tasks.object_contact(id, &floor);
        assert_eq!((outcome.answer, tasks.object(id).unwrap().wear.second), (Answer::BOUNCE | Answer::SCALED, 1));
        assert!(!tasks.object(id).unwrap().thrown);
        let fast = ObjectContact { speed: 9.0, ..floor };
        tasks.object_contact(id, &fast);
        assert_eq!(tasks.object_contact(id, &fast).answer, Answer::GO_ON, "worn out: it breaks and does not bounce");
        tasks.after_contacts(&mut world, id);
        assert!(tasks.object(id).unwrap().broken);
    }

    #[test]
    fn a_thrown_thing_passes_its_thrower_and_ends_its_move_at_the_first_human() {
        let (mut tasks, mut world, id) = held();
        tasks.throw_object(&mut world, id, 0, RELEASE, (Quat::IDENTITY, Vec3::ZERO));
        let human = |n| ObjectContact {
            other: Some(TaskId::new(TaskClass::Human, n)),
            normal: -Vec3::Y,
            speed: 5.5,
            wears_once: true,
            ..ObjectContact::default()
        };
        assert_eq!(tasks.object_contact(id, &human(0)).answer, Answer::PASS);
        assert!(tasks.object(id).unwrap().thrown, "its thrower is nobody");
        assert_eq!(tasks.object_contact(id, &human(1)).answer, Answer::ABORT);
        tasks.after_contacts(&mut world, id);
        assert_eq!(world.hurts, [(1, 7)], "half of the bat's fifteen at half the speed");
        let object = tasks.object(id).unwrap();
        assert_eq!((object.thrown, object.wear.second), (false, 1));
        let again = ObjectContact { wears_once: false, ..human(1) };
        assert_eq!(tasks.object_contact(id, &again).answer, Answer::BOUNCE, "it is no longer thrown");
        tasks.after_contacts(&mut world, id);
        assert_eq!(world.hurts.len(), 1);
    }

    #[test]
    fn what_its_holder_took_along_is_gone() {
        let (mut tasks, mut world, id) = held();
        let other = object(&mut tasks, &mut world, BRICK, 3.0);
        assert!(!tasks.forget_orphan(&mut world, id) && !tasks.forget_orphan(&mut world, other));
        tasks.release_human(0);
        assert!(tasks.forget_orphan(&mut world, id) && !tasks.is_live(id) && tasks.is_live(other));
    }
}
