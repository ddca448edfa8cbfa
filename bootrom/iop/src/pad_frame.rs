//! What the pad driver writes to the EE's memory every frame, in the two shapes that clients know.

use crate::pad::{DATA_BYTES, Pad, State};

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
/// Task of a new frame: the pad is polled.
const TASK_UPDATE: u8 = 1;

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
            bytes[..0x20].copy_from_slice(&pad.data);
            for (index, actuator) in pad.actuators.iter().enumerate() {
                bytes[0x30 + index * 4..0x34 + index * 4].copy_from_slice(actuator);
            }
            for (index, mode) in pad.modes.iter().enumerate() {
                bytes[0x50 + index * 2..0x52 + index * 2].copy_from_slice(&mode.to_le_bytes());
            }
            bytes[0x58..0x5C].copy_from_slice(&number.to_le_bytes());
            bytes[0x60..0x64].copy_from_slice(&length);
            bytes[0x64] = if pad.is_configurable() { CONFIGURED } else { 0 };
            bytes[0x65] = pad.id;
            bytes[0x66] = pad.model;
            bytes[0x67] = pad.ready.into();
            bytes[0x68] = pad.mode_count;
            bytes[0x69] = pad.mode_index;
            bytes[0x6A] = if pad.is_configurable() { pad.actuators.len() as u8 } else { 0 };
            bytes[0x70] = pad.state as u8;
            bytes[0x71] = pad.request as u8;
            bytes[0x72] = TASK_UPDATE;
            bytes[0x73] = 1;
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
    fn a_pad_that_is_not_ready_has_no_length() {
        let frame = frame_of(&Pad::new(), 0, Flavour::Old).0;
        assert_eq!((frame[8], frame[0x28]), (0xFF, 0));
    }
}
