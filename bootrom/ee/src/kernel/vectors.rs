//! The exception vectors, and the calls that change who handles what.
//!
//! Source: EE kernel semantics, sections 1, 2 and 5.4; PS2 hardware facts, section 6.1.

use super::table::{CALLS_ADDRESS, INTERRUPTS_ADDRESS, VECTORS_ADDRESS};
use core::arch::global_asm;

global_asm!(
    // Jumps to the handler of the exception's code.
    ".macro BY_CODE",
    "mfc0 $26, $13",
    "lui $27, ({vectors} >> 16)",
    "andi $26, $26, 0x7C",
    "addu $27, $27, $26",
    "lw $27, ({vectors} & 0xFFFF)($27)",
    "nop",
    "jr $27",
    "nop",
    ".endm",
    ".macro GO target",
    "lui $27, %hi(\\target)",
    "addiu $27, $27, %lo(\\target)",
    "jr $27",
    "nop",
    ".endm",
    ".section .vectors, \"ax\", @progbits",
    ".set noreorder",
    ".set noat",
    ".set mips3",
    "vector_refill:",
    "BY_CODE",
    ".org 0x080",
    "GO exception_fatal",
    ".org 0x100",
    "GO exception_fatal",
    ".org 0x180",
    "BY_CODE",
    ".org 0x200",
    "GO interrupt_entry",
    // Start-up code of programs takes the address of the table of calls from the low halves of these two words.
    ".org 0x2F0",
    "lui $2, ({calls} >> 16)",
    "nop",
    "lw $2, ({calls} & 0xFFFF)($2)",
    "nop",
    ".org 0x300",
    ".section .text.vectors, \"ax\", @progbits",
    ".set noreorder",
    ".set noat",
    ".balign 4",
    // SetVTLBRefillHandler(code, handler). Programs read the table's address out of these instructions: its high half
    // in the sixth, its low half in the ninth word.
    ".globl set_refill_handler",
    "set_refill_handler:",
    "addiu $2, $4, -1",
    "sltiu $2, $2, 3",
    "beqz $2, 1f",
    "nop",
    "sll $3, $4, 2",
    "lui $2, ({vectors} >> 16)",
    "nop",
    "nop",
    "addiu $2, $2, ({vectors} & 0xFFFF)",
    "addu $2, $2, $3",
    "sw $5, 0($2)",
    "jr $31",
    "move $2, $5",
    "1:",
    "jr $31",
    "move $2, $0",
    // SetVCommonHandler(code, handler).
    ".globl set_common_handler",
    "set_common_handler:",
    "addiu $2, $4, -4",
    "sltiu $2, $2, 10",
    "beqz $2, 1f",
    "sll $3, $4, 2",
    "lui $2, ({vectors} >> 16)",
    "addiu $2, $2, ({vectors} & 0xFFFF)",
    "addu $2, $2, $3",
    "sw $5, 0($2)",
    "jr $31",
    "move $2, $5",
    "1:",
    "jr $31",
    "move $2, $0",
    // SetVInterruptHandler(line, handler): high half of the table in the fifth, low half in the eighth word.
    ".globl set_interrupt_handler",
    "set_interrupt_handler:",
    "sltiu $2, $4, 8",
    "beqz $2, 1f",
    "sll $3, $4, 2",
    "nop",
    "lui $2, ({interrupts} >> 16)",
    "nop",
    "nop",
    "addiu $2, $2, ({interrupts} & 0xFFFF)",
    "addu $2, $2, $3",
    "sw $5, 0($2)",
    "jr $31",
    "move $2, $5",
    "1:",
    "jr $31",
    "move $2, $0",
    ".text",
    vectors = const VECTORS_ADDRESS,
    interrupts = const INTERRUPTS_ADDRESS,
    calls = const CALLS_ADDRESS,
);

unsafe extern "C" {
    /// SetVTLBRefillHandler.
    // Covers: ee, 0x0D SetVTLBRefillHandler test=call 0D names the exception table
    pub fn set_refill_handler();
    /// SetVCommonHandler.
    // Covers: ee, 0x0E SetVCommonHandler test=a handler of an exception goes on behind it
    pub fn set_common_handler();
    /// SetVInterruptHandler.
    // Covers: ee, 0x0F SetVInterruptHandler test=SetVInterruptHandler fills its table
    pub fn set_interrupt_handler();
}
