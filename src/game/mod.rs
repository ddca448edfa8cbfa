//! The game: the one value that owns every subsystem.
//!
//! [`Game`] holds the subsystems as fields and implements what the start-up list, the mode stack and the modes ask for:
//! `steps` brings the subsystems to life, `start` is the program's way to the main loop, `frame` is what the fifteen steps
//! of a frame do, `modes`, `menus` and `saves` are what the modes do. Nothing else owns a subsystem, and each gets the others
//! it needs as arguments.
//!
//! Data flows once a frame: the [`Machine`] is read (counter, pads), the clocks move, the TaskEngine runs its pairs of ticks
//! over a [`world::GameWorld`] that borrows the rest, and [`picture`] draws what came of it. The machine is the console, or on
//! the host one that is made of memory, so that the whole game is tested there.
//!
//! Source: seed 003, all of it.

pub mod arena;
#[cfg(test)]
mod arena_tests;
mod attract;
pub mod autopilot;
mod beside;
mod calls;
pub mod captions;
pub mod characters;
pub mod characters_acts;
#[cfg(test)]
mod characters_bodies_tests;
pub mod characters_draw;
mod characters_events;
mod characters_facts;
mod characters_load;
mod characters_motion;
mod characters_sound;
mod characters_story;
#[cfg(test)]
mod characters_tests;
mod characters_things;
#[cfg(test)]
mod characters_things_tests;
#[cfg(test)]
mod characters_watched_tests;
mod closing;
#[cfg(target_arch = "mips")]
pub mod console;
pub mod debug;
mod debug_lend;
mod ends;
#[cfg(test)]
pub(crate) mod fake;
mod frame;
pub mod gangs;
mod hints;
mod hud;
pub mod level;
mod level_order;
mod level_parts;
pub mod machine;
mod menus;
pub mod missions;
mod modes;
mod options;
pub mod picture;
pub mod rules;
pub mod rumble;
mod saves;
pub mod scenes;
pub mod screens;
mod sound;
pub mod staging;
mod start;
pub mod state;
mod steps;
pub mod takes;
#[cfg(test)]
mod tests;
pub mod things;
mod times;
mod waiting;
pub mod walker;
mod words;
pub mod world;
mod yard;

pub use machine::{Machine, Rumble, Shown};
pub use menus::Page;
pub use modes::Function;
pub use steps::Failure;

use crate::audio::Audio;
use crate::boot::subsystems::BootReport;
use crate::boot::title::Title;
use crate::clock::{GameTimer, Source, StopWatch, Timer};
use crate::ee::ticks::{Rate, Ticks};
use crate::ee::video::VideoMode;
use crate::file_io::{Fault, FileManager, FsToStream, Region, StreamFileSystem};
use crate::game_modes::frame::CamerasSetUp;
use crate::game_modes::{
    FrameCounter, Freeze, Gameplay, LegalScreen, MissionComplete, ModeError, ModeId, ModeStack, Pause, VIEWPORTS,
    memory_card::CardScreen, memory_card::MemoryCard, menu::Menu,
};
use crate::graphics::render::Renderer;
use crate::graphics::texture::TextureMemory;
use crate::hud::Hud;
use crate::memory::PoolId;
use crate::memory::pools::{DevicePools, GamePools, SectorPools};
use crate::physics::PhysicsWorld;
use crate::tasks::engine::TaskEngine;
use crate::world::WorldManager;
use alloc::boxed::Box;
use level::Level;
use missions::Play;
use picture::Picture;
use rules::Rules;
use rumble::Rumbler;
use state::GameState;
use things::Things;
use walker::Walker;
use words::Words;
use world::{Input, Random};

/// Most frames that the program stops behind.
pub const MOST_STOPS: usize = 8;

/// How the program is to run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The video mode.
    pub mode: VideoMode,
    /// Frames after which the program ends; without it, never.
    pub frames: Option<u32>,
    /// Every frame is one fixed step, so that a run repeats exactly.
    pub lockstep: bool,
    /// Recorded buttons in place of the first controller.
    pub script: Option<crate::pads::Script>,
    /// The same for the second one.
    pub second: Option<crate::pads::Script>,
    /// An autopilot holds the first controller wherever a level is played.
    pub pilot: Option<autopilot::Skill>,
    /// An arena is played against the computer, however many controllers there are.
    pub alone: bool,
    /// The start-up movies are left out.
    pub skip_movies: bool,
    /// Levels have their scenes.
    pub scenes: bool,
    /// What is played at once, without the menus.
    pub play: Option<Play>,
    /// The frame from which on the disc's tray is open, then another disc in it, for [`sound::TRAY_FRAMES`] together: a fault
    /// for tests.
    pub tray: Option<u32>,
    /// The frame from which on the module on the I/O processor does not answer for a while: a fault for tests.
    pub mute: Option<u32>,
    /// The frame from which on nothing can be read from the disc: a fault for tests.
    pub unreadable: Option<u32>,
    /// The frame from which on the drive is no quicker than a console's: for tests.
    pub slow: Option<u32>,
    /// The frame from which on a long file is read beside what is played, and what that costs is told: for tests.
    pub beside: Option<u32>,
    /// Metres within which a level's parts are there, in place of [`PRELOAD_METRES`](crate::streaming::PRELOAD_METRES), with a
    /// drive that is no quicker than a console's: so that a short level streams, too.
    pub near: Option<u16>,
    /// Seconds that a mission or an arena's round lasts at most: for tests that wait for its end.
    pub seconds: Option<u16>,
    /// The frame in which the mission that is played counts as complete: for tests of what follows.
    pub win: Option<u32>,
    /// Frames behind which the program waits for START on the first controller: somebody looks at the picture.
    pub stops: heapless::Vec<u32, MOST_STOPS>,
    /// Frames from one stop to the next, for a row of pictures.
    pub stops_every: Option<u32>,
    /// Every level is filled to the pools' last places, and what a frame costs is told.
    pub crowd: bool,
    /// The overlay is open on this page from the start.
    pub overlay: Option<crate::overlay::Page>,
    /// The program was loaded over the network: the I/O processor is not started anew.
    pub from_host: bool,
}

/// Pools, by who made them.
#[derive(Debug, Default)]
pub struct Pools {
    /// The device's.
    pub device: Option<DevicePools>,
    /// The game's own.
    pub game: Option<GamePools>,
    /// Those for the levels' data.
    pub sector: Option<SectorPools>,
    /// The data of all levels.
    pub global_data: Option<PoolId>,
    /// One level's data.
    pub level: Option<PoolId>,
}

/// What comes from the disc.
pub struct Files<M: Machine> {
    /// The device, until the archive is open.
    pub device: Option<M::Device>,
    /// The File Stream Buffer.
    pub buffer: Option<Region>,
    /// The archive's files.
    pub system: Option<StreamFileSystem<'static, M::Device>>,
    /// One file that is read by waiting.
    pub current: FsToStream,
    /// The queue of requests.
    pub manager: Option<FileManager>,
    /// The file systems that are mounted, one over the other; none before the device's first step.
    pub mounted: u8,
}

/// The states of the modes.
#[derive(Debug, Default)]
pub struct ModeStates {
    /// Mode 5.
    pub legal: LegalScreen,
    /// Mode 6.
    pub card: MemoryCard,
    /// Mode 1.
    pub gameplay: Gameplay,
    /// Mode 0xb.
    pub complete: MissionComplete,
    /// Mode 0xe.
    pub freeze: Freeze<Function>,
    /// Mode 0xa.
    pub pause: Pause,
    /// A menu for each mode that is one, by the mode's number.
    pub menus: [Menu; crate::game_modes::MODE_NUMBERS],
    /// Which of the front end's pages is shown.
    pub page: Page,
    /// What the level flow pushes next.
    pub next: Option<Play>,
    /// What was played last.
    pub last: Option<Play>,
    /// The level that a mission's end asks for by its name, for the reason to leave that goes on to one.
    pub named: Option<missions::Place>,
    /// How the level ended that is being frozen.
    pub outcome: Option<rules::Outcome>,
    /// An arena is played against the computer, however many controllers there are.
    pub alone: bool,
    /// A save is due.
    pub save_due: bool,
    /// Somebody has chosen something that the card does not have yet.
    pub settings_changed: bool,
    /// The self-test follows once the settings are saved.
    pub self_test_due: bool,
    /// Nothing is to be heard.
    pub quiet: bool,
    /// The disc's fault that was told to whoever listens to the console.
    pub told_fault: Option<Fault>,
    /// A picture on trial, and the seconds until the old one comes back.
    pub trial: Option<(crate::ee::video::Trial, u32)>,
    /// Frames that the first start's question still waits; 0 when it was never asked.
    pub first_start: u32,
    /// The loading screen, while a level is loaded.
    pub loading: Option<level::Loading>,
    /// Viewports' screen effects.
    pub effects: [u32; VIEWPORTS],
}

/// The game.
pub struct Game<M: Machine> {
    /// The console.
    pub machine: M,
    /// How the program is to run.
    pub options: Options,
    /// Which modes are on.
    pub stack: ModeStack,
    /// Their states.
    pub modes: ModeStates,

    /// Real time from the console's counter.
    pub timer: Timer,
    /// What the game takes for real time.
    pub source: Source,
    /// Real time of this frame, in ticks.
    pub real: u64,
    /// Game time.
    pub clock: GameTimer,
    /// Counts a level's game time down, for the overlay's page of the clocks.
    pub stop_watch: StopWatch,

    /// Who pays for what.
    pub pools: Pools,
    /// What comes from the disc.
    pub files: Files<M>,
    /// What the controllers say.
    pub input: Input,
    /// The first player's controller is missing.
    pub controller_missing: bool,

    /// The TaskEngine.
    pub tasks: Option<Box<TaskEngine>>,
    /// The physics.
    pub physics: Option<Box<PhysicsWorld>>,
    /// The levels of the disc.
    pub world: WorldManager,
    /// What draws them.
    pub renderer: Option<Box<Renderer>>,
    /// The level that is played.
    pub level: Option<Box<Level>>,
    /// The people, once they have come from the disc.
    pub people: Option<Box<characters::People>>,
    /// What people will be made of, until start-up has done so.
    pub makings: characters_load::Makings,
    /// What is true of each gang.
    pub gangs: gangs::GangAttributes,
    /// The scenes of the disc.
    pub scenes: Box<scenes::SceneCache>,
    /// The one that plays in the level.
    pub staging: Box<staging::Staging>,
    /// The player's eyes where nobody lives.
    pub walker: Walker,
    /// What is heard.
    pub audio: Box<Audio>,
    /// Which tune plays.
    pub tune: Option<sound::Tune>,
    /// What shakes.
    pub rumble: Rumbler,
    /// What is seen over a level, of each player.
    pub huds: Box<[Hud; VIEWPORTS]>,
    /// What each player has left undone, and is told again.
    hints: [hints::Hints; VIEWPORTS],
    /// What is said and called out; made by the start-up's sixth step.
    pub captions: Option<Box<captions::Captions>>,
    /// What stands on the screen, in the language that is set.
    words: Box<Words>,
    /// What ends the level.
    pub rules: Rules,
    /// The level's random numbers.
    pub random: Random,
    /// The level's things as they are seen.
    pub things: Box<Things>,
    /// What is kept from level to level.
    pub state: GameState,

    /// Textures' places.
    pub textures: TextureMemory,
    /// The boardwalk at night, behind the menus.
    pub title: Option<Box<Title>>,
    /// What this frame shows.
    pub picture: Picture,
    /// "Cameras set up this frame".
    pub cameras: CamerasSetUp,
    /// The debug text.
    pub counter: FrameCounter,
    /// The debug overlay.
    pub debug: Option<Box<debug::Debug>>,
    /// Frames presented.
    pub frames: u32,

    /// What start-up cost.
    pub report: BootReport,
    /// Modes that could not be pushed.
    pub refused: heapless::Deque<ModeError, 4>,
    /// The bytes of a save, header included.
    save_buffer: [u8; saves::BUFFER_BYTES],
    /// Cycles since the program began; the counter is shown to it more often than it wraps.
    uptime: Ticks,
    /// The timer runs at the console's own rate.
    rate_known: bool,
    /// Somebody asked for the browser.
    leaving: bool,
    /// What was told of the module's sound to whoever listens to the console.
    sound_told: sound::Told,
    /// The program goes on with the self-test when it ends.
    self_test: bool,
    /// The card's screen that was told to whoever listens to the console.
    card_told: Option<CardScreen>,
    /// The mode on top that was told to whoever listens to the console.
    told: Option<ModeId>,
    /// When the first menu came was told.
    menu_told: bool,
    /// The last second that was reported.
    reported_second: u64,
    /// What the title does when it is left alone.
    attract: attract::Attract,
    /// What is read beside what is played.
    beside: beside::Beside,
    /// Cycles of this frame's file service and sound.
    files_cycles: u32,
    /// How long the frames of the level took.
    times: times::FrameTimes,
}

impl<M: Machine> Game<M> {
    /// A game whose subsystems are all still to come.
    ///
    /// Not inlined: on its way to the heap the game stands on the stack, half of which it would fill as long as it is played.
    #[inline(never)]
    pub fn new(machine: M, options: Options) -> Box<Self> {
        let count = machine.count();
        let source = if options.lockstep { Source::lockstep() } else { Source::Console };
        let alone = options.alone;
        let (scripts, overlay) = ((options.script.clone(), options.second.clone()), options.overlay);
        let pilot = options.pilot.map(autopilot::Pilot::new);
        Box::new(Self {
            machine,
            options,
            stack: ModeStack::new(),
            modes: ModeStates { alone, ..ModeStates::default() },
            timer: Timer::starting_at(count, Rate::NOMINAL),
            source,
            real: 0,
            clock: GameTimer::starting_at(0),
            stop_watch: StopWatch::new(),
            pools: Pools::default(),
            files: Files {
                device: None,
                buffer: None,
                system: None,
                current: FsToStream::default(),
                manager: None,
                mounted: 0,
            },
            input: Input { script: scripts.0, second: scripts.1, pilot, ..Input::default() },
            controller_missing: false,
            tasks: None,
            physics: None,
            world: WorldManager::new(),
            renderer: None,
            level: None,
            people: None,
            makings: characters_load::Makings::default(),
            gangs: gangs::GangAttributes::default(),
            scenes: Box::default(),
            staging: Box::default(),
            walker: Walker::default(),
            audio: Box::default(),
            tune: None,
            rumble: Rumbler::default(),
            huds: Box::default(),
            hints: [hints::Hints::default(); VIEWPORTS],
            captions: None,
            words: Box::default(),
            rules: Rules::default(),
            random: Random::new(),
            things: Box::default(),
            state: GameState::NEW,
            textures: TextureMemory::default(),
            title: None,
            picture: Picture::default(),
            cameras: CamerasSetUp::default(),
            counter: FrameCounter::default(),
            debug: Some(Box::new(debug::Debug::new(overlay))),
            frames: 0,
            report: BootReport::new(),
            refused: heapless::Deque::new(),
            save_buffer: [0; saves::BUFFER_BYTES],
            uptime: Ticks::starting_at(count),
            rate_known: false,
            leaving: false,
            sound_told: sound::Told::default(),
            self_test: false,
            card_told: None,
            told: None,
            menu_told: false,
            reported_second: 0,
            attract: attract::Attract::default(),
            beside: beside::Beside::default(),
            files_cycles: 0,
            times: times::FrameTimes::default(),
        })
    }

    /// True when the program is to end: its frames are through, or somebody asked for the browser.
    pub fn is_over(&self) -> bool {
        self.leaving || self.options.frames.is_some_and(|frames| self.frames >= frames)
    }

    /// Ends the program at the end of this frame.
    pub const fn leave_for_browser(&mut self) {
        self.leaving = true;
    }

    /// Ends the game at the end of this frame; the program goes on with the self-test.
    pub const fn leave_for_self_test(&mut self) {
        self.self_test = true;
        self.leaving = true;
    }

    /// True when the program is to go on with the self-test.
    pub const fn is_self_test_wanted(&self) -> bool {
        self.self_test
    }
}
