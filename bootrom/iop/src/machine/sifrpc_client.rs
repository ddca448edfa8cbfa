//! Remote calls, the client's side: binds to and calls of servers on the EE, and fetches of its memory.

use super::critical::{Shared, critical};
use super::sifcmd::{self, CommandHandler};
use super::sifman;
use super::threads::{self, THREADS, call_blocking, in_interrupt};
use bootrom_iop::errors::Error;
use bootrom_iop::sif::{PACKET_WORDS, RPC_WORDS, command, word};

/// Requests on their way at a time.
const PACKETS: usize = 32;
/// Record bits: in use.
const RECORD_USED: u32 = 2;
/// Record bits: the place is in the upper half.
const RECORD_PLACE: u32 = 4;
/// Mode bit: the caller does not wait.
pub const MODE_NO_WAIT: u32 = 1;
/// No packet left.
pub const ERROR_NO_PACKET: i32 = -1;
/// The packet cannot be sent.
pub const ERROR_SEND: i32 = -2;

/// Refuses a handler what it would have to wait for.
fn may_wait(mode: u32) -> Result<(), i32> {
    if mode & MODE_NO_WAIT == 0 && in_interrupt() { Err(Error::IllegalContext.code()) } else { Ok(()) }
}

/// What every client record begins with.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Header {
    packet: *mut Packet,
    number: u32,
    /// The semaphore on which the caller waits, 0 for none.
    semaphore: i32,
    mode: u32,
}

/// A client of a server.
#[repr(C)]
pub struct Client {
    header: Header,
    command: u32,
    buffer: u32,
    second_buffer: u32,
    end_function: Option<extern "C" fn(u32)>,
    end_argument: u32,
    server: u32,
}

/// A fetch of memory.
#[repr(C)]
pub struct Fetched {
    header: Header,
    source: u32,
    destination: u32,
    size: u32,
    end_function: Option<extern "C" fn(u32)>,
    end_argument: u32,
}

const NO_HEADER: Header = Header { packet: core::ptr::null_mut(), number: 0, semaphore: 0, mode: 0 };

impl Fetched {
    /// A record for [`fetch`].
    pub const fn new() -> Self {
        Fetched { header: NO_HEADER, source: 0, destination: 0, size: 0, end_function: None, end_argument: 0 }
    }
}

#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Packet([u32; RPC_WORDS]);

struct Requests {
    packets: [Packet; PACKETS],
    number: u32,
}

static REQUESTS: Shared<Requests> = Shared::new(Requests { packets: [Packet([0; RPC_WORDS]); PACKETS], number: 1 });

/// Registers the packet handler.
pub fn start() {
    sifcmd::add_handler(command::RPC_END, ended as CommandHandler as usize as u32, 0);
}

/// Takes a free packet and gives it a number.
fn take_packet() -> Option<(*mut Packet, u32)> {
    REQUESTS.with(|requests| {
        let place = requests.packets.iter().position(|packet| packet.0[word::RECORD] & RECORD_USED == 0)?;
        // 0 and 1 are never used.
        requests.number = requests.number.wrapping_add(1).max(2);
        let number = requests.number;
        let packet = &mut requests.packets[place];
        packet.0 = [0; RPC_WORDS];
        packet.0[word::RECORD] = (place as u32) << 16 | RECORD_PLACE | RECORD_USED;
        packet.0[word::PACKET] = packet as *mut Packet as u32;
        packet.0[word::NUMBER] = number;
        Some((packet as *mut Packet, number))
    })
}

fn free_packet(packet: *mut Packet) {
    critical(|| {
        // SAFETY: `packet` came from `take_packet`: it points into the table, and interrupts are held.
        unsafe { (*packet).0[word::RECORD] &= !RECORD_USED };
    });
}

/// The EE has answered a bind, call or fetch.
extern "C" fn ended(packet: *mut u32, _argument: u32) {
    // SAFETY: the packet layer hands out arrays of exactly that many words.
    let packet = unsafe { packet.cast::<[u32; PACKET_WORDS]>().read() };
    let header = packet[word::CLIENT] as *mut Header;
    // Only a request that is under way has an end: the packet's words must agree with the record's.
    let known = REQUESTS.with(|requests| {
        requests.packets.iter().any(|sent| {
            sent.0[word::RECORD] & RECORD_USED != 0
                && sent.0[word::RECORD] == packet[word::RECORD]
                && sent.0[word::CLIENT] == header as u32
        })
    });
    if !known {
        return;
    }
    // SAFETY: the record belongs to a request under way, so its owner keeps it.
    let (semaphore, sent) = unsafe { ((*header).semaphore, (*header).packet) };
    match packet[8] {
        command::RPC_CALL => {
            // SAFETY: as above; this request was a call, so the record is a client's.
            let (function, argument) = unsafe {
                let client = header.cast::<Client>();
                ((*client).end_function, (*client).end_argument)
            };
            if let Some(function) = function {
                function(argument);
            }
        }
        command::RPC_BIND => {
            // SAFETY: as above; this request was a bind.
            unsafe {
                let client = header.cast::<Client>();
                (*client).server = packet[9];
                (*client).buffer = packet[10];
                (*client).second_buffer = packet[11];
            }
        }
        _ => {
            // SAFETY: as above; what is left is a fetch.
            let (function, argument) = unsafe {
                let fetched = header.cast::<Fetched>();
                ((*fetched).end_function, (*fetched).end_argument)
            };
            if let Some(function) = function {
                function(argument);
            }
        }
    }
    if !sent.is_null() {
        free_packet(sent);
    }
    if semaphore != 0 {
        // It exists: the waiting caller deletes it.
        let _ = THREADS.with(|threads| threads.signal_semaphore(semaphore));
    }
}

/// Sends the packet of a request and waits for its end, unless the mode says otherwise.
fn request(
    header: *mut Header,
    packet: *mut Packet,
    number: u32,
    command: u32,
    mode: u32,
    data: (u32, u32, u32),
) -> Result<(), i32> {
    let waits = mode & MODE_NO_WAIT == 0;
    let semaphore = if waits {
        THREADS.with(|threads| threads.create_semaphore(0, 0, 0, 1)).map_err(|_| {
            free_packet(packet);
            ERROR_NO_PACKET
        })?
    } else {
        0
    };
    // SAFETY: the record is the caller's, and not known to the EE yet.
    unsafe { *header = Header { packet, number, semaphore, mode } };
    let (source, destination, bytes) = data;
    let mut sent;
    loop {
        sent = sifcmd::send(command, packet.cast(), RPC_WORDS as u32 * 4, source, destination, bytes);
        if sent != 0 || !waits {
            break;
        }
        // A failed delay is a shorter one.
        let _ = threads::delay(0);
    }
    if sent == 0 {
        free_packet(packet);
        return Err(ERROR_SEND);
    }
    if waits {
        let result = call_blocking(|threads| threads.wait_semaphore(semaphore));
        // It was made above.
        let _ = THREADS.with(|threads| threads.delete_semaphore(semaphore));
        result.map_err(Error::code)?;
    }
    Ok(())
}

/// Fetches `size` bytes of the EE's memory at `source` to `destination`; all three are multiples of 16.
///
/// # Errors
/// No packet left, the wait was ended, or a source that [may not be fetched](sifman::may_fetch).
pub fn fetch(fetched: &mut Fetched, source: u32, destination: u32, size: u32, mode: u32) -> Result<(), i32> {
    may_wait(mode)?;
    if !sifman::may_fetch(source, size) {
        return Err(ERROR_SEND);
    }
    let (packet, number) = take_packet().ok_or(ERROR_NO_PACKET)?;
    fetched.source = source;
    fetched.destination = destination;
    fetched.size = size;
    // SAFETY: the packet was just taken: nobody else uses it.
    unsafe {
        (*packet).0[word::CLIENT] = fetched as *mut Fetched as u32;
        (*packet).0[8] = source;
        (*packet).0[9] = destination;
        (*packet).0[10] = size;
    }
    request((&raw mut *fetched).cast(), packet, number, command::RPC_DATA, mode, (0, 0, 0))
}

/// A call of a server, with what [`call`] needs to know.
pub struct Call {
    /// Function number.
    pub function: u32,
    /// [`MODE_NO_WAIT`] and the like.
    pub mode: u32,
    /// Address of the request's data.
    pub send: u32,
    /// Its bytes.
    pub send_bytes: u32,
    /// Where the reply's data goes.
    pub receive: u32,
    /// Its bytes.
    pub receive_bytes: u32,
    /// Address of the function that is called at the end, 0 for none.
    pub end_function: u32,
    /// Its argument.
    pub end_argument: u32,
}

/// Looks for the server `sid` on the EE. The client's server stays 0 when there is none.
///
/// # Errors
/// No packet left, or the wait was ended.
pub fn bind(client: *mut Client, sid: u32, mode: u32) -> Result<(), i32> {
    may_wait(mode)?;
    let (packet, number) = take_packet().ok_or(ERROR_NO_PACKET)?;
    // SAFETY: the record is the caller's; the packet was just taken.
    unsafe {
        (*client).command = 0;
        (*client).server = 0;
        (*client).end_function = None;
        (*packet).0[word::CLIENT] = client as u32;
        (*packet).0[8] = sid;
    }
    request(client.cast(), packet, number, command::RPC_BIND, mode, (0, 0, 0))
}

/// Calls a server on the EE.
///
/// Our choice: a client that has found no server calls nobody; the console's sends its request all the same, into nothing.
///
/// # Errors
/// No packet left, no server, no place for the request on the EE, or the wait was ended.
pub fn call(client: *mut Client, call: &Call) -> Result<(), i32> {
    may_wait(call.mode)?;
    // SAFETY: the record is the caller's.
    let (server, buffer) = unsafe { ((*client).server, (*client).buffer) };
    if server == 0 || call.send_bytes > 0 && !sifman::may_send(buffer, call.send_bytes) {
        return Err(ERROR_SEND);
    }
    let (packet, number) = take_packet().ok_or(ERROR_NO_PACKET)?;
    // SAFETY: the record is the caller's; the packet was just taken. End functions are C functions of one word, or null.
    let buffer = unsafe {
        (*client).command = call.function;
        (*client).end_function = core::mem::transmute::<usize, Option<extern "C" fn(u32)>>(call.end_function as usize);
        (*client).end_argument = call.end_argument;
        (*packet).0[word::CLIENT] = client as u32;
        (*packet).0[8] = call.function;
        (*packet).0[9] = call.send_bytes;
        (*packet).0[10] = call.receive;
        (*packet).0[11] = call.receive_bytes;
        (*packet).0[12] = 1;
        (*packet).0[13] = (*client).server;
        (*client).buffer
    };
    request(client.cast(), packet, number, command::RPC_CALL, call.mode, (call.send, buffer, call.send_bytes))
}

/// True while the client's request has not ended.
pub fn is_under_way(client: *const Client) -> bool {
    critical(|| {
        // SAFETY: the record is the caller's; its packet points into the table, or is null.
        unsafe {
            let Header { packet, number, .. } = (*client).header;
            REQUESTS.with(|requests| requests.packets.iter().any(|known| core::ptr::eq(known, packet)))
                && (*packet).0[word::NUMBER] == number
                && (*packet).0[word::RECORD] & RECORD_USED != 0
        }
    })
}
