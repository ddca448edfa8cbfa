//! CDVDMAN: commands to the disc drive, with an end to every wait.

use super::console::log;
use super::critical::{Shared, critical};
use super::interrupts::{LINE_CDVD, attach};
use super::registers::{dma, drive};
use super::threads::{self, THREADS, call_blocking, delay};
use bootrom_iop::alarms::{Action, Alarm, TICKS_PER_SECOND};
use bootrom_iop::cdvd::{DriveError, Format, MOST_SECTORS, ReadMode, command, disc, read_parameters};
use bootrom_iop::errors::Error;
use bootrom_iop::iso9660::{SECTOR_BYTES, Sectors};
use bootrom_iop::threads::{MODE_CLEAR, MODE_OR};

/// Event bit: the command has ended.
const EVENT_DONE: u32 = 1;
/// Event bit: it has not, in time.
const EVENT_TIMEOUT: u32 = 2;
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

struct Drive {
    /// Held by whoever has a command running.
    lock: i32,
    /// Set by the interrupt handler and the time-out.
    event: i32,
    /// Error of the last command.
    error: u8,
}

static DRIVE: Shared<Drive> = Shared::new(Drive { lock: 0, event: 0, error: 0 });

/// Starts the driver.
///
/// # Errors
/// No record left.
pub fn start() -> Result<(), Error> {
    let (lock, event) = THREADS
        .with(|threads| Ok::<_, Error>((threads.create_semaphore(0, 0, 1, 1)?, threads.create_event_flag(0, 0, 0)?)))?;
    DRIVE.with(|drive| (drive.lock, drive.event) = (lock, event));
    drive::INTERRUPT.write(drive::INTERRUPT.read());
    dma::CONTROL.write(dma::CONTROL.read() | DMA_ENABLE);
    attach(LINE_CDVD, interrupt, 0);
    Ok(())
}

extern "C" fn interrupt(_argument: u32) -> i32 {
    let why = drive::INTERRUPT.read();
    if why & INTERRUPT_COMMAND != 0 {
        drive::INTERRUPT.write(why & INTERRUPT_COMMAND);
        signal(EVENT_DONE);
    }
    if why & INTERRUPT_POWER != 0 {
        drive::INTERRUPT.write(INTERRUPT_POWER);
    }
    1
}

extern "C" fn timed_out(_argument: u32) -> u32 {
    signal(EVENT_TIMEOUT);
    0
}

fn signal(bits: u32) {
    let event = DRIVE.with(|drive| drive.event);
    // The event exists since the start.
    let _ = THREADS.with(|threads| threads.set_event_flag(event, bits));
}

/// Error of the last command.
pub fn last_error() -> u8 {
    DRIVE.with(|drive| drive.error)
}

/// Type of the disc as the drive sees it now.
pub fn disc_type() -> u8 {
    drive::DISC.read()
}

/// Runs `body` while nobody else has a command running, and keeps the error it ends with.
fn locked<R>(body: impl FnOnce() -> Result<R, DriveError>) -> Result<R, DriveError> {
    let lock = DRIVE.with(|drive| drive.lock);
    call_blocking(|threads| threads.wait_semaphore(lock)).map_err(|_| DriveError::NOT_READY)?;
    let result = body();
    DRIVE.with(|drive| drive.error = result.as_ref().err().map_or(0, |error| error.0));
    // It was taken above.
    let _ = threads::call(|threads| threads.signal_semaphore(lock));
    result
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
        if threads::now() > end {
            return Err(DriveError::NOT_READY);
        }
        let _ = delay(STEP_MICROSECONDS);
    }
}

/// Waits until `ready`, for at most the time of a command.
fn wait_until(ready: impl Fn() -> bool) -> Result<(), DriveError> {
    let end = threads::now() + TIMEOUT_SECONDS * TICKS_PER_SECOND;
    while !ready() {
        if threads::now() > end {
            return Err(DriveError::NOT_READY);
        }
        let _ = delay(STEP_MICROSECONDS);
    }
    Ok(())
}

/// Sends a command and waits for its end; one that does not end in time is broken off.
fn run(number: u8, parameters: &[u8]) -> Result<(), DriveError> {
    let event = DRIVE.with(|drive| drive.event);
    let end = threads::now() + TIMEOUT_SECONDS * TICKS_PER_SECOND;
    let action = Action::Call { function: timed_out as usize as u32, argument: 0 };
    // Clears what an earlier time-out may have left.
    let _ = THREADS.with(|threads| threads.clear_event_flag(event, 0));
    threads::set_alarm(Alarm { target: end, action }).map_err(|_| DriveError::NOT_READY)?;
    critical(|| {
        for byte in parameters {
            drive::STATUS.write(*byte);
        }
        drive::COMMAND.write(number);
    });
    let bits =
        call_blocking(|threads| threads.wait_event_flag(event, EVENT_DONE | EVENT_TIMEOUT, MODE_OR | MODE_CLEAR));
    // It has run when the wait ended by it.
    let _ = threads::cancel_alarm(action);
    match bits {
        Ok(bits) if bits & EVENT_DONE != 0 => match drive::ERROR.read() {
            0 => Ok(()),
            error => Err(DriveError(error)),
        },
        _ => {
            log!("IOP: error: drive command {number:02x} does not end");
            drive::BREAK.write(1);
            dma::CDVD.control.write(0);
            Err(DriveError::READ)
        }
    }
}

/// Reads `sectors` from `lsn` to the IOP address `buffer`, which has room for them in the mode's format.
///
/// # Errors
/// The drive's.
pub fn read(lsn: u32, sectors: u32, buffer: u32, mode: ReadMode) -> Result<(), DriveError> {
    let format = Format::of_pattern(mode.pattern).ok_or(DriveError::PARAMETER)?;
    wait_for_disc()?;
    locked(|| {
        let mut done = 0;
        while done < sectors {
            let count = (sectors - done).min(MOST_SECTORS);
            wait_until(|| drive::STATUS.read() & STATUS_BITS == STATUS_READY)?;
            dma::CDVD.control.write(0);
            drive::ERROR.write(format.how);
            dma::CDVD.address.write(buffer + done * format.bytes);
            dma::CDVD.blocks.write(format.block_register(count));
            dma::CDVD.control.write(DMA_START);
            run(command::READ, &read_parameters(lsn + done, count, mode))?;
            wait_until(|| dma::CDVD.control.read() & dma::BUSY == 0)?;
            done += count;
        }
        Ok(())
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
