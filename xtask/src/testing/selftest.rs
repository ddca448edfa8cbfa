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
        // Nobody presses a button, and one card is there.
        (Group::Pads | Group::CardTwo, _) => Verdict::Absent,
        _ => Verdict::Pass,
    }
}

/// Every group as expected, and a code that says the same.
pub fn selftest(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    let card = rig.context.target.join("tests/selftest-card.ps2");
    std::fs::write(&card, card::formatted()).with_context(|| format!("cannot write {}", card.display()))?;
    let job = Job { lit: true, card: Some(card), ..Job::new("selftest", "selftest hold") };
    let seen = rig.boot(&job)?;
    for line in seen.lines.iter().filter(|line| line.starts_with(LINE)) {
        println!("  {line}");
    }
    for group in Group::ALL {
        counts += judge(&format!("{} is as the emulator has it", group.name()), group_is(&seen, group, job.mode));
    }
    counts += judge("the self-test ends well", ended_well(&seen));
    counts += judge("the code says what the lines say", code_says_the_same(&seen));
    // A host's loader lives on the I/O processor, which is then not started anew.
    let hosted = rig.boot(&Job::new("selftest-host", "selftest host hold"))?;
    counts += judge("all groups pass on an I/O processor that was not started anew", {
        ended_well(&hosted).and_then(|()| {
            let begun = hosted.lines.iter().any(|line| line.starts_with(GOES_ON));
            ensure!(begun, "`{GOES_ON}` was not said");
            Ok(())
        })
    });
    Ok(counts)
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
