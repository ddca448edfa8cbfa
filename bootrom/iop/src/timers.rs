//! TIMRMAN's hardware timers: which there are, and who has them.
//!
//! Source: IOP kernel, TIMRMAN

use crate::errors::Error;

/// Timers.
pub const TIMERS: usize = 6;

/// What a timer can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timer {
    /// Physical address of its registers.
    pub base: u32,
    /// Its interrupt line.
    pub line: u32,
    /// Clock sources: 1 system clock, 2 pixels, 4 lines, 8 external.
    pub sources: u32,
    /// Bits of its counter.
    pub bits: u32,
    /// Largest divisor of the system clock.
    pub divisor: u32,
}

const TABLE: [Timer; TIMERS] = [
    Timer { base: 0x1F80_1100, line: 4, sources: 0xB, bits: 16, divisor: 1 },
    Timer { base: 0x1F80_1110, line: 5, sources: 0xD, bits: 16, divisor: 1 },
    Timer { base: 0x1F80_1120, line: 6, sources: 0x1, bits: 16, divisor: 8 },
    Timer { base: 0x1F80_1480, line: 14, sources: 0x5, bits: 32, divisor: 1 },
    Timer { base: 0x1F80_1490, line: 15, sources: 0x1, bits: 32, divisor: 256 },
    Timer { base: 0x1F80_14A0, line: 16, sources: 0x1, bits: 32, divisor: 256 },
];
/// Order in which they are given away: the plainest first.
const ORDER: [usize; TIMERS] = [2, 5, 4, 3, 0, 1];
const NUMBER_SHIFT: u32 = 28;
const BASE_SHIFT: u32 = 4;

/// The timer in a place of the table.
///
/// # Panics
/// There are [`TIMERS`] of them.
#[must_use]
pub const fn timer_at(place: usize) -> Timer {
    TABLE[place]
}

/// Mode bits: count the other source; divide by 8 (timer 2); divide by 8, 16, 256 (timers 4 and 5).
const OTHER_SOURCE: u32 = 1 << 8;
const DIVIDE_BY_8: u32 = 1 << 9;
const DIVISORS: [(u32, u32); 3] = [(8, 1 << 13), (16, 1 << 14), (256, 3 << 13)];
/// The system clock among the sources.
const SYSTEM_CLOCK: u32 = 1;

impl Timer {
    /// The mode bits of counting `source`, divided by `divisor`.
    ///
    /// # Errors
    /// The timer has no such source or divisor.
    pub fn clock_bits(&self, source: u32, divisor: u32) -> Result<u32, Error> {
        if self.sources & source == 0 || divisor > self.divisor {
            return Err(Error::IllegalTimerSetting);
        }
        let source = if source & SYSTEM_CLOCK != 0 { 0 } else { OTHER_SOURCE };
        match divisor {
            0 | 1 => Ok(source),
            8 if self.bits == 16 => Ok(source | DIVIDE_BY_8),
            _ => DIVISORS
                .into_iter()
                .find(|(value, _)| *value == divisor)
                .map(|(_, bits)| source | bits)
                .ok_or(Error::IllegalTimerSetting),
        }
    }
}

fn id_of(place: usize) -> i32 {
    ((place as u32 + 1) << NUMBER_SHIFT | (TABLE[place].base & 0xFFFF) >> BASE_SHIFT) as i32
}

/// Who has which timer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timers {
    taken: [bool; TIMERS],
}

impl Timers {
    /// None taken but the one of the system clock.
    #[must_use]
    pub const fn new() -> Self {
        Timers { taken: [false, false, false, false, false, true] }
    }

    /// Takes a timer that counts `source` with at least `bits` bits and divides by `divisor`; its id.
    ///
    /// # Errors
    /// None left.
    pub fn allocate(&mut self, source: u32, bits: u32, divisor: u32) -> Result<i32, Error> {
        let fits = |timer: &Timer| timer.sources & source != 0 && timer.bits == bits && timer.divisor >= divisor;
        let place = ORDER.into_iter().find(|place| !self.taken[*place] && fits(&TABLE[*place]));
        let place = place.ok_or(Error::NoTimer)?;
        self.taken[place] = true;
        Ok(id_of(place))
    }

    /// Whether somebody has the timer in a place of the table.
    #[must_use]
    pub fn is_taken(&self, place: usize) -> bool {
        self.taken.get(place).copied().unwrap_or(false)
    }

    /// Ids of the timers in use that can count `source` and have `bits` bits.
    pub fn in_use(&self, source: u32, bits: u32) -> impl Iterator<Item = i32> + '_ {
        let fits = move |place: &usize| TABLE[*place].sources & source != 0 && TABLE[*place].bits == bits;
        (0..TIMERS).filter(|place| self.taken[*place]).filter(fits).map(id_of)
    }

    /// The timer of an id that is in use.
    ///
    /// # Errors
    /// No such id.
    pub fn get(&self, id: i32) -> Result<Timer, Error> {
        self.place(id).map(|place| TABLE[place])
    }

    /// The place of an id that is in use.
    ///
    /// # Errors
    /// No such id.
    pub fn place(&self, id: i32) -> Result<usize, Error> {
        let place = (id as u32 >> NUMBER_SHIFT).wrapping_sub(1) as usize;
        match self.taken.get(place) {
            Some(true) => Ok(place),
            _ => Err(Error::IllegalTimer),
        }
    }

    /// Gives a timer back.
    ///
    /// # Errors
    /// No such id.
    pub fn free(&mut self, id: i32) -> Result<(), Error> {
        let place = self.place(id)?;
        self.taken[place] = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_are_given_by_what_they_can_do_and_the_plainest_first() {
        let mut timers = Timers::new();
        let line_of = |timers: &mut Timers, source, bits, divisor| {
            timers.allocate(source, bits, divisor).and_then(|id| timers.get(id)).map(|timer| timer.line)
        };
        assert_eq!(line_of(&mut timers, 1, 16, 8), Ok(6));
        assert_eq!(line_of(&mut timers, 1, 16, 8), Err(Error::NoTimer));
        // The system clock has timer 5.
        assert_eq!(line_of(&mut timers, 1, 32, 1), Ok(15));
        assert_eq!(line_of(&mut timers, 4, 32, 1), Ok(14));
        assert_eq!(line_of(&mut timers, 2, 16, 1), Ok(4));
        assert_eq!(line_of(&mut timers, 4, 16, 1), Ok(5));
    }

    #[test]
    fn clocks_are_set_by_source_and_divisor_or_refused() {
        assert_eq!(timer_at(5).clock_bits(1, 256), Ok(3 << 13));
        assert_eq!(timer_at(4).clock_bits(1, 8), Ok(1 << 13));
        assert_eq!(timer_at(2).clock_bits(1, 8), Ok(1 << 9));
        assert_eq!(timer_at(3).clock_bits(4, 1), Ok(1 << 8));
        for (place, source, divisor) in [(5, 4, 1), (3, 1, 8), (5, 1, 5), (2, 1, 256)] {
            assert_eq!(timer_at(place).clock_bits(source, divisor), Err(Error::IllegalTimerSetting));
        }
    }

    #[test]
    fn timers_in_use_are_found_by_what_they_count() {
        let mut timers = Timers::new();
        let id = timers.allocate(4, 32, 1).expect("a timer");
        assert!(timers.in_use(4, 32).eq([id]));
        assert_eq!(timers.in_use(4, 16).next(), None);
    }

    #[test]
    fn an_id_is_good_while_its_timer_is_taken() {
        let mut timers = Timers::new();
        let id = timers.allocate(1, 32, 256).expect("a timer");
        assert_eq!(timers.free(id), Ok(()));
        assert_eq!(timers.free(id), Err(Error::IllegalTimer));
        assert_eq!(timers.get(0), Err(Error::IllegalTimer));
        assert_eq!(timers.get(-1), Err(Error::IllegalTimer));
    }
}
