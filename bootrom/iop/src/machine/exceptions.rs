//! What happens on an exception: interrupts, the kernel's own `syscall`, and everything that should not be.

use super::console::log;
use super::critical::resume;
use super::interrupts;
use super::start::{Frame, INTERRUPT_STACK, INTERRUPT_STACK_BYTES};
use super::threads::THREADS;

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

/// Serves an exception whose context is saved at `frame`; the result is the context to go on with.
#[unsafe(no_mangle)]
extern "C" fn exception_dispatch(frame: *mut Frame, cause: u32) -> *mut Frame {
    match cause >> CODE_SHIFT & CODE_MASK {
        CODE_INTERRUPT => interrupts::serve(),
        CODE_SYSCALL => {
            // The only system call is "give the processor away"; it goes on behind the instruction.
            // SAFETY: the entry code has just written this frame.
            unsafe { (*frame).epc += 4 };
        }
        // SAFETY: as above.
        code => crash(unsafe { &*frame }, code),
    }
    if in_interrupt_stack(frame as u32) {
        return frame;
    }
    match THREADS.with(|threads| threads.dispatch(frame as u32)) {
        Some(next) => next as *mut Frame,
        None => frame,
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
