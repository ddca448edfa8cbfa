//! What the physics scenes must print: numbers that were measured on the original, or follow from its rules.
//!
//! The scenes are compared between console and host as well; this holds the console's own lines to the known numbers.
//!
//! Source: seed 002, Settling a landed object, Human contacts, Sweeping a body; settled questions 10.

use anyhow::{Context as _, Result, ensure};

/// How far a number may be from a traced one. Source: settled questions 10.
const TRACED: f64 = 0.001;
/// How far a measured distance may be: the measurements' own scatter.
const MEASURED: f64 = 0.003;

/// Holds a scene's lines to what is known of it; scenes of which nothing is known hold.
///
/// # Errors
/// The number that is not as it should be.
pub fn hold(scene: &str, lines: &[String]) -> Result<()> {
    match scene {
        "physics_brick_settle" => brick(lines),
        "physics_step_heights" => steps(lines),
        "physics_corner_slides" => corner(lines),
        "physics_wall_bounce" => bounce(lines),
        "physics_landings" => landings(lines),
        "physics_jump_apex" => jump(lines),
        "physics_push_by_half" => push(lines),
        "blockhumans_wake" => wake(lines),
        "physics_car_walk" => car(lines),
        "physics_loose_part" => part(lines),
        "physics_settle_slots" => slots(lines),
        _ => Ok(()),
    }
}

/// The number so many words after a word, in each line that has it.
fn numbers(lines: &[String], word: &str, place: usize) -> Vec<f64> {
    let after = |line: &String| line.split(' ').skip_while(|w| *w != word).nth(place).and_then(|n| n.parse().ok());
    lines.iter().filter_map(after).collect()
}

/// The word after a word, in each line that has it.
fn words<'a>(lines: &'a [String], word: &str) -> Vec<&'a str> {
    lines.iter().filter_map(|line| line.split(' ').skip_while(|w| *w != word).nth(1)).collect()
}

fn near(what: &str, found: &[f64], expected: &[f64], tolerance: f64) -> Result<()> {
    ensure!(found.len() >= expected.len(), "{what}: only {} of {} numbers", found.len(), expected.len());
    for (n, (found, expected)) in found.iter().zip(expected).enumerate() {
        ensure!((found - expected).abs() <= tolerance, "{what}, number {n}: {found}, known is {expected}");
    }
    Ok(())
}

/// The fall, the bounce and what follows are the trace's: a settle of eleven ticks, then the rest on the half height and the
/// back-off.
fn brick(lines: &[String]) -> Result<()> {
    const FALL: [f64; 10] = [-0.2613, -0.784, -1.3067, -1.8293, -2.352, -2.8747, -3.3973, -3.92, -4.4427, -4.9653];
    /// From the bounce on: five updates of 1/60 s, then the stop.
    const SETTLE: [f64; 7] = [0.5379, 0.2766, 0.0153, -0.2459, -0.5072, -0.7685, 0.0];
    const SETTLE_TICKS: f64 = 11.0;
    let speeds = numbers(lines, "vz", 1);
    near("the fall", &speeds, &FALL, TRACED)?;
    near("the settle", &speeds[FALL.len()..], &SETTLE, TRACED)?;
    near("the rest", numbers(lines, "z", 1).last_chunk::<1>().context("no line")?, &[0.2831], TRACED)?;
    let flags = words(lines, "flags");
    let after = |mask: u64| {
        let has = |flags: &&str| u64::from_str_radix(flags.trim_start_matches("0x"), 16).is_ok_and(|f| f & mask != 0);
        flags.iter().position(has).with_context(|| format!("none of {mask:#x} in {flags:?}"))
    };
    let [settling, settled, grounded] = [after(0x4_0000)?, after(0x800_0000)?, after(0x200_0000)?];
    ensure!(settling < settled && settled < grounded, "settling, settled, grounded: {flags:?}");
    let tick = numbers(lines, "tick", 1);
    // The tick in which it starts has a step too.
    near("the settle's length", &[tick[settled] - tick[settling] + 1.0], &[SETTLE_TICKS], 0.0)?;
    let interval = numbers(lines, "interval", 1);
    let (rest, air) = interval.split_last().context("no interval")?;
    near("the interval in the air", air, &vec![2.0; air.len()], 0.0)?;
    near("the interval at rest", &[*rest], &[20.0], 0.0)
}

fn steps(lines: &[String]) -> Result<()> {
    let short = numbers(lines, "short", 1);
    ensure!(short.len() == 9 && short[..4].iter().all(|&s| s < 0.0), "low steps are walked onto: {short:?}");
    near("the stops", &short[4..], &[0.398, 0.402, 0.426, 0.480, 0.480], MEASURED)
}

/// The slide points along the wall to its corner edge, a radius a second long; with it the player walks past the corner and
/// then on at its own speed.
fn corner(lines: &[String]) -> Result<()> {
    const RADIUS: f64 = 0.470_459;
    let (along, across) = (numbers(lines, "slide", 1), numbers(lines, "slide", 2));
    near("the slides along x", &along, &[RADIUS, 0.0, 0.0, 0.0], TRACED)?;
    near("the slides along y", &across, &[0.0, 0.0, 0.0, -RADIUS], TRACED)?;
    ensure!(numbers(lines, "contacts", 1).iter().all(|&n| n > 0.0), "a place without a contact");
    let (x, y) = (numbers(lines, "at", 1), numbers(lines, "at", 2));
    ensure!(x.len() == 20, "{} updates", x.len());
    let steps: Vec<f64> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
    near("the slide of each update", &steps, &[RADIUS / 30.0; 18], TRACED)?;
    near("past the corner", &[x[19] - x[18], y[19] - y[18]], &[0.0, 1.5 / 30.0], TRACED)
}

fn bounce(lines: &[String]) -> Result<()> {
    let (x, y) = (numbers(lines, "v", 1), numbers(lines, "v", 2));
    let back = x.iter().position(|&v| v < 0.0).context("the ball never came back")?;
    near("the way in", &x[..back], &vec![6.0; back], TRACED)?;
    near("the way back", &x[back..], &vec![-0.6; x.len() - back], TRACED)?;
    near("along the wall", &y, &vec![1.0; y.len()], TRACED)
}

/// A hit nearer than a metre is landed on at once; one further down at its share past the first metre.
fn landings(lines: &[String]) -> Result<()> {
    const RISE: f64 = 0.88;
    for line in lines {
        let one = std::slice::from_ref(line);
        let number = |word| numbers(one, word, 1).first().copied().with_context(|| format!("{line}: no {word}"));
        let (feet, fall) = (number("feet")?, number("fall")?);
        let (hit, length) = (RISE + feet, RISE + fall);
        let expected = (hit <= length).then(|| if hit <= 1.0 { 0.0 } else { (hit - 1.0) / (length - 1.0) });
        match (numbers(one, "lands", 1).first(), expected) {
            (Some(&found), Some(expected)) => near(line, &[found], &[expected], TRACED)?,
            (None, None) => {}
            (found, expected) => anyhow::bail!("{line}: {found:?}, known is {expected:?}"),
        }
    }
    ensure!(lines.len() == 20, "{} lines", lines.len());
    Ok(())
}

fn jump(lines: &[String]) -> Result<()> {
    let z = numbers(lines, "z", 1);
    near("the apex", &[z.iter().copied().fold(f64::MIN, f64::max)], &[1.0584], TRACED)?;
    near("after 23 updates", z.get(22..).context("too few updates")?, &[-0.191_16], TRACED)
}

/// 0.26 m into the player push it by 0.13 m.
fn push(lines: &[String]) -> Result<()> {
    near("the push", &numbers(lines, "push", 1), &[0.13], TRACED)?;
    near("to the side", &numbers(lines, "push", 2), &[0.0], TRACED)
}

fn wake(lines: &[String]) -> Result<()> {
    const FLAGS: [&str; 7] = ["0x2223f", "0x2203b", "0x2203b", "0x2203f", "0x2203b", "0x2203b", "0x2203f"];
    let flags = words(lines, "flags");
    ensure!(flags == FLAGS, "{flags:?}, traced {FLAGS:?}");
    Ok(())
}

/// Only the shell is met, as often as in the trace, a sphere and the back-off away.
fn car(lines: &[String]) -> Result<()> {
    let (bodies, contacts) = (numbers(lines, "bodies", 1), numbers(lines, "contacts", 1));
    ensure!(bodies.iter().all(|&n| n == 0.0), "the car's body was met: {bodies:?}");
    let flags = words(lines, "flags");
    ensure!(flags.iter().all(|&f| f == "0xf00d" || f == "0x0"), "triangles of other flags were met: {flags:?}");
    ensure!(flags.last() == Some(&"0xf00d"), "no shell was met: {flags:?}");
    near("the contacts", contacts.last_chunk::<1>().context("no line")?, &[29.0], 0.0)?;
    near("the stop", numbers(lines, "short", 1).last_chunk::<1>().context("no line")?, &[0.480], MEASURED)
}

/// A part falls, loses speed with each contact, and lies flat after an eased turn.
fn part(lines: &[String]) -> Result<()> {
    let speeds = numbers(lines, "v", 3);
    near("the fall", &speeds, &[3.0 - 15.68 / 60.0, 3.0 - 2.0 * 15.68 / 60.0], TRACED)?;
    let up = numbers(lines, "up", 3);
    near("flat", up.last_chunk::<1>().context("no line")?, &[1.0], TRACED)?;
    let along = numbers(lines, "v", 1);
    let met = along.windows(2).find(|pair| pair[1] != pair[0]).context("the part met nothing")?;
    near("what a contact leaves", &[met[1] / met[0]], &[0.95], TRACED)
}

fn slots(lines: &[String]) -> Result<()> {
    near("slots", &numbers(lines, "slots", 1), &[64.0], 0.0)?;
    let settled = numbers(lines, "settled", 1);
    near("after 11 ticks", settled.get(11..).context("too few ticks")?, &[64.0], 0.0)?;
    near("refused", &numbers(lines, "refused", 1), &[1.0], 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwalk::physics::scenarios;

    #[test]
    fn every_physics_scene_holds_and_one_with_other_numbers_does_not() {
        let mut wrong = Vec::new();
        for name in scenarios::names() {
            let mut out = String::new();
            scenarios::play(name, &mut out).unwrap();
            let lines: Vec<String> = out.lines().map(str::to_owned).collect();
            if let Err(error) = hold(name, &lines) {
                wrong.push(format!("{name}: {error:#}\n{out}"));
            }
            let other: Vec<String> = lines.iter().map(|line| line.replace(['0', '4'], "7")).collect();
            if hold(name, &other).is_ok() {
                wrong.push(format!("{name} holds whatever it says"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
