//! The debug text: frames a second, free memory, draw distance.

use crate::clock::time::TICKS_PER_SECOND;
use core::fmt::Write as _;

/// Bytes of the text.
pub const TEXT_BYTES: usize = 48;

/// Counts frames over real time.
///
/// Source: seed 003, One in-game frame, step 13 (0x001569c0).
#[derive(Clone, Debug, Default)]
pub struct FrameCounter {
    since: Option<u64>,
    frames: u32,
    tenths: u32,
    text: heapless::String<TEXT_BYTES>,
}

impl FrameCounter {
    /// One more frame at real time `real`, in ticks. Once a second the rate is taken and the text written.
    pub fn count(&mut self, real: u64, free_bytes: usize, draw_distance: f32) {
        let since = *self.since.get_or_insert(real);
        let passed = real.saturating_sub(since);
        if passed >= TICKS_PER_SECOND {
            let frames = u64::from(self.frames);
            self.tenths = ((frames * 10 * TICKS_PER_SECOND + passed / 2) / passed) as u32;
            (self.since, self.frames) = (Some(real), 0);
            self.text.clear();
            // A text that is cut short is still a text.
            let _cut = write!(
                self.text,
                "{}.{} fps  {} KB  {} m",
                self.tenths / 10,
                self.tenths % 10,
                free_bytes / 1024,
                draw_distance as u32
            );
        }
        self.frames += 1;
    }

    /// Frames in ten seconds at the last second's rate.
    pub const fn tenths_a_second(&self) -> u32 {
        self.tenths
    }

    /// The text, empty in the first second.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_says_rate_memory_and_distance_once_a_second() {
        let mut counter = FrameCounter::default();
        let blank = TICKS_PER_SECOND * 1001 / 60_000;
        for frame in 0..60 {
            counter.count(frame * 2 * blank, 5 * 1024 * 1024, 450.0);
        }
        assert_eq!(counter.text(), "30.0 fps  5120 KB  450 m");
        assert_eq!(counter.tenths_a_second(), 300);
    }

    #[test]
    fn a_slow_second_shows_its_slow_rate() {
        let mut counter = FrameCounter::default();
        for frame in 0..=20 {
            counter.count(frame * TICKS_PER_SECOND / 20, 0, 0.0);
        }
        assert_eq!(counter.tenths_a_second(), 200);
    }
}
