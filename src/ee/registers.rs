//! Memory-mapped registers at the addresses that user programs see.
//!
//! The `playstation2` crate lists the register blocks at kernel-mode addresses (KSEG1), which user mode cannot reach: its
//! block types are cast here onto the addresses that the kernel maps for user programs. Its blocks fit where registers are
//! 32 bits wide (timers, GIF, DMAC, INTC). The GS's privileged registers are 64 bits wide and must be written by one `sd`,
//! while the crate would write two halves; they go through [`write64`]. Timer 1's and 2's compare registers do not fit
//! either: they are missing there.
//!
//! Source: EE facts, sections 5 and 8; settled questions 32.

use core::arch::asm;
use playstation2::{dmac, gif, intc};

/// The DMA controller's channels and control registers.
pub const DMAC: usize = 0x1000_8000;
/// The graphics interface.
pub const GIF: usize = 0x1000_3000;
/// The interrupt controller.
pub const INTC: usize = 0x1000_F000;
/// The GS's privileged registers.
pub const GS: usize = 0x1200_0000;

/// The DMA controller.
#[inline]
pub fn dma_controller() -> &'static dmac::RegisterBlock {
    // SAFETY: the kernel maps this page for user mode for the program's whole life; accesses are volatile.
    unsafe { &*(DMAC as *const dmac::RegisterBlock) }
}

/// The graphics interface.
#[inline]
pub fn graphics_interface() -> &'static gif::RegisterBlock {
    // SAFETY: the kernel maps this page for user mode for the program's whole life; accesses are volatile.
    unsafe { &*(GIF as *const gif::RegisterBlock) }
}

/// The interrupt controller. The kernel owns it: reading only.
#[inline]
pub fn interrupt_controller() -> &'static intc::RegisterBlock {
    // SAFETY: the kernel maps this page for user mode for the program's whole life; accesses are volatile.
    unsafe { &*(INTC as *const intc::RegisterBlock) }
}

/// Writes a 64-bit register with one store.
///
/// # Safety
/// `address` must be a register of the console that may be written with this value, 8-byte aligned.
#[inline]
pub unsafe fn write64(address: usize, value: u64) {
    // SAFETY: the caller vouches for the address; the scratch registers are declared.
    unsafe {
        asm!(
            ".set push",
            ".set mips3",
            ".set noat",
            "dsll32 {lo}, {lo}, 0",
            "dsrl32 {lo}, {lo}, 0",
            "dsll32 {hi}, {hi}, 0",
            "or {lo}, {lo}, {hi}",
            "sd {lo}, 0({address})",
            ".set pop",
            lo = inout(reg) value as u32 => _,
            hi = inout(reg) (value >> 32) as u32 => _,
            address = in(reg) address,
            options(nostack),
        );
    }
}

/// Reads a 64-bit register with one load.
///
/// # Safety
/// `address` must be a readable register of the console, 8-byte aligned.
#[inline]
pub unsafe fn read64(address: usize) -> u64 {
    let (lo, hi): (u32, u32);
    // SAFETY: the caller vouches for the address; both halves come back as sign-extended words.
    unsafe {
        asm!(
            ".set push",
            ".set mips3",
            ".set noat",
            "ld {lo}, 0({address})",
            "dsra32 {hi}, {lo}, 0",
            "sll {lo}, {lo}, 0",
            ".set pop",
            lo = out(reg) lo,
            hi = lateout(reg) hi,
            address = in(reg) address,
            options(nostack),
        );
    }
    u64::from(hi) << 32 | u64::from(lo)
}
