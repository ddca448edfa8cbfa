//! Functions of the system that the module calls, and the tables by which the loader finds them.
//!
//! A stub returns at once until the loader has turned it into a jump. Only libraries that every console has in its ROM are
//! listed; the sound library is looked for at run time. Source: IOP facts 2 and 8.

use core::arch::global_asm;
use core::ffi::{CStr, c_char};

/// One import table: library, its eight letters, version, and functions with their numbers.
macro_rules! imports {
    ($letters:literal, $version:literal, $($name:literal = $number:literal),+ $(,)?) => {
        global_asm!(
            ".section .text.imports, \"ax\", @progbits",
            ".set noreorder",
            ".balign 4",
            concat!(".word 0x41E00000, 0, ", $version),
            concat!(".ascii \"", $letters, "\""),
            $(
                concat!(".globl ", $name),
                concat!(".type ", $name, ", @function"),
                concat!($name, ":"),
                // `jr $ra` and, in its delay slot, a word that only names the function.
                concat!(".word 0x03E00008, 0x24000000 | ", $number),
            )+
            ".word 0, 0",
            ".text",
        );
    };
}

imports!("loadcore", "0x0101", "QueryLibraryEntryTable" = "11");
imports!("sysmem\\0\\0", "0x0101", "AllocSysMemory" = "4", "FreeSysMemory" = "5");
imports!("intrman\\0", "0x0102", "CpuSuspendIntr" = "17", "CpuResumeIntr" = "18");
imports!(
    "thbase\\0\\0",
    "0x0101",
    "CreateThread" = "4",
    "DeleteThread" = "5",
    "StartThread" = "6",
    "GetThreadId" = "20",
    "SleepThread" = "24",
    "WakeupThread" = "25",
    "DelayThread" = "33",
    "GetSystemTime" = "34",
);
imports!("stdio\\0\\0\\0", "0x0102", "puts" = "7");
imports!("sifman\\0\\0", "0x0101", "sceSifSetDma" = "7", "sceSifDmaStat" = "8");
imports!(
    "sifcmd\\0\\0",
    "0x0101",
    "sceSifInitRpc" = "14",
    "sceSifRegisterRpc" = "17",
    "sceSifSetRpcQueue" = "19",
    "sceSifRpcLoop" = "22",
);
imports!(
    "cdvdman\\0",
    "0x0101",
    "sceCdInit" = "4",
    "sceCdRead" = "6",
    "sceCdGetError" = "8",
    "sceCdSearchFile" = "10",
    "sceCdSync" = "11",
    "sceCdGetDiskType" = "12",
    "sceCdDiskReady" = "13",
    "sceCdTrayReq" = "14",
    "sceCdStatus" = "28",
    "sceCdBreak" = "39",
    "sceCdMmode" = "75",
);

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

/// A block for the EE.
#[repr(C)]
pub struct Transfer {
    /// Here.
    pub source: *const u8,
    /// There.
    pub destination: u32,
    /// Bytes, whole quadwords.
    pub bytes: u32,
    /// Interrupts; none.
    pub attributes: u32,
}

/// A file on the disc.
#[repr(C)]
#[derive(Default)]
pub struct FileRecord {
    /// First sector.
    pub sector: u32,
    /// Bytes.
    pub bytes: u32,
    /// Its name.
    pub name: [u8; 16],
    /// Its date.
    pub date: [u8; 8],
}

/// How the drive reads.
#[repr(C)]
pub struct ReadMode {
    /// Retries of a sector, 0 for the drive's own number.
    pub retries: u8,
    /// 0 for the highest speed, 1 for the one that errors bring down.
    pub speed: u8,
    /// 0 for 2048 bytes.
    pub pattern: u8,
    /// Fills the word.
    pub unused: u8,
}

unsafe extern "C" {
    /// Address of a registered library's functions, 0 when there is none.
    pub fn QueryLibraryEntryTable(record: *const u32) -> *const usize;
    /// Memory; mode 0 takes the lowest.
    pub fn AllocSysMemory(mode: i32, bytes: u32, address: *mut u8) -> *mut u8;
    /// Gives it back.
    pub fn FreeSysMemory(block: *mut u8) -> i32;
    /// Holds interrupts.
    pub fn CpuSuspendIntr(state: *mut u32) -> i32;
    /// Lets them in as before.
    pub fn CpuResumeIntr(state: u32) -> i32;
    /// Makes a thread.
    pub fn CreateThread(parameters: *const ThreadParameters) -> i32;
    /// Gives one back that does not run.
    pub fn DeleteThread(id: i32) -> i32;
    /// Starts it.
    pub fn StartThread(id: i32, argument: u32) -> i32;
    /// The running thread.
    pub fn GetThreadId() -> i32;
    /// Until somebody wakes the thread.
    pub fn SleepThread() -> i32;
    /// Wakes a thread, or lets its next sleep end at once.
    pub fn WakeupThread(id: i32) -> i32;
    /// Waits for microseconds.
    pub fn DelayThread(microseconds: u32) -> i32;
    /// Ticks of the system's clock: low word, high word.
    pub fn GetSystemTime(clock: *mut [u32; 2]) -> i32;
    /// Sends blocks to the EE; 0 when there is no room.
    pub fn sceSifSetDma(transfers: *const Transfer, count: i32) -> u32;
    /// Negative once the blocks have left.
    pub fn sceSifDmaStat(id: u32) -> i32;
    /// Makes calls possible, once.
    pub fn sceSifInitRpc(mode: i32);
    /// Registers a server.
    pub fn sceSifRegisterRpc(
        server: *mut u32,
        number: u32,
        function: extern "C" fn(u32, *mut u32, u32) -> *mut u32,
        buffer: *mut u32,
        cancel_function: usize,
        cancel_buffer: usize,
        queue: *mut u32,
    );
    /// Gives a thread a queue of calls.
    pub fn sceSifSetRpcQueue(queue: *mut u32, thread: i32);
    /// Serves calls for ever.
    pub fn sceSifRpcLoop(queue: *mut u32);
    /// Readies the drive; mode 1 does not wait.
    pub fn sceCdInit(mode: i32) -> i32;
    /// Begins to read; 1 when accepted.
    pub fn sceCdRead(sector: u32, sectors: u32, buffer: *mut u8, mode: *const ReadMode) -> i32;
    /// The last command's error.
    pub fn sceCdGetError() -> i32;
    /// Finds a file; 1 when found.
    pub fn sceCdSearchFile(record: *mut FileRecord, name: *const u8) -> i32;
    /// Mode 1: 0 when no command is under way.
    pub fn sceCdSync(mode: i32) -> i32;
    /// The kind of disc.
    pub fn sceCdGetDiskType() -> i32;
    /// Mode 1: 2 when the drive is ready.
    pub fn sceCdDiskReady(mode: i32) -> i32;
    /// Request 2: whether the tray was opened since this was asked last; 1 when the drive has answered.
    pub fn sceCdTrayReq(request: i32, moved: *mut u32) -> i32;
    /// The drive's state.
    pub fn sceCdStatus() -> i32;
    /// Ends the command under way.
    pub fn sceCdBreak() -> i32;
    /// Tells the kind of media: 1 CD, 2 DVD.
    pub fn sceCdMmode(media: i32) -> i32;
    fn puts(text: *const c_char) -> i32;
}

/// Writes a line to the console.
pub fn print(text: &CStr) {
    // SAFETY: a string with its end mark.
    unsafe { puts(text.as_ptr()) };
}
