//! What start-up code of the public SDK does to older kernels: a routine of its own for timer 3, which runs a callback in
//! user mode and comes back by call −8.

use super::Tally;
use super::calls::call;
use boardwalk::ee::{cop0, syscall};
use core::arch::global_asm;
use core::sync::atomic::{AtomicU32, Ordering};

/// SetSyscall's number for the routine of INTC cause 12.
const TIMER_ROUTINE: u32 = 0x12C;
/// The call by which the callback's frame ends.
const END_CALL: u32 = 8;
/// Timer 3's registers in user mode.
const TIMER3: usize = 0x1000_1800;
/// Cycles of a frame's field, roughly.
const FIELD: u32 = 4_920_120;

static CALLED: AtomicU32 = AtomicU32::new(0);

#[unsafe(no_mangle)]
extern "C" fn selftest_callback(cause: u32) {
    CALLED.store(CALLED.load(Ordering::Relaxed) * 16 + cause, Ordering::Relaxed);
}

global_asm!(
    ".section .text.patches, \"ax\", @progbits",
    ".set push",
    ".set noreorder",
    ".set noat",
    ".set mips3",
    // In kernel mode, EXL set, $4 the cause: to the dispatcher below in user mode.
    ".globl selftest_timer",
    "selftest_timer:",
    "lui $8, %hi(selftest_saved)",
    "addiu $8, $8, %lo(selftest_saved)",
    "sw $31, 0($8)",
    "sw $29, 4($8)",
    // Take the request back and stop the compare interrupt.
    "lui $9, 0xB000",
    "ori $9, $9, 0x1810",
    "addiu $10, $0, 0x483",
    "sw $10, 0($9)",
    "lui $9, %hi(selftest_dispatch)",
    "addiu $9, $9, %lo(selftest_dispatch)",
    "mtc0 $9, $14",
    "mfc0 $10, $12",
    "ori $10, $10, 0x12",
    "mtc0 $10, $12",
    ".word 0x0000040F",
    "lui $29, 0x0008",
    "ori $29, $29, 0x1FC0",
    "eret",
    "nop",
    "selftest_dispatch:",
    "addiu $29, $29, -32",
    "jal selftest_callback",
    "nop",
    "addiu $3, $0, -8",
    "syscall",
    "nop",
    // The handler of call 8: back to the kernel that called the routine above.
    ".globl selftest_end",
    "selftest_end:",
    "mfc0 $9, $12",
    "addiu $10, $0, -0x1C",
    "and $9, $9, $10",
    "mtc0 $9, $12",
    ".word 0x0000040F",
    "lui $8, %hi(selftest_saved)",
    "addiu $8, $8, %lo(selftest_saved)",
    "lw $31, 0($8)",
    "lw $29, 4($8)",
    "nop",
    "jr $31",
    "nop",
    ".set pop",
    ".section .bss.patches, \"aw\", @nobits",
    ".balign 8",
    "selftest_saved: .space 8",
    ".text",
);

unsafe extern "C" {
    fn selftest_timer();
    fn selftest_end();
}

pub fn run(tally: &mut Tally) {
    call(0x74, TIMER_ROUTINE, selftest_timer as *const () as u32);
    call(0x74, END_CALL, selftest_end as *const () as u32);
    let register = |offset: usize| (TIMER3 + offset) as *mut u32;
    // SAFETY: timer 3's routine is ours now; it is given back by the next program's start.
    unsafe {
        let soon = register(0).read_volatile().wrapping_add(20) & 0xFFFF;
        register(0x20).write_volatile(soon);
        register(0x10).write_volatile(0x583);
    }
    let start = cop0::count();
    while cop0::count().wrapping_sub(start) < FIELD && CALLED.load(Ordering::Relaxed) == 0 {}
    tally.equal("a routine for timer 3 of the program's own", CALLED.load(Ordering::Relaxed), 12);
    // SAFETY: numbers only.
    tally.equal("calls work after it", unsafe { syscall::get_thread_id() }, 1);
}
