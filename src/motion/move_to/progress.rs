//! Watching a node every frame.

use super::{MoveToNode, desired_heading, heading_diff, heading_greater};
use crate::motion::position::{EPSILON, FULL_TURN, heading_between, wrap_degrees};
use crate::motion::seams::Call;
use crate::motion::{MotionError, MotionId, MovementType, Mover};

/// Progress is judged no more often than this, in seconds.
pub const PROGRESS_WINDOW: f32 = 1.0;
/// Slower than this in metres a second counts as no progress.
pub const MIN_PROGRESS_RATE: f32 = 0.25;
/// A walking body is steered when its heading is off by more than this, in degrees.
const STEERING_SLACK: f32 = 20.0;
/// Half a turn in degrees.
const HALF_TURN: f32 = 180.0;
/// Below this speed in metres a second no arrival time is guessed.
const MIN_ETA_SPEED: f32 = 0.1;
/// A guessed arrival this many seconds off how far the reports look ahead changes that.
const QUANTUM_SLACK: f32 = 1.0;

impl Mover<'_> {
    /// Move-to's turn in the frame: only in contact, with a node to do, and with a target that is known.
    pub(in crate::motion) fn move_to_use_time(&mut self) {
        let move_to = &self.movement.move_to;
        let knows_target =
            move_to.top_level_object_id == 0 || move_to.movement_type == MovementType::Invalid || move_to.initialized;
        if !knows_target || !self.body.as_deref().is_some_and(|body| body.has_contact()) {
            return;
        }
        match self.movement.move_to.pending_actions.front() {
            Some(MoveToNode::Move) => self.handle_move_to_position(),
            Some(MoveToNode::Turn(heading)) => self.handle_turn_to_heading(*heading),
            None => {}
        }
    }

    /// The body came to the ground: the node begins anew. A movement that still waits for its target ends.
    pub(in crate::motion) fn move_to_hit_ground(&mut self) {
        if self.movement.move_to.is_moving_to() {
            self.begin_next_node();
        }
    }

    /// Whether the way under way is walked or run from here on: a node that goes to the target begins anew.
    ///
    /// Our choice: the original chooses once, by the distance at the node's beginning. Who keeps up with somebody chooses
    /// again when he changes his pace.
    pub fn move_to_at_pace(&mut self, runs: bool) {
        let threshold = if runs { 0.0 } else { f32::MAX };
        let move_to = &mut self.movement.move_to;
        if !move_to.is_moving_to() || move_to.params.walk_run_threshold == threshold {
            return;
        }
        move_to.params.walk_run_threshold = threshold;
        let goes = matches!(move_to.pending_actions.front(), Some(MoveToNode::Move));
        if goes && !move_to.current_command.is_none() {
            self.begin_next_node();
        }
    }

    /// Ends the turn on the side.
    pub(super) fn stop_aux_command(&mut self) {
        let move_to = &self.movement.move_to;
        let aux = move_to.aux_command;
        if !aux.is_none() {
            let params = self.command_params(move_to.params.speed, move_to.params.hold_key);
            // The slot empties whether or not the table knew the turn.
            let _ = self.move_to_stop_motion(aux, params);
            self.movement.move_to.aux_command = MotionId::NONE;
        }
    }

    fn handle_move_to_position(&mut self) {
        if self.body.is_none() {
            return self.move_to_cancel(MotionError::NoPhysicsObject);
        }
        if self.movement.motions_pending() {
            self.stop_aux_command();
        } else {
            self.steer();
        }
        let distance = self.current_distance();
        if self.check_progress_made(distance) {
            self.movement.move_to.fail_progress_count = 0;
            let move_to = &self.movement.move_to;
            let arrived = if move_to.moving_away {
                distance >= move_to.params.min_distance
            } else {
                distance <= move_to.params.distance_to_object
            };
            if arrived {
                self.arrive();
            } else if (self.position().point - move_to.starting_position.point).length() > move_to.params.fail_distance
            {
                self.move_to_cancel(MotionError::ChargedTooFar);
            }
        } else if !self.is_interpolating() && !self.movement.motions_pending() {
            let count = &mut self.movement.move_to.fail_progress_count;
            *count = count.saturating_add(1);
        }
        self.adapt_report_horizon(distance);
    }

    fn is_interpolating(&self) -> bool {
        self.body.as_deref().is_some_and(|body| body.is_interpolating())
    }

    /// Turns on the side while the body's heading is off.
    fn steer(&mut self) {
        let move_to = &self.movement.move_to;
        let place = self.position();
        let towards = heading_between(place.point, move_to.current_target_position.point);
        let wanted = wrap_degrees(desired_heading(move_to.current_command, move_to.moving_away) + towards);
        let mut off = wanted - place.heading;
        if off.abs() < EPSILON {
            off = 0.0;
        }
        if off < -EPSILON {
            off += FULL_TURN;
        }
        if off <= STEERING_SLACK || off >= FULL_TURN - STEERING_SLACK {
            return self.stop_aux_command();
        }
        let turn = if off >= HALF_TURN { MotionId::TURN_LEFT } else { MotionId::TURN_RIGHT };
        if turn != move_to.aux_command {
            let params = self.command_params(move_to.params.speed, move_to.params.hold_key);
            // A refused turn is kept as given, so that it is not tried again every frame.
            let _ = self.move_to_do_motion(turn, params);
            self.movement.move_to.aux_command = turn;
        }
    }

    /// The target is reached: both commands end and the next node begins.
    fn arrive(&mut self) {
        let move_to = &mut self.movement.move_to;
        move_to.pending_actions.pop();
        let current = move_to.current_command;
        let params = (move_to.params.speed, move_to.params.hold_key);
        let params = self.command_params(params.0, params.1);
        // The node is over whether or not the table knew the command.
        let _ = self.move_to_stop_motion(current, params);
        self.movement.move_to.current_command = MotionId::NONE;
        self.stop_aux_command();
        self.begin_next_node();
    }

    /// Has the target reported where it will be at about the time of arrival.
    fn adapt_report_horizon(&mut self, distance: f32) {
        let move_to = &self.movement.move_to;
        if move_to.top_level_object_id == 0 || !move_to.is_moving_to() {
            return;
        }
        let Some(body) = self.body.as_deref_mut() else { return };
        let speed = body.velocity().length();
        if speed > MIN_ETA_SPEED {
            let eta = distance / speed;
            if (eta - body.target_quantum()).abs() > QUANTUM_SLACK {
                body.set_target_quantum(eta);
                self.note(Call::SetTargetQuantum(eta));
            }
        }
    }

    /// Whether the distance changes fast enough, over the last window and since the node began. Within a window it always
    /// does.
    pub(super) fn check_progress_made(&mut self, distance: f32) -> bool {
        let now = self.now;
        let move_to = &mut self.movement.move_to;
        let window = now.seconds_since(move_to.previous_distance_time);
        if window <= PROGRESS_WINDOW {
            return true;
        }
        let gained = |since: f32| if move_to.moving_away { distance - since } else { since - distance };
        if gained(move_to.previous_distance) / window < MIN_PROGRESS_RATE {
            return false;
        }
        let total = gained(move_to.original_distance) / now.seconds_since(move_to.original_distance_time);
        (move_to.previous_distance, move_to.previous_distance_time) = (distance, now);
        total >= MIN_PROGRESS_RATE
    }

    fn handle_turn_to_heading(&mut self, target: f32) {
        let Some(body) = self.body.as_deref() else {
            return self.move_to_cancel(MotionError::NoPhysicsObject);
        };
        let heading = body.position().heading;
        let turn = self.movement.move_to.current_command;
        if !turn.is_turn() {
            return self.begin_turn_to_heading();
        }
        if heading_greater(heading, target, turn) {
            self.movement.move_to.fail_progress_count = 0;
            self.note(Call::SetHeading(target));
            if let Some(body) = self.body.as_deref_mut() {
                body.set_heading(target);
            }
            self.movement.move_to.pending_actions.pop();
            let params = self.command_params(1.0, self.movement.move_to.params.hold_key);
            // The node is over whether or not the table knew the turn.
            let _ = self.move_to_stop_motion(turn, params);
            self.movement.move_to.current_command = MotionId::NONE;
            return self.begin_next_node();
        }
        let turned = heading_diff(heading, self.movement.move_to.previous_heading, turn);
        self.movement.move_to.previous_heading = heading;
        if EPSILON < turned && turned < HALF_TURN {
            self.movement.move_to.fail_progress_count = 0;
        } else if !self.is_interpolating() && !self.movement.motions_pending() {
            let count = &mut self.movement.move_to.fail_progress_count;
            *count = count.saturating_add(1);
        }
    }
}
