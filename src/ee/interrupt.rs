//! Interrupt handlers.
//!
//! A handler runs in user mode on a small kernel stack with interrupts off, and the float registers and VU0 hold the
//! interrupted program's values. So it is short, integer only, formats nothing, cannot panic, calls only system calls whose
//! name begins with `i_`, and its last act is [`finish`]. What it shares with the program are atomics of this crate's
//! `portable_atomic` or plain loads and stores of `core`'s.
//!
//! Source: console rules 3 and 4; EE kernel, section 5.

use super::encode::{EI, SYNC_L};
use super::syscall;
use core::arch::asm;
use core::ffi::c_void;

/// Causes of the interrupt controller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum Cause {
    /// The GS: SIGNAL, FINISH, blanks, as its mask allows.
    Gs = 0,
    /// Start of the vertical blank.
    VerticalBlankStart = 2,
    /// End of the vertical blank.
    VerticalBlankEnd = 3,
    /// Timer 0.
    Timer0 = 9,
    /// Timer 1.
    Timer1 = 10,
    /// Timer 2.
    Timer2 = 11,
}

/// A handler: gets the cause and the argument given at registration; answers 0 to let later handlers run.
pub type Handler = unsafe extern "C" fn(cause: i32, argument: *mut c_void) -> i32;

/// A registered handler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Registration {
    cause: Cause,
    id: i32,
}

/// The kernel has no room for another handler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoHandlerSlot;

/// The kernel's handler order: behind those that are there.
const LAST: i32 = -1;

/// Registers `handler` behind the cause's others and lets the cause interrupt.
///
/// # Errors
/// [`NoHandlerSlot`] when the kernel refuses.
///
/// # Safety
/// The handler must keep this module's rules, and `argument` must be valid for it until [`remove`].
pub unsafe fn add(cause: Cause, handler: Handler, argument: *mut c_void) -> Result<Registration, NoHandlerSlot> {
    // SAFETY: the caller vouches for the handler.
    let id = unsafe { syscall::add_intc_handler(cause as i32, handler, LAST, argument) };
    if id < 0 {
        return Err(NoHandlerSlot);
    }
    // SAFETY: the cause has a handler now.
    unsafe { syscall::enable_intc(cause as i32) };
    Ok(Registration { cause, id })
}

/// Takes a handler away; the cause stops interrupting when it was the last.
pub fn remove(registration: Registration) {
    let cause = registration.cause as i32;
    // SAFETY: numbers that the kernel gave; the cause is held while its chain changes.
    unsafe {
        syscall::disable_intc(cause);
        if syscall::remove_intc_handler(cause, registration.id) > 0 {
            syscall::enable_intc(cause);
        }
    }
}

/// A handler's last act: completes its stores and undoes an EIE that it left cleared, which the kernel would keep.
#[inline]
pub fn finish() {
    // SAFETY: handlers run with Status.IE off, so this lets nothing in before the kernel returns.
    unsafe { asm!(".word {sync}", ".word {ei}", sync = const SYNC_L, ei = const EI, options(nostack)) };
}
