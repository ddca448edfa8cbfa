//! Rooms that hold: a walker among upright two-sided walls stays in them and a radius away.
//!
//! [`Rule`] is the seed's way of moving a body, written down a second time in two dimensions and double precision. What it
//! does and where it fails is the rule's; where the engine does something else it is the engine's own.

use super::super::PhysicsWorld;
use super::super::bench::{Things, human};
use super::super::constants::{HUMAN_RADIUS, STEP, WALK_CLEARANCE};
use super::super::flags::Answer;
use super::super::ids::{BodyId, OwnerId};
use crate::collision::scenes::{Random, Scene, wall};
use crate::collision::{CollisionMesh, TriangleFlags};
use crate::maths::Vec3;
use alloc::vec::Vec;
use proptest::prelude::*;

/// What a wall may lose of a sphere's radius, in metres.
const GIVE: f32 = 0.02;
/// The quickest that a human runs, in m/s.
const SPRINT: f32 = 10.0;

pub(super) struct Room {
    corners: Vec<[f32; 2]>,
    height: f32,
    pub(super) mesh: CollisionMesh,
}

impl Room {
    /// A room of upright two-sided walls around the origin, its corners at the given angles and distances.
    pub(super) fn new(corners: &[(f32, f32)], height: f32) -> Self {
        let corners: Vec<[f32; 2]> =
            corners.iter().map(|&(angle, far)| [far * angle.cos(), far * angle.sin()]).collect();
        let mut scene = Scene::new();
        for i in 0..corners.len() {
            let faces = wall(corners[i], corners[(i + 1) % corners.len()], [0.0, height]);
            scene = scene.with_flags(faces, TriangleFlags::TWO_SIDED, 5, 0);
        }
        Self { mesh: scene.mesh([5, 5, 1]), corners, height }
    }

    /// A room of three to eight corners, sharp and blunt, whose middle has room for a walker.
    fn random(random: &mut Random, height: f32) -> Self {
        loop {
            let n = 3 + (random.unit() * 6.0) as usize;
            let each = core::f32::consts::TAU / n as f32;
            let corners: Vec<_> =
                (0..n).map(|i| ((i as f32 + 0.5 * random.unit()) * each, random.range(2.0, 6.0))).collect();
            let room = Self::new(&corners, height);
            if room.clearance(Vec3::ZERO) > HUMAN_RADIUS + GIVE {
                return room;
            }
        }
    }

    /// The walls' ends.
    fn walls(&self) -> impl Iterator<Item = [[f32; 2]; 2]> + '_ {
        let n = self.corners.len();
        (0..n).map(move |i| [self.corners[i], self.corners[(i + 1) % n]])
    }

    /// Distance of the sphere of a walker at `feet` from the nearest wall in metres, negative outside the room. It is higher
    /// than a low wall.
    fn sphere_clearance(&self, feet: Vec3) -> f32 {
        let above = (HUMAN_RADIUS + WALK_CLEARANCE - self.height).max(0.0);
        let beside = self.clearance(feet);
        (beside * beside + above * above).sqrt().copysign(beside)
    }

    /// Distance of a point from the nearest wall in metres across the ground, negative outside the room.
    fn clearance(&self, p: Vec3) -> f32 {
        let mut nearest = f32::MAX;
        let mut inside = false;
        for [[ax, ay], [bx, by]] in self.walls() {
            let along = Vec3::new(bx - ax, by - ay, 0.0);
            let from = Vec3::new(p.x - ax, p.y - ay, 0.0);
            let t = (from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            nearest = nearest.min((from - along * t).length());
            if (ay > p.y) != (by > p.y) && p.x < (bx - ax) * (p.y - ay) / (by - ay) + ax {
                inside = !inside;
            }
        }
        if inside { nearest } else { -nearest }
    }
}

pub(super) struct Walker {
    pub(super) world: PhysicsWorld,
    things: Things,
    owner: OwnerId,
    pub(super) body: BodyId,
}

impl Walker {
    pub(super) fn new(at: Vec3) -> Self {
        let (mut world, mut things) = (PhysicsWorld::new(), Things::new());
        let mut man = human(at);
        man.answer = Answer(0x20001);
        let owner = things.add(man);
        let body = world.create_human_body(owner, &things).unwrap();
        world.update_body(body, &mut things);
        Self { world, things, owner, body }
    }

    pub(super) fn at(&self) -> Vec3 {
        self.things.get(self.owner).pose.position
    }

    pub(super) fn walk(&mut self, mesh: &mut CollisionMesh, velocity: Vec3) -> Vec3 {
        self.world.sweep_body(self.body, velocity, STEP, Some(mesh), &mut self.things);
        self.at()
    }
}

/// The seed's sweep of a walker among upright two-sided walls, in the plane and in double precision.
///
/// Source: seed 002, Sweeping a body and Contacts (code 1).
mod rule {
    use alloc::vec::Vec;

    type P = [f64; 2];

    fn sub(a: P, b: P) -> P {
        [a[0] - b[0], a[1] - b[1]]
    }
    fn plus(a: P, b: P, s: f64) -> P {
        [a[0] + b[0] * s, a[1] + b[1] * s]
    }
    fn dot(a: P, b: P) -> f64 {
        a[0] * b[0] + a[1] * b[1]
    }

    /// When a circle first touches a wall, as a share of its move.
    fn first_touch(c: P, d: P, r: f64, [a, b]: [P; 2]) -> Option<f64> {
        let along = sub(b, a);
        let from = sub(c, a);
        let share = (dot(from, along) / dot(along, along)).clamp(0.0, 1.0);
        let apart = sub(from, [along[0] * share, along[1] * share]);
        if dot(apart, apart) <= r * r {
            return Some(0.0);
        }
        let length = dot(along, along).sqrt();
        let n = [-along[1] / length, along[0] / length];
        let side = dot(n, from);
        let mut touches = Vec::new();
        let speed = dot(n, d);
        let t = (r.copysign(side) - side) / speed;
        if (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&(dot(plus(from, d, t), along) / dot(along, along))) {
            touches.push(t);
        }
        for corner in [a, b] {
            let m = sub(c, corner);
            let (aa, bb, cc) = (dot(d, d), dot(d, m), dot(m, m) - r * r);
            let root = bb * bb - aa * cc;
            if root >= 0.0 {
                let t = (-bb - root.sqrt()) / aa;
                if (0.0..=1.0).contains(&t) {
                    touches.push(t);
                }
            }
        }
        touches.into_iter().reduce(f64::min)
    }

    /// Where three passes take a circle.
    pub fn sweep(mut p: P, mut v: P, dt: f64, r: f64, walls: &[[P; 2]]) -> P {
        for _ in 0..3 {
            let d = [v[0] * dt, v[1] * dt];
            if dot(d, d).sqrt() < 1e-6 {
                return p;
            }
            let mut first: Option<(f64, P)> = None;
            for &wall in walls {
                let along = sub(wall[1], wall[0]);
                let length = dot(along, along).sqrt();
                let mut n = [-along[1] / length, along[0] / length];
                if dot(n, sub(p, wall[0])) < 0.0 {
                    n = [-n[0], -n[1]];
                }
                if dot(n, d) >= -0.001 {
                    continue;
                }
                if let Some(t) = first_touch(p, d, r, wall)
                    && first.is_none_or(|(best, _)| t < best)
                {
                    first = Some((t, n));
                }
            }
            let Some((t, n)) = first else { return plus(p, d, 1.0) };
            let deep = -t * dot(n, d);
            if deep > 0.01 {
                p = plus(p, n, -(deep - 0.01));
            }
            v = plus(v, n, -dot(n, v));
        }
        p
    }
}

/// Corners at nearly even angles: rooms from triangles to octagons, with corners from sharp to blunt.
fn corners() -> impl Strategy<Value = Vec<(f32, f32)>> {
    (3..9_usize).prop_flat_map(|n| {
        proptest::collection::vec((0.05..0.95_f32, 2.0..6.0_f32), n).prop_map(move |raw| {
            let each = core::f32::consts::TAU / n as f32;
            raw.into_iter().enumerate().map(|(i, (share, far))| ((i as f32 + 0.5 * share) * each, far)).collect()
        })
    })
}

/// What a walk about a room came to.
#[derive(Debug, Default)]
struct Walked {
    steps: u32,
    /// The least clearance after a step in metres.
    least: f32,
    /// Steps that end somewhere else than the rule's.
    unlike: u32,
    /// Rooms that the rule alone would have left.
    rule_leaks: u32,
}

/// Walks about in a room at up to `fastest` m/s, a new way every eighth step. Each step is taken by the rule as well, from
/// where the engine stood.
fn walk_about(room: &mut Room, fastest: f32, seed: u64, steps: u32) -> Walked {
    /// Metres by which two ends may be apart: what decides at a threshold is the last bit.
    const ALIKE: f64 = 2e-3;
    let walls: Vec<_> = room.walls().map(|wall| wall.map(|end| end.map(f64::from))).collect();
    let mut walker = Walker::new(Vec3::ZERO);
    let mut random = Random::new(seed);
    let mut v = Vec3::X;
    let mut walked = Walked { least: f32::MAX, ..Walked::default() };
    let flat = |v: Vec3| [f64::from(v.x), f64::from(v.y)];
    for step in 0..steps {
        if step % 8 == 0 {
            v = random.direction().horizontal().normalize_or_zero() * random.range(0.5, fastest);
        }
        let from = walker.at();
        let at = walker.walk(&mut room.mesh, v);
        let ruled = rule::sweep(flat(from), flat(v), f64::from(STEP), f64::from(HUMAN_RADIUS), &walls);
        let leaves = room.clearance(Vec3::new(ruled[0] as f32, ruled[1] as f32, 0.0)) <= 0.0;
        walked.rule_leaks += u32::from(leaves);
        walked.unlike += u32::from(!leaves && (ruled[0] - flat(at)[0]).hypot(ruled[1] - flat(at)[1]) > ALIKE);
        walked.least = walked.least.min(room.sphere_clearance(at));
        walked.steps += 1;
    }
    walked
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_closed_room_keeps_a_walker_on_its_side_and_a_radius_away(
        corners in corners(),
        height in 0.3..3.0_f32,
        fastest in prop_oneof![Just(SPRINT), 1.0..400.0_f32],
        seed in 1..u64::MAX,
    ) {
        let mut room = Room::new(&corners, height);
        prop_assume!(room.clearance(Vec3::ZERO) > HUMAN_RADIUS + GIVE);
        let least = walk_about(&mut room, fastest, seed, 400).least;
        prop_assert!(least >= HUMAN_RADIUS - GIVE, "came within {least}");
    }
}

#[test]
fn up_to_twice_a_sprint_each_step_is_the_rules_and_no_room_leaks() {
    let mut random = Random::new(77);
    let (mut steps, mut unlike) = (0, 0);
    for seed in 1..=150 {
        let mut room = Room::random(&mut random, 2.0);
        let walked = walk_about(&mut room, 2.0 * SPRINT, seed, 300);
        assert!(walked.least >= HUMAN_RADIUS - GIVE && walked.rule_leaks == 0, "room {seed}: {walked:?}");
        (steps, unlike) = (steps + walked.steps, unlike + walked.unlike);
    }
    assert!(unlike * 2000 <= steps, "{unlike} of {steps} steps end somewhere else than the rule's");
}

#[test]
fn at_four_times_a_sprint_the_rule_leaks_and_a_walker_is_held() {
    // An advance goes along the normal alone. A body that runs along a wall into a blunt corner is taken into the wall beside
    // it by up to half of its move: through it when that is more than its radius, whatever the next pass does.
    let mut random = Random::new(77);
    let mut leaking = 0;
    for seed in 1..=150 {
        let mut room = Room::random(&mut random, 2.0);
        let walked = walk_about(&mut room, 4.0 * SPRINT, seed, 400);
        assert!(walked.least >= HUMAN_RADIUS - GIVE, "room {seed}: {walked:?}");
        leaking += u32::from(walked.rule_leaks > 0);
    }
    assert!((20..80).contains(&leaking), "the rule leaves {leaking} of 150 rooms");
}

#[test]
fn straight_into_a_wall_the_distance_holds_at_any_speed_and_height() {
    let mut random = Random::new(31);
    for _ in 0..300 {
        let height = random.range(0.3, 3.0);
        let mut room = Room::new(&[(0.0, 30.0), (1.6, 30.0), (3.2, 30.0), (4.8, 30.0)], height);
        let mut walker = Walker::new(Vec3::ZERO);
        let angle = random.range(0.0, core::f32::consts::TAU);
        let speed = random.range(0.5, 400.0);
        for step in 0..200 {
            let at = walker.walk(&mut room.mesh, Vec3::new(angle.cos(), angle.sin(), 0.0) * speed);
            let clearance = room.sphere_clearance(at);
            assert!(clearance >= HUMAN_RADIUS - GIVE, "step {step} at {speed} m/s: {clearance}");
        }
    }
}

#[test]
fn a_wall_that_is_too_thin_for_the_rule_stops_nobody() {
    // Taller than 0.25 m, but so short that each half of it is a sliver: the rule's own threshold passes it.
    let walks_on = |length: f32| {
        let wall = wall([-length / 2.0, 2.0], [length / 2.0, 2.0], [0.0, 0.3]);
        let mut mesh = Scene::new().with_flags(wall, TriangleFlags::TWO_SIDED, 5, 0).mesh([2, 2, 1]);
        let mut walker = Walker::new(Vec3::ZERO);
        (0..60).for_each(|_| {
            walker.walk(&mut mesh, Vec3::Y * 3.0);
        });
        walker.at().y > 3.0
    };
    assert!(walks_on(0.4), "0.24 m beside its diagonal");
    assert!(!walks_on(0.6), "0.27 m beside its diagonal");
}
