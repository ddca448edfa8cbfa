//! What goes on the disc: gathers the files out of `iso/` and the built programs and writes the image.

use crate::build::{Built, Program};
use crate::context::Context;
use crate::iso::{self, DiscFile, Layout};
use crate::setup::Toolchain;
use crate::{bootargs, process};
use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How the disc's program is told what a test wants of it, and where the image goes.
#[derive(Debug, Clone, Default)]
pub struct DiscOptions {
    /// Arguments written into the program, as nothing on a console passes any. Empty for the disc that people get.
    pub arguments: String,
    /// Name of the image under `target/`, without its ending; `boardwalk` by default.
    pub name: Option<String>,
}

/// A finished disc image.
#[derive(Debug, Clone)]
pub struct Disc {
    /// The image.
    pub path: PathBuf,
    /// Where its files lie.
    pub layout: Layout,
}

/// Writes the disc image of the built game.
///
/// # Errors
/// A `SYSTEM.CNF` that does not name the program, or a failed write.
pub fn write(context: &Context, toolchain: &Toolchain, game: &Built, options: &DiscOptions) -> Result<Disc> {
    ensure!(game.program == Program::Game, "only the game goes on the disc");
    let mut program = strip(context, toolchain, &game.elf)?;
    if !options.arguments.is_empty() {
        bootargs::write(&game.elf, &mut program, &options.arguments)?;
    }
    let source = context.root.join("iso").join("SYSTEM.CNF");
    let cnf = std::fs::read_to_string(&source).with_context(|| format!("cannot read {}", source.display()))?;
    let boot = iso::boot_line(iso::BOOT_NAME);
    ensure!(
        cnf.lines().next() == Some(boot.as_str()),
        "{} must begin with the line `{boot}`, which names the disc's program",
        source.display()
    );
    let files = [
        // Consoles are used to both line ends; authoring tools write the long one.
        DiscFile {
            path: "SYSTEM.CNF".into(),
            bytes: cnf.lines().map(|line| format!("{line}\r\n")).collect::<String>().into(),
        },
        DiscFile { path: iso::BOOT_NAME.into(), bytes: program },
    ];
    let path = context.target.join(format!("{}.iso", options.name.as_deref().unwrap_or("boardwalk")));
    let layout = iso::write(&path, &files)?;
    Ok(Disc { path, layout })
}

/// The program without symbols and debug information, as the console loads it.
fn strip(context: &Context, toolchain: &Toolchain, elf: &Path) -> Result<Vec<u8>> {
    let stripped = context.target.join("console").join("boardwalk.stripped.elf");
    let mut command = Command::new(toolchain.llvm_tool("objcopy"));
    command.arg("--strip-all").arg(elf).arg(&stripped);
    process::run(&mut command, "stripping the game")?;
    std::fs::read(&stripped).with_context(|| format!("cannot read {}", stripped.display()))
}
