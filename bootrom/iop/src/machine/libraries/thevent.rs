//! `thevent` 1.1: event flags.

use super::{Exports, blocking, exports, fetch, from_interrupt, from_thread, store};
use crate::machine::threads::THREADS;
use bootrom_iop::errors::code_of;

/// Library functions by number.
pub static TABLE: Exports<15> = exports(
    b"thevent",
    0x0101,
    [
        // Covers: iop, thevent 4 CreateEventFlag test=one bit of it is
        (4, create as *const ()),
        // Covers: iop, thevent 5 DeleteEventFlag test=an event flag is deleted
        (5, delete as *const ()),
        // Covers: iop, thevent 6 SetEventFlag test=bits are set
        (6, set as *const ()),
        // Covers: iop, thevent 7 iSetEventFlag test=a handler sets bits
        (7, interrupt_set as *const ()),
        // Covers: iop, thevent 8 ClearEventFlag test=bits are kept by a mask
        (8, clear as *const ()),
        // Covers: iop, thevent 9 iClearEventFlag test=a handler keeps bits by a mask
        (9, clear as *const ()),
        // Covers: iop, thevent 10 WaitEventFlag test=a pattern that is there
        (10, wait as *const ()),
        // Covers: iop, thevent 11 PollEventFlag test=a poll that clears
        (11, poll as *const ()),
        // Covers: iop, thevent 13 ReferEventFlagStatus test=an event flag tells attributes, word, bits and who waits
        (13, refer as *const ()),
        // Covers: iop, thevent 14 iReferEventFlagStatus test=a handler is told what an event flag has
        (14, refer as *const ()),
    ],
);

/// A flag to be made: attributes, option, first bits.
type Parameters = [u32; 3];
/// What is told about one: the same, then the bits and the waiting threads.
type Status = [u32; 5];

extern "C" fn create(parameters: *const Parameters) -> i32 {
    let [attributes, option, bits] = fetch(parameters);
    code_of(THREADS.with(|threads| threads.create_event_flag(attributes, option, bits)))
}

extern "C" fn delete(id: i32) -> i32 {
    from_thread(|threads| threads.delete_event_flag(id).map(|()| 0))
}

extern "C" fn set(id: i32, bits: u32) -> i32 {
    from_thread(|threads| threads.set_event_flag(id, bits).map(|()| 0))
}

extern "C" fn interrupt_set(id: i32, bits: u32) -> i32 {
    from_interrupt(|threads| threads.set_event_flag(id, bits).map(|()| 0))
}

extern "C" fn clear(id: i32, keep: u32) -> i32 {
    code_of(THREADS.with(|threads| threads.clear_event_flag(id, keep)).map(|()| 0))
}

extern "C" fn wait(id: i32, bits: u32, mode: u32, result: *mut u32) -> i32 {
    blocking(|threads| threads.wait_event_flag(id, bits, mode), |pattern| store(result, pattern))
}

extern "C" fn poll(id: i32, bits: u32, mode: u32, result: *mut u32) -> i32 {
    code_of(THREADS.with(|threads| threads.poll_event_flag(id, bits, mode)).map(|pattern| {
        store(result, pattern);
        0
    }))
}

extern "C" fn refer(id: i32, status: *mut Status) -> i32 {
    code_of(THREADS.with(|threads| threads.event_flag_info(id)).map(|info| {
        store(status, [info.attributes, info.option, info.initial, info.bits, info.waiting]);
        0
    }))
}
