//! The raw motion state: commands as they were given.

use super::{ActionList, ActionNode};
use crate::motion::{HoldKey, MotionClass, MotionId, MovementParameters, ParameterBits};

/// The commands that a controller has given and not yet taken back.
///
/// Source: seed 004, StopCompletely and enter_default_state; motion notes, RawMotionState.
#[derive(Clone, Debug, PartialEq)]
pub struct RawMotionState {
    /// Actions given and not yet completed.
    pub actions: ActionList,
    /// The speed key that commands without their own key use.
    pub current_holdkey: HoldKey,
    /// The stance.
    pub current_style: MotionId,
    /// The forward command.
    pub forward_command: MotionId,
    /// Its own speed key.
    pub forward_holdkey: HoldKey,
    /// Its speed factor.
    pub forward_speed: f32,
    /// The sidestep command, either side; none is [`MotionId::NONE`].
    pub sidestep_command: MotionId,
    /// Its own speed key.
    pub sidestep_holdkey: HoldKey,
    /// Its speed factor.
    pub sidestep_speed: f32,
    /// The turn command, either side; none is [`MotionId::NONE`].
    pub turn_command: MotionId,
    /// Its own speed key.
    pub turn_holdkey: HoldKey,
    /// Its speed factor.
    pub turn_speed: f32,
}

impl Default for RawMotionState {
    fn default() -> Self {
        Self {
            actions: ActionList::new(),
            current_holdkey: HoldKey::None,
            current_style: MotionId::NON_COMBAT,
            forward_command: MotionId::READY,
            forward_holdkey: HoldKey::Invalid,
            forward_speed: 1.0,
            sidestep_command: MotionId::NONE,
            sidestep_holdkey: HoldKey::Invalid,
            sidestep_speed: 1.0,
            turn_command: MotionId::NONE,
            turn_holdkey: HoldKey::Invalid,
            turn_speed: 1.0,
        }
    }
}

impl RawMotionState {
    /// Takes a command in. A run is ignored: running is walking with the run key.
    pub fn apply_motion(&mut self, motion: MotionId, params: &MovementParameters) {
        let holdkey = if params.has(ParameterBits::SET_HOLD_KEY) { HoldKey::Invalid } else { params.hold_key };
        if motion.is_side_step() {
            (self.sidestep_command, self.sidestep_speed, self.sidestep_holdkey) = (motion, params.speed, holdkey);
        } else if motion.is_turn() {
            (self.turn_command, self.turn_speed, self.turn_holdkey) = (motion, params.speed, holdkey);
        } else if motion.is(MotionClass::SUB_STATE) {
            if motion != MotionId::RUN_FORWARD {
                (self.forward_command, self.forward_speed, self.forward_holdkey) = (motion, params.speed, holdkey);
            }
        } else if motion.is(MotionClass::STYLE) {
            if self.current_style != motion {
                self.forward_command = MotionId::READY;
                self.current_style = motion;
            }
        } else if motion.is_action() {
            self.actions.push(ActionNode {
                motion,
                speed: params.speed,
                stamp: params.action_stamp,
                autonomous: params.has(ParameterBits::AUTONOMOUS),
            });
        }
    }

    /// Takes a command back. Speeds of turns and sidesteps stay, and so do actions.
    pub fn remove_motion(&mut self, motion: MotionId) {
        if motion.is_turn() {
            self.turn_command = MotionId::NONE;
        } else if motion.is_side_step() {
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

    /// Empties the forward, sidestep and turn slots; sidestep and turn speeds, keys, style and actions stay.
    pub fn stop(&mut self) {
        self.forward_command = MotionId::READY;
        self.forward_speed = 1.0;
        self.sidestep_command = MotionId::NONE;
        self.turn_command = MotionId::NONE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(bits: ParameterBits, speed: f32, hold_key: HoldKey) -> MovementParameters {
        MovementParameters { bits, speed, hold_key, ..Default::default() }
    }

    #[test]
    fn commands_keep_their_side_speed_and_key() {
        let mut raw = RawMotionState::default();
        let own_key = params(ParameterBits::EMPTY, 0.5, HoldKey::Run);
        raw.apply_motion(MotionId::SIDE_STEP_LEFT, &own_key);
        raw.apply_motion(MotionId::TURN_LEFT, &params(ParameterBits::SET_HOLD_KEY, 2.0, HoldKey::Run));
        assert_eq!(
            (raw.sidestep_command, raw.sidestep_speed, raw.sidestep_holdkey),
            (MotionId::SIDE_STEP_LEFT, 0.5, HoldKey::Run)
        );
        assert_eq!((raw.turn_command, raw.turn_speed, raw.turn_holdkey), (MotionId::TURN_LEFT, 2.0, HoldKey::Invalid));
    }

    #[test]
    fn a_run_never_enters_the_raw_state() {
        let mut raw = RawMotionState::default();
        raw.apply_motion(MotionId::RUN_FORWARD, &MovementParameters::default());
        assert_eq!(raw, RawMotionState::default());
    }

    #[test]
    fn a_new_style_resets_the_forward_command_and_the_same_style_does_not() {
        let mut raw = RawMotionState::default();
        raw.apply_motion(MotionId::WALK_FORWARD, &params(ParameterBits::EMPTY, 0.75, HoldKey::None));
        raw.apply_motion(MotionId::NON_COMBAT, &MovementParameters::default());
        assert_eq!(raw.forward_command, MotionId::WALK_FORWARD);
        raw.apply_motion(MotionId::HAND_COMBAT, &MovementParameters::default());
        assert_eq!((raw.forward_command, raw.forward_speed), (MotionId::READY, 0.75));
        raw.remove_motion(MotionId::HAND_COMBAT);
        assert_eq!(raw.current_style, MotionId::NON_COMBAT);
    }

    #[test]
    fn removing_another_forward_command_changes_nothing() {
        let mut raw = RawMotionState::default();
        raw.apply_motion(MotionId::CROUCH, &params(ParameterBits::EMPTY, 0.75, HoldKey::None));
        raw.remove_motion(MotionId::WALK_FORWARD);
        assert_eq!(raw.forward_command, MotionId::CROUCH);
        raw.remove_motion(MotionId::CROUCH);
        assert_eq!((raw.forward_command, raw.forward_speed), (MotionId::READY, 1.0));
    }

    #[test]
    fn an_empty_list_gives_no_action() {
        assert_eq!(RawMotionState::default().remove_action(), MotionId::NONE);
    }
}
