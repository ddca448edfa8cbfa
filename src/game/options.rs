//! The options: what the settings' pages offer, how the picture is chosen, and the way back from a choice that is not seen.
//!
//! A screen that does not know a mode shows nothing, so another mode is a [`Trial`]: it stays when somebody says so and
//! goes by itself when nobody does. Everything here is kept in the settings, which go to the card when the title's list comes
//! back; without one they last until the console is switched off.

use super::Game;
use super::machine::Machine;
use super::menus::Page;
use super::screens::{Backdrop, Screen};
use super::state::{DIFFICULTY_NAMES, LOUDEST, Layout, Scheme};
use super::words::LANGUAGES;
use crate::ee::video::{Shape, Trial, Verdict, VideoMode, VideoOptions};
use crate::game_modes::{ModeId, ScreenHost as _};

/// The settings, in the order of their rows.
mod setting {
    pub const MUSIC: u8 = 0;
    pub const EFFECTS: u8 = 1;
    pub const SCHEME: u8 = 2;
    pub const RUMBLE: u8 = 3;
    pub const INVERTED: u8 = 4;
    pub const CAPTIONS: u8 = 5;
    pub const DIFFICULTY: u8 = 6;
    pub const BUTTONS: u8 = 7;
    pub const LANGUAGE: u8 = 8;
    /// Frames a second and the like.
    pub const COUNTER: u8 = 9;
    /// Behind the settings: the page of the picture.
    pub const PICTURE: u8 = 10;
    /// Behind that: the self-test, which ends the game.
    pub const SELF_TEST: u8 = 11;
}

/// The row of the controls, for those who explain them.
pub(super) const CONTROLS: u8 = setting::SCHEME;

/// What the buttons of each scheme do, as far as the schemes differ.
const KEYS: [&[&str]; 2] = [
    &["STICK: WALK AND RUN   L2: SPRINT", "TRIANGLE: JUMP AT A RUN, ELSE TAKE"],
    &[
        "STICK: WALK AND TURN   L2: RUN   R2: TAKE",
        "LEFT, RIGHT: STEP   DOWN: CROUCH   UP: SIT",
        "HOLD TRIANGLE: CHARGE A JUMP   L1: STANCE",
    ],
];

/// The picture's rows.
mod picture {
    pub const MODE: u8 = 0;
    pub const SHAPE: u8 = 1;
    pub const SIDE: u8 = 2;
    pub const HEIGHT: u8 = 3;
}

/// Strength and seconds with which a controller says that it may shake now.
const RUMBLE_SAMPLE: (f32, f32) = (0.7, 0.3);
/// Frames that the first start's question waits for an answer: without one the picture stays as it is.
const FIRST_START_FRAMES: u32 = 20 * 30;
/// The answer that keeps a mode on trial.
const KEEP: u8 = 0;

const fn on_off(on: bool) -> &'static str {
    if on { "ON" } else { "OFF" }
}

/// What a person calls a mode.
const fn mode_name(mode: VideoMode) -> &'static str {
    match mode {
        VideoMode::Ntsc => "60 HZ",
        VideoMode::Pal => "50 HZ",
        VideoMode::Progressive => "480P",
    }
}

/// One step up or down among `count` values, around the ends.
const fn turn(value: u8, count: u8, up: bool) -> u8 {
    (value + if up { 1 } else { count - 1 }) % count
}

impl<M: Machine> Game<M> {
    /// The picture as it is chosen, or as the console's region has it.
    pub(super) fn video(&self) -> VideoOptions {
        self.state.settings.video.unwrap_or(VideoOptions::new(self.options.mode))
    }

    /// Shows the picture in another way without choosing it yet.
    fn show_video(&mut self, video: VideoOptions) {
        self.machine.set_video(video);
    }

    fn choose_video(&mut self, video: VideoOptions) {
        self.keep_video(video);
        self.show_video(video);
    }

    /// Notes the picture that somebody has chosen.
    fn keep_video(&mut self, video: VideoOptions) {
        self.state.settings.video = Some(video);
        self.modes.settings_changed = true;
    }

    /// Does what the settings say that is not looked at in every frame: after a save was read, or all was forgotten.
    pub(super) fn apply_settings(&mut self) {
        self.show_video(self.video());
        self.load_language();
    }

    /// The rows of the settings that the options and the pause menu share.
    pub(super) fn setting_rows(&self, screen: &mut Screen) {
        let settings = &self.state.settings;
        let scheme = match settings.scheme {
            Scheme::Direct => "DIRECT",
            Scheme::Commands => "COMMANDS",
        };
        let buttons = match settings.layout {
            Layout::Standard => "STANDARD",
            Layout::Turned => "TURNED",
        };
        let difficulty = DIFFICULTY_NAMES.get(usize::from(settings.difficulty)).copied().unwrap_or_default();
        let language = LANGUAGES.get(usize::from(settings.language)).map_or("", |language| language.name);
        screen.row("MUSIC", format_args!("{}", settings.music), true);
        screen.row("EFFECTS", format_args!("{}", settings.effects), true);
        screen.row("CONTROLS", format_args!("{scheme}"), true);
        screen.row("RUMBLE", format_args!("{}", on_off(settings.rumble)), true);
        screen.row("INVERT LOOKING", format_args!("{}", on_off(settings.inverted)), true);
        screen.row("CAPTIONS", format_args!("{}", on_off(settings.captions)), true);
        screen.row("DIFFICULTY", format_args!("{difficulty}"), true);
        screen.row("BUTTONS", format_args!("{buttons}"), true);
        screen.row("LANGUAGE", format_args!("{language}"), true);
        screen.row("FRAME COUNTER", format_args!("{}", on_off(settings.counter)), true);
    }

    /// Explains the buttons of the scheme that is set.
    pub(super) fn explain_controls(&self, screen: &mut Screen) {
        KEYS[usize::from(self.state.settings.scheme == Scheme::Commands)].iter().for_each(|keys| screen.note(keys));
    }

    pub(super) fn options_page(&self) -> Screen {
        let mut screen = Screen::new(Backdrop::Night, "OPTIONS");
        self.setting_rows(&mut screen);
        screen.row("PICTURE", format_args!(""), true);
        screen.row("SELF-TEST", format_args!(""), true);
        screen.foot("LEFT, RIGHT: CHANGE   TRIANGLE: BACK");
        screen
    }

    /// The picture's page, or the question whether a mode on trial can be seen.
    pub(super) fn picture_page(&self) -> Screen {
        if let Some((_, left)) = self.modes.trial {
            let mut screen = Screen::new(Backdrop::Night, "CAN YOU SEE THIS?");
            screen.line(format_args!("OTHERWISE THE OLD PICTURE COMES BACK"));
            screen.line(format_args!("IN {left} SECONDS."));
            screen.row("KEEP IT", format_args!(""), true);
            screen.row("BACK TO THE OLD ONE", format_args!(""), true);
            return screen;
        }
        let video = self.video();
        let shape = match video.shape {
            Shape::Standard => "4:3",
            Shape::Wide => "16:9",
        };
        let mut screen = Screen::new(Backdrop::Night, "PICTURE");
        screen.row("MODE", format_args!("{}", mode_name(video.mode)), true);
        screen.row("SCREEN", format_args!("{shape}"), true);
        screen.row("TO THE SIDE", format_args!("{:+}", video.shift.0), true);
        screen.row("UP AND DOWN", format_args!("{:+}", video.shift.1), true);
        screen.foot("LEFT, RIGHT: CHANGE   TRIANGLE: BACK");
        screen
    }

    /// The question of the first start.
    pub(super) fn first_start_page(&self) -> Screen {
        let mut screen = Screen::new(Backdrop::Night, "YOUR SCREEN");
        screen.line(format_args!("WHICH PICTURE DOES IT TAKE?"));
        screen.line(format_args!("IT CAN BE CHANGED IN THE OPTIONS."));
        for mode in VideoMode::ALL {
            let cable = if mode == VideoMode::Progressive { "COMPONENT CABLE" } else { "" };
            screen.row(mode_name(mode), format_args!("{cable}"), true);
        }
        screen.foot("CROSS: CHOOSE   TRIANGLE: AS IT IS");
        screen
    }

    /// Changes a setting; around the ends when a button of one kind has to do.
    pub(super) fn change_setting(&mut self, number: u8, up: bool) {
        let difficulties = self.state.difficulties();
        self.modes.settings_changed = true;
        let s = &mut self.state.settings;
        match number {
            setting::MUSIC => s.music = turn(s.music, LOUDEST + 1, up),
            setting::EFFECTS => s.effects = turn(s.effects, LOUDEST + 1, up),
            setting::SCHEME => {
                s.scheme = if s.scheme == Scheme::Direct { Scheme::Commands } else { Scheme::Direct };
            }
            setting::RUMBLE => {
                s.rumble = !s.rumble;
                self.rumble.shake(0, RUMBLE_SAMPLE.0, RUMBLE_SAMPLE.1);
            }
            setting::COUNTER => s.counter = !s.counter,
            setting::INVERTED => s.inverted = !s.inverted,
            setting::CAPTIONS => s.captions = !s.captions,
            setting::DIFFICULTY => s.difficulty = turn(s.difficulty, difficulties, up),
            setting::BUTTONS => {
                s.layout = if s.layout == Layout::Standard { Layout::Turned } else { Layout::Standard };
            }
            setting::LANGUAGE => {
                s.language = turn(s.language, LANGUAGES.len() as u8, up);
                self.load_language();
            }
            _ => {}
        }
    }

    /// An item of the options was chosen.
    pub(super) fn choose_option(&mut self, item: u8) {
        match item {
            setting::PICTURE => self.turn_to(Page::Picture, 0),
            // The self-test ends the game, so that what was chosen goes to the card first.
            setting::SELF_TEST if self.keep_settings() => self.modes.self_test_due = true,
            setting::SELF_TEST => self.leave_for_self_test(),
            _ => self.change_setting(item, true),
        }
    }

    /// Leads from an inner page to the outer one.
    pub(super) fn leave_page(&mut self) {
        match self.modes.page {
            Page::Picture if self.modes.trial.is_some() => self.judge_trial(Some(false)),
            Page::Picture => self.turn_to(Page::Options, setting::PICTURE),
            Page::FirstStart if self.modes.trial.is_some() => self.judge_trial(Some(false)),
            Page::FirstStart => {
                self.keep_video(self.video());
                self.turn_to(Page::Front, 0);
            }
            Page::Options => self.turn_to(Page::Front, super::menus::front::OPTIONS),
            Page::Front => {}
        }
    }

    /// Shows a page of the front end with the cursor on an item.
    pub(super) fn turn_to(&mut self, page: Page, item: u8) {
        self.modes.page = page;
        let mut menu = self.open_menu(ModeId::ProfileManager);
        menu.set_cursor(item);
        *self.menu(ModeId::ProfileManager) = menu;
    }

    /// Changes what the picture's page shows; does nothing while a mode is on trial.
    pub(super) fn change_picture(&mut self, item: u8, up: bool) {
        if self.modes.trial.is_some() {
            return;
        }
        let video = self.video();
        let step = if up { 1 } else { -1 };
        match item {
            picture::MODE => {
                let count = VideoMode::ALL.len() as u8;
                let mode = VideoMode::ALL[usize::from(turn(video.mode as u8, count, up))];
                self.begin_trial(VideoOptions { mode, ..video });
            }
            picture::SHAPE => {
                let shape = if video.shape == Shape::Standard { Shape::Wide } else { Shape::Standard };
                self.choose_video(VideoOptions { shape, ..video });
            }
            picture::SIDE => self.choose_video(video.moved(step, 0)),
            picture::HEIGHT => self.choose_video(video.moved(0, step)),
            _ => {}
        }
    }

    /// An item of the picture's page was chosen, or the answer to its question.
    pub(super) fn choose_picture(&mut self, item: u8) {
        if self.modes.trial.is_some() {
            self.judge_trial(Some(item == KEEP));
        } else {
            self.change_picture(item, true);
        }
    }

    /// The first start's question was answered.
    pub(super) fn choose_first(&mut self, item: u8) {
        if self.modes.trial.is_some() {
            self.judge_trial(Some(item == KEEP));
            return;
        }
        let Some(mode) = VideoMode::ALL.get(usize::from(item)).copied() else { return };
        let (before, wanted) = (self.video(), VideoOptions { mode, ..self.video() });
        if Trial::is_needed(before, wanted) {
            self.begin_trial(wanted);
        } else {
            self.choose_video(wanted);
            self.turn_to(Page::Front, 0);
        }
    }

    /// The first start's question is due: nobody has chosen a picture, and nobody was asked.
    pub(super) fn asks_for_screen(&mut self) -> bool {
        let asks = self.state.settings.video.is_none() && !self.options.skip_movies && self.options.play.is_none();
        asks && core::mem::replace(&mut self.modes.first_start, FIRST_START_FRAMES) == 0
    }

    fn begin_trial(&mut self, wanted: VideoOptions) {
        let trial = Trial::new(self.video(), wanted);
        self.show_video(wanted);
        self.machine.print(format_args!("VIDEO {} on trial", mode_name(wanted.mode)));
        self.modes.trial = Some((trial, crate::ee::video::TRIAL_SECONDS));
        // Whoever presses without seeing anything gets the old picture back.
        self.turn_to(self.modes.page, KEEP + 1);
    }

    /// A frame of a mode on trial, with a person's answer if there was one.
    fn judge_trial(&mut self, answer: Option<bool>) {
        let Some((trial, left)) = &mut self.modes.trial else { return };
        let video = match trial.frame(answer) {
            Verdict::Open(seconds) => {
                *left = seconds;
                return;
            }
            Verdict::Kept(video) => {
                self.keep_video(video);
                video
            }
            Verdict::Back(video) => {
                self.show_video(video);
                video
            }
        };
        self.modes.trial = None;
        self.machine.print(format_args!("VIDEO {}", mode_name(video.mode)));
        match self.modes.page {
            Page::FirstStart if self.state.settings.video == Some(video) => self.turn_to(Page::Front, 0),
            page => self.turn_to(page, 0),
        }
    }

    /// A frame of the front end passes: a mode on trial comes nearer to its end, and so does a question without an answer.
    pub(super) fn step_front_end(&mut self) {
        if core::mem::take(&mut self.modes.self_test_due) {
            self.leave_for_self_test();
        }
        if self.modes.trial.is_some() {
            self.judge_trial(None);
        } else if self.modes.page == Page::FirstStart {
            self.modes.first_start = self.modes.first_start.saturating_sub(1).max(1);
            if self.modes.first_start == 1 {
                self.turn_to(Page::Front, 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, game};
    use super::super::machine::Rumble;
    use super::*;
    use crate::boot::start::StartHost as _;
    use crate::ee::video::TRIAL_SECONDS;
    use std::boxed::Box;
    use std::string::ToString as _;

    fn at(page: Page) -> Box<FakeGame> {
        let mut game = game();
        game.initialize_subsystems().unwrap();
        game.turn_to(page, 0);
        game
    }

    fn words(game: &mut FakeGame) -> std::string::String {
        game.menu_screen(ModeId::ProfileManager).to_string()
    }

    #[test]
    fn another_mode_comes_back_by_itself_unless_somebody_says_that_it_is_seen() {
        let mut game = at(Page::Picture);
        let before = game.video();
        game.change_picture(picture::MODE, true);
        assert_eq!(game.machine.video.mode, VideoMode::Pal);
        assert!(words(&mut game).contains("> BACK TO THE OLD ONE"), "{}", words(&mut game));
        for _ in 0..TRIAL_SECONDS * 30 {
            game.step_front_end();
        }
        assert_eq!((game.machine.video, game.state.settings.video), (before, None));
        game.change_picture(picture::MODE, true);
        game.choose_picture(KEEP);
        for _ in 0..TRIAL_SECONDS * 30 {
            game.step_front_end();
        }
        assert_eq!(game.machine.video.mode, VideoMode::Pal);
        assert_eq!(game.state.settings.video.map(|video| video.mode), Some(VideoMode::Pal));
    }

    #[test]
    fn shape_and_place_change_at_once_and_only_as_far_as_the_screen_goes() {
        let mut game = at(Page::Picture);
        game.change_picture(picture::SHAPE, true);
        for _ in 0..99 {
            game.change_picture(picture::SIDE, true);
            game.change_picture(picture::HEIGHT, false);
        }
        assert_eq!((game.machine.video.shape, game.machine.video.shift), (Shape::Wide, (16, -16)));
        assert_eq!(game.video().stretch(), 0.75);
    }

    #[test]
    fn the_first_start_asks_once_and_takes_silence_for_as_it_is() {
        let mut game = at(Page::Front);
        game.options.skip_movies = false;
        assert!(game.asks_for_screen());
        game.turn_to(Page::FirstStart, 0);
        for _ in 0..FIRST_START_FRAMES {
            game.step_front_end();
        }
        assert_eq!((game.modes.page, game.state.settings.video), (Page::Front, None));
        assert!(!game.asks_for_screen(), "once");
        let mut game = at(Page::FirstStart);
        game.choose_first(0);
        assert_eq!((game.modes.page, game.state.settings.video), (Page::Front, Some(game.video())));
        let mut game = at(Page::FirstStart);
        game.choose_first(2);
        assert_eq!(game.machine.video.mode, VideoMode::Progressive);
        game.choose_first(KEEP + 1);
        assert_eq!((game.machine.video.mode, game.modes.page), (VideoMode::Ntsc, Page::FirstStart));
    }

    #[test]
    fn the_options_lead_to_the_self_test() {
        let mut game = at(Page::Options);
        game.choose_option(setting::SELF_TEST);
        assert!(game.is_over() && game.is_self_test_wanted());
    }

    #[test]
    fn a_controller_shows_that_it_may_shake_and_never_shakes_when_it_may_not() {
        let mut game = at(Page::Options);
        game.change_setting(setting::RUMBLE, true);
        game.step_rumble();
        assert_eq!(game.machine.rumbles, [], "it is off now");
        game.change_setting(setting::RUMBLE, true);
        game.step_rumble();
        assert!(matches!(game.machine.rumbles[..], [(0, Rumble { large: 100.., .. })]), "{:?}", game.machine.rumbles);
        for _ in 0..30 {
            game.step_rumble();
        }
        assert_eq!(game.machine.rumbles.last(), Some(&(0, Rumble::default())));
    }
}
