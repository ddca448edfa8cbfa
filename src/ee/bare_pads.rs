//! Whether a button is down, for a program that has ended: nothing is allocated and nothing of the game's driver is trusted.
//!
//! Source: IOP kernel facts, PADMAN

use super::cache;
use super::sif::Error;
use super::sif::call::{Bytes, Reply};
use super::sif::link::Link;
use super::sif::loader::Loader;
use crate::file_io::device::start::MODULES;
use crate::pads::PORTS;
use crate::pads::button::Buttons;
use crate::pads::frame::{AREA_BYTES, Command, FUNCTION, Frame, Generation, REQUEST_WORDS};
use core::cell::UnsafeCell;

/// The module of the console's own ROM, which a newly started IOP gets.
const GENERATION: Generation = Generation::Old;
/// How many of the game's modules the controllers need: they come first.
const NEEDED: usize = 2;
/// How long the server may take to register and to answer, in milliseconds.
const PATIENCE: u32 = 500;
const REQUEST_BYTES: usize = 4 * REQUEST_WORDS;
/// Distance from an address to its uncached mirror.
const UNCACHED: usize = 0x2000_0000;
/// The first byte of a controller's answer, when it is one.
const READY: u8 = 0;

/// What the module writes for the ports: whole cache lines.
#[repr(C, align(64))]
struct Areas(UnsafeCell<[[u8; AREA_BYTES]; PORTS]>);

// SAFETY: only the module writes, and the program reads past the cache, word by word.
unsafe impl Sync for Areas {}

static AREAS: Areas = Areas(UnsafeCell::new([[0; AREA_BYTES]; PORTS]));

fn area(port: usize) -> usize {
    AREAS.0.get() as usize + port * AREA_BYTES
}

/// Both ports, open.
#[derive(Debug)]
pub struct BarePads(());

impl BarePads {
    /// Loads the module onto an IOP that was started anew and opens both ports.
    ///
    /// # Errors
    /// A module that does not load or answer.
    pub fn open(link: &mut Link) -> Result<Self, Error> {
        let loader = Loader::bind(link)?;
        for module in MODULES.iter().take(NEEDED) {
            loader.load_module(link, module.path.as_bytes(), &[])?;
        }
        let server = link.bind(GENERATION.server(), PATIENCE)?;
        cache::write_back(area(0) as *const u8, PORTS * AREA_BYTES);
        for port in 0..PORTS {
            let mut bytes = Bytes([0_u8; REQUEST_BYTES]);
            let request = GENERATION.request(Command::Open, port as u32, &[0, area(port) as u32]);
            for (place, word) in bytes.0.chunks_exact_mut(4).zip(request) {
                place.copy_from_slice(&word.to_le_bytes());
            }
            let mut reply = Reply::<REQUEST_WORDS>::preset(0);
            link.call(&server, FUNCTION, &bytes.0, &mut reply, REQUEST_BYTES, PATIENCE)?;
        }
        Ok(Self(()))
    }

    /// The buttons that are down on either controller, of whatever kind.
    pub fn down(&self) -> Buttons {
        (0..PORTS).fold(0, |all, port| all | down_on(port))
    }
}

fn down_on(port: usize) -> Buttons {
    let start = (area(port) | UNCACHED) as *const u32;
    let mut bytes = [0; AREA_BYTES];
    for (index, place) in bytes.chunks_exact_mut(4).enumerate() {
        // SAFETY: within the area, which owns its cache lines and is only touched past the cache.
        let word = unsafe { start.add(index).read_volatile() };
        place.copy_from_slice(&word.to_le_bytes());
    }
    let [ready, kind, high, low, ..] = Frame::newest(&bytes, GENERATION).data;
    // A controller's kind is never 0, and a port without one answers nothing.
    if ready == READY && kind >> 4 != 0 { !(Buttons::from(high) << 8 | Buttons::from(low)) } else { 0 }
}
