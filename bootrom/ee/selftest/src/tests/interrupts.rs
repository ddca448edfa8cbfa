//! Handlers, alarms and the blank's flag.

use super::Tally;
use super::calls::call;
use super::setup::Stack;
use boardwalk::ee::syscall::{self, SemaParameters};
use boardwalk::ee::{cop0, interrupt};
use core::ffi::c_void;
use core::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// INTC cause of the blank's start.
const BLANK: i32 = 2;
/// Cycles of a frame's field, roughly.
const FIELD: u32 = 4_920_120;
/// Cycles of a picture line, roughly. Emulators' interpreters count up to a tenth more.
const LINE: u32 = 294_912_000 / 15_734;

static ORDER: AtomicU32 = AtomicU32::new(0);
static COUNT: AtomicU32 = AtomicU32::new(0);
static TIME: AtomicU32 = AtomicU32::new(0);
static LIMIT: AtomicU32 = AtomicU32::new(0);
static SEMAPHORE: AtomicI32 = AtomicI32::new(0);

unsafe extern "C" fn note(_cause: i32, argument: *mut c_void) -> i32 {
    if ORDER.load(Ordering::Relaxed) < LIMIT.load(Ordering::Relaxed) {
        ORDER.store(ORDER.load(Ordering::Relaxed) << 4 | (argument as u32 & 0xF), Ordering::Relaxed);
    }
    interrupt::finish();
    // Bit 4 asks for the chain's end.
    if argument as u32 & 0x10 != 0 { -1 } else { 0 }
}

unsafe extern "C" fn signal(_cause: i32, _argument: *mut c_void) -> i32 {
    // SAFETY: a call for handlers.
    unsafe { syscall::i_signal_sema(SEMAPHORE.load(Ordering::Relaxed)) };
    interrupt::finish();
    0
}

unsafe extern "C" fn on_alarm(_id: i32, _time: u16, argument: *mut c_void) {
    TIME.store(cop0::count(), Ordering::Relaxed);
    ORDER.store(ORDER.load(Ordering::Relaxed) << 4 | argument as u32, Ordering::Relaxed);
    COUNT.store(COUNT.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    interrupt::finish();
}

fn wait(cycles: u32, mut done: impl FnMut() -> bool) -> bool {
    let start = cop0::count();
    while cop0::count().wrapping_sub(start) < cycles {
        if done() {
            return true;
        }
    }
    done()
}

pub fn run(tally: &mut Tally) {
    chains(tally);
    from_handlers(tally);
    alarms(tally);
    blank(tally);
}

fn chains(tally: &mut Tally) {
    // SAFETY: handlers that keep the rules.
    unsafe {
        let add = |next: i32, argument: usize| syscall::add_intc_handler(BLANK, note, next, argument as *mut c_void);
        let middle = add(-1, 2);
        let last = add(-1, 3 | 0x10);
        let never = add(-1, 4);
        let first = add(0, 1);
        tally.equal("ids start at 1", middle, 1);
        tally.equal("a cause beyond the table", syscall::add_intc_handler(15, note, 0, core::ptr::null_mut()), -1);
        LIMIT.store(0x100, Ordering::Relaxed);
        tally.equal("enabling is a change once", (syscall::enable_intc(BLANK), syscall::enable_intc(BLANK)), (1, 0));
        wait(2 * FIELD, || ORDER.load(Ordering::Relaxed) >= 0x100);
        tally.equal("the chain's order, ended by a negative result", ORDER.load(Ordering::Relaxed), 0x123);
        tally.equal("disabling too", (syscall::disable_intc(BLANK), syscall::disable_intc(BLANK)), (1, 0));
        let left = [first, middle, last, never].map(|id| syscall::remove_intc_handler(BLANK, id));
        tally.equal("removing tells how many are left", left, [3, 2, 1, 0]);
        tally.equal("removing twice", syscall::remove_intc_handler(BLANK, first), -1);
        ORDER.store(0, Ordering::Relaxed);
    }
}

static STACK_OF_WAITER: Stack = Stack::new();

unsafe extern "C" fn wait_thrice(_: *mut c_void) {
    for _ in 0..3 {
        // SAFETY: numbers only.
        unsafe { syscall::wait_sema(SEMAPHORE.load(Ordering::Relaxed)) };
        COUNT.store(COUNT.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
}

fn from_handlers(tally: &mut Tally) {
    // SAFETY: handlers that keep the rules, pointers to locals, a stack of its own.
    unsafe {
        let parameters = SemaParameters { max_count: 1, ..Default::default() };
        SEMAPHORE.store(syscall::create_sema(&raw const parameters), Ordering::Relaxed);
        let thread = STACK_OF_WAITER.thread(wait_thrice, 1);
        syscall::start_thread(thread, core::ptr::null_mut());
        let handler = syscall::add_intc_handler(BLANK, signal, 0, core::ptr::null_mut());
        let start = cop0::count();
        syscall::enable_intc(BLANK);
        wait(5 * FIELD, || COUNT.load(Ordering::Relaxed) == 3);
        let cycles = cop0::count().wrapping_sub(start);
        syscall::disable_intc(BLANK);
        syscall::remove_intc_handler(BLANK, handler);
        tally.equal("a handler's signal runs the more urgent thread", COUNT.load(Ordering::Relaxed), 3);
        tally.within("three blanks, in cycles", cycles, 2 * FIELD..=3 * FIELD + FIELD / 2);
        tally.equal("the thread has ended", call(0x30, thread as u32, 0), 0x10);
        syscall::delete_thread(thread);
        syscall::delete_sema(SEMAPHORE.load(Ordering::Relaxed));
        COUNT.store(0, Ordering::Relaxed);
    }
}

fn alarms(tally: &mut Tally) {
    // SAFETY: handlers that keep the rules.
    unsafe {
        let start = cop0::count();
        let ids = [
            syscall::set_alarm(300, on_alarm, 2 as *mut c_void),
            syscall::set_alarm(100, on_alarm, core::ptr::without_provenance_mut(1)),
            syscall::set_alarm(1000, on_alarm, 9 as *mut c_void),
        ];
        tally.equal("three alarms", ids.map(|id| id >= 0), [true; 3]);
        wait(200 * LINE, || COUNT.load(Ordering::Relaxed) == 1);
        let lines = TIME.load(Ordering::Relaxed).wrapping_sub(start) / LINE;
        tally.within("the first fires after 100 lines", lines, 98..=112);
        wait(300 * LINE, || COUNT.load(Ordering::Relaxed) == 2);
        let lines = TIME.load(Ordering::Relaxed).wrapping_sub(start) / LINE;
        tally.within("the second after 300", lines, 298..=336);
        tally.equal("in the order of their lines", ORDER.load(Ordering::Relaxed), 0x12);
        tally.within("the third is taken back", call(0xFE, ids[2] as u32, 0) as u32, 600..=702);
        tally.equal("it is gone", call(0xFE, ids[2] as u32, 0), -1);
        wait(800 * LINE, || false);
        tally.equal("and does not fire", COUNT.load(Ordering::Relaxed), 2);
    }
}

/// One handler of a chain, switched off and on.
fn single_handlers(tally: &mut Tally) {
    // SAFETY: handlers that keep the rules.
    unsafe {
        let ids = [1, 2].map(|argument: usize| syscall::add_intc_handler(BLANK, note, -1, argument as *mut c_void));
        tally.equal("handlers are counted", call(0x52, 0, 0), 2);
        let seen = |switch: i32| {
            let switched = call(switch, BLANK as u32, ids[0] as u32);
            ORDER.store(0, Ordering::Relaxed);
            LIMIT.store(1, Ordering::Relaxed);
            syscall::enable_intc(BLANK);
            wait(2 * FIELD, || ORDER.load(Ordering::Relaxed) != 0);
            syscall::disable_intc(BLANK);
            LIMIT.store(0, Ordering::Relaxed);
            (switched == ids[0], ORDER.load(Ordering::Relaxed))
        };
        tally.equal("DisableIntcHandler leaves the others", seen(0x5D), (true, 2));
        tally.equal("EnableIntcHandler brings it back", seen(0x5C), (true, 1));
        tally.equal("iDisableIntcHandler works from a thread", seen(-0x5D), (true, 2));
        tally.equal("iEnableIntcHandler works from a thread", seen(-0x5C), (true, 1));
        for id in ids {
            syscall::remove_intc_handler(BLANK, id);
        }
        ORDER.store(0, Ordering::Relaxed);
    }
}

fn blank(tally: &mut Tally) {
    single_handlers(tally);
    let mut early = 0u32;
    // SAFETY: the place lives until the flag is set or the wait is over.
    let seen = unsafe {
        syscall::set_vsync_flag(&raw mut early, core::ptr::null_mut());
        let set = wait(2 * FIELD, || (&raw const early).read_volatile() == 1);
        syscall::set_vsync_flag(core::ptr::null_mut(), core::ptr::null_mut());
        (set, syscall::disable_intc(BLANK), syscall::enable_intc(BLANK), syscall::disable_intc(BLANK))
    };
    tally.equal("the blank sets the flag with its interrupt off, which stays off", seen, (true, 0, 1, 1));
    let mut flag = 0u32;
    let mut status = 0u64;
    // SAFETY: both live until the flag is set or the wait is over.
    let set = unsafe {
        syscall::enable_intc(BLANK);
        syscall::set_vsync_flag(&raw mut flag, &raw mut status);
        let set = wait(2 * FIELD, || (&raw const flag).read_volatile() == 1);
        (&raw mut flag).write_volatile(0);
        let again = wait(2 * FIELD, || (&raw const flag).read_volatile() == 1);
        syscall::disable_intc(BLANK);
        (set, again)
    };
    tally.equal("the blank sets the flag without any handler, once", set, (true, false));
    // SAFETY: reads a local.
    tally.equal("and notes the GS's status", unsafe { (&raw const status).read_volatile() } != 0, true);
}
