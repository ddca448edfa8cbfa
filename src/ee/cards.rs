//! The memory cards, through the cards' server on the IOP: the one in the first slot unless another is selected.
//!
//! Both generations of the server are spoken to; which one is there is found out as the console's own library does it. Calls
//! wait for the card.
//!
//! Source: IOP kernel facts, MCSERV.

use super::cache;
use super::sif::Error;
use super::sif::call::{Bytes, Reply, Server};
use super::sif::link::Link;
use crate::game_modes::memory_card::folder::{CardInfo, CardServer, answer};
use alloc::boxed::Box;
use core::cell::RefCell;

/// The server.
const SERVER: u32 = 0x8000_0400;
/// How long it may take to register, in milliseconds.
const BIND_PATIENCE: u32 = 2_000;
/// How long a call may take: a card that rewrites blocks, and one that is formatted. In milliseconds.
const PATIENCE: u32 = 10_000;
const FORMAT_PATIENCE: u32 = 60_000;
/// The first slot.
const PORT: u32 = 0;
const SLOT: u32 = 0;
/// Bytes of a request about an open file, and of one that names a file.
const FILE_REQUEST: usize = 48;
const NAME_REQUEST: usize = 0x420;
/// Where a request has its own bytes, and how many; where it has its name.
const OWN_BYTES_AT: usize = 0x20;
const OWN_BYTES: usize = 16;
const NAME_AT: usize = 0x14;
/// Longest name, its end mark included.
const NAME_BYTES: usize = 1023;
/// Bytes that are read at a time.
const READ_BYTES: usize = 1024;
/// What the server tells about a card, or about a read's edges.
const PARAMETER_BYTES: usize = 192;
/// Where the parameter has the card's kind, its free clusters, and whether it is formatted.
const FREE_AT: usize = 4;
const FORMATTED_AT: usize = 0x90;
/// Where a read's edges begin, behind two lengths and two addresses.
const EDGES_AT: usize = 16;

/// A function by the numbers of both generations.
#[derive(Clone, Copy)]
enum Function {
    Info,
    Open,
    Close,
    Read,
    Write,
    Format,
    Flush,
    Remove,
}

/// The generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Generation {
    Old,
    New,
}

impl Generation {
    const fn number(self, function: Function) -> u32 {
        let (old, new) = match function {
            Function::Info => (0x78, 0x01),
            Function::Open => (0x71, 0x02),
            Function::Close => (0x72, 0x03),
            Function::Read => (0x73, 0x05),
            Function::Write => (0x74, 0x06),
            Function::Format => (0x77, 0x10),
            Function::Flush => (0x7a, 0x0a),
            Function::Remove => (0x79, 0x0f),
        };
        match self {
            Self::Old => old,
            Self::New => new,
        }
    }

    /// The generations' first calls.
    const fn beginning(self) -> u32 {
        match self {
            Self::Old => 0x70,
            Self::New => 0xfe,
        }
    }

    /// Bytes of each edge of a read.
    const fn edge(self) -> usize {
        match self {
            Self::Old => 16,
            Self::New => 64,
        }
    }
}

/// What the server writes: whole cache lines.
#[repr(C, align(64))]
struct Buffers {
    read: [u8; READ_BYTES],
    parameter: [u8; PARAMETER_BYTES],
}

/// The card.
pub struct CardRpc {
    link: &'static RefCell<Link>,
    server: Server,
    generation: Generation,
    /// The slot that is worked with.
    port: u32,
    buffers: Box<Buffers>,
}

impl CardRpc {
    /// Finds the server and which generation it is.
    ///
    /// # Errors
    /// No server, or one that does not answer.
    pub fn open(link: &'static RefCell<Link>) -> Result<Self, Error> {
        let server = link.borrow_mut().bind(SERVER, BIND_PATIENCE)?;
        let buffers = Box::new(Buffers { read: [0; READ_BYTES], parameter: [0; PARAMETER_BYTES] });
        let mut card = Self { link, server, generation: Generation::New, port: PORT, buffers };
        // A flush of no file makes the last result "denied" in either generation; one that does not know the later
        // generation's beginning leaves it so.
        let nothing = request(&[u32::MAX]);
        for generation in [Generation::New, Generation::Old] {
            card.call(generation.number(Function::Flush), &nothing, PATIENCE)?;
        }
        if card.call(Generation::New.beginning(), &nothing, PATIENCE)? == answer::DENIED {
            card.generation = Generation::Old;
            card.call(Generation::Old.beginning(), &nothing, PATIENCE)?;
        }
        Ok(card)
    }

    fn call<const N: usize>(&mut self, number: u32, bytes: &Bytes<N>, patience: u32) -> Result<i32, Error> {
        const REPLY_BYTES: usize = 16;
        let mut reply = Reply::<16>::preset(answer::NO_CARD as u32);
        let mut link = self.link.borrow_mut();
        link.call(&self.server, number, &bytes.0, &mut reply, REPLY_BYTES, patience)?;
        Ok(reply.0[0] as i32)
    }

    /// A call whose failure counts as a card that is gone.
    fn ask<const N: usize>(&mut self, function: Function, bytes: &Bytes<N>) -> i32 {
        let patience = if matches!(function, Function::Format) { FORMAT_PATIENCE } else { PATIENCE };
        let number = self.generation.number(function);
        self.call(number, bytes, patience).unwrap_or(answer::NO_CARD)
    }

    fn parameter_address(&self) -> u32 {
        self.buffers.parameter.as_ptr() as u32
    }

    /// Gives the buffers to the server: nothing of them may stay in the cache.
    fn lend(&self) {
        cache::write_back((&raw const *self.buffers).cast(), size_of::<Buffers>());
    }

    fn take_back(&mut self) {
        // SAFETY: the buffers own their lines, which were written back before the call and not touched since.
        unsafe { cache::invalidate((&raw mut *self.buffers).cast(), size_of::<Buffers>()) };
    }

    fn parameter_word(&self, at: usize) -> u32 {
        let mut word = [0; 4];
        word.copy_from_slice(&self.buffers.parameter[at..at + 4]);
        u32::from_le_bytes(word)
    }
}

/// A request about an open file.
fn request(words: &[u32]) -> Bytes<FILE_REQUEST> {
    let mut bytes = Bytes([0; FILE_REQUEST]);
    for (place, word) in bytes.0.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// A request that names a file; none for a name that is too long.
fn naming(words: &[u32], path: &str) -> Option<Bytes<NAME_REQUEST>> {
    let mut bytes = Bytes([0; NAME_REQUEST]);
    for (place, word) in bytes.0.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    if path.len() >= NAME_BYTES {
        return None;
    }
    bytes.0[NAME_AT..NAME_AT + path.len()].copy_from_slice(path.as_bytes());
    Some(bytes)
}

impl CardRpc {
    /// Works with the card in another slot from now on, 0 or 1.
    pub const fn select(&mut self, port: u32) {
        self.port = port;
    }

    /// Removes a file. Negative answers are [`answer`]s.
    pub fn remove(&mut self, path: &str) -> i32 {
        let request = naming(&[self.port, SLOT, 0, 0, 0], path);
        request.map_or(answer::DENIED, |request| self.ask(Function::Remove, &request))
    }

    /// Looks at the card in a port, 0 or 1.
    pub fn info_of(&mut self, port: u32) -> CardInfo {
        // Kind, free clusters and format are all wanted.
        let wanted = 1;
        let parameter = self.parameter_address();
        self.buffers.parameter = [0; PARAMETER_BYTES];
        self.lend();
        let result = self.ask(Function::Info, &request(&[0, port, SLOT, wanted, wanted, wanted, 0, parameter]));
        self.take_back();
        let (kind, free) = (self.parameter_word(0), self.parameter_word(FREE_AT));
        let formatted = match self.generation {
            Generation::New => self.parameter_word(FORMATTED_AT) != 0,
            Generation::Old => kind != 0 && result != answer::UNFORMATTED,
        };
        CardInfo { result, kind, free, formatted }
    }
}

impl CardServer for CardRpc {
    fn info(&mut self) -> CardInfo {
        self.info_of(self.port)
    }

    fn open(&mut self, path: &str, flags: u32) -> i32 {
        let request = naming(&[self.port, SLOT, flags, 0, 0], path);
        request.map_or(answer::DENIED, |request| self.ask(Function::Open, &request))
    }

    fn close(&mut self, file: i32) -> i32 {
        self.ask(Function::Close, &request(&[file as u32]))
    }

    fn read(&mut self, file: i32, buffer: &mut [u8]) -> i32 {
        let size = buffer.len().min(READ_BYTES);
        let (to, parameter) = (self.buffers.read.as_ptr() as u32, self.parameter_address());
        self.buffers.parameter = [0; PARAMETER_BYTES];
        self.lend();
        let came =
            self.ask(Function::Read, &request(&[file as u32, self.port, SLOT, size as u32, 0, 0, to, parameter]));
        self.take_back();
        let bytes = usize::try_from(came).map_or(0, |came| came.min(size));
        buffer[..bytes].copy_from_slice(&self.buffers.read[..bytes]);
        // What lies in part lines at either end came beside the rest.
        for edge in 0..2 {
            let length = (self.parameter_word(4 * edge) as usize).min(self.generation.edge());
            let from = EDGES_AT + edge * self.generation.edge();
            let at = self.parameter_word(8 + 4 * edge).wrapping_sub(to) as usize;
            let place = at.checked_add(length).and_then(|end| buffer[..bytes].get_mut(at..end));
            if let (Some(place), Some(piece)) = (place, self.buffers.parameter.get(from..from + length)) {
                place.copy_from_slice(piece);
            }
        }
        came
    }

    fn write(&mut self, file: i32, bytes: &[u8]) -> i32 {
        let mut done = 0;
        // Our choice: sixteen bytes a call, which travel in the request itself, so that the server fetches nothing from our
        // memory. A save is small, and the card is far slower than the calls.
        for piece in bytes.chunks(OWN_BYTES) {
            let mut call = request(&[file as u32, self.port, SLOT, 0, 0, piece.len() as u32, 0, 0]);
            call.0[OWN_BYTES_AT..OWN_BYTES_AT + piece.len()].copy_from_slice(piece);
            match self.ask(Function::Write, &call) {
                error if error < 0 => return error,
                written => done += written,
            }
        }
        done
    }

    fn format(&mut self) -> i32 {
        self.ask(Function::Format, &request(&[0, self.port, SLOT]))
    }
}
