//! What is taken by hand and what is taken by touch.

use super::super::engine::TaskEngine;
use super::super::handle::Handle;
use super::super::humans::HUMANS;
use super::super::ids::TaskId;
use super::super::world::{Gift, World};
use super::types::Touch;

/// How near a human has to come to touch a pick-up, metres. Our choice: arm's length.
const TOUCH_RANGE: f32 = 1.0;

impl TaskEngine {
    /// Whether a human may pick an object up: its type allows it, it is shown, whole and free, and so are the hands.
    // Covers: seed 000, WorldObject_CanBePickedBy (0x00395148) test=only_a_free_object_is_picked_by_free_hands
    pub fn can_be_picked_by(&self, world: &dyn World, id: TaskId, human: u16) -> bool {
        let (Some(object), Some(person)) = (self.object(id), world.person(human)) else { return false };
        let held = self.manager.head(id).is_none_or(super::super::head::TaskHead::is_attached);
        let allowed = self.object_type(id).is_some_and(|kind| kind.pickable);
        allowed && !held && !object.hidden && !object.broken && !person.hands_full
    }

    /// A human touches an object: what it holds is given and it is gone. Health is skipped at full health. Says whether
    /// it was taken.
    // Covers: seed 000, WorldObject_TryTouchPickUp (0x00395510) test=health_is_skipped_at_full_health
    pub fn try_touch_pick_up(&mut self, world: &mut dyn World, id: TaskId, human: u16) -> bool {
        let (Some(object), Some(person)) = (self.object(id), world.person(human)) else { return false };
        if object.hidden || object.broken || !self.within(id, person.position, TOUCH_RANGE) {
            return false;
        }
        let Some(kind) = self.object_type(id) else { return false };
        let gift = match kind.touch {
            Touch::Nothing => return false,
            Touch::Health(_) if person.health >= person.max_health => return false,
            Touch::Health(points) => Gift::Health(points),
            Touch::Item => Gift::Item(kind.hash),
        };
        world.give(self, human, gift) && self.destroy_object(world, id)
    }

    /// Runs touch pick-up for all objects of a type's hash, with every human; answers how many were taken.
    // Covers: seed 000, WorldObjects_TouchPickUpByHash (0x00396090) test=every_pick_up_of_a_type_is_tried
    pub fn touch_pick_up_by_hash(&mut self, world: &mut dyn World, hash: u32) -> u32 {
        use super::super::ids::TaskClass;
        let (mut next, mut taken) = (self.first_live(TaskClass::Object), 0);
        while let Some(id) = next {
            next = id.index_in(TaskClass::Object).and_then(|n| self.next_live(TaskClass::Object, n as u16 + 1));
            if self.object_type(id).is_none_or(|kind| kind.hash != hash) {
                continue;
            }
            let took = (0..HUMANS as u16).any(|human| self.try_touch_pick_up(world, id, human));
            taken += u32::from(took);
        }
        taken
    }

    /// Hangs an object on a human's part and point, in a slot. Says whether the human may take it.
    pub fn pick_up(&mut self, world: &mut dyn World, id: TaskId, human: u16, holder: Handle, slot: i16) -> bool {
        if !self.can_be_picked_by(world, id, human) {
            return false;
        }
        if let Some(head) = self.manager.head_mut(id) {
            head.set_parent(holder);
            head.reset_motion();
            head.flags |= super::super::head::flag::ATTACHED;
            head.flags &= !(super::super::head::flag::AIRBORNE | super::super::head::flag::GROUNDED);
        }
        world.cancel_settle(id);
        self.set_object_slot(world, id, slot);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fake::{BAT, BRICK, COIN, FakeWorld, HEALTH, engine};
    use super::super::super::world::Person;
    use super::super::life::tests::object;
    use crate::maths::Vec3;

    fn person(health: i32) -> Person {
        Person { health, max_health: 100, ..Person::default() }
    }

    #[test]
    fn only_a_free_object_is_picked_by_free_hands() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let ids = [BAT, COIN].map(|kind| object(&mut tasks, &mut world, kind, 0.0));
        assert!(!tasks.can_be_picked_by(&world, ids[0], 0), "nobody there");
        world.persons.insert(0, person(100));
        assert!(tasks.can_be_picked_by(&world, ids[0], 0));
        assert!(!tasks.can_be_picked_by(&world, ids[1], 0), "its type is not taken by hand");
        world.persons.get_mut(&0).unwrap().hands_full = true;
        assert!(!tasks.can_be_picked_by(&world, ids[0], 0));
        world.persons.get_mut(&0).unwrap().hands_full = false;
        let (_, holder) = tasks.create_human(|| None).unwrap();
        assert!(tasks.pick_up(&mut world, ids[0], 0, holder, 1));
        assert!(!tasks.pick_up(&mut world, ids[0], 0, holder, 1), "held already");
        assert_eq!(tasks.object_holder(ids[0]), Some(0));
    }

    #[test]
    fn health_is_skipped_at_full_health() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let id = object(&mut tasks, &mut world, HEALTH, 0.5);
        world.persons.insert(0, person(100));
        assert!(!tasks.try_touch_pick_up(&mut world, id, 0));
        world.persons.insert(0, person(99));
        assert!(tasks.try_touch_pick_up(&mut world, id, 0));
        assert_eq!(world.log_count("give 0 Health(25)"), 1);
        assert!(!tasks.is_live(id));
        let brick = object(&mut tasks, &mut world, BRICK, 0.5);
        assert!(!tasks.try_touch_pick_up(&mut world, brick, 0), "a touch of a brick gives nothing");
    }

    #[test]
    fn a_pick_up_is_taken_within_reach_only() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        let ids = [1.1, 0.9].map(|x| object(&mut tasks, &mut world, COIN, x));
        world.persons.insert(0, Person { position: Vec3::ZERO, ..person(100) });
        assert_eq!(ids.map(|id| tasks.try_touch_pick_up(&mut world, id, 0)), [false, true]);
    }

    #[test]
    fn every_pick_up_of_a_type_is_tried() {
        let (mut tasks, mut world) = (engine(), FakeWorld::default());
        for x in [0.0, 0.5, 5.0] {
            object(&mut tasks, &mut world, COIN, x);
        }
        let health = object(&mut tasks, &mut world, HEALTH, 0.0);
        world.persons.insert(4, person(50));
        let coin = tasks.objects.types.get(COIN).unwrap().hash;
        assert_eq!(tasks.touch_pick_up_by_hash(&mut world, coin), 2);
        assert!(tasks.is_live(health));
    }
}
