//! The commands, each one call.

use crate::answer::{float as answer_float, id, vector as answer_vector};
use crate::fields::{any_field, field, flag, float, hold_key, motion, params, position, take, word};
use crate::session::Session;
use crate::set::{set, set_body, set_interpreted, set_weenie};
use boardwalk::motion::bench::{BenchBody, BenchWeenie};
use boardwalk::motion::interp::motion_allows_jump;
use boardwalk::motion::state::InterpretedMotionState;
use boardwalk::motion::{
    HoldKey, MotionError, MotionId, MotionResult, Movement, MovementType, TargetInfo, TargetStatus, code_of,
};
use serde_json::{Value, json};

fn code(result: MotionResult) -> Value {
    json!(code_of(result))
}

/// A target's status by its number, or "ok".
fn status(value: &Value) -> Result<TargetStatus, String> {
    let number = if value == "ok" { TargetStatus::Ok as u32 } else { word(value)? };
    TargetStatus::from_number(number).ok_or_else(|| format!("{value} is no target status"))
}

fn the_motion(line: &Value) -> Result<MotionId, String> {
    motion(field(line, "motion").ok_or("this needs a \"motion\"")?)
}

fn optional<T>(
    line: &Value,
    names: &[&str],
    read: impl Fn(&Value) -> Result<T, String>,
    default: T,
) -> Result<T, String> {
    let mut value = default;
    take(line, names, read, &mut value)?;
    Ok(value)
}

/// The movement that a line asks for.
fn movement(line: &Value, movement_type: MovementType) -> Result<Movement, String> {
    let object_id = optional(line, &["object", "object_id", "id"], word, 0)?;
    let mut movement = Movement {
        movement_type,
        motion: optional(line, &["motion"], motion, MotionId::NONE)?,
        object_id,
        top_level_id: optional(line, &["top", "top_level", "top_level_id"], word, object_id)?,
        position: optional(line, &["position"], position, Default::default())?,
        radius: optional(line, &["radius"], float, 0.0)?,
        height: optional(line, &["height"], float, 0.0)?,
        params: params(line)?,
    };
    if movement_type == MovementType::TurnToHeading {
        take(line, &["heading"], float, &mut movement.params.desired_heading)?;
    }
    Ok(movement)
}

/// Carries a command out and returns its result.
pub fn call(session: &mut Session, op: &str, line: &Value) -> Result<Value, String> {
    if let Some(result) = manager_call(session, op, line)? {
        return Ok(result);
    }
    if let Some(result) = jump_and_ground_call(session, op, line)? {
        return Ok(result);
    }
    if let Some(result) = parts_call(session, op, line)? {
        return Ok(result);
    }
    if let Some(result) = move_to_call(session, op, line)? {
        return Ok(result);
    }
    let cancel = optional(line, &["cancel", "cancel_moveto", "interrupt"], flag, false)?;
    let disallow = optional(line, &["disallow_jump", "disallow"], flag, false)?;
    let mut mover = session.mover();
    Ok(match op {
        "set" => {
            set(session, line)?;
            Value::Null
        }
        "do_motion" => code(mover.do_motion(the_motion(line)?, &params(line)?)),
        "stop_motion" => code(mover.stop_motion(the_motion(line)?, &params(line)?)),
        "do_interpreted" => code(mover.do_interpreted_motion(the_motion(line)?, &params(line)?)),
        "stop_interpreted" => code(mover.stop_interpreted_motion(the_motion(line)?, &params(line)?)),
        "stop_completely" => code(mover.interpreter_stop_completely()),
        "perform" => {
            let number = word(any_field(line, &["type"]).ok_or("this needs a \"type\"")?)?;
            code(mover.interpreter_perform_movement(&movement(line, MovementType::from_number(number))?))
        }
        "adjust" => {
            let (mut motion, mut speed) = (the_motion(line)?, optional(line, &["speed"], float, 1.0)?);
            let key = optional(line, &["key", "hold_key"], hold_key, HoldKey::Invalid)?;
            mover.adjust_motion(&mut motion, &mut speed, key);
            json!({ "motion": id(motion), "speed": answer_float(speed) })
        }
        "apply_run" => {
            let (mut motion, mut speed) = (the_motion(line)?, optional(line, &["speed"], float, 1.0)?);
            mover.apply_run_to_command(&mut motion, &mut speed);
            json!({ "motion": id(motion), "speed": answer_float(speed) })
        }
        "set_hold_run" => {
            let run = any_field(line, &["run", "value", "val", "on", "hold"]).ok_or("this needs a \"run\"")?;
            mover.set_hold_run(flag(run)?, cancel);
            Value::Null
        }
        "set_hold_key" => {
            let key = any_field(line, &["key", "hold_key"]).ok_or("this needs a \"key\"")?;
            mover.set_hold_key(hold_key(key)?, cancel);
            Value::Null
        }
        "motions_pending" => json!(mover.movement.interpreter.motions_pending()),
        "motion_allows_jump" => code(motion_allows_jump(the_motion(line)?)),
        "contact_allows_move" => json!(mover.contact_allows_move(the_motion(line)?)),
        "is_standing_still" => json!(mover.is_standing_still()),
        "motion_done" => {
            mover.interpreter_motion_done();
            Value::Null
        }
        "exit_world" => {
            mover.interpreter_handle_exit_world();
            Value::Null
        }
        "enter_default_state" => {
            mover.interpreter_enter_default_state();
            Value::Null
        }
        "move_to_state" => {
            let mut state = InterpretedMotionState::default();
            let mut lone = line.clone();
            if let Some(fields) = lone.as_object_mut() {
                fields.remove("op");
            }
            set_interpreted(any_field(line, &["state", "interpreted"]).unwrap_or(&lone), &mut state)?;
            json!(mover.interpreter_move_to_interpreted_state(&state))
        }
        "apply_raw" => {
            mover.apply_raw_movement(cancel, disallow);
            Value::Null
        }
        "apply_interpreted" => {
            mover.apply_interpreted_movement(cancel, disallow);
            Value::Null
        }
        "apply_current" => {
            mover.apply_current_movement(cancel, disallow);
            Value::Null
        }
        "set_weenie" => {
            session.bench.weenie = match field(line, "weenie") {
                None => None,
                Some(given) => {
                    let mut weenie = BenchWeenie::default();
                    set_weenie(given, &mut weenie)?;
                    Some(weenie)
                }
            };
            let mut mover = session.mover();
            let weenie = mover.weenie;
            mover.set_weenie_object(weenie);
            Value::Null
        }
        "set_physics" => {
            session.bench.body = match field(line, "body") {
                None => None,
                Some(given) => {
                    let mut body = BenchBody::default();
                    set_body(given, &mut body)?.then_some(body)
                }
            };
            let mut mover = session.mover();
            let body = mover.body.take();
            mover.set_physics_object(body);
            Value::Null
        }
        "state" => Value::Null,
        _ => return Err(format!("there is no op \"{op}\"")),
    })
}

/// Commands to the movement manager itself, which makes its parts when it needs them.
fn manager_call(session: &mut Session, op: &str, line: &Value) -> Result<Option<Value>, String> {
    let mut mover = session.bench.mover();
    Ok(Some(match op {
        "manager_default_state" => {
            mover.enter_default_state();
            Value::Null
        }
        "manager_perform" => {
            let number = word(any_field(line, &["type"]).ok_or("this needs a \"type\"")?)?;
            code(mover.perform_movement(&movement(line, MovementType::from_number(number))?))
        }
        "manager_motion_done" => {
            mover.motion_done(optional(line, &["success"], flag, true)?);
            Value::Null
        }
        "manager_enter_world" => {
            mover.handle_enter_world();
            Value::Null
        }
        "manager_exit_world" => {
            mover.handle_exit_world();
            Value::Null
        }
        "manager_hit_ground" => {
            mover.hit_ground();
            Value::Null
        }
        "manager_leave_ground" => {
            mover.leave_ground();
            Value::Null
        }
        "manager_report_exhaustion" => {
            mover.report_exhaustion();
            Value::Null
        }
        "manager_destroy" => {
            mover.movement.destroy();
            Value::Null
        }
        _ => return Ok(None),
    }))
}

/// Jumps, ground and speeds.
fn jump_and_ground_call(session: &mut Session, op: &str, line: &Value) -> Result<Option<Value>, String> {
    let extent = optional(line, &["extent"], float, 0.0)?;
    let mut mover = session.mover();
    Ok(Some(match op {
        "jump_is_allowed" | "jump" => {
            let result = if op == "jump" { mover.jump(extent) } else { mover.jump_is_allowed(extent) };
            session.cost = result.ok();
            code(result.map(|_| ()))
        }
        "charge_jump" => code(mover.charge_jump()),
        "jump_charge_is_allowed" => code(mover.jump_charge_is_allowed()),
        "state_velocity" => answer_vector(mover.state_velocity()),
        "leave_ground_velocity" => answer_vector(mover.leave_ground_velocity()),
        "jump_vz" => answer_float(mover.jump_v_z()),
        "max_speed" => answer_float(mover.max_speed()),
        "adjusted_max_speed" => answer_float(mover.adjusted_max_speed()),
        "hit_ground" => {
            mover.hit_ground();
            Value::Null
        }
        "leave_ground" => {
            mover.leave_ground();
            Value::Null
        }
        "report_exhaustion" => {
            mover.report_exhaustion();
            Value::Null
        }
        "set_on_walkable" => {
            let walkable = optional(line, &["walkable", "value"], flag, true)?;
            if mover.body.as_deref_mut().is_some_and(|body| body.set_on_walkable(walkable)) {
                mover.leave_ground();
            }
            Value::Null
        }
        _ => return Ok(None),
    }))
}

/// Commands to the part array and its table manager.
fn parts_call(session: &mut Session, op: &str, line: &Value) -> Result<Option<Value>, String> {
    let success = optional(line, &["success"], flag, true)?;
    let mut mover = session.mover();
    Ok(Some(match op {
        "remove_link_animations" => {
            mover.remove_link_animations();
            Value::Null
        }
        "animation_done" => {
            mover.animation_done(success);
            Value::Null
        }
        "check_for_completed" => {
            mover.check_for_completed_motions();
            Value::Null
        }
        "enter_table" => {
            mover.parts_handle_enter_world();
            Value::Null
        }
        "exit_table" => {
            mover.parts_handle_exit_world();
            Value::Null
        }
        "queue_animation" | "remove_redundant_links" => {
            let parts = session.bench.parts.as_mut().ok_or("there is no part array")?;
            let redundant = if op == "queue_animation" {
                let num_anims = optional(line, &["n", "num_anims", "anims", "count"], word, 0)?;
                parts.manager.add_to_queue(the_motion(line)?, num_anims)
            } else {
                parts.manager.remove_redundant_links()
            };
            parts.sequence.remove_link_animations(redundant);
            json!(redundant)
        }
        _ => return Ok(None),
    }))
}

/// Commands to move-to, and time.
fn move_to_call(session: &mut Session, op: &str, line: &Value) -> Result<Option<Value>, String> {
    let movement_type = match op {
        "move_to_object" => Some(MovementType::MoveToObject),
        "move_to_position" => Some(MovementType::MoveToPosition),
        "turn_to_object" => Some(MovementType::TurnToObject),
        "turn_to_heading" => Some(MovementType::TurnToHeading),
        _ => None,
    };
    let mut mover = session.bench.mover();
    if let Some(movement_type) = movement_type {
        return Ok(Some(code(mover.perform_movement(&movement(line, movement_type)?))));
    }
    Ok(Some(match op {
        "cancel_move_to" => {
            let error = optional(line, &["error"], word, MotionError::ActionCancelled.code())?;
            let error = MotionError::from_code(error).ok_or_else(|| format!("{error} is no error code"))?;
            mover.cancel_move_to(error);
            Value::Null
        }
        "is_moving_to" => json!(mover.movement.is_moving_to()),
        "update_target" => {
            let target_position =
                optional(line, &["position", "target_position", "target"], position, Default::default())?;
            mover.target_reported(&TargetInfo {
                object_id: optional(line, &["object", "object_id", "id"], word, 0)?,
                status: optional(line, &["status"], status, TargetStatus::Ok)?,
                target_position,
                interpolated_position: optional(
                    line,
                    &["interpolated", "interpolated_position"],
                    position,
                    target_position,
                )?,
            });
            Value::Null
        }
        "use_time" => {
            let dt = optional(line, &["dt"], float, 0.0)?;
            session.bench.now = session.bench.now.after(dt);
            session.bench.mover().use_time();
            Value::Null
        }
        "tick" => {
            let dt = float(field(line, "dt").ok_or("this needs a \"dt\"")?)?;
            session.bench.frame(dt, optional(line, &["move"], flag, false)?);
            Value::Null
        }
        _ => return Ok(None),
    }))
}
