//! `ssbusc` 1.1: addresses and delays of the devices on the IOP's outer bus.
//!
//! Source: hardware notes, SSBUS; public headers (numbers of functions and devices)

use super::{Exports, exports};
use crate::machine::critical::critical;
use crate::machine::registers::raw;

/// Library functions by number.
pub static TABLE: Exports<18> = exports(
    b"ssbusc",
    0x0101,
    [
        // Covers: iop, ssbusc 4 SetDelay test=a device's delay is kept
        (4, set_delay as *const ()),
        // Covers: iop, ssbusc 5 GetDelay test=a device's delay is kept
        (5, delay as *const ()),
        // Covers: iop, ssbusc 6 SetBaseAddress test=a device's address is kept
        (6, set_base as *const ()),
        // Covers: iop, ssbusc 7 GetBaseAddress test=a device's address is kept
        (7, base as *const ()),
        // Covers: iop, ssbusc 8 SetRecoveryTime test=the devices' common delays are kept, each in its bits
        (8, set_common::<0> as *const ()),
        // Covers: iop, ssbusc 9 GetRecoveryTime test=the devices' common delays are kept, each in its bits
        (9, common::<0> as *const ()),
        // Covers: iop, ssbusc 10 SetHoldTime test=the devices' common delays are kept, each in its bits
        (10, set_common::<4> as *const ()),
        // Covers: iop, ssbusc 11 GetHoldTime test=the devices' common delays are kept, each in its bits
        (11, common::<4> as *const ()),
        // Covers: iop, ssbusc 12 SetFloatTime test=the devices' common delays are kept, each in its bits
        (12, set_common::<8> as *const ()),
        // Covers: iop, ssbusc 13 GetFloatTime test=the devices' common delays are kept, each in its bits
        (13, common::<8> as *const ()),
        // Covers: iop, ssbusc 14 SetStrobeTime test=the devices' common delays are kept, each in its bits
        (14, set_common::<12> as *const ()),
        // Covers: iop, ssbusc 15 GetStrobeTime test=the devices' common delays are kept, each in its bits
        (15, common::<12> as *const ()),
        // Covers: iop, ssbusc 16 SetCommonDelay test=the devices' common delays are kept, each in its bits
        (16, set_all_common as *const ()),
        // Covers: iop, ssbusc 17 GetCommonDelay test=the devices' common delays are kept, each in its bits
        (17, all_common as *const ()),
    ],
);

/// Offsets of a device's delay register and, where it has one, of its base address; 0 for none.
const DEVICES: [(u32, u32); 13] = [
    (0x1008, 0x1000),
    (0x100C, 0x1400),
    (0x1010, 0),
    (0, 0),
    (0x1014, 0x1404),
    (0x1018, 0x1408),
    (0, 0),
    (0, 0),
    (0x101C, 0x1004),
    (0x1414, 0x140C),
    (0x1418, 0),
    (0x141C, 0x1410),
    (0x1420, 0),
];
const PAGE: u32 = 0x1F80_0000;
/// Delays that all devices share, four bits each.
const COMMON: u32 = PAGE + 0x1020;
const COMMON_MASK: u32 = 0xF;
const NO_DEVICE: i32 = -1;

/// The register of a device.
fn register(device: u32, pick: impl Fn((u32, u32)) -> u32) -> Option<u32> {
    DEVICES.get(device as usize).map(|offsets| pick(*offsets)).filter(|offset| *offset != 0).map(|offset| PAGE + offset)
}

fn write(register: Option<u32>, value: u32) -> i32 {
    register.map_or(NO_DEVICE, |address| {
        raw(address).write(value);
        0
    })
}

fn read(register: Option<u32>) -> i32 {
    register.map_or(NO_DEVICE, |address| raw(address).read() as i32)
}

extern "C" fn set_delay(device: u32, value: u32) -> i32 {
    write(register(device, |(delay, _)| delay), value)
}

extern "C" fn delay(device: u32) -> i32 {
    read(register(device, |(delay, _)| delay))
}

extern "C" fn set_base(device: u32, value: u32) -> i32 {
    write(register(device, |(_, base)| base), value)
}

extern "C" fn base(device: u32) -> i32 {
    read(register(device, |(_, base)| base))
}

/// One of the common delays: recovery (0), hold (4), floating (8) and strobe (12).
extern "C" fn set_common<const SHIFT: u32>(value: u32) -> i32 {
    critical(|| raw(COMMON).write(raw(COMMON).read() & !(COMMON_MASK << SHIFT) | (value & COMMON_MASK) << SHIFT));
    0
}

extern "C" fn common<const SHIFT: u32>() -> i32 {
    (raw(COMMON).read() >> SHIFT & COMMON_MASK) as i32
}

extern "C" fn set_all_common(value: u32) -> i32 {
    raw(COMMON).write(value);
    0
}

extern "C" fn all_common() -> i32 {
    raw(COMMON).read() as i32
}
