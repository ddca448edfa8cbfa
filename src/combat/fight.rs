//! A human's part in a fight.

use super::deeds::Wielded;
use crate::tasks::handle::Handle;

/// What somebody's body strikes with, besides the weapon in the hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StrikesWith {
    /// Nothing.
    #[default]
    Nothing,
    /// The shapes of an attack, and a charge's whole body.
    Shapes,
    /// The body in the air.
    Flight,
    /// The body at a run, against things.
    Run,
}

/// What a human is doing to whom.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fight {
    /// The number of the attack that plays.
    pub attack: Option<u16>,
    /// Attacks in this string so far.
    pub combo: u8,
    /// A press that waits for the chain's window; a command, 0 for none.
    pub buffered: u8,
    /// Whom it is aimed at.
    pub target: Option<u8>,
    /// The other half of a grab.
    pub partner: Option<u8>,
    /// What is in the hand.
    pub weapon: Option<Wielded>,
    /// What the hand reaches for.
    pub reaches: Option<Handle>,
    /// How far the attack reaches, metres.
    pub reach: f32,
    /// The first event of the attack that ends its steering has come.
    pub committed: bool,
    /// Bones whose strike shapes are on, a bit each.
    pub bones: u64,
    /// Bones whose strike shapes are on in the physics.
    pub applied: u64,
    /// Whom the body of a charge or jump has met in this step's move, a bit each.
    pub met: u64,
    /// What the body strikes with, as of its last step.
    pub strikes_with: StrikesWith,
    /// A charge was stopped by what it ran into.
    pub stopped: bool,
    /// Who walked into it.
    pub pushed_by: Option<u8>,
    /// Who struck it last.
    pub struck_by: Option<u8>,
    /// Who has begun an attack on it.
    pub warned_by: Option<u8>,
    /// Whose attack it may answer at once: the counter's window is open.
    pub open: Option<u8>,
    /// Its body no longer blocks, or is gone: it is dead or wounded.
    pub let_go: bool,
    /// It was healed: its body blocks again.
    pub healed: bool,
    /// Steps that a hold has left.
    pub holds: u16,
    /// Lies on its face.
    pub on_face: bool,
}

impl Fight {
    /// Whether the attack is one that runs into people.
    pub fn is_charge(&self) -> bool {
        self.attack.is_some_and(|id| id == super::attacks::CHARGE || id == super::attacks::DIVE)
    }

    /// Whether the body strikes whom it runs into: a charge while its shapes are on.
    ///
    /// Source: seed 002, Human contacts (the answer: a charging capsule, shape flag 0x2).
    pub fn strikes_with_body(&self) -> bool {
        self.is_charge() && self.applied != 0
    }

    /// Somebody is no longer there: nothing names the place any more. A grab is ended by its own rules.
    pub fn forget(&mut self, place: u8) {
        for other in [&mut self.target, &mut self.pushed_by, &mut self.struck_by, &mut self.warned_by, &mut self.open] {
            *other = other.filter(|other| *other != place);
        }
        self.met &= !(1 << place);
    }

    /// The attack is over.
    pub fn end_attack(&mut self) {
        (self.attack, self.combo, self.buffered, self.reach) = (None, 0, 0, 0.0);
        (self.committed, self.bones, self.met, self.stopped) = (false, 0, 0, false);
    }
}
