//! The controllers, through the module on the IOP.
//!
//! The module writes a frame of each open port into memory at every blank. Once a frame the driver looks at the newer of a
//! port's two, lets the port's set-up machine say what comes next, and asks the module for that.
//!
//! Source: IOP kernel facts, PADMAN; support systems, Pads.

use super::cache;
use super::sif::Error;
use super::sif::call::{Bytes, Reply, Server};
use super::sif::link::Link;
use crate::pads::frame::{
    ALL_PRESSURES, AREA_BYTES, Command, FUNCTION, Frame, Generation, MODE_TABLE, PRESSURE_MASK, REQUEST_WORDS,
    six_bytes,
};
use crate::pads::setup::{ACTUATORS, ANALOGUE, Next, PadSetup, PortState, RequestState};
use crate::pads::{PORTS, Reading};
use alloc::boxed::Box;
use core::cell::RefCell;

/// How long a server that is loaded may take to register, in milliseconds.
const BIND_PATIENCE: u32 = 50;
/// How long the module may take to answer, in milliseconds.
const ANSWER_PATIENCE: u32 = 200;
/// Bytes of a request.
const REQUEST_BYTES: usize = 4 * REQUEST_WORDS;
/// Distance from an address to its uncached mirror.
const UNCACHED: usize = 0x2000_0000;
/// The number of modes is asked with this place, as is the number of actuators.
const HOW_MANY: u32 = u32::MAX;
/// Places of a table of modes.
const MODES: u32 = 4;

/// What the module writes for one port: whole cache lines of its own.
#[repr(C, align(64))]
struct Area([u8; AREA_BYTES]);

/// What a controller can do, asked once when it is found.
#[derive(Clone, Copy, Debug, Default)]
struct Abilities {
    has_analogue: bool,
    actuators: u8,
    has_pressure: bool,
}

struct Port {
    area: Box<Area>,
    setup: PadSetup,
    abilities: Option<Abilities>,
    /// The actuators as they were set last.
    motors: [u8; 2],
}

/// The driver.
pub struct PadDriver {
    link: &'static RefCell<Link>,
    server: Server,
    generation: Generation,
    ports: [Port; PORTS],
    /// The later generation's table of open ports, which nothing here reads.
    _open_ports: Box<Area>,
}

fn area() -> Box<Area> {
    let area = Box::new(Area([0; AREA_BYTES]));
    // From here on it is only touched past the cache.
    cache::write_back(area.0.as_ptr(), AREA_BYTES);
    area
}

fn address(area: &Area) -> u32 {
    area.0.as_ptr() as u32
}

impl PadDriver {
    /// Finds the module, whichever generation is loaded, and opens both ports.
    ///
    /// # Errors
    /// No module, or one that does not answer.
    pub fn open(link: &'static RefCell<Link>) -> Result<Self, Error> {
        let found = [Generation::New, Generation::Old].into_iter().find_map(|generation| {
            let server = link.borrow_mut().bind(generation.server(), BIND_PATIENCE).ok()?;
            Some((generation, server))
        });
        let (generation, server) = found.ok_or(Error::NoServer(Generation::Old.server()))?;
        let ports = core::array::from_fn(|_| Port {
            area: area(),
            setup: PadSetup::default(),
            abilities: None,
            motors: [0; 2],
        });
        let mut driver = Self { link, server, generation, ports, _open_ports: area() };
        if generation == Generation::New {
            let table = address(&driver._open_ports);
            driver.call(Command::Init, 0, &[0, table])?;
        }
        for port in 0..PORTS {
            let area = address(&driver.ports[port].area);
            let open = |driver: &mut Self| driver.call(Command::Open, port as u32, &[0, area]);
            if open(&mut driver)?[3] == 0 {
                // A program before this one has left it open, with an area that is no longer anybody's.
                driver.call(Command::Close, port as u32, &[0, 0])?;
                open(&mut driver)?;
            }
        }
        Ok(driver)
    }

    /// Which generation of the module answers.
    pub const fn generation(&self) -> Generation {
        self.generation
    }

    /// One frame of both ports: what their controllers say, `None` for a port without one that gives input.
    pub fn read(&mut self) -> [Option<Reading>; PORTS] {
        core::array::from_fn(|port| self.read_port(port))
    }

    fn read_port(&mut self, port: usize) -> Option<Reading> {
        let Frame { mut info, data } = Frame::newest(&self.area_of(port), self.generation);
        match info.state {
            PortState::Stable if self.ports[port].abilities.is_none() => {
                let abilities = self.abilities(port, info.has_analogue);
                self.ports[port].abilities = Some(abilities);
            }
            PortState::Stable | PortState::Busy => {}
            // Whatever is plugged in next knows nothing of what this one was told.
            _ => {
                self.ports[port].abilities = None;
                self.ports[port].motors = [0; 2];
            }
        }
        if let Some(abilities) = self.ports[port].abilities {
            info.has_analogue = abilities.has_analogue;
            info.actuators = abilities.actuators;
            info.has_pressure = abilities.has_pressure;
        }
        let next = self.ports[port].setup.advance(&info);
        let taken = match next {
            Next::Nothing => return None,
            Next::Read => return Reading::from_bytes(&data),
            Next::SetAnalogue => {
                let (mode, lock) = ANALOGUE;
                self.request(Command::SetMode, port, &[mode.into(), lock.into()], 5)
            }
            Next::AlignActuators => self.request(Command::Align, port, &six_bytes(ACTUATORS), 5),
            Next::EnablePressure => self.request(Command::SetPressure, port, &[ALL_PRESSURES], 4),
        };
        if !taken {
            self.ports[port].setup.refused();
        }
        None
    }

    /// Takes a port its controller, or gives it back, as a person does who pulls the plug: a fault for tests. The module is made to
    /// close the port and to look for a controller anew. False when it does not answer.
    pub fn pull(&mut self, port: usize, pulled: bool) -> bool {
        let area = address(&self.ports[port].area);
        let (command, words) = if pulled { (Command::Close, [0, 0]) } else { (Command::Open, [0, area]) };
        let answered = self.call(command, port as u32, &words).is_ok();
        // A closed port's last frames would stand for ever.
        self.clear_area(port);
        answered
    }

    /// Sets a controller's motors: the small one on or off, the large one's strength.
    pub fn set_motors(&mut self, port: usize, small: bool, large: u8) {
        let motors = [small.into(), large];
        let Some(opened) = self.ports.get(port) else { return };
        let changes = opened.motors != motors && opened.setup.is_ready();
        if changes {
            let [small, large] = motors;
            let words = six_bytes([small, large, 0, 0, 0, 0]);
            // A call that is not taken is made again by the next change, or by the next frame's wish.
            if self.call(Command::SetActuators, port as u32, &words).is_ok() {
                self.ports[port].motors = motors;
            }
        }
    }

    /// What a controller can do. The first generation's frames do not tell it, so the module is asked.
    fn abilities(&mut self, port: usize, told: bool) -> Abilities {
        const ANALOGUE_MODE: u32 = 7;
        let number = port as u32;
        let mut ask =
            |command, words: &[u32], word: usize| self.call(command, number, words).map_or(0, |answer| answer[word]);
        let modes = ask(Command::Mode, &[MODE_TABLE, HOW_MANY], 5).min(MODES);
        let has_analogue = (0..modes).any(|place| ask(Command::Mode, &[MODE_TABLE, place], 5) == ANALOGUE_MODE);
        let actuators = ask(Command::Actuator, &[HOW_MANY, 0], 5);
        let has_pressure = ask(Command::ButtonMask, &[], 3) == PRESSURE_MASK;
        Abilities { has_analogue: told || has_analogue, actuators: actuators.min(4) as u8, has_pressure }
    }

    /// Asks for something that takes a few frames; says whether the module took it.
    fn request(&mut self, command: Command, port: usize, words: &[u32], word: usize) -> bool {
        let taken = self.call(command, port as u32, words).is_ok_and(|answer| answer[word] == 1);
        if taken {
            self.mark_busy(port);
        }
        taken
    }

    fn call(&mut self, command: Command, port: u32, words: &[u32]) -> Result<[u32; REQUEST_WORDS], Error> {
        let mut bytes = Bytes([0_u8; REQUEST_BYTES]);
        let request = self.generation.request(command, port, words);
        for (place, word) in bytes.0.chunks_exact_mut(4).zip(request) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let mut reply = Reply::<REQUEST_WORDS>::preset(0);
        let mut link = self.link.borrow_mut();
        link.call(&self.server, FUNCTION, &bytes.0, &mut reply, REQUEST_BYTES, ANSWER_PATIENCE)?;
        Ok(reply.0)
    }

    /// A port's two frames as they are in memory now.
    fn area_of(&self, port: usize) -> [u8; AREA_BYTES] {
        let start = (address(&self.ports[port].area) as usize | UNCACHED) as *const u32;
        let mut bytes = [0; AREA_BYTES];
        for (index, place) in bytes.chunks_exact_mut(4).enumerate() {
            // SAFETY: within the area, which owns its cache lines and is only touched past the cache.
            let word = unsafe { start.add(index).read_volatile() };
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Makes a port's frames those of a port without a controller.
    fn clear_area(&mut self, port: usize) {
        let start = (address(&self.ports[port].area) as usize | UNCACHED) as *mut u32;
        for index in 0..AREA_BYTES / size_of::<u32>() {
            // SAFETY: within the area, which owns its cache lines and is only touched past the cache.
            unsafe { start.add(index).write_volatile(0) };
        }
    }

    /// A request was taken: until the module says otherwise it is busy, in both frames.
    fn mark_busy(&mut self, port: usize) {
        let start = (address(&self.ports[port].area) as usize | UNCACHED) as *mut u8;
        for frame in 0..2 {
            let at = frame * self.generation.frame_bytes() + self.generation.request_at();
            // SAFETY: within the area; the module overwrites whole frames and minds no byte of them.
            unsafe { start.add(at).write_volatile(RequestState::BUSY) };
        }
    }
}
