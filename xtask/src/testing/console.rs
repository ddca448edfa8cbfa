//! The steps that run on the emulated console.
//!
//! Each boots a disc of its own (the same program, told by arguments what to do), listens until the guest says that it is
//! done, takes a picture and judges both. Nothing here reads a clock to decide: the guest counts its own frames.

use super::card::{ALIKE, alike};
use super::rig::{Boots, Job, Seen, is_lit};
use super::{Counts, Rig};
use crate::emulator::picture::{self, Tolerance};
use crate::emulator::{Ending, Mode, Renderer};
use crate::process;
use anyhow::{Context as _, Result, bail, ensure};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

/// Frames until the title is judged: ten seconds of it.
const TITLE_FRAMES: u64 = 300;
/// Frames of the slower runs: enough for several flips of both packet buffers.
const SHORT_FRAMES: u64 = 90;
/// Ticks of the EE's counter in a second.
const TICKS_PER_SECOND: f64 = 294_912_000.0;
/// Shown frames a second on NTSC: every second one of 59.94 blanks. Source: support systems, Graphics and frame pacing.
const NTSC_FRAMES: f64 = 60_000.0 / 1001.0 / 2.0;
/// Shown frames a second on PAL: every second one of 50 blanks. Source: settled questions 7.
const PAL_FRAMES: f64 = 25.0;
/// How far the measured rate may lie from it: one frame in the ten seconds measured.
const RATE_TOLERANCE: f64 = 0.01;

/// The title on the console as people boot it: its lines, its rate and its picture.
pub fn title(rig: &mut Rig) -> Result<Counts> {
    let seen = rig.boot(&Job::new("title", &format!("title frames={TITLE_FRAMES} hold")))?;
    let mut counts = Counts::default();
    counts += judge("the disc's program starts and ends well", ended_well(&seen));
    counts += judge("30 frames a second, none missed", steady_rate(&seen));
    counts += judge("the picture is the golden one", golden(rig, &seen, "title"));
    let job =
        Job { renderer: Renderer::OpenGl, ..Job::new("title-opengl", &format!("title frames={TITLE_FRAMES} hold")) };
    let seen = rig.boot(&job)?;
    counts += judge("it looks the same through OpenGL", alike(rig, &seen, "title", ALIKE));
    Ok(counts)
}

/// Two more runs of the title print the same lines to the last tick.
pub fn repeat(rig: &mut Rig) -> Result<Counts> {
    let arguments = format!("title frames={TITLE_FRAMES} hold");
    let first = rig.boot(&Job::new("repeat-a", &arguments))?;
    let second = rig.boot(&Job::new("repeat-b", &arguments))?;
    let differing = first.lines.iter().zip(&second.lines).find(|(a, b)| a != b);
    Ok(judge(
        "two runs print the same lines",
        match differing {
            Some((a, b)) => Err(anyhow::anyhow!("first `{a}`, then `{b}`")),
            None if first.lines.len() != second.lines.len() => Err(anyhow::anyhow!("one run printed more")),
            None => Ok(()),
        },
    ))
}

/// What only the console can tell: its kernels against their twins, critical sections, cache, clock; once more with the
/// data cache modelled.
pub fn checks(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    let modelled =
        Job { mode: Mode::InterpreterWithCache, seconds: 400, ..Job::new("checks-cache", "check untimed hold") };
    for (job, where_run) in [(Job::new("checks", "check hold"), ""), (modelled, ", data cache modelled")] {
        let seen = rig.boot(&job)?;
        for line in seen.lines.iter().filter(|line| line.starts_with("FACT ")) {
            println!("  {line}");
        }
        for line in seen.lines.iter().filter_map(|line| line.strip_prefix("CHECK ")) {
            let (name, verdict) = line.rsplit_once(' ').unwrap_or((line, "without a verdict"));
            counts += judge(&format!("{name}{where_run}"), {
                if verdict == "ok" { Ok(()) } else { Err(anyhow::anyhow!("{verdict}")) }
            });
        }
        counts += judge(&format!("every check ran{where_run}"), ended_well(&seen).and_then(|()| no_complaints(&seen)));
        if job.mode == Mode::InterpreterWithCache {
            counts += judge("a forgotten write-back is found", forgotten_is_found(&seen));
        }
    }
    Ok(counts)
}

/// Where the data cache is modelled, the check for write-backs sees one that was left out on purpose.
fn forgotten_is_found(seen: &Seen) -> Result<()> {
    let line = seen.lines.iter().find_map(|line| line.strip_prefix("FACT write-backs forgotten "));
    let count = line.and_then(|line| line.split(' ').next()?.parse::<u32>().ok()).context("nothing was looked for")?;
    ensure!(count > 0, "nothing was found");
    Ok(())
}

/// PAL and 480p keep their rates, and a program's end reaches the boot ROM.
pub fn modes(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    for (mode, rate) in [("pal", PAL_FRAMES), ("480p", NTSC_FRAMES)] {
        let job = Job {
            lit: true,
            ..Job::new(&format!("mode-{mode}"), &format!("mode={mode} title frames={TITLE_FRAMES} hold"))
        };
        let seen = rig.boot(&job)?;
        counts += judge(&format!("{mode} keeps its rate"), ended_well(&seen).and_then(|()| rate_of(&seen, rate)));
        let picture = seen.picture.as_deref().context("no picture was taken");
        counts += judge(&format!("{mode} shows a picture"), {
            if picture.and_then(is_lit)? { Ok(()) } else { Err(anyhow::anyhow!("the screen is dark")) }
        });
        counts += judge(&format!("{mode}'s picture is the golden one"), golden(rig, &seen, &format!("mode-{mode}")));
    }
    counts += wide_and_moved(rig)?;
    let seen = rig.boot(&Job { until: "ROM: program ended", ..Job::new("exit", "title frames=5") })?;
    counts += judge("the boot ROM hears of the program's end", {
        let heard = seen.lines.iter().any(|line| line == "ROM: program ended with 0");
        if heard {
            Ok(())
        } else {
            Err(anyhow::anyhow!("the last lines were {:?}{}", seen.last_lines(), seen.obituary()))
        }
    });
    counts += judge("a run without a window that is interrupted leaves its last picture", interrupted_run(rig));
    Ok(counts)
}

/// A person chooses 16:9 and moves the picture to the left and down, by the options' page, and begins a mission. The emulator's
/// picture is of what is drawn, wherever a screen has it: that it moves is in the registers alone, which unit tests look at.
fn wide_and_moved(rig: &mut Rig) -> Result<Counts> {
    /// The frames in which the page and the level are looked at.
    const STOPS: &str = "frames=620 stops=392";
    const WAY: &str = "160t,9d,9d,9x,9u,9u,9x,9d,9r,9d,9l,9l,9l,9l,9l,9l,9d,9r,9r,9r,9r,20t,9t,9u,9u,9x,40x";
    let job = Job {
        stops: vec!["wide-options".into()],
        ..Job::new("wide", &format!("quick lockstep {STOPS} script={WAY} hold"))
    };
    let seen = rig.boot(&job)?;
    let mut counts = judge("16:9 and another place for the picture are chosen, and a level played with them", {
        ended_well(&seen).and_then(|()| no_complaints(&seen)).and_then(|()| {
            ensure!(seen.lines.iter().any(|line| line == "MODE gameplay"), "no level: {:?}", seen.last_lines());
            Ok(())
        })
    });
    let options = Seen { picture: Some(rig.picture_path("wide-options")), ..seen.clone() };
    counts += judge("the page shows what was chosen", golden(rig, &options, "wide-options"));
    counts += judge("the level is drawn for 16:9", golden(rig, &seen, "wide"));
    Ok(counts)
}

/// Starts the runner as a person does, and ends it as Ctrl-C does while the title is up.
fn interrupted_run(rig: &mut Rig) -> Result<()> {
    /// The brightest channel of words is above this.
    const WORDS: u8 = 128;
    let png = rig.context.target.join("tests/interrupted.png");
    if png.exists() {
        std::fs::remove_file(&png)?;
    }
    let mut command = Command::new(process::own_program());
    command.current_dir(&rig.context.root).args(["run", "--headless", "--seconds", "60", "--png"]).arg(&png);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut runner = process::Job::start(&mut command)?;
    let output = runner.child().stdout.take().context("the runner has no output")?;
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    ensure!(lines.any(|line| line == "MODE memory card"), "the game did not come to the card's screen");
    ensure!(runner.stop(), "the runner did not end when it was asked to");
    let pixels = image::open(&png).context("there is no picture")?.into_rgb8();
    ensure!(pixels.pixels().any(|pixel| pixel.0.iter().any(|channel| *channel > WORDS)), "the picture is dark");
    Ok(())
}

/// The title's first seconds in the interpreter with the EE's data cache modelled.
pub fn cache(rig: &mut Rig) -> Result<Counts> {
    let job = Job {
        mode: Mode::InterpreterWithCache,
        seconds: 400,
        ..Job::new("cache", &format!("title frames={SHORT_FRAMES} dma-check hold"))
    };
    let seen = rig.boot(&job)?;
    let mut counts = Counts::default();
    counts += judge("the title runs with the data cache modelled", ended_well(&seen));
    counts += judge("no unaligned access", no_complaints(&seen));
    counts += judge("the picture is the golden one", golden(rig, &seen, "title-short"));
    counts += game_with_cache(rig)?;
    Ok(counts)
}

/// The game itself with the data cache modelled, some way into a level: drawing refers to nothing that was not written back.
fn game_with_cache(rig: &mut Rig) -> Result<Counts> {
    const UNWRITTEN: &str = "FACT unwritten 0 quadwords";
    let job = Job {
        mode: Mode::InterpreterWithCache,
        seconds: 600,
        ..Job::new("cache-game", "quick lockstep mission=1 frames=240 script=160t dma-check hold")
    };
    let seen = rig.boot(&job)?;
    println!("  the game with the data cache modelled: {:.0} s", seen.lasted);
    Ok(judge("the game plays with the data cache modelled, and all that it draws from is written back", {
        ended_well(&seen).and_then(|()| no_complaints(&seen)).and_then(|()| {
            ensure!(seen.lines.iter().any(|line| line == "MODE gameplay"), "no level: {:?}", seen.last_lines());
            ensure!(seen.lines.iter().any(|line| line == UNWRITTEN), "`{UNWRITTEN}` was not said");
            Ok(())
        })
    }))
}

/// The title's first seconds with both processors' RAM full of a pattern before anything runs.
pub fn leftovers(rig: &mut Rig) -> Result<Counts> {
    let job = Job { fill_ram: true, ..Job::new("leftovers", &format!("title frames={SHORT_FRAMES} hold")) };
    let seen = rig.boot(&job)?;
    let mut counts = Counts::default();
    counts += judge("the title runs on memory full of leftovers", ended_well(&seen));
    counts += judge("the picture is the golden one", golden(rig, &seen, "title-short"));
    Ok(counts)
}

/// What the boot ROM says of drives and discs that cannot boot.
pub fn faults(rig: &mut Rig) -> Result<Counts> {
    let cases = [
        ("no-disc", Boots::NoDisc, "no disc"),
        ("no-cnf", Boots::files([("README.TXT", b"nothing to boot".to_vec())]), "SYSTEM.CNF"),
        // The emulator reads the file itself to tell a game's disc, and ends when the program it names is not there. It takes
        // the last of two BOOT2 lines and the ROM the first, so a good last line leaves the bad one to the ROM.
        ("not-a-game", Boots::files([("SYSTEM.CNF", b"VER = 1.00\r\n".to_vec())]), "SYSTEM.CNF"),
        ("no-program", hostile("cdrom0:\\NOT_HERE.ELF;1", b""), "NOT_HERE"),
        ("no-device", hostile("nowhere:\\BAD.ELF;1", b""), "nowhere"),
        ("long-path", hostile(&format!("cdrom0:\\{};1", "LONG".repeat(75)), b""), "too long"),
        ("far-segment", hostile("cdrom0:\\BAD.ELF;1", &far_segment()), "ends early"),
        (
            "bad-elf",
            Boots::files([
                ("SYSTEM.CNF", b"BOOT2 = cdrom0:\\BAD.ELF;1\r\n".to_vec()),
                ("BAD.ELF", b"\x7fELF, it says, and nothing more follows".to_vec()),
            ]),
            "ELF",
        ),
    ];
    let mut counts = Counts::default();
    for (name, boots, says) in cases {
        let job = Job { boots, until: "ROM: error", lit: true, ..Job::new(name, "") };
        let heard = rig.boot(&job).and_then(|seen| {
            let line = seen.lines.iter().find(|line| line.contains("ROM: error"));
            let line = line.with_context(|| format!("the ROM said only {:?}{}", seen.lines, seen.obituary()))?;
            ensure!(line.contains(says), "`{line}` does not speak of {says}");
            let picture = seen.picture.as_deref().context("no picture was taken")?;
            ensure!(is_lit(picture)?, "the screen stayed dark");
            Ok(())
        });
        counts += judge(&format!("{name} is told on console and screen"), heard);
    }
    let lost = Job { lit: true, ..Job::new("module-missing", "quick lockstep lost-module=MCSERV frames=90 hold") };
    let seen = rig.boot(&lost)?;
    counts += judge("a module that does not load is named after its tries", {
        ["BOOT module MCSERV missing: ", "BOOT tells of the missing MCSERV"].iter().try_for_each(|told| {
            ensure!(seen.lines.iter().any(|line| line.starts_with(told)), "no `{told}`: {:?}", seen.last_lines());
            Ok(())
        })
    });
    counts += judge("and stands on the screen", golden(rig, &seen, "module-missing"));
    let without = Job { lit: true, until: "BOOT IOP failed", ..Job::new("iop-missing", "quick lost-module=IOP") };
    let seen = rig.boot(&without)?;
    counts += judge("an IOP that does not start anew is told on the screen", golden(rig, &seen, "iop-missing"));
    Ok(counts)
}

/// A disc whose first BOOT2 line names `path`, with `program` as `BAD.ELF` on it.
fn hostile(path: &str, program: &[u8]) -> Boots {
    let cnf = format!("BOOT2 = {path}\r\nBOOT2 = cdrom0:\\OK.ELF;1\r\n");
    let good = elf_with_segment(ELF_HEADERS, 0x1000);
    let program = if program.is_empty() { good.clone() } else { program.to_vec() };
    Boots::files([("SYSTEM.CNF", cnf.into_bytes()), ("BAD.ELF", program), ("OK.ELF", good)])
}

/// A program whose one segment lies far behind the file's end, where a signed position is negative.
fn far_segment() -> Vec<u8> {
    elf_with_segment(0xFFFF_F000, 0x1000)
}

/// Bytes of an ELF header and one program header.
const ELF_HEADERS: u32 = 52 + 32;

/// A program for the EE with one segment at `offset` of the file.
fn elf_with_segment(offset: u32, bytes: u32) -> Vec<u8> {
    const ADDRESS: u32 = 0x0010_0000;
    let mut elf = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x08\0".to_vec();
    for word in [1, ADDRESS, 52, 0, 0x2092_4001, 52 | 32 << 16, 1, 0] {
        elf.extend(u32::to_le_bytes(word));
    }
    for word in [1, offset, ADDRESS, ADDRESS, bytes, bytes, 7, 16] {
        elf.extend(u32::to_le_bytes(word));
    }
    elf.resize((ELF_HEADERS + bytes) as usize, 0);
    elf
}

/// Prints how one check went and counts it.
pub fn judge(what: &str, outcome: Result<()>) -> Counts {
    match outcome {
        Ok(()) => {
            println!("  ok      {what}");
            Counts::PASSED
        }
        Err(error) => {
            println!("  FAILED  {what}: {error:#}");
            Counts::FAILED
        }
    }
}

pub(super) fn ended_well(seen: &Seen) -> Result<()> {
    match seen.lines.iter().find_map(|line| Ending::of(line)) {
        Some(Ending::Ok) => Ok(()),
        Some(other) => bail!("it ended with {other:?}"),
        None => bail!("no end in {:.0} s; the last lines were {:?}{}", seen.lasted, seen.last_lines(), seen.obituary()),
    }
}

/// Unaligned and illegal accesses show up as the emulator's own words or as the ROM's exception dump.
pub(super) fn no_complaints(seen: &Seen) -> Result<()> {
    let bad = ["exception", "unaligned", "Address error", "TLB Miss", "panic"];
    match seen.lines.iter().chain(&seen.chatter).find(|line| bad.iter().any(|word| line.contains(word))) {
        Some(line) => bail!("{line}"),
        None => Ok(()),
    }
}

/// The figures of a guest's `FRAME n ticks t missed m` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameLine {
    /// Frames shown so far.
    pub frames: u64,
    /// Ticks of the EE's counter so far.
    pub ticks: u64,
    /// Blanks that a frame came too late for.
    pub missed: u64,
}

impl FrameLine {
    /// Reads such a line.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.strip_prefix("FRAME ")?.split_whitespace();
        let frames = words.next()?.parse().ok()?;
        let mut field = |name: &str| (words.next()? == name).then(|| words.next()?.parse().ok()).flatten();
        Some(Self { frames, ticks: field("ticks")?, missed: field("missed")? })
    }
}

/// Thirty frames a second by the guest's own clock, and no blank missed after the first second.
pub fn steady_rate(seen: &Seen) -> Result<()> {
    rate_of(seen, NTSC_FRAMES)
}

/// A number of frames a second by the guest's own clock, and no blank missed after the first second.
fn rate_of(seen: &Seen, wanted: f64) -> Result<()> {
    let lines: Vec<FrameLine> = seen.lines.iter().filter_map(|line| FrameLine::parse(line)).collect();
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { bail!("the guest printed no FRAME lines") };
    let frames = last.frames.saturating_sub(first.frames);
    ensure!(frames > 60, "only {frames} frames between the first and the last line");
    let seconds = (last.ticks - first.ticks) as f64 / TICKS_PER_SECOND;
    let rate = frames as f64 / seconds;
    println!("  {rate:.3} frames a second over {seconds:.2} s, {} blanks missed", last.missed);
    ensure!((rate / wanted - 1.0).abs() < RATE_TOLERANCE, "{rate:.3} frames a second instead of {wanted:.3}");
    ensure!(last.missed == first.missed, "{} blanks were missed", last.missed - first.missed);
    Ok(())
}

pub(super) fn golden(rig: &Rig, seen: &Seen, name: &str) -> Result<()> {
    let picture = seen.picture.as_deref().context("no picture was taken")?;
    let golden = rig.context.root.join("tests/golden").join(format!("{name}.png"));
    if rig.bless {
        std::fs::copy(picture, &golden).with_context(|| format!("cannot write {}", golden.display()))?;
        println!("  blessed {}", golden.display());
        return Ok(());
    }
    let difference = picture::compare(picture, &golden, Tolerance::CLOSE)?;
    ensure!(
        difference.within,
        "{:.2} % of the pixels differ by up to {}; look at {} beside {}",
        difference.share() * 100.0,
        difference.largest,
        difference.diff.as_deref().unwrap_or(picture).display(),
        golden.display()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(lines: &[&str]) -> Seen {
        Seen {
            lines: lines.iter().map(|&line| line.to_owned()).collect(),
            chatter: Vec::new(),
            picture: None,
            died: false,
            lasted: 1.0,
        }
    }

    #[test]
    fn the_rate_is_taken_from_the_guests_own_clock() {
        let line = |second: u64, rate: f64, missed: u64| {
            format!("FRAME {} ticks {} missed {missed}", (second as f64 * rate) as u64, second * 294_912_000)
        };
        let run = |rate: f64, missed: u64| {
            let lines = [line(1, rate, 0), line(10, rate, missed)];
            steady_rate(&seen(&[&lines[0], &lines[1]]))
        };
        assert!(run(29.97, 0).is_ok());
        assert!(run(29.97, 1).is_err(), "a missed blank");
        assert!(run(25.0, 0).is_err(), "too slow");
        assert!(run(59.94, 0).is_err(), "too quick");
        assert!(steady_rate(&seen(&[])).is_err(), "no lines");
    }

    #[test]
    fn an_end_is_only_good_when_the_guest_says_so() {
        assert!(ended_well(&seen(&["BOARDWALK END ok"])).is_ok());
        assert!(ended_well(&seen(&["BOARDWALK END failed: panic"])).is_err());
        assert!(ended_well(&seen(&["FRAME 1 ticks 2 missed 0"])).is_err());
    }

    #[test]
    fn complaints_are_found_in_either_voice() {
        let mut quiet = seen(&["FRAME 1 ticks 2 missed 0"]);
        assert!(no_complaints(&quiet).is_ok());
        quiet.chatter.push("EE: unaligned access at 00100000".into());
        assert!(no_complaints(&quiet).is_err());
    }
}
