//! The course of mode 6.

use super::choose::{Choice, FILES, choose};
use super::image;
use crate::file_io::name::crc32;
use crate::game_modes::frame::FrameHost;
use crate::game_modes::id::ModeId;
use crate::game_modes::mode::{GameMode, ModeClock, Stay};
use core::fmt;

/// What a look at the card found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CardState {
    /// No card in the slot.
    #[default]
    Absent,
    /// A card that was never formatted.
    Unformatted,
    /// No save of ours, and no room for one.
    Full,
    /// No save of ours, and room for one: a new card, or somebody else's.
    Empty,
    /// A save of ours.
    Ours,
}

/// Why the card did not do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardError {
    /// It was pulled, or another was put in.
    Changed,
    /// It has no room.
    Full,
    /// It failed.
    Failed,
}

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Changed => "the memory card was changed",
            Self::Full => "the memory card is full",
            Self::Failed => "the memory card failed",
        })
    }
}

/// The card in the first slot. Calls wait for the card.
pub trait Card {
    /// Looks at the card.
    fn look(&mut self) -> CardState;
    /// Formats the card.
    fn format(&mut self) -> Result<(), CardError>;
    /// Reads one of the two files as far as the buffer goes; answers the bytes read, `None` when there is no such file.
    fn read(&mut self, file: usize, buffer: &mut [u8]) -> Result<Option<usize>, CardError>;
    /// Reads the testers' file, if the folder has one; answers the bytes read.
    fn read_testers_file(&mut self, buffer: &mut [u8]) -> Option<usize>;
    /// Writes one of the two files, and what makes the folder a save for the console's browser.
    fn write(&mut self, file: usize, bytes: &[u8]) -> Result<(), CardError>;
}

/// What the player sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CardScreen {
    /// "Checking": do not remove the card.
    #[default]
    Checking,
    /// There is a card problem: try again, or go on without saving.
    Problem(CardState),
    /// Format the card?
    AskFormat,
    /// Write over a save that this game has neither loaded nor written?
    AskOverwrite,
    /// "Saving": do not remove the card.
    Saving,
    /// It did not work: try again, or go on without saving.
    Failed(CardError),
    /// Over.
    Done,
}

/// What the player answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reply {
    /// Nothing yet.
    #[default]
    Waiting,
    /// Yes: try again, format, or write over it.
    Yes,
    /// No: go on without.
    No,
}

/// What the mode is there for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Look at the card at start-up, and load what it holds.
    BootCheck,
    /// Write the game's progress.
    #[default]
    Save,
}

/// What the mode needs of the game.
pub trait CardHost: FrameHost {
    /// The mode's state.
    fn memory_card(&mut self) -> &mut MemoryCard;
    /// The card, and a buffer that holds a whole save.
    fn card(&mut self) -> (&mut dyn Card, &mut [u8]);
    /// Writes the progress behind the first [`image::HEADER_BYTES`] bytes of the buffer; answers its length.
    fn write_progress(&mut self) -> usize;
    /// Takes the progress from the buffer, behind the header; `length` bytes.
    fn read_progress(&mut self, length: usize);
    /// The save is done, or the player does without: it is due no more.
    fn save_settled(&mut self);
    /// Draws and presents a screen, and asks for the answer if the screen has a question.
    fn show_card_screen(&mut self, screen: CardScreen) -> Reply;
}

/// What one save is told from another by: its generation, and the checksum of its contents, since another console's card counts
/// generations too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    generation: u32,
    checksum: u32,
}

impl Stamp {
    fn of(image: &image::Image<'_>) -> Self {
        Self { generation: image.generation, checksum: crc32(image.contents) }
    }
}

/// Mode 6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryCard {
    /// What the mode is there for; set before it is pushed.
    pub task: Task,
    screen: CardScreen,
    /// The save that was loaded or written last: what the card holds of it is what is played.
    pub(super) known: Option<Stamp>,
    /// The player was told what is wrong with the card and goes on without it.
    declined: bool,
}

impl MemoryCard {
    /// What the player sees now.
    pub const fn screen(&self) -> CardScreen {
        self.screen
    }

    /// What was loaded is played no more: the next save asks before it is written over the card's.
    pub const fn forget(&mut self) {
        self.known = None;
    }

    /// True when the player went on without the card the last time: what need not be saved does not ask again.
    pub const fn is_declined(&self) -> bool {
        self.declined
    }
}

impl<G: CardHost> GameMode<G> for MemoryCard {
    const ID: ModeId = ModeId::MemoryCard;
    const CLOCK: ModeClock = ModeClock::Real;

    fn enter(game: &mut G) {
        game.memory_card().screen = CardScreen::Checking;
    }

    fn exit(game: &mut G) {
        let card = game.memory_card();
        // Who is led away in the middle of it has settled nothing: the task stands, and what is due stays due.
        if card.screen != CardScreen::Done {
            return;
        }
        // The check is asked for once, at start-up; every later push saves.
        if core::mem::take(&mut card.task) == Task::Save {
            game.save_settled();
        }
    }

    // Covers: seed 003, mode 0x6 memory card (0x005e5810) test=game_modes::memory_card::tests::a_card_of_ours_is_loaded_at_start_up
    fn update(game: &mut G) -> Stay {
        let screen = game.memory_card().screen;
        // Shown before the work, so that "do not remove" is on the screen while the card is busy.
        let reply = game.show_card_screen(screen);
        let next = match (screen, reply) {
            (CardScreen::Checking, _) => check(game),
            (CardScreen::Saving, _) => save(game),
            (CardScreen::Problem(CardState::Unformatted), Reply::Yes) => CardScreen::AskFormat,
            (CardScreen::AskFormat, Reply::Yes) => match game.card().0.format() {
                Ok(()) => CardScreen::Checking,
                Err(error) => CardScreen::Failed(error),
            },
            (CardScreen::AskOverwrite, Reply::Yes) => CardScreen::Saving,
            (CardScreen::Problem(_) | CardScreen::Failed(_), Reply::Yes) => CardScreen::Checking,
            (_, Reply::No) => CardScreen::Done,
            (same, Reply::Waiting) | (same @ CardScreen::Done, _) => same,
        };
        let card = game.memory_card();
        card.screen = next;
        if next == CardScreen::Done {
            // Work that is done ends by itself, questions end by an answer.
            card.declined = !matches!(screen, CardScreen::Checking | CardScreen::Saving);
        }
        if next == CardScreen::Done { Stay::Leave } else { Stay::Stay }
    }
}

/// After a look at the card.
fn check<G: CardHost>(game: &mut G) -> CardScreen {
    let state = game.card().0.look();
    match (game.memory_card().task, state) {
        (_, CardState::Absent | CardState::Unformatted | CardState::Full) => CardScreen::Problem(state),
        (Task::Save, CardState::Ours) => match is_strange(game) {
            Ok(true) => CardScreen::AskOverwrite,
            Ok(false) => CardScreen::Saving,
            Err(error) => CardScreen::Failed(error),
        },
        (Task::Save, CardState::Empty) => CardScreen::Saving,
        (Task::BootCheck, CardState::Empty) => CardScreen::Done,
        (Task::BootCheck, CardState::Ours) => match load(game) {
            Ok(()) => CardScreen::Done,
            Err(error) => CardScreen::Failed(error),
        },
    }
}

/// What the two files hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Found {
    /// The saves that are whole.
    whole: [Option<Stamp>; FILES],
    /// A file is no save of ours and no piece of one: somebody else's, or a later version's.
    foreign: bool,
}

impl Found {
    /// Which file is read and which is written.
    fn choice(&self) -> Choice {
        choose(self.whole.map(|stamp| stamp.map(|stamp| stamp.generation)))
    }
}

/// Looks at both files.
fn look_at_files(card: &mut dyn Card, buffer: &mut [u8]) -> Result<Found, CardError> {
    let mut found = Found::default();
    for file in 0..FILES {
        let Some(bytes) = card.read(file, buffer)? else { continue };
        match image::decode(buffer.get(..bytes).unwrap_or_default()) {
            Ok(image) => found.whole[file] = Some(Stamp::of(&image)),
            Err(image::ImageError::Magic | image::ImageError::Version(_)) => found.foreign = true,
            // What a pulled card has left of a save is nobody's.
            Err(_) => {}
        }
    }
    Ok(found)
}

/// True when the card's newest save is not the one that is played, or a file is somebody else's: the card was put in after the
/// start, or is another one.
///
/// Our choice: that is asked about before it is written over, as it may be ahead of what is played.
fn is_strange<G: CardHost>(game: &mut G) -> Result<bool, CardError> {
    let (card, buffer) = game.card();
    let found = look_at_files(card, buffer)?;
    let newest = found.choice().read.and_then(|file| found.whole[file]);
    Ok(found.foreign || (newest.is_some() && newest != game.memory_card().known))
}

fn load<G: CardHost>(game: &mut G) -> Result<(), CardError> {
    let (card, buffer) = game.card();
    let found = look_at_files(card, buffer)?;
    let Some(file) = found.choice().read else {
        // Both files are damaged or somebody else's: there is nothing to load, and the next save begins anew.
        return Ok(());
    };
    let bytes = card.read(file, buffer)?.unwrap_or(0);
    let image = buffer.get(..bytes).ok_or(CardError::Failed)?;
    let length = image::decode(image).map_err(|_| CardError::Failed)?.contents.len();
    game.read_progress(length);
    game.memory_card().known = found.whole[file];
    Ok(())
}

/// Writes the older file and reads it back.
fn save<G: CardHost>(game: &mut G) -> CardScreen {
    match try_save(game) {
        Ok(()) => CardScreen::Done,
        Err(error) => CardScreen::Failed(error),
    }
}

fn try_save<G: CardHost>(game: &mut G) -> Result<(), CardError> {
    let (card, buffer) = game.card();
    let Choice { write, generation, .. } = look_at_files(card, buffer)?.choice();
    let length = game.write_progress();
    let (card, buffer) = game.card();
    let bytes = image::seal(generation, length, buffer).map_err(|_| CardError::Full)?;
    card.write(write, &buffer[..bytes])?;
    let again = card.read(write, buffer)?.unwrap_or(0);
    let whole = buffer.get(..again).and_then(|bytes| image::decode(bytes).ok());
    match whole {
        Some(image) if image.generation == generation && image.contents.len() == length => {
            let stamp = Stamp::of(&image);
            game.memory_card().known = Some(stamp);
            Ok(())
        }
        _ => Err(CardError::Failed),
    }
}
