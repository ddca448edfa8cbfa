//! What is remembered of a controller.

use super::button::{self, Buttons};
use super::reading::Reading;
use crate::clock::time::TICKS_PER_MILLISECOND;
use crate::tasks::humans::records::PadInput;

/// Samples of the buttons that are kept, the newest included.
pub const SAMPLES: usize = 8;

/// Real time within which a second read of the device is skipped, in ticks.
const SHORTEST_BETWEEN_READS: u64 = 6 * TICKS_PER_MILLISECOND;

/// A hold counter's values: it counts up to the repeat, then goes on a little below it.
const REPEAT_AT: u8 = 15;
const AFTER_REPEAT: u8 = 12;

/// A direction of the d-pad, which repeats while it is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Direction {
    /// Up.
    Up,
    /// Right.
    Right,
    /// Down.
    Down,
    /// Left.
    Left,
}

impl Direction {
    /// Every direction.
    pub const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    /// Its button.
    pub const fn button(self) -> Buttons {
        match self {
            Self::Up => button::UP,
            Self::Right => button::RIGHT,
            Self::Down => button::DOWN,
            Self::Left => button::LEFT,
        }
    }
}

/// One controller's last samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PadRecord {
    /// The ring of button words; `newest` is its newest place.
    buttons: [Buttons; SAMPLES],
    newest: usize,
    reading: Reading,
    holds: [u8; Direction::ALL.len()],
    read_at: Option<u64>,
    connected: bool,
}

impl PadRecord {
    /// True when the device may be read again at real time `now`, in ticks.
    pub fn is_read_due(&self, now: u64) -> bool {
        self.read_at.is_none_or(|at| now.saturating_sub(at) >= SHORTEST_BETWEEN_READS)
    }

    /// Takes one reading at real time `now`, in ticks; `None` when there is no controller that gives input, which reads as
    /// everything released. A second one within 6 ms is skipped; says whether it was taken.
    pub fn sample(&mut self, reading: Option<Reading>, now: u64) -> bool {
        if !self.is_read_due(now) {
            return false;
        }
        self.read_at = Some(now);
        self.connected = reading.is_some();
        self.reading = reading.unwrap_or_default();
        self.newest = (self.newest + 1) % SAMPLES;
        self.buttons[self.newest] = self.reading.buttons;
        for direction in Direction::ALL {
            let hold = &mut self.holds[direction as usize];
            *hold = match *hold {
                _ if self.reading.buttons & direction.button() == 0 => 0,
                REPEAT_AT => AFTER_REPEAT,
                held => held + 1,
            };
        }
        true
    }

    /// Forgets every sample, as when a pause begins: what is down now is neither pressed nor released next.
    pub fn refresh(&mut self) {
        self.buttons = [self.reading.buttons; SAMPLES];
        self.holds = [0; Direction::ALL.len()];
    }

    /// True when a controller gives input.
    pub const fn is_connected(&self) -> bool {
        self.connected
    }

    /// The newest reading.
    pub const fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The buttons that were down `ago` samples back; 0 is the newest. The record goes back seven.
    pub const fn back(&self, ago: usize) -> Buttons {
        self.buttons[(self.newest + SAMPLES - ago % SAMPLES) % SAMPLES]
    }

    /// How long a direction has been held: 0 when it is up, then 1 to 15, then 12 to 15 over and over.
    pub const fn hold(&self, direction: Direction) -> u8 {
        self.holds[direction as usize]
    }

    /// True in the sample in which a direction is pressed, and again each time it repeats.
    pub const fn repeats(&self, direction: Direction) -> bool {
        matches!(self.hold(direction), 1 | REPEAT_AT)
    }

    /// What the characters' step takes of the record: buttons, and the sticks as angle and magnitude; the left one moves,
    /// the right one turns the camera. `command` is the one that the buttons match, 0 for none.
    pub fn input(&self, command: u8) -> PadInput {
        let sticks = [self.reading.left, self.reading.right];
        PadInput {
            buttons: u32::from(self.reading.buttons),
            angle: sticks.map(super::reading::Stick::angle),
            magnitude: sticks.map(super::reading::Stick::magnitude),
            command,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::reading::Stick;
    use super::*;
    use crate::clock::time::STEP;
    use std::vec::Vec;

    fn down(buttons: Buttons) -> Option<Reading> {
        Some(Reading { buttons, ..Reading::default() })
    }

    #[test]
    fn the_record_goes_back_seven_samples() {
        let mut pad = PadRecord::default();
        for sample in 1..=10_u16 {
            assert!(pad.sample(down(sample), u64::from(sample) * STEP));
        }
        let kept: Vec<_> = (0..SAMPLES).map(|ago| pad.back(ago)).collect();
        assert_eq!(kept, [10, 9, 8, 7, 6, 5, 4, 3]);
    }

    #[test]
    fn a_read_within_six_milliseconds_is_skipped() {
        let mut pad = PadRecord::default();
        assert!(pad.sample(down(1), 0));
        assert!(!pad.sample(down(2), 6 * TICKS_PER_MILLISECOND - 1));
        assert_eq!((pad.back(0), pad.back(1)), (1, 0));
        assert!(pad.sample(down(2), 6 * TICKS_PER_MILLISECOND));
        assert_eq!((pad.back(0), pad.back(1)), (2, 1));
    }

    #[test]
    fn a_hold_counts_to_15_and_then_from_12_to_15_again() {
        let mut pad = PadRecord::default();
        let mut counts = Vec::new();
        let mut repeats = Vec::new();
        for sample in 0..24 {
            pad.sample(down(button::DOWN), sample * STEP);
            counts.push(pad.hold(Direction::Down));
            repeats.extend(pad.repeats(Direction::Down).then_some(sample + 1));
        }
        assert_eq!(counts[..15], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
        assert_eq!(counts[15..], [12, 13, 14, 15, 12, 13, 14, 15, 12]);
        assert_eq!(repeats, [1, 15, 19, 23]);
        assert_eq!(pad.hold(Direction::Up), 0);
        pad.sample(down(0), 24 * STEP);
        assert_eq!(pad.hold(Direction::Down), 0);
    }

    #[test]
    fn without_a_controller_everything_reads_released() {
        let mut pad = PadRecord::default();
        pad.sample(Some(Reading { buttons: 0xff, left: Stick { x: 1.0, y: 0.0 }, ..Reading::default() }), 0);
        assert!(pad.is_connected());
        pad.sample(None, STEP);
        assert_eq!((pad.is_connected(), pad.back(0), pad.reading().left), (false, 0, Stick::default()));
    }

    #[test]
    fn a_refreshed_record_neither_presses_nor_releases_what_is_down() {
        let mut pad = PadRecord::default();
        pad.sample(down(button::CROSS), 0);
        pad.refresh();
        assert_eq!((pad.pressed(button::CROSS), pad.held(button::CROSS)), (0, button::CROSS));
    }

    #[test]
    fn the_characters_get_the_sticks_as_angle_and_magnitude() {
        let mut pad = PadRecord::default();
        let left = Stick { x: 0.6, y: 0.0 };
        pad.sample(Some(Reading { buttons: button::SQUARE, left, ..Reading::default() }), 0);
        let input = pad.input(7);
        assert_eq!((input.buttons, input.command), (0x80, 7));
        assert!((input.angle[0] - core::f32::consts::FRAC_PI_2).abs() < 1e-6);
        assert!((input.magnitude[0] - 0.6).abs() < 1e-6 && input.magnitude[1] == 0.0);
    }
}
