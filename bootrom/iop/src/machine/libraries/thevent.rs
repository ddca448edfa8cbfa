//! `thevent` 1.1: event flags.

use super::{Exports, asked_by_thread, blocking, exports, fetch, from_interrupt, from_thread, may_tell, store, tell};
use bootrom_iop::errors::Error;
use bootrom_iop::threads::Threads;

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
        (9, interrupt_clear as *const ()),
        // Covers: iop, thevent 10 WaitEventFlag test=a pattern that is there
        (10, wait as *const ()),
        // Covers: iop, thevent 11 PollEventFlag test=a poll that clears
        (11, poll as *const ()),
        // Covers: iop, thevent 13 ReferEventFlagStatus test=an event flag tells attributes, word, bits and who waits
        (13, refer as *const ()),
        // Covers: iop, thevent 14 iReferEventFlagStatus test=a handler is told what an event flag has
        (14, interrupt_refer as *const ()),
    ],
);

/// A flag to be made: attributes, option, first bits.
type Parameters = [u32; 3];
/// What is told about one: the same, then the bits and the waiting threads.
type Status = [u32; 5];

extern "C" fn create(parameters: *const Parameters) -> i32 {
    asked_by_thread(|threads| {
        let [attributes, option, bits] = fetch(parameters)?;
        threads.create_event_flag(attributes, option, bits)
    })
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
    asked_by_thread(|threads| threads.clear_event_flag(id, keep).map(|()| 0))
}

extern "C" fn interrupt_clear(id: i32, keep: u32) -> i32 {
    from_interrupt(|threads| threads.clear_event_flag(id, keep).map(|()| 0))
}

extern "C" fn wait(id: i32, bits: u32, mode: u32, result: *mut u32) -> i32 {
    // Asked before the wait, which may clear what it waited for.
    if let Err(error) = may_tell(result) {
        return error.code();
    }
    blocking(
        |threads| threads.wait_event_flag(id, bits, mode),
        |pattern| {
            store(result, pattern);
        },
    )
}

extern "C" fn poll(id: i32, bits: u32, mode: u32, result: *mut u32) -> i32 {
    asked_by_thread(|threads| {
        may_tell(result)?;
        tell(result, threads.poll_event_flag(id, bits, mode)?)
    })
}

extern "C" fn refer(id: i32, status: *mut Status) -> i32 {
    asked_by_thread(|threads| status_of(threads, id, status))
}

extern "C" fn interrupt_refer(id: i32, status: *mut Status) -> i32 {
    from_interrupt(|threads| status_of(threads, id, status))
}

fn status_of(threads: &mut Threads, id: i32, status: *mut Status) -> Result<i32, Error> {
    let info = threads.event_flag_info(id)?;
    tell(status, [info.attributes, info.option, info.initial, info.bits, info.waiting])
}
