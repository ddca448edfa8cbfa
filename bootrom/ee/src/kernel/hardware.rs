//! Registers of the EE, through the uncached kernel window, and the processor's own.
//!
//! Source: EE facts, sections 1, 6, 7, 9 and 13; PS2 hardware facts, section 6.

use core::arch::asm;

/// Serial port, transmit FIFO.
pub const SIO_TRANSMIT: u32 = 0xB000_F180;
/// INTC status: writing 1 acknowledges.
pub const INTC_STAT: u32 = 0xB000_F000;
/// INTC mask: writing 1 toggles.
pub const INTC_MASK: u32 = 0xB000_F010;
/// DMAC control.
pub const D_CTRL: u32 = 0xB000_E000;
/// DMAC status: low half acknowledges, high half toggles masks.
pub const D_STAT: u32 = 0xB000_E010;
/// DMAC priority control, stall, ring registers.
pub const D_PCR: u32 = 0xB000_E020;
/// Interleave size.
pub const D_SQWC: u32 = 0xB000_E030;
/// Ring buffer size.
pub const D_RBSR: u32 = 0xB000_E040;
/// Ring buffer offset.
pub const D_RBOR: u32 = 0xB000_E050;
/// DMAC suspension, read.
pub const D_ENABLER: u32 = 0xB000_F520;
/// DMAC suspension, write.
pub const D_ENABLEW: u32 = 0xB000_F590;
/// D_ENABLE bit that holds all channels.
pub const DMA_HOLD: u32 = 0x1_0000;
/// Bases of the DMA channels 0 to 9.
pub const DMA_CHANNELS: [u32; 10] = [
    0xB000_8000,
    0xB000_9000,
    0xB000_A000,
    0xB000_B000,
    0xB000_B400,
    0xB000_C000,
    0xB000_C400,
    0xB000_C800,
    0xB000_D000,
    0xB000_D400,
];
/// Offsets within a channel.
pub mod channel {
    /// Control.
    pub const CHCR: u32 = 0x00;
    /// Memory address.
    pub const MADR: u32 = 0x10;
    /// Quadwords left.
    pub const QWC: u32 = 0x20;
    /// Next tag.
    pub const TADR: u32 = 0x30;
    /// Address stack.
    pub const ASR0: u32 = 0x40;
    /// Address stack.
    pub const ASR1: u32 = 0x50;
    /// Scratchpad address, channels 8 and 9.
    pub const SADR: u32 = 0x80;
    /// CHCR: running.
    pub const RUNNING: u32 = 0x100;
    /// CHCR of both SIF channels: chain mode, interrupt by tag, start.
    pub const SIF_START: u32 = 0x184;
}
/// SIF: main processor's word to the IOP.
pub const SIF_MSCOM: u32 = 0xB000_F200;
/// SIF: IOP's word.
pub const SIF_SMCOM: u32 = 0xB000_F210;
/// SIF: flags to the IOP, writing sets.
pub const SIF_MSFLG: u32 = 0xB000_F220;
/// SIF: flags from the IOP, writing 1 clears.
pub const SIF_SMFLG: u32 = 0xB000_F230;
/// SIF: control.
pub const SIF_CTRL: u32 = 0xB000_F240;
/// SIF: bus state, written once at start.
pub const SIF_BD6: u32 = 0xB000_F260;
/// Timers: base of number n is this plus n times [`TIMER_STRIDE`].
pub const TIMER: u32 = 0xB000_0000;
/// Distance of two timers.
pub const TIMER_STRIDE: u32 = 0x800;
/// Timer 3, which the kernel owns.
pub const TIMER3: u32 = TIMER + 3 * TIMER_STRIDE;
/// Offsets within a timer.
pub mod timer {
    /// Counter.
    pub const COUNT: u32 = 0x00;
    /// Mode.
    pub const MODE: u32 = 0x10;
    /// Compare value.
    pub const COMPARE: u32 = 0x20;
    /// Hold, timers 0 and 1.
    pub const HOLD: u32 = 0x30;
}
/// GIF control.
pub const GIF_CTRL: u32 = 0xB000_3000;
/// VIF0 and VIF1 force-break registers.
pub const VIF_FBRST: [u32; 2] = [0xB000_3810, 0xB000_3C10];
/// VIF0 and VIF1 error masks.
pub const VIF_ERR: [u32; 2] = [0xB000_3820, 0xB000_3C20];
/// IPU control.
pub const IPU_CTRL: u32 = 0xB000_2010;
/// GS privileged registers (64 bits each).
pub mod gs {
    /// Display control.
    pub const PMODE: u32 = 0xB200_0000;
    /// Clock and output.
    pub const SMODE1: u32 = 0xB200_0010;
    /// Interlace.
    pub const SMODE2: u32 = 0xB200_0020;
    /// Memory refresh.
    pub const SRFSH: u32 = 0xB200_0030;
    /// Horizontal timing.
    pub const SYNCH1: u32 = 0xB200_0040;
    /// Horizontal timing.
    pub const SYNCH2: u32 = 0xB200_0050;
    /// Vertical timing.
    pub const SYNCV: u32 = 0xB200_0060;
    /// Status, reset.
    pub const CSR: u32 = 0xB200_1000;
    /// Interrupt mask.
    pub const IMR: u32 = 0xB200_1010;
    /// CSR: reset.
    pub const RESET: u32 = 0x200;
}

/// The uncached window onto a physical address.
pub const fn uncached(address: u32) -> u32 {
    address & 0x1FFF_FFFF | 0xA000_0000
}

/// The physical address behind a kernel or user address.
pub const fn physical(address: u32) -> u32 {
    address & 0x1FFF_FFFF
}

/// Reads a register.
pub fn read(address: u32) -> u32 {
    // SAFETY: callers pass register addresses or uncached memory of the kernel.
    unsafe { (address as *const u32).read_volatile() }
}

/// Writes a register.
pub fn write(address: u32, value: u32) {
    // SAFETY: as for `read`.
    unsafe { (address as *mut u32).write_volatile(value) }
}

/// Writes a byte register.
pub fn write_byte(address: u32, value: u8) {
    // SAFETY: as for `read`.
    unsafe { (address as *mut u8).write_volatile(value) }
}

/// Writes a 64-bit register whole.
pub fn write_double(address: u32, value: u64) {
    // SAFETY: as for `read`; one `sd`, which the register needs.
    unsafe {
        asm!(
            ".set push", ".set mips3", ".set noat",
            "dsll32 $8, {high}, 0",
            "dsll32 $9, {low}, 0",
            "dsrl32 $9, $9, 0",
            "or $8, $8, $9",
            "sd $8, 0({address})",
            ".set pop",
            low = in(reg) value as u32,
            high = in(reg) (value >> 32) as u32,
            address = in(reg) address,
            out("$8") _, out("$9") _,
            options(nostack)
        );
    }
}

/// Reads the low word of a 64-bit register.
pub fn read_double_low(address: u32) -> u32 {
    let value: u32;
    // SAFETY: as for `read`; one `ld`, which the register needs.
    unsafe {
        asm!(
            ".set push", ".set mips3", ".set noat", "ld {value}, 0({address})", "sll {value}, {value}, 0", ".set pop",
            value = out(reg) value, address = in(reg) address, options(nostack)
        );
    }
    value
}

/// Reads a word of COP0, or writes one. What is read is extended by its sign again, which emulators leave out.
macro_rules! cop0 {
    ($register:literal) => {{
        let value: u32;
        // SAFETY: reading COP0 changes nothing.
        unsafe {
            core::arch::asm!(
                ".set push", ".set noat", concat!("mfc0 {value}, $", $register), "sll {value}, {value}, 0", ".set pop",
                value = out(reg) value, options(nostack)
            );
        }
        value
    }};
    ($register:literal, $value:expr) => {{
        let value: u32 = $value;
        // SAFETY: the kernel owns COP0; `sync.p` makes the value hold before the next instruction.
        unsafe {
            core::arch::asm!(
                ".set push", ".set noat", concat!("mtc0 {value}, $", $register), ".set pop", ".word 0x0000040F",
                value = in(reg) value, options(nostack)
            );
        }
    }};
}
pub(crate) use cop0;

/// Turns an empty loop.
pub fn delay(turns: u32) {
    for turn in 0..turns {
        core::hint::black_box(turn);
    }
}

/// Waits until `done`, at most about `milliseconds`; whether it was done.
pub fn wait_until(milliseconds: u32, mut done: impl FnMut() -> bool) -> bool {
    /// CPU cycles in a millisecond.
    const MILLISECOND: u32 = 294_912;
    for _ in 0..milliseconds {
        let start = cop0!("9");
        while cop0!("9").wrapping_sub(start) < MILLISECOND {
            if done() {
                return true;
            }
        }
    }
    done()
}

/// Reads a flag register of the other clock domain until two reads agree.
pub fn read_settled(address: u32) -> u32 {
    loop {
        let value = read(address);
        if value == read(address) {
            return value;
        }
    }
}
