//! The IOP's memory from the EE's side.
//!
//! Source: IOP kernel, IOPHEAP.

use super::Error;
use super::call::{Bytes, Reply, Server};
use super::link::Link;

/// The server.
const SERVER: u32 = 0x8000_0003;
/// How long the server may take to register, in milliseconds.
const BIND_PATIENCE: u32 = 2_000;
/// How long an answer may take.
const PATIENCE: u32 = 1_000;
/// Preset of a reply: no address, no size and no error.
const UNTOUCHED: u32 = 0x8000_0001;

/// Functions of the server.
mod function {
    pub const ALLOCATE: u32 = 1;
    pub const FREE: u32 = 2;
    pub const TOTAL_FREE: u32 = 4;
    pub const LARGEST_FREE: u32 = 5;
}

/// Memory of the IOP. Give it back with [`Heap::free`].
#[must_use = "the IOP's memory stays taken until it is freed"]
#[derive(Debug, PartialEq, Eq)]
pub struct Block(u32);

impl Block {
    /// Where it lies in the IOP's memory.
    pub const fn address(&self) -> u32 {
        self.0
    }
}

/// The server of the IOP's memory.
pub struct Heap {
    server: Server,
}

impl Heap {
    /// Finds the server.
    ///
    /// # Errors
    /// It has not registered in time.
    pub fn bind(link: &mut Link) -> Result<Self, Error> {
        Ok(Self { server: link.bind(SERVER, BIND_PATIENCE)? })
    }

    /// Takes memory of the IOP. `None` when it has no such block.
    ///
    /// # Errors
    /// No answer.
    pub fn allocate(&self, link: &mut Link, bytes: u32) -> Result<Option<Block>, Error> {
        let address = self.call(link, function::ALLOCATE, bytes)?;
        Ok((address != 0).then_some(Block(address)))
    }

    /// Gives memory back.
    ///
    /// # Errors
    /// No answer, or the server's refusal.
    pub fn free(&self, link: &mut Link, block: Block) -> Result<(), Error> {
        match self.call(link, function::FREE, block.0)? as i32 {
            0 => Ok(()),
            error => Err(Error::Server(error)),
        }
    }

    /// Bytes of the IOP's memory that are free, and those of the largest block.
    ///
    /// # Errors
    /// No answer; [`Error::NotSupported`] on consoles whose server does not tell.
    pub fn free_bytes(&self, link: &mut Link) -> Result<(u32, u32), Error> {
        Ok((self.call(link, function::TOTAL_FREE, 0)?, self.call(link, function::LARGEST_FREE, 0)?))
    }

    fn call(&self, link: &mut Link, function: u32, argument: u32) -> Result<u32, Error> {
        let mut request = Bytes([0; 64]);
        request.0[..4].copy_from_slice(&argument.to_le_bytes());
        let mut reply = Reply::<16>::preset(UNTOUCHED);
        link.call(&self.server, function, &request.0[..16], &mut reply, 4, PATIENCE)?;
        match reply.0 {
            [UNTOUCHED, ..] => Err(Error::NotSupported),
            [word, ..] => Ok(word),
        }
    }
}
