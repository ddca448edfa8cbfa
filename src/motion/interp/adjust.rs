//! Folding commands and hold keys into motions with speeds, and speeds into velocities.

use crate::maths::Vec3;
use crate::motion::seams::Call;
use crate::motion::{HoldKey, MotionId, Mover};

/// Speed of the walk animation in metres a second.
pub const WALK_ANIM_SPEED: f32 = 3.12;
/// Speed of the run animation in metres a second.
pub const RUN_ANIM_SPEED: f32 = 4.0;
/// Speed of the sidestep animation in metres a second.
pub const SIDESTEP_ANIM_SPEED: f32 = 1.25;
/// How much of the walk the way back is.
pub const BACKWARDS_FACTOR: f32 = 0.65;
/// How much of the walk's speed a sidestep has.
pub const SIDESTEP_FACTOR: f32 = 0.5;
/// How much quicker a running body turns.
pub const RUN_TURN_FACTOR: f32 = 1.5;
/// Fastest sidestep, as a factor of its animation.
pub const MAX_SIDESTEP_ANIM_RATE: f32 = 3.0;
/// What makes a sidestep of factor 1 move at half the walk's speed.
const SIDESTEP_SCALE: f32 = SIDESTEP_FACTOR * WALK_ANIM_SPEED / SIDESTEP_ANIM_SPEED;

impl Mover<'_> {
    /// The motion and speed that a command means: backwards and left become negative, and the run key runs.
    ///
    /// Source: motion notes, adjust_motion.
    pub fn adjust_motion(&mut self, motion: &mut MotionId, speed: &mut f32, key: HoldKey) {
        if !self.is_creature() {
            return;
        }
        match *motion {
            MotionId::RUN_FORWARD => return,
            MotionId::WALK_BACKWARDS => {
                *motion = MotionId::WALK_FORWARD;
                *speed *= -BACKWARDS_FACTOR;
            }
            MotionId::TURN_LEFT => {
                *motion = MotionId::TURN_RIGHT;
                *speed = -*speed;
            }
            MotionId::SIDE_STEP_LEFT => {
                *motion = MotionId::SIDE_STEP_RIGHT;
                *speed *= -SIDESTEP_SCALE;
            }
            MotionId::SIDE_STEP_RIGHT => *speed *= SIDESTEP_SCALE,
            _ => {}
        }
        let key = if key == HoldKey::Invalid { self.movement.interpreter.raw_state.current_holdkey } else { key };
        if key == HoldKey::Run {
            self.apply_run_to_command(motion, speed);
        }
    }

    /// What the run key makes of an adjusted command. A walk backwards speeds up but stays a walk.
    ///
    /// Source: motion notes, apply_run_to_command.
    pub fn apply_run_to_command(&mut self, motion: &mut MotionId, speed: &mut f32) {
        let rate = self.run_rate();
        match *motion {
            MotionId::WALK_FORWARD => {
                if *speed > 0.0 {
                    *motion = MotionId::RUN_FORWARD;
                }
                *speed *= rate;
            }
            MotionId::TURN_RIGHT => *speed *= RUN_TURN_FACTOR,
            MotionId::SIDE_STEP_RIGHT => {
                *speed *= rate;
                if speed.abs() > MAX_SIDESTEP_ANIM_RATE {
                    *speed = if *speed > 0.0 { MAX_SIDESTEP_ANIM_RATE } else { -MAX_SIDESTEP_ANIM_RATE };
                }
            }
            _ => {}
        }
    }

    /// The run rate: the weenie's, else the one seen last, and 1 without a weenie.
    pub(super) fn run_rate(&mut self) -> f32 {
        let Some(weenie) = self.weenie else { return 1.0 };
        self.note(Call::RunRate);
        weenie.run_rate().unwrap_or(self.movement.interpreter.my_run_rate)
    }

    /// The local velocity in metres a second that the interpreted state asks for: x to the right, y ahead, no longer than
    /// the top speed.
    ///
    /// Source: motion notes, Velocities and limits.
    pub fn state_velocity(&mut self) -> Vec3 {
        let state = &self.movement.interpreter.interpreted_state;
        let x = match state.sidestep_command {
            MotionId::SIDE_STEP_RIGHT => SIDESTEP_ANIM_SPEED * state.sidestep_speed,
            _ => 0.0,
        };
        let y = match state.forward_command {
            MotionId::WALK_FORWARD => WALK_ANIM_SPEED * state.forward_speed,
            MotionId::RUN_FORWARD => RUN_ANIM_SPEED * state.forward_speed,
            _ => 0.0,
        };
        let velocity = Vec3::new(x, y, 0.0);
        let (limit, length) = (RUN_ANIM_SPEED * self.run_rate(), velocity.length());
        let limited = if length > limit { velocity * (limit / length) } else { velocity };
        // Our choice: a speed that is no number moves nothing, so that it never reaches a body's place.
        if limited.is_finite() { limited } else { Vec3::ZERO }
    }

    /// The local velocity in metres a second at which a command-driven body moves on the ground: the state's, and none
    /// while a standing long jump is charged, whose steps are only noted.
    pub fn ground_velocity(&mut self) -> Vec3 {
        if self.movement.interpreter.standing_longjump { Vec3::ZERO } else { self.state_velocity() }
    }

    /// The top speed in metres a second.
    pub fn max_speed(&mut self) -> f32 {
        RUN_ANIM_SPEED * self.run_rate()
    }

    /// The top speed in metres a second as the running body currently has it.
    pub fn adjusted_max_speed(&mut self) -> f32 {
        let rate = self.run_rate();
        let interpreter = &self.movement.interpreter;
        let state = &interpreter.interpreted_state;
        let rate = match state.forward_command {
            MotionId::RUN_FORWARD => state.forward_speed / interpreter.current_speed_factor,
            _ => rate,
        };
        RUN_ANIM_SPEED * rate
    }
}
