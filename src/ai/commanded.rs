//! Pads of the command-driven scheme: what they hold becomes commands of the motion system, in the brains' step.
//!
//! Such a human is still its pad's: what its buttons strike, block or grab goes through the dispatcher as ever. Only the
//! button that charges a jump means something else there, so another one takes things.
//!
//! Source: settled questions 15 and 16.

use super::Brains;
use crate::combat::commands::command;
use crate::human::Humans;
use crate::human::driven::commands_of;
use crate::motion::CommandOutcome;
use crate::pads::button::R2;
use crate::tasks::humans::records::PlayerRecords;

impl Brains {
    /// Whether the motion system can drive anybody.
    pub fn can_command(&self) -> bool {
        self.walks.is_some()
    }

    /// One step of a pad's human by its commands; does nothing without motions.
    pub fn command(&mut self, n: usize, humans: &mut Humans, records: &mut PlayerRecords) -> CommandOutcome {
        let walk = self.walks.as_mut().and_then(|walks| walks.get_mut(n));
        let (Some(walk), Some(record)) = (walk, records.get_mut(n)) else { return CommandOutcome::default() };
        let human = &mut humans.people[n];
        if human.driven.is_none() {
            walk.leave_world();
        }
        let busy = human.is_beyond_commands();
        let outcome = walk.mover.command(human, commands_of(&record.input), busy);
        for (clip, frame) in &walk.mover.passed {
            humans.pass_frame(n, *clip as u16, *frame);
        }
        record.command = match record.command {
            command::R2_HELD if !core::mem::replace(&mut self.takes[n], true) => command::TRIANGLE,
            command::R2_HELD | command::TRIANGLE | command::CIRCLE_TRIANGLE => command::NONE,
            other => other,
        };
        self.takes[n] &= record.input.buttons & u32::from(R2) != 0;
        outcome
    }

    /// A pad's human goes by its stick again.
    pub fn end_command(&mut self, n: usize, humans: &mut Humans) {
        let Some(walk) = self.walks.as_mut().and_then(|walks| walks.get_mut(n)) else { return };
        if humans.people[n].driven.is_some() {
            walk.mover.release(&mut humans.people[n]);
            humans.end_driven(n);
        }
    }

    /// The physics has moved a human: what it did reaches the motion system.
    pub fn moved(&mut self, n: usize, humans: &mut Humans) {
        let moves = humans.people[n].driven.is_some() || self.is_enabled(n, humans);
        if let Some(walk) = self.walks.as_mut().and_then(|walks| walks.get_mut(n)).filter(|_| moves) {
            walk.mover.moved(&mut humans.people[n]);
        }
    }

    /// Whether the motion system moves a human now.
    pub fn is_moved(&self, n: usize, humans: &Humans) -> bool {
        self.is_enabled(n, humans) || humans.people[n].present && humans.people[n].driven.is_some()
    }
}
