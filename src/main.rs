//! The EE program's entry.
#![cfg_attr(target_arch = "mips", no_std, no_main)]

#[cfg(target_arch = "mips")]
boardwalk::entry!(boardwalk::boot::run);

#[cfg(not(target_arch = "mips"))]
fn main() {
    println!("This is the console's program: `cargo xtask run` builds the disc and boots it.");
}
