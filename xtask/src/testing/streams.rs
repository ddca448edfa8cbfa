//! Streaming on the emulated console: the module loads, serves, brings every byte of the archive, and survives what fails.

use super::console::{ended_well, judge, no_complaints};
use super::rig::{Boots, Job, Seen};
use super::{Counts, Rig};
use crate::archive::{Archive, ArchiveFile};
use crate::audio::heard::{Expected, Heard, Recording};
use crate::audio::sides::Single;
use crate::audio::synth::Noise;
use crate::emulator::{Boot, Machine, Session, Sound, Wait};
use crate::rom::RomOptions;
use anyhow::{Context as _, Result, ensure};
use boardwalk::chunk::ChunkType;
use boardwalk::chunk::write::{NewChunk, container};
use boardwalk::file_io::name::crc32;
use std::time::Duration;

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
/// The music that is played.
const MUSIC: &str = "sound/pier.music";
/// How long a guest minute may take.
const PATIENCE: Duration = Duration::from_secs(120);
/// Faults that are injected one after the other.
const CASES: usize = 11;

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
    counts += judge("an image as large as a DVD's is read as one, and a small one as a CD", media(rig, &seen));
    counts += judge("a tray that opens under the music leads to the error mode, and back when it is shut", tray(rig));
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

/// Music beside data, recorded sample by sample: what is heard is what the music's file says, seams included.
pub fn wave(rig: &mut Rig) -> Result<Counts> {
    /// How alike a twentieth of a second must be at least. The emulator's mixer smooths, and its voices begin some samples apart.
    const ALIKE: f32 = 0.85;
    /// Samples that may stand still while the music goes on.
    const STILL: usize = 8;
    /// A jump at a seam against those around it.
    const JUMP: f32 = 1.5;
    /// Seconds that are to be compared at least, of the minute that is played.
    const SECONDS: usize = 40;
    /// Samples at the end in which the music has been ended and single sounds are played.
    const UNHEARD: usize = 13 * 48_000;
    let disc = rig.disc_with("wave", "stream=1 hold", &[filler()])?;
    let rom = rig.rom(RomOptions::default())?;
    let machine = Machine { sound: Sound::Recorded, ..Machine::headless(rom, Boot::Disc(disc.path)) };
    let kept = rig.context.target.join("tests/wave.wav");
    let mut session = Session::start(&rig.context, &machine)?;
    let mut record = || -> Result<Recording> {
        session.wait(PATIENCE, |line| line.text.starts_with("BOARDWALK START"))?;
        session.begin_recording()?;
        let ended = session.wait(PATIENCE, |line| line.text.starts_with(SIDES_PLAYED))?;
        ensure!(ended == Wait::Heard, "no minute came to its end");
        let path = session.end_recording()?;
        let wav = std::fs::read(&path).with_context(|| format!("no {}", path.display()))?;
        // For a person to listen to.
        std::fs::write(&kept, &wav)?;
        Recording::read(&wav)
    };
    let recording = record();
    session.stop();
    let mut counts = Counts::default();
    let sides = recording.as_ref().map_err(|error| anyhow::anyhow!("{error:#}")).and_then(on_its_side);
    counts += judge("an effect is heard on its side, as loud as it was asked for", sides);
    let heard = recording.and_then(|recording| {
        let music = disc.archive.files.iter().find(|file| file.name == MUSIC).context("no music")?;
        let music = &disc.archive.data[music.entry.offset as usize..][..music.entry.size as usize];
        let heard = Heard::of(&recording, &Expected::of_music(music)?, UNHEARD)?;
        println!("  {heard:?}");
        ensure!(heard.samples >= SECONDS * 48_000, "only {} samples", heard.samples);
        ensure!(heard.least_alike >= ALIKE, "a stretch is not the music's");
        ensure!(heard.longest_still <= STILL, "there is a gap");
        ensure!(heard.seam_jump <= JUMP, "there is a click at a seam");
        Ok(())
    });
    counts += judge("the recorded wave is the music, whole and in time, without gap or click at a seam", heard);
    Ok(counts)
}

/// The last line of a minute of music: the single sounds behind it were played.
const SIDES_PLAYED: &str = "FACT stream sides played";

/// The single sounds behind the music: left, right, and half as loud on the left.
fn on_its_side(recording: &Recording) -> Result<()> {
    /// How much louder the side that a sound is on is than the other. The emulator's mixer lets a seventh of each side through to the
    /// other, smoothed.
    const APART: u16 = 5;
    let mut singles = vec![Single::after(recording, 0)?];
    while let Some(last) = singles.last()
        && let Ok(next) = Single::after(recording, last.end)
    {
        singles.push(next);
    }
    let [.., left, right, half] = singles.as_slice() else { anyhow::bail!("only {} sounds", singles.len()) };
    println!("  left {:?} right {:?} half {:?}", left.peaks, right.peaks, half.peaks);
    let ([on, off], [other_off, other_on], [soft, soft_off]) = (left.peaks, right.peaks, half.peaks);
    ensure!(
        on > off * APART && other_on > other_off * APART && soft > soft_off * APART,
        "a sound is on the wrong side"
    );
    let alike = |loud: u16, wanted: u16| (f32::from(loud) / f32::from(wanted) - 1.0).abs() < 0.1;
    ensure!(alike(other_on, on) && alike(soft, on / 2), "a sound has another volume");
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

/// The tray opens while somebody plays, and is shut again.
fn tray(rig: &mut Rig) -> Result<()> {
    let seen = rig.boot(&Job::new("tray", "quick lockstep mission=0 tray=420 frames=800 script=160t hold"))?;
    ended_well(&seen)?;
    let modes: Vec<&str> = seen.lines.iter().filter_map(|line| line.strip_prefix("MODE ")).collect();
    let error = modes.iter().position(|mode| *mode == "error").with_context(|| format!("no error mode: {modes:?}"))?;
    ensure!(modes[..error].ends_with(&["gameplay"]), "it came out of {modes:?}");
    ensure!(modes[error + 1..].contains(&"gameplay"), "it did not lead back: {modes:?}");
    println!("  modes: {}", modes.join(", "));
    no_complaints(&seen)
}

fn print(seen: &Seen) {
    for line in seen.lines.iter().filter(|line| line.starts_with("FACT stream")) {
        println!("  {line}");
    }
}

fn filler() -> ArchiveFile {
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
    for reason in ["error -400", "the module did not start"] {
        let told = |line: &String| line.starts_with("FACT stream full-heap ") && line.ends_with(reason);
        let line = seen.lines.iter().find(|line| told(line)).with_context(|| format!("nothing told `{reason}`"))?;
        ensure!(line.contains(" BWIOP "), "`{line}` does not name the module");
    }
    Ok(())
}
