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
