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

/// A file as the drive's library tells of it: first sector, bytes, name, date.
pub type FoundFile = [u32; 8];
/// A time as the drive keeps it.
pub type DriveClock = [u8; 8];

imports! { "cdvdman", "0x0101";
    fn sceCdInit(mode: i32) -> i32 = 4;
    fn sceCdStandby() -> i32 = 5;
    fn sceCdSeek(sector: u32) -> i32 = 7;
    fn sceCdGetError() -> i32 = 8;
    fn sceCdGetToc(target: *mut u8) -> i32 = 9;
    fn sceCdSearchFile(file: *mut FoundFile, name: *const u8) -> i32 = 10;
    fn sceCdGetDiskType() -> i32 = 12;
    fn sceCdDiskReady(mode: i32) -> i32 = 13;
    fn sceCdStop() -> i32 = 15;
    fn sceCdPosToInt(position: *const [u8; 4]) -> u32 = 16;
    fn sceCdIntToPos(sector: u32, position: *mut [u8; 4]) -> *mut [u8; 4] = 17;
    fn sceCdGetToc2(target: *mut u8, parameter: i32) -> i32 = 19;
    fn sceCdReadDVDV(sector: u32, sectors: u32, buffer: *mut u8, mode: *const u32) -> i32 = 20;
    fn sceCdCheckCmd() -> i32 = 21;
    fn sceCdRI(buffer: *mut u8, result: *mut u32) -> i32 = 22;
    fn sceCdWI(buffer: *const u8, result: *mut u32) -> i32 = 23;
    fn sceCdWriteClock(clock: *mut DriveClock) -> i32 = 25;
    fn sceCdReadNVM(address: u32, data: *mut u16, result: *mut u8) -> i32 = 26;
    fn sceCdWriteNVM(address: u32, data: u16, result: *mut u8) -> i32 = 27;
    fn sceCdStatus() -> i32 = 28;
    fn sceCdApplySCmd(number: u32, input: *const u8, bytes: u32, output: *mut u8) -> i32 = 29;
    fn sceCdSetHDMode(mode: u32) -> i32 = 30;
    fn sceCdOpenConfig(block: i32, mode: i32, blocks: i32, status: *mut u32) -> i32 = 31;
    fn sceCdCloseConfig(result: *mut u32) -> i32 = 32;
    fn sceCdReadConfig(buffer: *mut u8, result: *mut u32) -> i32 = 33;
    fn sceCdWriteConfig(buffer: *const u8, result: *mut u32) -> i32 = 34;
    fn sceCdReadKey(first: u32, second: u32, command: u32, key: *mut u8) -> i32 = 35;
    fn sceCdDecSet(by_key: u32, turned: u32, bits: u32) -> i32 = 36;
    fn sceCdCallback(function: Option<extern "C" fn(u32)>) -> u32 = 37;
    fn sceCdPause() -> i32 = 38;
    fn sceCdBreak() -> i32 = 39;
    fn sceCdReadCDDA(sector: u32, sectors: u32, buffer: *mut u8, mode: *const u32) -> i32 = 40;
    fn sceCdReadConsoleID(buffer: *mut u8, result: *mut u32) -> i32 = 41;
    fn sceCdWriteConsoleID(buffer: *const u8, result: *mut u32) -> i32 = 42;
    fn sceCdMV(buffer: *mut u8, status: *mut u32) -> i32 = 43;
    fn sceCdGetReadPos() -> u32 = 44;
    fn sceCdCtrlADout(mode: i32, status: *mut u32) -> i32 = 45;
    fn sceCdNop() -> i32 = 46;
    fn sceGetFsvRbuf() -> u32 = 47;
    fn sceCdstm0Cb(function: Option<extern "C" fn(u32)>) -> i32 = 48;
    fn sceCdstm1Cb(function: Option<extern "C" fn(u32)>) -> i32 = 49;
    fn sceCdSC(code: i32, parameter: *mut i32) -> i32 = 50;
    fn sceCdRC(clock: *mut DriveClock) -> i32 = 51;
    fn sceCdForbidDVDP(result: *mut u32) -> i32 = 52;
    fn sceCdReadSUBQ(buffer: *mut u8, status: *mut u32) -> i32 = 53;
    fn sceCdApplyNCmd(number: u32, input: *const u8, bytes: u32) -> i32 = 54;
    fn sceCdAutoAdjustCtrl(mode: i32, result: *mut u32) -> i32 = 55;
    fn sceCdRead0(sector: u32, sectors: u32, buffer: *mut u8, mode: *const u32, rest: u32, callback: u32) -> i32 = 62;
    fn sceCdRV(sector: u32, sectors: u32, buffer: *mut u8, mode: *const u32, rest: u32, callback: u32) -> i32 = 63;
    fn sceCdWM(buffer: *const u8, status: *mut u32) -> i32 = 65;
    fn sceCdStPause() -> i32 = 67;
    fn sceCdStResume() -> i32 = 68;
    fn sceCdForbidRead(result: *mut u32) -> i32 = 69;
    fn sceCdBootCertify(name: *const u8) -> i32 = 70;
    fn sceCdSpinCtrlIOP(speed: u32) -> i32 = 71;
    fn sceCdBlueLEDCtl(on: u32, result: *mut u32) -> i32 = 72;
    fn sceCdCancelPOffRdy(result: *mut u32) -> i32 = 73;
    fn sceCdPowerOff(result: *mut u32) -> i32 = 74;
    fn sceCdMmode(media: i32) -> i32 = 75;
    fn sceCdReadFull(sector: u32, sectors: u32, buffer: *mut u8, mode: *const u32) -> i32 = 76;
    fn sceCdStSeekF(sector: u32) -> i32 = 77;
    fn sceCdPOffCallback(function: Option<extern "C" fn(u32)>, argument: u32) -> u32 = 78;
    fn sceCdReadDiskID(id: *mut u8) -> i32 = 79;
    fn sceCdReadGUID(id: *mut u8) -> i32 = 80;
    fn sceCdSetTimeout(what: i32, time: i32) -> i32 = 81;
    fn sceCdReadModelID(id: *mut u32) -> i32 = 82;
    fn sceCdReadDvdDualInfo(two: *mut i32, second: *mut u32) -> i32 = 83;
    fn sceCdLayerSearchFile(file: *mut FoundFile, name: *const u8, layer: i32) -> i32 = 84;
}
