//! What the program's arguments ask for.

use crate::ee::crt0::Arguments;
use crate::ee::rom;
use crate::ee::video::VideoMode;
use crate::file_io::device::start::Beginning;
use crate::game::autopilot::Skill;
use crate::game::console::Failing;
use crate::game::missions::Play;
use crate::pads::{PORTS, Pulled};
use crate::tty_println;

/// The argument that asks for every scene.
pub const ALL_SCENARIOS: &str = "scenarios";

/// The argument that asks for every scene of humans.
pub const ALL_TAKES: &str = "takes";

/// The argument that asks for every page of the overlay.
pub const ALL_PAGES: &str = "overlays";

/// What the arguments ask for. Without any wish the game is played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes {
    /// The video mode; without it the one of the console's region.
    pub mode: VideoMode,
    /// Frames after which the program ends; without it, never.
    pub frames: Option<u32>,
    /// Keep the last frame on the screen instead of leaving for the browser.
    pub hold: bool,
    /// Print figures instead of showing the title.
    pub bench: bool,
    /// Run the checks that need the console instead of showing the title.
    pub check: bool,
    /// Run the checks of streaming instead of showing the title.
    pub stream: bool,
    /// Stream data and music for this many minutes instead of showing the title.
    pub stream_minutes: Option<u32>,
    /// Run the self-test instead of the game, as a machine that nobody waits for.
    pub selftest: bool,
    /// The self-test writes a file to each card.
    pub writes: bool,
    /// Leave out the checks of time, which an emulator's interpreter does not keep exactly.
    pub untimed: bool,
    /// Play the engine's scenes instead of showing the title: all of them, or the one named.
    pub scenarios: Option<&'static str>,
    /// Play the scenes of humans in place of the game's main loop: all of them, or the one named.
    pub takes: Option<&'static str>,
    /// Show the title's picture alone instead of the game.
    pub title: bool,
    /// Every frame of the game is one fixed step.
    pub lockstep: bool,
    /// Recorded buttons for the game.
    pub script: Option<&'static str>,
    /// The same for a second player.
    pub second: Option<&'static str>,
    /// How an autopilot plays that holds the first controller.
    pub pilot: Option<Skill>,
    /// Play an arena against the computer, however many controllers there are.
    pub alone: bool,
    /// Leave out the start-up movies.
    pub quick: bool,
    /// What to play at once.
    pub play: Option<Play>,
    /// Look whether whatever drawing refers to was written back.
    pub dma_check: bool,
    /// Tell every packet.
    pub gif_tell: bool,
    /// Show this page of the test card instead of the game.
    pub card: Option<u32>,
    /// The overlay's page to open at once.
    pub overlay: Option<crate::overlay::Page>,
    /// Show the overlay's pages instead of the game: all of them, or the one named.
    pub overlays: Option<&'static str>,
    /// Show this level instead of the game.
    pub level: Option<&'static str>,
    /// The level's view.
    pub view: Option<&'static str>,
    /// Panic once the display is open, to see what a person would see.
    pub panic: bool,
    /// The same with a fault that the processor finds.
    pub crash: bool,
    /// The same in one of the game's frames.
    pub fails: Option<Failing>,
    /// Levels have their scenes: always, but when the movies are left out only if they are asked for.
    pub scenes: bool,
    /// The level is filled to the pools' last places.
    pub crowd: bool,
    /// A module that is to be missing, by its name.
    pub lost_module: Option<&'static str>,
    /// The controllers' modules are to be those of the later generation.
    pub later_pads: bool,
    /// When the ports lose their controllers.
    pub pulled: [Option<Pulled>; PORTS],
    /// The frame from which on the disc's tray is open for a while.
    pub tray: Option<u32>,
    /// The frame from which on the module on the I/O processor is silent for a while.
    pub mute: Option<u32>,
    /// The frame from which on nothing can be read from the disc.
    pub unreadable: Option<u32>,
    /// The frame from which on the drive is no quicker than a console's.
    pub slow: Option<u32>,
    /// The frame from which on a file is read beside what is played.
    pub beside: Option<u32>,
    /// The frame in which a mission is won.
    pub win: Option<u32>,
    /// Metres within which a level's parts are there.
    pub near: Option<u16>,
    /// Seconds that what is played lasts at most.
    pub seconds: Option<u16>,
    /// Frames behind which the program waits for START, with a plus between them.
    pub stops: Option<&'static str>,
    /// The same again and again, so many frames apart.
    pub stops_every: Option<u32>,
    /// The program does as if its loader had not said where it came from.
    pub pathless: bool,
    /// Read this file of the host's instead of showing the title.
    pub host_file: Option<&'static str>,
    /// A host on the network started the program, or it is to be as if one had.
    pub from_host: bool,
}

impl Wishes {
    /// What the arguments ask for.
    pub fn read(arguments: &Arguments) -> Self {
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
            mute: arguments.value_of("mute").and_then(|count| count.parse().ok()),
            unreadable: arguments.value_of("unreadable").and_then(|count| count.parse().ok()),
            slow: arguments.value_of("slow").and_then(|count| count.parse().ok()),
            beside: arguments.value_of("beside").and_then(|count| count.parse().ok()),
            win: arguments.value_of("win").and_then(|count| count.parse().ok()),
            near: arguments.value_of("near").and_then(|count| count.parse().ok()),
            seconds: arguments.value_of("seconds").and_then(|count| count.parse().ok()),
            stops: arguments.value_of("stops"),
            stops_every: arguments.value_of("stops-every").and_then(|count| count.parse().ok()),
            pathless: arguments.iter().any(|word| word == "pathless"),
            host_file: arguments.value_of("host-file"),
            from_host: arguments.from_host() || arguments.iter().any(|word| word == "host"),
        }
    }

    /// What becomes of the I/O processor.
    pub const fn beginning(&self) -> Beginning {
        if self.from_host { Beginning::AsItIs } else { Beginning::Anew }
    }

    /// True when nothing else is wished than the game.
    pub const fn is_game(&self) -> bool {
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
            || self.host_file.is_some()
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
const NAMES: [&str; 32] = [
    "unreadable",
    "slow",
    PULLED[0],
    PULLED[1],
    "level",
    "view",
    "arena",
    "second",
    "crash",
    "tray",
    "mute",
    "beside",
    "host-file",
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
pub fn warn_of_unknown(arguments: &Arguments) {
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
