//! What follows when a mission is over.

use super::id::ModeId;
use super::mode::ModeHost;
use super::stack::{ModeError, pop, push};

/// Why a mode is asked to leave: the kind that the mission-complete mode was launched with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaveReason {
    /// 2: on to a level by its name.
    LevelByName,
    /// 3: on to the next level.
    NextLevel,
    /// Any other number: the mode ends and nothing is selected.
    Other(u8),
}

impl LeaveReason {
    /// The reason of a number; 0 is none.
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            0 => None,
            2 => Some(Self::LevelByName),
            3 => Some(Self::NextLevel),
            other => Some(Self::Other(other)),
        }
    }

    /// The seed's number.
    pub const fn number(self) -> u8 {
        match self {
            Self::LevelByName => 2,
            Self::NextLevel => 3,
            Self::Other(number) => number,
        }
    }
}

/// What leaving needs of the game.
pub trait LeaveHost: ModeHost {
    /// Selects the level that is asked for by name, in the level flow.
    fn select_level_by_name(&mut self);
    /// Selects the next level, in the level flow.
    fn select_next_level(&mut self);
    /// Unlocks the fourth difficulty if it is earned.
    fn unlock_fourth_difficulty(&mut self);
    /// Adds both players' money to the bank.
    fn bank_money(&mut self);
    /// True when progress is to be saved.
    fn is_save_due(&self) -> bool;
    /// A mode could not be pushed: counted and shown.
    fn report(&mut self, error: ModeError);
}

/// Ends the mode on top, and the gameplay below it.
///
/// Source: seed 003, One in-game frame, step 14.
pub fn leave<G: LeaveHost>(game: &mut G, reason: LeaveReason) {
    pop(game);
    match reason {
        LeaveReason::LevelByName => game.select_level_by_name(),
        LeaveReason::NextLevel => game.select_next_level(),
        LeaveReason::Other(_) => {}
    }
    game.unlock_fourth_difficulty();
    if game.stack().top() == Some(ModeId::Gameplay) {
        pop(game);
    }
    game.bank_money();
    push_save_if_due(game);
}

/// Pushes the memory-card mode when progress is to be saved.
pub fn push_save_if_due<G: LeaveHost>(game: &mut G) {
    if game.is_save_due()
        && game.stack().top() != Some(ModeId::MemoryCard)
        && let Err(error) = push(game, ModeId::MemoryCard)
    {
        game.report(error);
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, enter_mode};
    use super::*;

    fn mission_over_gameplay() -> FakeGame {
        let mut game = FakeGame::default();
        for mode in [ModeId::LevelFlow, ModeId::Gameplay, ModeId::MissionComplete] {
            enter_mode(&mut game, mode);
        }
        game.log.clear();
        game
    }

    #[test]
    fn a_finished_mission_pops_itself_and_the_gameplay_below() {
        let mut game = mission_over_gameplay();
        leave(&mut game, LeaveReason::NextLevel);
        assert_eq!(game.top(), Some(ModeId::LevelFlow));
        assert_eq!(game.log, ["ticks restart", "next level", "fourth difficulty", "unload", "fixed step", "bank"]);
    }

    #[test]
    fn each_reason_selects_its_level() {
        for (number, line) in [(2, Some("level by name")), (3, Some("next level")), (7, None)] {
            let mut game = mission_over_gameplay();
            leave(&mut game, LeaveReason::from_number(number).unwrap());
            let selected = game.log.iter().find(|line| line.contains("level"));
            assert_eq!(selected.map(|line| line.as_str()), line);
        }
        assert_eq!(LeaveReason::from_number(0), None);
        assert_eq!([2, 3, 9].map(|n| LeaveReason::from_number(n).unwrap().number()), [2, 3, 9]);
    }

    #[test]
    fn over_another_mode_only_one_is_popped() {
        let mut game = FakeGame::default();
        for mode in [ModeId::LevelFlow, ModeId::MissionComplete] {
            enter_mode(&mut game, mode);
        }
        leave(&mut game, LeaveReason::LevelByName);
        assert_eq!(game.stack.modes(), [ModeId::LevelFlow]);
    }

    #[test]
    fn a_due_save_pushes_the_memory_card_mode_last() {
        let mut game = FakeGame { save_due: true, ..mission_over_gameplay() };
        leave(&mut game, LeaveReason::NextLevel);
        assert_eq!(game.stack.modes(), [ModeId::LevelFlow, ModeId::MemoryCard]);
        push_save_if_due(&mut game);
        assert_eq!((game.stack.modes().len(), game.reports.len()), (2, 0), "once");
    }
}
