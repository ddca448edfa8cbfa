//! The movement manager: one door to the interpreter and to move-to.
//!
//! Both are made when they are first needed. Their records live in place, so "made" is a flag.

use super::interp::MotionInterp;
use super::move_to::MoveToManager;
use super::seams::Call;
use super::state::{InterpretedMotionState, RawMotionState};
use super::{MotionError, MotionResult, Movement, MovementType, Mover, TargetInfo};

/// The records of both parts.
///
/// Source: seed 004, MovementManager.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MovementManager {
    /// Whether the interpreter was made.
    pub has_interpreter: bool,
    /// The interpreter; fresh until it is made.
    pub interpreter: MotionInterp,
    /// Whether move-to was made.
    pub has_move_to: bool,
    /// Move-to; fresh until it is made.
    pub move_to: MoveToManager,
}

impl MovementManager {
    /// A manager with neither part (Create); body and weenie come with each call.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a move-to is under way.
    // Covers: seed 004, MovementManager::IsMovingTo (0x00524260) test=parts_are_made_when_they_are_needed
    pub fn is_moving_to(&self) -> bool {
        self.has_move_to && self.move_to.is_moving_to()
    }

    /// Whether a motion waits for its completion; `false` without an interpreter.
    // Covers: seed 004, MovementManager::motions_pending (0x00524280) test=parts_are_made_when_they_are_needed
    pub fn motions_pending(&self) -> bool {
        self.has_interpreter && self.interpreter.motions_pending()
    }

    /// Gives both parts up without completing anything.
    // Covers: seed 004, MovementManager::Destroy (0x005243f0) test=destroying_forgets_both_parts
    // Covers: seed 004, CMotionInterp::~CMotionInterp (0x00527ff0) test=destroying_forgets_both_parts
    pub fn destroy(&mut self) {
        self.interpreter.destroy();
        *self = Self::default();
    }
}

impl Mover<'_> {
    /// Makes the interpreter if it is missing, in its default state when there is a body (get_minterp).
    // Covers: seed 004, MovementManager::get_minterp (0x005242a0) test=parts_are_made_when_they_are_needed default=&mut self.movement.interpreter
    pub fn ensure_interpreter(&mut self) -> &mut MotionInterp {
        if !self.movement.has_interpreter {
            self.create_interpreter();
            if self.body.is_some() {
                self.interpreter_enter_default_state();
            }
        }
        &mut self.movement.interpreter
    }

    /// Makes move-to if it is missing (MakeMoveToManager).
    // Covers: seed 004, MakeMoveToManager test=parts_are_made_when_they_are_needed
    pub fn ensure_move_to(&mut self) {
        if !self.movement.has_move_to {
            self.movement.move_to = MoveToManager::new(self.now);
            self.movement.has_move_to = true;
        }
    }

    /// Carries out a movement: commands go to the interpreter, the rest to move-to, which always accepts. The body is
    /// woken first, even for a movement that does not exist.
    // Covers: seed 004, MovementManager::PerformMovement (0x005240d0) test=unknown_movements_fail_after_waking_the_body default=Ok(())
    pub fn perform_movement(&mut self, movement: &Movement) -> MotionResult {
        self.note(Call::SetActive);
        if let Some(body) = self.body.as_deref_mut() {
            body.set_active();
        }
        match movement.movement_type {
            MovementType::RawCommand
            | MovementType::InterpretedCommand
            | MovementType::StopRawCommand
            | MovementType::StopInterpretedCommand
            | MovementType::StopCompletely => {
                self.ensure_interpreter();
                self.keeping_pairs(|mover| mover.interpreter_perform_movement(movement))
            }
            MovementType::MoveToObject
            | MovementType::MoveToPosition
            | MovementType::TurnToObject
            | MovementType::TurnToHeading => {
                self.ensure_move_to();
                self.keeping_pairs(|mover| mover.move_to_perform_movement(movement));
                Ok(())
            }
            MovementType::Invalid => Err(MotionError::GeneralMovementFailure),
        }
    }

    /// Ends all commands, as a movement (CPhysicsObj::StopCompletely).
    pub fn stop_completely(&mut self) {
        // This movement always succeeds.
        let _ = self.perform_movement(&Movement { movement_type: MovementType::StopCompletely, ..Default::default() });
    }

    /// Takes over a reported state; `false` without a body.
    // Covers: seed 004, MovementManager::move_to_interpreted_state (0x00524170) test=parts_are_made_when_they_are_needed
    pub fn move_to_interpreted_state(&mut self, new: &InterpretedMotionState) -> bool {
        self.ensure_interpreter();
        self.interpreter_move_to_interpreted_state(new)
    }

    /// Ends a move-to, if one was ever made.
    // Covers: seed 004, MovementManager::CancelMoveTo (0x005241b0) test=cancelling_reaches_a_running_move_to
    pub fn cancel_move_to(&mut self, error: MotionError) {
        if self.movement.has_move_to {
            self.move_to_cancel(error);
        }
    }

    /// Enters the default state. A manager without an interpreter enters it twice, as the original does: once on making
    /// the interpreter, once because it was asked to.
    // Covers: seed 004, MovementManager::EnterDefaultState (0x005241c0) test=a_fresh_manager_enters_the_default_state_twice
    pub fn enter_default_state(&mut self) {
        if self.body.is_none() {
            return;
        }
        self.ensure_interpreter();
        self.interpreter_enter_default_state();
    }

    /// The raw state; makes the interpreter.
    // Covers: seed 004, MovementManager::InqRawMotionState (0x00524200) test=parts_are_made_when_they_are_needed default=&self.movement.interpreter.raw_state
    pub fn raw_motion_state(&mut self) -> &RawMotionState {
        &self.ensure_interpreter().raw_state
    }

    /// The interpreted state; makes the interpreter.
    // Covers: seed 004, MovementManager::InqInterpretedMotionState (0x00524230) test=parts_are_made_when_they_are_needed default=&self.movement.interpreter.interpreted_state
    pub fn interpreted_motion_state(&mut self) -> &InterpretedMotionState {
        &self.ensure_interpreter().interpreted_state
    }

    /// Move-to's turn in the frame.
    // Covers: seed 004, MovementManager::UseTime (0x005242f0) test=ground_and_time_reach_a_made_move_to
    pub fn use_time(&mut self) {
        if self.movement.has_move_to {
            self.keeping_pairs(Self::move_to_use_time);
        }
    }

    /// The body came to the ground.
    // Covers: seed 004, MovementManager::HitGround (0x00524300) test=ground_and_time_reach_a_made_move_to
    pub fn hit_ground(&mut self) {
        if self.movement.has_interpreter {
            self.interpreter_hit_ground();
        }
        if self.movement.has_move_to {
            self.move_to_hit_ground();
        }
    }

    /// The body left the ground. Move-to does nothing about it.
    // Covers: seed 004, MovementManager::LeaveGround (0x00524320) test=without_an_interpreter_events_are_dropped
    pub fn leave_ground(&mut self) {
        if self.movement.has_interpreter {
            self.interpreter_leave_ground();
        }
    }

    /// The body entered the world. Neither part does anything about it.
    // Excused: seed 004, MovementManager::HandleEnterWorld (0x00524340) reason=empty stub
    pub fn handle_enter_world(&mut self) {}

    /// The body left the world: motions in flight are done. A move-to stays.
    // Covers: seed 004, MovementManager::HandleExitWorld (0x00524350) test=leaving_the_world_drains_only_the_interpreter
    pub fn handle_exit_world(&mut self) {
        if self.movement.has_interpreter {
            self.interpreter_handle_exit_world();
        }
    }

    /// Stamina ran out. Move-to does nothing about it.
    // Covers: seed 004, MovementManager::ReportExhaustion (0x00524360) test=without_an_interpreter_events_are_dropped
    pub fn report_exhaustion(&mut self) {
        if self.movement.has_interpreter {
            self.interpreter_report_exhaustion();
        }
    }

    /// A motion completed. The interpreter pops its oldest motion whether or not it played to its end; without an
    /// interpreter nothing was ever in flight and the news is dropped.
    // Covers: seed 004, MovementManager::MotionDone (0x005242d0) test=without_an_interpreter_events_are_dropped
    pub fn motion_done(&mut self, _success: bool) {
        if self.movement.has_interpreter {
            self.interpreter_motion_done();
        }
    }

    /// The followed thing's place was reported.
    ///
    /// Source: motion notes, MovementManager (HandleUpdateTarget).
    // Covers: seed 004, MovementManager::HandleUpdateTarget test=motion::move_to::tests::lost_targets_end_the_movement
    pub fn handle_update_target(&mut self, info: &TargetInfo) {
        if self.movement.has_move_to {
            self.move_to_handle_update_target(info);
        }
    }
}

#[cfg(test)]
mod tests;
