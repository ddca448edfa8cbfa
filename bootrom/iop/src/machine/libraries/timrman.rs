//! `timrman` 1.1 with the functions that later systems added: the hardware timers.

use super::{Exports, exports};
use crate::machine::critical::{Shared, critical};
use crate::machine::interrupts::{HANDLERS, attach, disable};
use crate::machine::registers::raw;
use bootrom_iop::errors::{Error, code_of};
use bootrom_iop::timers::{TIMERS as TIMERS_AT_ALL, Timers, timer_at};

/// Library functions by number.
///
/// Source: IOP facts, Library function ids (up to 18); public headers of the system's later versions (from 20)
pub static TABLE: Exports<25> = exports(
    b"timrman",
    0x0101,
    [
        // Covers: iop, timrman 4 AllocHardTimer test=timers::tests::timers_are_given_by_what_they_can_do_and_the_plainest_first
        (4, allocate as *const ()),
        (5, refer as *const ()),
        // Covers: iop, timrman 6 FreeHardTimer test=once only
        (6, free as *const ()),
        (7, set_mode as *const ()),
        (8, mode as *const ()),
        (9, set_count as *const ()),
        (10, count as *const ()),
        (11, set_target as *const ()),
        (12, target as *const ()),
        (13, set_hold_mode as *const ()),
        (14, hold_mode as *const ()),
        (15, hold_count as *const ()),
        (16, line as *const ()),
        (17, mode as *const ()),
        (20, set_target_handler as *const ()),
        (21, set_overflow_handler as *const ()),
        (22, set_up as *const ()),
        (23, start as *const ()),
        (24, stop as *const ()),
    ],
);

static TIMERS: Shared<Timers> = Shared::new(Timers::new());

/// Register places of a timer.
const COUNT: u32 = 0;
const MODE: u32 = 4;
const TARGET: u32 = 8;

/// Registers that keep counts: the modes of all, and the first count.
const HOLD_MODE: u32 = 0x1F80_14C0;
const HOLD_COUNT: u32 = 0x1F80_14B0;
const HOLDS: u32 = 4;
const HOLD_BITS: u32 = 0xF;

extern "C" fn allocate(source: u32, bits: u32, divisor: u32) -> i32 {
    code_of(TIMERS.with(|timers| timers.allocate(source, bits, divisor)))
}

extern "C" fn free(id: i32) -> i32 {
    code_of(TIMERS.with(|timers| timers.free(id)).map(|()| 0))
}

/// A timer that is in use with this source and size and whose mode has the bits of `mask` as in `wanted`.
extern "C" fn refer(source: u32, bits: u32, wanted: u32, mask: u32) -> i32 {
    let found = TIMERS.with(|timers| {
        timers
            .in_use(source, bits)
            .find(|id| timers.get(*id).is_ok_and(|timer| raw(timer.base + MODE).read() & mask == wanted & mask))
    });
    found.unwrap_or(Error::NoTimer.code())
}

fn write(id: i32, register: u32, value: u32) {
    if let Ok(found) = TIMERS.with(|timers| timers.get(id)) {
        raw(found.base + register).write(value);
    }
}

fn read(id: i32, register: u32) -> u32 {
    match TIMERS.with(|timers| timers.get(id)) {
        Ok(found) => raw(found.base + register).read(),
        Err(error) => error.code() as u32,
    }
}

extern "C" fn set_mode(id: i32, value: u32) {
    write(id, MODE, value);
}

extern "C" fn mode(id: i32) -> u32 {
    read(id, MODE)
}

extern "C" fn set_count(id: i32, value: u32) {
    write(id, COUNT, value);
}

extern "C" fn count(id: i32) -> u32 {
    read(id, COUNT)
}

extern "C" fn set_target(id: i32, value: u32) {
    write(id, TARGET, value);
}

extern "C" fn target(id: i32) -> u32 {
    read(id, TARGET)
}

extern "C" fn line(id: i32) -> i32 {
    code_of(TIMERS.with(|timers| timers.get(id)).map(|timer| timer.line as i32))
}

extern "C" fn set_hold_mode(hold: u32, value: u32) {
    if hold < HOLDS {
        let shift = hold * 4;
        let register = raw(HOLD_MODE);
        critical(|| register.write(register.read() & !(HOLD_BITS << shift) | (value & HOLD_BITS) << shift));
    }
}

extern "C" fn hold_mode(hold: u32) -> u32 {
    if hold < HOLDS { raw(HOLD_MODE).read() >> (hold * 4) & HOLD_BITS } else { 0 }
}

extern "C" fn hold_count(hold: u32) -> u32 {
    if hold < HOLDS { raw(HOLD_COUNT + hold * 4).read() } else { 0 }
}

/// Mode bits of a timer.
///
/// Source: hardware notes, Timers
mod mode_bit {
    pub const ZERO_AT_TARGET: u32 = 1 << 3;
    pub const AT_TARGET: u32 = 1 << 4;
    pub const AT_OVERFLOW: u32 = 1 << 5;
    pub const REPEAT: u32 = 1 << 6;
    pub const REACHED_TARGET: u32 = 1 << 11;
    pub const REACHED_OVERFLOW: u32 = 1 << 12;
}

/// What is called when a timer comes to its target or overflows: 0 stops that, another value is the next target.
type TimerHandler = extern "C" fn(u32) -> u32;

/// The handlers of a timer, and how it counts once it is started.
#[derive(Clone, Copy)]
struct Program {
    on_target: Option<(TimerHandler, u32)>,
    on_overflow: Option<(TimerHandler, u32)>,
    target: u32,
    clock: Option<u32>,
    runs: bool,
}

static PROGRAMS: Shared<[Program; TIMERS_AT_ALL]> =
    Shared::new([Program { on_target: None, on_overflow: None, target: 0, clock: None, runs: false }; TIMERS_AT_ALL]);

/// Changes the program of a timer that is not running; 0 or an error.
fn change(id: i32, body: impl FnOnce(&mut Program)) -> i32 {
    code_of(TIMERS.with(|timers| timers.place(id)).and_then(|place| {
        PROGRAMS.with(|programs| {
            let program = &mut programs[place];
            if program.runs {
                return Err(Error::TimerInUse);
            }
            body(program);
            Ok(0)
        })
    }))
}

/// A function's address as a handler, none for 0.
fn handler_of(function: u32, argument: u32) -> Option<(TimerHandler, u32)> {
    // SAFETY: callers pass C functions of one word that return a word; that is the contract.
    (function != 0).then(|| (unsafe { core::mem::transmute::<usize, TimerHandler>(function as usize) }, argument))
}

extern "C" fn set_target_handler(id: i32, target: u32, function: u32, argument: u32) -> i32 {
    change(id, |program| (program.on_target, program.target) = (handler_of(function, argument), target))
}

extern "C" fn set_overflow_handler(id: i32, function: u32, argument: u32) -> i32 {
    change(id, |program| program.on_overflow = handler_of(function, argument))
}

/// Sets what a timer counts, how its gate works and by what it divides.
extern "C" fn set_up(id: i32, source: u32, gate: u32, divisor: u32) -> i32 {
    match TIMERS.with(|timers| timers.get(id)).and_then(|timer| timer.clock_bits(source, divisor)) {
        Ok(clock) => change(id, |program| program.clock = Some(clock | gate & GATE_BITS)),
        Err(error) => error.code(),
    }
}

/// Gate bits of a timer's mode.
const GATE_BITS: u32 = 7;

extern "C" fn start(id: i32) -> i32 {
    let prepared = TIMERS.with(|timers| Ok((timers.place(id)?, timers.get(id)?))).and_then(|(place, timer)| {
        PROGRAMS.with(|programs| {
            let program = &mut programs[place];
            if program.runs {
                return Err(Error::TimerInUse);
            }
            let clock = program.clock.ok_or(Error::TimerNotSetUp)?;
            program.runs = true;
            let target = if program.on_target.is_some() { mode_bit::ZERO_AT_TARGET | mode_bit::AT_TARGET } else { 0 };
            let overflow = if program.on_overflow.is_some() { mode_bit::AT_OVERFLOW } else { 0 };
            Ok((timer, place as u32, program.target, clock | target | overflow | mode_bit::REPEAT))
        })
    });
    code_of(prepared.map(|(timer, place, target, mode)| {
        raw(timer.base + TARGET).write(target);
        attach(timer.line, served, place);
        raw(timer.base + MODE).write(mode);
        0
    }))
}

extern "C" fn stop(id: i32) -> i32 {
    code_of(TIMERS.with(|timers| Ok((timers.place(id)?, timers.get(id)?))).map(|(place, timer)| {
        PROGRAMS.with(|programs| programs[place].runs = false);
        disable(timer.line);
        // Nobody else has a handler there: it was this library's when the timer started.
        let _ = HANDLERS.with(|handlers| handlers.release(timer.line));
        raw(timer.base + MODE).write(0);
        0
    }))
}

/// A timer's interrupt.
extern "C" fn served(place: u32) -> i32 {
    let (timer, program) = (timer_at(place as usize), PROGRAMS.with(|programs| programs[place as usize]));
    // Reading the mode clears what it tells.
    let reached = raw(timer.base + MODE).read();
    if let Some((function, argument)) = program.on_target.filter(|_| reached & mode_bit::REACHED_TARGET != 0) {
        match function(argument) {
            0 => PROGRAMS.with(|programs| programs[place as usize].on_target = None),
            next => raw(timer.base + TARGET).write(next),
        }
    }
    if let Some((function, argument)) = program.on_overflow.filter(|_| reached & mode_bit::REACHED_OVERFLOW != 0)
        && function(argument) == 0
    {
        PROGRAMS.with(|programs| programs[place as usize].on_overflow = None);
    }
    let left = PROGRAMS.with(|programs| programs[place as usize]);
    (left.runs && (left.on_target.is_some() || left.on_overflow.is_some())).into()
}
