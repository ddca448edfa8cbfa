//! How long a console's drive takes: the module can slow an emulated or a newer drive down to it.

/// A read of less than this many sectors further on is no seek: the drive reads through.
const READ_THROUGH: u32 = 16;
/// Microseconds of a tick of the system's clock, 36.864 MHz, as a fraction of [`FRACTION`] bits.
///
/// Source: IOP kernel, THREADMAN
const MICROSECONDS_PER_TICK: u64 = 113_777;
/// Bits of [`MICROSECONDS_PER_TICK`] behind the point: a shift, as the processor's own division is to be avoided.
const FRACTION: u32 = 22;

/// Where the drive's head is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Pace {
    /// The sector behind the last one read.
    next_sector: u32,
}

impl Pace {
    /// Microseconds that a read takes at least, for the microseconds of a sector and of a seek. The head is behind it then.
    pub const fn read(&mut self, sector: u32, sectors: u32, for_sector: u32, for_seek: u32) -> u32 {
        let jumps = sector.wrapping_sub(self.next_sector) > READ_THROUGH;
        self.next_sector = sector.wrapping_add(sectors);
        sectors.wrapping_mul(for_sector).wrapping_add(if jumps { for_seek } else { 0 })
    }
}

/// What is left of some microseconds after ticks of the system's clock.
pub const fn left(microseconds: u32, ticks: u32) -> u32 {
    microseconds.saturating_sub(((ticks as u64 * MICROSECONDS_PER_TICK) >> FRACTION) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_in_a_row_cost_no_seek_and_others_do() {
        let mut pace = Pace::default();
        let reads = [(0, 32), (32, 32), (70, 10), (64, 1), (1000, 5), (990, 5)];
        let costs = reads.map(|(sector, sectors)| pace.read(sector, sectors, 10, 1000));
        assert_eq!(costs, [320, 320, 100, 1010, 1050, 1050]);
    }

    #[test]
    fn time_that_has_passed_is_taken_off() {
        // A second of the clock, and a tenth.
        assert_eq!(left(2_000_000, 36_864_000), 1_000_007);
        assert_eq!(left(160_000, 3_686_400), 60_001);
        assert_eq!(left(100, 36_864_000), 0);
        assert_eq!(left(5, 0), 5);
    }
}
