//! Programs that come to a bad end, each in one of the ways that the kernel must tell: with registers, cause and code on the
//! console and on the screen.

use super::calls::call;
use boardwalk::ee::syscall::{self, ThreadParameters};
use core::ffi::c_void;

/// INTC cause of the blank's start.
const BLANK: i32 = 2;

/// An exception that every console and emulator raises.
pub fn breakpoint() -> ! {
    // SAFETY: the kernel takes over and does not come back.
    unsafe { core::arch::asm!("break", options(noreturn)) }
}

unsafe extern "C" fn sleep(_: *mut c_void) {
    // SAFETY: no arguments.
    unsafe { syscall::sleep_thread() };
}

/// A thread whose stack is none, so that its registers can be kept nowhere.
pub fn no_stack() {
    let parameters = ThreadParameters {
        status: 0,
        function: sleep,
        stack: core::ptr::null_mut(),
        stack_size: 0,
        global_pointer: core::ptr::null_mut(),
        initial_priority: 1,
        current_priority: 0,
        attributes: 0,
        option: 0,
    };
    // SAFETY: the kernel finds the stack that is none and takes over.
    unsafe {
        let thread = syscall::create_thread(&raw const parameters);
        syscall::change_thread_priority(0, 10);
        syscall::start_thread(thread, core::ptr::null_mut());
    }
}

unsafe extern "C" fn wrong_call(_cause: i32, _argument: *mut c_void) -> i32 {
    call(0x2F, 0, 0)
}

/// A handler that makes a call of threads.
pub fn call_in_handler() {
    // SAFETY: the kernel takes over in the handler.
    unsafe {
        syscall::add_intc_handler(BLANK, wrong_call, 0, core::ptr::null_mut());
        syscall::enable_intc(BLANK);
    }
    loop {
        core::hint::spin_loop();
    }
}
