//! The host's side of Boardwalk: what `cargo xtask` does, as a library so that it can be tested.

pub mod context;
pub mod coverage;
pub mod process;
pub mod progress;
pub mod setup;
