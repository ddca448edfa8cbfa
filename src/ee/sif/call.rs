//! Remote calls, the client's side.

use super::Error;
use super::link::{
    Link, Patience, REPLY_WORDS, SLOTS, packet_address, read_uncached, reply_address, slot, state, write_uncached,
};
use super::packet::{self, Call, Sender};
use crate::ee::cache::{self, LINE};
use core::sync::atomic::Ordering;

/// How long to wait before a server is looked for again, in milliseconds.
const BIND_PAUSE: u32 = 2;

/// A server that has been found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Server {
    record: u32,
    buffer: u32,
}

impl Server {
    /// Address of the server's record on the IOP, for packets that a program makes by itself.
    #[must_use]
    pub fn record(&self) -> u32 {
        self.record
    }
}

/// A call on its way. Give it to [`Link::finish`] or [`Link::abandon`].
#[must_use = "the call's place stays taken until it is finished or abandoned"]
#[derive(Debug)]
pub struct Pending {
    slot: usize,
}

/// Whole cache lines that a server may write its reply to: a multiple of 16 words.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Reply<const WORDS: usize = 16>(pub [u32; WORDS]);

impl<const WORDS: usize> Reply<WORDS> {
    /// A reply buffer with every word preset, so that a server that leaves it alone can be told from one that answers.
    pub const fn preset(word: u32) -> Self {
        const { assert!(WORDS.is_multiple_of(16), "a reply owns whole cache lines") };
        Self([word; WORDS])
    }
}

/// Whole cache lines for a request.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Bytes<const N: usize>(pub [u8; N]);

impl Link {
    fn sender(&mut self) -> Result<Sender, Error> {
        let free = (0..SLOTS).find(|index| slot(*index).state.load(Ordering::Relaxed) == state::FREE);
        let index = free.ok_or(Error::Busy)?;
        slot(index).state.store(state::WAITING, Ordering::Relaxed);
        let packet = packet_address(index);
        Ok(Sender { slot: index, packet, number: self.next_number(), client: packet })
    }

    fn send(&mut self, sender: &Sender, words: &packet::Packet, data: Option<(&[u8], u32)>) -> Result<Pending, Error> {
        self.send_slot(sender.slot, words, data)
            .map(|()| Pending { slot: sender.slot })
            .inspect_err(|_| slot(sender.slot).state.store(state::FREE, Ordering::Relaxed))
    }

    /// Looks for a server until it has registered.
    ///
    /// # Errors
    /// [`Error::NoServer`] when it has not within `milliseconds`.
    pub fn bind(&mut self, id: u32, milliseconds: u32) -> Result<Server, Error> {
        let mut patience = Patience::milliseconds(milliseconds);
        loop {
            let sender = self.sender()?;
            let pending = self.send(&sender, &packet::bind(&sender, id), None)?;
            let slot = slot(pending.slot);
            if !patience.wait_until(|| self.is_done(&pending)) {
                self.abandon(pending);
                return Err(Error::TimeOut);
            }
            let server =
                Server { record: slot.server.load(Ordering::Relaxed), buffer: slot.buffer.load(Ordering::Relaxed) };
            self.finish(pending);
            if server.record != 0 {
                return Ok(server);
            }
            let mut pause = Patience::milliseconds(BIND_PAUSE);
            while pause.lasts() {}
            if !patience.lasts() {
                return Err(Error::NoServer(id));
            }
        }
    }

    /// Begins a call: the request is written back and sent; `reply` bytes at `reply_address` are what the answer overwrites.
    ///
    /// # Errors
    /// Buffers that share cache lines with others, or no room for the call.
    ///
    /// # Safety
    /// The request must stay until the call has ended, and the reply's memory, whole cache lines, is the server's until
    /// then.
    pub unsafe fn begin(
        &mut self,
        server: &Server,
        function: u32,
        request: &[u8],
        reply_address: u32,
        reply_bytes: usize,
    ) -> Result<Pending, Error> {
        let whole = |address: u32| (address as usize).is_multiple_of(LINE);
        if !whole(request.as_ptr() as u32) || !request.len().is_multiple_of(16) || !whole(reply_address) {
            return Err(Error::Alignment);
        }
        cache::write_back(request.as_ptr(), request.len());
        cache::write_back(reply_address as *const u8, reply_bytes);
        let sender = self.sender()?;
        self.send_call(&sender, server, function, request, (reply_address, reply_bytes))
    }

    fn send_call(
        &mut self,
        sender: &Sender,
        server: &Server,
        function: u32,
        request: &[u8],
        (reply, reply_bytes): (u32, usize),
    ) -> Result<Pending, Error> {
        let (request_bytes, reply_bytes) = (request.len() as u32, reply_bytes as u32);
        let words = Call { server: server.record, function, request_bytes, reply, reply_bytes };
        let data = (!request.is_empty()).then_some((request, server.buffer));
        self.send(sender, &packet::call(sender, &words), data)
    }

    /// True when the call has been answered.
    pub fn is_done(&self, pending: &Pending) -> bool {
        slot(pending.slot).state.load(Ordering::Acquire) == state::DONE
    }

    /// Frees a done call's place.
    pub fn finish(&mut self, pending: Pending) {
        slot(pending.slot).state.store(state::FREE, Ordering::Relaxed);
    }

    /// Gives a call up. Its place stays taken until the answer comes after all.
    pub fn abandon(&mut self, pending: Pending) {
        crate::ee::critical::with(|| {
            let state = &slot(pending.slot).state;
            let done = state.load(Ordering::Relaxed) == state::DONE;
            state.store(if done { state::FREE } else { state::ABANDONED }, Ordering::Relaxed);
        });
    }

    /// Calls a server and waits for its reply.
    ///
    /// # Errors
    /// No answer within `milliseconds`, or the call could not be sent.
    pub fn call<const WORDS: usize>(
        &mut self,
        server: &Server,
        function: u32,
        request: &[u8],
        reply: &mut Reply<WORDS>,
        reply_bytes: usize,
        milliseconds: u32,
    ) -> Result<(), Error> {
        const { assert!(WORDS <= REPLY_WORDS, "a slot has room for the reply") };
        if !(request.as_ptr() as usize).is_multiple_of(LINE) || !request.len().is_multiple_of(16) {
            return Err(Error::Alignment);
        }
        cache::write_back(request.as_ptr(), request.len());
        let sender = self.sender()?;
        let place = reply_address(sender.slot);
        for (index, word) in (0..).zip(&reply.0) {
            write_uncached(place + 4 * index, *word);
        }
        let pending = self.send_call(&sender, server, function, request, (place, reply_bytes.min(4 * WORDS)))?;
        if !Patience::milliseconds(milliseconds).wait_until(|| self.is_done(&pending)) {
            // The slot, and with it the reply's place, stays taken until the answer has come.
            self.abandon(pending);
            return Err(Error::TimeOut);
        }
        for (index, word) in (0..).zip(&mut reply.0) {
            *word = read_uncached(place + 4 * index);
        }
        self.finish(pending);
        Ok(())
    }
}
