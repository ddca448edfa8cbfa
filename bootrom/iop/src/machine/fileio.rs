//! FILEIO: the EE's files, server 80000001.
//!
//! Every reply is one word. Data travels on its own: whole lines of 16 bytes by DMA to their destination, what lies outside of
//! them in a record that the EE takes apart when the reply is there.
//! Source: IOP kernel, FILEIO

use super::server::{self, ServerThread, Service, allocate, end_text, words_of};
use super::sifrpc_client::{Fetched, fetch};
use super::{ioman, sifman};
use crate::machine::ioman::errno;
use bootrom_iop::edges::{Cut, Edges, LINE, cut};
use bootrom_iop::file_status::{RECORD_BYTES, STATUS_BYTES};
use bootrom_iop::sif::Transfer;
use core::cell::UnsafeCell;

/// Function numbers.
mod function {
    pub const OPEN: u32 = 0;
    pub const CLOSE: u32 = 1;
    pub const READ: u32 = 2;
    pub const WRITE: u32 = 3;
    pub const LSEEK: u32 = 4;
    pub const IOCTL: u32 = 5;
    pub const REMOVE: u32 = 6;
    pub const MKDIR: u32 = 7;
    pub const RMDIR: u32 = 8;
    pub const DOPEN: u32 = 9;
    pub const DCLOSE: u32 = 10;
    pub const DREAD: u32 = 11;
    pub const GETSTAT: u32 = 12;
    pub const CHSTAT: u32 = 13;
    pub const FORMAT: u32 = 14;
    pub const ADD_DEVICE: u32 = 15;
    pub const REMOVE_DEVICE: u32 = 16;
}

static SERVER: ServerThread = ServerThread {
    name: "FILEIO",
    priority: 96,
    services: &[Service { sid: 0x8000_0001, function: serve, buffer_bytes: REQUEST_BYTES }],
};

const REQUEST_BYTES: u32 = 0x500;
const PATH_BYTES: usize = 256;
/// Bytes that are read or written at a time.
const CHUNK: u32 = 0x4000;

/// What the server's thread alone uses.
struct State {
    reply: [u32; 4],
    edges: Edges<16>,
    chunk: u32,
}

#[repr(align(16))]
struct Owned(UnsafeCell<State>);
// SAFETY: only the server's thread touches it.
unsafe impl Sync for Owned {}
static STATE: Owned = Owned(UnsafeCell::new(State { reply: [0; 4], edges: Edges::EMPTY, chunk: 0 }));

/// Starts the server.
pub fn start() {
    // SAFETY: the server's thread does not run yet.
    unsafe { (*STATE.0.get()).chunk = allocate(CHUNK) };
    server::start(&SERVER);
}

extern "C" fn serve(number: u32, buffer: *mut u32, _size: u32) -> *mut u32 {
    // SAFETY: this is the server's thread; it serves one request at a time.
    let state = unsafe { &mut *STATE.0.get() };
    // SAFETY: the buffer is the service's and larger than eight words.
    let request = *unsafe { words_of::<8>(buffer) };
    let [first, second, third, fourth, ..] = request;
    let fd = first as i32;
    let result = match number {
        // SAFETY: the path lies inside of the request buffer.
        function::OPEN => ioman::open(unsafe { end_text(buffer, 4, PATH_BYTES) }, first as i32),
        function::CLOSE => ioman::close(fd),
        function::READ => read(state, fd, second, third, fourth),
        function::WRITE => {
            // SAFETY: the head's bytes lie behind the four words.
            let head = unsafe { buffer.add(4).cast::<u8>() };
            write(state, fd, second, third, fourth.min(LINE), head)
        }
        function::LSEEK => ioman::lseek(fd, second as i32, third as i32),
        // SAFETY: the data lies behind the two words.
        function::IOCTL => ioman::ioctl(fd, second as i32, unsafe { buffer.add(2).cast() }),
        function::DCLOSE => ioman::dclose(fd),
        function::DREAD => told(state, second, RECORD_BYTES, |record| ioman::dread(fd, record)),
        function::GETSTAT => {
            // SAFETY: the path lies inside of the request buffer.
            let path = unsafe { end_text(buffer, 4, PATH_BYTES) };
            told(state, first, STATUS_BYTES, |status| ioman::getstat(path, status))
        }
        function::CHSTAT => {
            // SAFETY: status and path lie inside of the request buffer.
            let (status, path) = unsafe { (buffer.add(1).cast(), end_text(buffer, 4 + STATUS_BYTES, PATH_BYTES)) };
            ioman::chstat(path, status, first)
        }
        function::ADD_DEVICE => ioman::add_device(first as *mut ioman::Device),
        function::REMOVE..=function::DOPEN | function::FORMAT | function::REMOVE_DEVICE => {
            // SAFETY: the path lies inside of the request buffer.
            on_path(number, unsafe { end_text(buffer, 0, PATH_BYTES) })
        }
        _ => errno::INVALID,
    };
    state.reply[0] = result as u32;
    state.reply.as_mut_ptr()
}

/// Requests that are a path and nothing else.
///
/// Our choice: a file is removed without making a directory of its name, as the first driver did by mistake.
fn on_path(number: u32, path: *const u8) -> i32 {
    match number {
        function::REMOVE => ioman::remove(path),
        function::MKDIR => ioman::mkdir(path),
        function::RMDIR => ioman::rmdir(path),
        function::DOPEN => ioman::dopen(path),
        function::FORMAT => ioman::format(path),
        _ => ioman::remove_device(path),
    }
}

/// Lets `tell` fill a record of `bytes` and sends it to the EE's memory at `destination`.
fn told(state: &mut State, destination: u32, bytes: usize, tell: impl FnOnce(*mut u8) -> i32) -> i32 {
    let result = tell(state.chunk as *mut u8);
    if result >= 0 {
        let sent = sifman::give_program(state.chunk, destination, bytes as u32);
        return if sent { result } else { errno::INVALID };
    }
    result
}

/// Copies `bytes` from the chunk to a record's line: files are read to memory like a caller's alone.
///
/// # Safety
/// `chunk` has that many bytes, which nobody writes meanwhile.
unsafe fn keep(chunk: u32, line: &mut [u8; LINE as usize], bytes: u32) {
    // SAFETY: passed on to the caller.
    let read = unsafe { core::slice::from_raw_parts(chunk as *const u8, (bytes as usize).min(line.len())) };
    line[..read.len()].copy_from_slice(read);
}

/// Reads up to `size` bytes to the EE's memory at `destination`; how many, or the error that came before any.
fn read(state: &mut State, fd: i32, destination: u32, size: u32, record: u32) -> i32 {
    let Cut { head, middle, tail } = cut(destination, size, LINE);
    let mut done = 0;
    state.edges = Edges::EMPTY;
    let mut failed = 0;
    // Reads `count` bytes to `target`; false when the file ends or fails before.
    let mut piece = |target: *mut u8, count: u32, done: &mut u32| -> u32 {
        let got = ioman::read(fd, target, count as i32);
        if got < 0 {
            failed = got;
            return 0;
        }
        *done += got as u32;
        got as u32
    };
    let mut whole = true;
    if head > 0 {
        state.edges.head_destination = destination;
        state.edges.head_bytes = piece(state.chunk as *mut u8, head, &mut done);
        // SAFETY: the chunk is this thread's own and has just got that many bytes, which are less than a line.
        unsafe { keep(state.chunk, &mut state.edges.head, state.edges.head_bytes) };
        whole = state.edges.head_bytes == head;
    }
    let mut moved = 0;
    let mut refused = false;
    while whole && moved < middle {
        let count = (middle - moved).min(CHUNK);
        let got = piece(state.chunk as *mut u8, count, &mut done);
        refused = got > 0 && !sifman::give_program(state.chunk, destination + head + moved, got);
        moved += got;
        whole = got == count && !refused;
    }
    if whole && tail > 0 {
        state.edges.tail_destination = destination + head + middle;
        state.edges.tail_bytes = piece(state.chunk as *mut u8, tail, &mut done);
        // SAFETY: as above.
        unsafe { keep(state.chunk, &mut state.edges.tail, state.edges.tail_bytes) };
    }
    // A caller without a record wants none.
    if record != 0 {
        let source = (&raw const state.edges) as u32;
        let sent =
            sifman::send_to_program(Transfer { source, destination: record, size: Edges::<16>::BYTES, attributes: 0 });
        refused |= sent.is_none();
    }
    match (refused, done) {
        (true, _) => errno::INVALID,
        (false, 0) => failed,
        (false, done) => done as i32,
    }
}

/// Writes `size` bytes of the EE's memory at `source`, of which the first `head_bytes` came with the request.
fn write(state: &mut State, fd: i32, source: u32, size: u32, head_bytes: u32, head: *const u8) -> i32 {
    let mut done = 0;
    let head_bytes = head_bytes.min(size);
    if head_bytes > 0 {
        let written = ioman::write(fd, head, head_bytes as i32);
        if written != head_bytes as i32 {
            return written;
        }
        done = head_bytes;
    }
    while done < size {
        let count = (size - done).min(CHUNK);
        let mut fetched = Fetched::new();
        if fetch(&mut fetched, source + done, state.chunk, count.next_multiple_of(LINE), 0).is_err() {
            return if done == 0 { errno::IO } else { done as i32 };
        }
        let written = ioman::write(fd, state.chunk as *const u8, count as i32);
        if written < 0 {
            return if done == 0 { written } else { done as i32 };
        }
        done += written as u32;
        if written as u32 != count {
            break;
        }
    }
    done as i32
}
