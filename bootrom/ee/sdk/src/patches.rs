//! What the SDK's patches of the IOP's loader do: they fetch the IOP's memory, walk from its first module to the loader's library
//! and its functions, look whether the loader's server can load from memory, and write over a function that would refuse
//! devices.

use boardwalk::ee::cache;
use boardwalk::ee::sif::Error;
use boardwalk::ee::sif::link::{Link, Patience};
use boardwalk::ee::syscall::{self, SifTransfer};
use core::cell::UnsafeCell;
use core::ffi::c_void;

/// Where the walk begins, how much is fetched at first, and of a library or a record later.
const FIRST: u32 = 0x800;
const WINDOW: usize = 0x4000;
const PIECE: usize = 0x300;
const RECORD: usize = 0x40;
/// Where the first library's table is: the loader's comes behind it in the list.
const FIRST_TABLE: u32 = 0x830;
/// Bytes at the end of the loader's code that have its table.
const END_OF_CODE: u32 = 512;
/// Places in tables and records.
const TABLE_NAME: u32 = 12;
const FUNCTIONS: u32 = 0x14;
const RECORD_NAME: usize = 1;
const RECORD_ID: usize = 3;
const RECORD_TEXT: u32 = 0x18;
/// The loader's functions, and the one that would refuse devices.
const LOADER_FUNCTIONS: usize = 16;
const IS_REFUSED: usize = 15;
/// `jr $31` and `addu $2, $0, $0`.
const RETURN_0: [u32; 2] = [0x03E0_0008, 0x0000_1021];

const UNCACHED: u32 = 0x2000_0000;
/// The fetch's command, its packet's size and attributes, the word of the link that names the IOP's buffer.
const FETCH: u32 = 0x8000_000C;
const PACKET_BYTES: u32 = 64;
const PACKET_ATTRIBUTES: u32 = 0x44;
const IOP_BUFFER: u32 = 0x8000_0000;
/// What the memory holds until it was fetched.
const NOT_YET: u32 = 0x5A5A_A5A5;
const MILLISECONDS: u32 = 2_000;

#[repr(C, align(64))]
struct Words<const N: usize>(UnsafeCell<[u32; N]>);
// SAFETY: one thread uses them, and the IOP's DMA between two calls of it.
unsafe impl<const N: usize> Sync for Words<N> {}
static PACKET: Words<16> = Words(UnsafeCell::new([0; 16]));
static FETCHED: Words<{ WINDOW / 4 }> = Words(UnsafeCell::new([0; WINDOW / 4]));
static PATCH: Words<16> = Words(UnsafeCell::new([0; 16]));

impl<const N: usize> Words<N> {
    fn address(&self) -> u32 {
        self.0.get() as u32
    }

    /// A word past the cache.
    fn word(&self, index: usize) -> u32 {
        // SAFETY: inside of the memory, which its mirror shows past the cache.
        unsafe { ((self.address() | UNCACHED) as *const u32).add(index.min(N - 1)).read_volatile() }
    }

    fn set(&self, index: usize, word: u32) {
        // SAFETY: as above.
        unsafe { ((self.address() | UNCACHED) as *mut u32).add(index.min(N - 1)).write_volatile(word) };
    }
}

/// The IOP's memory as it was fetched.
struct Piece {
    from: u32,
}

impl Piece {
    fn word(&self, address: u32) -> u32 {
        FETCHED.word((address.wrapping_sub(self.from) / 4) as usize)
    }

    fn is_called(&self, table: u32, name: &[u8; 8]) -> bool {
        let words = [self.word(table + TABLE_NAME), self.word(table + TABLE_NAME + 4)];
        words.map(u32::to_le_bytes).as_flattened() == name
    }
}

/// Sends words to the IOP and waits until they have left.
fn send(source: u32, destination: u32, size: u32, attributes: u32) -> Result<(), Error> {
    let transfer = SifTransfer { source: source as *const c_void, destination, size: size as i32, attributes };
    // SAFETY: the memory is ours and stays.
    let id = unsafe { syscall::sif_set_dma(&raw const transfer, 1) };
    // SAFETY: a number.
    let left = Patience::milliseconds(MILLISECONDS).wait_until(|| unsafe { syscall::sif_dma_stat(id) } < 0);
    if left { Ok(()) } else { Err(Error::NotSent) }
}

/// Fetches `bytes` of the IOP's memory.
fn fetch(_link: &Link, from: u32, bytes: usize) -> Result<Piece, Error> {
    let last = bytes.next_multiple_of(64) / 4 - 1;
    cache::write_back(FETCHED.address() as *const u8, WINDOW);
    FETCHED.set(last, NOT_YET);
    // A record of the client's table in use, the packet, a number, the client's record; source, target, size.
    let words = [
        PACKET_BYTES,
        0,
        FETCH,
        0,
        0x0001_0005,
        PACKET.address(),
        77,
        PACKET.address(),
        from,
        FETCHED.address(),
        4 * (last as u32 + 1),
    ];
    cache::write_back(PACKET.address() as *const u8, PACKET_BYTES as usize);
    for (index, word) in words.into_iter().enumerate() {
        PACKET.set(index, word);
    }
    // SAFETY: a number.
    let buffer = unsafe { syscall::sif_get_reg(IOP_BUFFER) };
    send(PACKET.address(), buffer, PACKET_BYTES, PACKET_ATTRIBUTES)?;
    match Patience::milliseconds(MILLISECONDS).wait_until(|| FETCHED.word(last) != NOT_YET) {
        true => Ok(Piece { from }),
        false => Err(Error::TimeOut),
    }
}

/// The lists' address, out of the code of the loader's fourth function.
fn lists(link: &Link) -> Result<Option<[u32; 2]>, Error> {
    let piece = fetch(link, FIRST, WINDOW)?;
    let loader = piece.word(FIRST);
    let end = piece.word(loader + RECORD_TEXT) + piece.word(loader + RECORD_TEXT + 4);
    let mut places = (end.wrapping_sub(END_OF_CODE)..end).step_by(4);
    let found = places.find(|at| piece.word(*at) == FIRST_TABLE && piece.is_called(*at, b"loadcore"));
    let Some(table) = found else { return Ok(None) };
    let function = piece.word(table + FUNCTIONS + 4 * 3);
    let (high, low) = (piece.word(function), piece.word(function + 4));
    if high & 0xFFFF_0000 != 0x3C02_0000 || low & 0xFFFF_0000 != 0x2442_0000 {
        return Ok(None);
    }
    let lists = high << 16 | low & 0xFFFF;
    Ok(Some([piece.word(lists), piece.word(lists + 4)]))
}

/// The functions of a library.
fn functions(link: &Link, newest: u32, name: &[u8; 8]) -> Result<Option<[u32; LOADER_FUNCTIONS]>, Error> {
    let mut at = newest;
    while at != 0 {
        let piece = fetch(link, at, PIECE)?;
        if piece.is_called(at, name) {
            return Ok(Some(core::array::from_fn(|number| piece.word(at + FUNCTIONS + 4 * number as u32))));
        }
        at = piece.word(at);
    }
    Ok(None)
}

/// What the walk found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The loader's library has its functions.
    pub loader: bool,
    /// The number of the loader's server as a module; 0 for none.
    pub server: u32,
    /// The function that would refuse devices returns at once now.
    pub patched: bool,
}

/// The number of the module whose name begins with `name`.
fn module(link: &Link, name: &[u8]) -> Result<u32, Error> {
    let mut at = FIRST;
    loop {
        let piece = fetch(link, at, RECORD)?;
        let record: [u32; 4] = core::array::from_fn(|index| piece.word(at + 4 * index as u32));
        let text = fetch(link, record[RECORD_NAME], RECORD)?;
        let bytes: [[u8; 4]; RECORD / 4] =
            core::array::from_fn(|index| text.word(text.from + 4 * index as u32).to_le_bytes());
        if bytes.as_flattened().starts_with(name) {
            return Ok(record[RECORD_ID] & 0xFFFF);
        }
        match record[0] {
            0 => return Ok(0),
            next => at = next,
        }
    }
}

/// Walks and writes.
///
/// # Errors
/// The IOP sends nothing.
pub fn apply(link: &Link) -> Result<Found, Error> {
    let mut found = Found { loader: false, server: 0, patched: false };
    let Some([newest, _]) = lists(link)? else { return Ok(found) };
    let Some(loader) = functions(link, newest, b"modload\0")? else { return Ok(found) };
    found.loader = loader.iter().all(|function| *function != 0);
    found.server = module(link, b"LoadModuleByEE")?;
    // The words around those two are written back as they are: transfers move sixteen bytes.
    let function = loader[IS_REFUSED];
    let line = function & !15;
    let piece = fetch(link, line, 64)?;
    let old: [u32; 8] = core::array::from_fn(|index| piece.word(line + 4 * index as u32));
    cache::write_back(PATCH.address() as *const u8, 64);
    for (index, word) in old.into_iter().enumerate() {
        PATCH.set(index, word);
    }
    let at = (function - line) as usize / 4;
    for (index, word) in RETURN_0.into_iter().enumerate() {
        PATCH.set(at + index, word);
    }
    send(PATCH.address(), line, 32, 0)?;
    let piece = fetch(link, line, 64)?;
    found.patched = [0, 1].map(|index| piece.word(function + 4 * index)) == RETURN_0;
    Ok(found)
}
