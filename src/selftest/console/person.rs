//! What only a person can do: press every button, hear every channel, and say when the page has been photographed.

use super::board::Board;
use super::{Bench, Manner, device, missing};
use crate::boot::streams::sounds::{FIRST_ANSWERS, MUSIC, VOLUME, load_bank, play_music};
use crate::boot::streams::{Device, Reason, listen, open_archive};
use crate::file_io::StreamDevice as _;
use crate::game::console::Parts;
use crate::pads::button::{self, Buttons};
use crate::pads::{PORTS, Reading};
use crate::selftest::{Outcome, Results, Verdict};
use crate::tty_println;
use boardwalk_iop::protocol::{Command, Heard, VoiceSetting};

/// Shown frames without any input after which nobody is there: twenty seconds, or half of one.
const PATIENCE: u32 = 600;
const NO_PATIENCE: u32 = 15;
/// Ends the page of the controllers.
const END: Buttons = button::START | button::SELECT;
/// A stick at its end.
const FAR: f32 = 0.9;

/// What has been seen of a controller: its buttons, and the ends of its sticks as left, right, down, up of either.
#[derive(Clone, Copy, Default)]
struct Seen {
    buttons: Buttons,
    sticks: u8,
}

impl Seen {
    /// Every button, and every end of both sticks.
    const fn is_whole(self) -> bool {
        self.buttons == Buttons::MAX && self.sticks == u8::MAX
    }

    fn see(&mut self, reading: &Reading) {
        self.buttons |= reading.buttons;
        let ends = [reading.left.x, reading.left.y, reading.right.x, reading.right.y].into_iter();
        for (place, value) in ends.enumerate() {
            self.sticks |= u8::from(value < -FAR) << (2 * place) | u8::from(value > FAR) << (2 * place + 1);
        }
    }
}

/// Shows both controllers as they are until somebody ends it, or nobody is there.
pub fn pads(bench: &mut Bench<'_, '_>, board: &mut Board, results: &Results) -> Outcome {
    let Some(pads) = bench.parts.pads.as_deref_mut() else { return missing("no pads' module") };
    let Some(display) = bench.parts.display.as_deref_mut() else { return missing("no picture") };
    let patience = if bench.manner == Manner::Person { PATIENCE } else { NO_PATIENCE };
    let (mut seen, mut there, mut quiet) = ([Seen::default(); PORTS], [false; PORTS], 0);
    board.note = "press everything, then START and SELECT";
    while quiet < patience {
        let readings = pads.read();
        let mut is_over = false;
        quiet += 1;
        for (port, reading) in readings.iter().enumerate() {
            let Some(reading) = reading else { continue };
            there[port] = true;
            seen[port].see(reading);
            is_over |= reading.buttons & END == END;
            if reading.buttons != 0 || reading.left.magnitude().max(reading.right.magnitude()) > 0.0 {
                quiet = 0;
            }
        }
        board.show_pads(display, results, &readings, seen.map(|seen| seen.buttons));
        if is_over {
            break;
        }
    }
    let [one, two] = seen;
    tty_println!("SELFTEST note pads there {there:?}");
    let verdict = if seen.into_iter().any(Seen::is_whole) {
        Verdict::Pass
    } else if seen.iter().any(|seen| seen.buttons != 0 || seen.sticks != 0) {
        Verdict::Difference
    } else {
        Verdict::Absent
    };
    Outcome::new(verdict, [one.buttons.into(), one.sticks.into(), two.buttons.into(), two.sticks.into()])
}

/// Whether a file is to be written onto a card: a person is asked, a machine was told before.
pub fn asks_to_write(bench: &mut Bench<'_, '_>, board: &mut Board, results: &Results) -> bool {
    /// Shown frames for which a person may answer: three seconds.
    const FRAMES: u32 = 90;
    if bench.manner == Manner::Machine {
        return bench.writes;
    }
    let (Some(pads), Some(display)) = (bench.parts.pads.as_deref_mut(), bench.parts.display.as_deref_mut()) else {
        return false;
    };
    board.note = "hold SQUARE to write a test file to this card";
    (0..FRAMES).any(|_| {
        board.show(display, results);
        pads.read().iter().flatten().any(|reading| reading.buttons & button::SQUARE != 0)
    })
}

/// The voice that the sounds are played on.
const VOICE: u8 = 0;
/// Shown frames of a sound and of the music.
const SOUND_FRAMES: u32 = 40;
const MUSIC_FRAMES: u32 = 90;
/// Frames until bank and music are there on a slow drive, seeks included.
const LOADING: u32 = 240;

/// Bits of the figure.
mod heard {
    pub const LIBRARY: u32 = 1;
    pub const BANK: u32 = 2;
    pub const MUSIC: u32 = 4;
    pub const STOPPED: u32 = 8;
    /// The effect's voice sounded on this side alone, and on both.
    pub const LEFT: u32 = 16;
    pub const RIGHT: u32 = 32;
    pub const BOTH: u32 = 64;
    pub const ALL: u32 = 127;
}

/// A sound on the left, on the right, on both, then music; the person hears, and the sound processor says by the module which
/// way the voice sounded.
pub fn sound(bench: &mut Bench<'_, '_>, board: &mut Board, results: &Results) -> Outcome {
    let Some(mut device) = device(bench.parts) else { return missing("no module on the IOP") };
    match play(bench, board, results, &mut device) {
        Ok(outcome) => outcome,
        Err(reason) => missing(reason),
    }
}

fn play(
    bench: &mut Bench<'_, '_>,
    board: &mut Board,
    results: &Results,
    device: &mut Device<'_>,
) -> Result<Outcome, Reason> {
    let region = bench.buffer().ok_or("no memory")?;
    let archive = open_archive(device, region)?;
    let music = archive.find(MUSIC)?;
    // The longest one, so that it still sounds when it is asked for.
    let sound = load_bank(device, region, &archive, LOADING, |bank| bank.iter().max_by_key(|sound| sound.bytes))?;
    let mut sides = 0;
    for (note, left, right, bit) in [
        ("sound: left", VOLUME, 0, heard::LEFT),
        ("sound: right", 0, VOLUME, heard::RIGHT),
        ("sound: both", VOLUME, VOLUME, heard::BOTH),
    ] {
        say(bench.parts, board, results, note);
        let setting = VoiceSetting { pitch: sound.pitch, left, right };
        device.post(&Command::Play { voice: VOICE, address: sound.offset, setting });
        let most = loudest(device);
        device.post(&Command::Stop(VOICE));
        tty_println!("SELFTEST note {note} {most:?}");
        if most.envelope > 0 && (most.left > 0, most.right > 0) == (left > 0, right > 0) {
            sides |= bit;
        }
    }
    say(bench.parts, board, results, "sound: music");
    play_music(device, music, LOADING)?;
    let first = device.status().music_group;
    listen(device, MUSIC_FRAMES);
    let playing = *device.status();
    device.post(&Command::MusicStop);
    listen(device, 10);
    let groups = playing.music_group.wrapping_sub(first);
    let facts = [
        (heard::LIBRARY, playing.sound),
        (heard::BANK, playing.bank),
        (heard::MUSIC, playing.music && groups > 0),
        (heard::STOPPED, !device.status().music),
    ];
    let bits = facts.into_iter().fold(sides, |bits, (bit, fact)| if fact { bits | bit } else { bits });
    let good = bits == heard::ALL && playing.underruns == 0;
    Ok(Outcome::new(Verdict::of(good), [bits, groups, playing.underruns]))
}

/// What the voice sounds like at most while its sound is heard.
fn loudest(device: &mut Device<'_>) -> Heard {
    let mut most = Heard::default();
    for frame in 0..SOUND_FRAMES {
        device.post(&Command::Hear(VOICE));
        listen(device, 1);
        let now = device.status().heard;
        if frame >= FIRST_ANSWERS {
            most = Heard {
                envelope: most.envelope.max(now.envelope),
                left: most.left.max(now.left),
                right: most.right.max(now.right),
            };
        }
    }
    most
}

fn say(parts: &mut Parts<'_>, board: &mut Board, results: &Results, note: &'static str) {
    board.note = note;
    if let Some(display) = parts.display.as_deref_mut() {
        board.show(display, results);
    }
}

/// Shows the last page until START is pressed anew.
pub fn wait_for_end(parts: &mut Parts<'_>, board: &mut Board, results: &Results) {
    let (Some(pads), Some(display)) = (parts.pads.as_deref_mut(), parts.display.as_deref_mut()) else { return };
    let mut was_down = true;
    loop {
        let is_down = pads.read().iter().flatten().any(|reading| reading.buttons & button::START != 0);
        if is_down && !was_down {
            return;
        }
        was_down = is_down;
        board.show(display, results);
    }
}
