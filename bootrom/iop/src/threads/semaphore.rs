//! Semaphores: the THSEMAP calls.

use super::queue::Queue;
use super::{Id, Kind, Threads, Wait, Waited, find, insert};
use crate::errors::Error;

/// Attribute bit: waiters line up by priority instead of arrival.
pub(super) const BY_PRIORITY: u32 = 1;
/// Attribute bit without effect here, which the system accepts.
const ACCEPTED: u32 = 0x100;

/// A semaphore.
#[derive(Clone, Copy)]
pub(super) struct Semaphore {
    pub(super) waiters: Queue,
    pub(super) attributes: u32,
    option: u32,
    initial: u32,
    maximum: u32,
    count: u32,
}

/// What ReferSemaStatus tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemaphoreInfo {
    /// Attribute bits.
    pub attributes: u32,
    /// The creator's word.
    pub option: u32,
    /// Count at creation.
    pub initial: u32,
    /// Largest count.
    pub maximum: u32,
    /// Count now.
    pub count: u32,
    /// Threads that wait.
    pub waiting: u32,
}

impl Threads {
    /// Makes a semaphore.
    ///
    /// # Errors
    /// Unknown attribute; no record left.
    pub fn create_semaphore(&mut self, attributes: u32, option: u32, initial: u32, maximum: u32) -> Result<i32, Error> {
        if attributes & !(BY_PRIORITY | ACCEPTED) != 0 {
            return Err(Error::IllegalAttribute);
        }
        let semaphore = Semaphore { waiters: Queue::EMPTY, attributes, option, initial, maximum, count: initial };
        insert(&mut self.semaphores, Kind::Semaphore, semaphore).map(Id::raw)
    }

    fn semaphore(&mut self, id: i32) -> Result<(usize, &mut Semaphore), Error> {
        let index = find(&self.semaphores, Kind::Semaphore, id).ok_or(Error::UnknownSemaphore)?;
        self.semaphores[index].object.as_mut().map(|object| (index, object)).ok_or(Error::UnknownSemaphore)
    }

    /// Deletes a semaphore; its waiters get [`Error::WaitDeleted`].
    ///
    /// # Errors
    /// Unknown.
    pub fn delete_semaphore(&mut self, id: i32) -> Result<(), Error> {
        let (index, semaphore) = self.semaphore(id)?;
        let waiters = semaphore.waiters;
        self.semaphores[index].object = None;
        self.release_all(waiters);
        Ok(())
    }

    /// Readies every thread of `waiters`, whose object is gone.
    pub(super) fn release_all(&mut self, mut waiters: Queue) {
        while let Some(thread) = waiters.pop_front(&mut self.threads) {
            self.make_ready(thread, Err(Error::WaitDeleted));
        }
    }

    /// Releases the first waiter, or counts up.
    ///
    /// # Errors
    /// Unknown; at its maximum.
    pub fn signal_semaphore(&mut self, id: i32) -> Result<(), Error> {
        let (index, semaphore) = self.semaphore(id)?;
        if semaphore.waiters.is_empty() {
            if semaphore.count >= semaphore.maximum {
                return Err(Error::SemaphoreOverflow);
            }
            semaphore.count += 1;
            return Ok(());
        }
        let Some(object) = self.semaphores[index].object.as_mut() else { return Ok(()) };
        if let Some(thread) = object.waiters.pop_front(&mut self.threads) {
            self.make_ready(thread, Ok(0));
        }
        Ok(())
    }

    /// Takes one, or waits for one.
    ///
    /// # Errors
    /// Unknown.
    pub fn wait_semaphore(&mut self, id: i32) -> Result<Waited, Error> {
        match self.poll_semaphore(id) {
            Ok(()) => return Ok(Waited::Done(0)),
            Err(Error::SemaphoreZero) => {}
            Err(error) => return Err(error),
        }
        let index = self.semaphore(id)?.0;
        let Some(current) = self.current else { return Err(Error::CannotWait) };
        if let Some(object) = self.semaphores[index].object.as_mut() {
            if object.attributes & BY_PRIORITY != 0 {
                object.waiters.push_by_priority(&mut self.threads, current);
            } else {
                object.waiters.push_back(&mut self.threads, current);
            }
        }
        Ok(self.block(Wait::Semaphore(index as u8)))
    }

    /// Takes one if there is one.
    ///
    /// # Errors
    /// Unknown; zero.
    pub fn poll_semaphore(&mut self, id: i32) -> Result<(), Error> {
        let (_, semaphore) = self.semaphore(id)?;
        semaphore.count = semaphore.count.checked_sub(1).ok_or(Error::SemaphoreZero)?;
        Ok(())
    }

    /// What is known about a semaphore.
    ///
    /// # Errors
    /// Unknown.
    pub fn semaphore_info(&mut self, id: i32) -> Result<SemaphoreInfo, Error> {
        let object = *self.semaphore(id)?.1;
        Ok(SemaphoreInfo {
            attributes: object.attributes,
            option: object.option,
            initial: object.initial,
            maximum: object.maximum,
            count: object.count,
            waiting: object.waiters.len(&mut self.threads),
        })
    }
}
