//! Printing as the SDK's library does: a write to file 1 of the file server, whose first bytes, up to the next sixteenth, travel
//! with the request, and whose others the IOP fetches.

use boardwalk::ee::cache;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::call::{Bytes, Reply, Server};
use boardwalk::ee::sif::link::Link;
use boardwalk::ee::sif::request::FILE_SERVER;
use core::fmt::{self, Write as _};

/// The server's function, and the file.
const WRITE: u32 = 3;
const CONSOLE: u32 = 1;
/// Milliseconds for an answer.
pub const PATIENCE: u32 = 5_000;
/// Bytes of a line at most, and of memory that the IOP fetches at once.
const LINE: usize = 160;
const FETCHED: usize = 16;

/// A line that is written to any address.
#[repr(C, align(64))]
struct Room([u8; 256]);

/// The console.
pub struct Stdout {
    server: Server,
    room: Room,
    length: usize,
    start: usize,
}

impl Stdout {
    /// Finds the server.
    pub fn find(link: &mut Link) -> Result<Self, Error> {
        Ok(Self { server: link.bind(FILE_SERVER, PATIENCE)?, room: Room([0; 256]), length: 0, start: 0 })
    }

    /// Prints a line that begins `start` bytes behind a multiple of 64; how many bytes the server says that it wrote.
    pub fn line_at(&mut self, link: &mut Link, start: usize, text: fmt::Arguments<'_>) -> Result<usize, Error> {
        (self.length, self.start) = (0, start);
        // Writing to memory does not fail.
        let _ = self.write_fmt(text);
        self.room.0[start + self.length] = b'\n';
        let size = self.length + 1;
        let address = self.room.0.as_ptr() as usize + start;
        let head = (address.next_multiple_of(FETCHED) - address).min(size);
        let mut request = Bytes([0; 32]);
        for (index, word) in [CONSOLE, address as u32, size as u32, head as u32].into_iter().enumerate() {
            request.0[4 * index..][..4].copy_from_slice(&word.to_le_bytes());
        }
        request.0[16..16 + head].copy_from_slice(&self.room.0[start..start + head]);
        cache::write_back(self.room.0.as_ptr(), self.room.0.len());
        let mut reply = Reply::<16>::preset(0);
        link.call(&self.server, WRITE, &request.0, &mut reply, 4, PATIENCE)?;
        Ok(reply.0[0] as usize)
    }

    /// Prints a line.
    pub fn line(&mut self, link: &mut Link, text: fmt::Arguments<'_>) -> Result<(), Error> {
        self.line_at(link, 0, text).map(|_| ())
    }
}

impl fmt::Write for Stdout {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let count = text.len().min(LINE - 1 - self.length);
        let at = self.start + self.length;
        self.room.0[at..at + count].copy_from_slice(&text.as_bytes()[..count]);
        self.length += count;
        Ok(())
    }
}
