//! The steps between compiling and running: the programs' checks, the ROM and the disc image.

use super::console::judge;
use super::{Counts, Rig};
use crate::build;
use crate::irx;
use crate::iso;
use crate::rom::RomOptions;
use crate::setup;
use anyhow::{Context as _, Result, ensure};
use std::fs::File;
use std::path::Path;

/// Builds every program; the patcher and the checkers have their say in the build.
pub fn build(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    for built in rig.programs()? {
        println!("{}\n{}", built.program.package(), built.report);
        counts += judge(&format!("{} passes every check", built.program.package()), {
            if built.report.passed() { Ok(()) } else { Err(anyhow::anyhow!("the table above names what failed")) }
        });
    }
    Ok(counts)
}

/// Clippy over what only the console's programs contain.
pub fn lint(rig: &mut Rig) -> Result<Counts> {
    let toolchain = rig.toolchain()?;
    build::lint(&rig.context, &toolchain)?;
    Ok(Counts::PASSED)
}

/// Packs the ROM and the disc, twice, and reads the disc back with an independent reader.
pub fn disc(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    let rom = std::fs::read(rig.rom(RomOptions::default())?)?;
    let again = std::fs::read(rig.rom(RomOptions::default())?)?;
    counts += judge("the ROM is packed alike twice", {
        if rom == again { Ok(()) } else { Err(anyhow::anyhow!("the bytes differ")) }
    });
    let first = rig.disc("disc", "")?;
    rig.forget_content();
    let second = rig.disc("disc-again", "")?;
    println!("  {} sectors, {} files", first.layout.sectors, first.layout.files.len());
    counts += judge("the disc is written alike twice", {
        if std::fs::read(&first.path)? == std::fs::read(&second.path)? {
            Ok(())
        } else {
            Err(anyhow::anyhow!("the bytes differ"))
        }
    });
    counts += judge("an independent reader finds the program", program_is_there(&first));
    counts += judge("the module imports only what every console has", imports_are_everywhere(&first.module));
    counts += judge("no game of the emulator's database has the disc's serial", serial_is_free(rig));
    Ok(counts)
}

/// The libraries of the IOP's kernel and of the modules that every console starts by itself. The sound library, which has to be
/// loaded, is looked for when the module runs.
///
/// Source: IOP facts, 2 and 8.
fn imports_are_everywhere(module: &[u8]) -> Result<()> {
    const EVERYWHERE: [(&str, u16); 8] = [
        ("loadcore", 0x0101),
        ("sysmem", 0x0101),
        ("intrman", 0x0102),
        ("thbase", 0x0101),
        ("stdio", 0x0102),
        ("sifman", 0x0101),
        ("sifcmd", 0x0101),
        ("cdvdman", 0x0101),
    ];
    for import in irx::read(module)?.imports {
        let known = EVERYWHERE.iter().find(|(library, _)| *library == import.library);
        let (_, version) = known.with_context(|| format!("{} is not on every console", import.library))?;
        ensure!(import.version <= *version, "{} {:04x} is newer than {version:04x}", import.library, import.version);
    }
    Ok(())
}

/// Source: settled questions 33.
fn serial_is_free(rig: &Rig) -> Result<()> {
    let path = setup::emulator(&rig.context)?.game_database();
    let games = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let games = String::from_utf8_lossy(&games);
    let serial = iso::serial(iso::BOOT_NAME);
    ensure!(games.lines().any(|line| line.starts_with("Serial")), "{} names no serials", path.display());
    ensure!(!games.contains(&serial), "{serial} is a game's");
    Ok(())
}

/// An independent reader's way to the program, compared with what was written.
fn program_is_there(disc: &crate::disc::Disc) -> Result<()> {
    let mut configuration = Vec::new();
    read_back(&disc.path, "SYSTEM.CNF", &mut configuration)?;
    ensure!(
        configuration.starts_with(iso::boot_line(iso::BOOT_NAME).as_bytes()),
        "SYSTEM.CNF does not name the program"
    );
    let placed = disc.layout.files.iter().find(|file| file.path.ends_with(iso::BOOT_NAME)).context("not placed")?;
    let mut bytes = Vec::new();
    read_back(&disc.path, iso::BOOT_NAME, &mut bytes)?;
    ensure!(bytes.len() as u64 == placed.length, "the program has {} bytes of {}", bytes.len(), placed.length);
    ensure!(bytes.starts_with(b"\x7fELF"), "the program is no ELF");
    Ok(())
}

/// Reads a file of an image with a reader that is not ours.
pub(super) fn read_back(image: &Path, name: &str, bytes: &mut Vec<u8>) -> Result<()> {
    let mut image = File::open(image)?;
    let root = isomage::iso9660::parse_iso9660(&mut image).map_err(|error| anyhow::anyhow!("{error}"))?;
    let node = root.find_node(name).with_context(|| format!("no {name} on the image"))?;
    isomage::cat_node(&mut image, node, bytes).map_err(|error| anyhow::anyhow!("{error}"))
}
