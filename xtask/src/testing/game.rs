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

/// One run of the game on the console.
struct Visit {
    /// Names its last picture, which is compared with the golden one.
    name: &'static str,
    arguments: &'static str,
    /// Frames in which the game stops on the way, and what their pictures are called.
    stops: &'static [(u32, &'static str)],
    /// What the game says on the way, in this order.
    says: &'static [&'static str],
}

/// The frame of the way to the fight that is also looked at through OpenGL.
const ON_THE_BOARDWALK: u32 = 330;
/// To the first fight and into it.
macro_rules! fight {
    () => {
        "script=160t,60n*235,30q,9q,9q,25q,9q,9q mission=2 quick lockstep"
    };
}

/// The runs: menus from the legal screen on; a mission in the yard, paused, won and without a controller; one that fails, and an
/// open tray; the boardwalk and its fight; the arena game of two and of one; a lesson; a new player's start, who tries a picture
/// that is not seen and waits for the old one, and then chooses a language.
const VISITS: [Visit; 8] = [
    Visit {
        name: "menu-options",
        arguments: "quick lockstep frames=560 script=190t,78x,9d,24t,9d,9x,26t,9d,9d,9x,26t,9d,9x,26t,9u,9u,9x,9d,9r",
        stops: &[
            (60, "legal"),
            (180, "card-absent"),
            (260, "menu-title"),
            (305, "menu-missions"),
            (350, "menu-arena"),
            (412, "menu-statistics"),
            (462, "menu-save"),
        ],
        says: &[
            "MODE legal screen",
            "MODE memory card",
            "MODE profile manager",
            "MODE mission select",
            "MODE arena menus",
            "MODE statistics",
            "MODE save screens",
        ],
    },
    Visit {
        name: "error-controller",
        arguments: "quick lockstep frames=510 mission=1 win=383 second=465-*220 script=160t,60n*30,9q,30s,9d,25s,140-*200",
        stops: &[(285, "yard"), (325, "menu-pause"), (460, "mission-complete")],
        says: &[
            "MODE gameplay",
            "MODE pause",
            "MODE gameplay",
            "MODE freeze",
            "MODE mission complete",
            "PAD 1 gone",
            "MODE error",
        ],
    },
    Visit {
        name: "error-disc",
        arguments: "quick lockstep frames=470 mission=1 seconds=4 tray=390 script=160t",
        stops: &[(380, "mission-failed")],
        says: &["MODE gameplay", "MODE mission failed", "MODE error"],
    },
    Visit {
        name: "fight",
        arguments: concat!(fight!(), " frames=640"),
        stops: &[(ON_THE_BOARDWALK, "boardwalk")],
        says: &WAY_TO_FIGHT,
    },
    Visit {
        name: "arena-result",
        arguments: "quick lockstep frames=690 arena=1 seconds=8 second=9. script=160t,90n*30,9q,9q,9q",
        stops: &[(310, "arena-halves")],
        says: &["MODE gameplay", "MODE arena result"],
    },
    Visit {
        name: "arena-over",
        arguments: "quick lockstep alone frames=690 arena=1 seconds=8 script=160t",
        stops: &[],
        says: &["MODE gameplay", "MODE arcade game over"],
    },
    Visit {
        name: "lesson",
        arguments: "quick lockstep scenes frames=280 script=160t,9x,9x",
        stops: &[],
        says: &["MODE mission select", "MODE gameplay"],
    },
    Visit {
        name: "first-german",
        arguments: "lockstep frames=1200 script=415t,70d,9d,9x,507t,20d,9d,9x,20d,9d,9d,9d,9d,9d,9d,9d,9r",
        stops: &[(470, "first-start"), (530, "first-trial"), (1000, "first-back")],
        says: &[
            "MODE legal screen",
            "MODE memory card",
            "MODE profile manager",
            "VIDEO 480P on trial",
            "VIDEO 60 HZ",
            "LANGUAGE text/deutsch.text 196 texts",
        ],
    },
];

/// What the game says on the way there.
const WAY_TO_FIGHT: [&str; 4] = [
    "PEOPLE player 1 is human 0",
    "PEOPLE 6 there, task GET TO THE WHEEL AT THE FAR END",
    "TAKEN money, 20 in hand",
    "PEOPLE 10 there, task THE DOCKERS WANT A FIGHT",
];

impl Visit {
    /// The run itself.
    fn job(&self) -> Job {
        let frames: Vec<String> = self.stops.iter().map(|(frame, _)| frame.to_string()).collect();
        let stops = if frames.is_empty() { String::new() } else { format!(" stops={}", frames.join("+")) };
        Job {
            stops: self.stops.iter().map(|(_, name)| (*name).to_owned()).collect(),
            ..Job::new(self.name, &format!("{}{stops} hold", self.arguments))
        }
    }
}

/// Plays the game through its screens and compares what it shows.
pub fn game(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    for (number, visit) in VISITS.iter().enumerate() {
        let seen = rig.boot(&visit.job())?;
        println!("  {}: {:.1} s", visit.name, seen.lasted);
        counts += judge(&format!("{} ends well", visit.name), ended_well(&seen).and_then(|()| no_complaints(&seen)));
        counts += judge(&format!("{} comes by its way", visit.name), in_order(&seen, visit.says));
        for (_, name) in visit.stops {
            let stop = Seen { picture: Some(rig.picture_path(name)), ..seen.clone() };
            counts += judge(&format!("{name} looks as it should"), golden(rig, &stop, name));
        }
        counts += judge(&format!("{} looks as it should", visit.name), golden(rig, &seen, visit.name));
        if number == 0 {
            for line in seen.lines.iter().filter(|line| line.starts_with("BOOT ") || line.starts_with("POOL ")) {
                println!("  {line}");
            }
            counts += judge("start-up runs every step within its share of memory", every_step(&seen));
        }
        if visit.name == "fight" {
            counts += on_the_boardwalk(rig, &seen)?;
        }
    }
    Ok(counts)
}

/// What the game says of its tasks on the boardwalk, and what that looks like through OpenGL.
fn on_the_boardwalk(rig: &mut Rig, seen: &Seen) -> Result<Counts> {
    let mut counts = Counts::default();
    counts += judge("the game's wheel updates as intervals and starts say, and never a human", wheel(seen));
    counts += judge("humans, cameras, flags and boxes have handles from their starts", handles(seen));
    counts += judge("flags, boxes and spawn records have as many places as the level asks for", sizes(rig, seen));
    let arguments = format!("{} frames={ON_THE_BOARDWALK} hold", fight!());
    let again = rig.boot(&Job { renderer: Renderer::OpenGl, ..Job::new("boardwalk-opengl", &arguments) })?;
    counts += judge("boardwalk looks the same through OpenGL", alike(rig, &again, "boardwalk", LEVEL_ALIKE));
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
    // Of the port with no controller from the first frame on the module is made to close; the other's is pulled and put back.
    const SECOND_PORT: &str = "quick pulled=0- pulled-2=90-180";
    for (generation, arguments) in [("Old", "quick"), ("New", "quick later-pads"), ("Old", SECOND_PORT)] {
        let second = arguments == SECOND_PORT;
        let rom = rig.rom(RomOptions::default())?;
        let disc = rig.disc("pad", arguments)?.path;
        let machine = Machine { limiter: true, ..Machine::headless(rom, Boot::Disc(disc)) };
        let mut session = Session::start(&rig.context, &machine)?;
        let outcome = press_through(&mut session, &format!("BOOT pads {generation} generation"), second);
        session.stop();
        let what = if second { "only one, in the second port, pulled and put back" } else { "a controller" };
        counts += judge(&format!("{what}: found, set up and obeyed, {generation} generation"), outcome);
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

/// Waits for the first player's controller and goes through menus with it: the one in the second port, which is pulled on the
/// way, or the one in the first.
fn press_through(session: &mut Session, module: &str, second: bool) -> Result<()> {
    const PATIENCE: Duration = Duration::from_secs(30);
    const HELD: Duration = Duration::from_millis(300);
    const ANSWER: Duration = Duration::from_secs(3);
    session.expect(module, PATIENCE)?;
    session.expect("PAD 1 here", PATIENCE)?;
    if second {
        for line in ["PAD 1 gone", "MODE error", "PAD 1 here"] {
            session.expect(line, PATIENCE)?;
        }
    }
    session.expect("MODE memory card", PATIENCE)?;
    for (button, mode) in [
        (Button::Triangle, "MODE profile manager"),
        (Button::Cross, "MODE mission select"),
        (Button::Triangle, "MODE profile manager"),
    ] {
        // A screen that is still busy, as with the card, hears no button: a person presses again.
        let asked = Instant::now();
        loop {
            if second {
                session.press_second(button, HELD)?;
            } else {
                session.press(button, HELD)?;
            }
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
