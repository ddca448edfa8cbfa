//! The rules of each thread call, in the order of their numbers.

use super::{NO_CONTEXT, PRIORITIES, Scheduler, Status, THREADS, Thread, ThreadParameters, Wait};
use crate::Refused;

/// What ReferThreadStatus fills in: twelve words.
pub type ThreadReport = [u32; 12];

impl Scheduler {
    /// CreateThread: a dormant thread, or refused when no record is free.
    ///
    /// Heap end and root function come from the creator.
    pub fn create(&mut self, parameters: &ThreadParameters) -> Result<u32, Refused> {
        // Our choice: the original does not look at the priority and would write outside its queues; we refuse it.
        if !(0..PRIORITIES as i32).contains(&parameters.priority) {
            return Err(Refused);
        }
        let id = self.free.pop_front(&mut self.threads).ok_or(Refused)?;
        let Thread { root, heap_end, .. } = *self.thread(self.current);
        let priority = parameters.priority as u8;
        let thread = self.thread_mut(id);
        let (next, prev) = (thread.next, thread.prev);
        *thread = Thread {
            next,
            prev,
            status: Status::Dormant,
            priority,
            initial_priority: priority,
            context: NO_CONTEXT,
            entry: parameters.entry,
            pc: parameters.entry,
            stack: parameters.stack,
            stack_size: parameters.stack_size,
            gp: parameters.gp,
            attributes: parameters.attributes,
            option: parameters.option,
            root,
            heap_end,
            ..Thread::default()
        };
        Ok(u32::from(id))
    }

    /// DeleteThread: only a dormant thread. Its record becomes the last of the free ones.
    pub fn delete(&mut self, id: u32) -> Result<u32, Refused> {
        let index = self.existing(id)?;
        if index == self.current || self.thread(index).status != Status::Dormant {
            return Err(Refused);
        }
        self.release_record(index);
        Ok(id)
    }

    /// StartThread: a dormant thread other than the caller becomes ready with `argument`.
    pub fn start(&mut self, id: u32, argument: u32) -> Result<u32, Refused> {
        let index = self.existing(id)?;
        if index == self.current || self.thread(index).status != Status::Dormant {
            return Err(Refused);
        }
        let thread = self.thread_mut(index);
        thread.argument = argument;
        thread.pc = thread.entry;
        thread.context = NO_CONTEXT;
        self.make_ready(index);
        self.request_switch();
        Ok(id)
    }

    /// ExitThread: the running thread becomes dormant.
    pub fn exit(&mut self) {
        let id = self.current;
        if self.leave_lists(id) {
            self.make_dormant(id);
        }
        self.request_switch();
    }

    /// ExitDeleteThread: the running thread ends and its record is freed.
    pub fn exit_delete(&mut self) {
        let id = self.current;
        self.exit();
        if id != super::IDLE && self.thread(id).status == Status::Dormant {
            self.release_record(id);
        }
    }

    /// TerminateThread: ends another thread, whatever it does. `from_interrupt` allows the interrupted one.
    pub fn terminate(&mut self, id: u32, from_interrupt: bool) -> Result<u32, Refused> {
        let index = self.existing(id)?;
        if !from_interrupt && index == self.current {
            return Err(Refused);
        }
        if !self.leave_lists(index) {
            return Err(Refused);
        }
        self.make_dormant(index);
        if index == self.current {
            self.request_switch();
        }
        Ok(id)
    }

    /// ChangeThreadPriority: the old priority. `id` 0 is the caller. A running or ready thread goes to the tail of its
    /// new queue, so that the caller's own priority yields to its equals. `from_interrupt` lets the interrupted thread go on unless it
    /// has become less urgent or the other one more urgent than it.
    ///
    /// Source: EE kernel semantics, section 3.5
    pub fn change_priority(&mut self, id: u32, priority: i32, from_interrupt: bool) -> Result<u32, Refused> {
        let index = self.existing(if id == 0 { u32::from(self.current) } else { id })?;
        let status = self.thread(index).status;
        if !(0..PRIORITIES as i32).contains(&priority) || status == Status::Dormant {
            return Err(Refused);
        }
        let old = self.thread(index).priority;
        if matches!(status, Status::Running | Status::Ready) {
            self.take_from_ready(index);
            self.thread_mut(index).priority = priority as u8;
            self.make_ready(index);
            self.thread_mut(index).status = status;
            let overtaken = if index == self.current {
                priority > i32::from(old)
            } else {
                priority < i32::from(self.thread(self.current).priority)
            };
            if !from_interrupt || overtaken {
                self.request_switch();
            }
        } else {
            self.thread_mut(index).priority = priority as u8;
        }
        Ok(u32::from(old))
    }

    /// RotateThreadReadyQueue: the head of the queue goes to its tail. `from_interrupt` leaves the interrupted thread the processor, even
    /// behind its equals, until something else asks who is to run.
    ///
    /// Source: EE kernel semantics, section 3.5
    pub fn rotate(&mut self, priority: i32, from_interrupt: bool) -> Result<u32, Refused> {
        if !(0..PRIORITIES as i32).contains(&priority) {
            return Err(Refused);
        }
        let queue = &mut self.ready[priority as usize];
        if let Some(id) = queue.pop_front(&mut self.threads) {
            queue.push_back(&mut self.threads, id);
        }
        if !from_interrupt {
            self.request_switch();
        }
        Ok(priority as u32)
    }

    /// ReleaseWaitThread: breaks off a wait; the waiting call returns −1.
    pub fn release_wait(&mut self, id: u32) -> Result<u32, Refused> {
        let index = self.existing(id)?;
        match self.thread(index).status {
            Status::Waiting => {
                self.leave_waiters(index);
                self.make_ready(index);
            }
            Status::WaitingSuspended => {
                self.leave_waiters(index);
                self.thread_mut(index).status = Status::Suspended;
            }
            // Our choice: sources differ between −1 and the id for a thread that does not wait; −1 says what happened.
            // Source: EE kernel semantics, sections 3.5 and 15.
            _ => return Err(Refused),
        }
        self.request_switch();
        Ok(id)
    }

    /// ReferThreadStatus: the status and the report. `id` 0 is the caller; a free record has status 0.
    pub fn refer(&self, id: u32) -> Result<(u32, ThreadReport), Refused> {
        let index = if id == 0 { usize::from(self.current) } else { id as usize };
        let thread = self.threads.get(index).ok_or(Refused)?;
        let report = [
            thread.status as u32,
            thread.entry,
            thread.stack,
            thread.stack_size,
            thread.gp,
            u32::from(thread.initial_priority),
            u32::from(thread.priority),
            thread.attributes,
            thread.option,
            thread.wait as u32,
            u32::from(thread.semaphore),
            thread.wakeups,
        ];
        Ok((thread.status as u32, report))
    }

    /// SleepThread: takes a stored wakeup or waits for one. Returns the caller's id.
    pub fn sleep(&mut self) -> Result<u32, Refused> {
        let id = self.current;
        let thread = self.thread_mut(id);
        if id != super::IDLE && thread.wakeups > 0 {
            thread.wakeups -= 1;
        } else {
            self.wait_for(Wait::Sleep)?;
        }
        Ok(u32::from(id))
    }

    /// WakeupThread: wakes a sleeper, else stores the wakeup. The running thread is refused, also where a handler has interrupted it.
    ///
    /// Source: EE kernel semantics, section 3.6
    pub fn wakeup(&mut self, id: u32) -> Result<u32, Refused> {
        let index = self.existing(id)?;
        if index == self.current {
            return Err(Refused);
        }
        let thread = self.thread_mut(index);
        match (thread.status, thread.wait) {
            (Status::Dormant | Status::Free, _) => return Err(Refused),
            (Status::Waiting, Wait::Sleep) => {
                thread.wait = Wait::None;
                self.make_ready(index);
                self.request_switch();
            }
            (Status::WaitingSuspended, Wait::Sleep) => {
                thread.wait = Wait::None;
                thread.status = Status::Suspended;
            }
            _ => thread.wakeups = thread.wakeups.saturating_add(1),
        }
        Ok(id)
    }

    /// CancelWakeupThread: forgets the stored wakeups and returns their number. `id` 0 is the caller.
    pub fn cancel_wakeup(&mut self, id: u32) -> Result<u32, Refused> {
        let index = self.existing(if id == 0 { u32::from(self.current) } else { id })?;
        let thread = self.thread_mut(index);
        if thread.status == Status::Dormant {
            return Err(Refused);
        }
        Ok(core::mem::take(&mut thread.wakeups))
    }

    /// SuspendThread. Suspensions do not nest: a second one is refused. `from_interrupt` marks the interrupted thread and leaves it the
    /// processor until something else asks who is to run.
    ///
    /// Source: EE kernel semantics, section 3.6
    pub fn suspend(&mut self, id: u32, from_interrupt: bool) -> Result<u32, Refused> {
        let index = self.existing(id)?;
        match self.thread(index).status {
            Status::Running | Status::Ready => {
                self.take_from_ready(index);
                self.thread_mut(index).status = Status::Suspended;
                if !from_interrupt {
                    self.request_switch();
                }
            }
            Status::Waiting => self.thread_mut(index).status = Status::WaitingSuspended,
            _ => return Err(Refused),
        }
        Ok(id)
    }

    /// ResumeThread: takes a suspension back. `from_interrupt` allows the interrupted thread.
    pub fn resume(&mut self, id: u32, from_interrupt: bool) -> Result<u32, Refused> {
        let index = self.existing(id)?;
        if !from_interrupt && index == self.current {
            return Err(Refused);
        }
        match self.thread(index).status {
            Status::Suspended => {
                self.make_ready(index);
                self.request_switch();
            }
            Status::WaitingSuspended => self.thread_mut(index).status = Status::Waiting,
            // Our choice: sources differ between −1 and the id for a thread that is not suspended; −1 says what happened.
            // Source: EE kernel semantics, sections 3.6 and 15.
            _ => return Err(Refused),
        }
        Ok(id)
    }

    /// What ExecPS2 leaves of the threads and semaphores: the caller alone, at priority 0, nothing stored. A caller that
    /// has interrupted the idle thread goes on as the main one.
    pub fn keep_only_current(&mut self) {
        if self.current == super::IDLE {
            self.current = super::MAIN;
        }
        let current = self.current;
        for id in 1..THREADS as u16 {
            let status = self.thread(id).status;
            if id == current || status == Status::Free {
                continue;
            }
            if status != Status::Dormant {
                let _ = self.terminate(u32::from(id), true);
            }
            self.release_record(id);
        }
        // After odd calls the caller may be counted as waiting or ended; the new program runs.
        if !matches!(self.thread(current).status, Status::Running | Status::Ready) {
            self.leave_lists(current);
            self.thread_mut(current).wait = Wait::None;
            if self.thread(current).status == Status::Free {
                self.free.remove(&mut self.threads, current);
            }
            self.make_ready(current);
        }
        self.thread_mut(current).status = Status::Running;
        self.semaphores.reset();
        let _ = self.change_priority(u32::from(current), 0, false);
        let thread = self.thread_mut(current);
        thread.initial_priority = 0;
        thread.wakeups = 0;
    }

    /// Puts the running thread into a wait and asks for a switch. Refused for a thread that cannot wait: the idle one, or one
    /// that a handler or a call under a negative number has already stopped and that only still has the processor.
    pub(crate) fn wait_for(&mut self, wait: Wait) -> Result<(), Refused> {
        let id = self.current;
        if id == super::IDLE || self.thread(id).status != Status::Running {
            return Err(Refused);
        }
        self.take_from_ready(id);
        let thread = self.thread_mut(id);
        thread.status = Status::Waiting;
        (thread.wait, thread.answered) = (wait, false);
        self.request_switch();
        Ok(())
    }

    /// Takes a thread out of whatever list it is in; false when it does not live.
    fn leave_lists(&mut self, id: u16) -> bool {
        match self.thread(id).status {
            _ if id == super::IDLE => return false,
            Status::Free | Status::Dormant => return false,
            Status::Running | Status::Ready => self.take_from_ready(id),
            Status::Waiting | Status::WaitingSuspended => self.leave_waiters(id),
            Status::Suspended => {}
        }
        true
    }

    fn leave_waiters(&mut self, id: u16) {
        let Thread { wait, semaphore, .. } = *self.thread(id);
        if wait == Wait::Semaphore {
            self.semaphores.remove_waiter(&mut self.threads, semaphore, id);
        }
    }

    fn make_dormant(&mut self, id: u16) {
        let thread = self.thread_mut(id);
        thread.status = Status::Dormant;
        thread.wait = Wait::None;
        thread.priority = thread.initial_priority;
        thread.wakeups = 0;
        thread.context = NO_CONTEXT;
        thread.pc = thread.entry;
    }

    fn release_record(&mut self, id: u16) {
        self.thread_mut(id).status = Status::Free;
        self.free.push_back(&mut self.threads, id);
    }
}
