//! Real time from the cycle counter.

use super::time;
use crate::ee::ticks::{Rate, Ticks};

/// A 64-bit total of the wrapping 32-bit cycle counter, in nominal ticks on every console.
///
/// Source: seed 003, Timers; settled questions 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timer {
    cycles: Ticks,
    rate: Rate,
    /// The total when the rate was set.
    base: u64,
    now: u64,
}

impl Timer {
    /// A timer that stands at 0 when the counter reads `count`, on a console whose counter runs at `rate`.
    pub const fn starting_at(count: u32, rate: Rate) -> Self {
        Self::beside(count, 0, rate)
    }

    /// The same when the vertical blank's handler has counted `beside` cycles already.
    pub const fn beside(count: u32, beside: u64, rate: Rate) -> Self {
        Self { cycles: Ticks::beside(count, beside), rate, base: 0, now: 0 }
    }

    /// Adds the time since the last reading and answers the total. Must be called at least once in 14.56 seconds.
    // Covers: seed 003, Timer (0x0050b8b8) test=the_total_has_64_bits_and_goes_on_over_the_counters_wrap
    // Covers: seed 003, step 5 timer test=the_total_has_64_bits_and_goes_on_over_the_counters_wrap
    pub const fn update(&mut self, count: u32) -> u64 {
        self.now = self.base + self.rate.ticks(self.cycles.fold(count));
        self.now
    }

    /// The same for a reading that may come later than the counter's wrap: the vertical blank's handler, which folds the counter
    /// too, has counted `beside` cycles in all.
    pub const fn update_late(&mut self, count: u32, beside: u64) -> u64 {
        self.now = self.base + self.rate.ticks(self.cycles.fold_late(count, beside));
        self.now
    }

    /// From the counter's `count` on it runs at `rate`; the total goes on where it stands. The vertical blank's handler has
    /// counted `beside` cycles.
    pub fn set_rate(&mut self, count: u32, beside: u64, rate: Rate) {
        self.base = self.update_late(count, beside);
        self.cycles = Ticks::beside(count, beside);
        self.rate = rate;
    }

    /// Ticks at the last update.
    pub const fn ticks(&self) -> u64 {
        self.now
    }

    /// Milliseconds at the last update.
    pub const fn milliseconds(&self) -> u32 {
        time::milliseconds(self.now)
    }

    /// Seconds at the last update.
    pub fn seconds(&self) -> f32 {
        time::seconds(self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_has_64_bits_and_goes_on_over_the_counters_wrap() {
        let mut timer = Timer::starting_at(0xffff_0000, Rate::NOMINAL);
        assert_eq!(timer.update(0xffff_ffff), 0xffff);
        assert_eq!(timer.update(0x10), 0x1_0010);
        let mut count = 0x10_u32;
        for _ in 0..20 {
            count = count.wrapping_add(0xf000_0000);
            timer.update(count);
        }
        assert_eq!(timer.ticks(), 0x1_0010 + 20 * 0xf000_0000);
    }

    #[test]
    fn milliseconds_and_seconds_follow_the_total() {
        let mut timer = Timer::starting_at(0, Rate::NOMINAL);
        timer.update(294_912 * 1500);
        assert_eq!(timer.milliseconds(), 1500);
        assert!((timer.seconds() - 1.5).abs() < 1e-6);
    }

    #[test]
    fn a_late_console_counts_nominal_ticks() {
        let rate = Rate::measured(299_339_340, 295_207_200);
        let mut timer = Timer::starting_at(0, rate);
        timer.update(299_040_000);
        assert!(timer.ticks().abs_diff(time::TICKS_PER_SECOND) < 1000, "{}", timer.ticks());
    }
}
