//! The kernel's start: map, tables, hardware, the IOP's side of the SIF, then EELOAD.
//!
//! Source: EE kernel semantics, section 12; PS2 hardware facts, section 2.6.

use super::calls::{gs, memory, sif as sif_calls};
use super::console::report;
use super::hardware::{
    D_CTRL, D_PCR, D_RBOR, D_RBSR, D_SQWC, D_STAT, DMA_CHANNELS, INTC_MASK, INTC_STAT, channel, read, write,
};
use super::state::kernel;
use super::{programs, sif};
use bootrom_ee::arguments::Arguments;
use bootrom_ee::scheduler::ThreadParameters;
use bootrom_ee::video::Region;

/// After the first instructions: never returns to them, but through the frame into EELOAD.
#[unsafe(no_mangle)]
extern "C" fn kernel_start() {
    // The first instructions cleared memory through the cache; some of it is used uncached from here on.
    memory::write_back_data();
    memory::init_tlb();
    reset_dmac();
    write(INTC_STAT, 0xFFFF);
    write(INTC_MASK, read(INTC_MASK));
    read_rom_settings();
    gs::reset();
    programs::install_user_routines();
    kernel(|kernel| {
        kernel.scheduler.reset();
        // The main thread; EELOAD and every program after it are this one.
        if let Ok(main) = kernel.scheduler.create(&ThreadParameters::default()) {
            let _ = kernel.scheduler.start(main, 0);
        }
        kernel.scheduler.dispatch();
    });
    report!("EE kernel ready");
    let iop_up = sif::start();
    kernel(|kernel| kernel.iop_up = iop_up);
    if iop_up {
        read_settings();
    }
    if !iop_up {
        report!("error: the IOP does not answer");
    }
    // Without arguments EELOAD starts the path that stands in its own image, which the emulator may have replaced.
    programs::start_eeload(Arguments::new());
}

/// Television system by ROMVER, and whether RAM is to be filled: with a pattern instead of zeros behind every program, a
/// program shows that trusts memory to be empty.
fn read_rom_settings() {
    /// The reset code's table: flags, bit 0 for filled RAM.
    const ROM_FLAGS: u32 = 0xBFC0_0424;
    /// The word that the reset code fills with.
    const FILL: u32 = 0xA5C3_965A;
    let Some(rom) = programs::rom() else { return };
    let letter = rom.file("ROMVER").and_then(|version| version.get(4)).copied();
    let filled = read(ROM_FLAGS) & 1 != 0;
    kernel(|kernel| {
        kernel.region = Region::from_letter(letter.unwrap_or_default());
        kernel.fill = if filled { FILL } else { 0 };
    });
}

/// The owner's settings, from the block whose address the IOP leaves in its low memory; no block, no settings.
fn read_settings() {
    /// The IOP's memory as this processor sees it, and its size.
    const IOP_MEMORY: u32 = 0xBC00_0000;
    const IOP_MEMORY_BYTES: u32 = 0x20_0000;
    /// Where the address stands.
    const POINTER: u32 = 0x3C0;
    /// Bytes of the block, and where the settings begin in it.
    const BLOCK: u32 = 0x60;
    const OFFSET: u32 = 0x0F;
    let block = read(IOP_MEMORY + POINTER);
    if block == 0 || block > IOP_MEMORY_BYTES - BLOCK {
        return;
    }
    let settings = core::array::from_fn(|index| {
        let place = block + OFFSET + index as u32;
        (read(IOP_MEMORY + (place & !3)) >> (8 * (place & 3))) as u8
    });
    kernel(|kernel| kernel.configuration.take_settings(&settings));
}

/// Everything off, then on with nothing running.
fn reset_dmac() {
    /// Channel, stall, MFIFO masks of D_STAT.
    const MASKS: u32 = 0x63FF_0000;
    write(D_CTRL, 0);
    for base in DMA_CHANNELS {
        for offset in
            [channel::CHCR, channel::MADR, channel::QWC, channel::TADR, channel::ASR0, channel::ASR1, channel::SADR]
        {
            write(base + offset, 0);
        }
    }
    let status = read(D_STAT);
    write(D_STAT, status & (MASKS | 0xFFFF));
    for register in [D_PCR, D_SQWC, D_RBSR, D_RBOR] {
        write(register, 0);
    }
    write(D_CTRL, 1);
    sif_calls::stop_dma();
}
