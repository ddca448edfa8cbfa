//! What the steps of start-up may keep of the console's memory.

use anyhow::{Context as _, Result, ensure};

/// What the levels' data needs at least: as much as it has on the original's console. Source: support systems, Memory.
const LEVELS: i64 = 17_217_536;
/// What the console says of the pool for the levels' data.
const LEVELS_POOL: &str = "POOL Sector Pool of ";
/// What a step may keep that is not named here.
const ANY_STEP: i64 = 16 * 1024;
/// What the larger steps may keep, in bytes. Our choice: what each keeps and about a tenth above it.
const STEPS: [(&str, i64); 11] = [
    // Its steps are listed on their own: the renderer's two packets and the title.
    ("device", 3_700_000),
    ("renderer", 3_690_000),
    ("game pools", 125_000),
    ("file manager", 433_000),
    ("physics", 407_000),
    ("animation", 325_000),
    ("task manager", 1_100_000),
    ("thinking tables", 35_000),
    ("resources", 800_000),
    ("character tables", 160_000),
    ("world", 346_000),
];

/// Judges the `BOOT` lines of a start: no step above its budget, and enough left for the levels. A step's bytes are those that it
/// keeps of whatever pool pays; what a pool itself takes is in nobody's.
///
/// # Errors
/// A line that cannot be read, or the first step that keeps too much.
pub fn judge_start(lines: &[String]) -> Result<()> {
    for line in lines.iter().filter(|line| line.starts_with("BOOT ") && line.ends_with(" bytes")) {
        let (name, bytes) = step(line).with_context(|| format!("`{line}` is no step"))?;
        let budget = STEPS.iter().find(|(known, _)| *known == name).map_or(ANY_STEP, |(_, budget)| *budget);
        ensure!(bytes <= budget, "{name} keeps {bytes} bytes of {budget}");
    }
    let levels =
        lines.iter().find_map(|line| line.strip_prefix(LEVELS_POOL)?.strip_suffix(" bytes")?.parse::<i64>().ok());
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
                format!("POOL Sector Pool of {levels} bytes"),
            ])
        };
        assert!(start(1_000_000, LEVELS).is_ok());
        assert!(start(1_100_001, LEVELS).unwrap_err().to_string().contains("task manager"));
        assert!(start(1_000_000, LEVELS - 1).is_err());
        assert!(judge_start(&["BOOT 05 timer 0.1 ms 0 bytes".into()]).is_err(), "nothing for the levels");
        assert!(judge_start(&["BOOT 05 timer 0 bytes".into()]).is_err());
    }
}
