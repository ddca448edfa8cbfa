//! Attract: a title that is left alone plays recorded demos, one after the other, until somebody presses a button.
//!
//! A [`Demo`] is a recording of the disc that stands in the controllers' place. It is played in lockstep, one step a frame, on
//! the state of a new game, and counts the characters' steps rather than frames, so that it ends as it did before however long
//! its level took to load. What the player had is put back afterwards.
//!
//! Source: settled questions 6. Our choice of everything else.

use super::Game;
use super::machine::Machine;
use super::menus::Page;
use super::missions::Play;
use super::state::{GameState, Settings};
use crate::clock::Source;
use crate::file_io::name::Crc32;
use crate::game_modes::{ModeId, pop};
use crate::human::takes::Recording;
use crate::pads::{PORTS, Reading};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt::Write as _;
use heapless::String;

/// Frames for which the title waits before a demo: half a minute.
const WAITS: u32 = 900;
/// Updates of the longest demo: two minutes.
const LONGEST: usize = 3600;
/// Characters of the longest file name.
const NAME: usize = 32;

/// The demos in their turn: their recordings and what is played.
const DEMOS: [(&str, Play); 2] = [("pier", Play::Mission(2)), ("yard", Play::Mission(0))];

/// A demo that plays.
#[derive(Clone, Debug)]
pub struct Demo {
    /// What is held, and up to which update.
    runs: Box<[(u32, Reading)]>,
    /// Steps of the characters so far.
    at: u32,
    /// Somebody has pressed a button.
    touched: bool,
}

impl Demo {
    /// A demo of a recording; `None` when it is none or too long.
    pub fn new(text: &str) -> Option<Self> {
        let mut runs: Vec<(u32, Reading)> = Vec::new();
        for (update, reading) in Recording::new(text).take(LONGEST + 1).enumerate() {
            let (reading, end) = (reading.ok()?, update as u32 + 1);
            match runs.last_mut().filter(|(_, held)| *held == reading) {
                Some((until, _)) => *until = end,
                None => runs.push((end, reading)),
            }
        }
        runs.last().filter(|(end, _)| *end <= LONGEST as u32)?;
        Some(Self { runs: runs.into_boxed_slice(), at: 0, touched: false })
    }

    /// The characters have come to their next step.
    pub fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    /// What the controllers say instead of what they really do; that they were touched is remembered.
    pub fn readings(&mut self, real: &[Option<Reading>; PORTS]) -> [Option<Reading>; PORTS] {
        self.touched |= real.iter().flatten().any(|reading| reading.buttons != 0);
        let held = self.runs.iter().find(|(until, _)| self.at < *until).map_or(Reading::default(), |(_, held)| *held);
        core::array::from_fn(|port| (port == 0).then_some(held))
    }

    /// Steps of the characters so far.
    pub fn at(&self) -> u32 {
        self.at
    }

    /// Whether its recording is through, or somebody has pressed a button.
    pub fn is_over(&self) -> bool {
        self.touched || self.runs.last().is_none_or(|(end, _)| self.at >= *end)
    }
}

/// What the title does when it is left alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attract {
    /// Frames for which nobody has touched it.
    idle: u32,
    /// Which demo comes next.
    next: usize,
    /// What the player had when the demo began.
    kept: Option<GameState>,
}

impl<M: Machine> Game<M> {
    /// Once a round: counts how long the title has been left alone, begins a demo, and ends one.
    pub(super) fn attract(&mut self) {
        if self.input.demo.is_some() {
            self.watch_demo();
        } else if self.is_left_alone() {
            self.attract.idle += 1;
            if self.attract.idle >= WAITS {
                self.attract.idle = 0;
                self.begin_demo();
            }
        } else {
            self.attract.idle = 0;
        }
    }

    fn is_left_alone(&self) -> bool {
        let held = |port| self.input.pads.get(port).is_some_and(|pad| pad.back(0) != 0);
        let front = self.stack.top() == Some(ModeId::ProfileManager) && self.modes.page == Page::Front;
        front && !self.controller_missing && !(0..PORTS).any(held)
    }

    /// A demo that cannot be read is left out.
    fn begin_demo(&mut self) {
        let (name, play) = DEMOS[self.attract.next % DEMOS.len()];
        self.attract.next = (self.attract.next + 1) % DEMOS.len();
        let mut file = String::<NAME>::new();
        if write!(file, "demos/{name}.pads").is_err() {
            return;
        }
        let Some(bytes) = self.read_recording(&file) else { return };
        let Some(demo) = core::str::from_utf8(&bytes).ok().and_then(Demo::new) else {
            self.machine.print(format_args!("DEMO {name} is no recording"));
            return;
        };
        self.machine.print(format_args!("DEMO {name} begins"));
        self.attract.kept = Some(self.state);
        // What is heard and shown stays as it is set; what a game depends on is a new game's.
        let new = GameState::NEW;
        let Settings { scheme, difficulty, layout, .. } = new.settings;
        self.state = GameState { settings: Settings { scheme, difficulty, layout, ..self.state.settings }, ..new };
        if self.source == Source::Console {
            self.source = Source::Lockstep { elapsed: self.real };
        }
        self.input.demo = Some(demo);
        while self.stack.top().is_some_and(|top| top != ModeId::LevelFlow) {
            pop(self);
        }
        self.modes.next = Some(play);
    }

    /// Ends the demo when it is over, when somebody has pressed a button, or when its level has ended.
    fn watch_demo(&mut self) {
        let plays = matches!(self.stack.top(), Some(ModeId::Gameplay | ModeId::LevelFlow));
        if plays && !self.input.demo.as_ref().is_some_and(Demo::is_over) {
            return;
        }
        let Some(demo) = self.input.demo.take() else { return };
        self.tell_demo(&demo);
        self.leave_recording();
        if let Some(kept) = self.attract.kept.take() {
            self.state = kept;
        }
        if !self.options.lockstep {
            self.source = Source::Console;
        }
        self.attract.idle = 0;
        self.input.deaf = demo.touched;
        self.input.pads.refresh();
    }

    /// Goes back to the title from what a recording has played. Nothing of it is kept: a win that is not counted yet is forgotten,
    /// and nothing is due to be saved, before the levels end and the title would see to either.
    pub(super) fn leave_recording(&mut self) {
        (self.modes.outcome, self.modes.save_due) = (None, false);
        self.return_to_title();
    }

    /// How a demo has ended, for whoever compares it with the last time.
    fn tell_demo(&mut self, demo: &Demo) {
        let mut sum = Crc32::default();
        let mut add = |word: u32| sum.add(&word.to_le_bytes());
        let mut count = 0;
        if let Some(people) = self.people.as_deref() {
            for (n, human) in people.humans.present() {
                count += 1;
                add(n as u32);
                human.position.to_array().iter().take(3).for_each(|part| add(part.to_bits()));
                add(human.heading.to_bits());
                add(u32::from(human.health as u16));
            }
        }
        let how = if demo.touched { "is broken off" } else { "ends" };
        let free = self.machine.free_bytes();
        self.machine.print(format_args!(
            "DEMO {how} after {} updates: {count} people, state {:08x}, {free} bytes free",
            demo.at,
            sum.value()
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeGame, game};
    use super::super::rules::Outcome;
    use super::*;
    use crate::boot::start::StartHost as _;
    use crate::file_io::fake::{Disc, FakeDevice};
    use crate::game_modes::run_once;
    use crate::pads::Script;
    use crate::pads::button::SQUARE;
    use crate::world;
    use std::string::String as Text;
    use std::vec::Vec as List;

    const RECORDING: &str = "10\n20 stick 100 0\n1 square\n30\n";

    fn title() -> Box<FakeGame> {
        let level = || world::small_level_with(&[], &[]);
        let recording = || RECORDING.as_bytes().to_vec();
        let files = [
            ("yard.lev", level()),
            ("boardwalk.lev", level()),
            ("demos/pier.pads", recording()),
            ("demos/yard.pads", recording()),
        ];
        let disc: &'static Disc = Box::leak(Box::new(Disc::of(&files)));
        let mut game = game();
        game.initialize_subsystems().unwrap();
        game.files.system = Some(disc.files(FakeDevice::new(disc)));
        game.input.script = Script::parse("1.");
        game.push_mode(ModeId::LevelFlow);
        game
    }

    fn play(game: &mut FakeGame, frames: u32) {
        for _ in 0..frames {
            run_once(game);
            game.after_round();
        }
    }

    /// Leaves the title alone until a demo plays.
    fn await_demo(game: &mut FakeGame) {
        let mut frames = 0;
        while game.input.demo.is_none() && frames < 2 * WAITS {
            play(game, 1);
            frames += 1;
        }
        play(game, 20);
        assert_eq!(game.stack.top(), Some(ModeId::Gameplay));
    }

    fn told(game: &FakeGame) -> List<Text> {
        game.machine.log.iter().map(|line| Text::from(line.as_str())).filter(|line| line.starts_with("DEMO ")).collect()
    }

    #[test]
    fn a_recording_is_held_step_by_step_and_touching_a_pad_ends_it() {
        let mut demo = Demo::new(RECORDING).unwrap();
        let nobody = [None; PORTS];
        let mut squares = 0;
        for _ in 0..61 {
            assert!(!demo.is_over());
            squares += usize::from(demo.readings(&nobody)[0].unwrap().buttons == SQUARE);
            demo.step();
        }
        assert!(squares == 1 && demo.is_over());
        let mut demo = Demo::new(RECORDING).unwrap();
        let press = Reading { buttons: SQUARE, ..Reading::default() };
        demo.readings(&[None, Some(press)]);
        assert!(demo.is_over(), "any controller");
        assert!(Demo::new("10 jump").is_none() && Demo::new("").is_none() && Demo::new("9999").is_none());
    }

    #[test]
    fn a_title_that_is_left_alone_plays_its_demos_and_they_end_alike() {
        let mut game = title();
        let before = game.state;
        play(&mut game, 4 * (WAITS + 120));
        let told = told(&game);
        assert!(told.len() >= 6, "{told:?}");
        assert_eq!(
            (told[0].as_str(), told[2].as_str(), told[4].as_str()),
            ("DEMO pier begins", "DEMO yard begins", "DEMO pier begins")
        );
        assert!(told[1].starts_with("DEMO ends after 61 updates") && told[1] == told[5], "{told:?}");
        assert_eq!(game.state, before, "nothing of it is kept");
    }

    #[test]
    fn a_demo_that_has_just_won_leaves_the_player_what_he_had() {
        let mut game = title();
        let before = game.state;
        await_demo(&mut game);
        // One win is due to be saved, the next is not counted yet.
        (game.modes.outcome, game.modes.save_due) = (Some(Outcome::Won), true);
        game.input.demo.as_mut().unwrap().touched = true;
        play(&mut game, 3);
        assert!(game.input.demo.is_none());
        assert_eq!((game.state, game.modes.save_due), (before, false));
        assert_eq!(game.stack.top(), Some(ModeId::ProfileManager), "no card is asked for");
    }

    #[test]
    fn any_button_leads_from_a_demo_to_the_title() {
        let mut game = title();
        await_demo(&mut game);
        game.input.script = Script::parse("1x");
        play(&mut game, 6);
        assert_eq!(game.stack.top(), Some(ModeId::ProfileManager));
        assert!(told(&game).last().unwrap().starts_with("DEMO is broken off"), "{:?}", told(&game));
        game.input.script = Script::parse("2x");
        play(&mut game, 6);
        assert_eq!(game.stack.top(), Some(ModeId::MissionSelect), "the next press counts");
    }
}
