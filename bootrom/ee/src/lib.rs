//! The boot ROM's EE kernel: everything of it that is logic rather than registers.
//!
//! The kernel offers the system calls of the console's own kernel under the same numbers, with the same structures,
//! limits and return values. This library holds its parts as plain structs, tested on the host: threads and
//! semaphores ([`scheduler`]), handler chains ([`handlers`]), alarms ([`alarms`]), the arguments of the next program
//! ([`arguments`]), the blank's request ([`blank`]), which pointers are a program's ([`addresses`]), the TLB map ([`tlb`]), video timings ([`video`]), the ring of SIF transfers ([`sif`]), a screen of text ([`screen`]), the report of an exception on it ([`fatal`]) and the
//! ROM's directory ([`romdir`]). The binary adds vectors, registers and the table of calls.
//!
//! Data flows one way: a vector saves the interrupted context into a frame, a call or handler changes these structs,
//! and on the way out the scheduler says whose context goes back into the frame.
#![no_std]

#[cfg(test)]
extern crate std;

pub mod addresses;
pub mod alarms;
pub mod arguments;
pub mod blank;
pub mod configuration;
pub mod context;
pub mod fatal;
pub mod handlers;
pub mod print;
pub mod romdir;
pub mod scheduler;
pub mod screen;
pub mod semaphores;
pub mod sif;
pub mod tlb;
mod vesa;
pub mod video;

/// A call that is refused; programs see −1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// What a program sees of a result: the value, or −1.
pub fn returned(result: Result<u32, Refused>) -> i32 {
    match result {
        Ok(value) => value as i32,
        Err(Refused) => -1,
    }
}
