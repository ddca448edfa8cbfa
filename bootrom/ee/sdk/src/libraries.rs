//! The first calls that the SDK's libraries make: of the old pads' server, of the cards' server, of the drive's.

use crate::stdout::PATIENCE;
use boardwalk::ee::cache;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::call::{Bytes, Reply, Server};
use boardwalk::ee::sif::link::{Link, Patience};
use core::cell::UnsafeCell;

const UNCACHED: u32 = 0x2000_0000;

/// Calls a server with words; the reply's first words.
fn call<const N: usize>(
    link: &mut Link,
    server: &Server,
    function: u32,
    words: &[u32],
    reply_bytes: usize,
    preset: u32,
) -> Result<[u32; 32], Error> {
    let mut request = Bytes([0; N]);
    for (index, word) in words.iter().enumerate() {
        request.0[4 * index..][..4].copy_from_slice(&word.to_le_bytes());
    }
    let mut reply = Reply::<32>::preset(preset);
    link.call(server, function, &request.0, &mut reply, reply_bytes, PATIENCE)?;
    Ok(reply.0)
}

/// A pad's memory: two frames of 64 bytes each, of the old server's shape.
#[repr(C, align(64))]
struct Area(UnsafeCell<[u8; 256]>);
// SAFETY: the IOP's DMA writes it, and one thread reads it past the cache.
unsafe impl Sync for Area {}
static AREA: Area = Area(UnsafeCell::new([0; 256]));
/// The second server's two tables of what is connected.
static TABLE: Area = Area(UnsafeCell::new([0; 256]));

/// What became of the first pad: its state, its kind, its buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pad {
    /// 6 once it is set up.
    pub state: u8,
    /// 41, 73 or 79.
    pub kind: u8,
    /// Bits of what is not pressed.
    pub buttons: u16,
}

/// Opens the first pad by the old server's numbers and waits until it is set up.
///
/// # Errors
/// No server, or one that does not answer.
pub fn pad(link: &mut Link) -> Result<Pad, Error> {
    const SERVERS: [u32; 2] = [0x8000_010F, 0x8000_011F];
    const OPEN: u32 = 0x8000_0100;
    const STABLE: u8 = 6;
    /// Bytes of a frame, and places in it.
    const FRAME: usize = 64;
    const NUMBER: usize = 0;
    const STATE: usize = 4;
    const DATA: usize = 8;
    let servers = [link.bind(SERVERS[0], PATIENCE)?, link.bind(SERVERS[1], PATIENCE)?];
    let area = AREA.0.get() as u32;
    cache::write_back(area as *const u8, 256);
    call::<128>(link, &servers[0], 1, &[OPEN, 0, 0, 0, area], 128, 0)?;
    // SAFETY: inside of the area.
    let byte = |at: usize| unsafe { ((area | UNCACHED) as *const u8).add(at).read_volatile() };
    let newest = || {
        let number = |frame: usize| u16::from_le_bytes([byte(frame + NUMBER), byte(frame + NUMBER + 1)]);
        if number(FRAME) > number(0) { FRAME } else { 0 }
    };
    let read = || {
        let at = newest();
        let buttons = u16::from_le_bytes([byte(at + DATA + 2), byte(at + DATA + 3)]);
        Pad { state: byte(at + STATE), kind: byte(at + DATA + 1), buttons }
    };
    Patience::milliseconds(PATIENCE).wait_until(|| read().state == STABLE);
    Ok(read())
}

/// What the second pads' server wrote and answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewPad {
    /// State, request, task and mode configuration once the first pad is set up.
    pub settled: [u8; 4],
    /// Modes, motors and their combinations.
    pub told: [u8; 3],
    /// The first of the modes, by their numbers.
    pub modes: [u8; 2],
    /// The table of what is connected: it goes on, and its words.
    pub table: (bool, [u32; 2]),
    /// The answer to the wish for sticks, then kind, mode and lock.
    pub sticks: (u32, [u8; 3]),
    /// The end was answered, and nothing comes any more.
    pub ended: (u32, bool),
}

/// Begins with the second pads' server as its library does: a table of what is connected, the first pad, sticks that stay on.
///
/// # Errors
/// No server, or one that does not answer.
pub fn new_pad(link: &mut Link) -> Result<NewPad, Error> {
    const SERVERS: [u32; 2] = [0x8000_0100, 0x8000_0101];
    const OPEN: u32 = 0x01;
    const SET_MODE: u32 = 0x06;
    const END: u32 = 0x0F;
    const INIT: u32 = 0x10;
    const STABLE: u8 = 6;
    const COMPLETE: u8 = 0;
    const STICKS: u8 = 0x73;
    /// Bytes of a frame and of a table, and places in a frame.
    const FRAME: usize = 128;
    const NUMBER: usize = 0x58;
    const STATE: usize = 0x70;
    const REQUEST: usize = 0x71;
    const KIND: usize = 1;
    let servers = [link.bind(SERVERS[0], PATIENCE)?, link.bind(SERVERS[1], PATIENCE)?];
    let (area, table) = (AREA.0.get() as u32, TABLE.0.get() as u32);
    // SAFETY: both are this function's, which nobody else reads or writes now.
    unsafe {
        AREA.0.get().write([0; 256]);
        TABLE.0.get().write([0; 256]);
    }
    cache::write_back(area as *const u8, 256);
    cache::write_back(table as *const u8, 256);
    // SAFETY: inside of either.
    let word = |base: u32, at: usize| unsafe { ((base | UNCACHED) as *const u32).byte_add(at).read_volatile() };
    let newest = |base: u32, number: usize| if word(base, FRAME + number) > word(base, number) { FRAME } else { 0 };
    let byte = |at: usize| word(area, (newest(area, NUMBER) + at) & !3).to_le_bytes()[at % 4];
    let pause = |milliseconds: u32| Patience::milliseconds(milliseconds).wait_until(|| false);
    call::<128>(link, &servers[0], 1, &[INIT, 0, 0, 0, table], 128, 0)?;
    call::<128>(link, &servers[0], 1, &[OPEN, 0, 0, 0, area], 128, 0)?;
    Patience::milliseconds(PATIENCE).wait_until(|| byte(STATE) == STABLE);
    let settled = [STATE, REQUEST, 0x72, 0x64].map(byte);
    let told = [0x68, 0x6A, 0x6B].map(byte);
    let modes = [0x50, 0x52].map(byte);
    let answer = call::<128>(link, &servers[0], 1, &[SET_MODE, 0, 0, 1, 3], 128, 0)?[5];
    // The first frames behind the wish may be from before it.
    pause(100);
    Patience::milliseconds(PATIENCE).wait_until(|| byte(REQUEST) == COMPLETE && byte(KIND) == STICKS);
    let sticks = (answer, [KIND, 0x6D, 0x6E].map(byte));
    let before = word(table, newest(table, 0));
    // Long enough for a look at the port that is not open.
    pause(500);
    let at = newest(table, 0);
    let table_seen = (word(table, at) > before + 10, [word(table, at + 4), word(table, at + 8)]);
    let ended = call::<128>(link, &servers[0], 1, &[END], 128, 0)?[3];
    pause(100);
    let last = word(area, newest(area, NUMBER) + NUMBER);
    pause(100);
    let quiet = word(area, newest(area, NUMBER) + NUMBER) == last;
    Ok(NewPad { settled, told, modes, table: table_seen, sticks, ended: (ended, quiet) })
}

/// Begins with the cards' server as the library does; which of the generations answers, and what it says of the first card.
///
/// # Errors
/// As [`pad`].
pub fn cards(link: &mut Link) -> Result<(bool, i32), Error> {
    const SERVER: u32 = 0x8000_0400;
    const DENIED: u32 = -5_i32 as u32;
    const UNTOUCHED: u32 = 0x7777_7777;
    let server = link.bind(SERVER, PATIENCE)?;
    // A flush of no file under both numbers, so that the last result is known.
    for function in [0x0A, 0x7A] {
        call::<48>(link, &server, function, &[u32::MAX], 4, UNTOUCHED)?;
    }
    let is_old = call::<48>(link, &server, 0xFE, &[0], 12, UNTOUCHED)?[0] == DENIED;
    if is_old {
        call::<48>(link, &server, 0x70, &[0, 0, 0, 0, -217_i32 as u32], 4, UNTOUCHED)?;
    }
    // Port, slot, what is wanted: kind and free memory, told into the area.
    let area = AREA.0.get() as u32;
    let function = if is_old { 0x78 } else { 0x01 };
    let told = call::<48>(link, &server, function, &[0, 0, 0, 1, 1, 0, 0, area], 4, UNTOUCHED)?;
    Ok((is_old, told[0] as i32))
}

/// Begins with the drive as the library does: its answer, and whether it is ready.
///
/// # Errors
/// As [`pad`].
pub fn drive(link: &mut Link) -> Result<(u32, u32), Error> {
    const INIT: u32 = 0x8000_0592;
    const READY: u32 = 0x8000_059A;
    const WITHOUT_WAITING: u32 = 1;
    let server = link.bind(INIT, PATIENCE)?;
    let begun = call::<16>(link, &server, 0, &[WITHOUT_WAITING], 16, 0)?;
    let server = link.bind(READY, PATIENCE)?;
    let ready = call::<16>(link, &server, 0, &[WITHOUT_WAITING], 4, 0)?;
    Ok((begun[0], ready[0]))
}

/// Bytes of a sector, and the sector of the volume's descriptor.
const SECTOR: usize = 2048;
const VOLUME: u32 = 16;

#[repr(C, align(64))]
struct Sectors(UnsafeCell<[u8; 3 * SECTOR]>);
// SAFETY: the IOP's DMA writes it, and one thread uses it past the cache.
unsafe impl Sync for Sectors {}
static READ: Sectors = Sectors(UnsafeCell::new([0; 3 * SECTOR]));

/// Reads the volume's descriptor to addresses of all kinds as the library does, which takes the ends of a read that lie between lines
/// of sixteen bytes out of a record; how many of them held what they should, and no byte more.
///
/// # Errors
/// As [`pad`].
pub fn reads(link: &mut Link) -> Result<u32, Error> {
    const SERVER: u32 = 0x8000_0595;
    const READY: u32 = 14;
    const READ_SECTORS: u32 = 1;
    /// Places in the record: lengths, addresses, bytes.
    const FIRST: usize = 16;
    const LAST: usize = 32;
    const MARK: &[u8] = b"\x01CD001";
    const UNTOUCHED: u8 = 0xEE;
    let server = link.bind(SERVER, PATIENCE)?;
    let (target, record) = (READ.0.get() as u32, AREA.0.get() as u32);
    cache::write_back(target as *const u8, 3 * SECTOR);
    cache::write_back(record as *const u8, 256);
    // SAFETY: inside of either memory, which their mirrors show past the cache.
    let byte = |base: u32, at: usize| unsafe { ((base | UNCACHED) as *const u8).add(at).read_volatile() };
    // SAFETY: as above.
    let put = |at: usize, byte: u8| unsafe { ((target | UNCACHED) as *mut u8).add(at).write_volatile(byte) };
    let mut good = 0;
    for start in READS {
        for at in 0..3 * SECTOR {
            put(at, UNTOUCHED);
        }
        call::<16>(link, &server, READY, &[], 4, 0)?;
        let position = record + 192;
        call::<32>(link, &server, READ_SECTORS, &[VOLUME, 1, target + start as u32, 0, record, position], 4, 0)?;
        let word = |at: usize| u32::from_le_bytes(core::array::from_fn(|index| byte(record, at + index)));
        for (bytes, destination, from) in [(word(0), word(8), FIRST), (word(4), word(12), LAST)] {
            for index in 0..bytes.min(16) as usize {
                put((destination - target) as usize + index, byte(record, from + index));
            }
        }
        let begins = MARK.iter().enumerate().all(|(index, mark)| byte(target, start + index) == *mark);
        // The descriptor's last bytes are zeroes.
        let ends = (0..64).all(|index| byte(target, start + SECTOR - 1 - index) == 0);
        let around = (start == 0 || byte(target, start - 1) == UNTOUCHED) && byte(target, start + SECTOR) == UNTOUCHED;
        good += u32::from(begins && ends && around);
    }
    Ok(good)
}

/// Distances from a multiple of 64 that [`reads`] tries.
pub const READS: [usize; 6] = [0, 16, 48, 5, 63, 33];
