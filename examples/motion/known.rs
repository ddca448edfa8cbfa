//! The fields that each command knows, so that a misspelt one is answered with an error instead of being passed over.

use crate::fields::known;
use crate::set::INTERPRETED_KEYS;
use serde_json::Value;

/// A movement's fields.
const MOVEMENT: [&str; 12] = [
    "motion",
    "object",
    "object_id",
    "id",
    "top",
    "top_level",
    "top_level_id",
    "position",
    "radius",
    "height",
    "heading",
    "params",
];
/// Whether the movement under way is to be cancelled.
const CANCEL: [&str; 3] = ["cancel", "cancel_moveto", "interrupt"];
/// Whether the motion forbids a jump.
const DISALLOW: [&str; 2] = ["disallow_jump", "disallow"];

/// That a line has no field but those of its command. `set` looks at its own.
pub fn check(op: &str, line: &Value) -> Result<(), String> {
    let own: &[&[&str]] = match op {
        "set" => return Ok(()),
        "do_motion" | "stop_motion" | "do_interpreted" | "stop_interpreted" => &[&["motion", "params"]],
        "perform" | "manager_perform" => &[&["type"], &MOVEMENT],
        "move_to_object" | "move_to_position" | "turn_to_object" | "turn_to_heading" => &[&MOVEMENT],
        "adjust" => &[&["motion", "speed", "key", "hold_key"]],
        "apply_run" => &[&["motion", "speed"]],
        "set_hold_run" => &[&["run", "value", "val", "on", "hold"], &CANCEL],
        "set_hold_key" => &[&["key", "hold_key"], &CANCEL],
        "motion_allows_jump" | "contact_allows_move" => &[&["motion"]],
        "motion_done" | "manager_motion_done" | "animation_done" => &[&["motion", "success"]],
        "move_to_state" => &[&["state", "interpreted"], &INTERPRETED_KEYS],
        "apply_raw" | "apply_interpreted" | "apply_current" => &[&CANCEL, &DISALLOW],
        "set_weenie" => &[&["weenie"]],
        "set_physics" => &[&["body"]],
        "jump" | "jump_is_allowed" => &[&["extent"]],
        "set_on_walkable" => &[&["walkable", "value"]],
        "queue_animation" => &[&["motion", "n", "num_anims", "anims", "count"]],
        "cancel_move_to" => &[&["error"]],
        "update_target" => &[
            &["object", "object_id", "id", "status", "position", "target_position", "target"],
            &["interpolated", "interpolated_position"],
        ],
        "use_time" => &[&["dt"]],
        "tick" => &[&["dt", "move"]],
        _ => &[],
    };
    known(line, &[&["op"], own.concat().as_slice()].concat())
}
