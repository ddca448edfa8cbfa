//! The cycle counter as a clock that does not wrap.
//!
//! The counter has 32 bits and wraps after 14.56 seconds; the vertical blank's handler folds it into 64 bits.
//!
//! Source: seed 003, Timers; settled questions 8.

/// Ticks in a second.
pub const PER_SECOND: u32 = 294_912_000;

/// A 64-bit total of a wrapping 32-bit counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ticks {
    total: u64,
    last: u32,
    /// What the clock beside it said at the last reading.
    beside: u64,
}

impl Ticks {
    /// A clock that stands at 0 when the counter reads `count`.
    pub const fn starting_at(count: u32) -> Self {
        Self::beside(count, 0)
    }

    /// The same with another clock beside it, which stands at `beside`.
    pub const fn beside(count: u32, beside: u64) -> Self {
        Self { total: 0, last: count, beside }
    }

    /// Adds the time since the last reading and answers the total. Must be called at least once in 14.56 seconds.
    pub const fn fold(&mut self, count: u32) -> u64 {
        let passed = count.wrapping_sub(self.last) as u64;
        self.total += passed;
        // The clock beside it has gone on as well.
        self.beside += passed;
        self.last = count;
        self.total
    }

    /// The same for a reading that may come late: another clock in the same cycles, which does not wrap and stands at `beside`,
    /// has the whole wraps since the last reading, whoever made that.
    pub const fn fold_late(&mut self, count: u32, beside: u64) -> u64 {
        const HALF_A_WRAP: u64 = 1 << (u32::BITS - 1);
        let about = beside.saturating_sub(self.beside);
        let rest = count.wrapping_sub(self.last) as u64;
        let wraps = about.saturating_sub(rest).saturating_add(HALF_A_WRAP) >> u32::BITS;
        self.total += wraps << u32::BITS;
        let total = self.fold(count);
        self.beside = beside;
        total
    }
}

/// Blanks over which a console's clock is measured.
pub const MEASURED_BLANKS: u32 = 60;
/// Beyond this share of the nominal rate a clock counts as another kind of console's, in thousandths.
const OTHER_CLOCK: u64 = 3;
/// Beyond this share a measurement is no measurement: a debugger stopped it, for example. In thousandths.
const NONSENSE: u64 = 50;

/// How this console's counter relates to the nominal one.
///
/// Late consoles run at 299.04 MHz. Their screens do not, so counting over a number of blanks tells them apart.
///
/// Source: settled questions 8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    nominal: u32,
    measured: u32,
}

impl Rate {
    /// The counter runs at [`PER_SECOND`].
    pub const NOMINAL: Self = Self { nominal: 1, measured: 1 };

    /// From the cycles that [`MEASURED_BLANKS`] took and should have taken.
    pub const fn measured(measured: u32, nominal: u32) -> Self {
        let apart = measured.abs_diff(nominal) as u64 * 1000;
        let share = nominal as u64;
        if apart <= share * OTHER_CLOCK || apart > share * NONSENSE {
            return Self::NOMINAL;
        }
        Self { nominal, measured }
    }

    /// Cycles of this console as ticks of the nominal one.
    pub const fn ticks(self, cycles: u64) -> u64 {
        let (nominal, measured) = (self.nominal as u64, self.measured as u64);
        // In two parts, since the product of hours and a rate does not fit 64 bits.
        cycles / measured * nominal + cycles % measured * nominal / measured
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NTSC: u32 = 295_207_200;

    #[test]
    fn a_late_reading_has_its_whole_wraps_from_a_clock_beside_it() {
        for (late, about) in [(0x10, 0x10), (0x2_0000_0010, 0x2_0000_0000), (0x1_ffff_fff0, 0x2_0000_0000), (0x500, 0)]
        {
            let mut ticks = Ticks::starting_at(0xFFFF_FFF0);
            assert_eq!(ticks.fold_late(0xFFFF_FFF0_u32.wrapping_add(late as u32), about), late);
        }
    }

    #[test]
    fn what_was_read_in_between_is_no_wrap_of_a_late_reading() {
        let mut ticks = Ticks::starting_at(5);
        for second in 1..=10 {
            ticks.fold(5 + second * (PER_SECOND / 10));
        }
        // The clock beside it stands a frame behind.
        let beside = u64::from(PER_SECOND - PER_SECOND / 60);
        assert_eq!(ticks.fold_late(5 + PER_SECOND, beside), u64::from(PER_SECOND));
        let begun = 30 * u64::from(PER_SECOND);
        assert_eq!(
            Ticks::beside(5, begun).fold_late(7, begun + 2),
            2,
            "it began when the clock beside it was on its way"
        );
    }

    #[test]
    fn a_late_consoles_second_is_a_nominal_second() {
        let late = Rate::measured(299_339_340, NTSC);
        let second = late.ticks(299_040_000);
        assert!(second.abs_diff(u64::from(PER_SECOND)) < 1_000, "{second}");
        let day = late.ticks(299_040_000 * 86_400);
        assert!(day.abs_diff(u64::from(PER_SECOND) * 86_400) < 100_000_000, "{day}");
    }

    #[test]
    fn small_differences_and_nonsense_change_nothing() {
        for measured in [NTSC + 800_000, NTSC - 800_000, NTSC * 2, 0] {
            assert_eq!(Rate::measured(measured, NTSC), Rate::NOMINAL);
        }
        assert_eq!(Rate::NOMINAL.ticks(12_345), 12_345);
    }

    #[test]
    fn the_total_goes_on_over_the_counters_wrap() {
        let mut ticks = Ticks::starting_at(0xFFFF_FF00);
        assert_eq!(ticks.fold(0xFFFF_FFFF), 0xFF);
        assert_eq!(ticks.fold(0x100), 0x200);
        for _ in 0..16 {
            ticks.fold(0x8000_0000);
            ticks.fold(0x0000_0100);
        }
        assert_eq!(ticks.fold(0x100), 0x200 + (16 << 32));
    }
}
