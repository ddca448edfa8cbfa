//! The interpreted motion state: what the commands mean once keys and sides are resolved.

use super::{ActionList, ActionNode};
use crate::motion::{MotionClass, MotionId, MovementParameters, ParameterBits};

/// What the body is to do.
///
/// Source: seed 004, StopCompletely and enter_default_state; motion notes, InterpretedMotionState.
#[derive(Clone, Debug, PartialEq)]
pub struct InterpretedMotionState {
    /// The stance.
    pub current_style: MotionId,
    /// The forward command.
    pub forward_command: MotionId,
    /// Its speed factor, negative backwards.
    pub forward_speed: f32,
    /// [`MotionId::SIDE_STEP_RIGHT`] or none.
    pub sidestep_command: MotionId,
    /// Its speed factor, negative to the left.
    pub sidestep_speed: f32,
    /// [`MotionId::TURN_RIGHT`] or none.
    pub turn_command: MotionId,
    /// Its speed factor, negative to the left.
    pub turn_speed: f32,
    /// Actions in flight.
    pub actions: ActionList,
}

impl Default for InterpretedMotionState {
    fn default() -> Self {
        Self {
            current_style: MotionId::NON_COMBAT,
            forward_command: MotionId::READY,
            forward_speed: 1.0,
            sidestep_command: MotionId::NONE,
            sidestep_speed: 1.0,
            turn_command: MotionId::NONE,
            turn_speed: 1.0,
            actions: ActionList::new(),
        }
    }
}

impl InterpretedMotionState {
    /// Takes a command in. Left turns and left steps must have been adjusted before: here they would count as forward
    /// commands.
    pub fn apply_motion(&mut self, motion: MotionId, params: &MovementParameters) {
        if motion == MotionId::TURN_RIGHT {
            (self.turn_command, self.turn_speed) = (motion, params.speed);
        } else if motion == MotionId::SIDE_STEP_RIGHT {
            (self.sidestep_command, self.sidestep_speed) = (motion, params.speed);
        } else if motion.is(MotionClass::SUB_STATE) {
            (self.forward_command, self.forward_speed) = (motion, params.speed);
        } else if motion.is(MotionClass::STYLE) {
            self.forward_command = MotionId::READY;
            self.current_style = motion;
        } else if motion.is_action() {
            self.actions.push(ActionNode {
                motion,
                speed: params.speed,
                stamp: params.action_stamp,
                autonomous: params.has(ParameterBits::AUTONOMOUS),
            });
        }
    }

    /// Takes a command back.
    pub fn remove_motion(&mut self, motion: MotionId) {
        if motion == MotionId::TURN_RIGHT {
            self.turn_command = MotionId::NONE;
        } else if motion == MotionId::SIDE_STEP_RIGHT {
            self.sidestep_command = MotionId::NONE;
        } else if motion.is(MotionClass::SUB_STATE) {
            if motion == self.forward_command {
                self.forward_command = MotionId::READY;
                self.forward_speed = 1.0;
            }
        } else if motion.is(MotionClass::STYLE) && motion == self.current_style {
            self.current_style = MotionId::NON_COMBAT;
        }
    }

    /// Drops the oldest action and returns it, [`MotionId::NONE`] when there is none.
    pub fn remove_action(&mut self) -> MotionId {
        self.actions.pop().map_or(MotionId::NONE, |action| action.motion)
    }

    /// Takes style, commands and speeds of another state; the actions stay.
    pub fn copy_movement_from(&mut self, other: &Self) {
        self.current_style = other.current_style;
        self.forward_command = other.forward_command;
        self.forward_speed = other.forward_speed;
        self.sidestep_command = other.sidestep_command;
        self.sidestep_speed = other.sidestep_speed;
        self.turn_command = other.turn_command;
        self.turn_speed = other.turn_speed;
    }

    /// Number of actions in flight (GetNumActions).
    pub fn num_actions(&self) -> usize {
        self.actions.len()
    }

    /// Empties the forward, sidestep and turn slots; sidestep and turn speeds, style and actions stay.
    pub fn stop(&mut self) {
        self.forward_command = MotionId::READY;
        self.forward_speed = 1.0;
        self.sidestep_command = MotionId::NONE;
        self.turn_command = MotionId::NONE;
    }

    /// Whether no command moves the body.
    pub fn is_idle(&self) -> bool {
        self.forward_command == MotionId::READY && self.sidestep_command.is_none() && self.turn_command.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_commands_that_were_not_adjusted_overwrite_the_forward_command() {
        let mut state = InterpretedMotionState::default();
        state.apply_motion(MotionId::TURN_LEFT, &MovementParameters { speed: 2.0, ..Default::default() });
        assert_eq!((state.forward_command, state.forward_speed), (MotionId::TURN_LEFT, 2.0));
        assert!(state.turn_command.is_none());
    }

    #[test]
    fn a_style_resets_the_forward_command_even_when_it_is_the_same() {
        let mut state = InterpretedMotionState::default();
        state.apply_motion(MotionId::CROUCH, &MovementParameters::default());
        state.apply_motion(MotionId::NON_COMBAT, &MovementParameters::default());
        assert_eq!(state.forward_command, MotionId::READY);
    }

    #[test]
    fn copying_movement_leaves_the_actions() {
        let mut state = InterpretedMotionState::default();
        state.apply_motion(MotionId(0x1000_0058), &MovementParameters::default());
        let other = InterpretedMotionState {
            forward_command: MotionId::RUN_FORWARD,
            turn_command: MotionId::TURN_RIGHT,
            turn_speed: -1.5,
            ..Default::default()
        };
        state.copy_movement_from(&other);
        assert_eq!((state.num_actions(), state.turn_speed), (1, -1.5));
        assert!(!state.is_idle());
        state.stop();
        assert!(state.is_idle());
        assert_eq!(state.turn_speed, -1.5, "turn speeds survive a stop");
    }
}
