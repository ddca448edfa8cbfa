//! Mode 5: the legal screen.

use super::id::ModeId;
use super::mode::{GameMode, ModeClock, ModeHost, Stay};
use super::stack::elapsed_since_last;
use crate::clock::time;

/// Real milliseconds that the screen is held. Source: seed 003, Game mode.
pub const HOLD_MS: u32 = 5000;

/// What the legal screen needs of the game.
pub trait LegalHost: ModeHost {
    /// The mode's state.
    fn legal(&mut self) -> &mut LegalScreen;
    /// Draws and presents the screen.
    fn draw_legal_screen(&mut self);
    /// Waits until the next frame may begin, and moves the clocks on.
    fn wait_frame(&mut self);
}

/// The legal screen: drawn once when it begins, then held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LegalScreen {
    shown: u64,
}

impl<G: LegalHost> GameMode<G> for LegalScreen {
    const ID: ModeId = ModeId::LegalScreen;
    const CLOCK: ModeClock = ModeClock::Real;

    fn enter(game: &mut G) {
        game.legal().shown = 0;
        game.draw_legal_screen();
    }

    // Covers: seed 003, mode 0x5 legal screen (0x005e57e0) test=the_legal_screen_is_drawn_once_and_held_for_five_seconds
    fn update(game: &mut G) -> Stay {
        game.wait_frame();
        let elapsed = elapsed_since_last(game, ModeId::LegalScreen);
        let legal = game.legal();
        legal.shown += elapsed;
        if time::milliseconds(legal.shown) >= HOLD_MS { Stay::Leave } else { Stay::Stay }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::FakeGame;
    use super::super::stack::{push, run_once};
    use super::*;

    #[test]
    fn the_legal_screen_is_drawn_once_and_held_for_five_seconds() {
        let mut game = FakeGame::default();
        push(&mut game, ModeId::LegalScreen).unwrap();
        let mut frames = 0;
        while game.top().is_some() {
            assert!(run_once(&mut game));
            frames += 1;
        }
        assert_eq!(frames, 150, "at 30 frames a second");
        assert_eq!(game.log, ["legal screen"]);
    }

    #[test]
    fn a_pause_of_game_time_does_not_hold_it_longer() {
        let mut game = FakeGame::default();
        game.timer.hold();
        push(&mut game, ModeId::LegalScreen).unwrap();
        let frames = (0..1000).take_while(|_| run_once(&mut game)).count();
        assert_eq!(frames, 150);
    }
}
