//! MCSERV: a card from the shop is formatted, filled, listed, emptied and unformatted, by the numbers of either driver.

use super::{Tally, call};
use crate::client::PATIENCE;
use boardwalk::ee::cache;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::call::{Bytes, Reply, Server};
use boardwalk::ee::sif::link::Link;
use boardwalk::ee::sif::loader::Loader;
use boardwalk::ee::sif::request::FILE_SERVER;
use core::cell::UnsafeCell;

const SERVER: u32 = 0x8000_0400;
const UNCACHED: u32 = 0x2000_0000;
/// Milliseconds that a format may take.
const LONG: u32 = 60_000;

/// Functions, as the first driver numbers them and as the second one does.
#[derive(Clone, Copy)]
struct Numbers {
    begin: u32,
    info: u32,
    open: u32,
    close: u32,
    seek: u32,
    read: u32,
    write: u32,
    flush: u32,
    change_directory: u32,
    list: u32,
    change: u32,
    remove: u32,
    format: u32,
    unformat: u32,
    /// Bytes of an end of a read that lies between two lines.
    line: usize,
}

const OLD: Numbers = Numbers {
    begin: 0x70,
    info: 0x78,
    open: 0x71,
    close: 0x72,
    seek: 0x75,
    read: 0x73,
    write: 0x74,
    flush: 0x7A,
    change_directory: 0x7B,
    list: 0x76,
    change: 0x7C,
    remove: 0x79,
    format: 0x77,
    unformat: 0x80,
    line: 16,
};
const NEW: Numbers = Numbers {
    begin: 0xFE,
    info: 0x01,
    open: 0x02,
    close: 0x03,
    seek: 0x04,
    read: 0x05,
    write: 0x06,
    flush: 0x0A,
    change_directory: 0x0C,
    list: 0x0D,
    change: 0x0E,
    remove: 0x0F,
    format: 0x10,
    unformat: 0x11,
    line: 64,
};

/// A number that only the second driver has.
const ENTRY_SPACE: u32 = 0x12;

const READ: u32 = 1;
const WRITE: u32 = 2;
const CREATE: u32 = 0x200;
const DIRECTORY: u32 = 0x40;
const UNFORMATTED: i32 = -2;
const NO_ENTRY: i32 = -4;
const DENIED: i32 = -5;
const NOT_EMPTY: i32 = -6;
const MANY: i32 = -7;
const NO_CARD: i32 = -10;

/// Bytes that the server writes: what it tells, the ends of a read, what it read, a listing, a directory.
const AREA: usize = 0x1000;
const TOLD: usize = 0;
const DATA: usize = 0x100;
const LISTING: usize = 0x400;
const CURRENT: usize = 0x800;
#[repr(C, align(64))]
struct Area(UnsafeCell<[u8; AREA]>);
// SAFETY: one thread uses it, past the cache, and the IOP's DMA between two calls of it.
unsafe impl Sync for Area {}
static SHARED: Area = Area(UnsafeCell::new([0; AREA]));

impl Area {
    fn at(&self, offset: usize) -> u32 {
        self.0.get() as u32 + offset as u32
    }

    fn byte(&self, offset: usize) -> u8 {
        // SAFETY: inside of the area, which its mirror shows past the cache.
        unsafe { ((self.at(0) | UNCACHED) as *const u8).add(offset.min(AREA - 1)).read_volatile() }
    }

    fn put(&self, offset: usize, byte: u8) {
        // SAFETY: as above.
        unsafe { ((self.at(0) | UNCACHED) as *mut u8).add(offset.min(AREA - 1)).write_volatile(byte) };
    }

    fn word(&self, offset: usize) -> u32 {
        u32::from_le_bytes(core::array::from_fn(|index| self.byte(offset + index)))
    }

    fn begins_with(&self, offset: usize, text: &[u8]) -> bool {
        text.iter().enumerate().all(|(index, byte)| self.byte(offset + index) == *byte)
    }
}

struct Cards<'a> {
    link: &'a mut Link,
    server: Server,
    numbers: Numbers,
}

impl Cards<'_> {
    /// Calls a function about an open file or a slot, with up to twelve words.
    fn file(&mut self, function: u32, words: &[u32]) -> Result<i32, Error> {
        let mut request = Bytes([0; 48]);
        for (index, word) in words.iter().enumerate() {
            request.0[4 * index..][..4].copy_from_slice(&word.to_le_bytes());
        }
        let mut reply = Reply::<16>::preset(super::UNTOUCHED);
        self.link.call(&self.server, function, &request.0, &mut reply, 16, LONG)?;
        Ok(reply.0[0] as i32)
    }

    /// Calls a function about a name in the first slot: flags, how many, where to.
    fn name(&mut self, function: u32, words: [u32; 3], name: &[u8]) -> Result<i32, Error> {
        let mut request = Bytes([0; 0x420]);
        for (index, word) in [0, 0, words[0], words[1], words[2]].into_iter().enumerate() {
            request.0[4 * index..][..4].copy_from_slice(&word.to_le_bytes());
        }
        request.0[0x14..0x14 + name.len()].copy_from_slice(name);
        let mut reply = Reply::<16>::preset(super::UNTOUCHED);
        self.link.call(&self.server, function, &request.0, &mut reply, 16, LONG)?;
        Ok(reply.0[0] as i32)
    }

    /// What the server says of a slot; kind and free memory stand in the area then.
    fn info(&mut self, port: u32) -> Result<i32, Error> {
        self.file(self.numbers.info, &[0, port, 0, 1, 1, 1, 0, SHARED.at(TOLD)])
    }

    fn open(&mut self, flags: u32, name: &[u8]) -> Result<i32, Error> {
        self.name(self.numbers.open, [flags, 0, 0], name)
    }

    fn close(&mut self, file: i32) -> Result<i32, Error> {
        self.file(self.numbers.close, &[file as u32])
    }

    fn remove(&mut self, name: &[u8]) -> Result<i32, Error> {
        self.name(self.numbers.remove, [0; 3], name)
    }
}

/// Proves the first driver's server, or the second one's.
pub fn run(tally: &mut Tally, link: &mut Link, newer: bool) -> Result<(), Error> {
    let loader = Loader::bind(link)?;
    let drivers: [&[u8]; 2] = if newer { [b"rom0:XMCMAN", b"rom0:XMCSERV"] } else { [b"rom0:MCMAN", b"rom0:MCSERV"] };
    for driver in drivers {
        loader.load_module(link, driver, b"")?;
    }
    let server = link.bind(SERVER, PATIENCE)?;
    cache::write_back(SHARED.at(0) as *const u8, AREA);
    let mut cards = Cards { link, server, numbers: if newer { NEW } else { OLD } };
    tally.equal("a flush of no file is refused", cards.file(cards.numbers.flush, &[u32::MAX])?, DENIED);
    tally.equal("the cards' server begins", cards.file(cards.numbers.begin, &[0])?, 0);
    let found = (cards.info(0)?, SHARED.word(TOLD));
    tally.equal("a card from the shop is not formatted", found, (UNFORMATTED, 2));
    tally.equal("nothing is opened on it", cards.open(READ, b"/A")?, UNFORMATTED);
    tally.equal("there is no card in the other slot", cards.info(1)?, NO_CARD);
    tally.equal("a card is formatted", cards.file(cards.numbers.format, &[0, 0, 0])?, 0);
    let found = (cards.info(0)?, SHARED.word(TOLD), SHARED.word(TOLD + 4) > 7_900);
    tally.equal("and has its free memory then", found, (0, 2, true));
    tally.equal("a directory is made on it", cards.open(DIRECTORY, b"/BWTEST")?, 0);
    tally.equal("a file that is not there is not opened", cards.open(READ, b"/BWTEST/A.BIN")?, NO_ENTRY);
    contents(tally, &mut cards)?;
    directories(tally, &mut cards)?;
    device(tally, cards.link)?;
    pages(tally, &mut cards)?;
    tally.equal("a card is unformatted", cards.file(cards.numbers.unformat, &[0, 0, 0])?, 0);
    tally.equal("and is as from the shop", cards.info(0)?, UNFORMATTED);
    Ok(())
}

/// Bytes of the file: those that travel with a write, and the others.
const HEAD: usize = 4;
const REST: usize = 96;

fn contents(tally: &mut Tally, cards: &mut Cards<'_>) -> Result<(), Error> {
    let file = cards.open(WRITE | CREATE, b"/BWTEST/A.BIN")?;
    tally.equal("a file is made", file >= 0, true);
    for index in 0..REST {
        SHARED.put(DATA + index, (HEAD + index) as u8);
    }
    // The head's bytes are 0 to 3; the IOP fetches the others.
    let head = u32::from_le_bytes([0, 1, 2, 3]);
    let words = [file as u32, 0, 0, REST as u32, 0, HEAD as u32, SHARED.at(DATA), 0, head];
    let whole = (HEAD + REST) as i32;
    tally.equal("a file is written", cards.file(cards.numbers.write, &words)?, whole);
    tally.equal("and what is held back, too", cards.file(cards.numbers.flush, &[file as u32])?, 0);
    tally.equal("a file is closed", cards.close(file)?, 0);
    tally.equal("once", cards.close(file)?, DENIED);
    let file = cards.open(READ, b"/BWTEST/A.BIN")?;
    let sought = [(0, 2), (-10, 2), (0, 0)]
        .map(|(offset, origin)| cards.file(cards.numbers.seek, &[file as u32, 0, 0, 0, offset as u32, origin]).ok());
    tally.equal("places in a file are found", sought, [Some(whole), Some(whole - 10), Some(0)]);
    for index in 0..0x100 {
        SHARED.put(DATA + index, 0xEE);
    }
    let words = [file as u32, 0, 0, 200, 0, 0, SHARED.at(DATA), SHARED.at(TOLD)];
    tally.equal("a file is read to its end", cards.file(cards.numbers.read, &words)?, whole);
    // Whole lines lie where they were asked for, the rest stands in the record of the ends.
    let line = cards.numbers.line;
    let middle = (HEAD + REST) / line * line;
    let tail = SHARED.word(TOLD + 4) as usize;
    let lines = (0..middle).all(|index| SHARED.byte(DATA + index) == index as u8);
    let ends = (0..tail).all(|index| SHARED.byte(TOLD + 16 + line + index) == (middle + index) as u8);
    tally.equal("all of it, in lines and an end", (lines, ends, middle + tail), (true, true, HEAD + REST));
    tally.equal(
        "three files may be open",
        [cards.open(READ, b"/BWTEST/A.BIN")?, cards.open(READ, b"/BWTEST/A.BIN")?].map(|file| file >= 0),
        [true; 2],
    );
    tally.equal("and no fourth", cards.open(READ, b"/BWTEST/A.BIN")?, MANY);
    for file in 0..3 {
        cards.close(file)?;
    }
    Ok(())
}

/// Bytes of a listed entry, and places in it.
const ENTRY: usize = 64;
const ENTRY_SIZE: usize = 0x10;
const ENTRY_NAME: usize = 0x20;
const NAME_CHANGES: u32 = 0x10;

fn directories(tally: &mut Tally, cards: &mut Cards<'_>) -> Result<(), Error> {
    let listed = cards.name(cards.numbers.list, [0, 8, SHARED.at(LISTING)], b"/BWTEST/*")?;
    let file = (0..listed.max(0) as usize)
        .map(|index| LISTING + index * ENTRY)
        .find(|at| SHARED.begins_with(at + ENTRY_NAME, b"A.BIN\0"));
    tally.equal(
        "a directory is listed",
        (listed, file.map(|at| SHARED.word(at + ENTRY_SIZE))),
        (3, Some((HEAD + REST) as u32)),
    );
    let one = cards.name(cards.numbers.list, [0, 8, SHARED.at(LISTING)], b"/BWTEST/A.*")?;
    tally.equal("or what fits a pattern", one, 1);
    let first = cards.name(cards.numbers.list, [0, 2, SHARED.at(LISTING)], b"/BWTEST/*")?;
    let rest = cards.name(cards.numbers.list, [1, 8, SHARED.at(LISTING)], b"/BWTEST/*")?;
    tally.equal("or piece by piece", [first, rest], [2, 1]);
    // The first driver does not know the number, and its last result stays.
    let (newer, last) = (cards.numbers.begin == NEW.begin, rest);
    let space = cards.name(ENTRY_SPACE, [0; 3], b"/BWTEST")?;
    // Its own two entries and one file, two to a cluster.
    tally.equal("the second driver tells the room for entries", space, if newer { 1 } else { last });
    for (index, byte) in b"B.BIN\0".iter().enumerate() {
        SHARED.put(LISTING + ENTRY_NAME + index, *byte);
    }
    let renamed = cards.name(cards.numbers.change, [NAME_CHANGES, 0, SHARED.at(LISTING)], b"/BWTEST/A.BIN")?;
    let file = cards.open(READ, b"/BWTEST/B.BIN")?;
    tally.equal("a file is renamed", (renamed, file >= 0), (0, true));
    cards.close(file)?;
    let moved = cards.name(cards.numbers.change_directory, [0, 0, SHARED.at(CURRENT)], b"/BWTEST")?;
    tally.equal("paths begin at a directory", (moved, SHARED.begins_with(CURRENT, b"/BWTEST\0")), (0, true));
    let file = cards.open(READ, b"B.BIN")?;
    tally.equal("a file is opened there", file >= 0, true);
    cards.close(file)?;
    tally.equal("a directory with files stays", cards.remove(b"/BWTEST")?, NOT_EMPTY);
    tally.equal("a file is removed", [cards.remove(b"B.BIN")?, cards.remove(b"B.BIN")?], [0, NO_ENTRY]);
    tally.equal("an empty directory is removed", cards.remove(b"/BWTEST")?, 0);
    Ok(())
}

/// Pages past the file system, of a block that no file has. The older numbers alone have them, and both drivers know those.
fn pages(tally: &mut Tally, cards: &mut Cards<'_>) -> Result<(), Error> {
    const ERASE: u32 = 0x7D;
    const READ_PAGE: u32 = 0x7E;
    const WRITE_PAGE: u32 = 0x7F;
    const BLOCK: u32 = 1000;
    const PAGE: u32 = 16 * BLOCK + 3;
    const BYTES: usize = 512;
    const LINE: usize = 16;
    let value = |index: usize| (index ^ index >> 8) as u8 | 1;
    let at = |index: usize| (DATA + 4 + index, LISTING + 8 + index);
    for index in 0..BYTES {
        SHARED.put(at(index).0, value(index));
    }
    // What lies before the first line and behind the last one travels with the request.
    let before = LINE - 4;
    let end: [u8; LINE] =
        core::array::from_fn(|index| value(if index < before { index } else { index + BYTES - LINE }));
    let end: [u32; 4] =
        core::array::from_fn(|word| u32::from_le_bytes(core::array::from_fn(|index| end[4 * word + index])));
    let erased = cards.file(ERASE, &[0, 0, 0, 0, BLOCK, 0])?;
    let write = [PAGE, 0, 0, 0, 0, 0, SHARED.at(at(0).0), 0, end[0], end[1], end[2], end[3]];
    tally.equal("a page is written past the file system", (erased, cards.file(WRITE_PAGE, &write)?), (0, 0));
    let read = |page: u32| [page, 0, 0, 0, 0, 0, SHARED.at(at(0).1), SHARED.at(TOLD)];
    let done = cards.file(READ_PAGE, &read(PAGE))?;
    // The client puts both ends in their places.
    for (length, target, from) in [(TOLD, TOLD + 8, TOLD + 16), (TOLD + 4, TOLD + 12, TOLD + 16 + LINE)] {
        let target = (SHARED.word(target) - SHARED.at(0)) as usize;
        for index in 0..SHARED.word(length) as usize {
            SHARED.put(target + index, SHARED.byte(from + index));
        }
    }
    let good = (0..BYTES).all(|index| SHARED.byte(at(index).1) == value(index));
    tally.equal("and read as it was written, to any address", (done, good), (0, true));
    let gone = cards.file(ERASE, &[0, 0, 0, 0, BLOCK, 0])?;
    let done = cards.file(READ_PAGE, &read(PAGE))?;
    tally.equal("until its block is erased", (gone, done, SHARED.byte(at(LINE).1)), (0, 0, 0xFF));
    tally.equal("a page beyond the card is refused", cards.file(READ_PAGE, &read(0x4000))?, DENIED);
    tally.equal("the card is still the same", cards.info(0)?, 0);
    Ok(())
}

/// The same card as a device of the file server.
fn device(tally: &mut Tally, link: &mut Link) -> Result<(), Error> {
    const OPEN: u32 = 0;
    const CLOSE: u32 = 1;
    const READ_FILE: u32 = 2;
    const WRITE_FILE: u32 = 3;
    const SEEK: u32 = 4;
    const REMOVE: u32 = 6;
    const MAKE: u32 = 7;
    const REMOVE_DIRECTORY: u32 = 8;
    const OPEN_DIRECTORY: u32 = 9;
    const CLOSE_DIRECTORY: u32 = 10;
    const READ_DIRECTORY: u32 = 11;
    const STATUS: u32 = 12;
    /// Where the second end of a read stands behind its record, a status its size, and a record its name.
    const TAIL: usize = 32;
    const SIZE: usize = 8;
    const NAME: usize = 40;
    const NOTHING: (usize, &[u8]) = (0, b"");
    let server = link.bind(FILE_SERVER, PATIENCE)?;
    let mut ask = |number, words: &[u32], text| Ok::<_, Error>(call(link, &server, number, words, text, 4)?[0] as i32);
    let file = ask(OPEN, &[WRITE | CREATE], (4, &b"mc0:/FILE.TXT"[..]))?;
    tally.equal("a card's file is made as a device's", file >= 0, true);
    let [head, rest] = [*b"hell", *b"o\0\0\0"].map(u32::from_le_bytes);
    let written = ask(WRITE_FILE, &[file as u32, SHARED.at(DATA) + 11, 5, 5, head, rest], NOTHING)?;
    let closed = ask(CLOSE, &[file as u32], NOTHING)?;
    tally.equal("written and closed", [written, closed], [5, 0]);
    let file = ask(OPEN, &[READ], (4, &b"mc0:/FILE.TXT"[..]))?;
    let place = ask(SEEK, &[file as u32, 1, 0], NOTHING)?;
    let count = ask(READ_FILE, &[file as u32, SHARED.at(DATA), 16, SHARED.at(TOLD)], NOTHING)?;
    ask(CLOSE, &[file as u32], NOTHING)?;
    // A piece of a line stands in the record of the ends, or, where that was asked for whole, in its place.
    let there = SHARED.begins_with(TOLD + TAIL, b"ello") || SHARED.begins_with(DATA, b"ello");
    tally.equal("read from a place on", (place, count, there), (1, 4, true));
    let told = ask(STATUS, &[SHARED.at(LISTING)], (4, &b"mc0:/FILE.TXT"[..]))?;
    tally.equal("a status has kind and size", (told, SHARED.word(LISTING), SHARED.word(LISTING + SIZE)), (0, 0x16, 5));
    tally.equal("a directory is made as a device's", ask(MAKE, &[], (0, &b"mc0:/DIR"[..]))?, 0);
    let listing = ask(OPEN_DIRECTORY, &[], (0, &b"mc0:/"[..]))?;
    let mut names = [false; 2];
    let mut count = 0;
    while count < 10 && ask(READ_DIRECTORY, &[listing as u32, SHARED.at(LISTING)], NOTHING)? > 0 {
        names[0] |= SHARED.begins_with(LISTING + NAME, b"FILE.TXT\0");
        names[1] |= SHARED.begins_with(LISTING + NAME, b"DIR\0");
        count += 1;
    }
    let closed = ask(CLOSE_DIRECTORY, &[listing as u32], NOTHING)?;
    tally.equal("and listed with all names", (names, count, closed), ([true; 2], 4, 0));
    let gone = [ask(REMOVE_DIRECTORY, &[], (0, &b"mc0:/DIR"[..]))?, ask(REMOVE, &[], (0, &b"mc0:/FILE.TXT"[..]))?];
    tally.equal("both are removed", gone, [0, 0]);
    tally.equal("a file that is gone is not opened", ask(OPEN, &[READ], (4, &b"mc0:/FILE.TXT"[..]))?, -2);
    tally.equal("nor one of a slot without a card", ask(OPEN, &[READ], (4, &b"mc1:/FILE.TXT"[..]))?, -5);
    Ok(())
}
