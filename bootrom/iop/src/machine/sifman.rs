//! SIFMAN: DMA to and from the EE, and the flags by which both sides find each other.

use super::console::log;
use super::critical::{Shared, critical};
use super::interrupts::{LINE_DMA_SIF0, attach};
use super::registers::{dma, sif};
use bootrom_iop::ee_program::is_programs;
use bootrom_iop::sif::{LIST_TAGS, Progress, SendQueue, Transfer};

static SENDING: Shared<SendQueue> = Shared::new(SendQueue::new());

/// Flag of both sides: DMA is ready.
pub const FLAG_SIF_INIT: u32 = 0x1_0000;
/// Flag of both sides: packets are understood.
pub const FLAG_COMMAND_INIT: u32 = 0x2_0000;
/// Flag to the EE: all modules of the boot are there.
pub const FLAG_BOOT_END: u32 = 0x4_0000;

/// Enables both SIF channels in the second control register.
const ENABLE_CHANNELS: u32 = 0x8800;
/// Enables SIF2 in the first.
const ENABLE_SIF2: u32 = 0x800;
const BLOCK_WORDS: u32 = 32;
const ARMED_SEND: u32 = 0x20;
const ARMED_RECEIVE: u32 = 0x40;
const START_SEND: u32 = 0x0100_0701;
const START_RECEIVE: u32 = 0x4100_0300;
const BUS_ENABLE: u32 = 1;

/// Starts the interface: waits for the EE's side and answers it.
///
/// Source: hardware notes, Boot handshake
pub fn start() {
    dma::CONTROL_2.write(dma::CONTROL_2.read() | ENABLE_CHANNELS);
    dma::SIF0.control.write(0);
    dma::SIF1.control.write(0);
    rest_third();
    sif::BUS.write(sif::BUS.read() | BUS_ENABLE);
    attach(LINE_DMA_SIF0, sent, 0);
    while main_flags() & FLAG_SIF_INIT == 0 {}
    arm_receive();
    sif::SUB_WORD.write(0);
    sif::SUB_FLAGS.write(FLAG_SIF_INIT);
}

/// Puts the third channel to rest.
pub fn rest_third() {
    dma::SIF2.control.write(0);
    critical(|| dma::CONTROL.write(dma::CONTROL.read() | ENABLE_SIF2));
}

/// A flag register, read until two reads agree: the two sides have clocks of their own.
fn settled(read: impl Fn() -> u32) -> u32 {
    loop {
        let value = read();
        if read() == value {
            return value;
        }
    }
}

/// The EE's flags.
pub fn main_flags() -> u32 {
    settled(|| sif::MAIN_FLAGS.read())
}

/// Our flags that the EE has not cleared yet.
pub fn sub_flags() -> u32 {
    settled(|| sif::SUB_FLAGS.read())
}

/// Opens the receiving channel for the next chain of blocks.
pub fn arm_receive() {
    if sif::CONTROL.read() & ARMED_RECEIVE == 0 {
        sif::CONTROL.write(ARMED_RECEIVE);
    }
    dma::SIF1.control.write(0);
    dma::SIF1.blocks.write(BLOCK_WORDS);
    dma::SIF1.control.write(START_RECEIVE);
}

/// Queues transfers to the EE; the result is their id, 0 when the queue is full.
pub fn send(transfers: &[Transfer]) -> u32 {
    critical(|| {
        let id = SENDING.with(|queue| queue.push(transfers));
        start_next();
        id
    })
}

/// Queues transfers, waiting for room. For threads.
pub fn send_waiting(transfers: &[Transfer]) -> u32 {
    loop {
        let id = send(transfers);
        if id != 0 {
            return id;
        }
        pause();
    }
}

/// Whether an answer may go to `bytes` at the EE's `address`, which a program named.
///
/// Our choice: the console's servers send anywhere. What would go over the EE's kernel, its vectors or outside of its memory is told
/// on the console here and not sent.
pub fn may_send(address: u32, bytes: u32) -> bool {
    let may = is_programs(address, bytes);
    if !may {
        log!("IOP: refused: {bytes} bytes for the EE's {address:08x}, which is no program's memory");
    }
    may
}

/// Whether `bytes` at the EE's `address`, which a program named, may be fetched.
///
/// Our choice: the console's servers fetch from anywhere. The EE sends nothing but its programs' memory here, so that who fetched
/// anything else would wait for ever; it is told on the console and refused.
pub fn may_fetch(address: u32, bytes: u32) -> bool {
    let may = is_programs(address, bytes);
    if !may {
        log!("IOP: refused: to fetch {bytes} bytes of the EE's {address:08x}, which is no program's memory");
    }
    may
}

/// As [`send_waiting`], to a place that the EE's program named; None when nothing [may go](may_send) there.
pub fn send_to_program(transfer: Transfer) -> Option<u32> {
    may_send(transfer.destination, transfer.size).then(|| send_waiting(&[transfer]))
}

/// Sends to a place that the EE's program named and waits until it has left; false when nothing [may go](may_send) there.
pub fn give_program(source: u32, destination: u32, size: u32) -> bool {
    send_to_program(Transfer { source, destination, size, attributes: 0 }).map(wait_sent).is_some()
}

/// Waits until the transfer `id` has left. For threads.
pub fn wait_sent(id: u32) {
    while progress(id) != Progress::Done {
        pause();
    }
}

/// Lets other threads run for the shortest time.
fn pause() {
    // Without a record left this is a busy wait, which ends as well: interrupts go on.
    let _ = super::threads::delay(0);
}

/// How far the transfer `id` is.
pub fn progress(id: u32) -> Progress {
    SENDING.with(|queue| queue.progress(id))
}

/// Gives the DMA the next list, if it is free and there is one.
fn start_next() {
    SENDING.with(|queue| {
        let Some(list) = queue.start() else { return };
        dma::SIF0.control.write(0);
        dma::SIF0.tag.write(list.as_ptr() as u32);
        dma::SIF0.blocks.write(BLOCK_WORDS);
        if sif::CONTROL.read() & ARMED_SEND == 0 {
            sif::CONTROL.write(ARMED_SEND);
        }
        dma::SIF0.control.write(START_SEND);
    });
}

/// A call that is due when a transfer has left.
#[derive(Clone, Copy)]
struct Completion {
    id: u32,
    function: u32,
    argument: u32,
}

/// Calls that can be due at a time: one for each tag of both lists.
const COMPLETIONS: usize = 2 * LIST_TAGS;
static COMPLETION: Shared<[Option<Completion>; COMPLETIONS]> = Shared::new([None; COMPLETIONS]);

/// As [`send`]; `function` is called with `argument`, in interrupt context, when the transfers have left.
pub fn send_with_callback(transfers: &[Transfer], function: u32, argument: u32) -> u32 {
    critical(|| {
        let place = COMPLETION.with(|list| list.iter().position(Option::is_none));
        let Some(place) = place.filter(|_| function != 0) else { return send(transfers) };
        let id = SENDING.with(|queue| queue.push(transfers));
        if id != 0 {
            COMPLETION.with(|list| list[place] = Some(Completion { id, function, argument }));
        }
        start_next();
        id
    })
}

/// True while the DMA sends.
pub fn is_sending() -> bool {
    SENDING.with(|queue| queue.is_sending())
}

/// A module's function that wants to know of every list that has left, and its word.
static SENT_HANDLER: Shared<(u32, u32)> = Shared::new((0, 0));

/// Lets `function` be called with `argument`, in interrupt context, whenever a list has left; 0 for none.
pub fn set_sent_handler(function: u32, argument: u32) {
    SENT_HANDLER.with(|handler| *handler = (function, argument));
}

/// Calls a C function of one word, unless it is none.
pub fn call_back(function: u32, argument: u32) {
    if function != 0 {
        // SAFETY: callers register C functions of one word; that is the contract.
        let function: extern "C" fn(u32) = unsafe { core::mem::transmute(function as usize) };
        function(argument);
    }
}

extern "C" fn sent(_argument: u32) -> i32 {
    SENDING.with(SendQueue::sent);
    let (function, argument) = SENT_HANDLER.with(|handler| *handler);
    call_back(function, argument);
    for place in 0..COMPLETIONS {
        let due = COMPLETION.with(|list| match list[place] {
            Some(completion) if progress(completion.id) == Progress::Done => list[place].take(),
            _ => None,
        });
        if let Some(completion) = due {
            call_back(completion.function, completion.argument);
        }
    }
    start_next();
    1
}
