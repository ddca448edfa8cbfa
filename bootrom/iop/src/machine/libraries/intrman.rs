//! `intrman` 1.2: interrupt handlers and the gate.

use super::{Exports, exports, store};
use crate::machine::critical::{resume, suspend};
use crate::machine::exceptions::in_interrupt_stack;
use crate::machine::interrupts::{HANDLERS, disable, enable};
use crate::machine::threads::in_interrupt;
use bootrom_iop::errors::{Error, code_of};

/// Library functions by number.
pub static TABLE: Exports<31> = exports(
    b"intrman",
    0x0102,
    [
        (4, register_handler as *const ()),
        (5, release_handler as *const ()),
        (6, enable_line as *const ()),
        (7, disable_line as *const ()),
        (8, cpu_disable as *const ()),
        (9, cpu_enable as *const ()),
        (14, call_in_kernel_mode as *const ()),
        (17, cpu_suspend as *const ()),
        (18, cpu_resume as *const ()),
        (23, query_context as *const ()),
        (24, query_stack as *const ()),
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
    enable((line & LINE_BITS) as u32);
    0
}

extern "C" fn disable_line(line: i32, result: *mut i32) -> i32 {
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

/// Everything runs in kernel mode here.
extern "C" fn call_in_kernel_mode(function: extern "C" fn(u32, u32, u32) -> i32, a: u32, b: u32, c: u32) -> i32 {
    function(a, b, c)
}

extern "C" fn query_context() -> i32 {
    in_interrupt().into()
}

extern "C" fn query_stack(stack_pointer: u32) -> i32 {
    in_interrupt_stack(stack_pointer).into()
}
