//! What the system calls do, by group. Each function is called from the table with the program's arguments in a C
//! compiler's places; its result is what the program gets.

pub mod alarms;
pub mod gs;
pub mod handlers;
pub mod memory;
pub mod semaphores;
pub mod sif;
pub mod system;
pub mod threads;

use super::console::report;
use super::hardware::cop0;
use super::state::kernel;

/// A call that the table does not have.
#[unsafe(no_mangle)]
extern "C" fn unknown_call(number: i32) -> i32 {
    report!("refused: unknown system call {number} at {:#010x}", cop0!("14"));
    -1
}

/// The global pointer of the caller of the call that is being served. Kernel code leaves the register alone, so it still
/// holds the program's.
fn caller_gp() -> u32 {
    let gp: u32;
    // SAFETY: reads a register.
    unsafe {
        core::arch::asm!(".set push", ".set noat", "move {gp}, $28", ".set pop", gp = out(reg) gp, options(nomem, nostack))
    };
    gp
}

/// Passes a result of the library on.
fn returned(work: impl FnOnce(&mut super::state::Kernel) -> Result<u32, bootrom_ee::Refused>) -> i32 {
    bootrom_ee::returned(kernel(work))
}
