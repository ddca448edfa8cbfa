//! IOPHEAP: the IOP's memory for the EE, server 80000003.
//!
//! Source: IOP kernel, IOPHEAP

use super::ioman::{self, OPEN_READ};
use super::memory::MEMORY;
use super::server::{self, ServerThread, Service, end_text, words_of};
use bootrom_iop::memory::Place;
use core::cell::UnsafeCell;

static SERVER: ServerThread = ServerThread {
    name: "IOPHEAP",
    priority: 96,
    services: &[Service { sid: 0x8000_0003, function: serve, buffer_bytes: 0x200 }],
};

/// Function numbers.
mod function {
    pub const ALLOCATE: u32 = 1;
    pub const FREE: u32 = 2;
    pub const LOAD: u32 = 3;
    pub const TOTAL_FREE: u32 = 4;
    pub const LARGEST_FREE: u32 = 5;
}
const FAILED: u32 = u32::MAX;
/// Place of the path in a request to load.
const PATH: usize = 4;
const PATH_BYTES: usize = 252;

#[repr(align(16))]
struct Reply(UnsafeCell<[u32; 4]>);
// SAFETY: only the server's thread touches it.
unsafe impl Sync for Reply {}
static REPLY: Reply = Reply(UnsafeCell::new([0; 4]));

/// Starts the server.
pub fn start() {
    server::start(&SERVER);
}

extern "C" fn serve(number: u32, buffer: *mut u32, _size: u32) -> *mut u32 {
    // SAFETY: the buffer is the service's.
    let [first] = *unsafe { words_of::<1>(buffer) };
    let result = match number {
        function::ALLOCATE => MEMORY.with(|memory| memory.allocate(Place::Lowest, first)).unwrap_or(0),
        function::FREE => {
            if MEMORY.with(|memory| memory.free(first)) {
                0
            } else {
                FAILED
            }
        }
        // SAFETY: the path lies inside of the request buffer.
        function::LOAD => load(first, unsafe { end_text(buffer, PATH, PATH_BYTES) }),
        function::TOTAL_FREE => MEMORY.with(|memory| memory.total_free()),
        function::LARGEST_FREE => MEMORY.with(|memory| memory.largest_free()),
        _ => return core::ptr::null_mut(),
    };
    // SAFETY: this is the server's thread; it serves one request at a time.
    let reply = unsafe { &mut *REPLY.0.get() };
    reply[0] = result;
    reply.as_mut_ptr()
}

/// Reads the file at `path` to `address`, which is an allocated block with room for it.
fn load(address: u32, path: *const u8) -> u32 {
    let fd = ioman::open(path, OPEN_READ as i32);
    if fd < 0 {
        return FAILED;
    }
    let size = ioman::lseek(fd, 0, 2);
    let room = MEMORY.with(|memory| memory.room(address));
    let fits = room.is_some_and(|room| (0..=room as i32).contains(&size));
    let good = fits && ioman::lseek(fd, 0, 0) == 0 && ioman::read(fd, address as *mut u8, size) == size;
    ioman::close(fd);
    if good { 0 } else { FAILED }
}
