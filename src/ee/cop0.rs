//! The system coprocessor: the cycle counter, the status word and the processor's number.
//!
//! User mode may read them because the kernel leaves coprocessor 0 usable.
//!
//! Source: EE facts, sections 1 and 7.

use core::arch::asm;

/// Status bit 16: interrupts are enabled (the bit that `ei` and `di` change).
pub const STATUS_EIE: u32 = 1 << 16;

/// The cycle counter: one step for each CPU cycle (294.912 MHz), wrapping after 14.56 seconds.
#[inline]
pub fn count() -> u32 {
    let value: u32;
    // SAFETY: reads COP0 register 9; nothing else changes.
    unsafe {
        asm!(".set push", ".set noat", "mfc0 {0}, $9", ".set pop", out(reg) value, options(nomem, nostack, preserves_flags))
    };
    value
}

/// The processor's number and revision.
pub fn processor() -> u32 {
    let value: u32;
    // SAFETY: reads COP0 register 15; nothing else changes.
    unsafe {
        asm!(".set push", ".set noat", "mfc0 {0}, $15", ".set pop", out(reg) value, options(nomem, nostack, preserves_flags))
    };
    value
}

/// The status register.
#[inline]
pub fn status() -> u32 {
    let value: u32;
    // SAFETY: reads COP0 register 12; nothing else changes.
    unsafe {
        asm!(".set push", ".set noat", "mfc0 {0}, $12", ".set pop", out(reg) value, options(nostack, preserves_flags))
    };
    value
}
