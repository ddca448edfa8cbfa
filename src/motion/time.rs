//! Game time as the motion system sees it: a number handed in, never a clock that is read.

/// Ticks of the game timer in a second.
///
/// Source: settled questions 6 (0x960000 ticks are a thirtieth of a second).
pub const TICKS_PER_SECOND: u32 = 0x96_0000 * 30;

/// A moment in ticks of the game timer.
///
/// Our choice: whole ticks where the original keeps double-precision seconds; the EE has no doubles.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Time(pub u64);

impl Time {
    /// Seconds from `earlier` to this moment, 0 when it is not earlier.
    pub fn seconds_since(self, earlier: Self) -> f32 {
        self.0.saturating_sub(earlier.0) as f32 / TICKS_PER_SECOND as f32
    }

    /// The moment `seconds` later; negative and absurd spans count as none.
    pub fn after(self, seconds: f32) -> Self {
        Self(self.0.saturating_add((seconds * TICKS_PER_SECOND as f32) as u64))
    }
}
