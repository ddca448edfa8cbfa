//! `intrman` 1.2: interrupt handlers and the gate.

use super::{Exports, exports, may_tell, store};
use crate::machine::critical::{Shared, resume, suspend};
use crate::machine::exceptions::{self, in_interrupt_stack, room_below};
use crate::machine::interrupts::{HANDLERS, disable, enable, exists};
use crate::machine::threads::in_interrupt;
use bootrom_iop::errors::{Error, code_of};

/// Library functions by number.
pub static TABLE: Exports<32> = exports(
    b"intrman",
    0x0102,
    [
        // Covers: iop, intrman 3 GetIntrmanInternalData test=a handler is found in the table of all
        (3, internal_data as *const ()),
        // Covers: iop, intrman 4 RegisterIntrHandler test=one for each line
        (4, register_handler as *const ()),
        // Covers: iop, intrman 5 ReleaseIntrHandler test=a handler goes
        (5, release_handler as *const ()),
        // Covers: iop, intrman 6 EnableIntr test=a line is enabled
        (6, enable_line as *const ()),
        // Covers: iop, intrman 7 DisableIntr test=the result is for enabling it again
        (7, disable_line as *const ()),
        // Covers: iop, intrman 8 CpuDisableIntr test=interrupts are disabled
        (8, cpu_disable as *const ()),
        // Covers: iop, intrman 9 CpuEnableIntr test=and enabled
        (9, cpu_enable as *const ()),
        // Covers: iop, intrman 14 CpuInvokeInKmode test=a function is called in kernel mode
        (14, call_in_kernel_mode as *const ()),
        // Covers: iop, intrman 15 DisableDispatchIntr test=a line's handlers are held
        (15, disable_dispatch as *const ()),
        // Covers: iop, intrman 16 EnableDispatchIntr test=and called again
        (16, enable_dispatch as *const ()),
        // Covers: iop, intrman 17 CpuSuspendIntr test=interrupts are suspended
        (17, cpu_suspend as *const ()),
        // Covers: iop, intrman 18 CpuResumeIntr test=and resumed by the outer one
        (18, cpu_resume as *const ()),
        // Covers: iop, intrman 23 QueryIntrContext test=a thread is no handler
        (23, query_context as *const ()),
        // Covers: iop, intrman 24 QueryIntrStack test=a thread's stack is not the interrupts'
        (24, query_stack as *const ()),
        // Covers: iop, intrman 25 iCatchMultiIntr test=a handler lets another one in
        (25, catch_others as *const ()),
        // Covers: iop, intrman 28 SetNewCtxCb test=a hook may say which context goes on
        (28, set_new_context as *const ()),
        (29, reset_new_context as *const ()),
        // Covers: iop, intrman 30 SetShouldPreemptCb test=a hook is asked whether another thread goes on
        (30, set_should_preempt as *const ()),
        (31, reset_should_preempt as *const ()),
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
    if !state.is_null() && may_tell(state).is_ok() {
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

/// What is told of the interrupts: the table of handlers, and three words of the system's own.
///
/// Source: public headers of the system's later versions
#[repr(C)]
struct Told {
    table: u32,
    unused: [u32; 3],
}

static TOLD: Shared<Told> = Shared::new(Told { table: 0, unused: [0; 3] });

extern "C" fn internal_data() -> u32 {
    let table = HANDLERS.with(|handlers| handlers.table().as_ptr() as u32);
    TOLD.with(|told| {
        told.table = table;
        told as *const Told as u32
    })
}

/// Bytes of the interrupts' stack that must be left for another handler.
///
/// Source: IOP kernel, INTRMAN (context frame)
const ROOM_FOR_ANOTHER: u32 = 0x160;

/// Lets what is pending be served within the handler that calls this, if the stack has room.
extern "C" fn catch_others() -> i32 {
    let here = 0_u32;
    if in_interrupt() && room_below(core::ptr::addr_of!(here) as u32) >= ROOM_FOR_ANOTHER {
        // The gate is written once more because the emulator looks for pending lines then; it takes them at a branch.
        // SAFETY: the entry saves every register; an exception from here returns to here, interrupts off again behind it.
        unsafe {
            core::arch::asm!(
                ".set push", ".set noreorder",
                "mfc0 $8, $12",
                "lui $10, 0xBF80",
                "ori $9, $8, 0x401",
                "mtc0 $9, $12",
                "lw $11, 0x1078($10)",
                "addiu $9, $0, 16",
                "sw $11, 0x1078($10)",
                "2:",
                "addiu $9, $9, -1",
                "nop",
                "nop",
                "bnez $9, 2b",
                "nop",
                "mtc0 $8, $12",
                "nop",
                "nop",
                ".set pop",
                out("$8") _, out("$9") _, out("$10") _, out("$11") _,
            );
        }
    }
    0
}

extern "C" fn set_new_context(function: u32) {
    exceptions::set_new_context(function);
}

extern "C" fn reset_new_context() {
    exceptions::set_new_context(0);
}

extern "C" fn set_should_preempt(function: u32) {
    exceptions::set_should_preempt(function);
}

extern "C" fn reset_should_preempt() {
    exceptions::set_should_preempt(0);
}
