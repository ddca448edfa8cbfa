//! What threads wait for, and the queues in which they do.

use super::queue::Queue;
use super::semaphore::BY_PRIORITY;
use super::{Id, Kind, Slot, Threads};
use crate::errors::Error;

/// What a waiting thread waits for. Object fields are slot indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Nothing.
    None,
    /// A wake-up.
    Sleep,
    /// A moment.
    Delay,
    /// A semaphore.
    Semaphore(u8),
    /// Bits of an event flag.
    Event {
        /// The flag.
        flag: u8,
        /// The bits.
        bits: u32,
        /// All or any, and whether to clear.
        mode: u32,
    },
    /// A message.
    MessageBox(u8),
    /// A variable pool's memory.
    Variable {
        /// The pool.
        pool: u8,
        /// How many bytes.
        size: u32,
    },
    /// A fixed pool's block.
    Fixed(u8),
}

impl Wait {
    /// The wait's type number in a status record.
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Wait::None => 0,
            Wait::Sleep => 1,
            Wait::Delay => 2,
            Wait::Semaphore(_) => 3,
            Wait::Event { .. } => 4,
            Wait::MessageBox(_) => 5,
            Wait::Variable { .. } => 6,
            Wait::Fixed(_) => 7,
        }
    }
}

/// The queue of an object, and whether its waiters line up by priority.
type Waiters<'a> = (&'a mut Queue, bool);

/// The waiters of object `index` of a table.
fn waiters_in<T>(table: &mut [Slot<T>], index: u8, waiters: fn(&mut T) -> Waiters<'_>) -> Option<Waiters<'_>> {
    table.get_mut(usize::from(index))?.object.as_mut().map(waiters)
}

impl Threads {
    /// The id of the object that `wait` names, 0 for none.
    pub(super) fn wait_id(&self, wait: Wait) -> i32 {
        let id =
            |kind, index: u8, serial: Option<u8>| serial.map_or(0, |serial| Id::new(kind, index.into(), serial).raw());
        match wait {
            Wait::None | Wait::Sleep | Wait::Delay => 0,
            Wait::Semaphore(n) => id(Kind::Semaphore, n, self.semaphores.get(usize::from(n)).map(|slot| slot.serial)),
            Wait::Event { flag, .. } => {
                id(Kind::EventFlag, flag, self.events.get(usize::from(flag)).map(|slot| slot.serial))
            }
            Wait::MessageBox(n) => id(Kind::MessageBox, n, self.boxes.get(usize::from(n)).map(|slot| slot.serial)),
            Wait::Variable { pool, .. } => {
                id(Kind::VariablePool, pool, self.variable.get(usize::from(pool)).map(|slot| slot.serial))
            }
            Wait::Fixed(n) => id(Kind::FixedPool, n, self.fixed.get(usize::from(n)).map(|slot| slot.serial)),
        }
    }

    /// Takes a waiting thread out of the queue of what it waits for.
    pub(super) fn unlink_waiter(&mut self, index: u8) {
        self.with_waiters(index, |waiters, _, threads| waiters.remove(threads, index));
    }

    /// Finds a waiting thread's place anew when its priority has changed.
    pub(super) fn requeue_waiter(&mut self, index: u8) {
        self.with_waiters(index, |waiters, by_priority, threads| {
            if by_priority {
                waiters.remove(threads, index);
                waiters.push_by_priority(threads, index);
            }
        });
    }

    /// Runs `body` with the queue in which a thread waits, if it waits for an object.
    fn with_waiters(&mut self, index: u8, body: impl FnOnce(&mut Queue, bool, &mut [Slot<super::Thread>])) {
        let Some(wait) = self.thread(index).map(|thread| thread.wait) else { return };
        let found = match wait {
            Wait::None | Wait::Sleep | Wait::Delay => None,
            Wait::Semaphore(n) => {
                waiters_in(&mut self.semaphores, n, |o| (&mut o.waiters, by_priority_of(o.attributes)))
            }
            Wait::Event { flag, .. } => waiters_in(&mut self.events, flag, |o| (&mut o.waiters, false)),
            Wait::MessageBox(n) => waiters_in(&mut self.boxes, n, |o| (&mut o.waiters, by_priority_of(o.attributes))),
            Wait::Fixed(n) => waiters_in(&mut self.fixed, n, |o| (&mut o.waiters, by_priority_of(o.attributes))),
            Wait::Variable { pool, .. } => {
                waiters_in(&mut self.variable, pool, |o| (&mut o.waiters, by_priority_of(o.attributes)))
            }
        };
        if let Some((waiters, by_priority)) = found {
            body(waiters, by_priority, &mut self.threads);
        }
    }
}

/// Waits by `wait`, again and again, until `done`; false when that is not to be: in an interrupt handler, which keeps away the
/// interrupt that would end the wait.
///
/// A wait that was ended from outside, or had no room, is begun again as long as there is something to wait for.
pub fn wait_until(done: impl Fn() -> bool, mut wait: impl FnMut() -> Result<(), Error>) -> bool {
    while !done() {
        if wait() == Err(Error::IllegalContext) {
            return done();
        }
    }
    true
}

/// True when an object's attributes line its waiters up by priority.
fn by_priority_of(attributes: u32) -> bool {
    attributes & BY_PRIORITY != 0
}
