//! What the program does when the processor finds a fault: takes the registers and goes on in [`crate::boot`]'s crash screen.
//!
//! The kernel jumps to the handler with interrupts off and `$k0`, `$k1` free. The handler stores the registers through the kernel's own
//! window on memory, which needs no page, and returns from the exception into [`Screen`], on a stack in the program's heap, which nobody
//! needs any more: the program's own may be what broke. A second exception while the first is told stops the machine.
//!
//! Source: EE kernel, section 5.4 (vector setters).

use super::encode::{ERET, SYNC_P};
use super::{cache, syscall};
use crate::crash::Record;
use core::arch::{asm, global_asm};
use core::cell::UnsafeCell;
use core::ffi::{CStr, c_void};
use core::sync::atomic::{AtomicBool, Ordering};

/// What goes on with a record.
pub type Screen = fn(&Record) -> !;

/// Bytes from the program's end to the top of the crash's stack; what [`memory_behind`] gives lies below it.
const STACK_TOP: usize = 1024 * 1024;
/// Bytes that stay for that stack.
const STACK_BYTES: usize = 256 * 1024;
/// Exceptions that reach the handler: memory's three, then the others but for the interrupt and the system call.
const MEMORY: core::ops::RangeInclusive<i32> = 1..=3;
const OTHERS: [i32; 9] = [4, 5, 6, 7, 9, 10, 11, 12, 13];

#[repr(C, align(64))]
struct Shared<T>(UnsafeCell<T>);

// SAFETY: the handler writes once, before the only reader runs; `install` writes before there is a handler.
unsafe impl<T> Sync for Shared<T> {}

#[unsafe(no_mangle)]
static EXCEPTION_RECORD: Shared<Record> = Shared(UnsafeCell::new(Record::EMPTY));
static SCREEN: Shared<Option<Screen>> = Shared(UnsafeCell::new(None));

// $k0 holds the record's address in the kernel's window, $k1 what passes. The record's four words behind the general registers
// are counter, cause, address and status.
global_asm!(
    ".section .text.exception, \"ax\", @progbits",
    ".set push",
    ".set noreorder",
    ".set noat",
    ".balign 8",
    ".globl exception_handler",
    ".ent exception_handler",
    "exception_handler:",
    "lui $26, %hi(EXCEPTION_RECORD)",
    "addiu $26, $26, %lo(EXCEPTION_RECORD)",
    "lui $27, 0x8000",
    "or $26, $26, $27",
    // The counter of an earlier exception: there is nothing left to tell this one to.
    "lw $27, 128($26)",
    "beqz $27, 2f",
    "nop",
    "1:",
    "nop",
    "nop",
    "nop",
    "nop",
    "nop",
    "nop",
    "b 1b",
    "nop",
    "2:",
    "sw $1, 4($26)",
    "sw $2, 8($26)",
    "sw $3, 12($26)",
    "sw $4, 16($26)",
    "sw $5, 20($26)",
    "sw $6, 24($26)",
    "sw $7, 28($26)",
    "sw $8, 32($26)",
    "sw $9, 36($26)",
    "sw $10, 40($26)",
    "sw $11, 44($26)",
    "sw $12, 48($26)",
    "sw $13, 52($26)",
    "sw $14, 56($26)",
    "sw $15, 60($26)",
    "sw $16, 64($26)",
    "sw $17, 68($26)",
    "sw $18, 72($26)",
    "sw $19, 76($26)",
    "sw $20, 80($26)",
    "sw $21, 84($26)",
    "sw $22, 88($26)",
    "sw $23, 92($26)",
    "sw $24, 96($26)",
    "sw $25, 100($26)",
    "sw $28, 112($26)",
    "sw $29, 116($26)",
    "sw $30, 120($26)",
    "sw $31, 124($26)",
    "mfc0 $27, $14",
    "sw $27, 128($26)",
    "mfc0 $27, $13",
    "sw $27, 132($26)",
    "mfc0 $27, $8",
    "sw $27, 136($26)",
    "mfc0 $27, $12",
    "sw $27, 140($26)",
    // User mode, interrupts as they were; the exception level falls with the return.
    "ori $27, $27, 0x1A",
    "xori $27, $27, 0x08",
    "mtc0 $27, $12",
    "lui $27, %hi(exception_told)",
    "addiu $27, $27, %lo(exception_told)",
    "mtc0 $27, $14",
    "lui $29, %hi(_end + {stack})",
    "addiu $29, $29, %lo(_end + {stack})",
    ".word {sync_p}",
    ".word {eret}",
    "nop",
    "nop",
    ".end exception_handler",
    ".set pop",
    ".text",
    stack = const STACK_TOP,
    sync_p = const SYNC_P,
    eret = const ERET,
);

unsafe extern "C" {
    fn exception_handler();
}

/// Where the handler returns to.
#[unsafe(no_mangle)]
extern "C" fn exception_told() -> ! {
    // SAFETY: the handler has written the record and nothing writes it any more; `install` has written the screen.
    let (record, screen) = unsafe { (EXCEPTION_RECORD.0.get().read_volatile(), SCREEN.0.get().read_volatile()) };
    match screen {
        Some(screen) => screen(&record),
        // Not reached: without `install` nothing leads here.
        None => loop {
            core::hint::spin_loop();
        },
    }
}

/// Lets `screen` tell of every exception from now on. False when the kernel keeps some for itself.
pub fn install(screen: Screen) -> bool {
    let handler = exception_handler as *const () as *mut c_void;
    // SAFETY: nobody else writes the screen, and no handler of ours runs yet. The handler lives for ever.
    unsafe {
        SCREEN.0.get().write_volatile(Some(screen));
        let memory = MEMORY.map(|cause| syscall::set_tlb_refill_handler(cause, handler));
        let others = OTHERS.into_iter().map(|cause| syscall::set_common_handler(cause, handler));
        // All of them, whatever the first ones answer.
        memory.chain(others).fold(true, |all, answer| all & (answer == handler))
    }
}

unsafe extern "C" {
    static _ftext: u8;
    static _etext: u8;
    static _end: u8;
}

/// Where the program's code lies.
pub fn code_range() -> core::ops::Range<u32> {
    &raw const _ftext as u32..&raw const _etext as u32
}

/// The program's code as it is in memory now.
pub fn code() -> &'static [u8] {
    let range = code_range();
    // SAFETY: the linker's bounds of the program's own code, which is there and only read.
    unsafe { core::slice::from_raw_parts(range.start as *const u8, range.len()) }
}

/// A word of memory; none where user programs have no memory or between words.
pub fn word(address: u32) -> Option<u32> {
    const MEMORY: core::ops::Range<u32> = 0x0008_0000..0x0200_0000;
    let there = MEMORY.contains(&address) && address.is_multiple_of(4);
    // SAFETY: RAM that user programs may read, aligned.
    there.then(|| unsafe { (address as *const u32).read_volatile() })
}

/// Memory behind the program, whole cache lines, for a program that has ended: what its heap held is lost. Once, and none of more
/// bytes than the crash's stack leaves.
pub fn memory_behind(bytes: usize) -> Option<&'static mut [u8]> {
    if bytes > STACK_TOP - STACK_BYTES {
        return None;
    }
    static TAKEN: AtomicBool = AtomicBool::new(false);
    // One thread runs, with interrupts held or nothing left that they would start.
    if TAKEN.load(Ordering::Relaxed) {
        return None;
    }
    TAKEN.store(true, Ordering::Relaxed);
    let start = (&raw const _end as usize).next_multiple_of(cache::LINE);
    // SAFETY: the heap's memory, handed out once, after which nothing allocates: the crash screen never returns.
    Some(unsafe { core::slice::from_raw_parts_mut(start as *mut u8, bytes.next_multiple_of(cache::LINE)) })
}

/// Replaces this program by the one at `path`, or leaves for the browser without a path.
pub fn begin_anew(path: Option<&CStr>) -> ! {
    if let Some(path) = path {
        // SAFETY: the kernel copies the path before it clears memory; it replaces this program.
        unsafe { syscall::load_exec_ps2(path.as_ptr(), 0, core::ptr::null()) };
    }
    // SAFETY: ends the program.
    unsafe { syscall::exit(1) }
}

/// The general registers here, the kernel's own but, and where that is. User mode is not told the others.
#[inline(always)]
pub fn here() -> Record {
    let mut record = Record::EMPTY;
    // SAFETY: writes the record, whose registers lie by their numbers with the counter behind them, and reads registers; the return
    // address is put back.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            "sw $1, 4({record})", "sw $2, 8({record})", "sw $3, 12({record})", "sw $4, 16({record})", "sw $5, 20({record})",
            "sw $6, 24({record})", "sw $7, 28({record})", "sw $8, 32({record})", "sw $9, 36({record})", "sw $10, 40({record})",
            "sw $11, 44({record})", "sw $12, 48({record})", "sw $13, 52({record})", "sw $14, 56({record})", "sw $15, 60({record})",
            "sw $16, 64({record})", "sw $17, 68({record})", "sw $18, 72({record})", "sw $19, 76({record})", "sw $20, 80({record})",
            "sw $21, 84({record})", "sw $22, 88({record})", "sw $23, 92({record})", "sw $24, 96({record})", "sw $25, 100({record})",
            "sw $28, 112({record})", "sw $29, 116({record})", "sw $30, 120({record})", "sw $31, 124({record})",
            "move {saved}, $31", "bal 1f", "nop", "1: sw $31, 128({record})", "move $31, {saved}", ".set pop",
            record = in(reg) &raw mut record, saved = out(reg) _, options(nostack)
        );
    }
    record
}

/// Does what no processor can, to see what a person would see.
#[inline(never)]
pub fn provoke() {
    // SAFETY: ends the program by its exception handler.
    unsafe { asm!(".set push", ".set noreorder", "break", "nop", ".set pop") };
}
