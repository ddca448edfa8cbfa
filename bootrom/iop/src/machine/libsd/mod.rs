//! LIBSD: the sound unit, `libsd` 1.5.
//!
//! Values and addresses go straight to the registers ([`values`]). Transfers go by one DMA channel a core: samples to and from the
//! unit's memory, or a stream that is played as it arrives, from a buffer in two halves ([`transfers`]). [`begin`] sets the unit up;
//! [`interrupts`] keeps who is told of what; [`effects`] is the echo. The numbers of all of it are in [`layout`].
//! Source: IOP facts, SPU2; hardware notes, SPU2

mod begin;
mod effects;
mod interrupts;
mod layout;
mod transfers;
mod values;

use super::critical::Shared;
use super::libraries::{Exports, exports, register_late};
use super::registers::{Register, dma, sound};
use super::threads::delay;
use bootrom_iop::errors::Error;
use bootrom_iop::pitch::{note_of, pitch_of};
use layout::{CORE_STRIDE, CORES, SETTLE, offset};

/// Library functions by number.
static TABLE: Exports<34> = exports(
    b"libsd",
    0x0105,
    [
        (2, begin::quit as *const ()),
        (4, begin::initialise as *const ()),
        (5, values::set_parameter as *const ()),
        (6, values::parameter as *const ()),
        (7, values::set_switch as *const ()),
        (8, values::switch as *const ()),
        (9, values::set_address as *const ()),
        (10, values::address as *const ()),
        (11, values::set_core_attribute as *const ()),
        (12, values::core_attribute as *const ()),
        // Covers: iop, libsd 13 sceSdNote2Pitch test=pitch::tests::semitones_and_fine_steps_are_equal_parts_of_an_octave
        (13, note_to_pitch as *const ()),
        // Covers: iop, libsd 14 sceSdPitch2Note test=pitch::tests::a_pitch_leads_back_to_its_note
        (14, pitch_to_note as *const ()),
        (15, values::process_batch as *const ()),
        (16, values::process_batch_for_voices as *const ()),
        (17, transfers::voice_transfer as *const ()),
        (18, transfers::block_transfer as *const ()),
        (19, transfers::voice_transfer_status as *const ()),
        (20, transfers::block_transfer_status as *const ()),
        (21, interrupts::set_transfer_callback as *const ()),
        (22, interrupts::set_interrupt_callback as *const ()),
        (23, effects::set as *const ()),
        (24, effects::get as *const ()),
        (25, effects::clear_memory as *const ()),
        (26, interrupts::set_transfer_handler as *const ()),
        (27, interrupts::set_interrupt_handler as *const ()),
        (28, interrupts::transfer_argument as *const ()),
        (29, interrupts::interrupt_argument as *const ()),
        (30, transfers::stop_transfer as *const ()),
        (31, effects::clear_memory as *const ()),
        (32, effects::set_mode as *const ()),
        (33, effects::set_depth as *const ()),
    ],
);

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

fn core_register(core: usize, offset: u32) -> Register<u16> {
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

extern "C" fn note_to_pitch(centre: u16, centre_fine: u16, note: u16, fine: i16) -> u16 {
    pitch_of((centre, centre_fine), (note, fine))
}

extern "C" fn pitch_to_note(centre: u16, centre_fine: u16, pitch: u16) -> u16 {
    note_of((centre, centre_fine), pitch)
}
