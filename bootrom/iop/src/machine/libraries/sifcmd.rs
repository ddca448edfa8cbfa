//! `sifcmd` 1.1: packets and remote calls.

use super::{Exports, exports};
use crate::machine::sifcmd::{self, HandlerEntry};
use crate::machine::sifrpc::{self, Queue, Server, ServerFunction};
use crate::machine::sifrpc_client::{self, Call, Client, Fetched};

/// Library functions by number.
pub static TABLE: Exports<30> = exports(
    b"sifcmd",
    0x0101,
    [
        (4, initialise as *const ()),
        (5, leave as *const ()),
        (6, register as *const ()),
        (7, set_register as *const ()),
        (8, set_user_table as *const ()),
        (9, set_system_table as *const ()),
        (10, add_handler as *const ()),
        (11, remove_handler as *const ()),
        (12, send as *const ()),
        (13, send as *const ()),
        (14, initialise as *const ()),
        (15, bind as *const ()),
        (16, call as *const ()),
        (17, register_server as *const ()),
        (18, is_under_way as *const ()),
        (19, set_queue as *const ()),
        (20, next_request as *const ()),
        (21, execute as *const ()),
        (22, serve as *const ()),
        (23, fetch_memory as *const ()),
        (24, remove_server as *const ()),
        (25, remove_queue as *const ()),
        (26, set_received_handler as *const ()),
        (27, clear_received_handler as *const ()),
        (28, send_with_callback as *const ()),
        (29, send_with_callback as *const ()),
    ],
);

/// The boot has started packets and calls.
extern "C" fn initialise() {}

/// Stops taking packets: the channel stays closed until the next start.
extern "C" fn leave() {
    sifcmd::leave();
}

/// Uses a caller's table for the system's commands from here on.
extern "C" fn set_system_table(table: *mut HandlerEntry, count: u32) {
    sifcmd::set_system_table(table, count);
}

/// A function that is called whenever the EE has sent something, before that is looked at.
extern "C" fn set_received_handler(function: u32, argument: u32) {
    sifcmd::set_received_handler(function, argument);
}

extern "C" fn clear_received_handler() {
    sifcmd::set_received_handler(0, 0);
}

/// As [`send`]; the function is called when packet and data have left.
extern "C" fn send_with_callback(
    number: u32,
    packet: *mut u32,
    bytes: u32,
    data: u32,
    destination: u32,
    data_bytes: u32,
    function: u32,
    argument: u32,
) -> u32 {
    sifcmd::send_with(number, packet, bytes, [data, destination, data_bytes], (function, argument))
}

extern "C" fn register(index: u32) -> u32 {
    sifcmd::register(index)
}

extern "C" fn set_register(index: u32, value: u32) {
    sifcmd::write_register(index, value);
}

extern "C" fn set_user_table(table: *mut HandlerEntry, count: u32) {
    sifcmd::set_user_table(table, count);
}

extern "C" fn add_handler(number: u32, function: u32, argument: u32) {
    sifcmd::add_handler(number, function, argument);
}

extern "C" fn remove_handler(number: u32) {
    sifcmd::add_handler(number, 0, 0);
}

extern "C" fn send(number: u32, packet: *mut u32, bytes: u32, data: u32, destination: u32, data_bytes: u32) -> u32 {
    sifcmd::send(number, packet, bytes, data, destination, data_bytes)
}

extern "C" fn bind(client: *mut Client, sid: u32, mode: u32) -> i32 {
    sifrpc_client::bind(client, sid, mode).map_or_else(|error| error, |()| 0)
}

extern "C" fn call(
    client: *mut Client,
    function: u32,
    mode: u32,
    send: u32,
    send_bytes: u32,
    receive: u32,
    receive_bytes: u32,
    end_function: u32,
    end_argument: u32,
) -> i32 {
    let call = Call { function, mode, send, send_bytes, receive, receive_bytes, end_function, end_argument };
    sifrpc_client::call(client, &call).map_or_else(|error| error, |()| 0)
}

/// The fifth and sixth arguments are a second function and buffer, which no call uses.
extern "C" fn register_server(
    server: *mut Server,
    sid: u32,
    function: ServerFunction,
    buffer: *mut u32,
    _second_function: u32,
    _second_buffer: u32,
    queue: *mut Queue,
) {
    sifrpc::register(server, sid, function, buffer, queue);
}

extern "C" fn is_under_way(client: *const Client) -> i32 {
    sifrpc_client::is_under_way(client).into()
}

extern "C" fn set_queue(queue: *mut Queue, thread: i32) {
    // SAFETY: the caller's record, which stays valid while it is registered.
    sifrpc::set_queue(unsafe { &mut *queue }, thread);
}

extern "C" fn next_request(queue: *mut Queue) -> *mut Server {
    sifrpc::next_request(queue)
}

extern "C" fn execute(server: *mut Server) {
    sifrpc::execute(server);
}

extern "C" fn serve(queue: *mut Queue) {
    sifrpc::serve(queue);
}

extern "C" fn fetch_memory(fetched: *mut Fetched, source: u32, destination: u32, bytes: u32, mode: u32) -> i32 {
    // SAFETY: the caller's record, which it keeps until the fetch has ended.
    sifrpc_client::fetch(unsafe { &mut *fetched }, source, destination, bytes, mode).map_or_else(|error| error, |()| 0)
}

extern "C" fn remove_server(server: *mut Server, queue: *mut Queue) -> *mut Server {
    sifrpc::remove(server, queue)
}

extern "C" fn remove_queue(queue: *mut Queue) -> *mut Queue {
    sifrpc::remove_queue(queue)
}
