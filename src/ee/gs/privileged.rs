//! Registers in the EE's address space: the video output and the GS's status.
//!
//! The values are plain numbers and exist everywhere; writing them is possible on the console only. Most cannot be read
//! back, so whoever sets them keeps what it set.
//!
//! Source: EE facts, section 9; hardware facts 6.6.

use super::{PixelFormat, field};

/// Offsets from the privileged block's start.
pub mod offset {
    /// Which circuits are on and how they mix.
    pub const PMODE: usize = 0x0000;
    /// Interlace.
    pub const SMODE2: usize = 0x0020;
    /// Circuit 1: what it reads.
    pub const DISPFB1: usize = 0x0070;
    /// Circuit 1: where it shows it.
    pub const DISPLAY1: usize = 0x0080;
    /// Circuit 2: what it reads.
    pub const DISPFB2: usize = 0x0090;
    /// Circuit 2: where it shows it.
    pub const DISPLAY2: usize = 0x00A0;
    /// The colour around the picture.
    pub const BGCOLOR: usize = 0x00E0;
    /// Status and reset.
    pub const CSR: usize = 0x1000;
    /// Which way the bus to the GS goes.
    pub const BUSDIR: usize = 0x1040;
    /// Numbers that drawing left: SIGNAL's below, LABEL's above.
    pub const SIGLBLID: usize = 0x1080;
}

/// CSR: all before a FINISH command is drawn; writing 1 clears.
pub const CSR_FINISH: u64 = 1 << 1;
/// CSR: resets the GS.
pub const CSR_RESET: u64 = 1 << 9;
/// CSR: the field on screen is the odd one.
pub const CSR_FIELD: u64 = 1 << 13;
/// IMR: only FINISH interrupts.
pub const IMR_FINISH: u32 = IMR_ALL_MASKED & !(1 << 9);
/// IMR: no event interrupts; the bits that must stay 1 are 1.
pub const IMR_ALL_MASKED: u32 = 0xFF00;

/// PMODE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Pmode(pub u64);

impl Pmode {
    /// Nothing is shown.
    pub const OFF: Self = Self(0);
    /// Both circuits at half strength each: with circuit 2 one line lower, every line of the screen is the mean of two of
    /// the frame, and thin lines do not flicker on an interlaced screen.
    ///
    /// Source: support systems, Graphics and frame pacing (0x8067).
    pub const BOTH_BLENDED: Self = Self(0x8067);
    /// Circuit 1 alone.
    pub const FIRST_ALONE: Self = Self(0xFF65);
}

/// DISPFB1 and DISPFB2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct DispFb(pub u64);

impl DispFb {
    /// A 32-bit frame at `page`, `width` pixels a row, shown from its line `first_line` on.
    pub const fn new(page: u32, width: u32, first_line: u32) -> Self {
        Self(
            field(page as u64, 0, 9)
                | field((width / 64) as u64, 9, 6)
                | field(PixelFormat::Ct32 as u64, 15, 5)
                | field(first_line as u64, 43, 11),
        )
    }
}

/// DISPLAY1 and DISPLAY2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Display(pub u64);

impl Display {
    /// From `(x, y)` on the screen, each pixel `magnification` clock units wide; `width` in clock units, `height` in lines.
    pub const fn new(x: u32, y: u32, magnification: u32, width: u32, height: u32) -> Self {
        Self(
            field(x as u64, 0, 12)
                | field(y as u64, 12, 11)
                | field(magnification as u64 - 1, 23, 4)
                | field(width as u64 - 1, 32, 12)
                | field(height as u64 - 1, 44, 11),
        )
    }
}

#[cfg(target_arch = "mips")]
pub use hardware::{read_csr, read_label, write, write_csr};

#[cfg(target_arch = "mips")]
mod hardware {
    use super::offset::{CSR, SIGLBLID};
    use crate::ee::registers::{GS, read64, write64};

    /// Writes the register at `offset`.
    pub fn write(offset: usize, value: u64) {
        // SAFETY: an aligned register of the privileged block; a wrong value shows a wrong picture and no more.
        unsafe { write64(GS + (offset & 0x1FF8), value) };
    }

    /// Reads the status.
    pub fn read_csr() -> u64 {
        // SAFETY: the status register may be read at any time.
        unsafe { read64(GS + CSR) }
    }

    /// Reads the number that the last LABEL left.
    pub fn read_label() -> u32 {
        // SAFETY: the register may be read at any time.
        (unsafe { read64(GS + SIGLBLID) } >> 32) as u32
    }

    /// Writes the status: acknowledges events or resets.
    pub fn write_csr(value: u64) {
        write(CSR, value);
    }
}

/// The kernel's copy of the GS's interrupt mask (IMR): the cheapest system call there is.
#[cfg(target_arch = "mips")]
pub fn interrupt_mask() -> u32 {
    // SAFETY: the call reads the kernel's copy and nothing else.
    unsafe { crate::ee::syscall::gs_get_imr() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_registers_match_known_patterns() {
        assert_eq!(DispFb::new(0, 640, 0).0, 10 << 9);
        assert_eq!(DispFb::new(0x8C, 640, 1).0, 0x8C | 10 << 9 | 1 << 43);
        let screen = Display::new(636, 50, 4, 2560, 448);
        assert_eq!(screen.0, 0x001B_F9FF_0183_227C);
    }
}
