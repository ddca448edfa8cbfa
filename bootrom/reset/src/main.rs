//! RESET: the first file of the boot ROM, mapped at 0xBFC00000 for both processors.
//!
//! The EE and the IOP start at the same address. PRId tells them apart; each then copies its own kernel image from
//! the ROM to RAM, as a table at offset 0x400 says that the ROM packer fills in, and jumps to it. The code is MIPS I
//! only, because both processors execute it. Until a kernel has installed vectors of its own, an exception prints one
//! line on the processor's console and stops.
//!
//! Source: EE facts, sections 5 and 6 (vectors, memory map); emulator notes, section 4 (what a ROM must be).
#![cfg_attr(target_arch = "mips", no_std, no_main)]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(target_arch = "mips")]
mod code;

#[cfg(not(target_arch = "mips"))]
fn main() {
    println!("This is a program of the boot ROM: `cargo xtask rom` builds it.");
}
