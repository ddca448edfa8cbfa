//! Finds files on an ISO 9660 disc.
//!
//! Everything read from the disc is checked before it is used: a damaged or hostile image gives an error, never a
//! loop or a read outside of a sector.

/// Bytes of a sector.
pub const SECTOR_BYTES: usize = 2048;
/// Sector of the primary volume descriptor.
const VOLUME_SECTOR: u32 = 16;
const VOLUME_PRIMARY: u8 = 1;
const VOLUME_IDENTIFIER: &[u8] = b"CD001";
/// Place of the volume's size in it, in sectors.
const VOLUME_SECTORS: usize = 80;
/// Place of the root directory's record in the volume descriptor.
const ROOT_RECORD: usize = 156;
/// Shortest directory record.
const RECORD_BYTES: usize = 33;
const FLAG_DIRECTORY: u8 = 2;
/// Deepest path, in names.
///
/// Source: disc and boot, ISO 9660 layout
const DEEPEST: usize = 8;
/// Longest directory that is searched.
///
/// Our choice: 64 sectors hold some 2,000 names; more would be a damaged size field.
const DIRECTORY_SECTORS: u32 = 64;
/// Longest name, version included, as the drive's file records hold it.
pub const NAME_BYTES: usize = 16;

/// Reads sectors.
pub trait Sectors {
    /// Why a sector could not be read.
    type Error;
    /// Reads sector `lsn`.
    ///
    /// # Errors
    /// The drive's.
    fn read_sector(&mut self, lsn: u32, sector: &mut [u8; SECTOR_BYTES]) -> Result<(), Self::Error>;
}

/// Why a file was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchError<E> {
    /// The drive's error.
    Drive(E),
    /// No ISO 9660 volume.
    NoVolume,
    /// No such name, or a path too deep.
    NotFound,
    /// A file or directory that would not lie on the disc.
    Damaged,
}

impl<E> From<E> for SearchError<E> {
    fn from(error: E) -> Self {
        SearchError::Drive(error)
    }
}

/// A file or directory on the disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// First sector.
    pub lsn: u32,
    /// Bytes.
    pub size: u32,
    /// The name with its version, zero padded.
    pub name: [u8; NAME_BYTES],
    /// Years since 1900, month, day, hour, minute, second, quarter hours from Greenwich.
    pub date: [u8; 7],
    /// True for a directory.
    pub is_directory: bool,
}

impl Entry {
    /// Whether all of it lies below sector `end`.
    fn ends_by(&self, end: u32) -> bool {
        self.lsn.checked_add(self.size.div_ceil(SECTOR_BYTES as u32)).is_some_and(|behind| behind <= end)
    }
}

/// Little-endian half of a both-endian word.
fn word(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.first_chunk()?))
}

/// Reads a directory record; None when it does not fit its own length.
fn entry_of(record: &[u8]) -> Option<Entry> {
    let name_bytes = usize::from(*record.get(32)?);
    let source = record.get(RECORD_BYTES..RECORD_BYTES + name_bytes)?;
    let mut name = [0; NAME_BYTES];
    for (slot, byte) in name.iter_mut().zip(source) {
        *slot = *byte;
    }
    Some(Entry {
        lsn: word(record.get(2..)?)?,
        size: word(record.get(10..)?)?,
        name,
        date: *record.get(18..)?.first_chunk()?,
        is_directory: record.get(25)? & FLAG_DIRECTORY != 0,
    })
}

/// The record that begins a piece of a directory, and the rest. None at a sector's end.
fn split_record(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = usize::from(*bytes.first()?);
    if length < RECORD_BYTES { None } else { bytes.split_at_checked(length) }
}

/// True when a record's name is the one asked for. A name without a version finds version 1, as the drive's file device
/// adds it.
fn matches(record: &[u8], asked: &[u8]) -> bool {
    let Some(name) = record.get(32).and_then(|length| record.get(RECORD_BYTES..RECORD_BYTES + usize::from(*length)))
    else {
        return false;
    };
    name == asked || !asked.contains(&b';') && name.strip_suffix(b";1") == Some(asked)
}

/// The root directory of the disc, and the sectors that the volume has.
///
/// # Errors
/// The drive's; no volume.
pub fn root<S: Sectors>(disc: &mut S, sector: &mut [u8; SECTOR_BYTES]) -> Result<(Entry, u32), SearchError<S::Error>> {
    disc.read_sector(VOLUME_SECTOR, sector)?;
    if sector[0] != VOLUME_PRIMARY || sector.get(1..6) != Some(VOLUME_IDENTIFIER) {
        return Err(SearchError::NoVolume);
    }
    let record = sector.get(ROOT_RECORD..).and_then(split_record).ok_or(SearchError::NoVolume)?.0;
    let root = entry_of(record).filter(|root| root.is_directory).ok_or(SearchError::NoVolume)?;
    let sectors = sector.get(VOLUME_SECTORS..).and_then(word).ok_or(SearchError::NoVolume)?;
    Ok((root, sectors))
}

/// Calls `each` with every record of a directory until it returns something.
///
/// # Errors
/// The drive's.
pub fn walk<S: Sectors, T>(
    disc: &mut S,
    directory: &Entry,
    sector: &mut [u8; SECTOR_BYTES],
    mut each: impl FnMut(&[u8], Entry) -> Option<T>,
) -> Result<Option<T>, S::Error> {
    let sectors = directory.size.div_ceil(SECTOR_BYTES as u32).min(DIRECTORY_SECTORS);
    for number in 0..sectors {
        disc.read_sector(directory.lsn.wrapping_add(number), sector)?;
        let mut rest = &sector[..];
        while let Some((record, behind)) = split_record(rest) {
            rest = behind;
            if let Some(found) = entry_of(record).and_then(|entry| each(record, entry)) {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// Finds the file or directory at `path`, whose names are separated by `\` or `/`.
///
/// # Errors
/// The drive's; no volume; no such name; something on the way that would lie outside of the volume.
pub fn find<S: Sectors>(
    disc: &mut S,
    path: &[u8],
    sector: &mut [u8; SECTOR_BYTES],
) -> Result<Entry, SearchError<S::Error>> {
    let (mut entry, end) = root(disc, sector)?;
    if !entry.ends_by(end) {
        return Err(SearchError::Damaged);
    }
    let names = path.split(|byte| matches!(byte, b'\\' | b'/')).filter(|name| !name.is_empty());
    for (depth, asked) in names.enumerate() {
        if depth >= DEEPEST || !entry.is_directory {
            return Err(SearchError::NotFound);
        }
        entry = walk(disc, &entry, sector, |record, found| matches(record, asked).then_some(found))?
            .ok_or(SearchError::NotFound)?;
        if !entry.ends_by(end) {
            return Err(SearchError::Damaged);
        }
    }
    Ok(entry)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec;
    use std::vec::Vec;

    struct Image(Vec<[u8; SECTOR_BYTES]>);

    impl Sectors for Image {
        type Error = u32;
        fn read_sector(&mut self, lsn: u32, sector: &mut [u8; SECTOR_BYTES]) -> Result<(), u32> {
            *sector = *self.0.get(lsn as usize).ok_or(lsn)?;
            Ok(())
        }
    }

    fn record(name: &[u8], lsn: u32, size: u32, flags: u8) -> Vec<u8> {
        let length = (RECORD_BYTES + name.len()).next_multiple_of(2);
        let mut record = vec![0; length];
        record[0] = length as u8;
        record[2..6].copy_from_slice(&lsn.to_le_bytes());
        record[10..14].copy_from_slice(&size.to_le_bytes());
        record[18..25].copy_from_slice(&[126, 11, 29, 1, 2, 3, 0]);
        record[25] = flags;
        record[32] = name.len() as u8;
        record[RECORD_BYTES..RECORD_BYTES + name.len()].copy_from_slice(name);
        record
    }

    const VOLUME: u32 = 400;

    /// Sector 18: the root; 19 and 20: a directory in two sectors.
    fn image() -> Image {
        let mut sectors = vec![[0; SECTOR_BYTES]; 21];
        sectors[16][0] = 1;
        sectors[16][1..6].copy_from_slice(b"CD001");
        sectors[16][VOLUME_SECTORS..VOLUME_SECTORS + 4].copy_from_slice(&VOLUME.to_le_bytes());
        let mut put = |sector: usize, at: usize, record: Vec<u8>| {
            sectors[sector][at..at + record.len()].copy_from_slice(&record);
            at + record.len()
        };
        put(16, ROOT_RECORD, record(&[0], 18, 2048, FLAG_DIRECTORY));
        let at = put(18, 0, record(&[0], 18, 2048, FLAG_DIRECTORY));
        let at = put(18, at, record(&[1], 18, 2048, FLAG_DIRECTORY));
        let at = put(18, at, record(b"SYSTEM.CNF;1", 300, 61, 0));
        put(18, at, record(b"DATA", 19, 4096, FLAG_DIRECTORY));
        put(19, 0, record(b"A.BIN;1", 301, 7, 0));
        put(20, 0, record(b"B.BIN;1", 302, 9, 0));
        Image(sectors)
    }

    fn lsn_of(image: &mut Image, path: &[u8]) -> Result<u32, SearchError<u32>> {
        find(image, path, &mut [0; SECTOR_BYTES]).map(|entry| entry.lsn)
    }

    #[test]
    fn files_are_found_by_either_separator_with_or_without_their_version() {
        let mut image = image();
        for path in [&b"\\SYSTEM.CNF;1"[..], b"SYSTEM.CNF;1", b"/SYSTEM.CNF"] {
            assert_eq!(lsn_of(&mut image, path), Ok(300));
        }
        assert_eq!(lsn_of(&mut image, b"\\DATA\\A.BIN;1"), Ok(301));
    }

    #[test]
    fn a_directory_is_searched_in_all_its_sectors() {
        assert_eq!(lsn_of(&mut image(), b"\\DATA\\B.BIN;1"), Ok(302));
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        let mut image = image();
        for path in
            [&b"\\NONE;1"[..], b"\\SYSTEM.CNF;2", b"\\SYSTEM.CNF;1\\X;1", b"\\DATA\\SYSTEM.CNF;1", b"\\system.cnf;1"]
        {
            assert_eq!(lsn_of(&mut image, path), Err(SearchError::NotFound));
        }
    }

    #[test]
    fn a_disc_without_a_volume_says_so_and_a_drive_error_is_passed_on() {
        let mut image = image();
        image.0[16][1] = b'X';
        assert_eq!(lsn_of(&mut image, b"\\SYSTEM.CNF;1"), Err(SearchError::NoVolume));
        assert_eq!(lsn_of(&mut Image(Vec::new()), b"\\SYSTEM.CNF;1"), Err(SearchError::Drive(16)));
    }

    #[test]
    fn damaged_records_end_a_sector_and_a_damaged_size_ends_the_search() {
        let mut image = image();
        // Lengths that are too short, reach past the sector, or hold a longer name than the record.
        for (at, length) in [(0, 1), (0, 32), (0, 255)] {
            let mut damaged = image.0[18];
            damaged[at] = length;
            damaged[32] = 250;
            let mut hostile = Image(image.0.clone());
            hostile.0[18] = damaged;
            assert!(lsn_of(&mut hostile, b"\\NONE;1").is_err());
        }
        image.0[16][ROOT_RECORD + 10..ROOT_RECORD + 14].copy_from_slice(&(0x40 * 2048_u32).to_le_bytes());
        assert_eq!(lsn_of(&mut image, b"\\NONE;1"), Err(SearchError::Drive(21)));
    }

    #[test]
    fn what_would_lie_outside_of_the_volume_is_refused_before_it_is_read() {
        let image = image();
        let with = |sector: usize, at: usize, bytes: &[u8]| {
            let mut hostile = Image(image.0.clone());
            hostile.0[sector][at..at + bytes.len()].copy_from_slice(bytes);
            lsn_of(&mut hostile, b"\\SYSTEM.CNF;1")
        };
        // The file's record is the third of the root: where it lies, and how long it is.
        let record = 34 + 34;
        assert_eq!(with(18, record + 2, &(VOLUME - 1).to_le_bytes()), Ok(VOLUME - 1));
        assert_eq!(with(18, record + 2, &VOLUME.to_le_bytes()), Err(SearchError::Damaged));
        assert_eq!(with(18, record + 2, &u32::MAX.to_le_bytes()), Err(SearchError::Damaged));
        assert_eq!(with(18, record + 10, &u32::MAX.to_le_bytes()), Err(SearchError::Damaged));
        // The root itself, and a volume that is too small for it.
        assert_eq!(with(16, ROOT_RECORD + 2, &u32::MAX.to_le_bytes()), Err(SearchError::Damaged));
        assert_eq!(with(16, VOLUME_SECTORS, &[18, 0, 0, 0]), Err(SearchError::Damaged));
    }
}
