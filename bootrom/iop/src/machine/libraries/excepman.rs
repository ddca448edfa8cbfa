//! `excepman` 1.1: handlers of exceptions other than interrupts.

use super::{Exports, exports};
use crate::machine::exceptions;
use crate::machine::memory::may_use;
use bootrom_iop::errors::Error;
use bootrom_iop::exceptions::USUAL_PRIORITY;

/// Library functions by number.
///
/// Source: IOP kernel, EXCEPMAN; public headers (numbers)
pub static TABLE: Exports<9> = exports(
    b"excepman",
    0x0101,
    [
        // Covers: iop, excepman 4 RegisterExceptionHandler test=a handler twice
        (4, register_handler as *const ()),
        // Covers: iop, excepman 5 RegisterPriorityExceptionHandler test=exceptions::tests::the_lower_priority_is_called_first_and_jumps_to_the_next
        (5, register_with_priority as *const ()),
        // Covers: iop, excepman 6 RegisterDefaultExceptionHandler test=exceptions::tests::the_last_handler_ends_every_chain
        (6, register_last as *const ()),
        // Covers: iop, excepman 7 ReleaseExceptionHandler test=the handler is taken back
        (7, release_handler as *const ()),
        // Covers: iop, excepman 8 ReleaseDefaultExceptionHandler test=exceptions::tests::the_last_handler_ends_every_chain
        (8, release_last as *const ()),
    ],
);

/// Refuses what is no handler's record: its link, which registering writes, and the first word of its code.
fn record_of(record: u32) -> Result<u32, Error> {
    if may_use(record as *const [u32; 2]) { Ok(record) } else { Err(Error::IllegalAddress) }
}

extern "C" fn register_handler(code: u32, record: u32) -> i32 {
    register_with_priority(code, USUAL_PRIORITY, record)
}

extern "C" fn register_with_priority(code: u32, priority: u32, record: u32) -> i32 {
    record_of(record).map_or_else(Error::code, |record| exceptions::register(code, priority, record))
}

extern "C" fn register_last(record: u32) -> i32 {
    let set = |record| {
        exceptions::set_last(record);
        0
    };
    record_of(record).map_or_else(Error::code, set)
}

extern "C" fn release_handler(code: u32, record: u32) -> i32 {
    exceptions::release(code, record)
}

extern "C" fn release_last(_record: u32) -> i32 {
    exceptions::set_last(0);
    0
}
