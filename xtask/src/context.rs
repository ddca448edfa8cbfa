//! Where things are: the workspace, its build output and the user's cache folder.

use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};

/// The folders every verb works with.
#[derive(Clone, Debug)]
pub struct Context {
    /// The workspace's top folder.
    pub root: PathBuf,
    /// Build output of everything, `target/` of the workspace.
    pub target: PathBuf,
    /// Downloads and the unpacked emulator; outside the workspace, shared by all clones of a user.
    pub cache: PathBuf,
}

impl Context {
    /// Finds the folders. `BOARDWALK_CACHE` overrides the cache folder, which else follows the XDG rule.
    pub fn new() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has no parent folder")?.to_path_buf();
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
        Ok(Self { target, cache: cache_folder()?, root })
    }
}

fn cache_folder() -> Result<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    if let Some(own) = set("BOARDWALK_CACHE") {
        return Ok(own);
    }
    let base = set("XDG_CACHE_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".cache")))
        .context("neither HOME nor XDG_CACHE_HOME is set; set BOARDWALK_CACHE to a folder for downloads")?;
    Ok(base.join("boardwalk"))
}
