//! The console under the game.
//!
//! Everything that the game asks of the hardware it asks here, so that the whole game also runs on a host that has none.

use crate::crash::recent::RecentEvents;
use crate::ee::gif::Packet;
use crate::ee::identity::Identity;
use crate::ee::ticks::Rate;
use crate::ee::video::{VideoMode, VideoOptions};
use crate::file_io::{Region, StreamDevice};
use crate::game_modes::memory_card::Card;
use crate::memory::MemoryManager;
use crate::pads::{PORTS, Reading};
use core::fmt;

/// Actuators of a controller: whether the small one runs, and how strongly the large one does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rumble {
    /// The small motor is on or off.
    pub small: bool,
    /// The large motor's strength, 0 for off.
    pub large: u8,
}

/// A module that would not load after all its tries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingModule {
    /// What a person calls it.
    pub name: &'static str,
    /// What the last try said, in a few words.
    pub error: heapless::String<64>,
}

/// What pacing has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Frames shown.
    pub frames: u32,
    /// Blanks by which frames were late.
    pub missed: u32,
    /// Real time since the display was opened, in ticks.
    pub ticks: u64,
    /// The same in the counter's own cycles, which the vertical blank's handler folds whatever the game does.
    pub cycles: u64,
    /// Cycles that the GS took for the last frame that it finished.
    pub drawn: u32,
    /// Cycles that building the last frame's packet took, without waiting for the screen.
    pub built: u32,
    /// Packets' contents that did not fit so far.
    pub dropped: u32,
    /// This console's cycles over sixty blanks, once they are measured.
    pub sixty_blanks: Option<u32>,
}

/// Reads the cycle counter.
pub type Counter = fn() -> u32;

/// The console.
pub trait Machine: 'static {
    /// What brings files from the disc.
    type Device: StreamDevice;

    /// Starts the I/O processor anew and loads its modules. An error says in a few words what is missing.
    fn start_iop(&mut self) -> Result<(), &'static str>;
    /// The modules that would not load, and why; what needs them is missing.
    fn missing_modules(&self) -> &[MissingModule];
    /// Opens both controller ports.
    fn open_pads(&mut self) -> Result<(), &'static str>;
    /// Opens the picture.
    fn open_display(&mut self, mode: VideoMode) -> Result<(), &'static str>;
    /// Changes what is chosen about the picture.
    fn set_video(&mut self, video: VideoOptions);
    /// True when the game's own module is not there because its disc is not in the drive.
    fn misses_disc(&self) -> bool;
    /// Looks for the disc again; true when it has come and the module is loaded.
    fn look_for_disc(&mut self) -> bool;
    /// The device that files come from, once.
    fn take_device(&mut self) -> Option<Self::Device>;
    /// Memory that a device may write, kept as long as the program lives.
    fn allocate_region(&mut self, bytes: u32) -> Option<Region>;

    /// The cycle counter.
    fn count(&self) -> u32;
    /// How this console's counter relates to the nominal one, once it is known.
    fn rate(&self) -> Option<Rate>;
    /// What was shown so far.
    fn shown(&self) -> Shown;
    /// Which console it is.
    fn identity(&self) -> &Identity;
    /// Builds one frame and submits it; waits while the program is a whole frame ahead of the screen. `draw` gets the packet,
    /// the first page of the frame buffer and the cycle counter.
    fn frame(&mut self, draw: impl FnOnce(&mut Packet, u32, Counter));
    /// Sends a packet at once and waits until it is drawn, for uploads while loading.
    fn send<'a>(&'a mut self, build: impl FnOnce(&mut Packet<'a>));
    /// Waits until the last frame is on the screen.
    fn settle(&mut self);

    /// What both controllers say now; `None` for a port without one that gives input.
    fn read_pads(&mut self) -> [Option<Reading>; PORTS];
    /// Lets a controller shake.
    fn rumble(&mut self, port: usize, rumble: Rumble);
    /// The memory card in the first slot.
    fn card(&mut self) -> &mut dyn Card;

    /// Lends the memory manager; `work` must not use `Vec`, `Box` or the like.
    fn with_memory<T>(&mut self, work: impl FnOnce(&mut MemoryManager) -> T) -> T;
    /// Free bytes of the global heap; 0 before there is one.
    fn free_bytes(&self) -> usize;
    /// Keeps what happened last in the subsystems, for a crash screen.
    fn keep_events(&mut self, recent: &RecentEvents);
    /// Prints a line for whoever listens to the console.
    fn print(&mut self, line: fmt::Arguments<'_>);
}
