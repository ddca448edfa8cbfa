//! A device for tests, with a disc of its own and faults on demand.

use super::archive::{Entry, INDEX_DEVICE_PATH, Index, header};
use super::device::{DeviceState, Fault, Read, StreamDevice};
use super::{NameHash, Region, SECTOR_BYTES, StreamFileSystem};
use boardwalk_iop::protocol::Command;
use std::collections::BTreeMap;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

/// Address of the fake memory's first byte.
const MEMORY: u32 = 0x0010_0000;
/// Bytes of the fake memory.
const MEMORY_BYTES: u32 = 0x10_0000;
/// The first half of the fake memory.
pub const REGION: Region = Region::new(MEMORY, MEMORY_BYTES / 2).unwrap();
/// The second half, for stream buffers.
pub const BUFFER: Region = Region::new(MEMORY + MEMORY_BYTES / 2, MEMORY_BYTES / 2).unwrap();

/// An archive in memory.
pub struct Disc {
    pub archive: Vec<u8>,
    index: Vec<u8>,
    names: Vec<(String, Entry)>,
}

impl Disc {
    pub fn new(files: &[(&str, usize)]) -> Self {
        // Neighbouring bytes and sectors differ, so that a shifted read shows.
        let bytes =
            |name: &str, size: usize| (0..size).map(|at| (at * 7 + at / 2048 * 13 + name.len()) as u8).collect();
        let files: Vec<(&str, Vec<u8>)> = files.iter().map(|(name, size)| (*name, bytes(name, *size))).collect();
        Self::of(&files)
    }

    /// A disc of files with these bytes.
    pub fn of(files: &[(&str, Vec<u8>)]) -> Self {
        let (mut archive, mut names) = (Vec::new(), Vec::new());
        for (name, bytes) in files {
            archive.resize(archive.len().next_multiple_of(SECTOR_BYTES as usize), 0);
            let name_hash = NameHash::of_file(name).unwrap();
            let entry = Entry { offset: archive.len() as u32, size: bytes.len() as u32, name: name_hash };
            archive.extend_from_slice(bytes);
            names.push((name.to_string(), entry));
        }
        let mut index = header(names.len() as u32).to_vec();
        index.extend(names.iter().flat_map(|(_, entry)| entry.to_bytes()));
        Self { archive, index, names }
    }

    /// `small` of 100 bytes, `large` of 1,000,000, `empty`.
    pub fn sample() -> Self {
        Self::new(&[("small", 100), ("large", 1_000_000), ("empty", 0)])
    }

    fn entry(&self, name: &str) -> Entry {
        self.names.iter().find(|(known, _)| known == name).unwrap().1
    }

    pub fn name(&self, name: &str) -> NameHash {
        self.entry(name).name
    }

    pub fn bytes(&self, name: &str) -> &[u8] {
        let entry = self.entry(name);
        &self.archive[entry.offset as usize..entry.end() as usize]
    }

    pub fn files(&self, device: FakeDevice) -> StreamFileSystem<'_, FakeDevice> {
        self.files_on(device)
    }

    pub fn files_on<D: StreamDevice>(&self, device: D) -> StreamFileSystem<'_, D> {
        let index = Index::read(&self.index, self.archive.len() as u32).unwrap();
        StreamFileSystem::new(device, index)
    }
}

/// What goes wrong with the next read.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// It fails, and the drive is ready again after so many looks.
    Fault(Fault, usize),
    /// It takes so many polls.
    Slow(usize),
}

pub struct FakeDevice {
    archive: Vec<u8>,
    index: Vec<u8>,
    /// The index is open in place of the archive.
    reads_index: bool,
    memory: Vec<u8>,
    /// What lies elsewhere, as in pools, by the regions' addresses.
    elsewhere: BTreeMap<u32, Vec<u8>>,
    latency: usize,
    events: Vec<Event>,
    read: Option<(Read, usize)>,
    fails_with: Option<Fault>,
    not_ready: usize,
    state: DeviceState,
    /// Every read that was started.
    pub started: Vec<Read>,
    /// Memory of a read that it has fallen silent over.
    lent: Option<Region>,
    /// What the drive is said to fail with while nobody waits for it.
    pub drive: Option<Fault>,
    /// Every command about sound or settings that was posted.
    pub posted: Vec<Command>,
}

impl FakeDevice {
    pub fn new(disc: &Disc) -> Self {
        Self {
            archive: disc.archive.clone(),
            index: disc.index.clone(),
            reads_index: false,
            memory: vec![0xAA; MEMORY_BYTES as usize],
            elsewhere: BTreeMap::new(),
            latency: 0,
            events: Vec::new(),
            read: None,
            fails_with: None,
            not_ready: 0,
            state: DeviceState::Idle,
            started: Vec::new(),
            lent: None,
            drive: None,
            posted: Vec::new(),
        }
    }

    pub const fn with_latency(mut self, polls: usize) -> Self {
        self.latency = polls;
        self
    }

    pub fn with(mut self, event: Event) -> Self {
        self.events.push(event);
        self
    }

    fn file(&self) -> &[u8] {
        if self.reads_index { &self.index } else { &self.archive }
    }

    /// Where a region lies in the fake memory; none for one that lies elsewhere.
    fn place(region: Region) -> Option<usize> {
        let from = region.address().checked_sub(MEMORY).filter(|from| from + region.bytes() <= MEMORY_BYTES)?;
        Some(from as usize)
    }
}

impl StreamDevice for FakeDevice {
    fn open(&mut self, path: &str) -> Result<(), Fault> {
        self.reads_index = path == INDEX_DEVICE_PATH;
        self.state = DeviceState::Done(self.file().len() as u32);
        Ok(())
    }

    fn start(&mut self, read: Read) -> Result<(), Fault> {
        if self.read.is_some() || !read.offset.is_multiple_of(SECTOR_BYTES) || !read.destination.holds(read.length) {
            return Err(Fault::Refused);
        }
        let mut polls = self.latency;
        if !self.events.is_empty() {
            match self.events.remove(0) {
                Event::Fault(fault, looks) => {
                    self.fails_with = Some(fault);
                    self.not_ready = looks;
                }
                Event::Slow(more) => polls = more,
            }
        }
        self.lent = None;
        self.started.push(read);
        self.read = Some((read, polls));
        self.state = DeviceState::Busy;
        Ok(())
    }

    fn poll(&mut self) -> DeviceState {
        let Some((read, polls)) = &mut self.read else { return self.state };
        if *polls > 0 {
            *polls -= 1;
            return DeviceState::Busy;
        }
        let read = *read;
        self.read = None;
        self.state = match self.fails_with.take() {
            Some(fault) => {
                self.lent = (fault == Fault::Silent).then_some(read.destination);
                DeviceState::Failed(fault)
            }
            None => {
                let (from, length) = (read.offset as usize, read.length as usize);
                let file = if self.reads_index { &self.index } else { &self.archive };
                let bytes = &file[from..from + length];
                match Self::place(read.destination) {
                    Some(to) => self.memory[to..to + length].copy_from_slice(bytes),
                    None => drop(self.elsewhere.insert(read.destination.address(), bytes.to_vec())),
                }
                DeviceState::Done(read.length)
            }
        };
        self.state
    }

    fn cancel(&mut self) {
        if self.read.take().is_some() {
            self.state = DeviceState::Failed(Fault::Cancelled);
        }
    }

    fn is_ready(&mut self) -> bool {
        let ready = self.not_ready == 0;
        self.not_ready = self.not_ready.saturating_sub(1);
        if ready {
            self.lent = None;
        }
        ready
    }

    fn lent(&self) -> Option<Region> {
        self.lent
    }

    fn drive_fault(&self) -> Option<Fault> {
        self.drive
    }

    fn post(&mut self, command: &Command) -> bool {
        self.posted.push(*command);
        true
    }

    fn landed(&self, region: Region, length: u32) -> &[u8] {
        match Self::place(region) {
            Some(from) => &self.memory[from..][..length as usize],
            None => &self.elsewhere[&region.address()][..length as usize],
        }
    }
}
