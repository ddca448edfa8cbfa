//! Programs and modules of the host's on the console, started as `run --elf` and `run --irx` start them, and what they print.

use super::console::{judge, no_complaints};
use super::rig::{Boots, Job, Seen};
use super::{Counts, Rig, modules};
use crate::build::{Built, Program};
use crate::irx::starter;
use crate::iso;
use anyhow::{Context as _, Result, ensure};
use std::path::PathBuf;

/// What the program returns when all was as it should be, as the ROM tells it.
const GOOD_END: &str = "ROM: program ended with 3";
const END: &str = "ROM: program ended";
/// Lines that the program prints from each place of a line of the cache, and how they grow.
const TEXTS: usize = 17;
/// Lines that make a configuration of 6,000 bytes.
const REMARKS: usize = 110;
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
/// Facts of a program from the host, and of one from a disc.
const FROM_HOST: [&str; 5] = [
    "the host's file is read by the file server",
    "where it goes on: a program",
    "a file that the host does not have",
    "nor as a module",
    "the host's module is loaded by the loader",
];
const FROM_DISC: [&str; 1] = ["sectors are read to addresses of all kinds"];
/// What the module says early, and what its starter says of it.
const MODULE_SAYS: &str = "IOP ok two blocks are taken";
const STARTER_SAYS: &str = "IRX: cdrom0:\\MODULE.IRX;1 is module ";

fn built(rig: &mut Rig, program: Program) -> Result<Built> {
    rig.programs()?.iter().find(|built| built.program == program).cloned().context("a program has not been built")
}

/// A file of the host's with these bytes.
fn file(rig: &Rig, name: &str, bytes: &[u8]) -> Result<PathBuf> {
    let path = rig.context.target.join("tests").join(name);
    std::fs::create_dir_all(path.parent().context("the file lies in a folder")?)?;
    std::fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// A program with the public SDK's conventions, from the host and from a disc, and a module by both ways to start one.
pub fn programs(rig: &mut Rig) -> Result<Counts> {
    let mut counts = Counts::default();
    let program = built(rig, Program::SdkTest)?;
    let program = std::fs::read(&program.elf).with_context(|| format!("cannot read {}", program.elf.display()))?;
    let by_name = Boots::Elf(file(rig, "sdk.elf", &program)?);
    let line = format!("{}\r\n", iso::boot_line("SDK.ELF"));
    let on_disc = |text: String| Boots::files([("SYSTEM.CNF", text.into_bytes()), ("SDK.ELF", program.clone())]);
    let remark = "REMARK = a line of a configuration that goes on and on\r\n".repeat(REMARKS);
    let discs = [
        ("sdk-disc", on_disc(line.clone())),
        ("sdk-long-behind", on_disc(format!("{line}{remark}"))),
        ("sdk-long-before", on_disc(format!("{remark}{line}"))),
    ];
    // The program from the host looks for it beside itself.
    let module = starter::module_of(&built(rig, Program::IopTest)?, "selftest", 0x0100)?;
    let path = file(rig, "given.irx", &module)?;
    for (name, boots) in [("sdk-host", by_name)].into_iter().chain(discs) {
        let seen = rig.boot(&Job { boots, until: END, ..Job::new(name, "") })?;
        println!("  {name}: {} facts", facts(&seen));
        let own = if name == "sdk-host" { &FROM_HOST[..] } else { &FROM_DISC };
        counts += judge(&format!("{name}: what a program of the SDK does goes well"), went_well(&seen, own));
        counts += judge(&format!("{name}: what it prints by the file server arrives as it is"), printed(&seen));
    }
    let files = starter::files(&built(rig, Program::IopClient)?, starter::module_file(&path)?, "", Vec::new())?;
    let seen = rig.boot(&Job { boots: Boots::Files(files), until: STARTER_SAYS, ..Job::new("irx", "") })?;
    counts += judge("a module starts and prints", started(&seen, STARTER_SAYS));
    let given = "IOP: the given module returned ";
    let seen = rig.boot(&Job { boots: Boots::Irx(path), until: given, ..Job::new("irx-given", "") })?;
    counts += judge("a module of the emulator's command line starts", told(&seen, given));
    let program = built(rig, Program::KernelTest)?;
    let starter = std::fs::read(&program.elf).with_context(|| format!("cannot read {}", program.elf.display()))?;
    let gives_up = "ROM: the loader gives up";
    for (name, by_loader) in [("GP.ELF", true), ("NOLOADER.ELF", false)] {
        let line = format!("{}\r\n", iso::boot_line(name));
        let boots = Boots::files([
            ("SYSTEM.CNF", line.into_bytes()),
            ("NOLOADER.ELF", starter.clone()),
            ("GP.ELF", program_with_pointer()),
            (modules::IMAGE, modules::image(&module, "LOADFILE")?),
        ]);
        let seen = rig.boot(&Job { boots, until: END, ..Job::new("pointer", "") })?;
        let outcome = told(&seen, "GP ok").and_then(|()| {
            let gave_up = seen.lines.iter().any(|line| line.starts_with(gives_up));
            ensure!(gave_up != by_loader, "the loader gave up: {gave_up}");
            Ok(())
        });
        let way = if by_loader { "by the loader" } else { "where the loader gives up" };
        counts += judge(&format!("a program gets the global pointer that it names, {way}"), outcome);
    }
    Ok(counts)
}

/// A program that names a global pointer and prints whether it got it.
fn program_with_pointer() -> Vec<u8> {
    const ADDRESS: u32 = 0x0010_0000;
    const REGISTERS_AT: usize = 0x80;
    const CODE_AT: usize = 0x100;
    const POINTER: u32 = 0x0012_3450;
    /// Prints one of two texts behind the code, by whether $28 is the pointer, and ends by the kernel's exit call.
    const CODE: [u32; 20] = [
        0x3C08_1000,
        0x3508_F180,
        0x3C09_0012,
        0x3529_3450,
        0x3C04_0010,
        0x3484_0080,
        0x1389_0002,
        0,
        0x3484_00C0,
        0x908A_0000,
        0,
        0x1140_0005,
        0,
        0xA10A_0000,
        0x2484_0001,
        0x1000_FFF9,
        0,
        0x2403_0004,
        0x0000_2025,
        0x0000_000C,
    ];
    let mut elf = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x08\0".to_vec();
    for word in [1, ADDRESS, 52, 0, 0x2092_4001, 52 | 32 << 16, 2, 0] {
        elf.extend(u32::to_le_bytes(word));
    }
    for segment in [
        [0x7000_0000, REGISTERS_AT as u32, 0, 0, 24, 24, 4, 4],
        [1, CODE_AT as u32, ADDRESS, ADDRESS, 0x100, 0x100, 7, 16],
    ] {
        elf.extend(segment.into_iter().flat_map(u32::to_le_bytes));
    }
    elf.resize(CODE_AT + 0x100, 0);
    elf[REGISTERS_AT + 20..][..4].copy_from_slice(&POINTER.to_le_bytes());
    for (index, word) in CODE.into_iter().enumerate() {
        elf[CODE_AT + 4 * index..][..4].copy_from_slice(&word.to_le_bytes());
    }
    for (at, text) in [(0x80, &b"GP ok\n"[..]), (0xC0, b"GP FAILED\n")] {
        elf[CODE_AT + at..][..text.len()].copy_from_slice(text);
    }
    elf
}

fn facts(seen: &Seen) -> usize {
    seen.lines.iter().filter(|line| line.starts_with("SDK ok ")).count()
}

fn told(seen: &Seen, start: &str) -> Result<()> {
    let found = seen.lines.iter().any(|line| line.starts_with(start));
    ensure!(found, "nobody said `{start}`; the last lines were {:?}{}", seen.last_lines(), seen.obituary());
    Ok(())
}

fn started(seen: &Seen, starter: &str) -> Result<()> {
    told(seen, MODULE_SAYS)?;
    told(seen, starter)
}

/// `own` are the facts that only a program from where this one comes can prove.
fn went_well(seen: &Seen, own: &[&str]) -> Result<()> {
    if let Some(line) = seen.lines.iter().find(|line| line.contains("SDK FAILED")) {
        anyhow::bail!("{line}");
    }
    told(seen, GOOD_END)?;
    for fact in own {
        told(seen, &format!("SDK ok {fact}"))?;
    }
    // Refusals are for what makes no sense, of which such a program asks nothing.
    if let Some(line) = seen.lines.iter().find(|line| line.contains(": refused: ")) {
        anyhow::bail!("{line}");
    }
    ensure!(facts(seen) > 2 * TEXTS, "only {} facts", facts(seen));
    no_complaints(seen)
}

fn printed(seen: &Seen) -> Result<()> {
    for start in 0..TEXTS {
        let text = format!("SDK text {}", &LETTERS[..2 * start + 1]);
        ensure!(seen.lines.contains(&text), "no line `{text}`");
    }
    Ok(())
}
