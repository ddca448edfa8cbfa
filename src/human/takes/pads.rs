//! Recorded pads: what a pad says in each update, as text.
//!
//! A line is how many updates and what is held in them: `24 stick 60 90` is a stick at sixty hundredths to the right for
//! twenty-four updates, `1 square l2` two buttons for one. The stick's second number is degrees clockwise from ahead. A `#`
//! begins a comment.

use crate::maths::scalar;
use crate::pads::button::{self, Buttons};
use crate::pads::{Reading, Stick};
use core::fmt;
use core::str::{Lines, SplitWhitespace};

/// A line that is no line of a recording; its number, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PadsError(pub u32);

impl fmt::Display for PadsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the recorded pads makes no sense", self.0)
    }
}

/// The readings of a recording, one an update. A line that makes no sense ends it with an error.
#[derive(Clone, Debug)]
pub struct Recording<'a> {
    lines: Lines<'a>,
    number: u32,
    held: Reading,
    left: u32,
}

impl<'a> Recording<'a> {
    /// The readings that a text says.
    pub fn new(text: &'a str) -> Self {
        Self { lines: text.lines(), number: 0, held: Reading::default(), left: 0 }
    }
}

impl Iterator for Recording<'_> {
    type Item = Result<Reading, PadsError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.left == 0 {
            let line = self.lines.next()?;
            self.number += 1;
            let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
            let Some(updates) = words.next() else { continue };
            match updates.parse().ok().zip(reading(words)) {
                Some((updates, reading)) => (self.left, self.held) = (updates, reading),
                None => {
                    self.lines = "".lines();
                    return Some(Err(PadsError(self.number)));
                }
            }
        }
        self.left -= 1;
        Some(Ok(self.held))
    }
}

/// What the words of a line hold.
fn reading(mut words: SplitWhitespace<'_>) -> Option<Reading> {
    let mut reading = Reading::default();
    while let Some(word) = words.next() {
        if word == "stick" {
            let mut number = || words.next()?.parse::<f32>().ok().filter(|number| number.is_finite());
            let (hundredths, degrees) = (number()?, number()?);
            let (s, c) = scalar::sin_cos(degrees.to_radians());
            reading.left = Stick { x: s * hundredths / 100.0, y: c * hundredths / 100.0 };
        } else {
            reading.buttons |= button_of(word)?;
        }
    }
    Some(reading)
}

fn button_of(word: &str) -> Option<Buttons> {
    Some(match word {
        "cross" => button::CROSS,
        "circle" => button::CIRCLE,
        "square" => button::SQUARE,
        "triangle" => button::TRIANGLE,
        "l1" => button::L1,
        "l2" => button::L2,
        "r1" => button::R1,
        "r2" => button::R2,
        "up" => button::UP,
        "right" => button::RIGHT,
        "down" => button::DOWN,
        "left" => button::LEFT,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn lines_hold_for_their_updates() {
        let text = "# a walk\n2 stick 60 90\n\n1 square l2 # and a blow\n1\n";
        let readings: Vec<Reading> = Recording::new(text).map(Result::unwrap).collect();
        assert_eq!(readings.len(), 4);
        assert!((readings[1].left.x - 0.6).abs() < 1e-6 && readings[1].left.y.abs() < 1e-6);
        assert_eq!(readings[2], Reading { buttons: button::SQUARE | button::L2, ..Reading::default() });
        assert_eq!(readings[3], Reading::default());
    }

    #[test]
    fn a_line_that_makes_no_sense_ends_the_recording_with_its_number() {
        for text in ["1\nsquare", "1\n2 stick 60", "1\n1 jump", "1\n1 stick nan 0", "1\n-1 square"] {
            let readings: Vec<_> = Recording::new(text).collect();
            assert_eq!(readings, [Ok(Reading::default()), Err(PadsError(2))], "{text}");
        }
    }
}
