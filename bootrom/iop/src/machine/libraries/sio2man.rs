//! `sio2man` 1.1 and 1.2: the serial interface's registers, and transfers for one user at a time.
//!
//! A user takes the interface by saying what it talks to, then transfers. With the older version a transfer gives the interface
//! back; with the newer one the user does, after as many transfers as it likes.
//! Source: hardware notes, SIO2; public headers (numbers, the record of a transfer)

use super::{Exports, exports, fetch, register_late, store};
use crate::machine::console::log;
use crate::machine::critical::Shared;
use crate::machine::memory::{may_read, may_use, may_write};
use crate::machine::registers::{Register, raw, sio2 as registers};
use crate::machine::sio2::{self, Dma, Work};
use crate::machine::threads::in_interrupt;
use bootrom_iop::errors::Error;

/// Highest number, plus one.
const FUNCTIONS: usize = 59;

/// Library functions by number.
const fn table(version: u16) -> Exports<FUNCTIONS> {
    exports(
        b"sio2man",
        version,
        [
            // Covers: iop, sio2man 4 sio2_ctrl_set test=the interface's control is kept
            (4, set_word::<CONTROL> as *const ()),
            // Covers: iop, sio2man 5 sio2_ctrl_get test=the interface's control is kept
            (5, word::<CONTROL> as *const ()),
            // Covers: iop, sio2man 6 sio2_stat6c_get test=the interface's results are told
            (6, word::<RESULT> as *const ()),
            // Covers: iop, sio2man 7 sio2_portN_ctrl1_set test=a port's timing is kept
            (7, set_timing as *const ()),
            // Covers: iop, sio2man 8 sio2_portN_ctrl1_get test=a port's timing is kept
            (8, timing as *const ()),
            // Covers: iop, sio2man 9 sio2_portN_ctrl2_set test=a port's timing is kept
            (9, set_timing_2 as *const ()),
            // Covers: iop, sio2man 10 sio2_portN_ctrl2_get test=a port's timing is kept
            (10, timing_2 as *const ()),
            // Covers: iop, sio2man 11 sio2_stat70_get test=the interface's results are told
            (11, word::<RESULT_2> as *const ()),
            // Covers: iop, sio2man 12 sio2_regN_set test=a command of the queue is kept
            (12, set_queue as *const ()),
            // Covers: iop, sio2man 13 sio2_regN_get test=a command of the queue is kept
            (13, queue as *const ()),
            // Covers: iop, sio2man 14 sio2_stat74_get test=the interface's results are told
            (14, word::<RESULT_3> as *const ()),
            // Covers: iop, sio2man 15 sio2_unkn78_set test=the interface's counters are kept
            (15, set_word::<COUNTER> as *const ()),
            // Covers: iop, sio2man 16 sio2_unkn78_get test=the interface's counters are kept
            (16, word::<COUNTER> as *const ()),
            // Covers: iop, sio2man 17 sio2_unkn7c_set test=the interface's counters are kept
            (17, set_word::<COUNTER_2> as *const ()),
            // Covers: iop, sio2man 18 sio2_unkn7c_get test=the interface's counters are kept
            (18, word::<COUNTER_2> as *const ()),
            // Covers: iop, sio2man 19 sio2_data_out test=bytes go to a controller by hand and come back
            (19, send as *const ()),
            // Covers: iop, sio2man 20 sio2_data_in test=bytes go to a controller by hand and come back
            (20, receive as *const ()),
            // Covers: iop, sio2man 21 sio2_stat_set test=an interrupt of the interface is taken back
            (21, set_word::<INTERRUPT> as *const ()),
            // Covers: iop, sio2man 22 sio2_stat_get test=an interrupt of the interface is taken back
            (22, word::<INTERRUPT> as *const ()),
            // Covers: iop, sio2man 23 sio2_pad_transfer_init test=the interface is one user's at a time
            (23, take as *const ()),
            // Covers: iop, sio2man 24 sio2_mc_transfer_init test=a driver of cards takes it, too
            (24, take as *const ()),
            // Covers: iop, sio2man 25 sio2_transfer test=a controller answers a transfer
            (25, transfer as *const ()),
            // Covers: iop, sio2man 26 sio2_transfer_reset test=the interface is one user's at a time
            (26, give as *const ()),
            // Covers: iop, sio2man 27 sio2_ctrl_set2 test=the registers' newer numbers reach the same
            (27, set_word::<CONTROL> as *const ()),
            // Covers: iop, sio2man 28 sio2_ctrl_get2 test=the registers' newer numbers reach the same
            (28, word::<CONTROL> as *const ()),
            // Covers: iop, sio2man 29 sio2_stat6c_get2 test=the registers' newer numbers reach the same
            (29, word::<RESULT> as *const ()),
            // Covers: iop, sio2man 30 sio2_portN_ctrl1_set2 test=the registers' newer numbers reach the same
            (30, set_timing as *const ()),
            // Covers: iop, sio2man 31 sio2_portN_ctrl1_get2 test=the registers' newer numbers reach the same
            (31, timing as *const ()),
            // Covers: iop, sio2man 32 sio2_portN_ctrl2_set2 test=the registers' newer numbers reach the same
            (32, set_timing_2 as *const ()),
            // Covers: iop, sio2man 33 sio2_portN_ctrl2_get2 test=the registers' newer numbers reach the same
            (33, timing_2 as *const ()),
            // Covers: iop, sio2man 34 sio2_stat70_get2 test=the registers' newer numbers reach the same
            (34, word::<RESULT_2> as *const ()),
            // Covers: iop, sio2man 35 sio2_regN_set2 test=the registers' newer numbers reach the same
            (35, set_queue as *const ()),
            // Covers: iop, sio2man 36 sio2_regN_get2 test=the registers' newer numbers reach the same
            (36, queue as *const ()),
            // Covers: iop, sio2man 37 sio2_stat74_get2 test=the registers' newer numbers reach the same
            (37, word::<RESULT_3> as *const ()),
            // Covers: iop, sio2man 38 sio2_unkn78_set2 test=the registers' newer numbers reach the same
            (38, set_word::<COUNTER> as *const ()),
            // Covers: iop, sio2man 39 sio2_unkn78_get2 test=the registers' newer numbers reach the same
            (39, word::<COUNTER> as *const ()),
            // Covers: iop, sio2man 40 sio2_unkn7c_set2 test=the registers' newer numbers reach the same
            (40, set_word::<COUNTER_2> as *const ()),
            // Covers: iop, sio2man 41 sio2_unkn7c_get2 test=the registers' newer numbers reach the same
            (41, word::<COUNTER_2> as *const ()),
            // Covers: iop, sio2man 42 sio2_data_out2 test=the registers' newer numbers reach the same
            (42, send as *const ()),
            // Covers: iop, sio2man 43 sio2_data_in2 test=the registers' newer numbers reach the same
            (43, receive as *const ()),
            // Covers: iop, sio2man 44 sio2_stat_set2 test=the registers' newer numbers reach the same
            (44, set_word::<INTERRUPT> as *const ()),
            // Covers: iop, sio2man 45 sio2_stat_get2 test=the registers' newer numbers reach the same
            (45, word::<INTERRUPT> as *const ()),
            // Covers: iop, sio2man 46 sio2_pad_transfer_init2 test=a driver of controllers takes it under its newer number
            (46, take as *const ()),
            // Covers: iop, sio2man 47 sio2_mc_transfer_init2 test=a driver of cards takes it under its newer number
            (47, take as *const ()),
            // Covers: iop, sio2man 48 sio2_mtap_transfer_init test=a driver of multitaps takes it, too
            (48, take as *const ()),
            // Covers: iop, sio2man 49 sio2_transfer2 test=a controller answers a transfer under its newer number
            (49, transfer as *const ()),
            // Covers: iop, sio2man 50 sio2_transfer_reset2 test=and gives it back under that
            (50, give as *const ()),
            // Covers: iop, sio2man 51 sio2_mtap_change_slot_set test=a multitap's driver answers for its ports
            (51, set_hook::<CHANGE_SLOT> as *const ()),
            // Covers: iop, sio2man 52 sio2_mtap_get_slot_max_set test=a multitap's driver answers for its ports
            (52, set_hook::<SLOTS> as *const ()),
            // Covers: iop, sio2man 53 sio2_mtap_get_slot_max2_set test=a multitap's driver answers for its ports
            (53, set_hook::<SLOTS_2> as *const ()),
            // Covers: iop, sio2man 54 sio2_mtap_update_slots_set test=a multitap's driver answers for its ports
            (54, set_hook::<UPDATE_SLOTS> as *const ()),
            // Covers: iop, sio2man 55 sio2_mtap_change_slot test=a multitap's driver answers for its ports
            (55, call_hook::<CHANGE_SLOT> as *const ()),
            // Covers: iop, sio2man 56 sio2_mtap_get_slot_max test=a multitap's driver answers for its ports
            (56, call_hook::<SLOTS> as *const ()),
            // Covers: iop, sio2man 57 sio2_mtap_get_slot_max2 test=a multitap's driver answers for its ports
            (57, call_hook::<SLOTS_2> as *const ()),
            // Covers: iop, sio2man 58 sio2_mtap_update_slots test=a multitap's driver answers for its ports
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

/// Waits until nobody else uses the interface, and takes it. A handler cannot wait and gets nothing.
extern "C" fn take() {
    if !sio2::take() {
        log!("IOP: refused: an interrupt handler waits for the controllers' interface");
    }
}

extern "C" fn give() {
    if in_interrupt() {
        return;
    }
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

impl Request {
    /// True when all that is sent may be read and all that comes back written.
    fn names_memory(&self) -> bool {
        (self.input_bytes == 0 || may_read(self.input, self.input_bytes))
            && (self.output_bytes == 0 || may_write(self.output, self.output_bytes))
            && (self.input_dma.bytes() == 0 || may_read(self.input_dma.address(), self.input_dma.bytes()))
            && (self.output_dma.bytes() == 0 || may_write(self.output_dma.address(), self.output_dma.bytes()))
    }
}

/// Runs a transfer; 1. A handler's is refused: it cannot have waited for the interface.
extern "C" fn transfer(request: *mut Request) -> i32 {
    let Some(mut done) = fetch(request).ok().filter(|done| may_use(request) && done.names_memory()) else { return 0 };
    if in_interrupt() {
        return 0;
    }
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
