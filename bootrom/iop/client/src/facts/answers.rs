//! Answers that are to go over the EE's kernel: no server sends them there, and each tells its caller so.

use super::{Tally, call};
use crate::client::PATIENCE;
use crate::client::pause;
use boardwalk::ee::cache;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::heap::{Block, Heap};
use boardwalk::ee::sif::link::Link;
use boardwalk::ee::sif::loader::Loader;
use boardwalk::ee::sif::request::FILE_SERVER;
use boardwalk::ee::syscall::{self, SifTransfer};
use core::arch::naked_asm;
use core::cell::UnsafeCell;
use core::ffi::c_void;

/// The vectors of the EE's kernel, which begin where no program has memory, and the words that are looked at.
const VECTORS: u32 = 0x8000_0000;
const LOOKED_AT: u32 = 0x300;
/// Places in them for what travels beside an answer.
const RECORD: u32 = VECTORS + 0x80;
const POSITION: u32 = VECTORS + 0x180;
/// A call that nothing uses, and the one that gives a number its function.
const SPARE_CALL: u32 = 0x54;
const SET_CALL: u32 = 0x74;
const NOTHING: (usize, &[u8]) = (0, b"");

/// Makes a system call with two arguments.
///
/// # Safety
/// As the call wants it.
#[unsafe(naked)]
unsafe extern "C" fn system_call(first: u32, second: u32, number: u32) -> u32 {
    naked_asm!(".set push", ".set noreorder", "move $3, $6", "syscall", "jr $31", "nop", ".set pop",)
}

/// What the spare call does: in kernel mode.
extern "C" fn sum_of_vectors() -> u32 {
    (VECTORS..VECTORS + LOOKED_AT).step_by(4).fold(0, |sum: u32, place| {
        // SAFETY: memory that is always there and that the kernel's mode may read.
        sum.rotate_left(1) ^ unsafe { (place as *const u32).read_volatile() }
    })
}

/// A sum of the vectors as they are.
fn vectors() -> u32 {
    // SAFETY: the function reads only, and the number has none again afterwards.
    unsafe {
        system_call(SPARE_CALL, sum_of_vectors as *const () as u32, SET_CALL);
        let sum = system_call(0, 0, SPARE_CALL);
        system_call(SPARE_CALL, 0, SET_CALL);
        sum
    }
}

pub fn run(tally: &mut Tally, link: &mut Link) -> Result<(), Error> {
    let before = vectors();
    files(tally, link)?;
    drive(tally, link)?;
    card_and_pad(tally, link)?;
    unanswered(tally, link)?;
    tally.equal("no server writes over the EE's vectors", vectors(), before);
    Ok(())
}

fn files(tally: &mut Tally, link: &mut Link) -> Result<(), Error> {
    const OPEN: u32 = 0;
    const CLOSE: u32 = 1;
    const READ: u32 = 2;
    const WRITE: u32 = 3;
    const STATUS: u32 = 12;
    const INVALID: i32 = -22;
    const FAILED: i32 = -5;
    /// Standard output, and the first address behind the EE's memory.
    const OUTPUT: u32 = 1;
    const BEHIND: u32 = 0x0200_0000;
    let server = link.bind(FILE_SERVER, PATIENCE)?;
    let mut ask = |number, words: &[u32], text| Ok::<_, Error>(call(link, &server, number, words, text, 4)?[0] as i32);
    let file = ask(OPEN, &[1], (4, &b"cdrom0:\\SYSTEM.CNF;1"[..]))? as u32;
    let codes = [
        ask(READ, &[file, VECTORS, 64, 0], NOTHING)?,
        ask(READ, &[file, VECTORS, 64, RECORD], NOTHING)?,
        ask(READ, &[file, 0, 64, RECORD], NOTHING)?,
    ];
    ask(CLOSE, &[file], NOTHING)?;
    tally.equal("a file is not read over the EE's kernel", codes, [INVALID; 3]);
    let code = ask(STATUS, &[VECTORS], (4, &b"cdrom0:\\SYSTEM.CNF;1"[..]))?;
    tally.equal("nor told of there", code, INVALID);
    let mut codes = [0; 3];
    for (code, source) in codes.iter_mut().zip([0, VECTORS, BEHIND]) {
        *code = ask(WRITE, &[OUTPUT, source, 16, 0], NOTHING)?;
    }
    tally.equal("what is not a program's is not written to a file", codes, [FAILED; 3]);
    let file = ask(OPEN, &[1], (4, &b"cdrom0:\\SYSTEM.CNF;1"[..]))?;
    ask(CLOSE, &[file as u32], NOTHING)?;
    tally.equal("and the server goes on", file >= 0, true);
    Ok(())
}

#[repr(C, align(64))]
struct Packet(UnsafeCell<[u32; 16]>);
// SAFETY: one thread uses it, and the IOP's DMA behind a call of its.
unsafe impl Sync for Packet {}
static PACKET: Packet = Packet(UnsafeCell::new([0; 16]));

/// A call that wants no packet at its end: the server frees the client's packet by zeroes over it, wherever that is said to be.
fn unanswered(tally: &mut Tally, link: &mut Link) -> Result<(), Error> {
    const CALL: u32 = 0x8000_000A;
    const PACKET_BYTES: u32 = 64;
    const PACKET_ATTRIBUTES: u32 = 0x44;
    /// A record of the client's table in use, and the number of a request that nobody else has.
    const IN_USE: u32 = 0x0001_0005;
    const NUMBER: u32 = 77;
    /// A function with an answer, which goes to the vectors as well.
    const CLOSE: u32 = 1;
    const IOP_BUFFER: u32 = 0x8000_0000;
    let server = link.bind(FILE_SERVER, PATIENCE)?.record();
    let before = vectors();
    for place in [0, VECTORS, POSITION, 0x0007_FFF0] {
        let words = [PACKET_BYTES, 0, CALL, 0, IN_USE, place, NUMBER, 0, CLOSE, 0, place, 16, 0, server, 0, 0];
        // SAFETY: the packet before has left.
        unsafe { PACKET.0.get().write(words) };
        cache::write_back(PACKET.0.get().cast(), PACKET_BYTES as usize);
        let transfer = SifTransfer {
            source: PACKET.0.get() as *const c_void,
            // SAFETY: a number.
            destination: unsafe { syscall::sif_get_reg(IOP_BUFFER) },
            size: PACKET_BYTES as i32,
            attributes: PACKET_ATTRIBUTES,
        };
        // SAFETY: the packet stays.
        unsafe { syscall::sif_set_dma(&raw const transfer, 1) };
        pause();
    }
    tally.equal("nor over them by a call without an answer", vectors(), before);
    Ok(())
}

fn drive(tally: &mut Tally, link: &mut Link) -> Result<(), Error> {
    const SEARCH_SERVER: u32 = 0x8000_0597;
    const READ_SERVER: u32 = 0x8000_0595;
    const READ: u32 = 1;
    const CONTENTS: u32 = 4;
    const STREAM: u32 = 9;
    const READ_LOCAL: u32 = 13;
    const SECTORS_BYTES: u32 = 2 * 2048;
    /// Where the IOP's memory has room for one sector, behind which its first words come again.
    const LAST_SECTOR: u32 = 0x001F_F800;
    const VOLUME: u32 = 16;
    const STREAM_START: u32 = 1;
    const STREAM_READ: u32 = 2;
    const STREAM_STOP: u32 = 3;
    /// A stream's result: how many sectors came.
    const SECTORS: u32 = 0xFFFF;
    /// Place of the path in a search whose record has a flag, and of the destination behind it.
    const PATH: usize = 36;
    const DESTINATION: usize = PATH + 256;
    let server = link.bind(SEARCH_SERVER, PATIENCE)?;
    let mut request = [0; DESTINATION + 4 - PATH];
    let path = b"\\SYSTEM.CNF;1";
    request[..path.len()].copy_from_slice(path);
    request[DESTINATION - PATH..].copy_from_slice(&VECTORS.to_le_bytes());
    let found = call(link, &server, 0, &[], (PATH, &request), 4)?[0];
    tally.equal("a file that is found is not told there", found, 0);
    let server = link.bind(READ_SERVER, PATIENCE)?;
    let mut ask = |number, words: &[u32]| Ok::<_, Error>(call(link, &server, number, words, NOTHING, 4)?[0]);
    tally.equal("sectors are not read there", ask(READ, &[VOLUME, 1, VECTORS, 0, RECORD, POSITION])?, 0);
    tally.equal("nor contents told", ask(CONTENTS, &[VECTORS])?, 0);
    ask(STREAM, &[VOLUME, 0, 0, STREAM_START, 0])?;
    let read = ask(STREAM, &[0, 1, VECTORS, STREAM_READ, 0])? & SECTORS;
    ask(STREAM, &[0, 0, 0, STREAM_STOP, 0])?;
    tally.equal("nor a stream's sectors", read, 0);
    let heap = Heap::bind(link)?;
    let block = heap.allocate(link, SECTORS_BYTES)?;
    let place = block.as_ref().map_or(0, Block::address);
    let mut ask = |target| Ok::<_, Error>(call(link, &server, READ_LOCAL, &[VOLUME, 2, target, 0], NOTHING, 4)?[0]);
    let read = [ask(place)?, ask(LAST_SECTOR)?];
    if let Some(block) = block {
        heap.free(link, block)?;
    }
    tally.equal("sectors are read to the IOP's memory as far as it goes", read, [1, 0]);
    Ok(())
}

fn card_and_pad(tally: &mut Tally, link: &mut Link) -> Result<(), Error> {
    const CARD_SERVER: u32 = 0x8000_0400;
    const INFO: u32 = 0x78;
    const READ_PAGE: u32 = 0x7E;
    const DENIED: i32 = -5;
    const PAD_SERVER: u32 = 0x8000_010F;
    const OPEN_PAD: u32 = 0x8000_0100;
    let server = link.bind(CARD_SERVER, PATIENCE)?;
    // Whatever it says of the card, it may not say it there.
    call(link, &server, INFO, &[0, 0, 0, 1, 1, 1, 0, VECTORS], NOTHING, 4)?;
    let page = call(link, &server, READ_PAGE, &[0, 0, 0, 0, 0, 0, VECTORS, RECORD], NOTHING, 4)?[0] as i32;
    tally.equal("a card's page is not read there", page, DENIED);
    let loader = Loader::bind(link)?;
    loader.load_module(link, b"rom0:PADMAN", b"")?;
    let server = link.bind(PAD_SERVER, PATIENCE)?;
    let opened = call(link, &server, 1, &[OPEN_PAD, 0, 0, 0, VECTORS], NOTHING, 16)?[3];
    tally.equal("a pad is not opened to there", opened, 0);
    Ok(())
}
