//! SIFCMD: packets from and to the EE.

use super::critical::{Shared, critical};
use super::interrupts::{LINE_DMA_SIF1, attach, disable};
use super::registers::sif;
use super::threads::{set_system_event, system_event};
use super::{sifman, sifrpc, sifrpc_client};
use bootrom_iop::sif::{
    INTERRUPT_RECEIVER, PACKET_MAXIMUM, PACKET_MINIMUM, PACKET_WORDS, Transfer, command, header, packet_bytes, word,
};
use core::cell::UnsafeCell;

/// Handlers of system commands.
const SYSTEM_COMMANDS: usize = 32;
/// Software registers.
const REGISTERS: usize = 32;
const SYSTEM_BIT: u32 = 0x8000_0000;

/// A command handler: the packet's address and the word it was registered with.
pub type CommandHandler = extern "C" fn(*mut u32, u32);

/// A handler as tables of callers hold it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct HandlerEntry {
    /// Address of the function, 0 for none.
    pub function: u32,
    /// Its second argument.
    pub argument: u32,
}

struct Commands {
    /// Physical address of the EE's packet buffer, 0 until it told.
    ee_buffer: u32,
    system: [HandlerEntry; SYSTEM_COMMANDS],
    /// A caller's table in its place, null for none, and how many entries that has.
    other_system: *mut HandlerEntry,
    other_count: u32,
    /// What is called before a packet is looked at, and its word.
    received: (u32, u32),
    /// The caller's table of other commands, and how many entries it has.
    user: *mut HandlerEntry,
    user_count: u32,
    registers: [u32; REGISTERS],
}

static COMMANDS: Shared<Commands> = Shared::new(Commands {
    ee_buffer: 0,
    system: [HandlerEntry { function: 0, argument: 0 }; SYSTEM_COMMANDS],
    other_system: core::ptr::null_mut(),
    other_count: 0,
    received: (0, 0),
    user: core::ptr::null_mut(),
    user_count: 0,
    registers: [0; REGISTERS],
});

/// Where the EE's packets arrive.
#[repr(C, align(64))]
struct ReceiveBuffer(UnsafeCell<[u32; RECEIVE_WORDS]>);
const RECEIVE_WORDS: usize = 32;
// SAFETY: only the DMA writes it and only the receive handler reads it, through volatile accesses.
unsafe impl Sync for ReceiveBuffer {}
static RECEIVE: ReceiveBuffer = ReceiveBuffer(UnsafeCell::new([0; RECEIVE_WORDS]));

/// Starts the packet layer and tells the EE where its packets go.
pub fn start() {
    sifrpc::start();
    sifrpc_client::start();
    for (number, handler) in [
        (command::CHANGE_BUFFER, change_buffer as CommandHandler),
        (command::SET_REGISTER, set_register),
        (command::INIT, init),
    ] {
        add_handler(number, handler as usize as u32, 0);
    }
    attach(LINE_DMA_SIF1, received, 0);
    sif::SUB_WORD.write(RECEIVE.0.get() as u32);
    sif::SUB_FLAGS.write(sifman::FLAG_COMMAND_INIT);
}

/// Registers a handler; numbers outside the tables are ignored.
pub fn add_handler(number: u32, function: u32, argument: u32) {
    COMMANDS.with(|commands| {
        if let Some(entry) = commands.entry(number) {
            // SAFETY: `entry` points into our table or into the caller's, which it said has that many entries.
            unsafe { entry.write(HandlerEntry { function, argument }) };
        }
    });
}

/// Uses a caller's table for the commands that are not the system's.
pub fn set_user_table(table: *mut HandlerEntry, count: u32) {
    COMMANDS.with(|commands| (commands.user, commands.user_count) = (table, count));
}

/// Uses a caller's table for the system's commands, our own again for none. What is registered so far moves there.
pub fn set_system_table(table: *mut HandlerEntry, count: u32) {
    COMMANDS.with(|commands| {
        let count = if table.is_null() { 0 } else { count };
        for (index, entry) in commands.system.iter().enumerate().take(count as usize) {
            // SAFETY: the caller's table has that many entries.
            unsafe { table.add(index).write(*entry) };
        }
        (commands.other_system, commands.other_count) = (table, count);
    });
}

/// Lets `function` be called with `argument` whenever something has arrived; 0 for none.
pub fn set_received_handler(function: u32, argument: u32) {
    COMMANDS.with(|commands| commands.received = (function, argument));
}

/// Takes no more packets.
pub fn leave() {
    disable(LINE_DMA_SIF1);
}

/// A software register's value; 0 outside of the table.
pub fn register(index: u32) -> u32 {
    COMMANDS.with(|commands| commands.registers.get(index as usize).copied().unwrap_or(0))
}

/// Sets a software register.
pub fn write_register(index: u32, value: u32) {
    COMMANDS.with(|commands| {
        if let Some(register) = commands.registers.get_mut(index as usize) {
            *register = value;
        }
    });
}

impl Commands {
    fn entry(&mut self, number: u32) -> Option<*mut HandlerEntry> {
        let index = number & !SYSTEM_BIT;
        if number & SYSTEM_BIT != 0 && !self.other_system.is_null() {
            (index < self.other_count).then(|| self.other_system.wrapping_add(index as usize))
        } else if number & SYSTEM_BIT != 0 {
            self.system.get_mut(index as usize).map(|entry| entry as *mut HandlerEntry)
        } else if index < self.user_count && !self.user.is_null() {
            Some(self.user.wrapping_add(index as usize))
        } else {
            None
        }
    }
}

/// Sends the packet of `packet_size` bytes at `packet`, after `data_bytes` from `data` to `destination`. The memory must stay as it is
/// until the packet has left. The result is the transfer's id, 0 when it cannot be sent.
pub fn send(number: u32, packet: *mut u32, packet_size: u32, data: u32, destination: u32, data_bytes: u32) -> u32 {
    send_with(number, packet, packet_size, [data, destination, data_bytes], (0, 0))
}

/// As [`send`], of data's address, destination and bytes; the function of `completion` is called with its word, in interrupt
/// context, when all has left.
pub fn send_with(
    number: u32,
    packet: *mut u32,
    packet_size: u32,
    [data, destination, data_bytes]: [u32; 3],
    completion: (u32, u32),
) -> u32 {
    if !(PACKET_MINIMUM..=PACKET_MAXIMUM).contains(&packet_size) {
        return 0;
    }
    let ee_buffer = COMMANDS.with(|commands| commands.ee_buffer);
    if ee_buffer == 0 {
        return 0;
    }
    let data_bytes = if destination == 0 { 0 } else { data_bytes };
    // SAFETY: the caller's packet has at least the header's four words.
    unsafe {
        packet.add(word::HEADER).write_volatile(header(packet_size, data_bytes));
        packet.add(word::DESTINATION).write_volatile(if data_bytes > 0 { destination } else { 0 });
        packet.add(word::COMMAND).write_volatile(number);
    }
    let transfers = [
        Transfer { source: data, destination, size: data_bytes, attributes: 0 },
        Transfer { source: packet as u32, destination: ee_buffer, size: packet_size, attributes: INTERRUPT_RECEIVER },
    ];
    sifman::send_with_callback(if data_bytes > 0 { &transfers } else { &transfers[1..] }, completion.0, completion.1)
}

/// A chain from the EE has arrived: the packet at its end, if there is one, is handed out.
extern "C" fn received(_argument: u32) -> i32 {
    let (function, argument) = COMMANDS.with(|commands| commands.received);
    sifman::call_back(function, argument);
    let buffer = RECEIVE.0.get().cast::<u32>();
    // SAFETY: the buffer is ours; the DMA is at rest until it is armed again.
    let first = unsafe { buffer.read_volatile() };
    let bytes = packet_bytes(first);
    if bytes == 0 {
        sifman::arm_receive();
        return 1;
    }
    let mut packet = [0_u32; PACKET_WORDS];
    for (index, slot) in packet.iter_mut().enumerate().take((bytes as usize).div_ceil(4)) {
        // SAFETY: the packet's words lie inside the buffer.
        *slot = unsafe { buffer.add(index).read_volatile() };
    }
    // SAFETY: as above. A size of 0 marks the buffer as read.
    unsafe { buffer.write_volatile(0) };
    sifman::arm_receive();
    let handler = COMMANDS.with(|commands| {
        // SAFETY: `entry` points into our table or into the caller's, which it said has that many entries.
        commands.entry(packet[word::COMMAND]).map(|entry| unsafe { entry.read() })
    });
    if let Some(handler) = handler.filter(|handler| handler.function != 0) {
        // SAFETY: registered addresses are command handlers; that is the contract.
        let function: CommandHandler = unsafe { core::mem::transmute(handler.function as usize) };
        function(packet.as_mut_ptr(), handler.argument);
    }
    1
}

extern "C" fn change_buffer(packet: *mut u32, _argument: u32) {
    // SAFETY: the packet layer hands out whole packets.
    let address = unsafe { packet.add(word::FIRST).read() };
    COMMANDS.with(|commands| commands.ee_buffer = address);
}

extern "C" fn set_register(packet: *mut u32, _argument: u32) {
    // SAFETY: as above.
    let (index, value) = unsafe { (packet.add(word::FIRST).read(), packet.add(word::FIRST + 1).read()) };
    write_register(index, value);
}

/// The EE's packet layer (option 0) or call layer (option 1) has started.
extern "C" fn init(packet: *mut u32, _argument: u32) {
    // SAFETY: as above.
    let (option, address) = unsafe { (packet.add(word::OPTION).read(), packet.add(word::FIRST).read()) };
    if option == 0 {
        critical(|| COMMANDS.with(|commands| commands.ee_buffer = address));
        sif::MAIN_FLAGS.write(sifman::FLAG_COMMAND_INIT);
        set_system_event(system_event::COMMANDS);
    } else {
        set_system_event(system_event::CALLS);
        sifrpc::tell_ready();
    }
}
