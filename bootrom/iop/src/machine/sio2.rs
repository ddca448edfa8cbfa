//! SIO2MAN: the serial interface to controllers and cards, for one user at a time.

use super::critical::Shared;
use super::registers::{dma, sio2};
use super::threads::{THREADS, call, call_blocking, in_interrupt};
use bootrom_iop::errors::Error;

/// Control values: both queues emptied, everything ready, go.
///
/// Source: hardware notes, SIO2
const CONTROL_RESET: u32 = 0xC;
const CONTROL_READY: u32 = 0x3BC;
const CONTROL_START: u32 = 1;
/// Ports 0 and 1 are controllers, 2 and 3 the cards beside them.
const PORTS: usize = 4;
/// Commands of a queue.
const QUEUE: usize = 16;
/// Queue entry: data by register accesses, or by DMA.
const BY_REGISTER: u32 = 0x40;
const BY_DMA: u32 = 0x70;
const SEND_SHIFT: u32 = 8;
const RECEIVE_SHIFT: u32 = 18;
/// Result bits: the queue went through, and the marks of a missing answer.
const RESULT_MASK: u32 = 0xF000;
const RESULT_GOOD: u32 = 0x1000;
const RESULT_FAILED_SHIFT: u32 = 16;
/// Bytes that one command has in a DMA buffer.
pub const BLOCK_BYTES: usize = 0x90;
const BLOCK_WORDS: u32 = BLOCK_BYTES as u32 / 4;
const ENABLE_CHANNELS: u32 = 0x0088_0000;
const START_OUT: u32 = 0x0100_0201;
const START_IN: u32 = 0x4100_0200;
/// Looks at a channel until it is given up.
const POLLS: u32 = 1_000_000;

/// Timing of a port by what is plugged in.
#[derive(Clone, Copy)]
pub struct Timing(u32, u32);

/// A controller.
pub const TIMING_PAD: Timing = Timing(0xFFC0_0505, 0x0002_0014);
/// A memory card.
pub const TIMING_CARD: Timing = Timing(0xFF02_0405, 0x0005_FFFF);

/// A multitap.
pub const TIMING_MULTITAP: Timing = Timing(0xFF02_0505, 0x0003_0064);

static LOCK: Shared<i32> = Shared::new(0);

/// Starts the interface.
///
/// # Errors
/// No record left.
pub fn start() -> Result<(), Error> {
    if LOCK.with(|lock| *lock != 0) {
        return Ok(());
    }
    let id = THREADS.with(|threads| threads.create_semaphore(0, 0, 1, 1))?;
    LOCK.with(|lock| *lock = id);
    sio2::CONTROL.write(CONTROL_READY);
    dma::CONTROL_2.write(dma::CONTROL_2.read() | ENABLE_CHANNELS);
    Ok(())
}

/// Waits until nobody else uses the interface. Who has taken it gives it back. False in an interrupt handler, which cannot wait.
pub fn take() -> bool {
    if in_interrupt() {
        return false;
    }
    let lock = LOCK.with(|lock| *lock);
    // An ended wait would only let two users mix their bytes; nobody ends the driver's waits.
    while call_blocking(|threads| threads.wait_semaphore(lock)).is_err() {}
    true
}

/// Gives the interface back.
pub fn give() {
    let lock = LOCK.with(|lock| *lock);
    // A user that gives back what it has not finds the interface free already.
    let _ = call(|threads| threads.signal_semaphore(lock));
}

/// Runs `body` while nobody else uses the interface; what it says, false where nobody may wait for that.
pub fn locked(body: impl FnOnce() -> bool) -> bool {
    if !take() {
        return false;
    }
    let result = body();
    give();
    result
}

/// A DMA's part of a transfer: address, words of a block, blocks; no blocks for none.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Dma {
    address: u32,
    words: u32,
    blocks: u32,
}

impl Dma {
    /// Where its memory begins.
    pub fn address(self) -> u32 {
        self.address
    }

    /// Bytes of it.
    pub fn bytes(self) -> u32 {
        self.words.saturating_mul(self.blocks).saturating_mul(4)
    }
}

/// A transfer: commands, bytes by hand (address and count), and blocks by DMA, each sent and received.
pub struct Work<'a> {
    /// Commands, ended by a zero.
    pub queue: &'a [u32; QUEUE],
    /// Sent by hand.
    pub input: (u32, u32),
    /// Received by hand.
    pub output: (u32, u32),
    /// Sent by DMA.
    pub input_dma: Dma,
    /// Received by DMA.
    pub output_dma: Dma,
}

/// True when a channel came to rest in time.
fn idle(channel: dma::Channel) -> bool {
    (0..POLLS).any(|_| channel.control.read() & dma::BUSY == 0)
}

fn set_dma(channel: dma::Channel, part: Dma) {
    channel.address.write(part.address & 0x00FF_FFFF);
    channel.blocks.write(part.blocks << 16 | part.words);
}

/// Runs a transfer whose timing is set.
pub fn run(work: &Work<'_>) {
    sio2::CONTROL.write(CONTROL_RESET);
    for (index, command) in work.queue.iter().enumerate() {
        sio2::queue(index).write(*command);
        if *command == 0 {
            break;
        }
    }
    for index in 0..work.input.1 {
        // SAFETY: the caller's bytes.
        sio2::OUT.write(unsafe { (work.input.0 as *const u8).add(index as usize).read() });
    }
    let (sends, receives) = (work.input_dma.blocks > 0, work.output_dma.blocks > 0);
    if sends {
        set_dma(dma::SIO2_OUT, work.input_dma);
        dma::SIO2_OUT.control.write(START_OUT);
        idle(dma::SIO2_OUT);
    }
    if receives {
        set_dma(dma::SIO2_IN, work.output_dma);
    }
    sio2::CONTROL.write(CONTROL_RESET | CONTROL_START);
    if receives {
        dma::SIO2_IN.control.write(START_IN);
        idle(dma::SIO2_IN);
    }
    finish();
    for index in 0..work.output.1 {
        // SAFETY: the caller has room for them.
        unsafe { (work.output.0 as *mut u8).add(index as usize).write(sio2::IN.read()) };
    }
}

fn prepare(timing: Timing) {
    sio2::CONTROL.write(CONTROL_RESET);
    for port in 0..PORTS {
        sio2::timing(port).write(timing.0);
        sio2::timing_2(port).write(timing.1);
    }
}

fn finish() -> u32 {
    sio2::INTERRUPT.write(sio2::INTERRUPT.read());
    sio2::RESULT.read()
}

/// True when command `index` of the queue with this result was answered.
fn answered(result: u32, index: usize) -> bool {
    result & RESULT_MASK == RESULT_GOOD && result >> RESULT_FAILED_SHIFT & 1 << index == 0
}

/// Sends one command to a port, byte by byte, and receives as many bytes; false when nobody answered.
pub fn exchange(port: u32, timing: Timing, bytes: &mut [u8]) -> bool {
    let length = bytes.len() as u32;
    prepare(timing);
    sio2::queue(0).write(port | BY_REGISTER | length << SEND_SHIFT | length << RECEIVE_SHIFT);
    sio2::queue(1).write(0);
    for byte in bytes.iter() {
        sio2::OUT.write(*byte);
    }
    sio2::CONTROL.write(CONTROL_RESET | CONTROL_START);
    let result = finish();
    for byte in bytes.iter_mut() {
        *byte = sio2::IN.read();
    }
    answered(result, 0)
}

/// Sends a queue of commands of the given lengths by DMA, each in a block of its own; the answers come to `input` in the same
/// way. False when one of them was not answered.
pub fn exchange_blocks(
    port: u32,
    timing: Timing,
    lengths: &[u32],
    output: &[[u8; BLOCK_BYTES]],
    input: &mut [[u8; BLOCK_BYTES]],
) -> bool {
    let count = lengths.len().min(output.len()).min(input.len()).min(QUEUE - 1);
    prepare(timing);
    for (index, length) in lengths[..count].iter().enumerate() {
        sio2::queue(index).write(port | BY_DMA | length << SEND_SHIFT | length << RECEIVE_SHIFT);
    }
    sio2::queue(count).write(0);
    let blocks = (count as u32) << 16 | BLOCK_WORDS;
    dma::SIO2_OUT.address.write(output.as_ptr() as u32 & 0x00FF_FFFF);
    dma::SIO2_OUT.blocks.write(blocks);
    dma::SIO2_OUT.control.write(START_OUT);
    dma::SIO2_IN.address.write(input.as_mut_ptr() as u32 & 0x00FF_FFFF);
    dma::SIO2_IN.blocks.write(blocks);
    let sent = idle(dma::SIO2_OUT);
    sio2::CONTROL.write(CONTROL_RESET | CONTROL_START);
    dma::SIO2_IN.control.write(START_IN);
    let received = idle(dma::SIO2_IN);
    let result = finish();
    sent && received && (0..count).all(|index| answered(result, index))
}
