//! The disc image: one ISO 9660 level 1 volume with a UDF 1.02 bridge over the same file data.
//!
//! Files lie in the order that the console reads them: `SYSTEM.CNF`, the program, then the folders in name order, so
//! that streamed archives live in a folder whose name sorts last. Every file begins on a sector, the end is padded with
//! zero sectors so that read-ahead past the last file never fails, and nothing in the image depends on the clock or the
//! machine: the same tree gives the same bytes.
//!
//! Source: settled questions 27 and 33.

mod bridge;

pub use bridge::crc16;

use anyhow::{Context as _, Result, bail, ensure};
use hadris_fs::{Content, DateTime, Node, Tree};
use hadris_iso::{IsoId, IsoLevel, IsoOptions};
use hadris_storage::host::FileDevice;
use hadris_udf::{UdfId, UdfOptions, UdfRevision};
use std::fs::File;
use std::path::Path;

/// Bytes of a sector.
pub const SECTOR: u64 = 2048;
/// Zero sectors after the last file. Source: settled questions 27.
pub const END_PADDING: u64 = 150;
/// The image's length is a multiple of this many sectors. Source: settled questions 27.
pub const LENGTH_MULTIPLE: u64 = 16;
/// The first sector that file data may use: the UDF bridge and the space that ESR patchers write to lie below.
pub const FIRST_DATA_SECTOR: u64 = 263;
/// The program's name on the disc.
///
/// Our choice: it looks like a serial because loaders take the game's id from it, and no game of the emulator's database
/// has it, so that no other game's fixes apply to ours.
pub const BOOT_NAME: &str = "BWLK_100.01";

/// 2026-01-01T00:00:00Z, the date of every entry.
const IMAGE_SECONDS: i64 = 1_767_225_600;

/// One file of the disc.
#[derive(Debug, Clone)]
pub struct DiscFile {
    /// Where it lies, with `/` between folders, in upper-case 8.3 names.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// Where a file went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The file's path.
    pub path: String,
    /// Its first sector.
    pub sector: u64,
    /// Its length in bytes.
    pub length: u64,
}

/// What was written.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Every file in the order of its place on the disc.
    pub files: Vec<Placed>,
    /// Sectors of the whole image.
    pub sectors: u64,
}

/// The line of `SYSTEM.CNF` that names a program in the root folder.
pub fn boot_line(program: &str) -> String {
    format!("BOOT2 = cdrom0:\\{program};1")
}

/// The serial that loaders and emulators take from a program's name: `BWLK_100.01` is `BWLK-10001`.
pub fn serial(program: &str) -> String {
    program.replace('_', "-").replace('.', "")
}

/// Writes the image and returns where everything lies.
///
/// # Errors
/// A name that is not upper-case 8.3, two files of one name, more than 64 entries in a folder, or a failed write.
pub fn write(output: &Path, files: &[DiscFile]) -> Result<Layout> {
    let mut tree = Tree::new();
    for file in files {
        check_path(&file.path)?;
        tree.insert(&file.path, Node::file(Content::bytes(file.bytes.clone())))
            .with_context(|| format!("cannot put {} on the disc", file.path))?;
    }
    let time = DateTime::from_unix_seconds(IMAGE_SECONDS).context("the image date is out of range")?;
    let udf = UdfOptions::default()
        .with_id(UdfId::Volume, "BOARDWALK")
        .with_id(UdfId::LogicalVolume, "BOARDWALK")
        .with_revision(UdfRevision::V1_02)
        .with_time(time);
    let iso = iso_options(time);
    // The bridge writer adds to the length it is asked for, so the round length is found by planning.
    let planned = |blocks: u64| -> Result<u64> {
        let iso = iso.clone().with_min_image_blocks(blocks);
        Ok(hadris_udf::plan_bridge(&tree, &iso, &udf)?.size() / SECTOR)
    };
    let goal = planned(0)?.next_multiple_of(LENGTH_MULTIPLE);
    let added = planned(goal)? - goal;
    let iso = iso.clone().with_min_image_blocks(goal - added);

    if let Some(folder) = output.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let partial = output.with_extension("iso.partial");
    let file = File::options().read(true).write(true).create(true).truncate(true).open(&partial)?;
    let report = hadris_udf::sync::write_bridge(FileDevice::new(file)?, &tree, &iso, &udf)
        .with_context(|| format!("cannot write {}", partial.display()))?;
    if let Some(warning) = report.warnings().first() {
        bail!("the disc image lost something: {warning}");
    }
    let sectors = report.size() / SECTOR;
    bridge::move_sequences(&File::options().read(true).write(true).open(&partial)?, sectors)?;
    std::fs::rename(&partial, output)?;

    let mut placed = Vec::new();
    for (path, extents) in report.files() {
        let [extent] = extents else { bail!("{path:?} lies in {} pieces", extents.len()) };
        placed.push(Placed {
            path: String::from_utf8_lossy(path.as_bytes()).into_owned(),
            sector: extent.offset() / SECTOR,
            length: extent.len(),
        });
    }
    placed.sort_by_key(|file| file.sector);
    check_layout(&placed, sectors)?;
    Ok(Layout { files: placed, sectors })
}

fn iso_options(time: DateTime) -> IsoOptions {
    IsoOptions::default()
        .with_id(IsoId::System, "PLAYSTATION")
        .with_id(IsoId::Volume, "BOARDWALK")
        .with_id(IsoId::Application, "BOARDWALK")
        .with_level(IsoLevel::L1)
        .with_min_blocks(FIRST_DATA_SECTOR - 1)
        .with_time(time)
}

/// A path the console's file system can find: at most 8 levels, upper-case 8.3 names.
fn check_path(path: &str) -> Result<()> {
    let parts: Vec<&str> = path.split('/').collect();
    ensure!(parts.len() <= 8, "{path}: at most 8 levels of folders can be read on a console");
    for part in parts {
        let (stem, extension) = part.split_once('.').unwrap_or((part, ""));
        let plain = |text: &str| text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
        ensure!(
            (1..=8).contains(&stem.len()) && extension.len() <= 3 && plain(stem) && plain(extension),
            "{path}: use upper-case 8.3 names (A-Z, 0-9, _)"
        );
    }
    Ok(())
}

fn check_layout(files: &[Placed], sectors: u64) -> Result<()> {
    let first = files.first().context("the disc has no files")?;
    ensure!(first.sector >= FIRST_DATA_SECTOR, "{} begins at {}, below the bridge's end", first.path, first.sector);
    let end = files.iter().map(|file| file.sector + file.length.div_ceil(SECTOR)).max().unwrap_or(0);
    ensure!(sectors >= end + END_PADDING, "only {} sectors follow the last file", sectors - end);
    ensure!(sectors.is_multiple_of(LENGTH_MULTIPLE), "{sectors} sectors are no multiple of {LENGTH_MULTIPLE}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<DiscFile> {
        let file = |path: &str, bytes: Vec<u8>| DiscFile { path: path.into(), bytes };
        vec![
            file("STREAM/LEVEL1.WAD", vec![7; 70_000]),
            file("SYSTEM.CNF", boot_line(BOOT_NAME).into_bytes()),
            file("IOP/BWIOP.IRX", vec![3; 2049]),
            file(BOOT_NAME, (0..5000u32).map(|i| (i * 7) as u8).collect()),
        ]
    }

    fn image() -> (tempfile::TempDir, std::path::PathBuf, Layout) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("disc.iso");
        let layout = write(&path, &sample()).unwrap();
        (folder, path, layout)
    }

    #[test]
    fn the_crash_screen_begins_the_discs_program_anew() {
        assert_eq!(boardwalk::crash::DISC_PROGRAM.to_str().unwrap(), format!("cdrom0:\\{BOOT_NAME};1"));
    }

    #[test]
    fn an_independent_reader_finds_every_file_with_its_bytes() {
        let (_folder, path, layout) = image();
        for parse in [isomage::iso9660::parse_iso9660::<File>, isomage::udf::parse_udf::<File>] {
            let mut disc = File::open(&path).unwrap();
            let root = parse(&mut disc).unwrap();
            for file in sample() {
                let node = root.find_node(&file.path).unwrap_or_else(|| panic!("{} is missing", file.path));
                let mut bytes = Vec::new();
                isomage::cat_node(&mut disc, node, &mut bytes).unwrap();
                assert_eq!(bytes, file.bytes, "{}", file.path);
            }
        }
        assert_eq!(layout.files.len(), sample().len());
    }

    #[test]
    fn boot_files_come_first_and_streams_last() {
        let (_folder, _path, layout) = image();
        let order: Vec<&str> = layout.files.iter().map(|f| f.path.trim_start_matches('/')).collect();
        assert_eq!(order, [BOOT_NAME, "SYSTEM.CNF", "IOP/BWIOP.IRX", "STREAM/LEVEL1.WAD"]);
    }

    #[test]
    fn the_end_is_zero_and_the_length_is_round() {
        let (_folder, path, layout) = image();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes.len() as u64, layout.sectors * SECTOR);
        assert!(layout.sectors.is_multiple_of(LENGTH_MULTIPLE));
        let padding = &bytes[bytes.len() - (END_PADDING * SECTOR) as usize..];
        assert!(padding.iter().all(|&b| b == 0));
    }

    #[test]
    fn the_same_tree_gives_the_same_bytes() {
        let (_a, first, _) = image();
        let (_b, second, _) = image();
        assert!(std::fs::read(first).unwrap() == std::fs::read(second).unwrap());
    }

    /// Source: the ESR patcher's steps: an NSR descriptor, partition descriptors at 34 and 50 whose start it rewrites
    /// and whose CRC it renews, and room for its own blocks.
    #[test]
    fn the_bridge_is_laid_out_as_esr_patchers_need_it() {
        let (_folder, path, layout) = image();
        let bytes = std::fs::read(path).unwrap();
        let sector = |n: u64| &bytes[(n * SECTOR) as usize..((n + 1) * SECTOR) as usize];
        let half = |s: &[u8], at: usize| u16::from_le_bytes([s[at], s[at + 1]]);
        assert!((17..=79).any(|n| sector(n)[1..4] == *b"NSR"), "no NSR descriptor in 17..=79");
        for (n, id) in [(34, 5), (50, 5), (256, 2), (layout.sectors - bridge::TAIL, 2)] {
            let s = sector(n);
            assert_eq!(half(s, 0), id, "the descriptor in sector {n}");
            assert_eq!(u64::from(half(s, 12)), n, "the tag's place in sector {n}");
            assert_eq!(half(s, 8), bridge::crc16(&s[16..16 + usize::from(half(s, 10))]), "the CRC in sector {n}");
            let sum =
                s[..16].iter().enumerate().filter(|&(at, _)| at != 4).fold(0u8, |sum, (_, &b)| sum.wrapping_add(b));
            assert_eq!(s[4], sum, "the tag checksum in sector {n}");
        }
        for n in [14, 15].into_iter().chain(128..140) {
            assert!(sector(n).iter().all(|&b| b == 0), "sector {n} is in use");
        }
        assert!(layout.files[0].sector >= FIRST_DATA_SECTOR);
    }

    #[test]
    fn names_the_console_cannot_read_are_refused() {
        for bad in ["lower.cnf", "TOOLONGNAME.X", "A.LONG", "A B", "", "A/B/C/D/E/F/G/H/I"] {
            assert!(check_path(bad).is_err(), "{bad} was taken");
        }
    }

    #[test]
    fn the_serial_is_read_from_the_name_as_loaders_do() {
        assert_eq!(serial("SLUS_123.45"), "SLUS-12345");
    }
}
