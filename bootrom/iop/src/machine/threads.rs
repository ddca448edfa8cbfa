//! The running end of THREADMAN: calls from threads and handlers, the switch, and the system clock.

use super::critical::{Shared, critical};
use super::exceptions::in_interrupt_stack;
use super::interrupts::{LINE_TIMER_5, attach};
use super::memory::MEMORY;
use super::registers::clock_timer;
use super::start::{FRAME_FULL, Frame};
use bootrom_iop::alarms::{Action, Alarm, Alarms, SHORTEST_MICROSECONDS, ticks_from_microseconds};
use bootrom_iop::errors::Error;
use bootrom_iop::memory::Place;
use bootrom_iop::threads::{IDLE_PRIORITY, NewThread, Threads, Waited};
use core::arch::asm;

/// All threads and what they wait for.
pub static THREADS: Shared<Threads> = Shared::new(Threads::new());
static ALARMS: Shared<Alarms> = Shared::new(Alarms::new());
/// The event flag that tells what the system has reached.
static SYSTEM_FLAG: Shared<i32> = Shared::new(0);
static CLOCK: Shared<Clock> = Shared::new(Clock { high: 0, low: 0 });

/// The 32-bit timer, extended.
struct Clock {
    high: u32,
    low: u32,
}

impl Clock {
    fn now(&mut self) -> u64 {
        let count = clock_timer::COUNT.read();
        if count < self.low {
            self.high += 1;
        }
        self.low = count;
        u64::from(self.high) << 32 | u64::from(count)
    }
}

/// Status of a new thread: after the return it runs in kernel mode with interrupts on.
const START_STATUS: u32 = 0x404;

/// Timer mode: interrupt on target and on overflow, again and again.
///
/// Source: IOP kernel, THREADMAN (alarms)
const CLOCK_MODE: u32 = 0x70;
/// A target closer than this many ticks may pass before it is written.
const TARGET_MARGIN: u64 = 256;

/// True inside an interrupt handler.
pub fn in_interrupt() -> bool {
    let here = 0_u32;
    in_interrupt_stack(core::ptr::addr_of!(here) as u32)
}

/// Gives the processor to whom it belongs. In an interrupt that happens at its end anyway.
pub fn switch() {
    if in_interrupt() || !THREADS.with(|threads| threads.wants_switch()) {
        return;
    }
    give_way();
}

/// Gives the processor away by the kernel's system call; returns when it is this thread's turn again.
fn give_way() {
    // SAFETY: the exception entry saves and restores every register.
    unsafe { asm!("syscall") };
}

/// Runs a call that changes threads, then switches if that made another one more urgent.
pub fn call<R>(body: impl FnOnce(&mut Threads) -> R) -> R {
    let result = THREADS.with(body);
    switch();
    result
}

/// Runs a call that may block; the value is what the wait came to.
///
/// # Errors
/// The call's own, or how the wait ended; in an interrupt nothing may block.
pub fn call_blocking(body: impl FnOnce(&mut Threads) -> Result<Waited, Error>) -> Result<u32, Error> {
    if in_interrupt() {
        return Err(Error::IllegalContext);
    }
    critical(|| match THREADS.with(body)? {
        Waited::Done(value) => Ok(value),
        Waited::Blocked => {
            give_way();
            THREADS.with(Threads::wait_result)
        }
    })
}

/// Bits of the system's event flag; the lowest four tell how the system came up.
///
/// Source: IOP kernel, THREADMAN (system status event flag)
pub mod system_event {
    /// The EE's packet layer has started.
    pub const COMMANDS: u32 = 0x100;
    /// A vertical blank has been seen.
    pub const VERTICAL_BLANK: u32 = 0x200;
    /// A new start is asked for.
    pub const REBOOT: u32 = 0x400;
    /// The EE's call layer has started.
    pub const CALLS: u32 = 0x800;
}

/// Several threads may wait for the system's flag.
const FLAG_SHARED: u32 = 2;

/// Id of the event flag that tells what the system has reached.
pub fn system_flag() -> i32 {
    SYSTEM_FLAG.with(|flag| *flag)
}

/// Notes that the system has reached something.
pub fn set_system_event(bits: u32) {
    // It exists since the start.
    let _ = THREADS.with(|threads| threads.set_event_flag(system_flag(), bits));
}

/// Makes the code that runs now the idle thread, and starts the clock. `event` is the bit that tells how the system came up.
pub fn start(event: u32) {
    // The first records always exist.
    let flag = THREADS.with(|threads| {
        threads.adopt_boot_thread(IDLE_PRIORITY)?;
        threads.create_event_flag(FLAG_SHARED, 0, event)
    });
    SYSTEM_FLAG.with(|stored| *stored = flag.unwrap_or(0));
    clock_timer::MODE.write(CLOCK_MODE);
    attach(LINE_TIMER_5, clock_interrupt, 0);
}

/// Creates a thread with a stack from the top of memory.
///
/// # Errors
/// Its arguments, or no memory.
pub fn create(new: &NewThread) -> Result<i32, Error> {
    let stack_bytes = new.check()?;
    let stack = MEMORY.with(|memory| memory.allocate(Place::Highest, stack_bytes)).ok_or(Error::NoMemory)?;
    // SAFETY: the block has just been allocated with this size and is nobody else's.
    new.fill(unsafe { core::slice::from_raw_parts_mut(stack as *mut u8, stack_bytes as usize) });
    let result = THREADS.with(|threads| threads.create_thread(new, stack));
    if result.is_err() {
        MEMORY.with(|memory| memory.free(stack));
    }
    result
}

/// Deletes a dormant thread and frees its stack.
///
/// # Errors
/// As [`Threads::delete_thread`].
pub fn delete(id: i32) -> Result<(), Error> {
    let stack = THREADS.with(|threads| threads.delete_thread(id))?;
    MEMORY.with(|memory| memory.free(stack));
    Ok(())
}

/// Starts a thread with up to two argument words; `argument_bytes` at `arguments` are copied to its stack first,
/// and then the first word is their number and the second their place.
///
/// # Errors
/// As [`Threads::start_thread`].
pub fn start_thread(id: i32, argument: u32, copied: Option<(u32, u32)>) -> Result<(), Error> {
    critical(|| {
        let bytes = copied.map_or(0, |(bytes, _)| bytes);
        let start = THREADS.with(|threads| threads.start_thread(id, bytes))?;
        let end = start.stack_pointer + 0x18;
        let (a0, a1) = match copied {
            Some((bytes, source)) => {
                // SAFETY: the start reserved that many bytes above the first context; the source is the caller's.
                unsafe { core::ptr::copy(source as *const u8, end as *mut u8, bytes as usize) };
                (bytes, end)
            }
            None => (argument, 0),
        };
        let mut registers = [0; 32];
        registers[0] = FRAME_FULL;
        registers[4] = a0;
        registers[5] = a1;
        registers[28] = start.gp;
        registers[29] = start.stack_pointer;
        registers[30] = start.stack_pointer;
        registers[31] = exit as *const () as u32;
        let frame = Frame { registers, hi: 0, lo: 0, status: START_STATUS, epc: start.entry, gate: 1, unused: 0 };
        // SAFETY: the frame lies inside the thread's own stack, which nobody uses yet.
        unsafe { (start.frame as *mut Frame).write(frame) };
        Ok(())
    })?;
    switch();
    Ok(())
}

/// Creates and starts one of the kernel's own threads.
///
/// # Errors
/// No record or no memory.
pub fn spawn(entry: extern "C" fn(u32) -> i32, priority: u32, stack_bytes: u32, argument: u32) -> Result<i32, Error> {
    let new =
        NewThread { attributes: 0x0200_0000, option: 0, entry: entry as usize as u32, stack_bytes, priority, gp: 0 };
    let id = create(&new)?;
    start_thread(id, argument, None)?;
    Ok(id)
}

/// Ends the running thread.
pub extern "C" fn exit() -> i32 {
    critical(|| {
        THREADS.with(Threads::exit_thread);
        give_way();
    });
    0
}

/// Ends and deletes the running thread.
pub extern "C" fn exit_delete() -> i32 {
    critical(|| {
        // Nothing takes the stack before the switch: interrupts are held until then.
        if let Some(stack) = THREADS.with(Threads::exit_delete_thread) {
            MEMORY.with(|memory| memory.free(stack));
        }
        give_way();
    });
    0
}

/// The system clock, in ticks.
pub fn now() -> u64 {
    CLOCK.with(Clock::now)
}

/// Blocks the running thread for a time.
///
/// # Errors
/// In an interrupt; no record left.
pub fn delay(microseconds: u32) -> Result<(), Error> {
    // Asked before the alarm is set, which nothing would take back.
    if in_interrupt() {
        return Err(Error::IllegalContext);
    }
    let ticks = ticks_from_microseconds(microseconds.max(SHORTEST_MICROSECONDS));
    let thread = THREADS.with(|threads| threads.current_id());
    critical(|| {
        set_alarm(Alarm { target: now() + ticks, action: Action::EndDelay { thread } })?;
        call_blocking(|threads| Ok(threads.delay()))
    })?;
    Ok(())
}

/// Makes another thread dormant.
///
/// # Errors
/// As [`Threads::terminate_thread`].
pub fn terminate(threads: &mut Threads, id: i32) -> Result<(), Error> {
    ALARMS.with(|alarms| threads.terminate_thread(id, alarms))
}

/// Makes any thread dormant. For handlers.
///
/// # Errors
/// As [`Threads::interrupt_terminate`].
pub fn interrupt_terminate(threads: &mut Threads, id: i32) -> Result<(), Error> {
    ALARMS.with(|alarms| threads.interrupt_terminate(id, alarms))
}

/// Ends any thread's wait. For handlers.
///
/// # Errors
/// As [`Threads::interrupt_release`].
pub fn interrupt_release(threads: &mut Threads, id: i32) -> Result<(), Error> {
    ALARMS.with(|alarms| threads.interrupt_release(id, alarms))
}

/// Ends another thread's wait.
///
/// # Errors
/// As [`Threads::release_wait`].
pub fn release(threads: &mut Threads, id: i32) -> Result<(), Error> {
    ALARMS.with(|alarms| threads.release_wait(id, alarms))
}

/// Adds an alarm.
///
/// # Errors
/// Set already; no record left.
pub fn set_alarm(alarm: Alarm) -> Result<(), Error> {
    ALARMS.with(|alarms| alarms.set(alarm))?;
    aim_timer();
    Ok(())
}

/// Takes an alarm back.
///
/// # Errors
/// Not set.
pub fn cancel_alarm(action: Action) -> Result<(), Error> {
    ALARMS.with(|alarms| alarms.cancel(action))
}

extern "C" fn clock_interrupt(_argument: u32) -> i32 {
    // Reading the mode clears its "reached" bits.
    clock_timer::MODE.read();
    run_alarms();
    1
}

/// Runs every alarm whose moment has come and aims the timer at the next.
fn run_alarms() {
    while let Some(alarm) = ALARMS.with(|alarms| alarms.take_due(now())) {
        run(alarm);
    }
    aim_timer();
}

/// Sets the timer's target to the next alarm. One that lies beyond 32 bits is met again at the overflow interrupt.
fn aim_timer() {
    critical(|| {
        if let Some(target) = ALARMS.with(|alarms| alarms.next_target()) {
            clock_timer::TARGET.write(target.max(now() + TARGET_MARGIN) as u32);
        }
    });
}

fn run(alarm: Alarm) {
    match alarm.action {
        Action::EndDelay { thread } => THREADS.with(|threads| threads.end_delay(thread)),
        Action::Call { function, argument } => {
            // SAFETY: alarms are set with C functions of one word that return a word; that is the contract.
            let callback: extern "C" fn(u32) -> u32 = unsafe { core::mem::transmute(function as usize) };
            let again = u64::from(callback(argument));
            if again != 0 {
                let interval = again.max(ticks_from_microseconds(SHORTEST_MICROSECONDS));
                // Its record has just been freed.
                let _ = ALARMS.with(|alarms| alarms.set(Alarm { target: alarm.target + interval, ..alarm }));
            }
        }
    }
}
