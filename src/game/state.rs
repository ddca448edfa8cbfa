//! The game's state: what is kept from level to level, and most of it from evening to evening.
//!
//! Source: seed 003, Game_InitializeSubsystems, step 24 (W_GameState), and One in-game frame, step 14.

use super::words::LANGUAGES;
use crate::boot::start::QA_BYTES;
use crate::ee::video::{OPTION_BYTES, VideoOptions};

/// Players that a game can have.
pub const PLAYERS: usize = 2;
/// Steps of a volume; 0 is silence.
pub const LOUDEST: u8 = 10;
/// Difficulties, of which the last must be earned.
pub const DIFFICULTIES: u8 = 4;
/// Names of the difficulties.
pub const DIFFICULTY_NAMES: [&str; DIFFICULTIES as usize] = ["EASY", "NORMAL", "HARD", "BRUTAL"];

/// Who drives the player's character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// The pad, through the character's own locomotion.
    #[default]
    Direct,
    /// The pad gives commands to the motion interpreter, which drives the character.
    Commands,
}

/// Which buttons do what in a level; menus and screens are not concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// As the game says it.
    #[default]
    Standard,
    /// Cross and circle, and square and triangle, have changed places.
    Turned,
}

/// What a player chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The music's volume, 0 to [`LOUDEST`].
    pub music: u8,
    /// The effects' volume, 0 to [`LOUDEST`].
    pub effects: u8,
    /// Controllers may shake.
    pub rumble: bool,
    /// Up on the right stick looks down.
    pub inverted: bool,
    /// Captions are shown.
    pub captions: bool,
    /// Who drives the character.
    pub scheme: Scheme,
    /// 0 to 3.
    pub difficulty: u8,
    /// Which buttons do what.
    pub layout: Layout,
    /// The language's number.
    pub language: u8,
    /// The picture, once somebody has chosen one; until then the console's region decides.
    pub video: Option<VideoOptions>,
    /// Frames a second, free memory and draw distance stand on the screen.
    pub counter: bool,
}

impl Settings {
    /// What a new player finds.
    pub const NEW: Self = Self {
        music: 7,
        effects: 9,
        rumble: true,
        inverted: false,
        captions: true,
        scheme: Scheme::Direct,
        difficulty: 1,
        layout: Layout::Standard,
        language: 0,
        video: None,
        counter: false,
    };
}

impl Default for Settings {
    fn default() -> Self {
        Self::NEW
    }
}

/// What is counted over all evenings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Missions begun.
    pub begun: u32,
    /// Missions complete.
    pub won: u32,
    /// Missions failed.
    pub lost: u32,
    /// Arena games played.
    pub arenas: u32,
    /// Things thrown.
    pub thrown: u32,
    /// People knocked out.
    pub knocked_out: u32,
    /// Seconds in levels.
    pub seconds: u32,
}

impl Statistics {
    /// The figures with their names, in the order of the screen and of the save.
    pub const fn figures(&self) -> [(&'static str, u32); 7] {
        [
            ("MISSIONS BEGUN", self.begun),
            ("MISSIONS COMPLETE", self.won),
            ("MISSIONS FAILED", self.lost),
            ("ARENA GAMES", self.arenas),
            ("THINGS THROWN", self.thrown),
            ("KNOCKED OUT", self.knocked_out),
            ("SECONDS PLAYED", self.seconds),
        ]
    }

    /// The figures in that order, to be filled from a save.
    const fn places(&mut self) -> [&mut u32; 7] {
        [
            &mut self.begun,
            &mut self.won,
            &mut self.lost,
            &mut self.arenas,
            &mut self.thrown,
            &mut self.knocked_out,
            &mut self.seconds,
        ]
    }
}

/// The game's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameState {
    /// What a player chooses.
    pub settings: Settings,
    /// What is counted.
    pub statistics: Statistics,
    /// One bit for each mission that may be chosen.
    pub unlocked: u32,
    /// One bit for each mission that was completed.
    pub completed: u32,
    /// The fourth difficulty may be chosen.
    pub fourth_difficulty: bool,
    /// What the players carry.
    pub money: [u32; PLAYERS],
    /// What was brought home.
    pub bank: u32,
    /// The testers' bytes; nothing reads them.
    pub qa: Option<[u8; QA_BYTES]>,
}

impl Default for GameState {
    fn default() -> Self {
        Self::NEW
    }
}

/// Bytes of a state in a save.
pub const SAVED_BYTES: usize = 64;
/// Bytes of it at the end that the first version left zero.
const LATER_BYTES: usize = 8;

impl GameState {
    /// A new evening: the first mission, no money.
    pub const NEW: Self = Self {
        settings: Settings::NEW,
        statistics: Statistics { begun: 0, won: 0, lost: 0, arenas: 0, thrown: 0, knocked_out: 0, seconds: 0 },
        unlocked: 1,
        completed: 0,
        fourth_difficulty: false,
        money: [0; PLAYERS],
        bank: 0,
        qa: None,
    };

    /// Forgets everything, as at the start of the program.
    // Covers: seed 003, game state (0x0051489c) test=a_saved_state_reads_back_as_it_was
    // Covers: seed 003, step 24 game state test=a_saved_state_reads_back_as_it_was
    pub const fn reset(&mut self) {
        *self = Self::NEW;
    }

    /// Adds both players' money to the bank.
    ///
    /// Source: seed 003, One in-game frame, step 14.
    pub fn bank_money(&mut self) {
        for money in &mut self.money {
            self.bank = self.bank.saturating_add(core::mem::take(money));
        }
    }

    /// True when a mission may be chosen.
    pub const fn is_unlocked(&self, mission: u8) -> bool {
        mission < u32::BITS as u8 && self.unlocked & 1 << mission != 0
    }

    /// True when a mission was completed.
    pub const fn is_completed(&self, mission: u8) -> bool {
        mission < u32::BITS as u8 && self.completed & 1 << mission != 0
    }

    /// A mission is complete: it counts, and the next one of `missions` may be chosen.
    pub const fn complete(&mut self, mission: u8, missions: u8) {
        if mission < missions && missions <= u32::BITS as u8 {
            self.completed |= 1 << mission;
            if mission + 1 < missions {
                self.unlocked |= 1 << (mission + 1);
            }
        }
    }

    /// Unlocks the fourth difficulty once every one of `missions` is complete.
    pub const fn unlock_fourth_difficulty(&mut self, missions: u8) {
        let all = if missions >= u32::BITS as u8 { u32::MAX } else { (1 << missions) - 1 };
        self.fourth_difficulty |= self.completed & all == all;
    }

    /// Difficulties that may be chosen.
    pub const fn difficulties(&self) -> u8 {
        if self.fourth_difficulty { DIFFICULTIES } else { DIFFICULTIES - 1 }
    }

    /// Writes the state as it is saved; bytes beyond [`SAVED_BYTES`] stay. Nothing is written when they are too few.
    ///
    /// Our choice: a fixed little-endian layout: seven bytes of settings, one of the fourth difficulty, then words, and at the
    /// end the settings that came later.
    pub fn save(&self, bytes: &mut [u8]) -> usize {
        let Some(bytes) = bytes.get_mut(..SAVED_BYTES) else { return 0 };
        bytes.fill(0);
        let s = &self.settings;
        let commands = matches!(s.scheme, Scheme::Commands);
        let small = [
            s.music,
            s.effects,
            s.rumble.into(),
            s.inverted.into(),
            s.captions.into(),
            commands.into(),
            s.difficulty,
            self.fourth_difficulty.into(),
        ];
        bytes[..small.len()].copy_from_slice(&small);
        let mut words = [self.unlocked, self.completed, self.bank].into_iter();
        let figures = self.statistics.figures().map(|(_, figure)| figure).into_iter();
        for (place, word) in bytes[small.len()..].chunks_exact_mut(4).zip(words.by_ref().chain(figures)) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        if let Some(later) = bytes.last_chunk_mut::<LATER_BYTES>() {
            *later = self.later_bytes();
        }
        SAVED_BYTES
    }

    /// The settings that older saves have as zeros: a picture was chosen, which, buttons, language.
    fn later_bytes(&self) -> [u8; LATER_BYTES] {
        let s = &self.settings;
        let [mode, shape, right, down] = s.video.unwrap_or_default().to_bytes();
        [
            s.video.is_some().into(),
            mode,
            shape,
            right,
            down,
            u8::from(s.layout == Layout::Turned),
            s.language,
            s.counter.into(),
        ]
    }

    /// Takes the state from a save; false, and nothing changes, when the bytes are too few. Values out of range become the
    /// nearest that are in it.
    pub fn load(&mut self, bytes: &[u8]) -> bool {
        let Some(bytes) = bytes.get(..SAVED_BYTES) else { return false };
        let &[music, effects, rumble, inverted, captions, commands, difficulty, fourth, ref rest @ ..] = bytes else {
            return false;
        };
        self.fourth_difficulty = fourth != 0;
        self.settings = Settings {
            music: music.min(LOUDEST),
            effects: effects.min(LOUDEST),
            rumble: rumble != 0,
            inverted: inverted != 0,
            captions: captions != 0,
            scheme: if commands != 0 { Scheme::Commands } else { Scheme::Direct },
            difficulty: difficulty.min(self.difficulties() - 1),
            ..Settings::NEW
        };
        if let Some(&[chosen, ref later @ ..]) = bytes.last_chunk::<LATER_BYTES>() {
            let [mode, shape, right, down, turned, language, counter] = *later;
            let video: [u8; OPTION_BYTES] = [mode, shape, right, down];
            self.settings.video = (chosen == 1).then(|| VideoOptions::from_bytes(video)).flatten();
            self.settings.layout = if turned == 1 { Layout::Turned } else { Layout::Standard };
            self.settings.counter = counter == 1;
            self.settings.language = if usize::from(language) < LANGUAGES.len() { language } else { 0 };
        }
        let mut words = rest.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        let mut next = || words.next().unwrap_or(0);
        // The first mission is never locked, whatever a save says.
        self.unlocked = next() | 1;
        self.completed = next();
        self.bank = next();
        for figure in self.statistics.places() {
            *figure = next();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ee::video::{Shape, VideoMode};

    /// Nothing in it is as a new player finds it, and no two of its numbers are alike.
    const CHANGED: GameState = GameState {
        settings: Settings {
            music: 3,
            effects: 5,
            rumble: false,
            inverted: true,
            captions: false,
            scheme: Scheme::Commands,
            difficulty: 2,
            layout: Layout::Turned,
            language: 1,
            video: Some(VideoOptions { mode: VideoMode::Progressive, shape: Shape::Wide, shift: (-6, 4) }),
            counter: true,
        },
        statistics: Statistics {
            begun: 11,
            won: 0x1200,
            lost: 0x13_0000,
            arenas: 0x1400_0000,
            thrown: 15,
            knocked_out: 16,
            seconds: 70_000,
        },
        unlocked: 0x8000_0007,
        completed: 0x4000_0003,
        fourth_difficulty: true,
        money: [0; PLAYERS],
        bank: 123_456,
        qa: None,
    };

    /// The state that a save of `state` gives to a new player.
    fn saved_and_read(state: &GameState) -> GameState {
        let mut bytes = [0xff; SAVED_BYTES + 8];
        assert_eq!(state.save(&mut bytes), SAVED_BYTES);
        assert_eq!(bytes[SAVED_BYTES..], [0xff; 8]);
        let mut read = GameState::NEW;
        assert!(read.load(&bytes));
        read
    }

    #[test]
    fn a_saved_state_reads_back_as_it_was() {
        let mut read = saved_and_read(&CHANGED);
        assert_eq!(read, CHANGED);
        read.reset();
        assert_eq!(read, GameState::NEW);
        assert_eq!(saved_and_read(&GameState::NEW), GameState::NEW);
    }

    #[test]
    fn no_switch_of_a_save_is_taken_for_another() {
        let switches: [fn(&mut GameState) -> &mut bool; 5] = [
            |state| &mut state.settings.rumble,
            |state| &mut state.settings.inverted,
            |state| &mut state.settings.captions,
            |state| &mut state.settings.counter,
            |state| &mut state.fourth_difficulty,
        ];
        for (number, switch) in switches.into_iter().enumerate() {
            let mut state = GameState::NEW;
            *switch(&mut state) ^= true;
            assert_ne!(state, GameState::NEW);
            assert_eq!(saved_and_read(&state), state, "switch {number} alone");
        }
        for (scheme, layout) in [(Scheme::Commands, Layout::Standard), (Scheme::Direct, Layout::Turned)] {
            let state = GameState { settings: Settings { scheme, layout, ..Settings::NEW }, ..GameState::NEW };
            assert_eq!(saved_and_read(&state), state);
        }
        for mode in VideoMode::ALL {
            for shape in [Shape::Standard, Shape::Wide] {
                let video = Some(VideoOptions { mode, shape, shift: (0, 0) });
                let state = GameState { settings: Settings { video, ..Settings::NEW }, ..GameState::NEW };
                assert_eq!(saved_and_read(&state), state);
            }
        }
    }

    #[test]
    fn a_state_that_is_cut_short_changes_nothing_and_nonsense_is_brought_into_range() {
        let mut state = GameState::NEW;
        assert!(!state.load(&[9; SAVED_BYTES - 1]));
        assert_eq!(state, GameState::NEW);
        let mut bytes = [0xff; SAVED_BYTES];
        bytes[7] = 0;
        assert!(state.load(&bytes));
        assert_eq!((state.settings.music, state.settings.difficulty), (LOUDEST, DIFFICULTIES - 2));
        assert_eq!((state.settings.video, state.settings.language), (None, 0));
    }

    #[test]
    fn money_goes_to_the_bank_once() {
        let mut state = GameState { money: [30, 12], bank: 8, ..GameState::NEW };
        state.bank_money();
        state.bank_money();
        assert_eq!((state.bank, state.money), (50, [0, 0]));
    }

    #[test]
    fn a_mission_opens_the_next_one_and_the_last_opens_the_fourth_difficulty() {
        let mut state = GameState::NEW;
        assert!(state.is_unlocked(0) && !state.is_unlocked(1));
        state.complete(0, 2);
        state.unlock_fourth_difficulty(2);
        assert!(state.is_unlocked(1) && state.is_completed(0) && !state.fourth_difficulty);
        state.complete(1, 2);
        state.unlock_fourth_difficulty(2);
        assert!(state.fourth_difficulty && !state.is_unlocked(2));
        assert_eq!(state.difficulties(), 4);
    }
}
