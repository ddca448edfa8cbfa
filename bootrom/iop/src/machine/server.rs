//! What the servers for the EE have in common: a thread, its queue, and buffers from the free memory.

use super::console::log;
use super::memory::MEMORY;
use super::sifrpc::{self, Queue, Server, ServerFunction};
use super::threads::{self, THREADS};
use bootrom_iop::memory::Place;

/// A server's number, function and the bytes of its request buffer.
pub struct Service {
    /// Number under which the EE binds.
    pub sid: u32,
    /// What answers.
    pub function: ServerFunction,
    /// Largest request.
    pub buffer_bytes: u32,
}

/// A thread with up to four services.
pub struct ServerThread {
    /// Name for messages.
    pub name: &'static str,
    /// Priority of the thread.
    pub priority: u32,
    /// The services.
    pub services: &'static [Service],
}

const STACK_BYTES: u32 = 0x1400;
/// Services a thread may have.
const SERVICES: usize = 4;

/// Starts the thread of `server`.
pub fn start(server: &'static ServerThread) {
    if let Err(error) = threads::spawn(run, server.priority, STACK_BYTES, server as *const ServerThread as u32) {
        log!("IOP: error: {} does not start: {error:?}", server.name);
    }
}

/// Memory for good, 0 when there is none.
pub fn allocate(bytes: u32) -> u32 {
    MEMORY.with(|memory| memory.allocate(Place::Lowest, bytes)).unwrap_or(0)
}

extern "C" fn run(argument: u32) -> i32 {
    // SAFETY: `start` passes the address of a constant.
    let server = unsafe { &*(argument as *const ServerThread) };
    let mut queue = Queue::new();
    let mut records = [const { Server::new() }; SERVICES];
    sifrpc::set_queue(&raw mut queue, THREADS.with(|threads| threads.current_id()));
    for (record, service) in records.iter_mut().zip(server.services) {
        let buffer = allocate(service.buffer_bytes);
        if buffer == 0 {
            log!("IOP: error: no memory for {}", server.name);
            return 0;
        }
        sifrpc::register(record, service.sid, service.function, buffer as *mut u32, &raw mut queue);
    }
    sifrpc::serve(&raw mut queue);
    0
}

/// The request's words.
///
/// # Safety
/// `buffer` is a service's own buffer of at least `WORDS` words, at which only the running call looks.
pub unsafe fn words_of<'a, const WORDS: usize>(buffer: *mut u32) -> &'a mut [u32; WORDS] {
    // SAFETY: passed on to the caller.
    unsafe { &mut *buffer.cast() }
}

/// The string of at most `bytes` bytes at byte `offset` of a request, ended there if it does not end before.
///
/// # Safety
/// `buffer` is a service's own buffer and has that many bytes.
pub unsafe fn end_text(buffer: *mut u32, offset: usize, bytes: usize) -> *const u8 {
    // SAFETY: passed on to the caller.
    unsafe {
        let text = buffer.cast::<u8>().add(offset);
        text.add(bytes - 1).write(0);
        text
    }
}
