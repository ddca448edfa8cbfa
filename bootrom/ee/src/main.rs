//! A program of the boot ROM.
#![cfg_attr(target_arch = "mips", no_std, no_main)]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(not(target_arch = "mips"))]
fn main() {
    println!("This is a program of the boot ROM: `cargo xtask rom` builds it.");
}
