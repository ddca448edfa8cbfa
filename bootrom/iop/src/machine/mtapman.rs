//! MTAPMAN: multitaps, library `mtapman` 1.2 and servers 80000901 to 80000904.
//!
//! Source: hardware notes, Multitap; public headers (numbers)

use super::libraries::{Exports, exports, register_late};
use super::server::{self, ServerThread, Service, words_of};
use super::sio2::{TIMING_MULTITAP, exchange, locked};
use bootrom_iop::errors::Error;
use core::cell::UnsafeCell;

/// Library functions by number.
static TABLE: Exports<8> = exports(
    b"mtapman",
    0x0102,
    [
        // Covers: iop, mtapman 4 mtapPortOpen test=a port without a multitap is not one
        (4, open as *const ()),
        // Covers: iop, mtapman 5 mtapPortClose test=a port is closed
        (5, close as *const ()),
        // Covers: iop, mtapman 6 mtapGetSlotNumber test=a plain port has one slot
        (6, slots as *const ()),
        // Covers: iop, mtapman 7 mtapChangeSlot test=a plain port has one slot
        (7, change_slot as *const ()),
    ],
);

static SERVER: ServerThread = ServerThread {
    name: "MTAPMAN",
    priority: 32,
    services: &[
        Service { sid: 0x8000_0901, function: serve_open, buffer_bytes: 0x80 },
        Service { sid: 0x8000_0902, function: serve_close, buffer_bytes: 0x80 },
        Service { sid: 0x8000_0903, function: serve_slots, buffer_bytes: 0x80 },
        Service { sid: 0x8000_0904, function: serve_change, buffer_bytes: 0x80 },
    ],
};

/// Ports of controllers, and of cards behind them.
const PORTS: u32 = 4;
const FIRST_CARD_PORT: u32 = 2;
/// Slots of a port without a multitap, and of a multitap.
const ONE: i32 = 1;
const NONE: i32 = 0;
/// Bytes that begin commands, ask for the slots of controllers and cards, and choose one.
const ADDRESS: u8 = 0x21;
const ASK: [u8; 2] = [0x12, 0x13];
const CHOOSE: [u8; 2] = [0x21, 0x22];
/// What answers instead of a good byte.
const FAILED: u8 = 0x66;

/// Starts the driver.
///
/// # Errors
/// The library is there already.
pub fn start() -> Result<(), Error> {
    super::sio2::start()?;
    register_late(&TABLE)?;
    server::start(&SERVER);
    Ok(())
}

/// Slots of the multitap at a port; none without one.
fn ask(port: u32) -> Option<u8> {
    let cards = usize::from(port >= FIRST_CARD_PORT);
    let mut bytes = [ADDRESS, ASK[cards], 0, 0, 0, 0];
    let answered = locked(|| exchange(port % FIRST_CARD_PORT, TIMING_MULTITAP, &mut bytes));
    (port < PORTS && answered && bytes[5] != FAILED).then_some(bytes[3])
}

/// 1 when there is a multitap at the port, 0 when there is none.
extern "C" fn open(port: u32) -> i32 {
    ask(port).is_some().into()
}

extern "C" fn close(port: u32) -> i32 {
    (port < PORTS).into()
}

extern "C" fn slots(port: u32) -> i32 {
    ask(port).map_or(ONE, i32::from)
}

/// 1 when the slot is the one that is talked to from here on.
extern "C" fn change_slot(port: u32, slot: u32) -> i32 {
    if ask(port).is_none() {
        // A plain port has its one slot.
        return if slot == 0 { ONE } else { NONE };
    }
    let cards = usize::from(port >= FIRST_CARD_PORT);
    let mut bytes = [ADDRESS, CHOOSE[cards], slot as u8, 0, 0, 0, 0];
    let answered = locked(|| exchange(port % FIRST_CARD_PORT, TIMING_MULTITAP, &mut bytes));
    (answered && bytes[5] == slot as u8).into()
}

#[repr(align(16))]
struct Reply(UnsafeCell<[u32; 4]>);
// SAFETY: only the server's thread touches it.
unsafe impl Sync for Reply {}
static REPLY: Reply = Reply(UnsafeCell::new([0; 4]));

/// Answers a request of a port and a slot; the result is the reply's second word.
fn answer(buffer: *mut u32, body: impl FnOnce(u32, u32) -> i32) -> *mut u32 {
    // SAFETY: the buffer is the service's.
    let [port, slot] = *unsafe { words_of::<2>(buffer) };
    // SAFETY: this is the server's thread; it serves one request at a time.
    let reply = unsafe { &mut *REPLY.0.get() };
    *reply = [port, body(port, slot) as u32, 0, 0];
    reply.as_mut_ptr()
}

extern "C" fn serve_open(_function: u32, buffer: *mut u32, _size: u32) -> *mut u32 {
    answer(buffer, |port, _| open(port))
}

extern "C" fn serve_close(_function: u32, buffer: *mut u32, _size: u32) -> *mut u32 {
    answer(buffer, |port, _| close(port))
}

extern "C" fn serve_slots(_function: u32, buffer: *mut u32, _size: u32) -> *mut u32 {
    answer(buffer, |port, _| slots(port))
}

extern "C" fn serve_change(_function: u32, buffer: *mut u32, _size: u32) -> *mut u32 {
    answer(buffer, |port, slot| change_slot(port, slot))
}
