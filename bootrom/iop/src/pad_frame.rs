//! What the pad driver writes to the EE's memory every frame, in the two shapes that clients know.

use crate::pad::{DATA_BYTES, MOTOR_BYTES, Pad, State, Task};

/// Which set of commands and frames a client uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// The first driver's.
    Old,
    /// The second driver's.
    New,
}

/// Bytes of the larger frame; the smaller one uses the first half.
pub const FRAME_BYTES: usize = 128;

impl Flavour {
    /// Bytes of a frame.
    #[must_use]
    pub const fn frame_bytes(self) -> usize {
        match self {
            Flavour::Old => 64,
            Flavour::New => FRAME_BYTES,
        }
    }
}

/// A frame with its length, 16-byte aligned for the DMA.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame(pub [u8; FRAME_BYTES]);

/// Kind of a controller in an old frame: digital only, or with modes.
const KIND_DIGITAL: u8 = 1;
const KIND_MODES: u8 = 2;
/// Mode configuration of a new frame: done.
const CONFIGURED: u8 = 2;
/// The same: it is being asked.
const ASKED: u8 = 1;
/// Kind and length of answers that tell pressures.
const WITH_PRESSURES: u8 = 0x79;
/// Places of the buttons and of the twelve pressures, and the button of each pressure.
const BUTTONS: usize = 2;
const PRESSURES: usize = 8;
const PRESSED: [u16; 12] =
    [0x2000, 0x8000, 0x1000, 0x4000, 0x0010, 0x0020, 0x0040, 0x0080, 0x0004, 0x0008, 0x0001, 0x0002];

/// The second driver's table of what is connected, with the running number of its sending: one word of slots for each port. It is
/// sent as long as a frame.
///
/// Source: IOP kernel, PADMAN (open-slot structure); public SDK, pad driver
#[must_use]
pub fn table_of(connected: [u32; 2], number: u32) -> Frame {
    let mut bytes = [0; FRAME_BYTES];
    for (place, word) in bytes.chunks_exact_mut(4).zip([number, connected[0], connected[1]]) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    Frame(bytes)
}

/// Buttons as the second driver tells them: with pressures, whatever is pressed has at least one and whatever is not has none.
fn settled(data: [u8; DATA_BYTES]) -> [u8; DATA_BYTES] {
    let mut data = data;
    if data[1] == WITH_PRESSURES {
        let pressed = !u16::from_be_bytes([data[BUTTONS], data[BUTTONS + 1]]);
        for (pressure, button) in data[PRESSURES..].iter_mut().zip(PRESSED) {
            *pressure = if pressed & button != 0 { (*pressure).max(1) } else { 0 };
        }
    }
    data
}

/// State of a port in a new frame whose controller is still looked for.
///
/// Source: IOP kernel, PADMAN (states after open)
const FINDING: u8 = 1;
/// Looks after which none is there.
///
/// Our choice: as many as answers that fail before a controller counts as gone; no document tells how many.
const LOOKS: u32 = 10;

/// Whether a pad that does not answer is still looked for.
fn is_looked_for(pad: &Pad) -> bool {
    pad.state == State::Disconnected && (1..=LOOKS).contains(&pad.looks)
}

/// The frame of a pad, with the running number of its first appearance.
///
/// Source: IOP kernel, PADMAN (frame structures)
#[must_use]
pub fn frame_of(pad: &Pad, number: u32, flavour: Flavour) -> Frame {
    let mut bytes = [0; FRAME_BYTES];
    let length = if pad.ready { DATA_BYTES as u32 } else { 0 }.to_le_bytes();
    match flavour {
        Flavour::Old => {
            bytes[..4].copy_from_slice(&number.to_le_bytes());
            bytes[0x04] = pad.state as u8;
            bytes[0x05] = pad.request as u8;
            bytes[0x06] = pad.ready.into();
            bytes[0x08..0x28].copy_from_slice(&pad.data);
            bytes[0x28..0x2C].copy_from_slice(&length);
            bytes[0x2D] = match (pad.state, pad.is_configurable()) {
                (State::Disconnected, _) => 0,
                (_, false) => KIND_DIGITAL,
                (_, true) => KIND_MODES,
            };
            bytes[0x2E] = pad.model;
        }
        Flavour::New => {
            bytes[..0x20].copy_from_slice(&settled(pad.data));
            bytes[0x20..0x20 + MOTOR_BYTES].copy_from_slice(&pad.direct);
            bytes[0x28..0x28 + MOTOR_BYTES].copy_from_slice(&pad.align);
            for (index, actuator) in pad.actuators.iter().enumerate() {
                bytes[0x30 + index * 4..0x34 + index * 4].copy_from_slice(actuator);
            }
            bytes[0x40..0x44].copy_from_slice(&pad.combination);
            for (index, mode) in pad.modes.iter().enumerate() {
                bytes[0x50 + index * 2..0x52 + index * 2].copy_from_slice(&mode.to_le_bytes());
            }
            bytes[0x58..0x5C].copy_from_slice(&number.to_le_bytes());
            bytes[0x5C..0x60].copy_from_slice(&pad.looks.to_le_bytes());
            bytes[0x60..0x64].copy_from_slice(&length);
            bytes[0x64] = match pad.task() {
                Task::Query => ASKED,
                _ if pad.is_configurable() => CONFIGURED,
                _ => 0,
            };
            bytes[0x65] = pad.id;
            bytes[0x66] = pad.model;
            bytes[0x67] = pad.ready.into();
            bytes[0x68] = pad.mode_count;
            bytes[0x69] = pad.mode_index;
            bytes[0x6A] = if pad.is_configurable() { pad.actuators.len() as u8 } else { 0 };
            bytes[0x6B] = pad.combinations;
            [bytes[0x6D], bytes[0x6E]] = pad.asked;
            bytes[0x6F] = if pad.drives { MOTOR_BYTES as u8 } else { 0 };
            bytes[0x70] = if is_looked_for(pad) { FINDING } else { pad.state as u8 };
            bytes[0x71] = pad.request as u8;
            bytes[0x72] = pad.task() as u8;
            // The task that comes next: a request begins at once here.
            bytes[0x73] = 0;
        }
    }
    Frame(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pad::RequestState;

    fn pad() -> Pad {
        let mut pad = Pad::new();
        pad.state = State::Stable;
        pad.request = RequestState::Busy;
        pad.data[..4].copy_from_slice(&[0, 0x79, 0xFE, 0xFF]);
        pad.ready = true;
        pad.model = 3;
        pad.mode_count = 2;
        pad
    }

    #[test]
    fn an_old_frame_has_its_number_first_and_its_buttons_behind_the_states() {
        let frame = frame_of(&pad(), 0x0102_0304, Flavour::Old).0;
        assert_eq!(frame[..12], [4, 3, 2, 1, 6, 2, 1, 0, 0, 0x79, 0xFE, 0xFF]);
        assert_eq!((frame[0x28], frame[0x2D], frame[0x2E]), (32, 2, 3));
    }

    #[test]
    fn a_new_frame_has_its_buttons_first_and_its_states_behind_them() {
        let frame = frame_of(&pad(), 7, Flavour::New).0;
        assert_eq!(frame[..4], [0, 0x79, 0xFE, 0xFF]);
        assert_eq!((frame[0x58], frame[0x60], frame[0x70], frame[0x71]), (7, 32, 6, 2));
    }

    #[test]
    fn a_new_frame_tells_motors_modes_and_what_was_asked_for() {
        let mut pad = pad();
        (pad.direct, pad.align, pad.drives) = ([1, 200, 0, 0, 0, 0], [0, 1, 0xFF, 0xFF, 0xFF, 0xFF], true);
        (pad.combinations, pad.combination, pad.modes, pad.asked) = (1, [2, 0, 1, 0], [4, 7], [1, 3]);
        let frame = frame_of(&pad, 7, Flavour::New).0;
        assert_eq!(frame[0x20..0x2E], [1, 200, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF]);
        assert_eq!(frame[0x40..0x44], [2, 0, 1, 0]);
        assert_eq!(frame[0x50..0x54], [4, 0, 7, 0]);
        assert_eq!(frame[0x64..0x70], [2, 0, 3, 1, 2, 0, 2, 1, 0, 1, 3, 6]);
        assert_eq!(frame[0x72..0x74], [1, 0], "polled, and nothing comes next");
    }

    #[test]
    fn a_new_frame_looks_for_a_pad_before_it_says_that_there_is_none() {
        let mut pad = Pad::new();
        let mut state = |flavour: Flavour| {
            pad.answer(None);
            let frame = frame_of(&pad, 0, flavour).0;
            (frame[if flavour == Flavour::New { 0x70 } else { 4 }], frame[0x5C])
        };
        for look in 1..=10 {
            assert_eq!(state(Flavour::New), (1, look));
        }
        assert_eq!(state(Flavour::New), (0, 11));
        pad = Pad::new();
        pad.answer(None);
        assert_eq!(frame_of(&pad, 0, Flavour::Old).0[4], 0, "the first driver does not look for one");
    }

    #[test]
    fn what_is_pressed_has_a_pressure_and_what_is_not_has_none() {
        let mut pad = pad();
        // Cross is pressed without a pressure, circle has one and is not pressed.
        pad.data[2..4].copy_from_slice(&[0xFF, 0xBF]);
        pad.data[13] = 9;
        let frame = frame_of(&pad, 0, Flavour::New).0;
        assert_eq!(frame[8..20], [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
        assert_eq!(frame_of(&pad, 0, Flavour::Old).0[8 + 13], 9, "the first driver tells them as they came");
    }

    #[test]
    fn the_table_has_its_number_and_a_word_for_each_port() {
        assert_eq!(table_of([1, 0], 0x0102).0[..16], [2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn a_pad_that_is_not_ready_has_no_length() {
        let frame = frame_of(&Pad::new(), 0, Flavour::Old).0;
        assert_eq!((frame[8], frame[0x28]), (0xFF, 0));
    }
}
