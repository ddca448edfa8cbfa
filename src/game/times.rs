//! How long the frames of a played level took: how many of them by whole milliseconds, and how many blanks were late.
//!
//! A mean hides what a player feels. [`FrameTimes`] counts every frame in which a level is played and is told when the level's
//! end is shown.

use super::Game;
use super::machine::Machine;
use crate::ee::pacing::BLANKS_PER_FRAME;
use crate::ee::ticks::PER_SECOND;
use crate::game_modes::ModeId;
use core::fmt;

/// Milliseconds that are told apart; what takes longer counts with the last.
const SLOTS: usize = 48;
/// Cycles of a millisecond.
const CYCLES: u32 = PER_SECOND / 1000;

/// How long frames took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameTimes {
    slots: [u32; SLOTS],
    late: u32,
}

impl Default for FrameTimes {
    fn default() -> Self {
        Self { slots: [0; SLOTS], late: 0 }
    }
}

impl FrameTimes {
    /// A frame kept the processor busy for so many cycles and was shown for so many blanks.
    pub fn note(&mut self, busy: u32, blanks: u8) {
        let slot = (busy / CYCLES) as usize;
        self.slots[slot.min(SLOTS - 1)] += 1;
        self.late += u32::from(blanks).saturating_sub(BLANKS_PER_FRAME);
    }

    /// Frames in all.
    pub fn frames(&self) -> u32 {
        self.slots.iter().sum()
    }
}

/// `frames N late N ms` and, for each millisecond with frames, that and how many.
impl fmt::Display for FrameTimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "frames {} late {} ms", self.frames(), self.late)?;
        let mut some = self.slots.iter().enumerate().filter(|(_, count)| **count > 0);
        some.try_for_each(|(ms, count)| write!(f, " {ms}:{count}"))
    }
}

impl<M: Machine> Game<M> {
    /// The frame that has just ended counts when a level was played in it.
    pub(super) fn note_time(&mut self) {
        if self.stack.top() == Some(ModeId::Gameplay)
            && let Some(debug) = self.debug.as_deref()
        {
            let frame = debug.overlay.meter.latest();
            self.times.note(frame.busy, frame.blanks);
        }
    }

    /// Tells how long the frames of a level took, and forgets them.
    pub(super) fn tell_times(&mut self) {
        let times = core::mem::take(&mut self.times);
        if times.frames() > 0 {
            self.machine.print(format_args!("TIMES {times}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString as _;

    #[test]
    fn frames_are_counted_by_milliseconds_and_late_blanks_with_them() {
        let mut times = FrameTimes::default();
        times.note(7 * CYCLES + 5, 2);
        times.note(7 * CYCLES, 2);
        times.note(900 * CYCLES, 5);
        assert_eq!(times.to_string(), "frames 3 late 3 ms 7:2 47:1");
    }
}
