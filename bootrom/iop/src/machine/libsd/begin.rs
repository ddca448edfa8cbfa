//! The unit's start and end.

use super::interrupts::address_met;
use super::layout::{
    ALL_VOICES, BUSY_LIMIT, CORES, ENABLE_CORE_0, ENABLE_CORE_1, FULL_INPUT, LINE_DMA, LINE_SOUND, MIXER_CORE_0,
    MIXER_CORE_1, SILENCE_ADDRESS, SILENCE_BYTES, START_PITCH, STATUS_IDLE_MASK, attribute, number, offset,
};
use super::transfers::{transfer_ended, write_samples};
use super::values::{set_address, set_parameter, set_switch};
use super::{NO_CORE, SOUND, change_attributes, channel, core_register, settle};
use crate::machine::interrupts::attach;
use crate::machine::registers::{dma, sound};
use bootrom_iop::sound::VOICES;

/// A cold start sets everything; a warm one (1) only the unit itself.
pub extern "C" fn initialise(warm: i32) -> i32 {
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

pub extern "C" fn quit() -> i32 {
    for core in 0..CORES {
        channel(core).control.write(0);
        change_attributes(core, attribute::SOUND, 0);
    }
    0
}
