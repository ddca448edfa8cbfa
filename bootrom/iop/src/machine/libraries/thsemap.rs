//! `thsemap` 1.2: semaphores.

use super::{Exports, asked_by_thread, blocking, exports, fetch, from_interrupt, from_thread, tell};
use bootrom_iop::errors::Error;
use bootrom_iop::threads::Threads;

/// Library functions by number.
pub static TABLE: Exports<13> = exports(
    b"thsemap",
    0x0102,
    [
        // Covers: iop, thsemap 4 CreateSema test=a semaphore is polled
        (4, create as *const ()),
        // Covers: iop, thsemap 5 DeleteSema test=who waits for it learns so
        (5, delete as *const ()),
        // Covers: iop, thsemap 6 SignalSema test=up to its maximum
        (6, signal as *const ()),
        // Covers: iop, thsemap 7 iSignalSema test=handlers have their own signal
        (7, interrupt_signal as *const ()),
        // Covers: iop, thsemap 8 WaitSema test=whose wait ends well
        (8, wait as *const ()),
        // Covers: iop, thsemap 9 PollSema test=until it is zero
        (9, poll as *const ()),
        // Covers: iop, thsemap 11 ReferSemaStatus test=a semaphore tells attributes, word, counts and who waits
        (11, refer as *const ()),
        // Covers: iop, thsemap 12 iReferSemaStatus test=a handler is told the same of a semaphore
        (12, interrupt_refer as *const ()),
    ],
);

/// A semaphore to be made: attributes, option, first count, largest count.
type Parameters = [u32; 4];
/// What is told about one: the same, then the count and the waiting threads.
type Status = [u32; 6];

extern "C" fn create(parameters: *const Parameters) -> i32 {
    asked_by_thread(|threads| {
        let [attributes, option, initial, maximum] = fetch(parameters)?;
        threads.create_semaphore(attributes, option, initial, maximum)
    })
}

extern "C" fn delete(id: i32) -> i32 {
    from_thread(|threads| threads.delete_semaphore(id).map(|()| 0))
}

extern "C" fn signal(id: i32) -> i32 {
    from_thread(|threads| threads.signal_semaphore(id).map(|()| 0))
}

extern "C" fn interrupt_signal(id: i32) -> i32 {
    from_interrupt(|threads| threads.signal_semaphore(id).map(|()| 0))
}

extern "C" fn wait(id: i32) -> i32 {
    blocking(|threads| threads.wait_semaphore(id), |_| ())
}

extern "C" fn poll(id: i32) -> i32 {
    asked_by_thread(|threads| threads.poll_semaphore(id).map(|()| 0))
}

extern "C" fn refer(id: i32, status: *mut Status) -> i32 {
    asked_by_thread(|threads| status_of(threads, id, status))
}

extern "C" fn interrupt_refer(id: i32, status: *mut Status) -> i32 {
    from_interrupt(|threads| status_of(threads, id, status))
}

fn status_of(threads: &mut Threads, id: i32, status: *mut Status) -> Result<i32, Error> {
    let info = threads.semaphore_info(id)?;
    tell(status, [info.attributes, info.option, info.initial, info.maximum, info.count, info.waiting])
}
