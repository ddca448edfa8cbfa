//! The disc's self-test in the emulator: every group, against what the emulator is known to do differently from a console.

use super::console::{ended_well, golden, judge};
use super::rig::{Job, Seen};
use super::{Counts, Rig};
use crate::audio::heard::Recording;
use crate::crash;
use crate::emulator::keys::KEYS;
use crate::emulator::picture::Tolerance;
use crate::emulator::{Boot, Button, GuestLine, Machine, Mode, Session, Sound, Wait, card, picture};
use crate::rom::RomOptions;
use anyhow::{Context as _, Result, ensure};
use boardwalk::selftest::{Group, Verdict};
use std::path::Path;
use std::time::Duration;

/// What begins a line of the test.
const LINE: &str = "SELFTEST ";

/// What the game says when the I/O processor keeps what it has.
const GOES_ON: &str = "BOOT the IOP goes on, ";

/// What the emulator gives for a group: its verdict, and those of its figures that are facts and no rates.
struct Expected {
    verdict: Verdict,
    figures: &'static [(&'static str, &'static str)],
}

/// See [`Expected`]; docs/console.md has the same as a table and says why.
const fn expected(group: Group, mode: Mode) -> Expected {
    const PASSES: Expected = Expected { verdict: Verdict::Pass, figures: &[] };
    match (group, mode) {
        (Group::Processor, _) => Expected { figures: &[("wrong", "0000")], ..PASSES },
        (Group::Dma, _) => Expected { figures: &[("wrong", "0")], ..PASSES },
        (Group::Floats, _) => Expected { verdict: Verdict::Difference, figures: &[("unlike", "0015443f")] },
        (Group::Cache, Mode::InterpreterWithCache) => PASSES,
        (Group::Cache, _) => Expected { verdict: Verdict::Difference, figures: &[("stale", "0")] },
        (Group::Graphics, _) => Expected { figures: &[("wrong", "0000"), ("unlike", "00"), ("crc", "6925")], ..PASSES },
        (Group::Vu0, _) => PASSES,
        (Group::Clock, _) => Expected { figures: &[("late", "0"), ("timers", "00")], ..PASSES },
        (Group::Sif, _) => Expected { figures: &[("wrong", "0")], ..PASSES },
        (Group::Disc, _) => Expected { figures: &[("wrong", "0"), ("retries", "0")], ..PASSES },
        (Group::CardOne | Group::CardTwo, _) => PASSES,
        // Nobody presses a button.
        (Group::Pads, _) => Expected { verdict: Verdict::Absent, figures: &[] },
        (Group::Sound, _) => Expected { figures: &[("heard of", "7f"), ("underruns", "0")], ..PASSES },
    }
}

/// Every group as expected, and a code that says the same.
pub fn selftest(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    let formatted = card::formatted();
    let cards = ["selftest-card-1.ps2", "selftest-card-2.ps2"].map(|name| rig.context.target.join("tests").join(name));
    for card in &cards {
        std::fs::write(card, &formatted).with_context(|| format!("cannot write {}", card.display()))?;
    }
    let inserted = cards.clone().map(Some);
    let job = Job { lit: true, cards: inserted, ..Job::new("selftest", "selftest write-cards hold") };
    let seen = rig.boot(&job)?;
    for line in seen.lines.iter().filter(|line| line.starts_with(LINE)) {
        println!("  {line}");
    }
    for group in Group::ALL {
        counts += judge(&format!("{} is as the emulator has it", group.name()), group_is(&seen, group, job.mode));
    }
    counts += judge("a card that may be written is written, read back and left without the file", {
        [Group::CardOne, Group::CardTwo].into_iter().zip(&cards).try_for_each(|(group, card)| {
            let line = line_of(&seen, group)?;
            ensure!(line.contains(" state 4 "), "`{line}`");
            ensure!(std::fs::read(card)? != formatted, "nothing was written to {}", card.display());
            Ok(())
        })
    });
    counts += judge("the self-test ends well", ended_well(&seen));
    counts += judge("the code says what the lines say", code_says_the_same(&seen));
    counts += judge("a person finds it at the end of the options", from_the_options(rig));
    counts += with_a_person(rig)?;
    // A host's loader lives on the I/O processor, which is then not started anew.
    let [first, _] = cards;
    let before = std::fs::read(&first)?;
    let untouched = Job { cards: [Some(first.clone()), None], ..Job::new("selftest-host", "selftest host hold") };
    let hosted = rig.boot(&untouched)?;
    counts += judge("a card is only looked at unless somebody asks for more", {
        line_of(&hosted, Group::CardOne).and_then(|line| {
            ensure!(line.contains(" state 1 "), "`{line}`");
            ensure!(std::fs::read(&first)? == before, "the card was written");
            Ok(())
        })
    });
    counts += judge("all groups pass on an I/O processor that was not started anew", {
        ended_well(&hosted).and_then(|()| {
            let begun = hosted.lines.iter().any(|line| line.starts_with(GOES_ON));
            ensure!(begun, "`{GOES_ON}` was not said");
            Ok(())
        })
    });
    Ok(counts)
}

/// Boots the game and goes to the self-test by its menus; nobody is there to press anything then.
fn from_the_options(rig: &mut Rig) -> Result<()> {
    const END: &str = "SELFTEST code ";
    // Up from the first row is the last one.
    let way = "160t,9d,9d,9x,9u,9x";
    let job = Job { until: END, ..Job::new("selftest-options", &format!("quick script={way}")) };
    let seen = rig.boot(&job)?;
    ensure!(seen.lines.iter().any(|line| line.starts_with(END)), "it ended with {:?}", seen.last_lines());
    // The game's own disc, link and sound are taken over as they are.
    for group in [Group::Dma, Group::Sif, Group::Disc, Group::Sound] {
        group_is(&seen, group, Mode::Recompiler)?;
    }
    Ok(())
}

/// Goes to the self-test as a person does, holding both upper shoulders at the start, presses and pushes everything, listens, and
/// photographs the last page.
fn with_a_person(rig: &mut Rig) -> Result<Counts> {
    const PATIENCE: Duration = Duration::from_secs(120);
    const HELD: Duration = Duration::from_millis(250);
    const ANSWER: Duration = Duration::from_secs(10);
    const PRESSES: usize = 6;
    const HOLD: Duration = Duration::from_secs(1);
    const HOLDS: usize = 8;
    /// The first controller's buttons and sticks on the screen: left, top, width and height.
    const LIVE: [u32; 4] = [0, 312, 326, 80];
    let rom = rig.rom(RomOptions::default())?;
    let disc = rig.disc("selftest-person", "")?.path;
    let machine = Machine { limiter: true, sound: Sound::Recorded, ..Machine::headless(rom, Boot::Disc(disc)) };
    let mut session = Session::start(&rig.context, &machine)?;
    let pictures = rig.context.target.join("pictures");
    let (live, last) = (pictures.join("selftest-live.png"), pictures.join("selftest-last.png"));
    let mut told = Vec::new();
    let mut wait = |session: &mut Session, begin: &str| -> Result<()> {
        let wanted = |line: &GuestLine| {
            told.push(line.text.clone());
            line.text.starts_with(begin)
        };
        ensure!(session.wait(PATIENCE, wanted)? == Wait::Heard, "no `{begin}`");
        Ok(())
    };
    let mut through = || -> Result<Recording> {
        wait(&mut session, "BOARDWALK START")?;
        // A window that has just come up may miss a key: held anew while the first words stand.
        for _ in 0..HOLDS {
            session.hold(&[Button::L1, Button::R1])?;
            let heard = session.wait(HOLD, |line| line.text.starts_with(LINE))? == Wait::Heard;
            session.release(&[Button::L1, Button::R1])?;
            if heard {
                break;
            }
        }
        // The group before the controllers.
        wait(&mut session, "SELFTEST card 2")?;
        session.begin_recording()?;
        let blessed = rig.context.root.join("tests/golden/selftest-live.png");
        // Twice at least: on a busy machine the emulator misses now and then that a key goes down or comes up.
        for round in 1..=PRESSES {
            for (button, ..) in KEYS {
                session.press(button, HELD)?;
            }
            session.hold(&[Button::Cross, Button::LeftStickUp])?;
            std::thread::sleep(HELD);
            session.screenshot(&live)?;
            session.release(&[Button::Cross, Button::LeftStickUp])?;
            let shown = picture::crop(&live, LIVE, "pads")?;
            if round > 1 && (rig.bless || picture::compare(&shown, &blessed, Tolerance::CLOSE)?.within) {
                break;
            }
        }
        session.hold(&[Button::Start, Button::Select])?;
        wait(&mut session, "SELFTEST pads")?;
        session.release(&[Button::Start, Button::Select])?;
        wait(&mut session, "SELFTEST sound ")?;
        let recorded = session.end_recording()?;
        let wav = std::fs::read(&recorded).with_context(|| format!("no {}", recorded.display()))?;
        std::fs::write(rig.context.target.join("tests").join("selftest.wav"), &wav)?;
        wait(&mut session, "SELFTEST code ")?;
        std::thread::sleep(2 * HELD);
        session.screenshot(&last)?;
        // As a person does who sees that nothing happens.
        for _ in 0..PRESSES {
            session.press(Button::Start, HELD)?;
            if session.wait(ANSWER, |line| line.text.starts_with("BOARDWALK END"))? == Wait::Heard {
                return Recording::read(&wav);
            }
        }
        anyhow::bail!("no `BOARDWALK END`")
    };
    let recording = through();
    session.stop();
    let mut counts = Counts::default();
    let seen = |picture: &Path| Seen {
        lines: told.clone(),
        chatter: Vec::new(),
        picture: Some(picture.to_owned()),
        died: false,
        lasted: 0.0,
    };
    counts += judge("L1 and R1 held at the start lead to it, and START on its last page ends it", {
        recording.as_ref().map(|_| ()).map_err(|error| anyhow::anyhow!("{error:#}; {:?}", seen(&last).last_lines()))
    });
    let Ok(recording) = recording else { return Ok(counts) };
    counts += judge("every button and every end of the sticks is seen, and is a pass", {
        let pressed = Expected { verdict: Verdict::Pass, figures: &[("1", "ffff"), ("sticks", "ff")] };
        line_of(&seen(&live), Group::Pads).and_then(|line| is_as(line, &pressed))
    });
    counts += judge("buttons and sticks are drawn as they are held and were seen", {
        golden(rig, &seen(&picture::crop(&live, LIVE, "pads")?), "selftest-live")
    });
    counts += judge("the last page has every group, and nothing runs off it", last_page(rig, &last, &seen));
    counts += judge("the sounds are on the side that they are said to be on", sides(&recording));
    Ok(counts)
}

/// The last page: names and verdicts are the golden ones, and beside and below the figures, which change, there is nothing.
fn last_page(rig: &Rig, page: &Path, seen: &impl Fn(&Path) -> Seen) -> Result<()> {
    /// Where names and verdicts stand, and where everything does: left, top, width and height.
    const VERDICTS: [u32; 4] = [0, 54, 198, 212];
    const SAFE: [u32; 4] = [40, 28, 560, 400];
    let beyond = picture::beyond(page, SAFE)?;
    ensure!(beyond == 0, "{beyond} pixels lie beyond the page's edges");
    golden(rig, &seen(&picture::crop(page, VERDICTS, "verdicts")?), "selftest-last")
}

/// Twentieths of a second in which only the left side sounds, then only the right, then both alike; each begins so long after the one
/// before as the test lets a sound be heard. The music, which is on both sides as well, comes later.
fn sides(recording: &Recording) -> Result<()> {
    const SAMPLES: usize = 48_000 / 20;
    /// The mean square of what is heard, and how much less the other side has: the emulator mixes a little of each into the other.
    const LOUD: f64 = 10_000.0;
    const APART: f64 = 10.0;
    /// Windows from turn to turn: forty frames, of which some may be late.
    const TURN: std::ops::RangeInclusive<usize> = 20..=40;
    /// Whether the powers of left and right are those of a turn.
    type IsHeard = fn(f64, f64) -> bool;
    let [left, right] = &recording.sides;
    let power = |side: &[i16]| side.iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>() / SAMPLES as f64;
    let windows: Vec<_> =
        left.chunks_exact(SAMPLES).zip(right.chunks_exact(SAMPLES)).map(|(l, r)| (power(l), power(r))).collect();
    let turns: [(&str, IsHeard); 3] = [
        ("left", |left, right| left > LOUD && right * APART < left),
        ("right", |left, right| right > LOUD && left * APART < right),
        ("both", |left, right| left > LOUD && (left / right - 1.0).abs() < 0.2),
    ];
    let mut before = None;
    for (name, is_heard) in turns {
        let from = before.map_or(0, |at| at + TURN.start());
        let heard = windows.iter().skip(from).position(|(left, right)| is_heard(*left, *right));
        let at = from + heard.with_context(|| format!("nothing is heard on {name}"))?;
        let turn = before.replace(at).map_or(*TURN.start(), |before| at - before);
        println!("  {name} is heard from {:.2} s on", at as f64 / 20.0);
        ensure!(TURN.contains(&turn), "{name} is heard {turn} twentieths of a second after the turn before");
    }
    Ok(())
}

/// A group's line.
fn line_of(seen: &Seen, group: Group) -> Result<&str> {
    let begin = format!("{:<10}", group.name());
    let mut lines = seen.lines.iter().filter_map(|line| line.strip_prefix(LINE));
    lines.find(|line| line.starts_with(&begin)).context("it was not told")
}

fn group_is(seen: &Seen, group: Group, mode: Mode) -> Result<()> {
    is_as(line_of(seen, group)?, &expected(group, mode))
}

/// A group's line has the verdict and the figures.
fn is_as(line: &str, expected: &Expected) -> Result<()> {
    let all = [Verdict::Absent, Verdict::Pass, Verdict::Difference, Verdict::Fail];
    let verdict = line.split_whitespace().find(|word| all.iter().any(|verdict| verdict.name() == *word));
    ensure!(verdict == Some(expected.verdict.name()), "`{line}` instead of {}", expected.verdict.name());
    for (name, value) in expected.figures {
        let figure = line.split_once(&format!(" {name} ")).and_then(|(_, rest)| rest.split_whitespace().next());
        ensure!(figure == Some(value), "`{line}` has another {name} than {value}");
    }
    Ok(())
}

fn code_says_the_same(seen: &Seen) -> Result<()> {
    let code = seen.lines.iter().find_map(|line| line.strip_prefix("SELFTEST code ")).context("no code")?;
    let told = crash::explain(code, None)?;
    for group in Group::ALL {
        let line = line_of(seen, group)?;
        ensure!(told.lines().any(|told| told.trim() == line.trim()), "`{line}` is not in {told}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the emulator gives, as docs/console.md has it.
    fn table() -> String {
        let rows = Group::ALL.map(|group| {
            let Expected { verdict, figures } = expected(group, Mode::Recompiler);
            let figures: Vec<_> = figures.iter().map(|(name, value)| format!("{name} {value}")).collect();
            format!("| {} | {} | {} |\n", group.name(), verdict.name(), figures.join(", "))
        });
        format!("| group | in the emulator | figures that never change |\n| --- | --- | --- |\n{}", rows.concat())
    }

    #[test]
    fn the_documentation_lists_what_the_emulator_gives() {
        const BEGIN: &str = "<!-- emulator -->\n";
        const END: &str = "<!-- end -->";
        let page = include_str!("../../../docs/console.md");
        let listed = page.split_once(BEGIN).and_then(|(_, rest)| rest.split_once(END)).map(|(listed, _)| listed);
        assert_eq!(listed, Some(table().as_str()), "docs/console.md has another table than\n{}", table());
    }

    #[test]
    fn another_figure_is_told() {
        let expected = Expected { verdict: Verdict::Pass, figures: &[("wrong", "0"), ("crc", "1d")] };
        assert!(is_as("graphics  pass        wrong 0 unlike 00 crc 1d", &expected).is_ok());
        assert!(is_as("graphics  pass        wrong 0 unlike 00 crc 1e", &expected).is_err());
        assert!(is_as("graphics  difference  wrong 0 unlike 00 crc 1d", &expected).is_err());
        assert!(is_as("graphics  pass        wrong 0", &expected).is_err());
    }

    #[test]
    fn sounds_on_the_wrong_sides_are_told() {
        let tone = |on: bool| (0..64_000).map(move |at| if on { (at % 100) as i16 * 100 - 5_000 } else { 0 });
        let recorded = |turns: &[(bool, bool)]| Recording {
            sides: [
                turns.iter().flat_map(|turn| tone(turn.0)).collect(),
                turns.iter().flat_map(|turn| tone(turn.1)).collect(),
            ],
        };
        let (left, right, both, none) = ((true, false), (false, true), (true, true), (false, false));
        assert!(sides(&recorded(&[left, right, both])).is_ok());
        assert!(sides(&recorded(&[none, left, right, both, both])).is_ok());
        for wrong in [[right, left, both], [left, left, both], [both, both, both], [left, right, none]] {
            assert!(sides(&recorded(&wrong)).is_err(), "{wrong:?}");
        }
        // The music.
        assert!(sides(&recorded(&[left, right, none, both])).is_err());
    }
}
