//! `cargo xtask release`: one folder with everything that a person needs to play, made of the same bytes from the same tree.
//!
//! [`assemble`] gathers the disc image, the program alone for loaders, as it is and packed, an application folder for OPL, the page for players, the
//! licences of everything that is linked in and the symbols that give a crash's addresses names, and seals them with
//! checksums. Nothing in it depends on the clock, the machine or the place of the tree.

mod licences;
mod manifest;

use crate::build::{self, Program};
use crate::context::Context;
use crate::crash;
use crate::disc::{self, Content, DiscOptions};
use crate::iso;
use crate::pack;
use crate::setup::Toolchain;
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};

pub use manifest::{CHECKSUMS, sha256, verify};

/// The page for players, below the workspace.
const PLAYERS_PAGE: &str = "docs/players.md";
/// The program's name in OPL's folder.
const OPL_PROGRAM: &str = "BOARDWLK.ELF";

/// A file of the release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseFile {
    /// Its path in the folder, `/` between folders.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// Where the release goes.
pub fn folder(context: &Context) -> PathBuf {
    context.target.join(format!("boardwalk-{}", env!("CARGO_PKG_VERSION")))
}

/// Builds and gathers every file, the checksums last.
///
/// # Errors
/// A failed build, or a source that is missing.
pub fn assemble(context: &Context, toolchain: &Toolchain) -> Result<Vec<ReleaseFile>> {
    let game = build::program(context, toolchain, Program::Game)?;
    let content = Content::gather(context, toolchain, &game)?;
    // Not the image that `iso` leaves: what is released is what is in the folder.
    let disc = disc::write(context, &content, &DiscOptions { name: Some("release".into()), ..Default::default() })?;
    let image = std::fs::read(&disc.path).with_context(|| format!("cannot read {}", disc.path.display()))?;
    std::fs::remove_file(&disc.path)?;
    let with_symbols = std::fs::read(&game.elf)?;
    let start_code = std::fs::read(build::program(context, toolchain, Program::Unpack)?.elf)?;
    let mut files = vec![
        file("boardwalk.iso", image),
        file("boardwalk.elf", content.program()),
        file("boardwalk-packed.elf", pack::program(&start_code, content.program())?),
        file(&format!("opl/APPS/BOARDWLK/{OPL_PROGRAM}"), content.program()),
        file("opl/APPS/BOARDWLK/title.cfg", title_cfg()),
        file("boardwalk.sym", crash::symbol_text(&with_symbols)?),
        file("README.md", players_page(&context.root)?),
        file("THIRD-PARTY.md", licences::page(&context.root)?),
    ];
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        files.push(file(name, read(&context.root.join(name))?));
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.push(file(CHECKSUMS, manifest::write(&files)));
    Ok(files)
}

/// Writes the files into a folder that holds nothing else afterwards.
///
/// # Errors
/// A failed write.
pub fn write(folder: &Path, files: &[ReleaseFile]) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| format!("cannot replace {}", folder.display()))?;
    }
    for file in files {
        let path = folder.join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
        std::fs::write(&path, &file.bytes).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn file(path: &str, bytes: impl Into<Vec<u8>>) -> ReleaseFile {
    ReleaseFile { path: path.into(), bytes: bytes.into() }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// What OPL's list of applications shows and starts.
fn title_cfg() -> String {
    format!("title=Boardwalk {}\r\nboot={OPL_PROGRAM}\r\n", env!("CARGO_PKG_VERSION"))
}

/// The page for players with this release's figures in it.
fn players_page(root: &Path) -> Result<String> {
    let text = String::from_utf8(read(&root.join(PLAYERS_PAGE))?).context("the page for players is not UTF-8")?;
    Ok(text.replace("{VERSION}", env!("CARGO_PKG_VERSION")).replace("{BOOT_NAME}", iso::BOOT_NAME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opl_finds_the_program_that_its_folder_holds() {
        let text = title_cfg();
        assert!(text.lines().any(|line| line == format!("boot={OPL_PROGRAM}")));
        assert!(OPL_PROGRAM.split_once('.').is_some_and(|(stem, ending)| stem.len() <= 8 && ending.len() == 3));
    }

    #[test]
    fn the_players_page_has_no_open_places() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let page = players_page(root).unwrap();
        assert!(!page.contains(['{', '}']), "{page}");
        assert!(page.contains(iso::BOOT_NAME) && page.contains(env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn an_older_release_leaves_nothing_behind() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("release");
        write(&folder, &[file("old", "1")]).unwrap();
        write(&folder, &[file("a/b", "2")]).unwrap();
        assert!(!folder.join("old").exists());
        assert_eq!(std::fs::read(folder.join("a/b")).unwrap(), b"2");
    }
}
