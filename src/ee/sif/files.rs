//! The file server's client: reading files of the disc, the ROM and a host.

use super::Error;
use super::call::{Reply, Server};
use super::link::Link;
use super::request::{Edges, FILE_SERVER, Request, file_function};
use crate::ee::cache::{self, LINE};

/// How long an open or a read may take, in milliseconds. A drive may have to spin up and seek.
const PATIENCE: u32 = 20_000;
/// How long the server may take to register.
const BIND_PATIENCE: u32 = 5_000;
/// Mode bit of an open for reading.
const READ: u32 = 1;
/// Preset of a reply: no descriptor and no error number.
const UNTOUCHED: u32 = 0x8000_0001;

/// Where a seek counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum From {
    /// The start of the file.
    Start = 0,
    /// Where the descriptor is.
    Here = 1,
    /// The end of the file.
    End = 2,
}

/// The server.
pub struct Files {
    server: Server,
}

/// An open file.
#[derive(Debug)]
pub struct File {
    descriptor: i32,
}

impl Files {
    /// Finds the server.
    ///
    /// # Errors
    /// It has not registered in time.
    pub fn bind(link: &mut Link) -> Result<Self, Error> {
        Ok(Self { server: link.bind(FILE_SERVER, BIND_PATIENCE)? })
    }

    fn call(&self, link: &mut Link, function: u32, request: &Request) -> Result<i32, Error> {
        let mut reply = Reply::<16>::preset(UNTOUCHED);
        link.call(&self.server, function, request.as_bytes(), &mut reply, 4, PATIENCE)?;
        match reply.0[0] {
            UNTOUCHED => Err(Error::NotSupported),
            value if (value as i32) < 0 => Err(Error::Server(value as i32)),
            value => Ok(value as i32),
        }
    }

    /// Opens a file for reading.
    ///
    /// # Errors
    /// The server's number, no answer, or a path that is too long.
    pub fn open(&self, link: &mut Link, path: &[u8]) -> Result<File, Error> {
        let descriptor = self.call(link, file_function::OPEN, &Request::open(path, READ)?)?;
        Ok(File { descriptor })
    }

    /// Reads into `buffer`, which must own whole cache lines; how many bytes came, fewer at the end of the file.
    ///
    /// # Errors
    /// The server's number, no answer, or a buffer that shares lines.
    pub fn read(&self, link: &mut Link, file: &File, buffer: &mut [u8]) -> Result<usize, Error> {
        let start = buffer.as_mut_ptr();
        if !(start as usize).is_multiple_of(LINE) || !buffer.len().is_multiple_of(LINE) {
            return Err(Error::Alignment);
        }
        // SAFETY: the buffer is the caller's, whole lines, and stays until the call has ended.
        unsafe { self.read_to(link, file, start as u32, buffer.len()) }
    }

    /// Reads `size` bytes to an address.
    ///
    /// # Errors
    /// As [`Self::read`].
    ///
    /// # Safety
    /// The memory must be free for the server to write; the first and the last line of it are written back before, so that
    /// neighbours keep their values, but nobody else may use these lines meanwhile.
    pub unsafe fn read_to(&self, link: &mut Link, file: &File, start: u32, size: usize) -> Result<usize, Error> {
        let mut edges = Edges::EMPTY;
        let edges_address = &raw mut edges as u32;
        cache::write_back(start as *const u8, size);
        cache::write_back(edges_address as *const u8, size_of::<Edges>());
        let request = Request::read(file.descriptor, start, size as u32, edges_address);
        let count = self.call(link, file_function::READ, &request)?;
        // SAFETY: all lines were written back before the server wrote to memory, and were not used since.
        unsafe {
            cache::invalidate(start as *mut u8, size);
            cache::invalidate(edges_address as *mut u8, size_of::<Edges>());
        }
        // SAFETY: the record is ours; the server has filled it behind the compiler's back.
        let edges = unsafe { (edges_address as *const Edges).read_volatile() };
        for (address, bytes) in edges.pieces(start, size as u32) {
            // SAFETY: the piece lies inside of the caller's memory.
            unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, bytes.len()) };
        }
        Ok((count as usize).min(size))
    }

    /// Moves the position; the new one.
    ///
    /// # Errors
    /// The server's number or no answer.
    pub fn seek(&self, link: &mut Link, file: &File, offset: i32, from: From) -> Result<u32, Error> {
        self.call(link, file_function::SEEK, &Request::seek(file.descriptor, offset, from as u32)).map(|at| at as u32)
    }

    /// Closes a file.
    ///
    /// # Errors
    /// The server's number or no answer.
    pub fn close(&self, link: &mut Link, file: File) -> Result<(), Error> {
        self.call(link, file_function::CLOSE, &Request::close(file.descriptor)).map(|_| ())
    }
}
