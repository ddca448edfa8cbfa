//! Ignore lists: owners that a body does not touch.
//!
//! Strikes use them, walking does not.
//!
//! Source: seed 002, Ignore lists.

use super::PhysicsWorld;
use super::ids::{BodyId, OwnerId};
use super::owner::Owners;

impl PhysicsWorld {
    /// Makes a body ignore an owner, or, on a human's body and without an owner, the level. Nothing happens, beyond a
    /// count, when every slot is taken.
    ///
    /// Source: seed 002, Ignore lists (0x00341b20, 0x00342230; the free slot 0x00340890).
    // Covers: seed 002, IPhysics_FindFreeIgnoreSlot (0x00340890) test=with_every_slot_taken_ignore_does_nothing_but_count
    // Covers: seed 002, PhysicsBody_Ignore (0x00341b20) test=a_body_ignores_whom_it_was_told_to_until_it_stops
    // Covers: seed 002, PhysicsHumanBody_Ignore (0x00342230) test=a_human_ignores_the_level_when_told_to_ignore_nobody
    pub fn ignore(&mut self, body: BodyId, owner: Option<OwnerId>) {
        let Some(owner) = owner else {
            self.set_ignores_level(body, true);
            return;
        };
        let Some(free) = self.ignores.iter().position(|slot| slot.body.is_none()) else {
            self.counters.ignores_refused += 1;
            return;
        };
        let next = self.body(body).ignores;
        let slot = &mut self.ignores[free];
        (slot.body, slot.owner, slot.next) = (Some(body), Some(owner), next);
        self.body_mut(body).ignores = Some(free as u8);
    }

    /// Whether a body ignores an owner, or the level. A human always ignores the other human of its grab.
    ///
    /// Source: seed 002, Ignore lists (0x00341ae8, 0x003421d0).
    // Covers: seed 002, PhysicsBody_IsIgnoring (0x00341ae8) test=a_body_ignores_whom_it_was_told_to_until_it_stops
    // Covers: seed 002, PhysicsHumanBody_IsIgnoring (0x003421d0) test=a_human_ignores_the_partner_of_its_grab
    pub fn is_ignoring(&self, body: BodyId, owner: Option<OwnerId>, owners: &dyn Owners) -> bool {
        let Some(owner) = owner else {
            return self.human_parts(body).is_some_and(|parts| parts.ignores_level);
        };
        let partner = self.body(body).owner.and_then(|own| owners.human(own)).and_then(|human| human.grab_partner);
        partner == Some(owner) || self.ignored_slots(body).any(|slot| self.ignores[slot as usize].owner == Some(owner))
    }

    /// Makes a body stop ignoring an owner, or, without one, everybody and the level.
    ///
    /// Source: seed 002, Ignore lists (0x00341b80, 0x00342260).
    // Covers: seed 002, PhysicsBody_StopIgnoring (0x00341b80) test=a_body_ignores_whom_it_was_told_to_until_it_stops
    // Covers: seed 002, PhysicsHumanBody_StopIgnoring (0x00342260) test=a_human_ignores_the_level_when_told_to_ignore_nobody
    pub fn stop_ignoring(&mut self, body: BodyId, owner: Option<OwnerId>) {
        if owner.is_none() {
            self.set_ignores_level(body, false);
        }
        let mut before: Option<u8> = None;
        let mut at = self.body(body).ignores;
        while let Some(slot) = at {
            let next = self.ignores[slot as usize].next;
            if owner.is_none() || self.ignores[slot as usize].owner == owner {
                self.free_slot(body, before, slot);
                if owner.is_some() {
                    return;
                }
            } else {
                before = at;
            }
            at = next;
        }
    }

    /// Frees every slot that names an owner, whichever body's it is.
    ///
    /// Source: seed 002, Ignore lists (IPhysics_ForgetIgnoredOwner 0x0033cd70).
    // Covers: seed 002, IPhysics_ForgetIgnoredOwner (0x0033cd70) test=an_owner_that_leaves_is_forgotten_by_every_body
    pub fn forget_ignored_owner(&mut self, owner: OwnerId) {
        for slot in 0..self.ignores.len() {
            if let Some(body) = self.ignores[slot].body
                && self.ignores[slot].owner == Some(owner)
            {
                let slot = slot as u8;
                let before = self.ignored_slots(body).find(|&other| self.ignores[other as usize].next == Some(slot));
                self.free_slot(body, before, slot);
            }
        }
    }

    fn free_slot(&mut self, body: BodyId, before: Option<u8>, slot: u8) {
        let freed = core::mem::take(&mut self.ignores[slot as usize]);
        match before {
            Some(before) => self.ignores[before as usize].next = freed.next,
            None => self.body_mut(body).ignores = freed.next,
        }
    }

    fn set_ignores_level(&mut self, body: BodyId, ignores: bool) {
        if let Some(parts) = self.human_parts_mut(body) {
            parts.ignores_level = ignores;
        }
    }

    fn ignored_slots(&self, body: BodyId) -> impl Iterator<Item = u8> + '_ {
        core::iter::successors(self.body(body).ignores, |&slot| self.ignores[slot as usize].next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Vec3;
    use crate::physics::bench::{Things, human};
    use crate::physics::pools::IGNORE_SLOTS;

    const BODY: BodyId = BodyId(0);
    const OTHER: BodyId = BodyId(1);

    fn owner(n: u32) -> Option<OwnerId> {
        Some(OwnerId(n))
    }

    #[test]
    fn a_body_ignores_whom_it_was_told_to_until_it_stops() {
        let (mut world, things) = (PhysicsWorld::new(), Things::new());
        for n in [10, 11, 12] {
            world.ignore(BODY, owner(n));
        }
        assert!(world.is_ignoring(BODY, owner(11), &things) && !world.is_ignoring(OTHER, owner(11), &things));
        world.stop_ignoring(BODY, owner(11));
        let ignored = [10, 11, 12].map(|n| world.is_ignoring(BODY, owner(n), &things));
        assert_eq!(ignored, [true, false, true]);
        world.stop_ignoring(BODY, None);
        assert!(![10, 12].iter().any(|&n| world.is_ignoring(BODY, owner(n), &things)));
    }

    #[test]
    fn with_every_slot_taken_ignore_does_nothing_but_count() {
        let (mut world, things) = (PhysicsWorld::new(), Things::new());
        for n in 0..IGNORE_SLOTS as u32 + 1 {
            world.ignore(BODY, owner(n));
        }
        assert!(world.is_ignoring(BODY, owner(59), &things) && !world.is_ignoring(BODY, owner(60), &things));
        assert_eq!(world.counters().ignores_refused, 1);
    }

    #[test]
    fn an_owner_that_leaves_is_forgotten_by_every_body() {
        let (mut world, things) = (PhysicsWorld::new(), Things::new());
        for body in [BODY, OTHER] {
            world.ignore(body, owner(3));
            world.ignore(body, owner(4));
            world.ignore(body, owner(3));
        }
        world.forget_ignored_owner(OwnerId(3));
        for body in [BODY, OTHER] {
            assert!(!world.is_ignoring(body, owner(3), &things) && world.is_ignoring(body, owner(4), &things));
        }
        assert_eq!(world.ignores.iter().filter(|slot| slot.body.is_some()).count(), 2);
    }

    #[test]
    fn a_human_ignores_the_level_when_told_to_ignore_nobody() {
        let (mut world, things) = (PhysicsWorld::new(), Things::new());
        world.ignore(BODY, None);
        assert!(world.is_ignoring(BODY, None, &things));
        world.stop_ignoring(BODY, None);
        assert!(!world.is_ignoring(BODY, None, &things));
    }

    #[test]
    fn a_human_ignores_the_partner_of_its_grab() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let me = things.add(human(Vec3::ZERO));
        world.body_mut(BODY).owner = Some(me);
        assert!(!world.is_ignoring(BODY, owner(7), &things));
        things.get_mut(me).state.as_mut().unwrap().grab_partner = owner(7);
        assert!(world.is_ignoring(BODY, owner(7), &things));
    }
}
