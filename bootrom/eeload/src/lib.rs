//! The boot ROM's EELOAD: finds and starts the disc's program.
#![no_std]
