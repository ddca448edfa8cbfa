//! Encoders for the EE instructions that the assembler does not know.
//!
//! Every function is `const` and gives the 32-bit word of one instruction, to be emitted as `.word {x}` with a `const`
//! operand of `asm!`. Register arguments are plain numbers; one above 31 stops the build. VU0's macro operations are in
//! [`vu0`], the multimedia ones in [`mmi`].
//!
//! Source: EE facts, sections 1 and 3.

pub mod mmi;
pub mod vu0;

/// Enables interrupts: sets Status.EIE (user mode may, since the kernel sets Status.EDI).
pub const EI: u32 = 0x4200_0038;
/// Disables interrupts: clears Status.EIE. Follow with [`SYNC_P`] and read Status back; see `critical`.
pub const DI: u32 = 0x4200_0039;
/// Returns from an exception; in kernel mode only.
pub const ERET: u32 = 0x4200_0018;
/// Waits until every load and store before it is done.
pub const SYNC_L: u32 = 0x0000_000F;
/// Waits until every instruction before it is done.
pub const SYNC_P: u32 = 0x0000_040F;

const OPCODE_SHIFT: u32 = 26;
const LQ: u32 = 0x1E;
const SQ: u32 = 0x1F;
const CACHE: u32 = 0x2F;
const LQC2: u32 = 0x36;
const SQC2: u32 = 0x3E;

/// A `cache` operation on the line that holds an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum CacheOperation {
    /// Writes a dirty line back and drops it.
    WriteBackInvalidate = 0x18,
    /// Drops the line without writing it.
    Invalidate = 0x1A,
    /// Writes a dirty line back and keeps it.
    WriteBack = 0x1C,
}

/// A five-bit register number in its place.
const fn register(number: u32, shift: u32) -> u32 {
    assert!(number < 32, "a register number is below 32");
    number << shift
}

/// A load or store of `data` at `offset` bytes from `base`.
const fn memory(opcode: u32, data: u32, base: u32, offset: i32) -> u32 {
    assert!(offset >= -0x8000 && offset < 0x8000, "an offset has sixteen bits");
    opcode << OPCODE_SHIFT | register(base, 21) | register(data, 16) | (offset as u32 & 0xFFFF)
}

/// `lq rt, offset(base)`: loads a quadword; the low four bits of the address are ignored.
pub const fn lq(rt: u32, base: u32, offset: i32) -> u32 {
    memory(LQ, rt, base, offset)
}

/// `sq rt, offset(base)`: stores a quadword; the low four bits of the address are ignored.
pub const fn sq(rt: u32, base: u32, offset: i32) -> u32 {
    memory(SQ, rt, base, offset)
}

/// `lqc2 vf, offset(base)`: loads a VU0 float register.
pub const fn lqc2(vf: u32, base: u32, offset: i32) -> u32 {
    memory(LQC2, vf, base, offset)
}

/// `sqc2 vf, offset(base)`: stores a VU0 float register.
pub const fn sqc2(vf: u32, base: u32, offset: i32) -> u32 {
    memory(SQC2, vf, base, offset)
}

/// `cache operation, offset(base)`; keep data operations between two [`SYNC_L`].
///
/// Source: hardware facts 6.3.
pub const fn cache(operation: CacheOperation, base: u32, offset: i32) -> u32 {
    memory(CACHE, operation as u32, base, offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadword_accesses_match_known_words() {
        assert_eq!(lq(8, 4, 16), 0x7888_0010);
        assert_eq!(sq(9, 29, -32), 0x7FA9_FFE0);
        assert_eq!(sq(0, 4, 0), 0x7C80_0000);
        assert_eq!(lqc2(5, 6, 48), 0xD8C5_0030);
        assert_eq!(sqc2(7, 5, 0), 0xF8A7_0000);
    }

    #[test]
    fn cache_operations_match_known_words() {
        assert_eq!(cache(CacheOperation::WriteBackInvalidate, 4, 0), 0xBC98_0000);
        assert_eq!(cache(CacheOperation::Invalidate, 4, 64), 0xBC9A_0040);
    }
}
