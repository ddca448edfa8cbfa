//! The arithmetic of move-to: which way, how fast, how far round.

use crate::motion::position::{EPSILON, FULL_TURN};
use crate::motion::{HoldKey, MotionId, MovementParameters, ParameterBits};

/// Half a turn in degrees.
const HALF_TURN: f32 = 180.0;

/// What a distance asks for.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Gait {
    /// The command; [`MotionId::NONE`] when the distance is right.
    pub command: MotionId,
    /// The speed key that goes with it.
    pub hold_key: HoldKey,
    /// Whether it leads away from the target; unset when there is no command.
    pub moving_away: Option<bool>,
}

/// The command for a distance in metres (get_command).
pub fn gait_for(params: &MovementParameters, distance: f32) -> Gait {
    let beyond = distance - params.distance_to_object;
    let towards = params.has(ParameterBits::MOVE_TOWARDS);
    let away = params.has(ParameterBits::MOVE_AWAY);
    let approach = (beyond > 0.0).then_some((MotionId::WALK_FORWARD, false));
    let choice = match (towards, away) {
        (true, true) => {
            approach.or_else(|| (distance - params.min_distance < EPSILON).then_some((MotionId::WALK_BACKWARDS, true)))
        }
        (false, true) => (distance < params.min_distance).then_some((MotionId::WALK_FORWARD, true)),
        (_, false) => approach,
    };
    let runs = params.has(ParameterBits::CAN_CHARGE)
        || (params.has(ParameterBits::CAN_RUN)
            && (!params.has(ParameterBits::CAN_WALK) || beyond > params.walk_run_threshold));
    Gait {
        command: choice.map_or(MotionId::NONE, |(command, _)| command),
        hold_key: if runs { HoldKey::Run } else { HoldKey::None },
        moving_away: choice.map(|(_, away)| away),
    }
}

/// Degrees between the heading to the target and the heading that a command wants the body to have.
pub fn desired_heading(command: MotionId, moving_away: bool) -> f32 {
    let turned_round = match command {
        MotionId::RUN_FORWARD | MotionId::WALK_FORWARD => moving_away,
        MotionId::WALK_BACKWARDS => !moving_away,
        _ => false,
    };
    if turned_round { HALF_TURN } else { 0.0 }
}

/// Degrees from heading `b` to heading `a` in the direction of the turn, 0 when they are equal.
pub fn heading_diff(a: f32, b: f32, turn: MotionId) -> f32 {
    let mut diff = a - b;
    if diff.abs() < EPSILON {
        diff = 0.0;
    }
    if diff < -EPSILON {
        diff += FULL_TURN;
    }
    if diff > EPSILON && turn != MotionId::TURN_RIGHT {
        diff = FULL_TURN - diff;
    }
    diff
}

/// Whether heading `x` lies beyond heading `y` in the direction of the turn. Equal headings lie beyond each other to the
/// left only.
pub fn heading_greater(x: f32, y: f32, turn: MotionId) -> bool {
    let greater = if (x - y).abs() <= HALF_TURN { x > y } else { y > x };
    if turn == MotionId::TURN_RIGHT { greater } else { !greater }
}
