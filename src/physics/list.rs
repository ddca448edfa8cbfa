//! The bodies' lists: the vector of live ones, the one sorted by x, and the humans'.

use super::PhysicsWorld;
use super::ids::BodyId;

impl PhysicsWorld {
    /// Adds a body to the vector and the sorted list.
    ///
    /// Source: seed 002, Bodies (IPhysics_AddBody 0x00340668).
    // Covers: seed 002, IPhysics_AddBody (0x00340668) test=bodies_are_sorted_by_their_lowest_x
    pub(super) fn add_body(&mut self, id: BodyId) {
        self.body_mut(id).index = Some(self.live.len() as u16);
        // The vector has room for every body of the pools.
        let _ = self.live.push(id);
        self.list_insert(id);
    }

    /// Removes a body from both, after every ignore slot that names its owner. Its index stays as it is.
    ///
    /// Source: seed 002, Bodies (IPhysics_RemoveBody 0x00340700).
    // Covers: seed 002, IPhysics_RemoveBody (0x00340700) test=removing_a_body_closes_the_lists_and_leaves_its_index
    pub(super) fn remove_body(&mut self, id: BodyId) {
        if let Some(owner) = self.body(id).owner {
            self.forget_ignored_owner(owner);
        }
        self.list_remove(id);
        if let Some(at) = self.live.iter().position(|&other| other == id) {
            self.live.remove(at);
            for (index, &moved) in self.live.iter().enumerate().skip(at) {
                self.bodies[moved.0 as usize].index = Some(index as u16);
            }
        }
    }

    /// Inserts by the bounds' lowest x, before equals, and widens the bound.
    ///
    /// Source: seed 002, Bodies (BodyList_Insert 0x003404a8).
    // Covers: seed 002, BodyList_Insert (0x003404a8) test=bodies_are_sorted_by_their_lowest_x
    pub(super) fn list_insert(&mut self, id: BodyId) {
        self.list_insert_near(id, None);
    }

    /// The same, looked for from a body of the list on, or from the head.
    fn list_insert_near(&mut self, id: BodyId, near: Option<BodyId>) {
        let bounds = self.body(id).bounds;
        self.widest = self.widest.max(bounds.width());
        let (mut before, mut after) = near.map_or((None, self.first), |near| (Some(near), self.body(near).next));
        while let Some(last) = before
            && self.body(last).bounds.min.x >= bounds.min.x
        {
            (before, after) = (self.body(last).previous, before);
        }
        while let Some(next) = after
            && self.body(next).bounds.min.x < bounds.min.x
        {
            (before, after) = (after, self.body(next).next);
        }
        let body = self.body_mut(id);
        (body.previous, body.next) = (before, after);
        match before {
            Some(before) => self.body_mut(before).next = Some(id),
            None => self.first = Some(id),
        }
        if let Some(after) = after {
            self.body_mut(after).previous = Some(id);
        }
    }

    /// Takes a body out of the sorted list.
    ///
    /// Source: seed 002, Bodies (BodyList_Remove 0x003405d8).
    // Covers: seed 002, BodyList_Remove (0x003405d8) test=removing_a_body_closes_the_lists_and_leaves_its_index
    pub(super) fn list_remove(&mut self, id: BodyId) {
        let (before, after) = (self.body(id).previous, self.body(id).next);
        match before {
            Some(before) => self.body_mut(before).next = after,
            None if self.first == Some(id) => self.first = after,
            None => {}
        }
        if let Some(after) = after {
            self.body_mut(after).previous = before;
        }
        let body = self.body_mut(id);
        (body.previous, body.next) = (None, None);
    }

    /// Sorts a body in again after its bounds have changed.
    ///
    /// Our choice: its new place is looked for from its old one on. Bodies move little, and the place is the same.
    ///
    /// Source: seed 002, Bodies (BodyList_Reinsert 0x00340628).
    // Covers: seed 002, BodyList_Reinsert (0x00340628) test=bodies_are_sorted_by_their_lowest_x
    pub(super) fn list_reinsert(&mut self, id: BodyId) {
        let near = self.body(id).previous;
        self.list_remove(id);
        self.list_insert_near(id, near);
    }

    /// Puts a human at the head of the human list.
    ///
    /// Source: seed 002, Bodies (IPhysics_AddHumanBody 0x003407a0).
    // Covers: seed 002, IPhysics_AddHumanBody (0x003407a0) test=the_human_list_has_the_latest_first
    pub(super) fn add_human(&mut self, id: BodyId) {
        let old = self.first_human.replace(id);
        if let Some(old) = old {
            self.humans[old.0 as usize].previous = Some(id);
        }
        let parts = &mut self.humans[id.0 as usize];
        (parts.next, parts.previous) = (old, None);
    }

    /// Takes a human out of the human list.
    ///
    /// Source: seed 002, Bodies (IPhysics_RemoveHumanBody 0x003407f8).
    // Covers: seed 002, IPhysics_RemoveHumanBody (0x003407f8) test=the_human_list_has_the_latest_first
    pub(super) fn remove_human(&mut self, id: BodyId) {
        let parts = &mut self.humans[id.0 as usize];
        let (before, after) = (parts.previous.take(), parts.next.take());
        match before {
            Some(before) => self.humans[before.0 as usize].next = after,
            None if self.first_human == Some(id) => self.first_human = after,
            None => {}
        }
        if let Some(after) = after {
            self.humans[after.0 as usize].previous = before;
        }
    }

    /// The bodies of the sorted list, lowest x first.
    pub fn sorted_bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        core::iter::successors(self.first, |&body| self.body(body).next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Vec3;
    use crate::physics::aabb::Aabb;
    use alloc::vec::Vec;

    fn world_with(lows: &[f32]) -> PhysicsWorld {
        let mut world = PhysicsWorld::new();
        for (i, &low) in lows.iter().enumerate() {
            world.bodies[i].bounds = Aabb { min: Vec3::X * low, max: Vec3::X * (low + 1.0) };
            world.add_body(BodyId(i as u16));
        }
        world
    }

    fn order(world: &PhysicsWorld) -> Vec<u16> {
        world.sorted_bodies().map(|id| id.0).collect()
    }

    #[test]
    fn bodies_are_sorted_by_their_lowest_x() {
        let mut world = world_with(&[3.0, 1.0, 2.0]);
        assert_eq!(order(&world), [1, 2, 0]);
        world.bodies[1].bounds = Aabb { min: Vec3::X * 9.0, max: Vec3::X * 12.0 };
        world.list_reinsert(BodyId(1));
        assert_eq!(order(&world), [2, 0, 1]);
        assert_eq!(world.widest(), 3.0);
    }

    #[test]
    fn removing_a_body_closes_the_lists_and_leaves_its_index() {
        let mut world = world_with(&[3.0, 1.0, 2.0]);
        world.remove_body(BodyId(1));
        assert_eq!(order(&world), [2, 0]);
        assert_eq!(world.live_bodies(), [BodyId(0), BodyId(2)]);
        assert_eq!(world.body(BodyId(1)).index, Some(1));
        assert_eq!(world.body(BodyId(2)).index, Some(1));
    }

    #[test]
    fn the_human_list_has_the_latest_first() {
        let mut world = PhysicsWorld::new();
        for id in [0, 1, 2].map(BodyId) {
            world.add_human(id);
        }
        world.remove_human(BodyId(1));
        let humans: Vec<u16> = world.human_bodies().map(|id| id.0).collect();
        assert_eq!(humans, [2, 0]);
        world.remove_human(BodyId(2));
        world.remove_human(BodyId(0));
        assert_eq!(world.human_bodies().next(), None);
    }
}
