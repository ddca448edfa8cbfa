//! The program answers what the notes' vectors say, and survives lines that make no sense.

use super::*;
use std::collections::BTreeSet;

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

/// Vectors that no line can say and the library's tests do; each stands there with its number.
const BY_UNIT_TESTS: [u32; 4] = [14, 68, 69, 71];

/// The vectors that were given, by their numbers.
fn given() -> impl Iterator<Item = u32> {
    (1..=29).chain(36..=48).chain(61..=72)
}

/// The numbers of a line's `case`: one, or a list.
fn cases_of(line: &Value) -> Vec<u32> {
    let number = |value: &Value| value.as_u64().map(|number| number as u32);
    match line.get("case") {
        Some(Value::Array(numbers)) => numbers.iter().filter_map(number).collect(),
        Some(one) => number(one).into_iter().collect(),
        None => Vec::new(),
    }
}

#[test]
fn every_case_is_answered_as_it_should_be() {
    let (mut session, mut passed, mut own) = (None, BTreeSet::new(), 0);
    for (number, text) in include_str!("cases.jsonl").lines().enumerate() {
        let line: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("line {}: {e}", number + 1));
        let answer = answer_line(&mut session, text);
        assert!(answer.get("error").is_none(), "line {}: {text}\n{answer}", number + 1);
        if let Some(complaint) = complaint(&line, &answer) {
            panic!("line {}: {text}\n{complaint}\n{answer}", number + 1);
        }
        let expects = ["expect", "calls", "no_calls"].iter().any(|key| line.get(key).is_some());
        let cases = cases_of(&line);
        assert!(cases.is_empty() || expects, "line {} proves nothing: {text}", number + 1);
        own += usize::from(expects && cases.is_empty());
        passed.extend(cases);
    }
    let missing: Vec<u32> = given().filter(|case| !passed.contains(case)).collect();
    let (with_lines, all) = (passed.len(), given().count());
    println!("vectors: given {with_lines} of {all} have lines, {missing:?} and the rest unit tests, own {own}");
    assert!(missing == BY_UNIT_TESTS && own > 30, "without a line: {missing:?}");
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
        r#"{"op":"new","wenie":{"run_rate":1}}"#,
        r#"{"op":"new","weenie":{"run_rat":1}}"#,
        r#"{"op":"set","raw":{"forwrad":"0x45000005"}}"#,
        r#"{"op":"set","interpreted":{"forward_holdkey":1}}"#,
        r#"{"op":"set","move_to":{"moving":true}}"#,
        r#"{"op":"do_motion","motion":"0x45000005","params":{"holdkey":2}}"#,
        r#"{"op":"jump","extnt":1}"#,
        r#"{"op":"tick","dt":1,"moev":true}"#,
        r#"{"op":"use_time","d":1}"#,
        r#"{"op":"move_to_object","radus":1}"#,
        r#"{"op":"move_to_position","position":{"point":[1,2],"headng":1}}"#,
        r#"{"op":"update_target","objekt":1}"#,
        r#"{"op":"stop_completely","motion":"0x45000005"}"#,
        r#"{"op":"set","actions":{"interprted":[]}}"#,
        r#"{"op":"set","actions":{"raw":[{"motoin":"0x1000005b"}]}}"#,
        r#"{"op":"set","sequence":{"link":1}}"#,
        r#"{"op":"new","table":{"accpt":1}}"#,
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

#[test]
fn a_line_may_hold_remarks_and_every_field_of_its_command() {
    let mut session = None;
    for line in [
        r#"{"op":"new","case":7,"expect":{"result":0},"calls":[],"no_calls":[],"comment":"a mover"}"#,
        r#"{"op":"perform","type":1,"motion":"0x45000005","params":{"speed":1},"comment":"walks"}"#,
        r#"{"op":"adjust","motion":"0x45000006","speed":1,"key":2}"#,
        r#"{"op":"set_hold_run","run":true,"cancel":true}"#,
        r#"{"op":"set_hold_key","key":1,"cancel":false}"#,
        r#"{"op":"jump_is_allowed","extent":0.5}"#,
        r#"{"op":"apply_raw","cancel":true,"disallow_jump":true}"#,
        r#"{"op":"queue_animation","motion":"0x45000005","n":2}"#,
        r#"{"op":"animation_done","success":true}"#,
        r#"{"op":"update_target","object":7,"status":1,"position":[1,2,0],"interpolated":[1,2,0]}"#,
        r#"{"op":"turn_to_heading","heading":90,"params":{"speed":1}}"#,
        r#"{"op":"cancel_move_to","error":"0x36"}"#,
        r#"{"op":"set_weenie","weenie":null}"#,
        r#"{"op":"set_physics","body":null}"#,
        r#"{"op":"set","raw.turn":"0x6500000d","jump_extent":0.25,"comment":"turns"}"#,
    ] {
        let answer = answer_line(&mut session, line);
        assert!(answer.get("error").is_none(), "{line}: {answer}");
    }
    let state = r#"{"op":"move_to_state","forward_command":"0x45000005","forward_speed":2}"#;
    let answer = answer_line(&mut session, state);
    assert!(answer.get("error").is_none(), "{answer}");
}

#[test]
fn a_movement_that_goes_too_far_says_so() {
    let mut session = None;
    answer_line(&mut session, r#"{"op":"new"}"#);
    answer_line(&mut session, r#"{"op":"move_to_position","position":[0,30,0],"params":{"fail_distance":3}}"#);
    let mut answer = Value::Null;
    for _ in 0..90 {
        answer = answer_line(&mut session, r#"{"op":"tick","dt":0.033,"move":true}"#);
    }
    assert_eq!((&answer["move_to"]["ended_by"], &answer["move_to"]["type"]), (&json!(0x3d), &json!(0)));
}
