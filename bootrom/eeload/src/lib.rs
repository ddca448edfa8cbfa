//! The boot ROM's EELOAD: finds the disc's program, loads it and starts it.
#![no_std]
