//! Bytes to the IOP and back, for the self-test: by the kernel's transfer there, by the module's push here.
//!
//! Source: EE facts, section 13

use super::Error;
use super::call::{Bytes, Reply, Server};
use super::heap::{Block, Heap};
use super::link::{Link, Patience};
use crate::ee::cache;
use crate::ee::syscall::{self, SifTransfer};
use alloc::vec;
use alloc::vec::Vec;
use boardwalk_iop::protocol::{COMMANDS, Command, List, SERVER, STATUS_WORDS};

/// How long the module may take to register, a transfer to leave and an echo to come, in milliseconds.
const PATIENCE: u32 = 1_000;
/// Bytes of the largest echo.
const LARGEST: usize = 16 * 1024;
/// Room around it for what must stay as it was.
const MARGIN: usize = 64;
/// What stands where no byte may be written.
const UNTOUCHED: u8 = 0xA5;
/// Memory of whole lines.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

const LINES: usize = (LARGEST + 2 * MARGIN) / size_of::<Line>();

/// One echo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Echo {
    /// Bytes, whole quadwords, at most 16 KB.
    pub bytes: usize,
    /// Where it begins behind a line of the EE's memory, whole quadwords below a line.
    pub source: usize,
    /// The same of the IOP's memory, whole words below a line.
    pub there: u32,
    /// The same of where it comes back, whole quadwords below a line.
    pub destination: usize,
}

/// Sends bytes and asks for them back.
pub struct Echoes {
    server: Server,
    block: Block,
    source: Vec<Line>,
    back: Vec<Line>,
}

fn bytes_of(lines: &mut [Line]) -> &mut [u8] {
    let length = size_of_val(lines);
    // SAFETY: a line is 64 bytes without padding, and any byte is a byte.
    unsafe { core::slice::from_raw_parts_mut(lines.as_mut_ptr().cast(), length) }
}

impl Echoes {
    /// Finds the module and takes memory of the IOP; `None` when it has none left.
    ///
    /// # Errors
    /// No module, or no memory server.
    pub fn open(link: &mut Link, heap: &Heap) -> Result<Option<Self>, Error> {
        let server = link.bind(SERVER, PATIENCE)?;
        let block = heap.allocate(link, (LARGEST + MARGIN) as u32)?;
        let lines = || vec![Line([UNTOUCHED; 64]); LINES];
        Ok(block.map(|block| Self { server, block, source: lines(), back: lines() }))
    }

    /// Gives the IOP's memory back.
    ///
    /// # Errors
    /// No answer, or the server's refusal.
    pub fn close(self, link: &mut Link, heap: &Heap) -> Result<(), Error> {
        heap.free(link, self.block)
    }

    /// Sends a pattern there and back: true when every byte came and none beside them changed.
    ///
    /// # Errors
    /// A transfer that does not leave, or no answer.
    pub fn run(&mut self, link: &mut Link, echo: Echo, seed: u8) -> Result<bool, Error> {
        let Echo { bytes, source, there, destination } = echo;
        let pattern = |at: usize| (at as u8).wrapping_mul(31) ^ (at >> 8) as u8 ^ seed;
        let (sent, back) = (source..source + bytes, MARGIN + destination..MARGIN + destination + bytes);
        for (at, byte) in bytes_of(&mut self.source)[sent].iter_mut().enumerate() {
            *byte = pattern(at);
        }
        bytes_of(&mut self.back).fill(UNTOUCHED);
        let (from, to) = (self.source.as_ptr() as u32, self.back.as_mut_ptr() as u32);
        for lines in [&self.source, &self.back] {
            cache::write_back_slice(lines);
        }
        let there = self.block.address().next_multiple_of(16) + there;
        transfer(from + source as u32, there, bytes)?;
        let command = Command::Echo { source: there, destination: to + back.start as u32, bytes: bytes as u32 };
        self.ask(link, &command)?;
        // SAFETY: whole lines of this value, written back before and not touched since.
        unsafe { cache::invalidate(to as *mut u8, size_of_val(&self.back[..])) };
        let came = bytes_of(&mut self.back);
        Ok(came.iter().enumerate().all(|(at, byte)| {
            let expected = if back.contains(&at) { pattern(at - back.start) } else { UNTOUCHED };
            *byte == expected
        }))
    }

    fn ask(&self, link: &mut Link, command: &Command) -> Result<(), Error> {
        let mut list = List::new();
        list.add(command);
        let mut request = Bytes([0; 64]);
        for (place, word) in request.0.chunks_exact_mut(4).zip(list.words()) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let mut reply = Reply::<STATUS_WORDS>::preset(0);
        link.call(&self.server, COMMANDS, &request.0[..16], &mut reply, 4 * STATUS_WORDS, PATIENCE)
    }
}

/// Sends bytes to the IOP's memory and waits until they have left.
fn transfer(source: u32, destination: u32, bytes: usize) -> Result<(), Error> {
    let transfer = SifTransfer { source: source as *const _, destination, size: bytes as i32, attributes: 0 };
    // SAFETY: a complete record over memory that is written back and stays until the transfer has left.
    let id = unsafe { syscall::sif_set_dma(&raw const transfer, 1) };
    if id == 0 {
        return Err(Error::NotSent);
    }
    // SAFETY: an id of the kernel.
    let left = || unsafe { syscall::sif_dma_stat(id) } < 0;
    if Patience::milliseconds(PATIENCE).wait_until(left) { Ok(()) } else { Err(Error::TimeOut) }
}
