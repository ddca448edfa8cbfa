//! What ground, posture and weenie allow.

use crate::motion::{MotionClass, MotionError, MotionId, MotionResult, Mover};

/// Whether a body that does this motion may jump.
///
/// Source: seed 004, motion_allows_jump.
// Covers: seed 004, CMotionInterp::motion_allows_jump (0x005279e0) test=motion::interp::tests::gates::busy_hands_magic_and_low_postures_forbid_jumps default=Ok(())
pub const fn motion_allows_jump(motion: MotionId) -> MotionResult {
    let blocked = motion.within(MotionId::MAGIC_POWER_UP_01, MotionId::MAGIC_POWER_UP_10)
        || motion.within(MotionId::TRIPLE_THRUST_LOW, MotionId::MAGIC_POWER_UP_07_PURPLE)
        || motion.0 == MotionId::FALLEN.0
        || motion.within(MotionId::RELOAD, MotionId::PICKUP)
        || motion.within(MotionId::AIM_LEVEL, MotionId::MAGIC_PRAY)
        || motion.is_low_posture();
    if blocked { Err(MotionError::CannotJumpFromThisPosition) } else { Ok(()) }
}

/// Why a combat stance refuses a command, tested on the id as it was given.
pub(super) fn stance_allows(motion: MotionId) -> MotionResult {
    match motion {
        MotionId::CROUCH => Err(MotionError::CannotCrouchInCombat),
        MotionId::SITTING => Err(MotionError::CannotSitInCombat),
        MotionId::SLEEPING => Err(MotionError::CannotLieDownInCombat),
        _ if motion.is(MotionClass::CHAT_EMOTE) => Err(MotionError::CannotEmoteInCombat),
        _ => Ok(()),
    }
}

/// Whether a standing long jump only notes this command instead of playing it.
pub(super) fn waits_for_longjump(motion: MotionId) -> bool {
    matches!(motion, MotionId::WALK_FORWARD | MotionId::RUN_FORWARD | MotionId::SIDE_STEP_RIGHT)
}

impl Mover<'_> {
    /// Whether the body's contact lets it do a motion: on the ground everything, in the air falling, dying and turning.
    /// Things that are no creatures and bodies without gravity are free.
    pub fn contact_allows_move(&self, motion: MotionId) -> bool {
        let Some(body) = self.body.as_deref() else { return false };
        matches!(motion, MotionId::FALLING | MotionId::DEAD)
            || motion.is_turn()
            || !self.is_creature()
            || !body.has_gravity()
            || body.on_ground()
    }

    /// Whether posture and weenie let a jump be charged. The weenie is asked about the stored extent, not a requested one.
    // Covers: seed 004, CMotionInterp::jump_charge_is_allowed (0x00527a50) test=motion::interp::tests::jump::a_charge_is_refused_by_weenie_first_and_posture_second default=Ok(())
    pub fn jump_charge_is_allowed(&mut self) -> MotionResult {
        if !self.can_jump(self.movement.interpreter.jump_extent) {
            return Err(MotionError::CannotJumpLoadedDown);
        }
        let forward = self.movement.interpreter.interpreted_state.forward_command;
        if forward == MotionId::FALLEN || forward.is_low_posture() {
            return Err(MotionError::CannotJumpFromThisPosition);
        }
        Ok(())
    }

    /// Whether the body stands on the ground and no command moves it.
    // Covers: seed 004, CMotionInterp::is_standing_still (0x00527fa0) test=motion::interp::tests::gates::standing_still_needs_ground_and_no_command
    pub fn is_standing_still(&self) -> bool {
        self.body.as_deref().is_some_and(|body| body.on_ground())
            && self.movement.interpreter.interpreted_state.is_idle()
    }
}
