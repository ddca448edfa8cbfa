//! Calls that add, remove and switch interrupt handlers. Source: EE kernel semantics, section 5.

use super::{caller_gp, kernel, returned};
use crate::kernel::hardware::{D_STAT, INTC_MASK, SIF_CTRL, SIF_MSFLG, read, write};
use bootrom_ee::handlers::{Handler, Place, Source};

fn add(source: Source, function: u32, next: i32, argument: u32) -> i32 {
    let handler = Handler { function, gp: caller_gp(), argument, enabled: true };
    returned(|kernel| kernel.handlers.add(source, handler, Place::from(next)))
}

/// 10h AddIntcHandler(cause, function, next, argument): the id.
// Covers: ee, 0x10 AddIntcHandler test=ids start at 1
pub extern "C" fn add_intc_handler(cause: u32, function: u32, next: i32, argument: u32) -> i32 {
    add(Source::Intc(cause), function, next, argument)
}

/// 11h RemoveIntcHandler(cause, id): how many are left.
// Covers: ee, 0x11 RemoveIntcHandler test=removing tells how many are left
pub extern "C" fn remove_intc_handler(cause: u32, id: u32) -> i32 {
    returned(|kernel| kernel.handlers.remove(Source::Intc(cause), id))
}

/// 12h AddDmacHandler(channel, function, next, argument): the id.
pub extern "C" fn add_dmac_handler(channel: u32, function: u32, next: i32, argument: u32) -> i32 {
    add(Source::Dmac(channel), function, next, argument)
}

/// 13h RemoveDmacHandler(channel, id): how many are left.
pub extern "C" fn remove_dmac_handler(channel: u32, id: u32) -> i32 {
    returned(|kernel| kernel.handlers.remove(Source::Dmac(channel), id))
}

/// Sets or clears a bit of a mask register that toggles on writing; 1 when it changed.
fn toggle(register: u32, bit: u32, wanted: bool) -> i32 {
    if (read(register) & bit != 0) == wanted {
        return 0;
    }
    write(register, bit);
    1
}

fn intc_bit(cause: u32) -> u32 {
    1 << (cause & 0xF)
}

/// Mask bits lie in the upper half of D_STAT.
fn dmac_bit(channel: u32) -> u32 {
    1 << (16 + (channel & 0xF))
}

/// 14h, 1Ah EnableIntc(cause): 1 if it was off.
// Covers: ee, 0x14 EnableIntc test=enabling is a change once
pub extern "C" fn enable_intc(cause: u32) -> i32 {
    toggle(INTC_MASK, intc_bit(cause), true)
}

/// 15h, 1Bh DisableIntc(cause): 1 if it was on.
// Covers: ee, 0x15 DisableIntc test=disabling too
pub extern "C" fn disable_intc(cause: u32) -> i32 {
    toggle(INTC_MASK, intc_bit(cause), false)
}

/// 16h, 1Ch EnableDmac(channel): 1 if it was off.
pub extern "C" fn enable_dmac(channel: u32) -> i32 {
    toggle(D_STAT, dmac_bit(channel), true)
}

/// 17h, 1Dh DisableDmac(channel): 1 if it was on.
pub extern "C" fn disable_dmac(channel: u32) -> i32 {
    toggle(D_STAT, dmac_bit(channel), false)
}

/// 5Ch EnableIntcHandler(cause, id).
pub extern "C" fn enable_intc_handler(cause: u32, id: u32) -> i32 {
    returned(|kernel| kernel.handlers.set_enabled(Source::Intc(cause), id, true))
}

/// 5Dh DisableIntcHandler(cause, id).
pub extern "C" fn disable_intc_handler(cause: u32, id: u32) -> i32 {
    returned(|kernel| kernel.handlers.set_enabled(Source::Intc(cause), id, false))
}

/// 5Eh EnableDmacHandler(channel, id).
pub extern "C" fn enable_dmac_handler(channel: u32, id: u32) -> i32 {
    returned(|kernel| kernel.handlers.set_enabled(Source::Dmac(channel), id, true))
}

/// 5Fh DisableDmacHandler(channel, id).
pub extern "C" fn disable_dmac_handler(channel: u32, id: u32) -> i32 {
    returned(|kernel| kernel.handlers.set_enabled(Source::Dmac(channel), id, false))
}

/// SBUS causes that programs may use.
const SBUS_USER: u32 = 16;

/// 0Ah AddSbusIntcHandler(cause, function): the cause.
pub extern "C" fn add_sbus_handler(cause: u32, function: u32) -> i32 {
    let gp = caller_gp();
    kernel(|kernel| match kernel.sbus.get_mut(cause as usize) {
        Some(slot @ None) if cause < SBUS_USER => {
            *slot = Some((function, gp));
            cause as i32
        }
        _ => -1,
    })
}

/// 0Bh RemoveSbusIntcHandler(cause): the cause.
pub extern "C" fn remove_sbus_handler(cause: u32) -> i32 {
    kernel(|kernel| match kernel.sbus.get_mut(cause as usize) {
        Some(slot) if cause < SBUS_USER => {
            *slot = None;
            cause as i32
        }
        _ => -1,
    })
}

/// 0Ch Interrupt2Iop(cause): the cause.
pub extern "C" fn interrupt_to_iop(cause: u32) -> i32 {
    /// Holds the request while the flag crosses to the IOP's clock; eight writes are the wait.
    const PULSE: u32 = 0x100;
    const RAISE: u32 = 0x4_0100;
    if cause >= SBUS_USER {
        return -1;
    }
    write(SIF_MSFLG, 1 << cause);
    for _ in 0..8 {
        write(SIF_CTRL, PULSE);
    }
    write(SIF_CTRL, RAISE);
    cause as i32
}
