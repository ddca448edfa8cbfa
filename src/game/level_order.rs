//! What the steps of a level's beginning do in this game.
//!
//! The order is [`init_level`]'s. Some of the original's steps have nothing to do here: what each leaves out is said where it is.

use super::Game;
use super::characters_load;
use super::level::Level;
use super::machine::Machine;
use super::missions::{Place, Play};
use super::rules::{self, Rules};
use super::screens::{Backdrop, Screen};
use super::staging::{ARRIVAL, is_told};
use super::world::Random;
use crate::boot::start::{Movie, StartHost as _};
use crate::game_modes::ScreenHost as _;
use crate::game_modes::frame::FrameHost;
use crate::game_modes::menu::MenuEvent;
use crate::maths::Vec3;
use crate::pads::button;
use crate::streaming::{LevelHost, LevelStart, Reserve, Streamer, init_level};
use crate::tasks::clock::Phase;

/// The sequence before the first mission.
const INTRO: Movie = Movie { name: "INTRO", skippable: true };
/// The number of the first arena level; the story's are below.
///
/// Source: support systems, Level loading order (step 10)
const FIRST_ARENA: u32 = 101;
/// Frames for which a level that cannot be played is told: ten seconds.
const REFUSED_FRAMES: u32 = 10 * 30;
/// What a level of no place is.
const UNKNOWN: &str = "no such place";

/// The level's record.
fn start_of(play: Play, movies: bool) -> LevelStart<'static> {
    let number = match play {
        Play::Mission(number) => u32::from(number),
        Play::Arena(_) => FIRST_ARENA,
    };
    let has_intro_movie = movies && play == Play::Mission(0);
    LevelStart { name: play.mission().place.name(), number, section: crate::world::SECTION, has_intro_movie }
}

impl<M: Machine> Game<M> {
    /// Begins the level of what is played.
    pub(super) fn begin_level(&mut self) {
        let play = self.modes.last.unwrap_or(Play::Mission(0));
        let begun = init_level(self, start_of(play, !self.options.skip_movies));
        if let Err(reason) = begun {
            self.machine.print(format_args!("LEVEL {}: {reason}", play.mission().place.name()));
            self.modes.loading = None;
            self.tell_refused_level(reason);
            // The mode is being entered: it is left when this round of the loop is over.
            self.input.reset_due = true;
            return;
        }
        self.staging.clear();
        if let Some(start) = self.level.as_deref().map(|level| level.start).filter(|_| is_told(play)) {
            // Where there is no such scene the mission begins at once.
            let _plays = self.stage(ARRIVAL, start, false);
        }
        let statistics = &mut self.state.statistics;
        match play {
            Play::Mission(_) => statistics.begun = statistics.begun.saturating_add(1),
            Play::Arena(_) => statistics.arenas = statistics.arenas.saturating_add(1),
        }
    }

    /// Says for a while why a level is not played, or until somebody has read it.
    pub(super) fn tell_refused_level(&mut self, reason: &str) {
        for _ in 0..REFUSED_FRAMES {
            let screen = Self::refused_screen(reason);
            self.show(screen);
            self.read_input();
            let answered = self.input.pads.any_pressed(button::CROSS | button::TRIANGLE);
            if answered {
                self.play_menu_sound(MenuEvent::Chosen(0));
            }
            if answered || self.is_over() {
                return;
            }
        }
    }

    /// What is said of a level that cannot be played.
    pub(super) fn refused_screen(reason: &str) -> Screen {
        let mut screen = Screen::new(Backdrop::Dark, "ONE MOMENT");
        screen.line(format_args!("THIS LEVEL CANNOT BE PLAYED:"));
        // The typeface and the languages' files know capitals. Reasons are shorter.
        let mut words = heapless::String::<56>::new();
        let _cut = words.push_str(reason);
        words.make_ascii_uppercase();
        screen.line(format_args!("{words}."));
        screen.line(format_args!(""));
        screen.line(format_args!("IS THE DISC CLEAN?"));
        screen.foot("CROSS: BACK TO THE TITLE");
        screen
    }

    fn play_now(&self) -> Play {
        self.modes.last.unwrap_or(Play::Mission(0))
    }
}

impl<M: Machine> LevelHost for Game<M> {
    type Error = &'static str;
    type Reserve = Reserve;

    fn reset(&mut self) {
        // The mode that plays a level has taken the timer; sounds, things and cameras of a level go when it is left.
        let _reset = self.with_tasks(characters_load::reset);
    }
    fn prepare_save_buffers(&mut self) {
        // Our choice: there is one buffer, and a save writes all of it before it is read.
    }
    fn reserve(&mut self, bytes: u32) -> Result<Reserve, Self::Error> {
        let sector = self.pools.sector.ok_or("there is no sector pool")?.sector;
        let reserve = self.machine.with_memory(|memory| Streamer::new(sector).reserve(memory, bytes));
        reserve.ok_or("no room for a movie")
    }
    fn begin_loading_screen(&mut self) {
        let play = self.play_now();
        let mut loading = Screen::new(Backdrop::Night, play.mission().name);
        loading.line(format_args!("{}", play.mission().task));
        loading.foot("LOADING");
        (loading.bar, loading.dark) = (Some(0.0), 1.0);
        self.show(loading);
        self.begin_loading(matches!(play, Play::Arena(_)));
    }
    fn load_common(&mut self) -> Result<(), Self::Error> {
        // Our choice: people and sounds were loaded when the program began, and stay.
        Ok(())
    }
    fn load_level(&mut self, name: &str) -> Result<(), Self::Error> {
        let place = Place::from_name(name).ok_or(UNKNOWN)?;
        self.level = Some(self.make_level(place)?);
        Ok(())
    }
    fn reset_tables(&mut self) {
        self.learn_things();
        self.random = Random::new();
        let start = self.level.as_deref().map_or((Vec3::ZERO, 0.0), |level| level.start);
        (self.walker.position, self.walker.heading) = start;
    }
    fn run_script(&mut self, _: &str) -> Result<(), Self::Error> {
        self.people_come();
        self.gangs_take_sides();
        let goal = self.level.as_deref().map_or(Vec3::ZERO, |level| level.goal);
        let now = self.tasks.as_deref().map_or(0, |tasks| tasks.manager.clock.time_of(Phase::Play));
        let players = self.players_of(self.play_now());
        self.input.shared = players > 1;
        self.rules = Rules::starting(self.play_now(), goal, now)
            .with_fighters(players, self.fighters_places())
            .within(self.options.seconds);
        Ok(())
    }
    fn load_objects(&mut self, _: &str) -> Result<(), Self::Error> {
        let things = self.level.as_deref().map_or(&[][..], |level: &Level| level.things);
        self.learn_types();
        let _dropped = self.with_tasks(|tasks, world| {
            things.iter().filter(|at| rules::drop_brick(world, tasks, **at, Vec3::ZERO)).count()
        });
        self.place_things();
        if self.options.crowd {
            self.fill_level();
        }
        Ok(())
    }
    fn load_dependencies(&mut self, _: &str) -> Result<(), Self::Error> {
        // Our choice: a level's file holds all that it depends on.
        Ok(())
    }
    fn ready_cameras(&mut self, _: f32) {
        // Our choice: the player's camera begins where it would come to rest.
    }
    fn preload(&mut self, _: LevelStart<'_>, milliseconds: u32) -> Result<(), Self::Error> {
        let place = self.level.as_deref().map_or(Vec3::ZERO, |level| level.start.0);
        self.preload_parts(place, milliseconds)
    }
    fn load_sounds(&mut self) -> Result<(), Self::Error> {
        self.begin_level_sound();
        Ok(())
    }
    fn end_loading_screen(&mut self) {
        self.end_loading();
    }
    fn service_files(&mut self) {
        FrameHost::service_files(self);
    }
    fn play_intro(&mut self, reserve: Reserve) -> Result<(), Self::Error> {
        self.give_back(reserve);
        self.play_movie(INTRO);
        Ok(())
    }
    fn run_pending_function(&mut self) {
        // No function of the script table is ever left for a level's begin.
    }
    fn remember(&mut self, _: LevelStart<'_>) {
        // What is played was remembered when it was chosen; it names level and section.
    }
    fn give_back(&mut self, reserve: Reserve) {
        // The pool stays as long as the program.
        let _gone = self.machine.with_memory(|memory| reserve.give_back(memory));
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::game;
    use super::*;
    use crate::game_modes::{ModeId, run_once};
    use crate::streaming::INTRO_MOVIE_BYTES;
    use std::string::ToString;

    #[test]
    fn the_first_mission_begins_with_a_movie_for_which_the_sector_pool_keeps_room() {
        let mut game = game();
        game.options.skip_movies = false;
        game.initialize_subsystems().unwrap();
        let sector = game.pools.sector.unwrap().sector;
        let free = |game: &mut super::super::fake::FakeGame| {
            game.machine.with_memory(|memory| memory.free_bytes(sector).unwrap())
        };
        let before = free(&mut game);
        let reserve = game.reserve(INTRO_MOVIE_BYTES).unwrap();
        assert!(before - free(&mut game) >= INTRO_MOVIE_BYTES as usize);
        let shown = game.machine.shown.frames;
        game.play_intro(reserve).unwrap();
        assert_eq!(free(&mut game), before, "the movie has its room");
        assert!(game.machine.shown.frames > shown + 30, "it was shown");
    }

    #[test]
    fn records_tell_story_from_arena_and_the_first_mission_from_the_others() {
        let mission = start_of(Play::Mission(0), true);
        assert!(mission.has_intro_movie && mission.number < FIRST_ARENA && mission.section == 1);
        assert!(!start_of(Play::Mission(0), false).has_intro_movie);
        assert!(!start_of(Play::Mission(1), true).has_intro_movie);
        assert_eq!(start_of(Play::Arena(3), true).number, FIRST_ARENA);
    }

    #[test]
    fn a_level_without_room_for_its_movie_leads_back_to_the_title() {
        let mut game = game();
        game.options.skip_movies = false;
        game.initialize_subsystems().unwrap();
        game.push_mode(ModeId::LevelFlow);
        run_once(&mut *game);
        game.pools.sector = None;
        game.modes.last = Some(Play::Mission(0));
        game.begin_level();
        assert_eq!(game.machine.said("LEVEL yard: there is no sector pool"), 1, "{:?}", game.machine.log.last());
        assert!(game.level.is_none() && game.input.reset_due);
        let words = game.picture.screen.to_string();
        assert!(words.contains("THIS LEVEL CANNOT BE PLAYED:\nTHERE IS NO SECTOR POOL."), "{words}");
    }
}
