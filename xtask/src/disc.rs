//! What goes on the disc: gathers the files out of `iso/` and the built programs and writes the image.

use crate::archive::{self, Archive, ArchiveFile};
use crate::build::{self, Built, Program};
use crate::context::Context;
use crate::crash;
use crate::irx::{self, ModuleInfo};
use crate::iso::{self, DiscFile, Layout};
use crate::setup::Toolchain;
use crate::{bootargs, process};
use anyhow::{Context as _, Result, ensure};
use boardwalk::crash::symbols::PATH as NAMES_PATH;
use boardwalk::file_io::archive::{ARCHIVE_PATH, INDEX_PATH};
use boardwalk::selftest::sums;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The IOP module's path on the disc.
const MODULE_PATH: &str = "IOP/BWIOP.IRX";
/// What the module calls itself in the console's list.
const MODULE_NAME: &str = "bwiop";
/// Its version: major in the high byte.
const MODULE_VERSION: u16 = 0x0100;

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
    /// The archive on it.
    pub archive: Archive,
    /// The game's IOP module.
    pub module: Vec<u8>,
}

/// Everything on the disc that is the same whatever the program is told.
#[derive(Debug, Clone)]
pub struct Content {
    /// The program with its symbols.
    elf: PathBuf,
    /// The program as the console loads it.
    program: Vec<u8>,
    /// `SYSTEM.CNF`.
    configuration: Vec<u8>,
    /// The game's IOP module.
    module: Vec<u8>,
    /// The functions' names, for the crash screen.
    names: Vec<u8>,
    /// The streamed files.
    archive: Archive,
}

impl Content {
    /// Gathers the content: strips the game, builds the module, packs the archive out of `iso/`.
    ///
    /// # Errors
    /// A `SYSTEM.CNF` that does not name the program, a failed build, or sources that cannot be packed.
    pub fn gather(context: &Context, toolchain: &Toolchain, game: &Built) -> Result<Self> {
        Self::gather_from(&context.root.join("iso"), context, toolchain, game)
    }

    /// The same with the sources of another folder than `iso/`.
    ///
    /// # Errors
    /// As [`gather`](Self::gather).
    pub fn gather_from(sources: &Path, context: &Context, toolchain: &Toolchain, game: &Built) -> Result<Self> {
        ensure!(game.program == Program::Game, "only the game goes on the disc");
        Ok(Self {
            elf: game.elf.clone(),
            program: strip(context, toolchain, &game.elf)?,
            configuration: configuration(&sources.join("SYSTEM.CNF"))?,
            module: module(context, toolchain)?,
            names: crash::names(&std::fs::read(&game.elf)?)?,
            archive: archive::pack(&archive::sources::read(sources)?)?,
        })
    }
}

impl Content {
    /// The same content with more files in the archive.
    ///
    /// # Errors
    /// Names that the archive cannot take.
    pub fn and(&self, more: &[ArchiveFile]) -> Result<Self> {
        Ok(Self { archive: self.archive.and(more)?, ..self.clone() })
    }

    /// The program without symbols, as loaders take it.
    pub fn program(&self) -> &[u8] {
        &self.program
    }

    /// The same with arguments written into it.
    ///
    /// # Errors
    /// Arguments that do not fit.
    pub fn program_told(&self, arguments: &str) -> Result<Vec<u8>> {
        let mut program = self.program.clone();
        if !arguments.is_empty() {
            bootargs::write(&self.elf, &mut program, arguments)?;
        }
        Ok(program)
    }
}

/// The text that names the disc's program, with the line ends that consoles and authoring tools write.
fn configuration(source: &Path) -> Result<Vec<u8>> {
    let text = std::fs::read_to_string(source).with_context(|| format!("cannot read {}", source.display()))?;
    let boot = iso::boot_line(iso::BOOT_NAME);
    ensure!(
        text.lines().next() == Some(boot.as_str()),
        "{} must begin with the line `{boot}`, which names the disc's program",
        source.display()
    );
    Ok(text.lines().map(|line| format!("{line}\r\n")).collect::<String>().into())
}

/// Writes a disc image.
///
/// # Errors
/// Arguments that do not fit the program, or a failed write.
pub fn write(context: &Context, content: &Content, options: &DiscOptions) -> Result<Disc> {
    let program = content.program_told(&options.arguments)?;
    let file = |path: &str, bytes: &[u8]| DiscFile { path: path.into(), bytes: bytes.to_vec() };
    let mut files = vec![
        file("SYSTEM.CNF", &content.configuration),
        DiscFile { path: iso::BOOT_NAME.into(), bytes: program },
        file(MODULE_PATH, &content.module),
        file(NAMES_PATH, &content.names),
        file(INDEX_PATH, &content.archive.index),
        file(ARCHIVE_PATH, &content.archive.data),
    ];
    files.push(file(sums::PATH, &list_of(&files)?));
    let path = context.target.join(format!("{}.iso", options.name.as_deref().unwrap_or("boardwalk")));
    let layout = iso::write(&path, &files)?;
    Ok(Disc { path, layout, archive: content.archive.clone(), module: content.module.clone() })
}

/// The list of the disc's files, for the self-test.
fn list_of(files: &[DiscFile]) -> Result<Vec<u8>> {
    let mut list = sums::header(u32::try_from(files.len())?).to_vec();
    for file in files {
        let path = format!("\\{};1", file.path.replace('/', "\\"));
        let record = sums::Sum::of(&path, &file.bytes).to_bytes();
        list.extend(record.with_context(|| format!("{path} is too long for the list of files"))?);
    }
    Ok(list)
}

/// The game's IOP module as the console loads it.
fn module(context: &Context, toolchain: &Toolchain) -> Result<Vec<u8>> {
    let built = build::program(context, toolchain, Program::IopModule)?;
    let elf = std::fs::read(&built.elf).with_context(|| format!("cannot read {}", built.elf.display()))?;
    let info = ModuleInfo { name: MODULE_NAME.into(), version: MODULE_VERSION };
    irx::convert(&elf, &info).context("the IOP module cannot be made an IRX")
}

/// The program without symbols and debug information, as the console loads it.
fn strip(context: &Context, toolchain: &Toolchain, elf: &Path) -> Result<Vec<u8>> {
    let stripped = context.target.join("console").join("boardwalk.stripped.elf");
    let mut command = Command::new(toolchain.llvm_tool("objcopy"));
    command.arg("--strip-all").arg(elf).arg(&stripped);
    process::run(&mut command, "stripping the game")?;
    std::fs::read(&stripped).with_context(|| format!("cannot read {}", stripped.display()))
}
