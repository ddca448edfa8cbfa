//! The bit that `ei` and `di` change, which is the processor's and no thread's: what interrupts, their handlers, calls and switches leave
//! of it.
//!
//! Source: EE kernel semantics, section 5

use super::Tally;
use super::calls::call;
use super::setup::{Handler, Stack, with_handler};
use boardwalk::ee::syscall;
use boardwalk::ee::{cop0, critical, interrupt};
use core::ffi::c_void;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicU32, Ordering};

/// INTC cause of the blank's start.
const BLANK: i32 = 2;
/// The program's thread, and the priority of both threads.
const MAIN: u32 = 1;
const EQUAL: u32 = 10;
/// Cycles of a field and a half.
const A_FIELD: u32 = 7_380_180;
static STACK_OF_OTHER: Stack = Stack::new();

static BLANKS: AtomicU32 = AtomicU32::new(0);
/// What the other thread saw of the bit, plus one.
static SEEN: AtomicU32 = AtomicU32::new(0);

fn count_blank() {
    BLANKS.store(BLANKS.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

unsafe extern "C" fn ends_enabled(_cause: i32, _argument: *mut c_void) -> i32 {
    count_blank();
    interrupt::finish();
    0
}

unsafe extern "C" fn leaves_it(_cause: i32, _argument: *mut c_void) -> i32 {
    count_blank();
    0
}

unsafe extern "C" fn ends_disabled(_cause: i32, _argument: *mut c_void) -> i32 {
    count_blank();
    // Nobody leaves the section: the bit stays off.
    let _ = critical::enter();
    0
}

unsafe extern "C" fn looks(_: *mut c_void) {
    SEEN.store(1 + u32::from(is_enabled()), Ordering::Relaxed);
    call(0x23, 0, 0);
}

fn is_enabled() -> bool {
    cop0::status() & cop0::STATUS_EIE != 0
}

/// Blanks that come within a field and a half.
fn blanks() -> u32 {
    BLANKS.store(0, Ordering::Relaxed);
    let start = cop0::count();
    while cop0::count().wrapping_sub(start) < A_FIELD && BLANKS.load(Ordering::Relaxed) == 0 {}
    BLANKS.load(Ordering::Relaxed)
}

/// The bit behind one blank with a handler.
fn behind(handler: Handler) -> (u32, bool) {
    // SAFETY: handlers of integers that call nothing; what the two leave that break the rule of how to end is mended.
    unsafe {
        with_handler(BLANK, handler, || {
            let found = (blanks(), is_enabled());
            critical::enable_interrupts();
            found
        })
    }
}

/// The bit behind calls of both signs that change nothing, wait for nothing, and let another thread run.
fn behind_calls() -> [bool; 4] {
    let thread = other();
    let plain = [0x2F, -0x2F].map(|number| {
        call(number, 0, 0);
        is_enabled()
    });
    // The other thread is ready and equal: it looks, ends, and this one goes on.
    SEEN.store(0, Ordering::Relaxed);
    call(0x2B, EQUAL, 0);
    let found = [plain[0], plain[1], SEEN.load(Ordering::Relaxed) == 2, is_enabled()];
    call(0x21, thread, 0);
    found
}

fn other() -> u32 {
    // SAFETY: a stack of its own, a pointer to a local.
    unsafe {
        let id = STACK_OF_OTHER.thread(looks, EQUAL as i32);
        syscall::start_thread(id, null_mut());
        id as u32
    }
}

pub fn run(tally: &mut Tally) {
    let before = call(0x29, MAIN, EQUAL) as u32;
    tally.equal("interrupts stay on behind a handler that ends by letting them in", behind(ends_enabled), (1, true));
    tally.equal("and behind one that does nothing of the kind", behind(leaves_it), (1, true));
    tally.equal("a handler that holds them leaves them held, as on the console", behind(ends_disabled), (1, false));
    tally.equal("interrupts stay on behind calls and switches", behind_calls(), [true; 4]);
    let held = critical::enter();
    let found = behind_calls();
    critical::leave(held);
    tally.equal("interrupts stay off behind calls and switches", (found, is_enabled()), ([false; 4], true));
    // SAFETY: a handler that keeps the rules.
    let (during, after) = unsafe {
        with_handler(BLANK, ends_enabled, || {
            let held = critical::enter();
            let during = (blanks(), blanks(), is_enabled());
            critical::leave(held);
            (during, blanks())
        })
    };
    tally.equal(
        "no handler runs while they are off, and the held one runs behind",
        (during, after > 0),
        ((0, 0, false), true),
    );
    call(0x29, MAIN, before);
}
