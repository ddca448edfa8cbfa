//! The echo: which kind each core has, and how loud it is.

use super::layout::{ALL_EFFECTS, CORES, ECHO_OFF, MODE_CLEAR, number};
use super::transfers::{voice_transfer, voice_transfer_status};
use super::values::{address, core_attribute, parameter, set_core_attribute, set_parameter};
use crate::machine::critical::Shared;
use crate::machine::libraries::{fetch, store};

/// An echo as callers describe it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Echo {
    core: i32,
    kind: i32,
    left: i16,
    right: i16,
    delay: i32,
    feedback: i32,
}

static ECHOES: Shared<[Echo; CORES]> =
    Shared::new([Echo { core: 0, kind: ECHO_OFF, left: 0, right: 0, delay: 0, feedback: 0 }; CORES]);

/// Results: done, or a core or kind that there is not.
const GOOD: i32 = 0;
const REFUSED: i32 = -1;

/// Sets kind and volume.
///
/// Stand-in: the unit gets the volumes, and its memory for echoes is cleared when the caller asks for it; the coefficients that
/// make a room of each kind are not set, so that nothing echoes.
pub extern "C" fn set(core: i32, echo: *const Echo) -> i32 {
    let Ok(echo) = fetch(echo) else { return REFUSED };
    let kind = echo.kind & !MODE_CLEAR;
    let Some(place) = usize::try_from(core).ok().filter(|core| *core < CORES && (0..=ALL_EFFECTS).contains(&kind))
    else {
        return REFUSED;
    };
    // The unit takes the place of its echo memory only while echoes are off.
    let effects = place as u16 | ATTRIBUTE_EFFECTS;
    let before = core_attribute(effects);
    set_core_attribute(effects, 0);
    ECHOES.with(|echoes| echoes[place] = Echo { core, kind, ..echo });
    write_depth(place, echo);
    let cleared = if echo.kind & MODE_CLEAR != 0 { clear_memory(core, core, kind) } else { GOOD };
    set_core_attribute(effects, before);
    cleared
}

/// Kind of the core attribute that lets echoes in.
const ATTRIBUTE_EFFECTS: u16 = 2;

fn write_depth(core: usize, echo: Echo) {
    set_parameter(number::EFFECT_LEFT | core as u16, echo.left as u16);
    set_parameter(number::EFFECT_RIGHT | core as u16, echo.right as u16);
}

pub extern "C" fn get(core: i32, target: *mut Echo) {
    if let Some(place) = usize::try_from(core).ok().filter(|core| *core < CORES) {
        let [left, right] =
            [number::EFFECT_LEFT, number::EFFECT_RIGHT].map(|volume| parameter(volume | place as u16) as i16);
        store(target, Echo { left, right, ..ECHOES.with(|echoes| echoes[place]) });
    }
}

/// Sets the kind alone.
pub extern "C" fn set_mode(core: i32, echo: *const Echo) -> i32 {
    let Ok(mut wanted) = fetch(echo) else { return REFUSED };
    if let Some(place) = usize::try_from(core).ok().filter(|core| *core < CORES) {
        [wanted.left, wanted.right] =
            [number::EFFECT_LEFT, number::EFFECT_RIGHT].map(|volume| parameter(volume | place as u16) as i16);
    }
    set(core, &raw const wanted)
}

/// Sets volume, delay and feedback of the kind that is set.
pub extern "C" fn set_depth(core: i32, echo: *const Echo) -> i32 {
    let Some(place) = usize::try_from(core).ok().filter(|core| *core < CORES) else { return REFUSED };
    let Ok(new) = fetch(echo) else { return REFUSED };
    ECHOES.with(|echoes| {
        let kept = &mut echoes[place];
        (kept.left, kept.right, kept.delay, kept.feedback) = (new.left, new.right, new.delay, new.feedback);
    });
    write_depth(place, new);
    GOOD
}

/// Bytes of the echo memory that each kind of echo needs, from small rooms to delays.
///
/// Source: public descriptions of the sound unit's predecessor, whose echo memory the kinds fill twice
const MEMORY: [u32; ALL_EFFECTS as usize + 1] =
    [0x80, 0x26C0, 0x1F40, 0x4840, 0x6FE0, 0xADE0, 0xF6C0, 0x1_8040, 0x1_8040, 0x3C00];
/// The unit has samples of twice the rate of its predecessor's.
const RATE: u32 = 2;
/// Zeroes that are written at a time.
const ZEROES: usize = 1024;

#[repr(align(64))]
struct Zeroes([u8; ZEROES]);
static NOTHING: Zeroes = Zeroes([0; ZEROES]);

/// Zeroes the memory of a kind of echo, which ends where the core's echo memory does, by the transfer channel `channel`.
pub extern "C" fn clear_memory(core: i32, channel: i32, kind: i32) -> i32 {
    let bytes = usize::try_from(kind & !MODE_CLEAR).ok().and_then(|kind| MEMORY.get(kind));
    let (Some(bytes), 0..=1) = (bytes, core) else { return REFUSED };
    // Only the upper half of the end can be set; the lower one is all ones.
    let end = address(number::EFFECT_END | core as u16) | 0x1_FFFF;
    let bytes = bytes * RATE;
    let mut start = (end + 1).saturating_sub(bytes);
    while start <= end {
        let count = (end + 1 - start).min(ZEROES as u32);
        let source = (&raw const NOTHING.0) as u32;
        if voice_transfer(channel as i16, 0, source, start, count) < 0 {
            return REFUSED;
        }
        voice_transfer_status(channel as i16, 1);
        start += count;
    }
    GOOD
}
