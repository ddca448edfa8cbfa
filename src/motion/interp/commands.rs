//! Giving and taking back commands.

use super::gates::{motion_allows_jump, stance_allows, waits_for_longjump};
use crate::motion::seams::Call;
use crate::motion::{
    HoldKey, MotionError, MotionId, MotionResult, Movement, MovementParameters, MovementType, Mover, ParameterBits,
};

/// Actions that may be in flight before `do_motion` refuses another.
///
/// Source: seed 004, DoMotion.
pub const MAX_INTERPRETED_ACTIONS: usize = 6;

impl Mover<'_> {
    /// Gives a command as a player does: it may end a move-to and change the hold key first, then stance and queue depth
    /// may refuse it, and what was taken is mirrored into the raw state as it was given.
    // Covers: seed 004, CMotionInterp::DoMotion (0x00528d20) test=motion::interp::tests::gates::combat_stance_refuses_postures_and_emotes default=Ok(())
    pub fn do_motion(&mut self, motion: MotionId, params: &MovementParameters) -> MotionResult {
        if self.body.is_none() {
            return Err(MotionError::NoPhysicsObject);
        }
        let cancel = params.has(ParameterBits::CANCEL_MOVE_TO);
        if cancel {
            self.interrupt_current_movement();
        }
        if params.has(ParameterBits::SET_HOLD_KEY) {
            self.set_hold_key(params.hold_key, cancel);
        }
        let (mut adjusted, mut local) = (motion, *params);
        self.adjust_motion(&mut adjusted, &mut local.speed, params.hold_key);
        let interpreted = &self.movement.interpreter.interpreted_state;
        if interpreted.current_style != MotionId::NON_COMBAT {
            stance_allows(motion)?;
        }
        if motion.is_action() && interpreted.num_actions() >= MAX_INTERPRETED_ACTIONS {
            return Err(MotionError::TooManyActions);
        }
        self.do_interpreted_motion(adjusted, &local)?;
        if params.has(ParameterBits::MODIFY_RAW_STATE) {
            let raw = &mut self.movement.interpreter.raw_state;
            let lost = raw.actions.lost();
            raw.apply_motion(motion, params);
            if raw.actions.lost() != lost {
                self.note(Call::QueueOverflow);
            }
        }
        Ok(())
    }

    /// Takes a command back as a player does.
    // Covers: seed 004, CMotionInterp::StopMotion (0x00528530) test=motion::interp::tests::commands::stopping_mirrors_the_command_as_it_was_given default=Ok(())
    pub fn stop_motion(&mut self, motion: MotionId, params: &MovementParameters) -> MotionResult {
        if self.body.is_none() {
            return Err(MotionError::NoPhysicsObject);
        }
        if params.has(ParameterBits::CANCEL_MOVE_TO) {
            self.interrupt_current_movement();
        }
        let (mut adjusted, mut local) = (motion, *params);
        self.adjust_motion(&mut adjusted, &mut local.speed, params.hold_key);
        self.stop_interpreted_motion(adjusted, &local)?;
        if params.has(ParameterBits::MODIFY_RAW_STATE) {
            self.movement.interpreter.raw_state.remove_motion(motion);
        }
        Ok(())
    }

    /// Plays a motion. In the air actions are refused and everything else is only noted; while a standing long jump is
    /// charged, so are walking and stepping.
    ///
    /// Source: motion notes, DoInterpretedMotion.
    pub fn do_interpreted_motion(&mut self, motion: MotionId, params: &MovementParameters) -> MotionResult {
        if self.body.is_none() {
            return Err(MotionError::NoPhysicsObject);
        }
        let result = if self.contact_allows_move(motion) {
            if self.movement.interpreter.standing_longjump && waits_for_longjump(motion) {
                self.mirror_interpreted(motion, params);
                Ok(())
            } else {
                self.play(motion, params)
            }
        } else if motion.is_action() {
            Err(MotionError::NotGrounded)
        } else {
            self.mirror_interpreted(motion, params);
            Ok(())
        };
        self.strip_links_outside_the_world();
        result
    }

    /// Hands a motion to the table; what the table takes is queued and mirrored.
    fn play(&mut self, motion: MotionId, params: &MovementParameters) -> MotionResult {
        if motion == MotionId::DEAD {
            self.remove_link_animations();
        }
        self.table_do(motion, params.speed)?;
        // The forward command still is the one before this motion: its posture decides until the motion is done.
        let forward = self.movement.interpreter.interpreted_state.forward_command;
        let allowed = if params.has(ParameterBits::DISABLE_JUMP_DURING_LINK) {
            Err(MotionError::CannotJumpFromThisPosition)
        } else if motion.is_action() {
            motion_allows_jump(motion)
        } else {
            motion_allows_jump(motion).and(motion_allows_jump(forward))
        };
        self.add_to_queue(params.context_id, motion, allowed.err());
        self.mirror_interpreted(motion, params);
        Ok(())
    }

    fn mirror_interpreted(&mut self, motion: MotionId, params: &MovementParameters) {
        if params.has(ParameterBits::MODIFY_INTERPRETED_STATE) {
            let interpreted = &mut self.movement.interpreter.interpreted_state;
            let lost = interpreted.actions.lost();
            interpreted.apply_motion(motion, params);
            if interpreted.actions.lost() != lost {
                self.note(Call::QueueOverflow);
            }
        }
    }

    /// Ends a motion; a queued return to [`MotionId::READY`] stands for it.
    ///
    /// Source: motion notes, StopInterpretedMotion.
    pub fn stop_interpreted_motion(&mut self, motion: MotionId, params: &MovementParameters) -> MotionResult {
        if self.body.is_none() {
            return Err(MotionError::NoPhysicsObject);
        }
        let only_noted = !self.contact_allows_move(motion)
            || (self.movement.interpreter.standing_longjump && waits_for_longjump(motion));
        let result = if only_noted { Ok(()) } else { self.table_stop(motion, params.speed) };
        if result.is_ok() {
            if !only_noted {
                self.add_to_queue(params.context_id, MotionId::READY, None);
            }
            if params.has(ParameterBits::MODIFY_INTERPRETED_STATE) {
                self.movement.interpreter.interpreted_state.remove_motion(motion);
            }
        }
        self.strip_links_outside_the_world();
        result
    }

    /// Ends everything. The queued return to [`MotionId::READY`] carries whether the command that was running allowed
    /// jumps. Table refusals are ignored: without a table the node then waits for a completion that never comes, as in the
    /// original.
    // Covers: seed 004, CMotionInterp::StopCompletely (0x00527e40) test=motion::interp::tests::commands::a_full_stop_keeps_speeds_style_and_actions default=Ok(())
    pub fn interpreter_stop_completely(&mut self) -> MotionResult {
        if self.body.is_none() {
            return Err(MotionError::NoPhysicsObject);
        }
        self.interrupt_current_movement();
        let allowed = motion_allows_jump(self.movement.interpreter.interpreted_state.forward_command);
        self.movement.interpreter.raw_state.stop();
        self.movement.interpreter.interpreted_state.stop();
        // The caller's state is stopped whatever the table has.
        if self.table_stop_completely().is_err() {
            self.movement.interpreter.count_unpaired();
        }
        self.add_to_queue(0, MotionId::READY, allowed.err());
        self.strip_links_outside_the_world();
        Ok(())
    }

    /// Carries out one of the five command movements and completes what takes no time. A full stop always succeeds.
    // Covers: seed 004, CMotionInterp::PerformMovement (0x00528e80) test=motion::interp::tests::commands::a_movement_ends_with_a_completion_check default=Ok(())
    pub fn interpreter_perform_movement(&mut self, movement: &Movement) -> MotionResult {
        let result = match movement.movement_type {
            MovementType::RawCommand => self.do_motion(movement.motion, &movement.params),
            MovementType::InterpretedCommand => self.do_interpreted_motion(movement.motion, &movement.params),
            MovementType::StopRawCommand => self.stop_motion(movement.motion, &movement.params),
            MovementType::StopInterpretedCommand => self.stop_interpreted_motion(movement.motion, &movement.params),
            MovementType::StopCompletely => {
                // The original drops this result, so that even a mover without a body reports success.
                let _ = self.interpreter_stop_completely();
                Ok(())
            }
            _ => return Err(MotionError::GeneralMovementFailure),
        };
        self.check_for_completed_motions();
        result
    }

    /// Presses or releases the run key. Releasing acts only on a pressed key.
    // Covers: seed 004, CMotionInterp::SetHoldKey (0x00528bb0) test=motion::interp::tests::commands::hold_keys_act_only_on_a_change
    pub fn set_hold_key(&mut self, key: HoldKey, cancel_move_to: bool) {
        let current = self.movement.interpreter.raw_state.current_holdkey;
        let acts = match key {
            HoldKey::None => current == HoldKey::Run,
            HoldKey::Run => current != HoldKey::Run,
            HoldKey::Invalid => false,
        };
        if acts {
            self.movement.interpreter.raw_state.current_holdkey = key;
            self.apply_current_movement(cancel_move_to, false);
        }
    }

    /// Presses or releases the run key, as a controller reports it.
    // Covers: seed 004, CMotionInterp::set_hold_run (0x00528b70) test=motion::interp::tests::commands::hold_keys_act_only_on_a_change
    pub fn set_hold_run(&mut self, run: bool, cancel_move_to: bool) {
        let raw = &mut self.movement.interpreter.raw_state;
        if run != (raw.current_holdkey == HoldKey::Run) {
            raw.current_holdkey = if run { HoldKey::Run } else { HoldKey::None };
            self.apply_current_movement(cancel_move_to, false);
        }
    }
}
