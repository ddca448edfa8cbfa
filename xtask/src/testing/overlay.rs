//! The overlay's pages on the console: each one's picture, and what it costs.

use super::console::{ended_well, golden, judge, no_complaints};
use super::rig::{Job, Seen};
use super::{Counts, Rig};
use crate::emulator::{Boot, Machine, Session, Wait, picture};
use crate::rom::RomOptions;
use anyhow::{Context as _, Result, bail, ensure};
use std::time::Duration;

/// Cycles that a page may cost a frame: 8 % of two blanks at 60 Hz, in the half of a frame that an emulator may take.
/// Source: console rule 13.
const MOST_CYCLES: u64 = 9_830_400 * 8 / 100 / 2;
/// How long the next page may take.
const PATIENCE: Duration = Duration::from_secs(40);

/// Boots of the game: a name, what it is told, and whether Select opens the overlay.
const IN_GAME: [(&str, &str, bool); 3] = [
    ("overlay-game", "mission=0 frames=200 script=100n*30,9e", true),
    (LINES, "mission=2 overlay=world frames=480 script=160t,200x,9d,9x,9d,9x,9d,9x,9d,9x,9d,9x", false),
    (HUMAN, "mission=2 overlay=human frames=400 script=160t", false),
];

/// Lines over a level, and the page of a human in it: their pictures are golden ones.
const LINES: &str = "overlay-lines";
const HUMAN: &str = "overlay-game-human";

/// What pages say in a game: a page's name and words of one of its rows.
const SAID: [(&str, &[&str]); 8] = [
    ("frame", &["TRIANGLES", "PACKET QUADS"]),
    ("memory", &["Global-Memory"]),
    ("human", &["AT", "M/S"]),
    ("human", &["CODE", "SHOWS"]),
    ("streams", &["READ", "BYTES OF IT"]),
    ("tools", &["SPAWN", "BRICK"]),
    ("build", &["ROM", "EE 2E REVISION"]),
    ("build", &["60 BLANKS"]),
];

/// What the guest says of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLine {
    /// The page's.
    pub name: String,
    /// Cycles of writing it.
    pub write: u64,
    /// Cycles of drawing it.
    pub draw: u64,
    /// Quadwords of packet.
    pub quads: u64,
}

impl PageLine {
    /// Reads such a line.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.strip_prefix("OVERLAY ")?.split_whitespace();
        let name = words.next()?.to_owned();
        let mut field = |name: &str| (words.next()? == name).then(|| words.next()?.parse().ok()).flatten();
        Some(Self { name, write: field("write")?, draw: field("draw")?, quads: field("quads")? })
    }
}

/// Boots the overlay's scene once; every page is photographed while it stands.
pub fn overlay(rig: &mut Rig) -> Result<Counts> {
    let rom = rig.rom(RomOptions::default())?;
    let disc = rig.disc("overlay", "overlays hold")?.path;
    // In real time: a page must stand long enough for its picture.
    let machine = Machine { limiter: true, ..Machine::headless(rom, Boot::Disc(disc)) };
    let mut session = Session::start(&rig.context, &machine)?;
    let counts = every_page(rig, &mut session);
    session.stop();
    let mut counts = counts?;
    counts += start_up(rig)?;
    for (name, arguments, opened) in IN_GAME {
        let seen = rig.boot(&Job::new(name, &format!("quick lockstep {arguments} hold")))?;
        let sane = ended_well(&seen).and_then(|()| no_complaints(&seen));
        let told = seen.lines.iter().any(|line| line == "OVERLAY open frame");
        counts += judge(&format!("{name} ends well"), sane);
        counts += judge(&format!("{name} opens it when Select is pressed and not else"), {
            if told == opened { Ok(()) } else { Err(anyhow::anyhow!("the last lines were {:?}", seen.last_lines())) }
        });
        if !opened {
            counts += judge(&format!("the picture of {name} is the golden one"), golden(rig, &seen, name));
            counts += judge(&format!("{name}'s pages tell of the game"), tells(&seen.lines));
        }
        let limit = match name {
            HUMAN => Some(MOST_CYCLES),
            // Every line over a level with nearly all its layers may take the whole of it.
            LINES => Some(2 * MOST_CYCLES),
            _ => None,
        };
        if let Some(limit) = limit {
            counts += judge(&format!("{name} costs at most 8 % of a frame"), cheap(&seen.lines, limit));
        }
    }
    Ok(counts)
}

/// The page of start-up in a game: its picture but for the figures, which are those that the game printed in the same run.
fn start_up(rig: &mut Rig) -> Result<Counts> {
    /// Where the figures stand: the sum in the heading, milliseconds and kilobytes of both halves.
    const FIGURES: [[u32; 4]; 3] = [[180, 22, 110, 24], [204, 45, 108, 362], [500, 45, 108, 362]];
    const NAME: &str = "overlay-game-boot";
    let seen = rig.boot(&Job::new(NAME, "quick lockstep overlay=boot frames=60 hold"))?;
    let mut counts =
        judge("the page of start-up in a game ends well", ended_well(&seen).and_then(|()| no_complaints(&seen)));
    let masked = seen.picture.as_deref().context("no picture was taken").and_then(|file| picture::mask(file, &FIGURES));
    counts += judge("the page of start-up in a game is the golden one but for its figures", {
        masked.and_then(|masked| golden(rig, &Seen { picture: Some(masked), ..seen.clone() }, NAME))
    });
    counts += judge("the figures on it are the run's own", own_costs(&seen.lines));
    Ok(counts)
}

/// Each step's time and memory stands on the page as it was printed when the step was done.
fn own_costs(lines: &[String]) -> Result<()> {
    /// Letters of a name that the page has room for, fewer where the device's steps are indented, and of half a row.
    const LETTERS: usize = 13;
    const HALF: usize = 27;
    let rows: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("SHEET boot ")).collect();
    let halves: Vec<&str> =
        rows.iter().flat_map(|row| [row.get(..HALF).unwrap_or(row), row.get(HALF..).unwrap_or("")]).collect();
    let mut steps = 0;
    for line in lines.iter().filter(|line| line.starts_with("BOOT ") && line.ends_with(" bytes")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, _, name @ .., milliseconds, "ms", bytes, "bytes"] = words.as_slice() else { bail!("`{line}`") };
        let (name, milliseconds, bytes) = (name.join(" "), milliseconds.parse::<f64>()?, bytes.parse::<i64>()?);
        let name = name.get(..LETTERS).unwrap_or(&name).trim();
        let half = halves.iter().find(|half| half.trim_start().starts_with(name));
        let half = half.with_context(|| format!("no row of {name}: {rows:?}"))?;
        let figures: Vec<&str> = half.split_whitespace().rev().take(2).collect();
        let [kilobytes, shown] = figures[..] else { bail!("`{half}` has no figures") };
        let (kilobytes, shown) = (kilobytes.trim_end_matches('K').parse::<i64>()?, shown.parse::<f64>()?);
        let is_own = kilobytes == bytes / 1024 && (shown - milliseconds.floor()).abs() <= 1.0;
        ensure!(is_own, "the page says `{}` of `{line}`", half.trim());
        steps += 1;
    }
    println!("  {steps} steps");
    ensure!(steps > 30, "only {steps} steps");
    Ok(())
}

fn every_page(rig: &Rig, session: &mut Session) -> Result<Counts> {
    let mut counts = Counts::default();
    loop {
        let mut heard = String::new();
        let wait = session.wait(PATIENCE, |line| {
            let stop = line.text.starts_with("OVERLAY ") || line.text.starts_with("BOARDWALK END");
            if stop {
                heard.clone_from(&line.text);
            }
            stop
        })?;
        if wait != Wait::Heard {
            bail!("the guest said nothing more");
        }
        if heard.starts_with("BOARDWALK END") {
            counts += judge("the scene ends well", ended(&heard, counts));
            return Ok(counts);
        }
        let page = PageLine::parse(&heard).with_context(|| format!("`{heard}` is no page"))?;
        let name = format!("overlay-{}", page.name);
        let path = rig.context.target.join("pictures").join(format!("{name}.png"));
        session.screenshot(&path)?;
        println!("  {} written in {}, drawn in {} cycles, {} quadwords", page.name, page.write, page.draw, page.quads);
        let seen = Seen { lines: vec![heard], chatter: vec![], picture: Some(path), died: false, lasted: 0.0 };
        counts += judge(&format!("the page {} is the golden one", page.name), golden(rig, &seen, &name));
        counts += judge(&format!("the page {} costs at most 8 % of a frame", page.name), affordable(&page));
    }
}

/// The pages have their figures, and what was drawn is among them.
fn tells(lines: &[String]) -> Result<()> {
    for (page, words) in SAID {
        let begin = format!("SHEET {page} ");
        let mut rows = lines.iter().filter_map(|line| line.strip_prefix(&begin));
        ensure!(rows.any(|row| words.iter().all(|word| row.contains(word))), "no {words:?} on the page {page}");
    }
    let row = lines.iter().find_map(|line| line.strip_prefix("SHEET frame TRIANGLES")).context("no triangles")?;
    let triangles: u32 = row.split_whitespace().next().context("no figure")?.parse()?;
    ensure!(triangles > 100, "{triangles} triangles are no level");
    Ok(())
}

/// What the overlay's last frames cost in a game.
fn cheap(lines: &[String], limit: u64) -> Result<()> {
    let told = lines.iter().find_map(|line| line.strip_prefix("OVERLAY costs ")).context("no cost was told")?;
    println!("  {told}");
    let most: u64 = told.rsplit(' ').next().unwrap_or_default().parse()?;
    ensure!(most <= limit, "{most} cycles of at most {limit}");
    Ok(())
}

/// The most expensive frame of a page writes and draws it.
fn affordable(page: &PageLine) -> Result<()> {
    let cycles = page.write + page.draw;
    ensure!(cycles <= MOST_CYCLES, "{cycles} cycles of at most {MOST_CYCLES}");
    Ok(())
}

fn ended(line: &str, counts: Counts) -> Result<()> {
    ensure!(line == "BOARDWALK END ok", "{line}");
    ensure!(counts != Counts::default(), "no page was shown");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pages_line_is_read() {
        let page = PageLine::parse("OVERLAY tasks write 12 draw 345 quads 6").unwrap();
        assert_eq!((page.name.as_str(), page.write, page.draw, page.quads), ("tasks", 12, 345, 6));
        assert_eq!(PageLine::parse("OVERLAY tasks write x"), None);
    }

    #[test]
    fn figures_of_another_run_on_the_page_of_start_up_are_told() {
        let lines = |shown: &str| -> Vec<String> {
            let step = |n: usize| format!("BOOT {n:02} step number {n:02} 2.8 ms 2100 bytes");
            let row = |n: usize| {
                format!(
                    "SHEET boot {:<15}{:>4}{:>6}  {:<15}{:>4}{:>6}",
                    format!("step number {n:02}"),
                    2,
                    "2K",
                    format!("step number {:02}", n + 20),
                    2,
                    "2K"
                )
            };
            let mut lines: Vec<String> = (0..40).map(step).chain((0..20).map(row)).collect();
            lines[40] =
                format!("SHEET boot {:<15}{shown}  {:<15}{:>4}{:>6}", "step number 00", "step number 20", 2, "2K");
            lines
        };
        own_costs(&lines("   2    2K")).unwrap();
        assert!(own_costs(&lines("   9    2K")).is_err() && own_costs(&lines("   2    3K")).is_err());
        assert!(own_costs(&[]).is_err());
    }

    #[test]
    fn a_game_whose_pages_are_silent_or_dear_is_told() {
        let lines = |triangles: u32, most: u64| -> Vec<String> {
            let mut lines: Vec<String> =
                SAID.iter().map(|(page, words)| format!("SHEET {page} {}", words.join(" 7 "))).collect();
            lines[0] = format!("SHEET frame TRIANGLES {triangles}  PACKET QUADS 9");
            lines.push(format!("OVERLAY costs 9 cycles, at most {most}"));
            lines
        };
        assert!(tells(&lines(900, 0)).is_ok() && cheap(&lines(0, MOST_CYCLES), MOST_CYCLES).is_ok());
        assert!(tells(&lines(0, 0)).is_err() && cheap(&lines(0, MOST_CYCLES + 1), MOST_CYCLES).is_err());
        assert!(tells(&lines(900, 0)[1..]).is_err() && cheap(&[], MOST_CYCLES).is_err());
    }

    #[test]
    fn eight_hundredths_of_a_frame_are_the_limit() {
        let page = |draw| PageLine { name: String::new(), write: 0, draw, quads: 0 };
        assert!(affordable(&page(MOST_CYCLES)).is_ok());
        assert!(affordable(&page(MOST_CYCLES + 1)).is_err());
    }
}
