//! The boot ROM's IOP kernel.
#![no_std]
