//! Event flags: the THEVENT calls.

use super::queue::Queue;
use super::{Id, Kind, Threads, Wait, Waited, find, insert};
use crate::errors::Error;

/// Wait mode: any of the bits is enough (0 wants all).
pub const MODE_OR: u32 = 1;
/// Wait mode: a satisfied wait clears the whole flag.
pub const MODE_CLEAR: u32 = 0x10;
/// Attribute: more than one thread may wait.
const MULTIPLE: u32 = 2;

/// An event flag.
#[derive(Clone, Copy)]
pub(super) struct EventFlag {
    pub(super) waiters: Queue,
    attributes: u32,
    option: u32,
    initial: u32,
    bits: u32,
}

/// What ReferEventFlagStatus tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventInfo {
    /// Attribute bits.
    pub attributes: u32,
    /// The creator's word.
    pub option: u32,
    /// Bits at creation.
    pub initial: u32,
    /// Bits now.
    pub bits: u32,
    /// Threads that wait.
    pub waiting: u32,
}

fn satisfied(pattern: u32, bits: u32, mode: u32) -> bool {
    if mode & MODE_OR != 0 { pattern & bits != 0 } else { pattern & bits == bits }
}

fn check(bits: u32, mode: u32) -> Result<(), Error> {
    if bits == 0 {
        return Err(Error::EventPattern);
    }
    if mode & !(MODE_OR | MODE_CLEAR) != 0 {
        return Err(Error::IllegalMode);
    }
    Ok(())
}

impl Threads {
    /// Makes an event flag.
    ///
    /// # Errors
    /// Unknown attribute; no record left.
    pub fn create_event_flag(&mut self, attributes: u32, option: u32, initial: u32) -> Result<i32, Error> {
        if attributes & !MULTIPLE != 0 {
            return Err(Error::IllegalAttribute);
        }
        let flag = EventFlag { waiters: Queue::EMPTY, attributes, option, initial, bits: initial };
        insert(&mut self.events, Kind::EventFlag, flag).map(Id::raw)
    }

    fn event_flag(&mut self, id: i32) -> Result<(usize, &mut EventFlag), Error> {
        let index = find(&self.events, Kind::EventFlag, id).ok_or(Error::UnknownEventFlag)?;
        self.events[index].object.as_mut().map(|object| (index, object)).ok_or(Error::UnknownEventFlag)
    }

    /// Deletes an event flag; its waiters get [`Error::WaitDeleted`].
    ///
    /// # Errors
    /// Unknown.
    pub fn delete_event_flag(&mut self, id: i32) -> Result<(), Error> {
        let (index, flag) = self.event_flag(id)?;
        let waiters = flag.waiters;
        self.events[index].object = None;
        self.release_all(waiters);
        Ok(())
    }

    /// Sets bits and releases, in order, every waiter they satisfy; one that clears ends the walk.
    ///
    /// # Errors
    /// Unknown.
    pub fn set_event_flag(&mut self, id: i32, bits: u32) -> Result<(), Error> {
        let (index, flag) = self.event_flag(id)?;
        flag.bits |= bits;
        let pattern = flag.bits;
        let mut next = flag.waiters.first();
        while let Some(thread) = next {
            next = Queue::next_of(&mut self.threads, thread);
            let Some(Wait::Event { bits, mode, .. }) = self.thread(thread).map(|thread| thread.wait) else { continue };
            if !satisfied(pattern, bits, mode) {
                continue;
            }
            let Some(flag) = self.events[index].object.as_mut() else { return Ok(()) };
            flag.waiters.remove(&mut self.threads, thread);
            let clears = mode & MODE_CLEAR != 0;
            if clears {
                flag.bits = 0;
            }
            self.make_ready(thread, Ok(pattern));
            if clears {
                break;
            }
        }
        Ok(())
    }

    /// Keeps only the bits of `keep`.
    ///
    /// # Errors
    /// Unknown.
    pub fn clear_event_flag(&mut self, id: i32, keep: u32) -> Result<(), Error> {
        self.event_flag(id)?.1.bits &= keep;
        Ok(())
    }

    /// Waits for bits; the value is the whole pattern at that time.
    ///
    /// # Errors
    /// No bits, mode, unknown, a second waiter where one is allowed.
    pub fn wait_event_flag(&mut self, id: i32, bits: u32, mode: u32) -> Result<Waited, Error> {
        check(bits, mode)?;
        let (index, flag) = self.event_flag(id)?;
        if flag.attributes & MULTIPLE == 0 && !flag.waiters.is_empty() {
            return Err(Error::EventMultiple);
        }
        match self.poll_event_flag(id, bits, mode) {
            Ok(pattern) => return Ok(Waited::Done(pattern)),
            Err(Error::EventCondition) => {}
            Err(error) => return Err(error),
        }
        let Some(current) = self.current else { return Err(Error::CannotWait) };
        if let Some(flag) = self.events[index].object.as_mut() {
            flag.waiters.push_back(&mut self.threads, current);
        }
        Ok(self.block(Wait::Event { flag: index as u8, bits, mode }))
    }

    /// Looks for bits without waiting.
    ///
    /// # Errors
    /// No bits, mode, unknown, a waiter where one is allowed, not satisfied.
    pub fn poll_event_flag(&mut self, id: i32, bits: u32, mode: u32) -> Result<u32, Error> {
        check(bits, mode)?;
        let (_, flag) = self.event_flag(id)?;
        if flag.attributes & MULTIPLE == 0 && !flag.waiters.is_empty() {
            return Err(Error::EventMultiple);
        }
        let pattern = flag.bits;
        if !satisfied(pattern, bits, mode) {
            return Err(Error::EventCondition);
        }
        if mode & MODE_CLEAR != 0 {
            flag.bits = 0;
        }
        Ok(pattern)
    }

    /// What is known about an event flag.
    ///
    /// # Errors
    /// Unknown.
    pub fn event_flag_info(&mut self, id: i32) -> Result<EventInfo, Error> {
        let flag = *self.event_flag(id)?.1;
        Ok(EventInfo {
            attributes: flag.attributes,
            option: flag.option,
            initial: flag.initial,
            bits: flag.bits,
            waiting: flag.waiters.len(&mut self.threads),
        })
    }
}
