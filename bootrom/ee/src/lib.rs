//! The boot ROM's EE kernel.
#![no_std]
