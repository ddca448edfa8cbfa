//! The modes that are a menu: 7, 0xd, 0x10, 0x11, 0x12, 0x13 and 0x14.
//!
//! They differ in what they offer, which the game knows, and in what stands behind them: nothing of the world, or the world
//! running on.

use super::effect;
use super::frame::{FrameHost, Pace, run_frame};
use super::id::ModeId;
use super::menu::{Menu, MenuEvent};
use super::mode::{GameMode, ModeClock, Stay};
use crate::pads::PadRecord;

/// What the menus need of the game.
pub trait ScreenHost: FrameHost {
    /// Makes a mode's menu: how many items, which of them can be chosen, where the cursor stands.
    fn open_menu(&mut self, mode: ModeId) -> Menu;
    /// A mode's menu.
    fn menu(&mut self, mode: ModeId) -> &mut Menu;
    /// The pad that drives menus, as of this frame. Without the world nobody else reads it, so `read` asks for that.
    fn menu_pad(&mut self, read: bool) -> PadRecord;
    /// Draws and presents a mode's screen on its own, and moves the clocks on.
    fn draw_screen(&mut self, mode: ModeId);
    /// The sound of an event.
    fn play_menu_sound(&mut self, event: MenuEvent);
    /// Something was chosen: does it, and says whether the menu stays. The mode may have pushed another by then.
    fn choose(&mut self, mode: ModeId, item: u8) -> Stay;
    /// Left or right was pressed on an item: changes what it stands for.
    fn adjust(&mut self, mode: ModeId, item: u8, up: bool);
    /// True when a mode can be left by going back; the front end's first menu cannot.
    fn can_go_back(&self, mode: ModeId) -> bool;
    /// Back was pressed in a mode that stays: leads from an inner page to the outer one.
    fn go_back(&mut self, mode: ModeId);
}

/// What stands behind a menu.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    Nothing,
    World,
}

fn open<G: ScreenHost>(game: &mut G, mode: ModeId) {
    let menu = game.open_menu(mode);
    *game.menu(mode) = menu;
}

fn update<G: ScreenHost>(game: &mut G, mode: ModeId, behind: Behind) -> Stay {
    match behind {
        Behind::Nothing => game.draw_screen(mode),
        Behind::World => {
            run_frame(game, mode, Pace::AsIs, |_| None);
        }
    }
    // A fault has put the error mode on top: the pad is looked at when this one is there again.
    if game.stack().top() != Some(mode) {
        return Stay::Stay;
    }
    let pad = game.menu_pad(behind == Behind::Nothing);
    let event = game.menu(mode).update(&pad);
    if event != MenuEvent::None {
        game.play_menu_sound(event);
    }
    match event {
        MenuEvent::Chosen(item) => {
            let stay = game.choose(mode, item);
            // Leaving pops what is on top, so a mode that the choice has pushed keeps this one below it.
            if game.stack().top() == Some(mode) { stay } else { Stay::Stay }
        }
        MenuEvent::Adjusted(item, up) => {
            game.adjust(mode, item, up);
            Stay::Stay
        }
        MenuEvent::Back if game.can_go_back(mode) => Stay::Leave,
        MenuEvent::Back => {
            game.go_back(mode);
            Stay::Stay
        }
        _ => Stay::Stay,
    }
}

/// Mode 7: the save system's screens.
#[derive(Clone, Copy, Debug)]
pub struct SaveScreens;
/// Mode 0xd: the arcade game's end, a menu over the world.
#[derive(Clone, Copy, Debug)]
pub struct ArcadeGameOver;
/// Mode 0x10: mission select.
#[derive(Clone, Copy, Debug)]
pub struct MissionSelect;
/// Mode 0x11: the arena game's menus.
#[derive(Clone, Copy, Debug)]
pub struct ArenaMenus;
/// Mode 0x12: profiles, the front end's menus.
#[derive(Clone, Copy, Debug)]
pub struct ProfileManager;
/// Mode 0x13: statistics.
#[derive(Clone, Copy, Debug)]
pub struct Statistics;
/// Mode 0x14: the arena game's result, over the world.
#[derive(Clone, Copy, Debug)]
pub struct ArenaResult;

impl<G: ScreenHost> GameMode<G> for SaveScreens {
    const ID: ModeId = ModeId::SaveScreens;
    const CLOCK: ModeClock = ModeClock::Real;

    fn enter(game: &mut G) {
        open(game, ModeId::SaveScreens);
    }

    // Covers: seed 003, mode 0x7 save screens (0x005e6800) test=each_menu_opens_moves_chooses_and_goes_back
    fn update(game: &mut G) -> Stay {
        update(game, ModeId::SaveScreens, Behind::Nothing)
    }
}

impl<G: ScreenHost> GameMode<G> for ArcadeGameOver {
    const ID: ModeId = ModeId::ArcadeGameOver;

    fn enter(game: &mut G) {
        effect::dim(game, effect::BEHIND_MENU);
        open(game, ModeId::ArcadeGameOver);
    }

    // Covers: seed 003, mode 0xd arcade game over (0x005e53a0) test=the_world_runs_on_behind_the_games_ends
    fn update(game: &mut G) -> Stay {
        update(game, ModeId::ArcadeGameOver, Behind::World)
    }
}

impl<G: ScreenHost> GameMode<G> for MissionSelect {
    const ID: ModeId = ModeId::MissionSelect;
    const CLOCK: ModeClock = ModeClock::Real;

    fn enter(game: &mut G) {
        open(game, ModeId::MissionSelect);
    }

    // Covers: seed 003, mode 0x10 mission select (0x0015d4f8) test=each_menu_opens_moves_chooses_and_goes_back
    fn update(game: &mut G) -> Stay {
        update(game, ModeId::MissionSelect, Behind::Nothing)
    }
}

impl<G: ScreenHost> GameMode<G> for ArenaMenus {
    const ID: ModeId = ModeId::ArenaMenus;
    const CLOCK: ModeClock = ModeClock::Real;

    fn enter(game: &mut G) {
        open(game, ModeId::ArenaMenus);
    }

    // Covers: seed 003, mode 0x11 arena menus (0x005e66d0) test=each_menu_opens_moves_chooses_and_goes_back
    fn update(game: &mut G) -> Stay {
        update(game, ModeId::ArenaMenus, Behind::Nothing)
    }
}

impl<G: ScreenHost> GameMode<G> for ProfileManager {
    const ID: ModeId = ModeId::ProfileManager;
    const CLOCK: ModeClock = ModeClock::Real;

    fn enter(game: &mut G) {
        open(game, ModeId::ProfileManager);
    }

    fn resume(game: &mut G) {
        // What was pushed from here may have changed what can be chosen; the cursor stays where it was.
        let cursor = game.menu(ModeId::ProfileManager).cursor();
        open(game, ModeId::ProfileManager);
        game.menu(ModeId::ProfileManager).set_cursor(cursor);
    }

    // Covers: seed 003, mode 0x12 profile manager (0x005e65c0) test=a_menu_that_pushed_another_is_there_when_that_leaves
    fn update(game: &mut G) -> Stay {
        update(game, ModeId::ProfileManager, Behind::Nothing)
    }
}

impl<G: ScreenHost> GameMode<G> for Statistics {
    const ID: ModeId = ModeId::Statistics;
    const CLOCK: ModeClock = ModeClock::Real;

    fn enter(game: &mut G) {
        open(game, ModeId::Statistics);
    }

    // Covers: seed 003, mode 0x13 statistics (0x005e56f0) test=each_menu_opens_moves_chooses_and_goes_back
    fn update(game: &mut G) -> Stay {
        update(game, ModeId::Statistics, Behind::Nothing)
    }
}

impl<G: ScreenHost> GameMode<G> for ArenaResult {
    const ID: ModeId = ModeId::ArenaResult;

    fn enter(game: &mut G) {
        effect::dim(game, effect::BEHIND_MENU);
        open(game, ModeId::ArenaResult);
    }

    // Covers: seed 003, mode 0x14 arena result (0x005e67d0) test=the_world_runs_on_behind_the_games_ends
    fn update(game: &mut G) -> Stay {
        update(game, ModeId::ArenaResult, Behind::World)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, enter_mode};
    use super::super::mode::ModeHost;
    use super::super::stack::run_once;
    use super::*;
    use crate::pads::button::{CROSS, DOWN, TRIANGLE};

    /// Runs one frame with these buttons down, after one with none.
    fn tap(game: &mut FakeGame, buttons: u16) {
        for down in [0, buttons] {
            game.buttons = down;
            assert!(run_once(game));
        }
    }

    #[test]
    fn each_menu_opens_moves_chooses_and_goes_back() {
        for mode in [ModeId::SaveScreens, ModeId::MissionSelect, ModeId::ArenaMenus, ModeId::Statistics] {
            let mut game = FakeGame::default();
            enter_mode(&mut game, ModeId::LevelFlow);
            enter_mode(&mut game, mode);
            game.log.clear();
            tap(&mut game, DOWN);
            tap(&mut game, CROSS);
            assert_eq!(game.log.iter().filter(|line| line.starts_with("chosen")).count(), 1, "{}", mode.name());
            assert_eq!(game.log.last(), Some(&std::format!("chosen {} 1", mode.number())));
            assert!(!game.log.contains(&"world".into()));
            assert_eq!(game.top(), Some(mode), "the choice keeps it");
            tap(&mut game, TRIANGLE);
            assert_eq!(game.top(), Some(ModeId::LevelFlow));
        }
    }

    #[test]
    fn the_world_runs_on_behind_the_games_ends() {
        for mode in [ModeId::ArcadeGameOver, ModeId::ArenaResult] {
            let mut game = FakeGame { leave_on_choice: true, ..FakeGame::default() };
            enter_mode(&mut game, ModeId::Gameplay);
            enter_mode(&mut game, mode);
            game.log.clear();
            tap(&mut game, CROSS);
            assert_eq!(game.log.iter().filter(|line| *line == "world").count(), 2);
            assert_eq!(game.top(), Some(ModeId::Gameplay), "the choice ends it");
        }
    }

    #[test]
    fn a_menu_that_pushed_another_is_there_when_that_leaves() {
        let mut game =
            FakeGame { leave_on_choice: true, push_on_choice: Some(ModeId::Statistics), ..FakeGame::default() };
        enter_mode(&mut game, ModeId::ProfileManager);
        tap(&mut game, DOWN);
        tap(&mut game, CROSS);
        assert_eq!(game.stack.modes(), [ModeId::ProfileManager, ModeId::Statistics]);
        tap(&mut game, TRIANGLE);
        assert_eq!(game.stack.modes(), [ModeId::ProfileManager]);
        assert_eq!(game.menu(ModeId::ProfileManager).cursor(), 1);
        tap(&mut game, TRIANGLE);
        assert_eq!(game.top(), Some(ModeId::ProfileManager), "the first menu has nowhere to go back to");
        assert!(game.stack().is_entered(ModeId::ProfileManager));
    }

    #[test]
    fn every_event_has_its_sound() {
        let mut game = FakeGame::default();
        enter_mode(&mut game, ModeId::Statistics);
        for (buttons, sound) in [(DOWN, "sound Moved"), (CROSS, "sound Chosen(1)"), (TRIANGLE, "sound Back")] {
            game.log.clear();
            tap(&mut game, buttons);
            assert!(game.log.contains(&sound.into()), "{:?}", game.log);
        }
    }
}
