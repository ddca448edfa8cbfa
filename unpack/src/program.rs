//! What runs on the EE: unpacks what lies behind it, hands memory over to the processor as code, and goes on there.
//!
//! Nothing that a loader left is changed: its stack stays as it is, and the program gets the registers that this got. Neither is
//! anything needed of the kernel but that it flushes the caches.
//!
//! Source: EE kernel, section 4 (FlushCache, Exit).

use boardwalk_unpack::{HEADER_BYTES, Load, lz};
use core::arch::{asm, global_asm};

/// Bytes of the stack: nothing here calls deeply.
const STACK_BYTES: u32 = 0x1000;
/// The serial port's transmit register.
const TRANSMIT: *mut u8 = 0x1000_F180 as *mut u8;
/// What the line about the time begins with.
const LINE: &[u8] = b"\nUNPACKED cycles 0x";

global_asm!(
    ".section .text._start, \"ax\", @progbits",
    ".set noreorder",
    ".set noat",
    ".globl _start",
    ".ent _start",
    "_start:",
    "lui $8, %hi(unpack_stack_top - 64)",
    "addiu $8, $8, %lo(unpack_stack_top - 64)",
    // What a loader on the network passes is in $a0; the rest costs nothing to keep.
    "sw $4, 32($8)",
    "sw $5, 36($8)",
    "sw $6, 40($8)",
    "sw $7, 44($8)",
    "sw $28, 48($8)",
    "sw $29, 52($8)",
    "sw $31, 56($8)",
    "or $29, $8, $0",
    "jal unpack_program",
    "nop",
    "beq $2, $0, 1f",
    "or $16, $2, $0",
    // FlushCache: data back to memory, then forget old code.
    "addiu $4, $0, 0",
    "addiu $3, $0, 0x64",
    "syscall",
    "addiu $4, $0, 2",
    "addiu $3, $0, 0x64",
    "syscall",
    "or $8, $29, $0",
    "lw $4, 32($8)",
    "lw $5, 36($8)",
    "lw $6, 40($8)",
    "lw $7, 44($8)",
    "lw $28, 48($8)",
    "lw $31, 56($8)",
    "lw $29, 52($8)",
    "jr $16",
    "nop",
    // Exit: what was loaded is damaged, and there is no screen to say so.
    "1:",
    "addiu $4, $0, 1",
    "addiu $3, $0, 4",
    "syscall",
    "nop",
    ".end _start",
    ".section .bss.unpack_stack, \"aw\", @nobits",
    ".balign 64",
    ".space {stack}",
    "unpack_stack_top:",
    ".text",
    stack = const STACK_BYTES,
);

unsafe extern "C" {
    /// The load, from the linker script: right behind this program.
    static unpack_load: u8;
}

/// Unpacks the program and answers its entry, or 0 when what was loaded is damaged.
#[unsafe(no_mangle)]
extern "C" fn unpack_program() -> u32 {
    let begin = count();
    let entry = unpack().unwrap_or(0);
    say(count().wrapping_sub(begin));
    entry
}

fn unpack() -> Option<u32> {
    let start = &raw const unpack_load;
    // SAFETY: the packer puts a header there; what it says of the load's length is what the loader has loaded.
    let bytes = unsafe {
        let header = core::slice::from_raw_parts(start, HEADER_BYTES);
        core::slice::from_raw_parts(start, Load::bytes_of(header)?)
    };
    let load = Load::read(bytes)?;
    for part in load.parts() {
        let part = part?;
        // SAFETY: the packer has made sure that parts lie in user memory, apart from each other and from all of this.
        let memory = unsafe { core::slice::from_raw_parts_mut(part.address as *mut u8, part.memory as usize) };
        let (own, rest) = memory.split_at_mut_checked(part.bytes as usize)?;
        lz::unpack(part.packed, own).ok()?;
        rest.fill(0);
    }
    Some(load.entry)
}

fn count() -> u32 {
    let count;
    // SAFETY: reads a counter.
    unsafe { asm!("mfc0 {}, $9", out(reg) count, options(nomem, nostack)) };
    count
}

/// Says how long it took, for a test that listens. The port's queue is empty so early, and takes these few bytes.
fn say(cycles: u32) {
    let digits = (0..8).rev().map(|place| b"0123456789abcdef"[(cycles >> (4 * place) & 0xF) as usize]);
    for byte in LINE.iter().copied().chain(digits).chain([b'\n']) {
        // SAFETY: the kernel maps the serial port for user mode; sending has no effect on memory.
        unsafe { TRANSMIT.write_volatile(byte) };
    }
}

/// A bug of ours: back to the kernel, as nothing can be shown.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        // SAFETY: Exit takes one number and does not return; where it does, it is asked again.
        unsafe { asm!("li $4, 1", "li $3, 4", "syscall", out("$4") _, out("$3") _, options(nostack)) };
    }
}
