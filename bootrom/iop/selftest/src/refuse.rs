//! The loader's server as a module that comes with an image may bring it: one that loads nothing. Where the ROM's own server runs,
//! which registered before, nobody finds this one.

use crate::system;
use core::cell::UnsafeCell;

/// Less urgent than the ROM's servers, which register before.
pub const PRIORITY: u32 = 110;
const LOADER: u32 = 0x8000_0006;
/// No such file.
const NO_FILE: u32 = -203_i32 as u32;

#[repr(C, align(16))]
struct Words<const N: usize>(UnsafeCell<[u32; N]>);
// SAFETY: only the server's thread and the call layer use them.
unsafe impl<const N: usize> Sync for Words<N> {}
static QUEUE: Words<8> = Words(UnsafeCell::new([0; 8]));
static RECORD: Words<32> = Words(UnsafeCell::new([0; 32]));
static REQUEST: Words<0x140> = Words(UnsafeCell::new([0; 0x140]));
static REPLY: Words<16> = Words(UnsafeCell::new([0; 16]));

extern "C" fn refuse(_function: u32, _request: *mut u32, _bytes: u32) -> *mut u32 {
    // SAFETY: this is the server's thread, which serves one request at a time.
    unsafe { REPLY.0.get().write([0, 0, 0, NO_FILE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) };
    REPLY.0.get().cast()
}

/// Serves for ever.
pub extern "C" fn serve(_argument: u32) {
    system::sceSifInitRpc(0);
    system::sceSifSetRpcQueue(QUEUE.0.get(), system::GetThreadId());
    system::sceSifRegisterRpc(RECORD.0.get(), LOADER, refuse, REQUEST.0.get().cast(), 0, 0, QUEUE.0.get());
    system::sceSifRpcLoop(QUEUE.0.get());
}
