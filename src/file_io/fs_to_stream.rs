//! Files on top of the stream file system, one open at a time.
//!
//! Source: seed 003, Device initialisation (FS_FSToStreamFSFileSys); support systems, File I/O.

use super::device::StreamDevice;
use super::stream_files::{FileError, StreamFile, StreamFileSystem};
use super::wait::{Waiter, wait};
use super::{NameHash, Region, SECTOR_BYTES};

#[derive(Clone, Copy, Debug)]
struct Open {
    file: StreamFile,
    size: u32,
    position: u32,
}

/// One open file that is read by waiting.
///
/// Our choice: what the original leaves unchecked (a second open, a seek past the end) is an error here.
#[derive(Debug, Default)]
pub struct FsToStream {
    open: Option<Open>,
}

impl FsToStream {
    /// Opens a file.
    ///
    /// # Errors
    /// One is open already ([`FileError::Busy`]), or the archive does not have it.
    pub fn open<D: StreamDevice>(
        &mut self,
        files: &mut StreamFileSystem<'_, D>,
        name: NameHash,
    ) -> Result<(), FileError> {
        if self.open.is_some() {
            return Err(FileError::Busy);
        }
        let file = files.open(name)?;
        let size = files.file_size(file)?;
        self.open = Some(Open { file, size, position: 0 });
        Ok(())
    }

    /// Closes the file.
    ///
    /// # Errors
    /// None is open.
    pub fn close<D: StreamDevice>(&mut self, files: &mut StreamFileSystem<'_, D>) -> Result<(), FileError> {
        files.close(self.open.take().ok_or(FileError::Closed)?.file)
    }

    /// The file's bytes.
    ///
    /// # Errors
    /// None is open.
    pub fn size(&self) -> Result<u32, FileError> {
        self.open.map(|open| open.size).ok_or(FileError::Closed)
    }

    /// The place of the next read.
    ///
    /// # Errors
    /// None is open.
    pub fn tell(&self) -> Result<u32, FileError> {
        self.open.map(|open| open.position).ok_or(FileError::Closed)
    }

    /// Moves to an absolute place: a sector's begin, or the end.
    ///
    /// # Errors
    /// None is open, or the place is another one.
    pub fn seek(&mut self, position: u32) -> Result<(), FileError> {
        let open = self.open.as_mut().ok_or(FileError::Closed)?;
        let reachable = position == open.size || (position < open.size && position.is_multiple_of(SECTOR_BYTES));
        if !reachable {
            return Err(FileError::Range);
        }
        open.position = position;
        Ok(())
    }

    /// Reads up to `length` bytes to the start of `destination` and waits for them; how many came, fewer at the file's end.
    /// All reads but a file's last must be whole sectors.
    ///
    /// # Errors
    /// None is open, another read is in flight, or the waiter gave up.
    pub fn read<D: StreamDevice, W: Waiter>(
        &mut self,
        files: &mut StreamFileSystem<'_, D>,
        waiter: &mut W,
        length: u32,
        destination: Region,
    ) -> Result<u32, FileError> {
        let open = self.open.as_mut().ok_or(FileError::Closed)?;
        let length = length.min(open.size - open.position);
        files.start_read(open.file, open.position, length, destination)?;
        let came = wait(files, waiter)?;
        open.position += came.min(length);
        Ok(came)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_io::fake::{Disc, FakeDevice, REGION};
    use crate::file_io::wait::tests::Ticking;

    #[test]
    fn exactly_one_file_is_open_at_a_time() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc));
        let mut stream = FsToStream::default();
        stream.open(&mut files, disc.name("small")).unwrap();
        assert_eq!(stream.open(&mut files, disc.name("large")), Err(FileError::Busy));
        stream.close(&mut files).unwrap();
        assert_eq!(stream.close(&mut files), Err(FileError::Closed));
        stream.open(&mut files, disc.name("large")).unwrap();
        assert_eq!(stream.size(), Ok(1_000_000));
    }

    #[test]
    fn reads_follow_each_other_and_end_with_the_file() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc));
        let (mut stream, mut waiter) = (FsToStream::default(), Ticking::by(1));
        stream.open(&mut files, disc.name("large")).unwrap();
        stream.seek(2048 * 480).unwrap();
        assert_eq!(stream.read(&mut files, &mut waiter, 4096, REGION), Ok(4096));
        assert_eq!(files.landed(REGION, 4096), &disc.bytes("large")[2048 * 480..][..4096]);
        assert_eq!(stream.tell(), Ok(2048 * 482));
        assert_eq!(stream.read(&mut files, &mut waiter, 0x6_0000, REGION), Ok(1_000_000 - 2048 * 482));
        assert_eq!(stream.read(&mut files, &mut waiter, 2048, REGION), Ok(0));
        assert_eq!(stream.seek(1_000_001), Err(FileError::Range));
        assert_eq!(stream.seek(100), Err(FileError::Range));
    }
}
