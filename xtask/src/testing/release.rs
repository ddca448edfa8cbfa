//! The release: made twice alike, sealed, and fit for the routes that it names.

use super::console::{ended_well, golden, judge, no_complaints};
use super::crashes::another_disc;
use super::packing::read_back;
use super::rig::{Boots, Job, Seen};
use super::{Counts, Rig};
use crate::build::Program;
use crate::context::Context;
use crate::disc::{self, Content, DiscOptions};
use crate::iso::{BOOT_NAME, SECTOR};
use crate::pack;
use crate::process;
use crate::release::{self, ReleaseFile};
use anyhow::{Context as _, Result, ensure};
use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

/// Ticks of the EE's counter in a second.
const TICKS_PER_SECOND: f64 = 294_912_000.0;

/// Makes the release twice, writes it, checks its seals and does to the image what an ESR patcher does.
pub fn release(rig: &mut Rig) -> Result<Counts> {
    let toolchain = rig.toolchain()?;
    let files = release::assemble(&rig.context, &toolchain)?;
    let again = release::assemble(&rig.context, &toolchain)?;
    let mut counts = judge("the release is the same bytes twice", same(&files, &again));
    counts +=
        judge("the image does not tell where its sources lie, how old they are or how their folder lists them", {
            moved(rig, &find(&files, "boardwalk.iso")?.bytes)
        });
    let folder = rig.context.target.join("release-test");
    release::write(&folder, &files)?;
    println!("  {} files, {} bytes", files.len(), files.iter().map(|file| file.bytes.len()).sum::<usize>());
    counts += judge("every file is what its checksum says", {
        release::verify(&folder).and_then(|count| {
            ensure!(count + 1 == files.len(), "{count} of {} files are sealed", files.len());
            Ok(())
        })
    });
    let image = folder.join("boardwalk.iso");
    counts += judge("the program alone is the disc's", {
        find(&files, "boardwalk.elf").and_then(|alone| {
            let disc = program_of(&image)?;
            ensure!(disc == alone.bytes, "{} bytes on the disc, {} alone", disc.len(), alone.bytes.len());
            Ok(())
        })
    });
    counts += judge("the checksums are what the players' page checks them with", summed(&folder));
    counts += judge("no absolute path of this machine is in any file", private(rig, &files));
    counts += judge("an image patched for ESR still holds the game", {
        patch_for_esr(&image).and_then(|()| {
            let disc = program_of(&image)?;
            ensure!(disc == find(&files, "boardwalk.elf")?.bytes, "the patched disc's program differs");
            Ok(())
        })
    });
    std::fs::remove_dir_all(&folder)?;
    Ok(counts)
}

/// Makes the image of a copy of its sources that was made backwards, of another age, under another path.
fn moved(rig: &mut Rig, image: &[u8]) -> Result<()> {
    let (toolchain, game) = (rig.toolchain()?, rig.built(Program::Game)?);
    let sources = rig.context.target.join("tests/moved sources");
    if sources.exists() {
        std::fs::remove_dir_all(&sources)?;
    }
    copy_backwards(&rig.context.root.join("iso"), &sources, &[])?;
    let content = Content::gather_from(&sources, &rig.context, &toolchain, &game)?;
    let options = DiscOptions { name: Some("tests/moved".into()), ..DiscOptions::default() };
    let disc = disc::write(&rig.context, &content, &options)?;
    let again = std::fs::read(&disc.path)?;
    std::fs::remove_dir_all(&sources)?;
    std::fs::remove_file(&disc.path)?;
    let differs = image.iter().zip(&again).position(|(a, b)| a != b);
    ensure!(differs.is_none() && image.len() == again.len(), "the bytes differ from {differs:?} on");
    Ok(())
}

/// Makes the release of a copy of the whole tree, in another place and with another folder for what is built, where nothing has
/// been built before.
pub fn elsewhere(rig: &mut Rig) -> Result<Counts> {
    let toolchain = rig.toolchain()?;
    let here = release::assemble(&rig.context, &toolchain)?;
    let place = rig.context.target.join("tests/elsewhere");
    if place.exists() {
        std::fs::remove_dir_all(&place)?;
    }
    let there =
        Context { root: place.join("another tree"), target: place.join("built"), cache: rig.context.cache.clone() };
    copy_backwards(&rig.context.root, &there.root, &["target", ".git"])?;
    let built = release::assemble(&there, &toolchain)?;
    for (files, place) in [(&here, "here"), (&built, "there")] {
        println!("  {} {place}: {}", release::CHECKSUMS, release::sha256(&find(files, release::CHECKSUMS)?.bytes));
    }
    std::fs::remove_dir_all(&place)?;
    Ok(judge("a copy of the tree in another place, built anew, gives the same bytes", same(&here, &built)))
}

/// Copies a folder but for what is called like some names, the last name first, with files as old as the console.
fn copy_backwards(from: &Path, to: &Path, without: &[&str]) -> Result<()> {
    const SECONDS_UNTIL_2000: u64 = 946_684_800;
    std::fs::create_dir_all(to)?;
    let mut names: Vec<OsString> =
        std::fs::read_dir(from)?.map(|entry| entry.map(|entry| entry.file_name())).collect::<std::io::Result<_>>()?;
    names.retain(|name| !without.iter().any(|other| name == other));
    names.sort();
    for name in names.into_iter().rev() {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            copy_backwards(&from, &to, &[])?;
        } else {
            std::fs::write(&to, std::fs::read(&from)?)?;
            File::options()
                .write(true)
                .open(&to)?
                .set_modified(UNIX_EPOCH + Duration::from_secs(SECONDS_UNTIL_2000))?;
        }
    }
    Ok(())
}

/// The packed program unpacks itself and does what the program does that it was made of.
pub fn packed(rig: &mut Rig) -> Result<Counts> {
    /// Bytes in a second from a stick on the console's USB ports, as loaders read it.
    ///
    /// Source: what people report of loaders.
    const USB_BYTES: f64 = 1_000_000.0;
    let start_code = std::fs::read(rig.built(Program::Unpack)?.elf)?;
    let plain = rig.content()?.program_told("title frames=60 hold")?;
    let packed = pack::program(&start_code, &plain)?;
    let folder = rig.context.target.join("tests");
    std::fs::create_dir_all(&folder)?;
    let mut boot = |name: &str, program: &[u8]| -> Result<Seen> {
        let path = folder.join(format!("{name}.elf"));
        std::fs::write(&path, program)?;
        rig.boot(&Job { boots: Boots::Elf(path), ..Job::new(name, "") })
    };
    let (as_it_is, unpacked) = (boot("plain", &plain)?, boot("packed", &packed)?);
    let mut counts = Counts::default();
    for (seen, what) in [(&as_it_is, "the program"), (&unpacked, "the packed program")] {
        counts += judge(&format!("{what} runs without a disc's loader"), {
            ended_well(seen).and_then(|()| no_complaints(seen))
        });
    }
    counts += judge("both say the same", {
        let said = |seen: &Seen| -> Vec<String> {
            seen.lines.iter().filter(|line| line.starts_with("BOARDWALK ")).cloned().collect()
        };
        let (plain, packed) = (said(&as_it_is), said(&unpacked));
        if plain == packed { Ok(()) } else { Err(anyhow::anyhow!("{plain:?} and {packed:?}")) }
    });
    counts += without_disc(rig, &start_code)?;
    counts += judge("packing spares a slow loader more time than unpacking takes", {
        unpacking(&unpacked).and_then(|took| {
            let spared = (plain.len() - packed.len()) as f64 / USB_BYTES;
            println!(
                "  {} bytes packed, {} as they are: {spared:.2} s less from USB, {took:.2} s to unpack (emulated)",
                packed.len(),
                plain.len()
            );
            // The emulated caches cost nothing: a console takes longer.
            ensure!(4.0 * took < spared, "it is not worth it");
            Ok(())
        })
    });
    Ok(counts)
}

/// The program alone, packed or not, with no disc or another one in the drive: it asks for the game's.
fn without_disc(rig: &mut Rig, start_code: &[u8]) -> Result<Counts> {
    const ARGUMENTS: &str = "quick lockstep frames=120 hold";
    let plain = rig.content()?.program_told(ARGUMENTS)?;
    let packed = pack::program(start_code, &plain)?;
    let mut cases = Vec::new();
    for (name, bytes) in [("without-disc", &plain), ("without-disc-packed", &packed)] {
        let path = rig.context.target.join("tests").join(format!("{name}.elf"));
        std::fs::write(&path, bytes)?;
        cases.push((name, Boots::Elf(path)));
    }
    cases.push(("another-disc", another_disc(rig, ARGUMENTS)?));
    let mut counts = Counts::default();
    for (name, boots) in cases {
        let seen = rig.boot(&Job { boots, ..Job::new(name, "") })?;
        counts += judge(&format!("{name}: the program asks for its disc on the screen"), {
            ended_well(&seen).and_then(|()| no_complaints(&seen)).and_then(|()| golden(rig, &seen, "without-disc"))
        });
    }
    Ok(counts)
}

/// Seconds that the start code took, by its own line.
fn unpacking(seen: &Seen) -> Result<f64> {
    let line = seen.lines.iter().find_map(|line| line.strip_prefix("UNPACKED cycles 0x"));
    let cycles = u32::from_str_radix(line.context("nothing was unpacked")?.trim(), 16)?;
    Ok(f64::from(cycles) / TICKS_PER_SECOND)
}

/// Checks the folder as the players' page says.
fn summed(folder: &Path) -> Result<()> {
    let mut command = Command::new("sha256sum");
    process::run(command.current_dir(folder).args(["--check", "--quiet", release::CHECKSUMS]), "checking the sums")?;
    Ok(())
}

fn same(first: &[ReleaseFile], second: &[ReleaseFile]) -> Result<()> {
    ensure!(first.len() == second.len(), "{} files and {}", first.len(), second.len());
    let mut differing = Vec::new();
    for (a, b) in first.iter().zip(second).filter(|(a, b)| a != b) {
        let at = a.bytes.iter().zip(&b.bytes).position(|(a, b)| a != b);
        differing.push(format!("{} (from byte {at:?} of {} and {} on)", a.path, a.bytes.len(), b.bytes.len()));
    }
    ensure!(differing.is_empty(), "these differ: {}", differing.join(", "));
    Ok(())
}

fn find<'a>(files: &'a [ReleaseFile], path: &str) -> Result<&'a ReleaseFile> {
    files.iter().find(|file| file.path == path).with_context(|| format!("no {path}"))
}

fn private(rig: &Rig, files: &[ReleaseFile]) -> Result<()> {
    let home = std::env::var("HOME").unwrap_or_default();
    let places = [rig.context.root.display().to_string(), format!("{home}/"), "/rustlib/src/".to_owned()];
    for file in files {
        for place in places.iter().filter(|place| place.len() > 1) {
            let found = file.bytes.windows(place.len()).any(|window| window == place.as_bytes());
            ensure!(!found, "{} holds {place}", file.path);
        }
    }
    Ok(())
}

/// The bytes of the program on an image, by an independent reader.
fn program_of(image: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    read_back(image, BOOT_NAME, &mut bytes)?;
    Ok(bytes)
}

/// Looks whether a sector holds a whole UDF partition descriptor, and where its partition begins.
///
/// Source: UDF 1.02 and ECMA-167 3/7.2 and 3/10.5 (tag: identifier, version, checksum, CRC over so many bytes, place).
fn check_partition(sector: &[u8], start: Option<usize>) -> Result<()> {
    let half = |at: usize| u16::from_le_bytes([sector[at], sector[at + 1]]);
    ensure!((half(0), half(2)) == (5, 2), "it holds no partition descriptor");
    let sum = (0..16).filter(|at| *at != 4).fold(0u8, |sum, at| sum.wrapping_add(sector[at]));
    ensure!(sum == sector[4], "the tag's checksum is {}, not {sum}", sector[4]);
    let covered = sector.get(16..16 + usize::from(half(10))).context("the tag covers more than the sector")?;
    ensure!(crate::iso::crc16(covered) == half(8), "the descriptor's CRC is wrong");
    let begin = usize::from(half(0xBC));
    ensure!(half(0xBE) == 0 && start.unwrap_or(begin) == begin && begin > 0, "the partition begins at {begin}");
    Ok(())
}

/// Does to an image what ESR patchers do. The third-party blocks that they write are stood in for by a pattern.
///
/// Source: the ESR patcher's published steps.
fn patch_for_esr(path: &Path) -> Result<()> {
    const MAIN: usize = 34;
    const RESERVE: usize = 50;
    const COPIES: [usize; 2] = [14, 15];
    const VIDEO: usize = 128;
    const VIDEO_SECTORS: usize = 12;
    const SECTOR_BYTES: usize = SECTOR as usize;
    let mut image = std::fs::read(path)?;
    let at = |sector: usize| sector * SECTOR_BYTES..(sector + 1) * SECTOR_BYTES;
    ensure!((17..=79).any(|sector| image[at(sector)][1..].starts_with(b"NSR")), "no NSR descriptor");
    ensure!(!image[at(COPIES[0])][25..].starts_with(b"+NSR"), "it is patched already");
    for used in COPIES.into_iter().chain(VIDEO..VIDEO + VIDEO_SECTORS) {
        ensure!(image[at(used)].iter().all(|byte| *byte == 0), "sector {used}, which the patcher writes, is in use");
    }
    for (from, to) in [(MAIN, COPIES[0]), (RESERVE, COPIES[1])] {
        image.copy_within(at(from), at(to).start);
        let sector = &mut image[at(from)];
        check_partition(sector, None).with_context(|| format!("sector {from} before the patch"))?;
        // The partition's start.
        sector[0xBC..0xBE].copy_from_slice(&[VIDEO as u8, 0]);
        let length = usize::from(u16::from_le_bytes([sector[10], sector[11]]));
        let sum = crate::iso::crc16(&sector[16..16 + length]);
        sector[8..10].copy_from_slice(&sum.to_le_bytes());
        sector[4] = 0;
        sector[4] = sector[..16].iter().fold(0, |sum, byte| sum.wrapping_add(*byte));
    }
    image[at(VIDEO).start..at(VIDEO + VIDEO_SECTORS).start].fill(0xE5);
    std::fs::write(path, &image)?;
    // What a player's drive finds: both descriptors whole and leading to the patch, and the old ones where they are looked for.
    let image = std::fs::read(path)?;
    for (from, to) in [(MAIN, COPIES[0]), (RESERVE, COPIES[1])] {
        check_partition(&image[at(from)], Some(VIDEO)).with_context(|| format!("sector {from} after the patch"))?;
        check_partition(&image[at(to)], None).with_context(|| format!("the copy in sector {to}"))?;
    }
    Ok(())
}
