//! The voices that sounds play on: who gets one, who loses it, and what the module is told.
//!
//! A sound has a [`Handle`] as long as it plays. When all voices are taken, one of less importance, or as important and
//! quieter, falls silent for it. Nothing is sent when it happens: [`Voices::update`] tells the module once a frame what has
//! changed, and keeps for the next frame what did not fit.

use super::bank::Sound;
use super::hearing::{Listener, Source, hear};
use boardwalk_iop::adpcm::{BLOCK_BYTES, BLOCK_SAMPLES, OUTPUT_RATE, PITCH_48K};
use boardwalk_iop::protocol::{Command, VoiceSetting};
use boardwalk_iop::sound_memory::EFFECT_VOICES;

/// Voices for effects.
pub const VOICES: usize = EFFECT_VOICES as usize;
/// A voice's full volume.
pub const FULL_VOLUME: u16 = 0x3FFF;
/// The highest pitch of a voice.
const MOST_PITCH: f32 = 0x3FFF as f32;
/// Volumes are told in steps of this: smaller changes are not heard, and are not worth words.
const VOLUME_STEP: u16 = 0x100;
/// What is quieter than this is not heard at all.
const UNHEARD: f32 = 0.004;
/// Bits of a handle that say which voice.
const VOICE_BITS: u32 = 5;

/// A sound that plays, or has played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle(u16);

impl Handle {
    fn new(voice: usize, serial: u16) -> Self {
        Self(serial << VOICE_BITS | voice as u16)
    }

    /// The handle as a number.
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The handle of a number.
    pub const fn from_number(number: u16) -> Self {
        Self(number)
    }

    const fn voice(self) -> usize {
        (self.0 & ((1 << VOICE_BITS) - 1)) as usize
    }
}

/// How a sound is to be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Play {
    /// 0 to 1.
    pub volume: f32,
    /// Times the sound's own pitch.
    pub pitch: f32,
    /// Where it comes from.
    pub source: Source,
    /// Which sounds may take its voice: those of this importance or more.
    pub priority: u8,
}

impl Default for Play {
    fn default() -> Self {
        Self { volume: 1.0, pitch: 1.0, source: Source::MIDDLE, priority: 100 }
    }
}

/// What the module does not know yet of a voice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum News {
    Nothing,
    Begins,
    Ends,
}

#[derive(Clone, Copy, Debug)]
struct Voice {
    serial: u16,
    sound: Option<Sound>,
    play: Play,
    /// Seconds until a sound without a loop is over.
    left: f32,
    news: News,
    /// What the module was told last.
    told: VoiceSetting,
}

const SILENCE: VoiceSetting = VoiceSetting { pitch: 0, left: 0, right: 0 };

/// All voices.
#[derive(Clone, Debug)]
pub struct Voices {
    voices: [Voice; VOICES],
    /// The voice that is told of first: each has its turn when there is no room for all.
    first: usize,
    /// Volume of all effects, 0 to 1.
    level: f32,
    /// Sounds that got no voice.
    pub refused: u32,
    /// Sounds that lost theirs.
    pub stolen: u32,
}

impl Default for Voices {
    fn default() -> Self {
        Self::new()
    }
}

impl Voices {
    /// Voices that are all silent.
    pub const fn new() -> Self {
        let play = Play { volume: 0.0, pitch: 1.0, source: Source::MIDDLE, priority: 0 };
        let voice = Voice { serial: 0, sound: None, play, left: 0.0, news: News::Nothing, told: SILENCE };
        Self { voices: [voice; VOICES], first: 0, level: 1.0, refused: 0, stolen: 0 }
    }

    /// Sets the volume of all effects, 0 to 1.
    pub const fn set_level(&mut self, level: f32) {
        self.level = level.clamp(0.0, 1.0);
    }

    /// Plays a sound. `None` when it would not be heard, or nothing less important plays.
    pub fn play(&mut self, sound: Sound, play: Play, listener: &Listener) -> Option<Handle> {
        let loud = heard(&play, listener);
        // A loop that is not heard yet may be walked up to.
        if loud < UNHEARD && !sound.loops {
            return None;
        }
        let Some(index) = self.find_voice(play.priority, loud, listener) else {
            self.refused += 1;
            return None;
        };
        let voice = &mut self.voices[index];
        self.stolen += u32::from(voice.sound.is_some());
        voice.serial = voice.serial.wrapping_add(1) & (u16::MAX >> VOICE_BITS);
        voice.sound = Some(sound);
        voice.play = play;
        voice.left = seconds(sound, play.pitch);
        voice.news = News::Begins;
        Some(Handle::new(index, voice.serial))
    }

    /// A free voice, or else the least important one, the quietest of those, if it may be taken.
    fn find_voice(&self, priority: u8, loud: f32, listener: &Listener) -> Option<usize> {
        let mut least: Option<(u8, f32, usize)> = None;
        for (index, voice) in self.voices.iter().enumerate() {
            if voice.sound.is_none() {
                return Some(index);
            }
            let (importance, loudness) = (voice.play.priority, heard(&voice.play, listener));
            if least.is_none_or(|(p, l, _)| importance < p || importance == p && loudness < l) {
                least = Some((importance, loudness, index));
            }
        }
        let (importance, loudness, index) = least?;
        (importance < priority || importance == priority && loudness < loud).then_some(index)
    }

    fn get(&mut self, handle: Handle) -> Option<&mut Voice> {
        let voice = self.voices.get_mut(handle.voice())?;
        (voice.sound.is_some() && Handle::new(handle.voice(), voice.serial) == handle).then_some(voice)
    }

    /// True while a sound plays.
    pub fn is_playing(&self, handle: Handle) -> bool {
        let voice = self.voices.get(handle.voice());
        voice.is_some_and(|voice| voice.sound.is_some() && Handle::new(handle.voice(), voice.serial) == handle)
    }

    /// Voices that play.
    pub fn playing(&self) -> usize {
        self.voices.iter().filter(|voice| voice.sound.is_some()).count()
    }

    /// Ends a sound; false when it has ended already.
    pub fn stop(&mut self, handle: Handle) -> bool {
        self.get(handle).map(end).is_some()
    }

    /// Ends all sounds.
    pub fn stop_all(&mut self) {
        self.voices.iter_mut().filter(|voice| voice.sound.is_some()).for_each(end);
    }

    /// Sets a sound's volume; false when it has ended.
    pub fn set_volume(&mut self, handle: Handle, volume: f32) -> bool {
        self.get(handle).map(|voice| voice.play.volume = volume).is_some()
    }

    /// Moves a sound; false when it has ended.
    pub fn set_source(&mut self, handle: Handle, source: Source) -> bool {
        self.get(handle).map(|voice| voice.play.source = source).is_some()
    }

    /// Sets a sound's pitch, times its own; false when it has ended.
    pub fn set_pitch(&mut self, handle: Handle, pitch: f32) -> bool {
        self.get(handle)
            .map(|voice| {
                // What is left of it takes as much longer as it is slower.
                voice.left *= voice.play.pitch / pitch.max(f32::MIN_POSITIVE);
                voice.play.pitch = pitch;
            })
            .is_some()
    }

    /// Lets time pass and tells the module what has changed. `post` takes commands until it has no room.
    pub fn update(&mut self, seconds: f32, listener: &Listener, post: &mut impl FnMut(&Command) -> bool) {
        for voice in &mut self.voices {
            let Some(sound) = voice.sound.filter(|sound| !sound.loops && voice.news == News::Nothing) else { continue };
            voice.left -= seconds;
            if voice.left <= 0.0 {
                // It has ended by itself.
                voice.sound = None;
                let _ = sound;
            }
        }
        for turn in 0..VOICES {
            let index = (self.first + turn) % VOICES;
            if !self.tell(index, listener, post) {
                self.first = index;
                return;
            }
        }
    }

    /// Tells what is new of a voice; false when there was no room.
    fn tell(&mut self, index: usize, listener: &Listener, post: &mut impl FnMut(&Command) -> bool) -> bool {
        let level = self.level;
        let voice = &mut self.voices[index];
        let number = index as u8;
        if voice.news == News::Ends {
            if !post(&Command::Stop(number)) {
                return false;
            }
            voice.news = News::Nothing;
        }
        let Some(sound) = voice.sound else { return true };
        let setting = setting(sound, &voice.play, level, listener);
        let command = match voice.news {
            News::Begins => Command::Play { voice: number, address: sound.offset, setting },
            _ if setting != voice.told => Command::Adjust { voice: number, setting },
            _ => return true,
        };
        if !post(&command) {
            return false;
        }
        voice.news = News::Nothing;
        voice.told = setting;
        true
    }
}

fn end(voice: &mut Voice) {
    voice.sound = None;
    // The module need not hear of what it never began.
    voice.news = if voice.news == News::Begins && voice.told == SILENCE { News::Nothing } else { News::Ends };
}

/// How loud a sound is for the listener, both sides together.
fn heard(play: &Play, listener: &Listener) -> f32 {
    let [left, right] = hear(play.source, listener);
    play.volume * left.max(right)
}

/// Seconds that a sound lasts.
fn seconds(sound: Sound, pitch: f32) -> f32 {
    let samples = (sound.bytes / BLOCK_BYTES as u32 * BLOCK_SAMPLES as u32) as f32;
    let rate = OUTPUT_RATE as f32 * f32::from(sound.pitch) / f32::from(PITCH_48K) * pitch;
    samples / rate.max(1.0)
}

fn setting(sound: Sound, play: &Play, level: f32, listener: &Listener) -> VoiceSetting {
    let [left, right] = hear(play.source, listener).map(|side| {
        let volume = (side * play.volume.clamp(0.0, 1.0) * level * f32::from(FULL_VOLUME)) as u16;
        volume.min(FULL_VOLUME) / VOLUME_STEP * VOLUME_STEP
    });
    let pitch = (f32::from(sound.pitch) * play.pitch).clamp(1.0, MOST_PITCH) as u16;
    VoiceSetting { pitch, left, right }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_io::NameHash;
    use crate::maths::Vec3;
    use std::vec::Vec;

    const HERE: Listener = Listener { place: Vec3::ZERO, right: Vec3::X };

    /// A second long at 24 kHz.
    fn sound(loops: bool) -> Sound {
        let bytes = 24_000 / 28 * 16;
        Sound { name: NameHash(1), offset: 640, bytes, pitch: 0x800, loops }
    }

    fn with(priority: u8, volume: f32) -> Play {
        Play { priority, volume, ..Play::default() }
    }

    /// What a frame tells the module, with room for so many commands.
    fn frame(voices: &mut Voices, seconds: f32, room: usize) -> Vec<Command> {
        let mut told = Vec::new();
        voices.update(seconds, &HERE, &mut |command| {
            let fits = told.len() < room;
            if fits {
                told.push(*command);
            }
            fits
        });
        told
    }

    #[test]
    fn a_sound_is_told_once_and_ends_by_itself() {
        let mut voices = Voices::new();
        let handle = voices.play(sound(false), Play::default(), &HERE).unwrap();
        let setting = VoiceSetting { pitch: 0x800, left: 0x2D00, right: 0x2D00 };
        assert_eq!(frame(&mut voices, 0.033, 99), [Command::Play { voice: 0, address: 640, setting }]);
        for _ in 0..29 {
            assert_eq!(frame(&mut voices, 0.033, 99), []);
        }
        assert!(voices.is_playing(handle));
        assert_eq!(frame(&mut voices, 0.1, 99), []);
        assert!(!voices.is_playing(handle) && !voices.stop(handle));
    }

    #[test]
    fn changes_are_told_and_small_ones_are_not() {
        let mut voices = Voices::new();
        let handle = voices.play(sound(true), Play::default(), &HERE).unwrap();
        frame(&mut voices, 0.033, 99);
        voices.set_volume(handle, 0.999);
        assert_eq!(frame(&mut voices, 0.033, 99), []);
        voices.set_pitch(handle, 2.0);
        voices.set_source(handle, Source::Pan(1.0));
        let setting = VoiceSetting { pitch: 0x1000, left: 0, right: 0x3F00 };
        assert_eq!(frame(&mut voices, 0.033, 99), [Command::Adjust { voice: 0, setting }]);
        assert!(voices.stop(handle));
        assert_eq!(frame(&mut voices, 0.033, 99), [Command::Stop(0)]);
        assert!(!voices.set_volume(handle, 1.0));
    }

    #[test]
    fn a_sound_that_moves_away_grows_quiet() {
        let mut voices = Voices::new();
        let at = |x| Source::At(Vec3::new(0.0, x, 0.0));
        let handle = voices.play(sound(true), Play { source: at(2.5), ..Play::default() }, &HERE).unwrap();
        let volume = |voices: &mut Voices| match frame(voices, 0.033, 99)[..] {
            [Command::Play { setting, .. } | Command::Adjust { setting, .. }] => setting.left,
            _ => 0,
        };
        let near = volume(&mut voices);
        voices.set_source(handle, at(10.0));
        let far = volume(&mut voices);
        assert!(near > 0x2C00 && (0x0A00..0x0C00).contains(&far), "{near:#x} {far:#x}");
        assert_eq!(voices.play(sound(false), Play { source: at(60.0), ..Play::default() }, &HERE), None, "unheard");
    }

    #[test]
    fn importance_decides_who_plays_when_all_voices_are_taken() {
        let mut voices = Voices::new();
        let quiet = voices.play(sound(true), with(100, 0.2), &HERE).unwrap();
        let others: Vec<_> = (1..VOICES).map(|_| voices.play(sound(true), with(100, 0.8), &HERE).unwrap()).collect();
        assert_eq!(voices.play(sound(true), with(99, 1.0), &HERE), None, "less important");
        assert_eq!(voices.play(sound(true), with(100, 0.1), &HERE), None, "quieter than all");
        let loud = voices.play(sound(true), with(100, 0.9), &HERE).unwrap();
        assert!(!voices.is_playing(quiet) && voices.is_playing(loud));
        let important = voices.play(sound(true), with(200, 0.01), &HERE).unwrap();
        assert!(voices.is_playing(important));
        assert_eq!(others.iter().filter(|&&other| voices.is_playing(other)).count(), VOICES - 2);
        assert_eq!((voices.refused, voices.stolen), (2, 2));
    }

    #[test]
    fn what_does_not_fit_a_frame_is_told_in_the_next_ones() {
        let mut voices = Voices::new();
        for _ in 0..VOICES {
            voices.play(sound(false), Play::default(), &HERE).unwrap();
        }
        let mut told = Vec::new();
        for _ in 0..3 {
            told.extend(frame(&mut voices, 0.033, 10).into_iter().map(|command| match command {
                Command::Play { voice, .. } => voice,
                other => panic!("{other:?}"),
            }));
        }
        assert_eq!(told, (0..VOICES as u8).collect::<Vec<_>>());
    }

    #[test]
    fn a_sound_stopped_before_it_began_is_never_told() {
        let mut voices = Voices::new();
        let handle = voices.play(sound(false), Play::default(), &HERE).unwrap();
        voices.stop(handle);
        assert_eq!(frame(&mut voices, 0.033, 99), []);
    }

    #[test]
    fn handles_survive_as_numbers_and_die_with_their_sound() {
        let mut voices = Voices::new();
        let first = voices.play(sound(true), Play::default(), &HERE).unwrap();
        voices.stop(first);
        let second = voices.play(sound(true), Play::default(), &HERE).unwrap();
        assert_eq!(first.voice(), second.voice());
        assert!(!voices.is_playing(first) && voices.is_playing(Handle::from_number(second.number())));
    }

    #[test]
    fn the_level_of_all_effects_scales_each() {
        let mut voices = Voices::new();
        voices.set_level(0.5);
        voices.play(sound(true), Play::default(), &HERE).unwrap();
        let setting = VoiceSetting { pitch: 0x800, left: 0x1600, right: 0x1600 };
        assert_eq!(frame(&mut voices, 0.033, 99), [Command::Play { voice: 0, address: 640, setting }]);
    }
}
