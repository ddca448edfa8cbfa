//! The overlay's pages on the console: each one's picture, and what it costs.

use super::console::{ended_well, golden, judge, no_complaints};
use super::rig::{Job, Seen};
use super::{Counts, Rig};
use crate::emulator::{Boot, Machine, Session, Wait};
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
        if name == HUMAN {
            counts += judge(&format!("{name} costs at most 8 % of a frame"), cheap(&seen.lines));
        }
    }
    Ok(counts)
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
fn cheap(lines: &[String]) -> Result<()> {
    let told = lines.iter().find_map(|line| line.strip_prefix("OVERLAY costs ")).context("no cost was told")?;
    println!("  {told}");
    let most: u64 = told.rsplit(' ').next().unwrap_or_default().parse()?;
    ensure!(most <= MOST_CYCLES, "{most} cycles of at most {MOST_CYCLES}");
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
    fn a_game_whose_pages_are_silent_or_dear_is_told() {
        let lines = |triangles: u32, most: u64| -> Vec<String> {
            let mut lines: Vec<String> =
                SAID.iter().map(|(page, words)| format!("SHEET {page} {}", words.join(" 7 "))).collect();
            lines[0] = format!("SHEET frame TRIANGLES {triangles}  PACKET QUADS 9");
            lines.push(format!("OVERLAY costs 9 cycles, at most {most}"));
            lines
        };
        assert!(tells(&lines(900, 0)).is_ok() && cheap(&lines(0, MOST_CYCLES)).is_ok());
        assert!(tells(&lines(0, 0)).is_err() && cheap(&lines(0, MOST_CYCLES + 1)).is_err());
        assert!(tells(&lines(900, 0)[1..]).is_err() && cheap(&[]).is_err());
    }

    #[test]
    fn eight_hundredths_of_a_frame_are_the_limit() {
        let page = |draw| PageLine { name: String::new(), write: 0, draw, quads: 0 };
        assert!(affordable(&page(MOST_CYCLES)).is_ok());
        assert!(affordable(&page(MOST_CYCLES + 1)).is_err());
    }
}
