//! What the steps of start-up may keep of the console's memory.

use anyhow::{Context as _, Result, ensure};

/// What the levels' data needs at least: as much as it has on the original's console. Source: support systems, Memory.
const LEVELS: i64 = 17_217_536;
/// The name of the step that takes for the levels what is left.
const LEVELS_STEP: &str = "sector pools";
/// What a step may keep that is not named here.
const ANY_STEP: i64 = 128 * 1024;
/// What the larger steps may keep, in bytes. Our choice: what each keeps and about a tenth above it, and room for what the
/// people, the sounds and the world bring along.
const STEPS: [(&str, i64); 12] = [
    // Its steps are listed on their own: the renderer's two packets and the title, and the device's pools.
    ("device", 3_900_000),
    ("renderer", 3_600_000),
    // The filter pool and the debug heap.
    ("memory", 185_000),
    ("game pools", 2_250_000),
    ("file manager", 480_000),
    ("physics", 480_000),
    ("task manager", 1_024 * 1024),
    ("animation", 2_000_000),
    ("character tables", 1_000_000),
    ("resources", 1_000_000),
    ("world", 1_000_000),
    ("audio", 700_000),
];

/// Judges the `BOOT` lines of a start: no step above its budget, and enough left for the levels.
///
/// # Errors
/// A line that cannot be read, or the first step that keeps too much.
pub fn judge_start(lines: &[String]) -> Result<()> {
    let mut levels = None;
    for line in lines.iter().filter(|line| line.starts_with("BOOT ") && line.ends_with(" bytes")) {
        let (name, bytes) = step(line).with_context(|| format!("`{line}` is no step"))?;
        if name == LEVELS_STEP {
            levels = Some(bytes);
            continue;
        }
        let budget = STEPS.iter().find(|(known, _)| *known == name).map_or(ANY_STEP, |(_, budget)| *budget);
        ensure!(bytes <= budget, "{name} keeps {bytes} bytes of {budget}");
    }
    let levels = levels.context("no step makes the levels' pool")?;
    ensure!(levels >= LEVELS, "{levels} bytes are left for the levels, which need {LEVELS}");
    Ok(())
}

/// The name and the bytes of a line such as `BOOT 16 task manager 1.4 ms 1033000 bytes`.
fn step(line: &str) -> Option<(String, i64)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [_, _, name @ .., _, "ms", bytes, "bytes"] = words.as_slice() else { return None };
    Some((name.join(" "), bytes.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_above_its_budget_and_too_little_for_the_levels_are_told() {
        let start = |tasks: i64, levels: i64| {
            judge_start(&[
                "BOOT 05 timer 0.1 ms 0 bytes".into(),
                format!("BOOT 16 task manager 1.4 ms {tasks} bytes"),
                format!("BOOT 21 sector pools 0.4 ms {levels} bytes"),
            ])
        };
        assert!(start(1_000_000, LEVELS).is_ok());
        assert!(start(1_100_000, LEVELS).unwrap_err().to_string().contains("task manager"));
        assert!(start(1_000_000, LEVELS - 1).is_err());
        assert!(judge_start(&["BOOT 05 timer 0.1 ms 0 bytes".into()]).is_err(), "nothing for the levels");
        assert!(judge_start(&["BOOT 05 timer 0 bytes".into()]).is_err());
    }
}
