//! What lies beyond the link to the I/O processor: the link itself, the disc, the cards.

use super::board::Board;
use super::{Bench, device, missing, person};
use crate::boot::streams::{Device, Reason, finish, told};
use crate::ee::cards::CardRpc;
use crate::ee::sif::Error;
use crate::ee::sif::echo::{Echo, Echoes};
use crate::ee::sif::heap::Heap;
use crate::ee::sif::link::Link;
use crate::ee::{cop0, ticks};
use crate::file_io::name::Crc32;
use crate::file_io::{Read, Region, StreamDevice};
use crate::game::console::Parts;
use crate::game_modes::memory_card::folder::{CardServer as _, KIND, answer, flag};
use crate::selftest::sums::{self, Sum};
use crate::selftest::{Outcome, Results, Verdict};
use crate::tty_println;
use alloc::vec::Vec;

/// Sizes of the echoes, in bytes.
const SIZES: [usize; 7] = [16, 32, 48, 64, 1_008, 4_096, 16_384];
/// Where they begin: behind a line here, behind a quadword there, behind a line on their way back.
const PLACES: [(usize, u32, usize); 6] = [(0, 0, 0), (16, 0, 0), (0, 4, 0), (0, 0, 48), (48, 12, 16), (32, 8, 32)];

/// Echoes of all sizes from and to all places.
pub fn sif(parts: &Parts<'_>) -> Outcome {
    let Some(link) = parts.link else { return missing("no link") };
    match echoes(&mut link.borrow_mut()) {
        Ok(Some(outcome)) => outcome,
        Ok(None) => missing("no memory on the IOP"),
        Err(error) => {
            tty_println!("SELFTEST note {error}");
            missing("no echo")
        }
    }
}

fn echoes(link: &mut Link) -> Result<Option<Outcome>, Error> {
    let heap = Heap::bind(link)?;
    let Some(mut echoes) = Echoes::open(link, &heap)? else { return Ok(None) };
    let (mut wrong, mut bytes, mut seed, begin) = (0, 0, 0_u8, cop0::count());
    for size in SIZES {
        for (source, there, destination) in PLACES {
            seed = seed.wrapping_add(1);
            let echo = Echo { bytes: size, source, there, destination };
            if !echoes.run(link, echo, seed)? {
                wrong += 1;
                tty_println!("SELFTEST note {echo:?} came back wrong");
            }
            bytes += size as u32;
        }
    }
    let rate = rate(bytes, cop0::count().wrapping_sub(begin));
    echoes.close(link, &heap)?;
    Ok(Some(Outcome::new(Verdict::of(wrong == 0), [wrong, bytes >> 10, rate])))
}

/// Kilobytes a second.
fn rate(bytes: u32, cycles: u32) -> u32 {
    (u64::from(bytes) * u64::from(ticks::PER_SECOND) / 1_024 / u64::from(cycles.max(1))) as u32
}

/// Every file of the disc against its sum.
pub fn disc(bench: &mut Bench<'_, '_>, board: &mut Board, results: &Results) -> Outcome {
    let Some(mut device) = device(bench.parts) else { return missing("no module on the IOP") };
    let Some(region) = bench.buffer() else { return missing("no memory") };
    let parts = &mut *bench.parts;
    let list = match list(&mut device, region) {
        Ok(list) => list,
        Err(reason) => return missing(reason),
    };
    let Some(files) = sums::read(&list) else { return missing("the list of files is broken") };
    let (mut wrong, mut count, mut kilobytes, mut cycles) = (0, 0, 0_u32, 0_u64);
    for sum in files {
        let Some(sum) = sum else { return missing("the list of files is broken") };
        board.note = "disc: every file";
        if let Some(display) = parts.display.as_deref_mut() {
            board.show(display, results);
        }
        count += 1;
        match file(&mut device, region, &sum) {
            Ok(spent) => {
                kilobytes += sum.bytes >> 10;
                cycles += spent;
                tty_println!("SELFTEST note {} {} bytes in {} ms", sum.path, sum.bytes, spent / 294_912);
            }
            Err(reason) => {
                wrong += 1;
                tty_println!("SELFTEST note {}: {reason}", sum.path);
            }
        }
    }
    let rate = u64::from(kilobytes) * u64::from(ticks::PER_SECOND) / cycles.max(1);
    let retries = device.status().retries;
    Outcome::new(Verdict::of(wrong == 0 && count > 0), [wrong, count, rate as u32, retries])
}

fn list(device: &mut Device<'_>, region: Region) -> Result<Vec<u8>, Reason> {
    device.open(sums::DEVICE_PATH).map_err(told)?;
    let bytes = finish(device).map_err(told)?.min(region.bytes());
    device.start(Read { offset: 0, length: bytes, destination: region }).map_err(told)?;
    finish(device).map_err(told)?;
    Ok(device.landed(region, bytes).into())
}

/// Reads a file and compares; the cycles that reading took.
fn file(device: &mut Device<'_>, region: Region, sum: &Sum<'_>) -> Result<u64, Reason> {
    device.open(sum.path).map_err(told)?;
    if finish(device).map_err(told)? != sum.bytes {
        return Err("its length is another");
    }
    let (mut crc, mut at, mut cycles) = (Crc32::default(), 0, 0_u64);
    while at < sum.bytes {
        let length = region.bytes().min(sum.bytes - at);
        let begin = cop0::count();
        device.start(Read { offset: at, length, destination: region }).map_err(told)?;
        finish(device).map_err(told)?;
        cycles += u64::from(cop0::count().wrapping_sub(begin));
        crc.add(device.landed(region, length));
        at += length;
    }
    if crc.value() == sum.crc { Ok(cycles) } else { Err("its bytes are others") }
}

/// What the figure says of a card.
mod state {
    pub const FORMATTED: u32 = 1;
    pub const UNFORMATTED: u32 = 2;
    pub const STRANGE: u32 = 3;
    /// A file was written, read back and removed again.
    pub const WRITTEN: u32 = 4;
    /// That went wrong.
    pub const UNWRITTEN: u32 = 5;
}

/// The file that is written when somebody asks for it, and its bytes: more than a block of the card.
const TEST_FILE: &str = "/BWTEST.TMP";
const TEST_BYTES: usize = 20_000;
/// Bytes that are written or read at a time.
const PIECE: usize = 256;
/// Clusters that must be free for it: its own and some of the tables'.
const TEST_CLUSTERS: u32 = TEST_BYTES.div_ceil(1024) as u32 + 4;

/// A memory card, only looked at unless somebody asks for more.
pub fn card(bench: &mut Bench<'_, '_>, board: &mut Board, results: &Results, port: u32) -> Outcome {
    /// Looks at a card that says that it has changed: the first look after a change says nothing else.
    const LOOKS: u32 = 3;
    let Some(card) = bench.parts.card.as_deref_mut() else { return missing("no server of the cards") };
    let mut info = card.info_of(port);
    for _ in 1..LOOKS {
        if info.result == answer::CHANGED || info.result == answer::UNFORMATTED {
            info = card.info_of(port);
        }
    }
    tty_println!("SELFTEST note card {port} {info:?}");
    match (info.kind, info.formatted) {
        (0, _) => return Outcome::default(),
        (KIND, false) => return Outcome::new(Verdict::Pass, [state::UNFORMATTED]),
        (KIND, true) => {}
        _ => return Outcome::new(Verdict::Difference, [state::STRANGE]),
    }
    if info.free < TEST_CLUSTERS || !person::asks_to_write(bench, board, results) {
        return Outcome::new(Verdict::Pass, [state::FORMATTED, info.free]);
    }
    let Some(card) = bench.parts.card.as_deref_mut() else { return missing("no server of the cards") };
    card.select(port);
    let written = write_and_read(card);
    card.select(0);
    match written {
        Ok(()) => Outcome::new(Verdict::Pass, [state::WRITTEN, info.free]),
        Err(reason) => {
            tty_println!("SELFTEST note card {port} {reason}");
            Outcome::new(Verdict::Fail, [state::UNWRITTEN, info.free])
        }
    }
}

/// What the file holds from a place on.
fn pattern(from: usize, bytes: &mut [u8]) {
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = (((from + place) * 31) >> 3) as u8 ^ (from + place) as u8;
    }
}

/// Writes the file, reads it back and removes it. A file of that name from a test that was broken off is written anew.
fn write_and_read(card: &mut CardRpc) -> Result<(), Reason> {
    let file = card.open(TEST_FILE, flag::WRITE);
    if file < 0 {
        return Err("the file cannot be made");
    }
    let (mut wanted, mut read) = ([0; PIECE], [0; PIECE]);
    let mut whole = true;
    for from in (0..TEST_BYTES).step_by(PIECE) {
        let piece = PIECE.min(TEST_BYTES - from);
        pattern(from, &mut wanted[..piece]);
        whole &= card.write(file, &wanted[..piece]) == piece as i32;
    }
    whole &= card.close(file) >= 0;
    let file = card.open(TEST_FILE, flag::READ);
    let mut same = file >= 0;
    for from in (0..TEST_BYTES).step_by(PIECE) {
        let piece = PIECE.min(TEST_BYTES - from);
        pattern(from, &mut wanted[..piece]);
        same = same && card.read(file, &mut read[..piece]) == piece as i32 && read[..piece] == wanted[..piece];
    }
    if file >= 0 {
        same &= card.close(file) >= 0;
    }
    let gone = card.remove(TEST_FILE) >= 0;
    match (whole, same, gone) {
        (false, ..) => Err("the file cannot be written"),
        (_, false, _) => Err("the file does not read back"),
        (.., false) => Err("the file cannot be removed"),
        _ => Ok(()),
    }
}
