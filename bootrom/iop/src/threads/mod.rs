//! Threads and the objects they wait for: the logic of THREADMAN over plain tables.
//!
//! [`Threads`] owns a fixed table of thread records and one of each kind of object. A call changes the tables and
//! returns its result; it never switches. Whoever made the call asks [`Threads::wants_switch`] and, outside
//! interrupts, gives the processor away by [`Threads::dispatch`], which stores the running thread's frame and
//! names the frame to go on with. A blocking call leaves its thread waiting; its result is read from the record when it runs again
//! ([`Threads::wait_result`]).

mod dispatch;
mod event;
mod id;
mod message;
mod pools;
mod queue;
mod semaphore;
#[cfg(test)]
mod tests;
mod thread;
mod wait;

pub use event::{EventInfo, MODE_CLEAR, MODE_OR};
pub use id::{Id, Kind};
pub use message::{MessageBoxInfo, MessageLinks};
pub use pools::{NewFixedPool, PoolInfo};
pub use semaphore::SemaphoreInfo;
pub use thread::{IDLE_PRIORITY, NewThread, Start, State, ThreadInfo};
pub use wait::{Wait, wait_until};

use crate::errors::Error;
use event::EventFlag;
use message::MessageBox;
use pools::{FixedPool, VariablePool};
use queue::Queue;
use semaphore::Semaphore;
use thread::Thread;

/// Thread records.
///
/// Our choice: fixed tables in place of records from the heap; they hold more than the largest sets of modules use.
pub const THREADS: usize = 64;
/// Semaphores.
pub const SEMAPHORES: usize = 128;
/// Event flags.
pub const EVENT_FLAGS: usize = 64;
/// Message boxes.
pub const MESSAGE_BOXES: usize = 32;
/// Fixed-size pools.
pub const FIXED_POOLS: usize = 16;
/// Variable-size pools.
pub const VARIABLE_POOLS: usize = 16;
/// Priorities 0 (unused) to 127 (the idle thread).
const PRIORITIES: usize = 128;

/// What a call that may block has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// Done at once, with this value.
    Done(u32),
    /// The caller now waits; its result comes with [`Threads::wait_result`].
    Blocked,
}

/// A slot of an object table: the object while it exists, and the serial number that makes stale ids fail.
#[derive(Clone, Copy)]
struct Slot<T> {
    object: Option<T>,
    serial: u8,
}

impl<T> Slot<T> {
    const EMPTY: Slot<T> = Slot { object: None, serial: 0 };
}

/// Puts `object` into the first free slot of `table` and returns its id.
fn insert<T>(table: &mut [Slot<T>], kind: Kind, object: T) -> Result<Id, Error> {
    let index = table.iter().position(|slot| slot.object.is_none()).ok_or(Error::NoMemory)?;
    let slot = &mut table[index];
    slot.serial = slot.serial.wrapping_add(1) & id::SERIAL_MASK;
    slot.object = Some(object);
    Ok(Id::new(kind, index, slot.serial))
}

/// The slot that `id` names, if it still does.
fn find<T>(table: &[Slot<T>], kind: Kind, id: i32) -> Option<usize> {
    let id = Id::from_raw(id, kind)?;
    let slot = table.get(id.index())?;
    (slot.object.is_some() && slot.serial == id.serial()).then_some(id.index())
}

/// All threads and waitable objects.
pub struct Threads {
    threads: [Slot<Thread>; THREADS],
    ready: [Queue; PRIORITIES],
    /// Bit n of word n / 32: the queue of priority n holds a thread.
    ready_bits: [u32; PRIORITIES / 32],
    current: Option<u8>,
    semaphores: [Slot<Semaphore>; SEMAPHORES],
    events: [Slot<EventFlag>; EVENT_FLAGS],
    boxes: [Slot<MessageBox>; MESSAGE_BOXES],
    fixed: [Slot<FixedPool>; FIXED_POOLS],
    variable: [Slot<VariablePool>; VARIABLE_POOLS],
}

impl Threads {
    /// No thread and no object.
    #[must_use]
    pub const fn new() -> Self {
        Threads {
            threads: [Slot::EMPTY; THREADS],
            ready: [Queue::EMPTY; PRIORITIES],
            ready_bits: [0; PRIORITIES / 32],
            current: None,
            semaphores: [Slot::EMPTY; SEMAPHORES],
            events: [Slot::EMPTY; EVENT_FLAGS],
            boxes: [Slot::EMPTY; MESSAGE_BOXES],
            fixed: [Slot::EMPTY; FIXED_POOLS],
            variable: [Slot::EMPTY; VARIABLE_POOLS],
        }
    }
}

impl Default for Threads {
    fn default() -> Self {
        Self::new()
    }
}
