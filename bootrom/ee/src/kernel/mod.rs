//! The kernel proper. [`vectors`] and [`start`] are its first words, [`entry`] the way in and out; [`table`] the fixed table of calls;
//! [`calls`] what each call does; [`interrupts`] the chains; [`boot`] the start; [`programs`] how one program follows
//! another; [`fatal`] the report of an exception that nothing handles.
//!
//! One processor, interrupts off in kernel mode, one kernel stack: nothing here runs twice at a time. The only way
//! back into kernel code while a chain runs is a call under a negative number from a handler, on its own stack and
//! with its own frame; no reference to the kernel's state is held while a handler runs.

mod boot;
mod calls;
mod cell;
mod console;
mod entry;
mod fatal;
mod hardware;
mod interrupts;
mod programs;
mod screen;
mod sif;
mod start;
mod state;
mod switch;
mod table;
mod user;
mod vectors;
