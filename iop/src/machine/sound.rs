//! The sound library, and what the module does with it: load blocks, key voices.
//!
//! The library is looked for when the module starts. Without it all of this does nothing, and the status says so.
//! Source: IOP facts, SPU2 / sound and library functions; hardware facts, Voices.

use super::imports::QueryLibraryEntryTable;
use super::shared::Shared;
use super::state::STATE;
use boardwalk_iop::protocol::{Heard, VoiceSetting};
use boardwalk_iop::sound_memory::{BANK, BANK_BYTES, EFFECT_VOICES};

/// Numbers of the library's functions.
mod function {
    pub const INIT: usize = 4;
    pub const SET_PARAMETER: usize = 5;
    pub const GET_PARAMETER: usize = 6;
    pub const SET_SWITCH: usize = 7;
    pub const SET_ADDRESS: usize = 9;
    pub const GET_ADDRESS: usize = 10;
    pub const VOICE_TRANSFER: usize = 17;
    pub const VOICE_TRANSFER_STATUS: usize = 19;
}

/// Entries of parameters: added to core and voice.
pub mod entry {
    /// Volume to the left.
    pub const VOLUME_LEFT: u16 = 0x000;
    /// Volume to the right.
    pub const VOLUME_RIGHT: u16 = 0x100;
    /// Pitch.
    pub const PITCH: u16 = 0x200;
    /// First half of the envelope.
    pub const ENVELOPE_1: u16 = 0x300;
    /// Second half of the envelope.
    pub const ENVELOPE_2: u16 = 0x400;
    /// The envelope at this moment.
    pub const ENVELOPE_NOW: u16 = 0x500;
    /// Volume to the left at this moment.
    pub const LEFT_NOW: u16 = 0x600;
    /// Volume to the right at this moment.
    pub const RIGHT_NOW: u16 = 0x700;
    /// A core's volume to the left.
    pub const MASTER_LEFT: u16 = 0x980;
    /// A core's volume to the right.
    pub const MASTER_RIGHT: u16 = 0xA80;
    /// Switch: voices begin.
    pub const KEY_ON: u16 = 0x1500;
    /// Switch: voices end.
    pub const KEY_OFF: u16 = 0x1600;
    /// Address: a voice's first block.
    pub const START: u16 = 0x2000;
    /// Address: the block that a voice fetches.
    pub const NEXT: u16 = 0x2200;
}

/// Full volume at once, held for ever. Source: hardware facts, Voices.
const ENVELOPE: [u16; 2] = [0x000F, 0x1FC0];
/// A core's full volume.
const MASTER: u16 = 0x3FFF;
/// Library and version of the record that the library is looked up by: `libsd` 1.x.
const LIBRARY: [u32; 5] = [0, 0, 0x0104, u32::from_le_bytes(*b"libs"), u32::from_le_bytes(*b"d\0\0\0")];
/// The channel of the voices' transfers.
const CHANNEL: i32 = 0;
/// Status: only ask; 0 while the transfer is under way.
const ASK: u32 = 0;

/// Address of the library's table of functions.
static FUNCTIONS: Shared<usize> = Shared::new(0);

/// A core's voice.
#[derive(Clone, Copy)]
pub struct Voice {
    /// 0 or 1.
    pub core: u16,
    /// 0 to 23.
    pub number: u8,
}

impl Voice {
    const fn entry(self, base: u16) -> u16 {
        base | self.core | (self.number as u16) << 1
    }

    const fn bit(self) -> u32 {
        1 << self.number
    }
}

/// Finds the library and readies the sound hardware.
pub fn start() {
    // SAFETY: a record as the loader's tables begin.
    let table = unsafe { QueryLibraryEntryTable(LIBRARY.as_ptr()) };
    if table.is_null() {
        super::imports::print(c"bwiop: no sound library");
        return;
    }
    FUNCTIONS.with(|functions| *functions = table as usize);
    call(function::INIT, [0; 5]);
    for core in [0, 1] {
        parameter(entry::MASTER_LEFT | core, MASTER);
        parameter(entry::MASTER_RIGHT | core, MASTER);
    }
    STATE.with(|state| state.status.sound = true);
}

/// Calls a function of the library; 0 without the library.
fn call(number: usize, arguments: [u32; 5]) -> u32 {
    let table = FUNCTIONS.with(|functions| *functions);
    if table == 0 {
        return 0;
    }
    // SAFETY: the library's table has more functions than any number of ours, each a C function of words, of which it takes
    // as many as it has; the fifth is passed in memory, where functions with fewer do not look.
    unsafe {
        let function = (table as *const usize).add(number).read();
        let function: extern "C" fn(u32, u32, u32, u32, u32) -> u32 = core::mem::transmute(function);
        let [first, second, third, fourth, fifth] = arguments;
        function(first, second, third, fourth, fifth)
    }
}

/// Sets a parameter.
pub fn parameter(entry: u16, value: u16) {
    call(function::SET_PARAMETER, [entry.into(), value.into(), 0, 0, 0]);
}

/// Sets a switch of a core's voices.
pub fn switch(entry: u16, bits: u32) {
    call(function::SET_SWITCH, [entry.into(), bits, 0, 0, 0]);
}

/// Sets an address.
pub fn address(entry: u16, value: u32) {
    call(function::SET_ADDRESS, [entry.into(), value, 0, 0, 0]);
}

/// The address that a voice fetches.
pub fn position(voice: Voice) -> u32 {
    call(function::GET_ADDRESS, [voice.entry(entry::NEXT).into(), 0, 0, 0, 0])
}

/// Copies bytes to the sound memory and waits for them, one transfer at a time; false when the library refuses it or it does not
/// end in its time.
#[must_use = "the sound memory keeps what was there when it is refused"]
pub fn transfer(source: *const u8, destination: u32, bytes: u32) -> bool {
    // Both threads that load do so; the server, which plays, does not.
    if !comes(|| !TRANSFER.with(|busy| core::mem::replace(busy, true))) {
        return false;
    }
    let taken = call(function::VOICE_TRANSFER, [CHANNEL as u32, 0, source as u32, destination, bytes]) as i32 >= 0;
    let ended = taken && comes(|| call(function::VOICE_TRANSFER_STATUS, [CHANNEL as u32, ASK, 0, 0, 0]) != 0);
    TRANSFER.with(|busy| *busy = false);
    ended
}

/// Waits for something for half a second; whether it came.
fn comes(mut is_there: impl FnMut() -> bool) -> bool {
    (0..LOOKS).any(|look| {
        if look > 0 {
            super::threads::delay(LOOK);
        }
        is_there()
    })
}

/// A transfer is under way.
static TRANSFER: Shared<bool> = Shared::new(false);
/// Microseconds between two looks at it.
const LOOK: u32 = 200;
/// Looks until it counts as lost: half a second, a hundred times what one takes.
const LOOKS: u32 = 2_500;

/// Readies a voice to play from an address; [`key_on`] begins.
pub fn prepare(voice: Voice, first: u32, setting: VoiceSetting) {
    set(voice, setting);
    parameter(voice.entry(entry::ENVELOPE_1), ENVELOPE[0]);
    parameter(voice.entry(entry::ENVELOPE_2), ENVELOPE[1]);
    address(voice.entry(entry::START), first);
}

/// Sets pitch and volumes.
pub fn set(voice: Voice, setting: VoiceSetting) {
    parameter(voice.entry(entry::VOLUME_LEFT), setting.left);
    parameter(voice.entry(entry::VOLUME_RIGHT), setting.right);
    parameter(voice.entry(entry::PITCH), setting.pitch);
}

/// Begins voices of one core together.
pub fn key_on(core: u16, voices: &[Voice]) {
    switch(entry::KEY_ON | core, voices.iter().fold(0, |bits, voice| bits | voice.bit()));
}

/// Ends voices of one core together.
pub fn key_off(core: u16, voices: &[Voice]) {
    switch(entry::KEY_OFF | core, voices.iter().fold(0, |bits, voice| bits | voice.bit()));
}

fn effect_voice(number: u8) -> Option<Voice> {
    (number < EFFECT_VOICES).then_some(Voice { core: 0, number })
}

/// Plays a sound of the bank.
pub fn play(number: u8, offset: u32, setting: VoiceSetting) {
    let loaded = STATE.with(|state| state.status.bank);
    let Some(voice) = effect_voice(number).filter(|_| loaded && offset < BANK_BYTES) else { return };
    prepare(voice, BANK + offset, setting);
    key_on(0, &[voice]);
}

/// Ends a voice's sound.
pub fn stop(number: u8) {
    if let Some(voice) = effect_voice(number) {
        key_off(0, &[voice]);
    }
}

/// Changes a voice's sound.
pub fn adjust(number: u8, setting: VoiceSetting) {
    if let Some(voice) = effect_voice(number) {
        set(voice, setting);
    }
}

/// How a voice sounds at this moment; nothing without the library.
pub fn hear(number: u8) -> Heard {
    let Some(voice) = effect_voice(number) else { return Heard::default() };
    // Fifteen bits as eight; a volume with its phase turned is loud as well.
    let now = |base| {
        let value = call(function::GET_PARAMETER, [voice.entry(base).into(), 0, 0, 0, 0]) as u16;
        (value >> 7).min(u8::MAX.into()) as u8
    };
    Heard { envelope: now(entry::ENVELOPE_NOW), left: now(entry::LEFT_NOW), right: now(entry::RIGHT_NOW) }
}

/// Puts a piece of the bank into the sound memory; false when it does not get there.
pub fn load(source: *const u8, offset: u32, bytes: u32) -> bool {
    transfer(source, BANK + offset, bytes)
}
