//! What the TaskEngine's scenes have to say on the console: numbers that the seed gives, not merely those of the host.

use anyhow::{Context as _, Result, ensure};

/// Frames of `tick_split`. Source: known numbers, Trace scenarios.
const FRAMES: u32 = 1200;
/// Frames from one extra pair to the next: as many as fit into a pair by which two blanks at 59.94 Hz are longer than it.
/// Source: seed 000, The play tick ("one frame in about 1000").
const EXTRA_EVERY: u32 = 999;
/// Ticks of `wheel_objects`. Source: known numbers, Trace scenarios.
const TICKS: u32 = 120;
/// The only classes that a wheel was seen to update. Source: known numbers, Trace scenarios; settled questions 13.
const ON_THE_WHEEL: [&str; 4] = ["Object", "Particle", "Scene", "Car"];
/// Pools and their sizes; those of the level's own numbers are the scenes' level's, with what the seed adds.
/// Source: seed 000, Task classes and pools; support systems, Memory.
const POOLS: [(&str, u32); 22] = [
    ("Human", 60),
    ("Particle", 1400),
    ("PauseParticle", 100),
    ("Object", 384),
    ("Car", 18),
    ("Light", 28),
    ("Pane", 100),
    ("Scene", 12),
    ("WorldFlag", 60 + 4),
    ("VolumeBox", 60),
    ("PlayerBox", 10),
    ("TurfBox", 20),
    ("SpawnRecord", 400 + 500),
    ("ObjectZone", 255),
    ("Brain", 60),
    ("Goal", 170),
    ("Action", 100),
    ("Gang", 32),
    ("Formation", 41),
    ("Path", 32),
    ("AnimTask", 360),
    ("AnimCursor", 260),
];
/// Nested messages. Source: seed 000, Messages and events (six frames).
const MESSAGE_FRAMES: u32 = 6;
/// Entries of the handle table. Source: seed 000, Handles.
const HANDLES: u32 = 0xb00;

/// A scene's name and the judge of its lines.
type Facts = (&'static str, fn(&Lines<'_>) -> Result<()>);

/// Every scene whose numbers the seed knows.
pub const FACTS: [Facts; 6] = [
    ("tick_split", tick_split),
    ("wheel_objects", wheel_objects),
    ("full_pools", full_pools),
    ("handle_churn", handle_churn),
    ("message_nesting", message_nesting),
    ("task_memory", task_memory),
];

/// The lines of one scene.
pub struct Lines<'a>(pub &'a [String]);

impl Lines<'_> {
    /// The number that follows some words at the start of a line.
    fn after(&self, words: &str) -> Result<u32> {
        let rest = self.0.iter().find_map(|line| line.strip_prefix(words)).with_context(|| format!("no `{words}`"))?;
        let number = rest.trim_start().split(' ').next().unwrap_or_default();
        number.parse().with_context(|| format!("`{words}` is followed by `{rest}`"))
    }

    /// The number that follows a word in the line that starts with some words.
    fn of(&self, line: &str, word: &str) -> Result<u32> {
        let start = format!("{line} ");
        let found = self.0.iter().find(|l| l.starts_with(&start)).with_context(|| format!("no line `{line}`"))?;
        let mut words = found.split(' ').skip_while(|w| *w != word);
        let number = words.nth(1).with_context(|| format!("no `{word}` in `{found}`"))?;
        number.parse().with_context(|| format!("`{word}` in `{found}`"))
    }
}

fn equal(what: &str, found: u32, known: u32) -> Result<()> {
    ensure!(found == known, "{what} is {found}, not {known}");
    Ok(())
}

/// Every frame runs a pair, one in about a thousand runs two, and each pair is two ticks with one character step.
fn tick_split(lines: &Lines<'_>) -> Result<()> {
    let frames = |pairs: u32| lines.after(&format!("frames with {pairs} pairs "));
    equal("the number of frames", lines.after("frames ")?, FRAMES)?;
    for pairs in [0, 3, 4] {
        equal(&format!("the number of frames with {pairs} pairs"), frames(pairs)?, 0)?;
    }
    let extra = frames(2)?;
    ensure!((1..=2).contains(&extra), "{extra} frames ran an extra pair, not one in about a thousand");
    equal("the number of frames with one pair", frames(1)?, FRAMES - extra)?;
    let first = lines.after("first extra pair in frame ")?;
    ensure!(first.abs_diff(EXTRA_EVERY) <= 40, "the first extra pair came in frame {first}");
    let pairs = FRAMES + extra;
    equal("the number of ticks", lines.after("ticks ")?, 2 * pairs)?;
    equal("the number of character steps", lines.of("ticks", "steps")?, pairs)?;
    equal("the number of physics steps", lines.after("physics steps ")?, 2 * pairs)?;
    equal("what was dropped", lines.of("physics", "dropped")?, 0)
}

/// As many updates as intervals and starts say, of four classes and never of a human.
fn wheel_objects(lines: &Lines<'_>) -> Result<()> {
    equal("the number of ticks", lines.after("ticks ")?, TICKS)?;
    let (expected, counted) = (lines.of("ticks", "expected")?, lines.of("ticks", "counted")?);
    ensure!(expected > 1000, "only {expected} updates are no crowd");
    equal("the number of updates", counted, expected)?;
    let mut sum = 0;
    for class in POOLS[..8].iter().map(|(name, _)| *name) {
        let updates = lines.after(&format!("{class} "))?;
        let seen = ON_THE_WHEEL.contains(&class);
        ensure!((updates > 0) == seen, "{class} was updated {updates} times");
        sum += updates;
    }
    equal("the sum of all classes", sum, counted)
}

/// Every pool has the seed's size, and one more is refused and counted, save for zones, which are bits, and for world objects,
/// of which one makes room.
fn full_pools(lines: &Lines<'_>) -> Result<()> {
    for (name, size) in POOLS {
        equal(&format!("the capacity of {name}"), lines.of(name, "capacity")?, size)?;
        equal(&format!("what was made of {name}"), lines.of(name, "made")?, size)?;
        let line = lines.0.iter().find(|line| line.starts_with(&format!("{name} "))).context("gone")?;
        ensure!(line.contains("one more true") == (name == "Object"), "`{line}`");
        if name != "ObjectZone" {
            equal(&format!("what was refused of {name}"), lines.of(name, "refused")?, u32::from(name != "Object"))?;
        }
    }
    equal("what a reset left of the tasks", lines.of("after", "tasks")?, 0)?;
    equal("what a reset left of the handles", lines.of("after", "live")?, 0)
}

/// A million takes and frees of every kind, the table full and spilling, and not one wrong answer.
fn handle_churn(lines: &Lines<'_>) -> Result<()> {
    equal("the number of steps", lines.after("steps ")?, 1_000_000)?;
    equal("the number of wrong answers", lines.of("steps", "wrong")?, 0)?;
    equal("the most handles at once", lines.after("fullest ")?, HANDLES)?;
    for kind in ["Human", "Camera", "Flag", "Box", "Cursor"] {
        ensure!(lines.of(kind, "taken")? > 0 && lines.of(kind, "refused")? > 0, "{kind} never came to its limit");
        let spills = !matches!(kind, "Human" | "Cursor");
        ensure!((lines.of(kind, "spilled")? > 0) == spills, "{kind} spilled wrongly");
    }
    Ok(())
}

/// Six messages within each other; the seventh is refused.
fn message_nesting(lines: &Lines<'_>) -> Result<()> {
    equal("the deepest nesting", lines.of("answer", "deepest")?, MESSAGE_FRAMES)?;
    equal("the messages delivered", lines.after("delivered ")?, MESSAGE_FRAMES)?;
    equal("the messages refused", lines.of("delivered", "refused")?, 1)?;
    equal("the frames still open", lines.after("open frames ")?, 0)
}

/// Nothing of the engine takes more memory than its budget.
fn task_memory(lines: &Lines<'_>) -> Result<()> {
    for line in lines.0 {
        let words: Vec<&str> = line.split(' ').collect();
        let [.., bytes, "of", budget] = words[..] else { anyhow::bail!("`{line}` is no share") };
        let (bytes, budget): (u32, u32) = (bytes.parse()?, budget.parse()?);
        ensure!(bytes <= budget, "{line}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_hosts_own_lines_are_as_the_seed_says_and_any_other_number_is_not() {
        let mut now = 0;
        let mut clock = || {
            now += super::super::scenarios::FRAME_TICKS;
            now
        };
        for (name, judge) in FACTS {
            let mut text = String::new();
            assert!(boardwalk::tasks::scenarios::play(name, &mut clock, &mut text).unwrap());
            let said = lines(&text);
            judge(&Lines(&said)).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
            if name == "task_memory" {
                continue;
            }
            let wrong: Vec<String> = said.iter().map(|line| line.replace(['1', '6'], "7")).collect();
            assert!(judge(&Lines(&wrong)).is_err(), "{name} takes any number");
        }
    }

    #[test]
    fn a_share_above_its_budget_is_told() {
        assert!(task_memory(&Lines(&lines("handles 8 of 9"))).is_ok());
        assert!(task_memory(&Lines(&lines("handles 8 of 9\nall 10 of 9"))).is_err());
    }

    #[test]
    fn a_human_on_the_wheel_or_an_uneven_count_is_told() {
        let text = "ticks 120 expected 2000 counted 2000\nHuman 0\nObject 1\nParticle 1996\nPauseParticle 0\nScene 1\nCar 2\n\
                    Pane 0\nLight 0";
        assert!(wheel_objects(&Lines(&lines(text))).is_ok());
        for (what, other) in [("Human 0", "Human 3"), ("counted 2000", "counted 1999"), ("Car 2", "Car 0")] {
            assert!(wheel_objects(&Lines(&lines(&text.replace(what, other)))).is_err(), "{other}");
        }
    }
}
