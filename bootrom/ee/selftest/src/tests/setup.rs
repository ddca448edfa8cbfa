//! What facts set up: threads on stacks of their own, and handlers for a while.

use boardwalk::ee::syscall::{self, ThreadParameters};
use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::ptr::null_mut;

/// Bytes of a stack.
const STACK: usize = 0x2000;

/// A thread's stack.
#[repr(C, align(64))]
pub struct Stack(UnsafeCell<[u8; STACK]>);
// SAFETY: only threads touch the bytes, and whoever makes them sees to it that there is one at a time.
unsafe impl Sync for Stack {}

impl Stack {
    /// One that no thread has.
    pub const fn new() -> Self {
        Self(UnsafeCell::new([0; STACK]))
    }

    /// Makes a thread on it, which is not started yet: its number, or what the kernel refuses it with.
    ///
    /// # Safety
    /// No other thread has this stack.
    pub unsafe fn thread(&'static self, function: unsafe extern "C" fn(*mut c_void), priority: i32) -> i32 {
        let parameters = ThreadParameters {
            status: 0,
            function,
            stack: self.0.get().cast(),
            stack_size: STACK as i32,
            global_pointer: null_mut(),
            initial_priority: priority,
            current_priority: 0,
            attributes: 0,
            option: 0,
        };
        // SAFETY: a pointer to a local; the stack is the thread's and lives for ever.
        unsafe { syscall::create_thread(&raw const parameters) }
    }
}

/// A handler of an INTC cause.
pub type Handler = unsafe extern "C" fn(i32, *mut c_void) -> i32;

/// Does something while `handler` runs at each of `cause`'s events.
///
/// # Safety
/// The handler keeps the rules for handlers, or the work mends what it leaves.
pub unsafe fn with_handler<T>(cause: i32, handler: Handler, work: impl FnOnce() -> T) -> T {
    // SAFETY: as above.
    unsafe {
        let id = syscall::add_intc_handler(cause, handler, 0, null_mut());
        let was_off = syscall::enable_intc(cause) == 1;
        let found = work();
        if was_off {
            syscall::disable_intc(cause);
        }
        syscall::remove_intc_handler(cause, id);
        found
    }
}
