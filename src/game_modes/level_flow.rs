//! Mode 8: the flow of levels, at the bottom of the stack.

use super::frame::{FrameHost, Pace, run_frame};
use super::id::ModeId;
use super::mode::{GameMode, Stay};

/// What the level flow needs of the game.
pub trait LevelFlowHost: FrameHost {
    /// Switches game time to real time.
    fn use_real_time(&mut self);
    /// Loads the front end.
    fn load_front_end(&mut self);
    /// Pushes the mode that comes next, if something was chosen: gameplay for a level, the menus without one.
    fn push_next_mode(&mut self);
}

/// The flow of levels. While it is on top, game time runs in fixed steps; a mode on top of it gets real time. It never
/// leaves.
///
/// Source: seed 003, Timers (which clock mode runs when) and Game mode.
#[derive(Clone, Copy, Debug)]
pub struct LevelFlow;

impl<G: LevelFlowHost> GameMode<G> for LevelFlow {
    const ID: ModeId = ModeId::LevelFlow;

    fn enter(game: &mut G) {
        game.load_front_end();
    }

    fn exit(game: &mut G) {
        game.use_real_time();
    }

    fn resume(game: &mut G) {
        game.use_fixed_step();
    }

    fn suspend(game: &mut G) {
        game.use_real_time();
    }

    // Covers: seed 003, mode 0x8 level flow (0x005e5d90) test=the_front_end_runs_on_the_fixed_step_and_a_level_on_real_time
    fn update(game: &mut G) -> Stay {
        let stay = run_frame(game, ModeId::LevelFlow, Pace::Fixed, |_| None);
        if game.stack().top() == Some(ModeId::LevelFlow) {
            game.push_next_mode();
        }
        stay
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::FakeGame;
    use super::super::stack::{pop, push, run_once};
    use super::*;

    #[test]
    fn the_front_end_runs_on_the_fixed_step_and_a_level_on_real_time() {
        let mut game = FakeGame::default();
        push(&mut game, ModeId::LevelFlow).unwrap();
        assert!(run_once(&mut game));
        assert!(game.timer.is_fixed(), "its update switches the fixed step on");
        game.next_mode = Some(ModeId::Gameplay);
        assert!(run_once(&mut game));
        assert_eq!((game.top(), game.timer.is_fixed()), (Some(ModeId::Gameplay), false), "suspended");
        assert!(run_once(&mut game));
        assert!(!game.timer.is_fixed(), "gameplay never switches the clock");
        pop(&mut game);
        assert!(game.timer.is_fixed(), "resumed");
        pop(&mut game);
        assert!(!game.timer.is_fixed(), "ended");
    }

    #[test]
    fn it_loads_the_front_end_once_and_never_leaves() {
        let mut game = FakeGame::default();
        push(&mut game, ModeId::LevelFlow).unwrap();
        for _ in 0..50 {
            assert!(run_once(&mut game));
        }
        assert_eq!(game.stack.modes(), [ModeId::LevelFlow]);
        assert_eq!(game.log.iter().filter(|line| *line == "front end").count(), 1);
    }
}
