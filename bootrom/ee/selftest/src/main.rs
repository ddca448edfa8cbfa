//! A program that proves an EE kernel's calls: it prints one line for each fact, then replaces itself twice.
//!
//! Its name on the disc makes it do other things: FAULTB, FAULTS and FAULTH come to a bad end, HOSTILE makes calls that make no
//! sense, EXECBAD replaces itself with arguments that make none, RESTART starts itself anew from wherever it came to grief,
//! NOLOADER starts another program without the IOP's loader, STRESS does everything at once, BENCH measures.
//!
//! It needs nothing of our own kernel, so that the same lines can be had from a console's. It runs in three parts: all
//! calls; then, by ExecPS2 with the argument `second`, what a program that replaced another finds; then, by LoadExecPS2 of
//! its own path with the argument `third`, what EELOAD hands over.
#![cfg_attr(target_arch = "mips", no_std, no_main)]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(target_arch = "mips")]
extern crate alloc;

#[cfg(target_arch = "mips")]
mod tests;

#[cfg(target_arch = "mips")]
boardwalk::entry!(tests::run);

#[cfg(not(target_arch = "mips"))]
fn main() {
    println!("This is a program for the console.");
}
