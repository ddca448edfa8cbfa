//! The memory card's mode against cards that behave and cards that do not.

use super::FILES;
use super::choose::choose;
use super::image::{HEADER_BYTES, decode};
use super::mode::{Card, CardError, CardScreen, CardState, MemoryCard, Reply, Task};
use crate::game_modes::fake::{FakeGame, enter_mode};
use crate::game_modes::{ModeId, push, run_once};
use std::vec::Vec;
use std::{format, vec};

/// A card in memory.
#[derive(Clone, Default)]
pub struct FakeCard {
    pub state: CardState,
    pub files: [Option<Vec<u8>>; FILES],
    /// The card is pulled once this many more bytes are written.
    pub pulled_after: Option<usize>,
    /// The testers' file.
    pub testers: Option<Vec<u8>>,
    /// The card accepts a write and keeps other bytes.
    pub lies: bool,
}

impl Card for FakeCard {
    fn look(&mut self) -> CardState {
        self.state
    }

    fn format(&mut self) -> Result<(), CardError> {
        (self.state, self.files) = (CardState::Empty, [None, None]);
        Ok(())
    }

    fn read(&mut self, file: usize, buffer: &mut [u8]) -> Result<Option<usize>, CardError> {
        let Some(bytes) = &self.files[file] else {
            return Ok(None);
        };
        let length = bytes.len().min(buffer.len());
        buffer[..length].copy_from_slice(&bytes[..length]);
        Ok(Some(length))
    }

    fn read_testers_file(&mut self, buffer: &mut [u8]) -> Option<usize> {
        let bytes = self.testers.as_ref()?;
        buffer[..bytes.len()].copy_from_slice(bytes);
        Some(bytes.len())
    }

    fn write(&mut self, file: usize, bytes: &[u8]) -> Result<(), CardError> {
        // A file is emptied first and then grows, as on a card.
        let kept = self.pulled_after.map_or(bytes.len(), |limit| limit.min(bytes.len()));
        let mut kept_bytes = bytes[..kept].to_vec();
        if let (true, Some(last)) = (self.lies, kept_bytes.last_mut()) {
            *last ^= 1;
        }
        self.files[file] = Some(kept_bytes);
        if kept < bytes.len() {
            return Err(CardError::Changed);
        }
        self.state = CardState::Ours;
        Ok(())
    }
}

fn game(state: CardState, task: Task) -> FakeGame {
    let mut game = FakeGame { save_due: task == Task::Save, progress: b"gold 120".to_vec(), ..FakeGame::default() };
    game.card.state = state;
    game.memory_card.task = task;
    game
}

/// Saves the game's progress and answers the last screen but `Done`.
fn save(game: &mut FakeGame, progress: &[u8]) -> CardScreen {
    game.progress = progress.to_vec();
    push(game, ModeId::MemoryCard).unwrap();
    let mut last = CardScreen::Checking;
    for _ in 0..20 {
        if game.top().is_none() {
            break;
        }
        last = game.memory_card.screen();
        assert!(run_once(game));
    }
    last
}

/// What a game that starts with this card has for progress.
fn loaded(card: &FakeCard) -> Vec<u8> {
    let mut game = FakeGame { card: card.clone(), ..FakeGame::default() };
    game.memory_card.task = Task::BootCheck;
    push(&mut game, ModeId::MemoryCard).unwrap();
    while game.top().is_some() {
        assert!(run_once(&mut game));
    }
    game.progress
}

#[test]
fn a_card_of_ours_is_loaded_at_start_up() {
    let mut first = game(CardState::Empty, Task::Save);
    assert_eq!(save(&mut first, b"gold 120"), CardScreen::Saving);
    assert_eq!(loaded(&first.card), b"gold 120");
    let shown: Vec<_> = first.log.iter().filter(|line| line.starts_with("card")).collect();
    assert_eq!(shown, ["card Checking", "card Saving"], "each is on the screen before the card is busy");
}

#[test]
fn an_empty_card_is_fine_at_start_up() {
    let mut game = game(CardState::Empty, Task::BootCheck);
    push(&mut game, ModeId::MemoryCard).unwrap();
    assert!(run_once(&mut game));
    assert_eq!((game.top(), game.progress.as_slice()), (None, b"gold 120".as_slice()));
    assert_eq!(game.memory_card.task, Task::Save, "the next time it saves");
}

#[test]
fn going_on_without_the_card_is_remembered_until_it_works_again() {
    let mut game = game(CardState::Absent, Task::BootCheck);
    game.replies = vec![Reply::No];
    save(&mut game, b"none");
    assert!(game.memory_card.is_declined());
    game.card.state = CardState::Empty;
    save(&mut game, b"some");
    assert!(!game.memory_card.is_declined());
}

#[test]
fn each_save_is_newer_and_overwrites_the_older_file() {
    let mut game = game(CardState::Empty, Task::Save);
    for round in 0..5_u32 {
        save(&mut game, format!("round {round}").as_bytes());
        assert_eq!(loaded(&game.card), format!("round {round}").as_bytes());
    }
    let generation = |file: usize| decode(game.card.files[file].as_ref().unwrap()).unwrap().generation;
    assert_eq!([generation(0), generation(1)], [5, 4]);
}

#[test]
fn a_card_pulled_at_any_byte_still_holds_the_save_before() {
    let mut before = game(CardState::Empty, Task::Save);
    save(&mut before, b"first");
    save(&mut before, b"second");
    let length = HEADER_BYTES + b"third".len();
    for pulled in 0..=length {
        let mut game = game(CardState::Ours, Task::Save);
        game.card = FakeCard { pulled_after: Some(pulled), ..before.card.clone() };
        game.memory_card = before.memory_card;
        game.replies = vec![Reply::No];
        save(&mut game, b"third");
        let expected: &[u8] = if pulled == length { b"third" } else { b"second" };
        assert_eq!(loaded(&game.card), expected, "pulled after {pulled} bytes");
    }
}

#[test]
fn a_failed_save_asks_and_is_done_again() {
    let mut game = game(CardState::Empty, Task::Save);
    game.card.lies = true;
    game.replies = vec![Reply::Yes];
    push(&mut game, ModeId::MemoryCard).unwrap();
    assert!(run_once(&mut game) && run_once(&mut game));
    assert_eq!(game.memory_card.screen(), CardScreen::Failed(CardError::Failed), "it was read back");
    game.card.lies = false;
    while game.top().is_some() {
        assert!(run_once(&mut game));
    }
    assert_eq!((loaded(&game.card), game.save_due), (b"gold 120".to_vec(), false));
}

#[test]
fn a_problem_is_shown_until_the_player_answers() {
    for state in [CardState::Absent, CardState::Full, CardState::Unformatted] {
        let mut game = game(state, Task::BootCheck);
        enter_mode(&mut game, ModeId::MemoryCard);
        for _ in 0..4 {
            assert!(run_once(&mut game));
        }
        assert_eq!(game.memory_card.screen(), CardScreen::Problem(state));
        game.replies = vec![Reply::No];
        assert!(run_once(&mut game));
        assert_eq!(game.top(), None);
    }
}

#[test]
fn a_card_that_is_put_in_is_checked_again() {
    let mut game = game(CardState::Absent, Task::Save);
    enter_mode(&mut game, ModeId::MemoryCard);
    assert!(run_once(&mut game));
    game.card.state = CardState::Empty;
    game.replies = vec![Reply::Yes];
    while game.top().is_some() {
        assert!(run_once(&mut game));
    }
    assert_eq!(loaded(&game.card), b"gold 120");
}

#[test]
fn formatting_is_asked_for_twice_and_then_saves() {
    let mut game = game(CardState::Unformatted, Task::Save);
    game.replies = vec![Reply::Yes, Reply::Yes];
    assert_eq!(save(&mut game, b"new"), CardScreen::Saving);
    assert_eq!(loaded(&game.card), b"new");
    let asked = game.log.iter().filter(|line| *line == "card AskFormat").count();
    assert_eq!(asked, 1);
}

#[test]
fn doing_without_settles_the_save() {
    let mut game = game(CardState::Absent, Task::Save);
    game.replies = vec![Reply::No];
    save(&mut game, b"lost");
    assert!(!game.save_due);
    assert_eq!(MemoryCard::default().task, Task::Save);
}

#[test]
fn a_save_that_was_never_loaded_is_not_written_over_unasked() {
    let mut before = game(CardState::Empty, Task::Save);
    save(&mut before, b"far ahead");
    // Its card was put in after the start, or the start went on without.
    for (reply, left) in [(Reply::No, b"far ahead".as_slice()), (Reply::Yes, b"just begun")] {
        let mut game = game(CardState::Ours, Task::Save);
        game.card = before.card.clone();
        game.replies = vec![reply];
        save(&mut game, b"just begun");
        assert_eq!((loaded(&game.card).as_slice(), game.save_due), (left, false));
        assert!(game.log.contains(&"card AskOverwrite".into()));
    }
    save(&mut before, b"farther");
    assert!(!before.log.contains(&"card AskOverwrite".into()), "one's own save is not asked about");
}

#[test]
fn somebody_elses_file_of_the_same_name_is_kept_unless_asked_for() {
    let mut later = vec![0; 100];
    later[..8].copy_from_slice(b"BWSV\x02\0\0\0");
    for theirs in [vec![7; 100], later] {
        for file in 0..FILES {
            let mut game = game(CardState::Ours, Task::Save);
            game.card.files[file] = Some(theirs.clone());
            assert_eq!(loaded(&game.card), b"", "nothing of it is loaded");
            game.replies = vec![Reply::No];
            save(&mut game, b"mine");
            assert!(game.log.contains(&"card AskOverwrite".into()));
            assert_eq!((&game.card.files[file], &game.card.files[1 - file]), (&Some(theirs.clone()), &None));
            assert!(!game.save_due, "the player does without");
        }
    }
}

#[test]
fn another_consoles_save_of_the_same_generation_is_told_from_ones_own() {
    let mut own = game(CardState::Empty, Task::Save);
    save(&mut own, b"mine");
    let mut other = game(CardState::Empty, Task::Save);
    save(&mut other, b"theirs");
    own.card = other.card.clone();
    own.replies = vec![Reply::No];
    save(&mut own, b"mine, later");
    assert_eq!(loaded(&own.card), b"theirs", "it was asked about and kept");
}

#[test]
fn damaged_files_begin_anew() {
    let mut whole = game(CardState::Empty, Task::Save);
    save(&mut whole, b"the evening");
    let torn = whole.card.files[0].as_ref().unwrap()[..22].to_vec();
    let mut game = game(CardState::Ours, Task::Save);
    game.card.files = [Some(torn), Some(vec![])];
    assert_eq!(loaded(&game.card), b"", "nothing is loaded");
    save(&mut game, b"again");
    assert_eq!(loaded(&game.card), b"again");
    assert_eq!(choose([None, None]).write, 0);
}
