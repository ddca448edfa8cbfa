//! What brings bytes from the disc.
//!
//! A [`StreamDevice`] has one archive open and one read in flight. It is polled, never waited for. Whatever happens to a
//! read, it ends: with its bytes, with a [`Fault`], or by being cancelled. [`ModuleDevice`] is the console's: it talks to the
//! module on the IOP over a [`Channel`]; [`start`] is the order in which the IOP's modules are loaded.

mod module;
pub mod start;

pub use module::{Answer, Channel, ModuleDevice};

use super::Region;
use boardwalk_iop::protocol::{Command, Status};
use core::fmt;

/// The device error upon which the game enters its error mode.
///
/// Source: support systems, File I/O
pub const ERROR_MODE: u32 = 3;

/// Why a read or an open has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The tray is open, or was opened during the read.
    TrayOpen,
    /// There is no disc.
    NoDisc,
    /// The disc in the drive is not the game's.
    WrongDisc,
    /// Sectors stayed unreadable after all retries.
    Unreadable,
    /// The drive did not end a command in its time.
    DriveTimeOut,
    /// The device itself does not answer any more.
    Silent,
    /// The module has no memory for its buffers.
    NoMemory,
    /// The file to open is not on the disc.
    NotFound,
    /// The device refuses the read: nothing open, out of the file, or not on whole sectors and lines.
    Refused,
    /// The read was cancelled.
    Cancelled,
}

impl Fault {
    /// The device's error number. [`ERROR_MODE`] is whatever only a person at the console can end.
    ///
    /// Our choice: the original's numbers 1 and 2 are not known; here 1 is a wrong call and 2 a cancelled one.
    pub const fn number(self) -> u32 {
        match self {
            Self::Refused | Self::NotFound => 1,
            Self::Cancelled => 2,
            Self::TrayOpen
            | Self::NoDisc
            | Self::WrongDisc
            | Self::Unreadable
            | Self::DriveTimeOut
            | Self::Silent
            | Self::NoMemory => ERROR_MODE,
        }
    }

    /// True when the same read may succeed later, without anything changed but the drive.
    pub const fn is_temporary(self) -> bool {
        self.number() == ERROR_MODE
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TrayOpen => "the disc tray is open",
            Self::NoDisc => "there is no disc",
            Self::WrongDisc => "this is another disc",
            Self::Unreadable => "the disc cannot be read",
            Self::DriveTimeOut => "the drive does not answer",
            Self::Silent => "the disc module does not answer",
            Self::NoMemory => "the disc module has no memory",
            Self::NotFound => "the file is not on the disc",
            Self::Refused => "the read was refused",
            Self::Cancelled => "the read was cancelled",
        })
    }
}

/// A read of the open file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// First byte, a multiple of a sector.
    pub offset: u32,
    /// Bytes.
    pub length: u32,
    /// Where they go; it must hold the length in whole cache lines.
    pub destination: Region,
}

/// What a device is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceState {
    /// Nothing was asked.
    Idle,
    /// An open or a read is under way.
    Busy,
    /// It has ended well: the bytes that came, or the size of the opened file.
    Done(u32),
    /// It has failed.
    Failed(Fault),
}

/// A device with one open file and one read in flight.
pub trait StreamDevice {
    /// Begins to open a file of the disc in place of the open one. [`DeviceState::Done`] tells its size.
    ///
    /// # Errors
    /// The device is busy, or the path is too long.
    fn open(&mut self, path: &str) -> Result<(), Fault>;

    /// Begins a read.
    ///
    /// # Errors
    /// The device is busy, or the read is not one it could do.
    fn start(&mut self, read: Read) -> Result<(), Fault>;

    /// Looks how the open or read goes, and keeps it going. An end is told until the next one begins.
    fn poll(&mut self) -> DeviceState;

    /// Gives the read up. [`poll`](Self::poll) says when the memory is the caller's again.
    fn cancel(&mut self);

    /// True when the drive has the game's disc and could read. Looked at after a fault.
    fn is_ready(&mut self) -> bool;

    /// What reads have put into a region. Only for regions of ended reads.
    fn landed(&self, region: Region, length: u32) -> &[u8];

    /// What keeps the drive from reading, whoever reads: music does so without the EE's help. A device that has fallen silent
    /// tells that, too, although nobody reads.
    fn drive_fault(&self) -> Option<Fault> {
        None
    }

    /// What a person is told while a read waits that ended with `fault`: what the drive says by now, which may be another disc.
    /// A device that is silent has said nothing since.
    fn told_fault(&self, fault: Fault) -> Fault {
        if fault == Fault::Silent { fault } else { self.drive_fault().unwrap_or(fault) }
    }

    /// Memory that may still be written although its read has ended: a silent device's, until it is heard again.
    fn lent(&self) -> Option<Region> {
        None
    }

    /// What the module said last, for whoever watches; nothing from a device that has none.
    fn module_status(&self) -> Option<&Status> {
        None
    }

    /// Adds a command that is about sound or settings to what the device is told next; false when there is no room for it in
    /// this frame. A device without sound takes and forgets it.
    fn post(&mut self, _command: &Command) -> bool {
        true
    }

    /// Ends a frame: what was posted is told, and the state asked for, unless a call has been made in this frame already.
    fn end_frame(&mut self) {}
}
