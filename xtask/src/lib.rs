//! The host's side of Boardwalk: what `cargo xtask` does, as a library so that it can be tested.

pub mod archive;
pub mod audio;
pub mod bootargs;
pub mod build;
pub mod clips;
pub mod context;
pub mod coverage;
pub mod crash;
pub mod disc;
pub mod elf;
pub mod emulator;
pub mod gs;
pub mod irx;
pub mod iso;
pub mod level;
pub mod link;
pub mod models;
pub mod motion_tables;
pub mod process;
pub mod progress;
pub mod release;
pub mod rom;
pub mod setup;
pub mod testing;
pub mod texture;
