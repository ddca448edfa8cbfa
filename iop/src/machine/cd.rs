//! The drive: one command at a time, each with a time-out, retries of what was not read.
//!
//! Source: console rule 8; IOP kernel, CDVD servers.

use super::imports::{self, FileRecord, ReadMode};
use super::state::STATE;
use super::threads;
use boardwalk_iop::protocol::{Path, fault};
use boardwalk_iop::reading::{
    self, Drive, Extent, as_if, fault_of, is_good, is_open, media, media_mode, why_not_found,
};
use boardwalk_iop::watch::DISC;

/// Microseconds between two looks at a command.
const LOOK: u32 = 500;
/// Looks until a command counts as lost: five seconds, a spin-up included.
const LOOKS: u32 = 10_000;
/// Tries of a piece that the EE waits for, and of a folder.
const TRIES: u32 = 4;
/// Times that a busy drive is offered a command.
const OFFERS: u32 = 100;
/// Microseconds between two offers.
const OFFER_PAUSE: u32 = 20_000;
/// The drive is ready.
const READY: i32 = 2;

/// What the drive says of itself.
pub fn drive() -> Drive {
    // SAFETY: plain calls.
    unsafe {
        Drive {
            state: imports::sceCdStatus() as u8,
            disc: imports::sceCdGetDiskType() as u8,
            error: imports::sceCdGetError() as u8,
        }
    }
}

/// Request to the tray that only asks.
const ASK: i32 = 2;

/// True when the tray was opened since this was asked last, or is open: what is in the drive may be another disc.
pub fn tray_moved() -> bool {
    let mut moved = 0;
    // SAFETY: a plain call and a word for its answer.
    let answered = unsafe { imports::sceCdTrayReq(ASK, &raw mut moved) } != 0;
    let injected = STATE.with(|state| state.take_moved());
    (answered && moved != 0) || is_open(drive()) || injected
}

/// Readies the drive without waiting for it, for the kind of disc that is in it.
pub fn initialise() {
    ready(media_mode(drive().disc));
}

/// Readies the drive for a media mode.
pub fn ready(mode: i32) {
    // SAFETY: plain calls.
    unsafe {
        imports::sceCdInit(1);
        imports::sceCdMmode(mode);
    }
    imports::print(if mode == media::CD { c"bwiop: reads a CD" } else { c"bwiop: reads a DVD" });
    // Whatever the tray did before is known.
    tray_moved();
}

/// Looks whether a drive that has failed has the disc again whose file lies there; the media mode to [`ready`] it for.
///
/// # Errors
/// What keeps it, if that is known.
pub fn look(path: &Path, file: Option<Extent>) -> Result<i32, Option<u32>> {
    let injected = STATE.with(|state| state.injected()).and_then(|(number, _)| as_if(number));
    // SAFETY: a plain call.
    let takes_commands = || unsafe { imports::sceCdDiskReady(1) } == READY;
    reading::look(injected.unwrap_or_else(drive), file, takes_commands, || search(path))
}

/// Finds a file by its path on the disc. A directory that cannot be read is tried again.
///
/// # Errors
/// [`fault::NOT_FOUND`] when it was read and has no such file, else the drive's fault.
pub fn search(path: &Path) -> Result<Extent, u32> {
    // The last byte stays an end mark whatever the EE has sent.
    let mut name = *path;
    name[name.len() - 1] = 0;
    let mut reason = fault::NOT_FOUND;
    for _ in 0..TRIES {
        beat();
        let mut record = FileRecord::default();
        // SAFETY: a record and a string with its end mark.
        let found = unsafe { imports::sceCdSearchFile(&raw mut record, name.as_ptr()) };
        if found != 0 {
            return Ok(Extent { sector: record.sector, bytes: record.bytes });
        }
        reason = why_not_found(drive());
        if reason == fault::NOT_FOUND {
            break;
        }
    }
    Err(reason)
}

/// Who a read is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum For {
    /// The EE waits for it: it is tried again, until the EE gives it up.
    Ee,
    /// Nobody waits: one try, so that others soon have the drive again.
    Nobody,
}

/// Notes that the disc's thread goes on, which a test may let stand here.
fn beat() {
    let stands = STATE.with(|state| {
        state.beat(DISC);
        state.take_stand()
    });
    for _ in 0..stands {
        threads::delay(1_000);
    }
}

/// Begins to read; whether the drive took the command.
fn begin(sector: u32, sectors: u32, buffer: *mut u8) -> bool {
    beat();
    let mode = ReadMode { retries: 0, speed: 0, pattern: 0, unused: 0 };
    (0..OFFERS).any(|offer| {
        if offer > 0 {
            threads::delay(OFFER_PAUSE);
        }
        // SAFETY: the buffer holds that many sectors: callers read pieces into piece buffers.
        unsafe { imports::sceCdRead(sector, sectors, buffer, &raw const mode) != 0 }
    })
}

/// Reads and waits. What went wrong for the EE is repeated. For a test the sectors may be `scratched`.
///
/// # Errors
/// The fault, after all tries.
pub fn read(sector: u32, sectors: u32, buffer: *mut u8, whose: For, scratched: bool) -> Result<(), u32> {
    let mut tries = 1;
    loop {
        let ended = begin(sector, sectors, buffer) && wait_idle();
        let answer = drive();
        let injected = STATE.with(|state| state.take_injected()).or(scratched.then_some(fault::UNREADABLE));
        if ended && is_good(answer.error) && injected.is_none() {
            return Ok(());
        }
        let reason = injected.unwrap_or_else(|| if ended { fault_of(answer) } else { fault::TIME_OUT });
        let given_up = whose == For::Nobody || STATE.with(|state| state.cancel);
        if !fault::is_of_sectors(reason) || tries == TRIES || given_up {
            return Err(reason);
        }
        if tray_moved() {
            return Err(fault::TRAY_OPEN);
        }
        STATE.with(|state| state.status.retries += 1);
        tries += 1;
    }
}

/// Waits until no command is under way; breaks one that takes too long.
fn wait_idle() -> bool {
    for _ in 0..LOOKS {
        // SAFETY: a plain call.
        if unsafe { imports::sceCdSync(1) } == 0 {
            return true;
        }
        threads::delay(LOOK);
    }
    // SAFETY: a plain call.
    unsafe { imports::sceCdBreak() };
    false
}
