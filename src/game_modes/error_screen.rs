//! Mode 0xf: a disc that cannot be read, a controller that is gone.

use super::id::ModeId;
use super::leave::LeaveHost;
use super::mode::{GameMode, ModeClock, Stay};
use super::stack::push;

/// What the error mode needs of the game.
pub trait ErrorHost: LeaveHost {
    /// True while the disc cannot be read or a player's controller is missing.
    fn is_faulty(&self) -> bool;
    /// Draws and presents one frame of the message, and looks whether the fault is gone.
    fn show_fault(&mut self);
    /// Stops what would be heard or felt behind the message.
    fn quiet(&mut self, on: bool);
    /// The clocks skip the time that passed behind the message.
    fn skip_time(&mut self);
}

/// The error screen: shows the fault until it is gone, and then what was there before goes on where it stopped.
///
/// Source: seed 003, Game mode (Gm_Error) and main, step 11.
#[derive(Clone, Copy, Debug)]
pub struct ErrorScreen;

impl<G: ErrorHost> GameMode<G> for ErrorScreen {
    const ID: ModeId = ModeId::Error;
    const CLOCK: ModeClock = ModeClock::Real;

    fn enter(game: &mut G) {
        game.quiet(true);
    }

    fn exit(game: &mut G) {
        game.quiet(false);
        game.skip_time();
    }

    // Covers: seed 003, mode 0xf error (0x005e5560) test=the_error_mode_is_pushed_once_and_ends_with_the_fault
    fn update(game: &mut G) -> Stay {
        game.show_fault();
        if game.is_faulty() { Stay::Stay } else { Stay::Leave }
    }
}

/// Pushes the error mode if there is a fault and the mode is not on top already.
///
/// Source: seed 003, main, step 11 (0x0015e7e8).
pub fn push_error_if_needed<G: ErrorHost>(game: &mut G) {
    if game.is_faulty()
        && game.stack().top() != Some(ModeId::Error)
        && let Err(error) = push(game, ModeId::Error)
    {
        game.report(error);
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, enter_mode};
    use super::super::stack::run_once;
    use super::*;

    #[test]
    fn the_error_mode_is_pushed_once_and_ends_with_the_fault() {
        let mut game = FakeGame { faulty: true, ..FakeGame::default() };
        enter_mode(&mut game, ModeId::Gameplay);
        push_error_if_needed(&mut game);
        push_error_if_needed(&mut game);
        assert_eq!(game.stack.modes(), [ModeId::Gameplay, ModeId::Error]);
        game.log.clear();
        assert!(run_once(&mut game) && run_once(&mut game));
        assert_eq!(game.top(), Some(ModeId::Error));
        game.faulty = false;
        assert!(run_once(&mut game));
        assert_eq!(game.top(), Some(ModeId::Gameplay));
        let expected = ["quiet", "fault shown", "fault shown", "fault shown", "loud", "time skipped", "ticks restart"];
        assert_eq!(game.log, expected);
    }

    #[test]
    fn without_a_fault_nothing_is_pushed() {
        let mut game = FakeGame::default();
        push_error_if_needed(&mut game);
        assert_eq!(game.top(), None);
    }
}
