//! What the program does from its entry on.
//!
//! [`run`](crate::boot::run) is the program's `main`: it opens the display, shows the [`title`] and reports to the console
//! once a second. A panic anywhere ends on the `panic` screen. Hardware is touched on the console only; the title's
//! computation runs on the host as well.
//!
//! Source: seed 003, main.

#[cfg(target_arch = "mips")]
mod panic;
#[cfg(target_arch = "mips")]
mod program;
pub mod title;

#[cfg(target_arch = "mips")]
pub use program::run;
