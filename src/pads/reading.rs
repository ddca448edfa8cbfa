//! One reading of a controller.

use super::button::{self, Buttons};

/// Pressure-sensitive buttons.
pub const PRESSURES: usize = 12;

/// The first byte of an answer that is one.
const READY: u8 = 0;
/// The kind of controllers with sticks: the high half of the second byte.
const ANALOGUE_KIND: u8 = 7;
/// Bytes of a DualShock's answer up to the sticks: state, kind, two of buttons, four of sticks.
const STICKS_END: usize = 8;
const BUTTON_BYTES: core::ops::Range<usize> = 2..4;
/// Stick bytes: right x, right y, left x, left y.
const RIGHT_STICK: usize = 4;
const LEFT_STICK: usize = 6;

/// The stick bytes that count as the middle.
const MIDDLE: core::ops::RangeInclusive<u8> = 95..=160;
/// From the middle's edge to the end of a stick's way, in byte steps, on either side.
const WAY: f32 = 95.0;

/// The place of a button's pressure in [`Reading::pressures`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Pressure {
    /// Right.
    Right,
    /// Left.
    Left,
    /// Up.
    Up,
    /// Down.
    Down,
    /// Triangle.
    Triangle,
    /// Circle.
    Circle,
    /// Cross.
    Cross,
    /// Square.
    Square,
    /// L1.
    L1,
    /// R1.
    R1,
    /// L2.
    L2,
    /// R2.
    R2,
}

/// A stick's deflection: x to the right and y up, each in `[-1, 1]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stick {
    /// To the right.
    pub x: f32,
    /// Up.
    pub y: f32,
}

impl Stick {
    /// From the controller's bytes, whose y grows downwards.
    pub fn from_bytes(x: u8, y: u8) -> Self {
        // Not a negation, which would make the middle a negative zero and its angle half a turn.
        Self { x: axis(x), y: 0.0 - axis(y) }
    }

    /// How far it is pushed: at most 1, in the corners too.
    pub fn magnitude(self) -> f32 {
        crate::maths::scalar::sqrt(self.x * self.x + self.y * self.y).min(1.0)
    }

    /// Where it is pushed: radians clockwise from up, in `[0, 2 pi)`; 0 at rest.
    pub fn angle(self) -> f32 {
        crate::maths::heading_of(crate::maths::Vec3::new(self.x, self.y, 0.0))
    }
}

/// One axis in `[-1, 1]`: 0 in the middle, growing from its edges.
fn axis(byte: u8) -> f32 {
    if MIDDLE.contains(&byte) {
        return 0.0;
    }
    let edge = if byte < *MIDDLE.start() { *MIDDLE.start() } else { *MIDDLE.end() };
    (f32::from(byte) - f32::from(edge)) / WAY
}

/// What a controller says at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// Buttons that are down.
    pub buttons: Buttons,
    /// The left stick.
    pub left: Stick,
    /// The right stick.
    pub right: Stick,
    /// How hard buttons are pressed, 0 to 255, by [`Pressure`].
    pub pressures: [u8; PRESSURES],
}

impl Reading {
    /// From a controller's answer: state, kind, two bytes of inverted buttons, right and left stick, and twelve pressures
    /// if it sends them. `None` when the controller has no sticks, or no answer is there.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let sticks = bytes.get(..STICKS_END)?;
        if bytes[0] != READY || bytes[1] >> 4 != ANALOGUE_KIND {
            return None;
        }
        // The first of the two bytes is the high one of the game's bits.
        let up = bytes[BUTTON_BYTES].iter().fold(0, |word: Buttons, byte| word << 8 | Buttons::from(*byte));
        let mut pressures = [0; PRESSURES];
        for (pressure, byte) in pressures.iter_mut().zip(&bytes[STICKS_END..]) {
            *pressure = *byte;
        }
        Some(Self {
            buttons: !up,
            right: Stick::from_bytes(sticks[RIGHT_STICK], sticks[RIGHT_STICK + 1]),
            left: Stick::from_bytes(sticks[LEFT_STICK], sticks[LEFT_STICK + 1]),
            pressures,
        })
    }

    /// The same with cross and circle, and square and triangle, in each other's places.
    pub fn turned(&self) -> Self {
        let swap = |buttons: Buttons, a: Buttons, b: Buttons| {
            let (has_a, has_b) = (buttons & a != 0, buttons & b != 0);
            buttons & !(a | b) | if has_a { b } else { 0 } | if has_b { a } else { 0 }
        };
        let buttons = swap(self.buttons, button::CROSS, button::CIRCLE);
        let mut turned = Self { buttons: swap(buttons, button::SQUARE, button::TRIANGLE), ..*self };
        turned.pressures.swap(Pressure::Cross as usize, Pressure::Circle as usize);
        turned.pressures.swap(Pressure::Square as usize, Pressure::Triangle as usize);
        turned
    }

    /// How hard a button is pressed, 0 to 255.
    pub const fn pressure(&self, button: Pressure) -> u8 {
        self.pressures[button as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::button;
    use super::*;
    use core::f32::consts::FRAC_PI_2;

    #[test]
    fn turned_buttons_change_places_and_others_stay() {
        let mut reading = Reading { buttons: button::CROSS | button::SQUARE | button::START, ..Reading::default() };
        reading.pressures[Pressure::Cross as usize] = 200;
        let turned = reading.turned();
        assert_eq!(turned.buttons, button::CIRCLE | button::TRIANGLE | button::START);
        assert_eq!((turned.pressure(Pressure::Circle), turned.pressure(Pressure::Cross)), (200, 0));
        assert_eq!(turned.turned(), reading);
    }

    #[test]
    fn a_stick_rests_from_95_to_160_and_grows_from_there() {
        assert_eq!([95, 127, 128, 160].map(axis), [0.0; 4]);
        assert_eq!((axis(0), axis(255)), (-1.0, 1.0));
        assert_eq!((axis(94), axis(161)), (-1.0 / 95.0, 1.0 / 95.0));
    }

    #[test]
    fn up_is_positive_and_angles_run_clockwise_from_up() {
        let up = Stick::from_bytes(128, 0);
        assert_eq!((up.x, up.y, up.angle(), up.magnitude()), (0.0, 1.0, 0.0, 1.0));
        let right = Stick::from_bytes(255, 128);
        assert!((right.angle() - FRAC_PI_2).abs() < 1e-6);
        let corner = Stick::from_bytes(255, 0);
        assert!((corner.angle() - FRAC_PI_2 / 2.0).abs() < 1e-6);
        assert_eq!(corner.magnitude(), 1.0, "a corner is no more than all the way");
        let rest = Stick::from_bytes(128, 128);
        assert_eq!((rest.angle(), rest.magnitude()), (0.0, 0.0));
    }

    #[test]
    fn buttons_come_inverted_with_the_first_byte_high() {
        let mut bytes = [0, 0x79, 0xff, 0xff, 128, 128, 128, 128, 0, 0, 0, 0, 0, 0, 200, 0, 0, 0, 0, 77];
        assert_eq!(Reading::from_bytes(&bytes).unwrap().buttons, 0);
        bytes[2] = !0x08;
        bytes[3] = !0x40;
        let reading = Reading::from_bytes(&bytes).unwrap();
        assert_eq!(reading.buttons, button::START | button::CROSS);
        assert_eq!((reading.pressure(Pressure::Cross), reading.pressure(Pressure::R2)), (200, 77));
    }

    #[test]
    fn an_answer_without_sticks_is_no_reading() {
        assert_eq!(Reading::from_bytes(&[0, 0x73, 0xff, 0xff]), None, "cut short");
        assert_eq!(Reading::from_bytes(&[0, 0x41, 0xff, 0xff, 0, 0, 0, 0]), None, "digital");
        assert_eq!(Reading::from_bytes(&[0xff, 0x73, 0, 0, 0, 0, 0, 0]), None, "not ready");
        let without_pressures = [0, 0x73, 0xff, 0xff, 0, 128, 128, 255];
        let reading = Reading::from_bytes(&without_pressures).unwrap();
        assert_eq!((reading.right.x, reading.left.y, reading.pressures), (-1.0, -1.0, [0; PRESSURES]));
    }
}
