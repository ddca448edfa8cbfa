//! A game for the modes' tests: it writes down what is asked of it, and its clocks are real ones.

use super::error_screen::{ErrorHost, ErrorScreen};
use super::frame::{CamerasSetUp, FrameHost};
use super::freeze::{Freeze, FreezeHost};
use super::gameplay::{Gameplay, GameplayHost};
use super::id::ModeId;
use super::leave::{LeaveHost, LeaveReason};
use super::legal::{LegalHost, LegalScreen};
use super::level_flow::{LevelFlow, LevelFlowHost};
use super::memory_card::image::HEADER_BYTES;
use super::memory_card::tests::FakeCard;
use super::memory_card::{Card, CardHost, CardScreen, MemoryCard, Reply};
use super::menu::{Menu, MenuEvent};
use super::mission::{FailedChoice, MissionComplete, MissionFailed, MissionHost};
use super::mode::{ModeClock, ModeHost, ModeTable, Stay, VIEWPORTS};
use super::pause::{Pause, PauseHost, PauseOutcome};
use super::screens::{
    ArcadeGameOver, ArenaMenus, ArenaResult, MissionSelect, ProfileManager, SaveScreens, ScreenHost, Statistics,
};
use super::stack::{ModeError, ModeStack, enter, pop, push};
use crate::clock::{Conditions, GameTimer, PauseChange, time};
use crate::pads::{PadRecord, Reading};
use std::string::{String, ToString};
use std::vec::Vec;
use std::{format, vec};

pub struct FakeGame {
    pub stack: ModeStack,
    pub log: Vec<String>,
    pub timer: GameTimer,
    pub real: u64,
    pub viewports: usize,
    pub effects: [u32; VIEWPORTS],
    pub faulty: bool,
    pub save_due: bool,
    pub wants_pause: bool,
    pub pause_outcome: PauseOutcome,
    pub failed_choice: Option<FailedChoice>,
    pub next_mode: Option<ModeId>,
    pub reports: Vec<ModeError>,
    pub connected: bool,
    pub broken: bool,
    pub qa: bool,
    /// Every mode leaves as soon as it can, so that the loop ends.
    pub ends_at_once: bool,
    pub card: FakeCard,
    pub memory_card: MemoryCard,
    pub replies: Vec<Reply>,
    pub progress: Vec<u8>,
    pub buffer: Vec<u8>,
    pub buttons: u16,
    pub leave_on_choice: bool,
    pub push_on_choice: Option<ModeId>,
    pub menus: [Menu; ModeId::NUMBERS],
    pub pad: PadRecord,
    pub cameras: CamerasSetUp,
    pub gameplay: Gameplay,
    pub mission: MissionComplete,
    pub legal: LegalScreen,
    pub freeze: Freeze<&'static str>,
    pub pause: Pause,
}

impl Default for FakeGame {
    fn default() -> Self {
        Self {
            stack: ModeStack::new(),
            log: vec![],
            timer: GameTimer::starting_at(0),
            real: 0,
            effects: [0; VIEWPORTS],
            viewports: 1,
            faulty: false,
            save_due: false,
            wants_pause: false,
            pause_outcome: PauseOutcome::Stay,
            failed_choice: None,
            next_mode: None,
            reports: vec![],
            connected: true,
            broken: false,
            qa: false,
            ends_at_once: false,
            card: FakeCard::default(),
            memory_card: MemoryCard::default(),
            replies: vec![],
            progress: vec![],
            buffer: vec![0; 256],
            buttons: 0,
            leave_on_choice: false,
            push_on_choice: None,
            menus: [Menu::default(); ModeId::NUMBERS],
            pad: PadRecord::default(),
            cameras: CamerasSetUp::default(),
            gameplay: Gameplay::default(),
            mission: MissionComplete::default(),
            legal: LegalScreen::default(),
            freeze: Freeze::default(),
            pause: Pause::default(),
        }
    }
}

impl FakeGame {
    pub fn note(&mut self, line: impl ToString) {
        self.log.push(line.to_string());
    }

    /// The mode on top.
    pub fn top(&self) -> Option<ModeId> {
        self.stack.top()
    }
}

/// Puts a mode on top and enters it, without a frame.
pub fn enter_mode(game: &mut FakeGame, id: ModeId) {
    push(game, id).unwrap();
    enter(game, id);
}

impl ModeHost for FakeGame {
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
        .with::<Freeze<&'static str>>()
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
            ModeClock::Game => self.timer.ticks(),
        }
    }
    fn screen_effect(&self, viewport: usize) -> u32 {
        self.effects[viewport]
    }
    fn set_screen_effect(&mut self, viewport: usize, effect: u32) {
        self.effects[viewport] = effect;
    }
}

impl LeaveHost for FakeGame {
    fn select_level_by_name(&mut self) {
        self.note("level by name");
    }
    fn select_next_level(&mut self) {
        self.note("next level");
    }
    fn unlock_fourth_difficulty(&mut self) {
        self.note("fourth difficulty");
    }
    fn bank_money(&mut self) {
        self.note("bank");
    }
    fn is_save_due(&self) -> bool {
        self.save_due
    }
    fn report(&mut self, error: ModeError) {
        self.reports.push(error);
    }
}

impl ErrorHost for FakeGame {
    fn is_faulty(&self) -> bool {
        self.faulty
    }
    fn show_fault(&mut self) {
        self.note("fault shown");
        self.faulty &= !self.ends_at_once;
    }
    fn quiet(&mut self, on: bool) {
        self.note(if on { "quiet" } else { "loud" });
    }
    fn skip_time(&mut self) {
        self.note("time skipped");
    }
}

impl FrameHost for FakeGame {
    fn use_fixed_step(&mut self) {
        self.timer.set_fixed(true, self.real);
        self.note("fixed step");
    }
    fn update_clock(&mut self) {
        self.real += time::STEP;
        self.timer.update(self.real, &Conditions::default());
        self.note("clock");
    }
    fn run_tick_pairs(&mut self) {
        self.pad.sample(Some(Reading { buttons: self.buttons, ..Reading::default() }), self.real);
        self.note("tick pairs");
    }
    fn hand_over_cameras(&mut self) {
        self.note("cameras");
    }
    fn update_managers(&mut self) {
        self.note("managers");
    }
    fn stream_resources(&mut self) {
        self.note("streaming");
    }
    fn flush_render_queue(&mut self) {
        self.note("flush");
    }
    fn update_world(&mut self) {
        self.note("world");
    }
    fn update_resources(&mut self) {
        self.note("resources");
    }
    fn viewports(&self) -> usize {
        self.viewports
    }
    fn render_viewport(&mut self, viewport: usize) {
        self.note(format!("viewport {viewport}"));
    }
    fn draw_overlays(&mut self, seconds: f32) {
        self.note(format!("overlays {seconds:.4}"));
    }
    fn run_scripts(&mut self, seconds: f32) {
        self.note(format!("scripts {seconds:.4}"));
    }
    fn present(&mut self) {
        self.note("present");
    }
    fn cameras_set_up(&mut self) -> &mut CamerasSetUp {
        &mut self.cameras
    }
    fn service_files(&mut self) {
        self.note("files");
    }
    fn count_frame(&mut self) {
        self.note("count");
    }
}

impl LegalHost for FakeGame {
    fn legal(&mut self) -> &mut LegalScreen {
        &mut self.legal
    }
    fn draw_legal_screen(&mut self) {
        self.note("legal screen");
    }
    fn wait_frame(&mut self) {
        self.real += time::STEP;
    }
}

impl FreezeHost for FakeGame {
    type Function = &'static str;
    fn freeze(&mut self) -> &mut Freeze<&'static str> {
        &mut self.freeze
    }
    fn call(&mut self, function: &'static str) {
        self.note(format!("call {function}"));
    }
}

impl LevelFlowHost for FakeGame {
    fn use_real_time(&mut self) {
        self.timer.set_fixed(false, self.real);
    }
    fn load_front_end(&mut self) {
        self.note("front end");
    }
    fn push_next_mode(&mut self) {
        if let Some(mode) = self.next_mode.take() {
            push(self, mode).unwrap();
        } else if self.ends_at_once {
            pop(self);
        }
    }
}

impl GameplayHost for FakeGame {
    fn gameplay(&mut self) -> &mut Gameplay {
        &mut self.gameplay
    }
    fn prepare_level(&mut self) {
        self.note("prepare");
    }
    fn hold_time(&mut self) {
        self.timer.hold();
        self.note("hold");
    }
    fn release_time(&mut self) {
        assert_eq!(self.timer.toggle_pause(self.real), PauseChange::Ended);
        self.note("release");
    }
    fn read_pads(&mut self) {
        self.note("pads");
    }
    fn load_level(&mut self) {
        self.note("load level");
    }
    fn start_level(&mut self) {
        self.timer.reset(self.real);
        self.note("start level");
    }
    fn restart_ticks(&mut self) {
        self.timer.skip_to(self.real);
        self.note("ticks restart");
    }
    fn push_pause_if_asked(&mut self) {
        if self.wants_pause {
            push(self, ModeId::Pause).unwrap();
        }
    }
    fn unload_level(&mut self) {
        self.note("unload");
    }
}

impl MissionHost for FakeGame {
    fn mission_complete(&mut self) -> &mut MissionComplete {
        &mut self.mission
    }
    fn mission_reason(&self) -> Option<LeaveReason> {
        self.mission.reason
    }
    fn unlock_and_load(&mut self) {
        self.note("unlock and load");
    }
    fn play_failure_line(&mut self) {
        self.note("failure line");
    }
    fn run_failed_menu(&mut self) -> Option<FailedChoice> {
        self.failed_choice
    }
    fn select_same_level(&mut self) {
        self.note("same level");
    }
    fn select_front_end(&mut self) {
        self.note("front end asked");
    }
}

impl PauseHost for FakeGame {
    fn pause(&mut self) -> &mut Pause {
        &mut self.pause
    }
    fn is_time_paused(&self) -> bool {
        self.timer.is_paused()
    }
    fn toggle_time(&mut self) {
        let _change = self.timer.toggle_pause(self.real);
    }
    fn run_pause_menu(&mut self) -> PauseOutcome {
        self.real += time::STEP;
        self.pause_outcome
    }
}

impl ScreenHost for FakeGame {
    fn open_menu(&mut self, _mode: ModeId) -> Menu {
        Menu::new(3)
    }
    fn menu(&mut self, mode: ModeId) -> &mut Menu {
        &mut self.menus[mode.index()]
    }
    fn menu_pad(&mut self, read: bool) -> PadRecord {
        if read {
            self.pad.sample(Some(Reading { buttons: self.buttons, ..Reading::default() }), self.real);
        }
        self.pad.clone()
    }
    fn draw_screen(&mut self, mode: ModeId) {
        self.real += time::STEP;
        self.note(format!("screen {}", mode.number()));
    }
    fn play_menu_sound(&mut self, event: MenuEvent) {
        self.note(format!("sound {event:?}"));
    }
    fn choose(&mut self, mode: ModeId, item: u8) -> Stay {
        self.note(format!("chosen {} {item}", mode.number()));
        if let Some(other) = self.push_on_choice.take() {
            push(self, other).unwrap();
        }
        if self.leave_on_choice { Stay::Leave } else { Stay::Stay }
    }
    fn adjust(&mut self, mode: ModeId, item: u8, up: bool) {
        self.note(format!("adjusted {} {item} {up}", mode.number()));
    }
    fn go_back(&mut self, mode: ModeId) {
        self.note(format!("back in {}", mode.number()));
    }
    fn can_go_back(&self, mode: ModeId) -> bool {
        mode != ModeId::ProfileManager
    }
}

impl CardHost for FakeGame {
    fn memory_card(&mut self) -> &mut MemoryCard {
        &mut self.memory_card
    }
    fn card(&mut self) -> (&mut dyn Card, &mut [u8]) {
        (&mut self.card, &mut self.buffer)
    }
    fn write_progress(&mut self) -> usize {
        let length = self.progress.len();
        self.buffer[HEADER_BYTES..][..length].copy_from_slice(&self.progress);
        length
    }
    fn read_progress(&mut self, length: usize) {
        self.progress = self.buffer[HEADER_BYTES..][..length].to_vec();
    }
    fn save_settled(&mut self) {
        self.save_due = false;
    }
    fn show_card_screen(&mut self, screen: CardScreen) -> Reply {
        self.real += time::STEP;
        self.note(format!("card {screen:?}"));
        match screen {
            CardScreen::Checking | CardScreen::Saving | CardScreen::Done => Reply::Waiting,
            _ if self.ends_at_once => Reply::No,
            _ if self.replies.is_empty() => Reply::Waiting,
            _ => self.replies.remove(0),
        }
    }
}
