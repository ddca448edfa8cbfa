//! `sifcmd` 1.1: packets and remote calls.

use super::{Exports, exports};
use crate::machine::console::log;
use crate::machine::memory::{may_look, may_read, may_use, may_write};
use crate::machine::sifcmd::{self, HandlerEntry};
use crate::machine::sifman;
use crate::machine::sifrpc::{self, Queue, Server, ServerFunction};
use crate::machine::sifrpc_client::{self, Call, Client, Fetched};

/// Library functions by number.
pub static TABLE: Exports<30> = exports(
    b"sifcmd",
    0x0101,
    [
        // Covers: iop, sifcmd 4 sceSifInitCmd test=a register of the packet layer keeps its value
        (4, initialise as *const ()),
        // Covers: iop, sifcmd 5 sceSifExitCmd test=nothing is taken behind the packet layer's end
        (5, leave as *const ()),
        // Covers: iop, sifcmd 6 sceSifGetSreg test=a register of the packet layer keeps its value
        (6, register as *const ()),
        // Covers: iop, sifcmd 7 sceSifSetSreg test=a register of the packet layer keeps its value
        (7, set_register as *const ()),
        // Covers: iop, sifcmd 8 sceSifSetCmdBuffer test=in the table that was given
        (8, set_user_table as *const ()),
        // Covers: iop, sifcmd 9 sceSifSetSysCmdBuffer test=the system's commands move to a table that is given
        (9, set_system_table as *const ()),
        // Covers: iop, sifcmd 10 sceSifAddCmdHandler test=a command of the EE's program has its handler
        (10, add_handler as *const ()),
        // Covers: iop, sifcmd 11 sceSifRemoveCmdHandler test=until that is taken out
        (11, remove_handler as *const ()),
        // Covers: iop, sifcmd 12 sceSifSendCmd test=a packet brings its data
        (12, send as *const ()),
        // Covers: iop, sifcmd 13 isceSifSendCmd test=the module's packets arrive
        (13, send as *const ()),
        // Covers: iop, sifcmd 14 sceSifInitRpc test=a register of the packet layer keeps its value
        (14, initialise as *const ()),
        // Covers: iop, sifcmd 15 sceSifBindRpc test=a server that is not there is not found
        (15, bind as *const ()),
        // Covers: iop, sifcmd 16 sceSifCallRpc test=and has answered to function and request
        (16, call as *const ()),
        // Covers: iop, sifcmd 17 sceSifRegisterRpc test=a server of a module answers
        (17, register_server as *const ()),
        // Covers: iop, sifcmd 18 sceSifCheckStatRpc test=a call may be left to itself
        (18, is_under_way as *const ()),
        // Covers: iop, sifcmd 19 sceSifSetRpcQueue test=a server in another queue is found
        (19, set_queue as *const ()),
        // Covers: iop, sifcmd 20 sceSifGetNextRequest test=a server that takes its requests by hand answers
        (20, next_request as *const ()),
        // Covers: iop, sifcmd 21 sceSifExecRequest test=a server that takes its requests by hand answers
        (21, execute as *const ()),
        // Covers: iop, sifcmd 22 sceSifRpcLoop test=a server of a module answers
        (22, serve as *const ()),
        // Covers: iop, sifcmd 23 sceSifGetOtherData test=memory of the EE is fetched
        (23, fetch_memory as *const ()),
        // Covers: iop, sifcmd 24 sceSifRemoveRpc test=a server is taken out
        (24, remove_server as *const ()),
        // Covers: iop, sifcmd 25 sceSifRemoveRpcQueue test=a queue is taken out
        (25, remove_queue as *const ()),
        // Covers: iop, sifcmd 26 sceSifSetSif1CB test=what arrives is told
        (26, set_received_handler as *const ()),
        // Covers: iop, sifcmd 27 sceSifClearSif1CB test=until nobody wants to know
        (27, clear_received_handler as *const ()),
        // Covers: iop, sifcmd 28 sceSifSendCmdIntr test=that a packet has left is told
        (28, send_with_callback as *const ()),
        // Covers: iop, sifcmd 29 isceSifSendCmdIntr test=also when a handler has sent it
        (29, send_with_callback as *const ()),
    ],
);

/// What calls whose record or result cannot be written return, as where there is no packet left.
///
/// Source: IOP kernel, RPC (error codes)
const NO_PACKET: i32 = -1;

/// The boot has started packets and calls.
extern "C" fn initialise() {}

/// Stops taking packets: the channel stays closed until the next start.
extern "C" fn leave() {
    sifcmd::leave();
}

/// True for a caller's table of that many entries, and for none.
fn is_table(table: *mut HandlerEntry, count: u32) -> bool {
    let bytes = count.saturating_mul(size_of::<HandlerEntry>() as u32);
    table.is_null() || (table as usize).is_multiple_of(4) && may_write(table as u32, bytes)
}

/// True when a packet, of which the header is written, and what goes before it are the caller's, and that goes to a program.
fn may_go(packet: *mut u32, bytes: u32, data: u32, destination: u32, data_bytes: u32) -> bool {
    let sends = data_bytes > 0 && destination != 0;
    (packet as usize).is_multiple_of(4)
        && may_write(packet as u32, bytes)
        && (!sends || may_read(data, data_bytes) && sifman::may_send(destination, data_bytes))
}

/// Uses a caller's table for the system's commands from here on.
extern "C" fn set_system_table(table: *mut HandlerEntry, count: u32) {
    if is_table(table, count) {
        sifcmd::set_system_table(table, count);
    }
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
    if !may_go(packet, bytes, data, destination, data_bytes) {
        return 0;
    }
    sifcmd::send_with(number, packet, bytes, [data, destination, data_bytes], (function, argument))
}

extern "C" fn register(index: u32) -> u32 {
    sifcmd::register(index)
}

extern "C" fn set_register(index: u32, value: u32) {
    sifcmd::write_register(index, value);
}

extern "C" fn set_user_table(table: *mut HandlerEntry, count: u32) {
    if is_table(table, count) {
        sifcmd::set_user_table(table, count);
    }
}

extern "C" fn add_handler(number: u32, function: u32, argument: u32) {
    sifcmd::add_handler(number, function, argument);
}

extern "C" fn remove_handler(number: u32) {
    sifcmd::add_handler(number, 0, 0);
}

extern "C" fn send(number: u32, packet: *mut u32, bytes: u32, data: u32, destination: u32, data_bytes: u32) -> u32 {
    send_with_callback(number, packet, bytes, data, destination, data_bytes, 0, 0)
}

extern "C" fn bind(client: *mut Client, sid: u32, mode: u32) -> i32 {
    if !may_use(client) {
        return NO_PACKET;
    }
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
    let sends = send_bytes == 0 || may_read(send, send_bytes);
    let receives = receive_bytes == 0 || may_write(receive, receive_bytes);
    if !may_use(client) || !sends || !receives {
        return NO_PACKET;
    }
    let call = Call { function, mode, send, send_bytes, receive, receive_bytes, end_function, end_argument };
    sifrpc_client::call(client, &call).map_or_else(|error| error, |()| 0)
}

/// The fifth and sixth arguments are a second function and buffer, which no call uses.
extern "C" fn register_server(
    server: *mut Server,
    sid: u32,
    function: Option<ServerFunction>,
    buffer: *mut u32,
    _second_function: u32,
    _second_buffer: u32,
    queue: *mut Queue,
) {
    let Some(function) = function.filter(|_| may_use(server)) else { return };
    if !sifrpc::register(server, sid, function, buffer, queue) {
        log!("IOP: refused: a server of the queue {:08x}, which nobody has set", queue as u32);
    }
}

extern "C" fn is_under_way(client: *const Client) -> i32 {
    (may_look(client) && sifrpc_client::is_under_way(client)).into()
}

extern "C" fn set_queue(queue: *mut Queue, thread: i32) {
    if may_use(queue) {
        sifrpc::set_queue(queue, thread);
    }
}

extern "C" fn next_request(queue: *mut Queue) -> *mut Server {
    sifrpc::next_request(queue)
}

extern "C" fn execute(server: *mut Server) {
    if may_use(server) {
        sifrpc::execute(server);
    }
}

extern "C" fn serve(queue: *mut Queue) {
    sifrpc::serve(queue);
}

extern "C" fn fetch_memory(fetched: *mut Fetched, source: u32, destination: u32, bytes: u32, mode: u32) -> i32 {
    if !may_use(fetched) || !may_write(destination, bytes) {
        return NO_PACKET;
    }
    // SAFETY: the caller's record, which it keeps until the fetch has ended.
    sifrpc_client::fetch(unsafe { &mut *fetched }, source, destination, bytes, mode).map_or_else(|error| error, |()| 0)
}

extern "C" fn remove_server(server: *mut Server, queue: *mut Queue) -> *mut Server {
    sifrpc::remove(server, queue)
}

extern "C" fn remove_queue(queue: *mut Queue) -> *mut Queue {
    sifrpc::remove_queue(queue)
}
