//! What a line is answered with.

use crate::session::Session;
use boardwalk::maths::Vec3;
use boardwalk::motion::seams::Call;
use boardwalk::motion::state::{ActionNode, InterpretedMotionState, RawMotionState};
use boardwalk::motion::{MotionError, MotionId, MoveToManager, MoveToNode, MovementParameters, Sequence};
use serde_json::{Value, json};

/// A float with no more digits than it has; null when it is no number.
pub fn float(value: f32) -> Value {
    // Through the shortest decimal text, so that 0.65 does not come out as 0.6499999761581421.
    value.to_string().parse::<f64>().ok().and_then(serde_json::Number::from_f64).map_or(Value::Null, Value::Number)
}

pub fn vector(value: Vec3) -> Value {
    Value::Array(value.to_array().map(float).to_vec())
}

pub fn id(motion: MotionId) -> Value {
    Value::String(motion.to_string())
}

pub fn code(error: Option<MotionError>) -> Value {
    json!(error.map_or(0, MotionError::code))
}

impl Session {
    /// The whole answer; it takes the calls that were made since the last one.
    pub fn answer(&mut self, result: Value) -> Value {
        let bench = &mut self.bench;
        let calls: Vec<String> = std::mem::take(&mut bench.trace.0).iter().map(call).collect();
        let interpreter = &bench.movement.interpreter;
        let manager = bench.parts.as_ref().map(|parts| &parts.manager);
        let pending = interpreter.pending_motions.iter();
        let animations = manager.into_iter().flat_map(|manager| manager.pending_animations.iter());
        let table_actions = manager.into_iter().flat_map(|manager| manager.state.actions.iter());
        json!({
            "result": result,
            "cost": self.cost.take(),
            "raw": raw(&interpreter.raw_state),
            "interpreted": interpreted(&interpreter.interpreted_state),
            "pending": pending
                .map(|node| json!([node.context_id, id(node.motion), code(node.jump_error_code)]))
                .collect::<Value>(),
            "animations": animations.map(|node| json!([id(node.motion), node.num_anims])).collect::<Value>(),
            "actions": {
                "raw": interpreter.raw_state.actions.iter().map(action).collect::<Value>(),
                "interpreted": interpreter.interpreted_state.actions.iter().map(action).collect::<Value>(),
                "table": table_actions
                    .map(|played| json!({ "motion": id(played.motion), "speed": float(played.speed) }))
                    .collect::<Value>(),
            },
            "nodes": bench.movement.move_to.pending_actions.iter().map(node).collect::<Value>(),
            "move_to": move_to(&bench.movement.move_to),
            "standing_longjump": interpreter.standing_longjump,
            "jump_extent": float(interpreter.jump_extent),
            "my_run_rate": float(interpreter.my_run_rate),
            "initted": interpreter.initted,
            "server_stamp": interpreter.server_action_stamp,
            "animation_counter": manager.map(|manager| manager.animation_counter),
            "table_state": manager.map(|manager| json!({
                "style": id(manager.state.style),
                "substate": id(manager.state.substate),
                "substate_mod": float(manager.state.substate_mod),
                "modifiers": manager.state.modifiers().iter()
                    .map(|m| json!({ "motion": id(m.motion), "speed": float(m.speed) }))
                    .collect::<Value>(),
            })),
            "sequence": bench.parts.as_ref().map(|parts| sequence(&parts.sequence)),
            "body": bench.body.as_ref().map(|body| json!({
                "position": vector(body.position.point),
                "heading": float(body.position.heading),
                "velocity": vector(body.velocity),
                "contact": body.contact,
                "walkable": body.walkable,
                "active": body.active,
                "target": body.target,
                "target_quantum": float(body.target_quantum),
            })),
            "stuck_to": bench.sticky.target_id(),
            "interpreter": bench.movement.has_interpreter,
            "calls": calls,
        })
    }
}

fn raw(state: &RawMotionState) -> Value {
    json!({
        "current_holdkey": state.current_holdkey as u32,
        "current_style": id(state.current_style),
        "forward_command": id(state.forward_command),
        "forward_holdkey": state.forward_holdkey as u32,
        "forward_speed": float(state.forward_speed),
        "sidestep_command": id(state.sidestep_command),
        "sidestep_holdkey": state.sidestep_holdkey as u32,
        "sidestep_speed": float(state.sidestep_speed),
        "turn_command": id(state.turn_command),
        "turn_holdkey": state.turn_holdkey as u32,
        "turn_speed": float(state.turn_speed),
    })
}

fn interpreted(state: &InterpretedMotionState) -> Value {
    json!({
        "current_style": id(state.current_style),
        "forward_command": id(state.forward_command),
        "forward_speed": float(state.forward_speed),
        "sidestep_command": id(state.sidestep_command),
        "sidestep_speed": float(state.sidestep_speed),
        "turn_command": id(state.turn_command),
        "turn_speed": float(state.turn_speed),
    })
}

fn action(node: &ActionNode) -> Value {
    json!({
        "motion": id(node.motion),
        "speed": float(node.speed),
        "stamp": node.stamp,
        "autonomous": node.autonomous,
    })
}

fn node(node: &MoveToNode) -> Value {
    match node {
        MoveToNode::Move => json!({ "type": 7 }),
        MoveToNode::Turn(heading) => json!({ "type": 9, "heading": float(*heading) }),
    }
}

fn move_to(move_to: &MoveToManager) -> Value {
    json!({
        "type": move_to.movement_type as u32,
        "initialized": move_to.initialized,
        "ended_by": code(move_to.ended_by),
        "current_command": id(move_to.current_command),
        "aux_command": id(move_to.aux_command),
        "moving_away": move_to.moving_away,
        "sought_object_id": move_to.sought_object_id,
        "top_level_object_id": move_to.top_level_object_id,
        "radius": float(move_to.sought_object_radius),
        "height": float(move_to.sought_object_height),
        "fail_progress_count": move_to.fail_progress_count,
        "previous_distance": float(move_to.previous_distance),
        "original_distance": float(move_to.original_distance),
        "previous_heading": float(move_to.previous_heading),
        "sought": vector(move_to.sought_position.point),
        "target": vector(move_to.current_target_position.point),
        "starting": vector(move_to.starting_position.point),
        "params": params(&move_to.params),
    })
}

fn params(params: &MovementParameters) -> Value {
    json!({
        "bits": format!("{:#x}", params.bits.0),
        "speed": float(params.speed),
        "hold_key": params.hold_key as u32,
        "context": params.context_id,
        "stamp": params.action_stamp,
        "distance": float(params.distance_to_object),
        "min_distance": float(params.min_distance),
        "heading": float(params.desired_heading),
        "fail_distance": float(params.fail_distance),
        "threshold": float(params.walk_run_threshold),
    })
}

fn sequence(sequence: &Sequence) -> Value {
    json!({
        "length": sequence.len(),
        "links": sequence.links(),
        "clips": sequence.animations().iter().map(|range| range.clip).collect::<Vec<_>>(),
        "rates": sequence.animations().iter().map(|range| float(range.framerate)).collect::<Value>(),
        "current": sequence.current().map(|(range, frame)| json!({ "clip": range.clip, "frame": float(frame) })),
        "velocity": vector(sequence.velocity),
        "omega": vector(sequence.omega),
    })
}

/// A call as one word and its arguments.
fn call(call: &Call) -> String {
    let number = |on: bool| u32::from(on);
    match *call {
        Call::SetActive => "set_active 1".into(),
        Call::CancelMoveTo(error) => format!("cancel_moveto {:#x}", error.code()),
        Call::DoInterpretedMotion(motion, speed) => format!("do_interpreted_motion {motion} {speed}"),
        Call::StopInterpretedMotion(motion, speed) => format!("stop_interpreted_motion {motion} {speed}"),
        Call::StopCompletelyInternal => "stop_completely_internal".into(),
        Call::CheckForCompletedMotions => "check_for_completed_motions".into(),
        Call::InitializeMotionTables => "initialize_motion_tables".into(),
        Call::RemoveLinkAnimations => "remove_link_animations".into(),
        Call::UnstickFromObject => "unstick_from_object".into(),
        Call::StickTo(object, radius, height) => format!("stick_to {object} {radius} {height}"),
        Call::SetOnWalkable(walkable) => format!("set_on_walkable {}", number(walkable)),
        Call::SetLocalVelocity(v, autonomous) => {
            format!("set_local_velocity {} {} {} {}", v.x, v.y, v.z, number(autonomous))
        }
        Call::SetHeading(degrees) => format!("set_heading {degrees}"),
        Call::SetTarget(object, radius, quantum) => format!("set_target {object} {radius} {quantum}"),
        Call::ClearTarget => "clear_target".into(),
        Call::SetTargetQuantum(quantum) => format!("set_target_quantum {quantum}"),
        Call::CanJump(extent) => format!("can_jump {extent}"),
        Call::JumpStaminaCost(extent) => format!("jump_stamina_cost {extent}"),
        Call::JumpVelocity(extent) => format!("inq_jump_velocity {extent}"),
        Call::RunRate => "inq_run_rate".into(),
        Call::MotionDone(motion, success) => format!("motion_done {motion} {}", number(success)),
        Call::QueueOverflow => "queue_overflow".into(),
    }
}
