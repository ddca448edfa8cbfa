//! `sifman` 1.1: DMA to the EE and the flags of both sides.

use super::{Exports, exports};
use crate::machine::critical::critical;
use crate::machine::memory::{may_read, may_write};
use crate::machine::registers::{raw, sif};
use crate::machine::sifman::{self, FLAG_SIF_INIT, arm_receive, main_flags, sub_flags};
use crate::machine::threads::in_interrupt;
use bootrom_iop::dma_channels;
use bootrom_iop::sif::{LIST_TAGS, Transfer};

/// Library functions by number.
pub static TABLE: Exports<33> = exports(
    b"sifman",
    0x0101,
    [
        // Covers: iop, sifman 4 sceSifDma2Init test=whose start puts it to rest
        (4, initialise_third as *const ()),
        // Covers: iop, sifman 5 sceSifInit test=the interface stays up when it is started again
        (5, initialise as *const ()),
        // Covers: iop, sifman 6 sceSifSetDChain test=and packets come again when their chain is set
        (6, arm_receive_channel as *const ()),
        // Covers: iop, sifman 7 sceSifSetDma test=and holds what was sent
        (7, send as *const ()),
        // Covers: iop, sifman 8 sceSifDmaStat test=a transfer is not over at first, then over
        (8, progress as *const ()),
        // Covers: iop, sifman 9 sceSifSetOneDma test=one transfer is sent
        (9, send_one as *const ()),
        // Covers: iop, sifman 10 sceSifSendSync test=nothing is sent when all has left
        (10, wait_idle as *const ()),
        // Covers: iop, sifman 11 sceSifIsSending test=nothing is sent when all has left
        (11, is_sending as *const ()),
        // Covers: iop, sifman 12 sceSifDma0Transfer test=and has brought its data
        (12, transfer::<9> as *const ()),
        // Covers: iop, sifman 13 sceSifDma0Sync test=a transfer to the EE by hand ends
        (13, wait_channel::<9> as *const ()),
        // Covers: iop, sifman 14 sceSifDma0Sending test=a transfer to the EE by hand ends
        (14, is_busy::<9> as *const ()),
        // Covers: iop, sifman 15 sceSifDma1Transfer test=a transfer from the EE by hand waits for it
        (15, transfer::<10> as *const ()),
        // Covers: iop, sifman 16 sceSifDma1Sync test=a channel that rests is not waited for
        (16, wait_channel::<10> as *const ()),
        // Covers: iop, sifman 17 sceSifDma1Sending test=a transfer from the EE by hand waits for it
        (17, is_busy::<10> as *const ()),
        // Covers: iop, sifman 18 sceSifDma2Transfer test=a transfer of the third channel begins
        (18, transfer::<2> as *const ()),
        // Covers: iop, sifman 19 sceSifDma2Sync test=for good and ever
        (19, wait_channel::<2> as *const ()),
        // Covers: iop, sifman 20 sceSifDma2Sending test=a transfer of the third channel begins
        (20, is_busy::<2> as *const ()),
        // Covers: iop, sifman 21 sceSifGetMSFlag test=the EE's flags tell that its side is up
        (21, read_main_flags as *const ()),
        // Covers: iop, sifman 22 sceSifSetMSFlag test=a flag of the EE's is taken back
        (22, clear_main_flags as *const ()),
        // Covers: iop, sifman 23 sceSifGetSMFlag test=a flag of our own is raised
        (23, read_sub_flags as *const ()),
        // Covers: iop, sifman 24 sceSifSetSMFlag test=a flag of our own is raised
        (24, set_sub_flags as *const ()),
        // Covers: iop, sifman 25 sceSifGetMainAddr test=the EE's word is a buffer of its
        (25, main_word as *const ()),
        // Covers: iop, sifman 26 sceSifGetSubAddr test=and was where packets go
        (26, sub_word as *const ()),
        // Covers: iop, sifman 27 sceSifSetSubAddr test=our own word is what was set
        (27, set_sub_word as *const ()),
        // Covers: iop, sifman 28 sceSifIntrMain test=the EE's interrupt is no level
        (28, interrupt_main as *const ()),
        // Covers: iop, sifman 29 sceSifCheckInit test=the interface stays up when it is started again
        (29, is_initialised as *const ()),
        // Covers: iop, sifman 30 sceSifSetDmaIntrHandler test=and to who wants to know of every list
        (30, set_sent_handler as *const ()),
        // Covers: iop, sifman 31 sceSifResetDmaIntrHandler test=until it is told no more
        (31, reset_sent_handler as *const ()),
        // Covers: iop, sifman 32 sceSifSetDmaIntr test=the end of a transfer is told to who has sent it
        (32, send_with_callback as *const ()),
    ],
);

/// The transfers of a caller's list; none of a list of which one may not go.
fn list<'a>(transfers: *const Transfer, count: i32) -> &'a [Transfer] {
    let Some(count) = usize::try_from(count).ok().filter(|count| (1..=LIST_TAGS).contains(count)) else { return &[] };
    let bytes = size_of::<Transfer>() * count;
    if !(transfers as usize).is_multiple_of(4) || !may_read(transfers as u32, bytes as u32) {
        return &[];
    }
    // SAFETY: memory with that many transfers, as was asked.
    let transfers = unsafe { core::slice::from_raw_parts(transfers, count) };
    if transfers.iter().all(may_go) { transfers } else { &[] }
}

/// True when a transfer's data is memory and goes to a program's.
///
/// Our choice: the console's sends anywhere. What would go over the EE's kernel is told on the console here and not sent.
fn may_go(transfer: &Transfer) -> bool {
    transfer.size == 0
        || may_read(transfer.source, transfer.size) && sifman::may_send(transfer.destination, transfer.size)
}

/// The boot has brought the interface up.
extern "C" fn initialise() {}

/// SIF2 has no use beside the older machine's: its channel is put to rest.
extern "C" fn initialise_third() {
    sifman::rest_third();
}

/// Waits until nothing is sent any more; not in a handler, which keeps away the interrupt that says so.
extern "C" fn wait_idle() {
    while sifman::is_sending() && !in_interrupt() {
        core::hint::spin_loop();
    }
}

/// Whether a channel is busy.
extern "C" fn is_busy<const CHANNEL: u32>() -> i32 {
    (raw(dma_channels::registers(CHANNEL).unwrap_or_default() + 8).read() & dma_channels::START != 0).into()
}

/// Waits until a channel is at rest.
extern "C" fn wait_channel<const CHANNEL: u32>() {
    while is_busy::<CHANNEL>() != 0 {
        core::hint::spin_loop();
    }
}

/// Mode bit of a plain transfer: to the other side.
const MODE_SEND: u32 = 1;

/// Moves `bytes` of memory over a channel by hand, past the queue.
extern "C" fn transfer<const CHANNEL: u32>(address: u32, bytes: u32, mode: u32) {
    let registers = dma_channels::registers(CHANNEL).unwrap_or_default();
    let words = bytes / 4;
    let sends = mode & MODE_SEND != 0;
    if !(if sends { may_read(address, bytes) } else { may_write(address, bytes) }) {
        return;
    }
    critical(|| {
        raw(registers + 8).write(0);
        raw(registers).write(address & 0x00FF_FFFF);
        raw(registers + 4).write(words.div_ceil(BLOCK_WORDS) << 16 | words.min(BLOCK_WORDS));
        let control = dma_channels::slice_control(CHANNEL, sends);
        raw(registers + 8).write(control | dma_channels::START);
    });
}

/// Words of a block.
const BLOCK_WORDS: u32 = 32;

/// Tells the EE by an interrupt of its own.
///
/// Source: hardware notes, SIF (software interrupts)
extern "C" fn interrupt_main() {
    sif::BUS.write(sif::BUS.read() | BUS_INTERRUPT);
    sif::BUS.write(sif::BUS.read() & !BUS_INTERRUPT);
}

const BUS_INTERRUPT: u32 = 2;

extern "C" fn set_sent_handler(function: u32, argument: u32) {
    sifman::set_sent_handler(function, argument);
}

extern "C" fn reset_sent_handler() {
    sifman::set_sent_handler(0, 0);
}

extern "C" fn arm_receive_channel() {
    arm_receive();
}

extern "C" fn send(transfers: *const Transfer, count: i32) -> u32 {
    sifman::send(list(transfers, count))
}

extern "C" fn progress(id: u32) -> i32 {
    sifman::progress(id) as i32
}

extern "C" fn send_one(transfer: Transfer) -> u32 {
    if may_go(&transfer) { sifman::send(&[transfer]) } else { 0 }
}

extern "C" fn send_with_callback(transfers: *const Transfer, count: i32, function: u32, argument: u32) -> u32 {
    sifman::send_with_callback(list(transfers, count), function, argument)
}

extern "C" fn is_sending() -> i32 {
    sifman::is_sending().into()
}

extern "C" fn read_main_flags() -> u32 {
    main_flags()
}

extern "C" fn clear_main_flags(bits: u32) -> u32 {
    sif::MAIN_FLAGS.write(bits);
    main_flags()
}

extern "C" fn read_sub_flags() -> u32 {
    sub_flags()
}

extern "C" fn set_sub_flags(bits: u32) -> u32 {
    sif::SUB_FLAGS.write(bits);
    sub_flags()
}

extern "C" fn main_word() -> u32 {
    sif::MAIN_WORD.read()
}

extern "C" fn sub_word() -> u32 {
    sif::SUB_WORD.read()
}

extern "C" fn set_sub_word(value: u32) -> u32 {
    sif::SUB_WORD.write(value);
    value
}

extern "C" fn is_initialised() -> i32 {
    (sub_flags() & FLAG_SIF_INIT != 0 || main_flags() & FLAG_SIF_INIT != 0).into()
}
