//! Streaming on the emulated console: the module loads, serves, brings every byte of the archive, and survives what fails.

use super::console::{ended_well, judge, no_complaints};
use super::rig::{Boots, Job, Seen};
use super::{Counts, Rig, beside};
use crate::archive::{Archive, ArchiveFile};
use crate::audio::synth::Noise;
use anyhow::{Context as _, Result, ensure};
use boardwalk::chunk::ChunkType;
use boardwalk::chunk::write::{NewChunk, container};
use boardwalk::file_io::name::crc32;

/// The EE's counter in a second.
const TICKS_PER_SECOND: f64 = 294_912_000.0;
/// A console's slowest drive: a CD's bytes in a second, where the module is throttled to it.
const SLOW_BYTES: f64 = 1_400_000.0;
/// What must come of it beside music.
const WANTED_BYTES: f64 = 1_200_000.0;
/// Bytes in a second of pieces of 64 KB with a seek of 160 ms before each: 47 ms of reading, and a frame or two for asking.
const SEEKING_BYTES: (f64, f64) = (200_000.0, 320_000.0);
/// The EE's share of a frame while it streams: 3 % on a console, so half of it in the emulator.
///
/// Source: console rules 13.
const EE_SHARE: f64 = 0.015;
/// A file that is there to be long, and its bytes.
const FILLER: (&str, usize) = ("test/filler.bin", 12 << 20);
/// Parts of the level that streams, and the least bytes of one.
const PARTS: u32 = 12;
/// See [`PARTS`].
const PART_BYTES: usize = 180_000;
/// Faults that are injected one after the other.
const CASES: usize = 15;

/// The module on the IOP as the game loads it: files, rates, faults.
pub fn streams(rig: &mut Rig) -> Result<Counts> {
    let job = Job::new("streams", "stream hold");
    let more: Vec<_> = std::iter::once(filler()).chain((0..PARTS).map(part)).collect();
    let disc = rig.disc_with(&job.name, &job.arguments, &more)?;
    let seen = rig.boot(&Job { boots: Boots::Image(disc.path), ..job })?;
    print(&seen);
    let mut counts = Counts::default();
    counts += judge("the module loads, serves and ends well", ended_well(&seen).and_then(|()| no_complaints(&seen)));
    counts += judge("every file of the archive arrives as it was written", every_file(&seen, &disc.archive));
    counts +=
        judge("a throttled drive brings what a console's does", rate(&seen, "slow", SLOW_BYTES * 0.9, SLOW_BYTES));
    counts += judge(
        "with a seek before every piece it brings what 160 ms leave",
        rate(&seen, "seeking", SEEKING_BYTES.0, SEEKING_BYTES.1),
    );
    counts += judge("and enough beside music", rate(&seen, "beside-music", WANTED_BYTES, SLOW_BYTES));
    counts += judge("streaming costs the EE little", share(&seen));
    counts += judge("a level's parts come before the player does", level(&seen));
    counts += judge("every fault is told and survived", survived(&seen));
    counts += judge("a level that streams in play does so at 30 frames a second", in_play(rig));
    counts += judge("1.2 MB/s come beside music while the game is played, for 3 % of a frame", beside::beside(rig));
    counts += judge("a file of the host's comes through the host's file system", host(rig));
    counts += judge("an image as large as a DVD's is read as one, and a small one as a CD", media(rig, &seen));
    counts += judge("a tray that opens under the music leads to the error mode, and the game's disc back", tray(rig));
    counts += judge("a level that cannot be read is told without a gap and can be given up", unreadable(rig));
    counts += judge("a module that falls silent in play is told, and play goes on when it speaks again", silent(rig));
    Ok(counts)
}

/// Data and music at a console's pace for some guest minutes: no group of the music comes too late.
pub fn endure(rig: &mut Rig, minutes: u32, seconds: u64) -> Result<()> {
    let job = Job { seconds, ..Job::new("soak-streams", &format!("stream={minutes} hold")) };
    let disc = rig.disc_with(&job.name, &job.arguments, &[filler()])?;
    let seen = rig.boot(&Job { boots: Boots::Image(disc.path), ..job })?;
    print(&seen);
    ended_well(&seen)?;
    let told = seen.lines.iter().filter(|line| line.starts_with("FACT stream minute ")).count();
    ensure!(told == minutes as usize, "{told} minutes were told");
    no_complaints(&seen)
}

/// A file beside the program, in the host's folder for test data, is read through the host's file system.
fn host(rig: &mut Rig) -> Result<()> {
    const NAME: &str = "sample.bin";
    let folder = rig.context.target.join("tests/host");
    let bytes = filler().bytes[..100_001].to_vec();
    std::fs::create_dir_all(folder.join("debug"))?;
    std::fs::write(folder.join("debug").join(NAME), &bytes)?;
    let program = folder.join("host-file.elf");
    std::fs::write(&program, rig.content()?.program_told(&format!("host-file={NAME} hold"))?)?;
    let seen = rig.boot(&Job { boots: Boots::Elf(program), ..Job::new("host-file", "") })?;
    ended_well(&seen)?;
    no_complaints(&seen)?;
    for from in [0, bytes.len() / 2] {
        let rest = &bytes[from..];
        let line = format!("HOST {NAME} from {from} bytes {} crc {:08x}", rest.len(), crc32(rest));
        ensure!(seen.lines.contains(&line), "no `{line}`: {:?}", seen.last_lines());
        println!("  {line}");
    }
    Ok(())
}

/// The boardwalk is walked along with only what is near in memory, from a drive as slow as a console's.
fn in_play(rig: &mut Rig) -> Result<()> {
    /// Parts that come on the way at least.
    const LEAST: usize = 2;
    let arguments = "quick lockstep mission=2 near=15 frames=900 script=160t,30n*650 hold";
    let seen = rig.boot(&Job::new("streams-in-play", arguments))?;
    ended_well(&seen)?;
    no_complaints(&seen)?;
    let begun = seen.lines.iter().position(|line| line.starts_with("LEVEL parts ")).context("no parts before play")?;
    println!("  {}", seen.lines[begun]);
    let came: Vec<&String> = seen.lines[begun..].iter().filter(|line| line.starts_with("LEVEL part ")).collect();
    came.iter().for_each(|line| println!("  {line}"));
    ensure!(came.iter().all(|line| line.contains(" bytes in frame ")), "a part did not come");
    ensure!(came.len() >= LEAST, "only {} parts came in play", came.len());
    let missed = |line: &String| line.split_once("missed ").map(|(_, count)| count.to_owned());
    let (first, last) = (came.first().and_then(|line| missed(line)), seen.lines.iter().rev().find_map(missed));
    ensure!(first == last, "blanks were missed while parts came: {first:?}, then {last:?}");
    Ok(())
}

/// The game's disc as it is, which counts as a CD, and the same with so many sectors behind it that it is a DVD.
/// Source: settled questions 26.
fn media(rig: &mut Rig, small: &Seen) -> Result<()> {
    /// Sectors from which on an image counts as a DVD, and a few more.
    const SECTORS: u64 = 452_849 + 16;
    const SECTOR: u64 = 2048;
    let job = Job::new("dvd", "quick lockstep frames=20 hold");
    let image = rig.disc(&job.name, &job.arguments)?.path;
    // What is added takes no room: nothing is written.
    std::fs::OpenOptions::new().write(true).open(&image)?.set_len(SECTORS * SECTOR)?;
    let large = rig.boot(&Job { boots: Boots::Image(image.clone()), ..job });
    std::fs::remove_file(&image)?;
    let large = large?;
    ended_well(&large)?;
    no_complaints(&large)?;
    for (seen, says) in [(small, "bwiop: reads a CD"), (&large, "bwiop: reads a DVD")] {
        ensure!(seen.lines.iter().any(|line| line == says), "no `{says}`: {:?}", seen.last_lines());
    }
    ensure!(large.lines.iter().any(|line| line.starts_with("SCENES ")), "no file was read from the DVD");
    Ok(())
}

/// The tray opens while somebody plays, another disc is put in, then the game's again, for which the drive is readied anew.
fn tray(rig: &mut Rig) -> Result<()> {
    let seen = rig.boot(&Job::new("tray", "quick lockstep mission=0 tray=420 frames=800 script=160t hold"))?;
    ended_well(&seen)?;
    in_error_mode(&seen, &["DISC the disc tray is open: shown", "DISC this is another disc: shown"])?;
    let readied = seen.lines.iter().filter(|line| line.starts_with("bwiop: reads a ")).count();
    ensure!(readied == 2, "the drive was readied {readied} times, not at the boot and behind the tray");
    no_complaints(&seen)
}

/// Nothing can be read from a frame before the level's load on: it is told once, START leads to the title, and nothing is told
/// there.
fn unreadable(rig: &mut Rig) -> Result<()> {
    let seen = rig.boot(&Job::new(
        "unreadable",
        "quick lockstep mission=2 unreadable=60 frames=700 script=160t,120.,9s,200. hold",
    ))?;
    ended_well(&seen)?;
    let told: Vec<&String> = seen.lines.iter().filter(|line| line.starts_with("DISC ")).collect();
    let modes: Vec<&str> = seen.lines.iter().filter_map(|line| line.strip_prefix("MODE ")).collect();
    println!("  {told:?}, modes {modes:?}");
    ensure!(told == ["DISC the disc cannot be read: waiting"], "{told:?}");
    ensure!(!modes.contains(&"error"), "{modes:?}");
    ensure!(
        seen.lines.iter().any(|line| line.starts_with("LEVEL boardwalk.lev: given up waiting: ")),
        "it was not given up"
    );
    Ok(())
}

/// The module falls silent while somebody plays and nothing is read.
fn silent(rig: &mut Rig) -> Result<()> {
    let seen = rig.boot(&Job::new("silent", "quick lockstep mission=0 mute=420 frames=800 script=160t hold"))?;
    ended_well(&seen)?;
    in_error_mode(&seen, &["DISC the disc module does not answer: shown"])?;
    no_complaints(&seen)
}

/// The error mode came over play, showed the faults one after the other and none else, and led back.
fn in_error_mode(seen: &Seen, faults: &[&str]) -> Result<()> {
    let modes: Vec<&str> = seen.lines.iter().filter_map(|line| line.strip_prefix("MODE ")).collect();
    let error = modes.iter().position(|mode| *mode == "error").with_context(|| format!("no error mode: {modes:?}"))?;
    ensure!(modes[..error].ends_with(&["gameplay"]), "it came out of {modes:?}");
    ensure!(modes[error + 1..].contains(&"gameplay"), "it did not lead back: {modes:?}");
    let shown: Vec<&String> = seen.lines.iter().filter(|line| line.starts_with("DISC ")).collect();
    println!("  modes: {}; {shown:?}", modes.join(", "));
    ensure!(shown == faults, "{shown:?} instead of {faults:?}");
    Ok(())
}

fn print(seen: &Seen) {
    for line in seen.lines.iter().filter(|line| line.starts_with("FACT stream")) {
        println!("  {line}");
    }
}

/// A long file of noise.
pub(super) fn filler() -> ArchiveFile {
    let mut noise = Noise::new(1);
    let bytes = std::iter::repeat_with(|| (noise.sample() * 127.0) as i8 as u8).take(FILLER.1);
    ArchiveFile { name: FILLER.0.into(), bytes: bytes.collect() }
}

/// A part of a level that is there to be streamed: two chunks, of a size of its own.
fn part(number: u32) -> ArchiveFile {
    let mut noise = Noise::new(number + 2);
    let bytes = std::iter::repeat_with(|| (noise.sample() * 127.0) as i8 as u8);
    let chunks = [(ChunkType::LEVEL_HEADER, 32), (ChunkType::COLLISION_VERTICES, PART_BYTES + number as usize * 2000)];
    let mut bytes = bytes;
    let chunks = chunks.map(|(kind, size)| NewChunk { kind, id: number, data: bytes.by_ref().take(size).collect() });
    ArchiveFile { name: format!("test/part{number}.lev"), bytes: container(number, &chunks) }
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
    for name in ["full", "slow", "beside-music"] {
        let share = figure(seen, name, "busy")? / figure(seen, name, "ticks")?;
        let worst = figure(seen, name, "worst")? / (TICKS_PER_SECOND / 30.0);
        println!(
            "  {name}: {:.2} % of the EE's time, {:.2} % of the dearest frame (emulated)",
            share * 100.0,
            worst * 100.0
        );
        ensure!(worst < EE_SHARE, "{:.2} % of a frame at the {name} rate", worst * 100.0);
        ensure!(share < EE_SHARE, "{:.2} % of the EE's time at the {name} rate", share * 100.0);
    }
    Ok(())
}

fn level(seen: &Seen) -> Result<()> {
    ensure!(figure(seen, "level walked", "parts")? >= f64::from(PARTS), "too few parts came");
    ensure!(figure(seen, "level walked", "late")? == 0.0, "the player was somewhere first");
    Ok(())
}

fn survived(seen: &Seen) -> Result<()> {
    let cases = seen.lines.iter().filter(|line| line.starts_with("FACT stream case ")).count();
    ensure!(cases == CASES, "{cases} cases of {CASES}");
    // What was injected has happened: tries that went wrong, time that sectors took, answers that did not come.
    let of = |name: &str, word: &str| figure(seen, &format!("case {name}"), word);
    ensure!(of("two-bad-tries", "retries")? == 2.0, "the bad tries were not repeated");
    let slow = of("slow-sectors", "after")?;
    ensure!(slow >= 1_500.0, "a hundred sectors of 15 ms took {slow} ms");
    for name in ["lost-answer", "silence", "disc-thread-stands"] {
        ensure!(of(name, "lost")? > 0.0, "no answer was missed in {name}");
    }
    for line in [
        "FACT stream scratched music underruns ",
        "FACT stream scratched bank came",
        "FACT stream scratched read told ",
    ] {
        ensure!(seen.lines.iter().any(|told| told.starts_with(line)), "no `{line}`");
    }
    let given_up = |line: &String| line.starts_with("FACT stream cancelled told Some(Cancelled) ");
    ensure!(seen.lines.iter().any(given_up), "no read was given up");
    for reason in ["error -400", "the module did not start"] {
        let told = |line: &String| line.starts_with("FACT stream full-heap ") && line.ends_with(reason);
        let line = seen.lines.iter().find(|line| told(line)).with_context(|| format!("nothing told `{reason}`"))?;
        ensure!(line.contains(" BWIOP "), "`{line}` does not name the module");
    }
    Ok(())
}
