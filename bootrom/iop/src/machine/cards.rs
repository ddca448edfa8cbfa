//! The cards in both slots and their open files, for the EE's server and for the device "mc": one of them at a time.

use super::cdvdman;
use super::critical::Shared;
use super::mcman::Wire;
use super::sio2;
use super::threads::{THREADS, call, call_blocking, in_interrupt};
use bootrom_iop::card::entry::TIME_BYTES;
use bootrom_iop::card::{Card, CardError, OpenFile};
use bootrom_iop::errors::Error;
use core::cell::UnsafeCell;

/// Slots of the console.
pub const PORTS: usize = 2;
/// Files that can be open at a time.
///
/// Source: IOP kernel, MCSERV (open)
pub const FILES: usize = 3;

/// An open file and its port.
pub type FileTable = [Option<(usize, OpenFile)>; FILES];

struct Ports(UnsafeCell<[Card<Wire>; PORTS]>);
// SAFETY: only whoever holds the lock touches them.
unsafe impl Sync for Ports {}
static CARDS: Ports = Ports(UnsafeCell::new([const { Card::new(Wire::new()) }; PORTS]));
/// The files are apart from the cards, which are all zeroes and so take no room in the ROM.
struct Files(UnsafeCell<FileTable>);
// SAFETY: as for the cards.
unsafe impl Sync for Files {}
static OPENED: Files = Files(UnsafeCell::new([None; FILES]));
/// The semaphore of whoever uses them; 0 before there is one.
static LOCK: Shared<i32> = Shared::new(0);

/// Makes the cards ready to be used.
///
/// # Errors
/// No record left.
pub fn start() -> Result<(), Error> {
    sio2::start()?;
    if LOCK.with(|lock| *lock) != 0 {
        return Ok(());
    }
    // SAFETY: nobody uses the cards before there is a lock.
    let ports = unsafe { &mut *CARDS.0.get() };
    for (number, card) in (0..).zip(ports) {
        card.flash().set_port(number);
    }
    let lock = THREADS.with(|threads| threads.create_semaphore(0, 0, 1, 1))?;
    LOCK.with(|stored| *stored = lock);
    Ok(())
}

/// Runs `body` on the cards and their open files, one thread at a time.
///
/// # Errors
/// In an interrupt handler, which cannot wait for its turn.
pub fn with<R>(body: impl FnOnce(&mut [Card<Wire>; PORTS], &mut FileTable) -> R) -> Result<R, Error> {
    if in_interrupt() {
        return Err(Error::IllegalContext);
    }
    let lock = LOCK.with(|lock| *lock);
    // Nobody ends the waits for the cards; who tried would only try again.
    while call_blocking(|threads| threads.wait_semaphore(lock)).is_err() {}
    // SAFETY: the semaphore is held, so these are the only references.
    let (ports, files) = unsafe { (&mut *CARDS.0.get(), &mut *OPENED.0.get()) };
    let result = body(ports, files);
    // It was taken above.
    let _ = call(|threads| threads.signal_semaphore(lock));
    Ok(result)
}

/// The open file `fd` and its port.
///
/// # Errors
/// No such file is open.
pub fn file_of(files: &mut FileTable, fd: i32) -> Result<&mut (usize, OpenFile), CardError> {
    let place = usize::try_from(fd).map_err(|_| CardError::Denied)?;
    files.get_mut(place).and_then(Option::as_mut).ok_or(CardError::Denied)
}

/// Opens a file in the first free place; its number.
///
/// # Errors
/// No place left; the card's.
pub fn open(
    card: &mut Card<Wire>,
    port: usize,
    files: &mut FileTable,
    path: &[u8],
    (writes, creates): (bool, bool),
) -> Result<u32, CardError> {
    let place = files.iter().position(Option::is_none).ok_or(CardError::ManyFiles)?;
    let file = card.open(path, writes, creates, time())?;
    card.flush()?;
    files[place] = Some((port, file));
    Ok(place as u32)
}

/// Moves a file's position by an origin (0 start, 1 position, 2 end) and an offset; the new one.
pub fn seek(file: &mut OpenFile, offset: i32, origin: u32) -> u32 {
    let base = match origin {
        0 => 0,
        1 => i64::from(file.position),
        _ => i64::from(file.length()),
    };
    file.position = (base + i64::from(offset)).clamp(0, i64::from(file.length())) as u32;
    file.position
}

/// The card's time: that of the clock in the drive.
pub fn time() -> [u8; TIME_BYTES] {
    const READ_CLOCK: u8 = 0x08;
    const CENTURY: u16 = 2000;
    let results = cdvdman::system_command(READ_CLOCK, &[]);
    let binary = |index: usize| {
        let byte = results.as_ref().and_then(|results| results.get(index).copied()).unwrap_or(0);
        (byte >> 4) * 10 + (byte & 0xF)
    };
    let year = (CENTURY + u16::from(binary(7))).to_le_bytes();
    [0, binary(1), binary(2), binary(3), binary(5), binary(6) & 0x7F, year[0], year[1]]
}
