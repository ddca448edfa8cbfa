//! The evening's acts: who stands at which flag of a level, on whose side, and what he does until something happens.
//!
//! This is what somebody changes who wants other people in a level; how acts begin and end is the story's.

use crate::ai::Temper;
use crate::combat::Bears;

/// Gangs by number.
pub mod gang {
    /// The player's.
    pub const PLAYER: u8 = 0;
    /// Those of the round place over the sea.
    pub const DOCKERS: u8 = 1;
    /// Those of the car park.
    pub const GULLS: u8 = 2;
    /// People who take a walk.
    pub const WALKERS: u8 = 3;

    /// Whether a gang is against the player's.
    pub const fn is_rival(gang: u8) -> bool {
        matches!(gang, DOCKERS | GULLS)
    }
}

/// What somebody does while nothing happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Usual {
    /// Stands.
    Stand,
    /// Walks about, so many metres around.
    Wander(f32),
    /// Walks the level's path of this name, or about where it stands when there is none.
    Stroll(&'static str),
    /// Follows the player in this place of the formation.
    Follow(u8),
    /// Runs along the path once the player is near, and then fights beside friends.
    RunAway,
}

/// Somebody of an act.
#[derive(Clone, Copy, Debug)]
pub struct Role {
    /// The flag of the level where he stands.
    pub flag: &'static str,
    /// How far beside it, metres.
    pub beside: [f32; 2],
    /// What he looks like.
    pub look: &'static str,
    /// Whose side he is on.
    pub gang: u8,
    /// What he bears, by the table of fights.
    pub bears: Bears,
    /// How he takes a fight.
    pub temper: Temper,
    /// What he does until there is one.
    pub usual: Usual,
}

/// An act of the evening.
#[derive(Clone, Copy, Debug)]
pub struct ActPlan {
    /// The level's volume where it plays; none for those who are there from the beginning.
    pub volume: Option<&'static str>,
    /// Metres from it at which the people come.
    pub within: f32,
    /// What is to be done.
    pub task: &'static str,
    /// The way on is shut until everybody of it is beaten.
    pub must: bool,
    /// Who plays in it.
    pub roles: &'static [Role],
}

const fn friend(flag: &'static str, look: &'static str, place: u8) -> Role {
    let usual = Usual::Follow(place);
    Role { flag, beside: [0.0; 2], look, gang: gang::PLAYER, bears: Bears::Friend, temper: Temper::Fighter, usual }
}

const fn walker(flag: &'static str, look: &'static str, temper: Temper, usual: Usual) -> Role {
    Role { flag, beside: [0.0; 2], look, gang: gang::WALKERS, bears: Bears::Walker, temper, usual }
}

const fn rival(flag: &'static str, beside: [f32; 2], look: &'static str, gang: u8, bears: Bears) -> Role {
    Role { flag, beside, look, gang, bears, temper: Temper::Fighter, usual: Usual::Stand }
}

/// The acts in their order. Source: design, The demo.
pub const ACTS: [ActPlan; 4] = [
    ActPlan {
        volume: None,
        within: 0.0,
        task: "GET TO THE WHEEL AT THE FAR END",
        must: false,
        roles: &[
            friend("gang_1", "wheels_a", 0),
            friend("gang_2", "wheels_b", 1),
            walker("civilian_1", "walker_a", Temper::Civilian, Usual::Wander(STROLL)),
            walker("civilian_2", "walker_b", Temper::Coward, Usual::Stroll("stroll")),
            walker("civilian_3", "walker_c", Temper::Coward, Usual::Wander(STROLL)),
        ],
    },
    ActPlan {
        volume: Some("arena_1"),
        within: IN_THE_HAZE,
        task: "THE DOCKERS WANT A FIGHT",
        must: false,
        roles: &[
            rival("enemy_1a", [0.0, 0.0], "dockers_a", gang::DOCKERS, Bears::Docker),
            rival("enemy_1b", [0.0, 0.0], "dockers_b", gang::DOCKERS, Bears::Docker),
            rival("enemy_1c", [0.0, 0.0], "dockers_c", gang::DOCKERS, Bears::Docker),
            rival("enemy_1a", [1.6, -1.8], "dockers_b", gang::DOCKERS, Bears::Docker),
        ],
    },
    ActPlan {
        volume: Some("chase"),
        within: CLOSE_BY,
        task: "CATCH THE ONE WHO RUNS TO WARN THEM",
        must: false,
        roles: &[Role {
            flag: "runner",
            beside: [0.0, 0.0],
            look: "gulls_c",
            gang: gang::GULLS,
            bears: Bears::Runner,
            temper: Temper::Coward,
            usual: Usual::RunAway,
        }],
    },
    ActPlan {
        volume: Some("arena_2"),
        within: IN_THE_HAZE,
        task: "BEAT THE GULLS AT THE GATE",
        must: true,
        roles: &[
            rival("enemy_2a", [0.0, 0.0], "gulls_a", gang::GULLS, Bears::GullCaptain),
            rival("enemy_2b", [0.0, 0.0], "gulls_b", gang::GULLS, Bears::Gull),
            rival("enemy_2c", [0.0, 0.0], "gulls_c", gang::GULLS, Bears::Gull),
            rival("enemy_2d", [0.0, 0.0], "gulls_b", gang::GULLS, Bears::Gull),
            rival("enemy_2a", [2.0, -1.5], "gulls_b", gang::GULLS, Bears::Gull),
            rival("enemy_2b", [-1.6, 1.4], "gulls_a", gang::GULLS, Bears::GullCaptain),
        ],
    },
];

/// Metres from an act's volume at which its people come: in the haze, so that nobody sees them come; or when they matter.
const IN_THE_HAZE: f32 = 22.0;
const CLOSE_BY: f32 = 4.0;
/// Metres about where somebody stands who takes a walk.
pub const STROLL: f32 = 4.0;
/// Share of their health that rivals have on each difficulty.
pub const HARDER: [f32; 4] = [0.7, 1.0, 1.3, 1.7];
