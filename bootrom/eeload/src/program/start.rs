//! The first words of EELOAD, which have a fixed shape.
//!
//! The emulator looks at three things: the word at 0x8209C is a `jal` to the main routine; the path of the program that
//! starts without a word from anybody stands on an 8-byte boundary and may be overwritten with a longer one when the
//! main routine is entered; and a `jal` at certain offsets further on would be taken for another kernel's call of
//! ExecPS2, so nothing but data lies there.
//!
//! Source: emulator notes, section 4; EE kernel semantics, section 2; settled questions 30.

use core::arch::global_asm;

/// Bytes of EELOAD's own stack. A program may be loaded to the end of RAM, so the stack is not there.
const STACK: u32 = 0x4000;

global_asm!(
    ".section .text.start, \"ax\", @progbits",
    ".set noreorder",
    ".set noat",
    ".globl _start",
    "_start:",
    "lui $8, %hi(_fbss)",
    "addiu $8, $8, %lo(_fbss)",
    "lui $9, %hi(_end)",
    "addiu $9, $9, %lo(_end)",
    "1:",
    "sw $0, 0($8)",
    "sw $0, 4($8)",
    "sw $0, 8($8)",
    "sw $0, 12($8)",
    "addiu $8, $8, 16",
    "bne $8, $9, 1b",
    "nop",
    // SetupThread(gp 0, our stack, its size, argument block, where a main that returns goes on)
    "move $4, $0",
    "lui $5, %hi(eeload_stack)",
    "addiu $5, $5, %lo(eeload_stack)",
    "ori $6, $0, {stack}",
    "lui $7, %hi(eeload_arguments)",
    "addiu $7, $7, %lo(eeload_arguments)",
    "lui $8, %hi(eeload_end)",
    "addiu $8, $8, %lo(eeload_end)",
    "addiu $3, $0, 0x3C",
    "syscall",
    "addiu $29, $2, -32",
    // FlushCache(0), then interrupts on.
    "move $4, $0",
    "addiu $3, $0, 0x64",
    "syscall",
    ".word 0x42000038",
    "lui $5, %hi(eeload_arguments)",
    "addiu $5, $5, %lo(eeload_arguments)",
    "lw $4, 0($5)",
    "addiu $5, $5, 4",
    "nop",
    "nop",
    ".org 0x9C",
    "jal eeload_main",
    "nop",
    "eeload_end:",
    "addiu $3, $0, 0x23", // ExitThread
    "syscall",
    ".section .data.path, \"aw\", @progbits",
    ".globl eeload_default_path",
    "eeload_default_path:",
    ".asciz \"rom0:OSDSYS\"",
    // Room for a longer one.
    ".space 0x400",
    ".section .bss.start, \"aw\", @nobits",
    ".balign 64",
    "eeload_stack: .space {stack}",
    // argc, sixteen pointers, the strings.
    "eeload_arguments: .space 4 + 64 + 256",
    ".balign 64",
    ".text",
    stack = const STACK,
);
