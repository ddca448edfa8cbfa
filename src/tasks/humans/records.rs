//! The per-player records: where pads and brains write a human's command and the dispatcher reads it.

use super::HUMANS;
use alloc::boxed::Box;
use alloc::vec;
use core::f32::consts::FRAC_PI_2;

/// What a pad says in one character step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PadInput {
    /// Buttons held.
    pub buttons: u32,
    /// Stick directions in radians: move, and camera.
    pub angle: [f32; 2],
    /// Stick deflections, clamped to 1.
    pub magnitude: [f32; 2],
    /// The command its buttons match, 0 for none.
    pub command: u8,
}

/// One record. Every human has one; only some have a pad. Source: support systems, Pads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerRecord {
    /// Buttons, sticks and command of this step.
    pub input: PadInput,
    /// The pad, or `None`.
    pub pad: Option<u8>,
    /// Whether the pad drives the human.
    pub pad_controlled: bool,
    /// No dispatcher while set.
    pub skip_actions: bool,
    /// The sticks are pinned: angle pi/2, no deflection.
    pub locked: bool,
    /// The command of this step: a pad's, or a brain's; 0 for none.
    pub command: u8,
    /// A command that waits.
    pub pending: u8,
}

impl PlayerRecord {
    /// Takes one step's pad input. A record without a pad, or whose pad does not drive it, has its command cleared, so
    /// that a brain's command lives for one step.
    pub fn update(&mut self, pad: Option<PadInput>) {
        match pad.filter(|_| self.pad_controlled && self.pad.is_some()) {
            Some(mut input) => {
                for magnitude in &mut input.magnitude {
                    *magnitude = magnitude.clamp(0.0, 1.0);
                }
                if self.locked {
                    input.angle = [FRAC_PI_2; 2];
                    input.magnitude = [0.0; 2];
                }
                self.command = input.command;
                self.input = input;
            }
            None => self.command = 0,
        }
    }
}

/// All 60 records.
#[derive(Debug)]
pub struct PlayerRecords(Box<[PlayerRecord]>);

impl Default for PlayerRecords {
    fn default() -> Self {
        Self(vec![PlayerRecord::default(); HUMANS].into_boxed_slice())
    }
}

impl PlayerRecords {
    /// A human's record.
    pub fn get(&self, human: usize) -> Option<&PlayerRecord> {
        self.0.get(human)
    }

    /// A human's record.
    pub fn get_mut(&mut self, human: usize) -> Option<&mut PlayerRecord> {
        self.0.get_mut(human)
    }

    /// Writes a brain's command, as a pad would.
    pub fn set_command(&mut self, human: usize, command: u8) {
        if let Some(record) = self.0.get_mut(human) {
            record.command = command;
        }
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }

    /// The command that the dispatcher reads.
    pub fn command(&self, human: usize) -> u8 {
        self.0.get(human).map_or(0, |record| record.command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brains_stale_command_is_cleared_and_a_pads_is_kept() {
        let input = PadInput { command: 0xf, magnitude: [1.5, 0.5], ..PadInput::default() };
        let mut record = PlayerRecord { command: 0x12, ..PlayerRecord::default() };
        record.update(None);
        assert_eq!(record.command, 0);
        record.pad = Some(0);
        record.command = 0x12;
        record.update(Some(input));
        assert_eq!(record.command, 0, "the pad does not drive this human");
        record.pad_controlled = true;
        record.update(Some(input));
        assert_eq!((record.command, record.input.magnitude), (0xf, [1.0, 0.5]));
    }

    #[test]
    fn a_locked_record_has_its_sticks_pinned() {
        let mut record = PlayerRecord { pad: Some(1), pad_controlled: true, locked: true, ..PlayerRecord::default() };
        record.update(Some(PadInput { angle: [1.0, 2.0], magnitude: [1.0, 1.0], ..PadInput::default() }));
        assert_eq!((record.input.angle, record.input.magnitude), ([FRAC_PI_2; 2], [0.0; 2]));
    }

    #[test]
    fn commands_are_written_and_read_in_one_place() {
        let mut records = PlayerRecords::default();
        records.set_command(7, 0xf);
        records.set_command(HUMANS, 1);
        assert_eq!((records.command(7), records.command(8), records.command(HUMANS)), (0xf, 0, 0));
    }
}
