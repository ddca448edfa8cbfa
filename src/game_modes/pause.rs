//! Mode 0xa: pause.

use super::effect;
use super::id::ModeId;
use super::mode::{GameMode, ModeClock, ModeHost, Stay};

/// What the pause menu's frame came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PauseOutcome {
    /// The menu stays.
    #[default]
    Stay,
    /// Back to the game.
    Resume,
    /// The level ends too.
    Quit,
}

/// What the pause needs of the game.
pub trait PauseHost: ModeHost {
    /// The mode's state.
    fn pause(&mut self) -> &mut Pause;
    /// True while game time is paused.
    fn is_time_paused(&self) -> bool;
    /// Begins or ends the pause of game time; one that begins reads the players' input anew.
    fn toggle_time(&mut self);
    /// Runs and presents one frame of the menu over the standing world.
    fn run_pause_menu(&mut self) -> PauseOutcome;
}

/// The pause: game time stands while the menu is up.
///
/// Source: seed 003, Game mode and Timers (TogglePause).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pause {
    /// Game time was running, so that leaving lets it run again.
    was_running: bool,
}

impl<G: PauseHost> GameMode<G> for Pause {
    const ID: ModeId = ModeId::Pause;
    const CLOCK: ModeClock = ModeClock::Real;

    fn enter(game: &mut G) {
        effect::dim(game, effect::BEHIND_MENU);
        let was_running = !game.is_time_paused();
        game.pause().was_running = was_running;
        if was_running {
            game.toggle_time();
        }
    }

    fn exit(game: &mut G) {
        if game.pause().was_running && game.is_time_paused() {
            game.toggle_time();
        }
    }

    // Covers: seed 003, mode 0xa pause (0x005e6550) test=game_time_stands_while_the_menu_is_up
    fn update(game: &mut G) -> Stay {
        match game.run_pause_menu() {
            PauseOutcome::Stay => Stay::Stay,
            PauseOutcome::Resume => Stay::Leave,
            PauseOutcome::Quit => {
                super::stack::pop(game);
                // What is on top now is the level; the loop pops it.
                Stay::Leave
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, enter_mode};
    use super::super::stack::{push, run_once};
    use super::*;

    fn paused() -> FakeGame {
        let mut game = FakeGame::default();
        enter_mode(&mut game, ModeId::LevelFlow);
        enter_mode(&mut game, ModeId::Gameplay);
        push(&mut game, ModeId::Pause).unwrap();
        assert!(run_once(&mut game));
        game
    }

    #[test]
    fn game_time_stands_while_the_menu_is_up() {
        let mut game = paused();
        assert!(game.timer.is_paused());
        game.pause_outcome = PauseOutcome::Resume;
        assert!(run_once(&mut game));
        assert_eq!((game.top(), game.timer.is_paused()), (Some(ModeId::Gameplay), false));
    }

    #[test]
    fn quitting_ends_the_level_too() {
        let mut game = paused();
        game.pause_outcome = PauseOutcome::Quit;
        assert!(run_once(&mut game));
        assert_eq!(game.stack.modes(), [ModeId::LevelFlow]);
        assert!(!game.timer.is_paused());
    }

    #[test]
    fn time_that_was_paused_before_stays_paused() {
        let mut game = FakeGame::default();
        game.timer.hold();
        push(&mut game, ModeId::Pause).unwrap();
        game.pause_outcome = PauseOutcome::Resume;
        assert!(run_once(&mut game));
        assert!(game.timer.is_paused());
    }
}
