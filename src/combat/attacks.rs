//! What each attack is: its chain, its reach and what it does.
//!
//! Source: humans and combat, Attacks, for numbers and chains.
// Stand-in: damage and strength are here until a table of the disc brings them.

use crate::tasks::humans::gates::held;

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

const fn attack(id: u16, damage: i16, strength: Strength, height: Height, chain: [Option<u16>; 2]) -> Attack {
    let [square, cross] = chain;
    Attack { id, damage, strength, height, reach: 1.1, square, cross, held: held::ATTACK }
}

const fn moving(id: u16, damage: i16, strength: Strength) -> Attack {
    Attack { held: held::LANDING, reach: 1.3, ..attack(id, damage, strength, Height::High, [None, None]) }
}

/// All attacks. Source: humans and combat, Attacks (Chain).
pub const ATTACKS: [Attack; 15] = [
    moving(CHARGE, 16, Strength::Crushing),
    moving(DIVE, 14, Strength::Crushing),
    attack(X1, 12, Strength::Medium, Height::High, [Some(14), Some(13)]),
    attack(S1, 5, Strength::Light, Height::High, [Some(16), Some(15)]),
    attack(13, 18, Strength::Heavy, Height::High, [None, None]),
    attack(14, 14, Strength::Medium, Height::Middle, [None, None]),
    attack(15, 9, Strength::Medium, Height::High, [None, None]),
    attack(16, 6, Strength::Light, Height::High, [Some(19), Some(17)]),
    attack(17, 22, Strength::Crushing, Height::High, [None, None]),
    attack(19, 14, Strength::Heavy, Height::High, [None, None]),
    attack(20, 13, Strength::Heavy, Height::Middle, [None, None]),
    attack(WALK_ATTACK, 9, Strength::Medium, Height::High, [None, None]),
    moving(RUN_ATTACK, 13, Strength::Heavy),
    attack(PUSH, 0, Strength::Medium, Height::High, [None, None]),
    Attack { reach: 1.4, ..attack(SWING, 16, Strength::Heavy, Height::High, [None, None]) },
];

/// The attack of a number.
pub fn find(id: u16) -> Option<&'static Attack> {
    ATTACKS.iter().find(|attack| attack.id == id)
}

/// The rarer third of the light string, taken one time in this many. Source: humans and combat, Attacks (rarely 20).
pub const RARE_THIRD: (u16, u16, u32) = (19, 20, 5);

/// First clips of the reactions, by strength; each has four directions and two heights. Source: settled questions 20.
const REACTIONS: [u16; 4] = [268, 276, 288, 296];
/// First clip of the reactions to low hits. Source: settled questions 20.
const LOW: u16 = 284;

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

    #[test]
    fn every_chain_leads_to_an_attack() {
        for attack in &ATTACKS {
            for next in [attack.square, attack.cross].into_iter().flatten() {
                assert!(find(next).is_some(), "{} to {next}", attack.id);
            }
        }
        assert_eq!(find(12).unwrap().square, Some(16));
    }
}
