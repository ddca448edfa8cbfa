//! The scenes of the disc: what each of start-up's short pictures shows and says.
//!
//! One text of the archive lists them. [`SceneCache`] gets it at start-up through the file manager, waiting, and remembers
//! for each of its slots where in the text a scene stands; whoever shows a scene asks for its [`Screen`] by name.
//!
//! Our choice: a scene of start-up is a backdrop and words, where the original's are movies. Scenes inside a level have a
//! camera: [`super::staging`] reads their lines.
//!
//! Source: seed 003, Game_InitializeSubsystems, step 13 (a list that is loaded by waiting, 12 slots).

use super::Game;
use super::machine::Machine;
use super::screens::{Backdrop, Screen};
use super::waiting::Parts;
use crate::file_io::{
    CallbackId, Callbacks, FileError, FileManager, Finished, Request, StreamDevice, StreamFileSystem,
};
use crate::tasks::names::name_hash;
use core::str::from_utf8;
use heapless::Vec;

/// The list's file.
const FILE: &str = "scenes/scene_list.scenes";
/// Scenes of a list at most.
pub const SLOTS: usize = 12;
/// Bytes of the longest list.
const MOST_BYTES: usize = 4096;

/// A scene of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    /// Hash of its name.
    name: u32,
    backdrop: Backdrop,
    /// Where its words stand in the text.
    begin: u16,
    end: u16,
}

/// The scenes of the disc.
#[derive(Clone, Debug, Default)]
pub struct SceneCache {
    text: Vec<u8, MOST_BYTES>,
    slots: [Option<Slot>; SLOTS],
}

impl SceneCache {
    /// Forgets every scene.
    pub fn reset(&mut self) {
        self.text.clear();
        self.slots = [None; SLOTS];
    }

    /// Takes a list; nothing of it when it is too long or no text. Says how many scenes there was a slot for.
    pub fn read(&mut self, list: &[u8]) -> usize {
        self.reset();
        if from_utf8(list).is_err() || self.text.extend_from_slice(list).is_err() {
            return 0;
        }
        let text = from_utf8(&self.text).unwrap_or_default();
        let mut count = 0;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            at += line.len();
            let mut words = line.split_ascii_whitespace();
            if words.next() == Some("scene") && count < SLOTS {
                let name = name_hash(words.next().unwrap_or_default());
                let backdrop = if words.next() == Some("night") { Backdrop::Night } else { Backdrop::Dark };
                self.slots[count] = Some(Slot { name, backdrop, begin: at as u16, end: at as u16 });
                count += 1;
            } else if let Some(slot) = count.checked_sub(1).and_then(|last| self.slots[last].as_mut()) {
                slot.end = at as u16;
            }
        }
        count
    }

    fn slot(&self, name: &str) -> Option<&Slot> {
        let wanted = name_hash(name);
        self.slots.iter().flatten().find(|slot| slot.name == wanted)
    }

    fn lines(&self, slot: &Slot) -> Option<&str> {
        from_utf8(self.text.get(usize::from(slot.begin)..usize::from(slot.end))?).ok()
    }

    /// The lines of a scene.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.lines(self.slot(name)?)
    }

    /// What a scene shows.
    pub fn screen(&self, name: &str) -> Option<Screen> {
        let slot = self.slot(name)?;
        let mut words = self.lines(slot)?.lines().filter_map(|line| line.strip_prefix(':')).map(str::trim);
        let mut screen = Screen::new(slot.backdrop, words.next().unwrap_or_default());
        words.for_each(|line| screen.line(format_args!("{line}")));
        Some(screen)
    }
}

/// Where the list goes when it has come.
struct Landing<'a> {
    cache: &'a mut SceneCache,
    came: Result<usize, FileError>,
}

impl<D: StreamDevice> Callbacks<D> for Landing<'_> {
    fn finished(&mut self, _: &mut FileManager, files: &mut StreamFileSystem<'_, D>, finished: &Finished) {
        self.came = finished.result.map(|bytes| self.cache.read(files.landed(finished.region, bytes)));
    }
}

impl<M: Machine> Game<M> {
    /// Empties the slots and loads the list of scenes, waiting. A game without the list has scenes without words.
    // Covers: seed 003, step 13 scene cache (0x003535e8) test=game::scenes::tests::start_up_loads_the_list_through_the_file_manager
    pub(super) fn load_scenes(&mut self) {
        self.scenes.reset();
        let Parts { mut waiter, files, scenes, .. } = self.waiting();
        let (Some(manager), Some(files)) = (&mut files.manager, &mut files.system) else { return };
        let mut landing = Landing { cache: scenes, came: Err(FileError::NotFound) };
        let request = Request { name: FILE, destination: None, length: None, callback: CallbackId(0), user: 0 };
        // What is refused or given up has not come, which is what is told.
        let _asked = manager.request(request, files, &mut landing);
        let _served = manager.service_all(files, &mut waiter, &mut landing);
        match landing.came {
            Ok(scenes) => self.machine.print(format_args!("SCENES {scenes} in the list")),
            Err(error) => self.machine.print(format_args!("SCENES {FILE}: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::game;
    use super::*;
    use crate::boot::start::{MOVIES, StartHost as _};
    use crate::file_io::fake::Disc;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::string::ToString as _;

    const LIST: &str = include_str!("../../iso/scenes/scene_list.scenes");

    #[test]
    fn start_up_loads_the_list_through_the_file_manager() {
        let mut game = game();
        game.machine.disc = Some(Disc::of(&[(FILE, LIST.into())]));
        game.initialize_subsystems().unwrap();
        assert_eq!(game.machine.said("SCENES 5 in the list"), 1, "{:?}", game.machine.log);
        for movie in MOVIES {
            let screen = game.scenes.screen(movie.name).expect(movie.name);
            assert!(!screen.heading.is_empty() && screen.lines.len() > 1, "{screen}");
        }
        assert_eq!(game.scenes.screen("PLOGO").map(|screen| screen.backdrop), Some(Backdrop::Dark));
        assert_eq!(game.scenes.screen("L1_IN").map(|screen| screen.backdrop), Some(Backdrop::Night));
    }

    #[test]
    fn a_movie_shows_the_words_of_its_scene_and_without_a_list_the_game_s_name() {
        let mut game = game();
        game.options.skip_movies = false;
        game.initialize_subsystems().unwrap();
        assert_eq!(game.machine.said("SCENES"), 0, "there is no disc");
        game.play_movie(MOVIES[1]);
        assert!(game.picture.screen.to_string().starts_with("[BOARDWALK]"));
        game.scenes.read(LIST.as_bytes());
        game.play_movie(MOVIES[1]);
        let shown = game.picture.screen.to_string();
        assert!(shown.starts_with("[MADE FROM NOTHING]") && shown.contains("EVERY INSTRUCTION OUR OWN"), "{shown}");
    }

    #[test]
    fn a_list_keeps_twelve_scenes_and_what_is_no_list_none() {
        let mut cache = SceneCache::default();
        let many: std::string::String = (0..20).map(|n| std::format!("scene s{n}\n: {n}\n")).collect();
        assert_eq!(cache.read(many.as_bytes()), SLOTS);
        assert!(cache.screen("s11").is_some() && cache.screen("s12").is_none());
        assert_eq!(cache.read(&[0xff; 9]), 0);
        assert!(cache.screen("s1").is_none());
        assert_eq!(cache.read(&[b'\n'; MOST_BYTES + 1]), 0);
        assert_eq!(cache.read(b": words of no scene\nscene bare"), 1);
        assert_eq!(cache.screen("bare"), Some(Screen::default()));
    }

    proptest! {
        #[test]
        fn whatever_a_list_of_scenes_holds_it_is_read_and_shown(
            bytes in vec(any::<u8>(), 0..300),
            lines in vec("(scene|:|length|eye|look|say|hold|) ?[A-Za-z0-9 .:-]{0,40}\n", 0..60),
        ) {
            let mut cache = SceneCache::default();
            for list in [&bytes[..], lines.concat().as_bytes()] {
                let scenes = cache.read(list);
                prop_assert!(scenes <= SLOTS);
                for name in from_utf8(list).unwrap_or_default().split_ascii_whitespace() {
                    let _screen = cache.screen(name);
                    let _stage = cache.text(name).and_then(crate::game::staging::Stage::read);
                }
            }
        }
    }
}
