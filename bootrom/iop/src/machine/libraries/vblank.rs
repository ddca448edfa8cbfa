//! `vblank` 1.1: the beginning and the end of the vertical blank.

use super::{Exports, exports};
use crate::machine::critical::Shared;
use crate::machine::interrupts::attach;
use crate::machine::threads::{THREADS, call_blocking, set_system_event, system_event};
use bootrom_iop::errors::{Error, code_of};
use bootrom_iop::threads::MODE_OR;
use bootrom_iop::vblank::{Callbacks, Edge};

/// Library functions by number.
pub static TABLE: Exports<10> = exports(
    b"vblank",
    0x0101,
    [
        // Covers: iop, vblank 4 WaitVblankStart test=a wait for the blank's begin lasts a field
        (4, wait_start as *const ()),
        // Covers: iop, vblank 5 WaitVblankEnd test=the blank's end comes soon
        (5, wait_end as *const ()),
        // Covers: iop, vblank 6 WaitVblank test=inside is where the next blank is
        (6, wait_inside as *const ()),
        // Covers: iop, vblank 7 WaitNonVblank test=outside is where that leads
        (7, wait_outside as *const ()),
        // Covers: iop, vblank 8 RegisterVblankHandler test=in which its handler runs once, with its word
        (8, register as *const ()),
        // Covers: iop, vblank 9 ReleaseVblankHandler test=and is called no more
        (9, release as *const ()),
    ],
);

const LINE_START: u32 = 0;
const LINE_END: u32 = 11;

/// Bits of the flag: an edge has come (waiters clear them), and the state between edges.
///
/// Source: IOP kernel, VBLANK
mod bits {
    pub const START: u32 = 1;
    pub const OUTSIDE: u32 = 2;
    pub const END: u32 = 4;
    pub const INSIDE: u32 = 8;
}
/// Several threads may wait.
const SHARED_FLAG: u32 = 2;

static CALLBACKS: Shared<Callbacks> = Shared::new(Callbacks::new());
static FLAG: Shared<i32> = Shared::new(0);

/// Starts to listen for both edges.
pub fn start() {
    // Boot has records left; without one the waits return at once.
    let flag = THREADS.with(|threads| threads.create_event_flag(SHARED_FLAG, 0, bits::OUTSIDE)).unwrap_or(0);
    FLAG.with(|stored| *stored = flag);
    attach(LINE_START, edge_start, 0);
    attach(LINE_END, edge_end, 0);
}

/// Replaces the flag's bits: first the edge releases its waiters, then only the state stays.
fn signal(edge: u32, state: u32) {
    let flag = FLAG.with(|flag| *flag);
    THREADS.with(|threads| {
        // The flag exists since the start.
        let _ = threads.clear_event_flag(flag, 0);
        let _ = threads.set_event_flag(flag, edge | state);
        let _ = threads.clear_event_flag(flag, state);
    });
}

extern "C" fn edge_start(_argument: u32) -> i32 {
    set_system_event(system_event::VERTICAL_BLANK);
    signal(bits::START, bits::INSIDE);
    run(Edge::Start);
    1
}

extern "C" fn edge_end(_argument: u32) -> i32 {
    signal(bits::END, bits::OUTSIDE);
    run(Edge::End);
    1
}

/// Calls every function of an edge, by priority; one that returns 0 is taken out.
fn run(edge: Edge) {
    let mut next = 0;
    while let Some(callback) = CALLBACKS.with(|callbacks| callbacks.get(edge, next)) {
        // SAFETY: registered addresses are C functions of one word that return a word; that is the contract.
        let function: extern "C" fn(u32) -> i32 = unsafe { core::mem::transmute(callback.function as usize) };
        if function(callback.argument) == 0 {
            // It was there just now.
            let _ = CALLBACKS.with(|callbacks| callbacks.release(edge, callback.function));
        } else {
            next += 1;
        }
    }
}

fn wait(bit: u32) -> i32 {
    let flag = FLAG.with(|flag| *flag);
    code_of(call_blocking(|threads| threads.wait_event_flag(flag, bit, MODE_OR)).map(|_| 0))
}

pub extern "C" fn wait_start() -> i32 {
    wait(bits::START)
}

extern "C" fn wait_end() -> i32 {
    wait(bits::END)
}

extern "C" fn wait_inside() -> i32 {
    wait(bits::INSIDE)
}

extern "C" fn wait_outside() -> i32 {
    wait(bits::OUTSIDE)
}

fn edge_of(end: i32) -> Edge {
    if end == 0 { Edge::Start } else { Edge::End }
}

extern "C" fn register(end: i32, priority: i32, function: u32, argument: u32) -> i32 {
    code_of(CALLBACKS.with(|callbacks| callbacks.register(edge_of(end), priority, function, argument)).map(|()| 0))
}

extern "C" fn release(end: i32, function: u32) -> i32 {
    let result: Result<(), Error> = CALLBACKS.with(|callbacks| callbacks.release(edge_of(end), function));
    code_of(result.map(|()| 0))
}
