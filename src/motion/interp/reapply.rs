//! Playing a whole state again, after anything changed that its commands depend on.

use crate::motion::interp::motion_allows_jump;
use crate::motion::state::InterpretedMotionState;
use crate::motion::{MotionId, MovementParameters, Mover, ParameterBits};

/// The half of the 15-bit stamp circle within which a larger stamp is newer.
const STAMP_HALF: u32 = 0x3fff;
/// The part of a stamp that is compared.
const STAMP_MASK: u32 = 0x7fff;

/// Whether an action's stamp is newer than the last one taken, on a circle of 15 bits.
///
/// Source: motion notes, Re-application (move_to_interpreted_state).
pub(super) fn stamp_is_newer(action: u32, last: u32) -> bool {
    let (action, last) = (action & STAMP_MASK, last & STAMP_MASK);
    if action.abs_diff(last) <= STAMP_HALF { last < action } else { action < last }
}

impl Mover<'_> {
    /// Plays the current state again: the raw one for a player that moves on its own, else the interpreted one. Nothing
    /// happens before the default state was entered.
    // Covers: seed 004, CMotionInterp::apply_current_movement (0x00528870) test=motion::interp::tests::reapply::only_an_autonomous_player_reapplies_its_raw_state
    pub fn apply_current_movement(&mut self, cancel_move_to: bool, disallow_jump: bool) {
        if self.body.is_none() || !self.movement.interpreter.initted {
            return;
        }
        if self.is_the_player() && self.movement_is_autonomous() {
            self.apply_raw_movement(cancel_move_to, disallow_jump);
        } else {
            self.apply_interpreted_movement(cancel_move_to, disallow_jump);
        }
    }

    /// Derives the interpreted state from the raw one, actions apart, and plays it.
    ///
    /// Source: motion notes, Re-application (apply_raw_movement).
    pub fn apply_raw_movement(&mut self, cancel_move_to: bool, disallow_jump: bool) {
        if self.body.is_none() {
            return;
        }
        let raw = &self.movement.interpreter.raw_state;
        let style = raw.current_style;
        let mut slots = [
            (raw.forward_command, raw.forward_speed, raw.forward_holdkey),
            (raw.sidestep_command, raw.sidestep_speed, raw.sidestep_holdkey),
            (raw.turn_command, raw.turn_speed, raw.turn_holdkey),
        ];
        for (command, speed, key) in &mut slots {
            self.adjust_motion(command, speed, *key);
        }
        let [(forward, forward_speed, _), (sidestep, sidestep_speed, _), (turn, turn_speed, _)] = slots;
        let state = &mut self.movement.interpreter.interpreted_state;
        state.current_style = style;
        (state.forward_command, state.forward_speed) = (forward, forward_speed);
        (state.sidestep_command, state.sidestep_speed) = (sidestep, sidestep_speed);
        (state.turn_command, state.turn_speed) = (turn, turn_speed);
        self.apply_interpreted_movement(cancel_move_to, disallow_jump);
    }

    /// Plays the interpreted state: style, forward or falling, sidestep, turn. The state itself does not change.
    ///
    /// Source: motion notes, Re-application (apply_interpreted_movement).
    pub fn apply_interpreted_movement(&mut self, cancel_move_to: bool, disallow_jump: bool) {
        if self.body.is_none() {
            return;
        }
        let bits = ParameterBits::DEFAULT
            .without(ParameterBits::SET_HOLD_KEY)
            .without(ParameterBits::MODIFY_INTERPRETED_STATE)
            .set(ParameterBits::CANCEL_MOVE_TO, cancel_move_to)
            .set(ParameterBits::DISABLE_JUMP_DURING_LINK, disallow_jump);
        let at = |speed| MovementParameters { bits, speed, ..Default::default() };
        let state = |mover: &Self| {
            let s = &mover.movement.interpreter.interpreted_state;
            (
                (s.forward_command, s.forward_speed),
                (s.sidestep_command, s.sidestep_speed),
                (s.turn_command, s.turn_speed),
            )
        };
        // Refusals change nothing: each motion of the state is tried on its own, as in the original.
        let play = |mover: &mut Self, motion, speed| {
            let _ = mover.do_interpreted_motion(motion, &at(speed));
        };

        let ((forward, forward_speed), _, _) = state(self);
        if forward == MotionId::RUN_FORWARD {
            self.movement.interpreter.my_run_rate = forward_speed;
        }
        play(self, self.movement.interpreter.style(), 1.0);
        let ((forward, forward_speed), _, _) = state(self);
        if !self.contact_allows_move(forward) {
            play(self, MotionId::FALLING, 1.0);
        } else if self.movement.interpreter.standing_longjump {
            play(self, MotionId::READY, 1.0);
            let _ = self.stop_interpreted_motion(MotionId::SIDE_STEP_RIGHT, &at(1.0));
        } else {
            play(self, forward, forward_speed);
            let (_, (sidestep, sidestep_speed), _) = state(self);
            if sidestep.is_none() {
                let _ = self.stop_interpreted_motion(MotionId::SIDE_STEP_RIGHT, &at(1.0));
            } else {
                play(self, sidestep, sidestep_speed);
            }
        }
        let (_, _, (turn, turn_speed)) = state(self);
        if !turn.is_none() {
            play(self, turn, turn_speed);
            return;
        }
        if self.table_stop(MotionId::TURN_RIGHT, 1.0).is_ok() {
            self.add_to_queue(0, MotionId::READY, None);
        }
        self.strip_links_outside_the_world();
    }

    /// Takes over the state that another machine reports, and plays its actions that are newer than the last one taken.
    /// `false` without a body.
    ///
    /// Source: motion notes, Re-application (move_to_interpreted_state).
    pub fn interpreter_move_to_interpreted_state(&mut self, new: &InterpretedMotionState) -> bool {
        if self.body.is_none() {
            return false;
        }
        self.movement.interpreter.raw_state.current_style = new.current_style;
        self.interrupt_current_movement();
        let interpreted = &mut self.movement.interpreter.interpreted_state;
        let disallow_jump = motion_allows_jump(interpreted.forward_command).is_err();
        interpreted.copy_movement_from(new);
        self.apply_current_movement(true, disallow_jump);
        for action in new.actions.iter() {
            if !stamp_is_newer(action.stamp, self.movement.interpreter.server_action_stamp) {
                continue;
            }
            // The player's own actions come back from the other machine and are playing already.
            if action.autonomous && self.is_the_player() {
                continue;
            }
            self.movement.interpreter.server_action_stamp = action.stamp;
            let params = MovementParameters {
                bits: ParameterBits::DEFAULT.set(ParameterBits::AUTONOMOUS, action.autonomous),
                speed: action.speed,
                ..Default::default()
            };
            // A refused action is skipped like any other command of a reported state.
            let _ = self.do_interpreted_motion(action.motion, &params);
        }
        true
    }
}
