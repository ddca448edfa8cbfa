//! Figures of the kernel, in cycles of the processor's counter. On an emulator, whose caches and buses cost nothing, they are
//! lower than on a console; whoever prints them on must say so.

use super::calls::call;
use super::setup::Stack;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::files::{Files, From};
use boardwalk::ee::sif::link::Link;
use boardwalk::ee::syscall::{self, SemaParameters};
use boardwalk::ee::{cop0, interrupt};
use boardwalk::tty_println;
use core::ffi::c_void;
use core::hint::black_box;
use core::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// Repetitions of which the mean is taken.
const TURNS: u32 = 1000;
/// Timer 0's registers and its INTC cause.
const TIMER0: usize = 0x1000_0000;
const TIMER0_CAUSE: i32 = 9;
/// Timer mode: bus clock, counting, compare interrupt, flags cleared.
const TIMER_MODE: u32 = 0xD80;
/// Cycles of the processor in one of the bus.
const BUS: u32 = 2;
/// Bus cycles until the timer's interrupt.
const SOON: u32 = 5_000;
/// INTC cause of the blank's start.
const BLANK: i32 = 2;
/// Blanks over which the kernel's share is measured.
const BLANKS: u32 = 60;

static SEMAPHORE: AtomicI32 = AtomicI32::new(0);
static SEEN: AtomicU32 = AtomicU32::new(0);
static TAKEN: AtomicU32 = AtomicU32::new(0);

static STACK_OF_OTHER: Stack = Stack::new();

fn cycles(work: impl FnOnce()) -> u32 {
    let start = cop0::count();
    work();
    cop0::count().wrapping_sub(start)
}

/// Prints all figures. `path` is this program's own file.
pub fn run(path: &str) -> Result<(), Error> {
    for (name, number) in [("system-call", 0x2F), ("handler-call", -0x2F)] {
        let all = cycles(|| {
            for _ in 0..TURNS {
                black_box(call(number, 0, 0));
            }
        });
        tty_println!("BENCH rom/{} {} cycles", name, all / TURNS);
    }
    semaphore_switch();
    interrupt_entry();
    idle_share();
    let mut link = Link::start()?;
    let files = Files::bind(&mut link)?;
    let file = files.open(&mut link, path.as_bytes())?;
    let mut result = Ok(0);
    let all = cycles(|| {
        for turn in 0..TURNS {
            result = files.seek(&mut link, &file, turn as i32, From::Start);
            if result.is_err() {
                break;
            }
        }
    });
    result?;
    tty_println!("BENCH rom/rpc-round-trip {} cycles", all / TURNS);
    files.close(&mut link, file)?;
    link.close();
    Ok(())
}

unsafe extern "C" fn take_turns(_: *mut c_void) {
    loop {
        // SAFETY: numbers only.
        unsafe { syscall::wait_sema(SEMAPHORE.load(Ordering::Relaxed)) };
    }
}

/// Each signal runs the more urgent waiter, which waits again: two switches.
fn semaphore_switch() {
    // SAFETY: pointers to locals and a stack of the thread's own.
    unsafe {
        let parameters = SemaParameters { max_count: 1, ..Default::default() };
        SEMAPHORE.store(syscall::create_sema(&raw const parameters), Ordering::Relaxed);
        syscall::change_thread_priority(0, 10);
        let other = STACK_OF_OTHER.thread(take_turns, 5);
        syscall::start_thread(other, core::ptr::null_mut());
        let all = cycles(|| {
            for _ in 0..TURNS {
                syscall::signal_sema(SEMAPHORE.load(Ordering::Relaxed));
            }
        });
        tty_println!("BENCH rom/semaphore-switch {} cycles", all / (2 * TURNS));
        syscall::terminate_thread(other);
        syscall::delete_thread(other);
        syscall::delete_sema(SEMAPHORE.load(Ordering::Relaxed));
    }
}

unsafe extern "C" fn note_time(_cause: i32, _argument: *mut c_void) -> i32 {
    let register = |offset: usize| (TIMER0 + offset) as *mut u32;
    // SAFETY: timer 0 is this program's.
    unsafe {
        let late = register(0).read_volatile().wrapping_sub(SOON) & 0xFFFF;
        register(0x10).write_volatile(0);
        TAKEN.store(TAKEN.load(Ordering::Relaxed) + late, Ordering::Relaxed);
    }
    SEEN.store(SEEN.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    interrupt::finish();
    0
}

/// From the timer's compare value to the first instruction of its handler.
fn interrupt_entry() {
    const TIMES: u32 = 100;
    /// Cycles that one interrupt may take to come.
    const PATIENCE: u32 = 1_000_000;
    let register = |offset: usize| (TIMER0 + offset) as *mut u32;
    // SAFETY: timer 0 is this program's; the handler keeps the rules.
    unsafe {
        let handler = syscall::add_intc_handler(TIMER0_CAUSE, note_time, 0, core::ptr::null_mut());
        syscall::enable_intc(TIMER0_CAUSE);
        for turn in 1..=TIMES {
            register(0).write_volatile(0);
            register(0x20).write_volatile(SOON);
            register(0x10).write_volatile(TIMER_MODE);
            let start = cop0::count();
            while SEEN.load(Ordering::Relaxed) < turn && cop0::count().wrapping_sub(start) < PATIENCE {
                core::hint::spin_loop();
            }
        }
        syscall::disable_intc(TIMER0_CAUSE);
        syscall::remove_intc_handler(TIMER0_CAUSE, handler);
    }
    let seen = SEEN.load(Ordering::Relaxed).max(1);
    tty_println!("BENCH rom/interrupt-entry {} cycles", TAKEN.load(Ordering::Relaxed) * BUS / seen);
}

unsafe extern "C" fn count_blank(_cause: i32, _argument: *mut c_void) -> i32 {
    SEEN.store(SEEN.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    interrupt::finish();
    0
}

/// What the kernel takes of a frame in which nothing happens but its blank, with a handler and a flag for it.
fn idle_share() {
    SEEN.store(0, Ordering::Relaxed);
    let mut flag = 0u32;
    let (mut taken, mut least) = (0u32, u32::MAX);
    // SAFETY: the flag lives until the measurement ends, and a request for nothing takes the last one back.
    let all = unsafe {
        let handler = syscall::add_intc_handler(BLANK, count_blank, 0, core::ptr::null_mut());
        syscall::enable_intc(BLANK);
        let begin = cop0::count();
        let mut last = begin;
        let mut asked = 0;
        while SEEN.load(Ordering::Relaxed) < BLANKS {
            let now = cop0::count();
            let gap = now.wrapping_sub(last);
            least = least.min(gap.max(1));
            // A turn of this loop takes its least; what is far above was somebody else's.
            if gap > 8 * least {
                taken += gap - least;
            }
            if SEEN.load(Ordering::Relaxed) != asked {
                asked = SEEN.load(Ordering::Relaxed);
                syscall::set_vsync_flag(&raw mut flag, core::ptr::null_mut());
            }
            last = now;
        }
        let all = cop0::count().wrapping_sub(begin);
        syscall::set_vsync_flag(core::ptr::null_mut(), core::ptr::null_mut());
        syscall::disable_intc(BLANK);
        syscall::remove_intc_handler(BLANK, handler);
        all
    };
    let thousandths = (u64::from(taken) * 100_000 / u64::from(all.max(1))) as u32;
    tty_println!("BENCH rom/idle-share {}.{:03} percent", thousandths / 1000, thousandths % 1000);
}
