//! Reading values out of a line: every field is optional, and wrong ones are named in the error.

use boardwalk::maths::Vec3;
use boardwalk::motion::{HoldKey, MotionError, MotionId, MovementParameters, ParameterBits, Position};
use serde_json::Value;

/// A field that is there and not null.
pub fn field<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    object.get(name).filter(|value| !value.is_null())
}

/// The first of several names that is there.
pub fn any_field<'a>(object: &'a Value, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| field(object, name))
}

fn wrong(value: &Value, wanted: &str) -> String {
    format!("{value} is no {wanted}")
}

/// A whole number: 5, "5" or "0x5".
pub fn word(value: &Value) -> Result<u32, String> {
    let parsed = match value {
        Value::Number(number) => number.as_u64().and_then(|number| u32::try_from(number).ok()),
        Value::Bool(on) => Some(u32::from(*on)),
        Value::String(text) => match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        },
        _ => None,
    };
    parsed.ok_or_else(|| wrong(value, "32-bit number"))
}

/// A number; "NaN" and "inf" too, to try hostile values.
pub fn float(value: &Value) -> Result<f32, String> {
    let parsed = match value {
        Value::Number(number) => number.as_f64().map(|number| number as f32),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    parsed.ok_or_else(|| wrong(value, "number"))
}

/// true, false, 0 or 1.
pub fn flag(value: &Value) -> Result<bool, String> {
    match value {
        Value::Bool(on) => Ok(*on),
        Value::Number(number) if number.as_u64() == Some(0) => Ok(false),
        Value::Number(number) if number.as_u64() == Some(1) => Ok(true),
        _ => Err(wrong(value, "truth value")),
    }
}

/// A motion id.
pub fn motion(value: &Value) -> Result<MotionId, String> {
    word(value).map(MotionId)
}

/// A hold key by its number.
pub fn hold_key(value: &Value) -> Result<HoldKey, String> {
    HoldKey::from_number(word(value)?).ok_or_else(|| wrong(value, "hold key"))
}

/// A refusal by its number; 0 is none.
pub fn error_code(value: &Value) -> Result<Option<MotionError>, String> {
    match word(value)? {
        0 => Ok(None),
        code => MotionError::from_code(code).map(Some).ok_or_else(|| wrong(value, "error code")),
    }
}

/// [x, y, z] or [x, y].
pub fn vector(value: &Value) -> Result<Vec3, String> {
    let parts = value.as_array().ok_or_else(|| wrong(value, "vector"))?;
    match parts.as_slice() {
        [x, y] => Ok(Vec3::new(float(x)?, float(y)?, 0.0)),
        [x, y, z] => Ok(Vec3::new(float(x)?, float(y)?, float(z)?)),
        _ => Err(wrong(value, "vector")),
    }
}

/// [x, y, z] or {"point": [x, y, z], "heading": degrees}.
pub fn position(value: &Value) -> Result<Position, String> {
    if value.is_array() {
        return Ok(Position { point: vector(value)?, heading: 0.0 });
    }
    known(value, &["point", "position", "heading"])?;
    let point = any_field(value, &["point", "position"]).ok_or_else(|| wrong(value, "position"))?;
    let heading = field(value, "heading").map_or(Ok(0.0), float)?;
    Ok(Position { point: vector(point)?, heading })
}

/// Puts a field into its place, if the line has it.
pub fn take<T>(
    object: &Value,
    names: &[&str],
    read: impl Fn(&Value) -> Result<T, String>,
    place: &mut T,
) -> Result<(), String> {
    if let Some(value) = any_field(object, names) {
        *place = read(value).map_err(|error| format!("{}: {error}", names[0]))?;
    }
    Ok(())
}

/// That an object has no field but these.
pub fn known(object: &Value, names: &[&str]) -> Result<(), String> {
    let given = object.as_object().into_iter().flatten();
    match given.map(|(key, _)| key).find(|key| !names.contains(&key.as_str())) {
        Some(key) => Err(format!("nothing here is called \"{key}\"")),
        None => Ok(()),
    }
}

/// The movement parameters of a line's `params`; what is not given has its default.
pub fn params(line: &Value) -> Result<MovementParameters, String> {
    let mut params = MovementParameters::default();
    if let Some(given) = field(line, "params") {
        set_params(given, &mut params)?;
    }
    Ok(params)
}

/// Changes the parameters that are given.
pub fn set_params(given: &Value, params: &mut MovementParameters) -> Result<(), String> {
    const KNOWN: [&str; 16] = [
        "bits",
        "bitfield",
        "speed",
        "hold_key",
        "context",
        "context_id",
        "stamp",
        "action_stamp",
        "distance",
        "distance_to_object",
        "min_distance",
        "heading",
        "desired_heading",
        "fail_distance",
        "threshold",
        "walk_run_threshold",
    ];
    known(given, &KNOWN)?;
    take(given, &["bits", "bitfield"], |value| word(value).map(ParameterBits), &mut params.bits)?;
    take(given, &["speed"], float, &mut params.speed)?;
    take(given, &["hold_key"], hold_key, &mut params.hold_key)?;
    take(given, &["context", "context_id"], word, &mut params.context_id)?;
    take(given, &["stamp", "action_stamp"], word, &mut params.action_stamp)?;
    take(given, &["distance", "distance_to_object"], float, &mut params.distance_to_object)?;
    take(given, &["min_distance"], float, &mut params.min_distance)?;
    take(given, &["heading", "desired_heading"], float, &mut params.desired_heading)?;
    take(given, &["fail_distance"], float, &mut params.fail_distance)?;
    take(given, &["threshold", "walk_run_threshold"], float, &mut params.walk_run_threshold)
}
