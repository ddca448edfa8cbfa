//! The program answers what the notes' vectors say, and survives lines that make no sense.

use super::*;

/// How far numbers may be off.
const TOLERANCE: f64 = 1e-5;

/// Whether an answer holds everything that is expected of it.
fn holds(answer: &Value, wanted: &Value) -> bool {
    match (answer, wanted) {
        (Value::Object(answer), Value::Object(wanted)) => {
            wanted.iter().all(|(key, value)| answer.get(key).is_some_and(|got| holds(got, value)))
        }
        (Value::Array(answer), Value::Array(wanted)) => {
            answer.len() == wanted.len() && answer.iter().zip(wanted).all(|(got, value)| holds(got, value))
        }
        (Value::Number(answer), Value::Number(wanted)) => {
            answer.as_f64().zip(wanted.as_f64()).is_some_and(|(a, b)| (a - b).abs() < TOLERANCE)
        }
        _ => answer == wanted,
    }
}

/// What a line's expectations complain about. `expect` is compared with the answer, `calls` must be among the calls in this
/// order, `no_calls` must not.
fn complaint(line: &Value, answer: &Value) -> Option<String> {
    let texts = |value: Option<&Value>| -> Vec<String> {
        value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).map(Into::into).collect()
    };
    let made = texts(answer.get("calls"));
    let is = |call: &str, wanted: &str| call == wanted || call.starts_with(&format!("{wanted} "));
    let mut rest = made.iter();
    let missing = texts(line.get("calls")).into_iter().find(|wanted| !rest.any(|call| is(call, wanted)));
    let surplus = texts(line.get("no_calls")).into_iter().find(|wanted| made.iter().any(|call| is(call, wanted)));
    if let Some(call) = missing {
        return Some(format!("{call} is missing"));
    }
    if let Some(call) = surplus {
        return Some(format!("{call} should not be there"));
    }
    line.get("expect").filter(|wanted| !holds(answer, wanted)).map(|wanted| format!("wanted {wanted}"))
}

#[test]
fn every_case_is_answered_as_it_should_be() {
    let (mut session, mut lines) = (None, 0);
    for (number, text) in include_str!("cases.jsonl").lines().enumerate() {
        let line: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("line {}: {e}", number + 1));
        let answer = answer_line(&mut session, text);
        assert!(answer.get("error").is_none(), "line {}: {text}\n{answer}", number + 1);
        if let Some(complaint) = complaint(&line, &answer) {
            panic!("line {}: {text}\n{complaint}\n{answer}", number + 1);
        }
        lines += 1;
    }
    println!("{lines} lines");
    assert!(lines > 100);
}

#[test]
fn bad_lines_are_answered_and_change_nothing() {
    let mut session = None;
    assert!(answer_line(&mut session, r#"{"op":"jump"}"#).get("error").is_some(), "nothing is on the bench yet");
    answer_line(&mut session, r#"{"op":"new"}"#);
    let before = answer_line(&mut session, r#"{"op":"state"}"#);
    for bad in [
        "",
        "{",
        "[]",
        "7",
        r#"{"op":7}"#,
        r#"{"op":"fly"}"#,
        r#"{"op":"do_motion"}"#,
        r#"{"op":"do_motion","motion":"walk"}"#,
        r#"{"op":"do_motion","motion":-1}"#,
        r#"{"op":"do_motion","motion":"0x45000005","params":{"hold_key":9}}"#,
        r#"{"op":"set","jump_extent":0.5,"pending":[[1,2]]}"#,
        r#"{"op":"set","jump_extent":0.5,"pendign":[]}"#,
        r#"{"op":"set","pending":[[0,"0x41000003",5]]}"#,
        r#"{"op":"new","table":"/no/such/file"}"#,
        r#"{"op":"new","weenie":{"run_rate":"fast"}}"#,
        r#"{"op":"tick"}"#,
        r#"{"op":"update_target","status":12}"#,
    ] {
        let answer = answer_line(&mut session, bad);
        assert!(answer["error"].is_string(), "{bad}: {answer}");
        assert_eq!(answer_line(&mut session, r#"{"op":"state"}"#), before, "{bad}");
    }
}

#[test]
fn hostile_numbers_end() {
    let mut session = None;
    answer_line(&mut session, r#"{"op":"new"}"#);
    for line in [
        r#"{"op":"do_motion","motion":"0x45000005","params":{"speed":"NaN"}}"#,
        r#"{"op":"tick","dt":1e30}"#,
        r#"{"op":"tick","dt":-5}"#,
        r#"{"op":"move_to_position","position":["inf","NaN",0]}"#,
        r#"{"op":"set","animations":[["0x45000005",4294967295]]}"#,
        r#"{"op":"exit_table"}"#,
        r#"{"op":"turn_to_heading","heading":"NaN"}"#,
        r#"{"op":"use_time","dt":"inf"}"#,
        r#"{"op":"jump","extent":"NaN"}"#,
    ] {
        assert!(answer_line(&mut session, line).get("error").is_none(), "{line}");
    }
}
