//! Walking by the motion system: a brain's way becomes a movement, and move-to decides command and heading.
//!
//! The human's body is moved by the characters' own locomotion; this side only tells the motion system where it is and asks
//! it each step what it wants. Who fights keeps a grip on his enemy once he has come to him: it tells where to face and how far
//! off the enemy is, and the locomotion steps after him.
//!
//! Source: settled questions 14 and 15; seed 004, MoveToManager; motion notes, MoveToManager (Sticky).

use crate::human::Human;
use crate::human::mover::{HumanMover, object_of};
use crate::human::numbers::{SNEAK, WALK};
use crate::human::person::Asked;
use crate::maths::{Vec3, from_heading};
use crate::motion::{
    AskedGait, MotionError, MotionResult, MoveToNode, Movement, MovementParameters, MovementType, ObjectMotions,
    ParameterBits, Position, STICKY_RADIUS, degrees_of_heading, heading_of_degrees,
};

/// Metres that the gap to an enemy may be too wide before somebody steps after him, and too narrow before he steps back.
///
/// Our choice: wide enough that two fighters do not shuffle on the spot, narrow enough that a strike still reaches.
const GAP: (f32, f32) = (0.15, 0.75);
/// A grip on somebody who is this much too far off, in metres, is let go, and the way begins anew.
///
/// Our choice: a longer way than one step has a turn, a pace and a progress to watch, which are move-to's.
const LETS_GO: f32 = 1.0;
/// Any gap is closed in one step of this many seconds, so that the grip's step says how wide it is.
const WHOLE: f32 = 10.0;

/// Where a brain wants to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Destination {
    /// A place, metres.
    Place(Vec3),
    /// One's place in the formation of a human.
    Formation(u8),
    /// Near another human.
    Human(u8),
    /// As near to another human as a fight wants, from when on one stays with him.
    Enemy(u8),
    /// Away from another human, as far as it is safe.
    Away(u8),
    /// Where one stands, facing a heading in radians.
    Facing(f32),
}

impl Destination {
    /// The human that the way is measured by.
    pub const fn human(self) -> Option<u8> {
        match self {
            Self::Place(_) | Self::Facing(_) => None,
            Self::Formation(other) | Self::Human(other) | Self::Enemy(other) | Self::Away(other) => Some(other),
        }
    }
}

/// A way: where to, and how near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Where to.
    pub to: Destination,
    /// Metres between the middles at its end.
    pub near: f32,
}

/// One human's motion records and the way that it is on.
#[derive(Clone, Debug)]
pub struct Walk<T> {
    /// The records.
    pub mover: HumanMover<T>,
    way: Option<Way>,
}

impl<T: ObjectMotions> Walk<T> {
    /// Nobody walks yet; motions come from a table.
    pub fn new(human: u8, table: T) -> Self {
        Self { mover: HumanMover::new(human, table), way: None }
    }

    /// The way that it is on.
    pub fn way(&self) -> Option<Way> {
        self.way
    }

    /// Whether a movement is under way.
    pub fn is_moving(&self) -> bool {
        self.mover.object.movement.as_ref().is_some_and(crate::motion::MovementManager::is_moving_to)
    }

    /// Sets off, at a run or a walk. Away from somebody it always runs.
    ///
    /// # Errors
    /// The motion system's, when it refuses.
    pub fn start(&mut self, human: &Human, way: Way, runs: bool) -> MotionResult {
        self.mover.see(human);
        self.way = Some(way);
        let movement = self.movement(way, human.position.z);
        let answer = self.mover.with(|mover| mover.perform_movement(&movement)).unwrap_or(Ok(()));
        self.mover.with(|mover| mover.move_to_at_pace(runs));
        answer
    }

    /// The movement of a way. `ground` is the height at which the human stands.
    fn movement(&self, Way { to, near }: Way, ground: f32) -> Movement {
        let (own, height) = (self.mover.body().rim(), self.mover.body().tall());
        let params = MovementParameters { walk_run_threshold: f32::MAX, ..Default::default() };
        let object = |other, radius, params| Movement {
            movement_type: MovementType::MoveToObject,
            object_id: object_of(other),
            top_level_id: object_of(other),
            radius,
            height,
            params,
            ..Default::default()
        };
        match to {
            Destination::Place(point) => Movement {
                movement_type: MovementType::MoveToPosition,
                position: Position { point: Vec3::new(point.x, point.y, ground), heading: 0.0 },
                params: to_the_middle(params, near),
                ..Default::default()
            },
            Destination::Formation(leader) => object(leader, own, to_the_middle(params, near)),
            Destination::Human(other) => {
                let rims = (near - own - own).max(0.05);
                object(other, own, MovementParameters { distance_to_object: rims, ..params })
            }
            Destination::Enemy(other) => {
                // The grip keeps its own distance between the rims, so the enemy is as wide as makes that right.
                let radius = (near - own - STICKY_RADIUS).max(0.0);
                let distance_to_object = STICKY_RADIUS + GAP.0;
                let bits = params.bits.with(ParameterBits::STICKY);
                object(other, radius, MovementParameters { bits, distance_to_object, ..params })
            }
            Destination::Away(other) => {
                let bits = params.bits.without(ParameterBits::MOVE_TOWARDS);
                let bits = bits.with(ParameterBits::MOVE_AWAY).with(ParameterBits::CAN_CHARGE);
                object(other, own, MovementParameters { bits, min_distance: near - own - own, ..params })
            }
            Destination::Facing(heading) => Movement {
                movement_type: MovementType::TurnToHeading,
                params: MovementParameters { desired_heading: degrees_of_heading(heading), ..params },
                ..Default::default()
            },
        }
    }

    /// Stays where it is.
    pub fn cancel(&mut self) {
        self.way = None;
        self.mover.with(|mover| {
            mover.cancel_move_to(MotionError::ActionCancelled);
            mover.unstick_from_object();
        });
    }

    /// A step without a way: what is still in flight plays to its end.
    pub fn rest(&mut self, human: &Human) {
        if self.way.is_some() {
            self.cancel();
        }
        self.mover.see(human);
        if !self.mover.is_at_rest() {
            self.mover.pass_time();
        }
    }

    /// Forgets its way and all that is in flight: its human has gone.
    pub fn leave_world(&mut self) {
        self.way = None;
        self.mover.leave_world();
    }

    /// One step, at a run or a walk: what the movement asks of the locomotion; `None` once it has ended. `seen` is where the
    /// human that it goes to is, or its place in that one's formation, and how fast.
    pub fn step(&mut self, human: &Human, seen: Option<(Position, Vec3)>, runs: bool) -> Option<Asked> {
        self.mover.see(human);
        self.mover.look(seen.map(|(place, velocity)| (self.level(place, human), velocity)));
        if !matches!(self.way, Some(Way { to: Destination::Away(_), .. })) {
            self.mover.with(|mover| mover.move_to_at_pace(runs));
        }
        self.keep_level(human);
        self.wait_for_nothing();
        // The characters' own clips are shown, so the turn of the motion system's is nobody's.
        let _turn = self.mover.pass_time();
        let asked = self.asked(runs).or_else(|| self.grip());
        if asked.is_none() {
            self.cancel();
        }
        asked
    }

    /// Our choice: places are reached on the ground plane, as a formation or a path knows no stairs.
    fn level(&self, place: Position, human: &Human) -> Position {
        match self.way {
            Some(Way { to: Destination::Formation(_), .. }) => {
                Position { point: Vec3::new(place.point.x, place.point.y, human.position.z), ..place }
            }
            _ => place,
        }
    }

    fn keep_level(&mut self, human: &Human) {
        if let (Some(Way { to: Destination::Place(_), .. }), Some(movement)) =
            (self.way, self.mover.object.movement.as_mut())
        {
            movement.move_to.current_target_position.point.z = human.position.z;
        }
    }

    /// Our choice: move-to begins no turn while the table's links play. The characters show their own clips, so nobody stands
    /// for a link that he does not show.
    fn wait_for_nothing(&mut self) {
        let movement = self.mover.object.movement.as_ref();
        if movement.is_some_and(|movement| movement.is_moving_to() && movement.move_to.current_command.is_none()) {
            self.mover.with(|mover| mover.remove_link_animations());
        }
    }

    /// What move-to asks.
    ///
    /// Our choice: who turns to set off does so on his way, in a curve, as far as the locomotion lets him: it stands by itself
    /// while the turn is a wide one.
    fn asked(&self, runs: bool) -> Option<Asked> {
        let place = self.mover.body().place();
        let movement = self.mover.object.movement.as_ref()?;
        let request = movement.locomotion_request(place)?;
        let nodes = &movement.move_to.pending_actions;
        let sets_off =
            matches!(nodes.front(), Some(MoveToNode::Turn(_))) && nodes.iter().any(|node| *node == MoveToNode::Move);
        let gait = match request.gait {
            AskedGait::Stand if sets_off && runs => AskedGait::Run,
            AskedGait::Stand if sets_off => AskedGait::Walk,
            gait => gait,
        };
        Some(Asked {
            gait: gait as u8,
            heading: request.heading,
            backwards: request.backwards && request.gait != AskedGait::Stand,
            stance: false,
        })
    }

    /// What a grip asks: to face whom it holds, and a step after him or back.
    ///
    /// Our choice: a grip is how a sticky movement ends, and it gives no commands; it would move the body itself. The body of
    /// a character is the locomotion's alone, so the grip's step is asked of that, as a walk ahead or a slow step back,
    /// instead of being made past it.
    fn grip(&self) -> Option<Asked> {
        let body = self.mover.body();
        let place = body.place();
        let step = self.mover.object.sticky.step(place, body.rim(), 0.0, WHOLE);
        let Some(step) = step else {
            // A grip that has not seen whom it holds yet.
            let holds = self.mover.object.sticky.target_id().is_some();
            return holds.then(|| Asked { heading: heading_of_degrees(place.heading), ..Asked::default() });
        };
        let heading = heading_of_degrees(place.heading + step.turn);
        let gap = step.offset.dot(from_heading(heading));
        let (ahead, back) = GAP;
        let (gait, backwards) = match gap {
            gap if gap > ahead => (WALK, false),
            gap if gap < -back => (SNEAK, true),
            _ => (0, false),
        };
        (gap <= LETS_GO).then_some(Asked { gait, heading, backwards, stance: false })
    }
}

/// Parameters of a way that ends with one's middle so near to the place.
fn to_the_middle(params: MovementParameters, near: f32) -> MovementParameters {
    let bits = params.bits.without(ParameterBits::USE_SPHERES);
    MovementParameters { bits, distance_to_object: near, ..params }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::human::Spawn;
    use crate::human::speeds::Speeds;
    use crate::motion::table::build::sample;
    use crate::tasks::humans::step::STEP_SECONDS;

    fn human() -> Human {
        let speeds = Speeds { base: 3.0, gaits: [0.0, 1.2, 1.5, 4.0, 7.5, 10.0] };
        Human::new(Spawn { position: Vec3::new(10.0, 10.0, 0.0), ..Spawn::default() }, speeds)
    }

    /// The characters' own locomotion, without a body.
    fn move_on(human: &mut Human, asked: Option<Asked>) {
        human.asked = asked.unwrap_or(Asked { heading: human.heading, ..Asked::default() });
        human.ai_locomotion();
        human.position += human.velocity * STEP_SECONDS;
    }

    #[test]
    fn a_way_to_a_place_turns_walks_and_ends_there() {
        let table = sample().build().unwrap();
        let (mut walk, mut human) = (Walk::new(3, table), human());
        let place = Vec3::new(16.0, 10.0, 0.0);
        let way = Way { to: Destination::Place(place), near: 0.4 };
        walk.start(&human, way, false).unwrap();
        assert!(walk.is_moving() && walk.way() == Some(way));
        let mut steps = 0;
        while walk.is_moving() && steps < 600 {
            let asked = walk.step(&human, None, false);
            move_on(&mut human, asked);
            steps += 1;
        }
        let left = (human.position - place).length();
        std::println!("{steps} steps, {left} m left");
        assert!(left < 0.4 && steps < 600 && walk.way().is_none(), "{left} {steps} {:?}", walk.way());
        assert!((human.heading.to_degrees() - 90.0).abs() < 3.0, "{}", human.heading.to_degrees());
    }

    #[test]
    fn a_way_is_run_or_walked_as_its_brain_says() {
        let table = sample().build().unwrap();
        let (mut walk, mut human) = (Walk::new(3, table), human());
        walk.start(&human, Way { to: Destination::Place(Vec3::new(10.0, 60.0, 0.0)), near: 0.5 }, true).unwrap();
        let mut fastest = 0;
        for _ in 0..60 {
            let asked = walk.step(&human, None, true);
            fastest = fastest.max(asked.map_or(0, |asked| asked.gait));
            move_on(&mut human, asked);
        }
        assert_eq!(fastest, 4);
        let walked = (0..5).map(|_| walk.step(&human, None, false).map_or(0, |asked| asked.gait)).last();
        assert_eq!(walked, Some(WALK), "the node begins anew at a walk");
    }

    #[test]
    fn a_human_that_walks_away_is_caught_up_with() {
        let table = sample().build().unwrap();
        let (mut walk, mut human) = (Walk::new(3, table), human());
        walk.start(&human, Way { to: Destination::Human(7), near: 1.3 }, false).unwrap();
        let (mut other, stroll) = (Vec3::new(14.0, 13.0, 0.0), Vec3::Y * 0.8);
        let mut steps = 0;
        while walk.is_moving() && steps < 900 {
            other += stroll * STEP_SECONDS;
            let asked = walk.step(&human, Some((Position { point: other, heading: 0.0 }, stroll)), false);
            move_on(&mut human, asked);
            steps += 1;
        }
        let gap = (human.position - other).length();
        std::println!("{steps} steps, {gap} m apart");
        assert!(steps < 900 && (0.9..2.4).contains(&gap), "{steps} {gap}");
    }

    #[test]
    fn who_flees_runs_the_other_way_until_it_is_safe() {
        let table = sample().build().unwrap();
        let (mut walk, mut human) = (Walk::new(3, table), human());
        let threat = human.position + Vec3::Y * 2.0;
        walk.start(&human, Way { to: Destination::Away(7), near: 8.7 }, true).unwrap();
        let (mut steps, mut fastest) = (0, 0);
        while walk.is_moving() && steps < 600 {
            let asked = walk.step(&human, Some((Position { point: threat, heading: 0.0 }, Vec3::ZERO)), true);
            fastest = fastest.max(asked.map_or(0, |asked| asked.gait));
            move_on(&mut human, asked);
            steps += 1;
        }
        let away = (human.position - threat).length();
        std::println!("{steps} steps, {away} m away");
        assert!(fastest == 4 && human.position.y < 4.0 && (8.0..11.0).contains(&away) && steps < 600, "{away} {steps}");
    }

    #[test]
    fn a_cancelled_way_asks_for_nothing() {
        let table = sample().build().unwrap();
        let (mut walk, human) = (Walk::new(3, table), human());
        walk.start(&human, Way { to: Destination::Place(Vec3::ZERO), near: 0.5 }, false).unwrap();
        walk.cancel();
        assert!(!walk.is_moving() && walk.step(&human, None, false).is_none());
    }

    #[test]
    fn who_has_come_to_an_enemy_stays_with_him_and_faces_him() {
        const NEAR: f32 = 1.06;
        let table = sample().build().unwrap();
        let (mut walk, mut human) = (Walk::new(3, table), human());
        let way = Way { to: Destination::Enemy(7), near: NEAR };
        let (mut angle, mut enemy, mut gripped) = (0.0_f32, human.position + Vec3::new(2.5, 0.0, 0.0), 0);
        for step in 0..240 {
            if walk.way().is_none() {
                walk.start(&human, way, false).unwrap();
            }
            // He walks round in a circle once somebody is there.
            if step > 90 {
                angle += 0.02;
                enemy = Vec3::new(12.5, 10.0, 0.0) + from_heading(angle) * 1.0 - Vec3::Y;
            }
            let asked = walk.step(&human, Some((Position { point: enemy, heading: 0.0 }, Vec3::ZERO)), false);
            gripped += usize::from(!walk.is_moving() && asked.is_some());
            move_on(&mut human, asked);
        }
        let off = enemy - human.position;
        let error = crate::human::speeds::turn_between(human.heading, crate::maths::heading_of(off)).to_degrees();
        std::println!("{gripped} steps of grip, {} m off, {error} degrees", off.length());
        assert!(gripped > 120 && (NEAR - 0.2..NEAR + 0.3).contains(&off.length()) && error.abs() < 20.0, "{off:?}");
    }

    #[test]
    fn who_stands_turns_to_a_heading_and_keeps_it() {
        let table = sample().build().unwrap();
        let (mut walk, mut human) = (Walk::new(3, table), human());
        walk.start(&human, Way { to: Destination::Facing(2.0), near: 0.0 }, false).unwrap();
        let mut steps = 0;
        while walk.way().is_some() && steps < 60 {
            let asked = walk.step(&human, None, false);
            move_on(&mut human, asked);
            steps += 1;
        }
        assert!(steps < 30 && (human.heading - 2.0).abs() < 0.05, "{steps} {}", human.heading);
    }
}
