//! File I/O: everything that comes from the disc while the game runs.
//!
//! The disc holds one large file of files and its index ([`archive`]); files are found by the hash of their [`name`]. A
//! [`StreamFileSystem`] opens them and keeps one read in flight on a [`StreamDevice`], which puts the bytes straight into
//! a [`Region`] of memory. Above it stand two ways of reading: the [`FileManager`], a queue of whole-file requests that
//! the frame services once and that calls back when a file is there, and [`FsToStream`] with its [`BufferedStream`] for
//! loads that wait, during which a [`Waiter`] keeps the loading screen alive. Test data comes from a developer's machine
//! ([`HostFiles`]) while that is [mounted](mounts) over the disc.
//!
//! Data flows device -> region -> callback or stream; nothing here copies a file except a buffered stream. The device of
//! the console, [`device::ModuleDevice`], talks to the module on the IOP; tests use one that fails on demand.
//!
//! A drive that cannot go on (tray open, wrong disc, unreadable) is not an error of a file: the read waits, the fault is
//! shown by [`StreamFileSystem::fault`], and the read starts again when the disc is back. The fault stays shown until a read
//! has succeeded: the module reads the bad sectors again and again, and says only then that the drive is ready, or when the read
//! was given up. Sectors of the music or of the bank that cannot be read show no fault and keep no read waiting: the music goes
//! on behind them or is silent, and they are tried again after ever longer rests. A module of which a thread stands for fifteen
//! seconds says so, and counts as silent.
//!
//! Source: support systems, File I/O; seed 003, main and Device initialisation.

pub mod archive;
mod buffered;
pub mod device;
#[cfg(test)]
pub(crate) mod fake;
mod fs_to_stream;
mod host_files;
mod manager;
pub mod mounts;
pub mod name;
mod region;
mod stream_files;
mod wait;

pub use buffered::BufferedStream;
pub use device::{DeviceState, Fault, Read, StreamDevice};
pub use fs_to_stream::FsToStream;
pub use host_files::{HOST_DEVICE, HOST_ROOT, HostFiles, HostPort};
pub use manager::{CallbackId, Callbacks, FileManager, Finished, QUEUE, Request, RequestError, RequestId, Service};
pub use name::NameHash;
pub use region::Region;
pub use stream_files::{FileError, ReadState, StreamFile, StreamFileSystem};
pub use wait::{LOADING_CALLBACK_MS, Waiter, wait};

/// Bytes of the File Stream Buffer, the memory that reads without a destination of their own land in.
///
/// Source: support systems, File I/O
pub const STREAM_BUFFER_BYTES: u32 = 0x6_0000;
/// Bytes of a sector of the disc.
pub const SECTOR_BYTES: u32 = 2048;
