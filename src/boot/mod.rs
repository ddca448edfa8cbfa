//! What the program does from its entry on.
//!
//! `run` is the program's `main`: it makes the [`Game`](crate::game::Game) and hands it to [`start`](start::start), or does
//! what an argument asks for instead. Panics and exceptions end on the `crash` screen. Hardware is touched on the console only; the
//! [`title`]'s computation runs on the host as well. [`start`] and [`subsystems`] are the order of start-up; what each step
//! does is the game's.
//!
//! Source: seed 003, main.

#[cfg(target_arch = "mips")]
mod bench;
#[cfg(target_arch = "mips")]
mod bench_drawing;
#[cfg(target_arch = "mips")]
mod card;
#[cfg(target_arch = "mips")]
mod checks;
#[cfg(target_arch = "mips")]
pub(crate) mod crash;
#[cfg(target_arch = "mips")]
mod host_file;
#[cfg(target_arch = "mips")]
mod level_view;
#[cfg(target_arch = "mips")]
mod overlays;
#[cfg(target_arch = "mips")]
mod pool_check;
#[cfg(target_arch = "mips")]
mod program;
#[cfg(target_arch = "mips")]
mod scenarios;
pub mod start;
#[cfg(target_arch = "mips")]
pub(crate) mod streams;
pub mod subsystems;
pub mod title;
#[cfg(target_arch = "mips")]
mod wishes;

#[cfg(target_arch = "mips")]
pub use program::run;

/// The title's own frames in a second. Source: seed 003, One in-game frame (timing).
#[cfg(target_arch = "mips")]
const FRAMES_PER_SECOND: f32 = 30.0;
