//! `sio2man` 1.1 and 1.2: the serial interface's registers, and transfers for one user at a time.
//!
//! A user takes the interface by saying what it talks to, then transfers. With the older version a transfer gives the interface
//! back; with the newer one the user does, after as many transfers as it likes.
//! Source: hardware notes, SIO2; public headers (numbers, the record of a transfer)

use super::{Exports, exports, fetch, register_late, store};
use crate::machine::critical::Shared;
use crate::machine::registers::{Register, raw, sio2 as registers};
use crate::machine::sio2::{self, Dma, Work};
use bootrom_iop::errors::Error;

/// Highest number, plus one.
const FUNCTIONS: usize = 59;

/// Library functions by number.
const fn table(version: u16) -> Exports<FUNCTIONS> {
    exports(
        b"sio2man",
        version,
        [
            (4, set_word::<CONTROL> as *const ()),
            (5, word::<CONTROL> as *const ()),
            (6, word::<RESULT> as *const ()),
            (7, set_timing as *const ()),
            (8, timing as *const ()),
            (9, set_timing_2 as *const ()),
            (10, timing_2 as *const ()),
            (11, word::<RESULT_2> as *const ()),
            (12, set_queue as *const ()),
            (13, queue as *const ()),
            (14, word::<RESULT_3> as *const ()),
            (15, set_word::<COUNTER> as *const ()),
            (16, word::<COUNTER> as *const ()),
            (17, set_word::<COUNTER_2> as *const ()),
            (18, word::<COUNTER_2> as *const ()),
            (19, send as *const ()),
            (20, receive as *const ()),
            (21, set_word::<INTERRUPT> as *const ()),
            (22, word::<INTERRUPT> as *const ()),
            (23, take as *const ()),
            (24, take as *const ()),
            (25, transfer as *const ()),
            (26, give as *const ()),
            (48, take as *const ()),
            (49, transfer as *const ()),
            (50, give as *const ()),
            (51, set_hook::<CHANGE_SLOT> as *const ()),
            (52, set_hook::<SLOTS> as *const ()),
            (53, set_hook::<SLOTS_2> as *const ()),
            (54, set_hook::<UPDATE_SLOTS> as *const ()),
            (55, call_hook::<CHANGE_SLOT> as *const ()),
            (56, call_hook::<SLOTS> as *const ()),
            (57, call_hook::<SLOTS_2> as *const ()),
            (58, call_hook::<UPDATE_SLOTS> as *const ()),
        ],
    )
}

static OLD: Exports<FUNCTIONS> = table(0x0101);
static NEW: Exports<FUNCTIONS> = table(0x0102);

/// Physical addresses of registers that are read and written as they are.
const CONTROL: u32 = 0x1F80_8268;
const RESULT: u32 = 0x1F80_826C;
const RESULT_2: u32 = 0x1F80_8270;
const RESULT_3: u32 = 0x1F80_8274;
const COUNTER: u32 = 0x1F80_8278;
const COUNTER_2: u32 = 0x1F80_827C;
const INTERRUPT: u32 = 0x1F80_8280;

/// Ports, and commands of a queue.
const PORTS: u32 = 4;
const QUEUE: u32 = 16;

/// Set once users give the interface back themselves.
static USERS_GIVE_BACK: Shared<bool> = Shared::new(false);

/// Starts the interface with the older library.
///
/// # Errors
/// The library is there already; no record left.
pub fn start_old() -> Result<(), Error> {
    sio2::start()?;
    register_late(&OLD)
}

/// Starts the interface with the newer library.
///
/// # Errors
/// As [`start_old`].
pub fn start_new() -> Result<(), Error> {
    sio2::start()?;
    USERS_GIVE_BACK.with(|give| *give = true);
    register_late(&NEW)
}

extern "C" fn set_word<const ADDRESS: u32>(value: u32) {
    raw(ADDRESS).write(value);
}

extern "C" fn word<const ADDRESS: u32>() -> u32 {
    raw(ADDRESS).read()
}

fn indexed(index: u32, count: u32, register: fn(usize) -> Register<u32>) -> Option<Register<u32>> {
    (index < count).then(|| register(index as usize))
}

fn write(register: Option<Register<u32>>, value: u32) {
    if let Some(register) = register {
        register.write(value);
    }
}

fn read(register: Option<Register<u32>>) -> u32 {
    register.map_or(0, Register::read)
}

extern "C" fn set_timing(port: u32, value: u32) {
    write(indexed(port, PORTS, registers::timing), value);
}

extern "C" fn timing(port: u32) -> u32 {
    read(indexed(port, PORTS, registers::timing))
}

extern "C" fn set_timing_2(port: u32, value: u32) {
    write(indexed(port, PORTS, registers::timing_2), value);
}

extern "C" fn timing_2(port: u32) -> u32 {
    read(indexed(port, PORTS, registers::timing_2))
}

extern "C" fn set_queue(index: u32, value: u32) {
    write(indexed(index, QUEUE, registers::queue), value);
}

extern "C" fn queue(index: u32) -> u32 {
    read(indexed(index, QUEUE, registers::queue))
}

extern "C" fn send(byte: u8) {
    registers::OUT.write(byte);
}

extern "C" fn receive() -> u8 {
    registers::IN.read()
}

/// Waits until nobody else uses the interface, and takes it.
extern "C" fn take() {
    sio2::take();
}

extern "C" fn give() {
    if USERS_GIVE_BACK.with(|give| *give) {
        sio2::give();
    }
}

/// A transfer as callers describe it. What they send is `input`, what comes back `output`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Request {
    result: u32,
    timing: [u32; PORTS as usize],
    timing_2: [u32; PORTS as usize],
    result_2: u32,
    queue: [u32; QUEUE as usize],
    result_3: u32,
    input_bytes: u32,
    output_bytes: u32,
    input: u32,
    output: u32,
    input_dma: Dma,
    output_dma: Dma,
}

/// Runs a transfer; 1.
extern "C" fn transfer(request: *mut Request) -> i32 {
    let mut done = fetch(request);
    for port in 0..PORTS {
        set_timing(port, done.timing[port as usize]);
        set_timing_2(port, done.timing_2[port as usize]);
    }
    sio2::run(&Work {
        queue: &done.queue,
        input: (done.input, done.input_bytes),
        output: (done.output, done.output_bytes),
        input_dma: done.input_dma,
        output_dma: done.output_dma,
    });
    done.result = raw(RESULT).read();
    done.result_2 = raw(RESULT_2).read();
    done.result_3 = raw(RESULT_3).read();
    store(request, done);
    if !USERS_GIVE_BACK.with(|give| *give) {
        sio2::give();
    }
    1
}

/// Functions by which a multitap's driver answers for its ports.
const CHANGE_SLOT: usize = 0;
const SLOTS: usize = 1;
const SLOTS_2: usize = 2;
const UPDATE_SLOTS: usize = 3;
/// What is answered without such a driver: the change is done; there is one slot; nothing to do.
const WITHOUT: [i32; 4] = [1, 1, 1, 0];

static HOOKS: Shared<[u32; 4]> = Shared::new([0; 4]);

extern "C" fn set_hook<const HOOK: usize>(function: u32) {
    HOOKS.with(|hooks| hooks[HOOK] = function);
}

extern "C" fn call_hook<const HOOK: usize>(argument: u32) -> i32 {
    match HOOKS.with(|hooks| hooks[HOOK]) {
        0 => WITHOUT[HOOK],
        function => {
            // SAFETY: hooks are C functions of one word; that is the contract.
            let function: extern "C" fn(u32) -> i32 = unsafe { core::mem::transmute(function as usize) };
            function(argument)
        }
    }
}
