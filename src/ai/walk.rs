//! Walking by the motion system: a brain's way becomes a movement, and move-to decides command and heading.
//!
//! The human's body is moved by the characters' own locomotion; this side only tells the motion system where it is and asks
//! it each step what it wants.
//!
//! Source: settled questions 14 and 15; seed 004, MoveToManager.

use crate::human::Human;
use crate::human::mover::{HumanMover, object_of};
use crate::human::person::Asked;
use crate::maths::Vec3;
use crate::motion::{
    AskedGait, MotionError, MotionResult, Movement, MovementParameters, MovementType, ObjectMotions, ParameterBits,
    Position,
};

/// Where a brain wants to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Destination {
    /// A place, metres.
    Place(Vec3),
    /// Near another human.
    Human(u8),
    /// Away from another human, as far as it is safe.
    Away(u8),
}

impl Destination {
    /// The human that the way is measured by.
    pub const fn human(self) -> Option<u8> {
        match self {
            Self::Place(_) => None,
            Self::Human(other) | Self::Away(other) => Some(other),
        }
    }
}

/// One human's motion records and the way that it is on.
#[derive(Clone, Debug)]
pub struct Walk<T> {
    /// The records.
    pub mover: HumanMover<T>,
    way: Option<Destination>,
}

impl<T: ObjectMotions> Walk<T> {
    /// Nobody walks yet; motions come from a table.
    pub fn new(human: u8, table: T) -> Self {
        Self { mover: HumanMover::new(human, table), way: None }
    }

    /// Where it is on its way to.
    pub fn way(&self) -> Option<Destination> {
        self.way
    }

    /// Whether a movement is under way.
    pub fn is_moving(&self) -> bool {
        self.mover.object.movement.as_ref().is_some_and(crate::motion::MovementManager::is_moving_to)
    }

    /// Sets off to a place or a human, to within `near` metres; runs when it is further than `runs_from`. Away from one it
    /// runs until it is `near` metres off.
    ///
    /// # Errors
    /// The motion system's, when it refuses.
    pub fn start(&mut self, human: &Human, to: Destination, near: f32, runs_from: f32) -> MotionResult {
        self.mover.see(human);
        self.way = Some(to);
        let (radius, height) = (self.mover.body().rim(), self.mover.body().tall());
        // Move-to measures from the rim; a place is to be reached with the middle.
        let rim = if matches!(to, Destination::Place(_)) { radius } else { 0.0 };
        let distance_to_object = (near - rim).max(0.05);
        let params = MovementParameters { distance_to_object, walk_run_threshold: runs_from, ..Default::default() };
        let movement = match to {
            Destination::Place(point) => Movement {
                movement_type: MovementType::MoveToPosition,
                position: Position { point, heading: 0.0 },
                params,
                ..Default::default()
            },
            Destination::Human(other) | Destination::Away(other) => {
                let flees = matches!(to, Destination::Away(_));
                let bits = params.bits.without(ParameterBits::MOVE_TOWARDS);
                let away = MovementParameters {
                    bits: bits.with(ParameterBits::MOVE_AWAY).with(ParameterBits::CAN_CHARGE),
                    min_distance: near,
                    ..params
                };
                Movement {
                    movement_type: MovementType::MoveToObject,
                    object_id: object_of(other),
                    top_level_id: object_of(other),
                    radius,
                    height,
                    params: if flees { away } else { params },
                    ..Default::default()
                }
            }
        };
        self.mover.with(|mover| mover.perform_movement(&movement)).unwrap_or(Ok(()))
    }

    /// Stays where it is.
    pub fn cancel(&mut self) {
        self.way = None;
        self.mover.with(|mover| mover.cancel_move_to(MotionError::ActionCancelled));
    }

    /// A step without a way: what is still in flight plays to its end.
    pub fn rest(&mut self, human: &Human) {
        if self.way.is_some() {
            self.cancel();
        }
        if !self.mover.is_at_rest() {
            self.mover.see(human);
            self.mover.pass_time();
        }
    }

    /// Forgets its way and all that is in flight: its human has gone.
    pub fn leave_world(&mut self) {
        self.way = None;
        self.mover.leave_world();
    }

    /// One step: what the movement asks of the locomotion; `None` once it has ended. `seen` is where the human that it goes
    /// to is, and how fast.
    pub fn step(&mut self, human: &Human, seen: Option<(Position, Vec3)>) -> Option<Asked> {
        self.mover.see(human);
        self.mover.look(seen);
        // The characters' own clips are shown, so the turn of the motion system's is nobody's.
        let _turn = self.mover.pass_time();
        let place = self.mover.body().place();
        let movement = self.mover.object.movement.as_ref();
        let Some(request) = movement.and_then(|movement| movement.locomotion_request(place)) else {
            self.way = None;
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
    fn who_flees_runs_the_other_way_until_it_is_safe() {
        let table = sample().build().unwrap();
        let (mut walk, mut human) = (Walk::new(3, table), human());
        let threat = human.position + Vec3::Y * 2.0;
        walk.start(&human, Destination::Away(7), 8.0, f32::MAX).unwrap();
        let (mut steps, mut fastest) = (0, 0);
        while walk.is_moving() && steps < 600 {
            let asked = walk.step(&human, Some((Position { point: threat, heading: 0.0 }, Vec3::ZERO)));
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
        walk.start(&human, Destination::Place(Vec3::ZERO), 0.5, 30.0).unwrap();
        walk.cancel();
        assert!(!walk.is_moving() && walk.step(&human, None).is_none());
    }
}
