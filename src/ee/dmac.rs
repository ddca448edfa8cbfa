//! The DMA controller: this program's own channel is the one to the GIF.
//!
//! Source: EE facts, section 6.

use super::gif::Chain;
use super::registers::dma_controller;

/// CHCR: memory to device, chain mode, start.
const CHCR_CHAIN_START: u32 = 0x105;
/// CHCR: the channel is running.
const CHCR_RUNNING: u32 = 1 << 8;
/// D_CTRL: the controller is on.
const CTRL_ENABLE: u32 = 1;
/// Physical addresses have 29 bits; the rest picks a view of memory.
const PHYSICAL: u32 = 0x1FFF_FFFF;

/// Switches the controller on: the kernel may have left it off.
pub fn enable() {
    let ctrl = dma_controller().d_ctrl();
    let now = ctrl.read().bits();
    // SAFETY: sets the enable bit and keeps the rest.
    ctrl.write(|w| unsafe { w.bits(now | CTRL_ENABLE) });
}

/// True while the channel to the GIF runs.
#[inline]
pub fn gif_is_busy() -> bool {
    dma_controller().d2_chcr().read().bits() & CHCR_RUNNING != 0
}

/// Stops the channel to the GIF where it is. For the panic screen.
pub fn stop_gif() {
    // SAFETY: clearing the start bit ends the transfer.
    dma_controller().d2_chcr().write(|w| unsafe { w.bits(0) });
}

/// Starts the channel to the GIF on a chain. An interrupt handler may call this.
///
/// # Safety
/// The channel must be idle, and the chain and what it refers to written back and left alone until it is done.
#[inline]
pub unsafe fn start_gif_chain(address: u32) {
    let dmac = dma_controller();
    // SAFETY: an idle channel's registers; the caller vouches for the chain.
    unsafe {
        dmac.d2_qwc().write(|w| w.bits(0));
        dmac.d2_tadr().write(|w| w.bits(address & PHYSICAL));
        dmac.d2_chcr().write(|w| w.bits(CHCR_CHAIN_START));
    }
}

/// Walks over a chain: each tag's address, and the address and quadwords of what it transfers.
fn walk(chain: &Chain, mut piece: impl FnMut(u32, u32, u32)) {
    /// Tags that a chain has at most; more is no chain of ours.
    const MOST_TAGS: u32 = 100_000;
    const REFERENCE: u32 = 3;
    const END: u32 = 7;
    let mut tag = chain.address;
    for _ in 0..MOST_TAGS {
        // SAFETY: a tag of the chain, which the caller has built.
        let (word, data) = unsafe { ((tag as *const u32).read_volatile(), ((tag + 4) as *const u32).read_volatile()) };
        let (quads, kind) = (word & 0xFFFF, word >> 28 & 7);
        if kind == REFERENCE {
            piece(tag, data, quads);
            tag += 16;
            continue;
        }
        piece(tag, tag + 16, quads);
        tag += 16 + quads * 16;
        if kind == END {
            break;
        }
    }
}

/// Quadwords of a chain, its own and those it refers to, that memory does not hold as the program sees them: somebody forgot
/// to write them back. Nothing is found where no data cache is, as in most emulators.
pub fn unwritten(chain: &Chain) -> u32 {
    /// Where user programs see memory past the cache.
    const UNCACHED: u32 = 0x2000_0000;
    let differing = |address: u32, quads: u32| {
        let words = (address..address + quads * 16).step_by(4);
        let differs = |&word: &u32| {
            // SAFETY: memory that the program handed to the DMA controller, read through both of its views.
            let (seen, held) =
                unsafe { ((word as *const u32).read_volatile(), ((word + UNCACHED) as *const u32).read_volatile()) };
            seen != held
        };
        (words.filter(differs).count() as u32).div_ceil(4)
    };
    let mut found = 0;
    walk(chain, |tag, data, quads| found += differing(tag, 1) + differing(data, quads));
    found
}

/// Hands out the quadwords that a chain brings to the GIF, in their order, its tags left out.
pub fn each_quad(chain: &Chain, mut quad: impl FnMut([u32; 4])) {
    walk(chain, |_, data, quads| {
        for address in (data..data + quads * 16).step_by(16) {
            // SAFETY: memory that the program handed to the DMA controller.
            quad(core::array::from_fn(|word| unsafe { (address as *const u32).add(word).read_volatile() }));
        }
    });
}
