//! InitLevel: the order in which a level begins.

use super::preload::preload_budget;

/// Bytes of the Sector Pool that stay free for an intro movie while the level loads.
///
/// Source: support systems, Level loading order (step 2)
pub const INTRO_MOVIE_BYTES: u32 = 3_200_000;
/// Seconds that the cameras are moved on by before the first frame.
///
/// Source: support systems, Level loading order (step 9)
const CAMERA_SECONDS: f32 = 0.17;
/// The section of a level whose begin may have an intro movie.
const FIRST_SECTION: u32 = 1;

/// Which level begins, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelStart<'a> {
    /// The level's name.
    pub name: &'a str,
    /// The number in its record.
    pub number: u32,
    /// The section of it, counted from 1.
    pub section: u32,
    /// It begins with a movie.
    pub has_intro_movie: bool,
}

/// What each step needs of the game.
pub trait LevelHost {
    /// Why a step cannot be done.
    type Error;
    /// Bytes kept out of the Sector Pool.
    type Reserve;

    /// Step 1: resets timer, tasks, audio, game state, scenes, cameras, effects, things to act on, embers.
    fn reset(&mut self);
    /// Step 1: readies the buffers of saves.
    fn prepare_save_buffers(&mut self);
    /// Step 2: takes bytes of the Sector Pool so that a movie will find them.
    fn reserve(&mut self, bytes: u32) -> Result<Self::Reserve, Self::Error>;
    /// Step 2: begins the loading screen.
    fn begin_loading_screen(&mut self);
    /// Step 3: loads what is seen over every level, the generic header and the sounds of loading.
    fn load_common(&mut self) -> Result<(), Self::Error>;
    /// Step 4: loads the level's file.
    fn load_level(&mut self, name: &str) -> Result<(), Self::Error>;
    /// Step 5: resets the tables of paths, deciders and characters; makes the tasks `load` and `Wind_Manager`.
    fn reset_tables(&mut self);
    /// Step 6: runs the level's script.
    fn run_script(&mut self, name: &str) -> Result<(), Self::Error>;
    /// Step 7: reads the list of the level's objects.
    fn load_objects(&mut self, name: &str) -> Result<(), Self::Error>;
    /// Step 8: loads what the level depends on, waiting.
    fn load_dependencies(&mut self, name: &str) -> Result<(), Self::Error>;
    /// Step 9: moves the cameras on and sets how far is drawn.
    fn ready_cameras(&mut self, seconds: f32);
    /// Step 10: loads the parts near the start, for so many milliseconds at most.
    fn preload(&mut self, start: LevelStart<'_>, milliseconds: u32) -> Result<(), Self::Error>;
    /// Step 11: loads the level's sounds and its bank.
    fn load_sounds(&mut self) -> Result<(), Self::Error>;
    /// Step 11: ends the loading screen.
    fn end_loading_screen(&mut self);
    /// Step 11: services the file manager.
    fn service_files(&mut self);
    /// Step 12: gives the reserved bytes back and plays the movie in them.
    fn play_intro(&mut self, reserve: Self::Reserve) -> Result<(), Self::Error>;
    /// Step 13: runs a function that a script has left for later.
    fn run_pending_function(&mut self);
    /// Step 15: remembers level and section.
    fn remember(&mut self, start: LevelStart<'_>);
    /// An error has ended the order: bytes that were kept go back.
    fn give_back(&mut self, reserve: Self::Reserve);
}

/// Begins a level. Step 14 of the original is empty.
///
/// # Errors
/// The first step that cannot be done; the loading screen has ended then.
///
/// Source: support systems, Level loading order.
pub fn init_level<H: LevelHost>(host: &mut H, start: LevelStart<'_>) -> Result<(), H::Error> {
    // 1
    host.reset();
    host.prepare_save_buffers();
    // 2
    let intro = start.has_intro_movie && start.section == FIRST_SECTION;
    let reserve = if intro { Some(host.reserve(INTRO_MOVIE_BYTES)?) } else { None };
    host.begin_loading_screen();
    // 3 to 10
    let loaded = load(host, start);
    if loaded.is_err() {
        host.end_loading_screen();
        if let Some(reserve) = reserve {
            host.give_back(reserve);
        }
        return loaded;
    }
    // 12
    if let Some(reserve) = reserve {
        host.play_intro(reserve)?;
    }
    // 13
    host.run_pending_function();
    // 15
    host.remember(start);
    Ok(())
}

/// Steps 3 to 11: what the loading screen is there for.
fn load<H: LevelHost>(host: &mut H, start: LevelStart<'_>) -> Result<(), H::Error> {
    // 3
    host.load_common()?;
    // 4
    host.load_level(start.name)?;
    // 5
    host.reset_tables();
    // 6
    host.run_script(start.name)?;
    // 7
    host.load_objects(start.name)?;
    // 8
    host.load_dependencies(start.name)?;
    // 9
    host.ready_cameras(CAMERA_SECONDS);
    // 10
    host.preload(start, preload_budget(start.number))?;
    // 11
    host.load_sounds()?;
    host.end_loading_screen();
    host.service_files();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::{String, ToString};
    use std::vec::Vec;

    #[derive(Default)]
    struct Log {
        lines: Vec<String>,
        fails_at: &'static str,
    }

    impl Log {
        fn step(&mut self, line: &str) -> Result<(), String> {
            self.lines.push(line.to_string());
            if line == self.fails_at { Err(line.to_string()) } else { Ok(()) }
        }
    }

    impl LevelHost for Log {
        type Error = String;
        type Reserve = u32;

        fn reset(&mut self) {
            self.lines.push("reset".into());
        }
        fn prepare_save_buffers(&mut self) {
            self.lines.push("saves".into());
        }
        fn reserve(&mut self, bytes: u32) -> Result<u32, String> {
            self.step("reserve").map(|()| bytes)
        }
        fn begin_loading_screen(&mut self) {
            self.lines.push("screen on".into());
        }
        fn load_common(&mut self) -> Result<(), String> {
            self.step("common")
        }
        fn load_level(&mut self, name: &str) -> Result<(), String> {
            self.step(&format!("level {name}"))
        }
        fn reset_tables(&mut self) {
            self.lines.push("tables".into());
        }
        fn run_script(&mut self, _: &str) -> Result<(), String> {
            self.step("script")
        }
        fn load_objects(&mut self, _: &str) -> Result<(), String> {
            self.step("objects")
        }
        fn load_dependencies(&mut self, _: &str) -> Result<(), String> {
            self.step("dependencies")
        }
        fn ready_cameras(&mut self, seconds: f32) {
            self.lines.push(format!("cameras {seconds}"));
        }
        fn preload(&mut self, _: LevelStart<'_>, milliseconds: u32) -> Result<(), String> {
            self.step(&format!("preload {milliseconds}"))
        }
        fn load_sounds(&mut self) -> Result<(), String> {
            self.step("sounds")
        }
        fn end_loading_screen(&mut self) {
            self.lines.push("screen off".into());
        }
        fn service_files(&mut self) {
            self.lines.push("files".into());
        }
        fn play_intro(&mut self, reserve: u32) -> Result<(), String> {
            self.step(&format!("intro {reserve}"))
        }
        fn run_pending_function(&mut self) {
            self.lines.push("pending".into());
        }
        fn remember(&mut self, start: LevelStart<'_>) {
            self.lines.push(format!("remember {} {}", start.name, start.section));
        }
        fn give_back(&mut self, reserve: u32) {
            self.lines.push(format!("give back {reserve}"));
        }
    }

    const START: LevelStart<'static> = LevelStart { name: "pier", number: 1, section: 1, has_intro_movie: true };

    #[test]
    fn a_level_begins_in_the_order_of_the_original() {
        let mut log = Log::default();
        init_level(&mut log, START).unwrap();
        let expected = [
            "reset",
            "saves",
            "reserve",
            "screen on",
            "common",
            "level pier",
            "tables",
            "script",
            "objects",
            "dependencies",
            "cameras 0.17",
            "preload 15000",
            "sounds",
            "screen off",
            "files",
            "intro 3200000",
            "pending",
            "remember pier 1",
        ];
        assert_eq!(log.lines, expected);
    }

    #[test]
    fn later_sections_reserve_nothing_and_arenas_may_preload_longer() {
        let mut log = Log::default();
        init_level(&mut log, LevelStart { section: 2, number: 101, ..START }).unwrap();
        assert!(!log.lines.iter().any(|line| line.contains("reserve") || line.contains("intro")), "{:?}", log.lines);
        assert!(log.lines.contains(&"preload 30000".into()));
    }

    #[test]
    fn a_step_that_fails_ends_the_screen_and_gives_the_reserve_back() {
        for step in ["common", "level pier", "script", "objects", "dependencies", "preload 15000", "sounds"] {
            let mut log = Log { fails_at: step, ..Log::default() };
            assert_eq!(init_level(&mut log, START), Err(step.to_string()));
            assert_eq!(log.lines[log.lines.len() - 3..], [step, "screen off", "give back 3200000"], "{step}");
        }
        let mut log = Log { fails_at: "reserve", ..Log::default() };
        assert!(init_level(&mut log, START).is_err());
        assert_eq!(log.lines.last().unwrap(), "reserve");
    }
}
