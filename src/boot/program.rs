//! The program's `main`.

use super::crash;
use super::start::{StartError, StartHost as _, start};
use super::title::{Info, Pictures, Title};
use super::wishes::{ALL_PAGES, ALL_SCENARIOS, ALL_TAKES, Wishes, warn_of_unknown};
use crate::ee::crt0::Arguments;
use crate::ee::display::Display;
use crate::ee::exceptions;
use crate::ee::ticks;
use crate::ee::video::VideoMode;
use crate::game::console::Console;
use crate::game::{self, Game, MOST_STOPS, Machine as _};
use crate::graphics::texture::TextureMemory;
use crate::pads::Script;
use crate::selftest::console::Manner;
use crate::selftest::{self, Results, Verdict};
use crate::tty_println;
use alloc::boxed::Box;

/// Blanks for which the last frame is on the screen before the program says that it has ended: whoever takes a picture then
/// gets that frame.
const SETTLED_BLANKS: u32 = 4;

/// The program's `main`. Answers the exit value: 0 when all went well.
pub fn run(arguments: &Arguments) -> i32 {
    let options = Wishes::read(arguments);
    tty_println!("BOARDWALK START {} {}", env!("CARGO_PKG_VERSION"), options.mode.name());
    warn_of_unknown(arguments);
    let own_path = arguments.own_path().filter(|_| !options.pathless);
    if !crash::watch(options.from_host, own_path) {
        tty_println!("BOOT the kernel keeps some exceptions for itself");
    }
    let outcome = if options.is_game() { play(&options) } else { show(options) };
    match outcome {
        Ok(()) => {
            tty_println!("BOARDWALK END ok");
            if options.hold {
                loop {
                    core::hint::spin_loop();
                }
            }
            0
        }
        Err(reason) => {
            tty_println!("BOARDWALK END failed: {reason}");
            1
        }
    }
}

/// Starts the game and plays until it is over.
#[inline(never)]
fn play(wishes: &Wishes) -> Result<(), &'static str> {
    let options = game::Options {
        mode: wishes.mode,
        frames: wishes.frames,
        lockstep: wishes.lockstep,
        script: wishes.script.and_then(Script::parse),
        second: wishes.second.and_then(Script::parse),
        pilot: wishes.pilot,
        alone: wishes.alone,
        skip_movies: wishes.quick,
        scenes: wishes.scenes,
        play: wishes.play,
        crowd: wishes.crowd,
        tray: wishes.tray,
        mute: wishes.mute,
        unreadable: wishes.unreadable,
        slow: wishes.slow,
        beside: wishes.beside,
        win: wishes.win,
        near: wishes.near,
        seconds: wishes.seconds,
        stops: wishes.stops.unwrap_or("").split('+').filter_map(|frame| frame.parse().ok()).take(MOST_STOPS).collect(),
        stops_every: wishes.stops_every,
        from_host: wishes.from_host,
        overlay: wishes.overlay,
    };
    let console = Console::new(wishes.beginning())
        .without(wishes.lost_module)
        .with_later_pads(wishes.later_pads)
        .pulling(wishes.pulled)
        .failing(wishes.fails)
        .checking(wishes.dma_check)
        .telling(wishes.gif_tell);
    let mut game = Game::new(console, options);
    let outcome = match wishes.takes {
        Some(name) => return play_takes(&mut game, (name != ALL_TAKES).then_some(name)),
        None => start(&mut *game),
    };
    if let Err(error) = outcome {
        match error {
            StartError::Failure((step, reason)) => {
                tty_println!("BOOT {} failed: {reason}", step.name());
                game.tell_failed_start(step, &reason);
            }
            StartError::Modes(error) => tty_println!("BOOT {error}"),
        }
        game.close();
        return Err("start-up");
    }
    // Before anything that takes its time: what is read is given up, and not read to its end.
    game.close();
    game.tell_pages();
    if let Some(display) = game.machine.display() {
        written_back(display)?;
    }
    if game.is_self_test_wanted() {
        // The self-test wants the scratchpad, which the renderer has.
        game.renderer = None;
        return judged(selftest::console::run(&mut game.machine, Manner::Person, false, game.files.buffer)?);
    }
    Ok(())
}

/// Starts the game up and plays scenes of humans in place of its main loop.
#[inline(never)]
fn play_takes(game: &mut Game<Console>, only: Option<&str>) -> Result<(), &'static str> {
    if let Err((step, reason)) = game.initialize_subsystems() {
        tty_println!("BOOT {} failed: {reason}", step.name());
        return Err("start-up");
    }
    match game.play_takes(only)? {
        0 => Err("no scene of that name"),
        _ => Ok(()),
    }
}

/// The self-test by itself, on a console that nothing has been done with.
fn self_test(mut console: Console, mode: VideoMode, writes: bool) -> Result<(), &'static str> {
    console.start_iop()?;
    console.open_pads()?;
    console.open_display(mode)?;
    judged(selftest::console::run(&mut console, Manner::Machine, writes, None)?)
}

/// Whether a group has failed.
fn judged(results: Results) -> Result<(), &'static str> {
    if results.count(Verdict::Fail) == 0 { Ok(()) } else { Err("a group of the self-test") }
}

/// Does what was wished in place of the game: by itself the title's picture, until the asked number of frames is through.
///
/// Every wish is carried out by a function of its own that is not inlined: the stack has 64 KiB, and the storage of a wish
/// that is not granted would stand on it all the same.
#[inline(never)]
fn show(options: Wishes) -> Result<(), &'static str> {
    if options.selftest {
        return self_test(Console::new(options.beginning()), options.mode, options.writes);
    }
    if let Some(name) = options.host_file {
        return super::host_file::run(name);
    }
    let mut display = Display::open(options.mode).map_err(|_| "the kernel takes no interrupt handler")?;
    assert!(!options.panic, "an argument asked for this");
    if options.crash {
        exceptions::provoke();
    }
    let stream = options.stream || options.stream_minutes.is_some();
    if options.check || stream {
        let failed = if stream {
            super::streams::run(options.stream_minutes)
        } else {
            super::checks::run(&mut display, !options.untimed)
        };
        return match failed {
            0 => Ok(()),
            _ => Err("a check on the console"),
        };
    }
    if options.dma_check {
        display.check_write_backs();
    }
    if options.gif_tell {
        display.tell_packets();
    }
    if let Some(level) = options.level {
        let wish = super::level_view::Wish { level, view: options.view, frames: options.frames };
        super::level_view::run(&mut display, &wish)?;
        return written_back(&display);
    }
    if let Some(page) = options.card {
        super::card::run(&mut display, page)?;
        return written_back(&display);
    }
    if let Some(name) = options.overlays {
        let only = (name != ALL_PAGES).then_some(name);
        super::overlays::run(&mut display, only)?;
        return written_back(&display);
    }
    let mut title = open_title(&mut display)?;
    if let Some(name) = options.scenarios {
        let only = (name != ALL_SCENARIOS).then_some(name);
        return match super::scenarios::run(&mut display, &mut title, only) {
            Ok(0) => Err("no scene of that name"),
            Ok(_) => Ok(()),
            Err(_) => Err("a scene could not write"),
        };
    }
    if options.bench {
        super::bench::run(&mut display, &mut title);
        return Ok(());
    }
    show_title(&mut display, &mut title, &options);
    written_back(&display)
}

/// Makes the title and brings its pictures to the GS.
///
/// It stands on the heap, and what it takes to make it leaves the stack before anything else needs room there.
#[inline(never)]
fn open_title(display: &mut Display) -> Result<Box<Title>, &'static str> {
    let pictures = Pictures::new();
    let mut memory = TextureMemory::default();
    let title = Title::new(&mut memory, &pictures).map_err(|_| "the title's pictures do not fit")?;
    display.send_and_wait(|packet| title.upload(packet, &pictures));
    Ok(Box::new(title))
}

/// Shows the title until the wished number of frames is through.
#[inline(never)]
fn show_title(display: &mut Display, title: &mut Title, options: &Wishes) {
    let start = display.counters().ticks;
    let mut reported = 0;
    for frame in 0.. {
        if options.frames.is_some_and(|frames| frame >= frames) {
            break;
        }
        let counters = display.counters();
        let elapsed = counters.ticks - start;
        let info = Info { mode: options.mode.label(), frame, missed: counters.missed };
        // The picture's clock counts frames: a late frame slows it down and never skips, and a run repeats exactly.
        display.frame(|packet, page| title.draw(packet, page, frame as f32 / super::FRAMES_PER_SECOND, &info));
        let second = elapsed / u64::from(ticks::PER_SECOND);
        if second != reported {
            reported = second;
            tty_println!("FRAME {frame} ticks {elapsed} missed {}", counters.missed);
        }
    }
    display.settle(SETTLED_BLANKS);
}

/// Tells what was looked for with `dma-check`.
fn written_back(display: &Display) -> Result<(), &'static str> {
    match display.unwritten() {
        None => Ok(()),
        Some(count) => {
            tty_println!("FACT unwritten {count} quadwords");
            if count == 0 { Ok(()) } else { Err("drawing refers to what was not written back") }
        }
    }
}
