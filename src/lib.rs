//! Boardwalk's engine: everything of the game that does not need to be the program itself.
//!
//! The same library is linked into the console's program and unit-tested on the host. Modules are named after the
//! subsystems of the four seed documents; `ee` is the console's hardware and the only one that is absent on the host
//! where it touches registers.
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch, core_intrinsics))]
#![cfg_attr(target_arch = "mips", allow(internal_features))]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod ai;
pub mod animation;
pub mod audio;
mod bits;
#[cfg(any(not(target_arch = "mips"), feature = "program"))]
pub mod boot;
pub mod camera;
pub mod chunk;
pub mod clock;
pub mod collision;
pub mod combat;
pub mod crash;
#[allow(unsafe_code, reason = "the console's hardware and system calls")]
pub mod ee;
pub mod file_io;
#[cfg(any(not(target_arch = "mips"), feature = "program"))]
pub mod game;
pub mod game_modes;
pub mod graphics;
#[cfg(any(not(target_arch = "mips"), feature = "program"))]
pub mod hud;
pub mod human;
pub mod maths;
#[allow(unsafe_code, reason = "pools hand out raw memory")]
pub mod memory;
pub mod motion;
#[cfg(any(not(target_arch = "mips"), feature = "program"))]
pub mod overlay;
pub mod pads;
pub mod physics;
pub mod selftest;
pub mod streaming;
pub mod tasks;
pub mod world;
