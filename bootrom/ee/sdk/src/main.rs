//! A program that does what programs of the public SDK do: their start-up, their way of printing, their patches of the IOP,
//! the first calls of their libraries for pads, cards and discs, and their end by the kernel's exit call.
//!
//! [`start`] is the start-up, [`stdout`] prints by the file server, [`patches`] walks the IOP's lists from here and writes to its
//! code, [`libraries`] begins what the libraries begin. Nothing of it knows the ROM that it runs on. The steps, numbers and
//! addresses are the SDK's; the code is our own.
//!
//! Source: EE facts, section 4 (start-up's order); IOP kernel, servers; public SDK (patches of the IOP's loader)
#![cfg_attr(target_arch = "mips", no_std, no_main)]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(target_arch = "mips")]
mod libraries;
#[cfg(target_arch = "mips")]
mod patches;
#[cfg(target_arch = "mips")]
mod program;
#[cfg(target_arch = "mips")]
mod start;
#[cfg(target_arch = "mips")]
mod stdout;

#[cfg(not(target_arch = "mips"))]
fn main() {
    println!("This is a program for the console.");
}
