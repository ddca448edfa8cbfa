//! What each verb does.

use super::{RunArgs, Verb, link};
use anyhow::{Context as _, Result, ensure};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xtask::archive::report::Contents;
use xtask::build::{self, Built, Program};
use xtask::context::Context;
use xtask::crash::{self, SymbolFile};
use xtask::disc::{self, Content, DiscOptions};
use xtask::emulator::{self, Boot, OwnEmulator, RunOptions, Verdict};
use xtask::irx::starter;
use xtask::iso;
use xtask::level;
use xtask::maps;
use xtask::process;
use xtask::release;
use xtask::rom::{self, RomOptions};
use xtask::setup::{self, Toolchain};
use xtask::testing::{self, Rig, Selection};
use xtask::texture;

/// Does a verb and says how the program is to end.
pub fn run(verb: Verb) -> Result<ExitCode> {
    process::watch_interrupts()?;
    let context = Context::new()?;
    let good = match verb {
        Verb::Setup => {
            setup::all(&context)?;
            println!(
                "Nothing is missing. The console's programs are built with {}.",
                setup::toolchain(&context)?.description
            );
            true
        }
        Verb::Build => {
            for built in build_all(&context, &setup::toolchain(&context)?, &Program::ALL)? {
                println!("{}", built.elf.display());
            }
            true
        }
        Verb::Check => {
            for built in build_all(&context, &setup::toolchain(&context)?, &Program::ALL)? {
                println!("{}\n{}", built.program.package(), built.report);
            }
            true
        }
        Verb::Rom { fill_ram } => {
            println!("{}", pack_rom(&context, RomOptions { fill_ram })?.display());
            true
        }
        Verb::Iso => {
            let disc = write_disc(&context)?;
            for file in &disc.layout.files {
                println!("{:>8} {:>10} {}", file.sector, file.length, file.path);
            }
            println!("{}", Contents(&disc.archive));
            print!("{}", maps::of_disc(&disc)?);
            println!("{} sectors, {}", disc.layout.sectors, disc.path.display());
            true
        }
        Verb::Run(args) => boot(&context, args)?,
        Verb::Link(args) => link::run(&context, args)?,
        Verb::Decode { code, symbols } => {
            print!("{}", crash::explain(&code.join(" "), symbol_file(&context, symbols)?.as_ref())?);
            true
        }
        Verb::Release => {
            let files = release::assemble(&context, &setup::toolchain(&context)?)?;
            let folder = release::folder(&context);
            release::write(&folder, &files)?;
            for file in &files {
                println!("{:>10} {}", file.bytes.len(), file.path);
            }
            println!("{}", folder.display());
            true
        }
        Verb::Level { name, picture, view } => {
            let report = level::report::run(&context.root.join("iso"), &name, picture.as_deref(), view.as_deref())?;
            println!("{report}");
            true
        }
        Verb::Texture { name, picture } => {
            let sheet = texture::sheet::paint(&context.root.join("iso"), name.as_deref())?;
            sheet.save(&picture).with_context(|| format!("cannot write {}", picture.display()))?;
            true
        }
        Verb::Test { names, list, bless } => {
            let selection = Selection { names };
            if list {
                testing::list(&context, &selection).map(|()| true)?
            } else {
                testing::run(&mut Rig::new(context, bless), &selection)?
            }
        }
        Verb::Bench { names } => testing::bench(&mut Rig::new(context, false), &names)?,
        Verb::Soak { name, minutes } => testing::soak(&mut Rig::new(context, false), name.as_deref(), minutes)?,
    };
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A release's symbols, or those of the program that was built last if there is one.
fn symbol_file(context: &Context, given: Option<PathBuf>) -> Result<Option<SymbolFile>> {
    if let Some(path) = given {
        let text = std::fs::read_to_string(&path).with_context(|| format!("--symbols {}", path.display()))?;
        return SymbolFile::parse(&text).with_context(|| path.display().to_string()).map(Some);
    }
    let built = build::path(context, Program::Game);
    if !built.is_file() {
        return Ok(None);
    }
    SymbolFile::parse(&crash::symbol_text(&std::fs::read(built)?)?).map(Some)
}

fn build_all(context: &Context, toolchain: &Toolchain, programs: &[Program]) -> Result<Vec<Built>> {
    programs.iter().map(|&program| build::program(context, toolchain, program)).collect()
}

fn pack_rom(context: &Context, options: RomOptions) -> Result<PathBuf> {
    let programs = build_all(context, &setup::toolchain(context)?, &Program::ROM)?;
    let path = context.target.join("boardwalk-rom.bin");
    rom::write(&path, &rom::pack(&programs, &[], options)?)?;
    Ok(path)
}

fn write_disc(context: &Context) -> Result<disc::Disc> {
    let toolchain = setup::toolchain(context)?;
    let game = build::program(context, &toolchain, Program::Game)?;
    disc::write(context, &Content::gather(context, &toolchain, &game)?, &DiscOptions::default())
}

fn boot(context: &Context, args: RunArgs) -> Result<bool> {
    let foreign = args.elf.is_some();
    let own = args.pcsx2.zip(args.bios).map(|(pcsx2, bios)| OwnEmulator { pcsx2, bios });
    for path in own.iter().flat_map(|own| [&own.pcsx2, &own.bios]) {
        ensure!(path.is_file(), "{}: no such file", path.display());
    }
    let boot = match (args.elf, args.irx) {
        (Some(elf), _) => Boot::Elf(ee_program(&elf)?),
        (None, Some(irx)) => Boot::Disc(module_disc(context, starter::module_file(&irx)?)?),
        (None, None) => Boot::Disc(write_disc(context)?.path),
    };
    // A person's own BIOS needs none of ours.
    let rom = if own.is_none() { pack_rom(context, RomOptions::default())? } else { PathBuf::new() };
    let options = RunOptions {
        headless: args.headless.then_some(true),
        seconds: args.seconds.map(u64::from),
        png: args.png,
        own,
        ..RunOptions::new(rom, boot)
    };
    let outcome = emulator::run(context, &options)?;
    match &outcome.verdict {
        Verdict::Died(words) => {
            eprintln!("The emulator ended by itself.\n{words}");
            eprintln!("If it was for want of a display: `--headless` needs none.");
        }
        Verdict::TimeUp { asked: false } => {
            let seconds = outcome.lasted.as_secs_f32();
            eprintln!("Stopped after {seconds:.0} s, as nothing ends by itself here; --seconds N sets the time.");
        }
        Verdict::Guest(_) | Verdict::TimeUp { asked: true } | Verdict::Closed => {}
    }
    // The title never ends, and most modules stay; a program of somebody's should end.
    let good_title = !foreign && matches!(outcome.verdict, Verdict::TimeUp { .. });
    Ok(outcome.is_ok() || good_title)
}

/// Writes a disc that starts `module` on the IOP.
fn module_disc(context: &Context, module: Vec<u8>) -> Result<PathBuf> {
    let client = build::program(context, &setup::toolchain(context)?, Program::IopClient)?;
    let path = context.target.join("module.iso");
    iso::write(&path, &starter::files(&client, module, "", Vec::new())?)?;
    Ok(path)
}

/// A program for the EE, by its header, before anything is built for it.
pub(super) fn ee_program(path: &Path) -> Result<PathBuf> {
    let full = path.canonicalize().with_context(|| format!("--elf {}", path.display()))?;
    ensure!(full.is_file(), "--elf {}: not a file", path.display());
    let mut head = [0; 20];
    let read =
        File::open(&full).and_then(|mut file| file.read(&mut head)).with_context(|| full.display().to_string())?;
    // 32 bits, little-endian; machine number 8, MIPS.
    let fits = head.starts_with(b"\x7fELF\x01\x01") && head[18..] == [8, 0] && read == head.len();
    ensure!(fits, "--elf {}: no ELF program for the EE (32-bit little-endian MIPS)", path.display());
    Ok(full)
}
