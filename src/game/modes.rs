//! What the modes do that run or end a level.

use super::Game;
use super::characters_load;
use super::level::Level;
use super::machine::{Machine, MissingModule};
use super::missions::Place;
use super::rules::Rules;
use super::screens::{Backdrop, Screen};
use super::sound::Tune;
use crate::audio::cues::Utterance;
use crate::audio::{Cue, Source};
use crate::clock::StopWatch;
use crate::file_io::{Fault, StreamDevice as _};
use crate::game_modes::frame::FrameHost;
use crate::game_modes::leave::{LeaveHost, LeaveReason, push_save_if_due};
use crate::game_modes::menu::MenuEvent;
use crate::game_modes::{
    ArcadeGameOver, ArenaMenus, ArenaResult, ErrorScreen, FailedChoice, Freeze, FreezeHost, Gameplay, GameplayHost,
    LegalHost, LegalScreen, LevelFlow, LevelFlowHost, MissionComplete, MissionFailed, MissionHost, MissionSelect,
    ModeClock, ModeHost, ModeId, ModeStack, ModeTable, Pause, PauseHost, PauseOutcome, ProfileManager, SaveScreens,
    ScreenHost, Statistics, effect, memory_card::MemoryCard, memory_card::Task, pop, push, push_error_if_needed,
};
use crate::pads::button;
use crate::tasks::clock::Phase;
use alloc::boxed::Box;

/// A function of the script table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The level's end is shown: pushes the mode that fits.
    ShowEnd,
}

/// Whose voice goes with the words about a failure. Source: [`Cue::Voice`], a number of who it is.
const SPEAKERS_VOICE: u8 = 2;

impl<M: Machine> ModeHost for Game<M> {
    const MODES: &'static ModeTable<Self> = &ModeTable::new()
        .with::<Gameplay>()
        .with::<LegalScreen>()
        .with::<MemoryCard>()
        .with::<SaveScreens>()
        .with::<LevelFlow>()
        .with::<Pause>()
        .with::<MissionComplete>()
        .with::<MissionFailed>()
        .with::<ArcadeGameOver>()
        .with::<Freeze<Function>>()
        .with::<ErrorScreen>()
        .with::<MissionSelect>()
        .with::<ArenaMenus>()
        .with::<ProfileManager>()
        .with::<Statistics>()
        .with::<ArenaResult>();

    fn stack(&self) -> &ModeStack {
        &self.stack
    }
    fn stack_mut(&mut self) -> &mut ModeStack {
        &mut self.stack
    }
    fn clock(&self, clock: ModeClock) -> u64 {
        match clock {
            ModeClock::Real => self.real,
            ModeClock::Game => self.clock.ticks(),
        }
    }
    fn screen_effect(&self, viewport: usize) -> u32 {
        self.modes.effects.get(viewport).copied().unwrap_or(0)
    }
    fn set_screen_effect(&mut self, viewport: usize, effect: u32) {
        if let Some(place) = self.modes.effects.get_mut(viewport) {
            *place = effect;
        }
    }
}

impl<M: Machine> Game<M> {
    /// Pushes a mode; a refusal is reported.
    pub(super) fn push_mode(&mut self, mode: ModeId) -> bool {
        match push(self, mode) {
            Ok(()) => true,
            Err(error) => {
                LeaveHost::report(self, error);
                false
            }
        }
    }

    /// Pops every mode above the level flow.
    pub(super) fn return_to_title(&mut self) {
        while self.stack.top().is_some_and(|top| top != ModeId::LevelFlow) {
            pop(self);
        }
        self.modes.next = None;
        self.modes.page = super::Page::Front;
        if self.modes.card.task == Task::BootCheck {
            // The card is looked at before anything is played: a later save would load over what was won.
            self.push_mode(ModeId::MemoryCard);
        } else {
            // What was won just now is neither lost nor unsaved: the card comes before the title, as after any mission.
            self.save_if_due();
        }
    }

    /// What a level has brought is banked and saved, when it is due.
    fn save_if_due(&mut self) {
        if self.modes.save_due {
            LeaveHost::unlock_fourth_difficulty(self);
            LeaveHost::bank_money(self);
            push_save_if_due(self);
        }
    }

    /// The fault that keeps a file from coming.
    pub(super) fn disc_fault(&self) -> Option<Fault> {
        let files = self.files.system.as_ref()?;
        // Music is read without anybody here waiting for it.
        files.fault().or_else(|| files.device().drive_fault())
    }

    /// Tells whoever listens to the console which fault of the disc is shown, each time that it is another one.
    pub(super) fn tell_fault(&mut self) {
        let Some(fault) = self.disc_fault() else { return };
        if self.modes.told_fault.replace(fault) != Some(fault) {
            self.machine.print(format_args!("DISC {fault}: shown"));
        }
    }

    /// True while somebody plays, and no menu is up.
    pub(super) fn is_played(&self) -> bool {
        self.stack.top() == Some(ModeId::Gameplay)
    }

    /// True while a missing controller matters: not before the first mode, under the legal screen, which nobody could act on,
    /// nor while the card is busy, which is not to be interrupted.
    pub(super) fn watches_controller(&self) -> bool {
        self.stack.top().is_some_and(|top| !matches!(top, ModeId::LegalScreen | ModeId::MemoryCard))
    }

    /// What the error mode says.
    pub(super) fn fault_screen(&self) -> Screen {
        match self.disc_fault() {
            Some(fault) => disc_fault_screen(fault),
            None if self.input.shared && self.input.missing_port() == Some(1) => {
                trouble_screen(format_args!("A CONTROLLER IS MISSING."), CONNECT_SECOND)
            }
            None => trouble_screen(format_args!("THERE IS NO CONTROLLER."), CONNECT_IT),
        }
    }

    /// What a program says that was started without its disc in the drive.
    pub(super) fn disc_screen(own: Option<&MissingModule>) -> Screen {
        let mut screen = Screen::new(Backdrop::Dark, "BOARDWALK");
        for line in
            ["", "THE GAME'S DISC IS NOT IN THE DRIVE.", "", "PLEASE INSERT THE GAME'S DISC", "AND CLOSE THE TRAY."]
        {
            screen.line(format_args!("{line}"));
        }
        if let Some(MissingModule { name, error }) = own {
            // With the disc in the drive it is this that is wrong.
            screen.line(format_args!(""));
            screen.line(format_args!("{name}: {error}"));
        }
        screen.foot("TRIANGLE: GO ON WITHOUT");
        screen
    }

    /// What a console is told of that does not load one of its own modules.
    pub(super) fn module_screen(missing: &MissingModule) -> Screen {
        let mut screen = Screen::new(Backdrop::Dark, "BOARDWALK");
        screen.line(format_args!(""));
        screen.line(format_args!("A MODULE OF THE CONSOLE DOES NOT LOAD:"));
        screen.line(format_args!("{}", missing.name));
        screen.line(format_args!("{}", missing.error));
        screen.line(format_args!(""));
        screen.line(format_args!("WHAT NEEDS IT WILL BE MISSING."));
        screen.foot("CROSS: GO ON WITHOUT");
        screen
    }

    /// What stands over the world in the mode on top.
    pub(super) fn overlay_screen(&mut self) -> Screen {
        match self.stack.top() {
            Some(mode @ (ModeId::ArcadeGameOver | ModeId::ArenaResult | ModeId::MissionFailed)) => {
                self.menu_screen(mode)
            }
            Some(ModeId::MissionComplete) => {
                let mut screen = Screen::new(Backdrop::World, "MISSION COMPLETE");
                let money = self.rules.mission().map_or(0, |mission| mission.money);
                screen.line(format_args!(""));
                screen.line(format_args!("{} SECONDS", self.rules.seconds()));
                screen.line(format_args!("{money} FOR THE BANK"));
                screen.foot("CROSS: GO ON");
                screen
            }
            _ => Screen::default(),
        }
    }
}

/// What helps against a fault of the disc, against a module that does not answer, and against a missing controller.
const INSERT_IT: [&str; 2] = ["PLEASE INSERT THE GAME'S DISC", "AND CLOSE THE TRAY."];
const WAIT_FOR_IT: [&str; 2] = ["PLEASE WAIT. IF THIS STAYS,", "START THE CONSOLE ANEW."];
const CONNECT_IT: [&str; 2] = ["PLEASE CONNECT A DUALSHOCK 2", "TO CONTROLLER PORT 1."];

const CONNECT_SECOND: [&str; 2] = ["PLEASE CONNECT A DUALSHOCK 2", "TO CONTROLLER PORT 2."];

/// What is said of a fault of the disc.
pub(super) fn disc_fault_screen(fault: Fault) -> Screen {
    // The typeface and the languages' files know capitals.
    let mut words = heapless::String::<48>::new();
    // Faults are shorter.
    let _written = core::fmt::Write::write_fmt(&mut words, format_args!("{fault}"));
    words.make_ascii_uppercase();
    let help = if matches!(fault, Fault::Silent | Fault::NoMemory) { WAIT_FOR_IT } else { INSERT_IT };
    trouble_screen(format_args!("{words}"), help)
}

/// What is wrong, and what helps.
fn trouble_screen(what: core::fmt::Arguments<'_>, help: [&str; 2]) -> Screen {
    let mut screen = Screen::new(Backdrop::Dark, "ONE MOMENT");
    screen.line(what);
    screen.line(format_args!(""));
    for line in help {
        screen.line(format_args!("{line}"));
    }
    screen.foot("THE GAME GOES ON BY ITSELF");
    screen
}

impl<M: Machine> LegalHost for Game<M> {
    fn legal(&mut self) -> &mut LegalScreen {
        &mut self.modes.legal
    }
    fn draw_legal_screen(&mut self) {
        let screen = legal_screen();
        self.show(screen);
    }
    fn wait_frame(&mut self) {
        // The picture stays; a frame of it costs no more than waiting for one.
        let screen = legal_screen();
        self.show(screen);
        self.read_input();
    }
}

/// The legal screen's words.
fn legal_screen() -> Screen {
    let mut screen = Screen::new(Backdrop::Dark, "BOARDWALK");
    for line in [
        "FREE SOFTWARE: MIT OR APACHE 2.0.",
        "EVERYTHING HERE IS MADE FOR THIS GAME.",
        "",
        "PLAYSTATION IS A TRADEMARK OF ITS OWNER,",
        "WITH WHOM THIS GAME HAS NOTHING TO DO.",
        "",
        "IF LIGHT THAT FLASHES HAS MADE YOU FEEL ILL,",
        "ASK A DOCTOR BEFORE YOU PLAY.",
    ] {
        screen.line(format_args!("{line}"));
    }
    screen
}

impl<M: Machine> FreezeHost for Game<M> {
    type Function = Function;
    fn freeze(&mut self) -> &mut Freeze<Function> {
        &mut self.modes.freeze
    }
    fn call(&mut self, function: Function) {
        match function {
            Function::ShowEnd => self.show_end(),
        }
    }
}

impl<M: Machine> LevelFlowHost for Game<M> {
    fn use_real_time(&mut self) {
        self.clock.set_fixed(false, self.real);
    }
    fn load_front_end(&mut self) {
        self.level = None;
        self.unload_world();
        self.modes.page = if self.asks_for_screen() { super::Page::FirstStart } else { super::Page::Front };
        self.modes.next = self.options.play;
    }
    fn push_next_mode(&mut self) {
        match self.modes.next.take() {
            // What was won in a level that was left in a hurry is saved before anything else begins.
            next if self.modes.save_due => {
                self.modes.next = next;
                self.save_if_due();
            }
            Some(play) => {
                self.modes.last = Some(play);
                self.push_mode(ModeId::Gameplay);
            }
            None => {
                self.play_tune(Tune::Title);
                self.push_mode(ModeId::ProfileManager);
            }
        }
    }
}

impl<M: Machine> GameplayHost for Game<M> {
    fn gameplay(&mut self) -> &mut Gameplay {
        &mut self.modes.gameplay
    }
    fn prepare_level(&mut self) {
        self.modes.next = None;
        self.modes.outcome = None;
    }
    fn hold_time(&mut self) {
        self.clock.hold();
    }
    fn release_time(&mut self) {
        // It was held just now, so that this is its end.
        let _ended = self.clock.toggle_pause(self.real);
    }
    fn read_pads(&mut self) {
        self.read_input();
    }
    fn load_level(&mut self) {
        self.begin_level();
    }
    fn start_level(&mut self) {
        self.clock.reset(self.real);
        self.stop_watch = StopWatch::countdown(self.rules.seconds_left().saturating_mul(1000));
        self.stop_watch.start(self.clock.ticks());
        effect::dim(self, effect::DARKEST);
    }
    fn restart_ticks(&mut self) {
        self.advance_real_time();
        self.clock.skip_to(self.real);
        if let Some(tasks) = self.tasks.as_deref_mut() {
            tasks.ticks.restart();
        }
        // The next frame may be too short for a step that reads the pads: a button that led here is not pressed again in it.
        self.input.pads.refresh();
    }
    fn push_pause_if_asked(&mut self) {
        // What is called out is heard to its end; a lesson ends for the pause.
        if !self.input.pads.any_pressed(button::START) || self.is_held_by_caption() {
            return;
        }
        if self.clock.is_frozen() {
            let _ended = self.clock.toggle_pause(self.real);
        }
        self.push_mode(ModeId::Pause);
    }
    fn unload_level(&mut self) {
        self.keep_win();
        self.stop_watch.stop(self.clock.ticks());
        let _reset = self.with_tasks(characters_load::reset);
        self.level = None;
        self.unload_world();
        self.end_level_sound();
        self.staging.clear();
        self.rules = Rules::default();
        self.input.shared = false;
        if let Some(captions) = self.captions.as_deref_mut() {
            captions.clear_all();
        }
        self.hints = Default::default();
    }
}

impl<M: Machine> Game<M> {
    /// Makes a level; the sector pool pays for it. What the disc does not have is the yard.
    ///
    /// # Errors
    /// The disc has the level, and it did not come.
    pub(super) fn make_level(&mut self, place: Place) -> Result<Box<Level>, &'static str> {
        if self.load_from_disc(place)?
            && let Some(level) = self.world.level()
        {
            return Ok(Box::new(Level::of_disc(place, level)));
        }
        let sector = self.pools.sector.map(|pools| pools.sector);
        Ok(self.with_pool(sector, |_| Box::new(Level::yard(place))))
    }
}

impl<M: Machine> MissionHost for Game<M> {
    fn mission_complete(&mut self) -> &mut MissionComplete {
        &mut self.modes.complete
    }
    fn mission_reason(&self) -> Option<LeaveReason> {
        // The mode leaves for its kind when the player has seen that the mission is complete.
        self.modes.complete.reason.filter(|_| self.input.pads.any_pressed(button::CROSS))
    }
    fn unlock_and_load(&mut self) {
        self.modes.outcome = None;
        self.count_win();
    }
    fn play_failure_line(&mut self) {
        let _plays = self.audio.cue(Cue::Voice(SPEAKERS_VOICE, Utterance::Effort), Source::MIDDLE);
        let menu = self.open_menu(ModeId::MissionFailed);
        *self.menu(ModeId::MissionFailed) = menu;
    }
    fn run_failed_menu(&mut self) -> Option<FailedChoice> {
        match self.run_menu(ModeId::MissionFailed) {
            MenuEvent::Chosen(0) => Some(FailedChoice::Retry),
            MenuEvent::Chosen(_) => Some(FailedChoice::Quit),
            _ => None,
        }
    }
    fn select_same_level(&mut self) {
        self.modes.next = self.modes.last;
    }
    fn select_front_end(&mut self) {
        self.modes.next = None;
    }
}

impl<M: Machine> PauseHost for Game<M> {
    fn pause(&mut self) -> &mut Pause {
        &mut self.modes.pause
    }
    fn is_time_paused(&self) -> bool {
        self.clock.is_paused()
    }
    fn toggle_time(&mut self) {
        if self.clock.toggle_pause(self.real) == crate::clock::PauseChange::Began {
            self.input.pads.refresh();
            let menu = self.open_menu(ModeId::Pause);
            *self.menu(ModeId::Pause) = menu;
        }
    }
    fn run_pause_menu(&mut self) -> PauseOutcome {
        self.update_clock();
        let now = self.clock.ticks();
        let _ticked = self.with_tasks(|tasks, world| tasks.tick(world, Phase::Pause, now));
        let outcome = if self.input.pads.any_pressed(button::START) {
            PauseOutcome::Resume
        } else {
            match self.run_menu(ModeId::Pause) {
                MenuEvent::Chosen(item) => self.choose_in_pause(item),
                MenuEvent::Back => PauseOutcome::Resume,
                _ => PauseOutcome::Stay,
            }
        };
        self.picture.clear();
        self.things.begin(Phase::Pause);
        let _managers = self.with_tasks(|tasks, world| tasks.update_managers(world, Phase::Pause));
        for viewport in 0..self.viewports() {
            self.render_viewport(viewport);
        }
        self.picture.screen = self.menu_screen(ModeId::Pause);
        self.present();
        self.cameras.clear();
        self.service_files();
        // A pause that ends leaves what comes then to tell of a fault: its end pops what is on top.
        if outcome == PauseOutcome::Stay {
            push_error_if_needed(self);
        }
        self.count_frame();
        outcome
    }
}

impl<M: Machine> Game<M> {
    /// Looks at the pad for a menu, with its sound.
    pub(super) fn run_menu(&mut self, mode: ModeId) -> MenuEvent {
        let Some(pad) = self.input.pads.get(0).cloned() else { return MenuEvent::None };
        let event = self.menu(mode).update(&pad);
        if event != MenuEvent::None {
            self.play_menu_sound(event);
        }
        if let MenuEvent::Adjusted(item, up) = event {
            self.adjust(mode, item, up);
        }
        event
    }
}
