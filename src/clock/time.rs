//! Ticks and what they are worth.

use crate::ee::ticks;

/// Ticks in a second: the rate of the EE's cycle counter.
pub const TICKS_PER_SECOND: u64 = ticks::PER_SECOND as u64;
/// Ticks in a millisecond.
pub const TICKS_PER_MILLISECOND: u64 = TICKS_PER_SECOND / 1000;
/// Seconds in a tick. Source: seed 003, Timers (0x004dcf00).
pub const SECONDS_PER_TICK: f32 = 3.390_842e-9;
/// Ticks in a 30 Hz step, the fixed step of the game's clock: exactly 0x960000.
pub const STEP: u64 = TICKS_PER_SECOND / 30;
/// Ticks in a 60 Hz tick of the scheduler: 0x4b0000.
pub const HALF_STEP: u64 = TICKS_PER_SECOND / 60;
/// The most that real time gives one frame while a camera that is no scene camera watches: 40 ms, 0xb40000 ticks.
pub const LONGEST_FRAME: u64 = 40 * TICKS_PER_MILLISECOND;

/// Whole milliseconds; wraps after 49 days, as the original's 32-bit field does.
pub const fn milliseconds(ticks: u64) -> u32 {
    (ticks / TICKS_PER_MILLISECOND) as u32
}

/// Seconds in a number of ticks.
pub fn seconds(ticks: u64) -> f32 {
    ticks as f32 * SECONDS_PER_TICK
}

/// Ticks in a number of milliseconds.
pub const fn from_milliseconds(milliseconds: u32) -> u64 {
    milliseconds as u64 * TICKS_PER_MILLISECOND
}

/// `ticks` times `scale`, rounded down; a scale below 0 or that is no number counts as 0.
///
/// Our choice: whole numbers, because the host rounds a single float's product to the nearest and the EE towards zero; at a
/// scale of 1 the original's product is exact.
pub const fn scaled(ticks: u64, scale: f32) -> u64 {
    const FRACTION_BITS: u32 = f32::MANTISSA_DIGITS - 1;
    const EXPONENT_BIAS: i32 = 127;
    if !(scale > 0.0 && scale < f32::INFINITY) {
        return 0;
    }
    let bits = scale.to_bits();
    let exponent = (bits >> FRACTION_BITS) as i32;
    if exponent == 0 {
        return 0;
    }
    let mantissa = (bits & ((1 << FRACTION_BITS) - 1)) | 1 << FRACTION_BITS;
    let shift = exponent - EXPONENT_BIAS - FRACTION_BITS as i32;
    let product = ticks as u128 * mantissa as u128;
    if shift <= -(u64::BITS as i32 + f32::MANTISSA_DIGITS as i32) {
        0
    } else if shift < 0 {
        (product >> -shift) as u64
    } else if shift as u32 > product.leading_zeros() {
        u64::MAX
    } else {
        let scaled = product << shift;
        if scaled > u64::MAX as u128 { u64::MAX } else { scaled as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_are_the_seeds_numbers() {
        assert_eq!((STEP, HALF_STEP, LONGEST_FRAME), (0x96_0000, 0x4b_0000, 0xb4_0000));
        assert_eq!(30 * STEP, TICKS_PER_SECOND);
    }

    #[test]
    fn milliseconds_are_ticks_over_294_912() {
        assert_eq!([0, 294_911, 294_912, TICKS_PER_SECOND].map(milliseconds), [0, 0, 1, 1000]);
        assert_eq!(milliseconds(from_milliseconds(5000)), 5000);
    }

    #[test]
    fn seconds_are_ticks_times_the_seeds_factor() {
        assert!((seconds(TICKS_PER_SECOND) - 1.0).abs() < 1e-6);
        assert!((seconds(STEP) - 1.0 / 30.0).abs() < 1e-8);
    }

    #[test]
    fn scaling_is_exact_for_the_scales_that_singles_hold() {
        assert_eq!(scaled(STEP, 1.0), STEP);
        assert_eq!(scaled(STEP, 0.5), STEP / 2);
        assert_eq!(scaled(3, 2.5), 7);
        assert_eq!(scaled(1_000_000, 0.1), 100_000, "0.1 as a single is a little more than a tenth");
        assert_eq!([0.0, -1.0, f32::NAN, f32::INFINITY].map(|scale| scaled(STEP, scale)), [0; 4]);
        assert_eq!((scaled(u64::MAX, 1.0), scaled(u64::MAX, 1e30)), (u64::MAX, u64::MAX));
        assert_eq!(scaled(u64::MAX, f32::MIN_POSITIVE), 0);
    }
}
