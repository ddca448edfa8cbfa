//! What the motion scenes must print: numbers and codes that the seed gives.
//!
//! The scenes are compared between console and host as well; this holds the console's own lines to the known numbers.
//!
//! Source: seed 004, sections 1 to 7; motion notes, Ids, bit classes, constants and Velocities and limits; settled questions 16.

use anyhow::{Context as _, Result, ensure};

/// Steps of a second in the scenes.
const RATE: f64 = 30.0;
/// How far a speed may be from the seed's, metres a second: three decimals of a place, thirty times a second.
const SPEED: f64 = 0.04;

/// Holds a scene's lines to what is known of it; scenes of which nothing is known hold.
///
/// # Errors
/// The number that is not as it should be.
pub fn hold(scene: &str, lines: &[String]) -> Result<()> {
    match scene {
        "walk_run_turn" => walk_run_turn(lines),
        "charged_jump" => charged_jump(lines),
        "moveto_object" => moveto_object(lines),
        "moveto_fail_distance" => moveto_fail_distance(lines),
        "sticky_follow" => sticky_follow(lines),
        "exit_world_drain" => exit_world_drain(lines),
        "combat_stance_rejections" => combat_stance_rejections(lines),
        "action_limit" => action_limit(lines),
        _ => Ok(()),
    }
}

/// Place and heading of each step's line: step, x, y, z, degrees.
fn steps(lines: &[String]) -> Vec<[f64; 5]> {
    let step = |line: &String| {
        let mut words = line.split(' ');
        let number = words.next()?.parse().ok()?;
        let mut next = |name: Option<&str>| {
            let word = words.next()?;
            if name.is_some_and(|name| name != word) { None } else { Some(word) }
        };
        next(Some("at"))?;
        let place = [next(None)?.parse().ok()?, next(None)?.parse().ok()?, next(None)?.parse().ok()?];
        next(Some("facing"))?;
        Some([number, place[0], place[1], place[2], next(None)?.parse().ok()?])
    };
    lines.iter().filter_map(step).collect()
}

/// The codes that calls answered.
fn codes(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.split_once(" = ").map(|(_, code)| code)).collect()
}

/// The queue of this name in a line.
fn queue<'a>(line: &'a str, name: &str) -> &'a str {
    line.split(" | ").find_map(|part| part.strip_prefix(name)).unwrap_or("").trim()
}

fn last(lines: &[String]) -> Result<[f64; 5]> {
    steps(lines).last().copied().context("no step")
}

/// Metres a second of every step between two.
fn moves_at(steps: &[[f64; 5]], (from, to): (usize, usize), expected: f64) -> Result<()> {
    for pair in steps.windows(2).filter(|pair| (from as f64..to as f64).contains(&pair[0][0])) {
        let speed = (pair[1][1] - pair[0][1]).hypot(pair[1][2] - pair[0][2]) * RATE;
        ensure!((speed - expected).abs() <= SPEED, "step {}: {speed} m/s, known is {expected}", pair[1][0]);
    }
    Ok(())
}

/// 3.12 m/s at a walk, 4 times 1.95 at a run, a turn at one and a half times the quarter turn a second.
fn walk_run_turn(lines: &[String]) -> Result<()> {
    let steps = steps(lines);
    moves_at(&steps, (7, 25), 3.12)?;
    moves_at(&steps, (27, 45), 7.8)?;
    for pair in steps.windows(2).filter(|pair| (47.0..55.0).contains(&pair[0][0])) {
        let turned = (pair[1][4] - pair[0][4] + 540.0).rem_euclid(360.0) - 180.0;
        ensure!((turned + 4.5).abs() < 0.02, "step {}: turned by {turned}, known is -4.5", pair[1][0]);
    }
    let line = lines.last().context("nothing")?;
    ensure!(queue(line, "pending").is_empty() && queue(line, "animations").is_empty(), "in flight at last: {line}");
    Ok(())
}

/// Seven tenths of the charge rise with 3.85 m/s and all of it with 5.5, against 9.8 m/s2.
fn charged_jump(lines: &[String]) -> Result<()> {
    let heights: Vec<f64> = steps(lines).iter().map(|step| step[3]).collect();
    let first = heights.iter().position(|z| *z > 0.0).context("nobody jumps")?;
    let between = first + heights[first..].iter().position(|z| *z <= 0.0).context("nobody lands")?;
    let apex = |part: &[f64]| part.iter().copied().fold(0.0, f64::max);
    for (found, speed) in [(apex(&heights[..between]), 3.85), (apex(&heights[between..]), 5.5)] {
        // Steps of a thirtieth take half a step's gravity from the start.
        let known = speed * speed / 19.6 - speed / (2.0 * RATE);
        ensure!((found - known).abs() < 0.03, "a jump of {speed} m/s rises {found} m, known are {known}");
    }
    ensure!(codes(lines).iter().all(|code| *code == "0x0"), "{:?}", codes(lines));
    Ok(())
}

/// Rim to rim six tenths of a metre from where the thing was moved to, or a step of the walk less.
fn moveto_object(lines: &[String]) -> Result<()> {
    let [_, x, y, ..] = last(lines)?;
    let distance = (5.0 - x).hypot(2.0 - y);
    let step = 3.12 / RATE;
    ensure!((1.6 - step - 0.02..=1.6).contains(&distance), "{distance} m away at last, known are 1.6 less a step");
    Ok(())
}

/// Beyond three metres from its start a movement gives up.
fn moveto_fail_distance(lines: &[String]) -> Result<()> {
    let [_, _, y, ..] = last(lines)?;
    ensure!((3.0..3.2).contains(&y), "it gave up after {y} m, known are 3");
    Ok(())
}

/// A grip keeps rims three tenths of a metre apart.
fn sticky_follow(lines: &[String]) -> Result<()> {
    let [_, x, y, ..] = last(lines)?;
    let distance = (1.0 - x).hypot(3.0 - y);
    ensure!((distance - 1.3).abs() < 0.01, "{distance} m apart, known are 1.3");
    Ok(())
}

/// The table's exit completes every motion and action, and the interpreter's ends even without a body.
fn exit_world_drain(lines: &[String]) -> Result<()> {
    let shown: Vec<&String> = lines.iter().filter(|line| line.contains(" | pending")).collect();
    let state = |back: usize| -> Result<(bool, &str)> {
        let line = shown.len().checked_sub(back).and_then(|n| shown.get(n)).context("too few lines")?;
        Ok((queue(line, "pending").is_empty(), queue(line, "actions ")))
    };
    ensure!(state(4)? == (false, "2 2 2"), "before it leaves: {:?}", state(4)?);
    ensure!(state(3)? == (true, "0 0 0"), "after it left: {:?}", state(3)?);
    ensure!(state(1)?.0, "without a body something is still pending");
    Ok(())
}

/// A fighter may not crouch, sit, lie down or cheer, which has a code each; at peace everybody may.
fn combat_stance_rejections(lines: &[String]) -> Result<()> {
    let codes: Vec<&str> =
        lines.iter().filter(|line| line.contains("do_motion")).filter_map(|l| l.split(" = ").nth(1)).collect();
    let known = ["0x0", "0x3f", "0x40", "0x41", "0x42", "0x0", "0x0", "0x0", "0x0", "0x0", "0x0", "0x0"];
    ensure!(codes == known, "{codes:?}, known are {known:?}");
    Ok(())
}

/// Six actions wait at most; the interpreted state has no such limit.
fn action_limit(lines: &[String]) -> Result<()> {
    let known = ["0x0", "0x0", "0x0", "0x0", "0x0", "0x0", "0x45", "0x0"];
    ensure!(codes(lines) == known, "{:?}, known are {known:?}", codes(lines));
    let line = lines.last().context("nothing")?;
    ensure!(queue(line, "actions ") == "0 0 0", "left at last: {}", queue(line, "actions "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_scenes_are_as_the_seed_says() {
        for name in boardwalk::motion::scenarios::names() {
            let mut text = String::new();
            assert_eq!(boardwalk::motion::scenarios::play(name, &mut text), Ok(true));
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            hold(name, &lines).unwrap_or_else(|error| panic!("{name}: {error:#}\n{text}"));
        }
    }

    #[test]
    fn a_scene_that_goes_otherwise_is_told() {
        let lines = ["5 do_motion 0x1000005b = 0x0".to_owned()];
        assert!(action_limit(&lines).is_err() && charged_jump(&lines).is_err() && moveto_object(&lines).is_err());
    }
}
