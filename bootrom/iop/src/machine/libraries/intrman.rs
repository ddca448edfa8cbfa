//! `intrman` 1.2: interrupt handlers and the gate.

use super::{Exports, exports, store};
use crate::machine::critical::{Shared, resume, suspend};
use crate::machine::exceptions::in_interrupt_stack;
use crate::machine::interrupts::{HANDLERS, disable, enable, exists};
use crate::machine::threads::in_interrupt;
use bootrom_iop::errors::{Error, code_of};

/// Library functions by number.
pub static TABLE: Exports<31> = exports(
    b"intrman",
    0x0102,
    [
        // Covers: iop, intrman 4 RegisterIntrHandler test=one for each line
        (4, register_handler as *const ()),
        // Covers: iop, intrman 5 ReleaseIntrHandler test=a handler goes
        (5, release_handler as *const ()),
        // Covers: iop, intrman 6 EnableIntr test=a line is enabled
        (6, enable_line as *const ()),
        // Covers: iop, intrman 7 DisableIntr test=the result is for enabling it again
        (7, disable_line as *const ()),
        (8, cpu_disable as *const ()),
        (9, cpu_enable as *const ()),
        (14, call_in_kernel_mode as *const ()),
        (15, disable_dispatch as *const ()),
        (16, enable_dispatch as *const ()),
        (17, cpu_suspend as *const ()),
        (18, cpu_resume as *const ()),
        // Covers: iop, intrman 23 QueryIntrContext test=a thread is no handler
        (23, query_context as *const ()),
        (24, query_stack as *const ()),
        // 25 would let other interrupts into a handler, which this kernel never does; 28 and 30 hook another thread manager
        // in, which could not take this one's place.
    ],
);

/// The line itself, without the bits that choose a DMA channel's flags.
const LINE_BITS: i32 = 0xFF;

/// The mode says how many registers are saved; here it is always all of them.
extern "C" fn register_handler(line: i32, _mode: i32, function: u32, argument: u32) -> i32 {
    if in_interrupt() {
        return Error::IllegalContext.code();
    }
    code_of(HANDLERS.with(|handlers| handlers.register(line as u32, function, argument)).map(|()| 0))
}

extern "C" fn release_handler(line: i32) -> i32 {
    code_of(HANDLERS.with(|handlers| handlers.release(line as u32)).map(|()| 0))
}

extern "C" fn enable_line(line: i32) -> i32 {
    let number = (line & LINE_BITS) as u32;
    if !exists(number) {
        return Error::IllegalInterrupt.code();
    }
    enable(number);
    0
}

extern "C" fn disable_line(line: i32, result: *mut i32) -> i32 {
    if !exists((line & LINE_BITS) as u32) {
        return Error::IllegalInterrupt.code();
    }
    let was_enabled = disable((line & LINE_BITS) as u32);
    store(result, if was_enabled { line } else { Error::InterruptNotEnabled.code() });
    if was_enabled { 0 } else { Error::InterruptNotEnabled.code() }
}

extern "C" fn cpu_disable() -> i32 {
    if suspend() == 0 { Error::InterruptsDisabled.code() } else { 0 }
}

extern "C" fn cpu_enable() -> i32 {
    resume(1);
    0
}

extern "C" fn cpu_suspend(state: *mut u32) -> i32 {
    let gate = suspend();
    if !state.is_null() {
        // SAFETY: the pointer is the caller's to be written. The gate is closed, and stays so.
        unsafe { state.write_unaligned(gate) };
    }
    if gate == 0 { Error::InterruptsDisabled.code() } else { 0 }
}

extern "C" fn cpu_resume(state: u32) -> i32 {
    resume(state);
    0
}

/// A function that is called with what the caller has passed behind it.
type Invoked = extern "C" fn(u32, u32, u32, u32, u32, u32, u32) -> i32;

/// Everything runs in kernel mode here.
extern "C" fn call_in_kernel_mode(function: Invoked, a: u32, b: u32, c: u32, d: u32, e: u32, f: u32, g: u32) -> i32 {
    function(a, b, c, d, e, f, g)
}

/// Lines whose dispatch is held back, although they are enabled.
static HELD: Shared<u64> = Shared::new(0);

/// Keeps a line's handler from being called until [`enable_dispatch`]; what comes in the meantime waits.
extern "C" fn disable_dispatch(line: u32) {
    if exists(line) && disable(line) {
        HELD.with(|held| *held |= 1 << line);
    }
}

extern "C" fn enable_dispatch(line: u32) {
    let was_held = exists(line)
        && HELD.with(|held| {
            let before = *held;
            *held &= !(1 << line);
            before != *held
        });
    if was_held {
        enable(line);
    }
}

extern "C" fn query_context() -> i32 {
    in_interrupt().into()
}

extern "C" fn query_stack(stack_pointer: u32) -> i32 {
    in_interrupt_stack(stack_pointer).into()
}
