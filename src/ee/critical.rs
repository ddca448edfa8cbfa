//! Critical sections: interrupts off around a short piece of work.
//!
//! Registered with the `critical-section` crate, so its users (`portable-atomic`, `heapless`, `spin`) work here. The game
//! has one processor and interrupt handlers do not nest, so holding interrupts is all the exclusion that is needed.
//!
//! Source: console rule 4.

use super::cop0;
use super::encode::{DI, EI, SYNC_L, SYNC_P};
use core::arch::asm;

/// What [`enter`] found, to be given to [`leave`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "leave the section with it"]
pub struct Held {
    were_enabled: bool,
}

/// Holds interrupts. Nests: only the outermost [`leave`] lets them in again.
#[inline]
pub fn enter() -> Held {
    let were_enabled = cop0::status() & cop0::STATUS_EIE != 0;
    if were_enabled {
        // An interrupt taken between `di` and its effect comes back with EIE set, hence the loop.
        loop {
            // SAFETY: the kernel allows `di` in user mode; `sync.p` completes it.
            unsafe { asm!(".word {di}", ".word {sync}", di = const DI, sync = const SYNC_P, options(nostack)) };
            if cop0::status() & cop0::STATUS_EIE == 0 {
                break;
            }
        }
    }
    Held { were_enabled }
}

/// Leaves the section that `held` came from.
#[inline]
pub fn leave(held: Held) {
    if held.were_enabled {
        // SAFETY: enables what `enter` disabled; stores of the section are done before.
        unsafe { asm!(".word {sync}", ".word {ei}", sync = const SYNC_L, ei = const EI, options(nostack)) };
    }
}

/// Runs `work` with interrupts held.
#[inline]
pub fn with<T>(work: impl FnOnce() -> T) -> T {
    let held = enter();
    let result = work();
    leave(held);
    result
}

/// Lets interrupts in, whatever held them. For the start-up code alone.
pub fn enable_interrupts() {
    // SAFETY: the start-up code has no handler installed and holds no section.
    unsafe { asm!(".word {ei}", ei = const EI, options(nostack)) };
}

struct Section;
critical_section::set_impl!(Section);

// SAFETY: `enter` holds interrupts until the matching `leave`, there is one processor, and the state nests.
unsafe impl critical_section::Impl for Section {
    unsafe fn acquire() -> critical_section::RawRestoreState {
        enter().were_enabled
    }

    unsafe fn release(state: critical_section::RawRestoreState) {
        leave(Held { were_enabled: state });
    }
}
