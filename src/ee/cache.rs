//! The data cache: DMA reads and writes memory, never the cache.
//!
//! Write a buffer back before a device reads it; invalidate it before reading what a device wrote. A buffer shared with a
//! device owns whole 64-byte lines ([`LINE`]), else a neighbour's line is lost or comes back over the device's data.
//!
//! Source: EE facts, section 5; settled questions 31; console rule 6.

use super::critical;
use super::encode::{CacheOperation, SYNC_L, cache};
use super::syscall;
use core::arch::asm;

/// Bytes in a cache line.
pub const LINE: usize = 64;

/// What [`flush`] does with a whole cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum Flush {
    /// Writes back and invalidates the data cache.
    WriteBackData = 0,
    /// Invalidates the data cache.
    InvalidateData = 1,
    /// Invalidates the instruction cache.
    InvalidateInstructions = 2,
    /// Writes back the data cache and invalidates both.
    Both = 3,
}

/// Treats a whole cache through the kernel. Not for interrupt handlers.
pub fn flush(what: Flush) {
    // SAFETY: the kernel accepts these four numbers.
    unsafe { syscall::flush_cache(what as i32) };
}

/// Bytes that are treated with interrupts held at once: a packet takes many thousand lines, and a flip does not wait for that.
const PIECE: usize = 64 * LINE;

/// Runs `operation` on the line of each address in `start..start + bytes`, a piece at a time.
macro_rules! for_each_line {
    ($operation:expr, $start:expr, $bytes:expr) => {{
        let mut line = $start as usize & !(LINE - 1);
        let end = $start as usize + $bytes;
        while $bytes != 0 && line < end {
            let stop = end.min(line + PIECE);
            critical::with(|| {
                // SAFETY: waits for stores that came before.
                unsafe { asm!(".word {0}", const SYNC_L, options(nostack)) };
                while line < stop {
                    // SAFETY: a hit operation on a line; the word's base register is $4.
                    unsafe { asm!(".word {0}", const cache($operation, 4, 0), in("$4") line, options(nostack)) };
                    line += LINE;
                }
                // SAFETY: the operations are done before the caller starts a transfer.
                unsafe { asm!(".word {0}", const SYNC_L, options(nostack)) };
            });
        }
    }};
}

/// Writes back the lines of a range, so that a device reads what the program wrote. `bytes` may be 0.
pub fn write_back(start: *const u8, bytes: usize) {
    for_each_line!(CacheOperation::WriteBackInvalidate, start, bytes);
}

/// Writes back and drops the lines of a slice.
pub fn write_back_slice<T>(data: &[T]) {
    write_back(data.as_ptr().cast(), core::mem::size_of_val(data));
}

/// Drops the lines of a range, so that the program reads what a device wrote.
///
/// # Safety
/// Unsaved stores of the touched lines are lost: the range must own its lines, and hold nothing that is still wanted.
pub unsafe fn invalidate(start: *mut u8, bytes: usize) {
    for_each_line!(CacheOperation::Invalidate, start, bytes);
}

/// What [`probe`] saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// A stored word as memory had it after the write-back.
    pub memory: u32,
    /// A word of memory as the program read it after the line was dropped.
    pub program: u32,
}

impl Probe {
    /// What a console sees whose caches are kept right.
    pub const EXPECTED: Self = Self { memory: 1, program: 2 };
}

/// Gives `tries` a cache line of ones and its first word twice: as programs see it, and past the cache.
fn on_own_line<T>(tries: impl FnOnce(*mut u32, *mut u32) -> T) -> T {
    /// Where user programs see memory past the cache.
    const UNCACHED: usize = 0x2000_0000;
    #[repr(C, align(64))]
    struct Owned([u32; LINE / 4]);
    let mut line = Owned([1; LINE / 4]);
    let word = (&raw mut line.0).cast::<u32>();
    tries(word, (word as usize + UNCACHED) as *mut u32)
}

/// Tries both directions on a line of its own, through the uncached view of memory.
pub fn probe() -> Probe {
    on_own_line(|word, behind| {
        // SAFETY: the line is this function's alone, and each view is touched only after the other has been given up.
        unsafe {
            word.write_volatile(1);
            write_back(word.cast(), LINE);
            let memory = behind.read_volatile();
            let _ = word.read_volatile();
            invalidate(word.cast(), LINE);
            behind.write_volatile(2);
            asm!(".word {0}", const SYNC_L, options(nostack));
            Probe { memory, program: word.read_volatile() }
        }
    })
}

/// Whether a line can hold what memory no longer does: a console's can, most emulators have no cache.
pub fn goes_stale() -> bool {
    on_own_line(|word, behind| {
        // SAFETY: the line is this function's alone; what its two views say apart is what is asked, and it is dropped
        // afterwards.
        unsafe {
            write_back(word.cast(), LINE);
            let _ = word.read_volatile();
            behind.write_volatile(2);
            asm!(".word {0}", const SYNC_L, options(nostack));
            let stale = word.read_volatile() == 1;
            invalidate(word.cast(), LINE);
            stale
        }
    })
}
