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
    sources: u32,
    /// Bits of its counter.
    bits: u32,
    /// Largest divisor of the system clock.
    divisor: u32,
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
        Ok(((place as u32 + 1) << NUMBER_SHIFT | (TABLE[place].base & 0xFFFF) >> BASE_SHIFT) as i32)
    }

    /// The timer of an id that is in use.
    ///
    /// # Errors
    /// No such id.
    pub fn get(&self, id: i32) -> Result<Timer, Error> {
        self.place(id).map(|place| TABLE[place])
    }

    fn place(&self, id: i32) -> Result<usize, Error> {
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
    fn an_id_is_good_while_its_timer_is_taken() {
        let mut timers = Timers::new();
        let id = timers.allocate(1, 32, 256).expect("a timer");
        assert_eq!(timers.free(id), Ok(()));
        assert_eq!(timers.free(id), Err(Error::IllegalTimer));
        assert_eq!(timers.get(0), Err(Error::IllegalTimer));
        assert_eq!(timers.get(-1), Err(Error::IllegalTimer));
    }
}
