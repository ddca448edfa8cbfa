//! The console's device: the module on the IOP, spoken to by calls that are never waited for.
//!
//! One call is under way at a time. While something is asked, each poll looks for the answer of the last call and makes the
//! next one. An answer that never comes is taken as lost: the same commands are sent again, which the module's protocol
//! allows, and only several losses in a row make the device [`Fault::Silent`].

use super::{DeviceState, Fault, Read, StreamDevice};
use crate::file_io::{Region, SECTOR_BYTES};
use boardwalk_iop::protocol::{COMMANDS, Command, List, PATH_BYTES, Progress, STATUS, STATUS_WORDS, Status, fault};

/// Lost answers in a row after which the module counts as silent.
const LOSSES: u32 = 3;

/// What has become of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Under way.
    Waiting,
    /// The module's words.
    Words([u32; STATUS_WORDS]),
    /// There was none in its time.
    Lost,
    /// There was none, and the module has not been told: it has not answered the call before yet.
    Unsent,
}

/// Calls to the module, and the memory that it writes.
pub trait Channel {
    /// Begins a call of a function with words; false when it could not be sent. There is never a second one under way.
    fn begin(&mut self, function: u32, words: &[u32]) -> bool;

    /// Looks for the answer of the call under way.
    fn poll(&mut self) -> Answer;

    /// Gives a region to the module: nothing of it may stay in a cache.
    fn lend(&mut self, region: Region);

    /// Takes a region back that the module has written.
    fn take_back(&mut self, region: Region);

    /// A region's bytes.
    fn memory(&self, region: Region, length: u32) -> &[u8];
}

/// What is asked of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Nothing,
    Open,
    Read { destination: Region },
}

/// The module as a device.
#[derive(Debug)]
pub struct ModuleDevice<C> {
    channel: C,
    goal: Goal,
    /// The goal's commands.
    commands: List,
    /// The module has answered the goal's commands.
    is_taken: bool,
    /// Sounds and settings that wait for a call.
    posted: List,
    /// What was posted and went with the call under way.
    carried: List,
    /// A call is under way.
    is_calling: bool,
    /// That call carries the goal's commands.
    carries_goal: bool,
    /// A call has been made since the last frame's end.
    has_called: bool,
    /// An answer has come since the goal ended.
    is_fresh: bool,
    losses: u32,
    serial: u32,
    /// The memory of a read that the module has fallen silent over: it may still write there.
    lent: Option<Region>,
    status: Status,
    end: DeviceState,
    /// Nobody wants the sectors any more that could not be read: the module will hear of it.
    is_given_up: bool,
    /// Answers that never came since the start.
    pub lost: u32,
}

/// A fault of the protocol.
const fn fault_of(number: u32) -> Fault {
    match number {
        fault::TRAY_OPEN => Fault::TrayOpen,
        fault::NO_DISC => Fault::NoDisc,
        fault::WRONG_DISC => Fault::WrongDisc,
        fault::UNREADABLE => Fault::Unreadable,
        fault::TIME_OUT => Fault::DriveTimeOut,
        fault::NO_MEMORY => Fault::NoMemory,
        fault::NOT_FOUND => Fault::NotFound,
        fault::CANCELLED => Fault::Cancelled,
        _ => Fault::Refused,
    }
}

impl<C: Channel> ModuleDevice<C> {
    /// A device over a channel to the loaded module.
    pub const fn new(channel: C) -> Self {
        Self {
            channel,
            goal: Goal::Nothing,
            commands: List::new(),
            is_taken: true,
            posted: List::new(),
            carried: List::new(),
            is_calling: false,
            carries_goal: false,
            has_called: false,
            is_fresh: false,
            losses: 0,
            serial: 0,
            lent: None,
            status: Status::IDLE,
            end: DeviceState::Idle,
            is_given_up: false,
            lost: 0,
        }
    }

    /// The module's last answer.
    pub const fn status(&self) -> &Status {
        &self.status
    }

    /// The channel.
    pub const fn channel_mut(&mut self) -> &mut C {
        &mut self.channel
    }

    /// Asks for the module's state, for [`status`](Self::status), even when nothing else is asked.
    pub fn refresh(&mut self) {
        self.pump();
        if !self.is_calling {
            let sent = self.channel.begin(STATUS, &[]);
            self.carries_goal = false;
            self.has_called = true;
            self.note_call(sent, false);
        }
    }

    fn ask(&mut self, goal: Goal, commands: &[Command]) -> Result<(), Fault> {
        self.commands.clear();
        if !commands.iter().all(|command| self.commands.add(command)) {
            return Err(Fault::Refused);
        }
        self.goal = goal;
        self.is_taken = false;
        self.losses = 0;
        self.end = DeviceState::Busy;
        self.pump();
        Ok(())
    }

    /// Looks for an answer and makes the next call.
    fn pump(&mut self) {
        if self.is_calling {
            match self.channel.poll() {
                Answer::Waiting => return,
                Answer::Lost => self.lose(),
                Answer::Unsent => {
                    self.post_again();
                    self.lose();
                }
                Answer::Words(words) => match Status::from_words(&words) {
                    // A module of which a thread stands answers, and does nothing.
                    Some(status) if status.stopped => self.lose(),
                    Some(status) => self.hear(status),
                    None => self.lose(),
                },
            }
        }
        self.call();
    }

    /// What went with a call that was not sent goes with the next one, as far as there is room.
    fn post_again(&mut self) {
        let mut list = core::mem::take(&mut self.carried);
        if list.append(&self.posted) {
            self.posted = list;
        }
    }

    fn lose(&mut self) {
        self.is_calling = false;
        self.lost += 1;
        self.losses = self.losses.saturating_add(1);
        if self.is_silent() && self.goal != Goal::Nothing {
            if let Goal::Read { destination } = self.goal {
                self.lent = Some(destination);
            }
            self.finish(DeviceState::Failed(Fault::Silent));
        }
    }

    /// True when so many answers in a row were lost that there may be nobody to give one, whatever is asked.
    const fn is_silent(&self) -> bool {
        self.losses >= LOSSES
    }

    fn hear(&mut self, status: Status) {
        self.is_calling = false;
        self.losses = 0;
        if status.read != Progress::Busy {
            // Calls are answered in their order, so that no earlier one begins a read behind this.
            self.lent = None;
        }
        self.is_fresh = true;
        self.is_given_up &= !status.ready;
        self.status = status;
        self.is_taken |= self.carries_goal;
        if !self.is_taken {
            return;
        }
        let (progress, done, fault) = match self.goal {
            Goal::Nothing => return,
            Goal::Open => (status.open, status.file_bytes, status.open_fault),
            // The module was still at a read that was given up: it is to be asked again.
            Goal::Read { .. } if status.serial != self.serial => {
                self.is_taken = false;
                return;
            }
            Goal::Read { .. } => (status.read, status.delivered, status.read_fault),
        };
        match progress {
            Progress::Done => self.finish(DeviceState::Done(done)),
            Progress::Failed => self.finish(DeviceState::Failed(fault_of(fault))),
            Progress::Idle | Progress::Busy => {}
        }
    }

    fn finish(&mut self, end: DeviceState) {
        if let Goal::Read { destination } = self.goal {
            self.channel.take_back(destination);
        }
        self.goal = Goal::Nothing;
        self.is_taken = true;
        self.is_fresh = false;
        self.end = end;
    }

    fn call(&mut self) {
        if self.is_calling {
            return;
        }
        self.carries_goal = !self.is_taken;
        let (sent, carries_posted) = if !self.is_taken {
            // What was posted travels along when it fits; a repeated call does not repeat it.
            let mut list = self.commands.clone();
            let fits = list.append(&self.posted);
            (self.channel.begin(COMMANDS, list.words()), fits)
        } else if !self.posted.is_empty() {
            (self.channel.begin(COMMANDS, self.posted.words()), true)
        } else if self.goal != Goal::Nothing {
            (self.channel.begin(STATUS, &[]), false)
        } else {
            return;
        };
        self.has_called = true;
        self.note_call(sent, carries_posted);
    }

    /// Notes a call that has left, or that could not: what was posted waits for the next one then.
    fn note_call(&mut self, sent: bool, carries_posted: bool) {
        if !sent {
            return self.lose();
        }
        self.is_calling = true;
        self.carried.clear();
        if carries_posted {
            core::mem::swap(&mut self.carried, &mut self.posted);
        }
    }
}

impl<C: Channel> StreamDevice for ModuleDevice<C> {
    fn module_status(&self) -> Option<&Status> {
        Some(&self.status)
    }

    fn drive_fault(&self) -> Option<Fault> {
        // What a silent module said of its drive is old.
        let given_up = self.is_given_up && fault::is_of_sectors(self.status.drive_fault);
        let said = (!self.status.ready && !given_up).then(|| fault_of(self.status.drive_fault));
        if self.is_silent() { Some(Fault::Silent) } else { said }
    }

    fn lent(&self) -> Option<Region> {
        self.lent
    }

    fn open(&mut self, path: &str) -> Result<(), Fault> {
        let mut bytes = [0; PATH_BYTES];
        // The end mark must fit, too.
        if self.goal != Goal::Nothing || path.len() >= PATH_BYTES {
            return Err(Fault::Refused);
        }
        bytes[..path.len()].copy_from_slice(path.as_bytes());
        self.ask(Goal::Open, &[Command::Open(bytes)])
    }

    fn start(&mut self, read: Read) -> Result<(), Fault> {
        let whole = read.offset.is_multiple_of(SECTOR_BYTES) && read.destination.holds(read.length);
        if self.goal != Goal::Nothing || !whole {
            return Err(Fault::Refused);
        }
        self.channel.lend(read.destination);
        // What is lent from now on is the goal's.
        self.lent = None;
        self.is_given_up = false;
        // Never 0, which is the serial of a module that has read nothing.
        self.serial = self.serial.wrapping_add(1).max(1);
        let commands = [
            Command::Read { offset: read.offset, length: read.length },
            Command::Destination(read.destination.address()),
            Command::Start { serial: self.serial },
        ];
        self.ask(Goal::Read { destination: read.destination }, &commands)
    }

    fn poll(&mut self) -> DeviceState {
        self.pump();
        self.end
    }

    fn cancel(&mut self) {
        if matches!(self.goal, Goal::Read { .. }) {
            // Behind the start, should that not have been taken yet; the module takes both twice without harm.
            self.commands.add(&Command::Cancel { serial: self.serial });
            self.is_taken = false;
            // A call under way has left without it.
            self.carries_goal = false;
        } else if self.lent.is_some() || !self.status.ready {
            self.is_given_up = true;
            // Should the list be full, the module goes on to its end, which is waited for as well.
            let _room = self.posted.add(&Command::Cancel { serial: self.serial });
        }
    }

    fn is_ready(&mut self) -> bool {
        self.pump();
        if self.is_calling || self.goal != Goal::Nothing {
            return false;
        }
        if self.is_fresh && self.status.ready && self.lent.is_none() {
            return true;
        }
        self.refresh();
        false
    }

    fn landed(&self, region: Region, length: u32) -> &[u8] {
        self.channel.memory(region, length)
    }

    /// Should the call's answer be lost, the command is not repeated.
    fn post(&mut self, command: &Command) -> bool {
        self.posted.add(command)
    }

    fn end_frame(&mut self) {
        if !self.has_called {
            self.refresh();
        }
        self.has_called = false;
    }
}

#[cfg(test)]
mod tests;
