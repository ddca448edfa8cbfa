//! Functions of the system that the facts are about, by the names and numbers that modules know them by.
//!
//! They are declared safe to call, because that is what the facts are about: every pointer that a fact passes is one of the
//! module's own or one that the system is to refuse.
//!
//! Source: IOP facts, Library function ids
#![allow(non_snake_case)]

mod devices;
mod link;
mod text;

pub use devices::*;
pub use link::*;
pub use text::*;

use bootrom_iop::imports;

/// A thread to be made.
#[repr(C)]
pub struct ThreadParameters {
    /// Kind of code.
    pub attributes: u32,
    /// Unused.
    pub option: u32,
    /// Its function.
    pub entry: extern "C" fn(u32),
    /// Bytes of its stack.
    pub stack_bytes: u32,
    /// 1, the most urgent, to 126.
    pub priority: u32,
}

imports! { "thbase", "0x0101";
    fn CreateThread(parameters: *const ThreadParameters) -> i32 = 4;
    fn StartThread(id: i32, argument: u32) -> i32 = 6;
    fn ExitThread() -> i32 = 8;
    fn SleepThread() -> i32 = 24;
    fn DelayThread(microseconds: u32) -> i32 = 33;
}

imports! { "ioman", "0x0102";
    fn write(file: i32, bytes: *const u8, count: i32) -> i32 = 7;
}

imports! { "sysmem", "0x0101";
    fn AllocSysMemory(mode: i32, bytes: u32, address: u32) -> u32 = 4;
    fn FreeSysMemory(address: u32) -> i32 = 5;
    fn QueryTotalFreeMemSize() -> u32 = 8;
    fn QueryBlockTopAddress(address: u32) -> u32 = 9;
    fn QueryBlockSize(address: u32) -> u32 = 10;
}

/// What is told about a module.
#[repr(C)]
pub struct ModuleStatus {
    /// Its name.
    pub name: [u8; 56],
    /// Its version.
    pub version: u16,
    /// Its state.
    pub flags: u16,
    /// Its number.
    pub id: i32,
    /// Entry, global pointer, begin of code, bytes of code, data and zeroes, and two that are unused.
    pub words: [u32; 8],
}

imports! { "modload", "0x0101";
    fn ReBootStart(command: *const u8, flags: u32) -> i32 = 4;
    fn LoadModuleAddress(path: *const u8, address: u32, distance: u32) -> i32 = 5;
    fn LoadModule(path: *const u8) -> i32 = 6;
    fn LoadStartModule(path: *const u8, bytes: u32, arguments: *const u8, result: *mut i32) -> i32 = 7;
    fn StartModule(id: i32, name: *const u8, bytes: u32, arguments: *const u8, result: *mut i32) -> i32 = 8;
    fn LoadModuleBuffer(buffer: *const u8) -> i32 = 10;
    fn LoadStartKelfModule(path: *const u8, bytes: u32, arguments: *const u8, result: *mut i32) -> i32 = 11;
    fn GetModuleIdList(ids: *mut i32, room: u32, total: *mut u32) -> i32 = 16;
    fn ReferModuleStatus(id: i32, status: *mut ModuleStatus) -> i32 = 17;
    fn StopModule(id: i32, bytes: u32, arguments: *const u8, result: *mut i32) -> i32 = 20;
    fn UnloadModule(id: i32) -> i32 = 21;
    fn SearchModuleByName(name: *const u8) -> i32 = 22;
    fn SearchModuleByAddress(address: u32) -> i32 = 23;
}

/// What a library is asked for by: list words, version, name.
#[repr(C)]
pub struct LibraryName {
    /// Unused.
    pub lists: [u32; 2],
    /// Version and mode.
    pub version: u32,
    /// Eight letters.
    pub name: [u8; 8],
}

imports! { "loadcore", "0x0101";
    fn QueryLibraryEntryTable(name: *const LibraryName) -> *const u32 = 11;
    fn QueryBootMode(number: u32) -> *const u32 = 12;
    fn RegisterBootMode(record: *const u32) = 13;
    fn SearchModuleCBByAddr(address: u32) -> u32 = 24;
}

imports! { "excepman", "0x0101";
    fn RegisterExceptionHandler(code: u32, record: *const u32) -> i32 = 4;
    fn RegisterPriorityExceptionHandler(code: u32, priority: u32, record: *const u32) -> i32 = 5;
    fn ReleaseExceptionHandler(code: u32, record: *const u32) -> i32 = 7;
}

imports! { "intrman", "0x0102";
    fn RegisterIntrHandler(line: i32, mode: i32, function: extern "C" fn(u32) -> i32, argument: u32) -> i32 = 4;
    fn ReleaseIntrHandler(line: i32) -> i32 = 5;
    fn EnableIntr(line: i32) -> i32 = 6;
    fn DisableIntr(line: i32, result: *mut i32) -> i32 = 7;
    fn QueryIntrContext() -> i32 = 23;
}

imports! { "heaplib", "0x0101";
    fn CreateHeap(bytes: u32, flags: u32) -> u32 = 4;
    fn DeleteHeap(heap: u32) = 5;
    fn AllocHeapMemory(heap: u32, bytes: u32) -> u32 = 6;
    fn FreeHeapMemory(heap: u32, address: u32) -> i32 = 7;
    fn HeapTotalFreeSize(heap: u32) -> i32 = 8;
    fn HeapPrepare(address: u32, bytes: u32) = 11;
    fn HeapChunkSize(chunk: u32) -> i32 = 15;
}

imports! { "timrman", "0x0101";
    fn AllocHardTimer(source: u32, bits: u32, divisor: u32) -> i32 = 4;
    fn FreeHardTimer(id: i32) -> i32 = 6;
    fn SetTimerHandler(id: i32, target: u32, function: extern "C" fn(u32) -> u32, argument: u32) -> i32 = 20;
    fn SetupHardTimer(id: i32, source: u32, mode: u32, divisor: u32) -> i32 = 22;
    fn StartHardTimer(id: i32) -> i32 = 23;
    fn StopHardTimer(id: i32) -> i32 = 24;
}

imports! { "dmacman", "0x0101";
    fn dmac_ch_set_madr(channel: u32, value: u32) = 4;
    fn dmac_ch_get_madr(channel: u32) -> u32 = 5;
    fn sceSetDMAPriority(channel: u32, priority: u32) = 33;
    fn dmac_get_dpcr2() -> u32 = 17;
}

imports! { "sysclib", "0x0101";
    fn look_ctype_table(character: u32) -> i32 = 8;
    fn atob(text: *const u8, value: *mut i32) -> *const u8 = 37;
}

imports! { "cdvdman", "0x0101";
    fn sceCdRead(sector: u32, sectors: u32, buffer: *mut u8, mode: *const u32) -> i32 = 6;
    fn sceCdSync(mode: i32) -> i32 = 11;
    fn sceCdTrayReq(request: u32, changed: *mut u32) -> i32 = 14;
    fn sceCdReadClock(clock: *mut [u8; 8]) -> i32 = 24;
    fn sceCdReadModelName(buffer: *mut u8, status: *mut u32) -> i32 = 64;
    fn sceCdStInit(sectors: u32, banks: u32, buffer: u32) -> i32 = 56;
    fn sceCdStRead(sectors: u32, buffer: *mut u8, mode: u32, error: *mut u32) -> i32 = 57;
    fn sceCdStSeek(sector: u32) -> i32 = 58;
    fn sceCdStStart(sector: u32, mode: *const u32) -> i32 = 59;
    fn sceCdStStat() -> i32 = 60;
    fn sceCdStStop() -> i32 = 61;
    fn sceCdReadChain(list: *const [u32; 3], mode: *const u32) -> i32 = 66;
}

/// A time in ticks of the system clock.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Clock {
    /// Lower half.
    pub low: u32,
    /// Upper half.
    pub high: u32,
}

imports! { "thbase", "0x0101";
    fn DeleteThread(id: i32) -> i32 = 5;
    fn TerminateThread(id: i32) -> i32 = 10;
    fn ChangeThreadPriority(id: i32, priority: i32) -> i32 = 14;
    fn ReleaseWaitThread(id: i32) -> i32 = 18;
    fn GetThreadId() -> i32 = 20;
    fn WakeupThread(id: i32) -> i32 = 25;
    fn iWakeupThread(id: i32) -> i32 = 26;
    fn SuspendThread(id: i32) -> i32 = 29;
    fn GetSystemTime(clock: *mut Clock) -> i32 = 34;
    fn SetAlarm(clock: *const Clock, function: extern "C" fn(u32) -> u32, argument: u32) -> i32 = 35;
    fn CancelAlarm(function: extern "C" fn(u32) -> u32, argument: u32) -> i32 = 37;
    fn USec2SysClock(microseconds: u32, clock: *mut Clock) = 39;
    fn SysClock2USec(clock: *const Clock, seconds: *mut u32, microseconds: *mut u32) = 40;
    fn GetSystemStatusFlag() -> i32 = 41;
}

imports! { "thsemap", "0x0102";
    fn CreateSema(parameters: *const [u32; 4]) -> i32 = 4;
    fn DeleteSema(id: i32) -> i32 = 5;
    fn SignalSema(id: i32) -> i32 = 6;
    fn iSignalSema(id: i32) -> i32 = 7;
    fn WaitSema(id: i32) -> i32 = 8;
    fn PollSema(id: i32) -> i32 = 9;
}

imports! { "thevent", "0x0101";
    fn CreateEventFlag(parameters: *const [u32; 3]) -> i32 = 4;
    fn DeleteEventFlag(id: i32) -> i32 = 5;
    fn SetEventFlag(id: i32, bits: u32) -> i32 = 6;
    fn ClearEventFlag(id: i32, bits: u32) -> i32 = 8;
    fn WaitEventFlag(id: i32, bits: u32, mode: u32, result: *mut u32) -> i32 = 10;
    fn PollEventFlag(id: i32, bits: u32, mode: u32, result: *mut u32) -> i32 = 11;
}

imports! { "thmsgbx", "0x0101";
    fn CreateMbx(parameters: *const [u32; 2]) -> i32 = 4;
    fn DeleteMbx(id: i32) -> i32 = 5;
    fn SendMbx(id: i32, message: *mut [u32; 2]) -> i32 = 6;
    fn ReceiveMbx(message: *mut *mut [u32; 2], id: i32) -> i32 = 8;
    fn PollMbx(message: *mut *mut [u32; 2], id: i32) -> i32 = 9;
}

imports! { "ioman", "0x0102";
    fn open(path: *const u8, mode: i32) -> i32 = 4;
    fn close(file: i32) -> i32 = 5;
    fn read(file: i32, bytes: *mut u8, count: i32) -> i32 = 6;
    fn lseek(file: i32, offset: i32, whence: i32) -> i32 = 8;
}

imports! { "thbase", "0x0101";
    fn RotateThreadReadyQueue(priority: i32) -> i32 = 16;
    fn CancelWakeupThread(id: i32) -> i32 = 27;
    fn ExitDeleteThread() -> i32 = 9;
    fn iTerminateThread(id: i32) -> i32 = 11;
    fn DisableDispatchThread() -> i32 = 12;
    fn EnableDispatchThread() -> i32 = 13;
    fn iChangeThreadPriority(id: i32, priority: i32) -> i32 = 15;
    fn iRotateThreadReadyQueue(priority: i32) -> i32 = 17;
    fn iReleaseWaitThread(id: i32) -> i32 = 19;
    fn CheckThreadStack() -> i32 = 21;
    fn ReferThreadStatus(id: i32, status: *mut [u32; 13]) -> i32 = 22;
    fn iReferThreadStatus(id: i32, status: *mut [u32; 13]) -> i32 = 23;
    fn iCancelWakeupThread(id: i32) -> i32 = 28;
    fn iSuspendThread(id: i32) -> i32 = 30;
    fn ResumeThread(id: i32) -> i32 = 31;
    fn iResumeThread(id: i32) -> i32 = 32;
    fn iSetAlarm(clock: *const Clock, function: extern "C" fn(u32) -> u32, argument: u32) -> i32 = 36;
    fn iCancelAlarm(function: extern "C" fn(u32) -> u32, argument: u32) -> i32 = 38;
}

imports! { "thsemap", "0x0102";
    fn ReferSemaStatus(id: i32, status: *mut [u32; 6]) -> i32 = 11;
    fn iReferSemaStatus(id: i32, status: *mut [u32; 6]) -> i32 = 12;
}

imports! { "thevent", "0x0101";
    fn iSetEventFlag(id: i32, bits: u32) -> i32 = 7;
    fn iClearEventFlag(id: i32, bits: u32) -> i32 = 9;
    fn ReferEventFlagStatus(id: i32, status: *mut [u32; 5]) -> i32 = 13;
    fn iReferEventFlagStatus(id: i32, status: *mut [u32; 5]) -> i32 = 14;
}

imports! { "thmsgbx", "0x0101";
    fn iSendMbx(id: i32, message: *mut [u32; 2]) -> i32 = 7;
    fn ReferMbxStatus(id: i32, status: *mut [u32; 5]) -> i32 = 11;
    fn iReferMbxStatus(id: i32, status: *mut [u32; 5]) -> i32 = 12;
}

imports! { "thfpool", "0x0101";
    fn CreateFpl(parameters: *const [u32; 4]) -> i32 = 4;
    fn DeleteFpl(id: i32) -> i32 = 5;
    fn AllocateFpl(id: i32) -> i32 = 6;
    fn pAllocateFpl(id: i32) -> i32 = 7;
    fn ipAllocateFpl(id: i32) -> i32 = 8;
    fn FreeFpl(id: i32, block: i32) -> i32 = 9;
    fn ReferFplStatus(id: i32, status: *mut [u32; 6]) -> i32 = 11;
    fn iReferFplStatus(id: i32, status: *mut [u32; 6]) -> i32 = 12;
}

imports! { "thvpool", "0x0101";
    fn CreateVpl(parameters: *const [u32; 3]) -> i32 = 4;
    fn DeleteVpl(id: i32) -> i32 = 5;
    fn AllocateVpl(id: i32, bytes: u32) -> i32 = 6;
    fn pAllocateVpl(id: i32, bytes: u32) -> i32 = 7;
    fn ipAllocateVpl(id: i32, bytes: u32) -> i32 = 8;
    fn FreeVpl(id: i32, address: i32) -> i32 = 9;
    fn ReferVplStatus(id: i32, status: *mut [u32; 6]) -> i32 = 11;
    fn iReferVplStatus(id: i32, status: *mut [u32; 6]) -> i32 = 12;
}

imports! { "loadcore", "0x0101";
    fn GetLoadcoreInternalData() -> *const [u32; 6] = 3;
    fn FlushIcache() = 4;
    fn FlushDcache() = 5;
    fn RegisterModule(record: *mut [u32; 12]) = 16;
    fn ReleaseModule(record: *mut [u32; 12]) = 17;
    fn AddRebootNotifyHandler(function: extern "C" fn(*mut u32, i32) -> i32, priority: u32, result: *mut i32) -> i32 = 20;
    fn SetCacheCtrl(value: u32) = 21;
    fn ProbeExecutableObject(image: *const u8, told: *mut [u32; 9]) -> i32 = 22;
    fn LoadExecutableObject(image: *const u8, told: *mut [u32; 9]) -> i32 = 23;
}

imports! { "sysmem", "0x0101";
    fn GetSysmemInternalData() -> *const [u32; 5] = 3;
    fn QueryMemSize() -> u32 = 6;
    fn QueryMaxFreeMemSize() -> u32 = 7;
    fn KprintfSet(function: Option<extern "C" fn(u32, *const u8, u32) -> i32>, context: u32) = 15;
}

imports! { "intrman", "0x0102";
    fn GetIntrmanInternalData() -> *const *const [u32; 2] = 3;
    fn CpuDisableIntr() -> i32 = 8;
    fn CpuEnableIntr() -> i32 = 9;
    fn CpuInvokeInKmode(function: extern "C" fn(u32, u32) -> u32, first: u32, second: u32) -> u32 = 14;
    fn DisableDispatchIntr(line: i32) = 15;
    fn EnableDispatchIntr(line: i32) = 16;
    fn CpuSuspendIntr(state: *mut u32) -> i32 = 17;
    fn CpuResumeIntr(state: u32) -> i32 = 18;
    fn QueryIntrStack(address: u32) -> i32 = 24;
    fn iCatchMultiIntr() -> i32 = 25;
    fn SetNewCtxCb(function: Option<extern "C" fn(u32) -> u32>) = 28;
    fn ResetNewCtxCb() = 29;
    fn SetShouldPreemptCb(function: Option<extern "C" fn() -> i32>) = 30;
    fn ResetShouldPreemptCb() = 31;
}

/// Decides whether a path's module lies on a card; disc and card each have their function.
pub type PathCheck = extern "C" fn(*const u8, *mut i32, *mut i32) -> i32;

imports! { "modload", "0x0101";
    fn GetModloadInternalData(data: *mut u32) = 3;
    fn LoadModuleBufferAddress(buffer: *const u8, address: u32, distance: u32) -> i32 = 9;
    fn SetSecrmanCallbacks(card: Option<extern "C" fn(i32, i32, u32) -> u32>, disc: Option<extern "C" fn(u32) -> u32>, set: u32) = 12;
    fn SetCheckKelfPathCallback(function: Option<PathCheck>) = 13;
    fn GetLoadfileCallbacks(check: *mut u32, set: *mut u32) = 14;
    fn IsIllegalBootDevice(path: *const u8) -> i32 = 15;
}
