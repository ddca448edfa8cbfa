//! Sweeping a body: three passes of meeting, resolving and sliding.

use super::PhysicsWorld;
use super::aabb::Aabb;
use super::collide::sweep_shape_against_mesh;
use super::constants::PASSES;
use super::contact::{ContactList, Half};
use super::flags::{BodyFlags, ShapeFlags};
use super::ids::{BodyId, OwnerId, ShapeId};
use super::mesh::{SphereFilter, Walker, landing_contact, sweep_capsule};
use super::owner::{Attribute, Owners};
use super::query::BodyQuery;
use super::resolve::{Velocities, Walk, read_triangle_flags};
use super::shapes::Geometry;
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
        let geometry = self.shape(shape).posed(owner, owners);
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
        let human = owners.human(owner);
        if let (Geometry::Capsule(capsule), Some(human)) = (geometry, human) {
            let walker = Walker {
                capsule: *capsule,
                radius: capsule.radius * body.scale.x * human.scale,
                slides: human.slides && !human.airborne,
            };
            sweep_capsule(mesh, &walker, d, mover, list);
            if human.airborne {
                let feet = owners.pose(owner).position;
                if let Some(landing) = landing_contact(mesh, feet, human.landing_rise, d, mover) {
                    list.insert(landing);
                }
            }
        } else {
            let passes = body.flags.has(BodyFlags::SPHERES_PASS);
            let filter = if passes { SphereFilter::PASSING } else { SphereFilter::ALL };
            sweep_shape_against_mesh(mesh, geometry, d, &filter, mover, list);
        }
        for contact in list.as_mut_slice() {
            let flags = contact.triangle.map_or(TriangleFlags::default(), |id| mesh.flags(id));
            read_triangle_flags(flags, contact);
        }
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
mod tests {
    use super::*;
    use crate::collision::scenes::{Scene, floor, wall};
    use crate::maths::{Pose, Quat};
    use crate::physics::constants::{IMMOVABLE, PLAYER_BODY_SCALE, STEP};
    use crate::physics::create::ObjectShape;
    use crate::physics::flags::{Answer, ContactFlags};
    use crate::physics::testing::{Things, human, object};

    /// The answer of a walking human to the level.
    const WALK: Answer = Answer(0x20001);

    struct Walkers {
        world: PhysicsWorld,
        things: Things,
    }

    impl Walkers {
        fn new() -> Self {
            Self { world: PhysicsWorld::new(), things: Things::new() }
        }

        /// A human of scale 1; a player has the larger walking sphere, scale 0.97 and the velocity written back.
        fn human(&mut self, at: [f32; 3], player: bool) -> (OwnerId, BodyId) {
            let mut man = human(Vec3::from_array(at));
            let state = man.state.as_mut().unwrap();
            state.scale = if player { 0.97 } else { 1.0 };
            state.head_height = at[2] + 1.7;
            man.answer = WALK;
            let owner = self.things.add(man);
            let body = self.world.create_human_body(owner, &self.things).unwrap();
            let record = self.world.body_mut(body);
            if player {
                record.scale = Vec3::new(PLAYER_BODY_SCALE, PLAYER_BODY_SCALE, 1.0);
            } else {
                record.flags = record.flags.without(BodyFlags::WRITES_VELOCITY);
            }
            self.world.update_body(body, &mut self.things);
            (owner, body)
        }

        fn sweep(&mut self, body: BodyId, v: [f32; 3], mesh: Option<&mut CollisionMesh>) -> SweepResult {
            let result = self.world.sweep_body(body, Vec3::from_array(v), STEP, mesh, &mut self.things);
            self.world.update_body(body, &mut self.things);
            result
        }

        fn at(&self, owner: OwnerId) -> Vec3 {
            self.things.get(owner).pose.position
        }
    }

    fn south_wall() -> CollisionMesh {
        Scene::new().with(wall([0.0, 40.0], [80.0, 40.0], [0.0, 3.0])).mesh([8, 8, 1])
    }

    #[test]
    fn a_free_body_moves_by_its_velocity_and_its_push_over_its_push_weight() {
        let mut w = Walkers::new();
        let (owner, body) = w.human([40.0, 40.0, 0.0], false);
        w.world.body_mut(body).push = Vec3::Y * 0.2;
        let result = w.sweep(body, [3.0, 0.0, 0.0], None);
        assert!((w.at(owner) - Vec3::new(40.1, 40.2, 0.0)).length() < 1e-5, "{:?}", w.at(owner));
        assert_eq!((result.velocity, w.world.body(body).push), (Vec3::X * 3.0, Vec3::ZERO));
        for (weight, flags, expected) in
            [(2.0, BodyFlags::NONE, 40.3), (2.0, BodyFlags::PUSH_DIVIDED, 40.5), (IMMOVABLE, BodyFlags::NONE, 40.5)]
        {
            w.things.set_attribute(owner, Attribute::PushWeight, weight);
            w.world.body_mut(body).push = Vec3::Y * 0.2;
            w.world.body_mut(body).flags |= flags;
            w.sweep(body, [0.0; 3], None);
            assert!((w.at(owner).y - expected).abs() < 1e-4, "weight {weight}: {:?}", w.at(owner));
        }
    }

    #[test]
    fn a_player_stops_its_sphere_and_a_hundredth_short_of_a_wall() {
        let mut w = Walkers::new();
        let mut mesh = south_wall();
        let (owner, body) = w.human([40.0, 39.3, 0.0], true);
        for _ in 0..10 {
            w.sweep(body, [0.0, 3.0, 0.0], Some(&mut mesh));
        }
        let stop = 40.0 - w.at(owner).y;
        assert!((stop - 0.4804).abs() < 3e-4, "stopped {stop} short");
    }

    #[test]
    fn the_measured_stops_before_low_faces() {
        for (height, stop) in [(0.255, 0.398), (0.26, 0.402), (0.30, 0.426), (0.50, 0.480), (3.0, 0.480)] {
            let mut w = Walkers::new();
            let mut mesh = Scene::new().with(wall([0.0, 40.0], [80.0, 40.0], [0.0, height])).mesh([8, 8, 1]);
            let (owner, body) = w.human([40.0, 39.3, 0.0], true);
            for _ in 0..10 {
                w.sweep(body, [0.0, 3.0, 0.0], Some(&mut mesh));
            }
            let found = 40.0 - w.at(owner).y;
            assert!((found - stop).abs() < 0.003, "{height} m: stopped {found} short, measured {stop}");
        }
    }

    #[test]
    fn a_slide_keeps_the_part_along_the_wall_and_only_a_players_velocity_is_written() {
        for player in [true, false] {
            let mut w = Walkers::new();
            let mut mesh = south_wall();
            let (owner, body) = w.human([40.0, 39.5, 0.0], player);
            let result = w.sweep(body, [2.0, 6.0, 0.0], Some(&mut mesh));
            assert_eq!(result.outcome, SweepOutcome::Moved);
            assert!((result.velocity - Vec3::X * 2.0).length() < 1e-5, "{:?}", result.velocity);
            assert!((w.at(owner).x - 40.0 - 2.0 * STEP).abs() < 1e-5);
            assert_eq!(w.things.get(owner).writes, u32::from(player));
        }
    }

    #[test]
    fn the_speed_against_a_wall_settles_where_the_trace_says() {
        // 20 degrees off the wall's normal, gaining 0.8 m/s a step: 0.8 k / (1 - k) with k the sine of 20 degrees.
        let (sin, cos) = (20.0_f32.to_radians().sin(), 20.0_f32.to_radians().cos());
        let mut w = Walkers::new();
        let mut mesh = south_wall();
        let (_, body) = w.human([40.0, 39.53, 0.0], true);
        let mut speed = 0.0;
        for _ in 0..40 {
            speed += 0.8;
            speed = w.sweep(body, [speed * sin, speed * cos, 0.0], Some(&mut mesh)).velocity.length();
        }
        assert!((speed - 0.8 * sin / (1.0 - sin)).abs() < 1e-3, "{speed}");
    }

    #[test]
    fn a_body_that_cannot_move_counts_and_loses_its_horizontal_velocity() {
        // A wedge: two walls that meet at a sharp angle ahead.
        let left = wall([39.8, 39.0], [40.0, 41.0], [0.0, 3.0]);
        let right = wall([40.0, 41.0], [40.2, 39.0], [0.0, 3.0]);
        let mut mesh = Scene::new()
            .with_flags(left, TriangleFlags::TWO_SIDED, 5, 0)
            .with_flags(right, TriangleFlags::TWO_SIDED, 5, 0)
            .with(wall([39.0, 39.6], [41.0, 39.6], [0.0, 3.0]))
            .mesh([8, 8, 1]);
        let mut w = Walkers::new();
        let (owner, body) = w.human([40.0, 39.2, 0.0], false);
        let mut stuck = 0;
        for _ in 0..5 {
            let result = w.sweep(body, [0.0, 3.0, -1.0], Some(&mut mesh));
            if result.outcome == SweepOutcome::Stuck {
                stuck += 1;
                assert_eq!((w.things.get(owner).velocity.x, w.things.get(owner).velocity.y), (0.0, 0.0));
                assert_eq!(w.world.body(body).stuck, stuck);
            }
        }
        assert!(stuck > 0);
        w.sweep(body, [0.0, -3.0, 0.0], Some(&mut mesh));
        assert_eq!(w.world.body(body).stuck, 0);
    }

    #[test]
    fn walking_into_a_human_slides_along_it_and_pushes_it_by_half() {
        let mut w = Walkers::new();
        let (mover, body) = w.human([40.0, 40.0, 0.0], false);
        let (other, other_body) = w.human([40.68, 40.0, 0.0], true);
        w.things.get_mut(mover).answer = Answer::PUSH;
        w.sweep(body, [7.8, 0.0, 0.0], None);
        let push = w.world.body(other_body).push;
        assert!((push - Vec3::X * 0.13).length() < 1e-5, "{push:?}");
        assert_eq!(w.things.get(other).pushed[0].mover, mover);
        w.sweep(other_body, [0.0; 3], None);
        assert!((w.at(other).x - 40.81).abs() < 1e-4, "{:?}", w.at(other));
    }

    #[test]
    fn nobody_moves_the_unpushable_nor_much_the_immovable() {
        let mut w = Walkers::new();
        let (mover, body) = w.human([40.0, 40.0, 0.0], false);
        let (other, other_body) = w.human([40.6, 40.0, 0.0], false);
        w.things.get_mut(mover).answer = Answer::PUSH;
        w.things.set_attribute(other, Attribute::PushWeight, IMMOVABLE);
        w.sweep(body, [7.8, 0.0, 0.0], None);
        assert!(w.world.body(other_body).push.length() < 1e-8);
        w.things.set_attribute(other, Attribute::PushWeight, 1.0);
        w.world.body_mut(other_body).flags |= BodyFlags::NOT_PUSHABLE;
        w.sweep(body, [7.8, 0.0, 0.0], None);
        assert!(w.world.body(other_body).push.length() < 1e-8);
        assert_eq!(w.things.get(other).pushed.len(), 2, "it is told all the same");
    }

    #[test]
    fn linked_humans_and_those_without_the_layer_are_passed() {
        let mut w = Walkers::new();
        let (mover, body) = w.human([40.0, 40.0, 0.0], false);
        let (_, other) = w.human([40.8, 40.0, 0.0], false);
        let group = w.world.next_group();
        for id in [body, other] {
            w.world.body_mut(id).group = group;
        }
        w.sweep(body, [6.0, 0.0, 0.0], None);
        assert!(w.things.get(mover).contacts.is_empty());
        w.world.body_mut(other).group = 0;
        w.sweep(body, [6.0, 0.0, 0.0], None);
        assert_eq!(w.things.get(mover).contacts.len(), 1);
        w.world.body_mut(other).flags = w.world.body(other).flags.without(BodyFlags::BLOCK_HUMANS);
        w.sweep(body, [6.0, 0.0, 0.0], None);
        assert_eq!(w.things.get(mover).contacts.len(), 1);
    }

    #[test]
    fn a_movers_mask_follows_its_state() {
        let mut w = Walkers::new();
        let (owner, body) = w.human([0.0; 3], false);
        let capsule = w.world.body(body).first_shape.unwrap();
        let mask = |w: &Walkers| w.world.sweep_mask(body, capsule, &w.things).0;
        assert_eq!(mask(&w), 0x4);
        let state = |w: &mut Walkers, change: fn(&mut crate::physics::owner::HumanState)| {
            change(w.things.get_mut(owner).state.as_mut().unwrap());
        };
        state(&mut w, |s| s.airborne = true);
        assert_eq!(mask(&w), 0x44);
        state(&mut w, |s| (s.airborne, s.holding, s.running) = (false, true, true));
        assert_eq!(mask(&w), 0x40044);
        state(&mut w, |s| s.player = Some(1));
        w.world.shape_mut(capsule).flags |= ShapeFlags::STRIKES;
        assert_eq!(mask(&w), 0x40044 | 0x20 | 0x10_0000);
        let thing = w.things.add(object(Pose::IDENTITY));
        let shape = ObjectShape::Box { size: Vec3::splat(1.0), centre: Vec3::ZERO };
        let body = w.world.create_object_body(thing, shape, 0, BodyFlags::NONE, &w.things).unwrap();
        assert_eq!(w.world.sweep_mask(body, w.world.body(body).first_shape.unwrap(), &w.things).0, 0x2);
    }

    #[test]
    fn each_code_does_what_it_says_to_a_falling_box() {
        for (answer, velocity, z) in [
            (Answer::PASS, -6.0, 0.9),
            (Answer::SLIDE, 0.0, 1.01),
            (Answer::BOUNCE, 0.6, 1.03),
            (Answer::BOUNCE | Answer::SCALED, 0.588, 1.03),
            (Answer::STOP, 0.0, 1.01),
            (Answer::REST, 0.0, 1.01),
            (Answer::GO_ON, -6.0, 0.9),
            (Answer::ABORT, -6.0, 1.1),
            (Answer(5), -6.0, 1.1),
        ] {
            let mut w = Walkers::new();
            let thing = w.things.add(object(Pose::new(Quat::IDENTITY, Vec3::new(40.0, 41.0, 1.1))));
            w.things.get_mut(thing).answer = answer;
            let shape = ObjectShape::Box { size: Vec3::splat(2.0), centre: Vec3::ZERO };
            let body = w.world.create_object_body(thing, shape, 0, BodyFlags::NONE, &w.things).unwrap();
            w.world.update_body(body, &mut w.things);
            let mut mesh = Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]);
            let result = w.sweep(body, [0.0, 0.0, -6.0], Some(&mut mesh));
            assert!((result.velocity.z - velocity).abs() < 1e-4, "{answer:?}: {:?}", result.velocity);
            let expected = if answer.0 & 0xffff == 2 { 1.01 + 0.6 * STEP } else { z };
            assert!((w.at(thing).z - expected).abs() < 1e-4, "{answer:?}: {:?}", w.at(thing));
        }
    }

    #[test]
    fn a_triangle_that_keeps_velocities_writes_none_back() {
        for (flags, writes) in [(TriangleFlags::default(), 1), (TriangleFlags::KEEPS_VELOCITY, 0)] {
            let mut w = Walkers::new();
            let faces = wall([0.0, 40.0], [80.0, 40.0], [0.0, 3.0]);
            let mut mesh = Scene::new().with_flags(faces, flags, 5, 0).mesh([8, 8, 1]);
            let (owner, body) = w.human([40.0, 39.5, 0.0], true);
            w.sweep(body, [2.0, 6.0, 0.0], Some(&mut mesh));
            assert_eq!(w.things.get(owner).writes, writes);
        }
    }

    #[test]
    fn an_airborne_human_keeps_a_quarter_and_two_of_them_write_nothing() {
        let mut w = Walkers::new();
        let mut mesh = south_wall();
        let (owner, body) = w.human([40.0, 39.5, 5.0], true);
        w.things.get_mut(owner).pose.position.z = 0.0;
        w.things.get_mut(owner).state.as_mut().unwrap().airborne = true;
        let result = w.sweep(body, [2.0, 6.0, -0.4], Some(&mut mesh));
        assert!((result.velocity - Vec3::new(0.5, 0.0, -0.4)).length() < 1e-5, "{:?}", result.velocity);

        let mut w = Walkers::new();
        let (owner, body) = w.human([40.0, 40.0, 0.0], true);
        let (other, _) = w.human([40.7, 40.0, 0.0], true);
        for who in [owner, other] {
            w.things.get_mut(who).state.as_mut().unwrap().airborne = true;
        }
        w.sweep(body, [6.0, 2.0, 0.0], None);
        assert_eq!((w.things.get(owner).contacts.len(), w.things.get(owner).writes), (1, 0));
    }

    #[test]
    fn a_landing_is_a_contact_of_its_own() {
        let mut w = Walkers::new();
        let mut mesh = Scene::new().with(floor(80.0, 0.0)).mesh([8, 8, 1]);
        let (owner, body) = w.human([40.0, 41.0, 0.05], true);
        w.things.get_mut(owner).state.as_mut().unwrap().airborne = true;
        w.sweep(body, [0.0, 0.0, -6.0], Some(&mut mesh));
        assert!(w.things.get(owner).contacts[0].flags.has(ContactFlags::LANDING));
    }

    #[test]
    fn a_contact_whose_triangle_was_switched_off_since_is_skipped() {
        let mut w = Walkers::new();
        let mut mesh = Scene::new()
            .with(wall([0.0, 40.0], [80.0, 40.0], [0.0, 3.0]))
            .with(wall([0.0, 40.05], [80.0, 40.05], [0.0, 3.0]))
            .mesh([8, 8, 1]);
        let (owner, body) = w.human([40.0, 39.3, 0.0], true);
        let thing = w.things.get_mut(owner);
        (thing.switches_off, thing.answer) = (true, Answer::PASS);
        w.sweep(body, [0.0, 12.0, 0.0], Some(&mut mesh));
        assert_eq!(w.things.get(owner).contacts.len(), 1);
        assert!((w.at(owner).y - 39.7).abs() < 1e-5);
    }

    #[test]
    fn a_corner_slide_takes_a_walker_round_and_a_body_may_refuse_it() {
        let south = wall([30.0, 40.0], [40.0, 40.0], [0.0, 3.0]);
        let east = wall([40.0, 40.0], [40.0, 50.0], [0.0, 3.0]);
        for (flags, slides) in [(BodyFlags::NONE, true), (BodyFlags::NO_SLIDE, false)] {
            let mut mesh = Scene::new().with(south).with(east).mesh([8, 8, 1]);
            let mut w = Walkers::new();
            let (owner, body) = w.human([40.15, 39.58, 0.0], true);
            w.world.body_mut(body).flags |= flags;
            let result = w.sweep(body, [0.0, 1.5, 0.0], Some(&mut mesh));
            assert_eq!(w.at(owner).x > 40.16, slides, "{:?}", w.at(owner));
            assert_eq!(result.velocity.x, 0.0, "the real velocity takes no slide");
        }
    }

    #[test]
    fn walls_and_bodies_of_a_pass_are_sorted_together() {
        let mut w = Walkers::new();
        let mut mesh = south_wall();
        let (owner, body) = w.human([40.0, 37.0, 0.0], false);
        let (other, _) = w.human([40.0, 38.5, 0.0], false);
        w.things.get_mut(owner).answers = alloc::vec![Answer::PASS, Answer::PASS];
        w.sweep(body, [0.0, 120.0, 0.0], Some(&mut mesh));
        let owners: alloc::vec::Vec<_> = w.things.get(owner).contacts.iter().map(|c| c.other.owner).collect();
        assert_eq!(owners[..2], [Some(other), None]);
    }

    #[test]
    fn a_velocity_that_is_no_number_moves_nobody() {
        let mut w = Walkers::new();
        let (owner, body) = w.human([40.0, 37.0, 0.0], false);
        for v in [[f32::NAN; 3], [f32::INFINITY, 0.0, 0.0]] {
            assert_eq!(w.sweep(body, v, None).outcome, SweepOutcome::Aborted);
        }
        assert_eq!(w.at(owner), Vec3::new(40.0, 37.0, 0.0));
    }
}
