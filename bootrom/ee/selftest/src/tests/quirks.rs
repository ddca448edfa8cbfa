//! Where the console's kernel is known to be odd: what handlers do to the thread that they have interrupted, and handlers of the
//! kernel's own causes.

use super::Tally;
use super::calls::call;
use super::setup::{Handler, Stack, with_handler};
use boardwalk::ee::syscall;
use boardwalk::ee::{cop0, interrupt};
use core::ffi::c_void;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// INTC causes: the IOP's software interrupts, the blank's start, the alarms' timer.
const SBUS: i32 = 1;
const BLANK: i32 = 2;
const ALARM: i32 = 12;
/// The program's thread.
const MAIN: u32 = 1;
/// Priority of both threads.
const EQUAL: u32 = 10;
/// A priority that no thread has.
const NOBODYS: u32 = 100;
/// Cycles of four fields: longer than anything here takes.
const PATIENCE: u32 = 4 * 4_920_120;
/// The blank at which the suspension is taken back; the one at which it comes is the first.
const TAKEN_BACK: u32 = 3;
const SUSPENDED: i32 = 8;
const READY: i32 = 2;
const RUNNING: i32 = 1;
static STACK_OF_EQUAL: Stack = Stack::new();

/// Calls of the handler that is at work, and what its system call returned at the first.
static BLANKS: AtomicU32 = AtomicU32::new(0);
static RESULT: AtomicI32 = AtomicI32::new(0);
/// Turns of the thread beside this one.
static TURNS: AtomicU32 = AtomicU32::new(0);

/// Counts a call; true at the first.
fn counted() -> bool {
    let count = BLANKS.load(Ordering::Relaxed) + 1;
    BLANKS.store(count, Ordering::Relaxed);
    count == 1
}

unsafe extern "C" fn wakes(_cause: i32, _argument: *mut c_void) -> i32 {
    if counted() {
        RESULT.store(call(-0x34, MAIN, 0), Ordering::Relaxed);
    }
    interrupt::finish();
    0
}

unsafe extern "C" fn rotates(_cause: i32, _argument: *mut c_void) -> i32 {
    if counted() {
        RESULT.store(call(-0x2C, EQUAL, 0), Ordering::Relaxed);
    }
    interrupt::finish();
    0
}

unsafe extern "C" fn suspends(_cause: i32, _argument: *mut c_void) -> i32 {
    if counted() {
        RESULT.store(call(-0x38, MAIN, 0), Ordering::Relaxed);
    } else if BLANKS.load(Ordering::Relaxed) == TAKEN_BACK {
        call(-0x3A, MAIN, 0);
    }
    interrupt::finish();
    0
}

unsafe extern "C" fn counts(_cause: i32, _argument: *mut c_void) -> i32 {
    counted();
    interrupt::finish();
    0
}

unsafe extern "C" fn nothing(_id: i32, _time: u16, _argument: *mut c_void) {
    interrupt::finish();
}

unsafe extern "C" fn turns(_: *mut c_void) {
    loop {
        TURNS.store(TURNS.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        call(0x2B, EQUAL, 0);
    }
}

/// Turns without a system call until the handler has run `times`; how often it has.
fn until(times: u32) -> u32 {
    let start = cop0::count();
    loop {
        let blanks = BLANKS.load(Ordering::Relaxed);
        if blanks >= times || cop0::count().wrapping_sub(start) > PATIENCE {
            return blanks;
        }
    }
}

/// Does something while `handler` runs at each of `cause`'s events, which are counted anew.
fn with<T>(cause: i32, handler: Handler, work: impl FnOnce() -> T) -> T {
    BLANKS.store(0, Ordering::Relaxed);
    // SAFETY: handlers that keep the rules.
    unsafe { with_handler(cause, handler, work) }
}

fn result() -> i32 {
    RESULT.load(Ordering::Relaxed)
}

fn turns_taken() -> u32 {
    TURNS.load(Ordering::Relaxed)
}

pub fn run(tally: &mut Tally) {
    let before = call(0x29, 0, EQUAL) as u32;
    wakeup(tally);
    rotation(tally);
    suspension(tally);
    own_causes(tally);
    call(0x29, 0, before);
}

fn wakeup(tally: &mut Tally) {
    let blanks = with(BLANK, wakes, || until(1));
    tally.equal("a handler cannot wake the thread that it interrupted", (blanks, result()), (1, -1));
    tally.equal("nor is the wakeup kept for it", call(0x35, MAIN, 0), 0);
}

fn rotation(tally: &mut Tally) {
    // SAFETY: a stack of its own, a pointer to a local.
    let other = unsafe {
        let id = STACK_OF_EQUAL.thread(turns, EQUAL as i32);
        syscall::start_thread(id, null_mut());
        id as u32
    };
    let ran_on = with(BLANK, rotates, || until(1) == 1 && turns_taken() == 0);
    tally.equal("a handler's rotation leaves the interrupted thread running", (ran_on, result()), (true, EQUAL as i32));
    // Another queue's rotation asks who is to run: the head of this one is the other thread now.
    call(0x2B, NOBODYS, 0);
    tally.equal("until somebody asks who is to run", turns_taken(), 1);
    call(0x25, other, 0);
    call(0x21, other, 0);
}

fn suspension(tally: &mut Tally) {
    let (ran_on, state, blanks, after) = with(BLANK, suspends, || {
        let ran_on = until(1);
        (ran_on, call(-0x31, MAIN, 0), until(TAKEN_BACK), call(-0x31, MAIN, 0))
    });
    tally.equal("a handler's suspension leaves the interrupted thread running", (ran_on, result()), (1, MAIN as i32));
    tally.equal("which is told as suspended", (state, blanks), (SUSPENDED, TAKEN_BACK));
    tally.equal("until it is taken back", matches!(after, READY | RUNNING), true);
}

fn own_causes(tally: &mut Tally) {
    // SAFETY: handlers that keep the rules.
    unsafe {
        tally.equal(
            "the IOP's cause takes no handler of this kind",
            syscall::add_intc_handler(SBUS, counts, 0, null_mut()),
            -1,
        );
        let blanks = with(ALARM, counts, || {
            syscall::set_alarm(20, nothing, null_mut());
            until(1)
        });
        tally.equal("the alarms' cause runs its handlers behind the alarms", blanks, 1);
    }
}
