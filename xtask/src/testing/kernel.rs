//! The boot ROM's EE kernel on the emulated console, proved by a program that would print the same lines on a console's own.
//!
//! The program does one of several things, by the name that it has on its disc.

use super::console::{ended_well, judge};
use super::rig::{Boots, Job, Seen, is_lit};
use super::{Counts, Rig, report};
use crate::build::Program;
use crate::coverage;
use crate::emulator::Mode;
use anyhow::{Context as _, Result, ensure};
use std::path::Path;

/// Where the program's facts stand.
const FACTS: &str = "bootrom/ee/selftest";

/// Guest seconds of the stress within the tests.
const STRESS_SECONDS: u32 = 12;

/// A disc with the program under a name, and the number of seconds that it is to run where it asks for one.
fn disc(rig: &mut Rig, name: &str, seconds: u32) -> Result<Boots> {
    let program =
        rig.programs()?.iter().find(|built| built.program == Program::KernelTest).context("no kernel test")?;
    let program = std::fs::read(&program.elf).with_context(|| format!("cannot read {}", program.elf.display()))?;
    let cnf = format!("BOOT2 = cdrom0:\\{name};1\r\n");
    let seconds = format!("{seconds}\r\n");
    Ok(Boots::files([("SYSTEM.CNF", cnf.into_bytes()), (name, program), ("SECONDS.TXT", seconds.into_bytes())]))
}

/// What programs prove that take another one's place with arguments that make no sense.
const REPLACED: [&str; 2] = [
    "ExecOSD starts what the disc names whatever the arguments are",
    "ExecPS2 enters a program whatever the arguments are",
];

/// Every call with what it should be given, in both ways of emulation, then with what it should not.
pub fn facts(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    let named = coverage::bootrom::facts(&rig.context.root, FACTS)?;
    let modelled = Job { mode: Mode::InterpreterWithCache, seconds: 400, ..Job::new("kernel-cache", "") };
    let usual = disc(rig, "KERNEL.ELF", 0)?;
    for (job, where_run) in [(Job::new("kernel", ""), ""), (modelled, ", data cache modelled")] {
        let seen = rig.boot(&Job { boots: usual.clone(), ..job })?;
        counts += proved(&seen, where_run);
        counts +=
            judge(&format!("the facts that the coverage page names are proved{where_run}"), all_of(&named, &seen));
        counts += judge(&format!("every call of the kernel was tried{where_run}"), ended_well(&seen));
    }
    let boots = disc(rig, "HOSTILE.ELF", 0)?;
    let seen = rig.boot(&Job { boots, ..Job::new("hostile", "") })?;
    if let Some(line) = seen.lines.iter().find(|line| line.contains("hostile calls")) {
        println!("  {line}");
    }
    counts += proved(&seen, ", after hostile calls");
    counts += judge("the kernel outlives hostile calls", ended_well(&seen));
    let boots = disc(rig, "EXECBAD.ELF", 0)?;
    let seen = rig.boot(&Job { boots, until: "ROM: error", ..Job::new("replaced", "") })?;
    counts += proved(&seen, ", from programs with arguments that make no sense");
    counts += judge("a program is replaced whatever its arguments are", all_of(&REPLACED.map(String::from), &seen));
    counts += judge("a path that is none is told", told_on_console(&seen));
    let boots = disc(rig, "RESTART.ELF", 0)?;
    let seen = rig.boot(&Job { boots, ..Job::new("restart", "") })?;
    counts += proved(&seen, ", from where a program came to grief");
    counts += judge("a program starts itself anew from anywhere", ended_well(&seen));
    for (name, says) in [
        ("FAULTB.ELF", "exception 9 (breakpoint)"),
        ("FAULTS.ELF", "no stack to keep registers on"),
        ("FAULTH.ELF", "system call of a thread in an interrupt handler"),
    ] {
        counts += judge(&format!("a bad end is told on console and screen: {says}"), told(rig, name, says));
    }
    Ok(counts)
}

fn told_on_console(seen: &Seen) -> Result<()> {
    let error = seen.lines.iter().find(|line| line.starts_with("ROM: error"));
    println!("  {}", error.context("the start-up program said nothing")?);
    Ok(())
}

/// A program's bad end: a report on the console, and a screen with the same.
fn told(rig: &mut Rig, name: &str, says: &str) -> Result<()> {
    let boots = disc(rig, name, 0)?;
    let until = Job { until: report::CODE_ROW, times: report::CODE_ROWS, ..Job::new("fault", "") };
    let seen = rig.boot(&Job { boots, lit: true, ..until })?;
    report::judge(&seen.lines, says)
        .with_context(|| format!("the ROM said only {:?}{}", seen.lines, seen.obituary()))?;
    let picture = seen.picture.as_deref().context("no picture was taken")?;
    ensure!(is_lit(picture)?, "the screen stayed dark");
    let end = end_of_text(picture)?;
    ensure!(end >= LAST_ROW_ENDS, "the screen's last row ends at {end} of its width: the report is cut");
    Ok(())
}

/// Where a report's last row ends at least, in parts of the screen's width: behind its second register.
const LAST_ROW_ENDS: f64 = 0.6;

/// Where the last row of text ends, in parts of the screen's width.
fn end_of_text(picture: &Path) -> Result<f64> {
    /// What is brighter is ink.
    const INK: u8 = 0xC0;
    /// Parts of the height that a row of text takes.
    const ROW: f64 = 14.0 / 448.0;
    let pixels = image::open(picture)?.into_rgb8();
    let ink = || pixels.enumerate_pixels().filter(|(_, _, pixel)| pixel.0.iter().all(|&channel| channel > INK));
    let last = ink().map(|(_, y, _)| y).max().context("no text on the screen")?;
    let top = f64::from(last) - ROW * f64::from(pixels.height());
    let end = ink().filter(|(_, y, _)| f64::from(*y) >= top).map(|(x, ..)| x).max().unwrap_or(0);
    Ok(f64::from(end) / f64::from(pixels.width()))
}

/// Threads, semaphores, alarms, the link, the disc and the controllers at once, for a short while.
pub fn stress(rig: &mut Rig) -> Result<Counts> {
    /// Real seconds that it may take: several times what it should.
    const PATIENCE: u64 = 90;
    let seen = run_stress(rig, STRESS_SECONDS, PATIENCE)?;
    let mut counts = proved(&seen, ", under stress");
    counts += judge("the kernel stands the stress", ended_well(&seen));
    counts += judge("the idle kernel takes no more of a frame than it may", idle_share(rig));
    Ok(counts)
}

/// Percent of a frame that the kernel takes while nobody has work.
fn idle_share(rig: &mut Rig) -> Result<()> {
    const MOST: f64 = 1.0;
    let lines = figures(rig)?;
    let of = |line: &String| line.strip_prefix("BENCH rom/idle-share ")?.split(' ').next()?.parse::<f64>().ok();
    let share = lines.iter().find_map(of).context("no share was measured")?;
    println!("  {share} percent of a frame");
    ensure!(share <= MOST, "{share} percent of a frame, of which {MOST} may be taken");
    Ok(())
}

/// The same for guest minutes.
pub fn soak(rig: &mut Rig, minutes: u32, patience: u64) -> Result<()> {
    let seen = run_stress(rig, 60 * minutes, patience)?;
    ensure!(proved(&seen, ", under stress").failed == 0, "facts failed");
    ended_well(&seen)
}

fn run_stress(rig: &mut Rig, seconds: u32, patience: u64) -> Result<Seen> {
    let boots = disc(rig, "STRESS.ELF", seconds)?;
    let seen = rig.boot(&Job { boots, seconds: patience, ..Job::new("stress", "") })?;
    if let Some(line) = seen.lines.iter().rev().find(|line| line.starts_with("STRESS ")) {
        println!("  {line}, in {:.0} s", seen.lasted);
    }
    Ok(seen)
}

/// The program's figures, a line each.
pub fn figures(rig: &mut Rig) -> Result<Vec<String>> {
    let boots = disc(rig, "BENCH.ELF", 0)?;
    let seen = rig.boot(&Job { boots, ..Job::new("kernel-bench", "") })?;
    ended_well(&seen)?;
    Ok(seen.lines)
}

/// The facts of a run, and what failed of them.
fn proved(seen: &Seen, where_run: &str) -> Counts {
    let mut counts = Counts::default();
    for line in seen.lines.iter().filter(|line| line.starts_with("KERNEL ")) {
        if line.starts_with("KERNEL ok ") {
            counts.passed += 1;
        } else if line.starts_with("KERNEL FAILED ") {
            counts += judge(&format!("a fact of the kernel{where_run}"), Err(anyhow::anyhow!("{line}")));
        }
    }
    println!("  {} facts{where_run}", counts.passed);
    counts
}

fn all_of(named: &[String], seen: &Seen) -> Result<()> {
    let proves = |fact: &String| seen.lines.iter().any(|line| line.starts_with(&format!("KERNEL ok {fact}")));
    let open: Vec<&String> = named.iter().filter(|fact| !proves(fact)).collect();
    ensure!(open.is_empty(), "not proved: {open:?}");
    Ok(())
}
