//! What stands on the screen in other languages.
//!
//! The game is written in English; a language is a file of the disc's archive that says for a text what it is there, a line
//! each: `ENGLISH = OTHER`, with `#` for a number. Whatever is shown passes through [`Words`] on its way to the picture;
//! what a file does not have, or a game without a disc, stays English. A test walks the screens in each language.
//!
//! Our choice: the typeface has the capitals of ASCII, so the files write other letters in two (`UE`), as old signs do.

use super::Game;
use super::machine::Machine;
use super::screens::Screen;
use super::waiting::Parts;
use crate::file_io::{FileError, NameHash, wait};
use core::str::from_utf8;
use heapless::{String, Vec};

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    /// What it calls itself.
    pub name: &'static str,
    /// Its file; none for English.
    pub file: Option<&'static str>,
}

/// The languages, by the number that a save keeps.
pub const LANGUAGES: [Language; 2] =
    [Language { name: "ENGLISH", file: None }, Language { name: "DEUTSCH", file: Some("text/deutsch.text") }];

/// Bytes of the longest language file.
const MOST_BYTES: usize = 12288;
/// Texts of a language at most.
const MOST_TEXTS: usize = 224;
/// Numbers of a text at most.
const MOST_NUMBERS: usize = 4;

/// One text: the hash of the English one, and where the other stands in the file.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u32,
    begin: u16,
    end: u16,
}

/// The texts of a language; none for English.
#[derive(Clone, Debug, Default)]
pub struct Words {
    bytes: Vec<u8, MOST_BYTES>,
    entries: Vec<Entry, MOST_TEXTS>,
}

/// FNV-1a of letters, with every number counting as one `#`.
fn hash(text: &str) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    let mut in_number = false;
    for byte in text.bytes() {
        let digit = byte.is_ascii_digit();
        if !(digit && in_number) {
            hash = (hash ^ u32::from(if digit { b'#' } else { byte })).wrapping_mul(0x0100_0193);
        }
        in_number = digit;
    }
    hash
}

impl Words {
    /// Takes a language file; nothing of it when it is too long or no text. Says how many texts it has.
    pub fn read(&mut self, file: &[u8]) -> usize {
        self.clear();
        if from_utf8(file).is_err() || self.bytes.extend_from_slice(file).is_err() {
            return 0;
        }
        let text = from_utf8(&self.bytes).unwrap_or_default();
        for line in text.lines().filter(|line| !line.starts_with("//")) {
            let Some((english, other)) = line.split_once(" = ") else { continue };
            let begin = (other.as_ptr() as usize - text.as_ptr() as usize) as u16;
            let entry = Entry { hash: hash(english.trim()), begin, end: begin + other.trim_end().len() as u16 };
            if self.entries.push(entry).is_err() {
                break;
            }
        }
        self.entries.len()
    }

    /// English again.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.entries.clear();
    }

    /// A text in this language, when the file has it.
    fn find(&self, english: &str) -> Option<&str> {
        if english.is_empty() {
            return None;
        }
        let wanted = hash(english);
        let entry = self.entries.iter().find(|entry| entry.hash == wanted)?;
        from_utf8(self.bytes.get(usize::from(entry.begin)..usize::from(entry.end))?).ok()
    }

    /// Says a text in this language, with its numbers in their places; what does not fit is cut.
    pub fn say<const N: usize>(&self, text: &mut String<N>) {
        let Some(other) = self.find(text) else { return };
        let mut numbers: Vec<String<12>, MOST_NUMBERS> = Vec::new();
        for run in text.split(|letter: char| !letter.is_ascii_digit()).filter(|run| !run.is_empty()) {
            let mut number = String::new();
            // A number of more digits than any of the game's is cut, and one too many left out.
            let _cut = number.push_str(run);
            let _full = numbers.push(number);
        }
        let mut said = String::<N>::new();
        let mut next = numbers.iter();
        for letter in other.chars() {
            let fits = if letter == '#' {
                said.push_str(next.next().map_or("", |number| number)).is_ok()
            } else {
                said.push(letter).is_ok()
            };
            if !fits {
                break;
            }
        }
        *text = said;
    }

    /// A text in this language; for texts without numbers.
    pub fn of<'a>(&'a self, english: &'a str) -> &'a str {
        self.find(english).unwrap_or(english)
    }

    /// Says a whole screen in this language.
    pub fn translate(&self, screen: &mut Screen) {
        if self.entries.is_empty() {
            return;
        }
        self.say(&mut screen.heading);
        self.say(&mut screen.foot);
        screen.lines.iter_mut().chain(&mut screen.notes).for_each(|line| self.say(line));
        for row in &mut screen.rows {
            self.say(&mut row.label);
            self.say(&mut row.value);
        }
    }
}

impl<M: Machine> Game<M> {
    /// Reads the file of the language that is set, waiting. A file that cannot be read leaves everything in English.
    pub(super) fn load_language(&mut self) {
        self.words.clear();
        let language = LANGUAGES.get(usize::from(self.state.settings.language));
        let Some(file) = language.and_then(|language| language.file) else { return };
        let texts = self.read_words(file);
        match texts {
            Ok(texts) => self.machine.print(format_args!("LANGUAGE {file} {texts} texts")),
            Err(error) => self.machine.print(format_args!("LANGUAGE {file}: {error}")),
        }
    }

    fn read_words(&mut self, file: &str) -> Result<usize, FileError> {
        let Parts { mut waiter, files, .. } = self.waiting();
        let (Some(files), Some(buffer)) = (files.system.as_mut(), files.buffer) else {
            return Err(FileError::NotFound);
        };
        let name = NameHash::of_file(file).ok_or(FileError::NotFound)?;
        let bytes = files.size(name)?;
        let open = files.open(name)?;
        let read = files.start_read(open, 0, bytes, buffer).and_then(|()| wait(files, &mut waiter));
        files.close(open)?;
        read?;
        Ok(waiter.words.read(files.landed(buffer, bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::game;
    use super::super::menus::{Page, failure_line};
    use super::super::missions::{MISSIONS, Play};
    use super::super::staging::{self, Stage};
    use super::super::state::Scheme;
    use super::*;
    use crate::boot::start::StartHost as _;
    use crate::file_io::fake::{Disc, FakeDevice};
    use crate::file_io::{Fault, Waiter as _};
    use crate::game_modes::ModeId;
    use std::boxed::Box;
    use std::vec::Vec as Items;

    const GERMAN: &str = include_str!("../../iso/text/deutsch.text");

    fn said(words: &Words, text: &str) -> String<56> {
        let mut text = String::try_from(text).unwrap();
        words.say(&mut text);
        text
    }

    #[test]
    fn texts_are_said_in_the_language_with_their_numbers() {
        let mut words = Words::default();
        assert_eq!(words.read(b"// a comment = none\nPLAY = SPIELEN\r\n# OF # = VON # NUR #\nBARE\n"), 2);
        assert_eq!(
            (said(&words, "PLAY"), said(&words, "12 OF 345")),
            (String::try_from("SPIELEN").unwrap(), String::try_from("VON 12 NUR 345").unwrap())
        );
        assert_eq!(said(&words, "ELSE"), "ELSE");
        assert_eq!(words.of("PLAY"), "SPIELEN");
        words.clear();
        assert_eq!(said(&words, "PLAY"), "PLAY");
    }

    #[test]
    fn no_bytes_are_said_outside_of_the_file() {
        for bytes in [&b"A = "[..], b" = B", b"A = B = C", b"\xff\xfe", b"A = #########"] {
            let mut words = Words::default();
            words.read(bytes);
            said(&words, "A");
        }
        assert_eq!(Words::default().read(&[b'A'; MOST_BYTES + 1]), 0);
    }

    #[test]
    fn a_language_is_read_from_the_disc_and_without_one_everything_stays_english() {
        let mut game = game();
        game.initialize_subsystems().unwrap();
        game.state.settings.language = 1;
        game.load_language();
        assert_eq!((game.machine.said("LANGUAGE text/deutsch.text: "), game.words.of("PLAY")), (1, "PLAY"));
        let disc: &'static Disc = Box::leak(Box::new(Disc::of(&[("text/deutsch.text", GERMAN.into())])));
        game.files.system = Some(disc.files(FakeDevice::new(disc)));
        game.load_language();
        assert_eq!(game.words.of("PLAY"), "SPIELEN");
        game.state.settings.language = 0;
        game.load_language();
        assert_eq!(game.words.of("PLAY"), "PLAY");
    }

    #[test]
    fn every_word_of_the_menus_is_there_in_every_language() {
        let mut game = game();
        game.initialize_subsystems().unwrap();
        let mut texts: Items<std::string::String> = Items::new();
        let mut keep = |screen: &Screen| {
            texts.push(screen.heading.as_str().into());
            texts.push(screen.foot.as_str().into());
            texts.extend(screen.lines.iter().map(|line| line.as_str().into()));
            texts.extend(screen.notes.iter().map(|note| note.as_str().into()));
            texts.extend(screen.rows.iter().map(|row| row.label.as_str().into()));
        };
        for scheme in [Scheme::Direct, Scheme::Commands] {
            game.state.settings.scheme = scheme;
            game.turn_to(Page::Options, super::super::options::CONTROLS);
            keep(&game.menu_screen(ModeId::ProfileManager));
        }
        for page in [Page::Front, Page::Options, Page::Picture, Page::FirstStart] {
            game.turn_to(page, 0);
            keep(&game.menu_screen(ModeId::ProfileManager));
        }
        for mode in [
            ModeId::MissionSelect,
            ModeId::ArenaMenus,
            ModeId::Statistics,
            ModeId::SaveScreens,
            ModeId::Pause,
            ModeId::MissionFailed,
            ModeId::ArcadeGameOver,
            ModeId::ArenaResult,
        ] {
            keep(&game.menu_screen(mode));
        }
        keep(&game.fault_screen());
        for reason in [
            "it did not come from the disc",
            "a part of it cannot be read",
            "there is no sector pool",
            "no room for a movie",
            "no such place",
        ] {
            keep(&super::super::fake::FakeGame::refused_screen(reason));
        }
        let faults = [Fault::TrayOpen, Fault::NoDisc, Fault::WrongDisc, Fault::Unreadable, Fault::DriveTimeOut];
        for fault in faults.into_iter().chain([Fault::Silent, Fault::NoMemory]) {
            let mut waiter = game.waiting().waiter;
            let _goes_on = waiter.loading(Some(fault));
            keep(&game.picture.screen);
        }
        game.scenes.read(include_bytes!("../../iso/scenes/scene_list.scenes"));
        for movie in crate::boot::start::MOVIES {
            keep(&game.scenes.screen(movie.name).expect("a scene for each movie"));
        }
        for name in [staging::ARRIVAL, staging::ENDING] {
            let stage = Stage::read(game.scenes.text(name).unwrap()).expect("a scene that can play");
            texts.extend(stage.sayings().map(Into::into));
        }
        texts.extend(super::super::captions::all_words().chain(super::super::hud::all_words()).map(Into::into));
        texts.extend(super::super::characters_acts::ACTS.iter().map(|act| act.task.into()));
        for play in (0..4).map(Play::Mission) {
            texts.extend([false, true].map(|out| failure_line(Some(play), out).into()));
        }
        texts.extend(MISSIONS.iter().flat_map(|mission| [mission.name.into(), mission.task.into()]));
        let mut words = Words::default();
        assert!(words.read(GERMAN.as_bytes()) > 60);
        let same = ["BOARDWALK", "ARENA", "OPTIONS", "PAUSE"];
        for text in texts.iter().filter(|text| text.chars().any(|letter| letter.is_ascii_alphabetic())) {
            let known =
                words.find(text).is_some() || same.contains(&text.as_str()) || text.ends_with(" HZ") || text == "480P";
            assert!(known, "`{text}` has no German");
        }
    }

    #[test]
    fn what_a_language_says_fits_where_it_is_shown() {
        let mut words = Words::default();
        words.read(GERMAN.as_bytes());
        for line in GERMAN.lines().filter_map(|line| line.split_once(" = ")) {
            assert!(line.1.is_ascii() && line.1.len() <= 42.max(line.0.len() + 12), "{line:?}");
        }
    }
}
