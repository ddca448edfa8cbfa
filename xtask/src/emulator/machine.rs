//! The description of an emulated console.

use std::path::PathBuf;

/// What the console starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Boot {
    /// A disc image in the drive. Our boot ROM boots it by itself.
    Disc(PathBuf),
    /// A program for the EE, which the boot ROM loads as a file of the host.
    Elf(PathBuf),
    /// A module for the IOP, put into the ROM's address space.
    Irx(PathBuf),
    /// An empty drive.
    NoDisc,
}

/// How the processors are emulated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Recompilers: fast, and blind to unaligned accesses.
    #[default]
    Recompiler,
    /// Interpreters on both processors: unaligned accesses are reported.
    Interpreter,
    /// The EE's interpreter with its data cache modelled: a missing write-back or invalidation shows as it does on a console.
    InterpreterWithCache,
}

/// What draws inside the emulator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Renderer {
    /// Its own rasteriser: exact, and the same everywhere.
    #[default]
    Software,
    /// OpenGL: another rasteriser by other hands, with the GS's formats and blending put together from a PC's.
    OpenGl,
    /// Nothing: for long runs of which nobody sees a picture. What the console counts does not depend on who draws.
    Nothing,
}

/// Where the picture goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    /// A window on the person's display.
    Window,
    /// A virtual display; the window has exactly the console's pixels.
    Headless,
}

/// Where the sound goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sound {
    /// Nowhere.
    Off,
    /// The person's loudspeakers.
    Speakers,
    /// A file of raw samples: signed 16-bit little-endian, stereo, 48 kHz. Exact only with the limiter on.
    File(PathBuf),
    /// Nowhere but into recordings, see [`Session::begin_recording`](super::Session::begin_recording). Voices are read in straight lines from
    /// sample to sample, so that a recording can be computed.
    Recorded,
}

/// A person's own emulator, used in place of the one that setup unpacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnEmulator {
    /// The program: PCSX2 1.6, or 2.x (`pcsx2-qt`, an AppImage).
    pub pcsx2: PathBuf,
    /// A BIOS image of the person's console.
    pub bios: PathBuf,
}

/// An emulated console and how it is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The boot ROM.
    pub rom: PathBuf,
    /// What it starts with.
    pub boot: Boot,
    /// How the processors are emulated.
    pub mode: Mode,
    /// What draws.
    pub renderer: Renderer,
    /// Where the picture goes.
    pub display: Display,
    /// Whether the emulator keeps to the console's speed; off, it runs as fast as it can.
    pub limiter: bool,
    /// Where the sound goes.
    pub sound: Sound,
    /// Files that stand for the memory cards in slots 1 and 2. A file that is not there is made, as a formatted card without
    /// files; [`card`](super::card) makes other ones.
    pub cards: [Option<PathBuf>; 2],
    /// A person's own emulator and BIOS instead of ours.
    pub own: Option<OwnEmulator>,
}

impl Machine {
    /// A machine for tests: no window, no sound, no cards, as fast as it goes.
    pub fn headless(rom: PathBuf, boot: Boot) -> Self {
        Self {
            rom,
            boot,
            mode: Mode::default(),
            renderer: Renderer::default(),
            display: Display::Headless,
            limiter: false,
            sound: Sound::Off,
            cards: [None, None],
            own: None,
        }
    }

    /// A machine to play on: a window at the console's speed, with sound.
    pub fn window(rom: PathBuf, boot: Boot) -> Self {
        Self { display: Display::Window, limiter: true, sound: Sound::Speakers, ..Self::headless(rom, boot) }
    }
}
