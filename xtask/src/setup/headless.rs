//! Programs for running without a display: a virtual X server and ImageMagick's window grabber.

use super::apt;
use crate::context::Context;
use crate::process::find_program;
use anyhow::{Result, bail};
use std::path::PathBuf;

/// What a run without a display uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headless {
    /// The virtual X server.
    pub xvfb: PathBuf,
    /// ImageMagick's `import` (version 6), or `magick` (version 7), which takes `import` as its first argument.
    pub import: PathBuf,
}

/// Debian's packages of both.
const PACKAGES: [&str; 2] = ["xvfb", "imagemagick"];

/// Finds both programs, installing them where that is possible.
pub fn headless(_context: &Context) -> Result<Headless> {
    if let Some(found) = search() {
        return Ok(found);
    }
    if let Some(obstacle) = apt::obstacle() {
        bail!(
            "Running without a display needs Xvfb and ImageMagick's import, and {obstacle}.\n\
             Install them and try again; on Debian or Ubuntu, as root: {}",
            apt::by_hand(&PACKAGES)
        );
    }
    apt::install(&PACKAGES)?;
    match search() {
        Some(found) => Ok(found),
        None => bail!("the packages {} are installed, yet Xvfb or import is not on PATH", PACKAGES.join(" and ")),
    }
}

fn search() -> Option<Headless> {
    Some(Headless { xvfb: find_program("Xvfb")?, import: import()? })
}

/// ImageMagick's window grabber, on a machine with a display too.
pub fn import() -> Option<PathBuf> {
    find_program("import").or_else(|| find_program("magick"))
}
