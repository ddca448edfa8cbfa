//! From move-to to the characters' own locomotion.
//!
//! Move-to decides command and heading; the characters' locomotion moves the body, with its own turning and speeding up.
//! What it is asked for each step is read off here.
//!
//! Source: settled questions 14 and 15.

use super::position::{heading_of_degrees, wrap_degrees};
use super::{MotionId, MoveToNode, MovementManager, Position, desired_heading, heading_between};

/// How far beyond a node's heading a turn is asked to go, in degrees: a turn counts as done only once it has passed its
/// heading, and the characters' locomotion stops exactly where it is told to.
const TURN_OVERSHOOT: f32 = 1.0;

/// The gaits that move-to asks for, with the numbers of the characters' locomotion.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[repr(u8)]
pub enum AskedGait {
    /// Stand, or turn on the spot.
    #[default]
    Stand = 0,
    /// Step back, slowly.
    Sneak = 1,
    /// Walk.
    Walk = 2,
    /// Run.
    Run = 4,
}

/// What a character's locomotion is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LocomotionRequest {
    /// How fast.
    pub gait: AskedGait,
    /// Which way to face: radians clockwise from +y.
    pub heading: f32,
    /// Whether the body goes backwards, facing its heading.
    pub backwards: bool,
}

impl MovementManager {
    /// What the movement under way asks of a body at this place; `None` when there is none, and the body is its brain's.
    pub fn locomotion_request(&self, place: Position) -> Option<LocomotionRequest> {
        if !self.is_moving_to() {
            return None;
        }
        let stay = LocomotionRequest { heading: heading_of_degrees(place.heading), ..Default::default() };
        let move_to = &self.move_to;
        Some(match move_to.pending_actions.front() {
            Some(MoveToNode::Turn(heading)) => match move_to.current_command {
                MotionId::TURN_RIGHT => facing(stay, heading + TURN_OVERSHOOT),
                MotionId::TURN_LEFT => facing(stay, heading - TURN_OVERSHOOT),
                _ => stay,
            },
            Some(MoveToNode::Move) if !move_to.current_command.is_none() => {
                let towards = heading_between(place.point, move_to.current_target_position.point);
                let heading = towards + desired_heading(move_to.current_command, move_to.moving_away);
                let backwards = move_to.current_command == MotionId::WALK_BACKWARDS;
                let gait = match self.interpreter.interpreted_state.forward_command {
                    _ if backwards => AskedGait::Sneak,
                    MotionId::RUN_FORWARD => AskedGait::Run,
                    MotionId::WALK_FORWARD => AskedGait::Walk,
                    _ => AskedGait::Stand,
                };
                LocomotionRequest { gait, backwards, ..facing(stay, heading) }
            }
            _ => stay,
        })
    }
}

fn facing(request: LocomotionRequest, degrees: f32) -> LocomotionRequest {
    LocomotionRequest { heading: heading_of_degrees(wrap_degrees(degrees)), ..request }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::{Vec3, from_heading, wrap_heading};
    use crate::motion::bench::{Bench, BenchWeenie};
    use crate::motion::{Movement, MovementParameters, MovementType, ParameterBits, degrees_of_heading};
    use core::f32::consts::{FRAC_PI_2, PI};

    fn bench() -> Bench {
        let mut bench = Bench { weenie: Some(BenchWeenie::default()), ..Bench::accepting() };
        bench.mover().enter_default_state();
        bench.mover().check_for_completed_motions();
        bench
    }

    fn go(bench: &mut Bench, movement_type: MovementType, point: Vec3, params: MovementParameters) {
        let position = Position { point, heading: 0.0 };
        let movement = Movement { movement_type, position, params, ..Default::default() };
        bench.mover().perform_movement(&movement).unwrap();
    }

    fn request(bench: &Bench) -> Option<LocomotionRequest> {
        bench.movement.locomotion_request(bench.body.as_ref().unwrap().position)
    }

    /// A step of a character: it turns by up to twelve degrees, then moves if it faces its way.
    fn character_step(bench: &mut Bench) {
        let asked = request(bench).unwrap();
        let body = bench.body.as_mut().unwrap();
        let limit = 12.0f32.to_radians();
        let own = heading_of_degrees(body.position.heading);
        let off = wrap_heading(asked.heading - own + PI) - PI;
        body.position.heading = degrees_of_heading(wrap_heading(own + off.clamp(-limit, limit)));
        let speed = [0.0, 1.2, 1.5, 4.0, 7.5][asked.gait as usize];
        let way = from_heading(heading_of_degrees(body.position.heading));
        body.velocity = way * if asked.backwards { -speed } else { speed };
        body.position.point += body.velocity * (1.0 / 30.0);
        bench.frame(1.0 / 30.0, false);
    }

    #[test]
    fn a_character_reaches_a_place_to_its_right() {
        let mut bench = bench();
        assert_eq!(request(&bench), None);
        go(&mut bench, MovementType::MoveToPosition, Vec3::new(5.0, 0.0, 0.0), MovementParameters::default());
        let turn = request(&bench).unwrap();
        assert_eq!(turn.gait, AskedGait::Stand);
        assert!(
            (turn.heading - FRAC_PI_2 - 1.0f32.to_radians()).abs() < 1e-5,
            "ninety degrees is +x, and a little more"
        );
        let mut steps = 0;
        while bench.movement.is_moving_to() && steps < 400 {
            character_step(&mut bench);
            steps += 1;
        }
        let place = bench.body.as_ref().unwrap().position;
        std::println!("{steps} steps to {place:?}");
        assert!((3.9..5.0).contains(&place.point.x) && steps < 100);
        assert!((place.heading - 90.0).abs() < 0.1);
    }

    #[test]
    fn gaits_follow_the_command() {
        let mut bench = bench();
        go(&mut bench, MovementType::MoveToPosition, Vec3::new(0.0, 5.0, 0.0), MovementParameters::default());
        assert_eq!(request(&bench).unwrap().gait, AskedGait::Walk);
        go(&mut bench, MovementType::MoveToPosition, Vec3::new(0.0, 50.0, 0.0), MovementParameters::default());
        assert_eq!(request(&bench).unwrap().gait, AskedGait::Run);
        let keep_off = MovementParameters {
            bits: ParameterBits::DEFAULT.with(ParameterBits::MOVE_AWAY),
            min_distance: 3.0,
            distance_to_object: 4.0,
            ..Default::default()
        };
        go(&mut bench, MovementType::MoveToPosition, Vec3::new(0.0, 2.0, 0.0), keep_off);
        let back = request(&bench).unwrap();
        assert!(
            back.backwards && back.gait == AskedGait::Sneak && back.heading.abs() < 1e-5,
            "facing what it backs off from"
        );
    }

    #[test]
    fn a_left_turn_is_asked_to_pass_its_heading_too() {
        let mut bench = bench();
        let params = MovementParameters { desired_heading: 200.0, ..Default::default() };
        go(&mut bench, MovementType::TurnToHeading, Vec3::ZERO, params);
        assert!((request(&bench).unwrap().heading - 199.0f32.to_radians()).abs() < 1e-5);
        for _ in 0..40 {
            if bench.movement.is_moving_to() {
                character_step(&mut bench);
            }
        }
        assert!(!bench.movement.is_moving_to());
        assert_eq!(bench.body.as_ref().unwrap().position.heading, 200.0);
    }
}
