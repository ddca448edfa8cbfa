//! Video calls. Source: EE kernel semantics, section 7.

use super::{kernel, report};
use crate::kernel::hardware::{delay, gs, read_double_low, write_double};
use bootrom_ee::video::{self, Region};

/// 02h SetGsCrt(interlaced, mode, field).
///
/// Stand-in: a console's video encoder, behind the IOP's bus, is set after each change there; emulators have none.
pub extern "C" fn set_gs_crt(interlaced: u32, mode: u32, field: u32) -> i32 {
    let revision = read_double_low(gs::CSR) >> 16 & 0xFF;
    let (output, region) = kernel(|kernel| (kernel.configuration.video_output(), kernel.region));
    let Some(timing) = video::timing(interlaced & 1 != 0, mode & 0xFF, field, output, region, revision) else {
        report!("error: SetGsCrt has no timing for mode {mode:#x}");
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

/// 70h GsGetIMR(): the mask as last written; the register cannot be read.
// Covers: ee, 0x70 GsGetIMR test=GS mask is remembered
pub extern "C" fn get_imr() -> u32 {
    kernel(|kernel| kernel.gs_mask)
}

/// 71h GsPutIMR(mask): the mask.
// Covers: ee, 0x71 GsPutIMR test=GS mask comes back
pub extern "C" fn put_imr(mask: u32) -> u32 {
    write_double(gs::IMR, u64::from(mask));
    kernel(|kernel| kernel.gs_mask = mask);
    mask
}

/// 73h SetVSyncFlag(flag, csr): both are written once, at the next vertical blank.
// Covers: ee, 0x73 SetVSyncFlag test=and notes the GS's status
pub extern "C" fn set_vsync_flag(flag: u32, csr: u32) -> i32 {
    kernel(|kernel| kernel.vsync = (flag, csr));
    0
}

/// 80h GetGsDxDyOffset(mode, dx, dy, dw, dh): the owner's shift of the picture; none is set in this ROM.
pub extern "C" fn get_display_offset(_mode: u32, dx: u32, dy: u32, dw: u32, dh: u32) -> i32 {
    for place in [dx, dy, dw, dh] {
        if place != 0 {
            crate::kernel::user::write(place, 0u32);
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
