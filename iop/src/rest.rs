//! Rests of what nobody waits for after its sectors could not be read: reads that somebody waits for have the drive then.

/// Ticks of the system's clock in the shortest rest, a quarter of a second.
const SHORTEST: u32 = 36_864_000 / 4;
/// Doublings of the longest one, which is eight seconds.
const DOUBLINGS: u32 = 5;

/// A rest, longer each time that it was for nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// Failures in a row.
    failures: u32,
    /// When the last one was.
    since: u32,
}

impl Rest {
    /// Begins a rest.
    pub const fn fail(&mut self, now: u32) {
        self.failures = self.failures.saturating_add(1);
        self.since = now;
    }

    /// Whether the last try has failed: there will be another one.
    pub const fn is_on(&self) -> bool {
        self.failures > 0
    }

    /// Whether it lasts.
    pub fn lasts(&self, now: u32) -> bool {
        let Some(before) = self.failures.checked_sub(1) else { return false };
        now.wrapping_sub(self.since) < SHORTEST << before.min(DOUBLINGS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_grow_with_failures_in_a_row() {
        let mut rest = Rest::default();
        assert!(!rest.lasts(0) && !rest.lasts(u32::MAX));
        let mut now = u32::MAX - 7;
        for quarters in [1, 2, 4, 8, 16, 32, 32, 32] {
            rest.fail(now);
            assert!(rest.lasts(now) && rest.lasts(now.wrapping_add(quarters * SHORTEST - 1)), "{quarters}");
            now = now.wrapping_add(quarters * SHORTEST);
            assert!(!rest.lasts(now), "{quarters}");
        }
    }
}
