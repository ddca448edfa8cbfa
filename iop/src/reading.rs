//! A read of the open file, cut into pieces of the drive, and what the drive's answers mean.

use crate::protocol::fault;

/// Bytes of a sector.
pub const SECTOR_BYTES: u32 = 2048;
/// Sectors of a piece: long enough for the drive to stream, short enough that music never waits for it.
pub const PIECE_SECTORS: u32 = 32;
/// Bytes of a piece.
pub const PIECE_BYTES: u32 = PIECE_SECTORS * SECTOR_BYTES;
/// Transfers to the EE carry whole quadwords.
const QUADWORD: u32 = 16;
/// What the EE's memory is written in.
const LINE: u32 = 64;

/// The open file's place on the disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Extent {
    /// First sector.
    pub sector: u32,
    /// Bytes.
    pub bytes: u32,
}

/// A piece of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// First sector on the disc.
    pub sector: u32,
    /// Sectors to be read.
    pub sectors: u32,
    /// Where its bytes go.
    pub destination: u32,
    /// Bytes that are wanted of it.
    pub bytes: u32,
}

impl Piece {
    /// Bytes that are sent: whole quadwords, which the destination has room for.
    pub const fn sent(self) -> u32 {
        (self.bytes + QUADWORD - 1) & !(QUADWORD - 1)
    }
}

/// What is left of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    sector: u32,
    left: u32,
    destination: u32,
}

impl Reading {
    /// A read of `length` bytes from `offset`. `None` when it leaves the file, or does not begin on a sector or a line.
    pub fn new(file: Extent, offset: u32, length: u32, destination: u32) -> Option<Self> {
        let fits = offset.checked_add(length).is_some_and(|end| end <= file.bytes);
        let placed = offset & (SECTOR_BYTES - 1) == 0 && destination & (LINE - 1) == 0;
        let sector = file.sector.checked_add(offset >> SECTOR_BYTES.trailing_zeros())?;
        (fits && placed).then_some(Self { sector, left: length, destination })
    }

    /// The next piece; `None` at the end.
    pub fn next_piece(&mut self) -> Option<Piece> {
        if self.left == 0 {
            return None;
        }
        let bytes = self.left.min(PIECE_BYTES);
        let sectors = (bytes + SECTOR_BYTES - 1) >> SECTOR_BYTES.trailing_zeros();
        let piece = Piece { sector: self.sector, sectors, destination: self.destination, bytes };
        self.sector += sectors;
        self.left -= bytes;
        self.destination += bytes;
        Some(piece)
    }
}

/// Kinds of discs, as the drive tells them.
mod disc {
    pub const NONE: u8 = 0x00;
    /// The drive is still looking.
    pub const DETECTING: core::ops::RangeInclusive<u8> = 1..=5;
    pub const MUSIC_CD: u8 = 0xFD;
    pub const GAME_CD: u8 = 0x12;
    pub const GAME_DVD: u8 = 0x14;
    /// A burnt disc that a console's patch lets through.
    pub const VIDEO_DVD: u8 = 0xFE;
}

/// Error numbers of the drive.
mod error {
    pub const NONE: u8 = 0x00;
    pub const ABORTED: u8 = 0x01;
    pub const OPEN: u8 = 0x11;
    pub const NO_DISC: u8 = 0x12;
    pub const OPENED: u8 = 0x31;
}

/// Bit of the drive's state: the tray is open.
const STATE_OPEN: u8 = 1;

/// What the drive says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drive {
    /// Its state.
    pub state: u8,
    /// The kind of disc.
    pub disc: u8,
    /// The last command's error.
    pub error: u8,
}

/// Why a read has failed, by what the drive says afterwards.
///
/// Source: hardware facts, corrections (error numbers); IOP kernel, CDVD servers (kinds of discs)
pub fn fault_of(drive: Drive) -> u32 {
    match drive {
        Drive { error: error::OPEN | error::OPENED, .. } => fault::TRAY_OPEN,
        Drive { state, .. } if state & STATE_OPEN != 0 => fault::TRAY_OPEN,
        Drive { error: error::NO_DISC, .. } | Drive { disc: disc::NONE, .. } => fault::NO_DISC,
        Drive { error: error::ABORTED, .. } => fault::TIME_OUT,
        drive if has_disc(drive) => fault::UNREADABLE,
        Drive { disc, .. } if disc::DETECTING.contains(&disc) => fault::NO_DISC,
        _ => fault::WRONG_DISC,
    }
}

/// Why a file was not found: a drive that could read the directory has no such file.
pub fn why_not_found(drive: Drive) -> u32 {
    if has_disc(drive) && is_good(drive.error) { fault::NOT_FOUND } else { fault_of(drive) }
}

/// True when the tray is open.
pub const fn is_open(drive: Drive) -> bool {
    drive.state & STATE_OPEN != 0
}

/// True when a disc of the game's kind is in the closed drive.
pub fn has_disc(drive: Drive) -> bool {
    !is_open(drive) && matches!(drive.disc, disc::GAME_CD | disc::GAME_DVD | disc::VIDEO_DVD)
}

/// True when a read has ended well.
pub const fn is_good(error_number: u8) -> bool {
    error_number == error::NONE
}

/// The drive as a fault of a test has it, for those faults that a look at the drive tells.
pub const fn as_if(fault_number: u32) -> Option<Drive> {
    let closed = Drive { state: 0, disc: disc::NONE, error: error::NONE };
    match fault_number {
        fault::TRAY_OPEN => Some(Drive { state: STATE_OPEN, ..closed }),
        fault::NO_DISC => Some(closed),
        fault::WRONG_DISC => Some(Drive { disc: disc::MUSIC_CD, ..closed }),
        _ => None,
    }
}

/// Looks whether a drive that has failed has the disc again on which a file lies in `file`. The media mode to go on with, one
/// of [`media`].
///
/// # Errors
/// What keeps the drive now, which may be something else than what it failed with; `None` when the look has not found out.
pub fn look(
    drive: Drive,
    file: Option<Extent>,
    takes_commands: impl FnOnce() -> bool,
    search: impl FnOnce() -> Result<Extent, u32>,
) -> Result<i32, Option<u32>> {
    if is_open(drive) {
        return Err(Some(fault::TRAY_OPEN));
    }
    if disc::DETECTING.contains(&drive.disc) {
        return Err(None);
    }
    if !has_disc(drive) {
        return Err(Some(if drive.disc == disc::NONE { fault::NO_DISC } else { fault::WRONG_DISC }));
    }
    if !takes_commands() {
        return Err(None);
    }
    let Some(file) = file else { return Ok(media_mode(drive.disc)) };
    match search() {
        Ok(found) if found == file => Ok(media_mode(drive.disc)),
        // A disc of the game's kind without the file, or with another one in its place.
        Ok(_) | Err(fault::NOT_FOUND) => Err(Some(fault::WRONG_DISC)),
        Err(reason) => Err(Some(reason)),
    }
}

/// Media modes.
pub mod media {
    /// A CD.
    pub const CD: i32 = 1;
    /// A DVD.
    pub const DVD: i32 = 2;
}

/// The media mode of a disc, one of [`media`].
///
/// Source: settled questions 26
pub const fn media_mode(disc_type: u8) -> i32 {
    if disc_type == disc::GAME_CD { media::CD } else { media::DVD }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    const FILE: Extent = Extent { sector: 500, bytes: 1_000_001 };

    #[test]
    fn a_directory_that_cannot_be_read_is_no_missing_file() {
        let drive = Drive { state: 0x0a, disc: 0x14, error: 0 };
        assert_eq!(why_not_found(drive), fault::NOT_FOUND);
        assert_eq!(why_not_found(Drive { error: 0x30, ..drive }), fault::UNREADABLE);
        assert_eq!(why_not_found(Drive { state: STATE_OPEN, ..drive }), fault::TRAY_OPEN);
        assert_eq!(why_not_found(Drive { disc: disc::NONE, ..drive }), fault::NO_DISC);
    }

    /// A look at a drive in which the game's file is found in this place, or why it is not.
    fn looked(state: u8, kind: u8, ready: bool, found: Result<Extent, u32>) -> Result<i32, Option<u32>> {
        look(Drive { state, disc: kind, error: 0 }, Some(FILE), || ready, || found)
    }

    #[test]
    fn what_is_put_into_an_open_tray_is_told_as_what_it_is() {
        let elsewhere = Extent { sector: 501, ..FILE };
        let looks = [
            (looked(STATE_OPEN, 0x14, true, Ok(FILE)), Err(Some(fault::TRAY_OPEN))),
            (looked(0, 0x00, true, Ok(FILE)), Err(Some(fault::NO_DISC))),
            (looked(0, 0x01, true, Ok(FILE)), Err(None)),
            (looked(0, 0xFD, true, Ok(FILE)), Err(Some(fault::WRONG_DISC))),
            (looked(0, 0x10, true, Ok(FILE)), Err(Some(fault::WRONG_DISC))),
            (looked(0, 0x14, false, Ok(FILE)), Err(None)),
            (looked(0, 0x14, true, Err(fault::NOT_FOUND)), Err(Some(fault::WRONG_DISC))),
            (looked(0, 0x14, true, Ok(elsewhere)), Err(Some(fault::WRONG_DISC))),
            (looked(0, 0x14, true, Err(fault::UNREADABLE)), Err(Some(fault::UNREADABLE))),
            (looked(0, 0x14, true, Ok(FILE)), Ok(media::DVD)),
        ];
        for (number, (found, expected)) in looks.into_iter().enumerate() {
            assert_eq!(found, expected, "look {number}");
        }
        let nothing_open = look(Drive { state: 0, disc: 0x14, error: 0 }, None, || true, || Err(fault::NOT_FOUND));
        assert_eq!(nothing_open, Ok(media::DVD), "no file was open");
    }

    #[test]
    fn the_same_game_on_a_disc_of_the_other_kind_is_read_in_that_ones_mode() {
        assert_eq!(looked(0, 0x12, true, Ok(FILE)), Ok(media::CD));
        assert_eq!(looked(0, 0xFE, true, Ok(FILE)), Ok(media::DVD));
    }

    #[test]
    fn a_drive_of_a_test_looks_as_its_fault() {
        for number in [fault::TRAY_OPEN, fault::NO_DISC, fault::WRONG_DISC] {
            assert_eq!(look(as_if(number).unwrap(), Some(FILE), || true, || Ok(FILE)), Err(Some(number)));
        }
        assert_eq!((as_if(fault::UNREADABLE), as_if(fault::NONE)), (None, None));
    }

    #[test]
    fn a_cd_is_read_as_one_and_a_dvd_as_one() {
        assert_eq!((media_mode(0x12), media_mode(0x14)), (1, 2));
    }

    fn pieces(offset: u32, length: u32) -> Vec<Piece> {
        let mut reading = Reading::new(FILE, offset, length, 0x10_0000).unwrap();
        core::iter::from_fn(|| reading.next_piece()).collect()
    }

    #[test]
    fn a_read_is_cut_into_pieces_of_the_drive() {
        let piece = |sector, sectors, destination, bytes| Piece { sector, sectors, destination, bytes };
        assert_eq!(
            pieces(4096, 0x1_0000 + 2049),
            [piece(502, 32, 0x10_0000, 0x1_0000), piece(534, 2, 0x11_0000, 2049)]
        );
        assert_eq!(pieces(0, 0), []);
        assert_eq!(pieces(0, 1)[0].sent(), 16);
        assert_eq!(pieces(0, 32)[0].sent(), 32);
    }

    #[test]
    fn reads_that_leave_the_file_or_begin_within_a_unit_are_refused() {
        for (offset, length, destination) in
            [(0, 1_000_002, 0), (2048, u32::MAX, 0), (1_001_472, 0, 0), (1, 10, 0), (0, 10, 32)]
        {
            assert_eq!(Reading::new(FILE, offset, length, destination), None, "{offset} {length} {destination}");
        }
    }

    #[test]
    fn the_drive_s_answers_are_told_apart() {
        let drive = |state, disc, error| Drive { state, disc, error };
        for (drive, expected) in [
            (drive(0x0A, 0x14, 0x30), fault::UNREADABLE),
            (drive(0x0A, 0x12, 0x30), fault::UNREADABLE),
            (drive(0x0A, 0x14, 0x11), fault::TRAY_OPEN),
            (drive(0x0A, 0x14, 0x31), fault::TRAY_OPEN),
            (drive(0x01, 0x00, 0x30), fault::TRAY_OPEN),
            (drive(0x00, 0x00, 0x12), fault::NO_DISC),
            (drive(0x00, 0x01, 0x13), fault::NO_DISC),
            (drive(0x0A, 0x10, 0x30), fault::WRONG_DISC),
            (drive(0x0A, 0xFD, 0x30), fault::WRONG_DISC),
            (drive(0x0A, 0x14, 0x01), fault::TIME_OUT),
        ] {
            assert_eq!(fault_of(drive), expected, "{drive:x?}");
        }
    }

    proptest! {
        #[test]
        fn pieces_follow_each_other_and_add_up(sectors in 0u32..390, length in 0u32..200_000) {
            let pieces = pieces(sectors * SECTOR_BYTES, length);
            let (mut sector, mut destination) = (FILE.sector + sectors, 0x10_0000);
            for piece in &pieces {
                prop_assert_eq!((piece.sector, piece.destination), (sector, destination));
                prop_assert!(piece.sectors * SECTOR_BYTES >= piece.bytes && piece.sectors <= PIECE_SECTORS);
                sector += piece.sectors;
                destination += piece.bytes;
            }
            prop_assert_eq!(pieces.iter().map(|piece| piece.bytes).sum::<u32>(), length);
        }
    }
}
