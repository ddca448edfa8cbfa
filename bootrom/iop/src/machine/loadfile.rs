//! LOADFILE: programs for the EE and modules for the IOP, server 80000006.
//!
//! Source: IOP kernel, LOADFILE

use super::modules::Target;
use super::server::{self, ServerThread, Service, allocate, end_text, words_of};
use super::{ioman, modules, sifman};
use bootrom_iop::ee_program::{GP_OFFSET, HEADER_BYTES, SEGMENT_BYTES, SEGMENTS, Segment, header_of, segment_of};
use bootrom_iop::errors::{Error, code_of};
use bootrom_iop::sif::Transfer;
use core::cell::UnsafeCell;

/// Function numbers.
mod function {
    pub const LOAD_MODULE: u32 = 0;
    pub const LOAD_PROGRAM: u32 = 1;
    pub const WRITE_MEMORY: u32 = 2;
    pub const READ_MEMORY: u32 = 3;
    pub const LOAD_ENCRYPTED_MODULE: u32 = 4;
    pub const LOAD_ENCRYPTED_PROGRAM: u32 = 5;
    pub const LOAD_MODULE_MEMORY: u32 = 6;
    pub const STOP_MODULE: u32 = 7;
    pub const UNLOAD_MODULE: u32 = 8;
    pub const FIND_MODULE: u32 = 9;
    pub const FIND_MODULE_AT: u32 = 10;
    pub const VERSION: u32 = 0xFF;
}

static SERVER: ServerThread = ServerThread {
    name: "LOADFILE",
    priority: 88,
    services: &[Service { sid: 0x8000_0006, function: serve, buffer_bytes: 0x500 }],
};

/// Place of the path in a request.
const PATH: usize = 8;
const PATH_BYTES: usize = 252;
/// Bytes of a module's arguments, behind the path.
const ARGUMENT_BYTES: u32 = 252;
/// What the version request answers.
///
/// Our choice: the digits of the first version that could be asked.
const VERSION: u32 = u32::from_le_bytes(*b"1100");
/// What a module from memory is told as its path.
///
/// Source: IOP kernel, LOADFILE
const NAME_FROM_MEMORY: &core::ffi::CStr = c"LBbyEE";
/// Bytes that are read at a time.
const CHUNK: u32 = 0x8000;
const LINE: u32 = 16;

/// What the server's thread alone uses.
struct State {
    reply: [u32; 4],
    chunk: u32,
}

#[repr(align(16))]
struct Owned(UnsafeCell<State>);
// SAFETY: only the server's thread touches it.
unsafe impl Sync for Owned {}
static STATE: Owned = Owned(UnsafeCell::new(State { reply: [0; 4], chunk: 0 }));

/// Starts the server.
pub fn start() {
    // SAFETY: the server's thread does not run yet.
    unsafe { (*STATE.0.get()).chunk = allocate(CHUNK) };
    server::start(&SERVER);
}

extern "C" fn serve(number: u32, buffer: *mut u32, _size: u32) -> *mut u32 {
    // SAFETY: this is the server's thread; it serves one request at a time.
    let state = unsafe { &mut *STATE.0.get() };
    // SAFETY: the buffer is the service's and larger than four words.
    let request = *unsafe { words_of::<4>(buffer) };
    // SAFETY: path and arguments lie inside of the request buffer.
    let (path, arguments) = unsafe { (end_text(buffer, PATH, PATH_BYTES), buffer.cast::<u8>().add(PATH + PATH_BYTES)) };
    state.reply = match number {
        function::LOAD_MODULE => module_reply(modules::load_and_start(path, arguments, request[0].min(ARGUMENT_BYTES))),
        function::LOAD_MODULE_MEMORY => {
            module_reply(modules::load_memory(request[0], Target::ANYWHERE).and_then(|id| {
                let bytes = request[1].min(ARGUMENT_BYTES);
                Ok((id, modules::start_module(id, NAME_FROM_MEMORY.as_ptr().cast(), arguments, bytes)?))
            }))
        }
        function::STOP_MODULE => {
            let (id, bytes) = (request[0] as i32, request[1].min(ARGUMENT_BYTES));
            module_reply(modules::stop_module(id, arguments, bytes).map(|result| (id, result)))
        }
        function::UNLOAD_MODULE => [code_of(modules::unload_module(request[0] as i32)) as u32, 0, 0, 0],
        function::LOAD_ENCRYPTED_MODULE => module_reply(Err(refuse_encrypted(path))),
        function::LOAD_ENCRYPTED_PROGRAM => [0, 0, 0, refuse_encrypted(path).code() as u32],
        function::LOAD_PROGRAM => match load_program(path, state.chunk) {
            Ok(loaded) => [loaded.entry, loaded.gp, 0, 0],
            Err(error) => [0, 0, 0, error.code() as u32],
        },
        function::WRITE_MEMORY => {
            write_memory(request[0], request[1], request[2]);
            [0; 4]
        }
        function::READ_MEMORY => [read_memory(request[0], request[1]), 0, 0, 0],
        function::FIND_MODULE => [code_of(modules::find_by_name(path)) as u32, 0, 0, 0],
        function::FIND_MODULE_AT => [code_of(modules::find_by_address(request[0])) as u32, 0, 0, 0],
        function::VERSION => [VERSION, 0, 0, 0],
        // No reply at all: that is how clients find out what is there.
        _ => return core::ptr::null_mut(),
    };
    state.reply.as_mut_ptr()
}

/// A module's id and what its function returned, or the error.
fn module_reply(done: Result<(i32, i32), Error>) -> [u32; 4] {
    match done {
        Ok((id, result)) => [id as u32, result as u32, 0, 0],
        Err(error) => [error.code() as u32, 0, 0, 0],
    }
}

/// What becomes of an encrypted file.
///
/// Stand-in: there is no key to read one by, so that whatever is there is no file of that kind.
fn refuse_encrypted(path: *const u8) -> Error {
    match ioman::open(path, ioman::OPEN_READ as i32) {
        fd @ 0.. => {
            ioman::close(fd);
            Error::IllegalObject
        }
        _ => Error::NoFile,
    }
}

/// A loaded program.
struct Loaded {
    entry: u32,
    gp: u32,
}

/// Puts the segments of the ELF at `path` into the EE's memory. What a segment has beyond its file is left alone.
fn load_program(path: *const u8, chunk: u32) -> Result<Loaded, Error> {
    let fd = ioman::open(path, ioman::OPEN_READ as i32);
    if fd < 0 {
        return Err(Error::NoFile);
    }
    let result = load_segments(fd, chunk);
    ioman::close(fd);
    result
}

/// Reads exactly `bytes` at `offset` of the file.
fn read_at(fd: i32, offset: u32, target: *mut u8, bytes: u32) -> Result<(), Error> {
    if ioman::lseek(fd, offset as i32, 0) != offset as i32 || ioman::read(fd, target, bytes as i32) != bytes as i32 {
        return Err(Error::FileError);
    }
    Ok(())
}

fn load_segments(fd: i32, chunk: u32) -> Result<Loaded, Error> {
    let mut bytes = [0_u8; HEADER_BYTES];
    read_at(fd, 0, bytes.as_mut_ptr(), HEADER_BYTES as u32).map_err(|_| Error::IllegalObject)?;
    let header = header_of(&bytes).map_err(|_| Error::IllegalObject)?;
    let mut loads = [None; SEGMENTS];
    let mut gp = 0_u32;
    for (index, slot) in loads.iter_mut().enumerate().take(header.segments) {
        let mut bytes = [0_u8; SEGMENT_BYTES];
        let offset = header.segments_offset.checked_add((index * SEGMENT_BYTES) as u32).ok_or(Error::IllegalObject)?;
        read_at(fd, offset, bytes.as_mut_ptr(), SEGMENT_BYTES as u32)?;
        match segment_of(&bytes).map_err(|_| Error::IllegalObject)? {
            Segment::Load { offset, address, bytes } => *slot = Some((offset, address, bytes)),
            Segment::Registers { offset } => {
                let place = offset.checked_add(GP_OFFSET).ok_or(Error::IllegalObject)?;
                read_at(fd, place, (&raw mut gp).cast(), 4)?;
            }
            Segment::Other => {}
        }
    }
    // In the order of the file, so that the drive reads on without a seek.
    loads.sort_unstable_by_key(|load| load.map_or(u32::MAX, |(offset, ..)| offset));
    let mut any = false;
    for (offset, address, bytes) in loads.into_iter().flatten() {
        any = true;
        load_segment(fd, offset, address, bytes, chunk)?;
    }
    if any { Ok(Loaded { entry: header.entry, gp }) } else { Err(Error::IllegalObject) }
}

/// Reads `bytes` at `offset` of the file and sends them to the EE's `address`.
///
/// Our choice: an address between two lines is served too; the bytes of its first line before it become zero.
fn load_segment(fd: i32, offset: u32, address: u32, bytes: u32, chunk: u32) -> Result<(), Error> {
    let lead = address % LINE;
    let mut done = 0;
    while done < bytes {
        let skip = if done == 0 { lead } else { 0 };
        let count = (bytes - done).min(CHUNK - skip);
        let filled = skip + count;
        let padded = filled.next_multiple_of(LINE);
        // SAFETY: the chunk is this thread's own and has `CHUNK` bytes; `padded` is at most that.
        unsafe {
            core::ptr::write_bytes(chunk as *mut u8, 0, skip as usize);
            core::ptr::write_bytes((chunk + filled) as *mut u8, 0, (padded - filled) as usize);
        }
        read_at(fd, offset + done, (chunk + skip) as *mut u8, count)?;
        let destination = address + done - skip;
        let id = sifman::send_waiting(&[Transfer { source: chunk, destination, size: padded, attributes: 0 }]);
        sifman::wait_sent(id);
        done += count;
    }
    Ok(())
}

/// Sizes of single values.
const TYPE_BYTE: u32 = 0;
const TYPE_HALF: u32 = 1;

/// Writes a value of the IOP's memory, as the EE asked.
fn write_memory(address: u32, kind: u32, value: u32) {
    // SAFETY: the EE is as much the machine's owner as we are: this request exists to patch the IOP's memory.
    unsafe {
        match kind {
            TYPE_BYTE => (address as *mut u8).write_volatile(value as u8),
            TYPE_HALF => ((address & !1) as *mut u16).write_volatile(value as u16),
            _ => ((address & !3) as *mut u32).write_volatile(value),
        }
    }
}

/// Reads a value of the IOP's memory.
fn read_memory(address: u32, kind: u32) -> u32 {
    // SAFETY: as in `write_memory`.
    unsafe {
        match kind {
            TYPE_BYTE => (address as *const u8).read_volatile().into(),
            TYPE_HALF => ((address & !1) as *const u16).read_volatile().into(),
            _ => ((address & !3) as *const u32).read_volatile(),
        }
    }
}
