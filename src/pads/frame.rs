//! What the controllers' module writes to memory each blank, and what it is asked.
//!
//! Two generations of the module are about: the one in every console's ROM and the later one. They differ in the numbers of
//! their server and commands and in the layout of their frames; [`Generation`] knows both.
//!
//! Source: IOP kernel facts, PADMAN.

use super::setup::{PortInfo, PortState, RequestState};

/// Bytes of the memory that a port's two frames are written to, alternately.
pub const AREA_BYTES: usize = 256;
/// Bytes of a controller's answer.
pub const DATA_BYTES: usize = 32;
/// Words of a request, and of its answer.
pub const REQUEST_WORDS: usize = 32;
/// The servers' only function.
pub const FUNCTION: u32 = 1;
/// The mask that a controller with pressure-sensitive buttons tells.
pub const PRESSURE_MASK: u32 = 0x3_ffff;
/// The buttons of which the pressure is wanted: all twelve.
pub const ALL_PRESSURES: u32 = 0xfff;

/// A generation of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// The first one: every console's `rom0:PADMAN`.
    Old,
    /// The later one.
    New,
}

/// What the module can be asked, by the later generation's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Command {
    /// Opens a port: word 1 port, word 2 slot, word 4 the area's address. Word 3 answers 1.
    Open = 0x01,
    /// About an actuator: word 3 its number or -1 for how many there are, word 4 the question. Word 5 answers.
    Actuator = 0x03,
    /// About modes: word 3 the term, word 4 the place in the table or -1. Word 5 answers.
    Mode = 0x05,
    /// Sets the mode: word 3 mode, word 4 lock. Word 5 answers 1 when it is taken.
    SetMode = 0x06,
    /// Sets the actuators: six bytes from word 3 on. Word 5 answers.
    SetActuators = 0x07,
    /// Aligns the actuators: six bytes from word 3 on. Word 5 answers.
    Align = 0x08,
    /// Which buttons tell their pressure. Word 3 answers.
    ButtonMask = 0x09,
    /// Lets buttons tell their pressure: word 3 the buttons. Word 4 answers.
    SetPressure = 0x0a,
    /// Closes a port: word 4 waits. Word 3 answers.
    Close = 0x0e,
    /// The later generation's beginning: word 4 an area for the table of open ports. Word 3 answers 1.
    Init = 0x10,
}

/// The term of a mode question that means the table of modes.
pub const MODE_TABLE: u32 = 4;

impl Generation {
    /// Its server's number.
    pub const fn server(self) -> u32 {
        match self {
            Self::Old => 0x8000_010f,
            Self::New => 0x8000_0100,
        }
    }

    /// Bytes of a frame.
    pub const fn frame_bytes(self) -> usize {
        match self {
            Self::Old => 64,
            Self::New => 128,
        }
    }

    /// The number of a command.
    pub const fn number(self, command: Command) -> u32 {
        match self {
            Self::Old => 0x8000_0100 + (command as u32 - 1),
            Self::New => command as u32,
        }
    }

    /// Where in a frame the state of the last request is.
    pub const fn request_at(self) -> usize {
        match self {
            Self::Old => 0x05,
            Self::New => 0x71,
        }
    }

    /// A request of a port, with words from the third on.
    pub fn request(self, command: Command, port: u32, words: &[u32]) -> [u32; REQUEST_WORDS] {
        let mut request = [0; REQUEST_WORDS];
        request[0] = self.number(command);
        request[1] = port;
        for (place, word) in request[3..].iter_mut().zip(words) {
            *place = *word;
        }
        request
    }
}

/// Six bytes as the words of a request.
pub fn six_bytes(bytes: [u8; 6]) -> [u32; 2] {
    let [a, b, c, d, e, f] = bytes;
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, 0, 0])]
}

/// One frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// What is known of the port. Of the first generation's controllers the modes, actuators and pressures have to be asked.
    pub info: PortInfo,
    /// The controller's answer.
    pub data: [u8; DATA_BYTES],
}

/// The number of the analogue mode in a table of modes.
const ANALOGUE_MODE: u16 = 7;

fn word(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    if let Some(bytes) = bytes.get(at..at + 4) {
        word.copy_from_slice(bytes);
    }
    u32::from_le_bytes(word)
}

impl Frame {
    /// The newer of an area's two frames: the one with the larger number.
    pub fn newest(area: &[u8; AREA_BYTES], generation: Generation) -> Self {
        let bytes = generation.frame_bytes();
        let (first, second) = (&area[..bytes], &area[bytes..2 * bytes]);
        let number_at = match generation {
            Generation::Old => 0x00,
            Generation::New => 0x58,
        };
        let newer = word(second, number_at) > word(first, number_at);
        Self::read(if newer { second } else { first }, generation)
    }

    fn read(frame: &[u8], generation: Generation) -> Self {
        let mut data = [0; DATA_BYTES];
        let info = match generation {
            Generation::Old => {
                data.copy_from_slice(&frame[0x08..0x28]);
                PortInfo {
                    state: PortState::from_number(frame[0x04]),
                    request: RequestState::from_number(frame[0x05]),
                    terminal: data[1] >> 4,
                    ..PortInfo::default()
                }
            }
            Generation::New => {
                data.copy_from_slice(&frame[..0x20]);
                let modes = frame[0x50..0x58].as_chunks::<2>().0.iter().map(|mode| u16::from_le_bytes(*mode));
                PortInfo {
                    state: PortState::from_number(frame[0x70]),
                    request: RequestState::from_number(frame[0x71]),
                    terminal: frame[0x65] >> 4,
                    has_analogue: modes.take(usize::from(frame[0x68])).any(|mode| mode == ANALOGUE_MODE),
                    actuators: frame[0x6a],
                    has_pressure: false,
                }
            }
        };
        Self { info, data }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pads::{Reading, button};

    #[test]
    fn the_frame_with_the_larger_number_is_the_newer_one() {
        let mut area = [0; AREA_BYTES];
        (area[0x58], area[128 + 0x58]) = (8, 7);
        (area[0x70], area[128 + 0x70]) = (6, 5);
        assert_eq!(Frame::newest(&area, Generation::New).info.state, PortState::Stable);
        area[128 + 0x58] = 9;
        assert_eq!(Frame::newest(&area, Generation::New).info.state, PortState::Busy);
        let mut area = [0; AREA_BYTES];
        (area[0], area[64]) = (1, 2);
        (area[4], area[64 + 4]) = (5, 6);
        assert_eq!(Frame::newest(&area, Generation::Old).info.state, PortState::Stable);
    }

    #[test]
    fn the_later_frame_tells_modes_and_actuators() {
        let mut area = [0; AREA_BYTES];
        area[0x58] = 1;
        area[..4].copy_from_slice(&[0, 0x79, 0xff, !(button::CROSS as u8)]);
        area[4..8].copy_from_slice(&[128; 4]);
        (area[0x65], area[0x68], area[0x6a], area[0x70], area[0x71]) = (0x79, 2, 2, 6, 2);
        (area[0x50], area[0x52]) = (4, 7);
        let frame = Frame::newest(&area, Generation::New);
        let info = frame.info;
        assert_eq!((info.terminal, info.has_analogue, info.actuators), (7, true, 2));
        assert_eq!(info.request, RequestState::Busy);
        assert_eq!(Reading::from_bytes(&frame.data).map(|reading| reading.buttons), Some(button::CROSS));
        area[0x68] = 1;
        assert!(!Frame::newest(&area, Generation::New).info.has_analogue, "only modes that count");
    }

    #[test]
    fn the_first_frame_tells_its_mode_by_the_answer() {
        let mut area = [0; AREA_BYTES];
        area[0] = 1;
        (area[4], area[9]) = (6, 0x41);
        assert_eq!(Frame::newest(&area, Generation::Old).info.terminal, 4);
    }

    #[test]
    fn commands_have_their_generations_numbers() {
        assert_eq!(Generation::New.number(Command::SetMode), 6);
        assert_eq!(Generation::Old.number(Command::SetMode), 0x8000_0105);
        assert_eq!(Generation::Old.number(Command::Open), 0x8000_0100);
        let request = Generation::New.request(Command::Align, 1, &six_bytes([0, 1, 0xff, 0xff, 0xff, 0xff]));
        assert_eq!(request[..5], [8, 1, 0, 0xffff_0100, 0xffff]);
    }
}
