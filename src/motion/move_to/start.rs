//! Beginning the four movements.

use super::{MoveToNode, gait_for};
use crate::motion::position::{cylinder_distance, heading_between, wrap_degrees};
use crate::motion::seams::Call;
use crate::motion::{MotionError, Movement, MovementParameters, MovementType, Mover, ParameterBits, Position};

/// Target movement in metres that move-to wants to hear of.
const TARGET_RADIUS: f32 = 0.5;
/// How far ahead in seconds the reports look until an arrival time can be guessed.
const TARGET_QUANTUM: f32 = 0.0;

impl Mover<'_> {
    /// Replaces the movement under way, lets go of anything, and begins a new movement.
    pub(in crate::motion) fn move_to_perform_movement(&mut self, movement: &Movement) {
        self.move_to_cancel(MotionError::ActionCancelled);
        self.movement.move_to.ended_by = None;
        self.unstick_from_object();
        match movement.movement_type {
            MovementType::MoveToObject => self.move_to_object(movement),
            MovementType::MoveToPosition => self.move_to_position(movement.position, &movement.params),
            MovementType::TurnToObject => self.turn_to_object(movement),
            MovementType::TurnToHeading => self.turn_to_heading(&movement.params),
            _ => {}
        }
    }

    /// Goes to a thing, once its place is reported.
    fn move_to_object(&mut self, movement: &Movement) {
        if self.body.is_none() {
            return;
        }
        self.stop_completely();
        let place = self.position();
        let move_to = &mut self.movement.move_to;
        move_to.starting_position = place;
        move_to.sought_object_id = movement.object_id;
        move_to.sought_object_radius = movement.radius;
        move_to.sought_object_height = movement.height;
        move_to.params = movement.params;
        move_to.movement_type = MovementType::MoveToObject;
        self.await_target(movement.top_level_id);
    }

    /// Turns to a thing, once its place is reported. The desired heading is an offset to the heading towards it in the
    /// record, but nothing ever sets that offset, as in the original.
    fn turn_to_object(&mut self, movement: &Movement) {
        if self.body.is_none() {
            self.movement.move_to.params.context_id = movement.params.context_id;
            return;
        }
        if movement.params.has(ParameterBits::STOP_COMPLETELY) {
            self.stop_completely();
        }
        let move_to = &mut self.movement.move_to;
        move_to.movement_type = MovementType::TurnToObject;
        move_to.sought_object_id = movement.object_id;
        move_to.current_target_position.heading = movement.params.desired_heading;
        move_to.params = movement.params;
        self.await_target(movement.top_level_id);
    }

    /// Follows the target from now on; a mover that seeks itself is there already.
    fn await_target(&mut self, top_level_id: u32) {
        self.movement.move_to.top_level_object_id = top_level_id;
        self.movement.move_to.initialized = false;
        if self.body.as_deref().is_some_and(|body| body.id() == top_level_id) {
            self.move_to_clean_up();
            self.stop_completely();
        } else {
            self.set_target(top_level_id, TARGET_RADIUS, TARGET_QUANTUM);
        }
    }

    /// Goes to a place: turns towards it, walks, and turns to the final heading if one is asked for.
    fn move_to_position(&mut self, target: Position, params: &MovementParameters) {
        if self.body.is_none() {
            return;
        }
        self.stop_completely();
        let place = self.position();
        self.movement.move_to.current_target_position = target;
        self.movement.move_to.sought_object_radius = 0.0;
        // The distance is still measured by the parameters of the movement before, which at rest have no bits.
        let gait = gait_for(params, self.current_distance());
        if !gait.command.is_none() {
            self.queue_node(MoveToNode::Turn(heading_between(place.point, target.point)));
            self.queue_node(MoveToNode::Move);
        }
        if params.has(ParameterBits::USE_FINAL_HEADING) {
            self.queue_node(MoveToNode::Turn(params.desired_heading));
        }
        let move_to = &mut self.movement.move_to;
        move_to.sought_position = target;
        move_to.starting_position = place;
        move_to.movement_type = MovementType::MoveToPosition;
        move_to.params = *params;
        move_to.params.bits = params.bits.without(ParameterBits::STICKY);
        self.begin_next_node();
    }

    /// Turns to a heading.
    fn turn_to_heading(&mut self, params: &MovementParameters) {
        if self.body.is_none() {
            self.movement.move_to.params.context_id = params.context_id;
            return;
        }
        if params.has(ParameterBits::STOP_COMPLETELY) {
            self.stop_completely();
        }
        let move_to = &mut self.movement.move_to;
        move_to.params = *params;
        move_to.params.bits = params.bits.without(ParameterBits::STICKY);
        move_to.sought_position.heading = params.desired_heading;
        move_to.movement_type = MovementType::TurnToHeading;
        self.queue_node(MoveToNode::Turn(params.desired_heading));
        self.begin_next_node();
    }

    /// Makes the node list of a movement to a thing, now that its place is known.
    pub(super) fn move_to_object_internal(&mut self, target: Position, interpolated: Position) {
        let place = self.position();
        let move_to = &mut self.movement.move_to;
        move_to.sought_position = interpolated;
        move_to.current_target_position = target;
        let params = move_to.params;
        let towards = heading_between(place.point, interpolated.point);
        if !gait_for(&params, self.current_distance()).command.is_none() {
            self.queue_node(MoveToNode::Turn(towards));
            self.queue_node(MoveToNode::Move);
        }
        if params.has(ParameterBits::USE_FINAL_HEADING) {
            self.queue_node(MoveToNode::Turn(wrap_degrees(towards + params.desired_heading)));
        }
        self.movement.move_to.initialized = true;
        self.begin_next_node();
    }

    /// Makes the node list of a turn to a thing, now that its place is known.
    pub(super) fn turn_to_object_internal(&mut self, target: Position) {
        let place = self.position();
        let move_to = &mut self.movement.move_to;
        move_to.current_target_position = target;
        let heading = wrap_degrees(heading_between(place.point, target.point) + move_to.sought_position.heading);
        move_to.sought_position.heading = heading;
        move_to.initialized = true;
        self.queue_node(MoveToNode::Turn(heading));
        self.begin_next_node();
    }

    fn queue_node(&mut self, node: MoveToNode) {
        if !self.movement.move_to.pending_actions.push(node) {
            self.note(Call::QueueOverflow);
        }
    }

    /// Metres to the target: between cylinders when the parameters say so, else between origins; the largest number
    /// without a body.
    pub(super) fn current_distance(&self) -> f32 {
        let Some(body) = self.body.as_deref() else { return f32::MAX };
        let move_to = &self.movement.move_to;
        let (own, target) = (body.position().point, move_to.current_target_position.point);
        if move_to.params.has(ParameterBits::USE_SPHERES) {
            let sought = (target, move_to.sought_object_radius, move_to.sought_object_height);
            cylinder_distance((own, body.radius(), body.height()), sought)
        } else {
            (target - own).length()
        }
    }
}
