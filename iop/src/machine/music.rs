//! The music's thread: keeps both halves of the channels' rings filled while the voices go round.

use super::disc::{music_slot, silence as silent_half};
use super::shared::Shared;
use super::sound::{self, Voice};
use super::state::STATE;
use super::threads;
use boardwalk_iop::music::{CHANNEL_BYTES, CHANNELS};
use boardwalk_iop::protocol::VoiceSetting;
use boardwalk_iop::ring::{mark, playing_half};
use boardwalk_iop::sound_memory::{MUSIC_VOICES, channel};

/// Before the disc's thread: what was read must be played in time.
const PRIORITY: u32 = 39;
const STACK_BYTES: u32 = 0x1000;
/// Microseconds between two looks at the voices; a half lasts thirty times as long.
const LOOK: u32 = 8_000;
/// The core of the music's voices.
const CORE: u16 = 1;
const VOICES: [Voice; CHANNELS] =
    [Voice { core: CORE, number: MUSIC_VOICES[0] }, Voice { core: CORE, number: MUSIC_VOICES[1] }];

/// How far the voices are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing plays.
    Silent,
    /// Both play; the half that was filled last.
    Playing(usize),
}

static STAGE: Shared<Stage> = Shared::new(Stage::Silent);

/// Starts the thread.
pub fn start() -> Option<()> {
    threads::spawn(run, PRIORITY, STACK_BYTES).map(|_| ())
}

/// Has the thread end what it plays, and waits until it has.
pub fn end_and_wait() {
    STATE.with(|state| state.music_stop = true);
    while STATE.with(|state| state.music_stop) {
        threads::delay(LOOK);
    }
}

/// Ends the voices. What they play next begins anew.
fn silence() {
    sound::key_off(CORE, &VOICES);
    STAGE.with(|stage| *stage = Stage::Silent);
    STATE.with(|state| {
        state.playing = None;
        state.status.music = false;
    });
}

/// Sets the volume while it plays.
pub fn set_volume(volume: u16) {
    let pitch = STATE.with(|state| state.playing.as_ref().map(|playing| playing.header.pitch));
    if let Some(pitch) = pitch {
        for (voice, setting) in VOICES.into_iter().zip(settings(pitch, volume)) {
            sound::set(voice, setting);
        }
    }
}

/// Left plays left, right plays right.
const fn settings(pitch: u16, volume: u16) -> [VoiceSetting; CHANNELS] {
    [VoiceSetting { pitch, left: volume, right: 0 }, VoiceSetting { pitch, left: 0, right: volume }]
}

extern "C" fn run(_: u32) {
    loop {
        if STATE.with(|state| state.music_stop) {
            silence();
            STATE.with(|state| state.music_stop = false);
        }
        let stage = STAGE.with(|stage| *stage);
        match stage {
            Stage::Silent => begin_when_primed(),
            Stage::Playing(filled) => refill(filled),
        }
        threads::delay(LOOK);
    }
}

fn begin_when_primed() {
    let begin = STATE.with(|state| {
        let playing = state.playing.as_ref().filter(|playing| state.status.sound && playing.ring.is_primed())?;
        Some((playing.header.pitch, state.music_volume))
    });
    let Some((pitch, volume)) = begin else { return };
    for half in 0..2 {
        fill(half);
    }
    for ((number, voice), setting) in VOICES.into_iter().enumerate().zip(settings(pitch, volume)) {
        sound::prepare(voice, channel(number), setting);
    }
    sound::key_on(CORE, &VOICES);
    STAGE.with(|stage| *stage = Stage::Playing(1));
    STATE.with(|state| state.status.music = true);
}

/// Fills the half that is not played, once the voices have left it.
fn refill(filled: usize) {
    let half = playing_half(sound::position(VOICES[0]), channel(0));
    if half != filled {
        return;
    }
    let over = STATE.with(|state| state.playing.as_ref().is_none_or(|playing| playing.ring.is_over()));
    if over {
        silence();
        return;
    }
    fill(1 - half);
    STAGE.with(|stage| *stage = Stage::Playing(1 - half));
}

/// Puts a channel's blocks into its half of the sound memory.
fn give(blocks: *mut u8, number: usize, half: usize) {
    // SAFETY: a slot whose group has arrived and has not been released, or the silence: this thread alone touches them.
    mark(unsafe { core::slice::from_raw_parts_mut(blocks, CHANNEL_BYTES) }, half);
    sound::transfer(blocks, channel(number) + (half * CHANNEL_BYTES) as u32, CHANNEL_BYTES as u32);
}

/// Gives a half the oldest group, or silence when none has come in time.
fn fill(half: usize) {
    let front = STATE.with(|state| state.playing.as_ref().and_then(|playing| playing.ring.front()));
    let Some((slot, group)) = front else {
        for number in 0..CHANNELS {
            give(silent_half(), number, half);
        }
        STATE.with(|state| state.status.underruns += 1);
        return;
    };
    for number in 0..CHANNELS {
        give(music_slot(slot).wrapping_add(number * CHANNEL_BYTES), number, half);
    }
    let disc = STATE.with(|state| {
        if let Some(playing) = &mut state.playing {
            playing.ring.release();
        }
        state.status.music_group = group;
        state.disc_thread
    });
    threads::wake(disc);
}
