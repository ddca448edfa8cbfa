//! Mode 1: one level is played.

use super::frame::{FrameHost, Pace, run_frame};
use super::id::ModeId;
use super::mode::{GameMode, Stay};

/// Updates that a level's end is counted down over.
///
/// Source: support systems, Level loading order (Enter sets it to 180).
pub const LEVEL_END_COUNTDOWN: u16 = 180;

/// What gameplay needs of the game.
pub trait GameplayHost: FrameHost {
    /// The mode's state.
    fn gameplay(&mut self) -> &mut Gameplay;
    /// Sets the audio levels and forgets a pending change of level.
    fn prepare_level(&mut self);
    /// Holds game time: paused, without a freeze.
    fn hold_time(&mut self);
    /// Lets held game time run again, from real time's now on.
    fn release_time(&mut self);
    /// Reads the pads once.
    fn read_pads(&mut self);
    /// Loads the level.
    fn load_level(&mut self);
    /// Puts game time to 0 and the players into their slots.
    fn start_level(&mut self);
    /// Forgets the tick pairs that are carried over, and the real time that has passed.
    fn restart_ticks(&mut self);
    /// Opens the pause menu, if a player asked for it in this frame.
    fn push_pause_if_asked(&mut self);
    /// Ends the level's world.
    fn unload_level(&mut self);
}

/// One level is played, on real time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gameplay {
    end_countdown: u16,
}

impl Gameplay {
    /// Updates that are left of the level's end; counted down by whoever ends the level.
    pub const fn end_countdown(&self) -> u16 {
        self.end_countdown
    }

    /// One update of the level's end has passed; true when it was the last one.
    pub const fn count_down(&mut self) -> bool {
        self.end_countdown = self.end_countdown.saturating_sub(1);
        self.end_countdown == 0
    }
}

impl<G: GameplayHost> GameMode<G> for Gameplay {
    const ID: ModeId = ModeId::Gameplay;

    // Covers: seed 003, mode 0x1 gameplay (0x005e56b8) test=a_level_begins_in_the_seeds_order_with_its_clock_running
    fn enter(game: &mut G) {
        game.prepare_level();
        game.hold_time();
        game.release_time();
        game.read_pads();
        game.load_level();
        game.start_level();
        game.gameplay().end_countdown = LEVEL_END_COUNTDOWN;
        game.restart_ticks();
    }

    fn exit(game: &mut G) {
        game.unload_level();
    }

    fn resume(game: &mut G) {
        game.restart_ticks();
    }

    fn update(game: &mut G) -> Stay {
        let stay = run_frame(game, ModeId::Gameplay, Pace::AsIs, |_| None);
        if game.stack().top() == Some(ModeId::Gameplay) {
            game.push_pause_if_asked();
        }
        stay
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, enter_mode};
    use super::super::stack::{pop, run_once};
    use super::*;

    #[test]
    fn a_level_begins_in_the_seeds_order_with_its_clock_running() {
        let mut game = FakeGame::default();
        super::super::stack::push(&mut game, ModeId::Gameplay).unwrap();
        assert!(run_once(&mut game));
        let begin = ["prepare", "hold", "release", "pads", "load level", "start level", "ticks restart"];
        assert_eq!(game.log[..begin.len()], begin);
        assert!(!game.timer.is_paused());
        assert_eq!(game.gameplay.end_countdown(), 180);
    }

    #[test]
    fn a_resumed_level_carries_no_tick_pairs_over() {
        let mut game = FakeGame::default();
        enter_mode(&mut game, ModeId::Gameplay);
        enter_mode(&mut game, ModeId::Pause);
        game.log.clear();
        pop(&mut game);
        assert_eq!(game.log.last().map(|line| line.as_str()), Some("ticks restart"));
    }

    #[test]
    fn the_levels_end_is_counted_down_over_180_updates() {
        let mut gameplay = Gameplay { end_countdown: LEVEL_END_COUNTDOWN };
        let updates = (1..).find(|_| gameplay.count_down());
        assert_eq!(updates, Some(180));
        assert!(gameplay.count_down(), "and stays there");
    }

    #[test]
    fn a_player_who_asks_gets_the_pause() {
        let mut game = FakeGame { wants_pause: true, ..FakeGame::default() };
        enter_mode(&mut game, ModeId::Gameplay);
        assert!(run_once(&mut game));
        assert_eq!(game.top(), Some(ModeId::Pause));
    }
}
