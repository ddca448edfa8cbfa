//! Landing, leaving the ground, exhaustion, and the default state.

use crate::motion::seams::Call;
use crate::motion::state::{InterpretedMotionState, RawMotionState};
use crate::motion::{MotionId, Mover};

impl Mover<'_> {
    /// Whether ground contact matters to this mover: creatures under gravity.
    fn is_bound_to_ground(&self) -> bool {
        self.is_creature() && self.body.as_deref().is_some_and(|body| body.has_gravity())
    }

    /// The body came to the ground: it plays its state again without links.
    // Covers: seed 004, CMotionInterp::HitGround (0x00528ac0) test=motion::interp::tests::jump::landing_plays_the_state_again
    pub fn interpreter_hit_ground(&mut self) {
        if self.is_bound_to_ground() {
            self.remove_link_animations();
            self.apply_current_movement(false, false);
        }
    }

    /// The body left the ground: it takes its momentum or its jump with it, the charge is used up, and it plays its state
    /// again without links.
    // Covers: seed 004, CMotionInterp::LeaveGround (0x00528b00) test=motion::interp::tests::jump::leaving_the_ground_launches_and_resets_the_charge
    pub fn interpreter_leave_ground(&mut self) {
        if !self.is_bound_to_ground() {
            return;
        }
        let velocity = self.leave_ground_velocity();
        self.note(Call::SetLocalVelocity(velocity, true));
        if let Some(body) = self.body.as_deref_mut() {
            body.set_local_velocity(velocity, true);
        }
        self.movement.interpreter.standing_longjump = false;
        self.movement.interpreter.jump_extent = 0.0;
        self.remove_link_animations();
        self.apply_current_movement(false, false);
    }

    /// Stamina ran out: the state is played again, at whatever speeds the weenie still allows.
    // Covers: seed 004, CMotionInterp::ReportExhaustion (0x005288d0) test=motion::interp::tests::reapply::exhaustion_plays_the_state_again
    pub fn interpreter_report_exhaustion(&mut self) {
        self.apply_current_movement(false, false);
    }

    /// Forgets all commands and starts anew. Motions in flight stay queued, the new neutral motion behind them; run rate,
    /// stamp and a standing long jump stay as they are.
    // Covers: seed 004, CMotionInterp::enter_default_state (0x00528c80) test=motion::interp::tests::queue::the_default_state_queues_behind_what_is_in_flight
    pub fn interpreter_enter_default_state(&mut self) {
        self.movement.interpreter.raw_state = RawMotionState::default();
        self.movement.interpreter.interpreted_state = InterpretedMotionState::default();
        if !self.initialize_motion_tables() {
            self.movement.interpreter.count_unpaired();
        }
        self.add_to_queue(0, MotionId::READY, None);
        self.movement.interpreter.initted = true;
        self.interpreter_leave_ground();
    }
}
