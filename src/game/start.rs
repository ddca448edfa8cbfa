//! The program's way to the main loop, as the start-up order asks for it.

use super::Game;
use super::machine::Machine;
use super::screens::{Backdrop, Screen};
use super::steps::Failure;
use crate::boot::start::{Movie, QA_BYTES, StartHost};
use crate::boot::subsystems::{AnyStep, BootReport, SubsystemHost as _, initialize_subsystems};
use crate::clock::time;
use crate::game_modes::ModeId;
use crate::game_modes::memory_card::Task;
use crate::pads::{PORTS, PadRecord, SAMPLES, button};

/// Frames of a start-up movie.
const MOVIE_FRAMES: u32 = 75;
/// Frames in which a movie comes out of the dark, and goes back into it.
const FADE_FRAMES: u32 = 15;
/// What ends a movie that may be skipped.
const SKIP: u16 = button::CROSS | button::START;
/// What, held together during the movies, leads to the self-test.
const SELF_TEST: u16 = button::L1 | button::R1;

/// True when the self-test's buttons, and no others, have been down for as long as is remembered: the reset combination has
/// them among its own, which fingers do not press at once.
fn asks_for_self_test(pad: &PadRecord) -> bool {
    (0..SAMPLES).all(|ago| pad.back(ago) == SELF_TEST)
}

impl<M: Machine> StartHost for Game<M> {
    type Failure = (AnyStep, Failure);

    fn stamp_build(&mut self) {
        self.machine.print(format_args!("BUILD {} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")));
    }

    fn initialize_subsystems(&mut self) -> Result<(), Self::Failure> {
        let mut report = BootReport::new();
        let outcome = initialize_subsystems(self, &mut report);
        self.report = report;
        outcome
    }

    fn set_controller_missing(&mut self, missing: bool) {
        self.controller_missing = missing;
    }

    fn load_first_level_header(&mut self) -> Result<(), Self::Failure> {
        // Our choice: nothing is loaded here. The words of our start-up sequence stand in the list of scenes, so that the level
        // that the original looks its subtitles up in is not needed for it; step 8 then finds no level to unload.
        Ok(())
    }

    fn set_up_subtitles(&mut self) -> Result<(), Self::Failure> {
        // The heap for a level's dynamic things pays for them, as in the original.
        let pool = self.pools.game.as_ref().map(|pools| pools.level_dynamic);
        self.captions = Some(self.with_pool(pool, |_| alloc::boxed::Box::default()));
        Ok(())
    }

    fn play_movie(&mut self, movie: Movie) {
        if self.options.skip_movies {
            return;
        }
        for frame in 0..MOVIE_FRAMES {
            if self.is_over() {
                return;
            }
            // Without the disc's list of scenes the game's name stands there.
            let scene = self.scenes.screen(movie.name);
            let mut screen = scene.unwrap_or_else(|| Screen::new(Backdrop::Dark, "BOARDWALK"));
            let edge = frame.min(MOVIE_FRAMES - 1 - frame);
            screen.dark = 1.0 - (edge as f32 / FADE_FRAMES as f32).min(1.0);
            self.show(screen);
            self.read_input();
            let pads = &self.input.pads;
            if (0..PORTS).any(|port| pads.get(port).is_some_and(asks_for_self_test)) {
                self.leave_for_self_test();
            }
            if movie.skippable && self.input.pads.any_pressed(SKIP) {
                return;
            }
        }
    }

    fn unload_level(&mut self) {
        self.level = None;
    }

    fn set_card_boot_check(&mut self) {
        self.modes.card.task = Task::BootCheck;
    }

    // Covers: seed 003, W_PS2SaveSystem_ReadBugstarFile (0x0041f960) test=game::tests::the_testers_bytes_are_read_from_the_card_and_kept
    fn read_qa_file(&mut self) -> Option<[u8; QA_BYTES]> {
        let mut bytes = [0; QA_BYTES];
        (self.machine.card().read_testers_file(&mut bytes)? == QA_BYTES).then_some(bytes)
    }

    fn keep_qa_bytes(&mut self, bytes: [u8; QA_BYTES]) {
        self.state.qa = Some(bytes);
    }

    fn is_controller_connected(&mut self) -> bool {
        self.read_input();
        self.input.pads.any_connected()
    }

    fn is_over(&self) -> bool {
        Self::is_over(self)
    }

    fn after_round(&mut self) {
        let top = self.stack.top();
        if top != self.told {
            self.told = top;
            self.machine.print(format_args!("MODE {}", top.map_or("none", ModeId::name)));
            if top == Some(ModeId::ProfileManager) && !core::mem::replace(&mut self.menu_told, true) {
                self.tell_time("menu");
            }
        }
        if core::mem::take(&mut self.input.reset_due) {
            self.return_to_title();
        }
        self.attract();
    }
}

impl<M: Machine> Game<M> {
    /// Tells whoever listens to the console how long after the program's begin its first frame or menu was there.
    pub(super) fn tell_time(&mut self, what: &str) {
        let microseconds = self.now() / (time::TICKS_PER_MILLISECOND / 1000);
        self.machine.print(format_args!("BOOT first {what} after {microseconds} us"));
    }
}
