//! EELOAD as a program: start code, the way to a program's first instruction, and error screens around the library's
//! logic.
#![cfg_attr(target_arch = "mips", no_std, no_main)]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(target_arch = "mips")]
mod program;

#[cfg(not(target_arch = "mips"))]
fn main() {
    println!("This is a program of the boot ROM: `cargo xtask rom` builds it.");
}
