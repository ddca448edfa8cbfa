//! A console that is made of memory.

use super::machine::{Counter, Machine, MissingModule, Rumble, Shown};
use super::{Game, Options};
use crate::crash::recent::RecentEvents;
use crate::ee::gif::{Line, Packet};
use crate::ee::identity::Identity;
use crate::ee::ticks::Rate;
use crate::ee::video::{VideoMode, VideoOptions};
use crate::file_io::fake::{BUFFER, Disc, FakeDevice};
use crate::file_io::{Region, STREAM_BUFFER_BYTES};
use crate::game_modes::memory_card::Card;
use crate::game_modes::memory_card::tests::FakeCard;
use crate::memory::MemoryManager;
use crate::memory::pools::ARENA_BYTES;
use crate::memory::testing::Arena;
use crate::pads::{PORTS, Reading};
use core::cell::Cell;
use core::fmt;
use std::boxed::Box;
use std::format;
use std::string::String;
use std::vec;
use std::vec::Vec;

/// Ticks between two frames at 59.94 Hz.
const FRAME_TICKS: u32 = 9_840_240;

pub struct FakeMachine {
    pub count: u32,
    /// Cycles that pass from one look at the counter to the next.
    pub cycles_a_look: u32,
    /// Cycles that have passed by looks.
    looked: Cell<u32>,
    pub log: Vec<String>,
    pub readings: [Option<Reading>; PORTS],
    pub rumbles: Vec<(usize, Rumble)>,
    pub card: FakeCard,
    /// What the start of the IOP says.
    pub iop: Result<(), &'static str>,
    pub shown: Shown,
    pub identity: Identity,
    /// What the picture was set to last.
    pub video: VideoOptions,
    /// Looks for the disc until it comes, while it is missing.
    pub disc_comes: Option<(u32, Disc)>,
    /// Quadwords of the last frame's packet.
    pub quads: usize,
    /// What was kept for a crash screen.
    pub recent: RecentEvents,
    /// The modules that would not load.
    pub missing: Vec<MissingModule>,
    /// The disc in the drive; without one there is no drive either.
    pub disc: Option<Disc>,
    lines: Vec<Line>,
    memory: Box<MemoryManager>,
    _arena: Arena,
}

impl FakeMachine {
    pub fn new() -> Self {
        let mut arena = Arena::new(ARENA_BYTES, 1024);
        let mut memory = Box::new(MemoryManager::new());
        memory.init(arena.region()).unwrap();
        Self {
            count: 1000,
            cycles_a_look: 0,
            looked: Cell::new(0),
            log: vec![],
            readings: [Some(Reading::default()), None],
            rumbles: vec![],
            card: FakeCard::default(),
            iop: Ok(()),
            shown: Shown::default(),
            identity: Identity::default(),
            video: VideoOptions::default(),
            disc_comes: None,
            quads: 0,
            recent: RecentEvents::NONE,
            missing: vec![],
            disc: None,
            lines: vec![Line::default(); 0xE_0000 / size_of::<Line>()],
            memory,
            _arena: arena,
        }
    }

    /// Lines of the log with this beginning.
    pub fn said(&self, begin: &str) -> usize {
        self.log.iter().filter(|line| line.starts_with(begin)).count()
    }
}

impl Machine for FakeMachine {
    type Device = FakeDevice;

    fn start_iop(&mut self) -> Result<(), &'static str> {
        self.iop
    }
    fn open_pads(&mut self) -> Result<(), &'static str> {
        Ok(())
    }
    fn missing_modules(&self) -> &[MissingModule] {
        &self.missing
    }
    fn open_display(&mut self, _mode: VideoMode) -> Result<(), &'static str> {
        Ok(())
    }
    fn set_video(&mut self, video: VideoOptions) {
        self.video = video;
    }
    fn misses_disc(&self) -> bool {
        self.disc_comes.is_some()
    }
    fn look_for_disc(&mut self) -> bool {
        if let Some((looks @ 1.., _)) = &mut self.disc_comes {
            *looks -= 1;
            return false;
        }
        self.disc = self.disc_comes.take().map(|(_, disc)| disc);
        self.disc.is_some()
    }
    fn take_device(&mut self) -> Option<FakeDevice> {
        self.disc.as_ref().map(FakeDevice::new)
    }
    fn allocate_region(&mut self, bytes: u32) -> Option<Region> {
        // Paid for as on the console; what reads bring stands in the fake disc's own memory.
        self.memory.alloc(bytes as usize, 128).ok()?;
        (bytes == STREAM_BUFFER_BYTES).then_some(BUFFER)
    }
    fn count(&self) -> u32 {
        let looked = self.looked.get().wrapping_add(self.cycles_a_look);
        self.looked.set(looked);
        self.count.wrapping_add(looked)
    }
    fn rate(&self) -> Option<Rate> {
        Some(Rate::NOMINAL)
    }
    fn shown(&self) -> Shown {
        self.shown
    }
    fn identity(&self) -> &Identity {
        &self.identity
    }
    fn frame(&mut self, draw: impl FnOnce(&mut Packet, u32, Counter)) {
        let mut packet = Packet::new(&mut self.lines);
        draw(&mut packet, 0, || 0);
        let chain = packet.finish();
        assert_eq!(chain.dropped, 0, "the frame fits its packet");
        self.quads = chain.quads;
        self.count = self.count.wrapping_add(FRAME_TICKS);
        self.shown.frames += 1;
        self.shown.ticks += u64::from(FRAME_TICKS);
        self.shown.cycles += u64::from(FRAME_TICKS);
    }
    fn send<'a>(&'a mut self, build: impl FnOnce(&mut Packet<'a>)) {
        build(&mut Packet::new(&mut self.lines));
    }
    fn settle(&mut self) {}
    fn read_pads(&mut self) -> [Option<Reading>; PORTS] {
        self.readings
    }
    fn rumble(&mut self, port: usize, rumble: Rumble) {
        self.rumbles.push((port, rumble));
    }
    fn card(&mut self) -> &mut dyn Card {
        &mut self.card
    }
    fn with_memory<T>(&mut self, work: impl FnOnce(&mut MemoryManager) -> T) -> T {
        work(&mut self.memory)
    }
    fn free_bytes(&self) -> usize {
        self.memory.global().and_then(|global| self.memory.free_bytes(global).ok()).unwrap_or(0)
    }
    fn keep_events(&mut self, recent: &RecentEvents) {
        self.recent = *recent;
    }
    fn print(&mut self, line: fmt::Arguments<'_>) {
        self.log.push(format!("{line}"));
    }
}

pub type FakeGame = Game<FakeMachine>;

/// A game on a console of memory, without movies.
pub fn game() -> Box<FakeGame> {
    Game::new(FakeMachine::new(), Options { skip_movies: true, ..Options::default() })
}
