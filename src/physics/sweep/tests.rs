use super::*;
use crate::collision::scenes::{Scene, floor, wall};
use crate::maths::{Pose, Quat};
use crate::physics::bench::{Things, human, object};
use crate::physics::constants::{IMMOVABLE, PLAYER_BODY_SCALE, STEP};
use crate::physics::create::ObjectShape;
use crate::physics::flags::{Answer, ContactFlags};

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
