//! The self-test on the disc: what a person runs to prove a console right, and what the short code of its last page says.
//!
//! [`console`] runs the groups one after the other on the console's own screen. Each ends in an [`Outcome`]: a verdict and a few
//! figures. The pure parts know nothing of hardware: [`results`] packs all outcomes into the bytes of a
//! [`short_code`](crate::crash::short_code) and unpacks them on the host, [`arithmetic`] lists what the EE's floats are documented
//! to give, [`tiles`] what the GS must draw, and [`sums`] is the disc's list of its own files.

pub mod arithmetic;
#[cfg(all(target_arch = "mips", feature = "program"))]
pub mod console;
pub mod results;
pub mod sums;
pub mod tiles;

pub use results::{Group, Outcome, Results, Verdict};
