//! The program's way from its first instruction of ours to the main loop.
//!
//! Source: seed 003, main.

use crate::game_modes::frame::FrameHost;
use crate::game_modes::{ModeError, ModeId, push, push_error_if_needed, run_once};

/// Bytes of the quality-assurance file. Source: seed 003, main, step 9.
pub const QA_BYTES: usize = 20;

/// A start-up movie. Ours are short sequences that the engine draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Movie {
    /// Its name.
    pub name: &'static str,
    /// A button ends it early.
    pub skippable: bool,
}

/// The start-up movies, in order: the first is seen to its end, the others may be skipped.
///
/// Source: seed 003, main, step 7.
pub const MOVIES: [Movie; 3] = [
    Movie { name: "LOGO", skippable: false },
    Movie { name: "PLOGO", skippable: true },
    Movie { name: "L1_IN", skippable: true },
];

/// What `main` needs of the game.
pub trait StartHost: FrameHost {
    /// Why start-up failed.
    type Failure;
    /// Makes the texts that tell this build from others.
    fn stamp_build(&mut self);
    /// Brings every subsystem to life.
    fn initialize_subsystems(&mut self) -> Result<(), Self::Failure>;
    /// Sets or clears the flag that a controller is missing.
    fn set_controller_missing(&mut self, missing: bool);
    /// Loads the first level's header alone, without its streamed worlds.
    fn load_first_level_header(&mut self) -> Result<(), Self::Failure>;
    /// Sets up subtitles, paid by the heap for a level's dynamic things.
    fn set_up_subtitles(&mut self) -> Result<(), Self::Failure>;
    /// Plays a movie until it ends.
    fn play_movie(&mut self, movie: Movie);
    /// Unloads the first level again.
    fn unload_level(&mut self);
    /// The next memory-card mode is the check at start-up.
    fn set_card_boot_check(&mut self);
    /// The quality-assurance file from the memory card in port 1, if somebody put one there.
    fn read_qa_file(&mut self) -> Option<[u8; QA_BYTES]>;
    /// Puts the file's bytes where the game's state has a place for them; nothing reads them.
    fn keep_qa_bytes(&mut self, bytes: [u8; QA_BYTES]);
    /// True when a controller is connected.
    fn is_controller_connected(&mut self) -> bool;
    /// True when the program is to end before its main loop does.
    fn is_over(&self) -> bool;
    /// One round of the main loop is over and no mode is in the middle of its update: the place to go back to the title, if
    /// the reset combination asks for it.
    fn after_round(&mut self);
}

/// Why the program ended without its main loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartError<F> {
    /// A subsystem or the first level.
    Failure(F),
    /// The mode stack.
    Modes(ModeError),
}

impl<F> From<ModeError> for StartError<F> {
    fn from(error: ModeError) -> Self {
        Self::Modes(error)
    }
}

/// `main`: start-up and the main loop, which also ends when the game says that it is over.
///
/// Our choice: the reset combination is acted upon between two rounds of the loop, where no mode is in the middle of its
/// update.
///
/// Global constructors have no counterpart: the game is made before this is called.
// Covers: seed 003, main (0x001446d0) test=the_program_starts_in_the_seeds_order
pub fn start<G: StartHost>(game: &mut G) -> Result<(), StartError<G::Failure>> {
    // 2. Build stamps.
    game.stamp_build();
    // 3. Subsystems.
    game.initialize_subsystems().map_err(StartError::Failure)?;
    // 4. The controller is there until the check below says otherwise.
    game.set_controller_missing(false);
    // 5. The first level's header, for the movies' texts.
    game.load_first_level_header().map_err(StartError::Failure)?;
    // 6. Subtitles.
    game.set_up_subtitles().map_err(StartError::Failure)?;
    // 7. Movies.
    for movie in MOVIES {
        game.play_movie(movie);
    }
    // 8. The level again.
    game.unload_level();
    // 9. The bottom of the stack, and the card's check over it.
    push(game, ModeId::LevelFlow)?;
    game.set_card_boot_check();
    push(game, ModeId::MemoryCard)?;
    // 10 and 11. A file of the testers, if there is one. The original also copies the bytes, to no use.
    if let Some(bytes) = game.read_qa_file() {
        game.keep_qa_bytes(bytes);
    }
    // 12. Without a controller the error mode comes first.
    let missing = !game.is_controller_connected();
    game.set_controller_missing(missing);
    push_error_if_needed(game);
    // 13. The legal screen.
    push(game, ModeId::LegalScreen)?;
    // 14. The main loop.
    while !game.is_over() && run_once(game) {
        game.after_round();
    }
    Ok(())
}

// Ownership makes and ends what global constructors and destructors made and ended.
// Excused: seed 003, __main (0x0042b020) reason=destructor or static initialiser
// Excused: seed 003, __do_global_ctors (0x0042af70) reason=destructor or static initialiser
// Excused: seed 003, Main_StaticInit (0x001449b0) reason=destructor or static initialiser
// Excused: seed 003, Main_StaticInitStub (0x001449e8) reason=destructor or static initialiser
// Excused: seed 003, GameMode::GameMode (0x00155ed8) reason=destructor or static initialiser
// Excused: seed 003, GameMode::destructor reason=destructor or static initialiser
// What these two write goes to a stream whose own write is empty.
// Excused: seed 003, DebugStream_WriteString (0x00144910) reason=empty stub
// Excused: seed 003, DebugStream_WritePointer (0x00144948) reason=empty stub
// There is no script machine; what it called is a table of functions.
// Excused: seed 003, script system (0x00512b04) reason=script glue
// Excused: seed 003, step 12 script system (0x00356390) reason=script glue

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_modes::fake::FakeGame;
    use crate::game_modes::memory_card::Task;
    use std::string::ToString;
    use std::vec::Vec;

    impl StartHost for FakeGame {
        type Failure = &'static str;
        fn stamp_build(&mut self) {
            self.note("stamps");
        }
        fn initialize_subsystems(&mut self) -> Result<(), &'static str> {
            self.note("subsystems");
            if self.broken { Err("no archive") } else { Ok(()) }
        }
        fn set_controller_missing(&mut self, missing: bool) {
            self.faulty = missing;
            self.note(if missing { "controller missing" } else { "controller there" });
        }
        fn load_first_level_header(&mut self) -> Result<(), &'static str> {
            self.note("header");
            Ok(())
        }
        fn set_up_subtitles(&mut self) -> Result<(), &'static str> {
            self.note("subtitles");
            Ok(())
        }
        fn play_movie(&mut self, movie: Movie) {
            self.note(movie.name.to_string() + if movie.skippable { " skippable" } else { "" });
        }
        fn unload_level(&mut self) {
            self.note("unload");
        }
        fn set_card_boot_check(&mut self) {
            self.memory_card.task = Task::BootCheck;
            self.note("boot check");
        }
        fn read_qa_file(&mut self) -> Option<[u8; QA_BYTES]> {
            self.note("qa file");
            self.qa.then_some([7; QA_BYTES])
        }
        fn keep_qa_bytes(&mut self, bytes: [u8; QA_BYTES]) {
            assert_eq!(bytes, [7; QA_BYTES]);
            self.note("qa kept");
        }
        fn is_controller_connected(&mut self) -> bool {
            self.connected
        }
        fn is_over(&self) -> bool {
            false
        }
        fn after_round(&mut self) {}
    }

    /// The modes that were entered, by what each does first.
    fn order(game: &FakeGame) -> Vec<&str> {
        let modes = ["legal screen", "fault shown", "card Checking", "front end"];
        game.log.iter().map(|line| line.as_str()).filter(|line| modes.contains(line)).collect()
    }

    /// A game whose loop ends by itself: its modes leave at once, and no mode needs more than a frame.
    fn game() -> FakeGame {
        FakeGame { connected: true, ends_at_once: true, ..FakeGame::default() }
    }

    #[test]
    fn the_program_starts_in_the_seeds_order() {
        let mut game = game();
        start(&mut game).unwrap();
        let begin = [
            "stamps",
            "subsystems",
            "controller there",
            "header",
            "subtitles",
            "LOGO",
            "PLOGO skippable",
            "L1_IN skippable",
            "unload",
            "boot check",
            "qa file",
            "controller there",
            "legal screen",
        ];
        assert_eq!(game.log[..begin.len()], begin);
        assert_eq!(order(&game), ["legal screen", "card Checking", "front end"]);
    }

    #[test]
    fn without_a_controller_the_error_mode_waits_below_the_legal_screen() {
        let mut game = FakeGame { connected: false, ..game() };
        start(&mut game).unwrap();
        assert_eq!(order(&game), ["legal screen", "fault shown", "card Checking", "front end"]);
    }

    #[test]
    fn a_testers_file_is_read_kept_and_harmless() {
        let mut game = FakeGame { qa: true, ..game() };
        start(&mut game).unwrap();
        assert!(game.log.contains(&"qa kept".into()));
    }

    #[test]
    fn a_failed_subsystem_ends_start_up() {
        let mut game = FakeGame { broken: true, ..game() };
        assert_eq!(start(&mut game), Err(StartError::Failure("no archive")));
        assert_eq!((game.top(), game.log.len()), (None, 2));
    }
}
