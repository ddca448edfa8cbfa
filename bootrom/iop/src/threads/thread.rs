//! Threads: the THBASE calls and the choice of who runs.

use super::queue::Links;
use super::{Id, Kind, Threads, Wait, Waited, find, insert};
use crate::alarms::{Action, Alarms};
use crate::errors::Error;

/// Priority of the thread that runs when nothing else can.
pub const IDLE_PRIORITY: u8 = 127;
/// Least urgent priority that a caller may ask for.
const LOWEST_PRIORITY: u32 = 126;
/// Bytes at the top of a stack for the first context and argument space.
///
/// Source: IOP kernel, INTRMAN (context frame)
const START_RESERVE: u32 = 0xB8;
/// Smallest stack.
const MINIMUM_STACK: u32 = 0x130;
/// Stacks are multiples of this many bytes.
const STACK_UNIT: u32 = 0x100;
/// Attribute: the stack stays as it is.
///
/// Source: IOP kernel, THREADMAN (CreateThread)
const NO_FILL: u32 = 0x10_0000;
/// Attribute: the stack is zero.
const CLEAR_STACK: u32 = 0x20_0000;
/// Attributes: assembly, C, user mode, no fill, clear the stack, and the bits that pick nothing.
///
/// Source: IOP kernel, THREADMAN (CreateThread)
const KNOWN_ATTRIBUTES: u32 = 0x0100_0000 | 0x0200_0000 | 0x8 | NO_FILL | CLEAR_STACK;
/// What a new stack is filled with, so that its deepest use can be seen.
const STACK_FILL: u8 = 0xFF;
/// Bytes at the stack's end that are not filled.
const UNFILLED: usize = 0x30;

/// What a thread does now, with the numbers that status calls return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has the processor.
    Running = 1,
    /// It waits for the processor.
    Ready = 2,
    /// It waits for something else.
    Waiting = 4,
    /// It has not been started, or has ended.
    Dormant = 0x10,
}

/// A thread record.
#[derive(Clone, Copy)]
pub(super) struct Thread {
    pub(super) links: Links,
    pub(super) state: State,
    pub(super) wait: Wait,
    /// Ok(value) or the error with which the last wait ended.
    pub(super) wait_result: Result<u32, Error>,
    pub(super) priority: u8,
    initial_priority: u8,
    wakeups: u32,
    attributes: u32,
    option: u32,
    entry: u32,
    stack: u32,
    stack_bytes: u32,
    gp: u32,
    /// Address of the saved context while the thread does not run.
    pub(super) frame: u32,
}

/// What CreateThread is told, plus the creator's gp.
#[derive(Clone, Copy, Debug)]
pub struct NewThread {
    /// Attribute bits.
    pub attributes: u32,
    /// A word for the caller's use.
    pub option: u32,
    /// First instruction.
    pub entry: u32,
    /// Bytes of stack.
    pub stack_bytes: u32,
    /// 1 (most urgent) to 126.
    pub priority: u32,
    /// Global pointer.
    pub gp: u32,
}

impl NewThread {
    /// Checks the arguments in the order the system does; the result is the stack's rounded size in bytes.
    ///
    /// # Errors
    /// Attribute, priority, entry or stack size.
    pub fn check(&self) -> Result<u32, Error> {
        if self.attributes & !KNOWN_ATTRIBUTES != 0 {
            return Err(Error::IllegalAttribute);
        }
        if self.priority == 0 || self.priority > LOWEST_PRIORITY {
            return Err(Error::IllegalPriority);
        }
        if !self.entry.is_multiple_of(4) {
            return Err(Error::IllegalEntry);
        }
        if self.stack_bytes < MINIMUM_STACK {
            return Err(Error::IllegalStackSize);
        }
        self.stack_bytes.checked_next_multiple_of(STACK_UNIT).ok_or(Error::NoMemory)
    }

    /// Fills a new stack as the attributes ask.
    ///
    /// Our choice: clearing is done here too, over the same bytes, and wins over "no fill"; the documents name the attribute
    /// alone.
    pub fn fill(&self, stack: &mut [u8]) {
        let value = if self.attributes & CLEAR_STACK != 0 {
            0
        } else if self.attributes & NO_FILL == 0 {
            STACK_FILL
        } else {
            return;
        };
        let filled = stack.len().saturating_sub(UNFILLED);
        stack[..filled].fill(value);
    }
}

/// Where a started thread's first context goes and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Address of the frame.
    pub frame: u32,
    /// First instruction.
    pub entry: u32,
    /// Global pointer.
    pub gp: u32,
    /// Stack pointer at the entry.
    pub stack_pointer: u32,
    /// Bytes of arguments between the stack pointer and the stack's end.
    pub argument_bytes: u32,
}

/// What ReferThreadStatus tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadInfo {
    /// Attribute bits.
    pub attributes: u32,
    /// The creator's word.
    pub option: u32,
    /// State number.
    pub state: State,
    /// First instruction.
    pub entry: u32,
    /// Lowest address of the stack.
    pub stack: u32,
    /// Bytes of stack.
    pub stack_bytes: u32,
    /// Global pointer.
    pub gp: u32,
    /// Priority at creation.
    pub initial_priority: u8,
    /// Priority now.
    pub priority: u8,
    /// What it waits for.
    pub wait: Wait,
    /// Id of the object waited for, 0 for none.
    pub wait_id: i32,
    /// Wake-ups saved.
    pub wakeups: u32,
    /// Saved context.
    pub frame: u32,
}

impl Threads {
    pub(super) fn thread(&mut self, index: u8) -> Option<&mut Thread> {
        self.threads.get_mut(usize::from(index))?.object.as_mut()
    }

    /// The slot of thread `id`; 0 is an illegal id.
    fn thread_index(&self, id: i32) -> Result<u8, Error> {
        if id == 0 {
            return Err(Error::IllegalThread);
        }
        find(&self.threads, Kind::Thread, id).map(|index| index as u8).ok_or(Error::UnknownThread)
    }

    /// As [`Self::thread_index`], but the running thread is illegal too.
    fn other_thread_index(&self, id: i32) -> Result<u8, Error> {
        let index = self.thread_index(id)?;
        if self.current == Some(index) { Err(Error::IllegalThread) } else { Ok(index) }
    }

    fn id_of(&self, index: u8) -> i32 {
        self.threads
            .get(usize::from(index))
            .map_or(0, |slot| Id::new(Kind::Thread, usize::from(index), slot.serial).raw())
    }

    /// The running thread's id, 0 before the first dispatch.
    #[must_use]
    pub fn current_id(&self) -> i32 {
        self.current.map_or(0, |index| self.id_of(index))
    }

    /// Makes the boot code the running thread of priority `priority`: it has its stack already.
    ///
    /// # Errors
    /// No record left.
    pub fn adopt_boot_thread(&mut self, priority: u8) -> Result<i32, Error> {
        let new =
            NewThread { attributes: 0, option: 0, entry: 0, stack_bytes: 0, priority: u32::from(priority), gp: 0 };
        let id = self.insert_thread(&new, 0, State::Running)?;
        self.current = Some(self.thread_index(id)?);
        Ok(id)
    }

    fn insert_thread(&mut self, new: &NewThread, stack: u32, state: State) -> Result<i32, Error> {
        let thread = Thread {
            links: Links::NONE,
            state,
            wait: Wait::None,
            wait_result: Ok(0),
            priority: new.priority as u8,
            initial_priority: new.priority as u8,
            wakeups: 0,
            attributes: new.attributes,
            option: new.option,
            entry: new.entry,
            stack,
            stack_bytes: new.stack_bytes,
            gp: new.gp,
            frame: 0,
        };
        insert(&mut self.threads, Kind::Thread, thread).map(Id::raw)
    }

    /// Registers a dormant thread whose stack of `new.stack_bytes` (rounded) lies at `stack`.
    ///
    /// # Errors
    /// As [`NewThread::check`]; no record left.
    pub fn create_thread(&mut self, new: &NewThread, stack: u32) -> Result<i32, Error> {
        let stack_bytes = new.check()?;
        self.insert_thread(&NewThread { stack_bytes, ..*new }, stack, State::Dormant)
    }

    /// Forgets a dormant thread; the result is its stack, for the caller to free.
    ///
    /// # Errors
    /// The caller itself, unknown, not dormant.
    pub fn delete_thread(&mut self, id: i32) -> Result<u32, Error> {
        let index = self.other_thread_index(id)?;
        let thread = self.thread(index).ok_or(Error::UnknownThread)?;
        if thread.state != State::Dormant {
            return Err(Error::NotDormant);
        }
        let stack = thread.stack;
        self.threads[usize::from(index)].object = None;
        Ok(stack)
    }

    /// Makes a dormant thread ready. Its first context, which the caller writes, lies below `argument_bytes` of
    /// arguments (rounded up to 8) at the top of its stack.
    ///
    /// # Errors
    /// Unknown, not dormant; arguments too long for the stack.
    pub fn start_thread(&mut self, id: i32, argument_bytes: u32) -> Result<Start, Error> {
        let index = self.thread_index(id)?;
        let thread = self.thread(index).ok_or(Error::UnknownThread)?;
        if thread.state != State::Dormant {
            return Err(Error::NotDormant);
        }
        let rounded = argument_bytes.checked_next_multiple_of(8).ok_or(Error::IllegalStackSize)?;
        if rounded > thread.stack_bytes.saturating_sub(MINIMUM_STACK) {
            return Err(Error::IllegalStackSize);
        }
        let frame = thread.stack + thread.stack_bytes - rounded - START_RESERVE;
        thread.frame = frame;
        thread.priority = thread.initial_priority;
        thread.wakeups = 0;
        thread.wait = Wait::None;
        thread.wait_result = Ok(0);
        let start = Start {
            frame,
            entry: thread.entry,
            gp: thread.gp,
            // The context's own size and an argument area above it: what the entry code may use.
            stack_pointer: frame + START_RESERVE - 0x18,
            argument_bytes,
        };
        self.make_ready(index, Ok(0));
        Ok(start)
    }

    /// Ends the running thread; it stays dormant.
    pub fn exit_thread(&mut self) {
        if let Some(index) = self.current.take()
            && let Some(thread) = self.thread(index)
        {
            thread.state = State::Dormant;
        }
    }

    /// Ends and forgets the running thread; the result is its stack, for the caller to free before it switches.
    pub fn exit_delete_thread(&mut self) -> Option<u32> {
        let index = self.current.take()?;
        self.threads[usize::from(index)].object.take().map(|thread| thread.stack)
    }

    /// Makes another thread dormant, whatever it does. If that was a delay, its end is taken out of `alarms`.
    ///
    /// # Errors
    /// The caller itself, unknown, dormant already.
    pub fn terminate_thread(&mut self, id: i32, alarms: &mut Alarms) -> Result<(), Error> {
        let index = self.other_thread_index(id)?;
        self.end_thread(index, alarms)
    }

    /// As [`Self::terminate_thread`] for handlers, who may also end the thread that they interrupted: at the interrupt's end
    /// somebody else goes on.
    ///
    /// # Errors
    /// Unknown, dormant already.
    pub fn interrupt_terminate(&mut self, id: i32, alarms: &mut Alarms) -> Result<(), Error> {
        let index = self.thread_index(id)?;
        self.end_thread(index, alarms)?;
        self.current = self.current.filter(|current| *current != index);
        Ok(())
    }

    fn end_thread(&mut self, index: u8, alarms: &mut Alarms) -> Result<(), Error> {
        let thread = self.thread(index).ok_or(Error::UnknownThread)?;
        match thread.state {
            State::Dormant => return Err(Error::Dormant),
            State::Ready => self.unready(index),
            State::Waiting | State::Running => {
                self.forget_delay(index, alarms);
                self.unlink_waiter(index);
            }
        }
        if let Some(thread) = self.thread(index) {
            thread.state = State::Dormant;
            thread.wait = Wait::None;
        }
        Ok(())
    }

    /// Gives a thread (0 = the caller) another priority (0 = the caller's own).
    ///
    /// # Errors
    /// Priority, unknown, dormant.
    pub fn change_priority(&mut self, id: i32, priority: u32) -> Result<(), Error> {
        let index = if id == 0 { self.current.ok_or(Error::IllegalThread)? } else { self.thread_index(id)? };
        let own = self.current.and_then(|current| self.thread(current).map(|thread| thread.priority));
        let priority = match priority {
            0 => own.ok_or(Error::IllegalPriority)?,
            1..=LOWEST_PRIORITY => priority as u8,
            _ => return Err(Error::IllegalPriority),
        };
        let thread = self.thread(index).ok_or(Error::UnknownThread)?;
        match thread.state {
            State::Dormant => return Err(Error::Dormant),
            State::Ready => {
                self.unready(index);
                if let Some(thread) = self.thread(index) {
                    thread.priority = priority;
                }
                self.make_ready(index, Ok(0));
            }
            // Equals that are ready now come first: the caller lines up behind them.
            State::Running => {
                let lowered = priority >= thread.priority;
                thread.priority = priority;
                if lowered {
                    self.yield_current();
                }
            }
            State::Waiting => {
                thread.priority = priority;
                self.requeue_waiter(index);
            }
        }
        Ok(())
    }

    /// Moves the first ready thread of a priority (0 = the caller's) behind its equals.
    ///
    /// # Errors
    /// Priority.
    pub fn rotate(&mut self, priority: u32) -> Result<(), Error> {
        let own = self.current.and_then(|current| self.thread(current).map(|thread| u32::from(thread.priority)));
        let priority = if priority == 0 { own.ok_or(Error::IllegalPriority)? } else { priority };
        if priority >= u32::from(IDLE_PRIORITY) {
            return Err(Error::IllegalPriority);
        }
        if own == Some(priority) {
            self.yield_current();
        } else if let Some(first) = self.ready[priority as usize].pop_front(&mut self.threads) {
            self.ready[priority as usize].push_back(&mut self.threads, first);
        }
        Ok(())
    }

    /// Sleeps, unless a wake-up is saved.
    pub fn sleep(&mut self) -> Waited {
        match self.current.and_then(|index| self.thread(index)) {
            Some(thread) if thread.wakeups > 0 => {
                thread.wakeups -= 1;
                Waited::Done(0)
            }
            Some(_) => self.block(Wait::Sleep),
            None => Waited::Done(0),
        }
    }

    /// Wakes a sleeping thread, or saves the wake-up.
    ///
    /// # Errors
    /// The caller itself, unknown, dormant.
    pub fn wakeup(&mut self, id: i32) -> Result<(), Error> {
        let index = self.other_thread_index(id)?;
        self.wake(index)
    }

    /// As [`Self::wakeup`] for handlers, who may also wake the thread that they interrupted: its next sleep ends at once.
    ///
    /// # Errors
    /// Unknown, dormant.
    pub fn interrupt_wakeup(&mut self, id: i32) -> Result<(), Error> {
        let index = self.thread_index(id)?;
        self.wake(index)
    }

    fn wake(&mut self, index: u8) -> Result<(), Error> {
        let thread = self.thread(index).ok_or(Error::UnknownThread)?;
        match (thread.state, thread.wait) {
            (State::Dormant, _) => return Err(Error::Dormant),
            (State::Waiting, Wait::Sleep) => self.make_ready(index, Ok(0)),
            _ => thread.wakeups = thread.wakeups.saturating_add(1),
        }
        Ok(())
    }

    /// Forgets a thread's saved wake-ups; the result is how many there were.
    ///
    /// # Errors
    /// Unknown, dormant.
    pub fn cancel_wakeup(&mut self, id: i32) -> Result<u32, Error> {
        let index = if id == 0 { self.current.ok_or(Error::IllegalThread)? } else { self.thread_index(id)? };
        let thread = self.thread(index).ok_or(Error::UnknownThread)?;
        if thread.state == State::Dormant {
            return Err(Error::Dormant);
        }
        Ok(core::mem::take(&mut thread.wakeups))
    }

    /// Ends another thread's wait with [`Error::WaitReleased`]. If that was a delay, its end is taken out of `alarms`.
    ///
    /// # Errors
    /// The caller itself, unknown, not waiting.
    pub fn release_wait(&mut self, id: i32, alarms: &mut Alarms) -> Result<(), Error> {
        let index = self.other_thread_index(id)?;
        self.break_off(index, alarms)
    }

    /// As [`Self::release_wait`] for handlers, to whom the thread that they interrupted is one that does not wait.
    ///
    /// # Errors
    /// Unknown, not waiting.
    pub fn interrupt_release(&mut self, id: i32, alarms: &mut Alarms) -> Result<(), Error> {
        let index = self.thread_index(id)?;
        self.break_off(index, alarms)
    }

    fn break_off(&mut self, index: u8, alarms: &mut Alarms) -> Result<(), Error> {
        let thread = self.thread(index).ok_or(Error::UnknownThread)?;
        if thread.state != State::Waiting {
            return Err(Error::NotWaiting);
        }
        self.forget_delay(index, alarms);
        self.unlink_waiter(index);
        self.make_ready(index, Err(Error::WaitReleased));
        Ok(())
    }

    /// Takes the end of a thread's delay out of `alarms`: left there, it would end the thread's next delay too early.
    fn forget_delay(&mut self, index: u8, alarms: &mut Alarms) {
        if self.thread(index).is_some_and(|thread| thread.wait == Wait::Delay) {
            // One that is not set has come due already.
            let _ = alarms.cancel(Action::EndDelay { thread: self.id_of(index) });
        }
    }

    /// Blocks the running thread for a time that the caller measures; [`Self::end_delay`] ends it.
    pub fn delay(&mut self) -> Waited {
        self.block(Wait::Delay)
    }

    /// Ends the delay of thread `id`, if that is what it waits for.
    pub fn end_delay(&mut self, id: i32) {
        if let Ok(index) = self.thread_index(id)
            && self.thread(index).is_some_and(|thread| thread.wait == Wait::Delay)
        {
            self.make_ready(index, Ok(0));
        }
    }

    /// What is known about a thread (0 = the caller).
    ///
    /// # Errors
    /// Unknown.
    pub fn thread_info(&mut self, id: i32) -> Result<ThreadInfo, Error> {
        let index = if id == 0 { self.current.ok_or(Error::IllegalThread)? } else { self.thread_index(id)? };
        let thread = *self.thread(index).ok_or(Error::UnknownThread)?;
        Ok(ThreadInfo {
            attributes: thread.attributes,
            option: thread.option,
            state: thread.state,
            entry: thread.entry,
            stack: thread.stack,
            stack_bytes: thread.stack_bytes,
            gp: thread.gp,
            initial_priority: thread.initial_priority,
            priority: thread.priority,
            wait: thread.wait,
            wait_id: self.wait_id(thread.wait),
            wakeups: thread.wakeups,
            frame: thread.frame,
        })
    }

    /// The result of the running thread's last wait.
    ///
    /// # Errors
    /// The wait was released, or its object deleted.
    pub fn wait_result(&mut self) -> Result<u32, Error> {
        self.current.and_then(|index| self.thread(index)).map_or(Ok(0), |thread| thread.wait_result)
    }
}
