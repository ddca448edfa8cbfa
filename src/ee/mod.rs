//! The console from the Emotion Engine's side.
//!
//! The game runs in user mode under the EE kernel; everything here uses the kernel's documented calls (`syscall`) or the
//! registers that the kernel maps for user programs (`registers`). Packets are built by [`gif`] and [`gs`] in memory, the
//! `dmac` carries them to the drawing hardware, and [`pacing`] shows a picture only when it is completely drawn. Encoders
//! and register values are plain computation and are tested on the host; what touches hardware exists on the console only.
//!
//! Source: EE facts; console rules.

pub mod encode;
pub mod entry;
#[cfg(all(target_arch = "mips", feature = "program"))]
pub mod exceptions;
pub mod gif;
pub mod gs;
pub mod identity;
pub mod pacing;
pub mod quad;
pub mod rom;
pub mod scratch;
pub mod sif;
pub mod strips;
pub mod ticks;
pub mod video;
pub mod vu0;

#[cfg(target_arch = "mips")]
pub mod bare_pads;
#[cfg(target_arch = "mips")]
pub mod boot_arguments;
#[cfg(target_arch = "mips")]
pub mod cache;
#[cfg(target_arch = "mips")]
pub mod cards;
#[cfg(target_arch = "mips")]
pub mod cop0;
#[cfg(target_arch = "mips")]
pub mod critical;
#[cfg(all(target_arch = "mips", feature = "program"))]
pub mod crt0;
#[cfg(target_arch = "mips")]
pub mod display;
#[cfg(target_arch = "mips")]
pub mod dmac;
#[cfg(all(target_arch = "mips", feature = "program"))]
pub mod heap;
#[cfg(target_arch = "mips")]
pub mod interrupt;
#[cfg(target_arch = "mips")]
pub mod pads;
#[cfg(target_arch = "mips")]
pub mod probe;
#[cfg(target_arch = "mips")]
pub mod registers;
#[cfg(target_arch = "mips")]
pub mod streams;
#[cfg(target_arch = "mips")]
pub mod syscall;
#[cfg(target_arch = "mips")]
pub mod tty;
