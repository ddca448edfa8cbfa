//! How quickly data comes, and what that costs the EE.

use super::sounds::{MUSIC, VOLUME};
use super::{Archive, Device, PATIENCE, Reason, listen, next_frame, told};
use crate::ee::{cop0, ticks};
use crate::file_io::archive::Entry;
use crate::file_io::{DeviceState, Read, Region, SECTOR_BYTES, StreamDevice};
use crate::tty_println;
use boardwalk_iop::protocol::Command;

/// The file that is read for its length alone; discs without it read their music instead.
const FILLER: &str = "test/filler.bin";
/// Microseconds that a sector and a seek take in the slow run: 1.4 MB/s and 160 ms.
///
/// Source: console rules 14
pub const SLOW: Command = Command::Throttle { sector: 1_463, seek: 160_000 };
/// Megabytes of a measurement.
const MEGABYTES: u32 = 4;
/// Megabytes of the one beside music: long enough for the drive to turn to the music several times.
const MEGABYTES_BESIDE: u32 = 24;
/// Bytes of a piece of the measurement that seeks, and how many are read.
const SEEKING: (u32, u32) = (64 << 10, 24);
/// Looks in a row in which the music's voices may seem to stand: an answer is a frame old, and each second frame asks for one.
const MOST_STILL: u32 = 6;
/// Shown frames of a minute.
const FRAMES_PER_MINUTE: u32 = 1_800;

fn long_file(archive: &Archive) -> Result<Entry, Reason> {
    archive.find(FILLER).or_else(|_| archive.find(MUSIC))
}

/// The emulated drive's full rate, and a console's.
pub fn alone(device: &mut Device<'_>, region: Region, archive: &Archive) -> Result<(), Reason> {
    let file = long_file(archive)?;
    measure(device, region, file, MEGABYTES << 20, "full", Order::Through)?;
    device.post(&SLOW);
    measure(device, region, file, MEGABYTES << 20, "slow", Order::Through)?;
    measure(device, region, file, SEEKING.0 * SEEKING.1, "seeking", Order::ByTurns)
}

/// A console's rate while music plays.
pub fn beside_music(device: &mut Device<'_>, region: Region, archive: &Archive) -> Result<(), Reason> {
    measure(device, region, long_file(archive)?, MEGABYTES_BESIDE << 20, "beside-music", Order::Through)
}

/// In which order a file's pieces are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// As much as the region holds, one after the other, round and round.
    Through,
    /// Small ones from its first and its second half by turns: each needs a seek.
    ByTurns,
}

impl Order {
    /// Where the read of a number begins and how long it is, the last one having ended at `at`.
    fn next(self, number: u32, at: u32, file: Entry, region: Region) -> (u32, u32) {
        match self {
            Self::Through => (at, region.bytes().min(file.size - at)),
            Self::ByTurns => {
                // Halves begin with sectors.
                let half = (file.size / 2) & !(SECTOR_BYTES - 1);
                ((number / 2 * SEEKING.0) % (half - SEEKING.0) + number % 2 * half, SEEKING.0)
            }
        }
    }
}

/// Reads the file in an order, served once a frame as the game does it, and prints its time and the EE's own share.
fn measure(
    device: &mut Device<'_>,
    region: Region,
    file: Entry,
    bytes: u32,
    name: &str,
    order: Order,
) -> Result<(), Reason> {
    let begin = cop0::count();
    let mut frame = begin;
    let mut spent = Spent::default();
    let (mut read, mut at, mut is_reading, mut number) = (0, 0, false, 0);
    while read < bytes {
        let look = cop0::count();
        // A frame finishes a read or starts one, as the file manager does.
        if !is_reading {
            let (from, length) = order.next(number, at, file, region);
            device.start(Read { offset: file.offset + from, length, destination: region }).map_err(told)?;
            (is_reading, number) = (true, number + 1);
        } else if let DeviceState::Done(length) = ended(device.poll())? {
            read += length;
            at = if at + length < file.size { at + length } else { 0 };
            is_reading = false;
        }
        spent.add(cop0::count().wrapping_sub(look));
        if spent.frames > PATIENCE / ticks::PER_SECOND * 30 && read == 0 {
            return Err("a read takes too long");
        }
        next_frame(&mut frame);
    }
    let took = u64::from(spent.frames) * u64::from(super::FRAME);
    let rate = u64::from(read) * u64::from(ticks::PER_SECOND) / took.max(1) / 1000;
    tty_println!(
        "FACT stream {name} bytes {read} ticks {took} busy {} worst {} per-megabyte {} kilobytes-a-second {rate}",
        spent.total,
        spent.worst,
        spent.total / (read >> 20).max(1)
    );
    Ok(())
}

/// The EE's time in frames.
#[derive(Default)]
struct Spent {
    frames: u32,
    total: u32,
    worst: u32,
}

impl Spent {
    fn add(&mut self, busy: u32) {
        self.frames += 1;
        self.total += busy;
        self.worst = self.worst.max(busy);
    }
}

fn ended(state: DeviceState) -> Result<DeviceState, Reason> {
    match state {
        DeviceState::Failed(fault) => Err(told(fault)),
        other => Ok(other),
    }
}

/// Music beside data at a console's pace, for minutes: no group may come too late.
pub fn endure(device: &mut Device<'_>, region: Region, archive: &Archive, minutes: u32) -> Result<(), Reason> {
    let (music, file) = (archive.find(MUSIC)?, long_file(archive)?);
    device.post(&SLOW);
    device.post(&Command::MusicPlay { offset: music.offset, bytes: music.size, volumes: [VOLUME; 2] });
    listen(device, 60);
    let (mut frame, mut is_reading, mut at, mut read, mut groups) = (cop0::count(), false, 0, 0u64, Groups::default());
    let mut place = Place::default();
    for shown in 1..=minutes * FRAMES_PER_MINUTE {
        if !is_reading {
            let length = region.bytes().min(file.size - at);
            device.start(Read { offset: file.offset + at, length, destination: region }).map_err(told)?;
            is_reading = true;
        } else if let DeviceState::Done(length) = ended(device.poll())? {
            read += u64::from(length);
            at = if at + length < file.size { at + length } else { 0 };
            is_reading = false;
        }
        groups.see(device.status().music_group);
        place.see(device.status().music_sample);
        if shown % FRAMES_PER_MINUTE == 0 {
            let status = device.status();
            tty_println!(
                "FACT stream minute {} bytes {read} groups {} stood {} underruns {} retries {} lost {}",
                shown / FRAMES_PER_MINUTE,
                groups.count,
                place.longest,
                status.underruns,
                status.retries,
                device.lost
            );
        }
        next_frame(&mut frame);
    }
    let status = device.status();
    let goes_on = groups.count > minutes * 120 && place.longest <= MOST_STILL;
    if status.music && status.underruns == 0 && goes_on { Ok(()) } else { Err("the music did not go on without a gap") }
}

/// Follows the address that the music's first voice fetches next, as a sample of the whole music: it may not stand.
#[derive(Default)]
struct Place {
    last: u32,
    stood: u32,
    /// The most looks in a row that found it where it was.
    longest: u32,
}

impl Place {
    fn see(&mut self, sample: u32) {
        self.stood = if sample == self.last { self.stood + 1 } else { 0 };
        self.longest = self.longest.max(self.stood);
        self.last = sample;
    }
}

/// Counts the music's groups by their changing numbers.
#[derive(Default)]
struct Groups {
    last: u32,
    count: u32,
}

impl Groups {
    fn see(&mut self, group: u32) {
        self.count += u32::from(group != self.last);
        self.last = group;
    }
}
