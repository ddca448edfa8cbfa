//! Semaphores: counts, and waiters in the order of their coming.
//!
//! A semaphore's maximum is stored and never enforced, and waiters are served first come first served, whatever their
//! priorities. Source: EE kernel semantics, section 4; settled questions 31.

use crate::Refused;
use crate::scheduler::{List, NONE, Scheduler, Status, Thread, Wait};

/// Number of semaphores.
pub const SEMAPHORES: usize = 256;

/// Count of a free record.
const FREE: i32 = -1;

#[derive(Clone, Copy, Debug)]
struct Semaphore {
    count: i32,
    max: i32,
    attributes: u32,
    option: u32,
    waiting: i32,
    waiters: List,
    next_free: u16,
}

impl Semaphore {
    const NEW: Self =
        Self { count: FREE, max: 0, attributes: 0, option: 0, waiting: 0, waiters: List::EMPTY, next_free: NONE };
}

/// What CreateSema reads: initial count, maximum, and two words kept for the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct SemaphoreParameters {
    /// Count at the start, not negative.
    pub initial: i32,
    /// Stored only.
    pub max: i32,
    /// Stored only.
    pub attributes: u32,
    /// Stored only; often a pointer to a name.
    pub option: u32,
}

/// What ReferSema reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemaphoreReport {
    /// Current count.
    pub count: i32,
    /// Maximum as given.
    pub max: i32,
    /// Number of waiting threads.
    pub waiting: i32,
    /// As given.
    pub attributes: u32,
    /// As given.
    pub option: u32,
}

/// The records. Free ones form a stack: lowest first at start, then the most recently deleted.
pub struct SemaphoreTable {
    records: [Semaphore; SEMAPHORES],
    free: u16,
}

impl SemaphoreTable {
    pub(crate) const fn new() -> Self {
        Self { records: [Semaphore::NEW; SEMAPHORES], free: NONE }
    }

    pub(crate) fn reset(&mut self) {
        self.free = NONE;
        for id in (0..SEMAPHORES as u16).rev() {
            self.records[usize::from(id)] = Semaphore { next_free: self.free, ..Semaphore::NEW };
            self.free = id;
        }
    }

    pub(crate) fn in_use(&self) -> u32 {
        self.records.iter().filter(|record| record.count != FREE).count() as u32
    }

    /// The lists of waiters, by semaphore.
    #[cfg(test)]
    pub(crate) fn waiters(&self) -> impl Iterator<Item = List> + '_ {
        self.records.iter().map(|record| record.waiters)
    }

    /// How many wait for a semaphore by its own count.
    #[cfg(test)]
    pub(crate) fn waiting(&self, id: usize) -> i32 {
        self.records[id].waiting
    }

    pub(crate) fn remove_waiter(&mut self, threads: &mut [Thread], semaphore: u16, thread: u16) {
        let record = &mut self.records[usize::from(semaphore)];
        record.waiters.remove(threads, thread);
        record.waiting -= 1;
    }

    fn existing(&mut self, id: u32) -> Result<&mut Semaphore, Refused> {
        match self.records.get_mut(id as usize) {
            Some(record) if record.count != FREE => Ok(record),
            _ => Err(Refused),
        }
    }
}

impl Scheduler {
    /// CreateSema: the new id, from 0.
    pub fn create_semaphore(&mut self, parameters: &SemaphoreParameters) -> Result<u32, Refused> {
        let id = self.semaphores.free;
        if parameters.initial < 0 || id == NONE {
            return Err(Refused);
        }
        let record = &mut self.semaphores.records[usize::from(id)];
        self.semaphores.free = record.next_free;
        *record = Semaphore {
            count: parameters.initial,
            max: parameters.max,
            attributes: parameters.attributes,
            option: parameters.option,
            ..Semaphore::NEW
        };
        Ok(u32::from(id))
    }

    /// DeleteSema: every waiter becomes ready and gets −1.
    pub fn delete_semaphore(&mut self, id: u32) -> Result<u32, Refused> {
        self.semaphores.existing(id)?;
        while let Some(waiter) = self.take_waiter(id) {
            self.end_wait(waiter);
        }
        let free = self.semaphores.free;
        let record = &mut self.semaphores.records[id as usize];
        *record = Semaphore { next_free: free, ..Semaphore::NEW };
        self.semaphores.free = id as u16;
        self.request_switch();
        Ok(id)
    }

    /// SignalSema: hands the count to the first waiter or stores it, even past the maximum.
    pub fn signal_semaphore(&mut self, id: u32) -> Result<u32, Refused> {
        self.semaphores.existing(id)?;
        match self.take_waiter(id) {
            Some(waiter) => {
                self.thread_mut(waiter).wait = Wait::None;
                self.end_wait(waiter);
                self.request_switch();
            }
            None => {
                let record = self.semaphores.existing(id)?;
                record.count = record.count.saturating_add(1);
            }
        }
        Ok(id)
    }

    /// WaitSema: takes a count or waits for one.
    pub fn wait_semaphore(&mut self, id: u32) -> Result<u32, Refused> {
        let current = self.current;
        let record = self.semaphores.existing(id)?;
        if record.count > 0 {
            record.count -= 1;
            return Ok(id);
        }
        self.wait_for(Wait::Semaphore)?;
        self.thread_mut(current).semaphore = id as u16;
        let record = &mut self.semaphores.records[id as usize];
        record.waiters.push_back(&mut self.threads, current);
        record.waiting += 1;
        Ok(id)
    }

    /// PollSema: takes a count or is refused.
    pub fn poll_semaphore(&mut self, id: u32) -> Result<u32, Refused> {
        let record = self.semaphores.existing(id)?;
        if record.count <= 0 {
            return Err(Refused);
        }
        record.count -= 1;
        Ok(id)
    }

    /// ReferSema.
    pub fn refer_semaphore(&mut self, id: u32) -> Result<SemaphoreReport, Refused> {
        let record = self.semaphores.existing(id)?;
        Ok(SemaphoreReport {
            count: record.count,
            max: record.max,
            waiting: record.waiting,
            attributes: record.attributes,
            option: record.option,
        })
    }

    fn take_waiter(&mut self, id: u32) -> Option<u16> {
        let record = &mut self.semaphores.records[id as usize];
        let waiter = record.waiters.pop_front(&mut self.threads)?;
        record.waiting -= 1;
        Some(waiter)
    }

    /// The waiter has left its list: ready, or plainly suspended.
    fn end_wait(&mut self, waiter: u16) {
        if self.thread(waiter).status == Status::WaitingSuspended {
            self.thread_mut(waiter).status = Status::Suspended;
        } else {
            self.make_ready(waiter);
        }
    }
}
