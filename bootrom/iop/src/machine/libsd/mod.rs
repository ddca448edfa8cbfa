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
        // Covers: iop, libsd 2 sceSdQuit test=and is silent
        (2, begin::quit as *const ()),
        // Covers: iop, libsd 4 sceSdInit test=with the mixers as they should be
        (4, begin::initialise as *const ()),
        // Covers: iop, libsd 5 sceSdSetParam test=a voice's volume
        (5, values::set_parameter as *const ()),
        // Covers: iop, libsd 6 sceSdGetParam test=a voice's volume
        (6, values::parameter as *const ()),
        // Covers: iop, libsd 7 sceSdSetSwitch test=voices that are mixed
        (7, values::set_switch as *const ()),
        // Covers: iop, libsd 8 sceSdGetSwitch test=voices that are mixed
        (8, values::switch as *const ()),
        // Covers: iop, libsd 9 sceSdSetAddr test=a sample's address
        (9, values::set_address as *const ()),
        // Covers: iop, libsd 10 sceSdGetAddr test=a sample's address
        (10, values::address as *const ()),
        // Covers: iop, libsd 11 sceSdSetCoreAttr test=a core's noise
        (11, values::set_core_attribute as *const ()),
        // Covers: iop, libsd 12 sceSdGetCoreAttr test=a core's noise
        (12, values::core_attribute as *const ()),
        // Covers: iop, libsd 13 sceSdNote2Pitch test=pitch::tests::semitones_and_fine_steps_are_equal_parts_of_an_octave
        (13, note_to_pitch as *const ()),
        // Covers: iop, libsd 14 sceSdPitch2Note test=pitch::tests::a_pitch_leads_back_to_its_note
        (14, pitch_to_note as *const ()),
        // Covers: iop, libsd 15 sceSdProcBatch test=and their results are told
        (15, values::process_batch as *const ()),
        // Covers: iop, libsd 16 sceSdProcBatchEx test=and not for others
        (16, values::process_batch_for_voices as *const ()),
        // Covers: iop, libsd 17 sceSdVoiceTrans test=as they were written
        (17, transfers::voice_transfer as *const ()),
        // Covers: iop, libsd 18 sceSdBlockTrans test=a stream plays
        (18, transfers::block_transfer as *const ()),
        // Covers: iop, libsd 19 sceSdVoiceTransStatus test=samples are written
        (19, transfers::voice_transfer_status as *const ()),
        // Covers: iop, libsd 20 sceSdBlockTransStatus test=and tells where it is
        (20, transfers::block_transfer_status as *const ()),
        // Covers: iop, libsd 21 sceSdSetTransCallback test=the end of each is told
        (21, interrupts::set_transfer_callback as *const ()),
        // Covers: iop, libsd 22 sceSdSetIRQCallback test=hears when the unit comes to it
        (22, interrupts::set_interrupt_callback as *const ()),
        // Covers: iop, libsd 23 sceSdSetEffectAttr test=and told as it was set
        (23, effects::set as *const ()),
        // Covers: iop, libsd 24 sceSdGetEffectAttr test=and told as it was set
        (24, effects::get as *const ()),
        // Covers: iop, libsd 25 sceSdClearEffectWorkArea test=an echo's memory is cleared
        (25, effects::clear_memory as *const ()),
        // Covers: iop, libsd 26 sceSdSetTransIntrHandler test=which is called with that
        (26, interrupts::set_transfer_handler as *const ()),
        // Covers: iop, libsd 27 sceSdSetSpu2IntrHandler test=which hears of the core as well
        (27, interrupts::set_interrupt_handler as *const ()),
        // Covers: iop, libsd 28 sceSdGetTransIntrHandlerArgument test=the word of a transfer's handler
        (28, interrupts::transfer_argument as *const ()),
        // Covers: iop, libsd 29 sceSdGetSpu2IntrHandlerArgument test=the word of an address's handler
        (29, interrupts::interrupt_argument as *const ()),
        // Covers: iop, libsd 30 sceSdStopTrans test=and is nowhere then
        (30, transfers::stop_transfer as *const ()),
        // Covers: iop, libsd 31 sceSdCleanEffectWorkArea test=and cleaned by the other name
        (31, effects::clear_memory as *const ()),
        // Covers: iop, libsd 32 sceSdSetEffectMode test=a kind of echo alone leaves the volumes
        (32, effects::set_mode as *const ()),
        // Covers: iop, libsd 33 sceSdSetEffectModeParams test=volumes alone leave the kind
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
    let _ = pause();
}

/// The same, for those who ask whether they may.
fn pause() -> Result<(), Error> {
    delay(SETTLE)
}

extern "C" fn note_to_pitch(centre: u16, centre_fine: u16, note: u16, fine: i16) -> u16 {
    pitch_of((centre, centre_fine), (note, fine))
}

extern "C" fn pitch_to_note(centre: u16, centre_fine: u16, pitch: u16) -> u16 {
    note_of((centre, centre_fine), pitch)
}
