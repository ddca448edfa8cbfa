//! A timer of the bus against the processor's counter.
//!
//! Source: EE facts, section 7 (Timers)

use crate::ee::cop0;

/// Timer 0, which neither the kernel nor the game uses.
const COUNT: *mut u32 = 0x1000_0000 as *mut u32;
const MODE: *mut u32 = 0x1000_0010 as *mut u32;
/// MODE: count the bus clock's sixteenths, run.
const SIXTEENTHS: u32 = 1 | 1 << 7;
/// Processor cycles of a sixteenth of the bus clock.
const CYCLES: u32 = 32;
/// Counts that are measured: most of the timer's sixteen bits.
const MEASURED: u32 = 60_000;

/// How far the timer lies off the processor's counter, in millionths.
pub fn deviation() -> u32 {
    // SAFETY: the registers of a timer that nobody else uses.
    let count = || unsafe { COUNT.read_volatile() };
    // SAFETY: as above.
    unsafe {
        MODE.write_volatile(0);
        COUNT.write_volatile(0);
        MODE.write_volatile(SIXTEENTHS);
    }
    let (begin, first) = (cop0::count(), count());
    let counted = loop {
        let counted = count().wrapping_sub(first);
        if counted >= MEASURED || cop0::count().wrapping_sub(begin) > 2 * MEASURED * CYCLES {
            break counted;
        }
    };
    let cycles = cop0::count().wrapping_sub(begin);
    // SAFETY: stops the timer.
    unsafe { MODE.write_volatile(0) };
    let expected = u64::from(counted) * u64::from(CYCLES);
    (u64::from(cycles).abs_diff(expected) * 1_000_000 / expected.max(1)) as u32
}
