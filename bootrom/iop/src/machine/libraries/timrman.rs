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
        // Covers: iop, timrman 3 GetTimersTable test=the timers' table tells registers, lines and users
        (3, table as *const ()),
        // Covers: iop, timrman 4 AllocHardTimer test=timers::tests::timers_are_given_by_what_they_can_do_and_the_plainest_first
        (4, allocate as *const ()),
        // Covers: iop, timrman 5 ReferHardTimer test=a timer is found by its mode
        (5, refer as *const ()),
        // Covers: iop, timrman 6 FreeHardTimer test=once only
        (6, free as *const ()),
        // Covers: iop, timrman 7 SetTimerMode test=a timer's mode is what was set
        (7, set_mode as *const ()),
        // Covers: iop, timrman 8 GetTimerStatus test=a timer's status tells that its target was reached
        (8, status as *const ()),
        // Covers: iop, timrman 9 SetTimerCounter test=a timer counts from where it was set
        (9, set_count as *const ()),
        // Covers: iop, timrman 10 GetTimerCounter test=a timer counts from where it was set
        (10, count as *const ()),
        // Covers: iop, timrman 11 SetTimerCompare test=a timer's target
        (11, set_target as *const ()),
        // Covers: iop, timrman 12 GetTimerCompare test=a timer's target
        (12, target as *const ()),
        // Covers: iop, timrman 13 SetHoldMode test=how counts are kept
        (13, set_hold_mode as *const ()),
        // Covers: iop, timrman 14 GetHoldMode test=how counts are kept
        (14, hold_mode as *const ()),
        // Covers: iop, timrman 15 GetHoldReg test=nothing was kept
        (15, hold_count as *const ()),
        // Covers: iop, timrman 16 GetHardTimerIntrCode test=a timer has its line
        (16, line as *const ()),
        // Covers: iop, timrman 17 GetTimerMode test=a timer's mode is what was set
        (17, mode as *const ()),
        // Covers: iop, timrman 18 GetTimerReadFunc test=a function reads the same count
        (18, reader as *const ()),
        (20, set_target_handler as *const ()),
        (21, set_overflow_handler as *const ()),
        (22, set_up as *const ()),
        (23, start as *const ()),
        (24, stop as *const ()),
    ],
);

static TIMERS: Shared<Timers> = Shared::new(Timers::new());

/// A timer as other software sees it: registers, sources, bits, largest divisor, line, users; the rest is the system's own.
///
/// Source: public headers of the system's later versions
#[repr(C)]
#[derive(Clone, Copy)]
struct Told {
    base: u32,
    sources: u8,
    bits: u8,
    divisor: u16,
    line: u8,
    users: u8,
    unused: [u16; 17],
}

static TOLD: Shared<[Told; TIMERS_AT_ALL]> =
    Shared::new([Told { base: 0, sources: 0, bits: 0, divisor: 0, line: 0, users: 0, unused: [0; 17] }; TIMERS_AT_ALL]);

/// The timers as they are now.
///
/// Our choice: a copy; this kernel keeps its own otherwise.
extern "C" fn table() -> u32 {
    /// Registers lie in the window that is not cached.
    const WINDOW: u32 = 0xA000_0000;
    TOLD.with(|told| {
        for (place, entry) in told.iter_mut().enumerate() {
            let timer = timer_at(place);
            *entry = Told {
                base: WINDOW | timer.base,
                sources: timer.sources as u8,
                bits: timer.bits as u8,
                divisor: timer.divisor as u16,
                line: timer.line as u8,
                users: TIMERS.with(|timers| timers.is_taken(place)).into(),
                ..*entry
            };
        }
        told.as_ptr() as u32
    })
}

/// Reads the count of a timer by its place.
extern "C" fn count_at<const PLACE: usize>() -> u32 {
    raw(timer_at(PLACE).base + COUNT).read()
}

/// A function without arguments that reads the timer's count.
extern "C" fn reader(id: i32) -> u32 {
    const READERS: [extern "C" fn() -> u32; TIMERS_AT_ALL] =
        [count_at::<0>, count_at::<1>, count_at::<2>, count_at::<3>, count_at::<4>, count_at::<5>];
    match TIMERS.with(|timers| timers.place(id)) {
        Ok(place) => READERS[place] as usize as u32,
        Err(error) => error.code() as u32,
    }
}

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
    let has = |place: usize| PROGRAMS.with(|programs| programs[place].mode) & mask == wanted;
    let found = TIMERS.with(|timers| timers.in_use(source, bits).find(|id| timers.place(*id).is_ok_and(has)));
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
    if let Ok(place) = TIMERS.with(|timers| timers.place(id)) {
        PROGRAMS.with(|programs| programs[place].mode = value);
    }
    write(id, MODE, value);
}

/// The mode that was set last.
extern "C" fn mode(id: i32) -> u32 {
    match TIMERS.with(|timers| timers.place(id)) {
        Ok(place) => PROGRAMS.with(|programs| programs[place].mode),
        Err(error) => error.code() as u32,
    }
}

/// The mode as the timer has it, with what has been reached; reading clears that.
extern "C" fn status(id: i32) -> u32 {
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
    /// What the mode register was last told.
    mode: u32,
}

static PROGRAMS: Shared<[Program; TIMERS_AT_ALL]> = Shared::new(
    [Program { on_target: None, on_overflow: None, target: 0, clock: None, runs: false, mode: 0 }; TIMERS_AT_ALL],
);

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
            program.mode = clock | target | overflow | mode_bit::REPEAT;
            Ok((timer, place as u32, program.target, program.mode))
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
        PROGRAMS.with(|programs| (programs[place].runs, programs[place].mode) = (false, 0));
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
