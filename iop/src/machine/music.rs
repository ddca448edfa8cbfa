//! The music's thread: keeps both halves of the channels' rings filled while the voices go round.

use super::disc::{music_slot, silence as silent_half};
use super::shared::Shared;
use super::sound::{self, Voice};
use super::state::STATE;
use super::threads;
use boardwalk_iop::adpcm::{BLOCK_BYTES, BLOCK_SAMPLES};
use boardwalk_iop::memory;
use boardwalk_iop::music::{CHANNEL_BYTES, CHANNEL_SAMPLES, CHANNELS, LAYERS, SIDES};
use boardwalk_iop::protocol::VoiceSetting;
use boardwalk_iop::ring::{mark, playing_half};
use boardwalk_iop::sound_memory::{MUSIC_VOICES, channel};
use boardwalk_iop::watch::MUSIC;

/// Before the disc's thread: what was read must be played in time.
const PRIORITY: u32 = 39;
/// Microseconds between two looks at the voices; a half lasts thirty times as long.
const LOOK: u32 = 8_000;
/// Looks in which it ends what it plays.
const ENDS_WITHIN: u32 = 250;
/// The core of the music's voices.
const CORE: u16 = 1;
const VOICES: [Voice; CHANNELS] = {
    let mut voices = [Voice { core: CORE, number: 0 }; CHANNELS];
    let mut channel = 0;
    while channel < CHANNELS {
        voices[channel].number = MUSIC_VOICES[channel];
        channel += 1;
    }
    voices
};

/// How far the voices are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing plays.
    Silent,
    /// All play; the half that was filled last.
    Playing(usize),
    /// All play their last group, which is in this half; the other one is silent.
    Ending(usize),
}

static STAGE: Shared<Stage> = Shared::new(Stage::Silent);
/// The groups that lie in the halves.
static HALVES: Shared<[u32; 2]> = Shared::new([0; 2]);

/// Makes the thread.
pub fn make() -> Option<i32> {
    threads::make(run, PRIORITY, memory::MUSIC_STACK)
}

/// Has the thread end what it plays, and waits until it has; false when it does not within two seconds.
pub fn end_and_wait() -> bool {
    STATE.with(|state| state.music_stop = true);
    (0..ENDS_WITHIN).any(|_| {
        threads::delay(LOOK);
        !STATE.with(|state| state.music_stop)
    })
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

/// Sets the layers' volumes while they play.
pub fn set_volumes(volumes: [u16; LAYERS]) {
    let pitch = STATE.with(|state| state.playing.as_ref().map(|playing| playing.header.pitch));
    if let Some(pitch) = pitch {
        for (channel, voice) in VOICES.into_iter().enumerate() {
            sound::set(voice, setting(channel, pitch, volumes));
        }
    }
}

/// Left plays left, right plays right.
fn setting(channel: usize, pitch: u16, volumes: [u16; LAYERS]) -> VoiceSetting {
    let (layer, is_right) = (channel >> SIDES.trailing_zeros(), channel & 1 == 1);
    let volume = volumes.get(layer).copied().unwrap_or_default();
    let (left, right) = if is_right { (0, volume) } else { (volume, 0) };
    VoiceSetting { pitch, left, right }
}

extern "C" fn run(_: u32) {
    loop {
        STATE.with(|state| state.beat(MUSIC));
        if STATE.with(|state| state.music_stop) {
            silence();
            STATE.with(|state| state.music_stop = false);
        }
        let stage = STAGE.with(|stage| *stage);
        match stage {
            Stage::Silent => begin_when_primed(),
            Stage::Playing(filled) => refill(filled),
            Stage::Ending(last) => end_behind(last),
        }
        threads::delay(LOOK);
    }
}

fn begin_when_primed() {
    let begin = STATE.with(|state| {
        let playing = state.playing.as_ref().filter(|playing| state.status.sound && playing.ring.is_primed())?;
        Some((playing.header.pitch, state.music_volumes))
    });
    let Some((pitch, volumes)) = begin else { return };
    for half in 0..2 {
        fill(half);
    }
    for (number, voice) in VOICES.into_iter().enumerate() {
        sound::prepare(voice, channel(number), setting(number, pitch, volumes));
    }
    sound::key_on(CORE, &VOICES);
    STAGE.with(|stage| *stage = Stage::Playing(1));
    STATE.with(|state| state.status.music = true);
}

/// Fills the half that is not played, once the voices have left it.
fn refill(filled: usize) {
    let address = sound::position(VOICES[0]);
    let half = playing_half(address, channel(0));
    note_position(address, half);
    if half != filled {
        return;
    }
    let over = STATE.with(|state| state.playing.as_ref().is_none_or(|playing| playing.ring.is_over()));
    if over {
        give_all(1 - half, |_| silent_half());
        STAGE.with(|stage| *stage = Stage::Ending(half));
        return;
    }
    fill(1 - half);
    STAGE.with(|stage| *stage = Stage::Playing(1 - half));
}

/// Ends music that does not loop once its last half was heard.
fn end_behind(last: usize) {
    let address = sound::position(VOICES[0]);
    let half = playing_half(address, channel(0));
    note_position(address, half);
    if half != last {
        silence();
    }
}

/// Notes which sample of the music is played.
fn note_position(address: u32, half: usize) {
    let group = HALVES.with(|halves| halves.get(half).copied().unwrap_or_default());
    let bytes = address.wrapping_sub(channel(0)) & (CHANNEL_BYTES as u32 - 1);
    let within = (bytes >> BLOCK_BYTES.trailing_zeros()) * BLOCK_SAMPLES as u32;
    STATE.with(|state| state.status.music_sample = group.wrapping_mul(CHANNEL_SAMPLES as u32) + within);
}

/// Gives a half its blocks of every channel. One that does not get them plays its old ones again, a gap like any other.
fn give_all(half: usize, blocks: impl Fn(usize) -> *mut u8) {
    let mut whole = true;
    for number in 0..CHANNELS {
        whole &= give(blocks(number), number, half);
    }
    if !whole {
        STATE.with(|state| state.status.underruns += 1);
    }
}

/// Puts a channel's blocks into its half of the sound memory; whether they got there.
fn give(blocks: *mut u8, number: usize, half: usize) -> bool {
    // SAFETY: a slot whose group has arrived and has not been released, or the silence: this thread alone touches them.
    mark(unsafe { core::slice::from_raw_parts_mut(blocks, CHANNEL_BYTES) }, half);
    sound::transfer(blocks, channel(number) + (half * CHANNEL_BYTES) as u32, CHANNEL_BYTES as u32)
}

/// Gives a half the oldest group of all channels, or silence when none has come in time.
fn fill(half: usize) {
    let front = STATE.with(|state| state.playing.as_ref().and_then(|playing| playing.ring.front()));
    let Some((slot, group)) = front else {
        give_all(half, |_| silent_half());
        STATE.with(|state| state.status.underruns += 1);
        return;
    };
    give_all(half, |number| music_slot(slot).wrapping_add(number * CHANNEL_BYTES));
    HALVES.with(|halves| {
        if let Some(place) = halves.get_mut(half) {
            *place = group;
        }
    });
    let disc = STATE.with(|state| {
        if let Some(playing) = &mut state.playing {
            playing.ring.release();
        }
        state.status.music_group = group;
        state.disc_thread
    });
    threads::wake(disc);
}
