//! THREADMAN's functions for handlers, and those that tell of threads and of what they wait for.

use super::threads::thread;
use crate::handler::within;
use crate::system::{self, Clock};
use crate::tally::Tally;
use crate::word::Word;
use core::ptr::null_mut;

/// More urgent than the thread of the facts, and less.
const URGENT: u32 = 40;
const PATIENT: u32 = 70;
const STACK: u32 = 0x800;
const WAIT_RELEASED: i32 = -418;
const ILLEGAL_CONTEXT: i32 = -100;
const UNKNOWN_THREAD: i32 = -407;
/// States and kinds of wait.
const WAITING: u32 = 4;
const DORMANT: u32 = 0x10;
const ASLEEP: u32 = 1;

static SEEN: Word = Word::new(0);
static ORDER: Word = Word::new(0);

pub fn run(tally: &mut Tally) {
    ends(tally);
    status(tally);
    priorities(tally);
    dispatch(tally);
    alarms(tally);
    semaphores(tally);
    events(tally);
    messages(tally);
}

extern "C" fn sleeper(_argument: u32) {
    SEEN.set(system::SleepThread());
    system::ExitThread();
}

extern "C" fn leaver(_argument: u32) {
    SEEN.set(system::GetThreadId());
    system::ExitDeleteThread();
}

extern "C" fn stack_looker(_argument: u32) {
    SEEN.set(system::CheckThreadStack());
    system::ExitThread();
}

/// Notes that it came.
extern "C" fn comer(argument: u32) {
    ORDER.set(ORDER.get() * 10 + argument as i32);
    system::ExitThread();
}

fn ends(tally: &mut Tally) {
    let id = thread(leaver, URGENT, STACK);
    system::StartThread(id, 0);
    tally.equal("a thread knows its number", SEEN.get(), id);
    tally.equal("and deletes itself at its end", system::DeleteThread(id), UNKNOWN_THREAD);
    tally.equal("a handler has no thread", within(|| system::GetThreadId()).unwrap_or(0), ILLEGAL_CONTEXT);
    let id = thread(sleeper, URGENT, STACK);
    system::StartThread(id, 0);
    tally.equal("a thread does not end others as handlers do", system::iTerminateThread(id), ILLEGAL_CONTEXT);
    tally.equal("a handler ends a thread", within(|| system::iTerminateThread(id)).unwrap_or(-1), 0);
    tally.equal("which is dormant then", word_of(id, 2) as i32, DORMANT as i32);
    system::StartThread(id, 0);
    tally.equal("a handler ends a wait", within(|| system::iReleaseWaitThread(id)).unwrap_or(-1), 0);
    tally.equal("and the thread learns of it, too", SEEN.get(), WAIT_RELEASED);
    system::DeleteThread(id);
    let id = thread(stack_looker, URGENT, STACK);
    system::StartThread(id, 0);
    tally.holds("a thread is told what is left of its stack", (0x600..STACK as i32).contains(&SEEN.get()));
    system::DeleteThread(id);
}

/// One word of a thread's status.
fn word_of(id: i32, index: usize) -> u32 {
    let mut status = [0; 13];
    system::ReferThreadStatus(id, &raw mut status);
    status[index]
}

fn status(tally: &mut Tally) {
    let id = thread(sleeper, URGENT, STACK);
    system::StartThread(id, 0);
    let (mut told, mut again) = ([0; 13], [0; 13]);
    tally.equal("a thread's status is told", system::ReferThreadStatus(id, &raw mut told), 0);
    let [attributes, _, state, entry, stack, bytes, _, first, now, kind, ..] = told;
    tally.equal(
        "a status tells attributes and entry",
        (attributes == 0x0200_0000 && entry == sleeper as *const () as u32).into(),
        1,
    );
    tally.holds("and the stack", stack != 0 && bytes == STACK);
    tally.holds("and the priorities", [first, now] == [URGENT; 2]);
    tally.holds("and the wait", [state, kind] == [WAITING, ASLEEP]);
    let done = within(|| system::iReferThreadStatus(id, &raw mut again));
    tally.holds("a handler is told the same of a thread", done == Some(0) && again == told);
    system::TerminateThread(id);
    system::DeleteThread(id);
    let id = thread(sleeper, PATIENT, STACK);
    system::StartThread(id, 0);
    system::WakeupThread(id);
    system::WakeupThread(id);
    SEEN.set(id);
    let taken = [0; 2].map(|_| without_waiting(|| system::iCancelWakeupThread(SEEN.get())));
    tally.equal("a handler takes saved wake-ups back", taken[0], 2);
    tally.equal("which leaves none", taken[1], 0);
    system::TerminateThread(id);
    system::DeleteThread(id);
}

fn priorities(tally: &mut Tally) {
    let id = thread(sleeper, PATIENT, STACK);
    system::StartThread(id, 0);
    tally.equal("a handler changes a priority", within(|| system::iChangeThreadPriority(id, 65)).unwrap_or(-1), 0);
    tally.equal("to what it said", word_of(id, 8) as i32, 65);
    tally.equal("threads have their own call for it", system::iChangeThreadPriority(id, 70), ILLEGAL_CONTEXT);
    system::TerminateThread(id);
    system::DeleteThread(id);
    let threads = [1, 2, 3].map(|argument| {
        let id = thread(comer, PATIENT, STACK);
        system::StartThread(id, argument);
        id
    });
    ORDER.set(0);
    // Interrupts are held until all is asked for: the handler comes before the three do.
    let rotated = without_waiting(|| system::iRotateThreadReadyQueue(PATIENT as i32));
    system::DelayThread(1_000);
    tally.equal("a handler rotates a queue", rotated, 0);
    tally.equal("whose first is the last then", ORDER.get(), 231);
    for id in threads {
        system::DeleteThread(id);
    }
}

static RESULT: Word = Word::new(0);
static TASK: Word = Word::new(0);

extern "C" fn on_alarm(_argument: u32) -> u32 {
    // SAFETY: `without_waiting` has written a function without arguments.
    let task: fn() -> i32 = unsafe { core::mem::transmute(TASK.get() as usize) };
    RESULT.set(task());
    0
}

/// Runs `task` in an alarm's interrupt without giving the processor to less urgent threads.
pub fn without_waiting(task: fn() -> i32) -> i32 {
    const NOT_YET: i32 = i32::MIN;
    RESULT.set(NOT_YET);
    TASK.set(task as usize as i32);
    let soon = Clock { low: 3_686, high: 0 };
    system::SetAlarm(&raw const soon, on_alarm, 1);
    while RESULT.get() == NOT_YET {}
    RESULT.get()
}

fn dispatch(tally: &mut Tally) {
    const UNSUPPORTED: i32 = -1;
    tally.equal("dispatch is not held in this version", system::DisableDispatchThread(), UNSUPPORTED);
    tally.equal("nor let go on", system::EnableDispatchThread(), UNSUPPORTED);
    let id = system::GetThreadId();
    let suspends = within(|| [system::iSuspendThread(id), system::iResumeThread(id)]);
    tally.holds("handlers suspend nobody in this version", suspends == Some([UNSUPPORTED; 2]));
    tally.equal("nor is anybody resumed", system::ResumeThread(id), UNSUPPORTED);
}

extern "C" fn ring(argument: u32) -> u32 {
    SEEN.set(argument as i32);
    0
}

fn alarms(tally: &mut Tally) {
    let soon = Clock { low: 36_864, high: 0 };
    SEEN.set(0);
    tally.equal("a handler sets an alarm", within(|| system::iSetAlarm(&raw const soon, ring, 9)).unwrap_or(-1), 0);
    system::DelayThread(3_000);
    tally.equal("which rings", SEEN.get(), 9);
    SEEN.set(0);
    let both = within(|| [system::iSetAlarm(&raw const soon, ring, 8), system::iCancelAlarm(ring, 8)]);
    system::DelayThread(3_000);
    tally.holds("a handler takes an alarm back", both == Some([0; 2]) && SEEN.get() == 0);
}

extern "C" fn waiter(argument: u32) {
    SEEN.set(system::WaitSema(argument as i32));
    system::ExitThread();
}

fn semaphores(tally: &mut Tally) {
    let id = system::CreateSema(&[1, 0x77, 0, 3]);
    let thread = thread(waiter, URGENT, STACK);
    system::StartThread(thread, id as u32);
    let (mut told, mut again) = ([0; 6], [0; 6]);
    system::ReferSemaStatus(id, &raw mut told);
    tally.holds("a semaphore tells attributes, word, counts and who waits", told == [1, 0x77, 0, 3, 0, 1]);
    let done = within(|| system::iReferSemaStatus(id, &raw mut again));
    tally.holds("a handler is told the same of a semaphore", done == Some(0) && again == told);
    SEEN.set(-1);
    tally.equal("a handler signals", within(|| system::iSignalSema(id)).unwrap_or(-1), 0);
    tally.equal("and the thread that waits goes on", SEEN.get(), 0);
    system::DeleteSema(id);
    system::DeleteThread(thread);
}

fn events(tally: &mut Tally) {
    let id = system::CreateEventFlag(&[2, 0x55, 6]);
    let (mut told, mut again) = ([0; 5], [0; 5]);
    system::ReferEventFlagStatus(id, &raw mut told);
    tally.holds("an event flag tells attributes, word, bits and who waits", told == [2, 0x55, 6, 6, 0]);
    let mut result = 0;
    tally.equal("a handler sets bits", within(|| system::iSetEventFlag(id, 8)).unwrap_or(-1), 0);
    tally.equal("which are there", system::PollEventFlag(id, 8, 0, &raw mut result), 0);
    tally.equal("a handler keeps bits by a mask", within(|| system::iClearEventFlag(id, 8)).unwrap_or(-1), 0);
    let done = within(|| system::iReferEventFlagStatus(id, &raw mut again));
    tally.holds("a handler is told what an event flag has", done == Some(0) && again == [2, 0x55, 6, 8, 0]);
    tally.equal("threads have their own call for setting", system::iSetEventFlag(id, 1), ILLEGAL_CONTEXT);
    system::DeleteEventFlag(id);
}

fn messages(tally: &mut Tally) {
    let (mut first, mut second) = ([0, 5], [0, 3]);
    let (mut told, mut again, mut found) = ([0; 5], [0; 5], null_mut());
    // Messages by priority.
    let id = system::CreateMbx(&[4, 0x33]);
    system::SendMbx(id, &raw mut first);
    let (at_second, at_first) = (&raw mut second, &raw mut first);
    tally.equal("a handler sends a message", within(|| system::iSendMbx(id, at_second)).unwrap_or(-1), 0);
    system::ReferMbxStatus(id, &raw mut told);
    tally.holds("a message box tells how many it holds and the first", told == [4, 0x33, 0, 2, at_second as u32]);
    let done = within(|| system::iReferMbxStatus(id, &raw mut again));
    tally.holds("a handler is told the same of a message box", done == Some(0) && again == told);
    system::PollMbx(&raw mut found, id);
    tally.holds("the more urgent message comes first", found == at_second);
    system::PollMbx(&raw mut found, id);
    tally.holds("and then the other one", found == at_first);
    tally.equal("threads have their own call for sending", system::iSendMbx(id, at_first), ILLEGAL_CONTEXT);
    system::DeleteMbx(id);
}
