//! Shows text on the screen, whatever the program had set up.

use super::calls::gs::reset_for_report;
use super::cell::Global;
use super::hardware::{
    D_CTRL, DMA_CHANNELS, GIF_CTRL, channel, gs, physical, read, uncached, wait_until, write, write_double,
};
use super::state::kernel;
use bootrom_ee::screen::{self, Colour, PACKET_QUADWORDS};

#[repr(C, align(64))]
struct Packet([u64; 2 * PACKET_QUADWORDS]);

static PACKET: Global<Packet> = Global::new(Packet([0; 2 * PACKET_QUADWORDS]));

/// Draws rows of text on a coloured ground.
pub fn show(ground: Colour, text: &[u8]) {
    /// GIF control: reset.
    const RESET: u32 = 1;
    /// CHCR: from memory, start.
    const START: u32 = 0x101;
    /// Milliseconds for a picture.
    const PATIENCE: u32 = 100;
    const GIF: u32 = DMA_CHANNELS[2];
    write(GIF + channel::CHCR, 0);
    write(GIF_CTRL, RESET);
    reset_for_report();
    let address = uncached(PACKET.pointer() as u32);
    // SAFETY: the packet's memory through its uncached mirror; only this function uses it, and it runs once at a time.
    let words = unsafe { core::slice::from_raw_parts_mut(address as *mut u64, 2 * PACKET_QUADWORDS) };
    let quadwords = screen::packet(words, ground, screen::wrap(text));
    let top = screen::top_line(kernel(|kernel| kernel.region));
    for (offset, value) in screen::settings(top) {
        write_double(gs::PMODE + offset, value);
    }
    write(D_CTRL, 1);
    write(GIF + channel::MADR, physical(address));
    write(GIF + channel::QWC, quadwords as u32);
    write(GIF + channel::CHCR, START);
    wait_until(PATIENCE, || read(GIF + channel::CHCR) & channel::RUNNING == 0);
}
