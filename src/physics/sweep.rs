//! Sweeping a body: three passes of meeting, resolving and sliding.

use super::PhysicsWorld;
use super::aabb::Aabb;
use super::collide::sweep_shape_against_mesh;
use super::constants::{BACK_OFF, PASSES};
use super::contact::{Contact, ContactList, Half};
use super::flags::{BodyFlags, ShapeFlags};
use super::ids::{BodyId, OwnerId, ShapeId};
use super::mesh::{SphereFilter, Walker, landing_contact, sweep_capsule};
use super::owner::{Attribute, HumanState, Owners};
use super::query::BodyQuery;
use super::resolve::{Velocities, Walk, back_off, read_triangle_flags};
use super::shapes::{Capsule, Geometry};
use crate::collision::{CollisionMesh, TriangleFlags};
use crate::maths::Vec3;

/// A move shorter than this many metres is none.
const NO_MOVE: f32 = 1e-6;
/// Our choice: a move further than this many metres along an axis is no move but a broken number, and is not made.
const LONGEST_MOVE: f32 = 1e6;

/// How a sweep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepOutcome {
    /// The body made the rest of its move.
    Moved,
    /// Every pass stopped, or a slide left no move: the body stays where the last advance put it.
    Stuck,
    /// A contact aborted the move.
    Aborted,
}

/// What a sweep leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepResult {
    /// How it ended.
    pub outcome: SweepOutcome,
    /// The real velocity in m/s after slides, bounces and scale, whether it was written to the owner or not.
    pub velocity: Vec3,
    /// Passes made.
    pub passes: usize,
}

impl PhysicsWorld {
    /// Moves a body by `velocity` over `dt` seconds plus its pending push-out.
    ///
    /// Each pass sweeps the whole slid move from where the last advance left the body; no fraction shortens it.
    ///
    /// Source: seed 002, Sweeping a body (PhysicsBody_Sweep 0x0033e278).
    // Covers: seed 002, PhysicsBody_Sweep (0x0033e278) test=a_slide_keeps_the_part_along_the_wall_and_only_a_players_velocity_is_written default=SweepResult { outcome: SweepOutcome::Aborted, velocity, passes: 0 }
    pub fn sweep_body(
        &mut self,
        id: BodyId,
        velocity: Vec3,
        dt: f32,
        mut mesh: Option<&mut CollisionMesh>,
        owners: &mut dyn Owners,
    ) -> SweepResult {
        let aborted = SweepResult { outcome: SweepOutcome::Aborted, velocity, passes: 0 };
        let (Some(owner), Some(shape)) = (self.body(id).owner, self.body(id).first_shape) else { return aborted };
        let push = self.take_push(id, owner, owners);
        if dt.is_nan() || dt <= 0.0 {
            return aborted;
        }
        let mut state = Velocities::new(velocity);
        state.of_move += push * (1.0 / dt);
        let longest = (state.of_move * dt).abs();
        if !(longest.is_finite() && longest.x.max(longest.y).max(longest.z) <= LONGEST_MOVE) {
            return aborted;
        }
        let mut outcome = SweepOutcome::Stuck;
        let mut list = ContactList::new();
        let mut passes = 0;
        while passes < PASSES {
            let d = state.of_move * dt;
            if d.length() < NO_MOVE {
                // Our choice: a body that was not asked to move is not stuck, only one whose slides left nothing.
                if passes == 0 {
                    outcome = SweepOutcome::Moved;
                }
                break;
            }
            passes += 1;
            list.clear();
            self.gather(id, owner, shape, d, mesh.as_deref_mut(), owners, &mut list);
            match self.resolve(&list, id, owner, d, &mut state, mesh.as_deref_mut(), owners) {
                Walk::Aborted => return SweepResult { velocity: state.real, passes, ..aborted },
                Walk::GoesOn => {
                    outcome = SweepOutcome::Moved;
                    break;
                }
                Walk::Stopped => {}
            }
        }
        self.finish(id, owner, outcome, dt, &mut state, owners);
        SweepResult { outcome, velocity: state.real, passes }
    }

    /// The pending push-out in metres, over the push weight unless it has been divided already. It is spent.
    fn take_push(&mut self, id: BodyId, owner: OwnerId, owners: &dyn Owners) -> Vec3 {
        let body = self.body_mut(id);
        let push = core::mem::take(&mut body.push);
        let divided = body.flags.has(BodyFlags::PUSH_DIVIDED);
        body.flags = body.flags.without(BodyFlags::PUSH_DIVIDED);
        let weight = owners.attribute(owner, Attribute::PushWeight);
        if divided || weight <= 0.0 { push } else { push * (1.0 / weight) }
    }

    /// The contacts of one pass, level and bodies sorted together.
    #[expect(clippy::too_many_arguments, reason = "the parts of one pass")]
    fn gather(
        &mut self,
        id: BodyId,
        owner: OwnerId,
        shape: ShapeId,
        d: Vec3,
        mesh: Option<&mut CollisionMesh>,
        owners: &dyn Owners,
        list: &mut ContactList,
    ) {
        let mover = Half { owner: Some(owner), body: Some(id), shape: Some(shape) };
        let geometry = self.shape(shape).posed(owner, owners, self.kernels);
        if let Some(mesh) = mesh
            && !self.human_parts(id).is_some_and(|parts| parts.ignores_level)
        {
            self.gather_level(id, owner, &geometry, d, mover, mesh, owners, list);
        }
        // A copy of the box scaled by the body's scale is made by the original and used for nothing.
        let query = BodyQuery {
            bounds: Aabb::of(&geometry).extended_by(d),
            start: Some(id),
            ignored_owner: Some(owner),
            flag_mask: self.sweep_mask(id, shape, owners),
            ..BodyQuery::ALL
        };
        self.sweep_bodies(&geometry, d, mover, &query, owners, list);
        self.counters.contacts_dropped += list.dropped();
        self.recent.note(list.as_slice());
    }

    /// The first shape's mesh sweep, and a landing for a human in the air.
    ///
    /// Source: seed 002, Sweeping a body (IPhysics_SweepBodyVsMesh 0x0033d340).
    // Covers: seed 002, IPhysics_SweepBodyVsMesh (0x0033d340) test=a_player_stops_its_sphere_and_a_hundredth_short_of_a_wall
    #[expect(clippy::too_many_arguments, reason = "the parts of one pass")]
    fn gather_level(
        &self,
        id: BodyId,
        owner: OwnerId,
        geometry: &Geometry,
        d: Vec3,
        mover: Half,
        mesh: &mut CollisionMesh,
        owners: &dyn Owners,
        list: &mut ContactList,
    ) {
        let body = self.body(id);
        if let Some((walker, human)) = self.walker(id, owner, geometry, owners) {
            sweep_capsule(self.kernels, mesh, &walker, d, mover, list);
            if human.airborne {
                let feet = owners.pose(owner).position;
                if let Some(landing) = landing_contact(mesh, feet, human.landing_rise, d, mover) {
                    list.insert(landing);
                }
            }
        } else {
            let passes = body.flags.has(BodyFlags::SPHERES_PASS);
            let filter = if passes { SphereFilter::PASSING } else { SphereFilter::ALL };
            sweep_shape_against_mesh(self.kernels, mesh, geometry, d, &filter, mover, list);
        }
        for contact in list.as_mut_slice() {
            let flags = contact.triangle.map_or(TriangleFlags::default(), |id| mesh.flags(id));
            read_triangle_flags(flags, contact);
        }
    }

    /// A human's body as it meets walls.
    fn walker(
        &self,
        id: BodyId,
        owner: OwnerId,
        geometry: &Geometry,
        owners: &dyn Owners,
    ) -> Option<(Walker, HumanState)> {
        let (Geometry::Capsule(capsule), Some(human)) = (geometry, owners.human(owner)) else { return None };
        let radius = capsule.radius * self.body(id).scale.x * human.scale;
        Some((Walker { capsule: *capsule, radius, slides: human.slides && !human.airborne }, human))
    }

    /// How far a contact lets a body come, in metres: to 0.01 m short of the touch along the normal.
    ///
    /// Our choice: a walker that moves by more than its sphere's width goes as deep along its move instead, when the way
    /// along the normal would take it into a wall. In a blunt corner the original's rule takes it into the wall beside it by
    /// up to half of the move, which the next pass mends as long as the centre has not come through. No human walks or runs
    /// that far in an update (21 m/s); throws and blows may.
    pub(super) fn advance(
        &mut self,
        contact: &Contact,
        id: BodyId,
        owner: OwnerId,
        d: Vec3,
        mesh: Option<&mut CollisionMesh>,
        owners: &dyn Owners,
    ) -> Vec3 {
        let along = back_off(contact.normal, d, contact.fraction);
        let (Some(mesh), Some(shape)) = (mesh, self.body(id).first_shape) else { return along };
        let Geometry::Capsule(own) = self.shape(shape).geometry else { return along };
        // A radius is less than any walker's width, and is known without asking anybody.
        let squared = d.length_squared();
        let is_slow = along == Vec3::ZERO || squared <= own.radius * own.radius;
        if is_slow || self.human_parts(id).is_some_and(|parts| parts.ignores_level) {
            return along;
        }
        let geometry = self.shape(shape).posed(owner, owners, self.kernels);
        let Some((walker, _)) = self.walker(id, owner, &geometry, owners) else { return along };
        if squared <= 4.0 * walker.radius * walker.radius {
            return along;
        }
        // Narrower by what a back-off leaves, so that a wall that is merely near is none.
        let base = walker.capsule.base + Vec3::Z * BACK_OFF;
        let capsule = Capsule { base, ..walker.capsule };
        let narrow = Walker { capsule, radius: (walker.radius - BACK_OFF).max(0.0), slides: false };
        let mut met = ContactList::new();
        sweep_capsule(self.kernels, mesh, &narrow, along, Half::default(), &mut met);
        if met.is_empty() {
            return along;
        }
        self.counters.advances_turned += 1;
        d * (along.length() / -contact.normal.dot(d))
    }

    /// The body flags that a mover meets.
    ///
    /// Source: seed 002, Sweeping a body (PhysicsBody_SweepHumanMask 0x0033d498).
    // Covers: seed 002, PhysicsBody_SweepHumanMask (0x0033d498) test=a_movers_mask_follows_its_state
    pub(super) fn sweep_mask(&self, id: BodyId, shape: ShapeId, owners: &dyn Owners) -> BodyFlags {
        let human = self.body(id).owner.filter(|_| self.body(id).is_human()).and_then(|owner| owners.human(owner));
        let Some(human) = human else { return BodyFlags::BLOCK_OBJECTS };
        BodyFlags::BLOCK_HUMANS
            .set(BodyFlags::JUMP_TARGET, human.airborne || human.holding)
            .set(BodyFlags::CHARGE_TARGET, self.shape(shape).flags.has(ShapeFlags::STRIKES))
            .set(BodyFlags::RUN_TARGET, human.running)
            | human.player.map_or(BodyFlags::NONE, BodyFlags::of_player)
    }

    /// Moves the body by the rest or leaves it stuck, scales the real velocity and writes it back where it belongs.
    fn finish(
        &mut self,
        id: BodyId,
        owner: OwnerId,
        outcome: SweepOutcome,
        dt: f32,
        state: &mut Velocities,
        owners: &mut dyn Owners,
    ) {
        if outcome == SweepOutcome::Moved {
            let rest = state.of_move * dt;
            let position = owners.pose(owner).position;
            owners.set_position(owner, position + rest);
            self.body_mut(id).stuck = 0;
        } else {
            state.real = Vec3::new(0.0, 0.0, state.real.z);
            owners.set_velocity(owner, state.real);
            self.counters.stuck_sweeps += 1;
            let body = self.body_mut(id);
            body.stuck = body.stuck.saturating_add(1);
        }
        self.mark_dirty(id);
        if let Some(scale) = state.scale {
            let upward = if state.real.z > 0.0 { scale } else { 1.0 };
            state.real = state.real.scale(Vec3::new(scale, scale, upward));
        }
        if self.body(id).flags.has(BodyFlags::WRITES_VELOCITY) && state.write {
            owners.set_velocity(owner, state.real);
        }
    }
}

#[cfg(test)]
mod tests;
