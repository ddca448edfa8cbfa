//! From buttons to one command a step.
//!
//! Source: humans and combat, Attacks (the commands' numbers and the order in which they are matched).

use crate::pads::PadRecord;
use crate::pads::button::{CIRCLE, CROSS, DOWN, L1, L2, LEFT, R1, R2, RIGHT, SQUARE, TRIANGLE, UP};

/// The commands that somebody reads.
pub mod command {
    /// Nothing.
    pub const NONE: u8 = 0;
    /// R2 held.
    pub const R2_HELD: u8 = 0x1;
    /// R2 let go.
    pub const R2_RELEASED: u8 = 0x2;
    /// R1 pressed.
    pub const R1_PRESSED: u8 = 0x3;
    /// R1 held: block.
    pub const BLOCK: u8 = 0x4;
    /// L2 held.
    pub const L2_HELD: u8 = 0x5;
    /// L1 held: the stance.
    pub const STANCE: u8 = 0x6;
    /// L1 pressed.
    pub const L1_PRESSED: u8 = 0x7;
    /// L1 let go.
    pub const L1_RELEASED: u8 = 0x8;
    /// Triangle pressed: jump, or take.
    pub const TRIANGLE: u8 = 0xa;
    /// Triangle held for seven samples.
    pub const TRIANGLE_HISTORY: u8 = 0xb;
    /// Circle tapped.
    pub const CIRCLE_TAP: u8 = 0xd;
    /// Circle held for seven samples.
    pub const CIRCLE_HISTORY: u8 = 0xe;
    /// Square pressed: the light string.
    pub const SQUARE: u8 = 0xf;
    /// Cross held for long: the heavy string.
    pub const CROSS_LONG: u8 = 0x10;
    /// Cross pressed: goes on with a chain.
    pub const CROSS: u8 = 0x12;
    /// Square held.
    pub const SQUARE_HELD: u8 = 0x15;
    /// Cross held.
    pub const CROSS_HELD: u8 = 0x16;
    /// Circle pressed: grab.
    pub const CIRCLE: u8 = 0x1e;
    /// L1 and R1.
    pub const L1_R1: u8 = 0x1f;
    /// L2 and cross: the charge.
    pub const CHARGE: u8 = 0x20;
    /// L2 and square: the dive.
    pub const DIVE: u8 = 0x21;
    /// Cross and square.
    pub const CROSS_SQUARE: u8 = 0x22;
    /// Circle and cross.
    pub const CIRCLE_CROSS: u8 = 0x23;
    /// Circle and triangle.
    pub const CIRCLE_TRIANGLE: u8 = 0x24;
    /// The first of the four directions: up, right, down, left.
    pub const DPAD: u8 = 0x25;
}

/// Samples after which a hold is a long one. Source: support systems, Pads (history hold in play).
const LONG_HOLD: usize = 7;

/// The command of a pad's record: what is matched later counts.
pub fn command_of(pad: &PadRecord) -> u8 {
    use command as c;
    let mut found = c::NONE;
    let mut take = |matches: bool, command: u8| {
        if matches {
            found = command;
        }
    };
    for (button, command) in [
        (L1, c::STANCE),
        (R1, c::BLOCK),
        (L2, c::L2_HELD),
        (R2, c::R2_HELD),
        (SQUARE, c::SQUARE_HELD),
        (CROSS, c::CROSS_HELD),
    ] {
        take(pad.held(button) != 0, command);
    }
    for (button, command) in [(TRIANGLE, c::TRIANGLE_HISTORY), (CIRCLE, c::CIRCLE_HISTORY)] {
        take(pad.held_exactly(button, LONG_HOLD), command);
    }
    for (button, command) in [
        (TRIANGLE, c::TRIANGLE),
        (L1, c::L1_PRESSED),
        (R1, c::R1_PRESSED),
        (SQUARE, c::SQUARE),
        (CROSS, c::CROSS),
        (CIRCLE, c::CIRCLE),
        (UP, c::DPAD),
        (RIGHT, c::DPAD + 1),
        (DOWN, c::DPAD + 2),
        (LEFT, c::DPAD + 3),
    ] {
        take(pad.pressed(button) != 0, command);
    }
    for (buttons, command) in [
        (L1 | R1, c::L1_R1),
        (CIRCLE | CROSS, c::CIRCLE_CROSS),
        (CROSS | SQUARE, c::CROSS_SQUARE),
        (L2 | SQUARE, c::DIVE),
        (L2 | CROSS, c::CHARGE),
        (CIRCLE | TRIANGLE, c::CIRCLE_TRIANGLE),
    ] {
        take(pad.combo_pressed(buttons), command);
    }
    take(pad.tapped(CIRCLE) != 0, c::CIRCLE_TAP);
    take(pad.held_exactly(CROSS, LONG_HOLD), c::CROSS_LONG);
    take(pad.released(L1) != 0, c::L1_RELEASED);
    take(pad.released(R2) != 0, c::R2_RELEASED);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pads::Reading;
    use crate::pads::button::Buttons;

    fn after(samples: &[Buttons]) -> u8 {
        let mut pad = PadRecord::default();
        for (n, buttons) in samples.iter().enumerate() {
            pad.sample(Some(Reading { buttons: *buttons, ..Reading::default() }), n as u64 * crate::clock::time::STEP);
        }
        command_of(&pad)
    }

    #[test]
    fn a_press_outranks_what_is_held_and_a_combination_both() {
        assert_eq!(after(&[0, 0]), 0);
        assert_eq!(after(&[0, SQUARE]), 0xf);
        assert_eq!(after(&[SQUARE, SQUARE]), 0x15);
        assert_eq!(after(&[R1, R1 | SQUARE]), 0xf);
        assert_eq!(after(&[L2, L2 | CROSS]), 0x20);
        assert_eq!(after(&[R1, R1]), 0x4);
    }

    #[test]
    fn triangle_and_circle_have_a_command_of_their_history_that_a_press_outranks() {
        for (button, expected) in [(TRIANGLE, 0xb), (CIRCLE, 0xe)] {
            let mut samples = [button; 8];
            samples[0] = 0;
            assert_eq!((after(&samples), after(&samples[..7])), (expected, 0));
            samples[7] |= SQUARE;
            assert_eq!(after(&samples), 0xf);
            samples[7] = button | R1;
            assert_eq!(after(&samples), 0x3, "R1 pressed");
        }
    }

    #[test]
    fn cross_is_long_in_its_seventh_sample() {
        let mut samples = [CROSS; 8];
        samples[0] = 0;
        assert_eq!(after(&samples), 0x10);
        assert_eq!(after(&samples[..7]), 0x16);
        assert_eq!(after(&[0, CROSS]), 0x12);
    }
}
