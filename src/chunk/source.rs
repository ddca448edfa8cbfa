//! Where chunks are read from: bytes in memory, or a stream from the disc.

use super::ChunkError;
use crate::file_io::{BufferedStream, StreamDevice, Waiter};

/// Bytes that go by once.
pub trait ByteSource {
    /// Fills `out` with the next bytes.
    ///
    /// # Errors
    /// There are fewer, or the disc fails.
    fn read(&mut self, out: &mut [u8]) -> Result<(), ChunkError>;

    /// Skips bytes.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn skip(&mut self, bytes: u32) -> Result<(), ChunkError>;

    /// Bytes that are left.
    fn remaining(&self) -> u32;
}

/// Bytes in memory.
#[derive(Clone, Copy, Debug)]
pub struct SliceSource<'a>(pub &'a [u8]);

impl ByteSource for SliceSource<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<(), ChunkError> {
        let (now, later) = self.0.split_at_checked(out.len()).ok_or(ChunkError::Truncated)?;
        out.copy_from_slice(now);
        self.0 = later;
        Ok(())
    }

    fn skip(&mut self, bytes: u32) -> Result<(), ChunkError> {
        self.0 = self.0.get(bytes as usize..).ok_or(ChunkError::Truncated)?;
        Ok(())
    }

    fn remaining(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}

impl<D: StreamDevice, W: Waiter> ByteSource for BufferedStream<'_, '_, D, W> {
    fn read(&mut self, out: &mut [u8]) -> Result<(), ChunkError> {
        Ok(Self::read(self, out)?)
    }

    fn skip(&mut self, bytes: u32) -> Result<(), ChunkError> {
        Ok(Self::skip(self, bytes)?)
    }

    fn remaining(&self) -> u32 {
        self.size() - self.tell()
    }
}

/// One chunk of a source: a handler that reads it can neither run over its end nor leave a part of it.
pub struct Bounded<'a> {
    source: &'a mut dyn ByteSource,
    left: u32,
}

impl<'a> Bounded<'a> {
    /// The next `bytes` of a source.
    ///
    /// # Errors
    /// The source has fewer.
    pub fn new(source: &'a mut dyn ByteSource, bytes: u32) -> Result<Self, ChunkError> {
        if bytes > source.remaining() {
            return Err(ChunkError::Truncated);
        }
        Ok(Self { source, left: bytes })
    }

    /// Skips what is left.
    ///
    /// # Errors
    /// The disc fails.
    pub fn finish(self) -> Result<(), ChunkError> {
        self.source.skip(self.left)
    }

    fn take(&mut self, bytes: u32) -> Result<(), ChunkError> {
        self.left = self.left.checked_sub(bytes).ok_or(ChunkError::OutOfChunk)?;
        Ok(())
    }
}

impl ByteSource for Bounded<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<(), ChunkError> {
        self.take(u32::try_from(out.len()).map_err(|_| ChunkError::OutOfChunk)?)?;
        self.source.read(out)
    }

    fn skip(&mut self, bytes: u32) -> Result<(), ChunkError> {
        self.take(bytes)?;
        self.source.skip(bytes)
    }

    fn remaining(&self) -> u32 {
        self.left
    }
}
