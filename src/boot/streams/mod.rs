//! Facts about streaming that only the console can tell, one a line, for a test that reads them.
//!
//! Starts the module on the IOP, reads the archive's index, loads every file and prints its hash ([`read_all`]), measures
//! rates and what they cost the EE ([`rates`]), plays sounds and music ([`sounds`]), streams a level ([`levels`]), and lets
//! everything fail that can ([`faults`], [`scratches`]). Run by the program's argument `stream`; with `stream=MINUTES` it streams data and music for so long instead.

mod faults;
mod levels;
mod rates;
mod scratches;
pub(crate) mod sounds;

use crate::ee::sif::heap::Heap;
use crate::ee::sif::link::Link;
use crate::ee::sif::loader::Loader;
use crate::ee::streams::{ServerHost, SifChannel, allocate, load};
use crate::ee::{cop0, ticks};
use crate::file_io::archive::{ARCHIVE_DEVICE_PATH, Entry, INDEX_DEVICE_PATH, Index};
use crate::file_io::device::start::{MODULES, OWN, load_one};
use crate::file_io::device::{Fault, ModuleDevice};
use crate::file_io::name::{Crc32, NameHash};
use crate::file_io::{DeviceState, Read, Region, STREAM_BUFFER_BYTES, StreamDevice};
use crate::tty_println;
use alloc::vec::Vec;
use core::cell::RefCell;

/// How long an open or a read may take, in ticks of Count.
const PATIENCE: u32 = 10 * ticks::PER_SECOND;
/// A frame in ticks of Count.
const FRAME: u32 = ticks::PER_SECOND / 30;
/// What cannot go on, for the console's lines.
pub(crate) type Reason = &'static str;
/// The module as the checks use it.
pub(crate) type Device<'l> = ModuleDevice<SifChannel<'l>>;

/// The archive on the disc.
pub(crate) struct Archive {
    index: Vec<u8>,
    bytes: u32,
}

impl Archive {
    fn index(&self) -> Result<Index<'_>, Reason> {
        Index::read(&self.index, self.bytes).map_err(|_| "the index is refused")
    }

    pub(crate) fn find(&self, name: &str) -> Result<Entry, Reason> {
        let index = self.index()?;
        NameHash::of_file(name).and_then(|name| index.find(name)).ok_or("a file is missing")
    }
}

/// Runs the checks, or streams for some minutes; answers how many failed.
pub fn run(minutes: Option<u32>) -> u32 {
    match stream(minutes) {
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

fn stream(minutes: Option<u32>) -> Result<(), Reason> {
    let link = Link::start().map_err(|_| "no link to the IOP")?;
    let mut link = link.restart_iop(b"").map_err(|_| "the IOP does not start anew")?;
    let loader = Loader::bind(&mut link).map_err(|_| "no loader on the IOP")?;
    let heap = Heap::bind(&mut link).map_err(|_| "no memory server on the IOP")?;
    for module in MODULES {
        if module == OWN && minutes.is_none() {
            faults::full_heap(&heap, &loader, &mut link)?;
        }
        let loaded = load_one(module, &mut |module| load(&loader, &mut link, module));
        match loaded {
            Ok(()) => tty_println!("FACT stream module {}", module.name),
            Err(missing) => tty_println!("FACT stream module {} missing: {}", module.name, missing.error),
        }
        if module == OWN && loaded.is_err() {
            return Err("the module does not load");
        }
    }
    if let Ok((total, largest)) = heap.free_bytes(&mut link) {
        tty_println!("FACT stream iop-memory free {total} largest {largest}");
    }
    let link = RefCell::new(link);
    let channel = SifChannel::bind(&link).map_err(|_| "the module does not serve")?;
    let mut device = Device::new(channel);
    let region = allocate(STREAM_BUFFER_BYTES).ok_or("no memory for the buffer")?;
    let archive = open_archive(&mut device, region)?;
    if let Some(minutes) = minutes {
        rates::endure(&mut device, region, &archive, minutes)?;
        return sounds::effects(&mut device, region, &archive);
    }
    for entry in archive.index()?.iter() {
        let hash = read_all(&mut device, region, entry)?;
        tty_println!("FACT stream file {:08x} bytes {} crc {hash:08x}", entry.name.0, entry.size);
    }
    rates::alone(&mut device, region, &archive)?;
    sounds::check(&mut device, region, &archive)?;
    let host = ServerHost::bind(&link).map_err(|_| "no file server on the IOP")?;
    let device = levels::check(device, host, region, &archive)?;
    faults::check(device, region, &archive)
}

/// Waits for an open or a read. A module that leaves it undone is named with its last words.
pub(crate) fn finish(device: &mut Device<'_>) -> Result<u32, Fault> {
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

pub(crate) fn told(fault: Fault) -> Reason {
    tty_println!("FACT stream fault {fault}");
    "a read has failed"
}

/// Waits for the begin of the next frame.
fn next_frame(frame: &mut u32) {
    while cop0::count().wrapping_sub(*frame) < FRAME {}
    *frame = frame.wrapping_add(FRAME);
}

/// Asks for the module's state for a while, once a frame.
pub(crate) fn listen(device: &mut Device<'_>, frames: u32) {
    let mut frame = cop0::count();
    for _ in 0..frames {
        device.refresh();
        next_frame(&mut frame);
    }
}

pub(crate) fn open_archive(device: &mut Device<'_>, region: Region) -> Result<Archive, Reason> {
    device.open(INDEX_DEVICE_PATH).map_err(told)?;
    let bytes = finish(device).map_err(told)?;
    device.start(Read { offset: 0, length: bytes, destination: region }).map_err(told)?;
    finish(device).map_err(told)?;
    let index = Vec::from(device.landed(region, bytes));
    device.open(ARCHIVE_DEVICE_PATH).map_err(told)?;
    let archive_bytes = finish(device).map_err(told)?;
    tty_println!("FACT stream archive {archive_bytes} index {bytes}");
    Ok(Archive { index, bytes: archive_bytes })
}

/// Reads a file; its bytes' CRC.
fn read_all(device: &mut Device<'_>, region: Region, entry: Entry) -> Result<u32, Reason> {
    let (mut crc, mut at) = (Crc32::default(), 0);
    while at < entry.size {
        let length = region.bytes().min(entry.size - at);
        device.start(Read { offset: entry.offset + at, length, destination: region }).map_err(told)?;
        finish(device).map_err(told)?;
        crc.add(device.landed(region, length));
        at += length;
    }
    Ok(crc.value())
}
