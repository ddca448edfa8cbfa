//! The game's IOP module: streams data and music from the disc and plays sounds, without the EE's help.
//!
//! This library is what the module and its clients share, and the module's logic, tested on the host: the [`protocol`], the
//! pieces of a [`reading`] and those read [`ahead`] of it, a drive's [`pace`], the [`ring`] that music goes through, the
//! [`rest`] that it takes when it cannot be read, the [`watch`] over the threads, the [`adpcm`] form of sound, the layout of
//! [`music`] on the disc and of the [`sound_memory`], and what the module takes of the IOP's [`memory`].
#![no_std]

#[cfg(test)]
extern crate std;

pub mod adpcm;
pub mod ahead;
pub mod memory;
pub mod music;
pub mod pace;
pub mod protocol;
pub mod reading;
pub mod rest;
pub mod ring;
pub mod sound_memory;
pub mod watch;
