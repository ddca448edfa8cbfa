//! An EE program that starts a module on the IOP and prints what came of it.
//!
//! It is told by its arguments: `module=PATH` starts the module at PATH and stays for as long as the module does, `tell=WORD` gives the
//! module that word; `prove` waits for the verdict of the module, which must be the self-test's, and proves the IOP's servers afterwards.
#![cfg_attr(target_arch = "mips", no_std, no_main)]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(target_arch = "mips")]
mod client;
#[cfg(target_arch = "mips")]
mod facts;
#[cfg(target_arch = "mips")]
mod peer;

#[cfg(target_arch = "mips")]
boardwalk::entry!(client::run);

#[cfg(not(target_arch = "mips"))]
fn main() {
    println!("This is a program for the console.");
}
