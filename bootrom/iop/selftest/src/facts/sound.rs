//! LIBSD: parameters, transfers, streams, callbacks, echoes. The library comes with its driver, so it is called by its table.

use crate::system::{self, LibraryName};
use crate::tally::Tally;
use crate::word::Word;

/// Functions by their numbers.
mod number {
    pub const QUIT: usize = 2;
    pub const INIT: usize = 4;
    pub const SET_PARAMETER: usize = 5;
    pub const PARAMETER: usize = 6;
    pub const SET_SWITCH: usize = 7;
    pub const SWITCH: usize = 8;
    pub const SET_ADDRESS: usize = 9;
    pub const ADDRESS: usize = 10;
    pub const SET_ATTRIBUTE: usize = 11;
    pub const ATTRIBUTE: usize = 12;
    pub const BATCH: usize = 15;
    pub const BATCH_FOR_VOICES: usize = 16;
    pub const VOICE_TRANSFER: usize = 17;
    pub const BLOCK_TRANSFER: usize = 18;
    pub const VOICE_STATUS: usize = 19;
    pub const BLOCK_STATUS: usize = 20;
    pub const TRANSFER_CALLBACK: usize = 21;
    pub const ADDRESS_CALLBACK: usize = 22;
    pub const SET_EFFECT: usize = 23;
    pub const EFFECT: usize = 24;
    pub const CLEAR_MEMORY: usize = 25;
    pub const TRANSFER_HANDLER: usize = 26;
    pub const ADDRESS_HANDLER: usize = 27;
    pub const TRANSFER_ARGUMENT: usize = 28;
    pub const ADDRESS_ARGUMENT: usize = 29;
    pub const STOP: usize = 30;
    pub const CLEAN_MEMORY: usize = 31;
    pub const SET_EFFECT_MODE: usize = 32;
    pub const SET_EFFECT_DEPTH: usize = 33;
}

type Function = extern "C" fn(u32, u32, u32, u32, u32) -> u32;

/// The library's functions.
struct Library(*const u32);

impl Library {
    fn call<const N: usize>(&self, number: usize, arguments: [u32; N]) -> u32 {
        let mut all = [0; 5];
        all[..N].copy_from_slice(&arguments);
        // SAFETY: a registered library has a function of each number that is used here; one that takes fewer arguments
        // ignores the rest.
        let function: Function = unsafe { core::mem::transmute(self.0.add(number).read() as usize) };
        function(all[0], all[1], all[2], all[3], all[4])
    }
}

/// Numbers of what can be set: a voice's left volume, pitch and sample; voices that are mixed; the mixer; an address that tells.
const VOLUME: u32 = 0x000;
const PITCH: u32 = 0x200;
const MIXER: u32 = 0x800;
const MIX_LEFT: u32 = 0x1800;
const MET_ADDRESS: u32 = 0x1F00;
const SAMPLE: u32 = 0x2000;
const ALL_VOICES: u32 = 0x3E;
/// Kinds of attributes of a core.
const TELLS_ADDRESS: u32 = 4;
const SOUND: u32 = 6;
const NOISE: u32 = 8;

const fn voice(number: u32) -> u32 {
    number << 1
}

const BYTES: u32 = 0x1000;
const WRITE: u32 = 0;
const READ: u32 = 1;
const LOOP: u32 = 0x10;
/// Memory of the unit that nothing plays from.
const PLACE: u32 = 0x8000;

static ENDS: Word = Word::new(0);
static MET: Word = Word::new(0);

extern "C" fn transfer_ended(_argument: u32) -> i32 {
    ENDS.add(1);
    0
}

extern "C" fn transfer_handler(core: i32, argument: u32) -> i32 {
    ENDS.add(argument as i32 + core);
    0
}

extern "C" fn address_met(_argument: u32) -> i32 {
    MET.add(1);
    0
}

extern "C" fn address_handler(cores: i32, argument: u32) -> i32 {
    MET.add(10 * argument as i32 + cores);
    0
}

pub fn run(tally: &mut Tally) {
    let mut result = 0;
    system::LoadStartModule(c"rom0:LIBSD".as_ptr().cast(), 0, core::ptr::null(), &raw mut result);
    let asked = LibraryName { lists: [0; 2], version: 0x0101, name: *b"libsd\0\0\0" };
    let table = system::QueryLibraryEntryTable(&raw const asked);
    tally.holds("the sound unit has its library", !table.is_null());
    if table.is_null() {
        return;
    }
    let sound = Library(table);
    let memory = system::AllocSysMemory(0, 2 * BYTES, 0);
    tally.equal("the sound unit begins", sound.call(number::INIT, [0]) as i32, 0);
    let mixers = [0, 1].map(|core| sound.call(number::PARAMETER, [MIXER | core]));
    tally.holds("with the mixers as they should be", mixers == [0xFF0, 0xFFC]);
    values(tally, &sound);
    batches(tally, &sound);
    transfers(tally, &sound, memory);
    addresses(tally, &sound, memory);
    blocks(tally, &sound, memory);
    echoes(tally, &sound, memory);
    sound.call(number::SET_ATTRIBUTE, [SOUND, 1]);
    let before = sound.call(number::ATTRIBUTE, [SOUND]);
    tally.equal("the sound unit ends", sound.call(number::QUIT, []) as i32, 0);
    tally.holds("and is silent", before == 1 && sound.call(number::ATTRIBUTE, [SOUND]) == 0);
    system::FreeSysMemory(memory);
}

fn values(tally: &mut Tally, sound: &Library) {
    sound.call(number::SET_PARAMETER, [VOLUME | voice(3), 0x1234]);
    sound.call(number::SET_PARAMETER, [VOLUME | voice(4), 0x0321]);
    tally.equal("a voice's volume", sound.call(number::PARAMETER, [VOLUME | voice(3)]) as i32, 0x1234);
    sound.call(number::SET_SWITCH, [MIX_LEFT, 0x00A5_C3A5]);
    tally.equal("voices that are mixed", sound.call(number::SWITCH, [MIX_LEFT]) as i32, 0x00A5_C3A5);
    sound.call(number::SET_SWITCH, [MIX_LEFT, 0x00FF_FFFF]);
    sound.call(number::SET_ADDRESS, [SAMPLE | voice(2), 0x12340]);
    tally.equal("a sample's address", sound.call(number::ADDRESS, [SAMPLE | voice(2)]) as i32, 0x12340);
    sound.call(number::SET_ATTRIBUTE, [NOISE | 1, 0x15]);
    tally.equal("a core's noise", sound.call(number::ATTRIBUTE, [NOISE | 1]) as i32, 0x15);
    tally.equal("and not the other one's", sound.call(number::ATTRIBUTE, [NOISE]) as i32, 0);
}

/// Commands of a list: function in the lower half, number in the upper one.
const fn command(function: u32, number: u32, value: u32) -> [u32; 2] {
    [number << 16 | function, value]
}

fn batches(tally: &mut Tally, sound: &Library) {
    let list = [
        command(1, VOLUME | voice(5), 0x111),
        command(3, SAMPLE | voice(5), 0x20000),
        command(0x10, VOLUME | voice(5), 0),
        command(0x13, SAMPLE | voice(5), 0),
        command(0x77, 0, 0),
    ];
    let mut results = [0xEEEE_EEEE_u32; 5];
    let at = &raw mut results as u32;
    tally.equal("commands of a list are done", sound.call(number::BATCH, [list.as_ptr() as u32, at, 4]) as i32, 4);
    tally.holds("and their results are told", results == [0xEEEE_EEEE, 0xEEEE_EEEE, 0x111, 0x20000, 0xEEEE_EEEE]);
    let bad = sound.call(number::BATCH, [list.as_ptr() as u32, at, 5]);
    tally.equal("up to one that is none", bad as i32, -5);
    sound.call(number::SET_PARAMETER, [PITCH | voice(1), 0x222]);
    let list = [command(1, PITCH | ALL_VOICES, 0x777), command(0x10, PITCH | ALL_VOICES, 0)];
    results = [0xEEEE_EEEE; 5];
    let done = sound.call(number::BATCH_FOR_VOICES, [list.as_ptr() as u32, at, 2, 0b101]);
    tally.equal("commands of a list are done for some voices", done as i32, 4);
    let pitches = [0, 1, 2].map(|number| sound.call(number::PARAMETER, [PITCH | voice(number)]));
    tally.holds("and not for others", pitches == [0x777, 0x222, 0x777] && results[2..4] == [0x777; 2]);
}

/// Moves memory to or from the unit, and waits.
fn moved(sound: &Library, channel: u32, mode: u32, memory: u32, place: u32, bytes: u32) -> bool {
    sound.call(number::VOICE_TRANSFER, [channel, mode, memory, place, bytes]) == bytes
        && sound.call(number::VOICE_STATUS, [channel, 1]) == 1
}

/// Sets and looks at words of memory.
fn fill(memory: u32, bytes: u32, word: impl Fn(u32) -> u32) {
    for offset in (0..bytes).step_by(4) {
        // SAFETY: the block is ours.
        unsafe { ((memory + offset) as *mut u32).write_volatile(word(offset)) };
    }
}

fn holds(memory: u32, bytes: u32, word: impl Fn(u32) -> u32) -> bool {
    // SAFETY: as above.
    (0..bytes).step_by(4).all(|offset| unsafe { ((memory + offset) as *const u32).read_volatile() } == word(offset))
}

fn transfers(tally: &mut Tally, sound: &Library, memory: u32) {
    let pattern = |offset: u32| offset << 16 | offset ^ 0x5A5A;
    ENDS.set(0);
    let callback = transfer_ended as *const () as u32;
    tally.equal("a function for a transfer's end", sound.call(number::TRANSFER_CALLBACK, [0, callback]) as i32, 0);
    fill(memory, BYTES, pattern);
    tally.holds("samples are written", moved(sound, 0, WRITE, memory, PLACE, BYTES));
    fill(memory + BYTES, BYTES, |_| 0);
    tally.holds("samples are read", moved(sound, 0, READ, memory + BYTES, PLACE, BYTES));
    tally.holds("as they were written", holds(memory + BYTES, BYTES, pattern));
    tally.equal("the end of each is told", ENDS.get(), 2);
    tally.equal(
        "nothing is moved for nothing",
        sound.call(number::VOICE_TRANSFER, [0, WRITE, memory, PLACE, 0]) as i32,
        0,
    );
    tally.equal("and nothing is under way then", sound.call(number::VOICE_STATUS, [0, 0]) as i32, 1);
    let handler = transfer_handler as *const () as u32;
    sound.call(number::TRANSFER_HANDLER, [0, handler, 40]);
    tally.equal("the word of a transfer's handler", sound.call(number::TRANSFER_ARGUMENT, [0]) as i32, 40);
    ENDS.set(0);
    moved(sound, 0, WRITE, memory, PLACE, BYTES);
    tally.equal("which is called with that", ENDS.get(), 40);
    let before = sound.call(number::TRANSFER_HANDLER, [0, 0, 0]);
    tally.equal("and told when another one comes", before as i32, handler as i32);
    let before = sound.call(number::TRANSFER_CALLBACK, [0, 0]);
    tally.equal("as the function is", before as i32, callback as i32);
}

/// Writes over the address that is to tell.
fn cross(sound: &Library, memory: u32) -> i32 {
    MET.set(0);
    sound.call(number::SET_ADDRESS, [MET_ADDRESS, PLACE + 0x400]);
    sound.call(number::SET_ATTRIBUTE, [TELLS_ADDRESS, 1]);
    moved(sound, 0, WRITE, memory, PLACE, BYTES);
    system::DelayThread(2_000);
    sound.call(number::SET_ATTRIBUTE, [TELLS_ADDRESS, 0]);
    MET.get()
}

fn addresses(tally: &mut Tally, sound: &Library, memory: u32) {
    let callback = address_met as *const () as u32;
    tally.equal("a function for an address", sound.call(number::ADDRESS_CALLBACK, [callback]) as i32, 0);
    tally.equal("hears when the unit comes to it", cross(sound, memory), 1);
    let handler = address_handler as *const () as u32;
    sound.call(number::ADDRESS_HANDLER, [handler, 3]);
    tally.equal("the word of an address's handler", sound.call(number::ADDRESS_ARGUMENT, []) as i32, 3);
    tally.equal("which hears of the core as well", cross(sound, memory), 31);
    let before = sound.call(number::ADDRESS_HANDLER, [0, 0]);
    tally.equal("the handler before is told", before as i32, handler as i32);
    tally.equal("and the function before", sound.call(number::ADDRESS_CALLBACK, [0]) as i32, callback as i32);
}

fn blocks(tally: &mut Tally, sound: &Library, memory: u32) {
    const CHANNEL: u32 = 1;
    fill(memory, 2 * BYTES, |_| 0);
    ENDS.set(0);
    sound.call(number::TRANSFER_CALLBACK, [CHANNEL, transfer_ended as *const () as u32]);
    tally.equal("a stream plays", sound.call(number::BLOCK_TRANSFER, [CHANNEL, LOOP, memory, 2 * BYTES]) as i32, 0);
    let busy = sound.call(number::BLOCK_TRANSFER, [CHANNEL, LOOP, memory, 2 * BYTES]);
    tally.equal("one at a time", busy as i32, -1);
    let status = sound.call(number::BLOCK_STATUS, [CHANNEL, 0]);
    tally.holds("and tells where it is", (memory..memory + 2 * BYTES).contains(&(status & 0x00FF_FFFF)));
    system::DelayThread(120_000);
    let halves = ENDS.get();
    tally.holds("and each half's end", (3..=8).contains(&halves));
    tally.equal("a stream stops", sound.call(number::STOP, [CHANNEL]) as i32, 0);
    tally.equal("and is nowhere then", sound.call(number::BLOCK_STATUS, [CHANNEL, 0]) as i32, 0);
    system::DelayThread(60_000);
    tally.holds("nor tells any more", ENDS.get() <= halves + 1);
    sound.call(number::TRANSFER_CALLBACK, [CHANNEL, 0]);
}

/// An echo: core, kind, both volumes, delay, feedback.
const fn echo(kind: u32, left: u16, right: u16) -> [u32; 5] {
    [0, kind, (right as u32) << 16 | left as u32, 64, 32]
}

fn echoes(tally: &mut Tally, sound: &Library, memory: u32) {
    const HALL: u32 = 5;
    /// The smallest kind of echo, and where its memory lies in the first core's.
    const NONE: u32 = 0;
    const END: u32 = 0x1E_0000;
    let wanted = echo(HALL, 0x1111, 0x2222);
    let mut told = [0_u32; 5];
    let at = &raw mut told as u32;
    tally.equal("an echo is set", sound.call(number::SET_EFFECT, [0, wanted.as_ptr() as u32]) as i32, 0);
    sound.call(number::EFFECT, [0, at]);
    tally.holds("and told as it was set", told == wanted);
    tally.equal("no such kind of echo", sound.call(number::SET_EFFECT, [0, echo(10, 0, 0).as_ptr() as u32]) as i32, -1);
    sound.call(number::SET_EFFECT_MODE, [0, echo(3, 0x7777, 0x7777).as_ptr() as u32]);
    sound.call(number::EFFECT, [0, at]);
    tally.holds("a kind of echo alone leaves the volumes", told[1] == 3 && told[2] == wanted[2]);
    sound.call(number::SET_EFFECT_DEPTH, [0, echo(HALL, 0x0444, 0x0555).as_ptr() as u32]);
    sound.call(number::EFFECT, [0, at]);
    tally.holds("volumes alone leave the kind", told[1] == 3 && told[2] == 0x0555_0444);
    for (what, number) in
        [("an echo's memory is cleared", number::CLEAR_MEMORY), ("and cleaned by the other name", number::CLEAN_MEMORY)]
    {
        fill(memory, 64, |_| 0x1234_5678);
        let wrote = moved(sound, 0, WRITE, memory, END - 64, 64);
        let cleared = sound.call(number, [0, 0, NONE]) == 0;
        let read = moved(sound, 0, READ, memory, END - 64, 64);
        tally.holds(what, wrote && cleared && read && holds(memory, 64, |_| 0));
    }
    sound.call(number::SET_EFFECT, [0, echo(NONE, 0, 0).as_ptr() as u32]);
}
