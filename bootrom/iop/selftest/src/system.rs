//! Functions of the system that the facts are about, by the names and numbers that modules know them by.
//!
//! They are declared safe to call, because that is what the facts are about: every pointer that a fact passes is one of the
//! module's own or one that the system is to refuse.
//!
//! Source: IOP facts, Library function ids
#![allow(non_snake_case)]

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
