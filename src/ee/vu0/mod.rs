//! Vector kernels on VU0, each with a scalar twin that defines it.
//!
//! Macro mode: the EE issues the vector operations itself, so a kernel is a block of assembly over a slice. VU0's registers
//! are nobody's between kernels. One thread uses VU0, never an interrupt handler: the kernel saves none of it.
//!
//! Source: EE facts, section 3; EE kernel, section 5.

pub mod geometry;
pub mod project;
pub mod transform;
