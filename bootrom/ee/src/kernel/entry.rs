//! The way into the kernel and out of it.
//!
//! Every way in saves all 128-bit registers into a frame of the kernel, so that compiled code may use what it likes:
//! a call under a positive number and an interrupt into the thread's frame, a call under a negative number (which may
//! come from a handler, while the thread's frame holds the interrupted thread) into its own. Kernel code runs with
//! interrupts off.
//!
//! Source: EE kernel semantics, sections 1, 2 and 5.

use super::table::{CALLS_ADDRESS, VECTORS_ADDRESS};
use bootrom_ee::context::Frame;
use core::arch::global_asm;
use core::mem::offset_of;

/// Bytes of the stack of calls and interrupts.
const STACK: u32 = 0x4000;
/// Bytes of the stack of calls under negative numbers.
const CALL_STACK: u32 = 0x2000;
/// Bytes of the stack of the exception report.
const FATAL_STACK: u32 = 0x2000;

/// Number of the 8 KiB in which the stack of handlers lies.
const HANDLER_STACK_PAGES: u32 = 0x0008_0000 >> 13;

/// Status in kernel mode: coprocessors 0-2, EI and DI for users, interrupts enabled but for IE.
pub const STATUS_KERNEL: u32 = 0x7003_0C00;

global_asm!(
    // $26 addresses a frame.
    ".macro SQ register, offset",
    ".word 0x7F400000 | ((\\register) << 16) | (\\offset)",
    ".endm",
    ".macro LQ register, offset",
    ".word 0x7B400000 | ((\\register) << 16) | (\\offset)",
    ".endm",
    ".macro SAVE_ALL frame",
    "lui $26, %hi(\\frame)",
    "addiu $26, $26, %lo(\\frame)",
    ".irp n,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30,31",
    "SQ \\n, \\n*16",
    ".endr",
    ".word 0x7000DA09", // pmfhi $27
    "SQ 27, 26*16",
    ".word 0x7000DA49", // pmflo $27
    "SQ 27, 27*16",
    ".word 0x0000D828", // mfsa $27
    "SQ 27, 0",
    ".endm",
    ".macro LOAD_ALL frame",
    "lui $26, %hi(\\frame)",
    "addiu $26, $26, %lo(\\frame)",
    "lw $27, {epc}($26)",
    "mtc0 $27, $14",
    "LQ 27, 0",
    ".word 0x03600029", // mtsa $27
    "LQ 27, 26*16",
    ".word 0x73600229", // pmthi $27
    "LQ 27, 27*16",
    ".word 0x73600269", // pmtlo $27
    ".irp n,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30,31",
    "LQ \\n, \\n*16",
    ".endr",
    ".endm",
    ".section .text.entry, \"ax\", @progbits",
    ".set noreorder",
    ".set noat",
    ".set mips3",
    ".balign 64",
    ".globl syscall_entry",
    "syscall_entry:",
    "bltz $3, negative_entry",
    "nop",
    "lui $26, %hi(dispatch_stack)",
    "lw $26, %lo(dispatch_stack)($26)",
    "nop",
    "bnez $26, call_within_handler",
    "nop",
    "call_of_thread:",
    "SAVE_ALL FRAME_THREAD",
    "mfc0 $27, $14",
    "addiu $27, $27, 4",
    "sw $27, {epc}($26)",
    "mfc0 $27, $12",
    "sw $27, {status}($26)",
    "addiu $8, $0, -0x1C", // IE, EXL, KSU off
    "and $27, $27, $8",
    "mtc0 $27, $12",
    ".word 0x0000040F",
    "lui $29, %hi(kernel_stack_top)",
    "addiu $29, $29, %lo(kernel_stack_top)",
    "addiu $29, $29, -32",
    "jal call_by_number",
    "move $16, $3",
    "sd $2, 2*16($26)",
    "lui $25, %hi(leave_call)",
    "addiu $25, $25, %lo(leave_call)",
    "jalr $25",
    "nop",
    // A handler's `di` stays in force behind its interrupt, as on the console: only IE comes back by itself.
    // Source: EE kernel semantics, section 5.
    ".globl return_to_thread",
    "return_to_thread:",
    "mfc0 $27, $12",
    "ori $27, $27, 0x13", // user mode, IE, EXL until eret
    "mtc0 $27, $12",
    ".word 0x0000040F",
    "LOAD_ALL FRAME_THREAD",
    ".word 0x0000040F",
    "nop",
    "eret",
    "nop",
    // Our choice: from a handler such a call would write over the interrupted thread's frame and let interrupts in, as it
    // does on the console; we report it. Two kinds are served as there: calls that replace the program, after which nobody
    // comes back to the handler; and calls on another stack than the handlers', by code that an exception's handler has
    // led out of the interrupt for good.
    "call_within_handler:",
    "srl $26, $29, 13",
    "addiu $27, $0, {handler_stack}",
    "bne $26, $27, 1f",
    "addiu $26, $3, -0x04", // Exit
    "beqz $26, 1f",
    "addiu $26, $3, -0x06", // LoadExecPS2, ExecPS2
    "sltiu $26, $26, 2",
    "bnez $26, 1f",
    "addiu $26, $3, -0x7B", // ExecOSD
    "bnez $26, exception_fatal",
    "nop",
    "1:",
    "lui $26, %hi(dispatch_stack)",
    "b call_of_thread",
    "sw $0, %lo(dispatch_stack)($26)",
    // $16 = number -> $2 = result, $26 = the thread's frame. The fifth to eighth argument, which programs pass in
    // $8-$11, go where compiled code looks for them.
    "call_by_number:",
    "addiu $29, $29, -48",
    "sw $31, 40($29)",
    "ld $8, 8*16($26)",
    "sw $8, 16($29)",
    "sw $9, 20($29)",
    "sw $10, 24($29)",
    "sw $11, 28($29)",
    "sltiu $25, $16, 256",
    "beqz $25, 1f",
    "sll $2, $16, 2",
    "lui $25, ({calls} >> 16)",
    "addu $25, $25, $2",
    "lw $25, ({calls} & 0xFFFF)($25)",
    "nop",
    "bnez $25, 2f",
    "nop",
    "1:",
    "lui $25, %hi(unknown_call)",
    "addiu $25, $25, %lo(unknown_call)",
    "move $4, $16",
    "2:",
    "jalr $25",
    "nop",
    "lui $26, %hi(FRAME_THREAD)",
    "addiu $26, $26, %lo(FRAME_THREAD)",
    "lw $31, 40($29)",
    "nop",
    "jr $31",
    "addiu $29, $29, 48",
    // Negative numbers: EXL stays set, the Status that the caller had comes back unchanged. The called function finds
    // $16-$23 and $30 as the caller left them: one that never returns here (the ends of handlers) passes them on.
    "negative_entry:",
    "SAVE_ALL FRAME_CALL",
    "mfc0 $27, $14",
    "addiu $27, $27, 4",
    "sw $27, {epc}($26)",
    "lui $29, %hi(call_stack_top)",
    "addiu $29, $29, %lo(call_stack_top)",
    "addiu $29, $29, -48",
    "sw $8, 16($29)",
    "sw $9, 20($29)",
    "sw $10, 24($29)",
    "sw $11, 28($29)",
    "subu $3, $0, $3",
    "sltiu $25, $3, 256",
    "beqz $25, 1f",
    "sll $24, $3, 2",
    "lui $25, ({calls} >> 16)",
    "addu $25, $25, $24",
    "lw $25, ({calls} & 0xFFFF)($25)",
    "nop",
    "bnez $25, 2f",
    "nop",
    "1:",
    "lui $25, %hi(unknown_call)",
    "addiu $25, $25, %lo(unknown_call)",
    "subu $4, $0, $3",
    "2:",
    "jalr $25",
    "nop",
    "lui $26, %hi(FRAME_CALL)",
    "addiu $26, $26, %lo(FRAME_CALL)",
    "sd $2, 2*16($26)",
    "lui $25, %hi(leave_negative_call)",
    "addiu $25, $25, %lo(leave_negative_call)",
    "jalr $25",
    "nop",
    "LOAD_ALL FRAME_CALL",
    ".word 0x0000040F",
    "nop",
    "eret",
    "nop",
    ".globl interrupt_entry",
    "interrupt_entry:",
    "SAVE_ALL FRAME_THREAD",
    "mfc0 $27, $14",
    "sw $27, {epc}($26)",
    "mfc0 $4, $13",
    "mfc0 $27, $12",
    "and $4, $4, $27",
    "addiu $8, $0, -2", // IE off, EXL stays
    "and $27, $27, $8",
    "mtc0 $27, $12",
    ".word 0x0000040F",
    "lui $29, %hi(kernel_stack_top)",
    "addiu $29, $29, %lo(kernel_stack_top)",
    "addiu $29, $29, -32",
    "lui $25, %hi(interrupt)",
    "addiu $25, $25, %lo(interrupt)",
    "jalr $25",
    "nop",
    "lui $25, %hi(leave_interrupt)",
    "addiu $25, $25, %lo(leave_interrupt)",
    "jalr $25",
    "nop",
    "j return_to_thread",
    "nop",
    // call_in_user_mode(function, gp, first, second, third): runs a handler of a program in user mode with interrupts
    // off, on the stack below the dispatcher, and returns what it returned.
    ".globl call_in_user_mode",
    "call_in_user_mode:",
    "addiu $29, $29, -48",
    ".irp n,16,17,18,19,20,21,22,23",
    "sw $\\n, (\\n-16)*4($29)",
    ".endr",
    "sw $30, 32($29)",
    "sw $31, 36($29)",
    "lui $8, %hi(dispatch_stack)",
    "sw $29, %lo(dispatch_stack)($8)",
    "move $3, $4",
    "move $28, $5",
    "move $4, $6",
    "move $5, $7",
    "lw $6, 48+16($29)",
    "mfc0 $27, $12",
    "ori $27, $27, 0x12",
    "mtc0 $27, $12",
    "lui $27, 0x0008",
    "ori $27, $27, 0x1FE0",
    "mtc0 $27, $14",
    ".word 0x0000040F",
    "lui $29, 0x0008",
    "ori $29, $29, 0x1FC0",
    "eret",
    "nop",
    // The dispatcher's last call: back to where call_in_user_mode was called, in kernel mode, with the handler's
    // result in $2.
    ".globl end_of_handler",
    "end_of_handler:",
    // Out of a handler there is nothing to go back to.
    "lui $8, %hi(dispatch_stack)",
    "lw $9, %lo(dispatch_stack)($8)",
    "nop",
    "bnez $9, 1f",
    "nop",
    "jr $31",
    "addiu $2, $0, -1",
    "1:",
    "mfc0 $27, $12",
    "addiu $8, $0, -0x1C",
    "and $27, $27, $8",
    "mtc0 $27, $12",
    ".word 0x0000040F",
    "lui $8, %hi(dispatch_stack)",
    "lw $29, %lo(dispatch_stack)($8)",
    "sw $0, %lo(dispatch_stack)($8)",
    ".irp n,16,17,18,19,20,21,22,23",
    "lw $\\n, (\\n-16)*4($29)",
    ".endr",
    "lw $30, 32($29)",
    "lw $31, 36($29)",
    "addiu $29, $29, 48",
    "jr $31",
    "nop",
    ".globl exception_fatal",
    "exception_fatal:",
    "SAVE_ALL FRAME_FATAL",
    "mfc0 $27, $14",
    "sw $27, {epc}($26)",
    "mfc0 $27, $12",
    "sw $27, {status}($26)",
    "mfc0 $27, $13",
    "sw $27, {cause}($26)",
    "mfc0 $27, $8",
    "sw $27, {bad_address}($26)",
    "mfc0 $27, $30",
    "sw $27, {error_epc}($26)",
    "lui $27, ({status_kernel} >> 16)",
    "ori $27, $27, ({status_kernel} & 0xFFFF)",
    "mtc0 $27, $12",
    ".word 0x0000040F",
    "lui $29, %hi(fatal_stack_top)",
    "addiu $29, $29, %lo(fatal_stack_top)",
    "addiu $29, $29, -32",
    "lui $25, %hi(fatal_exception)",
    "addiu $25, $25, %lo(fatal_exception)",
    "jr $25",
    "nop",
    // announce_mode(interlaced, mode, field): a system call that does nothing, with the number of SetGsCrt. An emulator
    // that takes its timing from the call itself hears of modes that the kernel sets on its own.
    ".globl announce_mode",
    "announce_mode:",
    "lui $8, ({vectors} >> 16)",
    "lw $9, (({vectors} & 0xFFFF) + 8*4)($8)",
    "lui $10, %hi(pass_over)",
    "addiu $10, $10, %lo(pass_over)",
    "sw $10, (({vectors} & 0xFFFF) + 8*4)($8)",
    "addiu $3, $0, 2",
    "syscall",
    "sw $9, (({vectors} & 0xFFFF) + 8*4)($8)",
    "jr $31",
    "nop",
    "pass_over:",
    "mfc0 $26, $14",
    "addiu $26, $26, 4",
    "mtc0 $26, $14",
    ".word 0x0000040F",
    "nop",
    "eret",
    "nop",
    ".section .bss.stacks, \"aw\", @nobits",
    ".balign 64",
    ".space {stack}",
    ".globl kernel_stack_top",
    "kernel_stack_top:",
    ".space {call_stack}",
    "call_stack_top:",
    ".space {fatal_stack}",
    "fatal_stack_top:",
    "dispatch_stack: .space 64",
    ".text",
    epc = const offset_of!(Frame, epc),
    status = const offset_of!(Frame, status),
    cause = const offset_of!(Frame, cause),
    bad_address = const offset_of!(Frame, bad_address),
    error_epc = const offset_of!(Frame, error_epc),
    vectors = const VECTORS_ADDRESS,
    calls = const CALLS_ADDRESS,
    stack = const STACK,
    call_stack = const CALL_STACK,
    fatal_stack = const FATAL_STACK,
    status_kernel = const STATUS_KERNEL,
    handler_stack = const HANDLER_STACK_PAGES,
);

unsafe extern "C" {
    /// Runs a handler of a program in user mode; its result.
    pub fn call_in_user_mode(function: u32, gp: u32, first: u32, second: u32, third: u32) -> i32;
    /// A system call that does nothing but be seen; interrupts are off and EXL is clear.
    pub fn announce_mode(interlaced: u32, mode: u32, field: u32);
    /// Entry of the system call exception.
    pub fn syscall_entry();
    /// Entry of every exception without a handler.
    pub fn exception_fatal();
    /// ResumeIntrDispatch and ResumeT3IntrDispatch.
    // Covers: ee, -0x05 ResumeIntrDispatch test=the chain's order, ended by a negative result
    // Covers: ee, -0x08 ResumeT3IntrDispatch test=a routine for timer 3 of the program's own
    pub fn end_of_handler();
}
