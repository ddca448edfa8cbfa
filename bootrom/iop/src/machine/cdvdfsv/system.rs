//! The drive's system commands for the EE, server 80000593.

use super::{Reply, SYSTEM_REPLY, YES, reply};
use crate::machine::cdvdman;
use crate::machine::server::words_of;
use bootrom_iop::cdvd::{identity, system_command as drive_command};

/// Functions of the command server.
mod system_function {
    pub const READ_CLOCK: u32 = 0x01;
    pub const WRITE_CLOCK: u32 = 0x02;
    pub const DISC_TYPE: u32 = 0x03;
    pub const ERROR: u32 = 0x04;
    pub const TRAY: u32 = 0x05;
    pub const READ_LINK_ID: u32 = 0x06;
    pub const READ_MEMORY: u32 = 0x08;
    pub const WRITE_MEMORY: u32 = 0x09;
    pub const APPLY: u32 = 0x0B;
    pub const STATUS: u32 = 0x0C;
    pub const OPEN_SETTINGS: u32 = 0x0E;
    pub const READ_SETTINGS: u32 = 0x0F;
    pub const WRITE_SETTINGS: u32 = 0x10;
    pub const CLOSE_SETTINGS: u32 = 0x11;
    pub const READ_CONSOLE_ID: u32 = 0x12;
    pub const WRITE_CONSOLE_ID: u32 = 0x13;
    pub const VERSION: u32 = 0x14;
    pub const DIGITAL_OUT: u32 = 0x15;
    pub const BREAK: u32 = 0x16;
    pub const SUB_CODE: u32 = 0x17;
    pub const MODEL: u32 = 0x1A;
    pub const BLUE_LAMP: u32 = 0x20;
    pub const POWER_OFF: u32 = 0x21;
    pub const MEDIA_MODE: u32 = 0x22;
    pub const THREAD_PRIORITY: u32 = 0x23;
    pub const GLOBAL_ID: u32 = 0x24;
    pub const TIME_OUT: u32 = 0x25;
    pub const LAYERS: u32 = 0x27;
}

/// Tray mode that only asks.
const TRAY_CHECK: u32 = 2;

/// The model's name, 16 characters behind a status, in two pieces.
fn model() -> Reply {
    let mut bytes = [0_u8; 17];
    for piece in [0, 8] {
        let Some(results) = cdvdman::system_command(drive_command::MODEL, &[piece as u8]) else { return [0; 8] };
        let Some((status, rest)) = results.split_first() else { return [0; 8] };
        bytes[0] |= status;
        for (slot, byte) in bytes[1 + piece..].iter_mut().zip(rest.iter().take(8)) {
            *slot = *byte;
        }
    }
    let mut words = [0; 8];
    words[0] = YES;
    for (index, byte) in bytes.into_iter().enumerate() {
        words[1 + index / 4] |= u32::from(byte) << (index % 4 * 8);
    }
    words
}

/// Runs a drive command: whether it answered, then its bytes in words.
fn apply(number: u8, input: &[u8]) -> Reply {
    let mut words = [0; 8];
    if let Some(results) = cdvdman::system_command(number, input) {
        words[0] = YES;
        for (index, byte) in results.iter().enumerate() {
            if let Some(word) = words[1..].get_mut(index / 4) {
                *word |= u32::from(*byte) << (index % 4 * 8);
            }
        }
    }
    words
}

/// Serves a command.
pub extern "C" fn serve(function: u32, buffer: *mut u32, _size: u32) -> *mut u32 {
    // SAFETY: the buffer is the service's and larger than eight words.
    let request = *unsafe { words_of::<8>(buffer) };
    let first = request[0].to_le_bytes();
    let second = request[1].to_le_bytes();
    let words: Reply = match function {
        system_function::READ_CLOCK => apply(drive_command::READ_CLOCK, &[]),
        system_function::WRITE_CLOCK => {
            let input = [first[1], first[2], first[3], second[0], second[1], second[2], second[3]];
            apply(drive_command::WRITE_CLOCK, &input)
        }
        system_function::DISC_TYPE => [cdvdman::disc_type().into(), 0, 0, 0, 0, 0, 0, 0],
        system_function::ERROR => [cdvdman::last_error().into(), 0, 0, 0, 0, 0, 0, 0],
        system_function::TRAY if request[0] == TRAY_CHECK => apply(drive_command::TRAY_STATE, &[]),
        system_function::TRAY => apply(drive_command::TRAY, &first[..1]),
        system_function::READ_LINK_ID => apply(drive_command::READ_LINK_ID, &[]),
        system_function::READ_MEMORY => apply(drive_command::READ_MEMORY, &[first[1], first[0]]),
        system_function::WRITE_MEMORY => {
            apply(drive_command::WRITE_MEMORY, &[first[1], first[0], second[1], second[0]])
        }
        system_function::APPLY => {
            let bytes: [u8; 16] = core::array::from_fn(|index| request[1 + index / 4].to_le_bytes()[index % 4]);
            let count = usize::from(u16::from_le_bytes([first[2], first[3]])).min(bytes.len());
            let answered = apply(first[0], &bytes[..count]);
            // This one's reply is the drive's bytes alone.
            [answered[1], answered[2], answered[3], answered[4], 0, 0, 0, 0]
        }
        system_function::STATUS => [cdvdman::state().into(), 0, 0, 0, 0, 0, 0, 0],
        system_function::OPEN_SETTINGS => apply(drive_command::OPEN_SETTINGS, &first[..3]),
        system_function::READ_SETTINGS => apply(drive_command::READ_SETTINGS, &[]),
        system_function::WRITE_SETTINGS => {
            let bytes: [u8; 16] = core::array::from_fn(|index| request[index / 4].to_le_bytes()[index % 4]);
            apply(drive_command::WRITE_SETTINGS, &bytes)
        }
        system_function::CLOSE_SETTINGS => apply(drive_command::CLOSE_SETTINGS, &[]),
        system_function::READ_CONSOLE_ID => apply(drive_command::IDENTITY, &[identity::READ_CONSOLE]),
        system_function::WRITE_CONSOLE_ID => {
            let mut input = [identity::WRITE_CONSOLE; 9];
            input[1..5].copy_from_slice(&first);
            input[5..].copy_from_slice(&second);
            apply(drive_command::IDENTITY, &input)
        }
        system_function::VERSION => apply(drive_command::IDENTITY, &[identity::VERSION]),
        system_function::DIGITAL_OUT => apply(drive_command::DIGITAL_OUT, &first[..1]),
        system_function::SUB_CODE => apply(drive_command::SUB_CODE, &[]),
        system_function::MODEL => model(),
        system_function::BLUE_LAMP => apply(drive_command::BLUE_LAMP, &first[..1]),
        system_function::GLOBAL_ID => apply(drive_command::READ_LINK_ID, &[]),
        // One layer.
        system_function::LAYERS => [YES, 0, 0, 0, 0, 0, 0, 0],
        system_function::BREAK => {
            cdvdman::abort();
            [YES, 0, 0, 0, 0, 0, 0, 0]
        }
        system_function::POWER_OFF => apply(drive_command::POWER_OFF, &[]),
        system_function::MEDIA_MODE | system_function::THREAD_PRIORITY | system_function::TIME_OUT => {
            [YES, 0, 0, 0, 0, 0, 0, 0]
        }
        _ => [0; 8],
    };
    reply(&SYSTEM_REPLY, words)
}
