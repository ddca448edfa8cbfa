//! What a world object brings along to its flights: its wear, and a throw that waits for its next update.
//!
//! The objects themselves are tasks; their updates, contacts and settles are in [`crate::tasks::objects`].
//!
//! Source: seed 002, How things actually move and Settling a landed object.

use crate::maths::Vec3;

/// How many hits an object takes before it breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wear {
    /// The first counter.
    pub first: u8,
    /// The second counter, which hits take from first.
    pub second: u8,
}

impl Wear {
    /// A counter that hits do not touch.
    pub const NEVER: u8 = 0xff;

    /// Counters from a type's values, of which 0 means that it never wears.
    pub const fn from_type(first: u8, second: u8) -> Self {
        const fn counter(value: u8) -> u8 {
            if value == 0 { Wear::NEVER } else { value }
        }
        Self { first: counter(first), second: counter(second) }
    }

    /// Whether a counter has run out.
    pub const fn is_broken(self) -> bool {
        self.first == 0 || self.second == 0
    }

    /// Takes a hit.
    pub fn hit(&mut self) {
        if self.second != Self::NEVER {
            self.second = self.second.saturating_sub(1);
        } else if self.first != Self::NEVER {
            self.first = self.first.saturating_sub(1);
        }
    }
}

/// A throw that waits for the object's next update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
    /// Where it leaves the hand.
    pub position: Vec3,
    /// With which velocity in m/s.
    pub velocity: Vec3,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_take_from_the_second_counter_first_and_never_from_one_that_does_not_wear() {
        let mut wear = Wear::from_type(2, 1);
        wear.hit();
        assert_eq!((wear, wear.is_broken()), (Wear { first: 2, second: 0 }, true));
        let mut wear = Wear::from_type(2, 0);
        wear.hit();
        assert_eq!((wear, wear.is_broken()), (Wear { first: 1, second: Wear::NEVER }, false));
        let mut never = Wear::from_type(0, 0);
        never.hit();
        assert_eq!((never, never.is_broken()), (Wear { first: Wear::NEVER, second: Wear::NEVER }, false));
    }
}
