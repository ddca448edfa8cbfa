//! The console itself as the game's machine.

use super::machine::{Counter, Machine, MissingModule, Rumble, Shown};
use crate::boot::crash;
use crate::crash::recent::RecentEvents;
use crate::ee::cards::CardRpc;
use crate::ee::display::Display;
use crate::ee::gif::Packet;
use crate::ee::identity::Identity;
use crate::ee::pads::PadDriver;
use crate::ee::sif::link::Link;
use crate::ee::sif::loader::Loader;
use crate::ee::streams::{SifChannel, allocate, load};
use crate::ee::ticks::Rate;
use crate::ee::tty::Tty;
use crate::ee::video::{VideoMode, VideoOptions};
use crate::ee::{cop0, exceptions, heap};
use crate::file_io::Region;
use crate::file_io::device::ModuleDevice;
use crate::file_io::device::start::{Beginning, MODULES, ModuleFile, OWN, later_path, load_one};
use crate::game_modes::memory_card::Card;
use crate::game_modes::memory_card::folder::{CardInfo, CardServer, Folder, answer};
use crate::memory::MemoryManager;
use crate::pads::{PORTS, Pulled, Reading};
use crate::tty_println;
use alloc::boxed::Box;
use core::cell::RefCell;
use core::fmt::{self, Write as _};

/// Blanks for which the last frame is on the screen before the program says that it has ended: whoever takes a picture then
/// gets that frame.
const SETTLED_BLANKS: u32 = 4;

/// Where no module is.
const NOWHERE: &str = "rom0:NOWHERE";

/// What stands for the IOP itself among the modules that are to be missing.
const IOP: &str = "IOP";

/// How long a server may take to answer when it may well not be there, in milliseconds.
const PROBE_PATIENCE: u32 = 20;

/// The console.
#[derive(Default)]
pub struct Console {
    beginning: Beginning,
    display: Option<Display>,
    /// The link to the I/O processor, shared by all who call it; kept as long as the program lives.
    link: Option<&'static RefCell<Link>>,
    pads: Option<PadDriver>,
    /// The game's own module, which comes from the disc, is not there.
    misses_disc: bool,
    /// The modules that are not there, the game's own among them.
    missing: heapless::Vec<MissingModule, { MODULES.len() }>,
    /// A module that is to be missing, by its name: a fault for tests.
    lost: Option<&'static str>,
    /// The controllers' modules of the later generation are loaded, as a host's loader may have done.
    later_pads: bool,
    /// When the ports lose their controllers: a fault for tests.
    pulled: [Option<Pulled>; PORTS],
    /// The ports that have lost them.
    are_pulled: [bool; PORTS],
    /// How the program is to fail in play: a fault for tests.
    fails: Option<Failing>,
    /// Frames that were shown.
    frames: u32,
    /// The picture's chains are looked at, whether all of them was written back.
    checks: bool,
    /// The picture's packets are told to the console's listener.
    tells: bool,
    /// Cycles of the last frame's packet.
    built: u32,
    /// Which console it is, once its picture is open.
    identity: Identity,
    card: Option<Folder<CardRpc>>,
    no_card: Folder<NoCard>,
}

/// How a program fails on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failing {
    /// In which frame.
    pub frame: u32,
    /// By a panic; else by a fault that the processor finds.
    pub panics: bool,
}

/// What of the console has been opened.
pub struct Parts<'c> {
    /// The picture.
    pub display: Option<&'c mut Display>,
    /// The link to the I/O processor.
    pub link: Option<&'static RefCell<Link>>,
    /// The controllers.
    pub pads: Option<&'c mut PadDriver>,
    /// The server of the memory cards.
    pub card: Option<&'c mut CardRpc>,
}

/// No card: there is nobody on the IOP to ask.
#[derive(Debug, Default)]
struct NoCard;

impl CardServer for NoCard {
    fn info(&mut self) -> CardInfo {
        CardInfo { result: answer::NO_CARD, ..CardInfo::default() }
    }
    fn open(&mut self, _: &str, _: u32) -> i32 {
        answer::NO_CARD
    }
    fn close(&mut self, _: i32) -> i32 {
        answer::NO_CARD
    }
    fn read(&mut self, _: i32, _: &mut [u8]) -> i32 {
        answer::NO_CARD
    }
    fn write(&mut self, _: i32, _: &[u8]) -> i32 {
        answer::NO_CARD
    }
    fn format(&mut self) -> i32 {
        answer::NO_CARD
    }
}

impl Console {
    /// A console of which nothing is open yet.
    pub fn new(beginning: Beginning) -> Self {
        Self { beginning, ..Self::default() }
    }

    /// The same on which a module will not load, by its name.
    pub fn without(self, lost: Option<&'static str>) -> Self {
        Self { lost, ..self }
    }

    /// The same with the controllers' modules of the later generation, if `later`.
    pub fn with_later_pads(self, later: bool) -> Self {
        Self { later_pads: later, ..self }
    }

    /// The same whose ports lose their controllers for a while.
    pub fn pulling(self, pulled: [Option<Pulled>; PORTS]) -> Self {
        Self { pulled, ..self }
    }

    /// Pulls and plugs in what is due.
    fn pull_if_due(&mut self) {
        let Some(pads) = &mut self.pads else { return };
        for (port, (pulled, is_pulled)) in self.pulled.iter().zip(&mut self.are_pulled).enumerate() {
            let due = pulled.is_some_and(|pulled| pulled.is_in(self.frames));
            if due != *is_pulled {
                *is_pulled = due;
                let (what, answered) = (if due { "pulled" } else { "plugged in" }, pads.pull(port, due));
                tty_println!("BOOT pad {} {what}{}", port + 1, if answered { "" } else { ", which nobody heard" });
            }
        }
    }

    /// The same on which the program fails in one of its frames.
    pub fn failing(self, fails: Option<Failing>) -> Self {
        Self { fails, ..self }
    }

    /// Fails when it is time.
    fn fail_if_due(&self) {
        let Some(fails) = self.fails.filter(|fails| fails.frame == self.frames) else { return };
        assert!(!fails.panics, "an argument asked for this in frame {}", fails.frame);
        exceptions::provoke();
    }

    /// The same that looks whether whatever drawing refers to was written back, if `checks`.
    pub fn checking(self, checks: bool) -> Self {
        Self { checks, ..self }
    }

    /// The same that tells its packets, if `tells`.
    pub fn telling(self, tells: bool) -> Self {
        Self { tells, ..self }
    }

    /// The picture, once it is open.
    pub const fn display(&self) -> Option<&Display> {
        self.display.as_ref()
    }

    /// Everything that was opened, for whoever takes the console over from the game.
    pub const fn parts(&mut self) -> Parts<'_> {
        let card = match &mut self.card {
            Some(card) => Some(&mut card.0),
            None => None,
        };
        Parts { display: self.display.as_mut(), link: self.link, pads: self.pads.as_mut(), card }
    }
}

impl Machine for Console {
    type Device = ModuleDevice<SifChannel<'static>>;

    fn start_iop(&mut self) -> Result<(), &'static str> {
        if self.lost == Some(IOP) {
            return Err("the IOP does not start anew");
        }
        let link = Link::start().map_err(|_| "no link to the IOP")?;
        let mut link = match self.beginning {
            Beginning::Anew => link.restart_iop(b"").map_err(|_| "the IOP does not start anew")?,
            Beginning::AsItIs => link,
        };
        let loader = Loader::bind(&mut link).map_err(|_| "no loader on the IOP")?;
        // All servers are asked for before any module is loaded: a module's own may answer for the next one.
        let missing = self.beginning.missing(|server| link.bind(server, PROBE_PATIENCE).is_ok());
        let missing: heapless::Vec<ModuleFile, { MODULES.len() }> = missing.collect();
        if self.beginning == Beginning::AsItIs {
            tty_println!(
                "BOOT the IOP goes on, {} of {} modules are there",
                MODULES.len() - missing.len(),
                MODULES.len()
            );
        }
        for module in missing {
            let path = match (self.lost == Some(module.name), self.later_pads) {
                (true, _) => NOWHERE,
                (false, true) => later_path(&module),
                (false, false) => module.path,
            };
            let module = ModuleFile { path, ..module };
            // A module that is missing is missed by whoever needs it: no pads, no card, no files.
            let Err(missing) = load_one(module, &mut |module| load(&loader, &mut link, module)) else { continue };
            tty_println!("BOOT module {} missing: {}", module.name, missing.error);
            self.misses_disc |= module == OWN;
            let mut error = heapless::String::new();
            // What does not fit is cut.
            let _cut = write!(error, "{}", missing.error);
            // There is room for all that there are.
            let _room = self.missing.push(MissingModule { name: module.name, error });
        }
        self.link = Some(Box::leak(Box::new(RefCell::new(link))));
        Ok(())
    }
    fn missing_modules(&self) -> &[MissingModule] {
        &self.missing
    }
    fn open_pads(&mut self) -> Result<(), &'static str> {
        let Some(link) = self.link else { return Ok(()) };
        match PadDriver::open(link) {
            Ok(driver) => {
                tty_println!("BOOT pads {:?} generation", driver.generation());
                self.pads = Some(driver);
            }
            // Without the module there is no controller, which the game says on the screen.
            Err(error) => tty_println!("BOOT pads missing: {error}"),
        }
        match CardRpc::open(link) {
            Ok(card) => self.card = Some(Folder(card)),
            Err(error) => tty_println!("BOOT cards missing: {error}"),
        }
        Ok(())
    }
    fn open_display(&mut self, mode: VideoMode) -> Result<(), &'static str> {
        if self.display.is_none() {
            let mut display = Display::open(mode).map_err(|_| "the kernel takes no interrupt handler")?;
            if self.checks {
                display.check_write_backs();
            }
            if self.tells {
                display.tell_packets();
            }
            self.display = Some(display);
            self.identity = Identity::of_this_console();
        }
        Ok(())
    }
    fn set_video(&mut self, video: VideoOptions) {
        if let Some(display) = &mut self.display
            && display.video() != video
        {
            display.set_video(video);
        }
    }
    fn misses_disc(&self) -> bool {
        self.misses_disc
    }
    fn look_for_disc(&mut self) -> bool {
        let Some(link) = self.link else { return false };
        let link = &mut *link.borrow_mut();
        let Ok(loader) = Loader::bind(link) else { return false };
        self.misses_disc = load(&loader, link, OWN).is_err();
        !self.misses_disc
    }
    fn take_device(&mut self) -> Option<Self::Device> {
        let channel = SifChannel::bind(self.link?).ok()?;
        Some(ModuleDevice::new(channel))
    }
    fn allocate_region(&mut self, bytes: u32) -> Option<Region> {
        allocate(bytes)
    }
    fn count(&self) -> u32 {
        cop0::count()
    }
    fn rate(&self) -> Option<Rate> {
        let display = self.display.as_ref()?;
        let measured = display.counters().sixty_blanks?;
        Some(Rate::measured(measured, display.mode().setup().cycles_per_sixty_blanks))
    }
    fn shown(&self) -> Shown {
        let Some(counters) = self.display.as_ref().map(Display::counters) else { return Shown::default() };
        Shown {
            frames: counters.flips,
            missed: counters.missed,
            ticks: counters.ticks,
            cycles: counters.cycles,
            drawn: counters.drawn,
            built: self.built,
            dropped: self.display.as_ref().map_or(0, Display::dropped),
            sixty_blanks: counters.sixty_blanks,
        }
    }
    fn identity(&self) -> &Identity {
        &self.identity
    }
    fn frame(&mut self, draw: impl FnOnce(&mut Packet, u32, Counter)) {
        self.frames = self.frames.wrapping_add(1);
        self.fail_if_due();
        if let Some(display) = &mut self.display {
            let mut built = 0;
            display.frame(|packet, page| {
                let begin = cop0::count();
                draw(packet, page, cop0::count);
                built = cop0::count().wrapping_sub(begin);
            });
            self.built = built;
        }
    }
    fn send<'a>(&'a mut self, build: impl FnOnce(&mut Packet<'a>)) {
        if let Some(display) = &mut self.display {
            display.send_and_wait(build);
        }
    }
    fn settle(&mut self) {
        if let Some(display) = &self.display {
            display.settle(SETTLED_BLANKS);
        }
    }
    fn read_pads(&mut self) -> [Option<Reading>; PORTS] {
        self.pull_if_due();
        self.pads.as_mut().map_or([None; PORTS], PadDriver::read)
    }
    fn rumble(&mut self, port: usize, rumble: Rumble) {
        if let Some(pads) = &mut self.pads {
            pads.set_motors(port, rumble.small, rumble.large);
        }
    }
    fn card(&mut self) -> &mut dyn Card {
        match &mut self.card {
            Some(card) => card,
            None => &mut self.no_card,
        }
    }
    fn with_memory<T>(&mut self, work: impl FnOnce(&mut MemoryManager) -> T) -> T {
        heap::with(work)
    }
    fn free_bytes(&self) -> usize {
        heap::free()
    }
    fn keep_events(&mut self, recent: &RecentEvents) {
        crash::keep_events(recent);
    }
    fn print(&mut self, line: fmt::Arguments<'_>) {
        let mut out = Tty::new();
        // Nothing that the console prints can fail.
        let _written = out.write_fmt(line).and_then(|()| out.write_char('\n'));
    }
}
