//! Waiting for the disc while a load blocks.
//!
//! [`Game::waiting`] splits the game into what a load fills and the [`Waiting`] that it lives on. That keeps the loading screen
//! alive; while the drive cannot read it shows the fault's screen instead, and the load goes on by itself when the fault is
//! gone. A person who does not want to wait presses START or triangle, or holds the reset combination: the read is given up.

use super::level::Loading;
use super::machine::Machine;
use super::modes::disc_fault_screen;
use super::picture::{self, Picture, Scene};
use super::scenes::SceneCache;
use super::screens::Screen;
use super::things::Things;
use super::words::Words;
use super::world::Input;
use super::{Files, Game};
use crate::audio::Audio;
use crate::boot::title::Title;
use crate::clock::{Source, Timer};
use crate::ee::ticks::{PER_SECOND, Ticks};
use crate::file_io::{Fault, Waiter};
use crate::memory::MemoryManager;
use crate::pads::button;
use crate::streaming::LendMemory;
use crate::world::WorldManager;
use core::ops::ControlFlow;

/// What gives a load up whose disc cannot be read.
const GIVE_UP: u16 = button::START | button::TRIANGLE;
/// Milliseconds from one frame to the next. The display waits while it is a frame ahead, so that frames come no faster than
/// they are shown.
const FRAME_MS: u32 = 30;

/// A clock, and a screen that is kept alive.
pub(super) struct Waiting<'a, M: Machine> {
    pub machine: &'a mut M,
    pub words: &'a mut Words,
    title: Option<&'a mut Title>,
    things: &'a Things,
    picture: &'a mut Picture,
    loading: Option<&'a mut Loading>,
    input: &'a mut Input,
    timer: &'a mut Timer,
    source: &'a mut Source,
    real: &'a mut u64,
    uptime: &'a mut Ticks,
    /// Frames presented, and after how many the program ends.
    frames: (&'a mut u32, Option<u32>),
    /// When the last frame was shown, in milliseconds.
    shown: u32,
    /// The fault that is shown, and the screen that was there before.
    fault: Option<(Fault, Screen)>,
    /// A fault has been told: from then on the load can be given up at every moment, also while the drive tries again.
    has_told: bool,
}

/// What loads fill.
pub(super) struct Parts<'a, M: Machine> {
    pub waiter: Waiting<'a, M>,
    pub files: &'a mut Files<M>,
    pub world: &'a mut WorldManager,
    pub audio: &'a mut Audio,
    pub scenes: &'a mut SceneCache,
}

impl<M: Machine> Game<M> {
    /// Splits the game for a load that waits.
    pub(super) fn waiting(&mut self) -> Parts<'_, M> {
        let shown = milliseconds(self.uptime.fold_late(self.machine.count(), self.machine.shown().cycles));
        let waiter = Waiting {
            machine: &mut self.machine,
            words: &mut self.words,
            title: self.title.as_deref_mut(),
            things: &self.things,
            picture: &mut self.picture,
            loading: self.modes.loading.as_mut(),
            input: &mut self.input,
            timer: &mut self.timer,
            source: &mut self.source,
            real: &mut self.real,
            uptime: &mut self.uptime,
            frames: (&mut self.frames, self.options.frames),
            shown,
            fault: None,
            has_told: false,
        };
        let (files, world) = (&mut self.files, &mut self.world);
        Parts { waiter, files, world, audio: &mut self.audio, scenes: &mut self.scenes }
    }
}

/// The cycles since the program began in milliseconds, which wrap only where 32 bits of them do.
const fn milliseconds(cycles: u64) -> u32 {
    (cycles / (PER_SECOND as u64 / 1000)) as u32
}

impl<M: Machine> Waiting<'_, M> {
    /// Shows the screen as it is now.
    pub fn draw(&mut self) {
        let Some(title) = self.title.as_deref_mut() else { return };
        if self.fault.is_some() {
            // Somebody may look at it for long, and a run of so many frames ends here too.
            *self.frames.0 += 1;
        } else if let Some(loading) = self.loading.as_deref_mut() {
            loading.light(&mut self.picture.screen, self.machine.count());
        }
        let (things, picture) = (self.things, &*self.picture);
        let mut scene = Scene {
            title,
            level: None,
            world: None,
            parts: &[],
            renderer: None,
            tasks: None,
            people: None,
            things,
            picture,
            hud: None,
        };
        self.machine.frame(|packet, page, _| {
            let _nothing_of_a_world = picture::draw(&mut scene, packet, page);
        });
    }

    /// Puts the fault's screen in place of what was shown.
    fn tell(&mut self, fault: Fault) {
        if self.fault.as_ref().is_some_and(|(told, _)| *told == fault) {
            return;
        }
        self.machine.print(format_args!("DISC {fault}: waiting"));
        let mut screen = disc_fault_screen(fault);
        screen.line(format_args!(""));
        screen.line(format_args!("START OR TRIANGLE: BACK TO THE TITLE"));
        self.words.translate(&mut screen);
        let before = core::mem::replace(&mut self.picture.screen, screen);
        let before = self.fault.take().map_or(before, |(_, first)| first);
        self.fault = Some((fault, before));
    }

    /// Puts back what was shown before the fault.
    fn untell(&mut self) {
        if let Some((_, before)) = self.fault.take() {
            self.picture.screen = before;
        }
    }

    /// True when nobody waits for the disc any more.
    fn is_given_up(&mut self) -> bool {
        *self.real = self.source.next_frame(self.timer.update(self.machine.count()));
        self.input.read(self.machine, *self.real);
        let is_over = self.frames.1.is_some_and(|most| *self.frames.0 >= most);
        is_over || self.input.reset_due || self.input.pads.any_pressed(GIVE_UP)
    }
}

impl<M: Machine> LendMemory for Waiting<'_, M> {
    fn with_memory<T>(&mut self, work: impl FnOnce(&mut MemoryManager) -> T) -> T {
        self.machine.with_memory(work)
    }
}

impl<M: Machine> Waiter for Waiting<'_, M> {
    fn milliseconds(&mut self) -> u32 {
        let count = self.machine.count();
        // Somebody may wait for longer than the counter takes to wrap.
        milliseconds(self.uptime.fold(count))
    }
    fn pause(&mut self) {
        let now = self.milliseconds();
        // A load without a screen of its own leaves the picture as it is, unless there is a fault to tell.
        if now.wrapping_sub(self.shown) < FRAME_MS || (self.loading.is_none() && self.fault.is_none()) {
            return;
        }
        self.shown = now;
        self.draw();
    }
    fn loading(&mut self, fault: Option<Fault>) -> ControlFlow<()> {
        let Some(fault) = fault else {
            self.untell();
            return if self.has_told && self.is_given_up() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            };
        };
        self.has_told = true;
        self.tell(fault);
        if self.is_given_up() {
            self.untell();
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, game};
    use super::super::missions::{Place, Play};
    use super::*;
    use crate::boot::start::StartHost as _;
    use crate::file_io::fake::{Disc, Event, FakeDevice};
    use crate::game_modes::{ModeId, run_once};
    use crate::pads::Script;
    use std::boxed::Box;
    use std::string::ToString as _;

    const MILLISECOND: u32 = PER_SECOND / 1000;

    /// A game with a disc of one level whose tray is open for so many looks.
    fn with_open_tray(looks: usize) -> Box<FakeGame> {
        let level = crate::world::small_level();
        let disc: &'static Disc = Box::leak(Box::new(Disc::of(&[("boardwalk.lev", level)])));
        let mut game = game();
        game.initialize_subsystems().unwrap();
        game.machine.cycles_a_look = MILLISECOND;
        let device = FakeDevice::new(disc).with(Event::Fault(Fault::TrayOpen, looks));
        game.files.system = Some(disc.files(device));
        game
    }

    #[test]
    fn an_open_tray_is_told_and_the_level_comes_when_it_is_closed() {
        let mut game = with_open_tray(400);
        let frames = game.frames;
        game.begin_loading(false);
        assert_eq!(game.load_from_disc(Place::Boardwalk), Ok(true), "{:?}", game.machine.log.last());
        assert_eq!(game.machine.said("DISC the disc tray is open: waiting"), 1);
        assert!(game.frames > frames + 3, "the fault was on the screen");
        assert!(game.world.level().is_some());
    }

    #[test]
    fn the_screen_says_the_fault_and_the_way_out_and_goes_with_the_fault() {
        let mut game = with_open_tray(0);
        let before = game.picture.screen.to_string();
        let mut waiter = game.waiting().waiter;
        assert!(waiter.loading(Some(Fault::TrayOpen)).is_continue());
        let told = waiter.picture.screen.to_string();
        assert!(told.contains("TRAY IS OPEN") && told.contains("BACK TO THE TITLE"), "{told}");
        assert!(waiter.loading(Some(Fault::WrongDisc)).is_continue());
        assert!(waiter.loading(None).is_continue());
        assert_eq!(game.picture.screen.to_string(), before);
    }

    #[test]
    fn who_gives_up_comes_to_the_title_and_not_to_another_level() {
        // START, triangle, and the reset combination.
        for script in ["30.,9s,30.", "30.,9t,30.", "30.,30z,30."] {
            let mut game = with_open_tray(usize::MAX);
            game.input.script = Script::parse(script);
            game.push_mode(ModeId::LevelFlow);
            run_once(&mut *game);
            game.return_to_title();
            game.modes.next = Some(Play::Mission(2));
            for _ in 0..20 {
                run_once(&mut *game);
                game.after_round();
            }
            assert_eq!(game.machine.said("LEVEL boardwalk.lev: "), 1, "{script} {:?}", game.machine.log);
            assert_eq!(game.stack.modes(), [ModeId::LevelFlow, ModeId::ProfileManager], "{script}");
            assert!(game.level.is_none() && game.state.statistics.begun == 0, "{script}");
        }
    }

    #[test]
    fn a_wait_s_clock_goes_on_when_the_counter_wraps() {
        let mut game = with_open_tray(0);
        game.machine.cycles_a_look = 0;
        let mut waiter = game.waiting().waiter;
        let begun = waiter.milliseconds();
        // Four wraps of fourteen and a half seconds.
        for _ in 0..60 {
            waiter.machine.count = waiter.machine.count.wrapping_add(1000 * MILLISECOND);
            waiter.milliseconds();
        }
        assert_eq!(waiter.milliseconds() - begun, 60_000);
    }

    #[test]
    fn a_run_of_so_many_frames_ends_before_a_disc_that_never_comes() {
        let mut game = with_open_tray(usize::MAX);
        game.options.frames = Some(game.frames + 20);
        assert!(game.load_from_disc(Place::Boardwalk).is_err());
        assert!(game.is_over());
    }
}
