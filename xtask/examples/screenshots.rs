//! Takes the documentation's screenshots on the emulated console, and writes the page that shows them.
//!
//! `cargo run -p xtask --example screenshots [-- FOLDER]`: with a folder the pictures are left there and the page stays.

use std::path::PathBuf;
use xtask::context::Context;
use xtask::testing::{Rig, shots};

fn main() -> anyhow::Result<()> {
    let context = Context::new()?;
    let docs = context.root.join("docs");
    let asked = std::env::args().nth(1).map(PathBuf::from);
    if asked.is_none() {
        std::fs::write(docs.join("screenshots.md"), shots::page())?;
    }
    shots::take(&mut Rig::new(context, false), &asked.unwrap_or_else(|| docs.join("screenshots")))
}
