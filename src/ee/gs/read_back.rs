//! Reading the GS's memory: the only way that goes from it to the program.
//!
//! The transfer leaves the GS through VIF1's queue, with the bus turned round for as long as it lasts. Nothing may be drawn
//! meanwhile: the caller waits until the GS is idle.
//!
//! Source: EE facts, sections 8 and 9 (BUSDIR, VIF1_STAT)

use super::PixelFormat;
use super::general::{BitBltBuf, Finish, Register, TrxDir, TrxPos, TrxReg};
use super::privileged::{self, CSR_FINISH, offset};
use crate::ee::gif::{Line, Quad};
use crate::ee::registers::dma_controller;
use crate::ee::{cache, cop0, dmac};

/// VIF1's status register, which the register blocks of the other units do not hold.
const VIF1_STAT: *mut u32 = 0x1000_3C00 as *mut u32;
/// VIF1_STAT: the queue goes from the GS to memory.
const FROM_GS: u32 = 1 << 23;
/// CHCR: from the device, start.
const START: u32 = 1 << 8;
const RUNNING: u32 = 1 << 8;
const PHYSICAL: u32 = 0x1FFF_FFFF;
/// Cycles after which a transfer counts as lost: a tenth of a second.
const PATIENCE: u32 = 29_491_200;
/// GIF tag: end of packet, one register a loop, of the kind "address and data".
const REGISTERS: u64 = 1 << 15 | 1 << 60;
const ADDRESS_AND_DATA: u64 = 0xE;
/// DMA tag: the chain ends behind its data.
const END: u64 = 7 << 28;
const COMMANDS: usize = 5;

/// The packet that asks for the transfer: whole cache lines.
#[repr(C, align(64))]
struct Ask([Quad; 8]);

const _: () = assert!(COMMANDS + 2 <= 8);

fn command<R: Register>(register: R) -> Quad {
    Quad::pair(register.bits(), u64::from(R::ADDRESS))
}

/// Reads a rectangle of 32-bit pixels at the corner of the buffer at `block`, `width` pixels a row, into `pixels`, which it
/// must fill. False when the GS does not deliver.
pub fn read(block: u32, (width, height): (u32, u32), pixels: &mut [Line]) -> bool {
    let quads = (width * height / 4) as usize;
    if quads != pixels.len() * 4 {
        return false;
    }
    let commands = [
        command(BitBltBuf::download(block, width, PixelFormat::Ct32)),
        command(TrxPos::to(0, 0)),
        command(TrxReg::new(width, height)),
        // The report comes before the transfer, which ends only when it has been fetched.
        command(Finish::default()),
        command(TrxDir::DOWNLOAD),
    ];
    let mut ask = Ask([Quad::default(); 8]);
    ask.0[0] = Quad::pair((COMMANDS as u64 + 1) | END, 0);
    ask.0[1] = Quad::pair(COMMANDS as u64 | REGISTERS, ADDRESS_AND_DATA);
    ask.0[2..2 + COMMANDS].copy_from_slice(&commands);
    cache::write_back_slice(&ask.0);
    cache::write_back_slice(pixels);
    privileged::write_csr(CSR_FINISH);
    // SAFETY: the GS is idle, so is its channel; the chain is written back and lives until its report.
    unsafe { dmac::start_gif_chain(ask.0.as_ptr() as u32) };
    let asked = within(|| privileged::read_csr() & CSR_FINISH != 0 && !dmac::gif_is_busy());
    // SAFETY: the register that turns VIF1's queue, which nothing else uses; put back below.
    unsafe { VIF1_STAT.write_volatile(FROM_GS) };
    privileged::write(offset::BUSDIR, 1);
    let fetched = asked && fetch(pixels);
    privileged::write(offset::BUSDIR, 0);
    // SAFETY: as above.
    unsafe { VIF1_STAT.write_volatile(0) };
    privileged::write_csr(CSR_FINISH);
    fetched
}

/// Lets VIF1's channel fill the memory.
fn fetch(pixels: &mut [Line]) -> bool {
    let controller = dma_controller();
    let start = pixels.as_mut_ptr();
    // SAFETY: an idle channel's registers; the memory owns its lines, which were written back and are not touched until the
    // channel has ended.
    unsafe {
        controller.d1_madr().write(|w| w.bits(start as u32 & PHYSICAL));
        controller.d1_qwc().write(|w| w.bits(pixels.len() as u32 * 4));
        controller.d1_chcr().write(|w| w.bits(START));
    }
    let done = within(|| controller.d1_chcr().read().bits() & RUNNING == 0);
    if !done {
        // SAFETY: ends the transfer, so that nothing is written behind the caller's back.
        controller.d1_chcr().write(|w| unsafe { w.bits(0) });
    }
    // SAFETY: whole lines of the caller's, written back before and not touched since.
    unsafe { cache::invalidate(start.cast(), size_of_val(pixels)) };
    done
}

fn within(reached: impl Fn() -> bool) -> bool {
    let begin = cop0::count();
    while !reached() {
        if cop0::count().wrapping_sub(begin) > PATIENCE {
            return false;
        }
    }
    true
}
