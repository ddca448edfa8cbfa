//! Transfers to and from the unit's memory, and streams.

use super::interrupts::tell_transfer;
use super::layout::{BUSY, BUSY_LIMIT, START_READ, START_WRITE, STATUS_DMA_DONE, attribute, mode, offset};
use super::{SOUND, Transfer, change_attributes, channel, core_register, pause};
use crate::machine::critical::critical;
use crate::machine::memory::{may_read, may_write};
use bootrom_iop::sound::{block_register, halves_of};
use bootrom_iop::threads::wait_until;

/// Points a core's next transfer to `address` of the unit's memory.
fn set_transfer_address(core: usize, address: u32) {
    let (upper, lower) = halves_of(address);
    core_register(core, offset::TRANSFER_ADDRESS).write(upper);
    core_register(core, offset::TRANSFER_ADDRESS + 2).write(lower);
}

/// Starts a core's DMA.
fn start_dma(core: usize, memory: u32, bytes: u32, control: u32) {
    let channel = channel(core);
    channel.address.write(memory & 0x00FF_FFFF);
    channel.blocks.write(block_register(bytes));
    channel.control.write(control);
}

pub fn write_samples(core: usize, memory: u32, address: u32, bytes: u32) {
    set_transfer_address(core, address);
    change_attributes(core, attribute::TRANSFER_MASK, attribute::WRITE);
    start_dma(core, memory, bytes, START_WRITE);
}

pub extern "C" fn voice_transfer(channel: i16, mode: u16, memory: u32, address: u32, bytes: u32) -> i32 {
    let core = usize::from(channel as u16 & 1);
    let reads = mode & mode::DIRECTION == mode::READ;
    // The DMA would take no blocks for as many as there can be.
    if bytes == 0 {
        return 0;
    }
    if !(if reads { may_write(memory, bytes) } else { may_read(memory, bytes) }) {
        return BUSY;
    }
    let free = SOUND.with(|sound| {
        let free = sound.cores[core].transfer == Transfer::Idle;
        if free {
            sound.cores[core].transfer = Transfer::Voice;
        }
        free
    });
    if !free {
        return BUSY;
    }
    if reads {
        set_transfer_address(core, address);
        change_attributes(core, attribute::TRANSFER_MASK, attribute::READ);
        start_dma(core, memory, bytes, START_READ);
    } else {
        write_samples(core, memory, address, bytes);
    }
    bytes as i32
}

/// 1 when the transfer has ended, 0 while it has not; `wait` waits for the end, but in a handler.
pub extern "C" fn voice_transfer_status(channel: i16, wait: i16) -> u32 {
    let core = usize::from(channel as u16 & 1);
    let is_idle = || SOUND.with(|sound| sound.cores[core].transfer != Transfer::Voice);
    let ended = if wait == 0 { is_idle() } else { wait_until(is_idle, pause) };
    ended.into()
}

pub extern "C" fn block_transfer(channel: i16, mode: u16, memory: u32, bytes: u32, start: u32) -> i32 {
    let core = usize::from(channel as u16 & 1);
    if mode & mode::DIRECTION == mode::STOP {
        return stop_transfer(channel.into());
    }
    let loops = mode & mode::LOOP != 0;
    let half_bytes = if loops { bytes / 2 } else { bytes };
    // A stream may begin inside of its first half.
    let skipped = if mode & mode::DIRECTION == mode::WRITE_FROM { start.wrapping_sub(memory) } else { 0 };
    if skipped >= half_bytes || !may_read(memory, bytes) {
        return BUSY;
    }
    let free = SOUND.with(|sound| {
        let free = sound.cores[core].transfer == Transfer::Idle;
        if free {
            sound.cores[core].transfer = Transfer::Stream { address: memory, half_bytes, half: 0, loops };
        }
        free
    });
    if !free {
        return BUSY;
    }
    change_attributes(core, attribute::TRANSFER_MASK, 0);
    set_transfer_address(core, 0);
    core_register(core, offset::STREAM).write(1 << core);
    start_dma(core, memory + skipped, half_bytes - skipped, START_WRITE);
    0
}

/// Which half plays (bits 24 and up), and the address that the DMA has reached; 0 without a stream.
pub extern "C" fn block_transfer_status(channel_number: i16, _flag: i16) -> u32 {
    let core = usize::from(channel_number as u16 & 1);
    match SOUND.with(|sound| sound.cores[core].transfer) {
        Transfer::Stream { half, .. } => half << 24 | channel(core).address.read() & 0x00FF_FFFF,
        Transfer::Idle | Transfer::Voice => 0,
    }
}

pub extern "C" fn stop_transfer(channel_number: i32) -> i32 {
    let core = (channel_number & 1) as usize;
    critical(|| {
        channel(core).control.write(0);
        core_register(core, offset::STREAM).write(0);
        change_attributes(core, attribute::TRANSFER_MASK, 0);
        SOUND.with(|sound| sound.cores[core].transfer = Transfer::Idle);
    });
    0
}

/// A core's DMA has moved everything.
pub extern "C" fn transfer_ended(core: u32) -> i32 {
    let core = core as usize & 1;
    match SOUND.with(|sound| sound.cores[core].transfer) {
        Transfer::Stream { address, half_bytes, half, loops: true } => {
            let half = half ^ 1;
            SOUND.with(|sound| {
                sound.cores[core].transfer = Transfer::Stream { address, half_bytes, half, loops: true };
            });
            start_dma(core, address + half * half_bytes, half_bytes, START_WRITE);
        }
        Transfer::Stream { .. } => {
            core_register(core, offset::STREAM).write(0);
            SOUND.with(|sound| sound.cores[core].transfer = Transfer::Idle);
        }
        Transfer::Voice | Transfer::Idle => {
            let status = core_register(core, offset::STATUS);
            for _ in 0..BUSY_LIMIT {
                if status.read() & STATUS_DMA_DONE != 0 {
                    break;
                }
            }
            change_attributes(core, attribute::TRANSFER_MASK, 0);
            SOUND.with(|sound| sound.cores[core].transfer = Transfer::Idle);
        }
    }
    tell_transfer(core);
    1
}
