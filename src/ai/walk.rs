//! Walking by the motion system: a brain's way becomes a movement, and move-to decides command and heading.
//!
//! The human's body is moved by the characters' own locomotion; this side only tells the motion system where it is and asks
//! it each step what it wants.
//!
//! Source: settled questions 14 and 15; seed 004, MoveToManager.

use crate::human::Human;
use crate::human::person::Asked;
use crate::maths::{Quat, Vec3};
use crate::motion::seams::{CallRing, Trace};
use crate::motion::{
    AskedGait, Body, CharacterWeenie, MotionError, MotionObject, MotionResult, Movement, MovementParameters,
    MovementType, ObjectMotions, Position, Surroundings, TablePartArray, TargetTracker, Time, degrees_of_heading,
    heading_of_degrees,
};
use crate::physics::constants::{HUMAN_HEIGHT, HUMAN_RADIUS};
use crate::tasks::humans::step::STEP_SECONDS;

/// Calls that are remembered for the overlay.
const REMEMBERED: usize = 8;

/// Where a brain wants to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Destination {
    /// A place, metres.
    Place(Vec3),
    /// Near another human.
    Human(u8),
}

/// The human's body as the motion system sees it.
#[derive(Clone, Copy, Debug, Default)]
struct HumanBody {
    id: u32,
    position: Position,
    velocity: Vec3,
    grounded: bool,
    radius: f32,
    height: f32,
    /// What the motion system turned it to, in degrees.
    turned_to: Option<f32>,
    tracker: TargetTracker,
}

impl HumanBody {
    fn see(&mut self, human: &Human) {
        self.position = Position { point: human.position, heading: degrees_of_heading(human.heading) };
        self.velocity = human.velocity;
        self.grounded = !human.is_airborne();
        self.radius = HUMAN_RADIUS * human.spawn.scale;
        self.height = HUMAN_HEIGHT * human.spawn.scale;
    }
}

impl Body for HumanBody {
    fn id(&self) -> u32 {
        self.id
    }
    fn has_gravity(&self) -> bool {
        true
    }
    fn has_contact(&self) -> bool {
        self.grounded
    }
    fn on_walkable(&self) -> bool {
        self.grounded
    }
    fn in_cell(&self) -> bool {
        true
    }
    fn is_fully_constrained(&self) -> bool {
        false
    }
    fn movement_is_autonomous(&self) -> bool {
        false
    }
    fn is_interpolating(&self) -> bool {
        false
    }
    fn position(&self) -> Position {
        self.position
    }
    fn orientation(&self) -> Quat {
        Quat::from_heading(heading_of_degrees(self.position.heading))
    }
    fn velocity(&self) -> Vec3 {
        self.velocity
    }
    fn radius(&self) -> f32 {
        self.radius
    }
    fn height(&self) -> f32 {
        self.height
    }
    fn set_active(&mut self) {}
    fn set_on_walkable(&mut self, walkable: bool) -> bool {
        core::mem::replace(&mut self.grounded, walkable) && !walkable
    }
    // The characters' locomotion moves the body, never the motion system's velocities.
    fn set_local_velocity(&mut self, _: Vec3, _: bool) {}
    fn set_heading(&mut self, degrees: f32) {
        self.position.heading = degrees;
        self.turned_to = Some(degrees);
    }
    fn set_target(&mut self, _: u32, object_id: u32, radius: f32, quantum: f32) {
        self.tracker.follow(object_id, radius, quantum);
    }
    fn clear_target(&mut self) {
        self.tracker.clear();
    }
    fn target_quantum(&self) -> f32 {
        self.tracker.quantum()
    }
    fn set_target_quantum(&mut self, quantum: f32) {
        self.tracker.set_quantum(quantum);
    }
}

/// One human's motion records and the way that it is on.
#[derive(Clone, Debug)]
pub struct Walk<T> {
    /// The motion system's records, for the overlay too.
    pub object: MotionObject<TablePartArray<T>>,
    /// Its latest calls.
    pub calls: CallRing<REMEMBERED>,
    body: HumanBody,
    now: Time,
    way: Option<Destination>,
}

/// An object's number for the motion system: 0 is nobody.
fn object_of(human: u8) -> u32 {
    u32::from(human) + 1
}

impl<T: ObjectMotions> Walk<T> {
    /// Nobody walks yet; motions come from a table.
    pub fn new(human: u8, table: T) -> Self {
        let object = MotionObject { parts: Some(TablePartArray::new(Some(table))), ..MotionObject::default() };
        let body = HumanBody { id: object_of(human), grounded: true, ..HumanBody::default() };
        let mut walk = Self { object, calls: CallRing::default(), body, now: Time(0), way: None };
        let Self { object, calls, body, now, .. } = &mut walk;
        object.make_movement_manager(around(body, *now, calls), true);
        walk
    }

    /// Where it is on its way to.
    pub fn way(&self) -> Option<Destination> {
        self.way
    }

    /// Whether a movement is under way.
    pub fn is_moving(&self) -> bool {
        self.object.movement.as_ref().is_some_and(crate::motion::MovementManager::is_moving_to)
    }

    /// Sets off to a place or a human, to within `near` metres; runs when it is further than `runs_from`.
    ///
    /// # Errors
    /// The motion system's, when it refuses.
    pub fn start(&mut self, human: &Human, to: Destination, near: f32, runs_from: f32) -> MotionResult {
        self.body.see(human);
        self.way = Some(to);
        // Move-to measures from the rim; a place is to be reached with the middle.
        let rim = if matches!(to, Destination::Place(_)) { self.body.radius } else { 0.0 };
        let distance_to_object = (near - rim).max(0.05);
        let params = MovementParameters { distance_to_object, walk_run_threshold: runs_from, ..Default::default() };
        let movement = match to {
            Destination::Place(point) => Movement {
                movement_type: MovementType::MoveToPosition,
                position: Position { point, heading: 0.0 },
                params,
                ..Default::default()
            },
            Destination::Human(other) => Movement {
                movement_type: MovementType::MoveToObject,
                object_id: object_of(other),
                top_level_id: object_of(other),
                radius: self.body.radius,
                height: self.body.height,
                params,
                ..Default::default()
            },
        };
        let Self { object, calls, body, now, .. } = self;
        match object.mover(around(body, *now, calls)) {
            Some(mut mover) => mover.perform_movement(&movement),
            None => Ok(()),
        }
    }

    /// Stays where it is.
    pub fn cancel(&mut self) {
        self.way = None;
        let Self { object, calls, body, now, .. } = self;
        if let Some(mut mover) = object.mover(around(body, *now, calls)) {
            mover.cancel_move_to(MotionError::ActionCancelled);
        }
    }

    /// One step: what the movement asks of the locomotion; `None` once it has ended. `seen` is where the human that it goes
    /// to is, and how fast.
    pub fn step(&mut self, human: &Human, seen: Option<(Position, Vec3)>) -> Option<Asked> {
        self.body.see(human);
        self.body.turned_to = None;
        self.now = self.now.after(STEP_SECONDS);
        let Self { object, calls, body, now, way } = self;
        if let Some(parts) = &mut object.parts {
            // The clips that are shown are the animation's own.
            let _carried = parts.update(STEP_SECONDS);
        }
        if let Some(info) = body.tracker.look(*now, seen)
            && let Some(mut mover) = object.mover(around(body, *now, calls))
        {
            mover.target_reported(&info);
        }
        object.update(around(body, *now, calls));
        let request = object.movement.as_ref().and_then(|movement| movement.locomotion_request(body.position));
        let Some(request) = request else {
            *way = None;
            return None;
        };
        Some(Asked {
            gait: request.gait as u8,
            heading: request.heading,
            backwards: request.backwards && request.gait != AskedGait::Stand,
            stance: false,
        })
    }
}

fn around<'a>(body: &'a mut HumanBody, now: Time, trace: &'a mut dyn Trace) -> Surroundings<'a> {
    const WEENIE: CharacterWeenie = CharacterWeenie { is_player: false, stamina: 1.0 };
    Surroundings { body: Some(body), weenie: Some(&WEENIE), now, trace }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::human::Spawn;
    use crate::human::speeds::Speeds;
    use crate::motion::table::build::sample;

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
        walk.start(&human, Destination::Place(place), 0.5, 30.0).unwrap();
        assert!(walk.is_moving() && walk.way() == Some(Destination::Place(place)));
        let mut steps = 0;
        while walk.is_moving() && steps < 600 {
            let asked = walk.step(&human, None);
            move_on(&mut human, asked);
            steps += 1;
        }
        let left = (human.position - place).length();
        std::println!("{steps} steps, {left} m left");
        assert!(left < 0.9 && steps < 600 && walk.way().is_none(), "{left} {steps} {:?}", walk.way());
        assert!((human.heading.to_degrees() - 90.0).abs() < 3.0, "{}", human.heading.to_degrees());
    }

    #[test]
    fn far_ways_are_run() {
        let table = sample().build().unwrap();
        let (mut walk, mut human) = (Walk::new(3, table), human());
        walk.start(&human, Destination::Place(Vec3::new(10.0, 60.0, 0.0)), 0.5, 5.0).unwrap();
        let mut fastest = 0;
        for _ in 0..60 {
            let asked = walk.step(&human, None);
            fastest = fastest.max(asked.map_or(0, |asked| asked.gait));
            move_on(&mut human, asked);
        }
        assert_eq!(fastest, 4);
    }

    #[test]
    fn a_human_that_walks_away_is_caught_up_with() {
        let table = sample().build().unwrap();
        let (mut walk, mut human) = (Walk::new(3, table), human());
        walk.start(&human, Destination::Human(7), 0.6, 30.0).unwrap();
        let (mut other, stroll) = (Vec3::new(14.0, 13.0, 0.0), Vec3::Y * 0.8);
        let mut steps = 0;
        while walk.is_moving() && steps < 900 {
            other += stroll * STEP_SECONDS;
            let asked = walk.step(&human, Some((Position { point: other, heading: 0.0 }, stroll)));
            move_on(&mut human, asked);
            steps += 1;
        }
        let gap = (human.position - other).length();
        std::println!("{steps} steps, {gap} m apart");
        assert!(steps < 900 && (0.9..2.4).contains(&gap), "{steps} {gap}");
    }

    #[test]
    fn a_cancelled_way_asks_for_nothing() {
        let table = sample().build().unwrap();
        let (mut walk, human) = (Walk::new(3, table), human());
        walk.start(&human, Destination::Place(Vec3::ZERO), 0.5, 30.0).unwrap();
        walk.cancel();
        assert!(!walk.is_moving() && walk.step(&human, None).is_none());
    }
}
