//! Who runs: the ready queues and the switch.

use super::thread::State;
use super::{PRIORITIES, Threads, Wait, Waited};
use crate::errors::Error;

impl Threads {
    /// Leaves the running thread waiting for `wait`.
    pub(super) fn block(&mut self, wait: Wait) -> Waited {
        match self.current.and_then(|index| self.thread(index)) {
            Some(thread) => {
                thread.state = State::Waiting;
                thread.wait = wait;
                Waited::Blocked
            }
            None => Waited::Done(0),
        }
    }

    /// Lines a thread up behind the ready ones of its priority; its wait, if any, came to `result`.
    pub(super) fn make_ready(&mut self, index: u8, result: Result<u32, Error>) {
        let Some(thread) = self.thread(index) else { return };
        thread.state = State::Ready;
        if thread.wait != Wait::None {
            thread.wait_result = result;
            thread.wait = Wait::None;
        }
        let priority = usize::from(thread.priority) % PRIORITIES;
        // A thread that blocked but has not given the processor away yet simply goes on.
        if self.current == Some(index) {
            if let Some(thread) = self.thread(index) {
                thread.state = State::Running;
            }
            return;
        }
        self.ready[priority].push_back(&mut self.threads, index);
        self.ready_bits[priority / 32] |= 1 << (priority % 32);
    }

    pub(super) fn unready(&mut self, index: u8) {
        let Some(priority) = self.thread(index).map(|thread| usize::from(thread.priority) % PRIORITIES) else { return };
        self.ready[priority].remove(&mut self.threads, index);
        self.settle_bit(priority);
    }

    fn settle_bit(&mut self, priority: usize) {
        if self.ready[priority].is_empty() {
            self.ready_bits[priority / 32] &= !(1 << (priority % 32));
        }
    }

    pub(super) fn yield_current(&mut self) {
        let Some(index) = self.current else { return };
        let Some(thread) = self.thread(index) else { return };
        thread.state = State::Ready;
        let priority = usize::from(thread.priority) % PRIORITIES;
        self.ready[priority].push_back(&mut self.threads, index);
        self.ready_bits[priority / 32] |= 1 << (priority % 32);
    }

    /// The most urgent priority that has a ready thread.
    fn best_ready(&self) -> Option<usize> {
        let word = self.ready_bits.iter().position(|bits| *bits != 0)?;
        Some(word * 32 + self.ready_bits[word].trailing_zeros() as usize)
    }

    /// True when another thread should have the processor.
    #[must_use]
    pub fn wants_switch(&self) -> bool {
        let running = self
            .current
            .and_then(|index| self.threads.get(usize::from(index))?.object.as_ref())
            .filter(|thread| thread.state == State::Running);
        match running {
            Some(thread) => self.best_ready().is_some_and(|best| best < usize::from(thread.priority)),
            None => true,
        }
    }

    /// Stores the running thread's saved context and picks who goes on: the result is that one's saved context.
    /// None when no thread can run, which the idle thread prevents.
    pub fn dispatch(&mut self, frame: u32) -> Option<u32> {
        if let Some(index) = self.current {
            let wants_switch = self.wants_switch();
            let thread = self.thread(index)?;
            thread.frame = frame;
            if !wants_switch {
                return Some(frame);
            }
            // A thread that is pushed aside keeps its turn; one that stepped back is in its queue already.
            if thread.state == State::Running {
                thread.state = State::Ready;
                let priority = usize::from(thread.priority) % PRIORITIES;
                self.ready[priority].push_front(&mut self.threads, index);
                self.ready_bits[priority / 32] |= 1 << (priority % 32);
            }
        }
        let best = self.best_ready()?;
        let next = self.ready[best].pop_front(&mut self.threads)?;
        self.settle_bit(best);
        self.current = Some(next);
        let thread = self.thread(next)?;
        thread.state = State::Running;
        Some(thread.frame)
    }
}
