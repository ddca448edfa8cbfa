//! Finds, and where it may, installs what the verbs need: a Rust toolchain for the console's processors, the programs for running
//! without a display, and the emulator.
//!
//! Every verb calls the function of the part it needs before it begins. A part that is present costs a few file look-ups; a missing one is
//! made here, or the error says what to do. Nothing half-made is ever taken for whole: the emulator's tree is built beside its place and renamed
//! into it. Addresses of package archives are never written down; apt is asked for those it is configured with.

mod apt;
mod headless;
mod toolchain;
mod tree;

pub use headless::{Headless, headless, import};
pub use toolchain::{Toolchain, clippy, toolchain};
pub use tree::{EmulatorTree, emulator};

use crate::context::Context;
use anyhow::Result;

/// Makes everything ready that building, running and testing need, and says what is used. On a machine with a display, the programs for running
/// without one are welcome but not needed.
pub fn all(context: &Context) -> Result<()> {
    println!("Toolchain: {}", toolchain(context)?.description);
    match headless(context) {
        Ok(found) => println!("Headless:  {} and {}", found.xvfb.display(), found.import.display()),
        Err(error) if std::env::var_os("DISPLAY").is_some() => println!("Headless:  not possible. {error:#}"),
        Err(error) => return Err(error),
    }
    println!("Emulator:  {}", emulator(context)?.root.display());
    Ok(())
}
