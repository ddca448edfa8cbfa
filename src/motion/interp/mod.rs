//! The motion interpreter (CMotionInterp): turns commands into what the body does.
//!
//! Commands come in as raw (a player's own, gated and adjusted) or interpreted (as they are). [`gates`](self) decide
//! whether ground, stance and posture allow them; `adjust` folds left into right and walk into run; `commands` hands them
//! to the motion table, queues a pending node for each that was taken and mirrors them into the two states; `reapply`
//! plays a whole state again after anything changed that commands depend on; `jump` and `ground` cover the way into the
//! air and back. Completed animations come back through [`Mover::motion_done`], which pops one pending node each.
//!
//! The functions are methods of [`Mover`], because nearly all of them reach body, weenie and table.
//!
//! Source: seed 004, sections 1 to 5; motion notes, sections 2 to 8.

mod adjust;
mod commands;
mod gates;
mod ground;
mod jump;
mod reapply;

pub use adjust::{
    BACKWARDS_FACTOR, MAX_SIDESTEP_ANIM_RATE, RUN_ANIM_SPEED, RUN_TURN_FACTOR, SIDESTEP_ANIM_SPEED, SIDESTEP_FACTOR,
    WALK_ANIM_SPEED,
};
pub use commands::MAX_INTERPRETED_ACTIONS;
pub use gates::motion_allows_jump;
pub use jump::{DEFAULT_JUMP_V_Z, MAX_JUMP_EXTENT};

use super::seams::{Body, Call, Weenie};
use super::state::{InterpretedMotionState, RawMotionState};
use super::{MotionError, MotionId, Mover, Queue};

/// Motions in flight that an interpreter remembers; the table's queue holds as many, so that both fill together.
///
/// Our choice: the original's queue is unbounded. An entry that finds it full is dropped, counted and traced.
pub const MAX_PENDING: usize = 64;

/// A motion in flight.
///
/// Source: seed 004, CMotionInterp::MotionNode.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionNode {
    /// The caller's number.
    pub context_id: u32,
    /// The motion.
    pub motion: MotionId,
    /// Why no jump may start while this node is the oldest; `None` allows it.
    pub jump_error_code: Option<MotionError>,
}

/// The interpreter's record.
///
/// Source: seed 004, CMotionInterp.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionInterp {
    /// Whether the default state was entered; nothing is re-applied before.
    pub initted: bool,
    /// The commands as given.
    pub raw_state: RawMotionState,
    /// What they mean.
    pub interpreted_state: InterpretedMotionState,
    /// Divides the forward speed in the adjusted top speed.
    pub current_speed_factor: f32,
    /// Whether a jump is being charged from a standstill; walking and stepping are then only noted.
    pub standing_longjump: bool,
    /// How far the jump is charged, 0 to 1.
    pub jump_extent: f32,
    /// The newest action stamp taken from another machine.
    pub server_action_stamp: u32,
    /// The run rate seen last.
    pub my_run_rate: f32,
    /// Motions in flight, oldest first.
    pub pending_motions: Queue<MotionNode, MAX_PENDING>,
    /// How many motions were queued without a node of the table's that completes them.
    pub unpaired_motions: u32,
}

impl Default for MotionInterp {
    fn default() -> Self {
        Self {
            initted: false,
            raw_state: RawMotionState::default(),
            interpreted_state: InterpretedMotionState::default(),
            current_speed_factor: 1.0,
            standing_longjump: false,
            jump_extent: 0.0,
            server_action_stamp: 0,
            my_run_rate: 1.0,
            pending_motions: Queue::new(),
            unpaired_motions: 0,
        }
    }
}

impl MotionInterp {
    /// Whether a motion waits for its completion.
    // Covers: seed 004, CMotionInterp::motions_pending (0x00527fe0) test=motion::interp::tests::queue::nodes_leave_in_the_order_they_came
    pub fn motions_pending(&self) -> bool {
        !self.pending_motions.is_empty()
    }

    /// The interpreted stance (InqStyle).
    pub fn style(&self) -> MotionId {
        self.interpreted_state.current_style
    }

    fn count_unpaired(&mut self) {
        self.unpaired_motions = self.unpaired_motions.saturating_add(1);
    }

    /// Drops the motions in flight without completing them.
    // Covers: seed 004, CMotionInterp::Destroy (0x00527b40) test=motion::interp::tests::queue::a_destroyed_interpreter_completes_nothing
    pub fn destroy(&mut self) {
        self.pending_motions.clear();
    }
}

impl<'a> Mover<'a> {
    /// A fresh interpreter for this mover's weenie and body; it is not in its default state yet, so that setting both
    /// re-applies nothing.
    // Covers: seed 004, CMotionInterp::Create (0x00528c00) test=motion::interp::tests::queue::a_fresh_interpreter_knows_its_defaults
    pub fn create_interpreter(&mut self) {
        self.movement.interpreter = MotionInterp::default();
        self.movement.has_interpreter = true;
    }

    /// Appends a motion in flight.
    // Covers: seed 004, CMotionInterp::add_to_queue (0x00527b80) test=motion::interp::tests::queue::nodes_leave_in_the_order_they_came
    pub fn add_to_queue(&mut self, context_id: u32, motion: MotionId, jump_error_code: Option<MotionError>) {
        let node = MotionNode { context_id, motion, jump_error_code };
        if !self.movement.interpreter.pending_motions.push(node) {
            self.note(Call::QueueOverflow);
        }
    }

    /// A motion completed: the oldest pending node goes, whichever it is, and an action takes the oldest entry of both
    /// states' lists with it. Nothing happens without a body.
    // Covers: seed 004, CMotionInterp::MotionDone (0x00527ec0) test=motion::interp::tests::queue::a_done_action_leaves_both_states
    pub fn interpreter_motion_done(&mut self) {
        if self.body.is_none() {
            return;
        }
        let Some(head) = self.movement.interpreter.pending_motions.front() else { return };
        if head.motion.is_action() {
            self.unstick_from_object();
            self.movement.interpreter.interpreted_state.remove_action();
            self.movement.interpreter.raw_state.remove_action();
        }
        // Letting go may have emptied the queue already, so the head is looked up again.
        self.movement.interpreter.pending_motions.pop();
    }

    /// The mover leaves the world: every motion in flight counts as done.
    // Covers: seed 004, CMotionInterp::HandleExitWorld (0x00527f30) test=motion::interp::tests::queue::leaving_the_world_drains_the_queue
    pub fn interpreter_handle_exit_world(&mut self) {
        if self.body.is_none() {
            // Our choice: the original never ends here, because it completes nothing without a body. The nodes go
            // without their side effects.
            self.movement.interpreter.pending_motions.clear();
        }
        while self.movement.interpreter.motions_pending() {
            self.interpreter_motion_done();
        }
        self.movement.interpreter.unpaired_motions = 0;
    }

    /// Gives the mover another weenie and plays its state again.
    // Covers: seed 004, CMotionInterp::SetWeenieObject (0x00528920) test=motion::interp::tests::reapply::setting_weenie_or_body_reapplies_an_initted_state
    pub fn set_weenie_object(&mut self, weenie: Option<&'a dyn Weenie>) {
        self.weenie = weenie;
        self.apply_current_movement(true, false);
    }

    /// Gives the mover another body and plays its state again on it.
    // Covers: seed 004, CMotionInterp::SetPhysicsObject (0x00528970) test=motion::interp::tests::reapply::setting_weenie_or_body_reapplies_an_initted_state
    pub fn set_physics_object(&mut self, body: Option<&'a mut dyn Body>) {
        self.body = body;
        self.apply_current_movement(true, false);
    }
}

#[cfg(test)]
mod tests;
