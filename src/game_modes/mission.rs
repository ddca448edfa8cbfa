//! Modes 0xb and 0xc: a mission is complete, a mission has failed.

use super::effect;
use super::frame::{FrameHost, Pace, run_frame};
use super::id::ModeId;
use super::leave::LeaveReason;
use super::mode::{GameMode, Stay};
use super::stack::{ModeError, pop, push};

/// What the missions' ends need of the game.
pub trait MissionHost: FrameHost {
    /// The state of mode 0xb.
    fn mission_complete(&mut self) -> &mut MissionComplete;
    /// The state of mode 0xb, to read.
    fn mission_reason(&self) -> Option<LeaveReason>;
    /// Unlocks what the mission earns and loads what follows: the script table's `UnlockAndLoad`.
    fn unlock_and_load(&mut self);
    /// The disc jockey's line about a failure.
    fn play_failure_line(&mut self);
    /// Runs the failed menu's frame over the world; the answer once something is chosen.
    fn run_failed_menu(&mut self) -> Option<FailedChoice>;
    /// Asks the level flow for the same level again.
    fn select_same_level(&mut self);
    /// Asks the level flow for the front end.
    fn select_front_end(&mut self);
}

/// What the failed menu offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailedChoice {
    /// The mission again.
    Retry,
    /// Back to the front end.
    Quit,
}

/// A mission is complete: the world runs on the fixed step until the reason to leave is known.
///
/// Source: seed 003, Game mode and One in-game frame, step 14.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MissionComplete {
    /// The kind that the mode was launched with, or that is set while it runs.
    pub reason: Option<LeaveReason>,
}

/// Pushes mode 0xb with the kind of its launch; 0 lets the world run until a reason is set.
///
/// Our choice: over a level alone. The original also launches it over mode 8 when a story begins, for its script to unlock and
/// load the first level; here the menu that begins a story names that level.
///
/// Source: seed 003, Game mode (MissionComplete_Launch).
pub fn launch_mission_complete<G: MissionHost>(game: &mut G, kind: u8) -> Result<(), ModeError> {
    push(game, ModeId::MissionComplete)?;
    game.mission_complete().reason = LeaveReason::from_number(kind);
    Ok(())
}

impl<G: MissionHost> GameMode<G> for MissionComplete {
    const ID: ModeId = ModeId::MissionComplete;

    fn enter(game: &mut G) {
        effect::dim(game, effect::BEHIND_MENU);
        game.unlock_and_load();
    }

    // Covers: seed 003, mode 0xb mission complete (0x005e5df8) test=a_complete_mission_unlocks_runs_a_frame_and_leaves_for_its_kind
    fn update(game: &mut G) -> Stay {
        run_frame(game, ModeId::MissionComplete, Pace::Fixed, G::mission_reason)
    }
}

/// A mission has failed: the world runs on under the menu.
///
/// Source: seed 003, Game mode.
#[derive(Clone, Copy, Debug)]
pub struct MissionFailed;

impl<G: MissionHost> GameMode<G> for MissionFailed {
    const ID: ModeId = ModeId::MissionFailed;

    fn enter(game: &mut G) {
        effect::dim(game, effect::BEHIND_MENU);
        game.play_failure_line();
    }

    // Covers: seed 003, mode 0xc mission failed (0x005e5dc0) test=a_failed_mission_runs_the_world_until_the_player_chooses
    fn update(game: &mut G) -> Stay {
        let stay = run_frame(game, ModeId::MissionFailed, Pace::AsIs, |_| None);
        if game.stack().top() != Some(ModeId::MissionFailed) {
            return stay;
        }
        let Some(choice) = game.run_failed_menu() else {
            return stay;
        };
        pop(game);
        if game.stack().top() == Some(ModeId::Gameplay) {
            pop(game);
        }
        match choice {
            FailedChoice::Retry => game.select_same_level(),
            FailedChoice::Quit => game.select_front_end(),
        }
        stay
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, enter_mode};
    use super::super::stack::run_once;
    use super::*;

    fn playing() -> FakeGame {
        let mut game = FakeGame::default();
        enter_mode(&mut game, ModeId::LevelFlow);
        enter_mode(&mut game, ModeId::Gameplay);
        game.log.clear();
        game
    }

    #[test]
    fn a_complete_mission_unlocks_runs_a_frame_and_leaves_for_its_kind() {
        let mut game = playing();
        launch_mission_complete(&mut game, 3).unwrap();
        assert!(run_once(&mut game));
        assert_eq!(game.log[0], "unlock and load");
        assert!(game.log.contains(&"world".into()) && game.log.contains(&"next level".into()));
        assert_eq!(game.stack.modes(), [ModeId::LevelFlow]);
    }

    #[test]
    fn without_a_kind_the_world_runs_on_fixed_steps_until_one_is_set() {
        let mut game = playing();
        launch_mission_complete(&mut game, 0).unwrap();
        for _ in 0..5 {
            assert!(run_once(&mut game));
        }
        assert_eq!((game.top(), game.timer.is_fixed()), (Some(ModeId::MissionComplete), true));
        game.mission.reason = Some(LeaveReason::LevelByName);
        assert!(run_once(&mut game));
        assert_eq!(game.stack.modes(), [ModeId::LevelFlow]);
        assert!(game.log.contains(&"level by name".into()));
    }

    #[test]
    fn a_failed_mission_runs_the_world_until_the_player_chooses() {
        for (choice, line) in [(FailedChoice::Retry, "same level"), (FailedChoice::Quit, "front end asked")] {
            let mut game = playing();
            enter_mode(&mut game, ModeId::MissionFailed);
            assert_eq!(game.log, ["failure line"]);
            assert!(run_once(&mut game));
            assert_eq!(game.top(), Some(ModeId::MissionFailed));
            game.failed_choice = Some(choice);
            assert!(run_once(&mut game));
            assert_eq!(game.stack.modes(), [ModeId::LevelFlow]);
            assert_eq!(game.log.last().map(|line| line.as_str()), Some(line));
        }
    }
}
