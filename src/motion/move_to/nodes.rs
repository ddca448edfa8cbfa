//! Beginning a node of the list.

use super::{MoveToNode, gait_for, heading_diff};
use crate::motion::position::{EPSILON, FULL_TURN};
use crate::motion::{HoldKey, MotionError, MotionId, MotionResult, MovementParameters, Mover, ParameterBits};

/// Up to this many degrees to the right a turn goes right, beyond that left.
const HALF_TURN: f32 = 180.0;

impl Mover<'_> {
    /// Parameters for a command of move-to itself: they must not cancel the movement that gives them.
    pub(super) fn command_params(&self, speed: f32, hold_key: HoldKey) -> MovementParameters {
        let bits = ParameterBits::DEFAULT.without(ParameterBits::CANCEL_MOVE_TO);
        MovementParameters { bits, speed, hold_key, ..Default::default() }
    }

    /// Gives the interpreter a command (_DoMotion).
    ///
    /// Our choice: the parameters are the callee's own. In the original a left turn's negated speed leaks into the next
    /// command of the same look.
    pub(super) fn move_to_do_motion(&mut self, motion: MotionId, params: MovementParameters) -> MotionResult {
        let (motion, params) = self.adjusted(motion, params)?;
        self.do_interpreted_motion(motion, &params)
    }

    /// Takes a command back (_StopMotion).
    pub(super) fn move_to_stop_motion(&mut self, motion: MotionId, params: MovementParameters) -> MotionResult {
        let (motion, params) = self.adjusted(motion, params)?;
        self.stop_interpreted_motion(motion, &params)
    }

    fn adjusted(
        &mut self,
        mut motion: MotionId,
        mut params: MovementParameters,
    ) -> Result<(MotionId, MovementParameters), MotionError> {
        if self.body.is_none() {
            return Err(MotionError::NoPhysicsObject);
        }
        if !self.movement.has_interpreter {
            return Err(MotionError::NoMotionInterpreter);
        }
        self.adjust_motion(&mut motion, &mut params.speed, params.hold_key);
        Ok((motion, params))
    }

    /// Begins the next node, or ends the movement when none is left; a sticky one stays with its target.
    pub(super) fn begin_next_node(&mut self) {
        let move_to = &self.movement.move_to;
        match move_to.pending_actions.front() {
            Some(MoveToNode::Move) => self.begin_move_forward(),
            Some(MoveToNode::Turn(_)) => self.begin_turn_to_heading(),
            None => {
                let (target, sticky) = (move_to.top_level_object_id, move_to.params.has(ParameterBits::STICKY));
                let (radius, height) = (move_to.sought_object_radius, move_to.sought_object_height);
                self.move_to_clean_up();
                self.stop_completely();
                if sticky {
                    self.stick_to(target, radius, height);
                }
            }
        }
    }

    fn skip_node(&mut self) {
        self.movement.move_to.pending_actions.pop();
        self.begin_next_node();
    }

    /// Sets out for the target, unless the distance is right already.
    fn begin_move_forward(&mut self) {
        if self.body.is_none() {
            return self.move_to_cancel(MotionError::NoPhysicsObject);
        }
        let distance = self.current_distance();
        let gait = gait_for(&self.movement.move_to.params, distance);
        if gait.command.is_none() {
            return self.skip_node();
        }
        let params = self.command_params(self.movement.move_to.params.speed, gait.hold_key);
        if let Err(error) = self.move_to_do_motion(gait.command, params) {
            return self.move_to_cancel(error);
        }
        let now = self.now;
        let move_to = &mut self.movement.move_to;
        move_to.current_command = gait.command;
        move_to.moving_away = gait.moving_away.unwrap_or(move_to.moving_away);
        move_to.params.hold_key = gait.hold_key;
        (move_to.previous_distance, move_to.previous_distance_time) = (distance, now);
        (move_to.original_distance, move_to.original_distance_time) = (distance, now);
    }

    /// Starts a turn the shorter way, unless the heading is right already. It waits while motions are in flight.
    pub(super) fn begin_turn_to_heading(&mut self) {
        let node = self.movement.move_to.pending_actions.front().copied();
        let (Some(MoveToNode::Turn(heading)), true) = (node, self.body.is_some()) else {
            return self.move_to_cancel(MotionError::NoPhysicsObject);
        };
        if self.movement.motions_pending() {
            return;
        }
        let right = heading_diff(heading, self.position().heading, MotionId::TURN_RIGHT);
        let turn = if right <= HALF_TURN {
            if right <= EPSILON {
                return self.skip_node();
            }
            MotionId::TURN_RIGHT
        } else {
            if right + EPSILON >= FULL_TURN {
                return self.skip_node();
            }
            MotionId::TURN_LEFT
        };
        let move_to = &self.movement.move_to;
        let params = self.command_params(move_to.params.speed, move_to.params.hold_key);
        if let Err(error) = self.move_to_do_motion(turn, params) {
            return self.move_to_cancel(error);
        }
        self.movement.move_to.current_command = turn;
        self.movement.move_to.previous_heading = right;
    }
}
