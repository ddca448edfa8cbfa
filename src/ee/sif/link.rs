//! The link itself: bringing it up, sending packets, and the handler of the IOP's packets.
//!
//! The handler runs on the kernel's small interrupt stack: it copies a packet out of the receive buffer, readies the channel
//! for the next one and notes the result where the program polls for it.
//!
//! Source: EE facts, section 13 (handshake); console rules 2 and 3.

use super::Error;
use super::mailbox::{Mailbox, Words};
use super::packet::{self, LongPacket, MAX_WORDS, Packet, Received};
use crate::ee::syscall::{self, SifTransfer};
use crate::ee::{cache, cop0, interrupt};
use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};

/// Calls that may be on their way at a time.
pub const SLOTS: usize = 32;
/// Software registers that the IOP may set here.
const REGISTERS: usize = 32;
/// The DMA channel from the IOP.
const FROM_IOP: i32 = 5;
/// Control register of that channel.
const FROM_IOP_CONTROL: u32 = 0x1000_C000;
/// Its running bit.
const RUNNING: u32 = 0x100;
/// Distance from an address to its uncached mirror.
const UNCACHED: u32 = 0x2000_0000;
/// Cycles in a millisecond.
const MILLISECOND: u32 = 294_912;
/// How long the IOP may take to answer while the link comes up, in milliseconds.
const START_PATIENCE: u32 = 5_000;

/// Registers that the kernel shares between programs and with the IOP.
mod register {
    /// The IOP's word.
    pub const IOP_WORD: u32 = 2;
    /// The IOP's flags.
    pub const IOP_FLAGS: u32 = 4;
    /// Address of the IOP's receive buffer, kept by the kernel from one program to the next.
    pub const IOP_BUFFER: u32 = 0x8000_0000;
    /// Where a program's own state lies.
    pub const STATE: u32 = 0x8000_0001;
    /// Set once the IOP has been told that calls are used.
    pub const CALLS: u32 = 0x8000_0002;
}

/// Flag of the IOP: its side of the DMA is up.
const DMA_UP: u32 = 0x1_0000;
/// Flag of the IOP: it takes commands.
const COMMANDS_UP: u32 = 0x2_0000;
/// Flag of the IOP: all modules of its start are there.
const BOOT_END: u32 = 0x4_0000;
/// How long a start of the IOP may take, in milliseconds.
const RESTART_PATIENCE: u32 = 15_000;
/// The software register by which the IOP tells that it serves calls.
const CALLS_SERVED: usize = 0;

/// Attributes of a transfer that carries a packet: last one, interrupt the IOP.
const PACKET_ATTRIBUTES: u32 = 0x44;

/// Words of a place for the largest packet, in whole cache lines.
const OWN_WORDS: usize = 32;
/// Words of the largest reply that is waited for, in whole cache lines.
pub(super) const REPLY_WORDS: usize = 32;
/// Place of the program's own packets.
const OF_PROGRAM: usize = 0;
/// Place of the handler's packets.
const OF_HANDLER: usize = 1;

/// What the DMA reads and writes, whole cache lines, used through the uncached mirror only.
#[repr(C, align(64))]
struct Shared {
    receive: [u32; 32],
    packets: [Packet; SLOTS],
    /// Where servers write the replies of calls that are waited for: a slot's own, so that an answer that comes after its time-out
    /// writes over nobody else's memory.
    replies: [[u32; REPLY_WORDS]; SLOTS],
    /// Packets of the link itself and of the handler's answers.
    own: [[u32; OWN_WORDS]; 2],
}

/// What the handler tells the program about a slot.
pub(super) struct Slot {
    pub(super) state: AtomicU32,
    pub(super) server: AtomicU32,
    pub(super) buffer: AtomicU32,
}

/// Values of [`Slot::state`].
pub(super) mod state {
    /// Nobody uses it.
    pub const FREE: u32 = 0;
    /// A packet is on its way.
    pub const WAITING: u32 = 1;
    /// Its END has come.
    pub const DONE: u32 = 2;
    /// The program has given up waiting; the END frees it.
    pub const ABANDONED: u32 = 3;
}

struct State {
    shared: UnsafeCell<Shared>,
    slots: [Slot; SLOTS],
    registers: [AtomicU32; REGISTERS],
    iop_buffer: AtomicU32,
    mailbox: Mailbox,
}

// SAFETY: `shared` is used by volatile accesses through its uncached mirror, its receive part by the handler alone and each
// packet by the owner of its slot.
unsafe impl Sync for State {}

static STATE: State = State {
    shared: UnsafeCell::new(Shared {
        receive: [0; 32],
        packets: [[0; 16]; SLOTS],
        replies: [[0; REPLY_WORDS]; SLOTS],
        own: [[0; OWN_WORDS]; 2],
    }),
    slots: [const { Slot { state: AtomicU32::new(state::FREE), server: AtomicU32::new(0), buffer: AtomicU32::new(0) } };
        SLOTS],
    registers: [const { AtomicU32::new(0) }; REGISTERS],
    iop_buffer: AtomicU32::new(0),
    mailbox: Mailbox::new(),
};

fn receive_address() -> u32 {
    STATE.shared.get() as u32
}

/// Address of a slot's packet, as the IOP sends it back.
pub(super) fn packet_address(slot: usize) -> u32 {
    receive_address() + core::mem::offset_of!(Shared, packets) as u32 + (slot * size_of::<Packet>()) as u32
}

/// Address of a slot's reply.
pub(super) fn reply_address(slot: usize) -> u32 {
    receive_address() + core::mem::offset_of!(Shared, replies) as u32 + (slot * REPLY_WORDS * 4) as u32
}

fn own_packet_address(index: usize) -> u32 {
    receive_address() + core::mem::offset_of!(Shared, own) as u32 + (index * OWN_WORDS * 4) as u32
}

pub(super) fn slot(index: usize) -> &'static Slot {
    &STATE.slots[index]
}

pub(super) fn read_uncached(address: u32) -> u32 {
    // SAFETY: callers pass addresses inside of `Shared`, whose mirror the kernel maps.
    unsafe { ((address + UNCACHED) as *const u32).read_volatile() }
}

pub(super) fn write_uncached(address: u32, value: u32) {
    // SAFETY: as for `read_uncached`.
    unsafe { ((address + UNCACHED) as *mut u32).write_volatile(value) }
}

/// A span of time that runs out.
pub struct Patience {
    last: u32,
    left: u64,
}

impl Patience {
    /// Runs out after this many milliseconds.
    pub fn milliseconds(milliseconds: u32) -> Self {
        Self { last: cop0::count(), left: u64::from(milliseconds) * u64::from(MILLISECOND) }
    }

    /// True while it lasts. To be asked at least once in ten seconds.
    pub fn lasts(&mut self) -> bool {
        let now = cop0::count();
        self.left = self.left.saturating_sub(u64::from(now.wrapping_sub(self.last)));
        self.last = now;
        self.left > 0
    }

    /// Waits until `done` or until it runs out; whether it was done.
    pub fn wait_until(&mut self, mut done: impl FnMut() -> bool) -> bool {
        loop {
            if done() {
                return true;
            }
            if !self.lasts() {
                return false;
            }
        }
    }
}

/// The link, once it is up. There is one; it lives as long as the program.
pub struct Link {
    handler: i32,
    next_number: u32,
}

impl Link {
    /// Brings the link up.
    ///
    /// # Errors
    /// The IOP does not answer, or the kernel takes no handler.
    pub fn start() -> Result<Self, Error> {
        cache::write_back(receive_address() as *const u8, size_of::<Shared>());
        write_uncached(receive_address(), 0);
        // SAFETY: the handler keeps the rules of handlers and lives for ever; the other calls take plain numbers.
        let handler = unsafe {
            if (FROM_IOP_CONTROL as *const u32).read_volatile() & RUNNING == 0 {
                syscall::sif_set_d_chain();
            }
            let handler = syscall::add_dmac_handler(FROM_IOP, receive, 0, core::ptr::null_mut());
            if handler < 0 {
                return Err(Error::NoHandler);
            }
            syscall::enable_dmac(FROM_IOP);
            handler
        };
        let mut link = Self { handler, next_number: 0 };
        if let Err(error) = link.greet() {
            link.close();
            return Err(error);
        }
        Ok(link)
    }

    /// Tells the IOP where our packets go and that we make calls.
    fn greet(&mut self) -> Result<(), Error> {
        let mut patience = Patience::milliseconds(START_PATIENCE);
        // SAFETY: plain numbers.
        unsafe {
            let known = syscall::sif_get_reg(register::IOP_BUFFER);
            if known != 0 {
                STATE.iop_buffer.store(known, Ordering::Relaxed);
                self.send_own(&packet::change_buffer(receive_address()))?;
            } else {
                if !patience.wait_until(|| syscall::sif_get_reg(register::IOP_FLAGS) & COMMANDS_UP != 0) {
                    return Err(Error::NoIop);
                }
                let buffer = syscall::sif_get_reg(register::IOP_WORD);
                STATE.iop_buffer.store(buffer, Ordering::Relaxed);
                syscall::sif_set_reg(register::IOP_BUFFER, buffer);
                syscall::sif_set_reg(register::STATE, receive_address());
                self.send_own(&packet::init_commands(receive_address()))?;
            }
            if syscall::sif_get_reg(register::CALLS) == 0 {
                self.send_own(&packet::init_calls())?;
                let served = &STATE.registers[CALLS_SERVED];
                if !patience.wait_until(|| served.load(Ordering::Relaxed) != 0) {
                    return Err(Error::NoCalls);
                }
                syscall::sif_set_reg(register::CALLS, 1);
            }
        }
        Ok(())
    }

    /// Takes the handler away; a program that hands over to another one does this last.
    pub fn close(&mut self) {
        // SAFETY: numbers that the kernel gave.
        unsafe {
            syscall::disable_dmac(FROM_IOP);
            syscall::remove_dmac_handler(FROM_IOP, self.handler);
        }
    }

    /// Starts the IOP anew and brings the link up with what it is then. Servers that were found before are gone.
    ///
    /// An empty `argument` starts the ROM's own modules (our discs do nothing else). On a console the disc's loaders listen
    /// for the packet that this sends, so it goes by the kernel's call and in the known form.
    ///
    /// # Errors
    /// An argument that is too long, an IOP that does not come back.
    pub fn restart_iop(mut self, argument: &[u8]) -> Result<Self, Error> {
        let words = packet::reset(argument, 0).ok_or(Error::TooLong)?;
        self.close();
        let transfer = own_transfer(OF_PROGRAM, &words);
        // SAFETY: plain numbers, and a packet that stays.
        unsafe {
            syscall::sif_stop_dma();
            syscall::sif_set_reg(register::IOP_FLAGS, BOOT_END);
            let id = send(&[transfer])?;
            let mut patience = Patience::milliseconds(START_PATIENCE);
            if !patience.wait_until(|| syscall::sif_dma_stat(id) < 0) {
                return Err(Error::NoIop);
            }
            syscall::sif_set_reg(register::IOP_FLAGS, DMA_UP);
            syscall::sif_set_reg(register::IOP_FLAGS, COMMANDS_UP);
            syscall::sif_set_reg(register::CALLS, 0);
            syscall::sif_set_reg(register::IOP_BUFFER, 0);
            for slot in &STATE.slots {
                slot.state.store(state::FREE, Ordering::Relaxed);
            }
            STATE.registers[CALLS_SERVED].store(0, Ordering::Relaxed);
            let mut patience = Patience::milliseconds(RESTART_PATIENCE);
            if !patience.wait_until(|| syscall::sif_get_reg(register::IOP_FLAGS) & BOOT_END != 0) {
                return Err(Error::NoIop);
            }
        }
        Self::start()
    }

    pub(super) fn next_number(&mut self) -> u32 {
        self.next_number = self.next_number.wrapping_add(1).max(1);
        self.next_number
    }

    /// Sends a command of the program's own to the IOP and waits until it has left.
    ///
    /// # Errors
    /// A number of the system's or a body of more than 24 words ([`Error::TooLong`]); an IOP that takes nothing.
    pub fn send_command(&mut self, number: u32, body: &[u32]) -> Result<(), Error> {
        self.send_own(&packet::own(number, body).ok_or(Error::TooLong)?)
    }

    /// The oldest packet of the IOP with a command of the program's own, if one waits.
    pub fn take_command(&mut self) -> Option<Words> {
        // SAFETY: there is one link, and it is borrowed for this call.
        unsafe { STATE.mailbox.take() }
    }

    /// Packets of the IOP that found no place because nobody took the ones before.
    pub fn lost_commands(&self) -> u32 {
        STATE.mailbox.lost()
    }

    /// Sends one of the link's own packets and waits until it has left.
    fn send_own(&mut self, words: &[u32]) -> Result<(), Error> {
        let id = send(&[own_transfer(OF_PROGRAM, words)])?;
        let mut patience = Patience::milliseconds(START_PATIENCE);
        // SAFETY: an id that the kernel gave.
        if patience.wait_until(|| unsafe { syscall::sif_dma_stat(id) } < 0) { Ok(()) } else { Err(Error::NoIop) }
    }

    /// Sends a slot's packet behind `data`: source, destination on the IOP, bytes.
    pub(super) fn send_slot(&mut self, slot: usize, words: &Packet, data: Option<(&[u8], u32)>) -> Result<(), Error> {
        let address = packet_address(slot);
        write_packet(address, words);
        let packet = packet_transfer(address, words);
        match data {
            None => send(&[packet])?,
            Some((bytes, destination)) => send(&[
                SifTransfer { source: bytes.as_ptr().cast(), destination, size: bytes.len() as i32, attributes: 0 },
                packet,
            ])?,
        };
        Ok(())
    }
}

fn write_packet(address: u32, words: &[u32]) {
    for (index, word) in words.iter().enumerate() {
        write_uncached(address + 4 * index as u32, *word);
    }
}

/// Writes one of the link's own packets to its place; how to send it.
fn own_transfer(place: usize, words: &[u32]) -> SifTransfer {
    let address = own_packet_address(place);
    write_packet(address, words);
    packet_transfer(address, words)
}

fn packet_transfer(address: u32, words: &[u32]) -> SifTransfer {
    SifTransfer {
        source: address as *const c_void,
        destination: STATE.iop_buffer.load(Ordering::Relaxed),
        size: packet::bytes(words[0]) as i32,
        attributes: PACKET_ATTRIBUTES,
    }
}

fn send(transfers: &[SifTransfer]) -> Result<u32, Error> {
    // The kernel reads the list, and copies the packets, through its own addresses: only what it reads uncached matters.
    // SAFETY: the list is valid for the call, and what it points to stays until it has been sent.
    match unsafe { syscall::sif_set_dma(transfers.as_ptr(), transfers.len() as i32) } {
        0 => Err(Error::NotSent),
        id => Ok(id),
    }
}

/// The handler of the channel from the IOP.
unsafe extern "C" fn receive(_channel: i32, _argument: *mut c_void) -> i32 {
    let buffer = receive_address();
    let bytes = packet::bytes(read_uncached(buffer)) as usize;
    let mut words = [0; MAX_WORDS];
    for (index, word) in words.iter_mut().enumerate().take(bytes.div_ceil(4)) {
        *word = read_uncached(buffer + 4 * index as u32);
    }
    write_uncached(buffer, 0);
    // SAFETY: a call for handlers.
    unsafe { syscall::i_sif_set_d_chain() };
    if bytes != 0 {
        take(&words);
    }
    interrupt::finish();
    0
}

/// Bit of the system's command numbers.
const SYSTEM: u32 = 0x8000_0000;

fn take(words: &LongPacket) {
    match packet::received(words) {
        Received::SetRegister { index, value } => {
            if let Some(register) = STATE.registers.get(index as usize) {
                register.store(value, Ordering::Relaxed);
            }
        }
        Received::End { packet, server, buffer } => {
            let offset = packet.wrapping_sub(packet_address(0)) as usize;
            if let Some(slot) = STATE.slots.get(offset / size_of::<Packet>()) {
                slot.server.store(server, Ordering::Relaxed);
                slot.buffer.store(buffer, Ordering::Relaxed);
                let abandoned = slot.state.load(Ordering::Relaxed) == state::ABANDONED;
                slot.state.store(if abandoned { state::FREE } else { state::DONE }, Ordering::Release);
            }
        }
        Received::Fetch { sender, source, destination, size } => answer_fetch(sender, source, destination, size),
        // SAFETY: handlers do not nest.
        Received::Other(number) if number & SYSTEM == 0 => unsafe { STATE.mailbox.put(words) },
        Received::Other(_) => {}
    }
}

/// Sends the IOP what it asked for, then the packet that says so. The owner of the memory has written it back.
fn answer_fetch(sender: [u32; 4], source: u32, destination: u32, size: u32) {
    let list = [
        SifTransfer { source: source as *const c_void, destination, size: size as i32, attributes: 0 },
        own_transfer(OF_HANDLER, &packet::end_of_fetch(sender)),
    ];
    // SAFETY: a call for handlers; the IOP asks for memory that its caller offered. Without room nothing is sent, and the
    // caller's time-out ends its wait.
    unsafe { syscall::i_sif_set_dma(list.as_ptr(), list.len() as i32) };
}
