//! The verbs and their options; each sets up what it needs first.

mod verbs;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use xtask::process;

/// Exit status of a program that Ctrl-C ended, by the shells' convention.
const INTERRUPTED: u8 = 130;

/// Builds, runs and tests Boardwalk, a bare-metal PlayStation 2 game.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Installs or unpacks whatever is missing: toolchain, emulator, headless display
    Setup,
    /// Builds every program of the console
    Build,
    /// Checks every program of the console against the processors' rules and prints a table
    Check,
    /// Packs the boot ROM into target/boardwalk-rom.bin
    Rom {
        /// Fill the console's RAM with a pattern before anything runs
        #[arg(long)]
        fill_ram: bool,
    },
    /// Writes the disc image target/boardwalk.iso
    Iso,
    /// Builds what is stale and boots the disc in the emulator
    Run(RunArgs),
    /// Runs every test, or those whose name contains one of NAME
    Test {
        /// Parts of names, unit tests as host::NAME; --list shows them all
        names: Vec<String>,
        /// Only names what there is to run
        #[arg(long)]
        list: bool,
        /// Write the golden pictures anew from what the console shows
        #[arg(long)]
        bless: bool,
    },
    /// Prints figures, one `bench NAME VALUE UNIT` a line
    Bench {
        /// Parts of names of the figures wanted
        names: Vec<String>,
    },
    /// Runs whatever is meant to run for long
    Soak {
        /// Which; all of them by default
        name: Option<String>,
        /// Guest minutes of each
        #[arg(long, default_value_t = 10)]
        minutes: u32,
    },
}

/// Options of `run`.
#[derive(Debug, Args)]
struct RunArgs {
    /// Without a window: guest lines go to stdout, the last picture to a file
    #[arg(long)]
    headless: bool,
    /// Stop after this many seconds; by default after a minute without a window, never with one
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: Option<u32>,
    /// Where the last picture goes (headless; default target/last-frame.png)
    #[arg(long)]
    png: Option<PathBuf>,
    /// Boot this ELF instead of the disc and print its output
    #[arg(long, value_name = "FILE")]
    elf: Option<PathBuf>,
    /// Start this module on the IOP instead of the disc's program and print its output
    #[arg(long, value_name = "FILE", conflicts_with = "elf")]
    irx: Option<PathBuf>,
    /// Your own PCSX2 instead of the packaged one; needs --bios
    #[arg(long, value_name = "PATH", requires = "bios")]
    pcsx2: Option<PathBuf>,
    /// Your own BIOS image instead of our boot ROM
    #[arg(long, value_name = "FILE", requires = "pcsx2")]
    bios: Option<PathBuf>,
}

/// Parses the command line, does the verb and says how it went.
pub fn main() -> ExitCode {
    match verbs::run(Cli::parse().verb) {
        Ok(code) => code,
        Err(_) if process::interrupted() => {
            eprintln!("Stopped.");
            ExitCode::from(INTERRUPTED)
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
