//! The IOP module as a program: see the library for its logic and `machine/` for its threads.
#![cfg_attr(target_arch = "mips", no_std, no_main)]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(target_arch = "mips")]
mod machine;

#[cfg(not(target_arch = "mips"))]
fn main() {
    println!("This is the game's IOP module: `cargo xtask iso` puts it on the disc.");
}
