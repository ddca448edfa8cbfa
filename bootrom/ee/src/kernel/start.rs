//! The kernel's first instructions: caches, configuration, empty memory, a stack.
//!
//! Source: PS2 hardware facts, section 6.3; EE kernel semantics, section 12.

use super::entry::STATUS_KERNEL;
use core::arch::global_asm;

/// Config bits: caches on, dual issue, non-blocking loads, branch prediction; kseg0 cached.
const CONFIG: u32 = 0x0007_3003;

global_asm!(
    ".section .text.first, \"ax\", @progbits",
    ".set noreorder",
    ".set noat",
    ".set mips3",
    // First instruction: with caches of unknown content, so from the uncached window until they are clean.
    ".globl _start",
    "_start:",
    "lui $8, ({status_kernel} >> 16)",
    "ori $8, $8, ({status_kernel} & 0xFFFF)",
    "mtc0 $8, $12",
    ".word 0x0000040F",
    "lui $8, %hi(1f)",
    "addiu $8, $8, %lo(1f)",
    "lui $9, 0x2000",
    "or $8, $8, $9",
    "jr $8",
    "nop",
    "1:",
    "mtc0 $0, $28", // TagLo
    "mtc0 $0, $29", // TagHi
    ".word 0x0000040F",
    "move $8, $0",
    "2:",
    "cache 0x12, 0($8)", // data: store tag, both ways
    "cache 0x12, 1($8)",
    ".word 0x0000000F",
    "addiu $8, $8, 64",
    "sltiu $9, $8, 0x1000",
    "bnez $9, 2b",
    "nop",
    "move $8, $0",
    "3:",
    "cache 0x07, 0($8)", // instructions: invalidate, both ways
    "cache 0x07, 1($8)",
    ".word 0x0000040F",
    "addiu $8, $8, 64",
    "sltiu $9, $8, 0x2000",
    "bnez $9, 3b",
    "nop",
    "lui $8, ({config} >> 16)",
    "ori $8, $8, ({config} & 0xFFFF)",
    "mtc0 $8, $16",
    ".word 0x0000040F",
    "lui $8, %hi(_fbss)",
    "addiu $8, $8, %lo(_fbss)",
    "lui $9, %hi(_end)",
    "addiu $9, $9, %lo(_end)",
    "4:",
    "sd $0, 0($8)",
    "sd $0, 8($8)",
    "addiu $8, $8, 16",
    "bne $8, $9, 4b",
    "nop",
    "lui $29, %hi(kernel_stack_top)",
    "addiu $29, $29, %lo(kernel_stack_top)",
    "addiu $29, $29, -32",
    "lui $25, %hi(kernel_start)",
    "addiu $25, $25, %lo(kernel_start)",
    "jalr $25",
    "nop",
    "j return_to_thread",
    "nop",
    ".text",
    status_kernel = const STATUS_KERNEL,
    config = const CONFIG,
);
