//! Sounds and music beside data.

use super::{Archive, Device, Reason, finish, listen, rates, told};
use crate::audio::bank::Bank;
use crate::file_io::{DeviceState, Read, Region, SECTOR_BYTES, StreamDevice};
use crate::tty_println;
use boardwalk_iop::protocol::{Command, VoiceSetting};

/// The bank that is played from.
const BANK: &str = "sound/effects.bank";
/// The music.
pub const MUSIC: &str = "sound/pier.music";
/// Half of the full volume.
pub const VOLUME: u16 = 0x1FFF;
/// Frames until a bank and music are there on a slow drive, seeks included.
const PATIENCE: u32 = 120;

/// Frames for which a single sound is listened to.
const SOUND_FRAMES: u32 = 60;

/// Loads the bank and plays one of its sounds; plays music, also while the throttled drive streams data beside it.
pub fn check(device: &mut Device<'_>, region: Region, archive: &Archive) -> Result<(), Reason> {
    let (bank, music) = (archive.find(BANK)?, archive.find(MUSIC)?);
    device.start(Read { offset: bank.offset, length: SECTOR_BYTES, destination: region }).map_err(told)?;
    finish(device).map_err(told)?;
    let table = Bank::read(device.landed(region, SECTOR_BYTES)).map_err(|_| "the bank is refused")?;
    let (blocks, bytes) = (table.blocks_offset, table.blocks_bytes);
    let sound = table.iter().next().ok_or("the bank is empty")?;
    device.post(&Command::Bank { offset: bank.offset + blocks, bytes });
    until(device, |device| device.status().bank || !device.status().sound)?;
    let setting = VoiceSetting { pitch: sound.pitch, left: VOLUME, right: VOLUME };
    device.post(&Command::Play { voice: 0, address: sound.offset, setting });
    device.post(&Command::MusicPlay { offset: music.offset, bytes: music.size, volumes: [VOLUME; 2] });
    until(device, |device| device.status().music || !device.status().sound)?;
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

/// Ends the music and plays one of the bank's sounds on the left, on the right, and half as loud on the left, for who listens to a
/// recording.
pub fn sides(device: &mut Device<'_>, region: Region, archive: &Archive) -> Result<(), Reason> {
    let bank = archive.find(BANK)?;
    if device.poll() == DeviceState::Busy {
        finish(device).map_err(told)?;
    }
    device.start(Read { offset: bank.offset, length: SECTOR_BYTES, destination: region }).map_err(told)?;
    finish(device).map_err(told)?;
    let table = Bank::read(device.landed(region, SECTOR_BYTES)).map_err(|_| "the bank is refused")?;
    let (blocks, bytes) = (table.blocks_offset, table.blocks_bytes);
    let sound = table.iter().find(|sound| !sound.loops).ok_or("no sound ends by itself")?;
    device.post(&Command::MusicStop);
    device.post(&Command::Bank { offset: bank.offset + blocks, bytes });
    until(device, |device| device.status().bank || !device.status().sound)?;
    for (left, right) in [(VOLUME, 0), (0, VOLUME), (VOLUME / 2, 0)] {
        let setting = VoiceSetting { pitch: sound.pitch, left, right };
        device.post(&Command::Play { voice: 0, address: sound.offset, setting });
        listen(device, SOUND_FRAMES);
    }
    tty_println!("FACT stream sides played");
    Ok(())
}

fn until(device: &mut Device<'_>, reached: impl Fn(&Device<'_>) -> bool) -> Result<(), Reason> {
    for _ in 0..PATIENCE {
        listen(device, 1);
        if reached(device) {
            return Ok(());
        }
    }
    Err("bank or music do not come")
}
