//! Parameters, switches, addresses, attributes, and lists of them.

use super::layout::{BUSY_LIMIT, attribute, offset};
use super::{change_attributes, core_register};
use crate::machine::libraries::{fetch, store};
use crate::machine::registers::sound;
use bootrom_iop::sound::{Entry, VOICES, address_of, entry_of, halves_of};

pub extern "C" fn set_parameter(number: u16, value: u16) {
    if let Some(Entry::Parameter(offset)) = entry_of(number) {
        sound::register(offset).write(value);
    }
}

pub extern "C" fn parameter(number: u16) -> u16 {
    match entry_of(number) {
        Some(Entry::Parameter(offset)) => sound::register(offset).read(),
        _ => 0,
    }
}

pub extern "C" fn set_switch(number: u16, value: u32) {
    if let Some(Entry::Switch(offset)) = entry_of(number) {
        sound::register(offset).write(value as u16);
        sound::register(offset + 2).write((value >> 16) as u16);
    }
}

pub extern "C" fn switch(number: u16) -> u32 {
    match entry_of(number) {
        Some(Entry::Switch(offset)) => {
            u32::from(sound::register(offset).read()) | u32::from(sound::register(offset + 2).read()) << 16
        }
        _ => 0,
    }
}

pub extern "C" fn set_address(number: u16, value: u32) {
    if let Some(Entry::Address { offset, upper_only }) = entry_of(number) {
        let (upper, lower) = halves_of(value);
        sound::register(offset).write(upper);
        if !upper_only {
            sound::register(offset + 2).write(lower);
        }
    }
}

pub extern "C" fn address(number: u16) -> u32 {
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

pub extern "C" fn set_core_attribute(number: u16, value: u16) {
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

pub extern "C" fn core_attribute(number: u16) -> u16 {
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
pub struct Batch {
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

/// Runs one command; what it has read, or nothing for one that sets. None for a command that is none.
fn run(Batch { function, entry, value }: Batch) -> Option<Option<u32>> {
    match function {
        batch::SET_PARAMETER => set_parameter(entry, value as u16),
        batch::SET_SWITCH => set_switch(entry, value),
        batch::SET_ADDRESS => set_address(entry, value),
        batch::SET_ATTRIBUTE => set_core_attribute(entry, value as u16),
        batch::PARAMETER => return Some(Some(parameter(entry).into())),
        batch::SWITCH => return Some(Some(switch(entry))),
        batch::ADDRESS => return Some(Some(address(entry))),
        batch::ATTRIBUTE => return Some(Some(core_attribute(entry).into())),
        _ => return None,
    }
    Some(None)
}

/// Runs `count` commands; how many, or the place of the first that is none, as a negative number. What commands read goes to
/// `results` at their own places.
pub extern "C" fn process_batch(list: *const Batch, results: *mut u32, count: u32) -> i32 {
    for index in 0..count as usize {
        match fetch(list.wrapping_add(index)).ok().and_then(run) {
            Some(None) => {}
            Some(Some(result)) => {
                if !results.is_null() {
                    store(results.wrapping_add(index), result);
                }
            }
            None => return -1 - index as i32,
        }
    }
    count as i32
}

/// As [`process_batch`]; a command for the voice that stands for all is run for each voice of `voices`, a bit each, and
/// what it reads fills as many places.
///
/// Source: public headers (sceSdProcBatchEx)
pub extern "C" fn process_batch_for_voices(list: *const Batch, results: *mut u32, count: u32, voices: u32) -> i32 {
    let mut place = 0;
    for index in 0..count as usize {
        let Ok(command) = fetch(list.wrapping_add(index)) else { return -1 - index as i32 };
        let for_each = command.entry & ALL_VOICES == ALL_VOICES;
        for voice in 0..if for_each { VOICES } else { 1 } {
            if for_each && voices >> voice & 1 == 0 {
                continue;
            }
            let entry = if for_each { command.entry & !ALL_VOICES | voice << 1 } else { command.entry };
            match run(Batch { entry, ..command }) {
                Some(None) => place += 1,
                Some(Some(result)) => {
                    if !results.is_null() {
                        store(results.wrapping_add(place), result);
                    }
                    place += 1;
                }
                None => return -1 - index as i32,
            }
        }
    }
    place as i32
}

/// The voice that stands for all of them, in a number.
const ALL_VOICES: u16 = 0x3E;
