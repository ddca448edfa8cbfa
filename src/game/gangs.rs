//! What is true of each gang wherever it is met.
//!
//! [`GangAttributes`] is filled at start-up; at a level's beginning the brains' gangs take their sides by it, and the HUD
//! marks friends and foes by it.
//!
//! Our choice: attributes are whom a gang fights on sight; looks, health and tempers belong to the roles of a level.
//!
//! Source: seed 003, Game_InitializeSubsystems, step 14.

use super::Game;
use super::characters_story::gang;
use super::machine::Machine;
use crate::ai::Brains;

/// Gangs that have attributes; those of the other slots fight nobody.
const KNOWN: usize = 4;

/// How a gang stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// It is the same.
    Friend,
    /// One fights the other on sight.
    Foe,
    /// They let each other be.
    Stranger,
}

/// The attributes of all gangs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GangAttributes {
    /// Gangs that each fights on sight, a bit each.
    enemies: [u32; KNOWN],
}

impl GangAttributes {
    /// Those of the game: the player's gang against dockers and gulls.
    // Covers: seed 003, step 14 gang attributes test=game::tests::each_step_brings_its_subsystem_to_life
    pub fn of_the_game() -> Self {
        let mut attributes = Self::default();
        for rival in [gang::DOCKERS, gang::GULLS] {
            attributes.enemies[usize::from(gang::PLAYER)] |= 1 << rival;
            attributes.enemies[usize::from(rival)] |= 1 << gang::PLAYER;
        }
        attributes
    }

    /// Gangs that a gang fights on sight, a bit each.
    pub fn enemies(&self, gang: usize) -> u32 {
        self.enemies.get(gang).copied().unwrap_or(0)
    }

    /// How a gang stands to another.
    pub fn stance(&self, own: u8, other: u8) -> Stance {
        let fights = |one: u8, other: u8| self.enemies(one.into()).checked_shr(other.into()).unwrap_or(0) & 1 == 1;
        if own == other {
            Stance::Friend
        } else if fights(own, other) || fights(other, own) {
            Stance::Foe
        } else {
            Stance::Stranger
        }
    }

    /// The brains' gangs take their sides.
    pub fn take_sides(&self, brains: &mut Brains) {
        for slot in 0..KNOWN {
            if let Some(gang) = brains.gangs.get_mut(slot) {
                gang.enemies = self.enemies(slot);
            }
        }
    }
}

impl<M: Machine> Game<M> {
    /// The gangs of a level take their sides.
    pub(super) fn gangs_take_sides(&mut self) {
        if let Some(people) = self.people.as_deref_mut() {
            self.gangs.take_sides(&mut people.brains);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rivals_fight_the_player_s_gang_and_nobody_else() {
        let gangs = GangAttributes::of_the_game();
        let of = |other| gangs.stance(gang::PLAYER, other);
        assert_eq!((of(gang::PLAYER), of(gang::DOCKERS), of(gang::GULLS)), (Stance::Friend, Stance::Foe, Stance::Foe));
        assert_eq!((of(gang::WALKERS), of(200)), (Stance::Stranger, Stance::Stranger));
        assert_eq!(gangs.stance(gang::DOCKERS, gang::GULLS), Stance::Stranger);
        let mut brains = Brains::new();
        gangs.take_sides(&mut brains);
        assert_eq!(brains.gangs.get(1).map(|gang| gang.enemies), Some(1 << gang::PLAYER));
        assert_eq!(brains.gangs.get(0).map(|gang| gang.enemies), Some(1 << gang::DOCKERS | 1 << gang::GULLS));
    }
}
