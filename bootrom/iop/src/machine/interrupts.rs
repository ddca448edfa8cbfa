//! INTRMAN: who is called for which interrupt line.

use super::critical::Shared;
use super::registers::{dma, interrupt};
use bootrom_iop::interrupts::{Handlers, LINE_DMA};

/// All handlers.
pub static HANDLERS: Shared<Handlers> = Shared::new(Handlers::new());

/// A handler: 0 leaves its line disabled.
pub type Handler = extern "C" fn(u32) -> i32;

/// First line number of the DMA channels 0 to 6.
pub const LINE_DMA_LOW: u32 = 0x20;
/// First line number of the DMA channels 7 to 12.
pub const LINE_DMA_HIGH: u32 = 0x28;
/// The disc drive.
pub const LINE_CDVD: u32 = 2;
/// Timer 5.
pub const LINE_TIMER_5: u32 = 16;
/// SIF0 sent.
pub const LINE_DMA_SIF0: u32 = 0x2A;
/// SIF1 received.
pub const LINE_DMA_SIF1: u32 = 0x2B;

const LOW_CHANNELS: u32 = 7;
const HIGH_CHANNELS: u32 = 6;
const ENABLE_SHIFT: u32 = 16;
const FLAG_SHIFT: u32 = 24;
/// All bits but the flags, which a written 1 clears.
const KEEP: u32 = 0x00FF_FFFF;
const DMA_MASTER: u32 = 1 << 23;

/// Which interrupt register serves a DMA line, and its channel's bit there.
fn dma_bit(line: u32) -> Option<(super::registers::Register<u32>, u32)> {
    if (LINE_DMA_LOW..LINE_DMA_LOW + LOW_CHANNELS).contains(&line) {
        Some((dma::INTERRUPTS, line - LINE_DMA_LOW))
    } else if (LINE_DMA_HIGH..LINE_DMA_HIGH + HIGH_CHANNELS).contains(&line) {
        Some((dma::INTERRUPTS_2, line - LINE_DMA_HIGH))
    } else {
        None
    }
}

/// Whether there is a line of that number: one of the controller's, or of a DMA channel.
pub fn exists(line: u32) -> bool {
    line < LINE_DMA_LOW || dma_bit(line).is_some()
}

/// Lets a line interrupt. A DMA line enables its channel's completion.
pub fn enable(line: u32) {
    super::critical::critical(|| match dma_bit(line) {
        Some((register, bit)) => {
            register.write(register.read() & KEEP | DMA_MASTER | 1 << (ENABLE_SHIFT + bit));
            dma::INTERRUPTS.write(dma::INTERRUPTS.read() & KEEP | DMA_MASTER);
            interrupt::MASK.write(interrupt::MASK.read() | 1 << LINE_DMA);
        }
        None => interrupt::MASK.write(interrupt::MASK.read() | 1 << (line & 31)),
    });
}

/// Keeps a line from interrupting; the result says whether it could.
pub fn disable(line: u32) -> bool {
    super::critical::critical(|| match dma_bit(line) {
        Some((register, bit)) => {
            let before = register.read();
            register.write(before & KEEP & !(1 << (ENABLE_SHIFT + bit)));
            before & 1 << (ENABLE_SHIFT + bit) != 0
        }
        None => {
            let before = interrupt::MASK.read();
            interrupt::MASK.write(before & !(1 << (line & 31)));
            before & 1 << (line & 31) != 0
        }
    })
}

/// Registers and enables one of the kernel's own handlers.
pub fn attach(line: u32, handler: Handler, argument: u32) {
    // The kernel's own lines are free at boot.
    let _ = HANDLERS.with(|handlers| handlers.register(line, handler as usize as u32, argument));
    enable(line);
}

/// Calls the handler of `line`; false when the line is to stay disabled.
fn call(line: u32) -> bool {
    match HANDLERS.with(|handlers| handlers.get(line)) {
        Some(handler) => {
            // SAFETY: registered addresses are C functions of one word that return a word; that is the contract.
            let function: Handler = unsafe { core::mem::transmute(handler.function as usize) };
            function(handler.argument) != 0
        }
        None => false,
    }
}

/// Serves every pending line, lowest first.
///
/// A line is masked while its handler runs; the pending bit is cleared before, so that a new edge counts.
/// Source: IOP kernel, INTRMAN (dispatch)
pub fn serve() {
    loop {
        let pending = interrupt::STATUS.read() & interrupt::MASK.read();
        if pending == 0 {
            return;
        }
        let line = pending.trailing_zeros();
        let bit = 1 << line;
        interrupt::MASK.write(interrupt::MASK.read() & !bit);
        interrupt::STATUS.write(!bit);
        let again = if line == LINE_DMA { serve_dma() } else { call(line) };
        if again {
            interrupt::MASK.write(interrupt::MASK.read() | bit);
        }
    }
}

/// Serves every DMA channel whose completion is flagged and enabled, in ascending order.
fn serve_dma() -> bool {
    for (register, base, channels) in
        [(dma::INTERRUPTS, LINE_DMA_LOW, LOW_CHANNELS), (dma::INTERRUPTS_2, LINE_DMA_HIGH, HIGH_CHANNELS)]
    {
        loop {
            let value = register.read();
            let due = value >> FLAG_SHIFT & value >> ENABLE_SHIFT & ((1 << channels) - 1);
            if due == 0 {
                break;
            }
            let channel = due.trailing_zeros();
            register.write(value & KEEP | 1 << (FLAG_SHIFT + channel));
            if !call(base + channel) {
                register.write(register.read() & KEEP & !(1 << (ENABLE_SHIFT + channel)));
            }
        }
    }
    // The line is an edge of all flags together: make a new one for what came in the meantime.
    let value = dma::INTERRUPTS.read() & KEEP;
    dma::INTERRUPTS.write(value & !DMA_MASTER);
    dma::INTERRUPTS.write(value | DMA_MASTER);
    true
}
