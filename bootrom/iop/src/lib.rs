//! The boot ROM's IOP kernel: its logic, as plain structs that also run on the host.
//!
//! The program (`main.rs` and `machine/`) owns one of each and puts them behind the processor's interrupts, the
//! libraries' tables of functions and the remote calls from the EE.
#![no_std]

pub mod alarms;
pub mod arithmetic;
pub mod boot_modes;
pub mod card;
pub mod cdvd;
pub mod character;
pub mod dma_channels;
pub mod edges;
pub mod ee_program;
pub mod errors;
pub mod exceptions;
pub mod file_status;
pub mod heap;
pub mod imports;
pub mod interrupts;
pub mod ioprp;
pub mod irx;
pub mod iso9660;
pub mod lists;
pub mod loadcore;
pub mod memory;
pub mod module_state;
pub mod pad;
pub mod pad_frame;
pub mod path;
pub mod pitch;
pub mod printf;
pub mod reboot;
pub mod romdir;
pub mod rpc;
pub mod sif;
pub mod sound;
pub mod threads;
pub mod timers;
pub mod vblank;
