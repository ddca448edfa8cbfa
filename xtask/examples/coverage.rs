//! Proves the coverage tags of the source and writes `docs/coverage/*.md`.
//!
//! `cargo run -p xtask --example coverage [-- [--all | --check] [NAME]]`: `--all` proves every tag anew, `--check` only
//! compares, NAME is one page such as `tasks`.

use anyhow::Result;
use xtask::context::Context;
use xtask::coverage::{Mode, run};

fn main() -> Result<()> {
    let (mut mode, mut only) = (Mode::Update, None);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--all" => mode = Mode::Prove,
            "--check" => mode = Mode::Check,
            name => only = Some(name.to_owned()),
        }
    }
    for line in run(&Context::new()?, mode, only.as_deref())? {
        println!("{line}");
    }
    Ok(())
}
