//! The controllers of both ports.

use super::button::{self, Buttons};
use super::reading::Reading;
use super::record::PadRecord;
use crate::clock::ContinueButton;

/// Controller ports that the game opens.
pub const PORTS: usize = 2;

/// A record for each port.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pads {
    records: [PadRecord; PORTS],
}

impl Pads {
    /// The record of a port.
    pub fn get(&self, port: usize) -> Option<&PadRecord> {
        self.records.get(port)
    }

    /// Takes one reading of each port at real time `now`, in ticks.
    pub fn sample(&mut self, readings: [Option<Reading>; PORTS], now: u64) {
        for (record, reading) in self.records.iter_mut().zip(readings) {
            record.sample(reading, now);
        }
    }

    /// Forgets the samples of every port, as when a pause begins.
    ///
    /// Source: seed 003, Timers (pausing refreshes the players' input).
    pub fn refresh(&mut self) {
        self.records.iter_mut().for_each(PadRecord::refresh);
    }

    /// True when some port has a controller that gives input.
    pub fn any_connected(&self) -> bool {
        self.records.iter().any(PadRecord::is_connected)
    }

    /// How many ports have a controller that gives input.
    pub fn connected_count(&self) -> usize {
        self.records.iter().filter(|record| record.is_connected()).count()
    }

    /// True when a button of the mask is pressed on some port.
    pub fn any_pressed(&self, mask: Buttons) -> bool {
        self.records.iter().any(|record| record.pressed(mask) != 0)
    }

    /// What the game's clock asks of the pads: cross, which ends a freeze when it is let go.
    ///
    /// Source: seed 003, Timers (0x00144ba8).
    pub fn continue_button(&self) -> ContinueButton {
        if !self.any_connected() {
            ContinueButton::NoPad
        } else if self.records.iter().any(|record| record.is_connected() && record.released(button::CROSS) != 0) {
            ContinueButton::Released
        } else {
            ContinueButton::Quiet
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::time::STEP;

    fn cross(down: bool) -> Option<Reading> {
        Some(Reading { buttons: if down { button::CROSS } else { 0 }, ..Reading::default() })
    }

    #[test]
    fn the_continue_button_is_cross_let_go_by_any_player_with_a_pad() {
        let mut pads = Pads::default();
        assert_eq!(pads.continue_button(), ContinueButton::NoPad);
        pads.sample([cross(false), cross(true)], 0);
        assert_eq!(pads.continue_button(), ContinueButton::Quiet);
        pads.sample([cross(false), cross(false)], STEP);
        assert_eq!(pads.continue_button(), ContinueButton::Released);
        pads.sample([cross(false), cross(true)], 2 * STEP);
        pads.sample([cross(false), None], 3 * STEP);
        assert_eq!(pads.continue_button(), ContinueButton::Quiet, "pulling the plug is no release");
    }

    #[test]
    fn a_press_on_either_port_counts() {
        let mut pads = Pads::default();
        pads.sample([None, cross(true)], 0);
        assert!(pads.any_pressed(button::CROSS) && !pads.any_pressed(button::START));
        pads.refresh();
        assert!(!pads.any_pressed(button::CROSS));
        assert!(pads.get(1).is_some() && pads.get(2).is_none());
    }
}
