//! Streaming on the emulated console: the module loads, serves, and brings every byte of the archive.

use super::console::{ended_well, judge, no_complaints};
use super::rig::{Job, Seen};
use super::{Counts, Rig};
use crate::archive::Archive;
use anyhow::{Context as _, Result, ensure};
use boardwalk::file_io::name::crc32;

/// The EE's counter in a second.
const TICKS_PER_SECOND: f64 = 294_912_000.0;
/// A console's slowest drive: a CD's bytes in a second, where the module is throttled to it.
const SLOW_BYTES: f64 = 1_400_000.0;
/// The EE's share of a frame while it streams: 3 % on a console, so half of it in the emulator.
///
/// Source: console rules 13.
const EE_SHARE: f64 = 0.015;

/// The module on the IOP as the game loads it: files, rates, faults.
pub fn streams(rig: &mut Rig) -> Result<Counts> {
    let job = Job::new("streams", "stream hold");
    let archive = rig.disc(&job.name, &job.arguments)?.archive;
    let seen = rig.boot(&job)?;
    for line in seen.lines.iter().filter(|line| line.starts_with("FACT stream")) {
        println!("  {line}");
    }
    let mut counts = Counts::default();
    counts += judge("the module loads, serves and ends well", ended_well(&seen).and_then(|()| no_complaints(&seen)));
    counts += judge("every file of the archive arrives as it was written", every_file(&seen, &archive));
    counts +=
        judge("a throttled drive brings what a console's does", rate(&seen, "slow", SLOW_BYTES * 0.7, SLOW_BYTES));
    counts += judge("streaming costs the EE little", share(&seen));
    Ok(counts)
}

fn every_file(seen: &Seen, archive: &Archive) -> Result<()> {
    for file in &archive.files {
        let bytes = &archive.data[file.entry.offset as usize..][..file.entry.size as usize];
        let line = format!("FACT stream file {:08x} bytes {} crc {:08x}", file.entry.name.0, bytes.len(), crc32(bytes));
        ensure!(seen.lines.contains(&line), "{}: no line `{line}`", file.name);
    }
    Ok(())
}

/// The figure behind a word of a measurement's line.
fn figure(seen: &Seen, name: &str, word: &str) -> Result<f64> {
    let begin = format!("FACT stream {name} ");
    let line = seen.lines.iter().find_map(|line| line.strip_prefix(&begin)).context("nothing was measured")?;
    let mut words = line.split_whitespace().skip_while(|found| *found != word);
    words.nth(1).and_then(|figure| figure.parse().ok()).with_context(|| format!("no {word} in `{line}`"))
}

fn rate(seen: &Seen, name: &str, least: f64, most: f64) -> Result<()> {
    let rate = figure(seen, name, "bytes")? * TICKS_PER_SECOND / figure(seen, name, "ticks")?;
    ensure!((least..=most).contains(&rate), "{rate:.0} bytes a second, expected {least:.0} to {most:.0}");
    Ok(())
}

fn share(seen: &Seen) -> Result<()> {
    for name in ["full", "slow"] {
        let share = figure(seen, name, "busy")? / figure(seen, name, "ticks")?;
        println!("  {name}: {:.2} % of the EE's time (emulated)", share * 100.0);
        ensure!(share < EE_SHARE, "{:.2} % of the EE's time at the {name} rate", share * 100.0);
    }
    Ok(())
}
