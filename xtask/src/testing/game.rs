//! The game on the console: from its start-up list to a level and back, driven by recorded buttons.

use super::card::{LEVEL_ALIKE, alike};
use super::console::{ended_well, golden, judge, no_complaints};
use super::rig::{Job, Seen};
use super::{Counts, Rig};
use crate::emulator::{Boot, Button, Machine, Renderer, Session, card};
use crate::level::{self, scene::ThingKind};
use crate::rom::RomOptions;
use anyhow::{Context as _, Result, ensure};
use std::path::Path;
use std::time::{Duration, Instant};

/// Steps of start-up, the device's among them. Source: seed 003, Game_InitializeSubsystems and Device initialisation.
const STEPS: usize = 29 + 6;

/// A screen of the game: how to get there, and what it is called.
struct Stop {
    name: &'static str,
    arguments: &'static str,
}

/// To the first fight and into it.
const FIGHT: &str = "quick lockstep frames=640 mission=2 script=160t,60n*235,30q,9q,9q,25q,9q,9q";
/// What the game says on the way there.
const WAY_TO_FIGHT: [&str; 3] = [
    "PEOPLE player 1 is human 0",
    "PEOPLE 6 there, task GET TO THE WHEEL AT THE FAR END",
    "PEOPLE 10 there, task THE DOCKERS WANT A FIGHT",
];

/// The screens, each with its golden picture.
const STOPS: [Stop; 15] = [
    Stop { name: "menu-title", arguments: "quick lockstep frames=240 script=160t" },
    Stop { name: "menu-missions", arguments: "quick lockstep frames=230 script=160t,9x,9d" },
    Stop { name: "menu-arena", arguments: "quick lockstep frames=230 script=160t,9d,9x" },
    Stop { name: "menu-options", arguments: "quick lockstep frames=250 script=160t,9d,9d,9x,9d,9r" },
    Stop { name: "menu-statistics", arguments: "quick lockstep frames=240 script=160t,9d,9d,9d,9x" },
    Stop { name: "boardwalk", arguments: "quick lockstep frames=460 mission=2 script=160t,60n*40" },
    Stop { name: "fight", arguments: FIGHT },
    Stop { name: "menu-pause", arguments: "quick lockstep frames=260 mission=0 script=160t,30n*20,9s,9d" },
    Stop { name: "card-absent", arguments: "quick lockstep frames=180" },
    Stop { name: "yard", arguments: "quick lockstep frames=330 script=160t,9x,9x,40n*30,9q" },
    Stop { name: "mission-failed", arguments: "quick lockstep frames=2180 mission=1 script=160t" },
    Stop { name: "lesson", arguments: "quick lockstep scenes frames=250 mission=0 script=160t" },
    Stop { name: "arena-halves", arguments: "quick lockstep frames=300 arena=3 second=9. script=160t" },
    Stop {
        name: "arena-result",
        arguments: "quick lockstep frames=2250 arena=1 second=9. script=160t,90n*30,9q,9q,9q",
    },
    Stop { name: "arena-over", arguments: "quick lockstep alone frames=2250 arena=1 script=160t" },
];

/// Boots the game once for each stop and compares what it shows.
pub fn game(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    for (number, stop) in STOPS.iter().enumerate() {
        let seen = rig.boot(&Job::new(stop.name, &format!("{} hold", stop.arguments)))?;
        let ended = ended_well(&seen).and_then(|()| no_complaints(&seen));
        if number == 0 {
            for line in seen.lines.iter().filter(|line| line.starts_with("BOOT ")) {
                println!("  {line}");
            }
            counts += judge("start-up runs every step within its share of memory", every_step(&seen));
        }
        if stop.name == "boardwalk" {
            counts += judge(
                "a purse on the way is taken by who walks over it",
                in_order(&seen, &["TAKEN money, 20 in hand"]),
            );
        }
        if stop.name == "boardwalk" {
            counts += judge("the game's wheel updates as intervals and starts say, and never a human", wheel(&seen));
            counts += judge("humans, cameras, flags and boxes have handles from their starts", handles(&seen));
            let job =
                Job { renderer: Renderer::OpenGl, ..Job::new("boardwalk-opengl", &format!("{} hold", stop.arguments)) };
            let again = rig.boot(&job)?;
            counts += judge("boardwalk looks the same through OpenGL", alike(rig, &again, stop.name, LEVEL_ALIKE));
            counts +=
                judge("flags, boxes and spawn records have as many places as the level asks for", sizes(rig, &seen));
        }
        if stop.arguments == FIGHT {
            counts += judge("a gang follows and rivals come", in_order(&seen, &WAY_TO_FIGHT));
        }
        counts += judge(&format!("{} ends well", stop.name), ended);
        counts += judge(&format!("{} looks as it should", stop.name), golden(rig, &seen, stop.name));
    }
    Ok(counts)
}

/// The game's own watch of its wheel: the steady tasks' updates are as their intervals and starts say.
/// Source: settled questions 13.
fn wheel(seen: &Seen) -> Result<()> {
    let line = seen.lines.iter().find(|line| line.starts_with("WHEEL ")).context("no line WHEEL")?;
    println!("  {line}");
    let of = |word: &str| -> Result<u32> {
        let mut words = line.split(' ').skip_while(|seen| *seen != word);
        Ok(words.nth(1).with_context(|| format!("no `{word}` in `{line}`"))?.parse()?)
    };
    ensure!(of("steady")? > 50 && of("expected")? > 1000, "too little was watched: {line}");
    ensure!(of("expected")? == of("counted")?, "{line}");
    ensure!(of("Human")? == 0 && of("PauseParticle")? == 0, "{line}");
    ensure!(["Object", "Particle", "Car"].into_iter().all(|class| of(class).is_ok_and(|count| count > 0)), "{line}");
    Ok(())
}

/// Where the handles of each kind begin, as the game's own line says. Source: seed 000, Handles.
fn handles(seen: &Seen) -> Result<()> {
    let line = seen.lines.iter().find(|line| line.starts_with("HANDLES ")).context("no line HANDLES")?;
    println!("  {line}");
    ensure!(line.starts_with("HANDLES Human 0 Camera 60 Flag 108 Box 620 Cursor 748 live "), "{line}");
    ensure!(line.ends_with(" paths 2"), "{line}");
    Ok(())
}

/// The pools that a level's counts decide, against the level's source. Source: seed 000, Task classes and pools; settled
/// questions 11.
fn sizes(rig: &Rig, seen: &Seen) -> Result<()> {
    /// Flags and spawn records beyond those that the level places.
    const MORE: [usize; 2] = [4, 500];
    let line = seen.lines.iter().find(|line| line.starts_with("SIZES ")).context("no line SIZES")?;
    let scene = level::read("boardwalk", &level::loader(&rig.context.root.join("iso")))?;
    let of = |kind| scene.things_of(kind).count();
    let (flags, records) = (of(ThingKind::Flag) + MORE[0], of(ThingKind::Object) + MORE[1]);
    let [volumes, players, turfs] = [ThingKind::Volume, ThingKind::Player, ThingKind::Turf].map(of);
    let expected = format!("SIZES flags {flags} volumes {volumes} players {players} turfs {turfs} records {records}");
    ensure!(*line == expected, "`{line}` instead of `{expected}`");
    Ok(())
}

/// The real controller: its module is spoken to, buttons arrive, and menus answer them; by the module that every console has
/// and by that of later ones.
pub fn pad(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    for (generation, arguments) in [("Old", "quick"), ("New", "quick later-pads")] {
        let rom = rig.rom(RomOptions::default())?;
        let disc = rig.disc("pad", arguments)?.path;
        let machine = Machine { limiter: true, ..Machine::headless(rom, Boot::Disc(disc)) };
        let mut session = Session::start(&rig.context, &machine)?;
        let outcome = press_through(&mut session, &format!("BOOT pads {generation} generation"));
        session.stop();
        counts += judge(&format!("a controller is found, set up and obeyed: {generation} generation"), outcome);
    }
    Ok(counts)
}

/// A card as it comes from the shop is formatted, saved to and read back; one that is swapped while the game runs is seen.
pub fn saves(rig: &mut Rig) -> Result<Counts> {
    let path = rig.context.target.join("tests/saves-card.ps2");
    std::fs::write(&path, card::unformatted()).with_context(|| format!("cannot write {}", path.display()))?;
    let with_card = |name: &str, arguments: &str| Job {
        cards: [Some(path.clone()), None],
        ..Job::new(name, &format!("{arguments} hold"))
    };
    let mut counts = Counts::default();
    // Format, twice asked; then down to the save page.
    let script = "quick lockstep frames=420 script=170x,9x,60d,9d,9d,9d,9x,9x";
    let first = rig.boot(&with_card("saves-first", script))?;
    let way = [
        "CARD Problem(Unformatted)",
        "CARD AskFormat",
        "CARD Checking",
        "MODE profile manager",
        "MODE save screens",
        "CARD Saving",
        "MODE save screens",
    ];
    counts += judge("a new card is formatted and saved to", in_order(&first, &way));
    let again = rig.boot(&with_card("saves-again", "quick lockstep frames=200"))?;
    counts += judge("the save is read back at the next start", in_order(&again, &["SAVE of 64 bytes loaded"]));
    counts += judge("a card that is swapped while the game runs is seen and saved to", swap(rig, &path));
    Ok(counts)
}

/// Puts an empty card in place of the one with the save, while the menu is up, and saves.
fn swap(rig: &mut Rig, path: &Path) -> Result<()> {
    const PATIENCE: Duration = Duration::from_secs(30);
    let rom = rig.rom(RomOptions::default())?;
    let script = "quick lockstep script=420d,9d,9d,9d,9x,9x";
    let disc = rig.disc("saves-swap", script)?.path;
    let cards = [Some(path.to_owned()), None];
    let machine = Machine { cards, ..Machine::headless(rom, Boot::Disc(disc)) };
    let mut session = Session::start(&rig.context, &machine)?;
    let mut through = || -> Result<()> {
        session.expect("SAVE of 64 bytes loaded", PATIENCE)?;
        session.expect("MODE profile manager", PATIENCE)?;
        swap_file(path)?;
        for line in ["MODE save screens", "CARD Saving", "MODE save screens"] {
            session.expect(line, PATIENCE)?;
        }
        Ok(())
    };
    let outcome = through();
    session.stop();
    outcome
}

/// Overwrites the card's file where it is, as pulling one card and putting in another does.
fn swap_file(path: &Path) -> Result<()> {
    use std::io::Write as _;
    let mut file = std::fs::OpenOptions::new().write(true).open(path)?;
    Ok(file.write_all(&card::formatted())?)
}

/// Some lines come one after the other, whatever stands between them.
fn in_order(seen: &Seen, wanted: &[&str]) -> Result<()> {
    let mut lines = seen.lines.iter();
    for line in wanted {
        ensure!(
            lines.any(|seen| seen == line),
            "no `{line}` in its place; the last lines were {:?}",
            seen.last_lines()
        );
    }
    Ok(())
}

fn press_through(session: &mut Session, module: &str) -> Result<()> {
    const PATIENCE: Duration = Duration::from_secs(30);
    const HELD: Duration = Duration::from_millis(300);
    const ANSWER: Duration = Duration::from_secs(3);
    session.expect(module, PATIENCE)?;
    session.expect("PAD 1 here", PATIENCE)?;
    session.expect("MODE memory card", PATIENCE)?;
    for (button, mode) in [
        (Button::Triangle, "MODE profile manager"),
        (Button::Cross, "MODE mission select"),
        (Button::Triangle, "MODE profile manager"),
    ] {
        // A screen that is still busy, as with the card, hears no button: a person presses again.
        let asked = Instant::now();
        loop {
            session.press(button, HELD)?;
            match session.expect(mode, ANSWER) {
                Ok(()) => break,
                Err(error) if asked.elapsed() > PATIENCE => return Err(error),
                Err(_) => {}
            }
        }
    }
    Ok(())
}

fn every_step(seen: &Seen) -> Result<()> {
    let steps = seen.lines.iter().filter(|line| line.starts_with("BOOT ") && line.ends_with(" bytes")).count();
    ensure!(steps == STEPS, "{steps} of {STEPS} steps; the last lines were {:?}", seen.last_lines());
    seen.lines.iter().find(|line| line.contains("save system")).context("the last step is missing")?;
    super::budget::judge_start(&seen.lines)
}
