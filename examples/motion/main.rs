//! Drives the motion system from JSON lines: one command in, one answer out.
//!
//! ```text
//! cargo run --example motion < examples/motion/cases.jsonl
//! ```
//!
//! `{"op":"new", ...}` puts a mover on the bench, `{"op":"set", ...}` changes anything of it, every other `op` calls a
//! function. The answer holds the result, both states, all queues, and the calls that were made on body, weenie and table
//! meanwhile. A line that cannot be understood is answered with an `error` and changes nothing; the next line goes on.
//!
//! With the argument `scenes` and the file of a compiled table it plays the engine's scenes instead, and prints the lines
//! that the console prints.
//!
//! The interpreter is made by the first line that needs it, without its default state, so that a line finds what the lines
//! before it set; the `manager_` commands go through the movement manager, which makes it with its default state.

mod answer;
mod fields;
mod known;
mod ops;
mod session;
mod set;

use boardwalk::motion::scenarios;
use serde_json::{Value, json};
use session::Session;
use std::io::{BufRead, Write};

/// What a line may hold besides its command, for whoever compares the answer.
const REMARKS: [&str; 5] = ["case", "expect", "calls", "no_calls", "comment"];

/// Answers one line.
fn answer_line(session: &mut Option<Session>, line: &str) -> Value {
    match understand(session, line) {
        Ok(answer) => answer,
        Err(error) => json!({ "error": error }),
    }
}

fn understand(session: &mut Option<Session>, line: &str) -> Result<Value, String> {
    let mut line: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if let Some(fields) = line.as_object_mut() {
        fields.retain(|name, _| !REMARKS.contains(&name.as_str()));
    }
    let op = line.get("op").and_then(Value::as_str).ok_or("a line needs an \"op\"")?;
    if op == "new" {
        let fresh = Session::new(&line)?;
        return Ok(session.insert(fresh).answer(Value::Null));
    }
    let session = session.as_mut().ok_or("the first line must be {\"op\":\"new\", ...}")?;
    // A command works on a copy, so that one that fails half-way leaves no trace.
    let mut trial = session.clone();
    known::check(op, &line)?;
    let result = ops::call(&mut trial, op, &line)?;
    *session = trial;
    Ok(session.answer(result))
}

/// Plays every scene with a table, by the names that `new` knows.
fn print_scenes(table: &str) -> Result<(), String> {
    let parts = session::parts_of(&Value::String(table.into()))?;
    let table = parts.and_then(|parts| parts.table).ok_or("scenes need a table")?;
    for name in scenarios::names() {
        let mut lines = String::new();
        scenarios::play_with(name, table, &mut lines).map_err(|error| error.to_string())?;
        print!("SCENE {name}\n{lines}");
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, table] = arguments.as_slice()
        && word == "scenes"
    {
        return print_scenes(table).map_err(std::io::Error::other);
    }
    let mut input = std::io::stdin().lock();
    let mut output = std::io::stdout().lock();
    let (mut session, mut line) = (None, Vec::new());
    while input.read_until(b'\n', &mut line)? != 0 {
        let text = String::from_utf8_lossy(&line);
        if !text.trim().is_empty() {
            let answer = answer_line(&mut session, text.trim());
            if writeln!(output, "{answer}").and_then(|()| output.flush()).is_err() {
                // The reader has gone, and with it the reason to go on.
                return Ok(());
            }
        }
        line.clear();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
