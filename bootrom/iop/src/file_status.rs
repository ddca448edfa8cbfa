//! What the file manager tells about files: status and directory records as bytes.
//!
//! Source: IOP kernel, IOMAN

use crate::card;
use crate::iso9660::Entry;

/// Bytes of a status record.
pub const STATUS_BYTES: usize = 40;
/// Bytes of a name in a directory record.
const NAME_BYTES: usize = 256;
/// Bytes of a directory record: status, name, a word for the driver.
pub const RECORD_BYTES: usize = STATUS_BYTES + NAME_BYTES + 4;

/// Mode bits: a file, a directory, readable, writable.
mod mode {
    pub const FILE: u32 = 0x10;
    pub const DIRECTORY: u32 = 0x20;
    pub const READABLE: u32 = 0x04;
    pub const WRITABLE: u32 = 0x02;
}

/// The status of a file of the disc: mode, 0, size, three times, 0.
#[must_use]
pub fn status_of(entry: &Entry) -> [u8; STATUS_BYTES] {
    let mut bytes = [0; STATUS_BYTES];
    let kind = if entry.is_directory { mode::DIRECTORY } else { mode::FILE };
    bytes[..4].copy_from_slice(&(kind | mode::READABLE).to_le_bytes());
    bytes[8..12].copy_from_slice(&entry.size.to_le_bytes());
    let [year, month, day, hour, minute, second, _] = entry.date;
    let year = (1900 + u16::from(year)).to_le_bytes();
    let time = [0, second, minute, hour, day, month, year[0], year[1]];
    for at in [12, 20, 28] {
        bytes[at..at + 8].copy_from_slice(&time);
    }
    bytes
}

/// The directory record of a file of the disc.
#[must_use]
pub fn record_of(entry: &Entry) -> [u8; RECORD_BYTES] {
    let mut bytes = [0; RECORD_BYTES];
    bytes[..STATUS_BYTES].copy_from_slice(&status_of(entry));
    // The directory's own two entries have names of one unprintable byte.
    let name: &[u8] = match entry.name[0] {
        0 => b".",
        1 => b"..",
        _ => entry.name.split(|byte| *byte == 0).next().unwrap_or_default(),
    };
    bytes[STATUS_BYTES..STATUS_BYTES + name.len()].copy_from_slice(name);
    bytes
}

/// The status of a file of a card: mode, the card's own bits, size, the times of its making and of two changes, 0.
#[must_use]
pub fn card_status_of(entry: &card::Entry) -> [u8; STATUS_BYTES] {
    let own = |bit: u16, mode: u32| if entry.mode & bit != 0 { mode } else { 0 };
    let kind = if entry.is_directory() { mode::DIRECTORY } else { mode::FILE };
    let size = if entry.is_directory() { 0 } else { entry.length };
    let access = own(card::entry::mode::READ, mode::READABLE) | own(card::entry::mode::WRITE, mode::WRITABLE);
    let mut bytes = [0; STATUS_BYTES];
    bytes[..4].copy_from_slice(&(kind | access).to_le_bytes());
    bytes[4..8].copy_from_slice(&u32::from(entry.mode).to_le_bytes());
    bytes[8..12].copy_from_slice(&size.to_le_bytes());
    bytes[12..20].copy_from_slice(&entry.created);
    bytes[20..28].copy_from_slice(&entry.modified);
    bytes[28..36].copy_from_slice(&entry.modified);
    bytes
}

/// The status of a card's first directory, which has no entry of its own.
#[must_use]
pub fn card_root_status() -> [u8; STATUS_BYTES] {
    let mut bytes = [0; STATUS_BYTES];
    bytes[..4].copy_from_slice(&(mode::DIRECTORY | mode::READABLE | mode::WRITABLE).to_le_bytes());
    bytes
}

/// The directory record of a file of a card.
#[must_use]
pub fn card_record_of(entry: &card::Entry) -> [u8; RECORD_BYTES] {
    let mut bytes = [0; RECORD_BYTES];
    bytes[..STATUS_BYTES].copy_from_slice(&card_status_of(entry));
    let name = entry.name();
    bytes[STATUS_BYTES..STATUS_BYTES + name.len()].copy_from_slice(name);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &[u8], is_directory: bool) -> Entry {
        let mut padded = [0; 16];
        padded[..name.len()].copy_from_slice(name);
        Entry { lsn: 24, size: 57, name: padded, date: [126, 11, 29, 1, 2, 3, 0], is_directory }
    }

    #[test]
    fn a_status_has_mode_size_and_times() {
        let status = status_of(&entry(b"A.BIN;1", false));
        assert_eq!((status[0], status[8]), (0x14, 57));
        assert_eq!(status[12..20], [0, 3, 2, 1, 29, 11, 0xEA, 7]);
        assert_eq!(status_of(&entry(b"DATA", true))[0], 0x24);
    }

    #[test]
    fn a_record_has_its_name_behind_the_status() {
        assert_eq!(record_of(&entry(b"A.BIN;1", false))[40..48], *b"A.BIN;1\0");
        assert_eq!(record_of(&entry(&[], true))[40..42], *b".\0");
        assert_eq!(record_of(&entry(&[1], true))[40..43], *b"..\0");
    }

    #[test]
    fn a_card_s_file_tells_who_may_use_it_and_when_it_was_changed() {
        let entry = card::Entry {
            mode: card::entry::mode::NEW_FILE,
            length: 100,
            created: [0, 1, 2, 3, 4, 5, 0xEA, 7],
            cluster: 0,
            place: 0,
            modified: [0, 6, 7, 8, 9, 10, 0xEA, 7],
            attributes: 0,
            name: card::entry::padded(b"A.BIN"),
        };
        let record = card_record_of(&entry);
        assert_eq!((record[0], record[4], record[5], record[8]), (0x16, 0x97, 0x84, 100));
        assert_eq!((record[13], record[21], record[29]), (1, 6, 6));
        assert_eq!(record[40..46], *b"A.BIN\0");
        let directory = card::Entry { mode: card::entry::mode::NEW_DIRECTORY, ..entry };
        assert_eq!((card_status_of(&directory)[0], card_status_of(&directory)[8]), (0x26, 0));
        assert_eq!(card_root_status()[0], 0x26);
    }
}
