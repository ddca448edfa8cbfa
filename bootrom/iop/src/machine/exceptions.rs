//! What happens on an exception: interrupts, the kernel's own `syscall`, and everything that should not be.

use super::console::log;
use super::critical::{Shared, resume, suspend};
use super::interrupts;
use super::libraries::loadcore::Ram;
use super::start::{Frame, INTERRUPT_STACK, INTERRUPT_STACK_BYTES};
use super::threads::THREADS;
use bootrom_iop::exceptions::Chains;
use bootrom_iop::loadcore::Words;
use core::arch::global_asm;

const CODE_SHIFT: u32 = 2;
const CODE_MASK: u32 = 0x1F;
const CODE_INTERRUPT: u32 = 0;
const CODE_SYSCALL: u32 = 8;
const NAMES: [&str; 13] = [
    "interrupt",
    "TLB",
    "TLB",
    "TLB",
    "address error on load",
    "address error on store",
    "bus error on fetch",
    "bus error on data",
    "syscall",
    "breakpoint",
    "reserved instruction",
    "coprocessor",
    "overflow",
];

/// True when `address` lies inside the interrupt stack.
pub fn in_interrupt_stack(address: u32) -> bool {
    let bottom = core::ptr::addr_of!(INTERRUPT_STACK) as u32;
    address.wrapping_sub(bottom) < INTERRUPT_STACK_BYTES as u32
}

/// Bytes of the interrupts' stack below `address`, which lies in it.
pub fn room_below(address: u32) -> u32 {
    address.wrapping_sub(core::ptr::addr_of!(INTERRUPT_STACK) as u32)
}

/// Functions of a module that decides over threads in this kernel's place: which context goes on, and whether to ask.
struct Hooks {
    new_context: u32,
    should_preempt: u32,
}

static HOOKS: Shared<Hooks> = Shared::new(Hooks { new_context: 0, should_preempt: 0 });

/// Lets `function` say which context goes on: it gets one's address and returns one's; 0 for this kernel's own way.
pub fn set_new_context(function: u32) {
    HOOKS.with(|hooks| hooks.new_context = function);
}

/// Lets `function` say whether another context may go on at all, at the end of interrupts; 0 for this kernel's own way.
pub fn set_should_preempt(function: u32) {
    HOOKS.with(|hooks| hooks.should_preempt = function);
}

/// The context to go on with instead of `frame`'s, by whoever decides.
fn next_of(frame: *mut Frame) -> *mut Frame {
    match HOOKS.with(|hooks| hooks.new_context) {
        0 => THREADS.with(|threads| threads.dispatch(frame as u32)).map_or(frame, |next| next as *mut Frame),
        function => {
            // SAFETY: whoever has set it has passed a C function of one word; that is the contract.
            let function: extern "C" fn(*mut Frame) -> *mut Frame = unsafe { core::mem::transmute(function as usize) };
            function(frame)
        }
    }
}

/// Whether another context may go on behind an interrupt.
fn may_preempt() -> bool {
    match HOOKS.with(|hooks| hooks.should_preempt) {
        0 => true,
        function => {
            // SAFETY: as in `next_of`.
            let function: extern "C" fn() -> i32 = unsafe { core::mem::transmute(function as usize) };
            function() != 0
        }
    }
}

/// Serves an exception whose context is saved at `frame`; the result is the context to go on with.
#[unsafe(no_mangle)]
extern "C" fn exception_dispatch(frame: *mut Frame, cause: u32) -> *mut Frame {
    let code = cause >> CODE_SHIFT & CODE_MASK;
    match code {
        CODE_INTERRUPT => interrupts::serve(),
        CODE_SYSCALL => {
            // The only system call is "give the processor away"; it goes on behind the instruction.
            // SAFETY: the entry code has just written this frame.
            unsafe { (*frame).epc += 4 };
        }
        // SAFETY: as above.
        _ => return hand_on(unsafe { &mut *frame }, code, cause),
    }
    if in_interrupt_stack(frame as u32) || (code == CODE_INTERRUPT && !may_preempt()) {
        return frame;
    }
    next_of(frame)
}

/// Handlers that modules have registered.
static CHAINS: Shared<Chains> = Shared::new(Chains::new());
/// The last exception that was handed to them.
static LAST: Shared<Option<(Frame, u32)>> = Shared::new(None);

global_asm!(
    ".set noreorder",
    ".globl exception_chain_end",
    "exception_chain_end:",
    "    lui   $29, %hi(INTERRUPT_STACK + {stack_end})",
    "    j     unhandled_exception",
    "    addiu $29, $29, %lo(INTERRUPT_STACK + {stack_end})",
    ".set reorder",
    stack_end = const INTERRUPT_STACK_BYTES - 32,
);

global_asm!(
    ".set noreorder",
    ".globl stack_spent",
    "stack_spent:",
    "    lui   $29, %hi(INTERRUPT_STACK + {stack_end})",
    "    j     tell_of_spent_stack",
    "    addiu $29, $29, %lo(INTERRUPT_STACK + {stack_end})",
    ".set reorder",
    stack_end = const INTERRUPT_STACK_BYTES - 32,
);

unsafe extern "C" {
    /// Tells, on a stack that has room for it, that a thread's has none, and stops.
    fn stack_spent(thread: i32, left: i32) -> !;
}

/// The end of a thread that has too little of its stack left to go on.
pub fn end_of_stack(thread: i32, left: i32) -> ! {
    suspend();
    // SAFETY: nothing else runs any more, so that the interrupts' stack is free, and nothing comes back to this one.
    unsafe { stack_spent(thread, left) }
}

#[unsafe(no_mangle)]
extern "C" fn tell_of_spent_stack(thread: i32, left: i32) -> ! {
    log!("IOP: error: thread {thread:08x} has {left} bytes of stack left");
    stop()
}

unsafe extern "C" {
    /// The code behind the last handler of every chain.
    fn exception_chain_end();
}

fn chain_end() -> u32 {
    exception_chain_end as *const () as u32
}

/// Adds a handler's record; 0 or an error.
pub fn register(code: u32, priority: u32, record: u32) -> i32 {
    CHAINS.with(|chains| chains.register(&mut Ram, code, priority, record, chain_end()))
}

/// Takes a handler's record back; 0 or an error.
pub fn release(code: u32, record: u32) -> i32 {
    CHAINS.with(|chains| chains.release(&mut Ram, code, record, chain_end()))
}

/// Makes a record the end of every chain; 0 for the kernel's own.
pub fn set_last(record: u32) {
    CHAINS.with(|chains| chains.set_last(&mut Ram, record, chain_end()));
}

/// Words of low memory where handlers find what the exception entry has changed.
///
/// Source: IOP kernel, low memory map
const SAVED_AT: u32 = 0x400;
/// Interrupt and mode bits of Status, and those that a return from the exception takes up.
const STATUS_LEVELS: u32 = 0x3F;
const STATUS_INNER: u32 = 0xF;

/// The context by which the first handler of an exception goes on: with the registers of the code that caused it, still in
/// the state of the exception. Without a handler this is the end.
fn hand_on(frame: &mut Frame, code: u32, cause: u32) -> *mut Frame {
    let Some(handler) = CHAINS.with(|chains| chains.first(code)) else { crash(frame, code) };
    let copy = Frame { registers: frame.registers, ..*frame };
    LAST.with(|last| *last = Some((copy, code)));
    for (index, value) in [frame.registers[1], frame.epc, frame.status, cause].into_iter().enumerate() {
        Ram.write(SAVED_AT + index as u32 * 4, value);
    }
    // The return from the exception moves these bits down again.
    frame.status = frame.status & !STATUS_LEVELS | (frame.status & STATUS_INNER) << 2;
    frame.epc = handler;
    frame
}

/// No handler wanted the exception.
#[unsafe(no_mangle)]
extern "C" fn unhandled_exception() -> ! {
    match LAST.with(Option::take) {
        Some((frame, code)) => crash(&frame, code),
        None => stop(),
    }
}

/// Prints what is known and stops.
fn crash(frame: &Frame, code: u32) -> ! {
    resume(0);
    let name = NAMES.get(code as usize).copied().unwrap_or("unknown");
    log!("IOP: exception {code} ({name}) at {:08x}", frame.epc);
    for (row, registers) in frame.registers.chunks_exact(4).enumerate() {
        log!(
            "IOP: r{:<2} {:08x} {:08x} {:08x} {:08x}",
            row * 4,
            registers[0],
            registers[1],
            registers[2],
            registers[3]
        );
    }
    log!("IOP: status {:08x} gate {:08x}", frame.status, frame.gate);
    stop()
}

/// Somebody has called a null function; `from` is where it would return to.
#[unsafe(no_mangle)]
extern "C" fn null_call(from: u32) -> ! {
    resume(0);
    log!("IOP: error: a null function is called before {from:08x}");
    stop()
}

/// Stands still for good.
pub fn stop() -> ! {
    resume(0);
    loop {
        core::hint::spin_loop();
    }
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    log!("IOP: {info}");
    stop()
}
