//! The start code of a packed program. The packer puts the program's load right behind it.
#![cfg_attr(target_arch = "mips", no_std, no_main)]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(target_arch = "mips")]
mod program;

#[cfg(not(target_arch = "mips"))]
fn main() {
    println!("This is a part of packed programs: `cargo xtask release` makes one.");
}
