//! Which file system names are looked for in.
//!
//! The device keeps its file systems as a stack: the disc's at the bottom, the host's pushed on it while test data is to be
//! loaded, popped afterwards.
//!
//! Source: support systems, File I/O (mounted index and array, copy of the current one).

use super::device::StreamDevice;
use super::fs_to_stream::FsToStream;
use super::host_files::{HostFiles, HostPort};
use super::stream_files::{FileError, StreamFileSystem};
use super::wait::Waiter;
use super::{NameHash, Region};
use heapless::Vec;

/// File systems that may be mounted at a time.
///
/// Our choice: the original's array is not bounded; the disc, the host and one more on top are all that is ever used.
const MOUNTS: usize = 4;

/// A file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSystem {
    /// The archive on the disc, one file at a time.
    Disc,
    /// The developer's machine.
    Host,
}

/// The stack of mounted file systems.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mounts {
    mounted: Vec<FileSystem, MOUNTS>,
    kept: Option<FileSystem>,
}

impl Mounts {
    /// Nothing mounted.
    pub const fn new() -> Self {
        Self { mounted: Vec::new(), kept: None }
    }

    /// Puts a file system on top; false when the stack is full.
    pub fn mount(&mut self, system: FileSystem) -> bool {
        self.mounted.push(system).is_ok()
    }

    /// Takes the top one off.
    pub fn unmount(&mut self) -> Option<FileSystem> {
        self.mounted.pop()
    }

    /// The one that names are looked for in.
    pub fn current(&self) -> Option<FileSystem> {
        self.mounted.last().copied()
    }

    /// Keeps note of the current one, for those who load from it whatever is mounted later.
    pub fn keep(&mut self) {
        self.kept = self.current();
    }

    /// The one that was kept.
    pub const fn kept(&self) -> Option<FileSystem> {
        self.kept
    }
}

/// Loads a file's begin into memory, waiting; how many bytes came. From the disc it goes by way of `buffer`.
///
/// # Errors
/// The file system does not have it, or it cannot be read.
pub fn load<D: StreamDevice, W: Waiter, P: HostPort>(
    system: FileSystem,
    disc: &mut StreamFileSystem<'_, D>,
    host: &mut HostFiles<P>,
    waiter: &mut W,
    buffer: Region,
    name: &str,
    out: &mut [u8],
) -> Result<u32, FileError> {
    match system {
        FileSystem::Disc => {
            let mut file = FsToStream::default();
            file.open(disc, NameHash::of_file(name).ok_or(FileError::NotFound)?)?;
            let loaded = from_disc(&mut file, disc, waiter, buffer, out);
            file.close(disc)?;
            loaded
        }
        FileSystem::Host => {
            host.open(name)?;
            let loaded = from_host(host, out);
            host.close()?;
            loaded
        }
    }
}

fn from_disc<D: StreamDevice, W: Waiter>(
    file: &mut FsToStream,
    disc: &mut StreamFileSystem<'_, D>,
    waiter: &mut W,
    buffer: Region,
    out: &mut [u8],
) -> Result<u32, FileError> {
    let mut total = 0;
    for piece in out.chunks_mut(buffer.bytes() as usize) {
        let came = file.read(disc, waiter, piece.len() as u32, buffer)?;
        let landed = disc.landed(buffer, came);
        piece[..landed.len()].copy_from_slice(landed);
        total += came;
        if came < piece.len() as u32 {
            break;
        }
    }
    Ok(total)
}

fn from_host<P: HostPort>(host: &mut HostFiles<P>, out: &mut [u8]) -> Result<u32, FileError> {
    let mut total = 0;
    while let came @ 1.. = host.read(&mut out[total as usize..])? {
        total += came;
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::super::fake::{BUFFER, Disc, FakeDevice};
    use super::super::host_files::tests::host;
    use super::super::wait::tests::Ticking;
    use super::*;
    use std::vec;

    #[test]
    fn the_last_one_mounted_is_looked_in() {
        let mut mounts = Mounts::new();
        assert_eq!(mounts.current(), None);
        assert!(mounts.mount(FileSystem::Disc));
        mounts.keep();
        assert!(mounts.mount(FileSystem::Host));
        assert_eq!((mounts.current(), mounts.kept()), (Some(FileSystem::Host), Some(FileSystem::Disc)));
        assert_eq!(mounts.unmount(), Some(FileSystem::Host));
        assert_eq!(mounts.current(), Some(FileSystem::Disc));
        assert!(mounts.mount(FileSystem::Host) && mounts.mount(FileSystem::Host) && mounts.mount(FileSystem::Host));
        assert!(!mounts.mount(FileSystem::Host), "full");
    }

    #[test]
    fn a_name_is_loaded_from_where_it_is_looked_for() {
        let disc = Disc::new(&[("a.txt", 1_000_000)]);
        let mut files = disc.files(FakeDevice::new(&disc));
        let (mut host, mut waiter) = (host(), Ticking::by(1));
        let mut out = vec![0; 1_000_100];
        let mut load = |system, name| {
            let came = super::load(system, &mut files, &mut host, &mut waiter, BUFFER, name, &mut out);
            came.map(|came| out[..came as usize].to_vec())
        };
        assert_eq!(load(FileSystem::Disc, "a.txt").as_deref(), Ok(disc.bytes("a.txt")));
        assert_eq!(load(FileSystem::Host, "a.txt").as_deref(), Ok(&b"0123456789"[..]));
        for system in [FileSystem::Disc, FileSystem::Host] {
            assert_eq!(load(system, "b.txt"), Err(FileError::NotFound), "{system:?}");
        }
        // Nothing was left open.
        assert_eq!(load(FileSystem::Host, "a.txt").map(|bytes| bytes.len()), Ok(10));
    }
}
