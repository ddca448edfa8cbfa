//! `cdvdman` 1.1: the disc drive.

mod stream;
pub mod system;

use super::{Exports, exports, fetch, store};
use crate::machine::cdvdfsv::VERSION_DRIVER;
use crate::machine::cdvdman::{self as driver, Reason};
use crate::machine::critical::Shared;
use crate::machine::devices::{hold_files, search};
use crate::machine::ioman::text_of;
use crate::machine::memory::{may_read, may_write};
use bootrom_iop::arithmetic::divide;
use bootrom_iop::cdvd::{DriveError, Format, ReadMode, command, disc, file_record};
use bootrom_iop::iso9660::SECTOR_BYTES;

/// Library functions by number.
static TABLE: Exports<85> = exports(
    b"cdvdman",
    0x0101,
    [
        // Covers: iop, cdvdman 4 sceCdInit test=the drive's library begins
        (4, initialise as *const ()),
        // Covers: iop, cdvdman 5 sceCdStandby test=the motor runs
        (5, standby as *const ()),
        // Covers: iop, cdvdman 6 sceCdRead test=with the sector
        (6, read as *const ()),
        // Covers: iop, cdvdman 7 sceCdSeek test=the head moves
        (7, seek as *const ()),
        // Covers: iop, cdvdman 8 sceCdGetError test=an unknown pattern is one
        (8, last_error as *const ()),
        // Covers: iop, cdvdman 9 sceCdGetToc test=and comes
        (9, read_contents as *const ()),
        // Covers: iop, cdvdman 10 sceCdSearchFile test=and told by place, size and name
        (10, search_file as *const ()),
        // Covers: iop, cdvdman 11 sceCdSync test=and ends
        (11, sync as *const ()),
        // Covers: iop, cdvdman 12 sceCdGetDiskType test=with a disc of this console's
        (12, disc_type as *const ()),
        // Covers: iop, cdvdman 13 sceCdDiskReady test=the drive becomes ready
        (13, disc_ready as *const ()),
        // Covers: iop, cdvdman 14 sceCdTrayReq test=and answers
        (14, system::tray as *const ()),
        // Covers: iop, cdvdman 15 sceCdStop test=the motor stops
        (15, stop as *const ()),
        // Covers: iop, cdvdman 16 sceCdPosToInt test=which lead back to it
        (16, position_to_sector as *const ()),
        // Covers: iop, cdvdman 17 sceCdIntToPos test=a sector has its minute, second and frame
        (17, sector_to_position as *const ()),
        // Covers: iop, cdvdman 19 sceCdGetToc2 test=which brings the same
        (19, read_contents as *const ()),
        // Covers: iop, cdvdman 20 sceCdReadDVDV test=with their heads
        (20, read_dvd as *const ()),
        // Covers: iop, cdvdman 21 sceCdCheckCmd test=while it is under way
        (21, check_command as *const ()),
        // Covers: iop, cdvdman 22 sceCdRI test=the identity on the serial bus
        (22, system::read_link_id as *const ()),
        // Covers: iop, cdvdman 23 sceCdWI test=the identity on the serial bus is written
        (23, system::write_link_id as *const ()),
        // Covers: iop, cdvdman 24 sceCdReadClock test=it goes
        (24, system::read_clock as *const ()),
        // Covers: iop, cdvdman 25 sceCdWriteClock test=the clock is set
        (25, system::write_clock as *const ()),
        // Covers: iop, cdvdman 26 sceCdReadNVM test=is kept as it is written
        (26, system::read_memory as *const ()),
        // Covers: iop, cdvdman 27 sceCdWriteNVM test=is kept as it is written
        (27, system::write_memory as *const ()),
        // Covers: iop, cdvdman 28 sceCdStatus test=as its state says
        (28, status as *const ()),
        // Covers: iop, cdvdman 29 sceCdApplySCmd test=a command of the other kind by its number
        (29, system_command as *const ()),
        // Covers: iop, cdvdman 30 sceCdSetHDMode test=a hard disk does not take its place
        (30, set_disk_mode as *const ()),
        // Covers: iop, cdvdman 31 sceCdOpenConfig test=settings are opened
        (31, system::open_settings as *const ()),
        // Covers: iop, cdvdman 32 sceCdCloseConfig test=settings are closed
        (32, system::close_settings as *const ()),
        // Covers: iop, cdvdman 33 sceCdReadConfig test=two blocks of fifteen bytes
        (33, system::read_settings as *const ()),
        // Covers: iop, cdvdman 34 sceCdWriteConfig test=and found as they were written
        (34, system::write_settings as *const ()),
        // Covers: iop, cdvdman 35 sceCdReadKey test=with a byte that says which there are
        (35, system::read_key as *const ()),
        // Covers: iop, cdvdman 36 sceCdDecSet test=sectors are decrypted
        (36, system::set_decryption as *const ()),
        // Covers: iop, cdvdman 37 sceCdCallback test=the function before is told
        (37, set_callback as *const ()),
        // Covers: iop, cdvdman 38 sceCdPause test=the head rests
        (38, pause as *const ()),
        // Covers: iop, cdvdman 39 sceCdBreak test=and ends as such
        (39, break_off as *const ()),
        // Covers: iop, cdvdman 40 sceCdReadCDDA test=in sectors of its own size
        (40, read_audio as *const ()),
        // Covers: iop, cdvdman 41 sceCdReadConsoleID test=a console's identity
        (41, system::read_console_id as *const ()),
        // Covers: iop, cdvdman 42 sceCdWriteConsoleID test=is kept as well
        (42, system::write_console_id as *const ()),
        // Covers: iop, cdvdman 43 sceCdMV test=has four parts
        (43, system::version as *const ()),
        // Covers: iop, cdvdman 44 sceCdGetReadPos test=the bytes that came are told
        (44, read_position as *const ()),
        // Covers: iop, cdvdman 45 sceCdCtrlADout test=digital sound out
        (45, system::digital_out as *const ()),
        // Covers: iop, cdvdman 46 sceCdNop test=a command that does nothing ends
        (46, nothing_to_do as *const ()),
        // Covers: iop, cdvdman 47 sceGetFsvRbuf test=the server has its memory
        (47, server_buffer as *const ()),
        // Covers: iop, cdvdman 48 sceCdstm0Cb test=hear of a command's end
        (48, set_stream_callback::<0> as *const ()),
        // Covers: iop, cdvdman 49 sceCdstm1Cb test=until they are taken back
        (49, set_stream_callback::<1> as *const ()),
        // Covers: iop, cdvdman 50 sceCdSC test=files wait while somebody else reads
        (50, control as *const ()),
        // Covers: iop, cdvdman 51 sceCdRC test=and goes
        (51, system::read_clock as *const ()),
        // Covers: iop, cdvdman 52 sceCdForbidDVDP test=films are forbidden
        (52, system::forbid_player as *const ()),
        // Covers: iop, cdvdman 53 sceCdReadSUBQ test=is told in ten bytes
        (53, system::read_sub_code as *const ()),
        // Covers: iop, cdvdman 54 sceCdApplyNCmd test=a command by its number
        (54, drive_command as *const ()),
        // Covers: iop, cdvdman 55 sceCdAutoAdjustCtrl test=the drive adjusts itself
        (55, system::auto_adjust as *const ()),
        // Covers: iop, cdvdman 56 sceCdStInit test=and has a buffer
        (56, stream::initialise as *const ()),
        // Covers: iop, cdvdman 57 sceCdStRead test=the right ones
        (57, stream::read as *const ()),
        // Covers: iop, cdvdman 58 sceCdStSeek test=goes on elsewhere
        (58, stream::seek as *const ()),
        // Covers: iop, cdvdman 59 sceCdStStart test=a stream starts
        (59, stream::start as *const ()),
        // Covers: iop, cdvdman 60 sceCdStStat test=a stream that rests has nothing
        (60, stream::state as *const ()),
        // Covers: iop, cdvdman 61 sceCdStStop test=for good
        (61, stream::pause as *const ()),
        // Covers: iop, cdvdman 62 sceCdRead0 test=as they are on the disc
        (62, read as *const ()),
        // Covers: iop, cdvdman 63 sceCdRV test=with the same data
        (63, read_dvd as *const ()),
        // Covers: iop, cdvdman 64 sceCdRM test=and answers with all its letters
        (64, system::model as *const ()),
        // Covers: iop, cdvdman 65 sceCdWM test=a model's name is kept
        (65, system::write_model as *const ()),
        // Covers: iop, cdvdman 66 sceCdReadChain test=all of it
        (66, read_chain as *const ()),
        // Covers: iop, cdvdman 67 sceCdStPause test=and gives nothing meanwhile
        (67, stream::pause as *const ()),
        // Covers: iop, cdvdman 68 sceCdStResume test=where it was
        (68, stream::resume as *const ()),
        // Covers: iop, cdvdman 69 sceCdForbidRead test=reads are forbidden to films
        (69, system::forbid_read as *const ()),
        // Covers: iop, cdvdman 70 sceCdBootCertify test=the ROM's version is shown
        (70, system::certify as *const ()),
        // Covers: iop, cdvdman 71 sceCdSpinCtrlIOP test=the motor's speed is set
        (71, spin as *const ()),
        // Covers: iop, cdvdman 72 sceCdBlueLEDCtl test=the blue lamp
        (72, system::blue_lamp as *const ()),
        // Covers: iop, cdvdman 73 sceCdCancelPOffRdy test=a notice of switching off is taken back
        (73, system::cancel_power_off as *const ()),
        // Covers: iop, cdvdman 74 sceCdPowerOff test=the console is switched off, where it can be
        (74, system::power_off as *const ()),
        // Covers: iop, cdvdman 75 sceCdMmode test=of either kind of disc
        (75, media_mode as *const ()),
        // Covers: iop, cdvdman 76 sceCdReadFull test=and hold the same
        (76, read as *const ()),
        // Covers: iop, cdvdman 77 sceCdStSeekF test=and gives that
        (77, stream::seek as *const ()),
        // Covers: iop, cdvdman 78 sceCdPOffCallback test=is told when another one comes
        (78, set_power_callback as *const ()),
        // Covers: iop, cdvdman 79 sceCdReadDiskID test=is the last of the keys, or says that there is none
        (79, system::read_disc_id as *const ()),
        // Covers: iop, cdvdman 80 sceCdReadGUID test=a console's number is made of that identity
        (80, system::read_global_id as *const ()),
        // Covers: iop, cdvdman 81 sceCdSetTimeout test=its time-outs are asked for
        (81, set_time_out as *const ()),
        // Covers: iop, cdvdman 82 sceCdReadModelID test=and the model's of its other bytes
        (82, system::read_model_id as *const ()),
        // Covers: iop, cdvdman 83 sceCdReadDvdDualInfo test=of which there is one
        (83, layers as *const ()),
        // Covers: iop, cdvdman 84 sceCdLayerSearchFile test=is the same file
        (84, stream::search_layer as *const ()),
    ],
);

/// Registers the library.
pub fn start() {
    TABLE.register();
}

/// The driver's version.
const VERSION: i32 = VERSION_DRIVER as i32;
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
    read_by(command::READ, lsn, sectors, buffer, mode)
}

/// A caller's way to read, the usual one without it; None for one that is not the caller's memory.
fn mode_of(mode: *const ReadMode) -> Option<ReadMode> {
    if mode.is_null() { Some(ReadMode::DATA) } else { refuse_parameter(fetch(mode).ok()) }
}

/// Whether a caller may name `buffer` for `sectors` of the `bytes` bytes each.
fn may_read_to(buffer: u32, sectors: u32, bytes: usize) -> bool {
    let may = may_write(buffer, sectors.saturating_mul(bytes as u32));
    refuse_parameter(may.then_some(())).is_some()
}

/// Bytes of the sectors that a command brings in a way to read.
pub fn bytes_of(number: u8, mode: ReadMode) -> usize {
    Format::of_command(number, mode.pattern).map_or(SECTOR_BYTES, |format| format.bytes as usize)
}

/// Notes the drive's error for a wrong argument where there is nothing.
fn refuse_parameter<T>(given: Option<T>) -> Option<T> {
    if given.is_none() {
        driver::set_error(DriveError::PARAMETER.0);
    }
    given
}

/// Reads whole sectors of a DVD.
extern "C" fn read_dvd(lsn: u32, sectors: u32, buffer: u32, mode: *const ReadMode) -> i32 {
    read_by(command::READ_DVD, lsn, sectors, buffer, mode)
}

/// Reads a CD's audio sectors.
extern "C" fn read_audio(lsn: u32, sectors: u32, buffer: u32, mode: *const ReadMode) -> i32 {
    read_by(command::READ_AUDIO, lsn, sectors, buffer, mode)
}

fn read_by(number: u8, lsn: u32, sectors: u32, buffer: u32, mode: *const ReadMode) -> i32 {
    let Some(mode) = mode_of(mode) else { return NO };
    accepted(
        may_read_to(buffer, sectors, bytes_of(number, mode))
            && driver::begin_read_by(number, lsn, sectors, buffer, mode),
    )
}

/// Reads the table of contents and waits for it.
extern "C" fn read_contents(buffer: u32) -> i32 {
    let begun = may_read_to(buffer, 1, SECTOR_BYTES) && driver::wait_idle() && driver::begin_contents(buffer).0;
    accepted(begun && driver::wait_idle() && driver::last_error() == 0)
}

/// Entries of a chain, and what ends it.
const CHAIN: usize = 64;
const CHAIN_END: u32 = u32::MAX;

/// Reads pieces of the disc one after the other and waits for them.
extern "C" fn read_chain(list: *const [u32; 3], mode: *const ReadMode) -> i32 {
    let Some(mode) = mode_of(mode) else { return NO };
    for index in 0..CHAIN {
        let Some([lsn, sectors, buffer]) = refuse_parameter(fetch(list.wrapping_add(index)).ok()) else { return NO };
        if [lsn, sectors, buffer].contains(&CHAIN_END) {
            break;
        }
        let fits = may_read_to(buffer, sectors, bytes_of(command::READ, mode));
        if !fits || driver::read(lsn, sectors, buffer, mode).is_err() {
            return NO;
        }
    }
    YES
}

/// Bytes that the read under way, or the last one, has brought.
extern "C" fn read_position() -> u32 {
    driver::read_position()
}

/// The memory through which the drive's server moves what the EE reads.
extern "C" fn server_buffer() -> u32 {
    crate::machine::cdvdfsv::buffer()
}

extern "C" fn set_stream_callback<const STREAM: usize>(function: u32) -> i32 {
    driver::set_stream_callback(STREAM, function);
    0
}

/// What the drive's other modules ask of this one.
///
/// Source: public headers (the codes of sceCdSC)
mod control_code {
    pub const DEBUG_FLAG: u32 = 0xFFFF_FFF0;
    pub const EVENT: u32 = 0xFFFF_FFF5;
    pub const FILES: u32 = 0xFFFF_FFF6;
    pub const VERSION: u32 = 0xFFFF_FFF7;
    pub const SET_ERROR: u32 = 0xFFFF_FFFE;
}

/// Where a caller may put its wish for words about what the drive does.
///
/// Our choice: nobody looks at it.
static DEBUG_FLAG: Shared<u32> = Shared::new(0);

extern "C" fn control(code: u32, parameter: *mut u32) -> i32 {
    match code {
        control_code::DEBUG_FLAG => {
            let flag = DEBUG_FLAG.with(|flag| &raw mut *flag as u32);
            if store(parameter, flag) { 0xFF } else { NO }
        }
        control_code::EVENT => driver::event(),
        control_code::FILES => {
            let Ok(wanted) = fetch(parameter) else { return NO };
            hold_files(wanted != 0);
            wanted as i32
        }
        control_code::VERSION => VERSION,
        control_code::SET_ERROR => {
            let Ok(error) = fetch(parameter) else { return NO };
            driver::set_error(error as u8);
            error as i32
        }
        _ => 1,
    }
}

/// Bytes of parameters that the drive takes with a command.
///
/// Source: hardware notes, N commands and S commands
const PARAMETERS: u16 = 16;

/// A caller's parameters; None when they are more than the drive takes, or no memory.
fn parameters<'a>(input: *const u8, bytes: u16) -> Option<&'a [u8]> {
    match bytes {
        0 => Some(&[]),
        1..=PARAMETERS if may_read(input as u32, bytes.into()) => {
            // SAFETY: that many bytes of memory, as was asked, which stay as they are until the call is over.
            Some(unsafe { core::slice::from_raw_parts(input, bytes.into()) })
        }
        _ => None,
    }
}

/// A command that ends when the drive is idle.
extern "C" fn nothing_to_do() -> i32 {
    accepted(driver::begin_command(command::NOP, &[], Reason::Other))
}

extern "C" fn drive_command(number: u8, input: *const u8, bytes: u16) -> i32 {
    accepted(parameters(input, bytes).is_some_and(|input| driver::begin_command(number, input, Reason::Other)))
}

/// Sets the speed at which the motor turns.
pub extern "C" fn spin(speed: u32) -> i32 {
    accepted(driver::begin_command(command::SPIN, &[speed as u8], Reason::Other))
}

/// Whether a hard disk takes the disc's place: never here.
pub extern "C" fn set_disk_mode(_mode: u32) -> i32 {
    YES
}

/// Time-outs are this driver's own.
extern "C" fn set_time_out(_what: i32, _time: i32) -> i32 {
    YES
}

extern "C" fn set_power_callback(function: u32, argument: u32) -> u32 {
    driver::set_power_callback(function, argument)
}

/// Whether the disc has two layers, and where the second begins.
///
/// Stand-in: it has one.
pub extern "C" fn layers(two: *mut i32, second: *mut u32) -> i32 {
    accepted(store(two, 0) & store(second, 0))
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
        Ok(entry) => accepted(store(record, file_record(&entry))),
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
        driver::wait_idle() && driver::wait_for_disc().is_ok()
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
    match parameters(input, bytes).and_then(|input| driver::system_command(number, input)) {
        Some(results) => accepted(system::put(output, &results, results.len())),
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
    let Ok([minute, second, frame, _]) = fetch(position) else { return 0 };
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
