//! What the menus offer, and what follows from a choice.

use super::Game;
use super::machine::Machine;
use super::missions::{MISSION_COUNT, MISSIONS, Play};
use super::screens::{Backdrop, ROWS_ON_SCREEN, Screen};
use super::state::{DIFFICULTY_NAMES, LOUDEST, Scheme};
use crate::audio::{Cue, Source, cues::MenuSound};
use crate::game_modes::menu::{Menu, MenuEvent};
use crate::game_modes::{ModeId, PauseOutcome, ScreenHost, Stay, pop};
use crate::pads::PadRecord;

/// The front end's pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    /// The title's list.
    #[default]
    Front,
    /// Settings.
    Options,
}

/// The front page's items.
mod front {
    pub const PLAY: u8 = 0;
    pub const ARENA: u8 = 1;
    pub const OPTIONS: u8 = 2;
    pub const STATISTICS: u8 = 3;
    pub const SAVE: u8 = 4;
    pub const LEAVE: u8 = 5;
}

/// The pause menu's items; the settings follow them.
mod pause {
    pub const RESUME: u8 = 0;
    pub const RESTART: u8 = 1;
    pub const QUIT: u8 = 2;
    /// The first of the settings.
    pub const SETTINGS: u8 = 3;
}

/// The settings, in the order of their rows.
mod setting {
    pub const MUSIC: u8 = 0;
    pub const EFFECTS: u8 = 1;
    pub const SCHEME: u8 = 2;
    pub const RUMBLE: u8 = 3;
    pub const INVERTED: u8 = 4;
    pub const CAPTIONS: u8 = 5;
    pub const DIFFICULTY: u8 = 6;
}

/// Rounds that the arena game offers.
const ROUNDS: [u8; 3] = [1, 3, 5];

const CHOOSE_AND_BACK: &str = "CROSS: CHOOSE   TRIANGLE: BACK";

const fn on_off(on: bool) -> &'static str {
    if on { "ON" } else { "OFF" }
}

impl<M: Machine> Game<M> {
    /// A mode's screen, with the cursor where the menu has it.
    pub(super) fn menu_screen(&mut self, mode: ModeId) -> Screen {
        let mut screen = self.menu_rows(mode);
        let menu = &mut self.modes.menus[mode.index()];
        if menu.items() > 0 {
            screen.cursor = Some(menu.cursor());
            screen.first_row = menu.visible(ROWS_ON_SCREEN).start;
        }
        screen
    }

    /// A mode's words and rows.
    fn menu_rows(&self, mode: ModeId) -> Screen {
        match mode {
            ModeId::ProfileManager => match self.modes.page {
                Page::Front => self.front_page(),
                Page::Options => self.options_page(),
            },
            ModeId::MissionSelect => self.mission_page(),
            ModeId::ArenaMenus => self.arena_page(),
            ModeId::Statistics => self.statistics_page(),
            ModeId::SaveScreens => self.save_page(),
            ModeId::Pause => self.pause_page(),
            ModeId::MissionFailed => two("MISSION FAILED", "AGAIN", "BACK TO THE TITLE"),
            ModeId::ArcadeGameOver => two("TIME IS UP", "AGAIN", "BACK TO THE TITLE"),
            ModeId::ArenaResult => self.result_page(),
            _ => Screen::default(),
        }
    }

    fn front_page(&self) -> Screen {
        let mut screen = Screen::new(Backdrop::Title, "BOARDWALK");
        for label in ["PLAY", "ARENA", "OPTIONS", "STATISTICS", "SAVE", "LEAVE"] {
            screen.row(label, format_args!(""), true);
        }
        screen
    }

    fn options_page(&self) -> Screen {
        let mut screen = Screen::new(Backdrop::Night, "OPTIONS");
        self.setting_rows(&mut screen);
        screen.foot("LEFT, RIGHT: CHANGE   TRIANGLE: BACK");
        screen
    }

    fn setting_rows(&self, screen: &mut Screen) {
        let settings = &self.state.settings;
        let scheme = match settings.scheme {
            Scheme::Direct => "DIRECT",
            Scheme::Commands => "COMMANDS",
        };
        screen.row("MUSIC", format_args!("{}", settings.music), true);
        screen.row("EFFECTS", format_args!("{}", settings.effects), true);
        screen.row("CONTROLS", format_args!("{scheme}"), true);
        screen.row("RUMBLE", format_args!("{}", on_off(settings.rumble)), true);
        screen.row("INVERT LOOKING", format_args!("{}", on_off(settings.inverted)), true);
        screen.row("CAPTIONS", format_args!("{}", on_off(settings.captions)), true);
        let difficulty = DIFFICULTY_NAMES.get(usize::from(settings.difficulty)).copied().unwrap_or_default();
        screen.row("DIFFICULTY", format_args!("{difficulty}"), true);
    }

    fn mission_page(&self) -> Screen {
        let mut screen = Screen::new(Backdrop::Night, "MISSIONS");
        for (number, mission) in (0..).zip(&MISSIONS) {
            let done = if self.state.is_completed(number) { "DONE" } else { "" };
            screen.row(mission.name, format_args!("{done}"), self.state.is_unlocked(number));
        }
        screen.foot(CHOOSE_AND_BACK);
        screen
    }

    fn arena_page(&self) -> Screen {
        let mut screen = Screen::new(Backdrop::Night, "ARENA");
        for rounds in ROUNDS {
            let seconds = Play::Arena(rounds).mission().seconds;
            screen.row(
                if rounds == 1 {
                    "ONE ROUND"
                } else if rounds == 3 {
                    "THREE ROUNDS"
                } else {
                    "FIVE ROUNDS"
                },
                format_args!("{seconds} S"),
                true,
            );
        }
        screen.foot(CHOOSE_AND_BACK);
        screen
    }

    fn statistics_page(&self) -> Screen {
        let mut screen = Screen::new(Backdrop::Night, "STATISTICS");
        for (name, figure) in self.state.statistics.figures() {
            screen.row(name, format_args!("{figure}"), true);
        }
        screen.row("BANK", format_args!("{}", self.state.bank), true);
        screen.foot("TRIANGLE: BACK");
        screen
    }

    fn save_page(&self) -> Screen {
        let mut screen = Screen::new(Backdrop::Night, "SAVE");
        screen.row("SAVE NOW", format_args!(""), true);
        screen.row("LOAD", format_args!(""), true);
        screen.row("FORGET EVERYTHING", format_args!(""), true);
        screen.foot(CHOOSE_AND_BACK);
        screen
    }

    fn pause_page(&self) -> Screen {
        let mut screen = Screen::new(Backdrop::World, "PAUSE");
        for label in ["GO ON", "BEGIN ANEW", "BACK TO THE TITLE"] {
            screen.row(label, format_args!(""), true);
        }
        self.setting_rows(&mut screen);
        screen
    }

    fn result_page(&self) -> Screen {
        let mut screen = two("WELL THROWN", "AGAIN", "BACK TO THE TITLE");
        screen.line(format_args!("{} THROWN IN {} SECONDS", self.rules.thrown(), self.rules.seconds()));
        screen
    }

    /// Changes a setting; around the ends when a button of one kind has to do.
    fn change_setting(&mut self, number: u8, up: bool) {
        let difficulties = self.state.difficulties();
        let s = &mut self.state.settings;
        let turn = |value: u8, count: u8| (value + if up { 1 } else { count - 1 }) % count;
        match number {
            setting::MUSIC => s.music = turn(s.music, LOUDEST + 1),
            setting::EFFECTS => s.effects = turn(s.effects, LOUDEST + 1),
            setting::SCHEME => {
                s.scheme = if s.scheme == Scheme::Direct { Scheme::Commands } else { Scheme::Direct };
            }
            setting::RUMBLE => s.rumble = !s.rumble,
            setting::INVERTED => s.inverted = !s.inverted,
            setting::CAPTIONS => s.captions = !s.captions,
            setting::DIFFICULTY => s.difficulty = turn(s.difficulty, difficulties),
            _ => {}
        }
    }

    /// What the pause menu's item does.
    pub(super) fn choose_in_pause(&mut self, item: u8) -> PauseOutcome {
        match item {
            pause::RESUME => PauseOutcome::Resume,
            pause::RESTART => {
                self.modes.next = self.modes.last;
                PauseOutcome::Quit
            }
            pause::QUIT => {
                self.modes.next = None;
                PauseOutcome::Quit
            }
            setting => {
                self.change_setting(setting - pause::SETTINGS, true);
                PauseOutcome::Stay
            }
        }
    }

    /// A choice that begins to play: the menus end, and the level flow goes on with it.
    fn begin(&mut self, play: Play) -> Stay {
        while self.stack.top().is_some_and(|top| top != ModeId::LevelFlow) {
            pop(self);
        }
        self.modes.next = Some(play);
        Stay::Stay
    }

    fn choose_on_front_page(&mut self, item: u8) -> Stay {
        match item {
            front::PLAY => self.push_mode(ModeId::MissionSelect),
            front::ARENA => self.push_mode(ModeId::ArenaMenus),
            front::OPTIONS => {
                self.modes.page = Page::Options;
                let menu = self.open_menu(ModeId::ProfileManager);
                *self.menu(ModeId::ProfileManager) = menu;
                true
            }
            front::STATISTICS => self.push_mode(ModeId::Statistics),
            front::SAVE => self.push_mode(ModeId::SaveScreens),
            front::LEAVE => {
                self.leave_for_browser();
                true
            }
            _ => true,
        };
        Stay::Stay
    }

    /// What a result's item does: the same again, or the title.
    fn choose_after_arena(&mut self, item: u8) -> Stay {
        let again = self.modes.last.filter(|_| item == 0);
        self.state.bank_money();
        self.modes.save_due = true;
        while self.stack.top().is_some_and(|top| top != ModeId::LevelFlow) {
            pop(self);
        }
        self.modes.next = again;
        Stay::Stay
    }
}

/// A screen of two choices over the world.
fn two(heading: &str, first: &str, second: &str) -> Screen {
    let mut screen = Screen::new(Backdrop::World, heading);
    screen.row(first, format_args!(""), true);
    screen.row(second, format_args!(""), true);
    screen
}

impl<M: Machine> ScreenHost for Game<M> {
    fn open_menu(&mut self, mode: ModeId) -> Menu {
        let screen = self.menu_rows(mode);
        let mut menu = Menu::new(screen.rows.len() as u8);
        for (item, row) in (0..).zip(&screen.rows) {
            menu.set_enabled(item, row.enabled);
        }
        menu
    }
    fn menu(&mut self, mode: ModeId) -> &mut Menu {
        &mut self.modes.menus[mode.index()]
    }
    fn menu_pad(&mut self, read: bool) -> PadRecord {
        if read {
            self.read_input();
        }
        self.input.pads.get(0).cloned().unwrap_or_default()
    }
    fn draw_screen(&mut self, mode: ModeId) {
        let screen = self.menu_screen(mode);
        self.show(screen);
        crate::game_modes::push_error_if_needed(self);
    }
    fn play_menu_sound(&mut self, event: MenuEvent) {
        let sound = match event {
            MenuEvent::None => return,
            MenuEvent::Moved | MenuEvent::Adjusted(..) => MenuSound::Move,
            MenuEvent::Chosen(_) => MenuSound::Choose,
            MenuEvent::Refused => MenuSound::Refuse,
            MenuEvent::Back => MenuSound::Back,
        };
        let _plays = self.audio.cue(Cue::Menu(sound), Source::MIDDLE);
    }
    fn adjust(&mut self, mode: ModeId, item: u8, up: bool) {
        match mode {
            ModeId::ProfileManager if self.modes.page == Page::Options => self.change_setting(item, up),
            ModeId::Pause if item >= pause::SETTINGS => self.change_setting(item - pause::SETTINGS, up),
            _ => {}
        }
    }
    fn choose(&mut self, mode: ModeId, item: u8) -> Stay {
        match mode {
            ModeId::ProfileManager => match self.modes.page {
                Page::Front => self.choose_on_front_page(item),
                Page::Options => {
                    self.change_setting(item, true);
                    Stay::Stay
                }
            },
            ModeId::MissionSelect if item < MISSION_COUNT => self.begin(Play::Mission(item)),
            ModeId::ArenaMenus => match ROUNDS.get(usize::from(item)) {
                Some(rounds) => self.begin(Play::Arena(*rounds)),
                None => Stay::Stay,
            },
            ModeId::ArcadeGameOver | ModeId::ArenaResult => self.choose_after_arena(item),
            ModeId::SaveScreens => self.choose_save(item),
            _ => Stay::Stay,
        }
    }
    fn can_go_back(&self, mode: ModeId) -> bool {
        !matches!(mode, ModeId::ProfileManager | ModeId::ArcadeGameOver | ModeId::ArenaResult)
    }
    fn go_back(&mut self, mode: ModeId) {
        if mode == ModeId::ProfileManager && self.modes.page != Page::Front {
            self.modes.page = Page::Front;
            let mut menu = self.open_menu(mode);
            menu.set_cursor(front::OPTIONS);
            *self.menu(mode) = menu;
        }
    }
}
