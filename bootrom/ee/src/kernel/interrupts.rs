//! Interrupts: which one it is, acknowledging it, and running the chain of its handlers.
//!
//! One exception serves one cause: the highest-numbered line, then the highest-numbered cause of it; what is left raises
//! the next exception. A cause is acknowledged before its handlers run, so that an event during them is not lost.
//! Handlers of programs run in user mode with interrupts off; a chain ends early when one returns a negative value.
//!
//! Source: EE kernel semantics, section 5.

use super::calls::alarms::count;
use super::console::report;
use super::entry::call_in_user_mode;
use super::hardware::{
    D_STAT, INTC_MASK, INTC_STAT, SIF_SMFLG, TIMER3, cop0, gs, read, read_double_low, read_settled, timer, write,
};
use super::state::{Kernel, kernel};
use super::table::{Routine, routine};
use super::user;
use bootrom_ee::handlers::{Handler, Source};

/// Timer 3 with an alarm set: lines, counting, compare interrupt, flags cleared.
pub const ALARM_MODE: u32 = 0x583;
/// Timer 3 without one.
pub const ALARM_IDLE_MODE: u32 = 0x483;

/// INTC causes that the kernel itself serves.
pub const SBUS: u32 = 1;
/// Start of the vertical blank.
pub const VERTICAL_BLANK: u32 = 2;
/// Timer 3.
pub const ALARM: u32 = 12;

/// From the interrupt vector: `lines` are the raised and unmasked bits of Cause.
#[unsafe(no_mangle)]
extern "C" fn interrupt(lines: u32) {
    let lines = lines >> 8 & 0xFF;
    if let Some(line) = lines.checked_ilog2() {
        run(routine(|tables| &raw const tables.interrupts[line as usize]), line);
    }
}

/// Calls a routine of a table in kernel mode.
fn run(routine: Routine, argument: u32) {
    if routine.is_null() {
        return;
    }
    // SAFETY: tables hold functions of this shape; programs that replace one are bound to it.
    let function: extern "C" fn(u32) = unsafe { core::mem::transmute(routine) };
    function(argument);
}

/// A line that nothing raises.
pub extern "C" fn unexpected_line(line: u32) {
    report!("warning: unexpected interrupt line {line}");
}

/// Line 2: the INTC.
pub extern "C" fn intc(_line: u32) {
    let pending = read(INTC_STAT) & read(INTC_MASK);
    if let Some(cause) = pending.checked_ilog2() {
        write(INTC_STAT, 1 << cause);
        run(routine(|tables| &raw const tables.intc[cause as usize & 0xF]), cause);
    }
}

/// Line 3: the DMAC. The bus error (15) cannot be masked.
pub extern "C" fn dmac(_line: u32) {
    const BUS_ERROR: u32 = 1 << 15;
    let status = read(D_STAT);
    let pending = (status >> 16 | BUS_ERROR) & status & 0xFFFF;
    if let Some(channel) = pending.checked_ilog2() {
        write(D_STAT, 1 << channel);
        run(routine(|tables| &raw const tables.dmac[channel as usize & 0xF]), channel);
    }
}

/// Line 7: the COP0 timer.
pub extern "C" fn cpu_timer_line(_line: u32) {
    run(routine(|tables| &raw const tables.cpu_timer), 0);
    // Writing the compare value takes the request back.
    cop0!("11", cop0!("11"));
}

/// The COP0 timer's handler until a program sets one.
pub extern "C" fn cpu_timer(_: u32) {
    report!("the COP0 timer has no handler");
}

/// A cause of the INTC with handlers of programs.
pub extern "C" fn intc_chain(cause: u32) {
    if !chain(Source::Intc(cause), cause) && cause != VERTICAL_BLANK {
        // Our choice: the original prints this and hangs; we switch the cause off and go on.
        report!("warning: INTC cause {cause} has no handler");
        write(INTC_MASK, 1 << cause);
    }
}

/// A channel of the DMAC with handlers of programs.
pub extern "C" fn dmac_chain(channel: u32) {
    if !chain(Source::Dmac(channel), channel) {
        report!("warning: DMAC channel {channel} has no handler");
        write(D_STAT, 1 << (16 + channel));
    }
}

/// Runs the handlers of a cause; false when there are none.
fn chain(source: Source, cause: u32) -> bool {
    let mut entry = kernel(|kernel| kernel.handlers.first(source));
    let any = entry.is_some();
    while let Some((id, Handler { function, gp, argument, enabled })) = entry {
        let noted = kernel(|kernel| kernel.handlers.after(source, id));
        if enabled && in_user_mode(function, gp, cause, argument, 0) < 0 {
            break;
        }
        entry = kernel(|kernel| kernel.handlers.following(source, id, noted));
    }
    any
}

fn in_user_mode(function: u32, gp: u32, first: u32, second: u32, third: u32) -> i32 {
    // SAFETY: no reference to the kernel's state is held; the handler's calls under negative numbers have their own
    // frame and stack.
    unsafe { call_in_user_mode(function, gp, first, second, third) }
}

/// Cause 2: what SetVSyncFlag asked for, once, then the handlers.
pub extern "C" fn vertical_blank(cause: u32) {
    let due = kernel(|kernel| kernel.blank.take());
    // Both places were looked at when they were given.
    if due.flag != 0 {
        let _ = user::write(due.flag, 1u32);
    }
    if due.csr != 0 {
        let _ = user::write(due.csr, u64::from(read_double_low(gs::CSR)));
    }
    if due.borrowed {
        write(INTC_MASK, 1 << VERTICAL_BLANK);
    } else {
        intc_chain(cause);
    }
}

/// Cause 1: a software interrupt of the IOP. The flags that have handlers are cleared before these run.
pub extern "C" fn sbus(_cause: u32) {
    let flags = read_settled(SIF_SMFLG);
    let mut number = 0;
    while let Some(slot) = kernel(|kernel| kernel.sbus.get(number).copied()) {
        if let Some((function, gp)) = slot
            && flags >> number & 1 != 0
        {
            write(SIF_SMFLG, 1 << number);
            in_user_mode(function, gp, number as u32, 0, 0);
        }
        number += 1;
    }
}

/// Cause 12: the alarms that are due, each once, then the handlers.
///
/// Our choice: no document tells what becomes of a handler for the alarms' own cause; one that was taken runs, as the blank's do.
pub extern "C" fn alarm(cause: u32) {
    loop {
        while let Some(due) = kernel(|kernel| kernel.alarms.take_due(count())) {
            in_user_mode(due.function, due.gp, u32::from(due.id), u32::from(due.target()), due.common);
        }
        // A line may have passed meanwhile: an alarm whose compare value is already behind would wait a whole round.
        if kernel(arm_alarm) {
            break;
        }
    }
    chain(Source::Intc(cause), cause);
}

/// Sets timer 3 for the next alarm; false when that is due already.
pub fn arm_alarm(kernel: &mut Kernel) -> bool {
    let Some(target) = kernel.alarms.next_target() else {
        write(TIMER3 + timer::MODE, ALARM_IDLE_MODE);
        return true;
    };
    write(TIMER3 + timer::COMPARE, u32::from(target));
    write(TIMER3 + timer::MODE, ALARM_MODE);
    kernel.alarms.lines_left(count()) != Some(0)
}
