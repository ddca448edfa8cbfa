//! A forward-only stream of a file's bytes through one buffer.

use super::device::StreamDevice;
use super::fs_to_stream::FsToStream;
use super::stream_files::{FileError, StreamFileSystem};
use super::wait::Waiter;
use super::{NameHash, Region};

/// A stream that refills its buffer by waiting: a file of S bytes costs S / buffer transfers, rounded up.
///
/// Source: support systems, File I/O
#[derive(Debug)]
pub struct BufferedStream<'s, 'a, D, W> {
    files: &'s mut StreamFileSystem<'a, D>,
    waiter: &'s mut W,
    file: FsToStream,
    buffer: Region,
    /// Bytes of the buffer that hold data.
    filled: u32,
    /// The next byte in the buffer.
    cursor: u32,
    /// The next byte in the file.
    tell: u32,
    size: u32,
}

impl<'s, 'a, D: StreamDevice, W: Waiter> BufferedStream<'s, 'a, D, W> {
    /// Opens a file over a buffer of whole sectors.
    ///
    /// # Errors
    /// The archive does not have the file.
    pub fn open(
        files: &'s mut StreamFileSystem<'a, D>,
        waiter: &'s mut W,
        buffer: Region,
        name: NameHash,
    ) -> Result<Self, FileError> {
        let mut file = FsToStream::default();
        file.open(files, name)?;
        let size = file.size()?;
        Ok(Self { files, waiter, file, buffer, filled: 0, cursor: 0, tell: 0, size })
    }

    /// The file's bytes.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// The place of the next byte.
    pub const fn tell(&self) -> u32 {
        self.tell
    }

    /// Makes the buffer hold at least one byte; how many it holds.
    fn fill(&mut self) -> Result<u32, FileError> {
        if self.cursor == self.filled {
            self.filled = self.file.read(self.files, self.waiter, self.buffer.bytes(), self.buffer)?;
            self.cursor = 0;
        }
        match self.filled - self.cursor {
            // The device brought nothing although the file has more: there is no progress to wait for.
            0 => Err(FileError::Range),
            left => Ok(left),
        }
    }

    fn advance(&mut self, bytes: u32) {
        self.cursor += bytes;
        self.tell += bytes;
    }

    /// Fills `out` with the next bytes.
    ///
    /// # Errors
    /// The file has fewer ([`FileError::Range`], and nothing is taken), or a read failed.
    pub fn read(&mut self, out: &mut [u8]) -> Result<(), FileError> {
        let wanted = u32::try_from(out.len()).map_err(|_| FileError::Range)?;
        if wanted > self.size - self.tell {
            return Err(FileError::Range);
        }
        let mut rest = out;
        while !rest.is_empty() {
            let count = self.fill()?.min(rest.len() as u32);
            let (now, later) = rest.split_at_mut(count as usize);
            let landed = self.files.landed(self.buffer, self.filled);
            now.copy_from_slice(&landed[self.cursor as usize..][..count as usize]);
            self.advance(count);
            rest = later;
        }
        Ok(())
    }

    /// Skips bytes. They are read: a stream goes forward only.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn skip(&mut self, bytes: u32) -> Result<(), FileError> {
        if bytes > self.size - self.tell {
            return Err(FileError::Range);
        }
        let mut left = bytes;
        while left > 0 {
            let count = self.fill()?.min(left);
            self.advance(count);
            left -= count;
        }
        Ok(())
    }

    /// Closes the file.
    ///
    /// # Errors
    /// It is closed already.
    pub fn close(mut self) -> Result<(), FileError> {
        self.file.close(self.files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_io::fake::{BUFFER, Disc, FakeDevice};
    use crate::file_io::wait::tests::Ticking;
    use crate::file_io::{STREAM_BUFFER_BYTES, fake};
    use std::vec;

    const STREAM_BUFFER: Region = Region::new(BUFFER.address(), STREAM_BUFFER_BYTES).unwrap();

    #[test]
    fn a_load_costs_its_size_in_buffers_rounded_up() {
        let disc = fake::Disc::new(&[("a", 1), ("b", 393_216), ("c", 393_217), ("d", 1_000_000)]);
        for (name, transfers) in [("a", 1), ("b", 1), ("c", 2), ("d", 3)] {
            let mut files = disc.files(FakeDevice::new(&disc));
            let mut waiter = Ticking::by(1);
            let mut stream = BufferedStream::open(&mut files, &mut waiter, STREAM_BUFFER, disc.name(name)).unwrap();
            let mut bytes = vec![0; stream.size() as usize];
            for piece in bytes.chunks_mut(4321) {
                stream.read(piece).unwrap();
            }
            assert_eq!(stream.tell(), stream.size());
            stream.close().unwrap();
            assert_eq!(bytes, disc.bytes(name), "{name}");
            assert_eq!(files.device_mut().started.len(), transfers, "{name}");
        }
    }

    #[test]
    fn skipping_goes_over_buffer_ends_and_not_over_the_file_s() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc));
        let mut waiter = Ticking::by(1);
        let mut stream = BufferedStream::open(&mut files, &mut waiter, STREAM_BUFFER, disc.name("large")).unwrap();
        stream.skip(500_000).unwrap();
        let mut bytes = [0; 10];
        stream.read(&mut bytes).unwrap();
        assert_eq!(bytes, disc.bytes("large")[500_000..500_010]);
        assert_eq!(stream.skip(499_991), Err(FileError::Range));
        assert_eq!(stream.tell(), 500_010);
        stream.skip(499_990).unwrap();
        assert_eq!(stream.read(&mut bytes[..1]), Err(FileError::Range));
    }

    #[test]
    fn a_dropped_stream_leaves_no_file_open_after_close() {
        let disc = Disc::sample();
        let mut files = disc.files(FakeDevice::new(&disc));
        let mut waiter = Ticking::by(1);
        for _ in 0..20 {
            let stream = BufferedStream::open(&mut files, &mut waiter, STREAM_BUFFER, disc.name("small")).unwrap();
            stream.close().unwrap();
        }
    }
}
