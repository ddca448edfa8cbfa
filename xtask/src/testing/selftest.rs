//! The disc's self-test in the emulator: every group, against what the emulator is known to do differently from a console.

use super::console::{ended_well, judge};
use super::rig::{Job, Seen};
use super::{Counts, Rig};
use crate::crash;
use crate::emulator::{Mode, card};
use anyhow::{Context as _, Result, ensure};
use boardwalk::selftest::{Group, Verdict};

/// What begins a line of the test.
const LINE: &str = "SELFTEST ";

/// What the game says when the I/O processor keeps what it has.
const GOES_ON: &str = "BOOT the IOP goes on, ";

/// What the emulator gives for a group; docs/console.md says why.
const fn expected(group: Group, mode: Mode) -> Verdict {
    match (group, mode) {
        (Group::Cache, Mode::InterpreterWithCache) => Verdict::Pass,
        (Group::Floats | Group::Cache, _) => Verdict::Difference,
        // Nobody presses a button.
        (Group::Pads, _) => Verdict::Absent,
        _ => Verdict::Pass,
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
    for group in [Group::Sif, Group::Disc, Group::Sound] {
        group_is(&seen, group, Mode::Recompiler)?;
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
    let line = line_of(seen, group)?;
    let verdict = line.split_whitespace().find(|word| {
        [Verdict::Absent, Verdict::Pass, Verdict::Difference, Verdict::Fail]
            .iter()
            .any(|verdict| verdict.name() == *word)
    });
    let expected = expected(group, mode).name();
    ensure!(verdict == Some(expected), "`{line}` instead of {expected}");
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
