//! `set`: changing anything of the mover.

use crate::fields::{
    any_field, error_code, field, flag, float, hold_key, known, motion, position, set_params, take, vector, word,
};
use crate::session::{Session, parts_of};
use boardwalk::motion::bench::{BenchBody, BenchWeenie};
use boardwalk::motion::interp::MotionNode;
use boardwalk::motion::state::{ActionList, ActionNode, InterpretedMotionState, RawMotionState};
use boardwalk::motion::{AnimRange, AnimationNode, MotionState, Time};
use serde_json::Value;

/// Keys of a line that are not fields of the body.
const OWN_KEYS: [&str; 20] = [
    "op",
    "raw",
    "interpreted",
    "jump_extent",
    "standing_longjump",
    "my_run_rate",
    "initted",
    "server_stamp",
    "server_action_stamp",
    "current_speed_factor",
    "pending",
    "animations",
    "animation_counter",
    "actions",
    "body",
    "weenie",
    "table",
    "sequence",
    "move_to",
    "time",
];

/// Changes whatever the line names. States, body and weenie are given as objects or with dotted names
/// (`"interpreted.forward_command"`); body fields may also stand alone.
pub fn set(session: &mut Session, line: &Value) -> Result<(), String> {
    let line = &nested(line);
    session.mover();
    if let Some(table) = field(line, "table") {
        session.bench.parts = parts_of(table)?;
    }
    set_interpreter(session, line)?;
    set_parts(session, line)?;
    match line.get("body") {
        Some(Value::Null) => session.bench.body = None,
        Some(given) => {
            let body = session.bench.body.get_or_insert_with(BenchBody::default);
            if !set_body(given, body)? {
                session.bench.body = None;
            }
        }
        None => {}
    }
    match line.get("weenie") {
        Some(Value::Null) => session.bench.weenie = None,
        Some(given) => set_weenie(given, session.bench.weenie.get_or_insert_with(BenchWeenie::default))?,
        None => {}
    }
    take(line, &["time"], |value| float(value).map(|seconds| Time(0).after(seconds)), &mut session.bench.now)?;
    if let Some(given) = field(line, "move_to") {
        set_move_to(session, given)?;
    }
    let lone: serde_json::Map<String, Value> = line
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, _)| !OWN_KEYS.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if !lone.is_empty() {
        let body = session.bench.body.as_mut().ok_or("there is no body to set this on")?;
        set_body(&Value::Object(lone), body)?;
    }
    Ok(())
}

/// The line with `"a.b": value` as `"a": {"b": value}`.
fn nested(line: &Value) -> Value {
    let mut flat = serde_json::Map::new();
    for (key, value) in line.as_object().into_iter().flatten() {
        match key.split_once('.') {
            Some((outer, inner)) => {
                let place = flat.entry(outer).or_insert_with(|| Value::Object(serde_json::Map::new()));
                if let Some(object) = place.as_object_mut() {
                    object.insert(inner.into(), value.clone());
                }
            }
            None => drop(flat.insert(key.clone(), value.clone())),
        }
    }
    Value::Object(flat)
}

fn set_interpreter(session: &mut Session, line: &Value) -> Result<(), String> {
    let interpreter = &mut session.bench.movement.interpreter;
    if let Some(given) = field(line, "raw") {
        set_raw(given, &mut interpreter.raw_state)?;
    }
    if let Some(given) = field(line, "interpreted") {
        set_interpreted(given, &mut interpreter.interpreted_state)?;
    }
    take(line, &["jump_extent"], float, &mut interpreter.jump_extent)?;
    take(line, &["standing_longjump"], flag, &mut interpreter.standing_longjump)?;
    take(line, &["my_run_rate"], float, &mut interpreter.my_run_rate)?;
    take(line, &["initted"], flag, &mut interpreter.initted)?;
    take(line, &["server_stamp", "server_action_stamp"], word, &mut interpreter.server_action_stamp)?;
    take(line, &["current_speed_factor"], float, &mut interpreter.current_speed_factor)?;
    if let Some(nodes) = field(line, "pending") {
        interpreter.pending_motions.clear();
        for node in list(nodes)? {
            let [context, id, code] = row(node)?;
            interpreter.pending_motions.push(MotionNode {
                context_id: word(context)?,
                motion: motion(id)?,
                jump_error_code: error_code(code)?,
            });
        }
    }
    if let Some(actions) = field(line, "actions") {
        known(actions, &["raw", "interpreted", "table"])?;
        take(actions, &["raw"], action_list, &mut interpreter.raw_state.actions)?;
        take(actions, &["interpreted"], action_list, &mut interpreter.interpreted_state.actions)?;
    }
    Ok(())
}

fn set_parts(session: &mut Session, line: &Value) -> Result<(), String> {
    let names = ["animations", "animation_counter", "sequence"];
    let table_actions = field(line, "actions").and_then(|actions| field(actions, "table"));
    if any_field(line, &names).is_none() && table_actions.is_none() {
        return Ok(());
    }
    let parts = session.bench.parts.as_mut().ok_or("there is no part array to set this on")?;
    if let Some(nodes) = field(line, "animations") {
        parts.manager.pending_animations.clear();
        for node in list(nodes)? {
            let [id, num_anims] = row(node)?;
            let node = AnimationNode { motion: motion(id)?, num_anims: word(num_anims)? };
            parts.manager.pending_animations.push(node);
        }
    }
    take(line, &["animation_counter"], word, &mut parts.manager.animation_counter)?;
    if let Some(actions) = table_actions {
        let state: &mut MotionState = &mut parts.manager.state;
        state.actions.clear();
        for action in action_list(actions)?.iter() {
            state.add_action(action.motion, action.speed);
        }
    }
    if let Some(given) = field(line, "sequence") {
        parts.sequence.clear_animations();
        known(given, &["links", "cyclic"])?;
        let (mut links, mut cyclic) = (0, 1);
        take(given, &["links"], word, &mut links)?;
        take(given, &["cyclic"], word, &mut cyclic)?;
        let count = links.saturating_add(cyclic.min(1)).min(boardwalk::motion::MAX_SEQUENCE as u32);
        for clip in 0..count {
            parts.sequence.append(AnimRange { clip, low_frame: 0, high_frame: 9, framerate: 30.0, hooks: (0, 0) });
        }
    }
    Ok(())
}

fn list(value: &Value) -> Result<&Vec<Value>, String> {
    value.as_array().ok_or_else(|| format!("{value} is no list"))
}

fn row<const N: usize>(value: &Value) -> Result<&[Value; N], String> {
    list(value)?.as_slice().try_into().map_err(|_| format!("{value} should have {N} entries"))
}

/// Actions as ids, as [id, speed, stamp, autonomous], or as objects.
fn action_list(value: &Value) -> Result<ActionList, String> {
    let mut actions = ActionList::new();
    for entry in list(value)? {
        actions.push(action(entry)?);
    }
    Ok(actions)
}

fn action(entry: &Value) -> Result<ActionNode, String> {
    let mut node = ActionNode { speed: 1.0, ..ActionNode::default() };
    match entry {
        Value::Array(parts) => {
            node.motion = motion(parts.first().ok_or("an action needs an id")?)?;
            node.speed = parts.get(1).map_or(Ok(1.0), float)?;
            node.stamp = parts.get(2).map_or(Ok(0), word)?;
            node.autonomous = parts.get(3).map_or(Ok(false), flag)?;
        }
        Value::Object(_) => {
            known(entry, &["motion", "speed", "stamp", "autonomous"])?;
            take(entry, &["motion"], motion, &mut node.motion)?;
            take(entry, &["speed"], float, &mut node.speed)?;
            take(entry, &["stamp"], word, &mut node.stamp)?;
            take(entry, &["autonomous"], flag, &mut node.autonomous)?;
        }
        id => node.motion = motion(id)?,
    }
    Ok(node)
}

/// Fields of the raw state alone.
const RAW_KEYS: [&str; 9] = [
    "current_holdkey",
    "holdkey",
    "hold_key",
    "forward_holdkey",
    "forward_hold_key",
    "sidestep_holdkey",
    "sidestep_hold_key",
    "turn_holdkey",
    "turn_hold_key",
];
/// Fields of the interpreted state, which the raw state has too.
pub const INTERPRETED_KEYS: [&str; 12] = [
    "current_style",
    "style",
    "forward_command",
    "forward",
    "forward_speed",
    "sidestep_command",
    "sidestep",
    "sidestep_speed",
    "turn_command",
    "turn",
    "turn_speed",
    "actions",
];

fn set_raw(given: &Value, raw: &mut RawMotionState) -> Result<(), String> {
    known(given, &[RAW_KEYS.as_slice(), &INTERPRETED_KEYS].concat())?;
    take(given, &["current_holdkey", "holdkey", "hold_key"], hold_key, &mut raw.current_holdkey)?;
    take(given, &["current_style", "style"], motion, &mut raw.current_style)?;
    take(given, &["forward_command", "forward"], motion, &mut raw.forward_command)?;
    take(given, &["forward_holdkey", "forward_hold_key"], hold_key, &mut raw.forward_holdkey)?;
    take(given, &["forward_speed"], float, &mut raw.forward_speed)?;
    take(given, &["sidestep_command", "sidestep"], motion, &mut raw.sidestep_command)?;
    take(given, &["sidestep_holdkey", "sidestep_hold_key"], hold_key, &mut raw.sidestep_holdkey)?;
    take(given, &["sidestep_speed"], float, &mut raw.sidestep_speed)?;
    take(given, &["turn_command", "turn"], motion, &mut raw.turn_command)?;
    take(given, &["turn_holdkey", "turn_hold_key"], hold_key, &mut raw.turn_holdkey)?;
    take(given, &["turn_speed"], float, &mut raw.turn_speed)?;
    take(given, &["actions"], action_list, &mut raw.actions)
}

/// Changes the fields of an interpreted state that are given.
pub fn set_interpreted(given: &Value, state: &mut InterpretedMotionState) -> Result<(), String> {
    known(given, &INTERPRETED_KEYS)?;
    take(given, &["current_style", "style"], motion, &mut state.current_style)?;
    take(given, &["forward_command", "forward"], motion, &mut state.forward_command)?;
    take(given, &["forward_speed"], float, &mut state.forward_speed)?;
    take(given, &["sidestep_command", "sidestep"], motion, &mut state.sidestep_command)?;
    take(given, &["sidestep_speed"], float, &mut state.sidestep_speed)?;
    take(given, &["turn_command", "turn"], motion, &mut state.turn_command)?;
    take(given, &["turn_speed"], float, &mut state.turn_speed)?;
    take(given, &["actions"], action_list, &mut state.actions)
}

/// Changes the fields of the body that are given; `false` when `physics` says that there is none.
pub fn set_body(given: &Value, body: &mut BenchBody) -> Result<bool, String> {
    const KNOWN: [&str; 19] = [
        "physics",
        "id",
        "gravity",
        "contact",
        "walkable",
        "on_walkable",
        "cell",
        "constrained",
        "autonomous",
        "interpolating",
        "velocity",
        "position",
        "heading",
        "radius",
        "height",
        "calls_leave_ground",
        "target_quantum",
        "active",
        "target",
    ];
    known(given, &KNOWN)?;
    let mut physics = true;
    take(given, &["physics"], flag, &mut physics)?;
    take(given, &["id"], word, &mut body.id)?;
    take(given, &["gravity"], flag, &mut body.gravity)?;
    take(given, &["contact"], flag, &mut body.contact)?;
    take(given, &["walkable", "on_walkable"], flag, &mut body.walkable)?;
    take(given, &["cell"], flag, &mut body.cell)?;
    take(given, &["constrained"], flag, &mut body.constrained)?;
    take(given, &["autonomous"], flag, &mut body.autonomous)?;
    take(given, &["interpolating"], flag, &mut body.interpolating)?;
    take(given, &["velocity"], vector, &mut body.velocity)?;
    if let Some(place) = field(given, "position") {
        body.position.point = position(place)?.point;
    }
    take(given, &["heading"], float, &mut body.position.heading)?;
    take(given, &["radius"], float, &mut body.radius)?;
    take(given, &["height"], float, &mut body.height)?;
    take(given, &["calls_leave_ground"], flag, &mut body.calls_leave_ground)?;
    take(given, &["target_quantum"], float, &mut body.target_quantum)?;
    take(given, &["active"], flag, &mut body.active)?;
    take(given, &["target"], |value| word(value).map(Some), &mut body.target)?;
    Ok(physics)
}

/// Changes the fields of the weenie that are given; `null` takes an answer away.
pub fn set_weenie(given: &Value, weenie: &mut BenchWeenie) -> Result<(), String> {
    known(given, &["creature", "player", "run_rate", "can_jump", "jump_velocity", "stamina"])?;
    take(given, &["creature"], flag, &mut weenie.creature)?;
    take(given, &["player"], flag, &mut weenie.player)?;
    take(given, &["can_jump"], flag, &mut weenie.can_jump)?;
    take(given, &["stamina"], flag, &mut weenie.stamina)?;
    for (name, place) in [("run_rate", &mut weenie.run_rate), ("jump_velocity", &mut weenie.jump_velocity)] {
        match given.get(name) {
            Some(Value::Null) => *place = None,
            Some(value) => *place = Some(float(value).map_err(|error| format!("{name}: {error}"))?),
            None => {}
        }
    }
    Ok(())
}

fn set_move_to(session: &mut Session, given: &Value) -> Result<(), String> {
    const KNOWN: [&str; 10] = [
        "fail_progress_count",
        "previous_distance",
        "original_distance",
        "previous_heading",
        "starting",
        "current_command",
        "aux_command",
        "moving_away",
        "initialized",
        "params",
    ];
    known(given, &KNOWN)?;
    session.bench.mover().ensure_move_to();
    let move_to = &mut session.bench.movement.move_to;
    take(given, &["fail_progress_count"], word, &mut move_to.fail_progress_count)?;
    take(given, &["previous_distance"], float, &mut move_to.previous_distance)?;
    take(given, &["original_distance"], float, &mut move_to.original_distance)?;
    take(given, &["previous_heading"], float, &mut move_to.previous_heading)?;
    take(given, &["starting"], position, &mut move_to.starting_position)?;
    take(given, &["current_command"], motion, &mut move_to.current_command)?;
    take(given, &["aux_command"], motion, &mut move_to.aux_command)?;
    take(given, &["moving_away"], flag, &mut move_to.moving_away)?;
    take(given, &["initialized"], flag, &mut move_to.initialized)?;
    if let Some(params) = field(given, "params") {
        set_params(params, &mut move_to.params)?;
    }
    Ok(())
}
