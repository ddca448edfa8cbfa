//! What the EE and the module say to each other.
//!
//! The EE calls the module's server with a list of commands, or with nothing to ask for its state; either way the answer is a
//! [`Status`]. A command is a word with its number and how many words follow. The numbers of opening and reading are those of
//! the original; the others are ours and lie above them. Whatever may be sent twice because an answer was lost is safe to be
//! taken twice: a read carries a serial number.
//!
//! Source: support systems, File I/O (IOP commands).

use crate::music::LAYERS;

/// The server's number.
pub const SERVER: u32 = 0x4257_0100;
/// Function of the server: a list of commands.
pub const COMMANDS: u32 = 0;
/// Function of the server: only the state.
pub const STATUS: u32 = 1;
/// Words of the longest list.
pub const LIST_WORDS: usize = 64;
/// Bytes of a path, its end mark included.
pub const PATH_BYTES: usize = 64;

/// Numbers of commands.
mod number {
    pub const START: u32 = 0x01;
    pub const OPEN: u32 = 0x1F;
    pub const READ: u32 = 0x29;
    pub const DESTINATION: u32 = 0x31;
    pub const CANCEL: u32 = 0x81;
    pub const THROTTLE: u32 = 0x82;
    pub const FAULT: u32 = 0x83;
    pub const MUTE: u32 = 0x84;
    pub const ECHO: u32 = 0x85;
    pub const SCRATCH: u32 = 0x86;
    pub const MUSIC_PLAY: u32 = 0x90;
    pub const MUSIC_STOP: u32 = 0x91;
    pub const MUSIC_VOLUME: u32 = 0x92;
    pub const BANK: u32 = 0xA0;
    pub const PLAY: u32 = 0xA1;
    pub const STOP: u32 = 0xA2;
    pub const ADJUST: u32 = 0xA3;
    pub const HEAR: u32 = 0xA4;
}

/// The second mode word of a read's start.
///
/// Source: support systems, File I/O
const START_MODE: u32 = 0x7E;

/// Every command of the drive, until it is mended.
pub const ALWAYS: u32 = u32::MAX;

/// A path, padded with zeros.
pub type Path = [u8; PATH_BYTES];

/// How a voice sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoiceSetting {
    /// Pitch; 0x1000 is 48 kHz.
    pub pitch: u16,
    /// Volume to the left, 0 to 0x3FFF.
    pub left: u16,
    /// Volume to the right.
    pub right: u16,
}

/// One command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Opens a file of the disc, by its path there.
    Open(Path),
    /// Says what the next start reads: bytes of the open file.
    Read {
        /// First byte, a multiple of a sector.
        offset: u32,
        /// Bytes.
        length: u32,
    },
    /// Says where the next start's bytes go in the EE's memory.
    Destination(u32),
    /// Starts the read that was said, unless the last one had this serial number.
    Start {
        /// The read's serial number, never 0.
        serial: u32,
    },
    /// Ends the read with that serial number as soon as possible.
    Cancel {
        /// The read's serial number.
        serial: u32,
    },
    /// Slows the drive down to a console's: microseconds for each sector and each seek. Zeros let it run.
    Throttle {
        /// More microseconds for a sector.
        sector: u32,
        /// More microseconds for a seek.
        seek: u32,
    },
    /// Lets the drive fail, for tests.
    Fault {
        /// The fault; [`fault::NONE`] mends the drive.
        fault: u32,
        /// How many of its next commands fail, tries of the same sectors included; [`ALWAYS`] until it is mended.
        commands: u32,
    },
    /// Lets a part of the open file stay unreadable, for tests; no bytes mend it.
    Scratch {
        /// First byte, a multiple of a sector.
        offset: u32,
        /// Bytes.
        bytes: u32,
    },
    /// Lets the server keep the answer of this very list to itself for a while, for tests.
    Mute {
        /// How long.
        milliseconds: u32,
    },
    /// Sends the IOP's memory to the EE before the answer, for the self-test.
    Echo {
        /// First byte, a multiple of a word.
        source: u32,
        /// Where it goes in the EE's memory, a multiple of a quadword.
        destination: u32,
        /// Bytes, whole quadwords.
        bytes: u32,
    },
    /// Plays music from the open file.
    MusicPlay {
        /// First byte of the music.
        offset: u32,
        /// Its bytes.
        bytes: u32,
        /// Volume of each layer, 0 to 0x3FFF.
        volumes: [u16; LAYERS],
    },
    /// Ends the music.
    MusicStop,
    /// Sets the volumes of the music's layers.
    MusicVolume([u16; LAYERS]),
    /// Loads the blocks of a bank from the open file to the sound memory.
    Bank {
        /// First byte of the blocks, a multiple of a sector.
        offset: u32,
        /// Their bytes.
        bytes: u32,
    },
    /// Plays a sound of the bank on a voice.
    Play {
        /// The voice.
        voice: u8,
        /// The sound's first byte within the bank.
        address: u32,
        /// How it sounds.
        setting: VoiceSetting,
    },
    /// Ends a voice's sound.
    Stop(u8),
    /// Changes how a voice sounds.
    Adjust {
        /// The voice.
        voice: u8,
        /// How it sounds from now on.
        setting: VoiceSetting,
    },
    /// Looks how a voice sounds at this moment, for the self-test.
    Hear(u8),
}

/// What the sound processor says of a voice, in 256ths of the most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// Its envelope, 0 when it is silent.
    pub envelope: u8,
    /// Its volume to the left at this moment.
    pub left: u8,
    /// Its volume to the right at this moment.
    pub right: u8,
}

/// A list of commands in the making.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    words: [u32; LIST_WORDS],
    used: usize,
}

impl Default for List {
    fn default() -> Self {
        Self::new()
    }
}

impl List {
    /// An empty list.
    pub const fn new() -> Self {
        Self { words: [0; LIST_WORDS], used: 0 }
    }

    /// A list of words that were one; `None` when they are too many.
    pub fn of(words: &[u32]) -> Option<Self> {
        let mut list = Self::new();
        list.words.get_mut(..words.len())?.copy_from_slice(words);
        list.used = words.len();
        Some(list)
    }

    /// The list's words.
    pub fn words(&self) -> &[u32] {
        &self.words[..self.used]
    }

    /// True when nothing was added.
    pub const fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Empties the list.
    pub const fn clear(&mut self) {
        self.used = 0;
    }

    /// Adds a command; false, and nothing is added, when the list is full.
    pub fn add(&mut self, command: &Command) -> bool {
        let voice = |voice: u8, setting: VoiceSetting| {
            (
                u32::from(voice) | u32::from(setting.pitch) << 16,
                u32::from(setting.left) | u32::from(setting.right) << 16,
            )
        };
        match *command {
            Command::Open(path) => {
                let mut words = [0; PATH_BYTES / 4];
                for (word, bytes) in words.iter_mut().zip(path.as_chunks::<4>().0) {
                    *word = u32::from_le_bytes(*bytes);
                }
                self.put(number::OPEN, &words)
            }
            Command::Read { offset, length } => self.put(number::READ, &[0, offset, length]),
            Command::Destination(address) => self.put(number::DESTINATION, &[address]),
            Command::Start { serial } => self.put(number::START, &[serial, START_MODE]),
            Command::Cancel { serial } => self.put(number::CANCEL, &[serial]),
            Command::Throttle { sector, seek } => self.put(number::THROTTLE, &[sector, seek]),
            Command::Fault { fault, commands } => self.put(number::FAULT, &[fault, commands]),
            Command::Scratch { offset, bytes } => self.put(number::SCRATCH, &[offset, bytes]),
            Command::Mute { milliseconds } => self.put(number::MUTE, &[milliseconds]),
            Command::Echo { source, destination, bytes } => self.put(number::ECHO, &[source, destination, bytes]),
            Command::MusicPlay { offset, bytes, volumes } => {
                self.put(number::MUSIC_PLAY, &[offset, bytes, pair(volumes)])
            }
            Command::MusicStop => self.put(number::MUSIC_STOP, &[]),
            Command::MusicVolume(volumes) => self.put(number::MUSIC_VOLUME, &[pair(volumes)]),
            Command::Bank { offset, bytes } => self.put(number::BANK, &[offset, bytes]),
            Command::Play { voice: number, address, setting } => {
                let (first, second) = voice(number, setting);
                self.put(number::PLAY, &[first, second, address])
            }
            Command::Stop(voice) => self.put(number::STOP, &[voice.into()]),
            Command::Adjust { voice: number, setting } => {
                let (first, second) = voice(number, setting);
                self.put(number::ADJUST, &[first, second])
            }
            Command::Hear(voice) => self.put(number::HEAR, &[voice.into()]),
        }
    }

    /// Adds another list's commands; false, and nothing is added, when they do not fit.
    pub fn append(&mut self, other: &Self) -> bool {
        let end = self.used + other.used;
        let Some(place) = self.words.get_mut(self.used..end) else { return false };
        place.copy_from_slice(other.words());
        self.used = end;
        true
    }

    fn put(&mut self, number: u32, words: &[u32]) -> bool {
        let end = self.used + 1 + words.len();
        let Some(place) = self.words.get_mut(self.used..end) else { return false };
        if let Some((head, rest)) = place.split_first_mut() {
            *head = number | (words.len() as u32) << 16;
            rest.copy_from_slice(words);
        }
        self.used = end;
        true
    }
}

/// Takes the next command off a list. `None` ends it; `Some(None)` is a command that means nothing. Zeros fill a list up.
pub fn take(list: &mut &[u32]) -> Option<Option<Command>> {
    let used = list.iter().position(|&word| word != 0)?;
    let (&head, rest) = list.get(used..)?.split_first()?;
    let Some((words, rest)) = rest.split_at_checked((head >> 16) as usize) else {
        *list = &[];
        return Some(None);
    };
    *list = rest;
    Some(command(head & 0xFFFF, words))
}

fn command(number: u32, words: &[u32]) -> Option<Command> {
    let setting = |first: u32, second: u32| VoiceSetting {
        pitch: (first >> 16) as u16,
        left: second as u16,
        right: (second >> 16) as u16,
    };
    Some(match (number, words) {
        (number::OPEN, words) if words.len() == PATH_BYTES / 4 => {
            let mut path = [0; PATH_BYTES];
            for (bytes, word) in path.as_chunks_mut::<4>().0.iter_mut().zip(words) {
                *bytes = word.to_le_bytes();
            }
            Command::Open(path)
        }
        (number::READ, &[_, offset, length]) => Command::Read { offset, length },
        (number::DESTINATION, &[address]) => Command::Destination(address),
        (number::START, &[serial, _]) => Command::Start { serial },
        (number::CANCEL, &[serial]) => Command::Cancel { serial },
        (number::THROTTLE, &[sector, seek]) => Command::Throttle { sector, seek },
        (number::FAULT, &[fault, commands]) => Command::Fault { fault, commands },
        (number::SCRATCH, &[offset, bytes]) => Command::Scratch { offset, bytes },
        (number::MUTE, &[milliseconds]) => Command::Mute { milliseconds },
        (number::ECHO, &[source, destination, bytes]) => Command::Echo { source, destination, bytes },
        (number::MUSIC_PLAY, &[offset, bytes, volumes]) => {
            Command::MusicPlay { offset, bytes, volumes: unpair(volumes) }
        }
        (number::MUSIC_STOP, &[]) => Command::MusicStop,
        (number::MUSIC_VOLUME, &[volumes]) => Command::MusicVolume(unpair(volumes)),
        (number::BANK, &[offset, bytes]) => Command::Bank { offset, bytes },
        (number::PLAY, &[first, second, address]) => {
            Command::Play { voice: first as u8, address, setting: setting(first, second) }
        }
        (number::STOP, &[voice]) => Command::Stop(voice as u8),
        (number::HEAR, &[voice]) => Command::Hear(voice as u8),
        (number::ADJUST, &[first, second]) => Command::Adjust { voice: first as u8, setting: setting(first, second) },
        _ => return None,
    })
}

/// Two halves of a word.
const fn pair([low, high]: [u16; 2]) -> u32 {
    low as u32 | (high as u32) << 16
}

const fn unpair(word: u32) -> [u16; 2] {
    [word as u16, (word >> 16) as u16]
}

/// How an open or a read goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Progress {
    /// Nothing was asked.
    Idle = 0,
    /// Under way.
    Busy = 1,
    /// Ended well.
    Done = 2,
    /// Ended with the fault.
    Failed = 3,
}

impl Progress {
    const fn from_word(word: u32) -> Self {
        match word {
            1 => Self::Busy,
            2 => Self::Done,
            3 => Self::Failed,
            _ => Self::Idle,
        }
    }
}

/// Why an open or a read has failed.
pub mod fault {
    /// It has not.
    pub const NONE: u32 = 0;
    /// The tray is open, or was opened.
    pub const TRAY_OPEN: u32 = 1;
    /// There is no disc.
    pub const NO_DISC: u32 = 2;
    /// It is another disc.
    pub const WRONG_DISC: u32 = 3;
    /// Sectors stayed unreadable.
    pub const UNREADABLE: u32 = 4;
    /// The drive did not end a command.
    pub const TIME_OUT: u32 = 5;
    /// No memory for the buffers.
    pub const NO_MEMORY: u32 = 6;
    /// The file is not on the disc.
    pub const NOT_FOUND: u32 = 7;
    /// The read does not fit the file, a sector, or a cache line.
    pub const REFUSED: u32 = 8;
    /// It was cancelled.
    pub const CANCELLED: u32 = 9;
    /// For tests alone: the tray was opened and shut again while no command was under way.
    pub const TRAY_MOVED: u32 = 10;
    /// For tests alone: the disc's thread stands for as many milliseconds as the command says commands.
    pub const STANDS: u32 = 11;

    /// True for what lies at the sectors that were read: others may be read all the same.
    pub const fn is_of_sectors(fault: u32) -> bool {
        matches!(fault, UNREADABLE | TIME_OUT)
    }
}

/// Words of a [`Status`].
pub const STATUS_WORDS: usize = 16;
/// First word of every status: an answer without it is none.
const STATUS_MAGIC: u32 = 0x4257_0001;

/// The module's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// How the open goes.
    pub open: Progress,
    /// Why it has failed.
    pub open_fault: u32,
    /// Bytes of the open file.
    pub file_bytes: u32,
    /// How the read goes.
    pub read: Progress,
    /// Why it has failed.
    pub read_fault: u32,
    /// The read's serial number.
    pub serial: u32,
    /// Its bytes that have come.
    pub delivered: u32,
    /// Retries of sectors since the module started.
    pub retries: u32,
    /// The drive has the game's disc and could read.
    pub ready: bool,
    /// What the drive failed with, while it is not ready.
    pub drive_fault: u32,
    /// Music plays.
    pub music: bool,
    /// The group of the music that was last given to the sound memory.
    pub music_group: u32,
    /// The sample of the whole music that its voices play, to the block.
    pub music_sample: u32,
    /// Times that the music found no data in time.
    pub underruns: u32,
    /// The sound library was found.
    pub sound: bool,
    /// A bank is in the sound memory.
    pub bank: bool,
    /// Commands that meant nothing.
    pub refused: u32,
    /// A thread of the module stands: what it was asked for will not come.
    pub stopped: bool,
    /// What the last look at a voice found.
    pub heard: Heard,
}

/// Bits of the status' word of flags.
mod status_flag {
    pub const READY: u32 = 1;
    pub const MUSIC: u32 = 2;
    pub const SOUND: u32 = 4;
    pub const BANK: u32 = 8;
    pub const STOPPED: u32 = 16;
}

impl Status {
    /// Nothing was asked and nothing has happened.
    pub const IDLE: Self = Self {
        open: Progress::Idle,
        open_fault: fault::NONE,
        file_bytes: 0,
        read: Progress::Idle,
        read_fault: fault::NONE,
        serial: 0,
        delivered: 0,
        retries: 0,
        ready: true,
        drive_fault: fault::NONE,
        music: false,
        music_group: 0,
        music_sample: 0,
        underruns: 0,
        sound: false,
        bank: false,
        refused: 0,
        stopped: false,
        heard: Heard { envelope: 0, left: 0, right: 0 },
    };

    /// The status' words, as they travel.
    pub fn to_words(&self) -> [u32; STATUS_WORDS] {
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        [
            STATUS_MAGIC,
            self.open as u32,
            self.open_fault,
            self.file_bytes,
            self.read as u32,
            self.read_fault,
            self.serial,
            self.delivered,
            self.retries,
            flag(self.ready, status_flag::READY)
                | flag(self.music, status_flag::MUSIC)
                | flag(self.sound, status_flag::SOUND)
                | flag(self.bank, status_flag::BANK)
                | flag(self.stopped, status_flag::STOPPED),
            self.music_group,
            self.underruns,
            self.refused,
            self.music_sample,
            self.drive_fault,
            u32::from_le_bytes([self.heard.envelope, self.heard.left, self.heard.right, 0]),
        ]
    }

    /// Reads a status. `None` when the words are none.
    pub fn from_words(words: &[u32; STATUS_WORDS]) -> Option<Self> {
        let [magic, open, open_fault, file_bytes, read, read_fault, serial, delivered, retries, flags, rest @ ..] =
            *words;
        let [music_group, underruns, refused, music_sample, drive_fault, heard] = rest;
        let [envelope, left, right, _] = heard.to_le_bytes();
        (magic == STATUS_MAGIC).then_some(Self {
            open: Progress::from_word(open),
            open_fault,
            file_bytes,
            read: Progress::from_word(read),
            read_fault,
            serial,
            delivered,
            retries,
            ready: flags & status_flag::READY != 0,
            drive_fault,
            music: flags & status_flag::MUSIC != 0,
            music_group,
            music_sample,
            underruns,
            sound: flags & status_flag::SOUND != 0,
            bank: flags & status_flag::BANK != 0,
            refused,
            stopped: flags & status_flag::STOPPED != 0,
            heard: Heard { envelope, left, right },
        })
    }
}

#[cfg(test)]
mod tests;
