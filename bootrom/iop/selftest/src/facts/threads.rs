//! THREADMAN: threads, semaphores, event flags, message boxes, the clock.

use crate::system::{self, Clock, ThreadParameters};
use crate::tally::Tally;
use core::cell::UnsafeCell;
use core::ptr::null_mut;

pub fn run(tally: &mut Tally) {
    threads(tally);
    semaphores(tally);
    events(tally);
    messages(tally);
    clock(tally);
}

/// A word that the other thread writes.
struct Word(UnsafeCell<i32>);
// SAFETY: one thread writes it, another reads it, through volatile accesses.
unsafe impl Sync for Word {}
static SEEN: Word = Word(UnsafeCell::new(0));

impl Word {
    fn get(&self) -> i32 {
        // SAFETY: the word is always there.
        unsafe { self.0.get().read_volatile() }
    }

    fn set(&self, value: i32) {
        // SAFETY: as above.
        unsafe { self.0.get().write_volatile(value) };
    }
}

const CODE_IN_C: u32 = 0x0200_0000;
/// More urgent than the thread of the facts, and less.
const URGENT: u32 = 40;
const PATIENT: u32 = 70;
const STACK: u32 = 0x800;
const WAIT_RELEASED: i32 = -418;
const ILLEGAL_CONTEXT: i32 = -100;

/// Sleeps, and tells how that ended.
extern "C" fn sleeper(argument: u32) {
    SEEN.set(argument as i32);
    SEEN.set(system::SleepThread());
    system::ExitThread();
}

/// A thread that is made and not started.
pub fn thread(entry: extern "C" fn(u32), priority: u32, stack_bytes: u32) -> i32 {
    let parameters = ThreadParameters { attributes: CODE_IN_C, option: 0, entry, stack_bytes, priority };
    system::CreateThread(&raw const parameters)
}

fn threads(tally: &mut Tally) {
    tally.equal("a priority that there is not", thread(sleeper, 127, STACK), -403);
    tally.equal("a stack that is too small", thread(sleeper, URGENT, 0x100), -404);
    let id = thread(sleeper, URGENT, STACK);
    tally.equal("a dormant thread cannot be woken", system::WakeupThread(id), -413);
    tally.equal("a thread starts", system::StartThread(id, 0x11), 0);
    tally.equal("and runs at once when it is more urgent", SEEN.get(), 0x11);
    tally.equal("it starts once", system::StartThread(id, 0), -414);
    tally.equal("a thread is woken", system::WakeupThread(id), 0);
    tally.equal("and its sleep ends well", SEEN.get(), 0);
    system::StartThread(id, 0x22);
    tally.equal("a wait is ended from outside", system::ReleaseWaitThread(id), 0);
    tally.equal("and its thread learns of it", SEEN.get(), WAIT_RELEASED);
    tally.equal("a priority changes", system::ChangeThreadPriority(system::GetThreadId(), 60), 0);
    tally.equal("not to what there is not", system::ChangeThreadPriority(id, 127), -403);
    system::DeleteThread(id);
    let id = thread(sleeper, PATIENT, STACK);
    system::StartThread(id, 0x33);
    tally.equal("a thread that does not wait", system::ReleaseWaitThread(id), -416);
    tally.equal("a thread is ended", system::TerminateThread(id), 0);
    tally.equal("once only", system::TerminateThread(id), -413);
    tally.equal("it never ran, being less urgent", SEEN.get(), WAIT_RELEASED);
    tally.equal("an ended thread is deleted", system::DeleteThread(id), 0);
    tally.equal("once for good", system::DeleteThread(id), -407);
    tally.equal("threads are not suspended in this version", system::SuspendThread(id), -1);
    tally.equal("only handlers use their calls", system::iWakeupThread(id), ILLEGAL_CONTEXT);
}

/// Waits for the semaphore in its argument, and tells how that ended.
extern "C" fn waiter(argument: u32) {
    SEEN.set(system::WaitSema(argument as i32));
    system::ExitThread();
}

fn semaphores(tally: &mut Tally) {
    let id = system::CreateSema(&[0, 0, 1, 1]);
    tally.equal("a semaphore is polled", system::PollSema(id), 0);
    tally.equal("until it is zero", system::PollSema(id), -419);
    tally.equal("it is signalled", system::SignalSema(id), 0);
    tally.equal("up to its maximum", system::SignalSema(id), -420);
    tally.equal("a wait for what is there", system::WaitSema(id), 0);
    let thread = thread(waiter, URGENT, STACK);
    SEEN.set(1);
    system::StartThread(thread, id as u32);
    tally.equal("a signal goes to who waits", system::SignalSema(id), 0);
    tally.equal("whose wait ends well", SEEN.get(), 0);
    system::StartThread(thread, id as u32);
    tally.equal("a semaphore is deleted", system::DeleteSema(id), 0);
    tally.equal("who waits for it learns so", SEEN.get(), -425);
    tally.equal("a semaphore that is gone", system::DeleteSema(id), -408);
    tally.equal("handlers have their own signal", system::iSignalSema(id), ILLEGAL_CONTEXT);
    system::DeleteThread(thread);
}

fn events(tally: &mut Tally) {
    const ALL: u32 = 0;
    const CLEAR: u32 = 0x10;
    const ANY: u32 = 1;
    let mut result = 0;
    let id = system::CreateEventFlag(&[2, 0, 1]);
    tally.equal("a pattern that is not there", system::PollEventFlag(id, 3, ALL, &raw mut result), -421);
    tally.equal("one bit of it is", system::PollEventFlag(id, 3, ANY, &raw mut result), 0);
    tally.equal("bits are set", system::SetEventFlag(id, 6), 0);
    tally.equal("a pattern that is there", system::WaitEventFlag(id, 3, ALL, &raw mut result), 0);
    tally.equal("is told whole", result as i32, 7);
    tally.equal("bits are kept by a mask", system::ClearEventFlag(id, 4), 0);
    tally.equal("the others are gone", system::PollEventFlag(id, 3, ANY, &raw mut result), -421);
    tally.equal("a poll that clears", system::PollEventFlag(id, 4, ANY | CLEAR, &raw mut result), 0);
    tally.equal("clears all", system::PollEventFlag(id, 4, ANY, &raw mut result), -421);
    tally.equal("no pattern at all", system::PollEventFlag(id, 0, ANY, &raw mut result), -423);
    tally.equal("a mode that there is not", system::PollEventFlag(id, 1, 7, &raw mut result), -405);
    tally.equal("an event flag is deleted", system::DeleteEventFlag(id), 0);
    tally.equal("an event flag that is gone", system::SetEventFlag(id, 1), -409);
}

fn messages(tally: &mut Tally) {
    let mut message = [0, 0];
    let mut found = null_mut();
    let id = system::CreateMbx(&[0, 0]);
    tally.equal("an empty message box", system::PollMbx(&raw mut found, id), -424);
    tally.equal("a message is sent", system::SendMbx(id, &raw mut message), 0);
    tally.equal("and received", system::ReceiveMbx(&raw mut found, id), 0);
    tally.holds("as the same", found == &raw mut message);
    tally.equal("a message box is deleted", system::DeleteMbx(id), 0);
    tally.equal("a message box that is gone", system::DeleteMbx(id), -410);
}

/// Ticks of a second.
const SECOND: u32 = 36_864_000;

extern "C" fn ring(argument: u32) -> u32 {
    SEEN.set(argument as i32);
    0
}

fn clock(tally: &mut Tally) {
    let mut clock = Clock::default();
    system::USec2SysClock(1_000_000, &raw mut clock);
    tally.equal("a second in ticks", clock.low as i32, SECOND as i32);
    let (mut seconds, mut microseconds) = (0, 0);
    let clock = Clock { low: SECOND * 3 + SECOND / 2, high: 0 };
    system::SysClock2USec(&raw const clock, &raw mut seconds, &raw mut microseconds);
    tally.holds("ticks in seconds and their parts", (seconds, microseconds) == (3, 500_000));
    let (mut before, mut after) = (Clock::default(), Clock::default());
    system::GetSystemTime(&raw mut before);
    system::DelayThread(5_000);
    system::GetSystemTime(&raw mut after);
    let passed = after.low.wrapping_sub(before.low) / (SECOND / 1_000_000);
    tally.holds("a delay lasts as long as it should", (5_000..6_000).contains(&passed));
    SEEN.set(0);
    let soon = Clock { low: SECOND / 1_000, high: 0 };
    tally.equal("an alarm is set", system::SetAlarm(&raw const soon, ring, 7), 0);
    tally.equal("the same alarm is set once", system::SetAlarm(&raw const soon, ring, 7), -104);
    system::DelayThread(3_000);
    tally.equal("it rings", SEEN.get(), 7);
    tally.equal("an alarm that has rung is gone", system::CancelAlarm(ring, 7), -105);
    let mut result = 0;
    let flag = system::GetSystemStatusFlag();
    tally.equal("the system tells of the EE", system::PollEventFlag(flag, 0x100, 0, &raw mut result), 0);
}
