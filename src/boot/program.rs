//! The program's `main`.

use super::crash;
use super::start::{StartError, StartHost as _, start};
use super::title::{Info, Pictures, Title};
use crate::ee::crt0::Arguments;
use crate::ee::display::Display;
use crate::ee::exceptions;
use crate::ee::rom;
use crate::ee::ticks;
use crate::ee::video::VideoMode;
use crate::file_io::device::start::Beginning;
use crate::game::autopilot::Skill;
use crate::game::console::{Console, Failing};
use crate::game::missions::Play;
use crate::game::{self, Game, MOST_STOPS, Machine as _};
use crate::graphics::texture::TextureMemory;
use crate::pads::{PORTS, Pulled, Script};
use crate::selftest::console::Manner;
use crate::selftest::{self, Results, Verdict};
use crate::tty_println;
use alloc::boxed::Box;

/// Blanks for which the last frame is on the screen before the program says that it has ended: whoever takes a picture then
/// gets that frame.
const SETTLED_BLANKS: u32 = 4;

/// The argument that asks for every scene.
const ALL_SCENARIOS: &str = "scenarios";

/// The argument that asks for every scene of humans.
const ALL_TAKES: &str = "takes";

/// The argument that asks for every page of the overlay.
const ALL_PAGES: &str = "overlays";

/// What the arguments ask for. Without any wish the game is played.
#[derive(Clone, Copy, Debug, Default)]
struct Wishes {
    /// The video mode; without it the one of the console's region.
    mode: VideoMode,
    /// Frames after which the program ends; without it, never.
    frames: Option<u32>,
    /// Keep the last frame on the screen instead of leaving for the browser.
    hold: bool,
    /// Print figures instead of showing the title.
    bench: bool,
    /// Run the checks that need the console instead of showing the title.
    check: bool,
    /// Run the checks of streaming instead of showing the title.
    stream: bool,
    /// Stream data and music for this many minutes instead of showing the title.
    stream_minutes: Option<u32>,
    /// Run the self-test instead of the game, as a machine that nobody waits for.
    selftest: bool,
    /// The self-test writes a file to each card.
    writes: bool,
    /// Leave out the checks of time, which an emulator's interpreter does not keep exactly.
    untimed: bool,
    /// Play the engine's scenes instead of showing the title: all of them, or the one named.
    scenarios: Option<&'static str>,
    /// Play the scenes of humans in place of the game's main loop: all of them, or the one named.
    takes: Option<&'static str>,
    /// Show the title's picture alone instead of the game.
    title: bool,
    /// Every frame of the game is one fixed step.
    lockstep: bool,
    /// Recorded buttons for the game.
    script: Option<&'static str>,
    /// The same for a second player.
    second: Option<&'static str>,
    /// How an autopilot plays that holds the first controller.
    pilot: Option<Skill>,
    /// Play an arena against the computer, however many controllers there are.
    alone: bool,
    /// Leave out the start-up movies.
    quick: bool,
    /// What to play at once.
    play: Option<Play>,
    /// Look whether whatever drawing refers to was written back.
    dma_check: bool,
    /// Tell every packet.
    gif_tell: bool,
    /// Show this page of the test card instead of the game.
    card: Option<u32>,
    /// The overlay's page to open at once.
    overlay: Option<crate::overlay::Page>,
    /// Show the overlay's pages instead of the game: all of them, or the one named.
    overlays: Option<&'static str>,
    /// Show this level instead of the game.
    level: Option<&'static str>,
    /// The level's view.
    view: Option<&'static str>,
    /// Panic once the display is open, to see what a person would see.
    panic: bool,
    /// The same with a fault that the processor finds.
    crash: bool,
    /// The same in one of the game's frames.
    fails: Option<Failing>,
    /// Levels have their scenes: always, but when the movies are left out only if they are asked for.
    scenes: bool,
    /// The level is filled to the pools' last places.
    crowd: bool,
    /// A module that is to be missing, by its name.
    lost_module: Option<&'static str>,
    /// The controllers' modules are to be those of the later generation.
    later_pads: bool,
    /// When the ports lose their controllers.
    pulled: [Option<Pulled>; PORTS],
    /// The frame from which on the disc's tray is open for a while.
    tray: Option<u32>,
    /// The frame in which a mission is won.
    win: Option<u32>,
    /// Metres within which a level's parts are there.
    near: Option<u16>,
    /// Seconds that what is played lasts at most.
    seconds: Option<u16>,
    /// Frames behind which the program waits for START, with a plus between them.
    stops: Option<&'static str>,
    /// The same again and again, so many frames apart.
    stops_every: Option<u32>,
    /// The program does as if its loader had not said where it came from.
    pathless: bool,
    /// A host on the network started the program, or it is to be as if one had.
    from_host: bool,
}

impl Wishes {
    fn read(arguments: &Arguments) -> Self {
        Self {
            mode: arguments
                .value_of("mode")
                .and_then(VideoMode::from_name)
                .unwrap_or_else(|| rom::region_mode(rom::contents())),
            frames: arguments.value_of("frames").and_then(|count| count.parse().ok()),
            hold: arguments.iter().any(|word| word == "hold"),
            bench: arguments.iter().any(|word| word == "bench"),
            check: arguments.iter().any(|word| word == "check"),
            stream: arguments.iter().any(|word| word == "stream"),
            stream_minutes: arguments.value_of("stream").and_then(|minutes| minutes.parse().ok()),
            selftest: arguments.iter().any(|word| word == "selftest"),
            writes: arguments.iter().any(|word| word == "write-cards"),
            untimed: arguments.iter().any(|word| word == "untimed"),
            scenarios: arguments.value_of("scenario").or_else(|| arguments.iter().find(|word| *word == ALL_SCENARIOS)),
            takes: arguments.value_of("take").or_else(|| arguments.iter().find(|word| *word == ALL_TAKES)),
            title: arguments.iter().any(|word| word == "title"),
            lockstep: arguments.iter().any(|word| word == "lockstep"),
            script: arguments.value_of("script"),
            second: arguments.value_of("second"),
            pilot: arguments.value_of("pilot").and_then(Skill::from_name),
            alone: arguments.iter().any(|word| word == "alone"),
            quick: arguments.iter().any(|word| word == "quick"),
            play: {
                let number = |name| arguments.value_of(name).and_then(|number| number.parse().ok());
                number("arena").map(Play::Arena).or(number("mission").map(Play::Mission))
            },
            dma_check: arguments.iter().any(|word| word == "dma-check"),
            gif_tell: arguments.iter().any(|word| word == "gif-tell"),
            card: arguments.value_of("card").and_then(|page| page.parse().ok()),
            overlay: arguments.value_of("overlay").and_then(crate::overlay::Page::from_name),
            overlays: arguments.value_of("overlays").or_else(|| arguments.iter().find(|word| *word == ALL_PAGES)),
            level: arguments.value_of("level"),
            view: arguments.value_of("view"),
            scenes: !arguments.iter().any(|word| word == "quick") || arguments.iter().any(|word| word == "scenes"),
            crowd: arguments.iter().any(|word| word == "crowd"),
            panic: arguments.iter().any(|word| word == "panic"),
            crash: arguments.iter().any(|word| word == "crash"),
            fails: ["crash", "panic"].into_iter().find_map(|word| {
                let frame = arguments.value_of(word)?.parse().ok()?;
                Some(Failing { frame, panics: word == "panic" })
            }),
            lost_module: arguments.value_of("lost-module"),
            later_pads: arguments.iter().any(|word| word == "later-pads"),
            pulled: PULLED.map(|name| arguments.value_of(name).and_then(Pulled::parse)),
            tray: arguments.value_of("tray").and_then(|count| count.parse().ok()),
            win: arguments.value_of("win").and_then(|count| count.parse().ok()),
            near: arguments.value_of("near").and_then(|count| count.parse().ok()),
            seconds: arguments.value_of("seconds").and_then(|count| count.parse().ok()),
            stops: arguments.value_of("stops"),
            stops_every: arguments.value_of("stops-every").and_then(|count| count.parse().ok()),
            pathless: arguments.iter().any(|word| word == "pathless"),
            from_host: arguments.from_host() || arguments.iter().any(|word| word == "host"),
        }
    }

    /// What becomes of the I/O processor.
    const fn beginning(&self) -> Beginning {
        if self.from_host { Beginning::AsItIs } else { Beginning::Anew }
    }

    /// True when nothing else is wished than the game.
    const fn is_game(&self) -> bool {
        !(self.title
            || self.bench
            || self.check
            || self.selftest
            || self.stream
            || self.stream_minutes.is_some()
            || self.scenarios.is_some()
            || self.card.is_some()
            || self.overlays.is_some()
            || self.level.is_some()
            || self.panic
            || self.crash)
    }
}

/// Words that mean something by themselves.
const WORDS: [&str; 23] = [
    "alone",
    "scenes",
    "crowd",
    "hold",
    "bench",
    "check",
    "selftest",
    "write-cards",
    "stream",
    "untimed",
    ALL_SCENARIOS,
    ALL_TAKES,
    ALL_PAGES,
    "title",
    "lockstep",
    "quick",
    "dma-check",
    "gif-tell",
    "panic",
    "crash",
    "pathless",
    "later-pads",
    "host",
];
/// What tells when a port loses its controller.
const PULLED: [&str; PORTS] = ["pulled", "pulled-2"];
/// Names that mean something with a value.
const NAMES: [&str; 27] = [
    PULLED[0],
    PULLED[1],
    "level",
    "view",
    "arena",
    "second",
    "crash",
    "tray",
    "near",
    "win",
    "seconds",
    "stops",
    "stops-every",
    "pilot",
    "panic",
    "lost-module",
    "mode",
    "frames",
    "stream",
    "scenario",
    "take",
    "script",
    "mission",
    "card",
    "overlay",
    "overlays",
    "host",
];

/// Tells of arguments that mean nothing here, so that a slip of the pen is seen. A program's own path is none.
fn warn_of_unknown(arguments: &Arguments) {
    let is_path = |word: &str| word.contains([':', '/', '\\']);
    for word in arguments.iter().filter(|word| !is_path(word)) {
        let known = match word.split_once('=') {
            Some((name, _)) => NAMES.contains(&name),
            None => WORDS.contains(&word),
        };
        if !known {
            tty_println!("BOARDWALK argument {word} means nothing");
        }
    }
}

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
        return Err("start-up");
    }
    game.tell_pages();
    game.close();
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
