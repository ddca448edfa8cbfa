//! Threads and semaphores.

use super::Tally;
use super::calls::call;
use super::setup::Stack;
use boardwalk::ee::syscall::{self, SemaParameters};
use core::arch::asm;
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};

static STACKS: [Stack; 3] = [const { Stack::new() }; 3];

/// What the threads did, four bits a step.
static LOG: AtomicU32 = AtomicU32::new(0);
static RESULT: AtomicU32 = AtomicU32::new(0);
static SEMAPHORE: AtomicU32 = AtomicU32::new(0);

fn log(step: u32) {
    LOG.store(LOG.load(Ordering::Relaxed) << 4 | step, Ordering::Relaxed);
}

fn take_log() -> u32 {
    let log = LOG.load(Ordering::Relaxed);
    LOG.store(0, Ordering::Relaxed);
    log
}

fn create(stack: usize, function: unsafe extern "C" fn(*mut c_void), priority: i32) -> i32 {
    // SAFETY: the stack is used by one thread at a time.
    unsafe { STACKS[stack].thread(function, priority) }
}

fn start(id: i32, argument: usize) -> i32 {
    // SAFETY: the argument is a number.
    unsafe { syscall::start_thread(id, argument as *mut c_void) }
}

unsafe extern "C" fn log_argument(argument: *mut c_void) {
    log(argument as u32);
}

unsafe extern "C" fn sleep_twice(_: *mut c_void) {
    log(1);
    // SAFETY: no pointers.
    RESULT.store(unsafe { syscall::sleep_thread() } as u32, Ordering::Relaxed);
    log(2);
    // SAFETY: no pointers.
    RESULT.store(unsafe { syscall::sleep_thread() } as u32, Ordering::Relaxed);
    log(3);
}

unsafe extern "C" fn wait_semaphore(argument: *mut c_void) {
    let id = SEMAPHORE.load(Ordering::Relaxed) as i32;
    // SAFETY: no pointers.
    let result = unsafe { syscall::wait_sema(id) };
    log(if result < 0 { 0xF } else { argument as u32 });
}

/// Fills registers that calls must keep with a pattern, yields, and looks whether they still hold it.
pub fn registers_survive(pattern: u32, yield_to_equals: bool) -> bool {
    let quads: [u64; 4] = [u64::from(pattern) << 32 | 1, !u64::from(pattern), u64::from(pattern) * 3, 7];
    #[repr(C, align(16))]
    struct Quads([u64; 4], [u64; 4], [u32; 2]);
    let mut memory = Quads(quads, [0; 4], [0; 2]);
    let float = pattern as f32;
    let mut float_after = 0f32;
    let number = if yield_to_equals { 0x29 } else { 0x2F };
    // SAFETY: loads $16 and $17 whole, makes a call, stores them; both are given back.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            "sw $16, 64($12)",
            "sw $17, 68($12)",
            ".word {load16}",
            ".word {load17}",
            "mtc1 $13, $f20",
            "move $4, $0",
            "addiu $5, $0, 10",
            "move $3, $14",
            "syscall",
            ".word {store16}",
            ".word {store17}",
            "mfc1 $13, $f20",
            "lw $16, 64($12)",
            "lw $17, 68($12)",
            ".set pop",
            load16 = const boardwalk::ee::encode::lq(16, 12, 0),
            load17 = const boardwalk::ee::encode::lq(17, 12, 16),
            store16 = const boardwalk::ee::encode::sq(16, 12, 32),
            store17 = const boardwalk::ee::encode::sq(17, 12, 48),
            in("$12") &raw mut memory,
            inout("$13") float.to_bits() => *(&raw mut float_after).cast::<u32>(),
            in("$14") number,
            out("$2") _, out("$3") _, out("$4") _, out("$5") _,
            out("$f20") _,
        );
    }
    memory.1 == quads && float_after == float
}

unsafe extern "C" fn registers_of_another(pattern: *mut c_void) {
    for _ in 0..3 {
        log(if registers_survive(pattern as u32, true) { 1 } else { 0xF });
    }
}

pub fn run(tally: &mut Tally) {
    life(tally);
    sleeping(tally);
    semaphores(tally);
    switching(tally);
}

fn life(tally: &mut Tally) {
    // SAFETY: numbers only.
    unsafe {
        tally.equal("main starts at priority 0", syscall::change_thread_priority(0, 10), 0);
        let other = create(0, log_argument, 20);
        tally.equal("first created thread is 2", other, 2);
        tally.equal("a new thread is dormant", call(0x30, other as u32, 0), 0x10);
        tally.equal("a less urgent thread does not run", (start(other, 5), take_log()), (other, 0));
        tally.equal("a started thread cannot start", start(other, 5), -1);
        tally.equal("old priority is told", syscall::change_thread_priority(other, 5), 20);
        tally.equal("a more urgent thread runs at once and ends", take_log(), 5);
        tally.equal("an ended thread is dormant", call(0x30, other as u32, 0), 0x10);
        tally.equal("it starts again at its first priority", (start(other, 6), take_log()), (other, 0));
        tally.equal("terminate", syscall::terminate_thread(other), other);
        tally.equal("delete", syscall::delete_thread(other), other);
        tally.equal("a deleted thread's status is 0", call(0x30, other as u32, 0), 0);
        tally.equal("a thread beyond the table", call(0x30, 256, 0), -1);
        tally.equal("records are used again last", create(0, log_argument, 20), 3);
        syscall::delete_thread(3);
    }
}

fn sleeping(tally: &mut Tally) {
    // SAFETY: numbers only.
    unsafe {
        let sleeper = create(0, sleep_twice, 5);
        start(sleeper, 0);
        tally.equal("it runs up to its sleep", take_log(), 1);
        tally.equal("wakeup", (syscall::wakeup_thread(sleeper), take_log()), (sleeper, 2));
        tally.equal("sleep returns the own id", RESULT.load(Ordering::Relaxed) as i32, sleeper);
        tally.equal("suspend a sleeper", call(0x37, sleeper as u32, 0), sleeper);
        tally.equal("suspensions do not nest", call(0x37, sleeper as u32, 0), -1);
        tally.equal("it waits and is suspended", call(0x30, sleeper as u32, 0), 0xC);
        tally.equal("resume", call(0x39, sleeper as u32, 0), sleeper);
        tally.equal("release", (call(0x2D, sleeper as u32, 0), take_log()), (sleeper, 3));
        tally.equal("a released sleep returns -1", RESULT.load(Ordering::Relaxed) as i32, -1);
        tally.equal("oneself cannot be woken", syscall::wakeup_thread(1), -1);
        syscall::delete_thread(sleeper);
    }
}

fn semaphores(tally: &mut Tally) {
    // SAFETY: pointers to locals.
    unsafe {
        let parameters = SemaParameters { max_count: 1, initial_count: 0, option: 9, ..Default::default() };
        let id = syscall::create_sema(&raw const parameters);
        tally.equal("first semaphore is 0", id, 0);
        SEMAPHORE.store(id as u32, Ordering::Relaxed);
        tally.equal("poll of an empty one", syscall::poll_sema(id), -1);
        let waiters = [create(0, wait_semaphore, 8), create(1, wait_semaphore, 5)];
        start(waiters[0], 1);
        start(waiters[1], 2);
        let mut report = SemaParameters { initial_count: 77, ..Default::default() };
        syscall::refer_sema(id, &raw mut report);
        let found = (report.waiting, report.count, report.initial_count, report.option);
        tally.equal("report: waiting, count, initial untouched, option", found, (2, 0, 77, 9));
        tally.equal("first come, first served", (syscall::signal_sema(id), take_log()), (id, 1));
        syscall::signal_sema(id);
        tally.equal("then the next", take_log(), 2);
        syscall::signal_sema(id);
        syscall::signal_sema(id);
        syscall::refer_sema(id, &raw mut report);
        tally.equal("the maximum is not enforced", report.count, 2);
        tally.equal("wait takes a count at once", (syscall::wait_sema(id), syscall::wait_sema(id)), (id, id));
        start(waiters[0], 1);
        tally.equal("delete releases the waiter with -1", (syscall::delete_sema(id), take_log()), (id, 0xF));
        tally.equal("a deleted semaphore", syscall::signal_sema(id), -1);
        for waiter in waiters {
            syscall::delete_thread(waiter);
        }
    }
}

fn switching(tally: &mut Tally) {
    // SAFETY: numbers only.
    unsafe {
        let others = [create(0, registers_of_another, 10), create(1, registers_of_another, 10)];
        start(others[0], 0x1111_1111);
        start(others[1], 0x2222_2222);
        tally.equal("registers survive a switch", (0..4).all(|turn| registers_survive(0x333 + turn, true)), true);
        tally.equal("registers of the others too", take_log(), 0x11_1111);
        tally.equal("registers survive a call", registers_survive(0x444, false), true);
        for other in others {
            syscall::delete_thread(other);
        }
    }
}
