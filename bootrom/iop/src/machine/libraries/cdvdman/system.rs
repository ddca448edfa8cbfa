//! The drive's system commands: clock, memory, settings, identity, power.
//!
//! Source: hardware notes, S commands

use super::{NO, YES, accepted};
use crate::machine::cdvdman as driver;
use crate::machine::critical::Shared;
use crate::machine::libraries::{fetch, store};
use bootrom_iop::cdvd::{KEY_BYTES, KEY_PART, disc_number, identity, numbers_of, system_command as number};

/// Runs a command whose first result is a status: that goes to `status`, up to `bytes` of the others to `output`.
fn run(number: u8, input: &[u8], output: *mut u8, bytes: usize, status: *mut u32) -> i32 {
    let Some(results) = driver::system_command(number, input) else { return NO };
    let Some((first, rest)) = results.split_first() else { return NO };
    accepted(store(status, (*first).into()) & put(output, rest, bytes))
}

/// Writes up to `most` of `bytes` to a caller's pointer, unless that is null; false for a place that it may not name.
pub fn put(output: *mut u8, bytes: &[u8], most: usize) -> bool {
    output.is_null()
        || bytes.iter().take(most).enumerate().all(|(index, byte)| store(output.wrapping_add(index), *byte))
}

/// A command without values of its own.
fn plain(number: u8, input: &[u8], status: *mut u32) -> i32 {
    run(number, input, core::ptr::null_mut(), 0, status)
}

/// Tray request that only asks.
const TRAY_CHECK: u32 = 2;

/// Opens (0) or closes (1) the tray, or asks whether it was opened since the last question.
pub extern "C" fn tray(request: u32, changed: *mut u32) -> i32 {
    match request {
        TRAY_CHECK => plain(number::TRAY_STATE, &[], changed),
        _ => plain(number::TRAY, &[request as u8], core::ptr::null_mut()),
    }
}

/// Status, second, minute, hour, unused, day, month, year; all but the first as decimal digits.
type Clock = [u8; 8];

pub extern "C" fn read_clock(clock: *mut Clock) -> i32 {
    let mut status = 0;
    let done = run(number::READ_CLOCK, &[], clock.cast::<u8>().wrapping_add(1), 7, &raw mut status);
    if done == YES { accepted(store(clock.cast::<u8>(), status as u8)) } else { done }
}

pub extern "C" fn write_clock(clock: *mut Clock) -> i32 {
    let Ok([_, second, minute, hour, _, day, month, year]) = fetch(clock) else { return NO };
    let mut status = 0;
    let done = plain(number::WRITE_CLOCK, &[second, minute, hour, 0, day, month, year], &raw mut status);
    if done == YES { accepted(store(clock.cast::<u8>(), status as u8)) } else { done }
}

pub extern "C" fn read_memory(address: u32, data: *mut u16, result: *mut u8) -> i32 {
    let [low, high, ..] = address.to_le_bytes();
    let (mut bytes, mut status) = ([0; 2], 0);
    let done = run(number::READ_MEMORY, &[high, low], bytes.as_mut_ptr(), 2, &raw mut status);
    if done == YES { accepted(store(data, u16::from_be_bytes(bytes)) & store(result, status as u8)) } else { done }
}

pub extern "C" fn write_memory(address: u32, data: u16, result: *mut u8) -> i32 {
    let ([low, high, ..], [upper, lower]) = (address.to_le_bytes(), data.to_be_bytes());
    let mut status = 0;
    let done = plain(number::WRITE_MEMORY, &[high, low, upper, lower], &raw mut status);
    if done == YES { accepted(store(result, status as u8)) } else { done }
}

/// Bytes of a block of settings, without its check sum.
const BLOCK_BYTES: usize = 15;
/// Blocks of the settings that are open.
static OPEN_BLOCKS: Shared<usize> = Shared::new(0);

pub extern "C" fn open_settings(block: u8, mode: u8, blocks: u8, status: *mut u32) -> i32 {
    OPEN_BLOCKS.with(|open| *open = blocks.into());
    plain(number::OPEN_SETTINGS, &[mode, block, blocks], status)
}

pub extern "C" fn close_settings(result: *mut u32) -> i32 {
    OPEN_BLOCKS.with(|open| *open = 0);
    plain(number::CLOSE_SETTINGS, &[], result)
}

/// Reads all blocks of the open settings.
pub extern "C" fn read_settings(buffer: *mut u8, result: *mut u32) -> i32 {
    for block in 0..OPEN_BLOCKS.with(|open| *open) {
        let Some(results) = driver::system_command(number::READ_SETTINGS, &[]) else { return NO };
        if !put(buffer.wrapping_add(block * BLOCK_BYTES), &results, BLOCK_BYTES) {
            return NO;
        }
    }
    accepted(store(result, 0))
}

/// Writes all blocks of the open settings, each with its check sum.
pub extern "C" fn write_settings(buffer: *const u8, result: *mut u32) -> i32 {
    for block in 0..OPEN_BLOCKS.with(|open| *open) {
        let Ok(bytes) = fetch::<[u8; BLOCK_BYTES]>(buffer.wrapping_add(block * BLOCK_BYTES).cast()) else { return NO };
        let mut input = [0; BLOCK_BYTES + 1];
        input[..BLOCK_BYTES].copy_from_slice(&bytes);
        input[BLOCK_BYTES] = bytes.iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte));
        if plain(number::WRITE_SETTINGS, &input, result) == NO {
            return NO;
        }
    }
    YES
}

const IDENTITY_BYTES: usize = 8;

pub extern "C" fn read_link_id(buffer: *mut u8, result: *mut u32) -> i32 {
    run(number::READ_LINK_ID, &[], buffer, IDENTITY_BYTES, result)
}

pub extern "C" fn write_link_id(buffer: *const u8, result: *mut u32) -> i32 {
    let Ok(bytes) = fetch::<[u8; IDENTITY_BYTES]>(buffer.cast()) else { return NO };
    plain(number::WRITE_LINK_ID, &bytes, result)
}

/// The numbers that are made of the identity on the serial bus.
fn numbers() -> Option<([u8; IDENTITY_BYTES], u32)> {
    let (mut identity, mut status) = ([0; IDENTITY_BYTES], 0);
    let told = read_link_id(identity.as_mut_ptr(), &raw mut status);
    (told == YES && status == 0).then(|| numbers_of(identity))
}

/// The console's number on the serial bus.
pub extern "C" fn read_global_id(buffer: *mut u8) -> i32 {
    let Some((bus, _)) = numbers() else { return NO };
    accepted(put(buffer, &bus, IDENTITY_BYTES))
}

/// The model's number.
pub extern "C" fn read_model_id(id: *mut u32) -> i32 {
    let Some((_, model)) = numbers() else { return NO };
    accepted(store(id, model))
}

/// The keys of a disc.
pub extern "C" fn read_key(first: u8, second: u8, lsn: u32, target: *mut u8) -> i32 {
    match driver::keys(first, second.into(), lsn) {
        Some(keys) => accepted(put(target, &keys, KEY_BYTES)),
        None => NO,
    }
}

/// Sets how sectors are decrypted.
pub extern "C" fn set_decryption(by_key: u8, turned: u8, bits: u8) -> i32 {
    driver::set_decryption(by_key != 0, turned != 0, bits);
    YES
}

/// The disc's own number, five bytes.
pub fn disc_id() -> [u8; KEY_PART] {
    /// The sector that the keys are asked for by.
    const SECTOR: u32 = 0x4B;
    disc_number(&driver::keys(0, 0, SECTOR).unwrap_or_default())
}

/// Tells the disc's own number.
pub extern "C" fn read_disc_id(target: *mut u8) -> i32 {
    accepted(put(target, &disc_id(), KEY_PART))
}

pub extern "C" fn read_console_id(buffer: *mut u8, result: *mut u32) -> i32 {
    run(number::IDENTITY, &[identity::READ_CONSOLE], buffer, IDENTITY_BYTES, result)
}

pub extern "C" fn write_console_id(buffer: *const u8, status: *mut u32) -> i32 {
    let Ok(bytes) = fetch::<[u8; IDENTITY_BYTES]>(buffer.cast()) else { return NO };
    let mut input = [identity::WRITE_CONSOLE; 1 + IDENTITY_BYTES];
    input[1..].copy_from_slice(&bytes);
    plain(number::IDENTITY, &input, status)
}

/// Bit of the version's first byte that says that there is none.
const ERROR_BIT: u8 = 0x80;

/// The version of the drive's own program, four bytes.
pub extern "C" fn version(buffer: *mut u8, status: *mut u32) -> i32 {
    let Some(results) = driver::system_command(number::IDENTITY, &[identity::VERSION]) else { return NO };
    let Some((first, rest)) = results.split_first() else { return NO };
    let told = store(status, (first & ERROR_BIT).into()) & store(buffer, first & !ERROR_BIT);
    accepted(told && put(buffer.wrapping_add(1), rest, 3))
}

/// The model's name, 16 characters in two pieces.
pub extern "C" fn model(buffer: *mut u8, status: *mut u32) -> i32 {
    for piece in [0, IDENTITY_BYTES] {
        let output = buffer.wrapping_add(piece);
        if run(number::MODEL, &[piece as u8], output, IDENTITY_BYTES, status) == NO {
            return NO;
        }
    }
    YES
}

/// Sets the model's name.
pub extern "C" fn write_model(buffer: *const u8, status: *mut u32) -> i32 {
    for piece in [0, IDENTITY_BYTES] {
        let Ok(bytes) = fetch::<[u8; IDENTITY_BYTES]>(buffer.wrapping_add(piece).cast()) else { return NO };
        let mut input = [piece as u8; 1 + IDENTITY_BYTES];
        input[1..].copy_from_slice(&bytes);
        if plain(number::WRITE_MODEL, &input, status) == NO {
            return NO;
        }
    }
    YES
}

/// Lets the drive adjust itself (0) or not (1).
pub extern "C" fn auto_adjust(mode: u32, result: *mut u32) -> i32 {
    plain(number::AUTO_ADJUST, &[mode as u8], result)
}

pub extern "C" fn forbid_read(result: *mut u32) -> i32 {
    plain(number::FORBID_READ, &[], result)
}

pub extern "C" fn digital_out(mode: u32, status: *mut u32) -> i32 {
    plain(number::DIGITAL_OUT, &[mode as u8], status)
}

pub extern "C" fn forbid_player(result: *mut u32) -> i32 {
    plain(number::FORBID_PLAYER, &[], result)
}

pub extern "C" fn read_sub_code(buffer: *mut u8, status: *mut u32) -> i32 {
    run(number::SUB_CODE, &[], buffer, 10, status)
}

/// Shows the drive the ROM's version, four bytes.
pub extern "C" fn certify(name: *const u8) -> i32 {
    let Ok(bytes) = fetch::<[u8; 4]>(name.cast()) else { return NO };
    plain(number::CERTIFY, &bytes, core::ptr::null_mut())
}

pub extern "C" fn cancel_power_off(result: *mut u32) -> i32 {
    plain(number::CANCEL_POWER_OFF, &[], result)
}

pub extern "C" fn blue_lamp(on: u32, result: *mut u32) -> i32 {
    plain(number::BLUE_LAMP, &[on as u8], result)
}

pub extern "C" fn power_off(result: *mut u32) -> i32 {
    plain(number::POWER_OFF, &[], result)
}
