//! What each step of the start-up list does.
//!
//! The order is [`crate::boot::subsystems`]'; this is who makes what, and out of which pool.

use super::gangs::GangAttributes;
use super::machine::Machine;
use super::modes::disc_fault_screen;
use super::screens::{Backdrop, Screen};
use super::things::lights::Lighting;
use super::{Game, rules};
use crate::boot::subsystems::{AnyStep, Cost, DeviceStep, Step, SubsystemHost};
use crate::boot::title::{Pictures, Title};
use crate::clock::{GameTimer, StopWatch, Timer, time};
use crate::ee::ticks::Rate;
use crate::file_io::archive::{ARCHIVE_DEVICE_PATH, INDEX_DEVICE_PATH, Index, IndexError};
use crate::file_io::device::start::OWN;
use crate::file_io::{
    DeviceState, Fault, FileManager, FsToStream, Read, Region, STREAM_BUFFER_BYTES, StreamDevice, StreamFileSystem,
};
use crate::graphics::render::{Renderer, Room};
use crate::memory::{self, pools};
use crate::pads::button;
use crate::physics::PhysicsWorld;
use crate::tasks::boxes::DatabaseSizes;
use crate::tasks::engine::TaskEngine;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

/// Why a step failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A pool.
    Memory(memory::Error),
    /// The console; in a few words.
    Machine(&'static str),
    /// The archive's index.
    Index(IndexError),
    /// The disc.
    Disc(Fault),
    /// There is no memory for something; in a few words.
    NoRoom(&'static str),
}

impl From<memory::Error> for Failure {
    fn from(error: memory::Error) -> Self {
        Self::Memory(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(error) => error.fmt(f),
            Self::Machine(reason) => f.write_str(reason),
            Self::Index(error) => error.fmt(f),
            Self::Disc(fault) => fault.fmt(f),
            Self::NoRoom(what) => write!(f, "no room for {what}"),
        }
    }
}

/// Sizes of the pools until a level brings its own. Source: known numbers (a large level's).
const DATABASE: DatabaseSizes = DatabaseSizes { objects: 400, flags: 60, volumes: 60, players: 10, turfs: 20 };
/// Frames for which a missing module is told: ten seconds, as it may be the one of the controllers.
const MODULE_FRAMES: u32 = 10 * 30;
/// Frames from one look for a missing disc to the next.
const FRAMES_BETWEEN_LOOKS: u32 = 45;
/// The drawing system's scratch pool holds what a frame keeps until it is drawn, with what a block is rounded up by.
const _: () = assert!(Room::BYTES + 4 * 1024 <= pools::FILTER_BYTES);
/// Real milliseconds that the drive may take to open a file or to bring an index.
const DISC_PATIENCE_MS: u32 = 20_000;

impl<M: Machine> SubsystemHost for Game<M> {
    type Error = Failure;

    // Covers: seed 003, platform device (0x0050b788) test=game::tests::each_step_brings_its_subsystem_to_life default=Ok(())
    fn device(&mut self, step: DeviceStep) -> Result<(), Failure> {
        self.check_room(AnyStep::Device(step))?;
        match step {
            DeviceStep::FileSystemStack => {
                self.files.mounted = 0;
                Ok(())
            }
            DeviceStep::Iop => self.machine.start_iop().map_err(Failure::Machine),
            DeviceStep::Memory => {
                self.pools.device = Some(self.machine.with_memory(pools::create_device_pools)?);
                Ok(())
            }
            DeviceStep::PadsAndAudio => self.machine.open_pads().map_err(Failure::Machine),
            DeviceStep::Renderer => self.start_renderer(),
            DeviceStep::FileSystems => {
                self.files.device = self.machine.take_device();
                self.files.current = FsToStream::default();
                self.files.mounted = u8::from(self.files.device.is_some());
                Ok(())
            }
        }
    }

    fn subsystem(&mut self, step: Step) -> Result<(), Failure> {
        self.check_room(AnyStep::Game(step))?;
        match step {
            Step::PoolTable => self.machine.with_memory(|memory| memory.clear_table()),
            Step::GamePools => self.pools.game = Some(self.machine.with_memory(pools::create_game_pools)?),
            Step::FileManager => self.start_file_manager()?,
            Step::Timer => self.start_timer(),
            Step::GameTimer => self.clock = GameTimer::starting_at(self.real),
            Step::StopWatch => self.stop_watch = StopWatch::new(),
            Step::Archive => self.open_archive()?,
            Step::LevelHeader => self.know_levels()?,
            Step::Physics => self.start_physics(),
            Step::CameraEffects => self.things.reset_air(),
            Step::Scenes => self.load_scenes(),
            Step::GangAttributes => self.gangs = GangAttributes::of_the_game(),
            Step::Animation => self.start_animation(),
            Step::TaskManager => self.start_tasks(),
            Step::ObjectAttributes => {
                let added = self.tasks.as_deref_mut().map_or(0, rules::add_types);
                if added == 0 {
                    return Err(Failure::NoRoom("an object type"));
                }
            }
            Step::ThinkingTables => {
                self.make_brains();
                self.reset_gangs();
            }
            Step::ScreenEffects => self.reset_screen_effects(),
            Step::Actionables => self.forget_actionables(),
            Step::SectorPools => self.make_sector_pools()?,
            Step::Resources => self.load_resources(),
            Step::CharacterTables => self.make_people(),
            Step::GameState => self.state.reset(),
            Step::Lights => self.start_lights(),
            Step::World => self.load_global_data(),
            Step::Cameras => self.reset_cameras(),
            Step::Audio => self.start_audio(),
            Step::SaveSystem => self.start_saves(),
            _ => {}
        }
        Ok(())
    }

    fn now(&mut self) -> u64 {
        // The counter's own distance: the timer is itself made by a step.
        self.uptime.fold_late(self.machine.count(), self.machine.shown().cycles)
    }

    fn kept(&mut self) -> usize {
        self.machine.with_memory(|memory| memory.kept())
    }

    fn done(&mut self, cost: &Cost) {
        let number = match cost.step {
            AnyStep::Game(step) => step as u8,
            AnyStep::Device(_) => 0,
        };
        self.machine.print(format_args!("BOOT {number:02} {cost}"));
    }
}

impl<M: Machine> Game<M> {
    /// Looks whether the global heap has what a step may take.
    fn check_room(&mut self, step: AnyStep) -> Result<(), Failure> {
        let needed = step.may_take();
        let largest = |memory: &mut memory::MemoryManager| memory.global().map(|heap| memory.largest_free_block(heap));
        match self.machine.with_memory(largest) {
            Some(largest) if needed > 0 && largest? < needed => Err(Failure::NoRoom(step.name())),
            _ => Ok(()),
        }
    }

    /// Does some work while a pool pays for what is allocated; the heap that paid before does where there is no such pool.
    pub(super) fn with_pool<T>(&mut self, pool: Option<memory::PoolId>, work: impl FnOnce(&mut Self) -> T) -> T {
        let pushed = pool.is_some_and(|pool| self.machine.with_memory(|memory| memory.push(pool)).is_ok());
        let done = work(self);
        if pushed {
            // What was pushed just now is there to be popped.
            let _popped = self.machine.with_memory(|memory| memory.pop());
        }
        done
    }

    /// Tells on the screen, for a while, why the program cannot go on; whoever listens to the console is told elsewhere.
    pub fn tell_failed_start(&mut self, step: AnyStep, reason: &Failure) {
        // The picture needs no IOP. Where it is what failed there is nothing to tell it with.
        if self.title.is_none() && self.open_picture().is_err() {
            return;
        }
        for _ in 0..MODULE_FRAMES {
            let screen = Self::failed_start_screen(step, reason);
            self.show(screen);
            self.read_input();
            if self.input.pads.any_pressed(button::CROSS) {
                return;
            }
        }
    }

    /// What is said of a step of start-up that failed.
    fn failed_start_screen(step: AnyStep, reason: &Failure) -> Screen {
        let mut screen = Screen::new(Backdrop::Dark, "BOARDWALK");
        screen.line(format_args!(""));
        screen.line(format_args!("THE GAME CANNOT START."));
        screen.line(format_args!("STEP: {}", step.name()));
        screen.line(format_args!("{reason}"));
        if step != AnyStep::Device(DeviceStep::Iop) {
            screen.foot("CROSS: LEAVE");
        }
        screen
    }

    /// The pools for the levels' data, and how much that is for whoever listens to the console.
    fn make_sector_pools(&mut self) -> Result<(), Failure> {
        let pools = self.machine.with_memory(pools::create_sector_pools)?;
        self.pools.sector = Some(pools);
        let bytes =
            self.machine.with_memory(|memory| memory.record(pools.sector).map_or(0, |record| record.range().len()));
        self.machine.print(format_args!("POOL Sector Pool of {bytes} bytes"));
        Ok(())
    }

    /// The physics world, with all its pools.
    // Covers: seed 003, step 10 physics test=game::tests::each_step_brings_its_subsystem_to_life
    fn start_physics(&mut self) {
        self.physics = Some(Box::new(PhysicsWorld::new()));
    }

    /// The TaskEngine, with all its pools.
    // Covers: seed 003, TaskManager (0x00512c7c) test=game::tests::each_step_brings_its_subsystem_to_life
    // Covers: seed 003, step 16 task manager test=game::tests::each_step_brings_its_subsystem_to_life
    fn start_tasks(&mut self) {
        self.tasks = Some(Box::new(TaskEngine::new(&DATABASE)));
    }

    /// Who reads a level's chunks, its header first.
    fn know_levels(&mut self) -> Result<(), Failure> {
        self.world.know_levels().map_err(|_| Failure::Machine("two systems claim a chunk of the levels"))
    }

    /// Nothing is there that characters could act on: doors come with a level.
    // Covers: seed 003, step 20 actionables (0x00417b10) test=game::tests::each_step_brings_its_subsystem_to_life
    fn forget_actionables(&mut self) {
        self.things.doors.clear();
    }

    /// No lamp burns, and there is the light of a night without a level.
    // Covers: seed 003, step 25 light manager (0x0017d640) test=game::tests::each_step_brings_its_subsystem_to_life
    fn start_lights(&mut self) {
        self.things.lighting = Lighting::default();
    }

    /// No viewport has a screen effect.
    // Covers: seed 003, step 19 screen effects (0x0018ba10) test=game::tests::each_step_brings_its_subsystem_to_life
    fn reset_screen_effects(&mut self) {
        self.modes.effects = [0; crate::game_modes::VIEWPORTS];
    }

    /// No camera has been set up, and the player's stands where it begins.
    // Covers: seed 003, step 27 camera reset (0x0011e9c0) test=game::tests::each_step_brings_its_subsystem_to_life
    fn reset_cameras(&mut self) {
        self.cameras.clear();
        self.walker = super::walker::Walker::default();
    }

    /// Nothing is to be saved, and the buffer of a save is empty.
    ///
    /// Our choice: one buffer for a whole save, where the original has six for its parts.
    // Covers: seed 003, save system (0x00515024) test=game::tests::each_step_brings_its_subsystem_to_life
    // Covers: seed 003, step 29 save system setup (0x00421348) test=game::tests::each_step_brings_its_subsystem_to_life
    fn start_saves(&mut self) {
        self.save_buffer.fill(0);
        self.modes.save_due = false;
    }

    /// Opens the picture and makes what every screen needs: the typeface and the title.
    // Covers: seed 003, graphics device (0x0050cdb4) test=game::tests::each_step_brings_its_subsystem_to_life default=Ok(())
    fn start_renderer(&mut self) -> Result<(), Failure> {
        self.open_picture()?;
        self.start_debug().map_err(|_| Failure::NoRoom("the overlay's pictures"))?;
        // The drawing system's scratch pool pays for what a frame keeps until it is drawn.
        let filter = self.pools.device.map(|pools| pools.filter);
        let room = self.with_pool(filter, |_| Room::take());
        self.renderer = Some(Box::new(Renderer::with_room(self.textures.free_page(), room)));
        Ok(())
    }

    /// Opens the picture with the title on it, whose typeface every screen uses.
    fn open_picture(&mut self) -> Result<(), Failure> {
        self.machine.open_display(self.options.mode).map_err(Failure::Machine)?;
        let pictures = Pictures::new();
        let title = Title::new(&mut self.textures, &pictures).map_err(|_| Failure::NoRoom("the title's pictures"))?;
        self.machine.send(|packet| title.upload(packet, &pictures));
        self.title = Some(Box::new(title));
        Ok(())
    }

    /// The file manager over its stream buffer.
    // Covers: seed 003, FileManager (0x005e5340) test=game::tests::each_step_brings_its_subsystem_to_life default=Ok(())
    // Covers: seed 003, step 4 file manager (0x001547b0) test=game::tests::each_step_brings_its_subsystem_to_life default=Ok(())
    fn start_file_manager(&mut self) -> Result<(), Failure> {
        let buffer = self.machine.allocate_region(STREAM_BUFFER_BYTES).ok_or(Failure::NoRoom("the stream buffer"))?;
        self.files.buffer = Some(buffer);
        self.files.manager = Some(FileManager::new(buffer));
        Ok(())
    }

    fn start_timer(&mut self) {
        let rate = self.machine.rate().unwrap_or(Rate::NOMINAL);
        self.timer = Timer::beside(self.machine.count(), self.machine.shown().cycles, rate);
        self.rate_known = self.machine.rate().is_some();
        self.real = 0;
    }

    /// Opens the archive: its index is kept in memory, its files are read from the disc. Without a device the game has no
    /// files.
    // Covers: seed 003, the archive (0x006f39e8) test=game::tests::each_step_brings_its_subsystem_to_life default=Ok(())
    // Covers: seed 003, step 8 Wad_Open (0x0040c5e0) test=game::tests::each_step_brings_its_subsystem_to_life default=Ok(())
    pub(super) fn open_archive(&mut self) -> Result<(), Failure> {
        self.tell_missing_modules();
        self.wait_for_disc();
        let (Some(mut device), Some(buffer)) = (self.files.device.take(), self.files.buffer) else { return Ok(()) };
        let bytes = self.open_file(&mut device, INDEX_DEVICE_PATH)?;
        if !buffer.holds(bytes) {
            return Err(Failure::NoRoom("the archive's index"));
        }
        self.read_file(&mut device, buffer, bytes)?;
        // Kept as long as the program lives, as the archive itself.
        let index: &'static [u8] = Vec::leak(self.copy_of(device.landed(buffer, bytes))?);
        let archive_bytes = self.open_file(&mut device, ARCHIVE_DEVICE_PATH)?;
        let index = Index::read(index, archive_bytes).map_err(Failure::Index)?;
        self.files.system = Some(StreamFileSystem::new(device, index));
        Ok(())
    }

    /// A copy of the archive's index, or what is said when the heap has no room for it.
    fn copy_of(&mut self, index: &[u8]) -> Result<Vec<u8>, Failure> {
        const NO_ROOM: Failure = Failure::NoRoom("the archive's index");
        let largest = |memory: &mut memory::MemoryManager| memory.global().map(|heap| memory.largest_free_block(heap));
        if let Some(largest) = self.machine.with_memory(largest)
            && largest? < index.len()
        {
            return Err(NO_ROOM);
        }
        let mut copy = Vec::new();
        copy.try_reserve_exact(index.len()).map_err(|_| NO_ROOM)?;
        copy.extend_from_slice(index);
        Ok(copy)
    }

    /// Names each module that would not load, for a while: what needs it is missing from then on. The game's own is named
    /// where its disc is asked for.
    fn tell_missing_modules(&mut self) {
        let mut number = 0;
        while let Some(missing) = self.machine.missing_modules().get(number).cloned() {
            number += 1;
            if missing.name == OWN.name {
                continue;
            }
            self.machine.print(format_args!("BOOT tells of the missing {}", missing.name));
            for _ in 0..MODULE_FRAMES {
                self.show(Self::module_screen(&missing));
                self.read_input();
                if self.is_over() || self.input.pads.any_pressed(button::CROSS) {
                    break;
                }
            }
        }
    }

    /// Asks for the disc while its module is missing, until it has come or somebody goes on without.
    fn wait_for_disc(&mut self) {
        while self.machine.misses_disc() && !self.is_over() {
            for _ in 0..FRAMES_BETWEEN_LOOKS {
                let own = self.machine.missing_modules().iter().find(|missing| missing.name == OWN.name);
                let screen = Self::disc_screen(own);
                self.show(screen);
                self.read_input();
                if self.input.pads.any_pressed(button::TRIANGLE) {
                    return;
                }
            }
            if self.machine.look_for_disc() {
                self.files.device = self.machine.take_device();
                self.files.mounted = u8::from(self.files.device.is_some());
            }
        }
    }

    fn open_file(&mut self, device: &mut M::Device, path: &str) -> Result<u32, Failure> {
        self.until_it_works(device, |device| device.open(path))
    }

    fn read_file(&mut self, device: &mut M::Device, destination: Region, length: u32) -> Result<u32, Failure> {
        self.until_it_works(device, |device| device.start(Read { offset: 0, length, destination }))
    }

    /// Asks the device until nothing keeps the drive from answering; meanwhile the fault is on the screen.
    fn until_it_works(
        &mut self,
        device: &mut M::Device,
        ask: impl Fn(&mut M::Device) -> Result<(), Fault>,
    ) -> Result<u32, Failure> {
        loop {
            ask(device).map_err(Failure::Disc)?;
            match self.wait_for(device) {
                Err(Failure::Disc(fault)) if fault.is_temporary() && !self.is_over() => {
                    let mut told = None;
                    while !device.is_ready() && !self.is_over() {
                        // It may be another disc by now.
                        let fault = device.told_fault(fault);
                        if told.replace(fault) != Some(fault) {
                            self.machine.print(format_args!("DISC {fault}: waiting"));
                        }
                        self.show(disc_fault_screen(fault));
                        self.read_input();
                    }
                }
                ended => return ended,
            }
        }
    }

    /// Waits for the device, as long as a drive that spins up may take.
    fn wait_for(&mut self, device: &mut M::Device) -> Result<u32, Failure> {
        let begin = self.timer.update(self.machine.count());
        loop {
            match device.poll() {
                DeviceState::Done(bytes) => return Ok(bytes),
                DeviceState::Failed(fault) => return Err(Failure::Disc(fault)),
                DeviceState::Idle | DeviceState::Busy => {}
            }
            let count = self.machine.count();
            self.uptime.fold(count);
            let now = self.timer.update(count);
            if time::milliseconds(now - begin) > DISC_PATIENCE_MS {
                return Err(Failure::Disc(Fault::Silent));
            }
        }
    }
}
