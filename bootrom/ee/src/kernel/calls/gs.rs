//! Video calls. Source: EE kernel semantics, section 7.

use super::{kernel, report};
use crate::kernel::hardware::{INTC_MASK, INTC_STAT, delay, gs, read, read_double_low, write, write_double};
use crate::kernel::interrupts::VERTICAL_BLANK;
use crate::kernel::user;
use bootrom_ee::addresses;
use bootrom_ee::blank::Mask;
use bootrom_ee::video::{self, Region};

/// 02h SetGsCrt(interlaced, mode, field).
///
/// Stand-in: a console's video encoder, behind the IOP's bus, is set after each change there; emulators have none.
// Covers: ee, 0x02 SetGsCrt test=SetGsCrt knows the television, computer and film modes
pub extern "C" fn set_gs_crt(interlaced: u32, mode: u32, field: u32) -> i32 {
    let revision = read_double_low(gs::CSR) >> 16 & 0xFF;
    let (output, region) = kernel(|kernel| (kernel.configuration.video(), kernel.region));
    let Some(timing) = video::timing(interlaced & 1 != 0, mode & 0xFF, field, output, region, revision) else {
        report!("refused: SetGsCrt has no timing for mode {mode:#x}");
        return -1;
    };
    write_double(gs::SMODE1, timing.smode1_first);
    write_double(gs::SYNCH1, timing.synch1);
    write_double(gs::SYNCH2, timing.synch2);
    write_double(gs::SYNCV, timing.syncv);
    write_double(gs::SMODE2, timing.smode2);
    write_double(gs::SRFSH, timing.srfsh);
    for value in timing.smode1_then.into_iter().flatten() {
        write_double(gs::SMODE1, value);
        delay(timing.delay);
    }
    0
}

/// 4Ch GetGsHParam(&a, &b, &c, &d). The public header names three places; the fourth is skipped when it is none.
// Covers: ee, 0x4C GetGsHParam test=horizontal parameters are kept
pub extern "C" fn get_horizontal(a: u32, b: u32, c: u32, d: u32) -> i32 {
    let values = kernel(|kernel| kernel.configuration.horizontal());
    for (place, value) in [a, b, c].into_iter().zip(values) {
        if user::write(place, value).is_err() {
            return -1;
        }
    }
    if addresses::of_program(d, 4, 4) {
        let _ = user::write(d, values[3]);
    }
    0
}

/// 4Dh GetGsVParam(): bit 0 for component output.
// Covers: ee, 0x4D GetGsVParam test=component output is a parameter
pub extern "C" fn get_vertical() -> u32 {
    kernel(|kernel| kernel.configuration.video())
}

/// 4Eh SetGsHParam(a, b, c, d).
// Covers: ee, 0x4E SetGsHParam test=horizontal parameters are kept
pub extern "C" fn set_horizontal(a: u32, b: u32, c: u32, d: u32) -> i32 {
    kernel(|kernel| kernel.configuration.set_horizontal([a, b, c, d]));
    0
}

/// 4Fh SetGsVParam(parameter): bit 0 for component output from the next SetGsCrt on.
// Covers: ee, 0x4F SetGsVParam test=component output is a parameter
pub extern "C" fn set_vertical(parameter: u32) -> i32 {
    kernel(|kernel| kernel.configuration.set_video(parameter));
    0
}

/// 70h GsGetIMR(): the mask as last written; the register cannot be read.
// Covers: ee, 0x70 GsGetIMR test=GS mask is remembered
// Covers: ee, -0x70 iGsGetIMR test=iGsGetIMR reads it
pub extern "C" fn get_imr() -> u32 {
    kernel(|kernel| kernel.gs_mask)
}

/// 71h GsPutIMR(mask): the mask.
// Covers: ee, 0x71 GsPutIMR test=GS mask comes back
// Covers: ee, -0x71 iGsPutIMR test=iGsPutIMR sets the mask
pub extern "C" fn put_imr(mask: u32) -> u32 {
    write_double(gs::IMR, u64::from(mask));
    kernel(|kernel| kernel.gs_mask = mask);
    mask
}

/// 73h SetVSyncFlag(flag, csr): both are written once, at the next vertical blank, whether or not the program lets that
/// cause interrupt.
// Covers: ee, 0x73 SetVSyncFlag test=the blank sets the flag with its interrupt off, which stays off
pub extern "C" fn set_vsync_flag(flag: u32, csr: u32) -> i32 {
    let refused = |place: u32, size: u32| place != 0 && user::check(place, size, size).is_err();
    if refused(flag, 4) || refused(csr, 8) {
        return -1;
    }
    let bit = 1 << VERTICAL_BLANK;
    let on = read(INTC_MASK) & bit != 0;
    let mask = kernel(|kernel| kernel.blank.request(flag, csr, on));
    if mask == Mask::On {
        // A blank that has been is not the next one.
        write(INTC_STAT, bit);
    }
    if mask != Mask::Stay {
        write(INTC_MASK, bit);
    }
    0
}

/// 80h GetGsDxDyOffset(mode, dx, dy, dw, dh): the owner's shift of the picture; none is set in this ROM.
// Covers: ee, 0x80 GetGsDxDyOffset test=the owner has not moved the picture
pub extern "C" fn get_display_offset(_mode: u32, dx: u32, dy: u32, dw: u32, dh: u32) -> i32 {
    for place in [dx, dy, dw, dh] {
        if place != 0 && user::write(place, 0u32).is_err() {
            return -1;
        }
    }
    0
}

/// SetGsCrt's argument for an interlaced mode.
const INTERLACED: u32 = 1;

/// The GS as a program finds it: reset, all interrupts masked, display off, the region's interlaced mode.
pub fn reset() {
    const FRAME: u32 = 1;
    reset_to(FRAME);
}

/// The GS for a picture of full height.
pub fn reset_for_report() {
    const FIELD: u32 = 0;
    reset_to(FIELD);
}

fn reset_to(field: u32) {
    /// All sources masked; the bits that stay set.
    const MASKED: u32 = 0x7F00;
    write_double(gs::CSR, u64::from(gs::RESET));
    delay(100);
    write_double(gs::CSR, 0);
    put_imr(MASKED);
    write_double(gs::PMODE, 0);
    let mode = match kernel(|kernel| kernel.region) {
        Region::Ntsc => 2,
        Region::Pal => 3,
    };
    // SAFETY: callers are the kernel's start, calls under positive numbers and the exception report: interrupts are off
    // and EXL is clear.
    unsafe { crate::kernel::entry::announce_mode(INTERLACED, mode, field) };
    set_gs_crt(INTERLACED, mode, field);
}
