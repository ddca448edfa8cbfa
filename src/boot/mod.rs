//! What the program does from its entry on.
//!
//! [`run`](crate::boot::run) is the program's `main`; a panic anywhere ends on the `panic` screen. Both exist on the
//! console only.
//!
//! Source: seed 003, main.

#[cfg(target_arch = "mips")]
mod panic;

#[cfg(target_arch = "mips")]
use crate::{ee::crt0::Arguments, tty_println};

/// The program's `main`.
#[cfg(target_arch = "mips")]
pub fn run(arguments: &Arguments) -> i32 {
    tty_println!("BOARDWALK START {} {} arguments", env!("CARGO_PKG_VERSION"), arguments.iter().count());
    0
}
