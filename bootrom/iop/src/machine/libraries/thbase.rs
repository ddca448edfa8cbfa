//! `thbase` 1.1: threads, time and alarms.

use super::{
    Exports, asked_by_thread, blocking, exports, fetch, for_handlers, for_threads, from_interrupt, from_thread, tell,
};
use crate::machine::exceptions::end_of_stack;
use crate::machine::memory::may_read;
use crate::machine::threads::{self, THREADS, cancel_alarm, in_interrupt, now, set_alarm, system_flag};
use bootrom_iop::alarms::{Action, Alarm, SHORTEST_MICROSECONDS, seconds_from_ticks, ticks_from_microseconds};
use bootrom_iop::errors::{Error, code_of};
use bootrom_iop::threads::{NewThread, Threads};

/// Library functions by number.
pub static TABLE: Exports<42> = exports(
    b"thbase",
    0x0101,
    [
        // Excused: iop, thbase 3 GetThreadmanData reason=a structure that no public document describes
        // Covers: iop, thbase 4 CreateThread test=a priority that there is not
        (4, create_thread as *const ()),
        // Covers: iop, thbase 5 DeleteThread test=an ended thread is deleted
        (5, delete_thread as *const ()),
        // Covers: iop, thbase 6 StartThread test=and runs at once when it is more urgent
        (6, start_thread as *const ()),
        // Covers: iop, thbase 7 StartThreadArgs test=threads::tests::arguments_lie_above_the_first_frame_and_may_not_fill_the_stack
        (7, start_thread_with_arguments as *const ()),
        // Covers: iop, thbase 8 ExitThread test=it starts once
        (8, exit as *const ()),
        // Covers: iop, thbase 9 ExitDeleteThread test=and deletes itself at its end
        (9, exit_delete as *const ()),
        // Covers: iop, thbase 10 TerminateThread test=a thread is ended
        (10, terminate_thread as *const ()),
        // Covers: iop, thbase 11 iTerminateThread test=a handler ends a thread
        (11, interrupt_terminate_thread as *const ()),
        // Covers: iop, thbase 12 DisableDispatchThread test=dispatch is not held in this version
        (12, unsupported as *const ()),
        // Covers: iop, thbase 13 EnableDispatchThread test=nor let go on
        (13, unsupported as *const ()),
        // Covers: iop, thbase 14 ChangeThreadPriority test=a priority changes
        (14, change_priority as *const ()),
        // Covers: iop, thbase 15 iChangeThreadPriority test=a handler changes a priority
        (15, interrupt_change_priority as *const ()),
        // Covers: iop, thbase 16 RotateThreadReadyQueue test=threads::tests::the_most_urgent_ready_thread_runs_and_equals_take_turns_only_by_rotation
        (16, rotate as *const ()),
        // Covers: iop, thbase 17 iRotateThreadReadyQueue test=a handler rotates a queue
        (17, interrupt_rotate as *const ()),
        // Covers: iop, thbase 18 ReleaseWaitThread test=a wait is ended from outside
        (18, release_wait as *const ()),
        // Covers: iop, thbase 19 iReleaseWaitThread test=a handler ends a wait
        (19, interrupt_release_wait as *const ()),
        // Covers: iop, thbase 20 GetThreadId test=a thread knows its number
        (20, thread_id as *const ()),
        // Covers: iop, thbase 21 CheckThreadStack test=a thread is told what is left of its stack
        (21, check_stack as *const ()),
        // Covers: iop, thbase 22 ReferThreadStatus test=a thread's status is told
        (22, refer_thread as *const ()),
        // Covers: iop, thbase 23 iReferThreadStatus test=a handler is told the same of a thread
        (23, interrupt_refer_thread as *const ()),
        // Covers: iop, thbase 24 SleepThread test=and its sleep ends well
        (24, sleep as *const ()),
        // Covers: iop, thbase 25 WakeupThread test=a thread is woken
        (25, wakeup as *const ()),
        // Covers: iop, thbase 26 iWakeupThread test=only handlers use their calls
        (26, interrupt_wakeup as *const ()),
        // Covers: iop, thbase 27 CancelWakeupThread test=threads::tests::wake_ups_are_saved_until_the_next_sleep
        (27, cancel_wakeup as *const ()),
        // Covers: iop, thbase 28 iCancelWakeupThread test=a handler takes saved wake-ups back
        (28, interrupt_cancel_wakeup as *const ()),
        // Covers: iop, thbase 29 SuspendThread test=threads are not suspended in this version
        (29, unsupported as *const ()),
        // Covers: iop, thbase 30 iSuspendThread test=handlers suspend nobody in this version
        (30, unsupported as *const ()),
        // Covers: iop, thbase 31 ResumeThread test=nor is anybody resumed
        (31, unsupported as *const ()),
        // Covers: iop, thbase 32 iResumeThread test=handlers suspend nobody in this version
        (32, unsupported as *const ()),
        // Covers: iop, thbase 33 DelayThread test=a delay lasts as long as it should
        (33, delay as *const ()),
        // Covers: iop, thbase 34 GetSystemTime test=a delay lasts as long as it should
        (34, system_time as *const ()),
        // Covers: iop, thbase 35 SetAlarm test=it rings
        (35, alarm as *const ()),
        // Covers: iop, thbase 36 iSetAlarm test=a handler sets an alarm
        (36, interrupt_alarm as *const ()),
        // Covers: iop, thbase 37 CancelAlarm test=an alarm that has rung is gone
        (37, take_alarm as *const ()),
        // Covers: iop, thbase 38 iCancelAlarm test=a handler takes an alarm back
        (38, interrupt_take_alarm as *const ()),
        // Covers: iop, thbase 39 USec2SysClock test=a second in ticks
        (39, clock_from_microseconds as *const ()),
        // Covers: iop, thbase 40 SysClock2USec test=ticks in seconds and their parts
        (40, microseconds_from_clock as *const ()),
        // Covers: iop, thbase 41 GetSystemStatusFlag test=the system tells of the EE
        (41, status_flag as *const ()),
    ],
);

/// A thread to be made.
#[repr(C)]
#[derive(Clone, Copy)]
struct Parameters {
    attributes: u32,
    option: u32,
    entry: u32,
    stack_bytes: u32,
    priority: u32,
}

/// What is told about a thread, in words: attributes, option, state, entry, stack, its bytes, gp, first and present
/// priority, kind of wait, object waited for, wake-ups, saved context; the last one is the record's end.
type Status = [u32; 13];

/// A time, in ticks.
#[repr(C)]
#[derive(Clone, Copy)]
struct SystemClock {
    low: u32,
    high: u32,
}

impl SystemClock {
    fn of(ticks: u64) -> Self {
        SystemClock { low: ticks as u32, high: (ticks >> 32) as u32 }
    }

    fn ticks(self) -> u64 {
        u64::from(self.low) | u64::from(self.high) << 32
    }
}

/// The caller's global pointer.
fn global_pointer() -> u32 {
    let gp;
    // SAFETY: this only reads a register, which nothing here uses.
    unsafe { core::arch::asm!("move {0}, $28", out(reg) gp, options(nomem, nostack)) };
    gp
}

extern "C" fn create_thread(parameters: *const Parameters) -> i32 {
    let gp = global_pointer();
    for_threads(|| {
        let Parameters { attributes, option, entry, stack_bytes, priority } = fetch(parameters)?;
        threads::create(&NewThread { attributes, option, entry, stack_bytes, priority, gp })
    })
}

extern "C" fn delete_thread(id: i32) -> i32 {
    for_threads(|| threads::delete(id).map(|()| 0))
}

extern "C" fn start_thread(id: i32, argument: u32) -> i32 {
    for_threads(|| threads::start_thread(id, argument, None).map(|()| 0))
}

extern "C" fn start_thread_with_arguments(id: i32, bytes: u32, arguments: u32) -> i32 {
    for_threads(|| {
        if bytes > 0 && !may_read(arguments, bytes) {
            return Err(Error::IllegalAddress);
        }
        threads::start_thread(id, 0, Some((bytes, arguments))).map(|()| 0)
    })
}

/// A thread's id from a handler, to which 0 does not mean the caller.
fn named(id: i32) -> Result<i32, Error> {
    if id == 0 { Err(Error::IllegalThread) } else { Ok(id) }
}

extern "C" fn exit() -> i32 {
    for_threads(|| Ok(threads::exit()))
}

extern "C" fn exit_delete() -> i32 {
    for_threads(|| Ok(threads::exit_delete()))
}

extern "C" fn terminate_thread(id: i32) -> i32 {
    from_thread(|threads| threads::terminate(threads, id).map(|()| 0))
}

extern "C" fn interrupt_terminate_thread(id: i32) -> i32 {
    from_interrupt(|threads| threads::interrupt_terminate(threads, id).map(|()| 0))
}

/// Source: IOP kernel, THREADMAN (suspend and dispatch control are not supported)
extern "C" fn unsupported() -> i32 {
    -1
}

extern "C" fn change_priority(id: i32, priority: i32) -> i32 {
    from_thread(|threads| threads.change_priority(id, priority as u32).map(|()| 0))
}

extern "C" fn interrupt_change_priority(id: i32, priority: i32) -> i32 {
    from_interrupt(|threads| threads.change_priority(named(id)?, priority as u32).map(|()| 0))
}

extern "C" fn rotate(priority: i32) -> i32 {
    from_thread(|threads| threads.rotate(priority as u32).map(|()| 0))
}

extern "C" fn interrupt_rotate(priority: i32) -> i32 {
    from_interrupt(|threads| threads.rotate(priority as u32).map(|()| 0))
}

extern "C" fn release_wait(id: i32) -> i32 {
    from_thread(|threads| threads::release(threads, id).map(|()| 0))
}

extern "C" fn interrupt_release_wait(id: i32) -> i32 {
    from_interrupt(|threads| threads::interrupt_release(threads, id).map(|()| 0))
}

extern "C" fn thread_id() -> i32 {
    asked_by_thread(|threads| Ok(threads.current_id()))
}

/// Bytes of stack that a thread needs for its context and what interrupts it.
///
/// Source: IOP kernel, THREADMAN (CheckThreadStack)
const STACK_LEAST: i32 = 0xA8;

/// Bytes of stack that are left; in a handler, which has no thread's stack, 0. Too few for a context are the end, which is told.
///
/// Source: IOP kernel, THREADMAN (CheckThreadStack)
extern "C" fn check_stack() -> i32 {
    if in_interrupt() {
        return 0;
    }
    let here = 0_u32;
    let (id, bottom) =
        THREADS.with(|threads| (threads.current_id(), threads.thread_info(0).map_or(0, |info| info.stack)));
    let left = (core::ptr::addr_of!(here) as u32).wrapping_sub(bottom) as i32;
    if left < STACK_LEAST {
        end_of_stack(id, left);
    }
    left
}

extern "C" fn refer_thread(id: i32, status: *mut Status) -> i32 {
    asked_by_thread(|threads| status_of(threads, id, status))
}

/// Our choice: threads may use the handlers' form, too; it asks and changes nothing.
extern "C" fn interrupt_refer_thread(id: i32, status: *mut Status) -> i32 {
    code_of(named(id).and_then(|id| THREADS.with(|threads| status_of(threads, id, status))))
}

fn status_of(threads: &mut Threads, id: i32, status: *mut Status) -> Result<i32, Error> {
    let info = threads.thread_info(id)?;
    let words = [
        info.attributes,
        info.option,
        info.state as u32,
        info.entry,
        info.stack,
        info.stack_bytes,
        info.gp,
        info.initial_priority.into(),
        info.priority.into(),
        info.wait.number(),
        info.wait_id as u32,
        info.wakeups,
        info.frame,
    ];
    tell(status, words)
}

extern "C" fn sleep() -> i32 {
    blocking(|threads| Ok(threads.sleep()), |_| ())
}

extern "C" fn wakeup(id: i32) -> i32 {
    from_thread(|threads| threads.wakeup(id).map(|()| 0))
}

extern "C" fn interrupt_wakeup(id: i32) -> i32 {
    from_interrupt(|threads| threads.interrupt_wakeup(id).map(|()| 0))
}

extern "C" fn cancel_wakeup(id: i32) -> i32 {
    asked_by_thread(|threads| threads.cancel_wakeup(id).map(|count| count as i32))
}

extern "C" fn interrupt_cancel_wakeup(id: i32) -> i32 {
    from_interrupt(|threads| threads.cancel_wakeup(named(id)?).map(|count| count as i32))
}

extern "C" fn delay(microseconds: u32) -> i32 {
    code_of(threads::delay(microseconds).map(|()| 0))
}

extern "C" fn system_time(clock: *mut SystemClock) -> i32 {
    code_of(tell(clock, SystemClock::of(now())))
}

extern "C" fn alarm(clock: *const SystemClock, function: u32, argument: u32) -> i32 {
    for_threads(|| ring(clock, function, argument))
}

extern "C" fn interrupt_alarm(clock: *const SystemClock, function: u32, argument: u32) -> i32 {
    for_handlers(|| ring(clock, function, argument))
}

fn ring(clock: *const SystemClock, function: u32, argument: u32) -> Result<i32, Error> {
    let ticks = fetch(clock)?.ticks().max(ticks_from_microseconds(SHORTEST_MICROSECONDS));
    let action = Action::Call { function, argument };
    set_alarm(Alarm { target: now().saturating_add(ticks), action }).map(|()| 0)
}

extern "C" fn take_alarm(function: u32, argument: u32) -> i32 {
    for_threads(|| cancel_alarm(Action::Call { function, argument }).map(|()| 0))
}

extern "C" fn interrupt_take_alarm(function: u32, argument: u32) -> i32 {
    for_handlers(|| cancel_alarm(Action::Call { function, argument }).map(|()| 0))
}

extern "C" fn clock_from_microseconds(microseconds: u32, clock: *mut SystemClock) {
    // Nobody is told of a refusal but the console.
    let _ = tell(clock, SystemClock::of(ticks_from_microseconds(microseconds)));
}

extern "C" fn microseconds_from_clock(clock: *const SystemClock, seconds: *mut u32, microseconds: *mut u32) {
    if let Ok(clock) = fetch(clock) {
        let (whole, rest) = seconds_from_ticks(clock.ticks());
        // As above.
        let _ = (tell(seconds, whole), tell(microseconds, rest));
    }
}

extern "C" fn status_flag() -> i32 {
    system_flag()
}
