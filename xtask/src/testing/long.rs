//! Figures and endurance: `cargo xtask bench` and `cargo xtask soak`.

use super::console::{FrameLine, judge, no_complaints, steady_rate};
use super::rig::Job;
use super::{Counts, Rig, kernel};
use crate::emulator::Renderer;
use crate::iso;
use anyhow::{Context as _, Result, bail, ensure};
use object::{Object as _, ObjectSection as _};
use std::process::{Command, Stdio};

/// Shown frames in a minute on NTSC.
const FRAMES_PER_MINUTE: u64 = 1798;
/// Real seconds that a guest minute may take: about the console's own speed, which the emulator is usually far above.
const SECONDS_PER_MINUTE: u64 = 90;
/// Cycles of a frame on NTSC: two blanks.
const FRAME_CYCLES: f64 = 9_840_240.0;
/// Guest minutes of each soak within the tests.
const TEST_MINUTES: u32 = 1;

/// Something that is meant to run for long.
struct Soak {
    name: &'static str,
    /// A guest minute of it is one of the tests; the others have a shorter step of their own.
    in_tests: bool,
    run: fn(&mut Rig, u32) -> Result<()>,
}

/// The group of start-up's figures.
const BOOT: &str = "boot";
/// The group of the host's collision queries.
const HOST: &str = "host";
/// The group of the demo's level, seen from its views.
const LEVEL: &str = "level";
/// The group of the game's dearest frame.
const GAME: &str = "game";
/// The group of the overlay's pages.
const OVERLAY: &str = "overlay";
/// What the figures' names begin with.
const GROUPS: &[&str] = &[
    BOOT,
    GAME,
    HOST,
    LEVEL,
    OVERLAY,
    "frame",
    "cache",
    "code",
    "crowd",
    "human-sweep",
    "image",
    "kernel",
    "lit-triangles",
    "motion",
    "physics",
    "project",
    "rom",
    "sphere-triangle",
    "tasks",
    "title",
    "triangles",
    "scalar",
    "vu0",
    "yard",
];

const SOAKS: &[Soak] = &[
    Soak { name: "title", in_tests: true, run: title },
    Soak { name: "streams", in_tests: true, run: streams },
    Soak { name: "play", in_tests: true, run: play },
    Soak { name: "rom", in_tests: false, run: rom },
    Soak { name: "attract", in_tests: false, run: attract },
];

/// Prints every figure whose name contains one of `names`, as `bench NAME VALUE UNIT`. Figures of the guest carry the tag
/// `emulated`: they come from the emulated console's own counter, whose caches and buses cost nothing.
///
/// # Errors
/// A guest that does not come to its end.
pub fn bench(rig: &mut Rig, names: &[String]) -> Result<bool> {
    for name in names {
        let known = GROUPS.iter().any(|group| name.starts_with(group) || group.contains(name.as_str()));
        ensure!(known, "no figure is named like {name}; they begin with {}", GROUPS.join(", "));
    }
    let asks = |group: &str| names.is_empty() || names.iter().any(|name| name.starts_with(group));
    let mut figures = Vec::new();
    if asks(BOOT) {
        figures.extend(boot_figures(rig)?);
    }
    if asks(LEVEL) {
        figures.extend(level_figures(rig)?);
    }
    if asks(OVERLAY) {
        figures.extend(overlay_figures(rig)?);
    }
    // Those have runs of their own, and those of the boot ROM and of the host need no game.
    let others = |name: &String| !["rom", BOOT, GAME, HOST, LEVEL, OVERLAY].iter().any(|group| name.starts_with(group));
    if names.is_empty() || names.iter().any(others) {
        let job = Job::new("bench", "bench");
        let seen = rig.boot(&job)?;
        ensure!(seen.lines.iter().any(|line| line.contains("END ok")), "the guest ended with {:?}", seen.last_lines());
        figures.extend(seen.lines.iter().filter_map(|line| guest_figure(line)));
        for built in rig.programs()? {
            let elf = std::fs::read(&built.elf).with_context(|| format!("no {}", built.elf.display()))?;
            figures.push(format!("bench code/{} {} bytes host", built.program.package(), code_bytes(&elf)?));
        }
        let disc = rig.disc("disc", "")?;
        figures.push(format!("bench image/disc {} bytes host", disc.layout.sectors * iso::SECTOR));
    }
    if asks(GAME) {
        let seen = rig.boot(&Job::new("worst", "quick lockstep crowd mission=0 frames=480 script=160t hold"))?;
        ensure!(
            seen.lines.iter().any(|line| line.starts_with("CROWD ")),
            "the guest ended with {:?}",
            seen.last_lines()
        );
        // The last report is the one of a level that has filled up.
        let mut told: Vec<String> = seen.lines.iter().filter_map(|line| guest_figure(line)).collect();
        let steps = told.iter().rposition(|figure| figure.contains("worst_case "));
        figures.extend(told.split_off(steps.unwrap_or_default()));
    }
    if asks(HOST) {
        figures.extend(host_figures(rig)?);
    }
    if names.is_empty() || names.iter().any(|name| name.starts_with("rom")) {
        figures.extend(kernel::figures(rig)?.iter().filter_map(|line| guest_figure(line)));
    }
    let wanted = |figure: &&String| names.is_empty() || names.iter().any(|name| figure.contains(name.as_str()));
    let mut any = false;
    for figure in figures.iter().filter(wanted) {
        println!("{figure}");
        any = true;
    }
    if !any {
        bail!("no figure is named like that");
    }
    Ok(true)
}

/// How long after its begin the program shows its first frame and its menu, with no movies and nobody at the card's screen.
fn boot_figures(rig: &mut Rig) -> Result<Vec<String>> {
    let seen =
        rig.boot(&Job::new("bench-boot", "quick frames=300 script=1t*2,9t,9t,9t,9t,9t,9t,9t,9t,9t,9t,9t,9t,9t,9t"))?;
    let figure = |line: &String| {
        let (what, time) = line.strip_prefix("BOOT first ")?.split_once(" after ")?;
        Some(format!("bench {BOOT}/{what} {time} emulated"))
    };
    let figures: Vec<String> = seen.lines.iter().filter_map(figure).collect();
    ensure!(figures.len() == 2, "the program did not come to its menu: {:?}", seen.last_lines());
    Ok(figures)
}

/// What the dearest of the boardwalk's views takes: the frame's time, triangles, packet and textures sent.
fn level_figures(rig: &mut Rig) -> Result<Vec<String>> {
    let seen = rig.boot(&Job::new("bench-level", "level=boardwalk frames=830"))?;
    let views: Vec<ViewLine> = seen.lines.iter().filter_map(|line| ViewLine::parse(line)).collect();
    let dearest = views.iter().max_by_key(|view| view.ticks).with_context(|| format!("{:?}", seen.last_lines()))?;
    let most = |of: fn(&ViewLine) -> u64| views.iter().map(of).max().unwrap_or_default();
    Ok(vec![
        format!("bench {LEVEL}/views {} views emulated", views.len()),
        format!("bench {LEVEL}/dearest-build {} cycles emulated", dearest.ticks),
        format!("bench {LEVEL}/most-drawn {} cycles emulated", most(|view| view.drawn)),
        format!("bench {LEVEL}/dearest-triangles {} triangles emulated", dearest.triangles),
        format!("bench {LEVEL}/most-packet {} bytes emulated", most(|view| view.packet) * 16),
        format!("bench {LEVEL}/most-uploads {} textures emulated", most(|view| view.uploads)),
    ])
}

/// What a view of a level took, as the guest tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ViewLine {
    triangles: u64,
    packet: u64,
    uploads: u64,
    ticks: u64,
    /// Cycles that the GS took for such a frame.
    drawn: u64,
}

impl ViewLine {
    fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.strip_prefix("LEVEL view ")?.split_whitespace().collect();
        let of = |name: &str| words.windows(2).find(|pair| pair[0] == name).and_then(|pair| pair[1].parse().ok());
        Some(Self {
            triangles: of("triangles")?,
            packet: of("packet")?,
            uploads: of("uploads")?,
            ticks: of("ticks")?,
            drawn: of("drawn")?,
        })
    }
}

/// What the dearest of the overlay's pages costs in the frame that writes and draws it.
fn overlay_figures(rig: &mut Rig) -> Result<Vec<String>> {
    let seen = rig.boot(&Job::new("bench-overlay", "overlays"))?;
    let pages = seen.lines.iter().filter_map(|line| super::overlay::PageLine::parse(line));
    let dearest =
        pages.max_by_key(|page| page.write + page.draw).with_context(|| format!("{:?}", seen.last_lines()))?;
    let cycles = dearest.write + dearest.draw;
    Ok(vec![
        format!("bench {OVERLAY}/dearest-page {cycles} cycles emulated"),
        format!("bench {OVERLAY}/dearest-page-share {:.1} percent emulated", cycles as f64 * 100.0 / FRAME_CYCLES),
    ])
}

/// Bytes of machine code in an ELF.
fn code_bytes(elf: &[u8]) -> Result<u64> {
    let file = object::File::parse(elf)?;
    Ok(file
        .sections()
        .filter(|section| section.kind() == object::SectionKind::Text)
        .map(|section| section.size())
        .sum())
}

/// Figures of the host's collision queries beside another library's, both built for speed.
fn host_figures(rig: &Rig) -> Result<Vec<String>> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let arguments = ["run", "--quiet", "--locked", "--release", "--package", "collision-bench"];
    command.current_dir(&rig.context.root).args(arguments);
    let output = command.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "the collision queries answer wrongly: {text}");
    Ok(text.lines().filter_map(|line| figure(line, "host")).collect())
}

/// The guest's `BENCH name value unit` as a figure.
fn guest_figure(line: &str) -> Option<String> {
    figure(line, "emulated")
}

/// `BENCH name value unit` as a figure that says where it comes from.
fn figure(line: &str, place: &str) -> Option<String> {
    let mut words = line.strip_prefix("BENCH ")?.split_whitespace();
    let (name, value, unit) = (words.next()?, words.next()?, words.next()?);
    value.parse::<f64>().ok()?;
    Some(format!("bench {name} {value} {unit} {place}"))
}

/// Runs one soak, or all of them, for a number of guest minutes. True when all went well.
///
/// # Errors
/// An unknown name.
pub fn soak(rig: &mut Rig, name: Option<&str>, minutes: u32) -> Result<bool> {
    ensure!(minutes > 0, "a soak of no minutes proves nothing");
    if let Some(name) = name {
        ensure!(
            SOAKS.iter().any(|soak| soak.name == name),
            "there is no soak {name}; there are: {}",
            SOAKS.iter().map(|soak| soak.name).collect::<Vec<_>>().join(", ")
        );
    }
    let counts = run_soaks(rig, |soak| name.is_none_or(|name| name == soak.name), minutes);
    println!("{} passed, {} failed", counts.passed, counts.failed);
    Ok(counts.failed == 0)
}

/// A guest minute of each, for the tests.
pub fn short_soak(rig: &mut Rig) -> Result<Counts> {
    Ok(run_soaks(rig, |soak| soak.in_tests, TEST_MINUTES))
}

fn run_soaks(rig: &mut Rig, wanted: impl Fn(&Soak) -> bool, minutes: u32) -> Counts {
    let mut counts = Counts::default();
    for soak in SOAKS.iter().filter(|soak| wanted(soak)) {
        counts += judge(&format!("{} for {minutes} guest minutes", soak.name), (soak.run)(rig, minutes));
    }
    counts
}

/// Data and music at a console's pace, without a gap in the music.
fn streams(rig: &mut Rig, minutes: u32) -> Result<()> {
    super::streams::endure(rig, minutes, SECONDS_PER_MINUTE * u64::from(minutes))
}

/// The game itself, with its people, sounds and music, from a drive as slow as a console's: it is played for most of the time, the
/// module never runs out of music, no frame comes too late, and nothing is complained about.
fn play(rig: &mut Rig, minutes: u32) -> Result<()> {
    /// The longest mission, walked, struck and jumped through; when its time is over, once more.
    const SCRIPT: &str = "160t,200n*60,30q,30q,20n*90,9t,40k*60,30q,60n*200,9500x,60n*300,30q,60k*300";
    /// What the game says of it: 1.4 MB/s and seeks of 160 ms.
    const SLOW_DRIVE: &str = "DISC no quicker than a console's";
    let frames = FRAMES_PER_MINUTE * u64::from(minutes);
    let job = Job {
        seconds: SECONDS_PER_MINUTE * u64::from(minutes),
        renderer: Renderer::Nothing,
        ..Job::new("soak-play", &format!("quick lockstep mission=2 slow=60 frames={frames} script={SCRIPT} hold"))
    };
    let seen = rig.boot(&job)?;
    ensure!(seen.lines.iter().any(|line| line.contains("END ok")), "it ended with {:?}", seen.last_lines());
    let told: Vec<&String> =
        seen.lines.iter().filter(|line| line.starts_with("SOUND bank ") && line.contains(" underruns ")).collect();
    let last = told.iter().rev().find(|line| line.contains(" music true ")).context("no music was heard of")?;
    let (played, late) = late_frames(&seen.lines);
    println!("  {last}, {played} frames played, {late} blanks late, {:.0} seconds of real time", seen.lasted);
    ensure!(seen.lines.iter().any(|line| line == SLOW_DRIVE), "the drive was not slowed down");
    ensure!(seen.lines.iter().any(|line| line == "MODE gameplay"), "nothing was played");
    ensure!(played * 2 > frames, "{played} frames of {frames} were played");
    ensure!(late == 0, "{late} blanks were missed in {played} frames of play");
    let bad = told.iter().find(|line| !line.ends_with(" underruns 0 not understood 0"));
    ensure!(bad.is_none(), "{bad:?}");
    no_complaints(&seen)
}

/// The title left alone: each of its demos ends as it did the time before, with as much memory free; while they are played no
/// frame comes too late, and nothing is complained about.
fn attract(rig: &mut Rig, minutes: u32) -> Result<()> {
    /// Guest minutes in which every demo plays twice.
    const TWICE: u32 = 6;
    let minutes = minutes.max(TWICE);
    let frames = FRAMES_PER_MINUTE * u64::from(minutes);
    let job = Job {
        seconds: SECONDS_PER_MINUTE * u64::from(minutes),
        renderer: Renderer::Nothing,
        ..Job::new("soak-attract", &format!("quick lockstep frames={frames} script=160t hold"))
    };
    let seen = rig.boot(&job)?;
    ensure!(seen.lines.iter().any(|line| line.contains("END ok")), "it ended with {:?}", seen.last_lines());
    let demos = demos_of(&seen.lines);
    let twice = |name: &str| demos.iter().filter(|(other, _)| other == name).count() > 1;
    ensure!(demos.len() > 3 && demos.iter().all(|(name, _)| twice(name)), "these were played: {demos:?}");
    for (name, end) in &demos {
        let first = demos.iter().find(|(other, _)| other == name).map(|(_, end)| end);
        ensure!(first == Some(end), "{name} ended first with `{first:?}` and then with `{end}`");
    }
    let (frames, late) = late_frames(&seen.lines);
    println!(
        "  {} demos, {frames} frames of them, {late} blanks late, {:.0} seconds of real time",
        demos.len(),
        seen.lasted
    );
    demos.iter().filter(|(name, _)| *name == demos[0].0).take(1).for_each(|(name, end)| println!("  {name} {end}"));
    ensure!(frames > 0 && late == 0, "{late} blanks were missed in {frames} frames of demos");
    no_complaints(&seen)
}

/// Frames that were shown while demos were played, as far as whole seconds tell, and the blanks that they came too late for.
fn late_frames(lines: &[String]) -> (u64, u64) {
    let (mut plays, mut last, mut sum): (bool, Option<FrameLine>, _) = (false, None, (0, 0));
    for line in lines {
        if line.starts_with("MODE ") || line.starts_with("DEMO ") {
            // A level's first second is its loading's, too.
            (plays, last) = (line == "MODE gameplay", None);
        } else if let Some(frame) = FrameLine::parse(line).filter(|_| plays)
            && let Some(last) = last.replace(frame)
        {
            sum = (sum.0 + frame.frames - last.frames, sum.1 + frame.missed - last.missed);
        }
    }
    sum
}

/// The demos that came to their end: name and what was told of it.
fn demos_of(lines: &[String]) -> Vec<(String, String)> {
    let (mut name, mut ended) = (String::new(), Vec::new());
    for line in lines.iter().filter_map(|line| line.strip_prefix("DEMO ")) {
        match line.strip_suffix(" begins") {
            Some(begins) => name = begins.to_owned(),
            None => ended.push((name.clone(), line.to_owned())),
        }
    }
    ended
}

/// The boot ROM with everything at once.
fn rom(rig: &mut Rig, minutes: u32) -> Result<()> {
    kernel::soak(rig, minutes, SECONDS_PER_MINUTE * u64::from(minutes))
}

/// The title keeps its rate and never misses a blank.
fn title(rig: &mut Rig, minutes: u32) -> Result<()> {
    let frames = FRAMES_PER_MINUTE * u64::from(minutes);
    let job = Job {
        seconds: SECONDS_PER_MINUTE * u64::from(minutes),
        ..Job::new("soak-title", &format!("title frames={frames} hold"))
    };
    let seen = rig.boot(&job)?;
    ensure!(seen.lines.iter().any(|line| line.contains("END ok")), "it ended with {:?}", seen.last_lines());
    steady_rate(&seen)?;
    let last = seen.lines.iter().rev().find_map(|line| FrameLine::parse(line)).context("no FRAME line")?;
    ensure!(last.frames + 60 > frames, "the last line is of frame {} of {frames}", last.frames);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_count_while_a_demo_is_played() {
        let lines = [
            "FRAME 30 ticks 1 missed 5",
            "DEMO pier begins",
            "MODE level flow",
            "FRAME 60 ticks 2 missed 20",
            "MODE gameplay",
            "FRAME 90 ticks 3 missed 21",
            "FRAME 120 ticks 4 missed 21",
            "FRAME 150 ticks 5 missed 24",
            "DEMO ends after 9 updates: 1 people, state 00000001, 5 bytes free",
            "FRAME 180 ticks 6 missed 30",
        ]
        .map(str::to_owned);
        assert_eq!(late_frames(&lines), (60, 3));
    }

    #[test]
    fn demos_are_told_by_name_and_end() {
        let lines = ["DEMO pier begins", "MODE gameplay", "DEMO ends after 9 updates: 1 people, state 00000001"];
        let told = demos_of(&lines.map(str::to_owned));
        let end = "ends after 9 updates: 1 people, state 00000001";
        assert_eq!(told, [("pier".to_owned(), end.to_owned())]);
    }

    #[test]
    fn a_guest_figure_is_tagged_emulated() {
        assert_eq!(guest_figure("BENCH call/empty 61 cycles").as_deref(), Some("bench call/empty 61 cycles emulated"));
        assert_eq!(guest_figure("BENCH call/empty many cycles"), None);
        assert_eq!(guest_figure("FRAME 1 ticks 2 missed 3"), None);
    }

    #[test]
    fn a_views_line_is_read() {
        let line = "LEVEL view 2 triangles 10 vertices 9 batches 8 sprites 7 lost 0 packet 6 uploads 5 ticks 4 drawn 3";
        assert_eq!(ViewLine::parse(line), Some(ViewLine { triangles: 10, packet: 6, uploads: 5, ticks: 4, drawn: 3 }));
        assert_eq!(ViewLine::parse("LEVEL boardwalk missed 0 dropped 0"), None);
    }
}
