//! What lies in the sound processor's and the IOP's memory, for a person to read.
//!
//! Source: settled questions 22

use crate::disc::Disc;
use anyhow::{Context as _, Result};
use boardwalk::audio::bank::Bank;
use boardwalk_iop::{memory, sound_memory};
use object::{Object as _, ObjectSegment as _};
use std::fmt::Write as _;

/// The archive's bank of sounds.
const BANK: &str = "sound/effects.bank";

/// A row: first byte or nothing, bytes, what.
fn row(text: &mut String, at: Option<u32>, bytes: u32, what: &str) {
    let at = at.map(|at| format!("{at:06x}")).unwrap_or_default();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{at:>8} {bytes:>10} {what}");
}

/// The sound processor's memory with a bank of `bank` bytes.
pub fn sound(bank: u32) -> String {
    let ring = sound_memory::channel(0);
    let behind = sound_memory::MUSIC + boardwalk_iop::music::CHANNELS as u32 * sound_memory::CHANNEL_RING;
    let mut text = "sound memory\n".to_owned();
    row(&mut text, Some(0), sound_memory::BANK, "the hardware's and the library's");
    row(&mut text, Some(sound_memory::BANK), bank, "sounds");
    row(&mut text, Some(sound_memory::BANK + bank), sound_memory::BANK_BYTES - bank, "free for sounds");
    row(&mut text, Some(ring), behind - ring, "music");
    row(&mut text, Some(behind), sound_memory::BYTES - behind, "the library's effects");
    text
}

/// What the module takes of the IOP's memory, loaded from `file` bytes into `module` bytes.
pub fn iop(file: u32, module: u32) -> String {
    let parts = [
        (module, "the module itself"),
        (memory::READS, "buffers of reads"),
        (memory::MUSIC, "the music's ring"),
        (memory::DISC_STACK, "stack of the disc's thread"),
        (memory::MUSIC_STACK, "stack of the music's thread"),
        (memory::SERVER_STACK, "stack of the server's thread"),
    ];
    let mut text = format!("IOP memory, the module of {file} bytes on the disc\n");
    for (bytes, what) in parts {
        row(&mut text, None, bytes, what);
    }
    let taken = parts.iter().map(|(bytes, _)| bytes).sum();
    row(&mut text, None, taken, "in all");
    row(&mut text, None, memory::BYTES - taken, "for the system and the console's own modules");
    text
}

/// Both maps of a disc.
///
/// # Errors
/// A disc without bank or module.
pub fn of_disc(disc: &Disc) -> Result<String> {
    let bank = disc.archive.files.iter().find(|file| file.name == BANK).with_context(|| format!("no {BANK}"))?;
    let bytes = &disc.archive.data[bank.entry.offset as usize..][..bank.entry.size as usize];
    let table = Bank::read(bytes).map_err(|error| anyhow::anyhow!("{BANK}: {error:?}"))?;
    let module = object::File::parse(&disc.module[..]).context("the IOP module is no ELF")?;
    let loaded: u64 = module.segments().map(|segment| segment.size()).sum();
    Ok(sound(table.blocks_bytes) + &iop(u32::try_from(disc.module.len())?, u32::try_from(loaded)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sound_memory_is_told_without_a_gap() {
        let text = sound(0x8000);
        let rows: Vec<(u32, u32)> = text
            .lines()
            .skip(1)
            .map(|line| {
                let mut words = line.split_whitespace();
                let at = u32::from_str_radix(words.next().unwrap(), 16).unwrap();
                (at, words.next().unwrap().parse().unwrap())
            })
            .collect();
        assert!(rows.windows(2).all(|pair| pair[0].0 + pair[0].1 == pair[1].0), "{text}");
        assert_eq!(rows.last().map(|row| row.0 + row.1), Some(sound_memory::BYTES));
    }

    #[test]
    fn the_iops_memory_adds_up() {
        let text = iop(20_000, 30_000);
        let bytes: Vec<u32> =
            text.lines().skip(1).map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect();
        let [parts @ .., taken, rest] = &bytes[..] else { panic!("{text}") };
        assert_eq!((parts.iter().sum::<u32>(), taken + rest), (*taken, memory::BYTES));
    }
}
