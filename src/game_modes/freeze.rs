//! Mode 0xe: the world runs until a set time, and then something happens.

use super::frame::{FrameHost, Pace, run_frame};
use super::id::ModeId;
use super::mode::{GameMode, ModeClock, Stay};
use super::stack::{ModeError, pop, push};
use crate::clock::time;

/// What the freeze mode needs of the game.
pub trait FreezeHost: FrameHost {
    /// Names a function of the script table.
    type Function: Copy;
    /// The mode's state.
    fn freeze(&mut self) -> &mut Freeze<Self::Function>;
    /// Calls a function of the script table.
    fn call(&mut self, function: Self::Function);
}

/// Until when, and what is called then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freeze<F> {
    until: u64,
    function: Option<F>,
}

impl<F> Default for Freeze<F> {
    fn default() -> Self {
        Self { until: 0, function: None }
    }
}

/// Runs the world for some more milliseconds of game time, then calls a function of the script table.
///
/// Our choice: the set time is one of game time, so that a pause does not eat it up.
///
/// Source: seed 003, Game mode (GameMode_PushFreeze).
pub fn push_freeze<G: FreezeHost>(game: &mut G, milliseconds: u32, function: G::Function) -> Result<(), ModeError> {
    push(game, ModeId::Freeze)?;
    let until = game.clock(ModeClock::Game) + time::from_milliseconds(milliseconds);
    *game.freeze() = Freeze { until, function: Some(function) };
    Ok(())
}

impl<G: FreezeHost> GameMode<G> for Freeze<G::Function> {
    const ID: ModeId = ModeId::Freeze;

    // Covers: seed 003, mode 0xe freeze (0x00157e48) test=the_world_runs_until_the_time_then_the_mode_pops_and_calls
    fn update(game: &mut G) -> Stay {
        let stay = run_frame(game, ModeId::Freeze, Pace::AsIs, |_| None);
        // A frame that pushed the error mode leaves that on top; the time is looked at when this one is on top again.
        if game.stack().top() == Some(ModeId::Freeze) && game.clock(ModeClock::Game) >= game.freeze().until {
            pop(game);
            if let Some(function) = game.freeze().function.take() {
                game.call(function);
            }
        }
        stay
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, enter_mode};
    use super::super::stack::run_once;
    use super::*;

    #[test]
    fn the_world_runs_until_the_time_then_the_mode_pops_and_calls() {
        let mut game = FakeGame::default();
        enter_mode(&mut game, ModeId::Gameplay);
        push_freeze(&mut game, 100, "after the bang").unwrap();
        let mut frames = 0;
        while game.top() == Some(ModeId::Freeze) {
            assert!(run_once(&mut game));
            frames += 1;
        }
        assert_eq!(frames, 3, "100 ms are three steps of a 30th");
        let tail: std::vec::Vec<_> = game.log.iter().rev().take(2).rev().collect();
        assert_eq!(tail, ["ticks restart", "call after the bang"]);
        assert_eq!(game.log.iter().filter(|line| *line == "world").count(), 3);
    }

    #[test]
    fn a_pushed_error_screen_keeps_the_freeze_for_later() {
        let mut game = FakeGame::default();
        enter_mode(&mut game, ModeId::Gameplay);
        push_freeze(&mut game, 0, "later").unwrap();
        game.faulty = true;
        assert!(run_once(&mut game));
        assert_eq!(game.stack.modes(), [ModeId::Gameplay, ModeId::Freeze, ModeId::Error]);
        game.faulty = false;
        assert!(run_once(&mut game) && run_once(&mut game));
        assert_eq!(game.stack.modes(), [ModeId::Gameplay]);
        assert_eq!(game.log.iter().filter(|line| *line == "call later").count(), 1);
    }
}
