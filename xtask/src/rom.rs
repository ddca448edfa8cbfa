//! Packs the boot ROM: the reset code, a ROMDIR and the files that it names.
//!
//! A ROM is found by its first directory entry `RESET`; every file begins on 16 bytes right behind the one before it. The
//! reset code finds the two kernels through a table at a fixed offset that is filled in here.

use crate::build::{Built, Program};
use anyhow::{Context as _, Result, bail, ensure};
use object::{Object as _, ObjectSegment as _, SegmentFlags};
use std::path::Path;

/// The largest ROM that the emulator takes, which is also what is written: 4 MiB.
pub const ROM_SIZE: usize = 4 << 20;
/// `ROMVER`: version, region letter (P, a free one), kind of console and the date of its format. Not the day of the build.
const ROMVER: &[u8; 14] = b"0200PC20260101";
/// A text with the region's letter at the place where programs look for it, 0x1FC7FF52 on the console, to choose between
/// television systems; and what fills the room before it.
///
/// Source: public programs for the console
const VERSION_TEXT: &[u8; 35] = b"Boardwalk boot ROM, region letter:P";
const VERSION_TEXT_OFFSET: usize = 0x7_FF30;
const LETTER_AT: usize = 0x7_FF52;
const _: () = assert!(VERSION_TEXT_OFFSET + VERSION_TEXT.len() == LETTER_AT + 1);
const _: () = assert!(VERSION_TEXT[VERSION_TEXT.len() - 1] == ROMVER[4]);
const FILLER: &str = "-";
/// Places of files in the directory.
const KERNEL: usize = 4;
const FILLED: usize = 6;
const IOP_KERNEL: usize = 8;
/// Where the reset code keeps its table.
const TABLE_OFFSET: usize = 0x400;
/// First word of the table.
const TABLE_MAGIC: &[u8; 4] = b"BWRT";
/// A module given on the emulator's command line is put here; no file may reach it.
const IRX_OFFSET: usize = 0x3C_0000;

/// Flags of the reset code's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RomOptions {
    /// Fill both processors' RAM with a pattern before anything runs, as a console's is never zero.
    pub fill_ram: bool,
}

impl RomOptions {
    /// Bit 0, read by the reset code: fill RAM.
    const fn bits(self) -> u32 {
        self.fill_ram as u32
    }
}

/// A program as it lies in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flat {
    /// Address of the first byte.
    pub base: u32,
    /// Where it starts running.
    pub entry: u32,
    /// Everything from `base` to the last byte that is not zero-filled at run time.
    pub bytes: Vec<u8>,
}

/// Reads the loadable segments of an ELF into one piece.
///
/// # Errors
/// No ELF, no segments, or segments more than 4 MiB apart.
pub fn flatten(elf: &[u8]) -> Result<Flat> {
    let file = object::File::parse(elf).context("not an ELF")?;
    let loads = || {
        file.segments().filter(|s| matches!(s.flags(), SegmentFlags::Elf { .. }) && s.file_range().1 > 0).map(
            |segment| {
                let data = segment.data().context("a segment reaches past the file's end")?;
                Ok::<_, anyhow::Error>((segment.address(), data))
            },
        )
    };
    let mut base = u64::MAX;
    let mut end = 0;
    for load in loads() {
        let (address, data) = load?;
        base = base.min(address);
        end = end.max(address + data.len() as u64);
    }
    ensure!(base < end, "the ELF has nothing to load");
    ensure!(end - base <= ROM_SIZE as u64, "the ELF's segments lie too far apart for a ROM");
    let mut bytes = vec![0; (end - base) as usize];
    for load in loads() {
        let (address, data) = load?;
        let at = (address - base) as usize;
        bytes[at..at + data.len()].copy_from_slice(data);
    }
    Ok(Flat { base: u32::try_from(base)?, entry: u32::try_from(file.entry())?, bytes })
}

/// Packs the ROM out of its programs and further named files.
///
/// # Errors
/// A missing program, a name that the directory cannot hold, or files that do not fit.
pub fn pack(programs: &[Built], modules: &[(String, Vec<u8>)], options: RomOptions) -> Result<Vec<u8>> {
    let flat = |program: Program| -> Result<Flat> {
        let built = programs.iter().find(|built| built.program == program);
        let built = built.with_context(|| format!("{} has not been built", program.package()))?;
        let elf = std::fs::read(&built.elf).with_context(|| format!("cannot read {}", built.elf.display()))?;
        flatten(&elf).with_context(|| built.elf.display().to_string())
    };
    image(
        &flat(Program::Reset)?.bytes,
        &flat(Program::Kernel)?,
        &flat(Program::EeLoad)?.bytes,
        &flat(Program::IopKernel)?,
        modules,
        options,
    )
}

fn image(
    reset: &[u8],
    kernel: &Flat,
    eeload: &[u8],
    iop: &Flat,
    modules: &[(String, Vec<u8>)],
    options: RomOptions,
) -> Result<Vec<u8>> {
    ensure!(
        reset.len() > TABLE_OFFSET + 44 && reset[TABLE_OFFSET..TABLE_OFFSET + 4] == *TABLE_MAGIC,
        "the reset code has no table at {TABLE_OFFSET:#x}"
    );
    let mut files: Vec<(&str, Vec<u8>)> = vec![
        ("RESET", reset.to_vec()),
        ("ROMDIR", Vec::new()),
        ("EXTINFO", Vec::new()),
        ("ROMVER", ROMVER.to_vec()),
        ("KERNEL", kernel.bytes.clone()),
        ("EELOAD", eeload.to_vec()),
        (FILLER, Vec::new()),
        ("VERSTR", VERSION_TEXT.to_vec()),
        ("IOPBOOT", iop.bytes.clone()),
    ];
    files.extend(modules.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())));
    for (index, (name, _)) in files.iter().enumerate() {
        ensure!((1..=10).contains(&name.len()) && name.is_ascii(), "{name}: a ROM file's name has 1 to 10 characters");
        if files[..index].iter().any(|(other, _)| other == name) {
            bail!("two ROM files are named {name}");
        }
    }
    // One entry a file and an empty one behind them.
    files[1].1 = vec![0; (files.len() + 1) * 16];
    let before: usize = files[..FILLED].iter().map(|(_, bytes)| bytes.len().next_multiple_of(16)).sum();
    ensure!(before <= VERSION_TEXT_OFFSET, "{before} bytes lie before what must be at {VERSION_TEXT_OFFSET:#x}");
    files[FILLED].1 = vec![0; VERSION_TEXT_OFFSET - before];

    let mut offsets = Vec::new();
    let mut end = 0;
    for (_, bytes) in &files {
        offsets.push(end);
        end += bytes.len().next_multiple_of(16);
    }
    ensure!(end <= IRX_OFFSET, "the ROM's files take {end} bytes; {IRX_OFFSET} is the most");

    for (index, (name, bytes)) in files.iter().map(|(name, bytes)| (*name, bytes.len())).enumerate().collect::<Vec<_>>()
    {
        let entry = &mut files[1].1[index * 16..(index + 1) * 16];
        entry[..name.len()].copy_from_slice(name.as_bytes());
        entry[12..16].copy_from_slice(&u32::try_from(bytes)?.to_le_bytes());
    }
    let table = [
        offsets[KERNEL] as u32,
        kernel.base,
        kernel.bytes.len() as u32,
        kernel.entry,
        offsets[IOP_KERNEL] as u32,
        iop.base,
        iop.bytes.len() as u32,
        iop.entry,
        options.bits(),
    ];
    for (index, word) in table.into_iter().enumerate() {
        let at = TABLE_OFFSET + 4 + index * 4;
        files[0].1[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }

    let mut rom = vec![0; ROM_SIZE];
    for ((_, bytes), offset) in files.iter().zip(offsets) {
        rom[offset..offset + bytes.len()].copy_from_slice(bytes);
    }
    Ok(rom)
}

/// Writes a ROM, only when its bytes changed.
///
/// # Errors
/// A failed write.
pub fn write(path: &Path, rom: &[u8]) -> Result<()> {
    if std::fs::read(path).is_ok_and(|old| old == rom) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, rom).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample_reset() -> Vec<u8> {
        let mut reset = vec![0x11; 0x1000];
        reset[TABLE_OFFSET..TABLE_OFFSET + 4].copy_from_slice(TABLE_MAGIC);
        reset
    }

    fn sample(options: RomOptions) -> Vec<u8> {
        let kernel = Flat { base: 0x8000_1000, entry: 0x8000_1010, bytes: vec![0xEE; 1001] };
        let iop = Flat { base: 0x1000, entry: 0x1234, bytes: vec![0x10; 77] };
        let modules = [("SIO2MAN".to_owned(), vec![5; 33])];
        image(&sample_reset(), &kernel, &[0x82; 65], &iop, &modules, options).unwrap()
    }

    /// Walks the directory the way a console's code does.
    fn find(rom: &[u8], name: &str) -> Option<(usize, usize)> {
        let directory = (0..rom.len()).step_by(16).find(|&at| rom[at..].starts_with(b"RESET\0"))?;
        let mut offset = 0;
        for entry in rom[directory..].chunks(16).take_while(|entry| entry[0] != 0) {
            let size = u32::from_le_bytes(entry[12..16].try_into().unwrap()) as usize;
            if entry[..10].split(|&b| b == 0).next() == Some(name.as_bytes()) {
                return Some((offset, size));
            }
            offset += size.next_multiple_of(16);
        }
        None
    }

    #[test]
    fn every_file_is_found_by_walking_the_directory() {
        let rom = sample(RomOptions::default());
        assert_eq!(rom.len(), ROM_SIZE);
        assert_eq!(find(&rom, "RESET"), Some((0, 0x1000)));
        for (name, byte, length) in
            [("KERNEL", 0xEE, 1001), ("EELOAD", 0x82, 65), ("IOPBOOT", 0x10, 77), ("SIO2MAN", 5, 33)]
        {
            let (offset, size) = find(&rom, name).unwrap();
            assert_eq!((size, offset % 16), (length, 0), "{name}");
            assert!(rom[offset..offset + size].iter().all(|&b| b == byte), "{name}");
        }
        let (offset, size) = find(&rom, "ROMVER").unwrap();
        assert_eq!(&rom[offset..offset + size], ROMVER);
    }

    #[test]
    fn the_region_s_letter_is_where_programs_look_for_it() {
        let rom = sample(RomOptions::default());
        assert_eq!(rom[0x7_FF52], ROMVER[4]);
        assert_eq!(find(&rom, "VERSTR"), Some((0x7_FF30, 35)));
    }

    #[test]
    fn the_reset_code_is_told_where_both_kernels_lie() {
        let rom = sample(RomOptions { fill_ram: true });
        let word = |index: usize| u32::from_le_bytes(rom[TABLE_OFFSET + index * 4..][..4].try_into().unwrap());
        assert_eq!(word(1) as usize, find(&rom, "KERNEL").unwrap().0);
        assert_eq!((word(2), word(3), word(4)), (0x8000_1000, 1001, 0x8000_1010));
        assert_eq!(word(5) as usize, find(&rom, "IOPBOOT").unwrap().0);
        assert_eq!((word(6), word(7), word(8), word(9)), (0x1000, 77, 0x1234, 1));
    }

    #[test]
    fn bad_names_and_too_much_content_are_refused() {
        let flat = Flat { base: 0, entry: 0, bytes: vec![1] };
        let with = |name: &str, bytes: usize| {
            image(&sample_reset(), &flat, &[], &flat, &[(name.to_owned(), vec![0; bytes])], RomOptions::default())
        };
        assert!(with("ELEVENCHARS", 1).is_err());
        assert!(with("KERNEL", 1).is_err());
        assert!(with("BIG", IRX_OFFSET).is_err());
        assert!(with("FITS", 1000).is_ok());
        assert!(image(&[0; 0x1000], &flat, &[], &flat, &[], RomOptions::default()).is_err(), "no table");
    }
}
