//! Calls to the module over the link to the IOP.

use crate::ee::cache;
use crate::ee::sif::Error;
use crate::ee::sif::call::{Pending, Server};
use crate::ee::sif::link::{Link, Patience};
use crate::file_io::Region;
use crate::file_io::device::{Answer, Channel};
use alloc::boxed::Box;
use boardwalk_iop::protocol::{LIST_WORDS, List, SERVER, STATUS_WORDS};
use core::cell::RefCell;
use core::mem::ManuallyDrop;

/// How long the module may take to register, in milliseconds.
const BIND_PATIENCE: u32 = 2_000;
/// How long an answer may take, in milliseconds. The module answers at once; the rest is for an IOP under load.
const ANSWER_PATIENCE: u32 = 1_000;
/// The first word of a reply that nobody has written.
const UNTOUCHED: u32 = 0;

/// What travels, in whole cache lines of its own.
#[repr(C, align(64))]
struct Buffers {
    request: [u32; LIST_WORDS],
    reply: [u32; STATUS_WORDS],
}

/// A channel to the module.
pub struct SifChannel<'l> {
    link: &'l RefCell<Link>,
    server: Server,
    /// Given back by `drop`, when the module has nothing to write to them any more.
    buffers: ManuallyDrop<Box<Buffers>>,
    /// The call that the module has not answered yet. There is never a second one: the module has one buffer for requests.
    sent: Option<Pending>,
    /// How long the asker still waits, while it does.
    waits: Option<Patience>,
    /// The call that it waits for, while another one is unanswered.
    next: Option<(u32, List)>,
}

impl<'l> SifChannel<'l> {
    /// Finds the module's server.
    ///
    /// # Errors
    /// It has not registered in time.
    pub fn bind(link: &'l RefCell<Link>) -> Result<Self, Error> {
        let server = link.borrow_mut().bind(SERVER, BIND_PATIENCE)?;
        let buffers =
            ManuallyDrop::new(Box::new(Buffers { request: [0; LIST_WORDS], reply: [UNTOUCHED; STATUS_WORDS] }));
        Ok(Self { link, server, buffers, sent: None, waits: None, next: None })
    }
}

impl SifChannel<'_> {
    /// Sends a call; false when it cannot be sent.
    fn send(&mut self, function: u32, words: &[u32]) -> bool {
        let Some(request) = self.buffers.request.get_mut(..words.len()) else { return false };
        request.copy_from_slice(words);
        // Requests are whole quadwords; what fills the last one up means nothing to the module.
        let padded = words.len().next_multiple_of(4).min(LIST_WORDS);
        self.buffers.request[words.len()..padded].fill(0);
        self.buffers.reply = [UNTOUCHED; STATUS_WORDS];
        let bytes = padded * size_of::<u32>();
        let (request, reply) = (self.buffers.request.as_ptr().cast(), self.buffers.reply.as_ptr() as u32);
        // SAFETY: the buffers live as long as the channel, and longer when the call is unanswered then; they own their lines, and
        // nothing touches them before `poll` has seen the call's end.
        let begun = unsafe {
            let request = core::slice::from_raw_parts(request, bytes);
            self.link.borrow_mut().begin(&self.server, function, request, reply, STATUS_WORDS * size_of::<u32>())
        };
        self.sent = begun.ok();
        self.sent.is_some()
    }

    /// True when the module has answered what it was sent, and that is out of the way.
    fn is_answered(&mut self) -> bool {
        let mut link = self.link.borrow_mut();
        if self.sent.as_ref().is_some_and(|pending| !link.is_done(pending)) {
            return false;
        }
        if let Some(pending) = self.sent.take() {
            link.finish(pending);
        }
        true
    }
}

impl Channel for SifChannel<'_> {
    fn begin(&mut self, function: u32, words: &[u32]) -> bool {
        self.next = None;
        let begun = if self.is_answered() {
            self.send(function, words)
        } else {
            self.next = List::of(words).map(|list| (function, list));
            self.next.is_some()
        };
        self.waits = begun.then(|| Patience::milliseconds(ANSWER_PATIENCE));
        begun
    }

    fn poll(&mut self) -> Answer {
        let Some(mut patience) = self.waits.take() else { return Answer::Lost };
        if !self.is_answered() {
            if patience.lasts() {
                self.waits = Some(patience);
                return Answer::Waiting;
            }
            return if self.next.take().is_some() { Answer::Unsent } else { Answer::Lost };
        }
        if let Some((function, list)) = self.next.take() {
            // That was the answer of a call that nobody waits for any more.
            if !self.send(function, list.words()) {
                return Answer::Unsent;
            }
            self.waits = Some(patience);
            return Answer::Waiting;
        }
        // SAFETY: the reply owns its line, which was written back before the call and not touched since.
        unsafe {
            cache::invalidate(self.buffers.reply.as_mut_ptr().cast(), STATUS_WORDS * size_of::<u32>());
            Answer::Words(self.buffers.reply.as_ptr().cast::<[u32; STATUS_WORDS]>().read_volatile())
        }
    }

    fn lend(&mut self, region: Region) {
        cache::write_back(region.address() as *const u8, region.bytes() as usize);
    }

    fn take_back(&mut self, region: Region) {
        // SAFETY: a region owns whole lines, and whoever lent it has not written to it since.
        unsafe { cache::invalidate(region.address() as *mut u8, region.bytes() as usize) };
    }

    fn memory(&self, region: Region, length: u32) -> &[u8] {
        let length = length.min(region.bytes()) as usize;
        // SAFETY: a region is memory of the program, which outlives the device; the module does not write to it between
        // reads, and readers of a read under way are the device's callers' mistake, whom the file system does not let look.
        unsafe { core::slice::from_raw_parts(region.address() as *const u8, length) }
    }
}

impl Drop for SifChannel<'_> {
    fn drop(&mut self) {
        let mut patience = Patience::milliseconds(ANSWER_PATIENCE);
        if patience.wait_until(|| self.is_answered()) {
            // SAFETY: they are not used again.
            unsafe { ManuallyDrop::drop(&mut self.buffers) };
        } else if let Some(pending) = self.sent.take() {
            // An answer that still comes writes to memory that stays the channel's.
            self.link.borrow_mut().abandon(pending);
        }
    }
}
