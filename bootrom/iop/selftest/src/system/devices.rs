//! Functions of the hardware's libraries: timers, channels, blanks, drive, sound.

use bootrom_iop::imports;

imports! { "timrman", "0x0101";
    fn GetTimersTable() -> *const u32 = 3;
    fn ReferHardTimer(source: u32, bits: u32, mode: u32, mask: u32) -> i32 = 5;
    fn SetTimerMode(id: i32, mode: u32) = 7;
    fn GetTimerStatus(id: i32) -> u32 = 8;
    fn SetTimerCounter(id: i32, count: u32) = 9;
    fn GetTimerCounter(id: i32) -> u32 = 10;
    fn SetTimerCompare(id: i32, target: u32) = 11;
    fn GetTimerCompare(id: i32) -> u32 = 12;
    fn SetHoldMode(hold: u32, mode: u32) = 13;
    fn GetHoldMode(hold: u32) -> u32 = 14;
    fn GetHoldReg(hold: u32) -> u32 = 15;
    fn GetHardTimerIntrCode(id: i32) -> i32 = 16;
    fn GetTimerMode(id: i32) -> u32 = 17;
    fn GetTimerReadFunc(id: i32) -> extern "C" fn() -> u32 = 18;
}

imports! { "vblank", "0x0101";
    fn WaitVblankStart() -> i32 = 4;
    fn WaitVblankEnd() -> i32 = 5;
    fn WaitVblank() -> i32 = 6;
    fn WaitNonVblank() -> i32 = 7;
    fn RegisterVblankHandler(end: i32, priority: i32, function: extern "C" fn(u32) -> i32, argument: u32) -> i32 = 8;
    fn ReleaseVblankHandler(end: i32, function: extern "C" fn(u32) -> i32) -> i32 = 9;
}

imports! { "dmacman", "0x0101";
    fn dmac_ch_set_bcr(channel: u32, value: u32) = 6;
    fn dmac_ch_get_bcr(channel: u32) -> u32 = 7;
    fn dmac_ch_set_chcr(channel: u32, value: u32) = 8;
    fn dmac_ch_get_chcr(channel: u32) -> u32 = 9;
    fn dmac_ch_set_tadr(channel: u32, value: u32) = 10;
    fn dmac_ch_get_tadr(channel: u32) -> u32 = 11;
    fn dmac_set_4_9_a(channel: u32, value: u32) = 12;
    fn dmac_get_4_9_a(channel: u32) -> u32 = 13;
    fn dmac_set_dpcr(value: u32) = 14;
    fn dmac_get_dpcr() -> u32 = 15;
    fn dmac_set_dpcr2(value: u32) = 16;
    fn dmac_set_dpcr3(value: u32) = 18;
    fn dmac_get_dpcr3() -> u32 = 19;
    fn dmac_set_dicr(value: u32) = 20;
    fn dmac_get_dicr() -> u32 = 21;
    fn dmac_set_dicr2(value: u32) = 22;
    fn dmac_get_dicr2() -> u32 = 23;
    fn dmac_set_BF80157C(value: u32) = 24;
    fn dmac_get_BF80157C() -> u32 = 25;
    fn dmac_set_BF801578(value: u32) = 26;
    fn dmac_get_BF801578() -> u32 = 27;
    fn sceSetSliceDMA(channel: u32, address: u32, words: u32, count: u32, direction: i32) -> i32 = 28;
    fn dmac_set_dma_chained_spu_sif0(channel: u32, words: u32, tag: u32) -> i32 = 29;
    fn dmac_set_dma_sif0(channel: u32, words: u32, tag: u32) -> i32 = 30;
    fn dmac_set_dma_sif1(channel: u32, words: u32) -> i32 = 31;
    fn sceStartDMA(channel: u32) = 32;
    fn sceEnableDMAChannel(channel: u32) = 34;
    fn sceDisableDMAChannel(channel: u32) = 35;
}
