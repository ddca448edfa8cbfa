//! CDVDMAN: commands to the disc drive, with an end to every wait.

use super::console::log;
use super::critical::{Shared, critical};
use super::interrupts::{LINE_CDVD, attach};
use super::registers::{dma, drive};
use super::sifman::call_back;
use super::threads::{self, THREADS, call_blocking, delay, in_interrupt};
use bootrom_iop::alarms::{Action, Alarm, TICKS_PER_SECOND};
use bootrom_iop::cdvd::{
    DriveError, Format, KEY_BYTES, MOST_SECTORS, ReadMode, command, disc, keys_of, read_parameters,
};
use bootrom_iop::errors::Error;
use bootrom_iop::iso9660::{SECTOR_BYTES, Sectors};
use bootrom_iop::threads::{MODE_OR, wait_until};

/// Event bit: no command is under way.
const EVENT_IDLE: u32 = 1;
/// Several threads may wait for it.
const EVENT_SHARED: u32 = 2;
/// Time that any command may take.
///
/// Source: hardware notes, N commands (time-outs)
const TIMEOUT_SECONDS: u64 = 15;
/// Time that the drive may take to recognise a disc.
///
/// Our choice: longer than the 2 to 6 seconds that drives take.
const DETECT_SECONDS: u64 = 10;
const STATUS_BITS: u8 = 0xC0;
const STATUS_READY: u8 = 0x40;
const INTERRUPT_COMMAND: u8 = 3;
const INTERRUPT_POWER: u8 = 4;
const DMA_ENABLE: u32 = 0x8000;
const DMA_START: u32 = 0x4100_0200;
/// Delay steps while the drive is waited for.
const STEP_MICROSECONDS: u32 = 1000;

/// What a callback is told: which command has ended.
///
/// Source: IOP facts, CDVD
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Reason {
    /// Sectors were read.
    Read = 1,
    /// The head has moved.
    Seek = 4,
    /// The motor runs.
    Standby = 5,
    /// The motor stands.
    Stop = 6,
    /// The head rests.
    Pause = 7,
    /// Something else.
    Other = 0,
}

/// Sectors that are still to be read.
#[derive(Clone, Copy)]
struct Rest {
    number: u8,
    lsn: u32,
    sectors: u32,
    buffer: u32,
    mode: ReadMode,
    format: Format,
}

/// A command under way.
#[derive(Clone, Copy)]
struct Running {
    number: u8,
    reason: Reason,
    /// What follows when it ends well.
    rest: Option<Rest>,
}

struct Drive {
    /// Set while no command is under way.
    event: i32,
    running: Option<Running>,
    /// Error of the last command.
    error: u8,
    /// Address of the function that is called at a command's end, 0 for none.
    callback: u32,
    /// The same for the two kinds of streams, which hear of it before.
    stream_callbacks: [u32; 2],
    /// Where the last read's first sector went.
    read_start: u32,
}

static DRIVE: Shared<Drive> =
    Shared::new(Drive { event: 0, running: None, error: 0, callback: 0, stream_callbacks: [0; 2], read_start: 0 });

/// Starts the driver.
///
/// # Errors
/// No record left.
pub fn start() -> Result<(), Error> {
    let event = THREADS.with(|threads| threads.create_event_flag(EVENT_SHARED, 0, EVENT_IDLE))?;
    DRIVE.with(|drive| drive.event = event);
    drive::INTERRUPT.write(drive::INTERRUPT.read());
    dma::CONTROL.write(dma::CONTROL.read() | DMA_ENABLE);
    attach(LINE_CDVD, interrupt, 0);
    Ok(())
}

/// Called when somebody presses the power button, with its word.
static POWER: Shared<(u32, u32)> = Shared::new((0, 0));

/// Sets what is called when somebody presses the power button, 0 for none; the result is the function before.
pub fn set_power_callback(function: u32, argument: u32) -> u32 {
    POWER.with(|power| core::mem::replace(power, (function, argument)).0)
}

extern "C" fn interrupt(_argument: u32) -> i32 {
    let why = drive::INTERRUPT.read();
    if why & INTERRUPT_COMMAND != 0 {
        drive::INTERRUPT.write(why & INTERRUPT_COMMAND);
        command_ended();
    }
    if why & INTERRUPT_POWER != 0 {
        drive::INTERRUPT.write(INTERRUPT_POWER);
        let (function, argument) = POWER.with(|power| *power);
        call_back(function, argument);
    }
    1
}

/// The drive has done what it was told, or has failed: goes on with what is left of the request, or ends it.
fn command_ended() {
    let error = drive::ERROR.read();
    let Some(running) = DRIVE.with(|drive| drive.running) else { return };
    match running.rest.filter(|rest| error == 0 && rest.sectors > 0) {
        Some(rest) => {
            let running = start_read(rest);
            DRIVE.with(|drive| drive.running = Some(running));
        }
        None => end(running, error),
    }
}

/// Ends the request under way: keeps its error, frees the drive and calls back.
fn end(running: Running, error: u8) {
    // Its time-out is either still set or has just run.
    let _ = threads::cancel_alarm(timeout());
    let (event, [first, second], callback) = DRIVE.with(|drive| {
        drive.running = None;
        drive.error = error;
        (drive.event, drive.stream_callbacks, drive.callback)
    });
    // The event exists since the start.
    let _ = THREADS.with(|threads| threads.set_event_flag(event, EVENT_IDLE));
    for callback in [first, second, callback] {
        call_back(callback, running.reason as u32);
    }
}

/// Registers a stream's function (0 or 1) that is called at every command's end, 0 for none.
pub fn set_stream_callback(stream: usize, function: u32) {
    DRIVE.with(|drive| drive.stream_callbacks[stream] = function);
}

/// Bytes that the read under way, or the last one, has brought.
pub fn read_position() -> u32 {
    DRIVE.with(|drive| dma::CDVD.address.read().wrapping_sub(drive.read_start))
}

/// The event flag that is set while no command is under way.
pub fn event() -> i32 {
    DRIVE.with(|drive| drive.event)
}

/// Makes `error` the last command's.
pub fn set_error(error: u8) {
    DRIVE.with(|drive| drive.error = error);
}

/// The keys of the disc by way of a sector, and waits for them. None when the drive has none.
///
/// Source: hardware notes, N commands and CDVD registers
pub fn keys(first: u8, second: u16, lsn: u32) -> Option<[u8; KEY_BYTES]> {
    if !wait_idle() {
        return None;
    }
    let ([low, high], [a, b, c, d]) = (second.to_le_bytes(), lsn.to_le_bytes());
    if !begin_command(command::READ_KEY, &[first, low, high, a, b, c, d], Reason::Other) {
        return None;
    }
    if !wait_idle() || last_error() != 0 {
        return None;
    }
    let raw = core::array::from_fn(|part| core::array::from_fn(|index| drive::key(part, index).read()));
    Some(keys_of(raw, drive::KEYS_MASK.read(), drive::KEYS_VALID.read()))
}

/// Sets how sectors are decrypted: by the last byte of the first key, by turning their bits, by how many.
///
/// Source: hardware notes, CDVD registers
pub fn set_decryption(by_key: bool, turned: bool, bits: u8) {
    const BITS_SHIFT: u8 = 4;
    drive::DECRYPTION.write(bits << BITS_SHIFT | u8::from(by_key) << 1 | u8::from(turned));
}

/// The alarm that breaks a command off.
fn timeout() -> Action {
    Action::Call { function: timed_out as *const () as u32, argument: 0 }
}

extern "C" fn timed_out(_argument: u32) -> u32 {
    if let Some(running) = DRIVE.with(|drive| drive.running) {
        log!("IOP: error: drive command {:02x} does not end", running.number);
        break_off();
        end(running, DriveError::READ.0);
    }
    0
}

/// Stops the drive's command and its DMA.
fn break_off() {
    drive::BREAK.write(1);
    dma::CDVD.control.write(0);
}

/// Breaks off what is under way; it ends with its error.
pub fn abort() {
    critical(|| {
        if let Some(running) = DRIVE.with(|drive| drive.running) {
            break_off();
            end(running, DriveError::ABORTED.0);
        }
    });
}

/// Registers the function that is called at every command's end, 0 for none; the result is the one before.
pub fn set_callback(function: u32) -> u32 {
    DRIVE.with(|drive| core::mem::replace(&mut drive.callback, function))
}

/// Error of the last command.
pub fn last_error() -> u8 {
    DRIVE.with(|drive| drive.error)
}

/// Type of the disc as the drive sees it now.
pub fn disc_type() -> u8 {
    drive::DISC.read()
}

/// What the drive does.
pub fn state() -> u8 {
    drive::STATE.read()
}

/// True while a command is under way.
pub fn is_busy() -> bool {
    DRIVE.with(|drive| drive.running.is_some())
}

/// Waits until no command is under way; false when one is that a handler cannot wait for.
pub fn wait_idle() -> bool {
    let event = DRIVE.with(|drive| drive.event);
    wait_until(
        || !is_busy(),
        || call_blocking(|threads| threads.wait_event_flag(event, EVENT_IDLE, MODE_OR)).map(|_| ()),
    )
}

/// Waits until there is a readable disc.
///
/// # Errors
/// No disc, or none that the drive recognises.
pub fn wait_for_disc() -> Result<u8, DriveError> {
    let end = threads::now() + DETECT_SECONDS * TICKS_PER_SECOND;
    loop {
        match disc_type() {
            disc::NONE => return Err(DriveError::NO_DISC),
            disc::ILLEGAL => return Err(DriveError::NOT_READY),
            disc::DETECTING_FIRST..=disc::DETECTING_LAST => {}
            kind => return Ok(kind),
        }
        if threads::now() > end || in_interrupt() {
            return Err(DriveError::NOT_READY);
        }
        let _ = delay(STEP_MICROSECONDS);
    }
}

/// Sends parameters and a command.
fn send(number: u8, parameters: &[u8]) {
    for byte in parameters {
        drive::STATUS.write(*byte);
    }
    drive::COMMAND.write(number);
}

/// Programs the DMA for `count` sectors.
fn receive(buffer: u32, format: Format, count: u32) {
    dma::CDVD.control.write(0);
    drive::ERROR.write(format.how);
    dma::CDVD.address.write(buffer);
    dma::CDVD.blocks.write(format.block_register(count));
    dma::CDVD.control.write(DMA_START);
}

/// Programs the DMA and starts the next piece of a read; the result is what is under way then.
fn start_read(rest: Rest) -> Running {
    let Rest { number, lsn, sectors, buffer, mode, format } = rest;
    let count = sectors.min(MOST_SECTORS);
    receive(buffer, format, count);
    send(number, &read_parameters(lsn, count, mode));
    let left = Rest { lsn: lsn + count, sectors: sectors - count, buffer: buffer + count * format.bytes, ..rest };
    Running { number, reason: Reason::Read, rest: Some(left) }
}

/// Begins a command if the drive is free: `start` sends it and tells what is under way.
fn begin(start: impl FnOnce() -> Running) -> bool {
    critical(|| {
        if is_busy() || drive::STATUS.read() & STATUS_BITS != STATUS_READY {
            return false;
        }
        let target = threads::now() + TIMEOUT_SECONDS * TICKS_PER_SECOND;
        if threads::set_alarm(Alarm { target, action: timeout() }).is_err() {
            return false;
        }
        let event = DRIVE.with(|drive| drive.event);
        // The event exists since the start.
        let _ = THREADS.with(|threads| threads.clear_event_flag(event, !EVENT_IDLE));
        let running = start();
        DRIVE.with(|drive| drive.running = Some(running));
        true
    })
}

/// Begins to read `sectors` from `lsn`, by a command that reads, to the IOP address `buffer`, which has room for them in the mode's
/// format. False when the drive is busy or the mode unknown.
pub fn begin_read_by(number: u8, lsn: u32, sectors: u32, buffer: u32, mode: ReadMode) -> bool {
    let Some(format) = Format::of_command(number, mode.pattern) else {
        DRIVE.with(|drive| drive.error = DriveError::PARAMETER.0);
        return false;
    };
    if matches!(disc_type(), disc::NONE | disc::ILLEGAL) || sectors == 0 {
        DRIVE.with(|drive| {
            drive.error = if sectors == 0 { DriveError::PARAMETER.0 } else { DriveError::NO_DISC.0 };
        });
        return false;
    }
    begin(|| {
        DRIVE.with(|drive| drive.read_start = buffer);
        start_read(Rest { number, lsn, sectors, buffer, mode, format })
    })
}

/// Begins a command without data.
pub fn begin_command(number: u8, parameters: &[u8], reason: Reason) -> bool {
    begin(|| {
        send(number, parameters);
        Running { number, reason, rest: None }
    })
}

/// Begins to read the table of contents to `buffer`, which has room for the longer of both forms; the results are whether it
/// did, and whether it is a DVD's.
pub fn begin_contents(buffer: u32) -> (bool, bool) {
    let dvd = matches!(disc_type(), disc::PS2_DVD | disc::DVD_VIDEO_RECORDING | disc::DVD_VIDEO);
    if matches!(disc_type(), disc::NONE | disc::ILLEGAL) {
        return (false, dvd);
    }
    let begun = begin(|| {
        receive(buffer, Format::of_contents(dvd), 1);
        send(command::TOC, &[0]);
        Running { number: command::TOC, reason: Reason::Read, rest: None }
    });
    (begun, dvd)
}

/// Reads as [`begin_read_by`] does by the usual command and waits for the end. For threads.
///
/// # Errors
/// The drive's.
pub fn read(lsn: u32, sectors: u32, buffer: u32, mode: ReadMode) -> Result<(), DriveError> {
    read_by(command::READ, lsn, sectors, buffer, mode)
}

/// As [`read`], by another command that reads.
///
/// # Errors
/// The drive's.
pub fn read_by(number: u8, lsn: u32, sectors: u32, buffer: u32, mode: ReadMode) -> Result<(), DriveError> {
    if in_interrupt() {
        return Err(DriveError::NOT_READY);
    }
    wait_for_disc()?;
    let end = threads::now() + TIMEOUT_SECONDS * TICKS_PER_SECOND;
    loop {
        wait_idle();
        if begin_read_by(number, lsn, sectors, buffer, mode) {
            break;
        }
        if Format::of_command(number, mode.pattern).is_none() {
            return Err(DriveError::PARAMETER);
        }
        // Somebody else was faster, or the drive is not ready yet.
        if threads::now() > end {
            return Err(DriveError::NOT_READY);
        }
        let _ = delay(STEP_MICROSECONDS);
    }
    wait_idle();
    match last_error() {
        0 => Ok(()),
        error => Err(DriveError(error)),
    }
}

/// Results of a system command at most.
const SYSTEM_RESULTS: usize = 16;
const SYSTEM_BUSY: u8 = 0x80;
const SYSTEM_EMPTY: u8 = 0x40;
/// Reads of the status until a system command is given up.
///
/// Our choice: some hundred milliseconds of a console; the drive of the emulator answers at once.
const SYSTEM_POLLS: u32 = 1_000_000;

/// Results of a system command.
#[derive(Clone, Copy)]
pub struct SystemResults {
    bytes: [u8; SYSTEM_RESULTS],
    count: usize,
}

impl core::ops::Deref for SystemResults {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.count]
    }
}

/// Runs a system command: clock, tray, settings. None when the drive does not answer.
///
/// Source: hardware notes, S commands
pub fn system_command(number: u8, input: &[u8]) -> Option<SystemResults> {
    critical(|| {
        if drive::SYSTEM_STATUS.read() & SYSTEM_BUSY != 0 {
            return None;
        }
        // Results that nobody fetched.
        for _ in 0..SYSTEM_RESULTS * 2 {
            if drive::SYSTEM_STATUS.read() & SYSTEM_EMPTY != 0 {
                break;
            }
            drive::SYSTEM_RESULT.read();
        }
        for byte in input {
            drive::SYSTEM_STATUS.write(*byte);
        }
        drive::SYSTEM_COMMAND.write(number);
        (0..SYSTEM_POLLS).find(|_| drive::SYSTEM_STATUS.read() & SYSTEM_BUSY == 0)?;
        let mut results = SystemResults { bytes: [0; SYSTEM_RESULTS], count: 0 };
        while results.count < SYSTEM_RESULTS && drive::SYSTEM_STATUS.read() & SYSTEM_EMPTY == 0 {
            results.bytes[results.count] = drive::SYSTEM_RESULT.read();
            results.count += 1;
        }
        Some(results)
    })
}

/// The disc, for searches.
pub struct Disc;

impl Sectors for Disc {
    type Error = DriveError;

    fn read_sector(&mut self, lsn: u32, sector: &mut [u8; SECTOR_BYTES]) -> Result<(), DriveError> {
        read(lsn, 1, sector.as_mut_ptr() as u32, ReadMode::DATA)
    }
}
