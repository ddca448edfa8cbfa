//! The disc drive's commands as bytes, and its states and errors by name.

use crate::iso9660::Entry;

/// Drive commands that carry data or move the head.
///
/// Source: hardware notes, N commands
pub mod command {
    /// Nothing; ends when the drive is idle.
    pub const NOP: u8 = 0x00;
    /// Spin up.
    pub const STANDBY: u8 = 0x02;
    /// Stop the motor.
    pub const STOP: u8 = 0x03;
    /// Stay where the head is.
    pub const PAUSE: u8 = 0x04;
    /// Move the head.
    pub const SEEK: u8 = 0x05;
    /// Read data sectors.
    pub const READ: u8 = 0x06;
    /// Read audio sectors.
    pub const READ_AUDIO: u8 = 0x07;
    /// Read whole DVD sectors.
    pub const READ_DVD: u8 = 0x08;
    /// Read the table of contents.
    pub const TOC: u8 = 0x09;
    /// Read the keys of a disc.
    pub const READ_KEY: u8 = 0x0C;
    /// Set the motor's speed.
    pub const SPIN: u8 = 0x0F;
}

/// The drive's system commands.
///
/// Source: hardware notes, S commands
pub mod system_command {
    /// Where the head is on a music disc.
    pub const SUB_CODE: u8 = 0x02;
    /// Versions and identities, by a number of their own.
    pub const IDENTITY: u8 = 0x03;
    /// Whether the tray was opened.
    pub const TRAY_STATE: u8 = 0x05;
    /// Opens or closes the tray.
    pub const TRAY: u8 = 0x06;
    /// The time.
    pub const READ_CLOCK: u8 = 0x08;
    /// Sets the time.
    pub const WRITE_CLOCK: u8 = 0x09;
    /// A word of the settings' memory.
    pub const READ_MEMORY: u8 = 0x0A;
    /// Sets such a word.
    pub const WRITE_MEMORY: u8 = 0x0B;
    /// Switches the console off.
    pub const POWER_OFF: u8 = 0x0F;
    /// The identity on the serial bus.
    pub const READ_LINK_ID: u8 = 0x12;
    /// Sets it.
    pub const WRITE_LINK_ID: u8 = 0x13;
    /// Digital sound out.
    pub const DIGITAL_OUT: u8 = 0x14;
    /// Forbids the player of films.
    pub const FORBID_PLAYER: u8 = 0x15;
    /// Lets the drive adjust itself.
    ///
    /// Source: public headers (sceCdAutoAdjustCtrl)
    pub const AUTO_ADJUST: u8 = 0x16;
    /// The model's name, in two pieces.
    pub const MODEL: u8 = 0x17;
    /// Sets it.
    pub const WRITE_MODEL: u8 = 0x18;
    /// Forbids reads.
    pub const FORBID_READ: u8 = 0x19;
    /// Shows the ROM's version.
    pub const CERTIFY: u8 = 0x1A;
    /// Takes a notice of switching off back.
    pub const CANCEL_POWER_OFF: u8 = 0x1B;
    /// The blue lamp.
    pub const BLUE_LAMP: u8 = 0x1C;
    /// Opens the settings.
    pub const OPEN_SETTINGS: u8 = 0x40;
    /// Their next block.
    pub const READ_SETTINGS: u8 = 0x41;
    /// Sets it.
    pub const WRITE_SETTINGS: u8 = 0x42;
    /// Closes them.
    pub const CLOSE_SETTINGS: u8 = 0x43;
}

/// What [`system_command::IDENTITY`] is about.
pub mod identity {
    /// The version of the drive's program.
    pub const VERSION: u8 = 0x00;
    /// Sets the console's identity.
    pub const WRITE_CONSOLE: u8 = 0x44;
    /// The console's identity.
    pub const READ_CONSOLE: u8 = 0x45;
}

/// Disc types.
///
/// Source: hardware notes, CDVD registers
pub mod disc {
    /// No disc.
    pub const NONE: u8 = 0x00;
    /// First of the states in which the drive still looks.
    pub const DETECTING_FIRST: u8 = 0x01;
    /// Last of them.
    pub const DETECTING_LAST: u8 = 0x05;
    /// PlayStation 2 CD.
    pub const PS2_CD: u8 = 0x12;
    /// PlayStation 2 DVD.
    pub const PS2_DVD: u8 = 0x14;
    /// First of the DVDs that hold films or recordings; between them are music discs.
    pub const DVD_VIDEO_RECORDING: u8 = 0xFC;
    /// DVD with films.
    pub const DVD_VIDEO: u8 = 0xFE;
    /// Unreadable.
    pub const ILLEGAL: u8 = 0xFF;
}

/// Errors as the drive and the library report them.
///
/// Source: hardware notes, CDVD registers
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriveError(pub u8);

impl DriveError {
    /// The command was broken off.
    pub const ABORTED: DriveError = DriveError(0x01);
    /// The tray is open.
    pub const TRAY_OPEN: DriveError = DriveError(0x11);
    /// No disc.
    pub const NO_DISC: DriveError = DriveError(0x12);
    /// Not ready in time.
    pub const NOT_READY: DriveError = DriveError(0x13);
    /// Bad parameter.
    pub const PARAMETER: DriveError = DriveError(0x22);
    /// Unreadable sector.
    pub const READ: DriveError = DriveError(0x30);
    /// Past the end of the disc.
    pub const END_OF_MEDIA: DriveError = DriveError(0x32);
}

/// How a read is to be done: the record that callers pass.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadMode {
    /// Tries a sector; 0 is 256.
    pub tries: u8,
    /// Speed code; 0 is the default.
    pub speed: u8,
    /// Sector format.
    pub pattern: u8,
    /// Unused.
    pub reserved: u8,
}

impl ReadMode {
    /// Data sectors at the default speed.
    pub const DATA: ReadMode = ReadMode { tries: 0, speed: 0, pattern: 0, reserved: 0 };
}

/// How sectors of a kind travel by DMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bytes of a sector.
    pub bytes: u32,
    /// Value of the transfer format register.
    pub how: u8,
    /// Words of a DMA block.
    pub block_words: u32,
    /// Blocks of a sector.
    pub blocks: u32,
}

impl Format {
    /// The format of data sectors by the mode's pattern; None for an unknown one.
    ///
    /// Source: hardware notes, N commands
    #[must_use]
    pub const fn of_pattern(pattern: u8) -> Option<Format> {
        match pattern {
            0 => Some(Format { bytes: 2048, how: 0x86, block_words: 32, blocks: 16 }),
            1 => Some(Format { bytes: 2328, how: 0x86, block_words: 6, blocks: 97 }),
            2 => Some(Format { bytes: 2340, how: 0x8F, block_words: 15, blocks: 39 }),
            _ => None,
        }
    }

    /// The format of a read command's sectors by the mode's pattern; None for an unknown one.
    ///
    /// Source: hardware notes, N commands
    #[must_use]
    pub const fn of_command(number: u8, pattern: u8) -> Option<Format> {
        match (number, pattern) {
            (command::READ, _) => Format::of_pattern(pattern),
            (command::READ_AUDIO, 0) => Some(Format { bytes: 2352, how: 0x8C, block_words: 12, blocks: 49 }),
            (command::READ_AUDIO, 1) => Some(Format { bytes: 2368, how: 0x8C, block_words: 16, blocks: 37 }),
            (command::READ_AUDIO, 2) => Some(Format { bytes: 2448, how: 0x8C, block_words: 12, blocks: 51 }),
            (command::READ_DVD, _) => Some(Format { bytes: 2064, how: 0x8C, block_words: 12, blocks: 43 }),
            _ => None,
        }
    }

    /// The format of a table of contents, of a DVD's or a CD's.
    #[must_use]
    pub const fn of_contents(dvd: bool) -> Format {
        if dvd {
            Format { bytes: 2064, how: 0x84, block_words: 4, blocks: 129 }
        } else {
            Format { bytes: 1024, how: 0x80, block_words: 32, blocks: 8 }
        }
    }

    /// Value of the DMA block register for `sectors`.
    #[must_use]
    pub const fn block_register(self, sectors: u32) -> u32 {
        (self.blocks * sectors) << 16 | self.block_words
    }
}

/// Most sectors of one command: the DMA's block count has 16 bits, and 97 blocks a sector is the most.
pub const MOST_SECTORS: u32 = 0xFFFF / 97;

/// Parameter bytes of a read.
#[must_use]
pub fn read_parameters(lsn: u32, sectors: u32, mode: ReadMode) -> [u8; 11] {
    let (l, s) = (lsn.to_le_bytes(), sectors.to_le_bytes());
    [l[0], l[1], l[2], l[3], s[0], s[1], s[2], s[3], mode.tries, mode.speed, mode.pattern]
}

/// Bytes of the keys that a disc may have, with the byte that says which are there.
pub const KEY_BYTES: usize = 16;
/// Bytes of one key, and how many there are.
pub const KEY_PART: usize = 5;
/// See [`KEY_PART`].
pub const KEY_PARTS: usize = 3;

/// The keys as callers get them: each one's bytes, freed of the mask that the drive puts over them, and last which are there.
#[must_use]
pub fn keys_of(raw: [[u8; KEY_PART]; KEY_PARTS], mask: u8, valid: u8) -> [u8; KEY_BYTES] {
    let mut keys = [0; KEY_BYTES];
    for (place, byte) in keys.iter_mut().zip(raw.as_flattened()) {
        *place = byte ^ mask;
    }
    keys[KEY_BYTES - 1] = valid & ((1 << KEY_PARTS) - 1);
    keys
}

/// The disc's own number out of its keys: the last key, or what stands for none.
///
/// Source: public headers (sceCdReadDiskID)
#[must_use]
pub fn disc_number(keys: &[u8; KEY_BYTES]) -> [u8; KEY_PART] {
    const NONE: [u8; KEY_PART] = [0xDE, 0xAD, 0, 0, 0];
    let first = KEY_PART * (KEY_PARTS - 1);
    let there = keys[KEY_BYTES - 1] >> (KEY_PARTS - 1) & 1 != 0;
    match keys[first..first + KEY_PART].first_chunk() {
        Some(key) if there && *key != [0; KEY_PART] => *key,
        _ => NONE,
    }
}

/// The console's number on the serial bus, and its model's number, out of the identity that the drive keeps.
///
/// Source: public headers (sceCdReadGUID, sceCdReadModelID)
#[must_use]
pub fn numbers_of(identity: [u8; 8]) -> ([u8; 8], u32) {
    /// The maker's part of every such number.
    const MAKER: u32 = 0x0800_4600;
    let [first, second, third, fourth, rest @ ..] = identity;
    let mut bus = [0; 8];
    bus[..4].copy_from_slice(&(u32::from(first) | MAKER).to_le_bytes());
    bus[4..].copy_from_slice(&rest);
    (bus, u32::from_le_bytes([second, third, fourth, 0]))
}

/// A found file's record, in words: first sector, bytes, name, and the date's bytes 0, second, minute, hour, day, month, and the
/// year in two.
///
/// Source: IOP kernel, CDVD servers (searches)
#[must_use]
pub fn file_record(entry: &Entry) -> [u32; 8] {
    let [year, month, day, hour, minute, second, _] = entry.date;
    let year = (1900 + u16::from(year)).to_le_bytes();
    let date = [0, second, minute, hour, day, month, year[0], year[1]];
    let mut words = [0; 8];
    words[..2].copy_from_slice(&[entry.lsn, entry.size]);
    for (word, bytes) in words[2..].iter_mut().zip(entry.name.chunks_exact(4).chain(date.chunks_exact(4))) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_record_holds_place_size_name_and_date() {
        let mut name = [0; 16];
        name[..4].copy_from_slice(b"AB;1");
        let entry = Entry { lsn: 300, size: 61, name, date: [126, 11, 29, 1, 2, 3, 0], is_directory: false };
        let record = file_record(&entry);
        assert_eq!(record[..3], [300, 61, u32::from_le_bytes(*b"AB;1")]);
        assert_eq!(record[6], u32::from_le_bytes([0, 3, 2, 1]));
        assert_eq!(record[7], u32::from_le_bytes([29, 11, 0xEA, 0x07]));
    }

    #[test]
    fn keys_are_unmasked_and_the_last_one_is_the_discs_number() {
        let raw = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15]];
        let keys = keys_of(raw, 0xF0, 0xFD);
        assert_eq!((keys[0], keys[14], keys[15]), (0xF1, 0xFF, 5));
        assert_eq!(disc_number(&keys), [0xFB, 0xFC, 0xFD, 0xFE, 0xFF]);
        assert_eq!(disc_number(&keys_of(raw, 0, 3)), [0xDE, 0xAD, 0, 0, 0]);
        assert_eq!(disc_number(&[0; KEY_BYTES]), [0xDE, 0xAD, 0, 0, 0]);
    }

    #[test]
    fn an_identity_gives_the_bus_number_and_the_models() {
        let (bus, model) = numbers_of([0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]);
        assert_eq!(bus, [0x11, 0x46, 0x00, 0x08, 0x55, 0x66, 0x77, 0x88]);
        assert_eq!(model, 0x44_3322);
    }

    #[test]
    fn a_block_register_moves_exactly_the_sectors_bytes() {
        for pattern in 0..3 {
            let format = Format::of_pattern(pattern).expect("a known pattern");
            let register = format.block_register(MOST_SECTORS);
            assert_eq!((register >> 16) * (register & 0xFFFF) * 4, format.bytes * MOST_SECTORS);
        }
        assert_eq!(Format::of_pattern(3), None);
        for number in [command::READ_AUDIO, command::READ_DVD] {
            for pattern in 0..3 {
                let format = Format::of_command(number, pattern).expect("a known pattern");
                assert_eq!(format.blocks * format.block_words * 4, format.bytes);
            }
        }
        for format in [Format::of_contents(false), Format::of_contents(true)] {
            assert_eq!(format.blocks * format.block_words * 4, format.bytes);
        }
        assert_eq!(Format::of_command(command::READ_AUDIO, 3), None);
        assert_eq!(Format::of_command(command::SEEK, 0), None);
    }

    #[test]
    fn read_parameters_are_little_endian_and_end_with_the_mode() {
        let mode = ReadMode { tries: 5, speed: 2, pattern: 1, reserved: 9 };
        assert_eq!(read_parameters(0x0102_0304, 0x10, mode), [4, 3, 2, 1, 0x10, 0, 0, 0, 5, 2, 1]);
    }
}
