//! CDVDFSV: the disc drive for the EE, servers 80000592 to 8000059C.
//!
//! Three threads, so that a long read does not hold up questions: one for the start, readiness and the clock, one for searches and
//! reads, one for readiness alone.
//! Source: IOP kernel, CDVD servers

mod system;

use super::cd_stream::{Wish, take, waiting, wish};
use super::cdvdman::{self, Reason};
use super::critical::Shared;
use super::ioman::text_of;
use super::memory::may_write;
use super::server::{self, ServerThread, Service, allocate, end_text, words_of};
use super::{devices, sifman};
use crate::machine::libraries::cdvdman::{bytes_of, system as library};
use bootrom_iop::cdvd::{Format, KEY_BYTES, ReadMode, command, disc, file_record};
use bootrom_iop::edges::{Cut, DRIVE_LINE, Edges, cut};
use core::cell::UnsafeCell;

static SYSTEM_SERVER: ServerThread = ServerThread {
    name: "CDVD commands",
    priority: 81,
    services: &[
        Service { sid: 0x8000_0592, function: initialise, buffer_bytes: 0x100 },
        Service { sid: 0x8000_059A, function: ready, buffer_bytes: 0x100 },
        Service { sid: 0x8000_0593, function: system::serve, buffer_bytes: 0x500 },
    ],
};
static READ_SERVER: ServerThread = ServerThread {
    name: "CDVD reads",
    priority: 81,
    services: &[
        Service { sid: 0x8000_0597, function: search, buffer_bytes: 0x200 },
        Service { sid: 0x8000_0595, function: drive, buffer_bytes: 0x500 },
    ],
};
static READY_SERVER: ServerThread = ServerThread {
    name: "CDVD readiness",
    priority: 81,
    services: &[Service { sid: 0x8000_059C, function: ready_alone, buffer_bytes: 0x100 }],
};

/// Versions that the start tells: of this server and of the driver.
///
/// Our choice: late ones of the ROM, whose functions are all here.
const VERSION_SERVER: u32 = 0x0222;
pub const VERSION_DRIVER: u32 = 0x0222;

const YES: u32 = 1;
const NO: u32 = 0;
const READY: u32 = 2;
const NOT_READY: u32 = 6;
/// Sectors that are read at a time.
///
/// Source: IOP kernel, CDVD servers (reads)
const CHUNK_SECTORS: u32 = 16;
/// Bytes of the largest sector format.
const SECTOR_MOST: u32 = 2340;
/// Room for a chunk behind one line that was left over.
const CHUNK_BYTES: u32 = DRIVE_LINE + CHUNK_SECTORS * SECTOR_MOST + DRIVE_LINE;

type Reply = [u32; 8];

/// Memory that the DMA reads, each used by one thread only.
#[repr(align(64))]
struct Owned<T>(UnsafeCell<T>);
// SAFETY: each value is used by one server thread, one request at a time.
unsafe impl<T> Sync for Owned<T> {}

static SYSTEM_REPLY: Owned<Reply> = Owned(UnsafeCell::new([0; 8]));
static READY_REPLY: Owned<Reply> = Owned(UnsafeCell::new([0; 8]));
static DRIVE_REPLY: Owned<Reply> = Owned(UnsafeCell::new([0; 8]));
static FOUND: Owned<[u32; 16]> = Owned(UnsafeCell::new([0; 16]));
static EDGES: Owned<Edges<64>> = Owned(UnsafeCell::new(Edges::EMPTY));
static POSITION: Owned<[u32; 4]> = Owned(UnsafeCell::new([0; 4]));
static CHUNK: Shared<u32> = Shared::new(0);
/// Set once a client has asked how large the record of a read's rest is: such a client takes lines of 64 bytes.
static ASKED: Shared<bool> = Shared::new(false);
/// Bytes of a line for clients that do not ask, and of their record.
const SHORT_LINE: u32 = 16;
const SHORT_RECORD: u32 = Edges::<16>::BYTES;

/// Starts the servers.
pub fn start() {
    CHUNK.with(|chunk| *chunk = allocate(CHUNK_BYTES));
    system::start();
    for thread in [&SYSTEM_SERVER, &READ_SERVER, &READY_SERVER] {
        server::start(thread);
    }
}

/// The memory through which reads go.
pub fn buffer() -> u32 {
    CHUNK.with(|chunk| *chunk)
}

/// Fills a reply and points to it.
fn reply<const WORDS: usize>(target: &'static Owned<Reply>, words: [u32; WORDS]) -> *mut u32 {
    // SAFETY: only the thread that serves this reply's server comes here with it.
    let reply = unsafe { &mut *target.0.get() };
    *reply = [0; 8];
    reply[..WORDS].copy_from_slice(&words);
    reply.as_mut_ptr()
}

extern "C" fn initialise(_function: u32, _buffer: *mut u32, _size: u32) -> *mut u32 {
    reply(&SYSTEM_REPLY, [YES, VERSION_SERVER, VERSION_DRIVER, 0])
}

/// Modes of the readiness question: wait, or only ask.
const READY_WAIT: u32 = 0;
const READY_ONLY: u32 = 1;

fn readiness(mode: u32) -> u32 {
    let is_ready = if mode == READY_WAIT {
        cdvdman::wait_idle();
        cdvdman::wait_for_disc().is_ok()
    } else {
        let detecting = disc::DETECTING_FIRST..=disc::DETECTING_LAST;
        !cdvdman::is_busy() && !detecting.contains(&cdvdman::disc_type())
    };
    if is_ready { READY } else { NOT_READY }
}

/// The readiness server beside the commands.
extern "C" fn ready(_function: u32, buffer: *mut u32, _size: u32) -> *mut u32 {
    // SAFETY: the buffer is the service's.
    let [mode] = *unsafe { words_of::<1>(buffer) };
    reply(&SYSTEM_REPLY, [readiness(mode)])
}

/// The readiness server with a thread of its own.
extern "C" fn ready_alone(_function: u32, buffer: *mut u32, _size: u32) -> *mut u32 {
    // SAFETY: the buffer is the service's.
    let [mode] = *unsafe { words_of::<1>(buffer) };
    reply(&READY_REPLY, [readiness(mode)])
}

/// Bytes of a file record, and of the one with a flag behind it.
const RECORD_BYTES: usize = 32;
const LONG_RECORD_BYTES: usize = 36;
const PATH_BYTES: usize = 256;
/// Bytes of the shortest request: record, path, destination.
const SHORT_SEARCH: u32 = (RECORD_BYTES + PATH_BYTES + 4) as u32;

extern "C" fn search(_function: u32, buffer: *mut u32, size: u32) -> *mut u32 {
    let record_bytes = if size == SHORT_SEARCH { RECORD_BYTES } else { LONG_RECORD_BYTES };
    // SAFETY: the path and the word behind it lie inside of the request buffer.
    let (path, destination) = unsafe {
        let path = end_text(buffer, record_bytes, PATH_BYTES);
        (text_of(path), buffer.cast::<u8>().add(record_bytes + PATH_BYTES).cast::<u32>().read_unaligned())
    };
    let Ok(entry) = devices::search(path) else { return reply(&DRIVE_REPLY, [NO]) };
    // SAFETY: only this thread uses it, and its last transfer has left.
    let found = unsafe { &mut *FOUND.0.get() };
    *found = [0; 16];
    found[..8].copy_from_slice(&file_record(&entry));
    let sent = sifman::give_program(found.as_ptr() as u32, destination, record_bytes as u32);
    reply(&DRIVE_REPLY, [if sent { YES } else { NO }])
}

/// Functions of the read server.
mod drive_function {
    pub const READ: u32 = 1;
    pub const READ_AUDIO: u32 = 2;
    pub const READ_DVD: u32 = 3;
    pub const CONTENTS: u32 = 4;
    pub const SEEK: u32 = 5;
    pub const STANDBY: u32 = 6;
    pub const STOP: u32 = 7;
    pub const PAUSE: u32 = 8;
    pub const STREAM: u32 = 9;
    pub const KEY: u32 = 11;
    pub const RAW: u32 = 12;
    pub const READ_LOCAL: u32 = 13;
    pub const READY: u32 = 14;
    pub const READ_CHAIN: u32 = 15;
    pub const READ_FULL: u32 = 16;
    pub const DISC_ID: u32 = 17;
    pub const DISC_TYPE: u32 = 23;
}

/// Entries of a chain.
const CHAIN: usize = 65;
const CHAIN_END: u32 = u32::MAX;
/// Address bit of a chain's entry: the IOP's own memory.
const CHAIN_LOCAL: u32 = 1;

fn mode_of(word: u32) -> ReadMode {
    let [tries, speed, pattern, reserved] = word.to_le_bytes();
    ReadMode { tries, speed, pattern, reserved }
}

extern "C" fn drive(function: u32, buffer: *mut u32, _size: u32) -> *mut u32 {
    // SAFETY: the buffer is the service's and larger than eight words.
    let request = *unsafe { words_of::<8>(buffer) };
    let [lsn, sectors, target, mode, edges, position, ..] = request;
    let result = match function {
        drive_function::READ | drive_function::READ_FULL => read(lsn, sectors, target, mode_of(mode), edges, position),
        // Clients ask for no sectors at all to learn how large the record of the rest is.
        drive_function::READ_AUDIO if sectors == 0 => {
            ASKED.with(|asked| *asked = true);
            Edges::<64>::BYTES
        }
        drive_function::READ_AUDIO => {
            read_by(command::READ_AUDIO, lsn, sectors, target, mode_of(mode), edges, position)
        }
        drive_function::READ_DVD => read_by(command::READ_DVD, lsn, sectors, target, mode_of(mode), edges, position),
        drive_function::CONTENTS => {
            let (done, dvd) = contents(lsn);
            return reply(&DRIVE_REPLY, [done.into(), dvd.into()]);
        }
        drive_function::KEY => return keys(lsn as u8, sectors as u8, target),
        drive_function::DISC_ID => return reply(&DRIVE_REPLY, disc_id()),
        drive_function::DISC_TYPE => return reply(&DRIVE_REPLY, [YES, cdvdman::disc_type().into()]),
        drive_function::RAW => finish(|| raw(buffer)),
        drive_function::SEEK => finish(|| cdvdman::begin_command(command::SEEK, &lsn.to_le_bytes(), Reason::Seek)),
        drive_function::STANDBY => finish(|| cdvdman::begin_command(command::STANDBY, &[], Reason::Standby)),
        drive_function::STOP => finish(|| cdvdman::begin_command(command::STOP, &[], Reason::Stop)),
        drive_function::PAUSE => finish(|| cdvdman::begin_command(command::PAUSE, &[], Reason::Pause)),
        drive_function::STREAM => stream(request),
        drive_function::READ_LOCAL => read_here(lsn, sectors, target, mode_of(mode)).into(),
        // This question comes without a request.
        drive_function::READY => readiness(READY_ONLY),
        drive_function::READ_CHAIN => read_chain(buffer),
        _ => NO,
    };
    reply(&DRIVE_REPLY, [result])
}

/// Sends the table of contents to the EE; whether it came, and whether it is a DVD's.
fn contents(target: u32) -> (bool, bool) {
    let chunk = CHUNK.with(|chunk| *chunk);
    if chunk == 0 {
        return (false, false);
    }
    cdvdman::wait_idle();
    let (begun, dvd) = cdvdman::begin_contents(chunk);
    cdvdman::wait_idle();
    let good = begun && cdvdman::last_error() == 0;
    (good && sifman::give_program(chunk, target, Format::of_contents(true).bytes), dvd)
}

/// The keys by way of a sector, behind the word that says whether they came.
///
/// Source: public SDK (sceCdReadKey: a word for each of both numbers and the sector; sixteen bytes behind the first word)
fn keys(first: u8, second: u8, lsn: u32) -> *mut u32 {
    match cdvdman::keys(first, second.into(), lsn) {
        Some(keys) => {
            let mut bytes = [0; KEY_BYTES + 4];
            bytes[..4].copy_from_slice(&YES.to_le_bytes());
            bytes[4..].copy_from_slice(&keys);
            let words = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
            let mut told = [0; 6];
            told.iter_mut().zip(words).for_each(|(slot, word)| *slot = word);
            reply(&DRIVE_REPLY, told)
        }
        None => reply(&DRIVE_REPLY, [NO]),
    }
}

/// The disc's own number in five bytes, behind the word that says that it came.
///
/// Source: public SDK (sceCdReadDiskID)
fn disc_id() -> [u32; 3] {
    let [a, b, c, d, e] = library::disc_id();
    [YES, u32::from_le_bytes([a, b, c, d]), e.into()]
}

/// Begins a drive command that the request spells out: number, bytes of parameters, parameters.
fn raw(buffer: *mut u32) -> bool {
    // SAFETY: the buffer is the service's and larger than five words.
    let bytes = *unsafe { &*buffer.cast::<[u8; 20]>() };
    let count = usize::from(u16::from_le_bytes([bytes[2], bytes[3]])).min(16);
    cdvdman::begin_command(bytes[0], &bytes[4..4 + count], Reason::Other)
}

/// Begins a command and waits for its end.
fn finish(begin: impl FnOnce() -> bool) -> u32 {
    cdvdman::wait_idle();
    if !begin() {
        return NO;
    }
    cdvdman::wait_idle();
    (cdvdman::last_error() == 0).into()
}

/// Reads sectors to the EE's memory; the result is how many bytes, 0 for an error. What does not fill whole lines goes to the
/// record `edges`, the number of bytes so far to `position`, each if it is not null.
fn read(lsn: u32, sectors: u32, target: u32, mode: ReadMode, edges: u32, position: u32) -> u32 {
    read_by(command::READ, lsn, sectors, target, mode, edges, position)
}

/// As [`read`], by another command that reads.
fn read_by(number: u8, lsn: u32, sectors: u32, target: u32, mode: ReadMode, edges: u32, position: u32) -> u32 {
    let Some(format) = Format::of_command(number, mode.pattern) else { return NO };
    let Some(bytes) = sectors.checked_mul(format.bytes) else { return NO };
    let chunk = CHUNK.with(|chunk| *chunk);
    if chunk == 0 || bytes == 0 {
        return NO;
    }
    // SAFETY: only this thread uses them, and their last transfers have left.
    let (record, place) = unsafe { (&mut *EDGES.0.get(), &mut *POSITION.0.get()) };
    let line = if ASKED.with(|asked| *asked) { DRIVE_LINE } else { SHORT_LINE };
    let Cut { head, tail, .. } = cut(target, bytes, line);
    *record = Edges::EMPTY;
    let landing = chunk + DRIVE_LINE;
    let (mut done, mut left, mut destination) = (0, 0, target + head);
    while done < sectors {
        let count = (sectors - done).min(CHUNK_SECTORS);
        if cdvdman::read_by(number, lsn + done, count, landing, mode).is_err() {
            return NO;
        }
        let (mut start, mut filled) = (landing, count * format.bytes);
        if done == 0 && head > 0 {
            record.head_bytes = head;
            record.head_destination = target;
            copy(start, record.head.as_mut_ptr() as u32, head);
            start += head;
            filled -= head;
        }
        // What the last chunk left over comes first; DMA also wants its source at a line.
        if left > 0 || !start.is_multiple_of(16) {
            copy(start, chunk + left, filled);
            start = chunk;
            filled += left;
        }
        left = filled & (line - 1);
        let whole = filled - left;
        if whole > 0 && !sifman::give_program(start, destination, whole) {
            return NO;
        }
        copy(start + whole, chunk, left);
        destination += whole;
        done += count;
        if position != 0 {
            place[0] = done * format.bytes;
            send_record(place.as_ptr() as u32, position, 16);
        }
    }
    if tail > 0 {
        record.tail_bytes = tail;
        record.tail_destination = destination;
        copy(chunk, record.tail.as_mut_ptr() as u32, tail);
    }
    if edges != 0 {
        send_record(
            (&raw const *record) as u32,
            edges,
            if line == DRIVE_LINE { Edges::<64>::BYTES } else { shorten(record) },
        );
    }
    bytes
}

/// Makes the record one of short lines; how many bytes of it count.
///
/// Our choice: the last bytes stand where clients of either line look for them, as the public SDK has both and neither asks.
fn shorten(record: &mut Edges<64>) -> u32 {
    let tail = record.tail_bytes as usize;
    if tail == 0 {
        return SHORT_RECORD;
    }
    let (line, bytes) = (SHORT_LINE as usize, record.tail);
    record.head[line..line + tail].copy_from_slice(&bytes[..tail]);
    Edges::<64>::BYTES - DRIVE_LINE + SHORT_LINE
}

fn send_record(source: u32, destination: u32, size: u32) {
    sifman::give_program(source, destination, size);
}

/// Moves bytes inside of this server's own memory.
fn copy(source: u32, target: u32, bytes: u32) {
    // SAFETY: both lie in the chunk or in this thread's records, which have that many bytes.
    unsafe { core::ptr::copy(source as *const u8, target as *mut u8, bytes as usize) };
}

/// Reads sectors to the IOP's memory, which the EE has allocated; whether they came.
fn read_here(lsn: u32, sectors: u32, target: u32, mode: ReadMode) -> bool {
    let bytes = bytes_of(command::READ, mode) as u32;
    may_write(target, sectors.saturating_mul(bytes)) && cdvdman::read(lsn, sectors, target, mode).is_ok()
}

fn read_chain(buffer: *mut u32) -> u32 {
    // SAFETY: the request is shorter than the service's buffer.
    let words = *unsafe { words_of::<{ CHAIN * 3 + 2 }>(buffer) };
    let mode = mode_of(words[CHAIN * 3]);
    for entry in words[..CHAIN * 3].chunks_exact(3) {
        let [lsn, sectors, target] = [entry[0], entry[1], entry[2]];
        if [lsn, sectors, target].contains(&CHAIN_END) {
            break;
        }
        let good = if target & CHAIN_LOCAL != 0 {
            read_here(lsn, sectors, target & !CHAIN_LOCAL, mode)
        } else {
            read(lsn, sectors, target, mode, 0, 0) != 0
        };
        if !good {
            return NO;
        }
    }
    YES
}

/// Stream commands.
mod stream_command {
    pub const START: u32 = 1;
    pub const READ: u32 = 2;
    pub const STOP: u32 = 3;
    pub const SEEK: u32 = 4;
    pub const INIT: u32 = 5;
    pub const STATE: u32 = 6;
    pub const PAUSE: u32 = 7;
    pub const RESUME: u32 = 8;
    pub const SEEK_AHEAD: u32 = 9;
}
const STREAM_ERROR_SHIFT: u32 = 16;

/// Serves a stream.
fn stream(request: [u32; 8]) -> u32 {
    let [lsn, sectors, target, what, mode, ..] = request;
    wish(match what {
        stream_command::INIT => Wish::Begin(lsn),
        stream_command::START => Wish::Start(lsn, mode_of(mode)),
        stream_command::SEEK | stream_command::SEEK_AHEAD => Wish::Seek(lsn),
        stream_command::STOP | stream_command::PAUSE => Wish::Pause,
        stream_command::RESUME => Wish::Resume,
        stream_command::READ => {
            let taken = take(sectors, |lsn, mode| read(lsn, sectors, target, mode, 0, 0) != 0);
            return taken.unwrap_or_else(|error| u32::from(error) << STREAM_ERROR_SHIFT);
        }
        stream_command::STATE => return waiting(),
        _ => return NO,
    });
    YES
}
