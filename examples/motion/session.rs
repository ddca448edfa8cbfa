//! The mover on the bench, and how `new` puts it there.

use crate::fields::{any_field, field, flag, known};
use crate::set::{set_body, set_weenie};
use boardwalk::motion::bench::{Bench, BenchBody, BenchTable, BenchWeenie};
use boardwalk::motion::{MotionTable, Mover, TablePartArray};
use serde_json::Value;

/// Everything that lines work on.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// The mover.
    pub bench: Bench,
    /// Stamina that the line's jump costs.
    pub cost: Option<u32>,
}

impl Session {
    /// The mover that a `new` line describes. A line without `body` gets one on the ground; `"body":null` gets none.
    pub fn new(line: &Value) -> Result<Self, String> {
        known(line, &["op", "body", "weenie", "autonomous", "table"])?;
        let body = match line.get("body") {
            Some(Value::Null) => None,
            given => {
                let mut body = BenchBody::default();
                let has_physics = set_body(given.unwrap_or(&Value::Null), &mut body)?;
                has_physics.then_some(body)
            }
        };
        let weenie = match field(line, "weenie") {
            None => None,
            Some(given) => {
                let mut weenie = BenchWeenie::default();
                set_weenie(given, &mut weenie)?;
                Some(weenie)
            }
        };
        let parts = match field(line, "table") {
            None => Some(TablePartArray::new(Some(BenchTable::Accept(0)))),
            Some(table) => parts_of(table)?,
        };
        let mut bench = Bench { body, weenie, parts, ..Bench::default() };
        if let (Some(body), Some(autonomous)) = (&mut bench.body, any_field(line, &["autonomous"])) {
            body.autonomous = flag(autonomous)?;
        }
        Ok(Self { bench, cost: None })
    }

    /// The bundle to call on, its interpreter made.
    pub fn mover(&mut self) -> Mover<'_> {
        let mut mover = self.bench.mover();
        if !mover.movement.has_interpreter {
            mover.create_interpreter();
        }
        mover
    }
}

/// The parts that a table's name stands for: "accept" and "refuse" take or refuse every motion, "none" has no table,
/// "no_parts" not even a part array, anything else is a compiled table's file. {"accept": n} takes every motion and lets
/// each wait for n animations.
pub fn parts_of(table: &Value) -> Result<Option<TablePartArray<BenchTable>>, String> {
    known(table, &["accept"])?;
    if let Some(waits) = field(table, "accept") {
        return Ok(Some(TablePartArray::new(Some(BenchTable::Accept(crate::fields::word(waits)?)))));
    }
    let name = table.as_str().ok_or_else(|| format!("{table} is no table"))?;
    let table = match name {
        "accept" => Some(BenchTable::Accept(0)),
        "refuse" => Some(BenchTable::Refuse),
        "none" => None,
        "no_parts" => return Ok(None),
        path => Some(BenchTable::Table(table_of_file(path)?)),
    };
    Ok(Some(TablePartArray::new(table)))
}

fn table_of_file(path: &str) -> Result<MotionTable<'static>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let words = bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    // The words live as long as the program, like a table on the disc.
    let words: &'static [u32] = Vec::leak(words);
    MotionTable::parse(words).map_err(|error| format!("{path} is no compiled motion table: {error:?}"))
}
