//! Scratches in single files: a bad sector of the music or of the bank keeps no read waiting, and a read of a bad sector that is
//! given up leaves no fault behind.

use super::faults::{Files, refused};
use super::sounds::{self, MUSIC};
use super::{Archive, Reason, listen, next_frame};
use crate::ee::cop0;
use crate::file_io::device::Fault;
use crate::file_io::{NameHash, ReadState, Region, SECTOR_BYTES, StreamDevice};
use crate::tty_println;
use boardwalk_iop::protocol::Command;

/// What is read meanwhile.
const FILE: &str = "test/filler.bin";
/// Bytes of a read.
const BYTES: u32 = 100 * SECTOR_BYTES;
/// Reads beside scratched music: longer than the music that is in memory.
const READS: u32 = 24;
/// Frames that a read may take on a slow drive, beside a try of the music.
const READ_FRAMES: u32 = 60;
/// Frames for which a bad sector is waited for.
const LASTS: u32 = 45;
/// Frames until music and bank are back after their longest rest.
const BACK: u32 = 12 * 30;
/// Nothing is scratched.
const WHOLE: Command = Command::Scratch { offset: 0, bytes: 0 };

/// Scratches the music that plays, the bank that is to come, and what is read.
pub fn check(files: &mut Files<'_, '_>, region: Region, archive: &Archive) -> Result<(), Reason> {
    if !files.device_mut().status().sound || archive.find(FILE).is_err() {
        return Ok(());
    }
    let music = archive.find(MUSIC)?;
    sounds::play_music(files.device_mut(), music, BACK)?;
    scratch(files, Command::Scratch { offset: music.offset, bytes: music.size });
    let (group, underruns) = (files.device_mut().status().music_group, files.device_mut().status().underruns);
    read_on(files, region, READS)?;
    let starved = files.device_mut().status().underruns - underruns;
    scratch(files, WHOLE);
    let (mut last, mut groups) = (files.device_mut().status().music_group, 0);
    for _ in 0..BACK {
        listen(files.device_mut(), 1);
        let now = files.device_mut().status().music_group;
        groups += u32::from(now != last);
        last = now;
    }
    tty_println!("FACT stream scratched music underruns {starved} group {group} then {groups} more");
    if starved == 0 || groups < 3 {
        return Err("scratched music is not silent, or does not come back");
    }
    files.device_mut().post(&Command::MusicStop);
    bank(files, region, archive)?;
    given_up(files, region, archive)
}

fn scratch(files: &mut Files<'_, '_>, command: Command) {
    files.device_mut().post(&command);
    listen(files.device_mut(), 3);
}

/// Reads go on while the bank cannot be loaded, and it comes when it can.
fn bank(files: &mut Files<'_, '_>, region: Region, archive: &Archive) -> Result<(), Reason> {
    let file = archive.find(sounds::BANK)?;
    // Its list stays whole.
    scratch(files, Command::Scratch { offset: file.offset + SECTOR_BYTES, bytes: file.size });
    if sounds::load_bank(files.device_mut(), region, archive, 30, |bank| bank.iter().next()).is_ok() {
        return Err("a scratched bank is loaded");
    }
    read_on(files, region, 4)?;
    scratch(files, WHOLE);
    for _ in 0..BACK {
        listen(files.device_mut(), 1);
        if files.device_mut().status().bank {
            tty_println!("FACT stream scratched bank came");
            return Ok(());
        }
    }
    Err("a bank that was scratched does not come back")
}

/// Reads so often; each read must end well, in its time and without a fault.
fn read_on(files: &mut Files<'_, '_>, region: Region, reads: u32) -> Result<(), Reason> {
    let file = NameHash::of_file(FILE).ok_or("no name").and_then(|name| files.open(name).map_err(refused))?;
    let mut frame = cop0::count();
    for _ in 0..reads {
        files.start_read(file, 0, BYTES, region).map_err(refused)?;
        let done = (0..READ_FRAMES).any(|_| {
            files.update();
            next_frame(&mut frame);
            matches!(files.read_state(), ReadState::Done(_)) || files.fault().is_some()
        });
        if !done || files.fault().is_some() || files.device_mut().drive_fault().is_some() {
            tty_println!("FACT stream scratched read {:?} {:?}", files.read_state(), files.device_mut().status());
            return Err("a read waits for sectors that are not its own");
        }
        listen(files.device_mut(), 6);
    }
    files.close(file).map_err(refused)
}

/// A bad sector is told without a gap until its read is given up, at once; then other reads go well and nothing is told.
fn given_up(files: &mut Files<'_, '_>, region: Region, archive: &Archive) -> Result<(), Reason> {
    let bad = archive.find(MUSIC)?;
    scratch(files, Command::Scratch { offset: bad.offset + SECTOR_BYTES, bytes: SECTOR_BYTES });
    let file = NameHash::of_file(MUSIC).ok_or("no name").and_then(|name| files.open(name).map_err(refused))?;
    files.start_read(file, 0, BYTES, region).map_err(refused)?;
    let (mut frame, mut told, mut gaps) = (cop0::count(), 0, 0);
    for _ in 0..LASTS * 2 {
        files.update();
        match files.fault() {
            Some(Fault::Unreadable) => told += 1,
            _ => gaps += u32::from(told > 0),
        }
        if told == LASTS {
            break;
        }
        next_frame(&mut frame);
    }
    files.cancel();
    let ended = files.read_state() == ReadState::Failed(Fault::Cancelled);
    let quiet = files.device_mut().drive_fault().is_none();
    files.close(file).map_err(refused)?;
    tty_println!("FACT stream scratched read told {told} frames with {gaps} gaps, ended {ended}, quiet {quiet}");
    read_on(files, region, 2)?;
    let still = files.device_mut().status().drive_fault;
    scratch(files, WHOLE);
    if told == LASTS && gaps == 0 && ended && quiet && still == 0 {
        Ok(())
    } else {
        Err("a read of a bad sector is not given up as it should be")
    }
}
