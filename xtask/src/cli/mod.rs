//! The verbs and their options; each sets up what it needs first.

#[cfg(test)]
mod docs;
mod link;
mod verbs;

use clap::{Args, Parser, Subcommand};
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use xtask::link::Dump;
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
    /// Runs the game, or another program, on a console that runs ps2link
    Link(LinkArgs),
    /// Tells what the code on a crash screen means
    Decode {
        /// The code, as it stands on the screen
        #[arg(required = true)]
        code: Vec<String>,
        /// The symbols of the release that crashed; by default those of the program built last
        #[arg(long, value_name = "FILE")]
        symbols: Option<PathBuf>,
    },
    /// Gathers everything that a person needs to play in one folder
    Release,
    /// Compiles a level and prints what it holds
    Level {
        /// Its folder's name below iso/levels/
        name: String,
        /// Paint the views into files that begin like this one, as OUT-VIEW.png
        #[arg(long, value_name = "OUT.png")]
        picture: Option<PathBuf>,
        /// Only this view
        #[arg(long)]
        view: Option<String>,
    },
    /// Makes a texture of iso/textures/, or all of them, and paints them into one picture
    Texture {
        /// Its name; all of them by default
        name: Option<String>,
        /// Where the picture goes
        #[arg(long, value_name = "OUT.png")]
        picture: PathBuf,
    },
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

/// Options of `link`.
#[derive(Debug, Args)]
struct LinkArgs {
    /// The console's address
    #[arg(long, default_value = "192.168.0.10")]
    ip: IpAddr,
    /// The address of this machine at which the console's text is taken; by default all of them
    #[arg(long, default_value = "0.0.0.0")]
    listen: IpAddr,
    /// Run this program; by default the game
    #[arg(long, value_name = "FILE")]
    elf: Option<PathBuf>,
    /// Run nothing: only reset, dump or listen
    #[arg(long, conflicts_with_all = ["elf", "arguments"])]
    no_program: bool,
    /// Reset the console first
    #[arg(long)]
    reset: bool,
    /// Write memory to a file of the folder, as in 0x100000:0x1000:memory.bin
    #[arg(long, value_name = "ADDRESS:SIZE:FILE")]
    dump: Option<Dump>,
    /// What the console sees as host: and may write to; by default the program's own folder
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Stop after this many seconds; by default at Ctrl-C
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: Option<u32>,
    /// Words for the program
    #[arg(last = true)]
    arguments: Vec<String>,
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
