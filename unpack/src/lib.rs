//! What a packed program holds and how it is unpacked: the packer on the host and the start code on the EE share this.
//!
//! A packed program is one piece of memory high above the program that it holds: first the start code, then a [`Load`], which
//! lists the program's parts, each packed by itself as [`lz`] describes. The start code unpacks every part to its own
//! place, clears what a part has beyond its bytes, and jumps to the program's entry.
#![no_std]

#[cfg(test)]
extern crate std;

mod load;
pub mod lz;

pub use load::{HEADER_BYTES, Load, MAGIC, PART_BYTES, Part};
