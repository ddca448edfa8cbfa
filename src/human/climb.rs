//! Climbing: the look at what stands ahead, and the three parts of the way over it or onto it.
//!
//! Who asks with triangle looks ahead at two heights. What is met there, may be climbed and ends in the window of its height
//! is climbed: up to its edge, over it or onto it, and down to where one stands behind it. From the second part on nothing
//! collides; the way is known from the look, so that ours is gone without a sweep from its beginning. Each part lasts as long
//! as its clip, and whatever else a human is made to play, as a reaction to a blow, breaks the climb off.
//!
//! Source: humans and combat, Moving, ground, air (climb summary, and the jump that is refused). The way itself and its clips'
//! numbers are our choice.

use super::numbers::{AnimState, code};
use super::person::Human;
use super::store::Humans;
use crate::animation::library::ClipIndex;
use crate::collision::{CollisionMesh, Ray, RayFilter, RayHit, TriangleFlags};
use crate::maths::{Vec3, from_heading, heading_of};
use crate::tasks::humans::gates::held;

/// A height over the feet at which a human looks, and what it climbs there, metres.
struct Reach {
    looks: f32,
    /// The lowest and the highest edge.
    edges: (f32, f32),
    high: bool,
}

/// The two looks, the high one first.
const REACHES: [Reach; 2] =
    [Reach { looks: 1.7, edges: (1.7, 2.91), high: true }, Reach { looks: 0.69, edges: (0.7, 1.7), high: false }];
/// How far a look goes, metres.
const LOOKS: f32 = 1.5;
/// A face is climbed by who goes against it: the cosine with its normal is below this.
const AGAINST: f32 = -0.7;
/// A jump is refused when a look at this height meets something to climb within this, metres.
const NO_JUMP: (f32, f32) = (1.7, 5.5);

/// Steps in which an edge is looked for, metres.
const EDGE_STEP: f32 = 0.05;
/// How far behind a face it is still the same obstacle, metres.
const THICKNESS: f32 = 0.15;
/// Where one stands behind the edge: on what is climbed, and on its other side, metres.
const BEHIND: [f32; 2] = [0.45, 0.75];
/// Ground this near under the edge is what one stands on.
const LEVEL: f32 = 0.15;
/// Nobody climbs to where the ground is further below the feet than this, metres: the highest climb's own height.
const DEEPEST: f32 = 2.91;
/// Over the edge, this much must be free.
const ROOM: f32 = 0.5;
/// The feet are this far below the edge while the hands bear on it, and this far at the highest, before and behind it.
const HANGS: f32 = 0.95;
const TUCKED: f32 = 0.6;
const BESIDE: f32 = 0.3;

/// The fade into a climb, and the last clip's into the idle, seconds.
const FADE: f32 = 0.1;
/// When of the last part the feet come down.
const LANDS_AT: f32 = 0.5;

/// A part of a climb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// To the edge.
    Up,
    /// Over it, or onto it.
    Over,
    /// To where one stands.
    Down,
}

/// The way of a climb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Climb {
    /// Where it is.
    pub part: Part,
    /// The edge is above the head.
    pub high: bool,
    /// It ends on what is climbed.
    pub onto: bool,
    /// Feet at its begin, metres.
    start: Vec3,
    /// Below this the edge runs across the way.
    edge: Vec3,
    /// Feet at its end.
    end: Vec3,
    /// Unit direction of the way over the ground.
    ahead: Vec3,
}

/// What stands before somebody who asks for a jump or a climb.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ahead {
    /// What can be climbed from here.
    pub climb: Option<Climb>,
    /// Something to climb is too near for a jump.
    pub bars_jump: bool,
}

fn ray(origin: Vec3, direction: Vec3, length: f32, mesh: &mut CollisionMesh) -> Option<RayHit> {
    mesh.cast(&Ray { origin, direction, length }, &RayFilter::default()).hit
}

impl Ahead {
    /// Looks at what stands before a human.
    pub fn of(human: &Human, mesh: &mut CollisionMesh) -> Self {
        let facing = from_heading(human.heading);
        let mut flags = TriangleFlags::CLIMBABLE;
        if human.spawn.player.is_some() {
            flags = flags.with(TriangleFlags::PLAYER_CLIMBABLE);
        }
        let may = |hit: &RayHit| hit.flags.0 & flags.0 != 0;
        let (height, far) = NO_JUMP;
        let bars_jump = ray(human.position + Vec3::Z * height, facing, far, mesh).is_some_and(|hit| may(&hit));
        let climb = REACHES.iter().find_map(|reach| {
            let met = ray(human.position + Vec3::Z * reach.looks, facing, LOOKS, mesh)?;
            let fits = may(&met) && met.normal.dot(facing) < AGAINST;
            if fits { way(human, facing, reach, &met, mesh) } else { None }
        });
        Self { climb, bars_jump }
    }
}

/// The way over or onto what a look has met, if there is one.
fn way(human: &Human, facing: Vec3, reach: &Reach, met: &RayHit, mesh: &mut CollisionMesh) -> Option<Climb> {
    let start = human.position;
    let face = start + facing * met.distance;
    // The first height at which the look passes over it.
    let (lowest, highest) = reach.edges;
    let mut height = lowest;
    while ray(start + Vec3::Z * height, facing, met.distance + THICKNESS, mesh).is_some() {
        height += EDGE_STEP;
        if height > highest {
            return None;
        }
    }
    let ahead = -met.normal.horizontal().normalize_or_zero();
    let edge = face + Vec3::Z * height;
    let [on, past] = BEHIND;
    if ray(start + Vec3::Z * (height + ROOM), facing, met.distance + past, mesh).is_some() {
        return None;
    }
    let mut ground = |behind: f32| {
        let over = edge + ahead * behind + Vec3::Z * LEVEL;
        let down = ray(over, -Vec3::Z, height + LEVEL + DEEPEST, mesh)?;
        Some(over - Vec3::Z * down.distance)
    };
    let onto = ground(on).filter(|ground| edge.z - ground.z < LEVEL + EDGE_STEP);
    let end = onto.or_else(|| ground(past))?;
    Some(Climb { part: Part::Up, high: reach.high, onto: onto.is_some(), start, edge, end, ahead })
}

impl Climb {
    /// The feet when a share of the part is through.
    fn feet(&self, share: f32) -> Vec3 {
        let hang = |beside: f32, below: f32| self.edge + self.ahead * beside - Vec3::Z * below;
        let (before, behind) = (hang(-BESIDE, HANGS), hang(BESIDE, HANGS));
        match (self.part, self.onto) {
            (Part::Up, _) => self.start + (before - self.start) * ease(share),
            (Part::Over, true) => before + (self.end - before) * ease(share),
            (Part::Over, false) => {
                let arc = 4.0 * share * (1.0 - share) * (HANGS - TUCKED);
                before + (behind - before) * share + Vec3::Z * arc
            }
            (Part::Down, true) => self.end,
            (Part::Down, false) => {
                // As something falls.
                let share = (share / LANDS_AT).min(1.0);
                let fallen = (self.end.z - behind.z) * share * share;
                let across = (self.end - behind).horizontal() * share;
                behind + across + Vec3::Z * fallen
            }
        }
    }
}

/// Slow at both ends.
fn ease(share: f32) -> f32 {
    share * share * (3.0 - 2.0 * share)
}

impl Humans {
    /// Climbs what the human has seen ahead in this step; says whether there was something.
    pub fn climb(&mut self, n: usize) -> bool {
        let human = &mut self.people[n];
        let Some(climb) = human.ahead.climb.take() else { return false };
        human.rest();
        human.heading = heading_of(climb.ahead);
        human.code = code::NONE;
        human.anim = AnimState::Idle;
        human.climb = Some(climb);
        self.play_part(n, climb, FADE);
        true
    }

    /// The clip of a part and what it holds.
    fn clip_of(&self, climb: Climb) -> (ClipIndex, u32) {
        let cast = &self.cast;
        match (climb.part, climb.high, climb.onto) {
            (Part::Up, false, _) => (cast.climb_low, held::STEP),
            (Part::Up, true, _) => (cast.climb_high, held::STEP),
            (Part::Over, _, false) => (cast.climb_over, held::CLIMBING),
            (Part::Over, _, true) => (cast.climb_onto, held::CLIMBING),
            (Part::Down, _, false) => (cast.climb_down, held::STEP),
            (Part::Down, _, true) => (cast.climb_rise, held::STEP),
        }
    }

    fn play_part(&mut self, n: usize, climb: Climb, fade: f32) {
        let ((clip, held), idle) = (self.clip_of(climb), self.cast.idle);
        let blend = if climb.part == Part::Down { FADE } else { 0.0 };
        self.play_then(n, clip, held, idle, blend, fade);
    }

    /// A clip has ended: the climb's next part begins, or it is through.
    pub(super) fn climb_clip_ended(&mut self, n: usize, clip: ClipIndex) {
        let Some(climb) = self.people[n].climb.filter(|climb| self.clip_of(*climb).0 == clip) else { return };
        let part = match climb.part {
            Part::Up => Part::Over,
            Part::Over => Part::Down,
            Part::Down => {
                let human = &mut self.people[n];
                (human.climb, human.position) = (None, climb.end);
                return;
            }
        };
        let climb = Climb { part, ..climb };
        self.people[n].climb = Some(climb);
        self.play_part(n, climb, 0.0);
    }

    /// Where a climb takes the human in this update; nothing for who does not climb, or no longer does.
    pub(super) fn follow_climb(&mut self, n: usize) -> Option<Vec3> {
        let climb = self.people[n].climb?;
        let plays = self.library.clip(self.clip_of(climb).0).id == self.people[n].playing;
        if !plays || self.people[n].fight.partner.is_some() {
            self.people[n].climb = None;
            return None;
        }
        let feet = climb.feet(self.played(n).min(1.0));
        let human = &mut self.people[n];
        (human.velocity, human.push) = (Vec3::ZERO, Vec3::ZERO);
        human.last_ground = climb.start;
        Some(feet)
    }
}
