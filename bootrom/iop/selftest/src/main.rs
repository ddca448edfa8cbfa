//! A module that proves an IOP kernel's libraries: it prints one line for each fact.
//!
//! It needs nothing of our own kernel, so that the same lines can be had from a console's. The start function returns the
//! address of a word, which becomes [`machine::DONE`] plus the number of facts that failed once all were tried.
#![cfg_attr(target_arch = "mips", no_std, no_main)]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(target_arch = "mips")]
mod facts;
#[cfg(target_arch = "mips")]
mod handler;
#[cfg(target_arch = "mips")]
mod library;
#[cfg(target_arch = "mips")]
mod machine;
#[cfg(target_arch = "mips")]
mod refuse;
#[cfg(target_arch = "mips")]
mod system;
#[cfg(target_arch = "mips")]
mod tally;
#[cfg(target_arch = "mips")]
mod word;

#[cfg(not(target_arch = "mips"))]
fn main() {
    println!("This is a module for the console's IOP.");
}
