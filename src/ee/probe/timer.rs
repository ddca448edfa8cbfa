//! The timers of the bus against the processor's counter and the picture's lines.
//!
//! Source: EE facts, section 7 (Timers)

use crate::ee::cop0;

const FIRST: usize = 0x1000_0000;
/// Distance from one timer's registers to the next one's.
const STEP: usize = 0x800;
const MODE: usize = 0x10;
/// Timers that neither the kernel nor the game uses, and the one that the kernel keeps for its alarms.
const FREE: u32 = 3;
const KERNELS: u32 = 3;
/// The one that counts lines here.
const LINES_TIMER: u32 = 1;
/// MODE: count the bus clock's sixteenths, run.
const SIXTEENTHS: u32 = 1 | RUNS;
/// MODE: count the picture's lines, run.
const LINES: u32 = 3 | RUNS;
const RUNS: u32 = 1 << 7;
/// MODE's flags, which a one clears.
const FLAGS: u32 = 3 << 10;
/// Processor cycles of a sixteenth of the bus clock.
const CYCLES: u32 = 32;
/// Counts that are measured: most of the timers' sixteen bits.
const MEASURED: u32 = 60_000;
const COUNT_MASK: u32 = 0xFFFF;
/// Lines that are measured: about two blanks of an interlaced picture.
const MEASURED_LINES: u32 = 500;
/// Millionths that a timer may lie off the processor's counter, and off the picture's lines, of which one is begun.
const MILLIONTHS: u32 = 1_000;
const MILLIONTHS_OF_LINES: u32 = 10_000;

/// What the timers gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timers {
    /// How far timer 0 lies off the processor's counter, in millionths.
    pub deviation: u32,
    /// A bit for each free timer that is wrong, one for the kernel's, and one for a free one that counts lines.
    pub wrong: u32,
}

/// Measures every timer. `line` is how many cycles a line of the picture takes.
pub fn measure(line: u32) -> Timers {
    let mut deviation = 0;
    let mut wrong = 0;
    for timer in 0..FREE {
        let off = with_mode(timer, SIXTEENTHS, || off(timer, MEASURED, CYCLES));
        if timer == 0 {
            deviation = off;
        }
        wrong |= u32::from(off > MILLIONTHS) << timer;
    }
    // The kernel's own counts lines whether an alarm is set or not, and is only looked at.
    let kernels = off(KERNELS, MEASURED_LINES, line);
    let lines = with_mode(LINES_TIMER, LINES, || off(LINES_TIMER, MEASURED_LINES, line));
    wrong |= u32::from(kernels > MILLIONTHS_OF_LINES) << KERNELS;
    wrong |= u32::from(lines > MILLIONTHS_OF_LINES) << (KERNELS + 1);
    Timers { deviation, wrong }
}

const fn register(timer: u32, offset: usize) -> *mut u32 {
    (FIRST + timer as usize * STEP + offset) as *mut u32
}

fn count(timer: u32) -> u32 {
    // SAFETY: a timer's count, which reading does not change.
    unsafe { register(timer, 0).read_volatile() & COUNT_MASK }
}

/// Works with a free timer in a mode, from 0 on; its mode is put back.
fn with_mode(timer: u32, mode: u32, work: impl FnOnce() -> u32) -> u32 {
    let (at, counter) = (register(timer, MODE), register(timer, 0));
    // SAFETY: the registers of a timer that nobody else uses.
    let before = unsafe {
        let before = at.read_volatile();
        at.write_volatile(0);
        counter.write_volatile(0);
        at.write_volatile(mode);
        before
    };
    let outcome = work();
    // SAFETY: as above.
    unsafe { at.write_volatile(before & !FLAGS) };
    outcome
}

/// How far a timer lies off the processor's counter over `measured` counts of `cycles` each, in millionths; a timer that stands
/// still is off by all of them.
fn off(timer: u32, measured: u32, cycles: u32) -> u32 {
    const ALL: u32 = 1_000_000;
    /// Cycles that looking may take by itself.
    const SETTLING: u32 = 10_000;
    let (mut last, mut counted) = (count(timer), 0);
    // From one count's begin to another's.
    let start = cop0::count();
    while count(timer) == last {
        if cop0::count().wrapping_sub(start) > SETTLING + 4 * cycles {
            return ALL;
        }
    }
    last = count(timer);
    let begin = cop0::count();
    while counted < measured {
        let now = count(timer);
        counted += now.wrapping_sub(last) & COUNT_MASK;
        last = now;
        if cop0::count().wrapping_sub(begin) > measured.saturating_mul(cycles).saturating_mul(2) {
            return ALL;
        }
    }
    let taken = u64::from(cop0::count().wrapping_sub(begin));
    let expected = u64::from(counted) * u64::from(cycles);
    (taken.abs_diff(expected) * u64::from(ALL) / expected.max(1)) as u32
}
