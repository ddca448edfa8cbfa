//! Sound from the game's side.
//!
//! Sounds lie in the sound memory as one [`bank`], loaded once; music is streamed from the disc by the module on the IOP. The
//! game asks for sounds by name or says what happens ([`cues`]); [`Voices`] decides who is heard, [`hearing`] how loud and on
//! which side, [`Mix`] which layer of the music. [`Audio`] owns all of it.
//!
//! Data flows once a frame: whoever plays, moves or stops sounds changes the voices; [`Audio::update`] posts what has changed,
//! and the device tells it to the module with the one call that it makes in a frame.
//!
//! Source: settled questions 22.

pub mod bank;
pub mod cues;
pub mod hearing;
mod mix;
mod voices;

pub use cues::Cue;
pub use hearing::{Listener, Source};
pub use mix::{Layer, Mix};
pub use voices::{FULL_VOLUME, Handle, Play, VOICES, Voices};

use crate::file_io::archive::Entry;
use crate::file_io::{FileError, NameHash, Region, SECTOR_BYTES, StreamDevice, StreamFileSystem, Waiter, wait};
use bank::{Bank, BankError, Sound};
use boardwalk_iop::music::Header;
use boardwalk_iop::protocol::Command;
use core::fmt::{self, Write as _};
use cues::{FAMILIES, VARIANTS};
use heapless::{String, Vec};

/// Sounds of a bank: what the first sector of its file can list.
pub const MAX_SOUNDS: usize = 127;
/// How far a variant's pitch wanders from its own.
const WANDER: f32 = 0.04;

/// Why there is no sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AudioError {
    /// A file is missing or cannot be read.
    File(FileError),
    /// The bank is refused.
    Bank(BankError),
    /// The music is none.
    NoMusic,
}

impl From<FileError> for AudioError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl fmt::Display for AudioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Bank(error) => error.fmt(f),
            Self::NoMusic => f.write_str("this is no music"),
        }
    }
}

/// A sound of the loaded bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoundId(u8);

/// The variants of a family of sounds.
#[derive(Clone, Debug, Default)]
struct Family {
    sounds: Vec<SoundId, VARIANTS>,
    next: u8,
}

/// Music that has been opened.
#[derive(Clone, Copy, Debug)]
struct Music {
    entry: Entry,
    mix: Mix,
    /// The module is to begin, or to end, and has not been told.
    news: Option<bool>,
}

/// Everything that is heard.
#[derive(Debug)]
pub struct Audio {
    sounds: Vec<Sound, MAX_SOUNDS>,
    families: [Family; FAMILIES.len()],
    /// The bank's blocks, until the module has been told.
    blocks: Option<Command>,
    voices: Voices,
    music: Option<Music>,
    listener: Listener,
    /// The layer of the music that is wanted.
    layer: Layer,
    /// Counts plays, so that variants wander.
    plays: u32,
}

impl Default for Audio {
    fn default() -> Self {
        Self::new()
    }
}

impl Audio {
    /// Silence: no bank and no music.
    pub const fn new() -> Self {
        Self {
            sounds: Vec::new(),
            families: [const { Family { sounds: Vec::new(), next: 0 } }; FAMILIES.len()],
            blocks: None,
            voices: Voices::new(),
            music: None,
            listener: Listener { place: crate::maths::Vec3::ZERO, right: crate::maths::Vec3::X },
            layer: Layer::Calm,
            plays: 0,
        }
    }

    /// Reads a bank's table, waiting, and has the module load its blocks with the next updates.
    ///
    /// # Errors
    /// The file is missing or no bank; what was loaded before stays.
    pub fn load_bank<D: StreamDevice, W: Waiter>(
        &mut self,
        files: &mut StreamFileSystem<'_, D>,
        waiter: &mut W,
        buffer: Region,
        name: &str,
    ) -> Result<(), AudioError> {
        let entry = read_begin(files, waiter, buffer, name)?;
        let table = files.landed(buffer, entry.size.min(SECTOR_BYTES));
        let bank = Bank::read(table).map_err(AudioError::Bank)?;
        self.voices.stop_all();
        self.sounds = bank.iter().take(MAX_SOUNDS).collect();
        self.blocks = Some(Command::Bank { offset: entry.offset + bank.blocks_offset, bytes: bank.blocks_bytes });
        self.families = FAMILIES.map(|name| Family { sounds: self.variants(name), next: 0 });
        Ok(())
    }

    fn variants(&self, family: &str) -> Vec<SoundId, VARIANTS> {
        let named = |number: usize| {
            let mut name: String<48> = String::new();
            write!(name, "{family}_{number}").ok()?;
            self.find(&name)
        };
        (1..=VARIANTS).map_while(named).collect()
    }

    /// A sound of the bank by its name.
    pub fn find(&self, name: &str) -> Option<SoundId> {
        self.find_hash(NameHash::of_file(name)?)
    }

    /// A sound of the bank by its name's hash, as levels and objects have it.
    pub fn find_hash(&self, name: NameHash) -> Option<SoundId> {
        self.sounds.iter().position(|sound| sound.name == name).map(|index| SoundId(index as u8))
    }

    /// Families of cues that the bank has no sound for.
    pub fn missing(&self) -> impl Iterator<Item = &'static str> {
        FAMILIES.iter().zip(&self.families).filter(|(_, family)| family.sounds.is_empty()).map(|(name, _)| *name)
    }

    /// Plays a sound. `None` when it would not be heard, or all voices have more important ones.
    pub fn play(&mut self, sound: SoundId, play: Play) -> Option<Handle> {
        let sound = *self.sounds.get(usize::from(sound.0))?;
        self.voices.play(sound, play, &self.listener)
    }

    /// Plays what stands for a cue: one variant after the other, each a little different.
    pub fn cue(&mut self, cue: Cue, source: Source) -> Option<Handle> {
        let manner = cue.manner()?;
        let play = Play { volume: manner.volume, pitch: manner.pitch, source, priority: manner.priority };
        self.play_variant(manner.family, play)
    }

    /// Plays what a name's hash stands for: a family's next variant, as the world's objects ask for it.
    pub fn play_named(&mut self, name: u32, play: Play) -> Option<Handle> {
        self.play_variant(cues::family_of(name)?, play)
    }

    fn play_variant(&mut self, family: usize, play: Play) -> Option<Handle> {
        let family = self.families.get_mut(family)?;
        let sound = *family.sounds.get(usize::from(family.next))?;
        family.next = (family.next + 1) % family.sounds.len() as u8;
        self.plays = self.plays.wrapping_add(1);
        self.play(sound, Play { pitch: play.pitch * (1.0 + WANDER * wander(self.plays)), ..play })
    }

    /// The voices, to stop, move and change what plays.
    pub const fn voices(&mut self) -> &mut Voices {
        &mut self.voices
    }

    /// Sets who listens.
    pub const fn set_listener(&mut self, listener: Listener) {
        self.listener = listener;
    }

    /// Sets the volumes of effects and music, 0 to 1 each.
    pub const fn set_levels(&mut self, effects: f32, music: f32) {
        self.voices.set_level(effects);
        if let Some(playing) = &mut self.music {
            playing.mix.set_level(music);
        }
    }

    /// Opens music and has the module begin it with the next update.
    ///
    /// # Errors
    /// The file is missing or no music.
    pub fn start_music<D: StreamDevice, W: Waiter>(
        &mut self,
        files: &mut StreamFileSystem<'_, D>,
        waiter: &mut W,
        buffer: Region,
        name: &str,
    ) -> Result<(), AudioError> {
        let entry = read_begin(files, waiter, buffer, name)?;
        let begin = files.landed(buffer, entry.size.min(SECTOR_BYTES));
        let header = Header::from_bytes(begin, entry.size).ok_or(AudioError::NoMusic)?;
        self.music = Some(Music { entry, mix: Mix::new(header), news: Some(true) });
        Ok(())
    }

    /// Ends the music with the next update.
    pub const fn stop_music(&mut self) {
        if let Some(music) = &mut self.music {
            music.news = Some(false);
        }
    }

    /// Wants a layer of the music, from the next beat on.
    pub const fn want_layer(&mut self, layer: Layer) {
        self.layer = layer;
    }

    /// Sounds of the bank.
    pub fn sounds(&self) -> usize {
        self.sounds.len()
    }

    /// Lets a frame's time pass, posts what has changed, and has the device tell it. Once a frame, behind everything that
    /// plays sounds and behind the file manager's service.
    pub fn update<D: StreamDevice>(&mut self, device: &mut D, seconds: f32) {
        if let Some(blocks) = self.blocks.take()
            && !device.post(&blocks)
        {
            self.blocks = Some(blocks);
        }
        self.update_music(device, seconds);
        self.voices.update(seconds, &self.listener, &mut |command| device.post(command));
        device.end_frame();
    }

    fn update_music<D: StreamDevice>(&mut self, device: &mut D, seconds: f32) {
        let Some(music) = &mut self.music else { return };
        let sample = device.module_status().map_or(0, |status| status.music_sample);
        match music.news {
            Some(true) => {
                let volumes = music.mix.volumes();
                let entry = music.entry;
                if device.post(&Command::MusicPlay { offset: entry.offset, bytes: entry.size, volumes }) {
                    music.mix.told(volumes);
                    music.news = None;
                }
            }
            Some(false) => {
                if device.post(&Command::MusicStop) {
                    self.music = None;
                }
            }
            None => {
                music.mix.want(self.layer, sample);
                if let Some(volumes) = music.mix.update(seconds, sample)
                    && device.post(&Command::MusicVolume(volumes))
                {
                    music.mix.told(volumes);
                }
            }
        }
    }
}

/// Reads the first sector of a file, or all of a smaller one, into a buffer; where the file lies.
fn read_begin<D: StreamDevice, W: Waiter>(
    files: &mut StreamFileSystem<'_, D>,
    waiter: &mut W,
    buffer: Region,
    name: &str,
) -> Result<Entry, AudioError> {
    let hash = NameHash::of_file(name).ok_or(FileError::NotFound)?;
    let entry = files.place(hash).ok_or(FileError::NotFound)?;
    let file = files.open(hash)?;
    let read = files.start_read(file, 0, entry.size.min(SECTOR_BYTES), buffer);
    let waited = read.and_then(|()| wait(files, waiter));
    files.close(file)?;
    waited?;
    Ok(entry)
}

/// -1 to 1, another number for each count.
fn wander(count: u32) -> f32 {
    // Steps by the golden ratio fill the range evenly and never repeat soon.
    let turn = count.wrapping_mul(0x9E37_79B9);
    turn as i32 as f32 / i32::MAX as f32
}

#[cfg(test)]
mod tests;
