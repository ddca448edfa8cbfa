use super::*;

/// A DualShock 2 that answers as the notes say.
struct Dual {
    configuration: bool,
    analogue: bool,
    pressures: bool,
    buttons: [u8; 2],
}

impl Dual {
    const NEW: Dual = Dual { configuration: false, analogue: false, pressures: false, buttons: [0xFF, 0xFE] };

    fn id(&self) -> u8 {
        match (self.configuration, self.analogue, self.pressures) {
            (true, ..) => 0xF3,
            (_, false, _) => 0x41,
            (_, true, false) => 0x73,
            (_, true, true) => 0x79,
        }
    }

    fn answer(&mut self, command: &Command) -> [u8; FRAME_BYTES] {
        let mut answer = [0; FRAME_BYTES];
        answer[..3].copy_from_slice(&[0xFF, self.id(), 0x5A]);
        let sent = &command.bytes[3..];
        match command.bytes[1] {
            0x42 => {
                answer[3..5].copy_from_slice(&self.buttons);
                answer[5..9].fill(0x80);
            }
            0x43 => self.configuration = sent[0] == 1,
            0x44 => self.analogue = sent[0] == 1,
            0x45 => answer[3..9].copy_from_slice(&[3, 2, u8::from(self.analogue), 2, 1, 0]),
            0x47 => answer[3..9].copy_from_slice(&[0, 0, 2, 0, 1, 0]),
            0x46 => answer[3..9].copy_from_slice(&[0, 0, 1, 2 - sent[0], sent[0], 0x0A + sent[0] * 10]),
            0x4C => answer[6] = if sent[0] == 0 { 4 } else { 7 },
            0x4F => self.pressures = sent[2] == 3,
            0x41 => answer[3..6].copy_from_slice(&[0xFF, 0xFF, 3]),
            _ => {}
        }
        answer
    }
}

/// Runs frames until the pad is stable; how many it took.
fn settle(pad: &mut Pad, dual: &mut Dual) -> u32 {
    for frame in 1..60 {
        let command = pad.command();
        let answer = dual.answer(&command);
        pad.answer(Some(&answer[..command.length]));
        if pad.state == State::Stable && pad.ready {
            return frame;
        }
    }
    panic!("never stable: {pad:?}");
}

#[test]
fn a_new_controller_is_queried_and_becomes_stable() {
    let (mut pad, mut dual) = (Pad::new(), Dual::NEW);
    let frames = settle(&mut pad, &mut dual);
    assert!((12..=20).contains(&frames), "{frames} frames");
    assert_eq!((pad.model, pad.mode_count, pad.modes, pad.button_mask), (3, 2, [4, 7], 0x3_FFFF));
    assert_eq!(pad.actuators, [[1, 2, 0, 0x0A], [1, 1, 1, 0x14]]);
    assert_eq!((pad.combinations, pad.combination), (1, [2, 0, 1, 0]));
    assert_eq!(pad.data[..4], [0, 0x41, 0xFF, 0xFE]);
}

#[test]
fn requests_take_a_few_frames_and_change_the_answers() {
    let (mut pad, mut dual) = (Pad::new(), Dual::NEW);
    settle(&mut pad, &mut dual);
    assert!(pad.set_mode(1, 3));
    assert!(!pad.set_mode(0, 3));
    assert_eq!((pad.request, pad.state, pad.task()), (RequestState::Busy, State::Executing, Task::SetMode));
    assert_eq!(pad.asked, [1, 3]);
    let frames = settle(&mut pad, &mut dual);
    assert!((3..=6).contains(&frames), "{frames} frames");
    assert_eq!((pad.request, pad.id, pad.mode_index), (RequestState::Complete, 0x73, 1));
    assert!(pad.set_pressures(0xFFF));
    settle(&mut pad, &mut dual);
    assert_eq!(pad.data[1], 0x79);
    assert_eq!(pad.data[4..8], [0x80; 4]);
}

#[test]
fn motors_go_out_with_the_polls() {
    let (mut pad, mut dual) = (Pad::new(), Dual::NEW);
    settle(&mut pad, &mut dual);
    assert!(pad.set_align([0, 1, 0xFF, 0xFF, 0xFF, 0xFF]));
    assert_eq!(step_command(Step::Align, pad.align).bytes[3..9], [0, 1, 0xFF, 0xFF, 0xFF, 0xFF]);
    settle(&mut pad, &mut dual);
    assert!(pad.set_motors([1, 0x80, 0, 0, 0, 0]));
    assert_eq!(pad.command().bytes[..5], [1, 0x42, 0, 1, 0x80]);
}

#[test]
fn a_controller_that_is_pulled_counts_as_gone_after_some_frames_and_is_found_again() {
    let (mut pad, mut dual) = (Pad::new(), Dual::NEW);
    settle(&mut pad, &mut dual);
    pad.answer(None);
    assert_eq!(pad.state, State::Error);
    for _ in 0..ERRORS {
        pad.answer(None);
    }
    assert_eq!((pad.state, pad.ready, pad.data[0]), (State::Disconnected, false, 0xFF));
    let mut dual = Dual::NEW;
    settle(&mut pad, &mut dual);
    assert_eq!(pad.state, State::Stable);
}

#[test]
fn a_digital_pad_is_taken_as_it_is() {
    let mut pad = Pad::new();
    for _ in 0..40 {
        let length = pad.command().length;
        let mut answer = [0xFF; FRAME_BYTES];
        answer[..3].copy_from_slice(&[0xFF, 0x41, 0x5A]);
        pad.answer(Some(&answer[..length.min(5)]));
    }
    assert_eq!((pad.state, pad.is_configurable()), (State::FoundPlain, false));
    assert!(!pad.set_mode(1, 3));
}

#[test]
fn nobody_there_is_said_at_once() {
    let mut pad = Pad::new();
    pad.answer(None);
    assert_eq!(pad.state, State::Disconnected);
}
