//! Recorded buttons in place of a controller.

use super::button::{self, Buttons};
use super::reading::{Reading, Stick};

/// Most steps of a script.
const MOST_STEPS: usize = 48;
/// Readings for which a button stays down unless the script says for how long.
const TAP: u16 = 2;

/// What a step holds down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Held {
    buttons: Buttons,
    left: Stick,
    right: Stick,
    /// There is no controller to hold.
    gone: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Step {
    wait: u16,
    length: u16,
    held: Held,
}

/// A script: steps one after the other, each of which waits and then holds something down.
///
/// Written as steps separated by commas, a step as how many readings it waits and what it then holds down, and behind a `*`
/// for how many readings (two without it): `60x,30d,10n*90`. The letters: `x` cross, `t` triangle, `o` circle, `q` square,
/// `u` `d` `l` `r` the direction pad, `a` `b` `f` `g` L1, R1, L2, R2, `s` start, `e` select, `n` `k` `w` `y` the left stick up, down, left, right, `j` `v` the
/// right stick left, right, `z` the reset combination, `.` nothing, `-` no controller at all. Several letters are held together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    steps: heapless::Vec<Step, MOST_STEPS>,
    at: usize,
    passed: u16,
}

impl Script {
    /// Reads a script; `None` when it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let mut script = Self::default();
        for step in text.split(',').filter(|step| !step.is_empty()) {
            script.steps.push(step_of(step)?).ok()?;
        }
        Some(script)
    }

    /// What the next reading says; `None` while there is no controller.
    pub fn next_reading(&mut self) -> Option<Reading> {
        let Some(step) = self.steps.get(self.at) else { return Some(Reading::default()) };
        self.passed += 1;
        if self.passed <= step.wait {
            return Some(Reading::default());
        }
        if self.passed >= step.wait + step.length {
            self.at += 1;
            self.passed = 0;
        }
        let Held { buttons, left, right, gone } = step.held;
        (!gone).then(|| Reading { buttons, left, right, ..Reading::default() })
    }

    /// True when the last step is over.
    pub fn is_over(&self) -> bool {
        self.at >= self.steps.len()
    }
}

fn step_of(text: &str) -> Option<Step> {
    let letters = text.find(|c: char| !c.is_ascii_digit())?;
    let (wait, rest) = text.split_at(letters);
    let (letters, length) = match rest.split_once('*') {
        Some((letters, length)) => (letters, length.parse().ok()?),
        None => (rest, TAP),
    };
    let mut held = Held::default();
    for letter in letters.chars() {
        hold(&mut held, letter)?;
    }
    let wait = if wait.is_empty() { 0 } else { wait.parse().ok()? };
    Some(Step { wait, length, held })
}

fn hold(held: &mut Held, letter: char) -> Option<()> {
    match letter {
        'n' => held.left.y = 1.0,
        'k' => held.left.y = -1.0,
        'w' => held.left.x = -1.0,
        'y' => held.left.x = 1.0,
        'j' => held.right.x = -1.0,
        'v' => held.right.x = 1.0,
        '.' => {}
        '-' => held.gone = true,
        _ => held.buttons |= button_of(letter)?,
    }
    Some(())
}

const fn button_of(letter: char) -> Option<Buttons> {
    Some(match letter {
        'x' => button::CROSS,
        't' => button::TRIANGLE,
        'o' => button::CIRCLE,
        'q' => button::SQUARE,
        'u' => button::UP,
        'd' => button::DOWN,
        'l' => button::LEFT,
        'r' => button::RIGHT,
        's' => button::START,
        'e' => button::SELECT,
        'a' => button::L1,
        'b' => button::R1,
        'f' => button::L2,
        'g' => button::R2,
        'z' => button::RESET,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn steps_wait_and_then_hold() {
        let mut script = Script::parse("2x,1dq*3,n").unwrap();
        let buttons: Vec<Buttons> = (0..8).map(|_| script.next_reading().unwrap().buttons).collect();
        let both = button::DOWN | button::SQUARE;
        assert_eq!(buttons, [0, 0, button::CROSS, button::CROSS, 0, both, both, both]);
        assert_eq!(script.next_reading().unwrap().left.y, 1.0);
        assert!(!script.is_over());
        script.next_reading();
        assert!(script.is_over());
        assert_eq!(script.next_reading(), Some(Reading::default()));
    }

    #[test]
    fn a_controller_can_be_gone_for_a_while() {
        let mut script = Script::parse("1-*3,x").unwrap();
        let there: Vec<bool> = (0..7).map(|_| script.next_reading().is_some()).collect();
        assert_eq!(there, [true, false, false, false, true, true, true]);
    }

    #[test]
    fn what_is_no_script_is_refused() {
        assert_eq!(Script::parse("10"), None, "nothing is held");
        assert_eq!(Script::parse("5x*,3d"), None);
        assert_eq!(Script::parse("5P"), None);
        assert!(Script::parse("").is_some_and(|script| script.is_over()));
    }
}
