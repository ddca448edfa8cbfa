//! The EE program's entry.
#![cfg_attr(target_arch = "mips", no_std, no_main)]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(not(target_arch = "mips"))]
fn main() {
    println!("This is the console's program: `cargo xtask run` builds the disc and boots it.");
}
