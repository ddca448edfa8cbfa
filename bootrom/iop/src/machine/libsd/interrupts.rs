//! Who is told when a transfer ends or an address is met.

use super::layout::{CORES, INTERRUPT_SHIFT, attribute, offset};
use super::{Core, SOUND, change_attributes};
use crate::machine::registers::sound;

/// Calls a callback of the older kind, if there is one.
fn call_back(callback: u32) {
    if callback != 0 {
        // SAFETY: callbacks are C functions of one word; that is the contract.
        let function: extern "C" fn(u32) -> i32 = unsafe { core::mem::transmute(callback as usize) };
        function(0);
    }
}

/// Tells whoever wants to know that the transfer of `core` has ended.
pub fn tell_transfer(core: usize) {
    let Core { callback, handler, handler_argument, .. } = SOUND.with(|sound| sound.cores[core]);
    if handler != 0 {
        // SAFETY: handlers are C functions of a number and a word; that is the contract.
        let function: extern "C" fn(i32, u32) -> i32 = unsafe { core::mem::transmute(handler as usize) };
        function(core as i32, handler_argument);
    } else {
        call_back(callback);
    }
}

/// A core has met its interrupt address.
pub extern "C" fn address_met(_argument: u32) -> i32 {
    let cores = sound::register(offset::INTERRUPTS).read() >> INTERRUPT_SHIFT & 3;
    for core in (0..CORES).filter(|core| cores >> core & 1 != 0) {
        change_attributes(core, attribute::INTERRUPT, 0);
    }
    let (callback, handler, argument) = SOUND.with(|sound| (sound.callback, sound.handler, sound.handler_argument));
    if handler != 0 {
        // SAFETY: handlers are C functions of a number and a word; that is the contract.
        let function: extern "C" fn(i32, u32) -> i32 = unsafe { core::mem::transmute(handler as usize) };
        function(cores.into(), argument);
    } else {
        call_back(callback);
    }
    1
}

pub extern "C" fn set_transfer_callback(core: i32, function: u32) -> u32 {
    SOUND.with(|sound| core::mem::replace(&mut sound.cores[(core & 1) as usize].callback, function))
}

pub extern "C" fn set_interrupt_callback(function: u32) -> u32 {
    SOUND.with(|sound| core::mem::replace(&mut sound.callback, function))
}

pub extern "C" fn set_transfer_handler(core: i32, function: u32, argument: u32) -> u32 {
    SOUND.with(|sound| {
        let core = &mut sound.cores[(core & 1) as usize];
        core.handler_argument = argument;
        core::mem::replace(&mut core.handler, function)
    })
}

pub extern "C" fn set_interrupt_handler(function: u32, argument: u32) -> u32 {
    SOUND.with(|sound| {
        sound.handler_argument = argument;
        core::mem::replace(&mut sound.handler, function)
    })
}

pub extern "C" fn transfer_argument(core: i32) -> u32 {
    SOUND.with(|sound| sound.cores[(core & 1) as usize].handler_argument)
}

pub extern "C" fn interrupt_argument() -> u32 {
    SOUND.with(|sound| sound.handler_argument)
}
