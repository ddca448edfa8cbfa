//! The boot ROM's IOP kernel as a program: see the library for its logic and `machine/` for everything that
//! touches the processor.
#![cfg_attr(target_arch = "mips", no_std, no_main)]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(target_arch = "mips")]
mod machine;

#[cfg(not(target_arch = "mips"))]
fn main() {
    println!("This is a program of the boot ROM: `cargo xtask rom` builds it.");
}
