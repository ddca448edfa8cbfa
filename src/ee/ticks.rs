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
}

impl Ticks {
    /// A clock that stands at 0 when the counter reads `count`.
    pub const fn starting_at(count: u32) -> Self {
        Self { total: 0, last: count }
    }

    /// Adds the time since the last reading and answers the total. Must be called at least once in 14.56 seconds.
    pub const fn fold(&mut self, count: u32) -> u64 {
        self.total += count.wrapping_sub(self.last) as u64;
        self.last = count;
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
