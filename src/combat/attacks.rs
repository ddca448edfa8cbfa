//! What an attack is. Which there are, what they do and how they chain stands in the [table](super::table).
//!
//! Source: humans and combat, Attacks, for numbers and chains.

/// How hard a hit is. Source: settled questions 20.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Strength {
    /// The head snaps.
    Light,
    /// A step back.
    Medium,
    /// Staggers.
    Heavy,
    /// Off the feet.
    Crushing,
}

/// Where a hit lands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Height {
    /// Head and chest.
    High,
    /// The middle.
    Middle,
    /// The legs.
    Low,
}

/// An attack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attack {
    /// Its clip.
    pub id: u16,
    /// Health points that a hit costs.
    pub damage: i16,
    /// How hard it is.
    pub strength: Strength,
    /// Where it lands.
    pub height: Height,
    /// How far it reaches, metres.
    pub reach: f32,
    /// What a press of square goes on with.
    pub square: Option<u16>,
    /// What a press of cross goes on with.
    pub cross: Option<u16>,
    /// What its clip holds from the start.
    pub held: u32,
}

/// The charge.
pub const CHARGE: u16 = 0;
/// The dive.
pub const DIVE: u16 = 1;
/// The first of the light string.
pub const S1: u16 = 12;
/// The first of the heavy string.
pub const X1: u16 = 11;
/// From a walk.
pub const WALK_ATTACK: u16 = 23;
/// From a run.
pub const RUN_ATTACK: u16 = 24;
/// A push with both hands. Our choice of number.
pub const PUSH: u16 = 104;
/// A swing of the thing in the hand. Our choice of number.
pub const SWING: u16 = 105;

/// No attacks but clips: the jump's and the run's, of who strikes with nothing but the body.
pub const JUMPS: u16 = 434;
/// See [`JUMPS`].
pub const RUNS: u16 = 410;

/// The attacks that a command asks for by their numbers.
pub const NAMED: [u16; 10] = [CHARGE, DIVE, X1, S1, RARE_THIRD.0, RARE_THIRD.1, WALK_ATTACK, RUN_ATTACK, PUSH, SWING];
/// Those whose clips carry whoever makes them. Source: humans and combat, Data (held bits).
pub const MOVING: [u16; 3] = [CHARGE, DIVE, RUN_ATTACK];

/// The rarer third of the light string, taken one time in this many. Source: humans and combat, Attacks (rarely 20).
pub const RARE_THIRD: (u16, u16, u32) = (19, 20, 5);

/// First clips of the reactions, by strength; each has four directions and two heights. Source: settled questions 20.
const REACTIONS: [u16; 4] = [268, 276, 288, 296];
/// First clip of the reactions to low hits. Source: settled questions 20.
const LOW: u16 = 284;
/// The clip of whoever's blow was blocked. Our choice: it sways where it stands, within reach of an answer.
pub const GIVES_WAY: u16 = LOW;

/// The clip by which somebody reacts: the direction counts clockwise from ahead.
pub fn reaction(strength: Strength, height: Height, direction: u8) -> u16 {
    let direction = u16::from(direction & 3);
    match height {
        Height::Low if strength < Strength::Crushing => LOW + direction,
        Height::High => REACTIONS[strength as usize] + direction,
        _ => REACTIONS[strength as usize] + direction + 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reactions_follow_strength_height_and_direction() {
        assert_eq!(reaction(Strength::Light, Height::High, 0), 268);
        assert_eq!(reaction(Strength::Light, Height::Middle, 3), 275);
        assert_eq!(reaction(Strength::Medium, Height::High, 2), 278);
        assert_eq!(reaction(Strength::Heavy, Height::Low, 1), 285);
        assert_eq!(reaction(Strength::Crushing, Height::Middle, 3), 303);
    }
}
