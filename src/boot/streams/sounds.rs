//! Sounds and music beside data.

use super::{Archive, Device, Reason, finish, listen, rates, told};
use crate::audio::bank::{Bank, Sound};
use crate::file_io::archive::Entry;
use crate::file_io::{DeviceState, NameHash, Read, Region, SECTOR_BYTES, StreamDevice};
use crate::tty_println;
use boardwalk_iop::adpcm::{BLOCK_BYTES, BLOCK_SAMPLES, PITCH_48K};
use boardwalk_iop::protocol::{Command, VoiceSetting};

/// The bank that is played from.
pub const BANK: &str = "sound/effects.bank";
/// The music.
pub const MUSIC: &str = "sound/pier.music";
/// Half of the full volume.
pub const VOLUME: u16 = 0x1FFF;
/// Frames until a bank and music are there on a slow drive, seeks included.
const PATIENCE: u32 = 120;
/// Frames after a command until the module's answers are not of what was before it.
pub const FIRST_ANSWERS: u32 = 3;
/// Frames for which a single sound is listened to.
const SOUND_FRAMES: u32 = 60;
/// A sound of notes.
const NOTES: &str = "menu_choose_1";
/// Frames and samples of the output in a second.
const FRAMES_A_SECOND: u32 = 30;
const SAMPLES_A_SECOND: u32 = 48_000;

/// Loads the bank and plays one of its sounds; plays music, also while the throttled drive streams data beside it.
pub fn check(device: &mut Device<'_>, region: Region, archive: &Archive) -> Result<(), Reason> {
    let music = archive.find(MUSIC)?;
    let sound = load_bank(device, region, archive, PATIENCE, |bank| bank.iter().next())?;
    let setting = VoiceSetting { pitch: sound.pitch, left: VOLUME, right: VOLUME };
    device.post(&Command::Play { voice: 0, address: sound.offset, setting });
    play_music(device, music, PATIENCE)?;
    rates::beside_music(device, region, archive)?;
    listen(device, 45);
    let status = *device.status();
    tty_println!(
        "FACT stream sounds bank {} music {} group {} underruns {}",
        status.bank,
        status.music,
        status.music_group,
        status.underruns
    );
    device.post(&Command::MusicStop);
    listen(device, 10);
    let stopped = !device.status().music;
    if !status.sound {
        return Ok(());
    }
    let good = status.bank && status.music && status.music_group > 2 && status.underruns == 0 && stopped;
    if good { Ok(()) } else { Err("sounds do not play as they should") }
}

/// What the effects are heard by: a sound for the sides, one of notes whose waves can be counted, and the shortest that loops.
struct Heard {
    single: Sound,
    notes: Sound,
    looping: Sound,
}

impl Heard {
    fn of(bank: &Bank<'_>) -> Option<Self> {
        let notes = NameHash::of_file(NOTES)?;
        Some(Self {
            single: bank.iter().find(|sound| !sound.loops)?,
            notes: bank.iter().find(|sound| sound.name == notes)?,
            looping: bank.iter().filter(|sound| sound.loops).min_by_key(|sound| sound.bytes)?,
        })
    }
}

/// Ends the music and plays effects for who listens to a recording: one on the left, on the right, and half as loud on the left;
/// notes, and the same at half their pitch; a sound that loops for longer than it is, until it is stopped.
pub fn effects(device: &mut Device<'_>, region: Region, archive: &Archive) -> Result<(), Reason> {
    if device.poll() == DeviceState::Busy {
        finish(device).map_err(told)?;
    }
    device.post(&Command::MusicStop);
    let Heard { single, notes, looping } = load_bank(device, region, archive, PATIENCE, Heard::of)?;
    for (left, right) in [(VOLUME, 0), (0, VOLUME), (VOLUME / 2, 0)] {
        play(device, &single, VoiceSetting { pitch: single.pitch, left, right }, SOUND_FRAMES);
    }
    for pitch in [notes.pitch, notes.pitch / 2] {
        play(device, &notes, VoiceSetting { pitch, left: VOLUME, right: VOLUME }, SOUND_FRAMES);
    }
    let samples = looping.bytes / BLOCK_BYTES as u32 * BLOCK_SAMPLES as u32;
    let once = samples * u32::from(PITCH_48K) / u32::from(looping.pitch) * FRAMES_A_SECOND / SAMPLES_A_SECOND;
    let frames = once + SOUND_FRAMES;
    tty_println!("FACT stream looping of {once} frames is played for {frames}");
    play(device, &looping, VoiceSetting { pitch: looping.pitch, left: VOLUME, right: VOLUME }, frames);
    device.post(&Command::Stop(0));
    listen(device, SOUND_FRAMES);
    tty_println!("FACT stream effects played");
    Ok(())
}

/// Plays a sound and listens for so many frames.
fn play(device: &mut Device<'_>, sound: &Sound, setting: VoiceSetting, frames: u32) {
    device.post(&Command::Play { voice: 0, address: sound.offset, setting });
    listen(device, frames);
}

/// Loads the bank, for which the module has so many frames, and answers what is chosen of it.
pub fn load_bank<T>(
    device: &mut Device<'_>,
    region: Region,
    archive: &Archive,
    patience: u32,
    choose: impl FnOnce(&Bank<'_>) -> Option<T>,
) -> Result<T, Reason> {
    let file = archive.find(BANK)?;
    device.start(Read { offset: file.offset, length: SECTOR_BYTES, destination: region }).map_err(told)?;
    finish(device).map_err(told)?;
    let bank = Bank::read(device.landed(region, SECTOR_BYTES)).map_err(|_| "the bank is refused")?;
    let chosen = choose(&bank).ok_or("the bank has no sound for this")?;
    let blocks = Command::Bank { offset: file.offset + bank.blocks_offset, bytes: bank.blocks_bytes };
    device.post(&blocks);
    until(device, patience, |device| device.status().bank || !device.status().sound)?;
    Ok(chosen)
}

/// Plays music, which has so many frames to begin.
pub fn play_music(device: &mut Device<'_>, music: Entry, patience: u32) -> Result<(), Reason> {
    device.post(&Command::MusicPlay { offset: music.offset, bytes: music.size, volumes: [VOLUME; 2] });
    until(device, patience, |device| device.status().music || !device.status().sound)
}

/// Waits until what was posted is there. What was there before it may still be answered for a moment.
fn until(device: &mut Device<'_>, patience: u32, reached: impl Fn(&Device<'_>) -> bool) -> Result<(), Reason> {
    listen(device, FIRST_ANSWERS);
    for _ in 0..patience {
        listen(device, 1);
        if reached(device) {
            return Ok(());
        }
    }
    Err("bank or music do not come")
}
