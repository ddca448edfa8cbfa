//! Calls that add, remove and switch interrupt handlers. Source: EE kernel semantics, section 5.

use super::{caller_gp, kernel, returned};
use crate::kernel::hardware::{D_STAT, INTC_MASK, SIF_CTRL, SIF_MSFLG, read, write};
use crate::kernel::interrupts::{SBUS, VERTICAL_BLANK};
use bootrom_ee::blank::Mask;
use bootrom_ee::handlers::{Handler, Place, Source};

fn add(source: Source, function: u32, next: i32, argument: u32) -> i32 {
    let handler = Handler { function, gp: caller_gp(), argument, enabled: true };
    returned(|kernel| kernel.handlers.add(source, handler, Place::from(next)))
}

/// 10h AddIntcHandler(cause, function, next, argument): the id. Cause 1 is refused, as some versions do: it is the kernel's own, and its
/// handlers have calls of their own. Source: EE kernel semantics, section 5.1.
// Covers: ee, 0x10 AddIntcHandler test=ids start at 1
pub extern "C" fn add_intc_handler(cause: u32, function: u32, next: i32, argument: u32) -> i32 {
    if cause == SBUS {
        return -1;
    }
    add(Source::Intc(cause), function, next, argument)
}

/// 11h RemoveIntcHandler(cause, id): how many are left.
// Covers: ee, 0x11 RemoveIntcHandler test=removing tells how many are left
pub extern "C" fn remove_intc_handler(cause: u32, id: u32) -> i32 {
    returned(|kernel| kernel.handlers.remove(Source::Intc(cause), id))
}

/// 12h AddDmacHandler(channel, function, next, argument): the id.
// Covers: ee, 0x12 AddDmacHandler test=a channel's end calls its handlers in their order
pub extern "C" fn add_dmac_handler(channel: u32, function: u32, next: i32, argument: u32) -> i32 {
    add(Source::Dmac(channel), function, next, argument)
}

/// 13h RemoveDmacHandler(channel, id): how many are left.
// Covers: ee, 0x13 RemoveDmacHandler test=RemoveDmacHandler tells how many are left
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

/// Switches a cause of the INTC; 1 when it changed for the program.
fn switch_intc(cause: u32, wanted: bool) -> i32 {
    let bit = intc_bit(cause);
    if bit != 1 << VERTICAL_BLANK {
        return toggle(INTC_MASK, bit, wanted);
    }
    let on = read(INTC_MASK) & bit != 0;
    let (changed, mask) = kernel(|kernel| kernel.blank.switch(wanted, on));
    if mask != Mask::Stay {
        write(INTC_MASK, bit);
    }
    i32::from(changed)
}

/// 14h, 1Ah EnableIntc(cause): 1 if it was off.
// Covers: ee, 0x14 EnableIntc test=enabling is a change once
// Covers: ee, -0x1A iEnableIntc test=iEnableIntc and iDisableIntc switch a cause
pub extern "C" fn enable_intc(cause: u32) -> i32 {
    switch_intc(cause, true)
}

/// 15h, 1Bh DisableIntc(cause): 1 if it was on.
// Covers: ee, 0x15 DisableIntc test=disabling too
// Covers: ee, -0x1B iDisableIntc test=iEnableIntc and iDisableIntc switch a cause
pub extern "C" fn disable_intc(cause: u32) -> i32 {
    switch_intc(cause, false)
}

/// 16h, 1Ch EnableDmac(channel): 1 if it was off.
// Covers: ee, 0x16 EnableDmac test=EnableDmac is a change once
// Covers: ee, -0x1C iEnableDmac test=iEnableDmac and iDisableDmac switch a channel
pub extern "C" fn enable_dmac(channel: u32) -> i32 {
    toggle(D_STAT, dmac_bit(channel), true)
}

/// 17h, 1Dh DisableDmac(channel): 1 if it was on.
// Covers: ee, 0x17 DisableDmac test=DisableDmac is a change once
// Covers: ee, -0x1D iDisableDmac test=iEnableDmac and iDisableDmac switch a channel
pub extern "C" fn disable_dmac(channel: u32) -> i32 {
    toggle(D_STAT, dmac_bit(channel), false)
}

/// 5Ch EnableIntcHandler(cause, id).
// Covers: ee, 0x5C EnableIntcHandler test=EnableIntcHandler brings it back
// Covers: ee, -0x5C iEnableIntcHandler test=iEnableIntcHandler works from a thread
pub extern "C" fn enable_intc_handler(cause: u32, id: u32) -> i32 {
    returned(|kernel| kernel.handlers.set_enabled(Source::Intc(cause), id, true))
}

/// 5Dh DisableIntcHandler(cause, id).
// Covers: ee, 0x5D DisableIntcHandler test=DisableIntcHandler leaves the others
// Covers: ee, -0x5D iDisableIntcHandler test=iDisableIntcHandler works from a thread
pub extern "C" fn disable_intc_handler(cause: u32, id: u32) -> i32 {
    returned(|kernel| kernel.handlers.set_enabled(Source::Intc(cause), id, false))
}

/// 5Eh EnableDmacHandler(channel, id).
// Covers: ee, 0x5E EnableDmacHandler test=iDisableDmacHandler and EnableDmacHandler work, too
// Covers: ee, -0x5E iEnableDmacHandler test=iEnableDmacHandler switches it on
pub extern "C" fn enable_dmac_handler(channel: u32, id: u32) -> i32 {
    returned(|kernel| kernel.handlers.set_enabled(Source::Dmac(channel), id, true))
}

/// 5Fh DisableDmacHandler(channel, id).
// Covers: ee, 0x5F DisableDmacHandler test=DisableDmacHandler switches one off
// Covers: ee, -0x5F iDisableDmacHandler test=iDisableDmacHandler and EnableDmacHandler work, too
pub extern "C" fn disable_dmac_handler(channel: u32, id: u32) -> i32 {
    returned(|kernel| kernel.handlers.set_enabled(Source::Dmac(channel), id, false))
}

/// SBUS causes that programs may use.
const SBUS_USER: u32 = 16;

/// 0Ah AddSbusIntcHandler(cause, function): the cause.
// Covers: ee, 0x0A AddSbusIntcHandler test=AddSbusIntcHandler takes a free cause below 16
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
// Covers: ee, 0x0B RemoveSbusIntcHandler test=RemoveSbusIntcHandler gives the cause back
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
// Covers: ee, 0x0C Interrupt2Iop test=Interrupt2Iop raises its flag
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
