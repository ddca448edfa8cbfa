//! `timrman` 1.1: the hardware timers.

use super::{Exports, exports};
use crate::machine::critical::Shared;
use crate::machine::registers::timer;
use bootrom_iop::errors::code_of;
use bootrom_iop::timers::Timers;

/// Library functions by number.
pub static TABLE: Exports<19> = exports(
    b"timrman",
    0x0101,
    [
        (4, allocate as *const ()),
        (6, free as *const ()),
        (7, set_mode as *const ()),
        (8, mode as *const ()),
        (9, set_count as *const ()),
        (10, count as *const ()),
        (11, set_target as *const ()),
        (12, target as *const ()),
        (16, line as *const ()),
        (17, mode as *const ()),
    ],
);

static TIMERS: Shared<Timers> = Shared::new(Timers::new());

/// Register places of a timer.
const COUNT: u32 = 0;
const MODE: u32 = 4;
const TARGET: u32 = 8;

extern "C" fn allocate(source: u32, bits: u32, divisor: u32) -> i32 {
    code_of(TIMERS.with(|timers| timers.allocate(source, bits, divisor)))
}

extern "C" fn free(id: i32) -> i32 {
    code_of(TIMERS.with(|timers| timers.free(id)).map(|()| 0))
}

fn write(id: i32, register: u32, value: u32) {
    if let Ok(found) = TIMERS.with(|timers| timers.get(id)) {
        timer::register(found.base + register).write(value);
    }
}

fn read(id: i32, register: u32) -> u32 {
    match TIMERS.with(|timers| timers.get(id)) {
        Ok(found) => timer::register(found.base + register).read(),
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
