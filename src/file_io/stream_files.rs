//! The stream file system: files of the archive, one read in flight.
//!
//! Source: seed 003, Device initialisation (PS2StreamFileSys); support systems, File I/O.

use super::archive::{Entry, Index};
use super::device::{DeviceState, Fault, Read, StreamDevice};
use super::{NameHash, Region};
use core::fmt;

/// Files that may be open at a time.
///
/// Source: support systems, File I/O
pub const RECORDS: usize = 10;

/// Why a file cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileError {
    /// The archive has no such file.
    NotFound,
    /// All records are taken.
    TooManyOpen,
    /// The file was closed, or belongs to a record that another file took.
    Closed,
    /// Another read is in flight.
    Busy,
    /// The read would leave the file, or its destination is too small.
    Range,
    /// The device has failed for good.
    Device(Fault),
    /// Whoever waited has given up; the fault is the last one seen.
    GivenUp(Option<Fault>),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("the archive has no such file"),
            Self::TooManyOpen => f.write_str("too many files are open"),
            Self::Closed => f.write_str("the file is closed"),
            Self::Busy => f.write_str("another read is in flight"),
            Self::Range => f.write_str("the read does not fit the file or its destination"),
            Self::Device(fault) => fault.fmt(f),
            Self::GivenUp(Some(fault)) => write!(f, "given up waiting: {fault}"),
            Self::GivenUp(None) => f.write_str("given up waiting"),
        }
    }
}

/// A handle of an open file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamFile {
    record: u8,
    serial: u16,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    serial: u16,
    entry: Entry,
}

#[derive(Clone, Copy, Debug)]
struct InFlight {
    read: Read,
    /// The fault that ended the last attempt, while the drive is not ready for the next one.
    waits_for: Option<Fault>,
    /// The fault that ended the last attempt, which is told until the read has ended well.
    told: Option<Fault>,
}

/// How the read goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadState {
    /// None was started, or its end has been taken.
    Idle,
    /// Under way.
    Busy,
    /// Stopped by the drive; it starts again when the drive is ready.
    Waiting(Fault),
    /// All its bytes have come.
    Done(u32),
    /// It will not go on.
    Failed(Fault),
}

/// The files of an archive on a device.
#[derive(Debug)]
pub struct StreamFileSystem<'a, D> {
    device: D,
    index: Index<'a>,
    records: [Option<Record>; RECORDS],
    next_serial: u16,
    in_flight: Option<InFlight>,
    state: ReadState,
}

impl<'a, D: StreamDevice> StreamFileSystem<'a, D> {
    /// A file system over a device that has the archive open.
    pub const fn new(device: D, index: Index<'a>) -> Self {
        Self { device, index, records: [None; RECORDS], next_serial: 0, in_flight: None, state: ReadState::Idle }
    }

    /// True when the archive has the file.
    pub fn exists(&self, name: NameHash) -> bool {
        self.index.find(name).is_some()
    }

    /// A file's place in the archive, for the module that reads music and banks by itself.
    pub fn place(&self, name: NameHash) -> Option<Entry> {
        self.index.find(name)
    }

    /// A file's bytes.
    ///
    /// # Errors
    /// The archive does not have it.
    pub fn size(&self, name: NameHash) -> Result<u32, FileError> {
        self.index.find(name).map(|entry| entry.size).ok_or(FileError::NotFound)
    }

    /// Opens a file.
    ///
    /// # Errors
    /// The archive does not have it, or ten files are open.
    pub fn open(&mut self, name: NameHash) -> Result<StreamFile, FileError> {
        let entry = self.index.find(name).ok_or(FileError::NotFound)?;
        let free = self.records.iter().position(Option::is_none).ok_or(FileError::TooManyOpen)?;
        self.next_serial = self.next_serial.wrapping_add(1);
        self.records[free] = Some(Record { serial: self.next_serial, entry });
        Ok(StreamFile { record: free as u8, serial: self.next_serial })
    }

    fn entry(&self, file: StreamFile) -> Result<Entry, FileError> {
        let record = self.records.get(usize::from(file.record)).copied().flatten();
        record.filter(|record| record.serial == file.serial).map(|record| record.entry).ok_or(FileError::Closed)
    }

    /// An open file's bytes.
    ///
    /// # Errors
    /// It is closed.
    pub fn file_size(&self, file: StreamFile) -> Result<u32, FileError> {
        self.entry(file).map(|entry| entry.size)
    }

    /// Closes a file. A read of it goes on: it belongs to its memory, not to the file.
    ///
    /// # Errors
    /// It is closed already.
    pub fn close(&mut self, file: StreamFile) -> Result<(), FileError> {
        self.entry(file)?;
        self.records[usize::from(file.record)] = None;
        Ok(())
    }

    /// Begins to read `length` bytes of a file from `offset`, a multiple of a sector, to the start of `destination`.
    ///
    /// # Errors
    /// A closed file, a read in flight or memory that the device has not given back, or bytes outside file or destination.
    pub fn start_read(
        &mut self,
        file: StreamFile,
        offset: u32,
        length: u32,
        destination: Region,
    ) -> Result<(), FileError> {
        let entry = self.entry(file)?;
        if self.in_flight.is_some() || self.device.lent().is_some() {
            return Err(FileError::Busy);
        }
        if u64::from(offset) + u64::from(length) > u64::from(entry.size) || !destination.holds(length) {
            return Err(FileError::Range);
        }
        // No overflow: the index was checked against the archive's size.
        let read = Read { offset: entry.offset + offset, length, destination };
        if length == 0 {
            self.state = ReadState::Done(0);
            return Ok(());
        }
        self.device.start(read).map_err(FileError::Device)?;
        self.in_flight = Some(InFlight { read, waits_for: None, told: None });
        self.state = ReadState::Busy;
        Ok(())
    }

    /// Polls the device, and starts a read again that the drive had stopped.
    pub fn update(&mut self) {
        let Some(flight) = self.in_flight else {
            if self.device.lent().is_some() {
                // Asks the device, so that it is heard when it speaks again.
                let _ready = self.device.is_ready();
            }
            return;
        };
        if let Some(fault) = flight.waits_for {
            if self.device.is_ready() {
                let restarted = self.device.start(flight.read);
                self.state = match restarted {
                    Ok(()) => ReadState::Busy,
                    Err(_) => ReadState::Waiting(fault),
                };
                self.in_flight = Some(InFlight { waits_for: restarted.err().map(|_| fault), ..flight });
            }
            return;
        }
        match self.device.poll() {
            DeviceState::Idle | DeviceState::Busy => {}
            DeviceState::Done(bytes) => self.end(ReadState::Done(bytes)),
            DeviceState::Failed(fault) if fault.is_temporary() => {
                self.in_flight = Some(InFlight { waits_for: Some(fault), told: Some(fault), ..flight });
                self.state = ReadState::Waiting(fault);
            }
            DeviceState::Failed(fault) => self.end(ReadState::Failed(fault)),
        }
    }

    fn end(&mut self, state: ReadState) {
        self.in_flight = None;
        self.state = state;
    }

    /// How the read goes.
    pub const fn read_state(&self) -> ReadState {
        self.state
    }

    /// Takes note of an ended read: the next one may start.
    pub(super) const fn take_end(&mut self) {
        self.state = ReadState::Idle;
    }

    /// Gives the read in flight up. Its memory is free when [`read_state`](Self::read_state) is no longer busy and it is not
    /// [lent](Self::lent).
    pub fn cancel(&mut self) {
        match self.in_flight {
            // Nothing is on its way between two attempts, but from a device that has fallen silent.
            Some(InFlight { waits_for: Some(_), .. }) => {
                self.device.cancel();
                self.end(ReadState::Failed(Fault::Cancelled));
            }
            Some(_) => self.device.cancel(),
            None => {}
        }
    }

    /// Memory of a read that was given up and that a silent device may still write; nothing else is read until it is heard.
    pub fn lent(&self) -> Option<Region> {
        if self.in_flight.is_some() { None } else { self.device.lent() }
    }

    /// The fault that keeps the read, or the next one, from going on, as the device knows it by now. While there is one with
    /// the number [`ERROR_MODE`](super::device::ERROR_MODE) the game shows its error mode.
    pub fn fault(&self) -> Option<Fault> {
        // An attempt after a fault may meet it again: what is told does not come and go.
        match self.in_flight.map(|flight| flight.told) {
            Some(told) => told.map(|fault| self.device.told_fault(fault)),
            None => self.lent().map(|_| Fault::Silent),
        }
    }

    /// What a read has put into a region.
    pub fn landed(&self, region: Region, length: u32) -> &[u8] {
        self.device.landed(region, length)
    }

    /// Takes the device back; a read in flight must have ended.
    pub fn into_device(self) -> D {
        self.device
    }

    /// The device, to look at.
    pub const fn device(&self) -> &D {
        &self.device
    }

    /// The device.
    pub const fn device_mut(&mut self) -> &mut D {
        &mut self.device
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_io::fake::{BUFFER, Disc, Event, FakeDevice, REGION};

    fn drive(files: &mut StreamFileSystem<'_, FakeDevice>, polls: usize) -> ReadState {
        for _ in 0..polls {
            files.update();
        }
        files.read_state()
    }

    #[test]
    fn ten_files_may_be_open_and_a_handle_dies_with_its_file() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc));
        let opened: [_; RECORDS] = core::array::from_fn(|_| files.open(disc.name("small")).unwrap());
        assert_eq!(files.open(disc.name("small")), Err(FileError::TooManyOpen));
        files.close(opened[4]).unwrap();
        let again = files.open(disc.name("large")).unwrap();
        assert_eq!(again.record, opened[4].record);
        assert_eq!(files.file_size(opened[4]), Err(FileError::Closed));
        assert_eq!(files.close(opened[4]), Err(FileError::Closed));
        assert_eq!(files.file_size(again), files.size(disc.name("large")));
    }

    #[test]
    fn a_read_brings_the_file_s_bytes_and_only_one_is_in_flight() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc).with_latency(3));
        let file = files.open(disc.name("large")).unwrap();
        files.start_read(file, 2048, 5000, REGION).unwrap();
        assert_eq!(files.start_read(file, 0, 16, REGION), Err(FileError::Busy));
        assert_eq!(drive(&mut files, 3), ReadState::Busy);
        assert_eq!(drive(&mut files, 1), ReadState::Done(5000));
        assert_eq!(files.landed(REGION, 5000), &disc.bytes("large")[2048..7048]);
    }

    #[test]
    fn bytes_outside_the_file_or_the_destination_are_refused() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc));
        let file = files.open(disc.name("small")).unwrap();
        let size = files.file_size(file).unwrap();
        assert_eq!(files.start_read(file, 0, size + 1, REGION), Err(FileError::Range));
        assert_eq!(files.start_read(file, u32::MAX, 1, REGION), Err(FileError::Range));
        let line = Region::new(REGION.address(), 64).unwrap();
        assert_eq!(files.start_read(file, 0, 65, line), Err(FileError::Range));
        files.start_read(file, size, 0, line).unwrap();
        assert_eq!(files.read_state(), ReadState::Done(0));
    }

    #[test]
    fn a_read_stopped_by_the_drive_waits_and_starts_again_when_the_disc_is_back() {
        for fault in [Fault::TrayOpen, Fault::WrongDisc, Fault::Unreadable, Fault::Silent] {
            let disc = Disc::sample();
            let mut files = disc.files(FakeDevice::new(&disc).with(Event::Fault(fault, 5)));
            let file = files.open(disc.name("small")).unwrap();
            files.start_read(file, 0, 100, REGION).unwrap();
            assert_eq!(drive(&mut files, 2), ReadState::Waiting(fault));
            assert_eq!(files.fault().map(Fault::number), Some(super::super::device::ERROR_MODE));
            while drive(&mut files, 1) != ReadState::Done(100) {
                assert!(files.fault().is_some(), "{fault} is told until the read has succeeded");
            }
            assert_eq!(files.fault(), None);
            assert_eq!(files.landed(REGION, 100), &disc.bytes("small")[..100]);
        }
    }

    #[test]
    fn a_waiting_read_can_be_given_up() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc).with(Event::Fault(Fault::NoDisc, usize::MAX)));
        let file = files.open(disc.name("small")).unwrap();
        files.start_read(file, 0, 100, REGION).unwrap();
        assert_eq!(drive(&mut files, 50), ReadState::Waiting(Fault::NoDisc));
        files.cancel();
        assert_eq!(files.read_state(), ReadState::Failed(Fault::Cancelled));
    }

    #[test]
    fn a_disc_that_is_put_in_while_a_read_waits_is_told_as_what_it_is() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc).with(Event::Fault(Fault::TrayOpen, usize::MAX)));
        let file = files.open(disc.name("small")).unwrap();
        files.start_read(file, 0, 100, REGION).unwrap();
        drive(&mut files, 5);
        assert_eq!(files.fault(), Some(Fault::TrayOpen));
        for now in [Fault::TrayOpen, Fault::NoDisc, Fault::WrongDisc] {
            files.device_mut().drive = Some(now);
            drive(&mut files, 1);
            assert_eq!((files.read_state(), files.fault()), (ReadState::Waiting(Fault::TrayOpen), Some(now)));
        }
    }

    #[test]
    fn a_silent_device_keeps_the_memory_of_a_read_that_was_given_up() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc).with(Event::Fault(Fault::Silent, 8)));
        let file = files.open(disc.name("small")).unwrap();
        files.start_read(file, 0, 100, REGION).unwrap();
        assert_eq!(drive(&mut files, 3), ReadState::Waiting(Fault::Silent));
        assert_eq!(files.lent(), None, "the read itself has it");
        files.device_mut().drive = Some(Fault::TrayOpen);
        assert_eq!(files.fault(), Some(Fault::Silent), "what a silent device said is old");
        files.cancel();
        assert_eq!(files.read_state(), ReadState::Failed(Fault::Cancelled));
        assert_eq!((files.lent(), files.fault()), (Some(REGION), Some(Fault::Silent)));
        assert_eq!(files.start_read(file, 0, 100, BUFFER), Err(FileError::Busy));
        drive(&mut files, 10);
        assert_eq!((files.lent(), files.fault()), (None, None), "it has spoken");
        files.start_read(file, 0, 100, BUFFER).unwrap();
        assert_eq!(drive(&mut files, 1), ReadState::Done(100));
    }

    #[test]
    fn a_running_read_can_be_cancelled() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc).with_latency(100));
        let file = files.open(disc.name("small")).unwrap();
        files.start_read(file, 0, 100, REGION).unwrap();
        assert_eq!(drive(&mut files, 2), ReadState::Busy);
        files.cancel();
        assert_eq!(drive(&mut files, 1), ReadState::Failed(Fault::Cancelled));
    }
}
