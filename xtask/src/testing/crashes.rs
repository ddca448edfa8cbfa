//! Panics and exceptions on the console: what they tell, what the screen shows, and what a button leads to.

use super::console::{golden, judge};
use super::rig::{Boots, Job, Seen};
use super::{Counts, Rig};
use crate::build;
use crate::crash;
use crate::emulator::{Boot, Button, Machine, Session, Wait, picture};
use crate::rom::RomOptions;
use anyhow::{Context as _, Result, bail, ensure};
use boardwalk::crash::page::LEAST_WAY;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Panics and exceptions are told on console and screen, with the way that led there.
pub fn crashes(rig: &mut Rig) -> Result<Counts> {
    const END: &str = "CRASH end";
    /// The heading; below stand lines and addresses, which change with the program.
    const UNCHANGING: f32 = 0.12;
    let mut counts = Counts::default();
    let build = {
        let path = build::path(&rig.context, build::Program::Game);
        rig.programs()?;
        crash::build_number(&std::fs::read(path)?)?
    };
    for (name, told, words, innermost) in [
        ("panic", "BOARDWALK END failed: panic src/boot/program.rs:", "an argument asked for this", "boot::"),
        ("crash", "BOARDWALK END failed: exception at ", "breakpoint", "exceptions::provoke"),
    ] {
        let mut seen = rig.boot(&Job { lit: true, until: END, ..Job::new(name, name) })?;
        counts += judge(&format!("a {name} says what happened and where"), {
            let line = seen.lines.iter().find(|line| line.starts_with(told) && line.contains(words));
            line.map(|_| ()).with_context(|| format!("the last lines were {:?}{}", seen.last_lines(), seen.obituary()))
        });
        counts += judge(&format!("a {name} names the functions that led there"), named(&seen, innermost));
        counts +=
            judge(&format!("a {name}'s code is of this program and leads to the same place"), coded(&seen, build));
        counts += judge(&format!("a {name}'s screen shows all that there is to tell"), whole(&seen));
        let picture = seen.picture.as_deref().context("no picture was taken")?;
        seen.picture = Some(picture::crop_top(picture, UNCHANGING)?);
        counts += judge(&format!("a {name}'s screen begins as the golden one"), golden(rig, &seen, name));
    }
    let pal = rig.boot(&Job { lit: true, until: END, ..Job::new("crash-pal", "mode=pal crash") })?;
    counts += judge("a crash is shown with 50 Hz where the program had them, with all that there is to tell", {
        let said = pal.lines.iter().any(|line| line == "CRASH shown with pal");
        whole(&pal).and_then(|()| {
            ensure!(said, "the last lines were {:?}", pal.last_lines());
            let picture = pal.picture.as_deref().context("no picture was taken")?;
            let top = Seen { picture: Some(picture::crop_top(picture, UNCHANGING)?), ..pal.clone() };
            golden(rig, &top, "crash-pal")
        })
    });
    // In play the subsystems have something to tell, and the way is long.
    for (name, told, innermost) in [
        ("crash", "BOARDWALK END failed: exception at ", "exceptions::provoke"),
        ("panic", "BOARDWALK END failed: panic ", "FrameHost>::present"),
    ] {
        let arguments = format!("quick lockstep mission=0 {name}=460 script=160t");
        let seen = rig.boot(&Job { lit: true, until: END, ..Job::new(&format!("{name}-play"), &arguments) })?;
        counts += judge(&format!("a {name} in play tells what happened last in the subsystems"), {
            happened(&seen).and_then(|()| {
                ensure!(seen.lines.iter().any(|line| line.starts_with(told)), "no `{told}`");
                named(&seen, innermost)
            })
        });
        counts += judge(&format!("a {name} in play leaves nothing out on the screen"), whole(&seen));
    }
    counts += judge("START on the crash screen begins anew", begins_anew(rig, "crash"));
    counts += judge("a program whose loader gave no path begins as the disc's", begins_anew(rig, "crash pathless"));
    let hosts = rig.boot(&Job { lit: true, until: END, ..Job::new("crash-host", "crash host") })?;
    counts += judge("a host's program says that the host resets the console", {
        let said = hosts.lines.iter().any(|line| line.starts_with(TOLD) && line.ends_with("RESET FROM THE HOST."));
        if said { Ok(()) } else { Err(anyhow::anyhow!("{:?}", hosts.last_lines())) }
    });
    let elsewhere = another_disc(rig, "crash pathless")?;
    counts += judge("without the game's disc START leads to the browser, and the screen says so", {
        leaves_for_browser(rig, elsewhere)
    });
    Ok(counts)
}

/// What begins the line of what a button does.
const TOLD: &str = "CRASH told ";

/// Nothing that the crash screen has to show was left out.
fn whole(seen: &Seen) -> Result<()> {
    let line = seen.lines.iter().find_map(|line| line.strip_prefix("CRASH screen ")).context("no screen was told")?;
    println!("  {line}");
    let figures: Vec<usize> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [rows, left_out, places, all] = figures[..] else { bail!("`{line}` has other figures") };
    ensure!(left_out == 0, "{left_out} rows were left out beside {rows}");
    ensure!(places >= all.min(LEAST_WAY), "only {places} of {all} places of the way");
    Ok(())
}

/// A disc that is not the game's, but has its program.
pub(super) fn another_disc(rig: &mut Rig, arguments: &str) -> Result<Boots> {
    let program = rig.content()?.program_told(arguments)?;
    Ok(Boots::files([("SYSTEM.CNF", b"BOOT2 = cdrom0:\\OTHER.ELF;1\r\n".to_vec()), ("OTHER.ELF", program)]))
}

/// Presses START on the crash screen of a program that has nothing to begin anew.
fn leaves_for_browser(rig: &mut Rig, boots: Boots) -> Result<()> {
    let seen = rig.boot(&Job { boots: boots.clone(), until: "CRASH end", ..Job::new("crash-elsewhere", "") })?;
    let said = seen.lines.iter().any(|line| line.starts_with(TOLD) && line.ends_with("START LEAVES FOR THE BROWSER."));
    ensure!(said, "{:?}", seen.last_lines());
    let Boots::Files(_) = boots else { bail!("no disc") };
    let disc = rig.context.target.join("tests/crash-elsewhere.iso");
    answers_start(rig, disc, ["CRASH leaves for the browser", ""])
}

/// The events of a crash in play: of everything that has events by then.
fn happened(seen: &Seen) -> Result<()> {
    let events: Vec<&str> = seen.lines.iter().filter_map(|line| line.strip_prefix("CRASH event ")).collect();
    for subsystem in ["MODES", "TASKS", "PHYSICS", "DEVICES"] {
        ensure!(events.iter().any(|event| event.starts_with(subsystem)), "nothing of {subsystem}: {events:?}");
    }
    Ok(())
}

/// Presses START on the crash screen until the program is there again.
fn begins_anew(rig: &mut Rig, arguments: &str) -> Result<()> {
    let disc = rig.disc("crash-anew", arguments)?.path;
    // The program that was started anew does the same again, which proves it whole.
    answers_start(rig, disc, ["BOARDWALK START", "CRASH end"])
}

/// Presses START on a disc's crash screen until its answer comes, and waits for what follows on it.
fn answers_start(rig: &mut Rig, disc: PathBuf, [answer, then]: [&str; 2]) -> Result<()> {
    const PATIENCE: Duration = Duration::from_secs(60);
    const HELD: Duration = Duration::from_millis(300);
    const ANSWER: Duration = Duration::from_secs(4);
    let rom = rig.rom(RomOptions::default())?;
    let machine = Machine { limiter: true, ..Machine::headless(rom, Boot::Disc(disc)) };
    let mut session = Session::start(&rig.context, &machine)?;
    let mut press = || -> Result<()> {
        session.expect("CRASH end", PATIENCE)?;
        let asked = Instant::now();
        loop {
            session.press(Button::Start, HELD)?;
            if session.wait(ANSWER, |line| line.text.starts_with(answer))? == Wait::Heard {
                return if then.is_empty() { Ok(()) } else { session.expect(then, PATIENCE) };
            }
            ensure!(asked.elapsed() < PATIENCE, "START was pressed in vain");
        }
    };
    let outcome = press();
    session.stop();
    outcome
}

/// The places of a crash's way with their names, innermost first.
fn way(seen: &Seen) -> Vec<&str> {
    let places = seen.lines.iter().filter_map(|line| line.strip_prefix("CRASH from "));
    places.filter(|place| place.contains(' ')).collect()
}

fn named(seen: &Seen, innermost: &str) -> Result<()> {
    let way = way(seen);
    ensure!(way.len() >= 3, "only {} places have names: {way:?}", way.len());
    ensure!(way[..3].iter().any(|place| place.contains(innermost)), "{way:?} does not begin in {innermost}");
    ensure!(way.iter().any(|place| place.contains("crt0::start")), "{way:?} does not lead to the program's start");
    Ok(())
}

fn coded(seen: &Seen, build: u16) -> Result<()> {
    let code = seen.lines.iter().filter_map(|line| line.strip_prefix("CRASH code ")).next_back().context("no code")?;
    let told = crash::explain(code, None)?;
    let place = way(seen).first().and_then(|place| place.split(' ').next()).context("no place")?.to_owned();
    ensure!(told.contains(&format!("program: {build:04x}")) && told.contains(&place), "{code} means {told}");
    Ok(())
}
