//! Threads of the system.

use super::imports::{self, ThreadParameters};

/// Code for a compiler.
const COMPILED: u32 = 0x0200_0000;

/// Makes a thread that [`start`] lets run; its id, `None` when the system has no memory for it.
pub fn make(entry: extern "C" fn(u32), priority: u32, stack_bytes: u32) -> Option<i32> {
    let parameters = ThreadParameters { attributes: COMPILED, option: 0, entry, stack_bytes, priority };
    // SAFETY: a complete record; the function never returns.
    let id = unsafe { imports::CreateThread(&raw const parameters) };
    (id > 0).then_some(id)
}

/// Lets a thread run that has been made.
pub fn start(id: i32) -> bool {
    // SAFETY: an id of the system.
    unsafe { imports::StartThread(id, 0) == 0 }
}

/// Gives a thread back that has been made and does not run.
pub fn give_back(id: i32) {
    // SAFETY: a plain call; the system refuses a thread that runs.
    unsafe { imports::DeleteThread(id) };
}

/// The running thread.
pub fn current() -> i32 {
    // SAFETY: a plain call.
    unsafe { imports::GetThreadId() }
}

/// Waits until somebody wakes the thread.
pub fn sleep() {
    // SAFETY: a plain call.
    unsafe { imports::SleepThread() };
}

/// Wakes a thread.
pub fn wake(id: i32) {
    // SAFETY: a plain call; a wrong id is an error value.
    unsafe { imports::WakeupThread(id) };
}

/// Waits, letting others run.
pub fn delay(microseconds: u32) {
    // SAFETY: a plain call.
    unsafe { imports::DelayThread(microseconds) };
}

/// Ticks of the system's clock; they wrap after almost two minutes.
pub fn clock() -> u32 {
    let mut clock = [0; 2];
    // SAFETY: a record of two words.
    unsafe { imports::GetSystemTime(&raw mut clock) };
    clock[0]
}
