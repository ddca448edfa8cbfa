//! What lies beyond the link to the I/O processor: the link itself, the disc, the cards.

use super::board::Board;
use super::{device, missing};
use crate::boot::streams::{Device, Reason, finish, told};
use crate::ee::sif::Error;
use crate::ee::sif::echo::{Echo, Echoes};
use crate::ee::sif::heap::Heap;
use crate::ee::sif::link::Link;
use crate::ee::streams::allocate;
use crate::ee::{cop0, ticks};
use crate::file_io::name::Crc32;
use crate::file_io::{Read, Region, STREAM_BUFFER_BYTES, StreamDevice};
use crate::game::console::Parts;
use crate::game_modes::memory_card::folder::{KIND, answer};
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
pub fn disc(parts: &mut Parts<'_>, board: &mut Board, results: &Results) -> Outcome {
    let Some(mut device) = device(parts) else { return missing("no module on the IOP") };
    let Some(region) = allocate(STREAM_BUFFER_BYTES) else { return missing("no memory") };
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

/// A memory card, only looked at.
pub fn card(parts: &mut Parts<'_>, port: u32) -> Outcome {
    /// Looks at a card that says that it has changed: the first look after a change says nothing else.
    const LOOKS: u32 = 3;
    /// States of the figure.
    const FORMATTED: u32 = 1;
    const UNFORMATTED: u32 = 2;
    const STRANGE: u32 = 3;
    let Some(card) = parts.card.as_deref_mut() else { return missing("no server of the cards") };
    let mut info = card.info_of(port);
    for _ in 1..LOOKS {
        if info.result == answer::CHANGED || info.result == answer::UNFORMATTED {
            info = card.info_of(port);
        }
    }
    tty_println!("SELFTEST note card {port} {info:?}");
    match (info.kind, info.formatted) {
        (0, _) => Outcome::default(),
        (KIND, true) => Outcome::new(Verdict::Pass, [FORMATTED, info.free]),
        (KIND, false) => Outcome::new(Verdict::Pass, [UNFORMATTED]),
        _ => Outcome::new(Verdict::Difference, [STRANGE]),
    }
}
