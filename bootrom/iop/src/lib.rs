//! The boot ROM's IOP kernel: its logic, as plain structs that also run on the host.
//!
//! The program (`main.rs` and `machine/`) owns one of each and puts them behind the processor's interrupts, the
//! libraries' tables of functions and the remote calls from the EE.
#![no_std]

pub mod alarms;
pub mod errors;
pub mod interrupts;
pub mod memory;
pub mod sif;
pub mod threads;
