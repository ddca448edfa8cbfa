//! A body's update: posing, bounds, sorting, and the sweep of a body that its owner moved.

use super::PhysicsWorld;
use super::aabb::Aabb;
use super::contact::{ContactList, Half};
use super::flags::BodyFlags;
use super::ids::{BodyId, OwnerId, ShapeId};
use super::owner::Owners;
use super::query::BodyQuery;
use super::resolve::Walk;

impl PhysicsWorld {
    /// Updates a body that is dirty or updates always: poses its shapes, recomputes its bounds, sorts it in again. With
    /// both 0x800 and 0x1 it also sweeps its first shape from where it was against the other bodies and resolves.
    ///
    /// Source: seed 002, Bodies (PhysicsBody_Update 0x00341c10).
    // Covers: seed 002, PhysicsBody_Update (0x00341c10) test=only_a_dirty_body_is_posed_and_sorted_again
    pub fn update_body(&mut self, id: BodyId, owners: &mut dyn Owners) {
        let body = self.body(id);
        let (flags, Some(owner)) = (body.flags, body.owner) else { return };
        if self.human_parts(id).is_some() {
            self.update_human_body(id, owner, owners);
            return;
        }
        if !flags.has(BodyFlags::DIRTY | BodyFlags::UPDATES_ALWAYS) {
            return;
        }
        self.pose_chain(id, owner, owners);
        self.refresh_bounds(id);
        if flags.has(BodyFlags::UPDATES_ALWAYS) && flags.has(BodyFlags::SWEEPS_IN_UPDATE) {
            self.sweep_moved_shape(id, owner, owners);
        }
    }

    /// The owner was put somewhere else: a human's strike shapes follow at once, everything else at the next update.
    ///
    /// Source: seed 002, Bodies (_Moved 0x00341e40).
    // Covers: seed 002, PhysicsBody_Moved (0x00341e40) test=only_a_dirty_body_is_posed_and_sorted_again
    pub fn body_moved(&mut self, id: BodyId, owners: &dyn Owners) {
        self.mark_dirty(id);
        if let Some(owner) = self.body(id).owner
            && self.human_parts(id).is_some()
        {
            self.human_moved(id, &owners.pose(owner));
        }
    }

    /// Poses the shapes of a body's chain.
    pub(super) fn pose_chain(&mut self, id: BodyId, owner: OwnerId, owners: &dyn Owners) {
        let mut at = self.body(id).first_shape;
        while let Some(shape) = at {
            self.pose_shape(shape, owner, owners);
            at = self.shape(shape).next;
        }
    }

    /// Before a sweep: poses what a body moves with, a human's capsule, where its owner is now. What strikes stays where the
    /// last update left it, so that the next update sweeps it over all that animation and move have brought it along.
    pub fn follow_owner(&mut self, id: BodyId, owners: &dyn Owners) {
        let Some(owner) = self.body(id).owner.filter(|_| !self.body(id).flags.has(BodyFlags::KEEPS_POSE)) else {
            return;
        };
        self.pose_chain(id, owner, owners);
        self.refresh_bounds(id);
    }

    /// Poses a shape.
    pub(super) fn pose_shape(&mut self, shape: ShapeId, owner: OwnerId, owners: &dyn Owners) {
        let posed = self.shape(shape).posed(owner, owners, self.kernels);
        self.shape_mut(shape).pose(posed);
    }

    /// Recomputes a body's bounds from its shapes, sorts it in again and clears its dirty bit.
    ///
    /// Source: seed 002, Original structure (_ComputeBounds 0x00341638, _AddShapeBounds 0x003417c0).
    // Covers: seed 002, PhysicsBody_ComputeBounds (0x00341638) test=only_a_dirty_body_is_posed_and_sorted_again
    pub(super) fn refresh_bounds(&mut self, id: BodyId) {
        let bounds = self.shapes_of(id).fold(Aabb::EMPTY, |all, shape| all.union(Aabb::of(self.geometry(shape))));
        let body = self.body_mut(id);
        body.flags = body.flags.without(BodyFlags::DIRTY);
        body.bounds = bounds;
        self.list_reinsert(id);
    }

    /// The candidates come from the new bounds grown forward by the move, so a body passed through can be missed.
    ///
    /// Our choice: where a contact stops the shape, its owner goes back to where the move began and advances from there, as in a
    /// sweep; the advance is a share of this move, and from the end of it would lead further in. Two boxes, which meet at
    /// fraction 0 whatever is between them, keep the one that moves where it was.
    fn sweep_moved_shape(&mut self, id: BodyId, owner: OwnerId, owners: &mut dyn Owners) {
        let Some(shape) = self.body(id).first_shape else { return };
        let now = *self.geometry(shape);
        let d = now.position() - self.shape(shape).previous;
        let before = now.moved(-d);
        let mover = Half { owner: Some(owner), body: Some(id), shape: Some(shape) };
        let query = BodyQuery {
            bounds: self.body(id).bounds.extended_by(d),
            start: Some(id),
            ignored_owner: Some(owner),
            flag_mask: self.sweep_mask(id, shape, owners),
            ..BodyQuery::ALL
        };
        let mut list = ContactList::new();
        self.sweep_bodies(&before, d, mover, &query, owners, &mut list);
        let mut velocity = super::resolve::Velocities::new(d);
        let end = owners.pose(owner).position;
        owners.set_position(owner, end - d);
        match self.resolve(&list, id, owner, d, &mut velocity, None, owners) {
            Walk::GoesOn => owners.set_position(owner, end),
            Walk::Stopped | Walk::Aborted => {
                self.pose_chain(id, owner, owners);
                self.refresh_bounds(id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::{Pose, Quat, Vec3};
    use crate::physics::bench::{Things, object};
    use crate::physics::create::ObjectShape;

    const CRATE: ObjectShape = ObjectShape::Box { size: Vec3::splat(1.0), centre: Vec3::ZERO };
    const BALL: ObjectShape = ObjectShape::Sphere { size: Vec3::splat(1.0), centre: Vec3::ZERO };

    fn thing_at(
        world: &mut PhysicsWorld,
        things: &mut Things,
        x: f32,
        (shape, extra): (ObjectShape, BodyFlags),
    ) -> (OwnerId, BodyId) {
        let owner = things.add(object(Pose::new(Quat::IDENTITY, Vec3::X * x)));
        let body = world.create_object_body(owner, shape, 1, extra, things).unwrap();
        world.update_body(body, things);
        (owner, body)
    }

    #[test]
    fn only_a_dirty_body_is_posed_and_sorted_again() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let (owner, body) = thing_at(&mut world, &mut things, 0.0, (CRATE, BodyFlags::NONE));
        things.get_mut(owner).pose.position = Vec3::X * 5.0;
        world.update_body(body, &mut things);
        assert_eq!(world.body(body).bounds.min.x, -0.5);
        world.body_moved(body, &things);
        world.update_body(body, &mut things);
        assert_eq!(world.body(body).bounds.min.x, 4.5);
        assert!(!world.body(body).flags.has(BodyFlags::DIRTY));
    }

    #[test]
    fn a_body_that_its_owner_moves_meets_what_is_in_the_way_only_with_both_flags() {
        let both = BodyFlags::UPDATES_ALWAYS | BodyFlags::SWEEPS_IN_UPDATE;
        // Half a metre each and 0.01 m apart; two boxes meet at fraction 0, so that one stays where its move began; and
        // who meets nobody is where its owner has put it.
        for (shape, extra, expected, stops) in [
            (BALL, both, 1, 0.49),
            (CRATE, both, 1, 0.0),
            (BALL, BodyFlags::UPDATES_ALWAYS, 0, 0.8),
            (BALL, BodyFlags::SWEEPS_IN_UPDATE, 0, 0.8),
        ] {
            let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
            let (owner, body) = thing_at(&mut world, &mut things, 0.0, (shape, extra));
            thing_at(&mut world, &mut things, 1.5, (CRATE, BodyFlags::NONE));
            things.get_mut(owner).pose.position = Vec3::X * 0.8;
            world.body_moved(body, &things);
            world.update_body(body, &mut things);
            assert_eq!(things.get(owner).contacts.len(), expected, "{extra:?}");
            let x = things.get(owner).pose.position.x;
            assert!((x - stops).abs() < 1e-5, "{shape:?} {extra:?} at {x}");
            assert!((world.body(body).bounds.min.x - (x - 0.5)).abs() < 1e-5, "the shape is where its owner is");
        }
    }

    #[test]
    fn a_body_passed_through_is_missed() {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let both = BodyFlags::UPDATES_ALWAYS | BodyFlags::SWEEPS_IN_UPDATE;
        let (owner, body) = thing_at(&mut world, &mut things, 0.0, (CRATE, both));
        thing_at(&mut world, &mut things, 5.0, (CRATE, BodyFlags::NONE));
        things.get_mut(owner).pose.position = Vec3::X * 12.0;
        world.body_moved(body, &things);
        world.update_body(body, &mut things);
        assert!(things.get(owner).contacts.is_empty());
    }
}
