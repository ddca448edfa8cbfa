//! Facts about streaming that only the console can tell, one a line, for a test that reads them.
//!
//! Starts the module on the IOP, reads the archive's index, loads every file through the file manager and prints its hash,
//! then measures what a megabyte costs. Run by the program's argument `stream`.

use crate::audio::bank::Bank;
use crate::ee::sif::link::Link;
use crate::ee::sif::loader::Loader;
use crate::ee::streams::{SifChannel, allocate, load};
use crate::ee::{cop0, ticks};
use crate::file_io::archive::{ARCHIVE_DEVICE_PATH, INDEX_DEVICE_PATH, Index};
use crate::file_io::device::start::{MODULES, OWN, load_one};
use crate::file_io::device::{Fault, ModuleDevice};
use crate::file_io::name::crc32;
use crate::file_io::{DeviceState, NameHash, Read, Region, SECTOR_BYTES, STREAM_BUFFER_BYTES, StreamDevice};
use crate::tty_println;
use alloc::vec::Vec;
use boardwalk_iop::protocol::{Command, VoiceSetting, fault};
use core::cell::RefCell;

/// The bank that is played from, and the music.
const BANK: &str = "sound/effects.bank";
const MUSIC: &str = "sound/pier.music";
/// Half of the full volume.
const VOLUME: u16 = 0x1FFF;
/// How long an open or a read may take, in ticks of Count.
const PATIENCE: u32 = 10 * ticks::PER_SECOND;
/// Microseconds that a sector and a seek take more in the slow run: a console's CD.
const SLOW: (u32, u32) = (1_180, 130_000);

type Device<'l> = ModuleDevice<SifChannel<'l>>;

/// Runs the checks; answers how many failed.
pub fn run() -> u32 {
    match stream() {
        Ok(()) => {
            tty_println!("CHECK stream ok");
            0
        }
        Err(reason) => {
            tty_println!("FACT stream stopped {reason}");
            tty_println!("CHECK stream failed");
            1
        }
    }
}

fn stream() -> Result<(), &'static str> {
    let link = Link::start().map_err(|_| "no link to the IOP")?;
    let mut link = link.restart_iop(b"").map_err(|_| "the IOP does not start anew")?;
    let loader = Loader::bind(&mut link).map_err(|_| "no loader on the IOP")?;
    for module in MODULES {
        let loaded = load_one(module, &mut |module| load(&loader, &mut link, module));
        match loaded {
            Ok(()) => tty_println!("FACT stream module {}", module.name),
            Err(missing) => tty_println!("FACT stream module {} missing: {}", module.name, missing.error),
        }
        if module == OWN && loaded.is_err() {
            return Err("the module does not load");
        }
    }
    let link = RefCell::new(link);
    let channel = SifChannel::bind(&link).map_err(|_| "the module does not serve")?;
    let mut device = Device::new(channel);
    let region = allocate(STREAM_BUFFER_BYTES).ok_or("no memory for the buffer")?;
    let (index, archive_bytes) = open_archive(&mut device, region)?;
    let index = Index::read(&index, archive_bytes).map_err(|_| "the index is refused")?;
    for entry in index.iter() {
        let hash = read_all(&mut device, region, entry.offset, entry.size)?;
        tty_println!("FACT stream file {:08x} bytes {} crc {hash:08x}", entry.name.0, entry.size);
    }
    measure(&mut device, region, archive_bytes, "full")?;
    device.post(&Command::Throttle { sector: SLOW.0, seek: SLOW.1 });
    measure(&mut device, region, archive_bytes, "slow")?;
    sounds(&mut device, region, index, archive_bytes)?;
    device.post(&Command::Throttle { sector: 0, seek: 0 });
    recover(&mut device, region)
}

/// Asks for the module's state for a while, once a frame.
fn listen(device: &mut Device<'_>, frames: u32) {
    for _ in 0..frames {
        let begin = cop0::count();
        device.refresh();
        while cop0::count().wrapping_sub(begin) < ticks::PER_SECOND / 30 {}
    }
}

/// Loads the bank and plays one of its sounds; plays music, also while the throttled drive streams a megabyte beside it.
fn sounds(device: &mut Device<'_>, region: Region, index: Index<'_>, archive_bytes: u32) -> Result<(), &'static str> {
    let find = |name| NameHash::of_file(name).and_then(|name| index.find(name)).ok_or("a sound file is missing");
    let (bank, music) = (find(BANK)?, find(MUSIC)?);
    device.start(Read { offset: bank.offset, length: SECTOR_BYTES, destination: region }).map_err(told)?;
    finish(device).map_err(told)?;
    let table = Bank::read(device.landed(region, SECTOR_BYTES)).map_err(|_| "the bank is refused")?;
    let (blocks, bytes) = (table.blocks_offset, table.blocks_bytes);
    let sound = table.iter().next().ok_or("the bank is empty")?;
    device.post(&Command::Bank { offset: bank.offset + blocks, bytes });
    listen(device, 30);
    let setting = VoiceSetting { pitch: sound.pitch, left: VOLUME, right: VOLUME };
    device.post(&Command::Play { voice: 0, address: sound.offset, setting });
    device.post(&Command::MusicPlay { offset: music.offset, bytes: music.size, volume: VOLUME });
    listen(device, 45);
    measure(device, region, archive_bytes, "beside-music")?;
    listen(device, 45);
    let status = *device.status();
    tty_println!(
        "FACT stream sounds bank {} music {} group {} underruns {}",
        status.bank,
        status.music,
        status.music_group,
        status.underruns
    );
    device.post(&Command::MusicStop);
    listen(device, 10);
    let stopped = !device.status().music;
    if !status.sound {
        return Ok(());
    }
    let good = status.bank && status.music && status.music_group > 2 && status.underruns == 0 && stopped;
    if good { Ok(()) } else { Err("sounds do not play as they should") }
}

/// Waits for an open or a read. A module that leaves it undone is named with its last words.
fn finish(device: &mut Device<'_>) -> Result<u32, Fault> {
    let begin = cop0::count();
    loop {
        match device.poll() {
            DeviceState::Done(bytes) => return Ok(bytes),
            DeviceState::Failed(fault) => return Err(fault),
            DeviceState::Idle | DeviceState::Busy => {}
        }
        if cop0::count().wrapping_sub(begin) > PATIENCE {
            tty_println!("FACT stream undone lost {} status {:?}", device.lost, device.status());
            return Err(Fault::Silent);
        }
    }
}

fn told(fault: Fault) -> &'static str {
    tty_println!("FACT stream fault {fault}");
    "a read has failed"
}

fn open_archive(device: &mut Device<'_>, region: Region) -> Result<(Vec<u8>, u32), &'static str> {
    device.open(INDEX_DEVICE_PATH).map_err(told)?;
    let bytes = finish(device).map_err(told)?;
    device.start(Read { offset: 0, length: bytes, destination: region }).map_err(told)?;
    finish(device).map_err(told)?;
    let index = Vec::from(device.landed(region, bytes));
    device.open(ARCHIVE_DEVICE_PATH).map_err(told)?;
    let archive_bytes = finish(device).map_err(told)?;
    tty_println!("FACT stream archive {archive_bytes} index {bytes}");
    Ok((index, archive_bytes))
}

/// Reads a file by buffers; the hash of its bytes.
fn read_all(device: &mut Device<'_>, region: Region, offset: u32, size: u32) -> Result<u32, &'static str> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size as usize).map_err(|_| "no memory for a file")?;
    while (bytes.len() as u32) < size {
        let at = bytes.len() as u32;
        let length = region.bytes().min(size - at);
        device.start(Read { offset: offset + at, length, destination: region }).map_err(told)?;
        finish(device).map_err(told)?;
        bytes.extend_from_slice(device.landed(region, length));
    }
    Ok(crc32(&bytes))
}

/// Reads a megabyte and prints its time, and the EE's own share of it when the device is polled once a frame.
fn measure(device: &mut Device<'_>, region: Region, archive_bytes: u32, name: &str) -> Result<(), &'static str> {
    let frame = ticks::PER_SECOND / 30;
    let (begin, mut busy, mut read, mut polls) = (cop0::count(), 0, 0, 0u32);
    while read < archive_bytes && read < 1 << 20 {
        let length = region.bytes().min(archive_bytes - read);
        let started = cop0::count();
        device.start(Read { offset: read, length, destination: region }).map_err(told)?;
        busy += cop0::count().wrapping_sub(started);
        loop {
            let look = cop0::count();
            let state = device.poll();
            let now = cop0::count();
            busy += now.wrapping_sub(look);
            polls += 1;
            match state {
                DeviceState::Failed(fault) => return Err(told(fault)),
                DeviceState::Done(_) => break,
                _ if now.wrapping_sub(begin) > PATIENCE => return Err("a read takes too long"),
                _ => {}
            }
            // A quarter of a frame passes between two looks.
            while cop0::count().wrapping_sub(look) < frame / 4 {}
        }
        read += length;
    }
    let took = cop0::count().wrapping_sub(begin);
    tty_println!(
        "FACT stream {name} bytes {read} ticks {took} busy {busy} polls {polls} kilobytes-a-second {}",
        u64::from(read) * u64::from(ticks::PER_SECOND) / u64::from(took.max(1)) / 1000
    );
    Ok(())
}

/// Lets reads fail as the drive would fail them, and reads on when the drive is ready again.
fn recover(device: &mut Device<'_>, region: Region) -> Result<(), &'static str> {
    for (number, expected) in [(fault::UNREADABLE, Fault::Unreadable), (fault::TRAY_OPEN, Fault::TrayOpen)] {
        device.post(&Command::Fault(number));
        device.poll();
        let read = Read { offset: 0, length: 4096, destination: region };
        // The fault's command must have gone before the read is asked.
        let begin = cop0::count();
        while cop0::count().wrapping_sub(begin) < ticks::PER_SECOND / 30 {
            device.poll();
        }
        device.start(read).map_err(told)?;
        let end = finish(device);
        tty_println!("FACT stream injected {number} gave {:?}", end.err());
        if end != Err(expected) {
            return Err("an injected fault was not told");
        }
        let begin = cop0::count();
        while !device.is_ready() {
            if cop0::count().wrapping_sub(begin) > PATIENCE {
                return Err("the drive is not ready again");
            }
        }
        device.start(read).map_err(told)?;
        finish(device).map_err(told)?;
    }
    let status = *device.status();
    tty_println!(
        "FACT stream lost {} retries {} refused {} sound {}",
        device.lost,
        status.retries,
        status.refused,
        status.sound
    );
    Ok(())
}
