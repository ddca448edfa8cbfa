//! The pads' buttons and the keys that stand for them.

/// A button or a stick's direction of a pad, with the key that stands for it on the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Second left shoulder button.
    L2,
    /// Second right shoulder button.
    R2,
    /// First left shoulder button.
    L1,
    /// First right shoulder button.
    R1,
    /// Triangle.
    Triangle,
    /// Circle.
    Circle,
    /// Cross.
    Cross,
    /// Square.
    Square,
    /// Select.
    Select,
    /// Left stick pressed.
    L3,
    /// Right stick pressed.
    R3,
    /// Start.
    Start,
    /// Direction pad, up.
    Up,
    /// Direction pad, right.
    Right,
    /// Direction pad, down.
    Down,
    /// Direction pad, left.
    Left,
    /// Left stick, up.
    LeftStickUp,
    /// Left stick, right.
    LeftStickRight,
    /// Left stick, down.
    LeftStickDown,
    /// Left stick, left.
    LeftStickLeft,
    /// Right stick, up.
    RightStickUp,
    /// Right stick, right.
    RightStickRight,
    /// Right stick, down.
    RightStickDown,
    /// Right stick, left.
    RightStickLeft,
}

/// Every button with its X key symbol's number and name. The order is that of the pad plugin's own numbers, which start at 0. The keys are
/// those that PCSX2 2.x offers unasked.
pub const KEYS: [(Button, u32, &str); 24] = [
    (Button::L2, 0x31, "1"),
    (Button::R2, 0x33, "3"),
    (Button::L1, 0x71, "q"),
    (Button::R1, 0x65, "e"),
    (Button::Triangle, 0x69, "i"),
    (Button::Circle, 0x6c, "l"),
    (Button::Cross, 0x6b, "k"),
    (Button::Square, 0x6a, "j"),
    (Button::Select, 0xff08, "BackSpace"),
    (Button::L3, 0x32, "2"),
    (Button::R3, 0x34, "4"),
    (Button::Start, 0xff0d, "Return"),
    (Button::Up, 0xff52, "Up"),
    (Button::Right, 0xff53, "Right"),
    (Button::Down, 0xff54, "Down"),
    (Button::Left, 0xff51, "Left"),
    (Button::LeftStickUp, 0x77, "w"),
    (Button::LeftStickRight, 0x64, "d"),
    (Button::LeftStickDown, 0x73, "s"),
    (Button::LeftStickLeft, 0x61, "a"),
    (Button::RightStickUp, 0x74, "t"),
    (Button::RightStickRight, 0x68, "h"),
    (Button::RightStickDown, 0x67, "g"),
    (Button::RightStickLeft, 0x66, "f"),
];

/// The second pad's, as far as tests press it: the first one's have the keys that people know.
pub const SECOND: [(Button, u32, &str); 8] = [
    (Button::Triangle, 0x75, "u"),
    (Button::Circle, 0x6f, "o"),
    (Button::Cross, 0x6d, "m"),
    (Button::Square, 0x6e, "n"),
    (Button::Up, 0x79, "y"),
    (Button::Right, 0x76, "v"),
    (Button::Down, 0x62, "b"),
    (Button::Left, 0x63, "c"),
];

impl Button {
    /// The X name of the key that stands for the button.
    pub fn key(self) -> &'static str {
        KEYS[self as usize].2
    }

    /// The X name of the key that stands for the second pad's button, if one does.
    pub fn second_key(self) -> Option<&'static str> {
        SECOND.iter().find(|(button, ..)| *button == self).map(|(.., key)| *key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_button_has_a_key_of_its_own_in_the_plugin_s_order() {
        for (number, (button, symbol, name)) in KEYS.iter().enumerate() {
            assert_eq!(*button as usize, number);
            assert_eq!(button.key(), *name);
            if let [letter] = name.as_bytes() {
                assert_eq!(u32::from(*letter), *symbol, "a printable key's number is its character");
            }
            assert_eq!(KEYS.iter().filter(|(_, other, _)| other == symbol).count(), 1, "{name}");
        }
    }
    #[test]
    fn the_second_pads_keys_are_no_key_of_the_first() {
        for (button, symbol, name) in SECOND {
            assert_eq!(button.second_key(), Some(name));
            assert_eq!(name.as_bytes().iter().map(|letter| u32::from(*letter)).collect::<Vec<_>>(), [symbol]);
            assert!(KEYS.iter().all(|(_, other, _)| *other != symbol), "{name}");
        }
        assert_eq!(Button::L3.second_key(), None);
    }
}
