//! Motion tables: readable sources in `iso/motion/`, compiled for the game.
//!
//! `motions.toml` names motion ids; every other file of the folder is one table. A source is read ([`source`]), checked as
//! a whole so that every mistake of a file is reported at once ([`check()`]), and written as the words that the engine reads
//! in place ([`encode()`]).

mod check;
mod encode;
mod source;

pub use check::check;
pub use encode::encode;
pub use source::{Anim, AnimRange, Clip, FrameHook, HookWay, Motion, Names, Style, Table};

use anyhow::{Context as _, Result, bail};
use std::path::Path;

/// File of the motion names.
const NAMES_FILE: &str = "motions.toml";

/// A compiled table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// The source's name without its ending.
    pub name: String,
    /// The table's bytes, a multiple of four.
    pub bytes: Vec<u8>,
}

/// Compiles one source.
///
/// # Errors
/// A text that is no source, or one line for each thing that is wrong with it.
pub fn compile(text: &str, names: &Names) -> Result<Vec<u8>> {
    let table: Table = toml::from_str(text)?;
    let problems = check(&table, names);
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    Ok(encode(&table, names).iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// Compiles every source of a folder, in the order of their names.
///
/// # Errors
/// A file that cannot be read, or what is wrong with a source, with its path.
pub fn compile_folder(folder: &Path) -> Result<Vec<Compiled>> {
    let read = |path: &Path| std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    let names_path = folder.join(NAMES_FILE);
    let names = Names::parse(&read(&names_path)?).with_context(|| format!("in {}", names_path.display()))?;
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "toml") && path != names_path {
            paths.push(path);
        }
    }
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let bytes = compile(&read(path)?, &names).with_context(|| format!("in {}", path.display()))?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Ok(Compiled { name, bytes })
        })
        .collect()
}

#[cfg(test)]
mod tests;
