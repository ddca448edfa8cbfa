//! What each verb does.

use super::Verb;
use anyhow::Result;
use std::process::ExitCode;
use xtask::build::{self, Built, Program};
use xtask::context::Context;
use xtask::disc::{self, DiscOptions};
use xtask::process;
use xtask::rom::{self, RomOptions};
use xtask::setup::{self, Toolchain};
use xtask::testing::{self, Rig, Selection};

/// Does a verb and says how the program is to end.
pub fn run(verb: Verb) -> Result<ExitCode> {
    process::watch_interrupts()?;
    let context = Context::new()?;
    match verb {
        Verb::Setup => setup::all(&context)?,
        Verb::Build => {
            build_all(&context, &setup::toolchain(&context)?, &Program::ALL)?;
        }
        Verb::Rom { fill_ram } => {
            let programs = build_all(&context, &setup::toolchain(&context)?, &Program::ROM)?;
            let path = context.target.join("boardwalk-rom.bin");
            rom::write(&path, &rom::pack(&programs, &[], RomOptions { fill_ram })?)?;
            println!("{}", path.display());
        }
        Verb::Iso => {
            let toolchain = setup::toolchain(&context)?;
            let game = build::program(&context, &toolchain, Program::Game)?;
            let disc = disc::write(&context, &toolchain, &game, &DiscOptions::default())?;
            for file in &disc.layout.files {
                println!("{:>8} {:>10} {}", file.sector, file.length, file.path);
            }
            println!("{} sectors, {}", disc.layout.sectors, disc.path.display());
        }
        Verb::Test { names, list, bless } => {
            let selection = Selection { names };
            if list {
                testing::list(&context, &selection)?;
            } else if !testing::run(&mut Rig::new(context, bless), &selection)? {
                return Ok(ExitCode::FAILURE);
            }
        }
        Verb::Check | Verb::Run(_) | Verb::Bench { .. } | Verb::Soak { .. } => anyhow::bail!("not yet"),
    }
    Ok(ExitCode::SUCCESS)
}

fn build_all(context: &Context, toolchain: &Toolchain, programs: &[Program]) -> Result<Vec<Built>> {
    programs.iter().map(|&program| build::program(context, toolchain, program)).collect()
}
