//! Threads: records, ready queues and who runs next.
//!
//! 256 records, 128 FIFO ready queues, no time slices. The running thread stays linked at the head of its queue, so
//! that a preempted thread goes on first among its equals; a thread that becomes ready goes to the tail. Calls only
//! change records and queues and ask for a decision ([`Scheduler::now`], [`Scheduler::later`]); [`Scheduler::dispatch`]
//! takes it on the way out of the kernel. [`calls`] holds the rules of each call, [`crate::semaphores`] those of the
//! semaphores, whose waiters are linked through the same records.
//!
//! Source: EE kernel semantics, section 3.

mod calls;
mod list;

#[cfg(test)]
mod invariants;
#[cfg(test)]
mod tests;

pub(crate) use list::{List, NONE};

use crate::Refused;
use crate::semaphores::SemaphoreTable;

/// Number of thread records; thread 0 is the idle thread.
pub const THREADS: usize = 256;
/// Number of priorities, 0 most urgent.
pub const PRIORITIES: usize = 128;
/// The thread that runs when no other can. It is in no queue.
pub const IDLE: u16 = 0;
/// Id of a program's first thread.
pub const MAIN: u16 = 1;

/// A thread's status as ReferThreadStatus reports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// The record is free.
    #[default]
    Free = 0,
    /// The thread has the processor (or is the one that an interrupt interrupted).
    Running = 1,
    /// In a ready queue.
    Ready = 2,
    /// Asleep or waiting for a semaphore.
    Waiting = 4,
    /// Suspended while it could run.
    Suspended = 8,
    /// Suspended while waiting.
    WaitingSuspended = 0xC,
    /// Created or ended, not started.
    Dormant = 0x10,
}

/// What a thread waits for. It stays set when a wait is broken off: a thread that is resumed with it set gets −1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Wait {
    /// Nothing.
    #[default]
    None = 0,
    /// A wakeup.
    Sleep = 1,
    /// A semaphore.
    Semaphore = 2,
}

/// A thread's record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    next: u16,
    prev: u16,
    /// Current state.
    pub status: Status,
    /// What it waits for.
    pub wait: Wait,
    /// The call that began the wait has returned already, as calls under negative numbers do: no result is due any more.
    pub answered: bool,
    /// Current priority, 0..=127.
    pub priority: u8,
    /// Priority it starts with.
    pub initial_priority: u8,
    /// The semaphore it waits for.
    pub semaphore: u16,
    /// Wakeups that came while it was awake.
    pub wakeups: u32,
    /// Address of its saved context.
    pub context: u32,
    /// Address at which it goes on.
    pub pc: u32,
    /// Entry function.
    pub entry: u32,
    /// Argument of StartThread.
    pub argument: u32,
    /// Lowest address of its stack.
    pub stack: u32,
    /// Size of its stack in bytes.
    pub stack_size: u32,
    /// Global pointer.
    pub gp: u32,
    /// Stored for the program.
    pub attributes: u32,
    /// Stored for the program.
    pub option: u32,
    /// Function that its entry returns to.
    pub root: u32,
    /// End of the program's heap, handed on from the creator.
    pub heap_end: u32,
}

impl Thread {
    const FREE: Self = Self {
        next: NONE,
        prev: NONE,
        status: Status::Free,
        wait: Wait::None,
        answered: false,
        priority: 0,
        initial_priority: 0,
        semaphore: 0,
        wakeups: 0,
        context: NO_CONTEXT,
        pc: 0,
        entry: 0,
        argument: 0,
        stack: 0,
        stack_size: 0,
        gp: 0,
        attributes: 0,
        option: 0,
        root: 0,
        heap_end: 0,
    };
}

/// What CreateThread reads.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadParameters {
    /// Entry function.
    pub entry: u32,
    /// Lowest address of the stack.
    pub stack: u32,
    /// Size of the stack in bytes.
    pub stack_size: u32,
    /// Global pointer.
    pub gp: u32,
    /// Priority to start with.
    pub priority: i32,
    /// Stored.
    pub attributes: u32,
    /// Stored.
    pub option: u32,
}

/// A decision of [`Scheduler::dispatch`]: whose context leaves the frame and whose enters it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The thread that ran, if its context must be kept.
    pub save: Option<u16>,
    /// The thread that runs now; [`IDLE`] has no context.
    pub load: u16,
    /// The loaded thread has never run since its start: its context is made, not loaded.
    pub fresh: bool,
    /// The loaded thread's wait was broken off: it sees −1.
    pub broken: bool,
}

/// Threads, ready queues and semaphores.
pub struct Scheduler {
    pub(crate) threads: [Thread; THREADS],
    ready: [List; PRIORITIES],
    ready_map: [u32; PRIORITIES / 32],
    free: List,
    pub(crate) current: u16,
    pub(crate) semaphores: SemaphoreTable,
    now: bool,
    later: bool,
}

/// Marks a dormant thread's missing context; a started one gets it made when it first runs.
const NO_CONTEXT: u32 = 0;

impl Scheduler {
    /// The state at start: no thread but the idle one.
    pub const fn new() -> Self {
        Self {
            threads: [Thread::FREE; THREADS],
            ready: [List::EMPTY; PRIORITIES],
            ready_map: [0; PRIORITIES / 32],
            free: List::EMPTY,
            current: IDLE,
            semaphores: SemaphoreTable::new(),
            now: false,
            later: false,
        }
    }

    /// Fills the free lists; called once before any other call. In place: the whole state is larger than a stack.
    pub fn reset(&mut self) {
        self.threads.fill(Thread::FREE);
        self.ready.fill(List::EMPTY);
        self.ready_map.fill(0);
        self.free = List::EMPTY;
        self.current = IDLE;
        self.now = false;
        self.later = false;
        self.threads[usize::from(IDLE)].status = Status::Ready;
        for id in 1..THREADS as u16 {
            self.free.push_back(&mut self.threads, id);
        }
        self.semaphores.reset();
    }

    /// The running (or interrupted) thread.
    pub fn current(&self) -> u16 {
        self.current
    }

    /// A record by id, for the context switch.
    pub fn thread(&self, id: u16) -> &Thread {
        &self.threads[usize::from(id) % THREADS]
    }

    /// A record by id, for the context switch.
    pub fn thread_mut(&mut self, id: u16) -> &mut Thread {
        &mut self.threads[usize::from(id) % THREADS]
    }

    /// Number of records in use, the idle thread not counted.
    pub fn threads_in_use(&self) -> u32 {
        self.threads[1..].iter().filter(|thread| thread.status != Status::Free).count() as u32
    }

    /// True when no thread will ever run again by itself: all have ended or were never started.
    pub fn all_ended(&self) -> bool {
        self.threads[1..].iter().all(|thread| matches!(thread.status, Status::Free | Status::Dormant))
    }

    /// Number of semaphores in use.
    pub fn semaphores_in_use(&self) -> u32 {
        self.semaphores.in_use()
    }

    /// True when the call that just ended wants a decision before it returns.
    pub fn wants_switch(&self) -> bool {
        self.now
    }

    /// True when the interrupt that just ended wants a decision before it returns.
    pub fn wants_switch_after_interrupt(&self) -> bool {
        self.now || self.later
    }

    /// Turns the wish of a call made in an interrupt (or under a negative number) into one for the interrupt's end.
    ///
    /// Our choice: a thread that such a call has put into a wait goes on, as on the console, until an interrupt takes the
    /// processor from it. There the end of the wait would then write −1 over a register in the middle of its work; here the
    /// call has had its result.
    pub fn defer(&mut self) {
        self.later |= core::mem::take(&mut self.now);
        let current = self.current;
        let thread = self.thread_mut(current);
        thread.answered |= thread.wait != Wait::None;
    }

    pub(crate) fn request_switch(&mut self) {
        self.now = true;
    }

    /// Decides who runs. `None` when the running thread goes on.
    pub fn dispatch(&mut self) -> Option<Switch> {
        self.now = false;
        self.later = false;
        let next = self.most_urgent();
        let old = self.current;
        let old_thread = self.thread_mut(old);
        let keep = match old_thread.status {
            _ if old == IDLE => false,
            Status::Free | Status::Dormant => false,
            Status::Running => {
                old_thread.status = Status::Ready;
                true
            }
            _ => true,
        };
        if next != IDLE {
            self.thread_mut(next).status = Status::Running;
        }
        if next == old {
            // A wait that began and was broken off without leaving the processor: its caller has had its answer.
            let thread = self.thread_mut(next);
            (thread.wait, thread.answered) = (Wait::None, false);
            return None;
        }
        self.current = next;
        let thread = self.thread_mut(next);
        let answered = core::mem::take(&mut thread.answered);
        let broken = core::mem::take(&mut thread.wait) != Wait::None && !answered;
        let fresh = next != IDLE && thread.context == NO_CONTEXT;
        Some(Switch { save: keep.then_some(old), load: next, fresh, broken })
    }

    /// Head of the most urgent non-empty queue.
    pub fn most_urgent(&self) -> u16 {
        for (word, bits) in self.ready_map.iter().enumerate() {
            if *bits != 0 {
                return self.ready[word * 32 + bits.trailing_zeros() as usize].head;
            }
        }
        IDLE
    }

    pub(crate) fn make_ready(&mut self, id: u16) {
        let thread = &mut self.threads[usize::from(id)];
        thread.status = Status::Ready;
        let priority = usize::from(thread.priority);
        self.ready[priority].push_back(&mut self.threads, id);
        self.ready_map[priority / 32] |= 1 << (priority % 32);
    }

    /// Takes a running or ready thread out of its queue; the caller sets its new status.
    pub(crate) fn take_from_ready(&mut self, id: u16) {
        let priority = usize::from(self.threads[usize::from(id)].priority);
        self.ready[priority].remove(&mut self.threads, id);
        if self.ready[priority].head == NONE {
            self.ready_map[priority / 32] &= !(1 << (priority % 32));
        }
    }

    /// An id from a program that names an existing thread other than the idle one.
    fn existing(&self, id: u32) -> Result<u16, Refused> {
        match self.threads.get(id as usize) {
            Some(thread) if id != 0 && thread.status != Status::Free => Ok(id as u16),
            _ => Err(Refused),
        }
    }
}

impl Default for Scheduler {
    fn default() -> Self {
        let mut scheduler = Self::new();
        scheduler.reset();
        scheduler
    }
}
