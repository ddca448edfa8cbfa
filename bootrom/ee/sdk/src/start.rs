//! From the loader to `main` and back to the kernel, in the order of the SDK's start-up code.

use core::arch::global_asm;

/// Bytes of the stack that the kernel is asked for, at the end of memory.
pub const STACK: u32 = 0x2_0000;

global_asm!(
    ".section .text._start, \"ax\", @progbits",
    ".set push",
    ".set noreorder",
    ".set noat",
    ".globl _start",
    "_start:",
    // A network loader's arguments, if there are any, must outlive .bss.
    "or $16, $4, $0",
    "lui $8, %hi(_fbss)",
    "addiu $8, $8, %lo(_fbss)",
    "lui $9, %hi(_end)",
    "addiu $9, $9, %lo(_end)",
    "1: sltu $10, $8, $9",
    "beq $10, $0, 2f",
    "nop",
    // sq $0, 0($8)
    ".word 0x7D000000",
    "addiu $8, $8, 16",
    "b 1b",
    "nop",
    // SetupThread(gp, stack at the end of memory, its size, arguments, where the main function returns to)
    "2: or $4, $0, $0",
    "addiu $5, $0, -1",
    "lui $6, {stack_high}",
    "lui $7, %hi(sdk_arguments)",
    "addiu $7, $7, %lo(sdk_arguments)",
    "lui $8, %hi(sdk_root)",
    "addiu $8, $8, %lo(sdk_root)",
    "addiu $3, $0, 0x3C",
    "syscall",
    "or $29, $2, $0",
    // SetupHeap(end of the program, up to the stack)
    "lui $4, %hi(_end)",
    "addiu $4, $4, %lo(_end)",
    "addiu $5, $0, -1",
    "addiu $3, $0, 0x3D",
    "syscall",
    "or $17, $2, $0",
    // FlushCache(0), interrupts on.
    "or $4, $0, $0",
    "addiu $3, $0, 0x64",
    "syscall",
    ".word 0x42000038",
    // main(count, values, stack pointer, heap's end)
    "lui $8, %hi(sdk_arguments)",
    "addiu $8, $8, %lo(sdk_arguments)",
    "beq $16, $0, 3f",
    "nop",
    "addiu $8, $16, 4",
    "3: lw $4, 0($8)",
    "addiu $5, $8, 4",
    "or $6, $29, $0",
    "or $7, $17, $0",
    "jal sdk_main",
    "addiu $29, $29, -32",
    // Exit(what main returned)
    "or $4, $2, $0",
    "addiu $3, $0, 4",
    "syscall",
    "sdk_root:",
    "addiu $3, $0, 0x23",
    "syscall",
    ".set pop",
    ".section .bss.start, \"aw\", @nobits",
    ".balign 64",
    // Count, sixteen pointers, the strings.
    "sdk_arguments: .space 4 + 64 + 256",
    ".balign 64",
    ".text",
    stack_high = const STACK >> 16,
);
