//! LIBSD: the sound unit, `libsd` 1.5.
//!
//! Values and addresses go straight to the registers. Transfers go by one DMA channel a core: samples to and from the unit's memory, or a
//! stream that is played as it arrives, from a buffer in two halves.
//! Source: IOP facts, SPU2; hardware notes, SPU2

use super::critical::{Shared, critical};
use super::interrupts::attach;
use super::libraries::{Exports, exports, fetch, register_late, store};
use super::registers::{dma, sound};
use super::threads::delay;
use bootrom_iop::errors::Error;
use bootrom_iop::sound::{Entry, VOICES, address_of, block_register, entry_of, halves_of};

/// Library functions by number.
static TABLE: Exports<34> = exports(
    b"libsd",
    0x0105,
    [
        (2, quit as *const ()),
        (4, initialise as *const ()),
        (5, set_parameter as *const ()),
        (6, parameter as *const ()),
        (7, set_switch as *const ()),
        (8, switch as *const ()),
        (9, set_address as *const ()),
        (10, address as *const ()),
        (11, set_core_attribute as *const ()),
        (12, core_attribute as *const ()),
        (15, process_batch as *const ()),
        (16, process_batch as *const ()),
        (17, voice_transfer as *const ()),
        (18, block_transfer as *const ()),
        (19, voice_transfer_status as *const ()),
        (20, block_transfer_status as *const ()),
        (21, set_transfer_callback as *const ()),
        (22, set_interrupt_callback as *const ()),
        (26, set_transfer_handler as *const ()),
        (27, set_interrupt_handler as *const ()),
        (30, stop_transfer as *const ()),
    ],
);

const CORES: usize = 2;
const CORE_STRIDE: u32 = 0x400;
const LINE_DMA: [u32; CORES] = [0x24, 0x28];
const LINE_SOUND: u32 = 9;

/// Register offsets of a core, and of the whole unit.
mod offset {
    pub const MIXER: u32 = 0x198;
    pub const ATTRIBUTES: u32 = 0x19A;
    pub const TRANSFER_ADDRESS: u32 = 0x1A8;
    pub const STREAM: u32 = 0x1B0;
    pub const STATUS: u32 = 0x344;
    pub const OUTPUT: u32 = 0x7C0;
    pub const INTERRUPTS: u32 = 0x7C2;
    pub const OUTPUT_MODE: u32 = 0x7C6;
    pub const OUTPUT_MEDIA: u32 = 0x7C8;
    pub const OUTPUT_COPY: u32 = 0x7CA;
}
/// Bits of a core's attributes.
mod attribute {
    pub const TRANSFER_MASK: u16 = 0x30;
    pub const WRITE: u16 = 0x20;
    pub const READ: u16 = 0x30;
    pub const INTERRUPT: u16 = 0x40;
    pub const EFFECTS: u16 = 0x80;
    pub const NOISE_SHIFT: u16 = 8;
    pub const NOISE_MASK: u16 = 0x3F00;
    pub const SOUND: u16 = 0x4000;
    pub const ENABLE: u16 = 0x8000;
    /// Core 1 takes core 0 as its input.
    pub const EXTERNAL_INPUT: u16 = 1;
}
const STATUS_DMA_DONE: u16 = 0x80;
const STATUS_IDLE_MASK: u16 = 0x7FF;
/// Place of the two cores' bits.
const INTERRUPT_SHIFT: u16 = 2;

/// DMA enables and priorities.
const ENABLE_CORE_0: u32 = 0xB_0000;
const ENABLE_CORE_1: u32 = 8;
const START_WRITE: u32 = 0x0100_0201;
const START_READ: u32 = 0x0100_0200;

/// Numbers of parameters that the start sets, by the library's own scheme.
mod number {
    pub const VOLUME_LEFT: u16 = 0x000;
    pub const VOLUME_RIGHT: u16 = 0x100;
    pub const PITCH: u16 = 0x200;
    pub const ENVELOPE_1: u16 = 0x300;
    pub const ENVELOPE_2: u16 = 0x400;
    pub const MASTER_LEFT: u16 = 0x980;
    pub const MASTER_RIGHT: u16 = 0xA80;
    pub const EFFECT_LEFT: u16 = 0xB80;
    pub const EFFECT_RIGHT: u16 = 0xC80;
    pub const INPUT_LEFT: u16 = 0xD80;
    pub const INPUT_RIGHT: u16 = 0xE80;
    pub const STREAM_LEFT: u16 = 0xF80;
    pub const STREAM_RIGHT: u16 = 0x1080;
    pub const PITCH_MODULATION: u16 = 0x1300;
    pub const NOISE: u16 = 0x1400;
    pub const KEY_ON: u16 = 0x1500;
    pub const KEY_OFF: u16 = 0x1600;
    pub const ENDED: u16 = 0x1700;
    pub const MIX_LEFT: u16 = 0x1800;
    pub const MIX_EFFECT_LEFT: u16 = 0x1900;
    pub const MIX_RIGHT: u16 = 0x1A00;
    pub const MIX_EFFECT_RIGHT: u16 = 0x1B00;
    pub const EFFECT_END: u16 = 0x1D00;
    pub const SAMPLE: u16 = 0x2000;
}
const ALL_VOICES: u32 = 0xFF_FFFF;
/// Where the start puts a silent loop, in bytes.
const SILENCE_ADDRESS: u32 = 0x5000;
const SILENCE_BYTES: u32 = 64;
const START_PITCH: u16 = 0x3FFF;
const MIXER_CORE_0: u16 = 0xFF0;
const MIXER_CORE_1: u16 = 0xFFC;
const FULL_INPUT: u16 = 0x7FFF;
/// Pause after steps of the start, in microseconds.
const SETTLE: u32 = 100;
const BUSY_LIMIT: u32 = 1000;

/// Modes of transfers.
mod mode {
    pub const READ: u16 = 1;
    pub const STOP: u16 = 2;
    pub const WRITE_FROM: u16 = 3;
    pub const DIRECTION: u16 = 3;
    pub const LOOP: u16 = 0x10;
}
const BUSY: i32 = -1;

/// What a core's DMA does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Transfer {
    Idle,
    /// Samples to or from the unit's memory.
    Voice,
    /// A stream out of a buffer, of which `half` plays.
    Stream {
        address: u32,
        half_bytes: u32,
        half: u32,
        loops: bool,
    },
}

#[derive(Clone, Copy)]
struct Core {
    transfer: Transfer,
    /// Called at a transfer's end, with a word that is always 0.
    callback: u32,
    /// Called at a transfer's end, with its own word.
    handler: u32,
    handler_argument: u32,
}

struct Sound {
    cores: [Core; CORES],
    /// Called when an address is met, with a word that is always 0.
    callback: u32,
    /// Called when an address is met, with the cores and its own word.
    handler: u32,
    handler_argument: u32,
}

const NO_CORE: Core = Core { transfer: Transfer::Idle, callback: 0, handler: 0, handler_argument: 0 };
static SOUND: Shared<Sound> =
    Shared::new(Sound { cores: [NO_CORE; CORES], callback: 0, handler: 0, handler_argument: 0 });

/// Makes the library known.
///
/// # Errors
/// It is known already.
pub fn start() -> Result<(), Error> {
    register_late(&TABLE)
}

fn channel(core: usize) -> dma::Channel {
    if core == 0 { dma::SPU0 } else { dma::SPU1 }
}

fn core_register(core: usize, offset: u32) -> super::registers::Register<u16> {
    sound::register(core as u32 * CORE_STRIDE + offset)
}

/// Changes a core's attributes: clears `clear`, sets `set`.
fn change_attributes(core: usize, clear: u16, set: u16) {
    let register = core_register(core, offset::ATTRIBUTES);
    register.write(register.read() & !clear | set);
}

fn settle() {
    // A failed delay is a shorter one.
    let _ = delay(SETTLE);
}

/// A cold start sets everything; a warm one (1) only the unit itself.
extern "C" fn initialise(warm: i32) -> i32 {
    dma::CONTROL.write(dma::CONTROL.read() | ENABLE_CORE_0);
    dma::CONTROL_2.write(dma::CONTROL_2.read() | ENABLE_CORE_1);
    for (offset, value) in
        [(offset::OUTPUT_MODE, 0x900), (offset::OUTPUT_MEDIA, 0x200), (offset::OUTPUT_COPY, 8), (offset::OUTPUT, 0)]
    {
        sound::register(offset).write(value);
    }
    settle();
    for core in 0..CORES {
        channel(core).control.write(0);
        core_register(core, offset::STREAM).write(0);
        core_register(core, offset::ATTRIBUTES).write(0);
        settle();
        core_register(core, offset::ATTRIBUTES).write(attribute::ENABLE);
        let core = core as u16;
        set_parameter(number::MASTER_LEFT | core, 0);
        set_parameter(number::MASTER_RIGHT | core, 0);
        let status = core_register(core.into(), offset::STATUS);
        for _ in 0..BUSY_LIMIT {
            if status.read() & STATUS_IDLE_MASK == 0 {
                break;
            }
        }
        set_switch(number::KEY_OFF | core, ALL_VOICES);
        set_switch(number::PITCH_MODULATION | core, 0);
        set_switch(number::NOISE | core, 0);
    }
    SOUND.with(|sound| sound.cores = [NO_CORE; CORES]);
    if warm == 0 {
        silence_voices();
    }
    sound::register(offset::OUTPUT).write(0xC032);
    let on = attribute::ENABLE | attribute::SOUND;
    core_register(0, offset::ATTRIBUTES).write(on);
    core_register(1, offset::ATTRIBUTES).write(on | attribute::EXTERNAL_INPUT);
    for core in 0..CORES as u16 {
        for number in [number::MIX_LEFT, number::MIX_RIGHT, number::MIX_EFFECT_LEFT, number::MIX_EFFECT_RIGHT] {
            set_switch(number | core, ALL_VOICES);
        }
        let input = if core == 0 { 0 } else { FULL_INPUT };
        for (number, value) in [
            (number::EFFECT_LEFT, 0),
            (number::EFFECT_RIGHT, 0),
            (number::INPUT_LEFT, input),
            (number::INPUT_RIGHT, input),
            (number::STREAM_LEFT, 0),
            (number::STREAM_RIGHT, 0),
        ] {
            set_parameter(number | core, value);
        }
        set_address(number::EFFECT_END | core, (0xE + u32::from(core)) << 17);
    }
    core_register(0, offset::MIXER).write(MIXER_CORE_0);
    core_register(1, offset::MIXER).write(MIXER_CORE_1);
    attach(LINE_DMA[0], transfer_ended, 0);
    attach(LINE_DMA[1], transfer_ended, 1);
    attach(LINE_SOUND, address_met, 0);
    0
}

/// A block that plays silence for ever: end, loop and loop start.
#[repr(align(64))]
struct Silence([u16; SILENCE_BYTES as usize / 2]);
static SILENCE: Silence = Silence([
    0x0707, 0, 0, 0, 0, 0, 0, 0, 0x0707, 0, 0, 0, 0, 0, 0, 0, 0x0707, 0, 0, 0, 0, 0, 0, 0, 0x0707, 0, 0, 0, 0, 0, 0, 0,
]);

/// Lets every voice run on a silent loop and stops it.
fn silence_voices() {
    let source = (&raw const SILENCE.0) as u32;
    write_samples(0, source, SILENCE_ADDRESS, SILENCE_BYTES);
    for _ in 0..BUSY_LIMIT {
        if channel(0).control.read() & dma::BUSY == 0 {
            break;
        }
    }
    change_attributes(0, attribute::TRANSFER_MASK, 0);
    for core in 0..CORES as u16 {
        for voice in (0..VOICES).map(|voice| voice << 1 | core) {
            for (number, value) in [
                (number::VOLUME_LEFT, 0),
                (number::VOLUME_RIGHT, 0),
                (number::PITCH, START_PITCH),
                (number::ENVELOPE_1, 0),
                (number::ENVELOPE_2, 0),
            ] {
                set_parameter(number | voice, value);
            }
            set_address(number::SAMPLE | voice, SILENCE_ADDRESS);
        }
        set_switch(number::KEY_ON | core, ALL_VOICES);
        settle();
        set_switch(number::KEY_OFF | core, ALL_VOICES);
        settle();
        set_switch(number::ENDED | core, 0);
    }
}

extern "C" fn quit() -> i32 {
    for core in 0..CORES {
        channel(core).control.write(0);
        change_attributes(core, attribute::SOUND, 0);
    }
    0
}

extern "C" fn set_parameter(number: u16, value: u16) {
    if let Some(Entry::Parameter(offset)) = entry_of(number) {
        sound::register(offset).write(value);
    }
}

extern "C" fn parameter(number: u16) -> u16 {
    match entry_of(number) {
        Some(Entry::Parameter(offset)) => sound::register(offset).read(),
        _ => 0,
    }
}

extern "C" fn set_switch(number: u16, value: u32) {
    if let Some(Entry::Switch(offset)) = entry_of(number) {
        sound::register(offset).write(value as u16);
        sound::register(offset + 2).write((value >> 16) as u16);
    }
}

extern "C" fn switch(number: u16) -> u32 {
    match entry_of(number) {
        Some(Entry::Switch(offset)) => {
            u32::from(sound::register(offset).read()) | u32::from(sound::register(offset + 2).read()) << 16
        }
        _ => 0,
    }
}

extern "C" fn set_address(number: u16, value: u32) {
    if let Some(Entry::Address { offset, upper_only }) = entry_of(number) {
        let (upper, lower) = halves_of(value);
        sound::register(offset).write(upper);
        if !upper_only {
            sound::register(offset + 2).write(lower);
        }
    }
}

extern "C" fn address(number: u16) -> u32 {
    let Some(Entry::Address { offset, .. }) = entry_of(number) else { return 0 };
    let (upper, lower) = (sound::register(offset), sound::register(offset + 2));
    // The two halves of a moving address belong together when the upper one is still the same behind the lower one.
    for _ in 0..BUSY_LIMIT {
        let (first, half) = (upper.read(), lower.read());
        if upper.read() == first {
            return address_of(first, half);
        }
    }
    0
}

/// Kinds of core attributes, above the core's bit.
mod core_kind {
    pub const EFFECTS: u16 = 2;
    pub const INTERRUPT: u16 = 4;
    pub const SOUND: u16 = 6;
    pub const NOISE: u16 = 8;
    pub const MASK: u16 = 0xE;
}

extern "C" fn set_core_attribute(number: u16, value: u16) {
    let core = usize::from(number & 1);
    let bit = |bit: u16| change_attributes(core, bit, if value != 0 { bit } else { 0 });
    match number & core_kind::MASK {
        core_kind::EFFECTS => bit(attribute::EFFECTS),
        core_kind::INTERRUPT => bit(attribute::INTERRUPT),
        core_kind::SOUND => bit(attribute::SOUND),
        core_kind::NOISE => {
            change_attributes(core, attribute::NOISE_MASK, value << attribute::NOISE_SHIFT & attribute::NOISE_MASK);
        }
        _ => {}
    }
}

extern "C" fn core_attribute(number: u16) -> u16 {
    let value = core_register(usize::from(number & 1), offset::ATTRIBUTES).read();
    let bit = |bit: u16| u16::from(value & bit != 0);
    match number & core_kind::MASK {
        core_kind::EFFECTS => bit(attribute::EFFECTS),
        core_kind::INTERRUPT => bit(attribute::INTERRUPT),
        core_kind::SOUND => bit(attribute::SOUND),
        core_kind::NOISE => (value & attribute::NOISE_MASK) >> attribute::NOISE_SHIFT,
        _ => 0,
    }
}

/// A command of a batch.
#[repr(C)]
#[derive(Clone, Copy)]
struct Batch {
    function: u16,
    entry: u16,
    value: u32,
}

/// Batch functions.
mod batch {
    pub const SET_PARAMETER: u16 = 1;
    pub const SET_SWITCH: u16 = 2;
    pub const SET_ADDRESS: u16 = 3;
    pub const SET_ATTRIBUTE: u16 = 4;
    pub const PARAMETER: u16 = 0x10;
    pub const SWITCH: u16 = 0x12;
    pub const ADDRESS: u16 = 0x13;
    pub const ATTRIBUTE: u16 = 0x14;
}

extern "C" fn process_batch(list: *const Batch, results: *mut u32, count: u32) -> i32 {
    for index in 0..count as usize {
        let Batch { function, entry, value } = fetch(list.wrapping_add(index));
        let result = match function {
            batch::SET_PARAMETER => {
                set_parameter(entry, value as u16);
                continue;
            }
            batch::SET_SWITCH => {
                set_switch(entry, value);
                continue;
            }
            batch::SET_ADDRESS => {
                set_address(entry, value);
                continue;
            }
            batch::SET_ATTRIBUTE => {
                set_core_attribute(entry, value as u16);
                continue;
            }
            batch::PARAMETER => parameter(entry).into(),
            batch::SWITCH => switch(entry),
            batch::ADDRESS => address(entry),
            batch::ATTRIBUTE => core_attribute(entry).into(),
            // The place of the first command that is none, as a negative number.
            _ => return -1 - index as i32,
        };
        if !results.is_null() {
            store(results.wrapping_add(index), result);
        }
    }
    count as i32
}

/// Points a core's next transfer to `address` of the unit's memory.
fn set_transfer_address(core: usize, address: u32) {
    let (upper, lower) = halves_of(address);
    core_register(core, offset::TRANSFER_ADDRESS).write(upper);
    core_register(core, offset::TRANSFER_ADDRESS + 2).write(lower);
}

/// Starts a core's DMA.
fn start_dma(core: usize, memory: u32, bytes: u32, control: u32) {
    let channel = channel(core);
    channel.address.write(memory & 0x00FF_FFFF);
    channel.blocks.write(block_register(bytes));
    channel.control.write(control);
}

fn write_samples(core: usize, memory: u32, address: u32, bytes: u32) {
    set_transfer_address(core, address);
    change_attributes(core, attribute::TRANSFER_MASK, attribute::WRITE);
    start_dma(core, memory, bytes, START_WRITE);
}

extern "C" fn voice_transfer(channel: i16, mode: u16, memory: u32, address: u32, bytes: u32) -> i32 {
    let core = usize::from(channel as u16 & 1);
    let free = SOUND.with(|sound| {
        let free = sound.cores[core].transfer == Transfer::Idle;
        if free {
            sound.cores[core].transfer = Transfer::Voice;
        }
        free
    });
    if !free {
        return BUSY;
    }
    if mode & mode::DIRECTION == mode::READ {
        set_transfer_address(core, address);
        change_attributes(core, attribute::TRANSFER_MASK, attribute::READ);
        start_dma(core, memory, bytes, START_READ);
    } else {
        write_samples(core, memory, address, bytes);
    }
    bytes as i32
}

/// 1 when the transfer has ended, 0 while it has not; `wait` waits for the end.
extern "C" fn voice_transfer_status(channel: i16, wait: i16) -> u32 {
    let core = usize::from(channel as u16 & 1);
    let is_idle = || SOUND.with(|sound| sound.cores[core].transfer != Transfer::Voice);
    while wait != 0 && !is_idle() {
        settle();
    }
    is_idle().into()
}

extern "C" fn block_transfer(channel: i16, mode: u16, memory: u32, bytes: u32, start: u32) -> i32 {
    let core = usize::from(channel as u16 & 1);
    if mode & mode::DIRECTION == mode::STOP {
        return stop_transfer(channel.into());
    }
    let loops = mode & mode::LOOP != 0;
    let half_bytes = if loops { bytes / 2 } else { bytes };
    // A stream may begin inside of its first half.
    let skipped = if mode & mode::DIRECTION == mode::WRITE_FROM { start.wrapping_sub(memory) } else { 0 };
    if skipped >= half_bytes {
        return BUSY;
    }
    let free = SOUND.with(|sound| {
        let free = sound.cores[core].transfer == Transfer::Idle;
        if free {
            sound.cores[core].transfer = Transfer::Stream { address: memory, half_bytes, half: 0, loops };
        }
        free
    });
    if !free {
        return BUSY;
    }
    change_attributes(core, attribute::TRANSFER_MASK, 0);
    set_transfer_address(core, 0);
    core_register(core, offset::STREAM).write(1 << core);
    start_dma(core, memory + skipped, half_bytes - skipped, START_WRITE);
    0
}

/// Which half plays (bits 24 and up), and the address that the DMA has reached; 0 without a stream.
extern "C" fn block_transfer_status(channel_number: i16, _flag: i16) -> u32 {
    let core = usize::from(channel_number as u16 & 1);
    match SOUND.with(|sound| sound.cores[core].transfer) {
        Transfer::Stream { half, .. } => half << 24 | channel(core).address.read() & 0x00FF_FFFF,
        Transfer::Idle | Transfer::Voice => 0,
    }
}

extern "C" fn stop_transfer(channel_number: i32) -> i32 {
    let core = (channel_number & 1) as usize;
    critical(|| {
        channel(core).control.write(0);
        core_register(core, offset::STREAM).write(0);
        change_attributes(core, attribute::TRANSFER_MASK, 0);
        SOUND.with(|sound| sound.cores[core].transfer = Transfer::Idle);
    });
    0
}

/// A core's DMA has moved everything.
extern "C" fn transfer_ended(core: u32) -> i32 {
    let core = core as usize & 1;
    match SOUND.with(|sound| sound.cores[core].transfer) {
        Transfer::Stream { address, half_bytes, half, loops: true } => {
            let half = half ^ 1;
            SOUND.with(|sound| {
                sound.cores[core].transfer = Transfer::Stream { address, half_bytes, half, loops: true };
            });
            start_dma(core, address + half * half_bytes, half_bytes, START_WRITE);
        }
        Transfer::Stream { .. } => {
            core_register(core, offset::STREAM).write(0);
            SOUND.with(|sound| sound.cores[core].transfer = Transfer::Idle);
        }
        Transfer::Voice | Transfer::Idle => {
            let status = core_register(core, offset::STATUS);
            for _ in 0..BUSY_LIMIT {
                if status.read() & STATUS_DMA_DONE != 0 {
                    break;
                }
            }
            change_attributes(core, attribute::TRANSFER_MASK, 0);
            SOUND.with(|sound| sound.cores[core].transfer = Transfer::Idle);
        }
    }
    let Core { callback, handler, handler_argument, .. } = SOUND.with(|sound| sound.cores[core]);
    if handler != 0 {
        // SAFETY: handlers are C functions of a number and a word; that is the contract.
        let function: extern "C" fn(i32, u32) -> i32 = unsafe { core::mem::transmute(handler as usize) };
        function(core as i32, handler_argument);
    } else {
        call_back(callback);
    }
    1
}

/// Calls a callback of the older kind, if there is one.
fn call_back(callback: u32) {
    if callback != 0 {
        // SAFETY: callbacks are C functions of one word; that is the contract.
        let function: extern "C" fn(u32) -> i32 = unsafe { core::mem::transmute(callback as usize) };
        function(0);
    }
}

/// A core has met its interrupt address.
extern "C" fn address_met(_argument: u32) -> i32 {
    let cores = sound::register(offset::INTERRUPTS).read() >> INTERRUPT_SHIFT & 3;
    for core in (0..CORES).filter(|core| cores >> core & 1 != 0) {
        change_attributes(core, attribute::INTERRUPT, 0);
    }
    let (callback, handler, argument) = SOUND.with(|sound| (sound.callback, sound.handler, sound.handler_argument));
    if handler != 0 {
        // SAFETY: handlers are C functions of a number and a word; that is the contract.
        let function: extern "C" fn(i32, u32) -> i32 = unsafe { core::mem::transmute(handler as usize) };
        function(cores.into(), argument);
    } else {
        call_back(callback);
    }
    1
}

extern "C" fn set_transfer_callback(core: i32, function: u32) -> u32 {
    SOUND.with(|sound| core::mem::replace(&mut sound.cores[(core & 1) as usize].callback, function))
}

extern "C" fn set_interrupt_callback(function: u32) -> u32 {
    SOUND.with(|sound| core::mem::replace(&mut sound.callback, function))
}

extern "C" fn set_transfer_handler(core: i32, function: u32, argument: u32) -> u32 {
    SOUND.with(|sound| {
        let core = &mut sound.cores[(core & 1) as usize];
        core.handler_argument = argument;
        core::mem::replace(&mut core.handler, function)
    })
}

extern "C" fn set_interrupt_handler(function: u32, argument: u32) -> u32 {
    SOUND.with(|sound| {
        sound.handler_argument = argument;
        core::mem::replace(&mut sound.handler, function)
    })
}
