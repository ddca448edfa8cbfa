//! The boot ROM's EELOAD: finds the program to run, loads it and starts it.
//!
//! What is logic rather than hardware lives here and is tested on the host: reading SYSTEM.CNF ([`configuration`]), checking
//! a program and saying where its parts go ([`program_file`]), and what goes wrong ([`failure`]). The binary asks the IOP's
//! servers for the bytes, clears what the loader leaves, and hands over by ExecPS2.
#![no_std]

#[cfg(test)]
extern crate std;

pub mod configuration;
pub mod failure;
pub mod program_file;
