//! `cdvdman` 1.1: the disc drive.

use super::{Exports, exports, fetch, store};
use crate::machine::cdvdman::{self as driver, Reason};
use crate::machine::devices::search;
use crate::machine::ioman::text_of;
use bootrom_iop::arithmetic::divide;
use bootrom_iop::cdvd::{ReadMode, command, disc, file_record};

/// Library functions by number.
static TABLE: Exports<85> = exports(
    b"cdvdman",
    0x0101,
    [
        (4, initialise as *const ()),
        (5, standby as *const ()),
        (6, read as *const ()),
        (7, seek as *const ()),
        (8, last_error as *const ()),
        (10, search_file as *const ()),
        (11, sync as *const ()),
        (12, disc_type as *const ()),
        (13, disc_ready as *const ()),
        (15, stop as *const ()),
        (16, position_to_sector as *const ()),
        (17, sector_to_position as *const ()),
        (21, check_command as *const ()),
        (28, status as *const ()),
        (29, system_command as *const ()),
        (37, set_callback as *const ()),
        (38, pause as *const ()),
        (39, break_off as *const ()),
        (75, media_mode as *const ()),
    ],
);

/// Registers the library.
pub fn start() {
    TABLE.register();
}

/// Accepted, or there.
const YES: i32 = 1;
/// Refused, or not there.
const NO: i32 = 0;
/// The drive is ready.
///
/// Source: IOP kernel, CDVD servers
const READY: i32 = 2;
const NOT_READY: i32 = 6;
/// Sync modes: wait for the end; anything else only asks.
const SYNC_WAIT: i32 = 0;
const SYNC_WAIT_LONG: i32 = 0x10;
/// Ready modes: wait.
const READY_WAIT: i32 = 0;

fn accepted(begun: bool) -> i32 {
    if begun { YES } else { NO }
}

extern "C" fn initialise(_mode: i32) -> i32 {
    YES
}

extern "C" fn read(lsn: u32, sectors: u32, buffer: u32, mode: *const ReadMode) -> i32 {
    let mode = if mode.is_null() { ReadMode::DATA } else { fetch(mode) };
    accepted(driver::begin_read(lsn, sectors, buffer, mode))
}

extern "C" fn standby() -> i32 {
    accepted(driver::begin_command(command::STANDBY, &[], Reason::Standby))
}

extern "C" fn seek(lsn: u32) -> i32 {
    accepted(driver::begin_command(command::SEEK, &lsn.to_le_bytes(), Reason::Seek))
}

extern "C" fn stop() -> i32 {
    accepted(driver::begin_command(command::STOP, &[], Reason::Stop))
}

extern "C" fn pause() -> i32 {
    accepted(driver::begin_command(command::PAUSE, &[], Reason::Pause))
}

extern "C" fn break_off() -> i32 {
    driver::abort();
    YES
}

extern "C" fn last_error() -> i32 {
    driver::last_error().into()
}

extern "C" fn search_file(record: *mut [u32; 8], name: *const u8) -> i32 {
    // SAFETY: the caller passes a string.
    match search(unsafe { text_of(name) }) {
        Ok(entry) => {
            store(record, file_record(&entry));
            YES
        }
        Err(_) => NO,
    }
}

/// 0 when no command is under way, 1 otherwise.
extern "C" fn sync(mode: i32) -> i32 {
    if matches!(mode, SYNC_WAIT | SYNC_WAIT_LONG) {
        driver::wait_idle();
    }
    driver::is_busy().into()
}

extern "C" fn check_command() -> i32 {
    accepted(!driver::is_busy())
}

extern "C" fn disc_type() -> i32 {
    driver::disc_type().into()
}

extern "C" fn disc_ready(mode: i32) -> i32 {
    let ready = if mode == READY_WAIT {
        driver::wait_idle();
        driver::wait_for_disc().is_ok()
    } else {
        !driver::is_busy() && !(disc::DETECTING_FIRST..=disc::DETECTING_LAST).contains(&driver::disc_type())
    };
    if ready { READY } else { NOT_READY }
}

extern "C" fn status() -> i32 {
    driver::state().into()
}

extern "C" fn set_callback(function: u32) -> u32 {
    driver::set_callback(function)
}

extern "C" fn system_command(number: u8, input: *const u8, bytes: u16, output: *mut u8) -> i32 {
    // SAFETY: the caller passes that many bytes.
    let input = if bytes == 0 { &[] } else { unsafe { core::slice::from_raw_parts(input, bytes.into()) } };
    match driver::system_command(number, input) {
        Some(results) => {
            for (index, byte) in results.iter().enumerate() {
                store(output.wrapping_add(index), *byte);
            }
            YES
        }
        None => NO,
    }
}

/// The type of media is what the drive says.
extern "C" fn media_mode(_media: i32) -> i32 {
    YES
}

/// Frames of a second, and of the lead-in before sector 0.
const FRAMES: u32 = 75;
const LEAD_IN: u32 = 150;

fn from_decimal(byte: u8) -> u32 {
    u32::from(byte >> 4) * 10 + u32::from(byte & 0xF)
}

fn to_decimal(value: u32) -> u8 {
    let (tens, ones) = divide(value, 10);
    (divide(tens, 10).1 << 4 | ones) as u8
}

extern "C" fn position_to_sector(position: *const [u8; 4]) -> u32 {
    let [minute, second, frame, _] = fetch(position);
    ((from_decimal(minute) * 60 + from_decimal(second)) * FRAMES + from_decimal(frame)).wrapping_sub(LEAD_IN)
}

extern "C" fn sector_to_position(sector: u32, position: *mut [u8; 4]) -> *mut [u8; 4] {
    let frames = sector.wrapping_add(LEAD_IN);
    let (all_seconds, frame) = divide(frames, FRAMES);
    let (minutes, seconds) = divide(all_seconds, 60);
    let bytes = [to_decimal(minutes), to_decimal(seconds), to_decimal(frame), 0];
    store(position, bytes);
    position
}
