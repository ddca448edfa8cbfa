//! What the menus offer, and what follows from a choice.

use super::Game;
use super::machine::Machine;
use super::missions::{MISSION_COUNT, MISSIONS, Play, SECONDS_A_ROUND};
use super::options::CONTROLS;
use super::screens::{Backdrop, ROWS_ON_SCREEN, Screen};
use crate::audio::{Cue, Source, cues::MenuSound};
use crate::game_modes::leave::push_save_if_due;
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
    /// The picture.
    Picture,
    /// The first start's question.
    FirstStart,
}

/// The front page's items.
pub(super) mod front {
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

/// Rounds that the arena game offers.
const ROUNDS: [u8; 3] = [1, 3, 5];

const CHOOSE_AND_BACK: &str = "CROSS: CHOOSE   TRIANGLE: BACK";

impl<M: Machine> Game<M> {
    /// A mode's screen, with the cursor where the menu has it.
    pub(super) fn menu_screen(&mut self, mode: ModeId) -> Screen {
        let mut screen = self.menu_rows(mode);
        let menu = &mut self.modes.menus[mode.index()];
        if menu.items() > 0 {
            screen.cursor = Some(menu.cursor());
            screen.first_row = menu.visible(ROWS_ON_SCREEN).start;
        }
        let controls = match mode {
            ModeId::ProfileManager if self.modes.page == Page::Options => Some(CONTROLS),
            ModeId::Pause => Some(pause::SETTINGS + CONTROLS),
            _ => None,
        };
        if controls.is_some() && screen.cursor == controls {
            self.explain_controls(&mut screen);
        }
        screen
    }

    /// A mode's words and rows.
    fn menu_rows(&self, mode: ModeId) -> Screen {
        match mode {
            ModeId::ProfileManager => match self.modes.page {
                Page::Front => Screen::front_page(),
                Page::Options => self.options_page(),
                Page::Picture => self.picture_page(),
                Page::FirstStart if self.modes.trial.is_some() => self.picture_page(),
                Page::FirstStart => self.first_start_page(),
            },
            ModeId::MissionSelect => self.mission_page(),
            ModeId::ArenaMenus => self.arena_page(),
            ModeId::Statistics => self.statistics_page(),
            ModeId::SaveScreens => self.save_page(),
            ModeId::Pause => self.pause_page(),
            ModeId::MissionFailed => self.failed_page(),
            ModeId::ArcadeGameOver => self.game_over_page(),
            ModeId::ArenaResult => self.result_page(),
            _ => Screen::default(),
        }
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
        let has_people = self.people.is_some();
        let players = self.players_of(Play::Arena(1));
        if !has_people {
            screen.line(format_args!("WITHOUT THE DISC THERE IS NOBODY TO FIGHT."));
        } else if !self.can_share() {
            screen.line(format_args!("FOR TWO PLAYERS CONNECT A SECOND CONTROLLER."));
        }
        screen.line(format_args!("KNOCK THE OTHER OUT, OR HAVE MORE LEFT"));
        screen.line(format_args!("AFTER {SECONDS_A_ROUND} SECONDS."));
        for rounds in ROUNDS {
            screen.row(
                if rounds == 1 {
                    "ONE ROUND"
                } else if rounds == 3 {
                    "THREE ROUNDS"
                } else {
                    "FIVE ROUNDS"
                },
                format_args!(""),
                has_people,
            );
        }
        let other = if players > 1 { "PLAYER 2" } else { "THE COMPUTER" };
        screen.row("AGAINST", format_args!("{other}"), self.can_share());
        screen.foot(CHOOSE_AND_BACK);
        screen
    }

    /// The row behind the rounds was changed: who the other fighter is, where two can play.
    fn change_opponent(&mut self, item: u8) {
        if usize::from(item) == ROUNDS.len() && self.can_share() {
            self.modes.alone = !self.modes.alone;
        }
    }

    fn statistics_page(&self) -> Screen {
        let mut screen = Screen::new(Backdrop::Night, "STATISTICS");
        let figures = self.state.statistics.figures();
        let [counts @ .., (_, seconds)] = figures;
        for (name, figure) in counts {
            screen.row(name, format_args!("{figure}"), true);
        }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        screen.row("TIME PLAYED", format_args!("{hours}:{minutes:02}:{:02}", seconds % 60), true);
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

    /// The failed menu, over which somebody says what went wrong.
    fn failed_page(&self) -> Screen {
        let mut screen = two("MISSION FAILED", "AGAIN", "BACK TO THE TITLE");
        screen.line(format_args!("{}", failure_line(self.rules.play(), self.rules.is_knocked_out())));
        screen
    }

    /// The arena's end for who has not won against the computer.
    fn game_over_page(&self) -> Screen {
        let arena = self.rules.arena.unwrap_or_default();
        let heading = if arena.leader().is_none() { "NOBODY WINS" } else { "GAME OVER" };
        let mut screen = two(heading, "AGAIN", "BACK TO THE TITLE");
        let [own, other] = arena.won();
        screen.line(format_args!("ROUNDS: {own} FOR YOU, {other} FOR THE OTHER"));
        screen
    }

    /// The arena's result.
    fn result_page(&self) -> Screen {
        let arena = self.rules.arena.unwrap_or_default();
        let heading = match (arena.leader(), arena.players()) {
            (None, _) => "NOBODY WINS",
            (Some(0), 1) => "YOU WIN",
            (Some(0), _) => "PLAYER 1 WINS",
            (Some(_), _) => "PLAYER 2 WINS",
        };
        let mut screen = two(heading, "AGAIN", "BACK TO THE TITLE");
        let [first, second] = arena.won();
        if arena.players() > 1 {
            screen.line(format_args!("ROUNDS: {first} FOR PLAYER 1, {second} FOR PLAYER 2"));
        } else {
            screen.line(format_args!("ROUNDS: {first} FOR YOU, {second} FOR THE OTHER"));
        }
        let money = self.rules.mission().map_or(0, |mission| mission.money);
        if arena.leader().is_some() {
            screen.line(format_args!("{money} FOR THE BANK"));
        }
        screen
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
                self.turn_to(Page::Options, 0);
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
        push_save_if_due(self);
        Stay::Stay
    }
}

/// What is said about a failure: of a mission whose time ran out, or whose player is out.
///
/// Source: seed 003, Game mode (mode 0xc: the disc jockey's failure line). Our choice of who says it: the friend who waits at
/// the end.
pub(super) const fn failure_line(play: Option<Play>, knocked_out: bool) -> &'static str {
    match (play, knocked_out) {
        (_, true) => "JO: GET UP, YOU. THE NIGHT IS LONG.",
        (Some(Play::Mission(0)), _) => "JO: I STOOD THERE UNTIL THE LAMP WENT OUT.",
        (Some(Play::Mission(1)), _) => "JO: MY GRANDMOTHER THROWS FASTER.",
        _ => "JO: EVEN THE GULLS HAVE GONE HOME BY NOW.",
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
        if mode == ModeId::ProfileManager {
            self.step_front_end();
            if self.modes.page == Page::Front && self.keep_settings() {
                return;
            }
        }
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
            ModeId::ProfileManager => match self.modes.page {
                Page::Options => self.change_setting(item, up),
                Page::Picture => self.change_picture(item, up),
                Page::Front | Page::FirstStart => {}
            },
            ModeId::ArenaMenus => self.change_opponent(item),
            ModeId::Pause if item >= pause::SETTINGS => self.change_setting(item - pause::SETTINGS, up),
            _ => {}
        }
    }
    fn choose(&mut self, mode: ModeId, item: u8) -> Stay {
        match mode {
            ModeId::ProfileManager => {
                match self.modes.page {
                    Page::Front => return self.choose_on_front_page(item),
                    Page::Options => self.choose_option(item),
                    Page::Picture => self.choose_picture(item),
                    Page::FirstStart => self.choose_first(item),
                }
                Stay::Stay
            }
            ModeId::MissionSelect if item < MISSION_COUNT => self.begin(Play::Mission(item)),
            ModeId::ArenaMenus => match ROUNDS.get(usize::from(item)) {
                Some(rounds) => self.begin(Play::Arena(*rounds)),
                None => {
                    self.change_opponent(item);
                    Stay::Stay
                }
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
        if mode == ModeId::ProfileManager {
            self.leave_page();
        }
    }
}
