//! `dmacman` 1.1: the DMA channels' registers.

use super::{Exports, exports};
use crate::machine::critical::critical;
use crate::machine::registers::raw;
use bootrom_iop::dma_channels::{
    CHAIN_FROM_EE, CHAIN_TO_EE, ENABLE, PRIORITY, START, control, extra_register, registers, slice_control,
    tag_register,
};

/// Library functions by number.
pub static TABLE: Exports<36> = exports(
    b"dmacman",
    0x0101,
    [
        // Covers: iop, dmacman 4 dmac_ch_set_madr test=a channel's address
        (4, set_address as *const ()),
        // Covers: iop, dmacman 5 dmac_ch_get_madr test=a channel's address
        (5, address as *const ()),
        // Covers: iop, dmacman 6 dmac_ch_set_bcr test=a channel's blocks
        (6, set_blocks as *const ()),
        // Covers: iop, dmacman 7 dmac_ch_get_bcr test=a channel's blocks
        (7, blocks as *const ()),
        // Covers: iop, dmacman 8 dmac_ch_set_chcr test=a channel's control
        (8, set_control as *const ()),
        // Covers: iop, dmacman 9 dmac_ch_get_chcr test=a channel's control
        (9, channel_control as *const ()),
        // Covers: iop, dmacman 10 dmac_ch_set_tadr test=a channel's tag
        (10, set_tag as *const ()),
        // Covers: iop, dmacman 11 dmac_ch_get_tadr test=a channel's tag
        (11, tag as *const ()),
        // Covers: iop, dmacman 12 dmac_set_4_9_a test=a channel's extra word
        (12, set_extra as *const ()),
        // Covers: iop, dmacman 13 dmac_get_4_9_a test=a channel's extra word
        (13, extra as *const ()),
        // Covers: iop, dmacman 14 dmac_set_dpcr test=priorities of the lower channels
        (14, set_word::<0x1F80_10F0> as *const ()),
        // Covers: iop, dmacman 15 dmac_get_dpcr test=priorities of the lower channels
        (15, word::<0x1F80_10F0> as *const ()),
        // Covers: iop, dmacman 16 dmac_set_dpcr2 test=priorities of the upper channels
        (16, set_word::<0x1F80_1570> as *const ()),
        // Covers: iop, dmacman 17 dmac_get_dpcr2 test=a channel's priority
        (17, word::<0x1F80_1570> as *const ()),
        // Covers: iop, dmacman 18 dmac_set_dpcr3 test=priorities of the outermost
        (18, set_word::<0x1F80_15F0> as *const ()),
        // Covers: iop, dmacman 19 dmac_get_dpcr3 test=priorities of the outermost
        (19, word::<0x1F80_15F0> as *const ()),
        // Covers: iop, dmacman 20 dmac_set_dicr test=interrupts of the lower channels
        (20, set_word::<0x1F80_10F4> as *const ()),
        // Covers: iop, dmacman 21 dmac_get_dicr test=interrupts of the lower channels
        (21, word::<0x1F80_10F4> as *const ()),
        // Covers: iop, dmacman 22 dmac_set_dicr2 test=interrupts of the upper channels
        (22, set_word::<0x1F80_1574> as *const ()),
        // Covers: iop, dmacman 23 dmac_get_dicr2 test=interrupts of the upper channels
        (23, word::<0x1F80_1574> as *const ()),
        // Covers: iop, dmacman 24 dmac_set_BF80157C test=how channels interrupt
        (24, set_word::<0x1F80_157C> as *const ()),
        // Covers: iop, dmacman 25 dmac_get_BF80157C test=how channels interrupt
        (25, word::<0x1F80_157C> as *const ()),
        // Covers: iop, dmacman 26 dmac_set_BF801578 test=whether channels work at all
        (26, set_word::<0x1F80_1578> as *const ()),
        // Covers: iop, dmacman 27 dmac_get_BF801578 test=whether channels work at all
        (27, word::<0x1F80_1578> as *const ()),
        // Covers: iop, dmacman 28 sceSetSliceDMA test=slices are prepared
        (28, set_slices as *const ()),
        // Covers: iop, dmacman 29 dmac_set_dma_chained_spu_sif0 test=a chain to the sound unit is prepared
        (29, set_sound_chain as *const ()),
        // Covers: iop, dmacman 30 dmac_set_dma_sif0 test=a chain to the EE is prepared
        (30, set_chain_to_ee as *const ()),
        // Covers: iop, dmacman 31 dmac_set_dma_sif1 test=and is, when it does not
        (31, set_chain_from_ee as *const ()),
        // Covers: iop, dmacman 32 sceStartDMA test=and started
        (32, start as *const ()),
        // Covers: iop, dmacman 33 sceSetDMAPriority test=a channel's priority
        (33, set_priority as *const ()),
        // Covers: iop, dmacman 34 sceEnableDMAChannel test=a channel is enabled
        (34, enable as *const ()),
        // Covers: iop, dmacman 35 sceDisableDMAChannel test=and disabled by the same bit
        (35, disable as *const ()),
    ],
);

/// Places in a channel's registers.
const ADDRESS: u32 = 0;
const BLOCKS: u32 = 4;
const CONTROL: u32 = 8;
/// Bits of a physical address.
const ADDRESS_BITS: u32 = 0x00FF_FFFF;
/// Channels with chains.
const SOUND: u32 = 4;
const TO_EE: u32 = 9;
const FROM_EE: u32 = 10;
/// A chain's control on the sound unit's channel.
const SOUND_CHAIN: u32 = 0x601;

fn write(address: Option<u32>, value: u32) {
    if let Some(address) = address {
        raw(address).write(value);
    }
}

fn read(address: Option<u32>) -> u32 {
    address.map_or(0, |address| raw(address).read())
}

fn place(channel: u32, register: u32) -> Option<u32> {
    registers(channel).map(|block| block + register)
}

extern "C" fn set_address(channel: u32, value: u32) {
    write(place(channel, ADDRESS), value);
}

extern "C" fn address(channel: u32) -> u32 {
    read(place(channel, ADDRESS))
}

extern "C" fn set_blocks(channel: u32, value: u32) {
    write(place(channel, BLOCKS), value);
}

extern "C" fn blocks(channel: u32) -> u32 {
    read(place(channel, BLOCKS))
}

extern "C" fn set_control(channel: u32, value: u32) {
    write(place(channel, CONTROL), value);
}

extern "C" fn channel_control(channel: u32) -> u32 {
    read(place(channel, CONTROL))
}

extern "C" fn set_tag(channel: u32, value: u32) {
    write(tag_register(channel), value);
}

extern "C" fn tag(channel: u32) -> u32 {
    read(tag_register(channel))
}

extern "C" fn set_extra(channel: u32, value: u32) {
    write(extra_register(channel), value);
}

extern "C" fn extra(channel: u32) -> u32 {
    read(extra_register(channel))
}

extern "C" fn set_word<const ADDRESS: u32>(value: u32) {
    raw(ADDRESS).write(value);
}

extern "C" fn word<const ADDRESS: u32>() -> u32 {
    raw(ADDRESS).read()
}

/// Prepares `count` slices of `words` words; 1, or 0 for a channel that is not there or busy.
extern "C" fn set_slices(channel: u32, address: u32, words: u32, count: u32, direction: i32) -> i32 {
    if !is_idle(channel) {
        return 0;
    }
    set_address(channel, address & ADDRESS_BITS);
    set_blocks(channel, count << 16 | words & 0xFFFF);
    set_control(channel, slice_control(channel, direction != 0));
    1
}

fn is_idle(channel: u32) -> bool {
    registers(channel).is_some() && channel_control(channel) & START == 0
}

fn set_chain(wanted: u32, channel: u32, words: u32, tag: Option<u32>, control: u32) -> i32 {
    if channel != wanted || !is_idle(channel) {
        return 0;
    }
    set_blocks(channel, words & 0xFFFF);
    if let Some(tag) = tag {
        set_tag(channel, tag & ADDRESS_BITS);
    }
    set_control(channel, control);
    1
}

extern "C" fn set_sound_chain(channel: u32, words: u32, tag: u32) -> i32 {
    match channel {
        SOUND => set_chain(SOUND, channel, words, Some(tag), SOUND_CHAIN),
        _ => set_chain(TO_EE, channel, words, Some(tag), SOUND_CHAIN),
    }
}

extern "C" fn set_chain_to_ee(channel: u32, words: u32, tag: u32) -> i32 {
    set_chain(TO_EE, channel, words, Some(tag), CHAIN_TO_EE)
}

extern "C" fn set_chain_from_ee(channel: u32, words: u32) -> i32 {
    set_chain(FROM_EE, channel, words, None, CHAIN_FROM_EE)
}

extern "C" fn start(channel: u32) {
    set_control(channel, channel_control(channel) | START);
}

/// Changes a channel's bits in its control register.
fn change(channel: u32, clear: u32, set: u32) {
    if let Some((register, shift)) = control(channel) {
        critical(|| {
            let register = raw(register);
            register.write(register.read() & !(clear << shift) | set << shift);
        });
    }
}

extern "C" fn set_priority(channel: u32, priority: u32) {
    change(channel, PRIORITY, priority & PRIORITY);
}

extern "C" fn enable(channel: u32) {
    change(channel, 0, ENABLE);
}

extern "C" fn disable(channel: u32) {
    change(channel, ENABLE, 0);
}
