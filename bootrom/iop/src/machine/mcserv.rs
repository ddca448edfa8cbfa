//! MCSERV: the memory cards for the EE, server 80000400.
//!
//! Both sets of function numbers are understood, as the second driver does; the first one knows only its own.
//! Source: IOP kernel, MCSERV

mod functions;
mod pages;

use super::cards::{self, FILES, FileTable, PORTS, file_of, time};
use super::critical::Shared;
use super::mcman::{KIND_PS2, Wire, detect};
use super::server::{self, ServerThread, Service, end_text, words_of};
use super::sifrpc_client::{Fetched, fetch};
use super::{ioman::text_of, sifman};
use bootrom_iop::card::entry::Entry;
use bootrom_iop::card::files::Changes;
use bootrom_iop::card::{Card, CardError, result_of};
use bootrom_iop::edges::{Cut, Edges, cut};
use bootrom_iop::errors::Error;
use core::cell::UnsafeCell;
use functions::{Function, function_of};

static SERVER: ServerThread = ServerThread {
    name: "MCSERV",
    priority: 104,
    services: &[Service { sid: 0x8000_0400, function: serve, buffer_bytes: 0x800 }],
};

/// Bytes that travel at a time.
const CHUNK: usize = 0x2000;
const PATH_BYTES: usize = 1024;
/// Place of the path in a request.
const PATH: usize = 0x14;
/// Versions that the second driver tells: at least what clients ask for.
const VERSION_SERVER: u32 = 0x0208;
const VERSION_CARDS: u32 = 0x0208;

/// What the server keeps of a slot.
struct Port {
    directory: [u8; PATH_BYTES],
    /// Where a listing goes on.
    listed: u32,
}

const NO_PORT: Port = Port { directory: [0; PATH_BYTES], listed: 0 };

/// Everything that only the server's thread uses; the DMA reads and writes its buffers.
#[repr(C, align(64))]
struct State {
    reply: [u32; 4],
    chunk: [u8; CHUNK],
    small: [u8; 192],
    edges_old: Edges<16>,
    edges_new: Edges<64>,
    ports: [Port; PORTS],
    path: [u8; PATH_BYTES],
}

struct Owned(UnsafeCell<State>);
// SAFETY: only the server's thread touches it.
unsafe impl Sync for Owned {}
static STATE: Owned = Owned(UnsafeCell::new(State {
    reply: [0; 4],
    chunk: [0; CHUNK],
    small: [0; 192],
    edges_old: Edges::EMPTY,
    edges_new: Edges::EMPTY,
    ports: [NO_PORT; PORTS],
    path: [0; PATH_BYTES],
}));
/// True when the second driver was started: the newer function numbers count.
static NEWER: Shared<bool> = Shared::new(false);

/// Starts the first driver.
///
/// # Errors
/// No record or no memory.
pub fn start_old() -> Result<(), Error> {
    cards::start()?;
    server::start(&SERVER);
    Ok(())
}

/// Starts the second driver.
///
/// # Errors
/// No record or no memory.
pub fn start_new() -> Result<(), Error> {
    NEWER.with(|newer| *newer = true);
    start_old()
}

/// A request's words, as far as they are numbers.
#[derive(Clone, Copy)]
struct Request {
    words: [u32; 8],
    buffer: *mut u32,
}

impl Request {
    /// Requests about an open file.
    fn fd(&self) -> i32 {
        self.words[0] as i32
    }
    fn size(&self) -> u32 {
        self.words[3]
    }
    fn offset(&self) -> u32 {
        self.words[4]
    }
    fn origin(&self) -> u32 {
        self.words[5]
    }
    fn data(&self) -> u32 {
        self.words[6]
    }
    fn parameter(&self) -> u32 {
        self.words[7]
    }
}

extern "C" fn serve(number: u32, buffer: *mut u32, _size: u32) -> *mut u32 {
    // SAFETY: this is the server's thread; it serves one request at a time.
    let state = unsafe { &mut *STATE.0.get() };
    // SAFETY: the buffer is the service's and larger than eight words.
    let request = Request { words: *unsafe { words_of::<8>(buffer) }, buffer };
    let (function, newer) = function_of(number);
    if newer && !NEWER.with(|newer| *newer) {
        // The first driver does not know the number: the last result stays.
        return state.reply.as_mut_ptr();
    }
    if let Function::Init { tells_versions } = function {
        // The server's thread may wait.
        let _ = cards::with(|_, files| *files = [None; FILES]);
        state.reply = if tells_versions { [0, VERSION_SERVER, VERSION_CARDS, 0] } else { [0; 4] };
        return state.reply.as_mut_ptr();
    }
    if function == Function::Other {
        return state.reply.as_mut_ptr();
    }
    let done = cards::with(|ports, files| answer(state, &mut Both { ports, files }, function, newer, &request));
    // As above.
    let result = match done.unwrap_or(Err(CardError::NoCard)) {
        Ok(value) => value as i32,
        Err(error) => error as i32,
    };
    state.reply = [result as u32, 0, 0, 0];
    state.reply.as_mut_ptr()
}

/// The cards and their open files, held for a request.
struct Both<'a> {
    ports: &'a mut [Card<Wire>; PORTS],
    files: &'a mut FileTable,
}

fn answer(
    state: &mut State,
    cards: &mut Both<'_>,
    function: Function,
    newer: bool,
    request: &Request,
) -> Result<u32, CardError> {
    match function {
        Function::Info => info(state, cards, newer, request),
        Function::Close | Function::Flush => close(cards, request.fd(), function == Function::Close),
        Function::Read if newer => read(state, cards, request, true),
        Function::Read => read(state, cards, request, false),
        Function::Write => write(state, cards, request),
        Function::Seek => {
            let (_, file) = file_of(cards.files, request.fd())?;
            Ok(cards::seek(file, request.offset() as i32, request.origin()))
        }
        Function::ErasePages | Function::ReadPage | Function::WritePage => {
            pages::answer(state, cards, function, request)
        }
        Function::Format | Function::Unformat => format(cards, request, function == Function::Format),
        _ => named(state, cards, function, request),
    }
}

/// The number of the port that words 1 and 2 name.
fn port_of(port: u32, slot: u32) -> Result<usize, CardError> {
    let port = port as usize;
    if port < PORTS && slot == 0 { Ok(port) } else { Err(CardError::NoCard) }
}

/// Sends to the EE's memory, if a program has some there; null is nowhere.
fn send(source: *const u8, destination: u32, size: u32) {
    if destination != 0 {
        sifman::give_program(source as u32, destination, size);
    }
}

/// Tells about a port's card: the result says whether it is the same one, the rest goes to the request's parameter.
fn info(state: &mut State, cards: &mut Both<'_>, newer: bool, request: &Request) -> Result<u32, CardError> {
    const FORMATTED: usize = 0x90;
    let number = port_of(request.words[1], request.words[2])?;
    let (port, card) = (&mut state.ports[number], &mut cards.ports[number]);
    let found = detect(card);
    let usable = matches!(found, Ok(()) | Err(CardError::Changed));
    let present = usable || found == Err(CardError::Unformatted);
    if found.is_err() {
        port.directory[0] = 0;
        port.listed = 0;
    }
    let counted = if usable && request.offset() != 0 { card.free_clusters() } else { Ok(0) };
    let free = counted.unwrap_or(0);
    let kind = if present { KIND_PS2 } else { 0 };
    state.small = [0; 192];
    state.small[..4].copy_from_slice(&kind.to_le_bytes());
    state.small[4..8].copy_from_slice(&free.to_le_bytes());
    state.small[FORMATTED] = usable.into();
    send(state.small.as_ptr(), request.parameter(), if newer { 192 } else { 64 });
    result_of(found, counted).map(|()| 0)
}

fn close(cards: &mut Both<'_>, fd: i32, closes: bool) -> Result<u32, CardError> {
    let (port, file) = file_of(cards.files, fd)?;
    let result = cards.ports[*port].flush_file(file, time());
    if closes {
        cards.files[fd as usize] = None;
    }
    result.map(|()| 0)
}

/// Reads to the EE's memory; how many bytes.
fn read(state: &mut State, cards: &mut Both<'_>, request: &Request, newer: bool) -> Result<u32, CardError> {
    let line: u32 = if newer { 64 } else { 16 };
    let (port, file) = file_of(cards.files, request.fd())?;
    let card = &mut cards.ports[*port];
    detect(card)?;
    let size = request.size().min(file.length().saturating_sub(file.position));
    let destination = request.data();
    let Cut { head, middle, tail } = cut(destination, size, line);
    let edges = &mut state.edges_new;
    *edges = Edges::EMPTY;
    (edges.head_bytes, edges.head_destination) = (head, destination);
    (edges.tail_bytes, edges.tail_destination) = (tail, destination + head + middle);
    card.read(file, &mut edges.head[..head as usize])?;
    let mut done = 0;
    while done < middle {
        let count = (middle - done).min(CHUNK as u32);
        card.read(file, &mut state.chunk[..count as usize])?;
        if !sifman::give_program(state.chunk.as_ptr() as u32, destination + head + done, count) {
            return Err(CardError::Denied);
        }
        done += count;
    }
    card.read(file, &mut edges.tail[..tail as usize])?;
    if newer {
        send((&raw const state.edges_new).cast(), request.parameter(), Edges::<64>::BYTES);
    } else {
        let Edges { head_bytes, tail_bytes, head_destination, tail_destination, head, tail } = state.edges_new;
        let short = |bytes: [u8; 64]| core::array::from_fn(|index| bytes[index]);
        let (head, tail) = (short(head), short(tail));
        state.edges_old = Edges { head_bytes, tail_bytes, head_destination, tail_destination, head, tail };
        send((&raw const state.edges_old).cast(), request.parameter(), Edges::<16>::BYTES);
    }
    Ok(size)
}

/// Writes the head that came with the request and what lies in the EE's memory behind it; how many bytes.
fn write(state: &mut State, cards: &mut Both<'_>, request: &Request) -> Result<u32, CardError> {
    const HEAD: usize = 0x20;
    const HEAD_BYTES: u32 = 16;
    let (port, file) = file_of(cards.files, request.fd())?;
    let card = &mut cards.ports[*port];
    detect(card)?;
    let head_bytes = request.origin().min(HEAD_BYTES);
    // SAFETY: the head lies inside of the request buffer.
    let head = unsafe { core::slice::from_raw_parts(request.buffer.cast::<u8>().add(HEAD), head_bytes as usize) };
    card.write(file, head)?;
    let mut done = 0;
    while done < request.size() {
        let count = (request.size() - done).min(CHUNK as u32);
        let target = state.chunk.as_mut_ptr() as u32;
        fetch(&mut Fetched::new(), request.data() + done, target, count.next_multiple_of(16), 0)
            .map_err(|_| CardError::NoCard)?;
        card.write(file, &state.chunk[..count as usize])?;
        done += count;
    }
    Ok(head_bytes + done)
}

fn format(cards: &mut Both<'_>, request: &Request, formats: bool) -> Result<u32, CardError> {
    let card = &mut cards.ports[port_of(request.words[1], request.words[2])?];
    match detect(card) {
        Err(CardError::NoCard) => return Err(CardError::NoCard),
        Err(CardError::Changed) => return Err(CardError::Changed),
        _ => {}
    }
    let done = if formats { card.format(time()) } else { card.unformat() };
    done.map(|()| 0)
}

/// Open flags.
mod open {
    pub const WRITE: u32 = 2;
    pub const DIRECTORY: u32 = 0x40;
    pub const CREATE: u32 = 0x200;
}

/// Requests that name a file.
fn named(state: &mut State, cards: &mut Both<'_>, function: Function, request: &Request) -> Result<u32, CardError> {
    let [number, slot, flags, count, table, ..] = request.words;
    let number = port_of(number, slot)?;
    let (port, card) = (&mut state.ports[number], &mut cards.ports[number]);
    detect(card)?;
    // SAFETY: the path lies inside of the request buffer.
    let asked = unsafe { text_of(end_text(request.buffer, PATH, PATH_BYTES)) };
    let length = join(&port.directory, asked, &mut state.path);
    let path = &state.path[..length];
    match function {
        Function::Open if flags & open::DIRECTORY != 0 => {
            card.make_directory(path, time())?;
            card.flush()?;
            Ok(0)
        }
        Function::Open => {
            let (creates, writes) = (flags & open::CREATE != 0, flags & (open::WRITE | open::CREATE) != 0);
            cards::open(card, number, cards.files, path, (writes, creates))
        }
        Function::Remove => card.remove(path).map(|()| 0),
        Function::EntrySpace => card.entry_space(path),
        Function::ChangeDirectory => {
            if !card.is_directory(path)? {
                return Err(CardError::NoEntry);
            }
            port.directory = [0; PATH_BYTES];
            port.directory[..length].copy_from_slice(path);
            send(port.directory.as_ptr(), table, PATH_BYTES as u32);
            Ok(0)
        }
        Function::List => {
            if flags == 0 {
                port.listed = 0;
            }
            let mut listed = 0;
            while listed < count {
                let Some((next, entry)) = card.list(path, port.listed)? else { break };
                port.listed = next;
                state.small[..LISTED_BYTES].copy_from_slice(&listed_entry(&entry));
                send(state.small.as_ptr(), table + listed * LISTED_BYTES as u32, LISTED_BYTES as u32);
                listed += 1;
            }
            Ok(listed)
        }
        _ => change(card, path, flags, table, &mut state.small),
    }
}

/// Puts a path behind the directory it is relative to, if it is; the result is its length.
fn join(directory: &[u8; PATH_BYTES], path: &[u8], target: &mut [u8; PATH_BYTES]) -> usize {
    let (before, between): (usize, &[u8]) = match path {
        [b'/', ..] => (0, b""),
        _ => (directory.iter().position(|byte| *byte == 0).unwrap_or(0), b"/"),
    };
    let bytes = directory[..before].iter().chain(between).chain(path);
    let mut length = 0;
    for (slot, byte) in target.iter_mut().zip(bytes) {
        *slot = *byte;
        length += 1;
    }
    length
}

/// Bytes of an entry as listings tell it.
const LISTED_BYTES: usize = 64;
/// Change flags.
mod change_flag {
    pub const CREATED: u32 = 1;
    pub const MODIFIED: u32 = 2;
    pub const ATTRIBUTES: u32 = 4;
    pub const NAME: u32 = 0x10;
}

/// An entry as listings tell it: times, size, attributes, name.
fn listed_entry(entry: &Entry) -> [u8; LISTED_BYTES] {
    let mut bytes = [0; LISTED_BYTES];
    bytes[..8].copy_from_slice(&entry.created);
    bytes[8..0x10].copy_from_slice(&entry.modified);
    let size = if entry.is_directory() { 0 } else { entry.length };
    bytes[0x10..0x14].copy_from_slice(&size.to_le_bytes());
    bytes[0x14..0x16].copy_from_slice(&entry.mode.to_le_bytes());
    bytes[0x18..0x1C].copy_from_slice(&entry.attributes.to_le_bytes());
    bytes[0x20..].copy_from_slice(&entry.name);
    bytes
}

/// Changes an entry by a listed one that lies in the EE's memory.
fn change(
    card: &mut Card<Wire>,
    path: &[u8],
    flags: u32,
    source: u32,
    small: &mut [u8; 192],
) -> Result<u32, CardError> {
    let target = small.as_mut_ptr() as u32;
    fetch(&mut Fetched::new(), source, target, LISTED_BYTES as u32, 0).map_err(|_| CardError::NoCard)?;
    let time = |at: usize| core::array::from_fn(|index| small[at + index]);
    let wanted = |flag: u32| flags & flag != 0;
    let mode = u16::from_le_bytes([small[0x14], small[0x15]]);
    let attributes = u32::from_le_bytes([small[0x18], small[0x19], small[0x1A], small[0x1B]]);
    let name = small[0x20..LISTED_BYTES].split(|byte| *byte == 0).next().unwrap_or_default();
    let changes = Changes {
        created: wanted(change_flag::CREATED).then(|| time(0)),
        modified: wanted(change_flag::MODIFIED).then(|| time(8)),
        attributes: wanted(change_flag::ATTRIBUTES).then_some((mode, attributes)),
        name: wanted(change_flag::NAME).then_some(name),
    };
    card.change(path, &changes).map(|()| 0)
}
