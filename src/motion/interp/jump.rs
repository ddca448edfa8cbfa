//! Charging a jump and jumping.

use crate::maths::Vec3;
use crate::motion::interp::motion_allows_jump;
use crate::motion::position::EPSILON;
use crate::motion::seams::Call;
use crate::motion::{MotionError, MotionResult, Mover};

/// Upward speed in metres a second of a jump without a weenie.
pub const DEFAULT_JUMP_V_Z: f32 = 10.0;
/// A full charge.
pub const MAX_JUMP_EXTENT: f32 = 1.0;

impl Mover<'_> {
    /// Starts charging a jump. From a standstill on the ground the charge is one for a standing long jump.
    // Covers: seed 004, CMotionInterp::charge_jump (0x005281c0) test=motion::interp::tests::jump::charging_at_a_standstill_prepares_a_long_jump default=Ok(())
    pub fn charge_jump(&mut self) -> MotionResult {
        self.jump_charge_is_allowed()?;
        if self.is_standing_still() {
            self.movement.interpreter.standing_longjump = true;
        }
        Ok(())
    }

    /// Whether a jump of this extent may start, and the stamina that it costs.
    // Covers: seed 004, CMotionInterp::jump_is_allowed (0x005282b0) test=motion::interp::tests::jump::a_jump_passes_its_gates_in_order
    pub fn jump_is_allowed(&mut self, extent: f32) -> Result<u32, MotionError> {
        let Some(body) = self.body.as_deref() else { return Err(MotionError::NotGrounded) };
        if self.is_creature() && body.has_gravity() && !body.on_ground() {
            return Err(MotionError::NotGrounded);
        }
        if body.is_fully_constrained() {
            return Err(MotionError::GeneralMovementFailure);
        }
        if let Some(code) = self.movement.interpreter.pending_motions.front().and_then(|head| head.jump_error_code) {
            return Err(code);
        }
        self.jump_charge_is_allowed()?;
        motion_allows_jump(self.movement.interpreter.interpreted_state.forward_command)?;
        let Some(weenie) = self.weenie else { return Ok(0) };
        self.note(Call::JumpStaminaCost(extent));
        weenie.jump_stamina_cost(extent).ok_or(MotionError::GeneralMovementFailure)
    }

    /// Jumps, and returns the stamina that it costs. A body that the ground carried leaves it within this call, which uses
    /// the charge up.
    // Covers: seed 004, CMotionInterp::jump (0x00528780) test=motion::interp::tests::jump::a_jump_leaves_the_ground_and_uses_the_charge_up
    pub fn jump(&mut self, extent: f32) -> Result<u32, MotionError> {
        if self.body.is_none() {
            return Err(MotionError::NoPhysicsObject);
        }
        self.interrupt_current_movement();
        let cost = self.jump_is_allowed(extent).inspect_err(|_| self.movement.interpreter.standing_longjump = false)?;
        self.movement.interpreter.jump_extent = extent;
        self.note(Call::SetOnWalkable(false));
        if self.body.as_deref_mut().is_some_and(|body| body.set_on_walkable(false)) {
            self.leave_ground();
        }
        Ok(cost)
    }

    /// Upward speed in metres a second of the charged jump; 0 for no charge or a weenie that refuses.
    // Covers: seed 004, CMotionInterp::get_jump_v_z (0x00527aa0) test=motion::interp::tests::jump::the_charge_decides_the_upward_speed
    pub fn jump_v_z(&mut self) -> f32 {
        let extent = self.movement.interpreter.jump_extent;
        if extent < EPSILON {
            return 0.0;
        }
        let Some(weenie) = self.weenie else { return DEFAULT_JUMP_V_Z };
        let extent = if extent > MAX_JUMP_EXTENT { MAX_JUMP_EXTENT } else { extent };
        self.note(Call::JumpVelocity(extent));
        weenie.jump_velocity(extent).unwrap_or(0.0)
    }

    /// Local velocity in metres a second with which the body leaves the ground: what its commands ask for with the jump's
    /// upward speed, or what it already has when that is nothing.
    // Covers: seed 004, CMotionInterp::get_leave_ground_velocity (0x005280c0) test=motion::interp::tests::jump::leaving_without_a_command_keeps_the_momentum
    pub fn leave_ground_velocity(&mut self) -> Vec3 {
        let state = self.state_velocity();
        let velocity = Vec3::new(state.x, state.y, self.jump_v_z());
        let is_nothing = velocity.x.abs() < EPSILON && velocity.y.abs() < EPSILON && velocity.z.abs() < EPSILON;
        match self.body.as_deref() {
            Some(body) if is_nothing => body.orientation().conjugate().rotate(body.velocity()),
            _ => velocity,
        }
    }
}
