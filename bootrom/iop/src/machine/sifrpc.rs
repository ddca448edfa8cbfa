//! Remote calls, the server's side: binds, calls, replies, and the EE's fetches of our memory.
//!
//! Servers and their queues are records of whoever registers them. A call from the EE lands, in interrupt context, at the end of
//! its queue's list and wakes the queue's thread, which serves one after the other.

use super::critical::{Shared, critical};
use super::threads::{self, THREADS};
use super::{sifcmd, sifman};
use bootrom_iop::alarms::{Action, Alarm};
use bootrom_iop::sif::{PACKET_WORDS, RPC_WORDS, Transfer, bind_of, call_of, command, end_packet, fetch_of, word};
use core::ptr::null_mut;

/// A server's function: function number, the request's bytes, how many; the result points to the reply, null for none.
pub type ServerFunction = extern "C" fn(u32, *mut u32, u32) -> *mut u32;

/// A server.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Server {
    sid: u32,
    function: Option<ServerFunction>,
    buffer: *mut u32,
    /// Bytes of the request at hand.
    size: u32,
    cancel_function: u32,
    cancel_buffer: u32,
    cancel_size: u32,
    client: u32,
    packet: u32,
    number: u32,
    receive: u32,
    receive_bytes: u32,
    replies: u32,
    record: u32,
    /// Next server with a request in the same queue.
    link: *mut Server,
    /// Next server of the same queue.
    next: *mut Server,
    queue: *mut Queue,
}

impl Server {
    /// A record to be registered.
    pub const fn new() -> Self {
        Server {
            sid: 0,
            function: None,
            buffer: null_mut(),
            size: 0,
            cancel_function: 0,
            cancel_buffer: 0,
            cancel_size: 0,
            client: 0,
            packet: 0,
            number: 0,
            receive: 0,
            receive_bytes: 0,
            replies: 0,
            record: 0,
            link: null_mut(),
            next: null_mut(),
            queue: null_mut(),
        }
    }
}

/// A thread's servers and the requests it has not served yet.
#[repr(C)]
pub struct Queue {
    thread: i32,
    active: u32,
    servers: *mut Server,
    first: *mut Server,
    last: *mut Server,
    next: *mut Queue,
}

impl Queue {
    /// A record to be registered.
    pub const fn new() -> Self {
        Queue { thread: 0, active: 0, servers: null_mut(), first: null_mut(), last: null_mut(), next: null_mut() }
    }
}

/// Replies on their way at a time; older ones have left when a place comes round again.
const REPLIES: usize = 32;
/// Ticks until a reply that found no room is tried again.
///
/// Source: IOP kernel, RPC
const RETRY_TICKS: u32 = 0xF000;
/// Bytes of a `SET_REGISTER` packet.
const SET_REGISTER_BYTES: u32 = 24;
/// The EE's software register by which we tell that calls are served.
const READY_REGISTER: u32 = 0;

/// A packet to the EE and the data to be sent before it.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Reply {
    packet: [u32; RPC_WORDS],
    command: u32,
    packet_bytes: u32,
    data: u32,
    destination: u32,
    data_bytes: u32,
}

struct Calls {
    queues: *mut Queue,
    replies: [Reply; REPLIES],
    next_reply: usize,
}

const NO_REPLY: Reply =
    Reply { packet: [0; RPC_WORDS], command: 0, packet_bytes: 0, data: 0, destination: 0, data_bytes: 0 };

static CALLS: Shared<Calls> = Shared::new(Calls { queues: null_mut(), replies: [NO_REPLY; REPLIES], next_reply: 0 });

/// Registers the call layer's packet handlers.
pub fn start() {
    for (number, handler) in
        [(command::RPC_BIND, bind as sifcmd::CommandHandler), (command::RPC_CALL, call), (command::RPC_DATA, fetch)]
    {
        sifcmd::add_handler(number, handler as usize as u32, 0);
    }
}

/// Tells the EE that calls are served.
pub fn tell_ready() {
    let mut packet = [0; RPC_WORDS];
    packet[word::FIRST] = READY_REGISTER;
    packet[word::FIRST + 1] = 1;
    post(Reply { packet, command: command::SET_REGISTER, packet_bytes: SET_REGISTER_BYTES, ..NO_REPLY });
}

/// Sends a reply from interrupt context, now or when there is room.
fn post(reply: Reply) {
    let stored = CALLS.with(|calls| {
        let slot = &mut calls.replies[calls.next_reply];
        calls.next_reply = (calls.next_reply + 1) % REPLIES;
        *slot = reply;
        slot as *mut Reply as u32
    });
    if retry(stored) != 0 {
        let action = Action::Call { function: retry as *const () as u32, argument: stored };
        // Without an alarm left the client gets no answer and asks again.
        let _ = threads::set_alarm(Alarm { target: threads::now() + u64::from(RETRY_TICKS), action });
    }
}

/// Tries to send the reply at `stored`; the result is the time after which to try again, 0 when it is on its way.
extern "C" fn retry(stored: u32) -> u32 {
    let reply = stored as *mut Reply;
    // SAFETY: `post` passes the address of one of the places in `CALLS`, which stay where they are.
    let sent = unsafe {
        let Reply { command, packet_bytes, data, destination, data_bytes, .. } = *reply;
        sifcmd::send(command, (&raw mut (*reply).packet).cast(), packet_bytes, data, destination, data_bytes)
    };
    if sent == 0 { RETRY_TICKS } else { 0 }
}

/// The words of a packet that handlers get.
fn packet_of(packet: *mut u32) -> [u32; PACKET_WORDS] {
    // SAFETY: the packet layer hands out arrays of exactly that many words.
    unsafe { packet.cast::<[u32; PACKET_WORDS]>().read() }
}

/// The words by which a client knows its request: record, packet, number, client.
fn request_of(packet: &[u32; PACKET_WORDS]) -> [u32; 4] {
    [packet[word::RECORD], packet[word::PACKET], packet[word::NUMBER], packet[word::CLIENT]]
}

extern "C" fn bind(packet: *mut u32, _argument: u32) {
    let packet = packet_of(packet);
    let server = find(bind_of(&packet).server);
    let (buffer, second) = match server.is_null() {
        true => (0, 0),
        // SAFETY: registered records stay valid until they are removed.
        false => unsafe { ((*server).buffer as u32, (*server).cancel_buffer) },
    };
    let packet = end_packet(request_of(&packet), command::RPC_BIND, server as u32, buffer, second);
    post(Reply { packet, command: command::RPC_END, packet_bytes: RPC_WORDS as u32 * 4, ..NO_REPLY });
}

/// The server registered under `sid`: queues in order of creation, then each one's servers. Null for none.
fn find(sid: u32) -> *mut Server {
    critical(|| {
        let mut queue = CALLS.with(|calls| calls.queues);
        // SAFETY: registered records stay valid until they are removed, and interrupts are held.
        unsafe {
            while !queue.is_null() {
                let mut server = (*queue).servers;
                while !server.is_null() {
                    if (*server).sid == sid {
                        return server;
                    }
                    server = (*server).next;
                }
                queue = (*queue).next;
            }
        }
        null_mut()
    })
}

/// True when `server` is a registered record: its address comes from the EE.
fn is_registered(server: *mut Server) -> bool {
    critical(|| {
        let mut queue = CALLS.with(|calls| calls.queues);
        // SAFETY: as in `find`.
        unsafe {
            while !queue.is_null() {
                let mut known = (*queue).servers;
                while !known.is_null() {
                    if known == server {
                        return true;
                    }
                    known = (*known).next;
                }
                queue = (*queue).next;
            }
        }
        false
    })
}

extern "C" fn call(packet: *mut u32, _argument: u32) {
    let packet = packet_of(packet);
    let request = call_of(&packet);
    let server = request.server as *mut Server;
    if !is_registered(server) {
        return;
    }
    // SAFETY: the record is registered; this is interrupt context, so nobody else touches the lists.
    let wake = unsafe {
        let queue = (*server).queue;
        (*server).link = null_mut();
        if (*queue).first.is_null() {
            (*queue).first = server;
        } else {
            (*(*queue).last).link = server;
        }
        (*queue).last = server;
        (*server).record = packet[word::RECORD];
        (*server).packet = packet[word::PACKET];
        (*server).client = packet[word::CLIENT];
        (*server).number = request.function;
        (*server).size = request.send_bytes;
        (*server).receive = request.receive;
        (*server).receive_bytes = request.receive_bytes;
        (*server).replies = u32::from(request.replies);
        ((*queue).active == 0).then_some((*queue).thread)
    };
    if let Some(thread) = wake {
        // A thread that has gone serves nobody; its client waits, as it does on the real system.
        let _ = THREADS.with(|threads| threads.interrupt_wakeup(thread));
    }
}

/// How many of an answer's `bytes` go to the EE's `destination`: all or none.
fn answer_bytes(destination: u32, bytes: u32) -> u32 {
    if bytes > 0 && sifman::may_send(destination, bytes) { bytes } else { 0 }
}

extern "C" fn fetch(packet: *mut u32, _argument: u32) {
    let packet = packet_of(packet);
    let request = fetch_of(&packet);
    let data_bytes = answer_bytes(request.destination, request.size);
    let end = end_packet(request_of(&packet), command::RPC_DATA, 0, 0, 0);
    post(Reply {
        packet: end,
        command: command::RPC_END,
        packet_bytes: RPC_WORDS as u32 * 4,
        data: request.source,
        destination: request.destination,
        data_bytes,
    });
}

/// Registers a queue that `thread` serves.
pub fn set_queue(queue: &mut Queue, thread: i32) {
    *queue = Queue::new();
    queue.thread = thread;
    let new = queue as *mut Queue;
    CALLS.with(|calls| {
        let mut end = &raw mut calls.queues;
        // SAFETY: registered records stay valid until they are removed, and interrupts are held.
        unsafe {
            while !(*end).is_null() {
                end = &raw mut (**end).next;
            }
            *end = new;
        }
    });
}

/// Registers a server: `buffer` takes its requests, `function` answers them on the queue's thread.
pub fn register(server: *mut Server, sid: u32, function: ServerFunction, buffer: *mut u32, queue: *mut Queue) {
    critical(|| {
        // SAFETY: the caller's records are valid and stay so; interrupts are held.
        unsafe {
            *server = Server { sid, function: Some(function), buffer, queue, ..Server::new() };
            let mut end = &raw mut (*queue).servers;
            while !(*end).is_null() {
                end = &raw mut (**end).next;
            }
            *end = server;
        }
    });
}

/// Takes a server out of its queue; the result is the server, null when it was not there.
pub fn remove(server: *mut Server, queue: *mut Queue) -> *mut Server {
    critical(|| {
        // SAFETY: registered records stay valid until they are removed, and interrupts are held.
        unsafe {
            let mut link = &raw mut (*queue).servers;
            while !(*link).is_null() && *link != server {
                link = &raw mut (**link).next;
            }
            if (*link).is_null() {
                return null_mut();
            }
            *link = (*server).next;
        }
        server
    })
}

/// Takes a queue out of the list; the result is the queue, null when it was not there.
pub fn remove_queue(queue: *mut Queue) -> *mut Queue {
    CALLS.with(|calls| {
        let mut link = &raw mut calls.queues;
        // SAFETY: as above.
        unsafe {
            while !(*link).is_null() && *link != queue {
                link = &raw mut (**link).next;
            }
            if (*link).is_null() {
                return null_mut();
            }
            *link = (*queue).next;
        }
        queue
    })
}

/// Takes the next request of a queue, null for none; the queue is active while there are any.
pub fn next_request(queue: *mut Queue) -> *mut Server {
    critical(|| {
        // SAFETY: the queue is the caller's registered one; interrupts are held.
        unsafe {
            let server = (*queue).first;
            if server.is_null() {
                (*queue).active = 0;
            } else {
                (*queue).active = 1;
                (*queue).first = (*server).link;
            }
            server
        }
    })
}

/// Serves one request and sends its reply.
pub fn execute(server: *mut Server) {
    // SAFETY: `next_request` returned this record; a client has one call at a time, so it stays as it is.
    let request = unsafe { *server };
    let reply = request.function.map_or(null_mut(), |function| function(request.number, request.buffer, request.size));
    let data_bytes = if reply.is_null() { 0 } else { answer_bytes(request.receive, request.receive_bytes) };
    let end_words = [request.record, request.packet, 0, request.client];
    if request.replies != 0 {
        post_waiting(Reply {
            packet: end_packet(end_words, command::RPC_CALL, server as u32, 0, 0),
            command: command::RPC_END,
            packet_bytes: RPC_WORDS as u32 * 4,
            data: reply as u32,
            destination: request.receive,
            data_bytes,
        });
        return;
    }
    // Nobody waits for a packet: zeroes over the client's own packet tell that it is free again.
    let zeroes = CALLS.with(|calls| {
        let slot = &mut calls.replies[calls.next_reply];
        calls.next_reply = (calls.next_reply + 1) % REPLIES;
        slot.packet = [0; RPC_WORDS];
        slot.packet.as_ptr() as u32
    });
    let transfers = [
        Transfer { source: reply as u32, destination: request.receive, size: data_bytes, attributes: 0 },
        Transfer { source: zeroes, destination: request.packet, size: RPC_WORDS as u32 * 4, attributes: 0 },
    ];
    sifman::send_waiting(if data_bytes > 0 { &transfers } else { &transfers[1..] });
}

/// Sends a reply from a thread, waiting for room.
fn post_waiting(reply: Reply) {
    let stored = CALLS.with(|calls| {
        let slot = &mut calls.replies[calls.next_reply];
        calls.next_reply = (calls.next_reply + 1) % REPLIES;
        *slot = reply;
        slot as *mut Reply as u32
    });
    while retry(stored) != 0 {
        // A failed delay is a shorter one.
        let _ = threads::delay(0);
    }
}

/// Serves a queue for good.
pub fn serve(queue: *mut Queue) -> ! {
    loop {
        let server = next_request(queue);
        if server.is_null() {
            // A released sleep looks for requests like a waking.
            let _ = threads::call_blocking(|threads| Ok(threads.sleep()));
        } else {
            execute(server);
        }
    }
}
