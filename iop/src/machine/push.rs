//! Pushing bytes into the EE's memory.
//!
//! Neither wait has an end of its own: while a block may still arrive, its memory must not be taken for free. The watch tells a
//! thread that stands here.

use super::imports::{self, Transfer};
use super::{shared, threads};

/// Microseconds between two looks.
const LOOK: u32 = 200;

/// A block on its way.
pub struct Pushed(u32);

/// Sends whole quadwords. The memory must stay until [`wait`].
pub fn begin(source: *const u8, destination: u32, bytes: u32) -> Pushed {
    let transfer = Transfer { source, destination, bytes, attributes: 0 };
    loop {
        let gate = shared::suspend();
        // SAFETY: one complete record; the source is a buffer of this module, the destination is the EE's own word.
        let id = unsafe { imports::sceSifSetDma(&raw const transfer, 1) };
        shared::resume(gate);
        if id != 0 {
            return Pushed(id);
        }
        threads::delay(LOOK);
    }
}

/// Waits until the block has left.
pub fn wait(pushed: Pushed) {
    // SAFETY: an id of the system.
    while unsafe { imports::sceSifDmaStat(pushed.0) } >= 0 {
        threads::delay(LOOK);
    }
}
