//! The engine's scenes: played on the console and on the host, compared line by line.
//!
//! Both write facts. Words must be the same; numbers may differ by what the console's rounding does to single floats. Where
//! the seed knows a number, the console's line is also held against that ([`super::facts`]).

use super::console::judge;
use super::facts::{FACTS, Lines};
use super::rig::Job;
use super::{Counts, Rig, motion_facts, physics_facts};
use anyhow::{Context as _, Result, ensure};
use boardwalk::{motion, physics, tasks};

/// Scenes whose facts are sizes in memory, which pointers and alignment make another on each machine.
const OF_THE_MACHINE: [&str; 1] = ["task_memory"];
/// The line of the scene `tick_split` that depends on when in a blank the scene began.
const EXTRA_PAIR: &str = "first extra pair in frame ";
/// Frames by which that moves it at most: a frame's own jitter over the 0.1 % by which the tick is shorter than a blank.
const EXTRA_PAIR_FRAMES: u32 = 40;
/// How far two numbers may be apart: absolutely, and as a share of the larger. Source: settled questions 10.
const TOLERANCE: f64 = 0.001;
/// Ticks of the console's clock between two shown frames on NTSC: two blanks. Source: EE emulator notes, Interrupts and time.
pub(super) const FRAME_TICKS: u64 = 2 * 4_920_120;

/// Plays every scene on both and compares.
pub fn run(rig: &mut Rig) -> Result<Counts> {
    let seen = rig.boot(&Job { seconds: 300, ..Job::new("scenarios", "scenarios hold") })?;
    let mut counts = Counts::default();
    for name in tasks::scenarios::names().chain(physics::scenarios::names()).chain(motion::scenarios::names()) {
        let outcome = host(name).and_then(|host| {
            let console = section(&seen.lines, name)
                .with_context(|| format!("the console ended with {:?}{}", seen.last_lines(), seen.obituary()))?;
            if OF_THE_MACHINE.contains(&name) {
                console.iter().for_each(|line| println!("  {line}"));
                ensure!(
                    console.len() == host.len(),
                    "{} lines on the host, {} on the console",
                    host.len(),
                    console.len()
                );
                return Ok(());
            }
            compare(&host, console)?;
            physics_facts::hold(name, console)?;
            motion_facts::hold(name, console)
        });
        counts += judge(&format!("{name} is alike on console and host"), outcome);
    }
    for (name, judge_facts) in FACTS {
        let said = section(&seen.lines, name).with_context(|| format!("the console never came to {name}'s end"));
        counts +=
            judge(&format!("{name} on the console is as the seed says"), said.and_then(|l| judge_facts(&Lines(l))));
    }
    counts += judge("every scene was played", {
        let ended = seen.lines.iter().any(|line| line == "BOARDWALK END ok");
        if ended {
            Ok(())
        } else {
            Err(anyhow::anyhow!("the last lines were {:?}{}", seen.last_lines(), seen.obituary()))
        }
    });
    Ok(counts)
}

/// A scene's lines as the host computes them.
fn host(name: &str) -> Result<Vec<String>> {
    let mut out = String::new();
    let mut now = 0;
    let mut clock = || {
        now += FRAME_TICKS;
        now
    };
    let known = tasks::scenarios::play(name, &mut clock, &mut out)?
        || physics::scenarios::play(name, &mut out)?
        || motion::scenarios::play(name, &mut out)?;
    ensure!(known, "the host has no such scene");
    Ok(out.lines().map(str::to_owned).collect())
}

/// The console's lines of a scene; none when it did not come to the scene's end.
fn section<'a>(lines: &'a [String], name: &str) -> Option<&'a [String]> {
    let begin = lines.iter().position(|line| *line == format!("SCENARIO {name}"))? + 1;
    let length = lines[begin..].iter().position(|line| line.starts_with(&format!("SCENARIO END {name} ")))?;
    Some(&lines[begin..begin + length])
}

fn compare(host: &[String], console: &[String]) -> Result<()> {
    ensure!(!host.is_empty(), "the scene says nothing");
    // The console's listener passes no empty lines on.
    let host: Vec<&String> = host.iter().filter(|line| !line.trim().is_empty()).collect();
    for (number, (ours, theirs)) in host.iter().zip(console).enumerate() {
        ensure!(
            alike(ours, theirs) || close_frames(ours, theirs),
            "line {}: host `{ours}`, console `{theirs}`",
            number + 1
        );
    }
    ensure!(host.len() == console.len(), "{} lines on the host, {} on the console", host.len(), console.len());
    Ok(())
}

/// Whether two lines say the same: word for word, number for number within the tolerance.
fn alike(a: &str, b: &str) -> bool {
    let split = |line: &str| -> Vec<String> {
        line.split([' ', ',', '(', ')', '[', ']', '=']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (a, b) = (split(a), split(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a == b || near(a, b))
}

/// Whether both tell of the extra pair of ticks in about the same frame: which one depends on the phase of the screen.
fn close_frames(a: &str, b: &str) -> bool {
    let frame = |line: &str| line.strip_prefix(EXTRA_PAIR)?.trim().parse::<u32>().ok();
    matches!((frame(a), frame(b)), (Some(a), Some(b)) if a.abs_diff(b) <= EXTRA_PAIR_FRAMES)
}

fn near(a: &str, b: &str) -> bool {
    // Whole numbers are counts and ids, which do not round.
    if !a.contains('.') || !b.contains('.') {
        return false;
    }
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).max(1.0),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_round_and_words_may_not() {
        assert!(alike("tick 3 at (1.0004, -2.5) free", "tick 3 at (1.0001, -2.5) free"));
        assert!(!alike("tick 3 at 1.000", "tick 4 at 1.000"), "a count differs");
        assert!(!alike("speed 1.00", "speed 1.01"), "too far apart");
        assert!(!alike("state walk", "state run"));
        assert!(close_frames("first extra pair in frame 999", "first extra pair in frame 988"));
        assert!(!close_frames("first extra pair in frame 999", "first extra pair in frame 500"));
        assert!(!close_frames("no extra pair", "no extra pair!"));
        assert!(!alike("a 1.0 b", "a 1.0"));
    }

    #[test]
    fn a_scene_cut_short_is_no_scene() {
        let lines = ["SCENARIO a", "one", "SCENARIO END a cycles 5", "SCENARIO b", "two"].map(str::to_owned);
        assert_eq!(section(&lines, "a").map(<[String]>::len), Some(1));
        assert!(section(&lines, "b").is_none() && section(&lines, "c").is_none());
    }

    #[test]
    fn every_scene_of_the_host_says_something() {
        for name in physics::scenarios::names().chain(motion::scenarios::names()).chain(tasks::scenarios::names()) {
            assert!(!host(name).unwrap().is_empty(), "{name}");
        }
    }
}
