//! The Graphics Synthesizer's registers as values.
//!
//! Each register is a newtype over its 64 bits with a `const` builder for every field that the game sets, so that a state
//! can be a constant and a bit pattern can be checked on the host. [`general`] registers are
//! written through packets, [`privileged`] ones through memory; `memory` lays out the GS's own
//! 4 MiB.
//!
//! Source: EE facts, sections 9-11.

pub mod general;
pub mod memory;
pub mod privileged;
#[cfg(target_arch = "mips")]
pub mod read_back;

/// Pixel formats, by the numbers that the registers use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum PixelFormat {
    /// 32 bits: red, green, blue, alpha.
    Ct32 = 0x00,
    /// 24 bits in 32.
    Ct24 = 0x01,
    /// 16 bits.
    Ct16 = 0x02,
    /// 8-bit palette indices.
    T8 = 0x13,
    /// 4-bit palette indices.
    T4 = 0x14,
    /// 32-bit depth.
    Z32 = 0x30,
    /// 24-bit depth in 32.
    Z24 = 0x31,
}

/// `value` in the `bits` bits above `shift`; one that does not fit is cut, so that data can never reach another field.
const fn field(value: u64, shift: u32, bits: u32) -> u64 {
    (value & ((1 << bits) - 1)) << shift
}
