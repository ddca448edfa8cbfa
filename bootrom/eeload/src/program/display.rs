//! The screen that says what went wrong.

use boardwalk::ee::{cache, registers, syscall};
use bootrom_ee::screen::{self, Colour, PACKET_QUADWORDS, Text};
use bootrom_ee::video::Region;
use bootrom_eeload::failure::Failure;
use core::fmt::Write as _;

/// GS privileged registers in user mode.
const GS: usize = 0x1200_0000;
/// DMA channel 2, to the GIF.
const GIF_CHANNEL: usize = 0x1000_A000;
/// DMAC control.
const DMA_CONTROL: usize = 0x1000_E000;
/// SetGsCrt: interlaced.
const INTERLACED: i32 = 1;
/// SetGsCrt: NTSC and PAL.
const MODES: [i32; 2] = [2, 3];
/// Where ROMVER's region letter would be read: the ROM, in user mode.
const ROM: usize = 0x1FC0_0000;
/// Bytes of the ROM.
const ROM_BYTES: usize = 0x40_0000;

/// Where the GIF packet is built: memory of programs, of which none runs when something is shown.
const PACKET: usize = 0x0010_0000;

/// Shows a failure.
pub fn show(failure: &Failure) {
    let mut text = Text::<512>::new();
    // A text that is cut still tells most of it.
    let _ = write!(text, "Boardwalk boot ROM\n\n{failure}\n");
    show_text(failure.colour(), text.as_bytes());
}

/// Shows text on a coloured ground.
pub fn show_text(ground: Colour, text: &[u8]) {
    // SAFETY: nobody else uses this memory, see above; its content does not matter.
    let words = unsafe { core::slice::from_raw_parts_mut(PACKET as *mut u64, 2 * PACKET_QUADWORDS) };
    let quadwords = screen::packet(words, ground, screen::wrap(text));
    cache::write_back_slice(words);
    let region = region();
    let mode = match region {
        Region::Ntsc => MODES[0],
        Region::Pal => MODES[1],
    };
    // SAFETY: the kernel maps the registers for user mode; nothing else draws.
    unsafe {
        syscall::set_gs_crt(INTERLACED, mode, 0);
        for (offset, value) in screen::settings(screen::top_line(region)) {
            registers::write64(GS + offset as usize, value);
        }
        let register = |offset: usize| (GIF_CHANNEL + offset) as *mut u32;
        (DMA_CONTROL as *mut u32).write_volatile(1);
        register(0x10).write_volatile(words.as_ptr() as u32);
        register(0x20).write_volatile(quadwords as u32);
        register(0x00).write_volatile(0x101);
        while register(0x00).read_volatile() & 0x100 != 0 {}
    }
}

/// The ROM's television system.
fn region() -> Region {
    // SAFETY: the kernel maps the ROM for user mode, and it never changes.
    let image = unsafe { core::slice::from_raw_parts(ROM as *const u8, ROM_BYTES) };
    let version = bootrom_ee::romdir::RomDirectory::find(image).and_then(|rom| rom.file("ROMVER"));
    Region::from_letter(version.and_then(|version| version.get(4)).copied().unwrap_or_default())
}
