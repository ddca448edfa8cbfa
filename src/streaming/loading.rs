//! The loading screen's clock.
//!
//! Source: support systems, Level loading order.

/// Milliseconds that the bar takes to fill in a level of the story.
pub const STORY_MS: u32 = 23_000;
/// Milliseconds that it takes in an arena.
pub const ARENA_MS: u32 = 30_000;
/// Milliseconds of the fades at both ends.
pub const FADE_MS: u32 = 200;

/// The loading screen: how bright it is, and how far its bar. The bar is a clock and knows nothing of the load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadingScreen {
    begun: u32,
    ending: Option<u32>,
    length: u32,
}

impl LoadingScreen {
    /// Begins at a time of any clock in milliseconds.
    pub const fn begin(now: u32, is_arena: bool) -> Self {
        Self { begun: now, ending: None, length: if is_arena { ARENA_MS } else { STORY_MS } }
    }

    /// Begins to fade out.
    pub const fn end(&mut self, now: u32) {
        if self.ending.is_none() {
            self.ending = Some(now);
        }
    }

    /// How far the bar is, 0 to 1.
    pub fn progress(&self, now: u32) -> f32 {
        (now.wrapping_sub(self.begun) as f32 / self.length as f32).min(1.0)
    }

    /// How bright the screen is, 0 to 1.
    pub fn brightness(&self, now: u32) -> f32 {
        let risen = share(self.begun, now);
        self.ending.map_or(risen, |ending| risen.min(1.0 - share(ending, now)))
    }

    /// True when it has faded out.
    pub fn is_over(&self, now: u32) -> bool {
        self.ending.is_some_and(|ending| now.wrapping_sub(ending) >= FADE_MS)
    }
}

fn share(from: u32, now: u32) -> f32 {
    (now.wrapping_sub(from) as f32 / FADE_MS as f32).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_a_clock_of_the_level_s_kind() {
        let near = |got: f32, expected: f32| assert!((got - expected).abs() < 1e-6, "{got} {expected}");
        near(LoadingScreen::begin(1000, false).progress(12_500), 0.5);
        near(LoadingScreen::begin(1000, true).progress(16_000), 0.5);
        near(LoadingScreen::begin(u32::MAX - 100, false).progress(u32::MAX - 100), 0.0);
        near(LoadingScreen::begin(u32::MAX - 100, false).progress(60_000), 1.0);
    }

    #[test]
    fn the_screen_fades_in_and_out_in_200_milliseconds() {
        let mut screen = LoadingScreen::begin(0, false);
        assert_eq!([0, 100, 200, 5000].map(|now| screen.brightness(now)), [0.0, 0.5, 1.0, 1.0]);
        screen.end(5000);
        screen.end(9000);
        assert_eq!([5050, 5200].map(|now| screen.brightness(now)), [0.75, 0.0]);
        assert_eq!([5199, 5200].map(|now| screen.is_over(now)), [false, true]);
    }
}
