//! Remote calls, the server's side: binds, calls, replies, and the EE's fetches of our memory.
//!
//! Servers and their queues are records of whoever registers them. A call from the EE lands, in interrupt context, at the end of
//! its queue's list and wakes the queue's thread, which serves one after the other.

use super::critical::{Shared, critical};
use super::threads::{self, THREADS, in_interrupt};
use super::{sifcmd, sifman};
use bootrom_iop::alarms::{Action, Alarm};
use bootrom_iop::rpc::{Queues, Request};
use bootrom_iop::sif::{PACKET_WORDS, RPC_WORDS, Transfer, bind_of, call_of, command, end_packet, fetch_of, word};
use core::ptr::null_mut;

pub use bootrom_iop::rpc::{Queue, Server, ServerFunction};

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
    queues: Queues,
    replies: [Reply; REPLIES],
    next_reply: usize,
}

const NO_REPLY: Reply =
    Reply { packet: [0; RPC_WORDS], command: 0, packet_bytes: 0, data: 0, destination: 0, data_bytes: 0 };

static CALLS: Shared<Calls> = Shared::new(Calls { queues: Queues::new(), replies: [NO_REPLY; REPLIES], next_reply: 0 });

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

/// The server registered under `sid`, null for none.
fn find(sid: u32) -> *mut Server {
    // SAFETY: registered records stay valid until they are removed, and interrupts are held.
    CALLS.with(|calls| unsafe { calls.queues.find(sid) })
}

extern "C" fn call(packet: *mut u32, _argument: u32) {
    let packet = packet_of(packet);
    let asked = call_of(&packet);
    let request = Request {
        client: packet[word::CLIENT],
        packet: packet[word::PACKET],
        number: asked.function,
        receive: asked.receive,
        receive_bytes: asked.receive_bytes,
        replies: asked.replies.into(),
        record: packet[word::RECORD],
    };
    // SAFETY: as in `find`.
    let wake = CALLS.with(|calls| unsafe { calls.queues.call(asked.server as *mut Server, asked.send_bytes, request) });
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
pub fn set_queue(queue: *mut Queue, thread: i32) {
    // SAFETY: registered records stay valid until they are removed, and interrupts are held.
    CALLS.with(|calls| unsafe { calls.queues.add(queue, thread) });
}

/// Registers a server: `buffer` takes its requests, `function` answers them on the queue's thread; false when there is no such queue.
pub fn register(server: *mut Server, sid: u32, function: ServerFunction, buffer: *mut u32, queue: *mut Queue) -> bool {
    // SAFETY: as above.
    CALLS.with(|calls| unsafe { calls.queues.register(server, sid, function, buffer, queue) })
}

/// Takes a server out of its queue; the result is the server, null when it was not there.
pub fn remove(server: *mut Server, queue: *mut Queue) -> *mut Server {
    // SAFETY: as above.
    let removed = CALLS.with(|calls| unsafe { calls.queues.remove_server(server, queue) });
    if removed { server } else { null_mut() }
}

/// Takes a queue out of the list; the result is the queue, null when it was not there.
pub fn remove_queue(queue: *mut Queue) -> *mut Queue {
    // SAFETY: as above.
    let removed = CALLS.with(|calls| unsafe { calls.queues.remove(queue) });
    if removed { queue } else { null_mut() }
}

/// Takes the next request of a queue, null for none and for no such queue; the queue is active while there are any.
pub fn next_request(queue: *mut Queue) -> *mut Server {
    // SAFETY: as above.
    CALLS.with(|calls| unsafe { calls.queues.next_request(queue) })
}

/// True when `queue` is registered.
pub fn is_queue(queue: *const Queue) -> bool {
    // SAFETY: as above.
    CALLS.with(|calls| unsafe { calls.queues.has(queue) })
}

/// Serves one request and sends its reply.
pub fn execute(server: *mut Server) {
    // SAFETY: `next_request` returned this record.
    let Server { function, buffer, size, request, .. } = critical(|| unsafe { *server });
    let reply = function.map_or(null_mut(), |function| function(request.number, buffer, size));
    let data_bytes = if reply.is_null() { 0 } else { answer_bytes(request.receive, request.receive_bytes) };
    let end_words = [request.record, request.packet, 0, request.client];
    if request.replies != 0 {
        let reply = Reply {
            packet: end_packet(end_words, command::RPC_CALL, server as u32, 0, 0),
            command: command::RPC_END,
            packet_bytes: RPC_WORDS as u32 * 4,
            data: reply as u32,
            destination: request.receive,
            data_bytes,
        };
        if in_interrupt() {
            post(reply)
        } else {
            post_waiting(reply)
        };
        return;
    }
    const FREED_BYTES: u32 = RPC_WORDS as u32 * 4;
    let frees = sifman::may_send(request.packet, FREED_BYTES);
    // Nobody waits for a packet: zeroes over the client's own packet tell that it is free again.
    let zeroes = CALLS.with(|calls| {
        let slot = &mut calls.replies[calls.next_reply];
        calls.next_reply = (calls.next_reply + 1) % REPLIES;
        slot.packet = [0; RPC_WORDS];
        slot.packet.as_ptr() as u32
    });
    let transfers = [
        Transfer { source: reply as u32, destination: request.receive, size: data_bytes, attributes: 0 },
        Transfer { source: zeroes, destination: request.packet, size: FREED_BYTES, attributes: 0 },
    ];
    let (first, behind) = (usize::from(data_bytes == 0), if frees { 2 } else { 1 });
    match transfers.get(first..behind) {
        None | Some([]) => {}
        // A handler cannot wait for room.
        Some(list) if in_interrupt() => _ = sifman::send(list),
        Some(list) => _ = sifman::send_waiting(list),
    }
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

/// Serves a queue for as long as it is registered.
pub fn serve(queue: *mut Queue) {
    while is_queue(queue) {
        let server = next_request(queue);
        if server.is_null() {
            // A released sleep looks for requests like a waking.
            let _ = threads::call_blocking(|threads| Ok(threads.sleep()));
        } else {
            execute(server);
        }
    }
}
