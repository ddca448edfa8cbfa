//! Hardware that only the self-test asks: instructions that no compiler emits, a DMA to the scratchpad and back, a bus timer.
//!
//! Each is a plain function that answers what it saw; what that means is decided in [`selftest`](crate::selftest).

pub mod floats;
pub mod processor;
pub mod scratch;
pub mod timer;
