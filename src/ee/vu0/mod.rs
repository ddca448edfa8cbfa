//! Vector kernels on VU0, each with a scalar twin that defines it.
//!
//! Macro mode: the EE issues the vector operations itself, so a kernel is a block of assembly over a slice. VU0's registers
//! are nobody's between kernels. One thread uses VU0, never an interrupt handler: the kernel saves none of it.
//!
//! [`project`], [`transform`] and [`rectangles`] are what drawing uses, [`carry`] is what people use, and have their twins beside them. `bounds`, `faces`, `planes`,
//! `poses` and `slabs` are what the physics uses: they exist on the console only, and their twins are the kernels and
//! shapes of [`crate::physics`].
//!
//! Source: EE facts, section 3; EE kernel, section 5.

pub mod carry;
pub mod project;
pub mod rectangles;
pub mod transform;

#[cfg(target_arch = "mips")]
pub mod bounds;
#[cfg(target_arch = "mips")]
pub mod faces;
#[cfg(target_arch = "mips")]
pub mod planes;
#[cfg(target_arch = "mips")]
pub mod poses;
#[cfg(target_arch = "mips")]
pub mod slabs;

/// A block of assembly that is the given words in their order, with the registers and options that follow.
#[cfg(target_arch = "mips")]
macro_rules! words {
    (@place $word:expr) => { ".word {}" };
    ([$($word:expr),* $(,)?], $($operands:tt)*) => {
        core::arch::asm!($($crate::ee::vu0::words!(@place $word),)* $(const $word,)* $($operands)*)
    };
}
#[cfg(target_arch = "mips")]
use words;
