//! Moves the UDF volume descriptor sequences to where DVD authoring tools and ESR patchers expect them.
//!
//! The image writer puts both sequences behind the anchor, which UDF allows. Patchers look for the partition descriptor
//! in the third sector of sequences at 32 and 48, so both are moved there and ordered accordingly; tags, checksums and
//! the anchors' pointers follow. Source: the ESR patcher's published steps; ECMA-167 3/7.2 (tags), 3/10 (descriptors).

use super::SECTOR;
use anyhow::{Context as _, Result, ensure};
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Where the main sequence goes.
const MAIN: u32 = 32;
/// Where the reserve sequence goes.
const RESERVE: u32 = 48;
/// Sectors that either sequence may take.
const SEQUENCE: u32 = 16;
/// Where the first anchor lies.
const ANCHOR: u32 = 256;
/// The second anchor is followed by this many sectors less one, all zero.
pub(super) const TAIL: u64 = 257;

/// Descriptor order on the disc: the partition descriptor must be the third.
const ORDER: [u16; 6] = [PRIMARY, LOGICAL_VOLUME, PARTITION, IMPLEMENTATION_USE, UNALLOCATED_SPACE, TERMINATING];
const PRIMARY: u16 = 1;
const ANCHOR_POINTER: u16 = 2;
const IMPLEMENTATION_USE: u16 = 4;
const PARTITION: u16 = 5;
const LOGICAL_VOLUME: u16 = 6;
const UNALLOCATED_SPACE: u16 = 7;
const TERMINATING: u16 = 8;

type Sector = [u8; SECTOR as usize];

/// Moves both sequences of a finished bridge image of `sectors` sectors.
///
/// # Errors
/// A missing or unexpected descriptor, or a failed read or write.
pub(super) fn move_sequences(image: &File, sectors: u64) -> Result<()> {
    let second = u32::try_from(sectors - TAIL).context("the image is too long for UDF")?;
    let mut anchor = read(image, ANCHOR)?;
    ensure!(tag_id(&anchor) == ANCHOR_POINTER, "sector {ANCHOR} holds no UDF anchor");
    for (field, target) in [(16, MAIN), (24, RESERVE)] {
        move_sequence(image, word(&anchor, field + 4), target)?;
        anchor[field..field + 4].copy_from_slice(&(SEQUENCE * SECTOR as u32).to_le_bytes());
        anchor[field + 4..field + 8].copy_from_slice(&target.to_le_bytes());
    }
    for place in [ANCHOR, second] {
        ensure!(tag_id(&read(image, place)?) == ANCHOR_POINTER, "sector {place} holds no UDF anchor");
        write(image, place, anchor)?;
    }
    Ok(())
}

fn move_sequence(image: &File, from: u32, to: u32) -> Result<()> {
    let mut found = Vec::new();
    for place in from..from + SEQUENCE {
        let sector = read(image, place)?;
        let id = tag_id(&sector);
        found.push((ORDER.iter().position(|&known| known == id), sector));
        image.write_all_at(&[0; SECTOR as usize], u64::from(place) * SECTOR)?;
        if id == TERMINATING {
            break;
        }
    }
    ensure!(found.iter().all(|(rank, _)| rank.is_some()), "an unknown descriptor lies in the UDF volume sequence");
    found.sort_by_key(|&(rank, _)| rank);
    ensure!(found.get(2).is_some_and(|(_, s)| tag_id(s) == PARTITION), "the UDF sequence has no partition descriptor");
    for ((_, sector), place) in found.into_iter().zip(to..) {
        write(image, place, sector)?;
    }
    Ok(())
}

fn read(image: &File, place: u32) -> Result<Sector> {
    let mut sector = [0; SECTOR as usize];
    image.read_exact_at(&mut sector, u64::from(place) * SECTOR)?;
    Ok(sector)
}

/// Writes a descriptor with its place, CRC and tag checksum brought up to date.
fn write(image: &File, place: u32, mut sector: Sector) -> Result<()> {
    sector[12..16].copy_from_slice(&place.to_le_bytes());
    let covered = usize::from(u16::from_le_bytes([sector[10], sector[11]]));
    let crc = crc16(sector.get(16..16 + covered).context("a UDF descriptor claims more than its sector")?);
    sector[8..10].copy_from_slice(&crc.to_le_bytes());
    sector[4] = 0;
    sector[4] = sector[..16].iter().fold(0, |sum: u8, &b| sum.wrapping_add(b));
    image.write_all_at(&sector, u64::from(place) * SECTOR)?;
    Ok(())
}

fn tag_id(sector: &Sector) -> u16 {
    u16::from_le_bytes([sector[0], sector[1]])
}

fn word(sector: &Sector, at: usize) -> u32 {
    u32::from_le_bytes([sector[at], sector[at + 1], sector[at + 2], sector[at + 3]])
}

/// CRC-16 of the CCITT polynomial, most significant bit first, starting at zero.
pub fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, &byte| {
        (0..8).fold(crc ^ (u16::from(byte) << 8), |crc, _| if crc & 0x8000 != 0 { crc << 1 ^ 0x1021 } else { crc << 1 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crc_gives_the_published_check_value() {
        assert_eq!(crc16(b"123456789"), 0x31C3);
        assert_eq!(crc16(&[0x70, 0x6A, 0x77]), 0x3299);
    }
}
