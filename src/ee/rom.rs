//! The console's own ROM: which region it was sold in.
//!
//! The ROM is a list of files behind a directory; its file `ROMVER` names the version and, by a letter, the region. User
//! programs see the ROM because the kernel maps it for them.
//!
//! Source: EE facts, sections 5 and 12; EE emulator notes, What the ROM must be.

use super::video::VideoMode;

/// Bytes of a directory entry: ten of name, two of extra information, four of size.
const ENTRY: usize = 16;
const NAME: usize = 10;
/// Files begin on multiples of this many bytes.
const ALIGNMENT: usize = 16;
/// The directory's first entry, which also finds the directory.
const FIRST: &str = "RESET";
/// Place of the region's letter in `ROMVER`.
const REGION: usize = 4;
/// The letter of consoles for fifty-field screens.
const EUROPE: u8 = b'E';

fn name(entry: &[u8]) -> &[u8] {
    let name = entry.get(..NAME).unwrap_or(entry);
    name.split(|&byte| byte == 0).next().unwrap_or(name)
}

/// The contents of a file of the ROM.
pub fn file<'a>(rom: &'a [u8], wanted: &str) -> Option<&'a [u8]> {
    let mut entries = rom.chunks_exact(ENTRY).skip_while(|entry| name(entry) != FIRST.as_bytes());
    let mut offset = 0_usize;
    loop {
        let entry = entries.next().filter(|entry| !name(entry).is_empty())?;
        let size = u32::from_le_bytes(entry.last_chunk().copied()?) as usize;
        if name(entry) == wanted.as_bytes() {
            return rom.get(offset..offset.checked_add(size)?);
        }
        offset = offset.checked_add(size.checked_next_multiple_of(ALIGNMENT)?)?;
    }
}

/// The video mode of the region's screens; NTSC when the ROM does not tell.
pub fn region_mode(rom: &[u8]) -> VideoMode {
    match file(rom, "ROMVER").and_then(|version| version.get(REGION)) {
        Some(&EUROPE) => VideoMode::Pal,
        _ => VideoMode::Ntsc,
    }
}

/// The part of this console's ROM that holds its directory and its small files.
#[cfg(target_arch = "mips")]
pub fn contents() -> &'static [u8] {
    const START: usize = 0x1FC0_0000;
    const BYTES: usize = 512 * 1024;
    // SAFETY: the kernel maps the boot ROM for reading, and it never changes.
    unsafe { core::slice::from_raw_parts(core::hint::black_box(START as *const u8), BYTES) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn entry(name: &str, size: u32) -> Vec<u8> {
        let mut bytes = name.as_bytes().to_vec();
        bytes.resize(12, 0);
        bytes.extend(size.to_le_bytes());
        bytes
    }

    fn rom(version: &[u8]) -> Vec<u8> {
        let mut rom = std::vec![0xAA; 64];
        rom.extend(entry("RESET", 60));
        rom.extend(entry("ROMDIR", 64));
        rom.extend(entry("ROMVER", version.len() as u32));
        rom.extend(entry("", 0));
        rom.extend(version);
        rom
    }

    #[test]
    fn a_file_is_found_behind_the_rounded_sizes_before_it() {
        assert_eq!(file(&rom(b"0160EC20010704\0\0"), "ROMVER"), Some(&b"0160EC20010704\0\0"[..]));
        assert_eq!(file(&rom(b"0160EC20010704"), "OSDVER"), None);
    }

    #[test]
    fn the_fifth_letter_picks_the_screens() {
        assert_eq!(region_mode(&rom(b"0160EC20010704")), VideoMode::Pal);
        assert_eq!(region_mode(&rom(b"0160AC20010704")), VideoMode::Ntsc);
        assert_eq!(region_mode(&[0; 64]), VideoMode::Ntsc);
    }

    #[test]
    fn a_damaged_directory_finds_nothing() {
        let mut damaged = rom(b"0160EC20010704");
        damaged[64 + 12..64 + 16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(file(&damaged, "ROMVER"), None);
        assert_eq!(file(&[], "ROMVER"), None);
    }
}
