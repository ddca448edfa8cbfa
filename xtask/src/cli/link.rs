//! The verb `link`.

use super::{LinkArgs, verbs};
use anyhow::{Context as _, Result, bail};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use xtask::build::{self, Program};
use xtask::context::Context;
use xtask::disc::Content;
use xtask::link::{self, Options, Ports};
use xtask::setup;

/// How long a console may take over its network's start and to load a program's first bytes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs a program on the console and prints what it says.
pub fn run(context: &Context, args: LinkArgs) -> Result<bool> {
    let file = match (args.no_program, args.elf) {
        (true, _) => None,
        (false, Some(elf)) => Some(verbs::ee_program(&elf)?),
        (false, None) => Some(game(context)?),
    };
    let folder = match (args.folder, &file) {
        (Some(folder), _) => folder,
        (None, Some(file)) => file.parent().unwrap_or(Path::new(".")).to_path_buf(),
        (None, None) => std::env::current_dir()?,
    };
    let mut program = Vec::new();
    if let Some(file) = &file {
        program.push(inside(&folder, file)?);
        program.extend(args.arguments);
    }
    let outcome = link::run(
        &Options {
            console: args.ip,
            listen: args.listen,
            ports: Ports::default(),
            folder,
            reset: args.reset,
            program,
            dump: args.dump,
            listening: args.seconds.map(|seconds| Duration::from_secs(seconds.into())),
            patience: PATIENCE,
        },
        |text| {
            print!("{text}");
            // A line may come in pieces.
            let _ = std::io::stdout().flush();
        },
        |words| eprintln!("link: {words}"),
    )?;
    if outcome.repeated > 0 {
        eprintln!("link: {} commands had to be repeated", outcome.repeated);
    }
    Ok(true)
}

/// The game without its symbols, in a folder of its own.
fn game(context: &Context) -> Result<PathBuf> {
    let toolchain = setup::toolchain(context)?;
    let built = build::program(context, &toolchain, Program::Game)?;
    let content = Content::gather(context, &toolchain, &built)?;
    let folder = context.target.join("link");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("boardwalk.elf");
    std::fs::write(&path, content.program()).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// A program's name as the console sees it in the folder.
fn inside(folder: &Path, file: &Path) -> Result<String> {
    let folder = folder.canonicalize().with_context(|| format!("--folder {}", folder.display()))?;
    let file = file.canonicalize()?;
    match file.strip_prefix(&folder).ok().and_then(Path::to_str) {
        Some(name) => Ok(name.to_owned()),
        None => bail!("{} does not lie in {}, which is all that the console sees", file.display(), folder.display()),
    }
}
