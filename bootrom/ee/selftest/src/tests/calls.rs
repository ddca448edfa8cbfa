//! Calls that answer at once, and calls made by number.

use super::Tally;
use boardwalk::ee::syscall;
use core::arch::naked_asm;

/// Makes the system call `number` with eight arguments in the registers that the kernel looks at.
///
/// # Safety
/// As the call wants it.
#[unsafe(naked)]
pub unsafe extern "C" fn by_number(arguments: *const [u32; 8], number: i32) -> i32 {
    naked_asm!(
        ".set push",
        ".set noreorder",
        "move $2, $4",
        "move $3, $5",
        ".irp n,4,5,6,7,8,9,10,11",
        "lw $\\n, (\\n-4)*4($2)",
        ".endr",
        "nop",
        "syscall",
        "jr $31",
        "nop",
        ".set pop",
    )
}

/// [`by_number`] for calls that are safe with what they are given.
pub fn call_with<const N: usize>(number: i32, given: [u32; N]) -> i32 {
    let mut arguments = [0; 8];
    arguments[..N].copy_from_slice(&given);
    // SAFETY: callers pass what the call wants.
    unsafe { by_number(&raw const arguments, number) }
}

/// [`call_with`] two arguments.
pub fn call(number: i32, first: u32, second: u32) -> i32 {
    call_with(number, [first, second])
}

/// Reads a word in kernel mode.
pub fn kernel_word(address: u32) -> u32 {
    call(0x74, SPARE_CALL, read_word as *const () as u32);
    let word = call(SPARE_CALL as i32, address, 0) as u32;
    call(0x74, SPARE_CALL, 0);
    word
}

/// Number of a call that nothing uses.
const SPARE_CALL: u32 = 0x54;

extern "C" fn sum(first: u32, second: u32) -> u32 {
    first.wrapping_add(second)
}

extern "C" fn status_in_kernel() -> u32 {
    boardwalk::ee::cop0::status()
}

extern "C" fn read_word(address: u32) -> u32 {
    // SAFETY: the test passes addresses of the kernel's own memory and runs this in kernel mode.
    unsafe { (address as *const u32).read_volatile() }
}

pub fn run(tally: &mut Tally) {
    // SAFETY: calls without pointers, or with pointers to locals.
    unsafe {
        tally.equal("memory size in bytes", syscall::get_memory_size(), 0x0200_0000);
        tally.equal("stack top is 01FFF000 - 2A0", stack_top_page(), 0x01FF_E000);
        let mut word = 0;
        syscall::get_osd_config_param(&raw mut word);
        let changed = word & !0xE000 | 0x2000;
        call(0x4A, &raw const changed as u32, 0);
        let mut back = 0;
        syscall::get_osd_config_param(&raw mut back);
        tally.equal("the configuration word keeps its version", back, changed);
        call(0x4A, &raw const word as u32, 0);
        tally.equal("GS mask comes back", syscall::gs_put_imr(0x7F00), 0x7F00);
        tally.equal("GS mask is remembered", syscall::gs_get_imr(), 0x7F00);
        tally.equal("SIF word is kept", call(0x79, 0x8000_0010, 0x1234), 0x1234);
        tally.equal("SIF word comes back", call(0x7A, 0x8000_0010, 0), 0x1234);
        tally.equal("unknown SIF register is 0", call(0x7A, 17, 0), 0);
        tally.equal("main thread is 1", syscall::get_thread_id(), 1);
        tally.equal("main thread's id under the negative number", call(-0x2F, 0, 0), 1);
    }
    call(0x74, SPARE_CALL, sum as *const () as u32);
    tally.equal("SetSyscall adds a call", call(SPARE_CALL as i32, 40, 2), 42);
    tally.equal("its negative number too", call(-(SPARE_CALL as i32), 40, 2), 42);
    call(0x74, SPARE_CALL, status_in_kernel as *const () as u32);
    tally.equal("a call runs in kernel mode with interrupts off", call(SPARE_CALL as i32, 0, 0) & 0x1B, 0);
    tally.equal("a negative call keeps EXL", call(-(SPARE_CALL as i32), 0, 0) & 2, 2);
    call(0x74, SPARE_CALL, read_word as *const () as u32);
    let low_half = |address: u32| call(SPARE_CALL as i32, address, 0) as u32 & 0xFFFF;
    let table = low_half(0x8000_02F0) << 16 | low_half(0x8000_02F8);
    tally.equal(
        "the vectors name the table of calls",
        call(SPARE_CALL as i32, table + 4 * SPARE_CALL, 0) as u32,
        read_word as *const () as u32,
    );
    tally.equal("call 87 is empty", call(SPARE_CALL as i32, table + 4 * 0x87, 0), 0);
    let refill = call(SPARE_CALL as i32, table + 4 * 0x0D, 0) as u32;
    let vectors = low_half(refill + 0x14) << 16 | low_half(refill + 0x20);
    tally.equal("call 0D names the exception table", vectors, table + 0x400);
    call(0x74, SPARE_CALL, 0);
    tally.equal("interrupts are on after a call", boardwalk::ee::cop0::status() & 0x1_0001, 0x1_0001);
}

/// The page in which the main thread's stack ends.
fn stack_top_page() -> u32 {
    let local = 0u32;
    (&raw const local as u32) & !0xFFF
}
