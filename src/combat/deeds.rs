//! What people do to things, told to whoever carries it out.
//!
//! Humans know one another, and things only by their bodies. A strike that meets a thing, a hand that takes one or lets one
//! go is a [`Deed`]; the game carries the deeds of one human's turn out before the next human's, and where nobody does, as on
//! a stage without things, they are forgotten with the step.

use crate::human::Humans;
use crate::maths::{Pose, Vec3};
use crate::physics::ids::OwnerId;
use crate::tasks::handle::Handle;

/// Deeds that one human's turn can come to: as many as one test of its strikes reports, and what its hands do.
pub const DEEDS: usize = crate::physics::strikes::STRIKES + 8;

/// What is in a hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wielded {
    /// The thing.
    pub thing: Handle,
    /// How it lies in the hand: its pose in the hand bone's own space.
    pub grip: Pose,
    /// Health points that a blow with it costs.
    pub damage: i16,
    /// It is too big for one fist: it comes down on people from above.
    pub overhead: bool,
}

/// Something that a human did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deed {
    /// A strike, or the body of a charge, met something that is no human.
    Struck {
        /// Who struck.
        by: u8,
        /// What was met.
        target: OwnerId,
        /// Where, metres.
        at: Vec3,
        /// What the blow costs.
        damage: i16,
        /// It was dealt with the thing in the hand.
        wielded: bool,
    },
    /// The thing in the hand met somebody.
    Wore {
        /// Whose hand.
        by: u8,
    },
    /// A big thing came down on somebody.
    CameDown {
        /// Whose hands hold it.
        by: u8,
        /// Whom it met.
        victim: u8,
    },
    /// The hand closes round what it reached for.
    Took {
        /// Whose.
        by: u8,
    },
    /// The hand lets the thing fly.
    Threw {
        /// Whose.
        by: u8,
    },
    /// The hand lets the thing fall.
    Dropped {
        /// Whose.
        by: u8,
    },
}

impl Humans {
    /// Says that somebody did something to a thing. Of more deeds than there is room for the last are lost.
    pub fn did(&mut self, deed: Deed) {
        let _room = self.deeds.push(deed);
    }
}
