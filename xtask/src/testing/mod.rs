//! `cargo xtask test`: every step by name, run in order, counted, with one closing line.
//!
//! A step is a named function over the [`Rig`], which builds what the step needs once. The host's own unit tests are
//! listed and filtered by name as well; they run as one step. A failed step does not stop the others.

mod beside;
mod budget;
mod card;
mod commands;
mod console;
mod crashes;
mod facts;
mod game;
mod host;
mod kernel;
mod leave;
mod levels;
mod long;
mod modules;
mod motion_facts;
mod overlay;
mod packing;
mod physics_facts;
mod programs;
mod release;
mod report;
mod rig;
mod scenarios;
mod second;
mod selftest;
pub mod shots;
mod streams;
mod takes;
mod wave;

pub use long::{bench, soak};
pub use rig::{Job, Rig};

use crate::context::Context;
use crate::process;
use anyhow::Result;
use std::time::Instant;

/// How many tests a step ran.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Passed.
    pub passed: usize,
    /// Failed.
    pub failed: usize,
}

impl Counts {
    /// One test that passed.
    pub const PASSED: Self = Self { passed: 1, failed: 0 };
    /// One test that failed.
    pub const FAILED: Self = Self { passed: 0, failed: 1 };
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// A named test of `cargo xtask test`.
struct Step {
    /// What NAME is matched against.
    name: &'static str,
    /// One line for `--list`.
    about: &'static str,
    /// An error counts as one failed test.
    run: fn(&mut Rig) -> Result<Counts>,
}

/// The name of the step that runs the host's unit tests, which have names of their own.
const HOST: &str = "host";
/// The steps that run only when they are named, as each takes minutes: CI names them.
const SLOW: [&str; 2] = ["commands/slow", "release/elsewhere"];

/// Every step in the order it runs: quick ones first, so that a mistake shows early.
const STEPS: &[Step] = &[
    Step { name: "format", about: "the source is formatted", run: host::format },
    Step { name: "lint", about: "clippy finds nothing", run: host::lint },
    Step { name: "docs", about: "the API's documentation builds without warnings", run: host::docs },
    Step { name: HOST, about: "unit tests on the host (listed below as host::NAME)", run: host::unit_tests },
    Step { name: "second", about: "the golden pictures, drawn by the host's own GS", run: second::second },
    Step { name: "coverage", about: "the coverage pages say what the source says", run: host::coverage },
    Step { name: "build", about: "every program of the console builds and passes the checkers", run: packing::build },
    Step { name: "lint-programs", about: "clippy finds nothing in the console's programs", run: packing::lint },
    Step { name: "disc", about: "ROM and disc image are the same bytes twice and can be read", run: packing::disc },
    Step { name: "release", about: "the release is the same twice, sealed, and fit for ESR", run: release::release },
    Step { name: "console/packed", about: "the packed program runs as the program does", run: release::packed },
    Step { name: "console/title", about: "the disc boots: lines, frame rate, golden picture", run: console::title },
    Step { name: "console/game", about: "from the start-up list to a level and back", run: game::game },
    Step { name: "console/pad", about: "a real controller: found, set up, obeyed by menus", run: game::pad },
    Step { name: "console/card", about: "the test card: every primitive, format, blend and cut", run: card::card },
    Step {
        name: "console/told",
        about: "what the console sends to the GS, drawn by the host's own",
        run: second::told,
    },
    Step {
        name: "console/overlay",
        about: "every page of the overlay: its picture and its cost",
        run: overlay::overlay,
    },
    Step { name: "console/level", about: "a level from the disc: read, drawn in time, as it was", run: levels::levels },
    Step { name: "console/saves", about: "a new card, a save, a swapped card", run: game::saves },
    Step { name: "console/repeat", about: "two runs print the same lines", run: console::repeat },
    Step { name: "console/checks", about: "what only the console can tell, twice", run: console::checks },
    Step {
        name: "console/kernel",
        about: "the boot ROM's EE kernel, call by call, and with hostile arguments",
        run: kernel::facts,
    },
    Step {
        name: "console/programs",
        about: "a program with the public SDK's conventions, and modules, as `run` starts them",
        run: programs::programs,
    },
    Step { name: "console/stress", about: "the boot ROM with 64 threads and everything at once", run: kernel::stress },
    Step { name: "console/modules", about: "the boot ROM's IOP libraries and servers, twice", run: modules::modules },
    Step { name: "console/streams", about: "the IOP module brings every file", run: streams::streams },
    Step { name: "console/wave", about: "recorded music against its file, and effects heard", run: wave::wave },
    Step { name: "console/scenarios", about: "the engine's scenes, console against host", run: scenarios::run },
    Step { name: "console/takes", about: "scenes of humans from recorded pads, as measured", run: takes::run },
    Step { name: "console/selftest", about: "the disc's self-test, group by group", run: selftest::selftest },
    Step { name: "console/modes", about: "PAL, 480p and the program's end", run: console::modes },
    Step {
        name: "console/leave",
        about: "LEAVE by the menu, and out of a level: the streams stand",
        run: leave::leave,
    },
    Step { name: "console/crash", about: "panics and exceptions on console and screen", run: crashes::crashes },
    Step { name: "console/cache", about: "first seconds with the EE's data cache modelled", run: console::cache },
    Step { name: "console/leftovers", about: "first seconds on RAM full of a pattern", run: console::leftovers },
    Step { name: "console/faults", about: "discs that cannot boot are told", run: console::faults },
    Step { name: "commands", about: "the documentation's commands that take a moment, run", run: commands::quick },
    Step {
        name: SLOW[0],
        about: "and those that measure or build for speed; only when it is named",
        run: commands::slow,
    },
    Step {
        name: SLOW[1],
        about: "a copy of the tree in another place is released alike; only when it is named",
        run: release::elsewhere,
    },
    Step { name: "soak", about: "a guest minute of whatever runs for long", run: long::short_soak },
];

/// What to run.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Parts of names; everything when empty.
    pub names: Vec<String>,
}

impl Selection {
    /// The names that can only mean unit tests: those with a path in them, and those that no step answers to.
    fn unit_tests(&self) -> Vec<String> {
        let of_no_step =
            |name: &&String| name.contains("::") || !STEPS.iter().any(|step| step.name.contains(name.as_str()));
        self.names.iter().filter(of_no_step).map(|name| name.trim_start_matches("host::").to_owned()).collect()
    }

    fn wants(&self, name: &str) -> bool {
        let named = self.names.iter().any(|part| name.contains(part.as_str()));
        named || self.names.is_empty() && !SLOW.contains(&name)
    }
}

/// Prints the names of everything that [`run`] would run.
///
/// # Errors
/// Host tests that do not compile.
pub fn list(context: &Context, selection: &Selection) -> Result<()> {
    for step in STEPS.iter().filter(|step| selection.wants(step.name)) {
        println!("{:<24} {}", step.name, step.about);
    }
    for name in host::names(context)?.iter().filter(|name| selection.wants(name)) {
        println!("{name}");
    }
    Ok(())
}

/// Runs what is selected and prints the closing line. True when nothing failed and something ran.
///
/// # Errors
/// Only what makes going on pointless, as Ctrl-C does.
pub fn run(rig: &mut Rig, selection: &Selection) -> Result<bool> {
    let mut total = Counts::default();
    let started = Instant::now();
    rig.host_filters = selection.unit_tests();
    for step in STEPS {
        let wanted = selection.wants(step.name);
        if step.name == HOST && wanted {
            rig.host_filters.clear();
        } else if !wanted && (step.name != HOST || rig.host_filters.is_empty()) {
            continue;
        }
        let begun = Instant::now();
        eprintln!("test {} ...", step.name);
        let counts = (step.run)(rig).unwrap_or_else(|error| {
            eprintln!("{}: {error:#}", step.name);
            Counts::FAILED
        });
        process::check_interrupted()?;
        if counts == Counts::default() {
            continue;
        }
        let verdict = if counts.failed == 0 { "ok" } else { "FAILED" };
        println!("test {} ... {verdict} ({:.1} s)", step.name, begun.elapsed().as_secs_f32());
        total += counts;
    }
    println!("took {:.0} s", started.elapsed().as_secs_f32());
    println!("{} passed, {} failed", total.passed, total.failed);
    if total == Counts::default() {
        eprintln!("nothing is named like that; `cargo xtask test --list` shows every name");
    }
    Ok(total.failed == 0 && total.passed > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_select_by_any_part_and_nothing_selects_all() {
        let some = Selection { names: vec!["form".into(), "disc".into()] };
        assert!(some.wants("format") && some.wants("console/disc-boot") && !some.wants("lint"));
        assert!(Selection::default().wants("anything"));
    }

    #[test]
    fn what_takes_minutes_runs_when_it_is_named() {
        for name in SLOW {
            assert!(!Selection::default().wants(name) && Selection { names: vec![name.into()] }.wants(name), "{name}");
        }
        assert!(include_str!("../../../.ci/run").contains(&SLOW.join(" ")), "CI names them");
    }

    #[test]
    fn names_of_unit_tests_are_told_from_names_of_steps() {
        let names = ["disc", "iso::", "host::rom::tests", "a_vector_is"].map(str::to_owned).to_vec();
        assert_eq!(Selection { names }.unit_tests(), ["iso::", "rom::tests", "a_vector_is"]);
        assert!(Selection::default().unit_tests().is_empty());
    }

    #[test]
    fn every_step_has_a_name_of_its_own() {
        for (index, step) in STEPS.iter().enumerate() {
            assert!(STEPS[..index].iter().all(|other| other.name != step.name), "{}", step.name);
        }
    }
}
